"""Small worlds of effects: the same position asked of the referee and of the machine."""

from __future__ import annotations

from typing import Any

from lawful.model.casefile import read_cases
from lawful.model.declaration import OrderQuestion
from lawful.model.referee.resolution import outcomes, seen
from lawful.solver.order.explore import Explorer, Map


def ask(text: str) -> OrderQuestion:
    """Read the one case of a text."""
    order = read_cases(text)[0].order
    assert order is not None
    return order


def explored(question: OrderQuestion, **how: Any) -> Map:
    """Explore a question."""
    return Explorer(question, **how).map()


def agree(question: OrderQuestion, **how: Any) -> frozenset[Any]:
    """Return what can come out, by the machine and by the referee alike."""
    found = explored(question, **how)
    assert found.limit is None
    machine = frozenset(seen(found.places[n].state.position, question) for n in found.ends)
    assert machine == outcomes(question)
    return machine
