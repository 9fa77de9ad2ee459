"""Case files to cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lawful.model.card import Card
from lawful.model.casefile import Case, Library, OpenLibrary
from lawful.model.cost import CostAll
from lawful.model.declaration import Declaration, OrderQuestion, Question
from lawful.model.errors import BadInput, LawfulError, UnknownName
from lawful.model.position import Position
from lawful.model.reading.caseshape import CaseShape
from lawful.model.reading.claimreader import claim_from_node
from lawful.model.reading.declared import Said, declare
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults
from lawful.model.reading.happening import asks_for_order, read_events, read_outcomes
from lawful.model.reading.shelf import Libraries, Shelf
from lawful.model.reading.spelling_cards import read_cards
from lawful.model.reading.spelling_costs import read_acts, read_cost
from lawful.model.reading.structure import check
from lawful.model.reading.tablereader import Table, read_pool, read_position, read_thing_keys, with_things
from lawful.model.reading.targetreader import read_targets
from lawful.model.reading.textfile import read_text
from lawful.model.reading.thenreader import read_expect
from lawful.model.reading.yamltext import Node, parse_yaml
from lawful.model.ruleset import Ruleset
from lawful.model.rulesets import load_ruleset, shipped, under, with_version


def read_case_file(path: Path, file: str, open_library: OpenLibrary | None = None) -> tuple[Case, ...]:
    """Read the cases of a file; files that it names are looked for beside it."""
    faults = Faults(file)
    text = read_text(path, faults)
    faults.stop()
    assert text is not None
    return read_case_text(text, file, path.parent, open_library)


def read_case_text(
    text: str,
    file: str = "",
    folder: Path = Path(),
    open_library: OpenLibrary | None = None,
    sealed: Mapping[str, Ruleset] | None = None,
) -> tuple[Case, ...]:
    """Read the cases of a text.

    Parameters
    ----------
    text : str
        YAML, a case a document.
    file : str
        How faults name it.
    folder : Path
        Where files that it names are looked for.
    open_library : callable, optional
        Opens card files that are no YAML.
    sealed : mapping of str to Ruleset, optional
        Games beside those that ship; no file is opened then, but by `open_library`.

    Returns
    -------
    tuple of Case
        In the order written.

    Raises
    ------
    BadInput
        With every fault of every case.
    """
    faults = Faults(file)
    shared = Shared(faults, None if sealed is not None else folder, open_library)
    shared.rulesets |= sealed or {}
    cases = [_guarded(shared, node) for node in parse_yaml(text, faults)]
    faults.stop()
    return tuple(case for case in cases if case is not None)


def _guarded(shared: Shared, node: Node) -> Case | None:
    """Return the case; None where a fault keeps it from being one.

    What is expected can be read only by asking the question, which may fail just because of a fault noted already.
    """
    before = len(shared.faults.found)
    try:
        return _CaseReader(shared, node).read()
    except BadInput as error:
        shared.faults.take(error.faults)
    except LawfulError as error:
        if len(shared.faults.found) == before:
            shared.faults.add(str(error), node)
    return None


def read_card_file(path: Path, ruleset: Ruleset) -> dict[str, Card]:
    """Read a file of cards by itself."""
    faults = Faults(str(path))
    found = Shared(faults, path.parent).use(path.name, Names.of(ruleset), Node("", 1, 1))
    faults.stop()
    return found


def read_card_text(text: str, ruleset: Ruleset, file: str = "") -> dict[str, Card]:
    """Read cards written as in a file of cards: names to cards, or a list, at the top or under `cards`."""
    faults = Faults(file)
    desk = Desk(faults, Names.of(ruleset))
    found = _cards(desk, parse_yaml(text, faults) if text.strip() else [])
    faults.stop()
    return found


def _cards(desk: Desk, documents: Sequence[Node]) -> dict[str, Card]:
    """Return cards by name, written at the top or under `cards`."""
    cards: list[Card] = []
    for node in documents:
        inner = node.find("cards") if isinstance(node.value, dict) and set(node.value) == {"cards"} else None
        cards += read_cards(desk, inner or node)
    return {card.name: card for card in cards}


class Shared:
    """What the cases of one file share: rulesets and card files, each read once."""

    def __init__(self, faults: Faults, folder: Path | None, open_library: OpenLibrary | None = None) -> None:
        self.faults, self.folder, self.open_library = faults, folder, open_library
        self.libraries: dict[tuple[str, str], Library | None] = {}
        self.rulesets: dict[str, Ruleset | None] = {}
        self.used: dict[tuple[str, Names], dict[str, Card]] = {}
        self.joined: dict[tuple[int, ...], list[Library]] = {}

    def ruleset(self, node: Node) -> Ruleset | None:
        """Return a ruleset by name or path."""
        name = str(node.value)
        if name not in self.rulesets:
            self.rulesets[name] = None
            is_path = name.endswith((".yaml", ".yml")) or "/" in name or "\\" in name
            if is_path and self.folder is None:
                self.faults.add("files of rulesets are not opened here", node, f"one of: {', '.join(shipped())}")
                return None
            try:
                self.rulesets[name] = load_ruleset(self.folder / name if is_path and self.folder else name)
            except UnknownName as error:
                self.faults.unknown("ruleset", name, error.known, node)
            except BadInput as error:
                self.faults.take(error.faults)
        return self.rulesets[name]

    def library(self, name: str, ruleset: Ruleset, at: Node) -> Library | None:
        """Return the cards of a file that is no YAML: a published one, or a designer's own table."""
        key = (name, ruleset.id)
        if key not in self.libraries:
            self.libraries[key] = None
            if self.open_library is None:
                self.faults.add(f"{name} is no YAML, and card files are not opened here", at)
            else:
                try:
                    self.libraries[key] = self.open_library((self.folder or Path()) / name, ruleset)
                except BadInput as error:
                    self.faults.take(error.faults)
        return self.libraries[key]

    def together(self, tables: Sequence[tuple[str, Node]], ruleset: Ruleset) -> list[Library]:
        """Return the libraries of several card files; the texts of each may speak of the cards of all."""
        alone = [one for name, at in tables if (one := self.library(name, ruleset, at)) is not None]
        key = tuple(id(one) for one in alone)  # they are kept, so that no other one comes to have the id
        if len(alone) > 1 and key not in self.joined:
            others = [[other for other in alone if other is not one] for one in alone]
            self.joined[key] = [
                one.beside(rest) if hasattr(one, "beside") else one for one, rest in zip(alone, others, strict=True)
            ]
        return self.joined.get(key, alone)

    def use(self, name: str, names: Names, at: Node) -> dict[str, Card]:
        """Return the cards of a card file: names to cards, or a list, at the top or under `cards`."""
        if (name, names) not in self.used:
            if self.folder is None:
                self.faults.add(f"{name}: files are not opened here", at, "write the cards under cards:")
                self.used[name, names] = {}
                return {}
            path = self.folder / name
            faults = Faults(str(path))
            text = read_text(path, faults)
            if text is None and faults.found:
                self.faults.add(f"{name}: {faults.found[0].message}", at)
                faults.found = []
            documents = parse_yaml(text, faults) if text is not None else []
            self.used[name, names] = _cards(Desk(faults, names), documents)
            self.faults.take(faults.found)
        return self.used[name, names]


class _CaseReader:
    """Reads one case. What is wrong in one part hides nothing in another."""

    def __init__(self, shared: Shared, node: Node) -> None:
        self.shared, self.node, self.faults = shared, node, shared.faults

    def read(self) -> Case | None:
        """Return the case; None where a fault keeps it from being one."""
        shape = check(CaseShape, self.node, self.faults, "a case")
        named = self.node.find("ruleset")
        ruleset = self.shared.ruleset(named) if named is not None and isinstance(named.value, str) else None
        if ruleset is None:
            return None
        ruleset = self._chosen(ruleset)
        desk = Desk(self.faults, Names.of(ruleset))
        table = Table(ruleset, desk, self._shelf(ruleset, desk))
        position = read_position(table, self.node.find("given"))
        when = self.node.find("when")
        if when is not None and asks_for_order(self.node):
            return self._order(table, position, when, shape)
        said, places = self._said(table, when or self.node)
        declaration = declare(table, said, places)
        if declaration.thing is None and declaration.kind in ("play", "activate"):
            return None
        question = Question(ruleset, with_things(position, table), declaration, self._ignores(desk))
        targets = when.find("targets") if when is not None else None
        if targets is not None and targets.value is not None:
            chosen = read_targets(desk, targets, question)
            question = replace(question, declaration=replace(declaration, targets=chosen))
        pay = when.find("pay") if when is not None else None
        claim = None
        if when is not None and pay is not None and pay.value is not None:
            pool, started = when.find("pool"), when.find("started")
            claim = claim_from_node(
                desk, pay, question, said.x, said.options,
                read_pool(desk, ruleset, pool) if pool is not None else None,
                desk.flag(started, "started") if started is not None else False,
            )  # fmt: skip
        expect = read_expect(desk, self.node.find("then"), question)
        rows = self._rows(ruleset)
        if not isinstance(shape, CaseShape):
            return None
        asked = shape.when.ask or ("check" if _checks(shape) else "pay")
        name, cite, file = shape.case, shape.cite, self.faults.file
        return Case(name, question, claim, expect, rows, cite, file, self.node.line, ask=asked)

    def _order(self, table: Table, position: Position, when: Node, shape: object) -> Case | None:
        """Read a case that says what happens."""
        desk, ruleset = table.desk, table.ruleset
        player = _payer(self.node, [p.name for p in position.players])
        order = OrderQuestion(ruleset, position, read_events(desk, when, position, player), self._ignores(desk))
        expect = read_outcomes(desk, self.node.find("then"), order)
        rows = self._rows(ruleset)
        if not isinstance(shape, CaseShape):
            return None
        question = Question(ruleset, position, Declaration(player, cost=CostAll()))
        name, cite, file = shape.case, shape.cite, self.faults.file
        return Case(name, question, None, expect, rows, cite, file, self.node.line, order, "order")

    def _ignores(self, desk: Desk) -> bool:
        """Say whether the case assumes that text that was not read does not matter."""
        node = self.node.find("ignore_unread")
        return node is not None and desk.flag(node, "ignore_unread")

    def _chosen(self, ruleset: Ruleset) -> Ruleset:
        """Choose the version that is cited, and readings of open points."""
        version, readings = self.node.find("version"), self.node.find("readings")
        if version is not None and isinstance(version.value, str):
            try:
                ruleset = with_version(ruleset, version.value)
            except UnknownName as error:
                self.faults.unknown("version", error.name, error.known, version)
        for point, name in readings.value.items() if readings and isinstance(readings.value, dict) else ():
            try:
                ruleset = under(ruleset, point, str(name.value))
            except UnknownName as error:
                self.faults.unknown(error.kind, error.name, error.known, name)
        return ruleset

    def _shelf(self, ruleset: Ruleset, desk: Desk) -> Shelf:
        own: dict[str, Card] = {}
        cards, use = self.node.find("cards"), self.node.find("use")
        if cards is not None and cards.value is not None:
            own = {card.name: card for card in read_cards(desk, cards)}
        used, tables = list[dict[str, Card]](), list[tuple[str, Node]]()
        for item in desk.items(use, "use") if use is not None else ():
            if isinstance(item.value, str) and item.value.endswith((".yaml", ".yml")):
                used.append(self.shared.use(item.value, desk.names, item))
            elif isinstance(item.value, str):
                tables.append((item.value, item))
        libraries = self.shared.together(tables, ruleset)
        rest = None if not libraries else libraries[0] if len(libraries) == 1 else Libraries(libraries)
        return Shelf(self.faults, [own, *used, {card.name: card for card in ruleset.cards}], rest, ruleset.spelled)

    def _rows(self, ruleset: Ruleset) -> tuple[str, ...]:
        """Read rows: ``FAB-14``, ``FAB-07-``; rows must be those of the ruleset, where it has any."""
        node, known = self.node.find("rows"), [row.id for row in ruleset.rows]
        rows = []
        for item in (node.value if isinstance(node.value, list) else [node]) if node is not None else ():
            if isinstance(item.value, str):
                row = item.value.removesuffix("+")
                rows.append(row)
                if known and row.removesuffix("-") not in known:
                    self.faults.unknown("row", row.removesuffix("-"), known, item)
        return tuple(rows)

    def _said(self, table: Table, when: Node) -> tuple[Said, dict[str, Any]]:
        """Read what is declared, whatever else is wrong with it."""
        desk = table.desk
        players = [player.name for player in table.players]
        get: dict[str, Any] = {}
        for key, item in when.value.items() if isinstance(when.value, dict) and when is not self.node else ():
            if key == "cost" and item.value is not None:
                get[key] = read_cost(desk, item)
            elif key in ("play", "activate") and item.value is not None:
                get[key] = self._named(table, get.get("player", _payer(self.node, players)), key, item)
            elif key == "player" and isinstance(item.value, str):
                get[key] = desk.word(item, "player", players)
            elif key == "ability" and isinstance(item.value, str):
                get[key] = item.value
            elif key in ("types", "options"):
                get[key] = () if item.value in (None, "") else desk.words(item, key)
            elif key == "x":
                get[key] = desk.number(item, key)
            elif key in ("free", "instant", "resolving"):
                get[key] = desk.flag(item, key)
            elif key == "declare" and isinstance(item.value, str):
                get[key] = item.value
            elif key == "do" and item.value is not None:
                get[key] = read_acts(desk, item, key)
            elif key == "modes":
                get[key] = () if item.value in (None, "") else desk.words(item, key)
        get.setdefault("player", _payer(self.node, players))
        inside = when.value if isinstance(when.value, dict) else {}
        return Said(**get), {"": when, **inside}

    def _named(self, table: Table, player: str, key: str, node: Node) -> str:
        """Return the name of what is played or used; a mapping lays it down first."""
        if not isinstance(node.value, dict):
            return table.desk.text(node, key)
        parts = {k: v for k, v in node.value.items() if k != "zone"}
        more, card, _ = read_thing_keys(table.desk, replace(node, value=parts))
        zones = [zone.name for zone in table.ruleset.zones]
        zone = table.desk.word(node.value["zone"], "zone", zones) if "zone" in node.value else table.ruleset.hand
        thing = table.lay(player, zone, card, node, more) if card else None
        return thing.id if thing is not None else card


def _checks(shape: CaseShape) -> bool:
    """Say whether a case asks what may be declared, not how it is paid."""
    when, then = shape.when, shape.then
    said = (when.declare, when.do, when.targets, when.modes)
    wanted = (then.legal_targets, then.refused, then.repairs)
    return when.resolving or any(item is not None for item in (*said, *wanted))


def _payer(case: Node, players: Sequence[str]) -> str:
    """Return who pays: whoever is named, else whose turn it is, else the first."""
    for path in (("when", "player"), ("given", "turn")):
        found = case.find(*path)
        if found is not None and found.value in players:
            return str(found.value)
    return players[0]
