"""A hash of a value, by which one of many records is found without a look at the parts of the others."""

from __future__ import annotations

from interpreter.native.emitter.forms import Bits, Form, Maybe, Number, Record, Row
from interpreter.native.emitter.sets import letter
from interpreter.native.emitter.types import Unsupported


def hash_of(form: Form, place: str) -> str:
    """The C of the hash of what lies at a place: a number of 64 bits, the same for values that are equal and of one form."""
    return f"({{uint64_t hash=1; {mixed(form, place, 0)} hash;}})"


def mixed(form: Form, place: str, depth: int) -> str:
    """C that mixes a value into a hash."""
    match form:
        case Number():
            return f"hash=mixed(hash,(uint64_t)(V){place});"
        case Bits(words):
            if words == 1:
                return f"hash=mixed(hash,{place});"
            return f"{{{letter(words)} set_={place}; hash=mixed_bytes(hash,&set_,{8 * words});}}"
        case Row(_, Number()):
            return f"hash=mixed_bytes(hash,{place}.a,BYTES({place}));"
        case Row(_, item):
            k = f"i{depth}"
            return f"for(int {k}=0;{k}<{place}.n;{k}++){{{mixed(item, f'{place}.a[{k}]', depth + 1)}}}"
        case Record(parts):
            return " ".join(mixed(part, f"{place}.f{k}", depth) for k, part in enumerate(parts))
        case Maybe(inner):
            return f"hash=mixed(hash,{place}.some!=0); if({place}.some){{{mixed(inner, f'{place}.v', depth)}}}"
    raise Unsupported(f"a hash of {type(form).__name__}")
