"""The C of sets of numbers: those below 64 and 128 are a word, M and W, larger ones a vector of words (`WIDE_SETS` of words.h)."""

from __future__ import annotations

LARGEST_SET = 512  # numbers of a set of bits
FEW_MEMBERS = 16  # of a set of larger numbers, up to which it is a list


def words_of(high: int) -> int:
    """The words of a set of numbers up to this one."""
    return next(words for words in (1, 2, 4, 8) if high < 64 * words)


def letter(words: int) -> str:
    """The C type of a set of so many words, which its functions end with."""
    return {1: "M", 2: "W"}.get(words, f"X{words}")


def is_vector(t: str) -> bool:
    """Whether a C type of sets is a vector of words."""
    return t not in ("M", "W")


def constant(bits: int, words: int) -> str:
    """The C of a set of bits."""
    return f"({letter(words)})" * (words > 2) + initializer(bits, words)


def initializer(bits: int, words: int) -> str:
    """The C that a variable of a set of bits is initialized with."""
    if words == 1:
        return f"{bits:#x}ULL"
    one = (1 << 64) - 1
    if words == 2:
        return f"((W){bits >> 64:#x}ULL<<64|{bits & one:#x}ULL)"
    return f"{{{','.join(f'{bits >> 64 * k & one:#x}ULL' for k in range(words))}}}"


def put(to: str, x: str, t: str) -> str:
    """C that puts a number into a set that is a variable; the number is below what the set has room for."""
    return f"{to}[({x})>>6]|=(M)1<<(({x})&63);" if is_vector(t) else f"{to}|=({t})1<<{x};"


def taken(to: str, x: str, t: str) -> str:
    """C that takes a number out of a set that is a variable."""
    return f"{to}[({x})>>6]&=~((M)1<<(({x})&63));" if is_vector(t) else f"{to}&=~(({t})1<<{x});"


def lowest_taken(of: str, t: str) -> str:
    """C that takes the lowest number out of a set that is a variable and has one."""
    return f"{of}[low{t}({of})>>6]&={of}[low{t}({of})>>6]-1;" if is_vector(t) else f"{of}&={of}-1;"


def some(code: str, t: str) -> str:
    """The C of a test whether a set has a member."""
    return f"some{t}({code})" if is_vector(t) else f"{code}!=0"


def no(code: str, t: str) -> str:
    """The C of a test whether a set has no member."""
    return f"!some{t}({code})" if is_vector(t) else f"!({code})"


def has(code: str, x: str, t: str) -> str:
    """The C of a test whether a set has a number that is below what the set has room for."""
    return f"in{t}({code},{x})" if is_vector(t) else f"(V)({code}>>{x}&1)"


def same(a: str, b: str, t: str) -> str:
    """The C of a test whether two sets are equal."""
    return f"same{t}({a},{b})" if is_vector(t) else f"({a}=={b})"


def each(m: str, x: str, t: str, inside: str) -> str:
    """A loop over the members of a set that is a variable, which may be changed; ascending."""
    if is_vector(t):
        bits, k = f"{m}b", f"{m}k"
        loop = f"for(;{bits}||({bits}=rest{t}(&{m},&{k}));{bits}&={bits}-1){{V {x}=64*{k}+lowM({bits}); {inside}}}"
        return f"{{int {k}=0; M {bits}={m}[0]; {loop}}}"
    return f"for(;{m};{m}&={m}-1){{V {x}=low{t}({m}); {inside}}}"


def rewidened(code: str, have: int, want: int, name: str) -> str:
    """The C of a set in so many words instead; one whose members have no room there is a fault."""
    if (have, want) == (1, 2):
        return f"((W)({code}))"
    if (have, want) == (2, 1):
        return f"narrow_(S,{code})"
    if have == 1:
        return f"({letter(want)}){{{code}}}"
    parts = [f"(M){name}", f"(M)({name}>>64)"] if have == 2 else [f"{name}[{k}]" for k in range(have)]
    left, rest = parts[:want], parts[want:]
    test = f"if({'|'.join(rest)})fault(S); " if rest else ""
    made = (
        left[0]
        if want == 1
        else f"((W){left[1]}<<64|{left[0]})"
        if want == 2
        else f"({letter(want)}){{{','.join(left)}}}"
    )
    return f"({{{letter(have)} {name}={code}; {test}{made};}})"
