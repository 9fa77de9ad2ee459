"""How much of the text of card files was found, and how much of that was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lawful.cards.clauses import ReadClause
from lawful.cards.library import CardLibrary


@dataclass(slots=True)
class KindCoverage:
    """Clauses of a kind, each distinct text counted once.

    Parameters
    ----------
    kind : str
        Which.
    found, read, played : Counter
        Distinct texts with the number of cards that have them: found by the matchers; read; said by terms that are
        played.
    why : dict of str to str
        Why a text was not read.
    example : dict of str to str
        A card that has the text.
    """

    kind: str
    found: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    why: dict[str, str] = field(default_factory=dict)
    example: dict[str, str] = field(default_factory=dict)

    def take(self, clause: ReadClause, card: str) -> None:
        """Count a clause."""
        text = clause.clause.text
        self.found[text] += 1
        self.example.setdefault(text, card)
        if clause.read:
            self.read[text] += 1
        else:
            self.why[text] = clause.why
        if clause.played:
            self.played[text] += 1

    @property
    def share(self) -> float | None:
        """Share of the distinct texts found that was read; None where there are none."""
        return len(self.read) / len(self.found) if self.found else None


@dataclass(slots=True)
class Coverage:
    """The coverage of a card file, by kind of clause and by kind of card."""

    file: str
    cards: int = 0
    texts: int = 0
    whole: int = 0
    kinds: dict[str, KindCoverage] = field(default_factory=dict)
    by_type: dict[str, dict[str, KindCoverage]] = field(default_factory=dict)
    repairs: list[tuple[str, str]] = field(default_factory=list)
    faults: int = 0

    def document(self, examples: int = 5) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "schema_version": 1,
            "file": self.file,
            "cards": self.cards,
            "with_text": self.texts,
            "played_whole": self.whole,
            "faults": self.faults,
            "kinds": [_spelled(kind, examples) for kind in self.kinds.values()],
            "by_type": {
                name: [_spelled(kind, 0) for kind in kinds.values()] for name, kinds in sorted(self.by_type.items())
            },
            "repairs": [{"card": card, "why": why} for card, why in self.repairs],
        }


def _spelled(kind: KindCoverage, examples: int) -> dict[str, Any]:
    unread = [text for text, _ in kind.found.most_common() if text not in kind.read]
    data: dict[str, Any] = {
        "kind": kind.kind,
        "distinct": {"found": len(kind.found), "read": len(kind.read), "played": len(kind.played)},
        "clauses": {"found": kind.found.total(), "read": kind.read.total(), "played": kind.played.total()},
        "share": None if kind.share is None else round(kind.share, 4),
    }
    if examples:
        data["not_read"] = [
            {"text": text, "card": kind.example[text], "cards": kind.found[text], "why": kind.why[text]}
            for text in unread[:examples]
        ]
        data["examples"] = [{"text": text, "card": kind.example[text]} for text in list(kind.read)[:examples]]
    return data


def cover(library: CardLibrary, kinds: Iterable[str] | None = None) -> Coverage:
    """Read every text of a library and count.

    Parameters
    ----------
    library : CardLibrary
        The cards.
    kinds : iterable of str, optional
        Only clauses of these kinds are read; None is all.

    Returns
    -------
    Coverage
        By kind of clause.
    """
    from lawful.cards.building import types_of

    done = Coverage(library.file, len(library), faults=len(library.faults))
    wanted = None if kinds is None else set(kinds)
    if library.reader is not None:
        done.kinds = {k: KindCoverage(k) for k in library.reader.rules.kinds if wanted is None or k in wanted}
    for record in library.records:
        title = library.title(record)
        clauses, repairs = library.clauses(record, wanted)
        done.texts += bool(record.get(library.layout.text))
        done.whole += bool(clauses) and all(c.played for c in clauses if not c.clause.phrase and c.clause.kind)
        done.repairs += [(title, why) for why in repairs]
        first = next(iter(types_of(record, library.layout)), "")
        for clause in clauses:
            kind = clause.clause.kind
            if not kind or kind not in done.kinds:
                continue
            done.kinds[kind].take(clause, title)
            done.by_type.setdefault(first, {}).setdefault(kind, KindCoverage(kind)).take(clause, title)
    return done
