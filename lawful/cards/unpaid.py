"""Abilities that are used without a cost before an arrow, and what a text makes one choose whatever else it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lawful.cards.context import put
from lawful.cards.grammar import NotRead
from lawful.cards.terms import NotPlayed

if TYPE_CHECKING:
    from lawful.cards.clauses import ReadClause
    from lawful.cards.lexing import Lexicon
    from lawful.cards.sheet import TextRules
    from lawful.cards.terms import Terms

PARTS = ("timing", "trigger")


def opened(clauses: Sequence[ReadClause], rules: TextRules, lexicon: Lexicon, terms: Terms) -> list[ReadClause]:
    """Return the clauses of a paragraph, in which an ability without a cost has a head, as one with a cost has.

    Parameters
    ----------
    clauses : sequence of ReadClause
        Of one paragraph, without phrases.
    rules : TextRules
        Their `unpaid` says how such a text begins.
    lexicon : Lexicon
        Names, types and keywords of the card file.
    terms : Terms
        Makes terms of meanings.

    Returns
    -------
    list of ReadClause
        The same where nothing is used so. A head that is not read is there, too, as one that is not played.
    """
    first = clauses[0] if clauses else None
    found = None if first is None or any(c.clause.head for c in clauses) else rules.opening(first.clause.text)
    if first is None or found is None:
        return list(clauses)
    heads = []
    for name in PARTS:
        if found[name]:
            clause = replace(first.clause, text=found[name].strip(), head="activate", skeleton=False)
            try:
                meaning = rules.grammar.read(clause.text, name, lexicon)
            except NotRead as error:
                heads.append(replace(first, clause=clause, meaning=None, played=False, why=error.why))
            else:
                heads.append(replace(first, clause=clause, meaning=meaning, played=True, why="", whole=None))
    said = first.meaning if first.sure and not found["trigger"] else _read(first, found.end(), rules, lexicon)
    said = said if isinstance(said, dict) else {}
    doing = {key: item for key, item in said.items() if key not in ("heading", "on")}
    alone = len([c for c in clauses if c.clause.kind not in rules.sheet.apart]) == 1
    if alone and "when" in doing and not found["trigger"]:
        # Where the whole text hangs on a condition, what would change nothing is not used.
        when = replace(first.clause, text="", head="activate", skeleton=False)
        heads.append(replace(first, clause=when, meaning={"when": doing.pop("when")}, played=True, why="", whole=None))
    played = list(doing) == ["do"] and _can_be_played(doing, terms)
    does = replace(first, meaning=doing, played=played, whole=None)
    return [*heads, does, *clauses[1:]]


def _read(first: ReadClause, at: int, rules: TextRules, lexicon: Lexicon) -> Any:
    """Read what stands behind the head alone: what an event is called there and in a trigger is not the same."""
    try:
        return rules.grammar.read(first.clause.text[at:], first.clause.start, lexicon)
    except NotRead:
        return None


def _can_be_played(doing: dict[str, Any], terms: Terms) -> bool:
    try:
        terms.abilities({"activate": {"cost": [], **doing}})
    except NotPlayed:
        return False
    return True


def aims(clauses: Sequence[ReadClause], rules: TextRules) -> list[dict[str, Any]]:
    """Return acts that choose what a paragraph makes one choose in any case, whatever is done to it.

    Parameters
    ----------
    clauses : sequence of ReadClause
        Of one paragraph, with phrases.
    rules : TextRules
        Their `uncertain` says which sentences may ask for nothing.

    Returns
    -------
    list of act
        In the notation of cards. Nothing where a phrase is not read: then nobody knows which of them is which.
    """
    found: list[dict[str, Any]] = []
    if not rules.sheet.uncertain:  # without it nobody knows which sentences ask for nothing
        return []
    for read, certain in _phrases(clauses, rules):
        if certain and not read.played:
            return []
        for one in (read.meaning if isinstance(read.meaning, list) else [read.meaning]) if certain else ():
            # As many as there are: where one part finds nobody, another may.
            found.append({"pick": put({**one, "how": one["how"].replace("target", "choose")}, "$target", "$choice")})
    return [{"as": "choice", **act} if n == 0 else act for n, act in enumerate(found)]


def _phrases(clauses: Sequence[ReadClause], rules: TextRules) -> Iterator[tuple[ReadClause, bool]]:
    """Yield the phrases of a paragraph, with whether what they stand in is done in any case."""
    certain, after, sentences = False, False, 0
    for read in clauses:
        if read.clause.phrase:
            # What an earlier sentence turns ("confuse an enemy") is not turned yet where one is asked in advance.
            yield read, certain and (sentences < 2 or not _turned(read.meaning))
            continue
        text = read.clause.text
        opening = rules.opening(text)
        after = after or bool(read.clause.head) or opening is not None
        sentences += after and not read.clause.head
        certain = after and not read.clause.head and not rules.uncertain(text[opening.end() :] if opening else text)


def _turned(meaning: Any) -> bool:
    """Tell whether a choice asks for a status."""
    return any(
        isinstance(one, dict) and "status" in one for one in (meaning if isinstance(meaning, list) else [meaning])
    )
