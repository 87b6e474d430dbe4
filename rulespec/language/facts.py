"""What is true of a library function besides its value: facts that stand at its definition.

A fact is data: a flag, a word, a template or a function of spans (`bounds`).  Passes, checker, lint and back ends each read
the facts they need through `registry.facts(name)` and keep no list of functions.  The default of every fact is the safe one:
it lets a reader do less, never something wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from rulespec.language.bounds import Bounds
from rulespec.system.records import dataclass


class Result(Enum):
    """A transfer function by name: what a result is, given what the arguments are.

    `rulespec.analysis.transfer` gives these names their meaning.  A function of numbers has a function of
    `rulespec.language.bounds` instead.
    """

    UNKNOWN = auto()
    # conditions
    EQUAL = auto()
    DIFFERENT = auto()
    OPPOSITE = auto()
    ABSENT = auto()  # whether the argument is none
    AMONG = auto()  # whether the second is an item of the first
    SOME = auto()  # whether there are items
    NO_ITEM = auto()
    # numbers made of collections
    SIZE = auto()
    OCCURRENCES = auto()  # of the second among the items of the first
    PLACE = auto()  # 0 or where an item stands, counted from 1
    TOTAL = auto()
    # a value out of a collection
    ITEM = auto()  # one of the items of the first
    NUMBER = auto()  # one of its items, which are numbers
    PART = auto()  # the part of a record or list that the second, counted from 0, names
    LINK = auto()  # one of the items of the third argument
    KIND = auto()  # a kind of a bag
    ROW = auto()  # of a table of pairs (key, value)
    ROW_OR_NONE = auto()
    FIRST = auto()  # the first argument itself
    WITHIN = auto()  # the first argument, a number from the second to the third, or none
    # collections
    SAME = auto()  # the items of the first, or some, in their order
    REMAINDER = auto()  # the items of the first without one for each item of the second
    LISTED = auto()  # the items of the first, in some order
    SORTED = auto()  # the same, ascending, equal ones beside each other
    AS_SET = auto()  # the same, ascending, each once
    LATER = auto()  # some of the first, ascending, equal ones beside each other
    SOME_LISTED = auto()  # some of the first, in some order
    PREFIX = auto()  # some of the first, at most as many as the second says
    BEST = auto()  # the first parts of some of its pairs, of one at least if there is one
    BY_KEY = auto()  # the first parts of its pairs
    GROUPS = auto()  # the same in groups
    UNION = auto()
    JOINED = auto()  # the items of both, one behind the other
    INTERVAL = auto()
    SEATS = auto()  # all players, of whom the argument says how many there are
    TURN_ORDER = auto()  # the same from one on; the second argument says how many
    RECORD = auto()  # the arguments as items, in their order
    SET = auto()  # the arguments, ascending, each once
    PAIRS = auto()  # every two of the items of the first
    COLLECTION = auto()  # of unknown items
    NUMBERS = auto()  # natural ones, ascending
    PRESENT = auto()  # the places of the first that hold something, from 0
    RETURNS = auto()  # -1, 0 or 1 for each player
    INSTANCES = auto()  # of a lasting rule
    TEXT = auto()  # with values filled in
    # bags
    BAG = auto()  # as many as the first argument says of one kind, of as many kinds as the last says
    BAG_OF = auto()  # the items of the first, of as many kinds as the second says
    BAG_OF_EACH = auto()  # as many as the second says of each item of the first, of as many kinds as the third says
    BAG_SUM = auto()  # both
    BAG_MULTIPLE = auto()  # the first as often as the second says
    BAG_PART = auto()  # counts of the first, in their places, or less
    KINDS = auto()  # those that a bag holds
    UNITS = auto()  # the kinds that a bag holds, each as often as it does
    WEIGHTS = auto()  # how many it holds of each kind that it holds
    WAYS = auto()  # bags of the first and some of the second
    PAYMENTS = auto()  # of some of the second and the third argument: (bag, set, number)
    # maps and boards, which the last argument is
    NEIGHBOUR_SETS = auto()  # of so many places as the last argument says
    PLACES = auto()  # of a map, ascending
    PATH = auto()  # the same in some order
    DISTANCE = auto()  # less than there are places, or none
    CELLS = auto()  # of a board, ascending
    LINE = auto()  # of a board, in some order


class Reduction(Enum):
    """What a function asks of a collection, so that a loop can answer it without making the collection."""

    NONE = auto()
    SOME = auto()  # whether there is an item: the first decides
    NO_ITEM = auto()
    COUNT = auto()
    TOTAL = auto()
    HIGHEST = auto()  # all items with the highest key
    LOWEST = auto()


class Extreme(Enum):
    """Which end of what it compares a function looks for, as people name it."""

    NONE = auto()
    MOST = auto()
    LEAST = auto()


class Origin(Enum):
    """Where the pieces in a result were before."""

    UNKNOWN = auto()  # nowhere: it is made of no pieces, such as a number
    FIRST = auto()  # among those of the first argument, and in no other place
    ALL = auto()  # among those of all arguments
    ARGUMENTS = auto()  # each argument is one
    OTHER_SHAPE = auto()  # among those of all arguments, which may hold them in another shape, such as records or bags


class Tells(Enum):
    """Which part of the arguments a result depends on: what it may tell of their secrets (its taint)."""

    ALL = auto()
    NUMBER = auto()  # of its only argument, how many items it has, or whether it is none
    TOP = auto()  # of a pile, the top piece
    PRESENCE = auto()  # of sealed answers, its last argument, only who gave one
    TEXT = auto()  # what the values tell that are filled in; which piece one is, only who sees that piece


class Size(Enum):
    """What the number of items of a result depends on."""

    CONTENT = auto()  # all that the result depends on
    FIXED = auto()  # nothing: the call says how many there are
    FIRST = auto()  # how many items the first argument has
    DISTINCT = auto()  # the same, if its items are pieces, of which no two are equal; otherwise all
    BOTH = auto()  # how many items the first two have
    TAKEN = auto()  # how many the first two have, if all of the second surely is in the first
    PREFIX = auto()  # how many the first has, and the second
    NUMBER = auto()  # the first argument


class Needs(Enum):
    """Of which arguments the template of generated Python surely has a result, but for the result's size."""

    NEVER = auto()
    ANYTHING = auto()
    ITEMS_FIRST = auto()  # the first is a collection
    ITEMS = auto()  # all are collections
    SORTABLE = auto()  # all are collections of numbers
    NUMBERS = auto()
    BOUNDED = auto()  # numbers of at most 62 bits
    PARTS = auto()  # the first is a record of known parts


class Form(Enum):
    """How a template is used."""

    PLAIN = auto()  # in place of the call, $a, $b, ... being its arguments
    TUPLE = auto()  # no template: the arguments as a tuple
    TABLE = auto()  # a look-up by the second argument ($b) in the first ($a), where that is a constant, as a dict
    MEMBERS = auto()  # no template: a table of results by member where all other arguments are constants
    EACH_KIND = auto()  # for each kind $k of the bags $a and $b; a bag of the results
    EVERY_KIND = auto()  # the same; whether all hold
    BAG_OF_ONE = auto()  # no template: a bag of $a pieces of the kind $b, of $c kinds
    INDEX = auto()  # in place of the call, where the second argument is a constant
    TEST = auto()  # no template: the first argument, tested where it may not lie between the second and the third
    FROM_ONE = auto()  # in place of the call, where the second argument is a number from 1 on


@dataclass(frozen=True, slots=True)
class Python:
    """How generated code writes a call; without one it calls the body.

    `template` has $a, $b, ... for the arguments, $a may stand there twice.  `last`: only where the last argument is this
    constant.
    """

    template: str = ""
    form: Form = Form.PLAIN
    needs: Needs = Needs.NEVER
    last: int | None = None


CALL = Python()


class CForm(Enum):
    """How C works out a result that no template of numbers gives: the function that writes it knows one of these."""

    NONE = auto()  # as a table of results where the arguments are few numbers and constants, otherwise not at all
    EQUALITY = auto()  # whether two values are equal, or differ
    ABSENCE = auto()  # whether there is nothing
    NARROWING = auto()  # the first, if the second holds
    SETTLING = auto()  # the first, if the second is empty
    BOUNDING = auto()  # the first, if it lies between the second and the third
    HOLDING = auto()  # the first, if each of its items does
    ADDITION = auto()  # whether a menu's answer is the option of a rule
    SIZE = auto()  # how many items there are
    EXISTENCE = auto()  # whether there are items, or none
    SUM = auto()  # of the items
    EXTREME = auto()  # the highest item, or the lowest
    FIRST = auto()  # the first item
    LAST = auto()
    ONLY = auto()  # the only one
    MEMBERSHIP = auto()  # whether the second is an item of the first
    OCCURRENCES = auto()  # how often the second is an item of the first, or where it stands
    INCLUSION = auto()  # whether all items of the second are in the first
    UNION = auto()
    REMAINDER = auto()  # the first without one for each item of the second
    CONCATENATION = auto()
    LATER = auto()  # the items behind the last one chosen
    AS_SET = auto()  # the items, ascending, each once
    SORTED = auto()  # the items, ascending
    SET = auto()  # the arguments, ascending, each once
    PACK = auto()  # the arguments as a record or a list
    PART = auto()  # of a record or a list, counted from 0
    ITEM_AT = auto()  # the item at a position, counted from 1
    PREFIX = auto()  # the first items, or the top ones
    REVERSED = auto()
    INTERVAL = auto()  # the numbers from one to another
    SEATS = auto()  # all players, in their order or in turn order
    PRESENT = auto()  # who took part in sealed choices
    IN_ORDER = auto()  # the same, in the order they were named
    PAIRS = auto()  # every two of the items
    BEST = auto()  # the items with the highest key, or the lowest
    SORTED_BY = auto()  # the items by their keys
    RANKING = auto()  # the items in groups of equal keys
    BY_RANK = auto()  # returns of groups
    BY_WINNERS = auto()  # returns of winners
    BY_SIDES = auto()  # returns of winners and losers
    ROW = auto()  # of a table under a key, or none
    BAG_SIZE = auto()
    BAG_COUNT = auto()  # of one kind
    BAG_KINDS = auto()  # those that it holds
    BAG_ANY = auto()  # a kind that it holds
    BAG_ONE = auto()  # so many of one kind
    BAG_SUM = auto()  # both bags, or what is left of the first
    BAG_TIMES = auto()
    BAG_INCLUDES = auto()
    BAG_ONLY = auto()  # what is of some kinds
    BAG_ALL = auto()  # so many of each of some kinds
    BAG_FROM = auto()  # one for each item
    BAG_AFTER = auto()  # what stands behind a kind
    BAG_WEIGHTS = auto()  # the counts above 0
    BAG_ITEMS = auto()  # the pieces one by one
    BAG_AMOUNTS = auto()  # how many of a kind may be added
    BAG_WAYS = auto()  # every bag that adds some
    NEIGHBOURS_IN = auto()  # of a cell in some directions
    GROUP = auto()  # what hangs together with a cell
    BETWEEN = auto()  # the cells on a line from one to another; a table of the results where these are not too many
    ADJACENCY = auto()  # of links that change; of all that takes a graph the table of results, where that is a constant
    NEIGHBOURS = auto()
    ADJACENT = auto()
    REACH = auto()
    DISTANCE = auto()
    PATH = auto()
    CONNECTED = auto()
    PAYMENTS = auto()  # every way to pay
    PAYABLE = auto()  # whether there is a way to pay
    LASTING = auto()  # the arguments of effects that last


@dataclass(frozen=True, slots=True)
class C:
    """How C writes a call.

    `template`: of numbers, $a, $b, ... being the arguments, 64 bits each; `tested` instead, where the result is not known to fit
    62 bits; `sure` instead, where the last argument is the one for which there is always a result (`Facts.total_for`).  `form`: what
    the back end writes itself.
    """

    template: str = ""
    tested: str = ""
    sure: str = ""
    form: CForm = CForm.NONE


NOT_C = C()


@dataclass(frozen=True, slots=True)
class Neutral:
    """A value that changes nothing as the second argument, and as the first too if `both`."""

    value: Any
    both: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """What a function of a place gives for every place of a map whose links do not change.

    `made`: from the arguments behind the places, the entry of each place.  `look_up`: the function that looks for the second place in
    the entry, where there are two.  `most`: how many places the map may have.
    """

    made: Callable[..., tuple[Any, ...]]
    look_up: str = ""
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What is true of a function for all arguments of its types.

    `total`: it has a result for all of them; otherwise some may be a fault.  `total_for`: it has one wherever its last argument
    is this constant.  `heavy`: it goes through what it is given, so that
    a loop does not call it again for the same.  `grows`: its result may be a larger number or collection than its arguments
    and is tested for its size, which is said of all that are not known never to give more.  `memo`: it searches or builds, so that
    generated code keeps its results by their arguments.
    `work`: how many nodes of a tree it counts for, where it may do more than one does (see `ir.weight`).
    `extreme`: its result is the highest or the lowest number of a collection, or what has it.
    `others`: its result is another than its first argument, or has only others in it, wherever there are any.
    `instant`: it takes as long for many items as for few; others that are given collections, or make them, count their items.
    `identity`: it gives its only argument.  `table`: of places, what it gives where all else is constant.
    `held`: generated code puts its result in a variable, as working it out again costs more.
    """

    result: Result | Bounds = Result.UNKNOWN
    total: bool = False
    total_for: int | None = None
    heavy: bool = False
    grows: bool = True
    memo: bool = False
    held: bool = False
    work: int = 1
    instant: bool = False
    identity: bool = False
    others: bool = False
    neutral: Neutral | None = None
    reduces: Reduction = Reduction.NONE
    extreme: Extreme = Extreme.NONE
    python: Python = CALL
    c: C = NOT_C
    table: Table | None = None
    origin: Origin = Origin.UNKNOWN
    tells: Tells = Tells.ALL
    size: Size = Size.CONTENT

    @property
    def picks(self) -> bool:
        """Whether it gives one of its items, of which there must be one; what it gives else may stand after `otherwise`."""
        most = self.extreme is not Extreme.NONE and self.result is Result.NUMBER
        return not self.total and (most or self.result is Result.ITEM)


NOTHING_KNOWN = Facts()
