"""Reads the text of one card: every clause, what it means, and the abilities that follow."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Any

from lawful.cards.choosing import modes
from lawful.cards.clauses import ReadClause, TextReading, belonging
from lawful.cards.context import counting, counts, counts_on, following, of_them, pronouns, put
from lawful.cards.distinct import distinct
from lawful.cards.grammar import NotRead
from lawful.cards.lexing import NAMES, WORD, Lexicon
from lawful.cards.lying import as_it_lies, shown
from lawful.cards.pronouns import called, instead, own_name, that
from lawful.cards.resolving import as_text
from lawful.cards.sheet import Clause, TextRules
from lawful.cards.skeleton import skeleton
from lawful.cards.terms import NotPlayed, Terms
from lawful.cards.unpaid import aims, opened
from lawful.model.effect import Ability

ANOTHER = ("$another", "$other", "$others")
PRONOUN = re.compile(r"\b(?:it|him|her)\b")
PART = "its ability is not known whole"
WAITS = re.compile(r"(?:When|After|If|During|At)\b")
# What is part of an ability, or of a cost, by what says so; with more beside it, it is an effect of its own.
PARTS = {"only": {"only"}, "limit": {"limit", "per"}, "needs": {"needs", "keyword"}}
# What an ability cannot be without, while its parts are read one by one.
NEEDED: dict[str, dict[str, Any]] = {"activate": {"cost": []}, "source": {"gain": {}}}


class TextReader:
    """Reads texts.

    Parameters
    ----------
    rules : TextRules
        Of the game.
    terms : Terms
        Makes terms of meanings.
    lexicon : Lexicon
        Names, types and keywords of the card file.
    """

    def __init__(self, rules: TextRules, terms: Terms, lexicon: Lexicon) -> None:
        self.rules, self.terms, self.lexicon = rules, terms, lexicon
        self.wider = lexicon.with_more(rules.sketch_words(), rules.exact, rules.capital)
        # The card's own name is not its own inside of the name of another.
        self._phrases = tuple(p for terminal in lexicon.phrases for p in lexicon.phrases[terminal] if " " in p)
        others = (some for terminal, some in lexicon.phrases.items() if not terminal.startswith("NAME"))
        self._words = frozenset(phrase.casefold() for some in others for phrase in some)
        self._names = frozenset(name.casefold() for terminal in NAMES for name in lexicon.phrases.get(terminal, ()))
        self._known: dict[tuple[str, str], ReadClause] = {}

    def clause(self, clause: Clause) -> ReadClause:
        """Read one clause; equal clauses are read once."""
        key = (clause.start, clause.text)
        if key not in self._known:
            self._known[key] = self._clause(clause)
        return replace(self._known[key], clause=clause)

    def _clause(self, clause: Clause) -> ReadClause:
        try:
            meaning = self.rules.grammar.read(clause.text, clause.start, self.lexicon)
        except NotRead as error:
            return self._sketched(clause, error)
        if isinstance(meaning, dict) and list(meaning) == ["keyword"]:
            meaning = self.rules.keyword(str(meaning["keyword"])) or meaning
        said = called(meaning, self.lexicon)
        meaning = that(said)
        spoken = PRONOUN.split(clause.text, maxsplit=1)[0]
        alone = meaning != said and not self.rules.itself.search(spoken)
        own = said if alone and instead(said, "$self") == meaning else None
        return self._played(ReadClause(clause, pronouns(meaning) if self.rules.sheet.context else meaning, own=own))

    def _played(self, read: ReadClause) -> ReadClause:
        """Return a clause with whether terms say it."""
        clause, meaning = read.clause, read.meaning
        if not read.sure:
            return read
        try:
            if clause.phrase:
                for one in meaning if isinstance(meaning, list) else [meaning]:
                    self.terms.selector(one, ("target",))
            elif clause.head:
                for one in meaning if isinstance(meaning, list) else [meaning]:
                    plain = {key: item for key, item in one.items() if key != "label"}
                    self.terms.abilities({clause.head: {**NEEDED[clause.head], **plain}})
            elif _is_part(meaning) and "limit" in meaning:
                self.terms.abilities({"activate": {"cost": [], **meaning}})
            elif _is_part(meaning) and "only" in meaning:
                self.terms.condition(meaning["only"])
            elif _is_part(meaning) and "needs" in meaning:
                if unknown := [asset for asset in meaning["needs"] if asset not in self.terms.names.assets]:
                    raise NotPlayed(f"no asset {unknown[0]!r}")
            elif not (isinstance(meaning, dict) and "keyword" in meaning):
                self.terms.abilities(meaning)
            else:
                raise NotPlayed("a keyword")
        except NotPlayed as error:
            return replace(read, why=str(error))
        return replace(read, why="", played=True)

    def _sketched(self, clause: Clause, error: NotRead) -> ReadClause:
        """Return what a clause touches that is not read whole: enough for its skeleton, never enough to be played."""
        if clause.skeleton and _touch_the_same(error.meanings):
            return ReadClause(clause, error.meanings[0], "read in two ways that touch the same", sure=False)
        if clause.sketch and self.rules.sketches is not None:
            try:
                meanings = [self.rules.sketches.read(clause.text, clause.sketch, self.wider)]
            except NotRead as other:
                meanings, error = list(other.meanings), other
            if _touch_the_same(meanings):
                # One that says nothing of what it touches is no skeleton.
                known = meanings[0] if _touches(meanings[0]) else None
                return ReadClause(clause, known, "known by what it touches", sure=False)
        return ReadClause(clause, why=f"{error.why}: {error.at}" if error.at else error.why)

    def clauses(
        self, text: str, name: str, kinds: Container[str] | None = None
    ) -> tuple[tuple[ReadClause, ...], tuple[str, ...]]:
        """Return the clauses of a text, those of these kinds read, and what was put right in it."""
        repaired, why = self.rules.repaired(text, name, self._names - {name.casefold()})
        found = list(self.rules.clauses(self.rules.paragraphs(repaired, name, self._phrases, self._words)))
        read = [self.clause(c) if kinds is None or c.kind in kinds else ReadClause(c) for c in found]
        read = [self._apart(r, found[:n], found) if r.meaning is not None else r for n, r in enumerate(read)]
        return tuple(self._in_context(read)), why

    def _apart(self, read: ReadClause, before: Sequence[Clause], all_: Sequence[Clause]) -> ReadClause:
        """Return a choice of "another" with what it is another than, where the paragraph says so.

        That is what the one choice before it picks. Where there is none, of what the card itself may be (``$other``),
        it is the card, if the paragraph speaks of it.
        """
        if read.own is not None and read.clause.head:
            waits = [c.text for c in before if c.paragraph == read.clause.paragraph and WAITS.match(c.text)]
            if waits and not any(map(self.rules.itself.search, waits)):
                who = self._who(waits[0])
                if who is None:
                    return replace(read, meaning=None, played=False, why="what is meant by 'it' is not said")
                return self._played(replace(read, meaning=that(read.own, who), why=""))
        if not any(word in str(read.meaning) for word in ANOTHER):
            return read
        if "$others" in str(read.meaning):  # than the card, where it is not one that lies on another
            if any(self.rules.lying.search(c.text) for c in all_):
                return replace(read, played=False, why="other than what is not said")
            return self._played(replace(read, meaning=put(read.meaning, "$others", "$self"), why=""))
        mine = [c for c in before if c.paragraph == read.clause.paragraph and c != read.clause]
        earlier = [c for c in mine if c.phrase and c.text not in read.clause.text]
        spoken = any(self.rules.itself.search(c.text) for c in all_ if c.paragraph == read.clause.paragraph)
        if len(earlier) == 1 and read.clause.phrase and self.clause(earlier[0]).played:
            meaning = put(put(read.meaning, "$another", "$target"), "$other", "$target")
        elif not earlier and spoken:
            meaning = put(read.meaning, "$other", "$self")
        else:
            return replace(read, played=False, why="another than what is not said")
        return self._played(replace(read, meaning=meaning, why=""))

    def _who(self, text: str) -> dict[str, str] | None:
        """Return whom a trigger begins with, if that is the only name in it: "after Some Body uses a power"."""
        words = WORD.findall(text)
        found = [self.lexicon.longest(words, at)[1].get("NAME") for at in range(1, len(words))]
        names = [name for name in found if name is not None]
        return {"name": names[0], "zone": "play"} if names and found[0] is not None and len(names) == 1 else None

    def _in_context(self, clauses: Sequence[ReadClause]) -> Iterator[ReadClause]:
        """Yield clauses, those that speak of what the text before them says together with it, where texts do that.

        What a sentence before it says when it is done is done then, and not by itself.
        """
        before: list[ReadClause] = []
        for read in clauses:
            if not read.clause.phrase:
                if self.rules.sheet.context and not read.played and read.meaning is not None:
                    read = self._with(read, before)
                elif read.played and _waits(read, before, self.rules):
                    read = replace(read, played=False, why="when it is done a sentence before it says")
                before.append(read)
            yield read

    def _with(self, read: ReadClause, before: Sequence[ReadClause]) -> ReadClause:
        """Return a clause that terms do not say by itself with what it takes from those before it."""
        said = read.meaning
        if counts_on(said):
            earlier = (counts(self._meant(other)) for other in reversed(before))
            said = counting(said, next((found for found in earlier if found is not None), None))
        joined = False
        if before and before[-1].clause.paragraph == read.clause.paragraph and not before[-1].clause.head:
            last = before[-1]
            meant = self._meant(last) if last.whole is None else last.whole
            said, joined = following(said, meant)
            if said == read.meaning:
                said = of_them(said, meant)
        if said == read.meaning:
            return read
        whole = self._played(replace(read, meaning=said))
        # What it does by itself stays apart from what it goes on from.
        return replace(whole, meaning=read.meaning, whole=said) if joined else whole

    def _meant(self, before: ReadClause) -> Any:
        """Return what a sentence means that another goes on from; it is read now where nobody asked for its kind."""
        read = before if before.meaning is not None else self.clause(before.clause)
        return read.meaning if read.sure else None

    def read(self, text: str, name: str) -> TextReading:
        """Read a card's text."""
        clauses, why = self.clauses(text, name)
        found: list[Ability] = []
        plain: list[Ability] = []
        played: list[ReadClause] = []
        listing, made = False, dict[int, range]()
        own = [replace(c, meaning=own_name(c.meaning, name), whole=own_name(c.whole, name)) for c in clauses]
        parts = {n: [c for c in own if c.clause.paragraph == n] for n in dict.fromkeys(c.clause.paragraph for c in own)}
        modal = modes([[c for c in part if not c.clause.phrase] for part in parts.values()], self.rules, self.terms)
        for at, (number, there) in enumerate(parts.items()):
            chosen = modal is not None and modal[1] <= at < modal[2]
            mine = [c for c in there if not c.clause.phrase]
            said = opened(mine, self.rules, self.lexicon, self.terms)
            option = (listing or self.rules.is_option(mine[0].clause.text)) and not said[0].clause.head
            told = option and not chosen and not self.rules.sheet.uncertain  # else what may not be done is told by that
            left: list[Clause] = [c.clause for c in mine] if told else []
            made[number], unopened = range(len(found), len(found)), len(said) > len(mine)
            if not option and not chosen:
                found += self._abilities(said, plain, aims(there, self.rules), left)
                made[number] = range(made[number].start, len(found))
            if unopened and not made[number]:
                there = [replace(c, unopened=True) if c.clause is mine[0].clause else c for c in there]
            whole = not option and len(said) > len(mine) and all(c.played for c in said[: len(said) - len(mine) + 1])
            whole = whole or chosen
            there = [replace(c, played=True, why="") if whole and c.clause is mine[0].clause else c for c in there]
            played += (replace(c, played=False, why=PART) if c.clause in left and c.played else c for c in there)
            listing = self.rules.lists(mine[-1].clause.text) or (listing and option)
        found = as_text(found, plain, self.terms.declared)
        able = (*distinct(found), *([modal[0]] if modal else ()))
        needs = [
            asset for c in clauses if c.played and isinstance(c.meaning, dict) for asset in c.meaning.get("needs", ())
        ]
        return TextReading(tuple(belonging(played, able, made)), able, why, tuple(needs))

    def _abilities(
        self,
        clauses: Sequence[ReadClause],
        plain: list[Ability],
        aiming: Sequence[dict[str, Any]],
        left: list[Clause],
    ) -> list[Ability]:
        """Return the abilities of a paragraph; `plain`, too, are effects that wait for no event of their own.

        What is not known whole does nothing but what it makes one choose in any case: what was read of it is `left`.
        """
        # A head takes what follows it; nothing is made of a head half read.
        found: list[Ability] = []
        heads = [read for read in clauses if read.clause.head]
        rest = [read for read in clauses if not read.clause.head]
        if not heads:
            for number, read in enumerate(rest):
                said = read.meaning if read.whole is None else read.whole
                after = rest[number + 1] if number + 1 < len(rest) else None
                within = after is not None and after.played and after.whole is not None
                if read.played and not within and isinstance(said, dict | list) and not _is_part(said):
                    found += (made := self.terms.abilities(said))
                    plain += made if isinstance(said, dict) and "do" in said and "on" not in said else ()
            return found
        if not all(read.played for read in heads):
            return []
        kind = heads[0].clause.head
        several = next((n for n, read in enumerate(heads) if isinstance(read.meaning, list)), None)
        if several is not None:  # one head that is several abilities, as one that takes 1 or 2 of something
            whole = heads[several]
            each = (replace(whole, meaning=one) for one in whole.meaning)
            return [
                a
                for one in each
                for a in self._abilities([*heads[:several], one, *heads[several + 1 :], *rest], plain, aiming, left)
            ]
        data: dict[str, Any] = dict(NEEDED[kind])
        conditions, doing, complete, last, heading = list[Any](), list[Any](), True, 0, ""
        for read in (*heads, *rest):
            meaning = read.meaning if isinstance(read.meaning, dict) else {}
            if read.played and "only" in meaning:
                conditions.append(meaning["only"])
                data |= as_it_lies(meaning["only"]) if kind == "activate" else {}
            elif read.clause.head or (read.played and "limit" in meaning):
                conditions += [meaning["when"]] if "when" in meaning else []
                data |= {key: item for key, item in meaning.items() if key not in ("when", "label")}
                heading = " ".join(meaning.get("label", ())).strip('"') or heading
            elif read.played and read.whole is not None:  # it goes on from the steps before it
                complete = complete and list(read.whole) == ["do"]
                doing[last:] = read.whole["do"]
            elif read.played and list(meaning) == ["do"]:
                last = len(doing)
                doing += meaning["do"]
            elif "types" in meaning:  # what is done says of which kind the ability is, too
                data["types"] = [*data.get("types", ()), *meaning["types"]]
                complete = False
            elif read.clause.kind not in self.rules.sheet.apart:
                complete = False
        if heading and kind == "activate":  # another text may speak of it by its heading
            data["types"] = [*data.get("types", ()), heading]
        if kind == "source" and any(map(self.rules.gone, (read.clause.text for read in rest))):
            data.setdefault("limit", "1")  # the card that gave is there no more
        if conditions:
            data["when"] = conditions[0] if len(conditions) == 1 else {"every": conditions}
        if kind == "activate":
            data |= shown(data.get("cost"), self.terms.turning)
        if kind == "activate" and complete and doing:
            data["do"] = self.terms.joined(doing)
        elif kind == "activate" and aiming:
            data["do"] = list(aiming)
        if not complete:
            left += (read.clause for read in rest if isinstance(read.meaning, dict) and "do" in read.meaning)
        try:
            return list(self.terms.abilities({kind: data}))
        except NotPlayed:  # each part is a term, but not together
            left += (read.clause for read in clauses)
            return []


def _waits(read: ReadClause, before: Sequence[ReadClause], rules: TextRules) -> bool:
    """Tell whether an effect without an event of its own stands behind one that has one, or that is not known whole."""
    if (
        not read.clause.skeleton
        or not isinstance(read.meaning, dict)
        or "do" not in read.meaning
        or "on" in read.meaning
    ):
        return False
    mine = [other for other in before if other.clause.paragraph == read.clause.paragraph]
    if any(other.clause.head for other in mine) or (mine and rules.opening(mine[0].clause.text)):
        return False  # it is part of what the ability does
    effects = [other for other in mine if other.clause.skeleton]
    return any(not other.played or (isinstance(other.meaning, dict) and "on" in other.meaning) for other in effects)


def _touches(meaning: Any) -> bool:
    """Tell whether a meaning waits for, reads or writes anything."""
    touched = skeleton(meaning)
    return bool(touched.events or touched.reads or touched.writes)


def _touch_the_same(meanings: Sequence[Any]) -> bool:
    """Tell whether meanings wait for, read and write the same."""
    touched = [skeleton(meaning) for meaning in meanings]
    return len({(frozenset(s.events), frozenset(s.reads), frozenset(s.writes), s.kind) for s in touched}) == 1


def _is_part(meaning: Any) -> bool:
    """Tell whether a meaning says something of an ability, or of the cost, and is none by itself."""
    return isinstance(meaning, dict) and any(key in meaning and set(meaning) <= keys for key, keys in PARTS.items())
