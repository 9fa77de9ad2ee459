"""Sorting by dependency within a stage: an effect waits for those that would change what it does."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from lawful.solver.order.board import Board, Effect

if TYPE_CHECKING:
    from lawful.solver.order.applying import Applying


class Sorting:
    """The effects of one stage, while they are applied one by one.

    Parameters
    ----------
    applying : Applying
        Tries effects on boards.
    here : list of Effect
        The effects of the stage, by timestamp.
    board : Board
        They are applied to it.

    Notes
    -----
    What an effect waits for is found by trying pairs that share a fact, once; after each application only the pairs
    that the new facts touch are tried again. Circles are found anew only where what waits for what has changed.
    """

    def __init__(self, applying: Applying, here: list[Effect], board: Board) -> None:
        self.applying, self.board = applying, board
        self.left = {e.key: e for e in here}
        self.place = {e.key: n for n, e in enumerate(here)}
        self.readers: dict[str, list[Effect]] = {}
        self.writers: dict[str, list[Effect]] = {}
        for e in here:
            for name in applying.about(e):
                self.readers.setdefault(name, []).append(e)
            for name in writes_of(e):
                self.writers.setdefault(name, []).append(e)
        self.waits: dict[str, set[str]] = {}
        self.followers: dict[str, set[str]] = {e.key: set() for e in here}
        for e in here:
            self._wait(e, self._tried(e))
        self.rings: dict[str, frozenset[str]] = {}
        self.heap: list[tuple[int, str]] = []
        self._ring()

    def run(self) -> None:
        """Apply all of them."""
        while self.left:
            key = self._first()
            effect = self.left.pop(key)
            self.applying.apply(effect, self.board, effect.stage)
            ringed = len(self.rings[key]) > 1
            for follower in self.followers.pop(key):
                if follower in self.left:
                    self.waits[follower].discard(key)
                    self._offer(follower)
            if self._again(effect) or ringed:
                self._ring()

    def _first(self) -> str:
        """Return the oldest that waits for nothing but what waits for it."""
        while True:
            _, key = heappop(self.heap)
            if key in self.left and self._is_ready(key):
                return key

    def _is_ready(self, key: str) -> bool:
        """Tell whether nobody in its circle waits for anything outside of it."""
        ring = self.rings[key]
        return all(self.waits[other] <= ring for other in ring if other in self.left)

    def _offer(self, key: str) -> None:
        for other in self.rings[key]:
            if other in self.left:
                heappush(self.heap, (self.place[other], other))

    def _tried(self, e: Effect) -> set[str]:
        near = {b.key: b for name in self.applying.about(e) for b in self.writers.get(name, ()) if b.key in self.left}
        near.pop(e.key, None)
        return {b.key for b in self.applying.changed_by(e, near.values(), self.board)}

    def _wait(self, e: Effect, new: set[str]) -> bool:
        """Note what an effect waits for; tell whether that is something else than before."""
        old = self.waits.get(e.key, set())
        for gone in old - new:
            if gone in self.followers:
                self.followers[gone].discard(e.key)
        for other in new - old:
            self.followers[other].add(e.key)
        self.waits[e.key] = new
        return old != new

    def _again(self, applied: Effect) -> bool:
        """Try again what the facts just written touch: effects that read them, and those that wait for such effects."""
        touched = {e.key: e for name in writes_of(applied) for e in self.readers.get(name, ()) if e.key in self.left}
        behind = {
            r.key: r
            for e in touched.values()
            for name in writes_of(e)
            for r in self.readers.get(name, ())
            if r.key in self.left
        }
        changed = False
        for e in {**touched, **behind}.values():
            if self._wait(e, self._tried(e)):
                changed = True
        return changed

    def _ring(self) -> None:
        """Find the circles of what is left, and offer all that could be ready."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.left)
        graph.add_edges_from((key, other) for key in self.left for other in self.waits[key])
        self.rings = {key: frozenset(part) for part in nx.strongly_connected_components(graph) for key in part}
        self.heap = [(self.place[key], key) for key in self.left if self._is_ready(key)]
        self.heap.sort()


def writes_of(effect: Effect) -> frozenset[str]:
    """Return the names of the facts that an effect can change."""
    from lawful.solver.order.applying import writes

    return writes(effect)
