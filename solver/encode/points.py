"""Points at hand for parts that are paid at once: what tells them apart, and what sources cost in points."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import factorial, prod
from typing import Literal, TypeAlias, TypeVar

from lawful.model.cost import AssetTerm
from lawful.model.errors import LimitReached
from lawful.model.frozen import FrozenMap
from lawful.model.ruleset import Ruleset
from lawful.solver.encode.literals import Linear
from lawful.solver.encode.sources import Candidate

LEFT = -1
MANY_KINDS = 12
MANY_ORDERS = 24  # four sources in a circle
IN_CIRCLES = "sources that could pay for each other in a circle"
Cell: TypeAlias = tuple[int, str]
Told: TypeAlias = Literal["cells", "numbers", "sets", "shares"]
"""What is told apart.

``cells``: what is given as what for each part; ``numbers``: that, with how much each part takes as a decision of its
own; ``sets``: only the sources and how much each part takes; ``shares``: whose points they are, too.
"""
# Rules that say which points may go where; in an explanation each may be dropped.
PLACING = ("printed", "into", "only")


@dataclass(frozen=True, slots=True)
class Kind:
    """Points that are told apart by nothing but their source.

    Parameters
    ----------
    asset : str
        What they are.
    printed : bool
        Whether they count as printed, where that makes a difference.
    into : tuple of str
        Names of the costs that they may pay; empty means any.
    not_for : str
        The cost that they cannot pay: that of their own source.
    """

    asset: str
    printed: bool = False
    into: tuple[str, ...] = ()
    not_for: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a source costs in an asset: a part that is paid at once with the others.

    Parameters
    ----------
    cost : str
        How the cost is called.
    term : AssetTerm
        What one use asks for.
    need : Linear
        How much all its uses ask for.
    most : int
        The most of it.
    place : int
        The source's place among all.
    """

    cost: str
    term: AssetTerm
    need: Linear
    most: int
    place: int


def kind_of(candidate: Candidate, asset: str, tells: bool) -> Kind:
    """Return the kind of a source's points; `tells` says whether being printed makes a difference."""
    return Kind(asset, candidate.printed and tells, candidate.into, candidate.use if candidate.asks else "")


Order: TypeAlias = Mapping[str, int]
"""Costs of sources that could pay for each other in a circle, each with its place: none is paid for by a later one."""

NO_ORDER: Order = FrozenMap()


def orders(asking: Sequence[Candidate], rules: Ruleset) -> list[Order]:
    """Return every order in which sources can be paid for that could pay for each other in a circle.

    Whatever pays for what, there is such an order if no source is paid for, by way of others, with points of its own.

    Raises
    ------
    LimitReached
        If there are too many of them.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(c.use for c in asking)
    graph.add_edges_from((a.use, b.use) for a in asking for b in asking if a is not b and _feeds(a, b, rules))
    place = {c.use: i for i, c in enumerate(asking)}
    circles = [sorted(some, key=place.__getitem__) for some in nx.strongly_connected_components(graph) if len(some) > 1]
    if prod(factorial(len(some)) for some in circles) > MANY_ORDERS:
        raise LimitReached(IN_CIRCLES, MANY_ORDERS, "the orders in which they could pay for each other are told apart")
    ordered = product(*(permutations(some) for some in sorted(circles, key=lambda some: place[some[0]])))
    return [FrozenMap({use: i for some in several for i, use in enumerate(some)}) for several in ordered]


def _feeds(one: Candidate, other: Candidate, rules: Ruleset) -> bool:
    gives = {as_ for asset, _ in one.gain for as_ in rules.asset(asset).given_as}
    return any(gives & set(rules.asset(asset).accepts) for asset, _ in other.asks)


def unions(sets: Iterable[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Return every union of some of the sets that they hold together, and the union of all.

    All other rows follow from these: the row of two halves that no set reaches into both of is the sum of theirs.
    """
    every = set(sets)
    found: set[frozenset[Cell]] = set()
    for one in every:
        found |= {one} | {one | other for other in found}
    whole = frozenset[Cell]().union(*every)
    kept = (u for u in found if u == whole or len(_together(u, {s for s in every if s <= u})) == 1)
    return sorted(kept, key=lambda union: (len(union), sorted(union)))


def needed(parts: Iterable[int], reaches: Iterable[Set[int]]) -> list[frozenset[int]]:
    """Return the sets of parts whose rows all others follow from: those that some kinds of points hold together.

    Where no kind reaches into both of two halves, the row of the whole is the sum of theirs. And a part that nothing
    reaches stands alone.
    """
    every = list(parts)
    kinds = {frozenset(reach) for reach in reaches}
    found = []
    for n in range(1, len(every) + 1):
        for some in combinations(every, n):
            whole = frozenset(some)
            if len(_together(whole, kinds)) == 1:
                found.append(whole)
    return found


Piece = TypeVar("Piece", bound=Hashable)


def _together(whole: frozenset[Piece], kinds: Set[frozenset[Piece]]) -> list[frozenset[Piece]]:
    """Return the pieces of a set that kinds of points hold together."""
    pieces = [frozenset((j,)) for j in whole]
    for kind in kinds:
        mine = [piece for piece in pieces if piece & kind]
        if len(mine) > 1:
            pieces = [*(p for p in pieces if p not in mine), frozenset().union(*mine)]
    return pieces
