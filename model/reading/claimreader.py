"""A payment that somebody says they make: from names and words to steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lawful.model.cost import ActTerm, Cost, CostAll, CostAny
from lawful.model.declaration import Question
from lawful.model.effect import Activated, Additional, Alternative
from lawful.model.errors import BadInput
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.notation import parse_pool
from lawful.model.payment import Choice, Claim, Pay, Spend, Use
from lawful.model.position import Thing
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults, shown
from lawful.model.reading.yamltext import Node
from lawful.model.referee.asked import ask
from lawful.model.referee.declared import Bill, itemize

Step: TypeAlias = Use | Pay | Spend | Choice
SPENT = re.compile(r"(?:on\s*(?P<part>[0-9]{1,4})|(?P<over>over))\s*:\s*(?P<points>.+)")
Place: TypeAlias = tuple[int, int]
Named: TypeAlias = tuple[str, Place, bool]  # a name, where it stands, whether it is an id


def effect_verbs(question: Question, options: Sequence[str]) -> list[str]:
    """Return the verbs of the effect-costs that are due, in the order in which `Choice.term` counts them.

    Those of the printed (or given) cost, of the alternative cost, of additional costs, of the ruleset's charges.
    """
    declaration, position = question.declaration, question.position
    thing = position.thing(declaration.thing) if declaration.thing is not None else None
    card = position.card(thing) if thing is not None else None
    abilities = card.abilities if card is not None else ()
    bill = itemize(ask(question, declaration.x, tuple(options)))
    if isinstance(bill, Bill):
        return [term.act.verb for term in (*bill.printed, *bill.added) if isinstance(term, ActTerm)]
    # What is declared cannot be made out as a bill; a claim about it may still be read.
    costs: list[Cost | None] = []
    if declaration.cost is not None:
        costs.append(declaration.cost)
    elif declaration.kind == "activate":
        costs += [
            a.cost for a in abilities if isinstance(a, Activated) and declaration.ability in (None, a.name)
        ][:1]  # fmt: skip
    elif card is not None:
        costs.append(card.cost)
    if declaration.kind == "play":
        costs += [a.cost for a in abilities if isinstance(a, Alternative) and a.name in options]
        costs += [a.cost for a in abilities if isinstance(a, Additional) and (not a.optional or a.name in options)]
    if declaration.kind in ("play", "activate"):
        used = [a.types for a in abilities if isinstance(a, Activated) and declaration.ability in (None, a.name)][:1]
        said = (() if card is None else card.types) if declaration.kind == "play" else used[0] if used else ()
        types = {one.casefold() for one in said}
        for charge in question.ruleset.charges:
            charged = types.issuperset(one.casefold() for one in charge.types)
            if charged and not (declaration.instant and charge.unless_instant):
                costs.append(charge.cost)
    chosen = [0]
    return [term.act.verb for cost in costs if cost is not None for term in _acts(cost, options, chosen)]


def _acts(cost: Cost, options: Sequence[str], chosen: list[int]) -> Iterator[ActTerm]:
    """Yield the effect-costs of a cost, of an either-or only those of the choice that is declared."""
    if isinstance(cost, CostAll):
        for part in cost.terms:
            yield from _acts(part, options, chosen)
    elif isinstance(cost, CostAny):
        first = chosen[0]
        chosen[0] += len(cost.choices)
        for number, part in enumerate(cost.choices, first + 1):
            if f"choice {number}" in options:
                yield from _acts(part, options, chosen)
    elif isinstance(cost, ActTerm):
        yield cost


@dataclass
class ClaimReader:
    """Reads the steps of one claim; a name means the first copy that was not mentioned yet."""

    question: Question
    faults: Faults
    verbs: list[str]
    mentioned: set[str] = field(default_factory=set)
    done: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Look at the objects once: a claim may name many."""
        self.things = sorted(self.question.position.things, key=self._nearness)
        self.copies: dict[str, list[str]] = {}
        for thing in self.things:
            self.copies.setdefault(thing.card.casefold(), []).append(thing.id)
        self.ids = [thing.id for thing in self.things]
        self.names = {name for thing in self.things for name in (thing.id, thing.card)}
        self.left = {name: iter(ids) for name, ids in self.copies.items()}
        self.steps = 0

    @property
    def assets(self) -> dict[str, str]:
        """The assets, by id and by name."""
        return {key: asset.id for asset in self.question.ruleset.assets for key in (asset.id, asset.name)}

    def knows(self, name: str) -> bool:
        """Say whether a name is that of an object."""
        return name in self.names

    def thing(self, name: str, at: Place, exact: bool = False) -> str | None:
        """Return the id of the object that a name means; the one with that very id, if that is meant."""
        key = name.casefold()
        self.steps += 1
        most = 2 * Limits().objects
        if self.steps > most:
            if self.steps == most + 1:
                self.faults.add(f"more than {most} steps (limit: objects)", at)
            return None
        if not exact and key in self.copies:
            found = next((id for id in self.left[key] if id not in self.mentioned), self.copies[key][-1])
        elif name in self.names and name in self.ids:
            found = name
        else:
            cards = {thing.card: None for thing in self.things}
            near = self.faults.near(name, cards) or self.faults.near(name, self.ids)
            self.faults.add(f"unknown object {shown(name)}", at, near)
            return None
        self.mentioned.add(found)
        return found

    def _nearness(self, thing: Thing) -> tuple[bool, bool, bool]:
        """The payer's hand first; what is being played last."""
        declaration, hand = self.question.declaration, self.question.ruleset.hand
        mine = declaration.player in (thing.owner, thing.controller)
        return thing.id == declaration.thing, not mine, thing.zone != hand

    def text(self, text: str, at: Place) -> Iterator[Step]:
        """Read ``k > b > discard: d``."""
        offset = 0
        for part in text.split(">"):
            start = offset + len(part) - len(part.lstrip())
            if part.strip():
                yield from self.step(part.strip(), (at[0], at[1] + start))
            elif text.strip():
                self.faults.add("a step is missing", (at[0], at[1] + start), "steps look like: one card > another")
            offset += len(part) + 1

    def step(self, text: str, at: Place) -> Iterator[Step]:
        """Read one step of a text."""
        spent = SPENT.fullmatch(text) if not self.knows(text) else None
        if spent is not None:
            yield from self.spends(spent["points"], -1 if spent["over"] else int(spent["part"]) - 1, at)
            return
        word, colon, rest = (piece.strip() for piece in text.partition(":"))
        if self.knows(text) or (not colon and text not in self.verbs):
            yield from self.uses([(text, at, False)], "")
            return
        names = [(name.strip(), at, False) for name in rest.split(",") if name.strip()]
        if self.knows(rest):
            names = [(rest, at, False)]
        yield from self.word(word, names, at, False)

    def word(self, word: str, names: list[Named], at: Place, in_full: bool) -> Iterator[Step]:
        """Read what a word says of names: a part of the cost, an effect-cost, or that a part is paid now."""
        if word == "pay" and word not in self.verbs:
            for name, place, _ in names:
                if name in self.assets:
                    yield Pay(self.assets[name])
                else:
                    self.faults.unknown("asset", name, self.assets, place)
        elif word in self.assets:
            yield from self.uses(names, self.assets[word])
            if in_full:
                yield Pay(self.assets[word])
        elif word in self.verbs:
            yield self.choice(word, names)
        else:
            known = [*self.assets, *dict.fromkeys(self.verbs), "pay"]
            self.faults.unknown("part or effect-cost", word, known, at)

    def spends(self, points: str, part: int, at: Place) -> Iterator[Spend]:
        """Read what is given for a part that is paid at once with others, or is left over: ``on 1: 2e``."""
        names = Names.of(self.question.ruleset)
        if part < -1:
            self.faults.add("parts are counted from 1", at, "write on 1: 2e")
            return
        try:
            found = parse_pool(points, names.assets, names.default, self.faults.file, *at)
        except BadInput as error:
            self.faults.take(error.faults)
            return
        yield from (Spend(part, as_, n) for as_, n in found.items() if n)

    def uses(self, names: list[Named], part: str) -> Iterator[Use]:
        """Use the objects of these names as sources."""
        for named in names:
            thing = self.thing(*named)
            if thing is not None:
                yield Use(thing, part, "")

    def choice(self, verb: str, names: list[Named]) -> Choice:
        """Pay the next effect-cost of that verb with these objects."""
        terms = [index for index, other in enumerate(self.verbs) if other == verb]
        term = next((index for index in terms if index not in self.done), terms[-1])
        self.done.add(term)
        found = [thing for named in names if (thing := self.thing(*named)) is not None]
        return Choice(term, tuple(sorted(found)))

    def nodes(self, desk: Desk, node: Node) -> Iterator[Step]:
        """Read a text, or a list such as ``[{c: [k]}, {r: [b]}, {discard: [d]}]``."""
        if isinstance(node.value, str):
            yield from self.text(node.value, (node.line, node.column))
            return
        for item in desk.items(node, "pay"):
            if isinstance(item.value, str):
                yield from self.step(item.value, (item.line, item.column))
            elif isinstance(item.value, dict) and ("use" in item.value or "id" in item.value):
                yield from self._detailed(desk, item)
            elif isinstance(item.value, dict) and "spend" in item.value:
                yield from self._spent(desk, item)
            else:
                for word, names in desk.mapping(item, "a step").items():
                    found = desk.items(names, word) if names.value is not None else []
                    texts = [_named(desk, name, word) for name in found]
                    yield from self.word(word, [named for named in texts if named[0]], item.key(word), True)

    def _spent(self, desk: Desk, node: Node) -> Iterator[Spend]:
        """Read ``{spend: 2e, on: 1}``, ``{spend: {p: 1}, over: true}``."""
        found = desk.fields(node, "a step", ("spend", "on", "over"), ("spend",))
        over = desk.flag(found["over"], "over") if "over" in found else False
        part = -1 if over else desk.number(found["on"], "on", 1) - 1 if "on" in found else 0
        said = found["spend"]
        if isinstance(said.value, dict):
            for asset, n in desk.amounts(said, "spend", list(self.assets), "asset").items():
                if asset in self.assets:
                    yield Spend(part, self.assets[asset], n)
        else:
            yield from self.spends(desk.text(said, "spend"), part, (said.line, said.column))

    def _detailed(self, desk: Desk, node: Node) -> Iterator[Use]:
        """Read ``{use: blue, part: r, source: pitch, replaced: [Totem]}``; `id` for `use` means no other copy."""
        found = desk.fields(node, "a step", ("use", "id", "part", "source", "replaced"))
        which = found.get("id") or found["use"]
        thing = self.thing(desk.text(which, "an object"), (which.line, which.column), "id" in found)
        part = desk.word(found["part"], "asset", list(self.assets)) if "part" in found else ""
        source = desk.text(found["source"], "source") if "source" in found else ""
        replaced: list[str] = []
        for item in desk.items(found["replaced"], "replaced") if "replaced" in found else ():
            named = _named(desk, item, "replaced")
            other = self.thing(*named) if named[0] else None
            replaced += [other] if other is not None else []
        if thing is not None:
            yield Use(thing, self.assets.get(part, ""), source, tuple(replaced))


def _named(desk: Desk, node: Node, what: str) -> Named:
    """Read a name, or ``{id: blue}`` for no other copy."""
    place = (node.line, node.column)
    if isinstance(node.value, dict):
        found = desk.fields(node, what, ("id",), ("id",))
        return desk.text(found["id"], "id") if "id" in found else "", place, True
    return desk.text(node, what), place, False


def claim_from_text(text: str, question: Question, file: str = "--with") -> Claim:
    """Read a payment as players say it; X and options are those of the question.

    Raises
    ------
    BadInput
        If it names what is not there.
    """
    faults = Faults(file)
    options = question.declaration.options or ()
    reader = ClaimReader(question, faults, effect_verbs(question, options))
    steps = tuple(reader.text(text, (1, 1)))
    faults.stop()
    return Claim(steps, question.declaration.x, tuple(options))


def claim_from_node(
    desk: Desk,
    node: Node,
    question: Question,
    x: int | None,
    options: Sequence[str] | None,
    pool: dict[str, int] | None,
    started: bool,
) -> Claim:
    """Read the payment of a case."""
    declared = tuple(question.declaration.options or () if options is None else options)
    reader = ClaimReader(question, desk.faults, effect_verbs(question, declared))
    steps = tuple(reader.nodes(desk, node))
    value = question.declaration.x if x is None else x
    return Claim(steps, value, declared, None if pool is None else FrozenMap(pool), started)
