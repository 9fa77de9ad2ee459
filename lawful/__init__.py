"""Exact answers, with reasons, about card-game positions.

`pay` lists every way to pay a cost; `judge` judges one given payment; `check` says whether a declaration is legal,
and why not; `order` finds everything that can come out of what happens; `stress` finds what breaks when cards meet;
`question` puts a question together from a few words; `load` reads case files, `read` the text of one. Nothing heavy is
imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawful.api import Judgement, load, question, read
    from lawful.checking import Verdict
    from lawful.model.declaration import OrderQuestion, Question
    from lawful.model.limits import Limits
    from lawful.model.ordered import Ordered
    from lawful.model.page import Page
    from lawful.model.verdict import Answer
    from lawful.results import Checked, Judged, Outcomes, Payments, check, judge, order, pay
    from lawful.stressing import Stressed, stress

__all__ = [
    "Answer", "Checked", "Judged", "Judgement", "Limits", "OrderQuestion", "Ordered", "Outcomes", "Page", "Payments",
    "Question", "Stressed", "Verdict",
    "check", "judge", "load", "order", "pay", "question", "read", "stress",
]  # fmt: skip
_HOMES = {
    "Answer": "lawful.model.verdict",
    "Limits": "lawful.model.limits",
    "OrderQuestion": "lawful.model.declaration",
    "Ordered": "lawful.model.ordered",
    "Question": "lawful.model.declaration",
    "Verdict": "lawful.checking",
    "Page": "lawful.model.page",
    **dict.fromkeys(("Stressed", "stress"), "lawful.stressing"),
    **dict.fromkeys(("Checked", "Judged", "Outcomes", "Payments", "check", "judge", "order", "pay"), "lawful.results"),
}


def __getattr__(name: str) -> Any:
    """Import a public name where it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'lawful' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "lawful.api")), name)
