"""Which ways the options of `pay` ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lawful.model.declaration import Question
    from lawful.model.page import Page


@dataclass(frozen=True, slots=True)
class Order:
    """What is listed, as typed.

    Parameters
    ----------
    start : int
        The rank of the first one.
    sample : int, optional
        How many are drawn at random.
    seed : int
        What the draw depends on.
    best : str, optional
        Wishes, the first before the second.
    minimal : bool
        Whether ways with a superfluous source are left out.
    """

    start: int = 0
    sample: int | None = None
    seed: int = 0
    best: str | None = None
    minimal: bool = False

    def page(self, question: Question) -> Page:
        """Return the page; wishes name cards of the question.

        Raises
        ------
        BadInput
            If a wish is none, or its card is not there.
        """
        from lawful.model.page import Page
        from lawful.wishes import parse_wishes

        wishes = parse_wishes(self.best, question) if self.best is not None else ()
        return Page(self.start, self.sample, self.seed, wishes, self.minimal)
