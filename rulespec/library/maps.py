"""Functions of maps.  A graph is given as its adjacency: for each place the places next to it; networkx walks it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rulespec.language import bounds
from rulespec.language.facts import C, CForm, Facts, Result, Table
from rulespec.language.registry import function, intrinsic
from rulespec.library.errors import DomainError

if TYPE_CHECKING:
    import networkx

Places = tuple[int, ...]
Adjacency = tuple[Places, ...]
Ends = tuple[tuple[int, int, bool], ...]  # of each link: from, to, whether it leads one way only


@lru_cache(maxsize=256)
def graph(adjacency: Adjacency) -> networkx.DiGraph[int]:
    """The adjacency as a graph of networkx."""
    import networkx as nx

    network: nx.DiGraph[int] = nx.DiGraph()
    network.add_nodes_from(range(len(adjacency)))
    network.add_edges_from((a, b) for a, row in enumerate(adjacency) for b in row)
    return network


@intrinsic(Facts(result=Result.NEIGHBOUR_SETS, heavy=True, memo=True, c=C(form=CForm.ADJACENCY)))
def adjacency(links: Places, ends: Ends, places: int) -> Adjacency:
    """Who is next to whom by these links."""
    rows: list[set[int]] = [set() for _ in range(places)]
    for link in links:
        a, b, one_way = ends[link]
        rows[a].add(b)
        if not one_way:
            rows[b].add(a)
    return tuple(tuple(sorted(row)) for row in rows)


@function(
    "neighbours(place: Place, graph: Graph) -> set of Place",
    hidden=("graph",),
    examples={"neighbours(hill)": "set(ford, tower)", "neighbours(hill, gentle)": "set(ford)"},
    facts=Facts(
        result=Result.PLACES, memo=True, others=True, c=C(form=CForm.NEIGHBOURS), table=Table(lambda rows: rows)
    ),
)
def neighbours(place: int, rows: Adjacency) -> Places:
    """The places next to a place, in a named graph of the map or by all links."""
    return rows[place]


@function(
    "adjacent(a: Place, b: Place, graph: Graph) -> Yes or no",
    hidden=("graph",),
    examples={"adjacent(shore, ford)": "yes", "adjacent(hill, tower, gentle)": "no"},
    facts=Facts(
        result=bounds.yes_or_no, memo=True, c=C(form=CForm.ADJACENT), table=Table(lambda rows: rows, "contains")
    ),
)
def adjacent(a: int, b: int, rows: Adjacency) -> bool:
    """Whether one place is next to another."""
    return b in rows[a]


@function(
    "border(a: Place, b: Place, graph: Graph) -> Link",
    hidden=("links",),
    examples={"border(hill, tower)": "hill_tower"},
    facts=Facts(result=Result.LINK, memo=True),
)
def border(a: int, b: int, links: Places, ends: Ends) -> int:
    """The link between two places that are next to each other; an error in play if they are not.

    Of a board it is the edge between two cells or two corners, or that of a cell in a direction; none where there is none.
    """
    for link in links:
        x, y, one_way = ends[link]
        if (x, y) == (a, b) or (not one_way and (y, x) == (a, b)):
            return link
    raise DomainError("there is no border between these places")


def reaches(steps: int, rows: Adjacency) -> tuple[Places, ...]:
    """For each place, the places within so many steps."""
    return tuple(reach(place, steps, rows) for place in range(len(rows)))


def distances(rows: Adjacency) -> tuple[tuple[int | None, ...], ...]:
    """For each place, the distance of each."""
    return tuple(tuple(distance(a, b, rows) for b in range(len(rows))) for a in range(len(rows)))


@function(
    "reach(place: Place, steps: 0.., graph: Graph) -> set of Place",
    hidden=("graph",),
    examples={"reach(shore, 2)": "set(shore, ford, hill)"},
    facts=Facts(
        result=Result.PLACES,
        heavy=True,
        memo=True,
        c=C(form=CForm.REACH),
        table=Table(reaches),
    ),
)
def reach(place: int, steps: int, rows: Adjacency) -> Places:
    """The places within so many steps, the place itself with them."""
    import networkx as nx

    return tuple(sorted(nx.single_source_shortest_path_length(graph(rows), place, cutoff=max(0, steps))))


@function(
    "distance(a: Place, b: Place, graph: Graph) -> 0.. or none",
    hidden=("graph",),
    examples={"distance(shore, tower)": "3", "distance(shore, island)": "none"},
    facts=Facts(
        result=Result.DISTANCE,
        heavy=True,
        memo=True,
        c=C(form=CForm.DISTANCE),
        table=Table(distances, look_up="get", most=64),
    ),
)
def distance(a: int, b: int, rows: Adjacency) -> int | None:
    """How many steps lead from one place to another; none if no way does."""
    import networkx as nx

    try:
        return int(nx.shortest_path_length(graph(rows), a, b))
    except nx.NetworkXNoPath:
        return None


@function(
    "path(a: Place, b: Place, graph: Graph) -> list of Place",
    hidden=("graph",),
    examples={"path(shore, hill)": "list(shore, ford, hill)"},
    facts=Facts(result=Result.PATH, heavy=True, memo=True, c=C(form=CForm.PATH)),
)
def path(a: int, b: int, rows: Adjacency) -> Places:
    """A shortest way, both ends with it, the same on every machine; empty if there is none."""
    if distance(a, b, rows) is None:
        return ()
    way = [a]
    while way[-1] != b:
        here = distance(way[-1], b, rows)
        nearer = 0 if here is None else here - 1
        way.append(next(x for x in rows[way[-1]] if distance(x, b, rows) == nearer))
    return tuple(way)


@function(
    "connected(a: Place, b: Place, graph: Graph) -> Yes or no",
    hidden=("graph",),
    examples={"connected(shore, island)": "no"},
    facts=Facts(
        result=bounds.yes_or_no,
        heavy=True,
        memo=True,
        c=C(form=CForm.CONNECTED),
        table=Table(lambda rows: reaches(len(rows), rows), "contains"),
    ),
)
def connected(a: int, b: int, rows: Adjacency) -> bool:
    """Whether a way leads from one place to another."""
    return distance(a, b, rows) is not None
