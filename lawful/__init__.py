"""Exact answers, with reasons, about card-game positions.

`pay` lists every way to pay a cost; `judge` judges one given payment;
`check` says whether a declaration is legal, and why not; `question` puts a question together from a few
words; `load` reads case files. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawful.api import Judgement, judge, load, pay, question
    from lawful.checking import Verdict, check
    from lawful.model.declaration import Question
    from lawful.model.limits import Limits
    from lawful.model.verdict import Answer

__all__ = ["Answer", "Judgement", "Limits", "Question", "Verdict", "check", "judge", "load", "pay", "question"]
_HOMES = {
    "Answer": "lawful.model.verdict",
    "Limits": "lawful.model.limits",
    "Question": "lawful.model.declaration",
    "Verdict": "lawful.checking",
    "check": "lawful.checking",
}


def __getattr__(name: str) -> Any:
    """Import a public name where it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'lawful' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "lawful.api")), name)
