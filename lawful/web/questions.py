"""From a request to a question. Texts of strangers open no files: games and card files are those of the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.checking import of_choices
from lawful.model.casefile import Case, build_question, choose, parse_claim, read_cases
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.errors import BadInput, Fault, LawfulError
from lawful.model.payment import Claim
from lawful.model.reading.casereader import read_card_text
from lawful.model.reading.shelf import Libraries, Written
from lawful.model.ruleset import Ruleset
from lawful.model.rulesets import load_ruleset, shipped
from lawful.model.sentences import Example

if TYPE_CHECKING:
    from lawful.cards.library import CardLibrary

INLINE = (
    "cost", "hand", "float_", "in_play", "opposing", "play", "activate", "ability", "x", "free", "rules", "player",
)  # fmt: skip
MOST_FOUND = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks.

    Parameters
    ----------
    question : Question
        What is paid or declared.
    claim : Claim, optional
        One payment that is judged.
    order : OrderQuestion, optional
        What happens, where that is asked.
    name : str
        The case's name.
    ask : {"pay", "check", "order"}
        What the case itself asks.
    """

    question: Question
    claim: Claim | None = None
    order: OrderQuestion | None = None
    name: str = ""
    ask: str = "pay"


class Catalog:
    """The games and the card files of a server.

    Parameters
    ----------
    cards : sequence of str
        Paths of card files.
    rulesets : sequence of str
        Paths of ruleset files.
    """

    def __init__(self, cards: tuple[str, ...] = (), rulesets: tuple[str, ...] = ()) -> None:
        self.cards = cards
        self.own = {ruleset.id: ruleset for ruleset in (load_ruleset(Path(path)) for path in rulesets)}
        self._libraries: dict[tuple[str, str], CardLibrary | None] = {}

    def readable(self) -> None:
        """Refuse card files that are of no game here.

        Raises
        ------
        BadInput
            With the faults of the first of them.
        """
        from lawful.cards import open_library

        rulesets = [load_ruleset(name) for name in shipped()] + [*self.own.values()]
        gone = [Fault("there is no such file or folder", path) for path in self.cards if not Path(path).exists()]
        if gone:
            raise BadInput(gone)
        for path in self.cards:
            if all(self._library(path, ruleset) is None for ruleset in rulesets):
                open_library(path, rulesets[0])

    def games(self) -> dict[str, str]:
        """Return the games that can be named, with what they are called."""
        named = {name: load_ruleset(name).name for name in shipped()}
        return named | {id: ruleset.name for id, ruleset in self.own.items()}

    def questions(self) -> dict[str, tuple[Example, ...]]:
        """Return what each game has for a beginning, the games that have something first."""
        found = {name: load_ruleset(name).examples for name in shipped()}
        found |= {id: ruleset.examples for id, ruleset in self.own.items()}
        return dict(sorted(found.items(), key=lambda one: not one[1]))

    def ruleset(self, name: str) -> Ruleset:
        """Return a game by name; a path names none.

        Raises
        ------
        BadInput
            If it is not one of the server's.
        """
        if name in self.own:
            return self.own[name]
        if "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
            known = ", ".join((*shipped(), *self.own))
            raise BadInput([Fault("files of rulesets are not opened here", "game", hint=f"one of: {known}")])
        try:
            return load_ruleset(name)
        except BadInput:
            raise
        except LawfulError as error:
            raise BadInput([Fault(str(error), "game")]) from None

    def find(self, words: str, game: str) -> list[str]:
        """Return cards that have all the words in their names, of the ruleset and of the card files."""
        ruleset = self.ruleset(game)
        wanted = words.casefold().split()
        names = [card.name for card in ruleset.cards]
        for library in self.libraries(ruleset):
            names += list(library)
        found = (name for name in dict.fromkeys(names) if all(word in name.casefold() for word in wanted))
        return sorted(found, key=lambda name: (not name.casefold().startswith(wanted[0]), name))[:MOST_FOUND]

    def libraries(self, ruleset: Ruleset) -> list[CardLibrary]:
        """Return the card files that are of a game."""
        found = (self._library(path, ruleset) for path in self.cards)
        return [library for library in found if library is not None]

    def _library(self, path: str, ruleset: Ruleset) -> CardLibrary | None:
        from lawful.cards import open_library

        key = (path, ruleset.id)
        if key not in self._libraries:
            try:
                self._libraries[key] = open_library(path, ruleset)
            except BadInput:
                self._libraries[key] = None  # it is a card file of another game
        return self._libraries[key]

    def open(self, path: str | Path, ruleset: Ruleset) -> CardLibrary:
        """Open one of the server's card files, by its name alone."""
        name = str(path)
        for own in self.cards:
            if Path(own).name == name and (found := self._library(own, ruleset)) is not None:
                return found
        names = ", ".join(Path(own).name for own in self.cards) or "none"
        raise BadInput([Fault(f"{name} is not one of the card files here", "case", hint=f"there are: {names}")])


def read(request: Mapping[str, Any], catalog: Catalog, ask: str) -> Asked:
    """Return what a request asks.

    Parameters
    ----------
    request : mapping
        The fields of a request.
    catalog : Catalog
        Games and card files.
    ask : {"pay", "check", "order"}
        The question.

    Returns
    -------
    Asked
        With the claim of a payment that is judged.

    Raises
    ------
    BadInput, UnknownName
        If it cannot be read.
    """
    if request.get("case") is not None:
        return _ignoring(_of_case(_case(request, catalog), ask), request)
    question = _inline(request, catalog)
    if request.get("targets") or request.get("modes") is not None:
        question = choose(question, request.get("targets") or (), request.get("modes"))
    steps = request.get("with_")
    claim = None if steps is None else parse_claim(steps, question)
    return _ignoring(Asked(question, claim, ask=ask), request)


def _ignoring(asked: Asked, request: Mapping[str, Any]) -> Asked:
    """Return what is asked; where the request says so, what was not read is assumed not to matter."""
    if not request.get("ignore_unread"):
        return asked
    order = None if asked.order is None else replace(asked.order, ignore_unread=True)
    return replace(asked, question=replace(asked.question, ignore_unread=True), order=order)


def _case(request: Mapping[str, Any], catalog: Catalog) -> Case:
    text, name = request["case"], request.get("name")
    cases = read_cases(text, file="case", open_library=catalog.open, sealed=catalog.own)
    if name is None:
        return cases[0]
    for case in cases:
        if case.name == name:
            return case
    raise BadInput([Fault(f"there is no case {name!r}", "name", hint="there are: " + ", ".join(c.name for c in cases))])


def _of_case(case: Case, ask: str) -> Asked:
    if ask == "order":
        if case.order is None:
            raise BadInput([Fault("this case says what is paid, not what happens", "case", case.line, 1, "ask pay")])
        return Asked(case.question, None, case.order, case.name, "order")
    if ask == "check":
        case = of_choices(case)
    if case.order is not None:
        raise BadInput([Fault("this case says what happens, not what is paid", "case", case.line, 1, "ask order")])
    return Asked(case.question, case.claim, None, case.name, case.ask)


def _inline(request: Mapping[str, Any], catalog: Catalog) -> Question:
    ruleset = catalog.ruleset(str(request["game"]))
    own = read_card_text(request.get("cards") or "", ruleset, "cards")
    shelves: list[Any] = [Written(own), *catalog.libraries(ruleset)]
    given = {key: request[key] for key in INLINE if request.get(key) not in (None, "", False)}
    if request.get("x") is not None:
        given["x"] = request["x"]
    if request.get("coins") is not None:
        given["stock"] = {"coins": request["coins"]}
    if request.get("players") is not None:
        given["players"] = request["players"]
    if request.get("options") is not None:
        given["options"] = tuple(request["options"])
    return build_question(
        ruleset,
        cards=shelves[0] if len(shelves) == 1 else Libraries(shelves),
        instant=bool(request.get("instant")),
        zones=tuple(request.get("zones") or ()),
        facts=tuple(request.get("facts") or ()),
        **given,
    )
