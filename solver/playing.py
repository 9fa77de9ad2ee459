"""Who plays a payment out where the models are not exact: handed in, so that the solver knows no referee."""

from __future__ import annotations

from typing import Protocol

from lawful.model.declaration import Question
from lawful.model.payment import Payment
from lawful.model.verdict import Reason


class Player(Protocol):
    """Plays payments out."""

    def payment(self, question: Question, spare: frozenset[str]) -> Payment | None:
        """Return a payment that spends none of some objects, or None where there is none."""
        ...

    def why(self, question: Question) -> Reason:
        """Return what stopped the payments that went furthest."""
        ...

    def xs(self, question: Question) -> tuple[int, ...]:
        """Return the values of X that might be paid."""
        ...
