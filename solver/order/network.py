"""Conditions that decide about each other: which sets of them can hold together, by CP-SAT."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from lawful.model.ordered import Sign

MOST = 100_000


@dataclass(frozen=True, slots=True)
class Network:
    """Nodes that are on or off, each as some of them say.

    Parameters
    ----------
    inputs : mapping of str to tuple of str
        For each node those on which it depends.
    tables : mapping of str to mapping
        For each node, whether it is on, for all values of its inputs in their order.

    Examples
    --------
    >>> off = {(False,): True, (True,): False}
    >>> fixpoints(Network({"a": ("b",), "b": ("a",)}, {"a": off, "b": off}))
    (('a',), ('b',))
    >>> fixpoints(Network({"a": ("a",)}, {"a": off}))
    ()
    """

    inputs: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Mapping[tuple[bool, ...], bool]]

    def value(self, node: str, on: frozenset[str]) -> bool:
        """Return what a node should be while these are on."""
        return self.tables[node][tuple(i in on for i in self.inputs[node])]

    def sign(self, node: str, input: str) -> Sign | None:
        """Return how an input bears on a node: helps, hinders, both, or None for not at all."""
        at = self.inputs[node].index(input)
        found: set[Sign] = set()
        for values in product((False, True), repeat=len(self.inputs[node])):
            if not values[at]:
                off, on = self.tables[node][values], self.tables[node][(*values[:at], True, *values[at + 1 :])]
                if off != on:
                    found.add("+" if on else "-")
        return None if not found else found.pop() if len(found) == 1 else "?"


def fixpoints(network: Network, seconds: float = 10.0) -> tuple[tuple[str, ...], ...]:
    """Return every set of nodes that is on exactly if it should be.

    Parameters
    ----------
    network : Network
        The nodes.
    seconds : float
        Time allowed.

    Returns
    -------
    tuple of tuple of str
        Sorted, nodes in the order of the network.

    Raises
    ------
    LimitReached
        If there was no complete answer in time.

    Notes
    -----
    One Boolean a node; for every row of its table, a clause: these inputs, then that value. (A table constraint says
    the same, but with presolve off CP-SAT ends the process where a table leaves a variable no value.)
    """
    from ortools.sat.python import cp_model

    from lawful.model.errors import LimitReached
    from lawful.solver.ask import each_solution

    model = cp_model.CpModel()
    on = {node: model.new_bool_var(node) for node in network.inputs}
    for node, inputs in network.inputs.items():
        for values, should in network.tables[node].items():
            other = [~on[i] if value else on[i] for i, value in zip(inputs, values, strict=True)]
            model.add_bool_or([*other, on[node] if should else ~on[node]])
    found: list[tuple[int, ...]] = []
    ended = each_solution(model, list(on.values()), found.append, seconds=seconds, most=MOST)
    if not ended.complete:
        raise LimitReached(ended.limit or "seconds", seconds, "the circle of conditions is too large")
    return tuple(sorted(tuple(n for n, v in zip(on, values, strict=True) if v) for values in found))


def least(network: Network) -> tuple[str, ...]:
    """Return the least set that is on exactly if it should be, where no node hinders another; by going up from nothing.

    Examples
    --------
    >>> yes = {(False,): False, (True,): True}
    >>> least(Network({"a": ("b",), "b": ("a",)}, {"a": yes, "b": yes}))
    ()
    """
    on: frozenset[str] = frozenset()
    while True:
        now = frozenset(node for node in network.inputs if network.value(node, on))
        if now == on:
            return tuple(node for node in network.inputs if node in on)
        on = now
