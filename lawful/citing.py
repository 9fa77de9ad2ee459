"""From a rule's id to its number, in the document that the ruleset cites, or else in another that has it."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.ruleset import Document, Ruleset
from lawful.model.verdict import Message, Shortfall, Value


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule stands.

    Parameters
    ----------
    number : str
        Its number, or the rule's id where no document has it.
    document : Document, optional
        None where no document has it.
    """

    number: str
    document: Document | None = None

    def __str__(self) -> str:
        """Spell it as players do: ``CR 1.14.2c``."""
        return f"{initials(self.document)} {self.number}" if self.document else self.number


def cite(ruleset: Ruleset, rule: str) -> Citation:
    """Return where a rule stands.

    Parameters
    ----------
    ruleset : Ruleset
        Its `version` is the document that is looked at first.
    rule : str
        The rule's id.

    Returns
    -------
    Citation
        In the version cited, else in the first document that has it.
    """
    cites = next((found.cites for found in ruleset.rules if found.id == rule), None)
    documents = sorted(ruleset.documents, key=lambda document: document.id != ruleset.version)
    for document in documents:
        if cites is not None and document.id in cites:
            return Citation(cites[document.id], document)
    return Citation(rule)


def initials(document: Document) -> str:
    """Shorten a document's title to what players call it.

    Parameters
    ----------
    document : Document
        The document.

    Returns
    -------
    str
        Initials of the words before a colon; what is no word stays.

    Examples
    --------
    >>> initials(Document("cr", "Comprehensive Rules", "1"))
    'CR'
    >>> initials(Document("r7", "Rules Reprise #7: Questions", "1"))
    'RR #7'
    """
    words = document.title.partition(":")[0].split()
    rest = [word for word in words if not word.isalpha()]
    return " ".join(["".join(word[0] for word in words if word.isalpha()), *rest]).strip()


def nearest_text(shortfall: Shortfall) -> str:
    """Say what a position lacks, in one line."""
    params: dict[str, Value] = {"changes": tuple(text(lack.message()) for lack in shortfall.changes)}
    return text(Message("face.nearest", FrozenMap(params)))
