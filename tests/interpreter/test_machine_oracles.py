"""What all back ends share, compared with a plain account of it: draws, effects, windows; and bounds with all numbers in them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from interpreter import Game
from interpreter.python import runtime as python_runtime
from interpreter.runtime import effects, endless
from interpreter.runtime.chance import Lottery
from interpreter.runtime.endless import Asked
from interpreter.runtime.faults import Problem
from interpreter.runtime.newest import Newest
from interpreter.runtime.visibility import sees
from rulespec import ir
from rulespec.analysis import domain, transfer
from rulespec.language import bounds
from tests.helpers import plain
from tests.helpers.programs import Build, c, finish, op, x

SEATS = 3
TRIES = 25


# --- draws ------------------------------------------------------------------------------------------------------------
def test_a_draw_takes_the_ticket_that_the_number_says() -> None:
    """With weights and without, of items that are equal or not, by the reference machine and as generated code draws."""
    chooser, met = random.Random(2), set()
    for seed in range(300):
        items = tuple(chooser.choices("abcde", k=chooser.randrange(1, 6)))
        for weights in (None, tuple(chooser.choices((0, 1, 2, 3, 7, 2**62), k=len(items)))):
            if weights is not None and (sum(weights) == 0 or max(weights) > 9):
                continue
            lottery = Lottery(items, weights)
            action, counter = lottery.draw(seed, seed % 4)
            drawn = lottery.values[action], counter
            assert drawn == plain.drawn(items, weights, seed, seed % 4)
            met.add(drawn[0])
            if weights is not None and len(set(items)) == len(items) and len(lottery.values) > 1:
                S = [None, (seed, seed % 4)]
                assert python_runtime.draw_weighted(S, items, weights) == (action, drawn[0])
                assert S[ir.RANDOM] == (seed, counter)
    assert met == set("abcde")


def test_weights_that_no_ticket_is_made_for() -> None:
    """Large ones, whose ends are met: the number is thrown away above the last multiple of their sum."""
    for weights in ((2**62, 2**62, 2**63 - 1), (1, 2**63), (2**62, 2**62), (2**63, 2**63)):
        for seed in range(40):
            action, counter = Lottery(("a", "b", "c")[: len(weights)], weights).draw(seed, 0)
            number, used, total = plain.number_of(seed, 0), 1, sum(weights)
            while number >= 2**64 // total * total:
                number, used = plain.number_of(seed, used), used + 1
            before = sum(weights[:action])
            assert counter == used and before <= number % total < before + weights[action]


def test_the_chances_of_a_draw_are_its_tickets() -> None:
    lottery = Lottery(("a", "b", "a", "c"), (1, 3, 2, 0))
    assert lottery.values == ("a", "b") and [(a, str(p)) for a, p in lottery.outcomes()] == [(0, "1/2"), (1, "1/2")]
    assert [str(p) for _, p in Lottery(("a", "b", "a"), None).outcomes()] == ["2/3", "1/3"]
    for items, weights in (((), None), (("a",), (0,)), (("a", "b"), (1,)), (("a", "b"), (2, -1))):
        with pytest.raises(Problem, match="draw"):
            Lottery(items, weights)


# --- effects ----------------------------------------------------------------------------------------------------------
def laid_out() -> tuple[ir.Program, int, int]:
    """Sets and piles of a kind, one of each within a scope; where the scope's slots begin and end."""
    b = Build(SEATS)
    card = b.pieces("Card", tuple("abcdef"))
    b.put(card, b.zone("deck", card, order="pile"))
    b.zone("hand", card)
    low = len(b.slots)
    b.zone("row", card)
    b.zone("stack", card, order="pile")
    high = len(b.slots)
    b.zone("later", card)  # of another scope, which begins behind
    b.zone("last", card)
    b.procedure("main", 0, finish(*range(SEATS)))
    return b.program(), low, high


def agrees(program: ir.Program, S: list[Any], table: plain.Table) -> None:
    """Zones, where pieces lie, what is known and what lasts, by both accounts."""
    location = program.kinds[1].location
    assert location is not None
    assert {slot: list(S[slot]) for slot in table.zones} == table.zones
    here = {piece: slot for slot, there in table.zones.items() for piece in there}
    assert S[location : location + 6] == [here.get(piece, -1) for piece in range(6)]
    assert S[ir.KNOWN] == tuple(sorted((location + piece, seat) for piece, seat in table.known))
    assert S[ir.LASTING] == tuple(table.effects)


@pytest.mark.parametrize("seed", range(12))
def test_what_effects_do(seed: int) -> None:
    """Moves, looks, scopes within each other and lasting effects, at random."""
    program, low, high = laid_out()
    chooser, S = random.Random(seed), list(program.initial)
    location, places = program.kinds[1].location, {zone.base: zone.order == "pile" for zone in program.zones}
    assert location is not None
    within = effects.places_within(program, low, high)
    beyond = effects.places_within(program, low, None)
    assert within == ((low, location), (low + 1, location)) and beyond == (
        *within,
        (high, location),
        (high + 1, location),
    )
    table = plain.Table(
        {slot: list(S[slot]) for slot in places}, {slot for slot, pile in places.items() if pile}, aside=[]
    )
    kept: list[tuple[Any, ...]] = []
    for _ in range(150):
        pieces = tuple(chooser.sample(range(6), chooser.randrange(1, 4)))
        seats = tuple(chooser.sample(range(SEATS), chooser.randrange(SEATS)))
        match chooser.choice(("move", "move", "learn", "forget", "enter", "leave", "begin", "cease")):
            case "move":
                to, bottom = chooser.choice([*places]), chooser.random() < 0.3
                effects.move(S, pieces, location, 6, to, places[to], bottom and places[to])
                table.move(pieces, to, bottom and places[to])
            case "learn" | "forget" as what:
                effects.learn(S, pieces, location, seats, what == "forget")
                table.learn(pieces, seats, what == "forget")
            case "enter" if len(kept) < 2:
                kept.append(effects.enter(S, low, high, ((), ()), within))
                table.enter([low, low + 1])
            case "leave" if kept:
                effects.leave(S, low, kept.pop(), beyond)
                table.leave()
            case "begin":
                end = chooser.choice((None, 4, 5))
                effects.begin(S, chooser.randrange(2), pieces[:1], end, None)
                table.effects.append((S[ir.LASTING][-1][0], pieces[:1], end))
            case "cease":
                asked = chooser.choice((None, 0, 1)), chooser.choice((None, 4, 5)), chooser.choice((None, pieces[:1]))
                assert effects.cease(S, asked[0], asked[1], None, asked[2]) == table.cease(*asked)
        agrees(program, S, table)
    for unknown in (6, -1):
        with pytest.raises(Problem, match="no piece"):
            effects.move(S, (unknown,), location, 6, low, False, False)


def test_counted_pieces_go_from_one_bag_to_another() -> None:
    S: list[Any] = [(3, 1, 0), (0, 1, 2)]
    effects.move_counts(S, (2, 1, 0), 0, 1, "purse")
    assert S == [(1, 0, 0), (2, 2, 2)]
    effects.move_counts(S, (0, 0, 1), None, 0, "")
    effects.move_counts(S, (0, 2, 0), 1, None, "row")
    assert S == [(1, 0, 1), (2, 0, 2)]
    for bag in ((2, 0, 0), (0, -1, 0)):
        with pytest.raises(Problem):
            effects.move_counts(S, bag, 0, 1, "purse")
    assert S == [(1, 0, 1), (2, 0, 2)]
    with pytest.raises(ValueError, match="kinds"):
        effects.move_counts(S, (1, 0), 0, 1, "purse")


def test_an_effect_ends_at_its_own_depth() -> None:
    """Of a phase that runs within itself, what began in the inner one ends with the inner one."""
    S: list[Any] = [None] * 8
    S[ir.LASTING], S[7] = (), 1
    effects.begin(S, 0, (1,), 5, 7)
    S[7] = 2
    effects.begin(S, 0, (2,), 5, 7)
    effects.begin(S, 0, (3,), None, 7)
    assert effects.cease(S, None, 5, 7, None) == (2,)
    assert effects.cease(S, None, 5, 7, None) is None
    S[7] = 1
    assert effects.cease(S, None, 5, 7, None) == (1,)
    assert [args for _, args, _ in S[ir.LASTING]] == [(3,)]
    tags = {effects.end_tag([depth], end, 0) for depth in range(4) for end in range(1000)}
    assert len(tags) == 4 * 1000


# --- windows ----------------------------------------------------------------------------------------------------------
def reacting(chooser: random.Random) -> tuple[Game, list[Any], list[plain.Reaction]]:
    """Rules of nobody, of pieces and of what lasts, at random: those of a game, its slots, and those of the plain account.

    An instance is a number: it is alive if it is below 4 in the slot of its rule, a rule's test asks whether it is odd there.
    """
    b = Build(SEATS)
    card = b.pieces("Card", ("a", "b", "c"))
    doing = b.procedure("doing", 1, ir.Return(c(True)))
    reactions: list[plain.Reaction] = []
    b.slots[ir.LASTING] = tuple((chooser.randrange(2), (chooser.randrange(3),), None) for _ in range(3))
    for number in range(5):
        shift = chooser.randrange(4)
        source = chooser.choice(("plain", "pieces", "lasting"))
        pieces = tuple(chooser.sample(range(3), 2)) if source == "pieces" else ()
        lasting = chooser.randrange(2) if source == "lasting" else None
        takes = 0 if source == "plain" else 1
        told = op("add", x(0), c(shift)) if takes else c(shift)
        alive = b.function(f"alive{number}", takes, op("lt", told, c(4))) if chooser.random() < 0.8 else None
        owned = chooser.random() < 0.8
        player = b.function(f"player{number}", takes, op("mod", told, c(SEATS))) if owned else None
        tested = chooser.random() < 0.6
        test = b.function(f"test{number}", takes, op("eq", op("mod", told, c(2)), c(1))) if tested else None
        limit = chooser.choice((None, 1, 2))
        counter = b.slot(f"count{number}", *[0] * max(1, len(pieces)))
        b.rules.append(
            ir.Rule(
                number,
                f"rule{number}",
                source,
                pieces,
                lasting,
                alive,
                test,
                player,
                doing,
                chooser.choice((-1, 0, 1)),
                limit,
                counter,
                card,
            )
        )
        if source == "plain":
            instances: list[tuple[int, ...]] = [()]
        elif source == "pieces":
            instances = [(piece,) for piece in sorted(pieces)]
        else:
            instances = [args for effect, args, _ in b.slots[ir.LASTING] if effect == lasting]
        reactions.append(
            plain.Reaction(
                number,
                b.rules[-1].rank,
                limit,
                instances,
                (lambda args, by=shift: sum(args) + by < 4) if alive is not None else lambda _: True,
                (lambda args, by=shift: (sum(args) + by) % SEATS) if owned else lambda _: None,
                (lambda args, by=shift: (sum(args) + by) % 2 == 1) if tested else lambda _: True,
                source == "pieces",
            )
        )
    b.procedure("main", 0, finish(*range(SEATS)))
    game = b.game()
    return game, list(b.slots), reactions


@pytest.mark.parametrize("seed", range(20))
def test_which_rules_react_and_in_which_order(seed: int) -> None:
    """The queue, whose the first is and what ties with it, and how often a rule runs until its limit, taken back where it is declined."""
    chooser = random.Random(seed)
    game, S, reactions = reacting(chooser)
    windows, by_number = game.machine.windows, {rule.number: rule for rule in reactions}
    for order in (None, (1, 0), (2, 0, 1), (1,), ()):
        rules = tuple(chooser.sample(range(5), 4))
        queue = plain.queue_of([by_number[number] for number in rules], order)
        assert list(windows.collect(S, rules, (), order)) == queue
        while queue:
            assert windows.tied(S, tuple(queue), ()) == plain.tied(reactions, queue)
            number, args = queue.pop(chooser.randrange(len(queue)))
            rule = by_number[number]
            assert windows.player(S, (number, args), ()) == rule.player(args)
            assert windows.passes(S, (number, args), ()) == plain.applies(rule, args)
            if plain.applies(rule, args):
                windows.use(S, (number, args))
                rule.use(args, 1)
                if chooser.random() < 0.4:
                    windows.give_back(S, (number, args))
                    rule.use(args, -1)


# --- bounds -----------------------------------------------------------------------------------------------------------
ENDS = (-3, -1, 0, 2)
SPANS = [(low, high) for low in (*ENDS, None) for high in (*ENDS, None) if low is None or high is None or low <= high]
FAR = 9  # numbers that stand for all beyond
# Transfer functions: of how many numbers, what is worked out of them, and whether the span is the least where all ends are known.
TRANSFERS: list[tuple[Callable[..., bounds.Span], int, Callable[..., int], bool]] = [
    (bounds.plus, 2, lambda a, b: a + b, True),
    (bounds.minus, 2, lambda a, b: a - b, True),
    (bounds.negated, 1, lambda a: -a, True),
    (bounds.times, 2, lambda a, b: a * b, True),
    (bounds.divided, 2, lambda a, b: a // b, True),
    (bounds.remainder, 2, lambda a, b: a % b, False),
    (bounds.magnitude, 1, abs, True),
    (bounds.least, 2, min, True),
    (bounds.greatest, 2, max, True),
    (bounds.clamped, 3, lambda a, low, high: max(low, min(high, a)), True),
    (bounds.less, 2, lambda a, b: a < b, True),
    (bounds.at_most, 2, lambda a, b: a <= b, True),
    (bounds.compared, 2, lambda a, b: (a > b) - (a < b) + 1, True),
    (bounds.successor, 1, lambda a: a + 1, True),
]


def numbers_in(span: bounds.Span) -> range:
    """The numbers of a span, as far as `FAR`."""
    return range(-FAR if span[0] is None else span[0], (FAR if span[1] is None else span[1]) + 1)


@pytest.mark.parametrize(("transfer", "takes", "of", "least"), TRANSFERS, ids=[row[0].__name__ for row in TRANSFERS])
def test_bounds_hold_all_results_and_no_more(
    transfer: Callable[..., bounds.Span], takes: int, of: Callable[..., int], least: bool
) -> None:
    divides = transfer in (bounds.divided, bounds.remainder)
    for spans in itertools.product(SPANS if takes < 3 else SPANS[::3], repeat=takes):
        if divides and min(numbers_in(spans[1])) <= 0 <= max(numbers_in(spans[1])):
            assert transfer(*spans) == bounds.ANY, "nothing is told where it may be a fault"
            continue
        results = {int(of(*row)) for row in itertools.product(*map(numbers_in, spans))}
        low, high = transfer(*spans)
        assert (low is None or low <= min(results)) and (high is None or max(results) <= high), (spans, low, high)
        if least and None not in itertools.chain(*spans) and not (divides and min(numbers_in(spans[1])) < 0):
            assert (low, high) == (min(results), max(results)), spans
        if transfer is bounds.times and None not in (lows := [low for low, _ in spans]) and min(lows) >= 0:
            assert low is not None and low >= 0, spans
        if transfer is bounds.remainder and None not in spans[1] and min(numbers_in(spans[1])) > 0:
            assert (low, high) == (0, max(numbers_in(spans[1])) - 1)


def test_spans_are_joined_and_met() -> None:
    for a, b in itertools.product(SPANS, repeat=2):
        own, other = {*numbers_in(a)}, {*numbers_in(b)}
        assert own | other <= {*numbers_in(bounds.hull(a, b))}
        assert {*numbers_in(bounds.meet(a, b))} == own & other
        assert {*numbers_in(bounds.held_to(a, b))} == (own & other or other)
        assert bounds.hull(a, a) == bounds.meet(a, a) == a
        for holds in (bounds.YES, bounds.NO, bounds.EITHER):
            kept = [n if holds != bounds.NO else 0 for n in own] + ([0] if holds == bounds.EITHER else [])
            assert {*kept} <= {*numbers_in(bounds.if_so(a, holds))}
            if None not in a:
                assert bounds.if_so(a, holds) == (min(kept), max(kept))


def sums(low: int, high: int, least: int, most: int) -> Iterable[int]:
    """The sums of least..most numbers low..high, each of which is the lowest or the highest."""
    return [low * k + high * (n - k) for n in range(least, most + 1) for k in range(n + 1)]


def test_the_bounds_of_a_sum_are_those_of_its_items() -> None:
    """Of items of any sign."""
    for low, high in itertools.product((-3, -1, 0, 2), repeat=2):
        for least, most in ((0, 0), (0, 2), (1, 1), (1, 3), (2, 2)):
            if low > high:
                continue
            known = sums(low, high, least, most)
            items = domain.number(low, high)
            own = transfer.result("total", [domain.items(items, most, least=least)])
            assert (own.low, own.high) == (min(known), max(known)), (low, high, least, most)
            open_ended = transfer.result("total", [domain.items(items, None, least=least)])
            for total in sums(low, high, least, 7):
                assert open_ended.has(total)


# --- games without end ------------------------------------------------------------------------------------------------
def asking(*items: Any, before: int = 0) -> tuple[ir.Program, Any, list[Any]]:
    """A game that does the same again and again, after some questions before that: its program, back end and first position."""
    b = Build(2)
    first = b.site("first", c((1,)))
    sites = {"one": b.site("one", c((1,)), c(1)), "two": b.site("two", c((1,))), "free": b.site("free", c((1, 2)))}
    sealed = b.procedure("sealed", 1, ir.Ask(b.site("hidden", c((1,)), x(0)), 1), ir.Return(x(1)))
    code = {
        **{name: ir.Ask(site, 0) for name, site in sites.items()},
        "chance": ir.Draw(c((1, 2, 3)), None, 0, ir.types.INT, "die"),
        "sealed": ir.Fork(c((0, 1)), sealed, (), 0),
        "fault": ir.Claim(c(False), ir.Text(("Never",)), "R013"),
    }
    b.procedure("main", 0, *[ir.Ask(first, 0)] * before, "again", *[code[item] for item in items], ir.Jump("again"))
    game = b.game()
    return game.program, game.backend, game.new_state(1).slots


ONE, TWO = Asked(1, "one", False), Asked(0, "two", False)


@pytest.mark.parametrize(
    ("items", "before", "decisions", "found"),
    [
        (("one", "two"), 0, 64, [ONE, TWO]),
        (("one", "two"), 7, 64, [ONE, TWO]),
        (("one", "two"), 7, 2, []),  # so seldom halved that it is not looked so far
        (("one", "two"), 7, 96, [ONE, TWO]),
        (("one", "one", "two"), 5, 64, [ONE, ONE, TWO]),
        (("one",), 0, 1, [ONE]),
        (("one", "free"), 0, 64, []),
        (("one", "chance"), 0, 64, []),
        (("one", "fault"), 0, 64, []),
        (("sealed", "two"), 0, 64, [Asked(0, "hidden", False), Asked(1, "hidden", False), TWO]),
    ],
)
def test_a_position_that_comes_back_is_seen(items: Any, before: int, decisions: int, found: list[Asked]) -> None:
    """Where each question on the way has one answer, and chance says nothing: the questions from one time to the next, begun anywhere."""
    cycle = [*endless.cycle(*asking(*items, before=before), decisions)]
    turned = [found[n:] + found[:n] for n in range(len(found))] or [[]]
    assert cycle in turned


def test_what_a_game_without_end_goes_on_to_ask() -> None:
    ahead = endless.asked_ahead(*asking("one", "free", "sealed"))
    assert len(ahead) == 200
    assert ahead[:4] == (ONE, Asked(0, "free", True), Asked(0, "hidden", False), Asked(1, "hidden", False))
    assert endless.asked_ahead(*asking("one", "two", "fault")) == (ONE,)
    drawn = [endless.asked_ahead(*asking("one", "chance", before=before)) for before in (0, 0, 2)]
    assert drawn[0] == drawn[1] == (ONE,) * 200 and drawn[2][:3] == (Asked(0, "first", False),) * 2 + (ONE,)


# --- what is kept -----------------------------------------------------------------------------------------------------
def test_the_newest_are_kept() -> None:
    """Of the same objects and the same question: worked out once, until so many newer ones are kept."""
    newest: Newest[int] = Newest(2)
    objects, worked = [[n] for n in range(4)], itertools.count()
    for n, of, value in (
        (0, "a", 0),
        (0, "a", 0),
        (0, "b", 1),
        (0, "a", 0),
        (1, "a", 2),
        (0, "b", 1),
        (0, "a", 3),
        (1, "a", 2),
    ):
        assert newest.once((objects[n],), of, lambda: next(worked)) == value
        assert newest.recall((objects[n],), of) == value
    assert newest.recall((objects[0],), "b") is None and newest.recall(([0],), "a") is None


def test_seeing_needs_every_bit() -> None:
    assert sees(None, 7) and sees(0b101, 0b100) and sees(0b101, 0) and not sees(0b101, 0b110)
