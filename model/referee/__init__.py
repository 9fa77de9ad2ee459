"""The rules read literally, step by step: the judge of every answer. No theorem, no solver."""

from lawful.model.referee.affordable import affordable, legal, misspent, spent
from lawful.model.referee.amounts import Change, Due, due
from lawful.model.referee.effort import Effort
from lawful.model.referee.judge import judge, replay
from lawful.model.referee.legal import breaks
from lawful.model.referee.listing import payments, values_of_x

__all__ = [
    "Change", "Due", "Effort", "affordable", "breaks", "due", "judge", "legal", "misspent", "payments", "replay",
    "spent", "values_of_x",
]  # fmt: skip
