"""A declaration as rows over choices: every rule that speaks of what may be chosen, each under its label.

A *scene* is one choice of modes and X; in it every rule is a bound on how many of some choices are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import combinations

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.model.slots import (
    PICKED,
    Text,
    acts,
    alone,
    declares,
    mode_names,
    parts,
    picks,
    refers,
    text_of,
    x_in_cost,
)
from lawful.model.verdict import Value
from lawful.solver.encode.bearing import Bearing, Bearings, Where
from lawful.solver.encode.literals import Label
from lawful.solver.encode.look import announced
from lawful.solver.encode.sight import Env, Sight

Choice = tuple[str, str]
"""A slot and an object; the object with a ``'`` behind is its being chosen again."""


NONE: frozenset[Choice] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """A rule at one instance: of these choices at least `lo` and at most `hi` are made.

    Parameters
    ----------
    label : Label
        The rule.
    of : frozenset of Choice
        The choices; a row without any and with `lo` above 0 cannot be kept.
    lo, hi : int, optional
        The bounds.
    or_none : bool
        Whether none at all is allowed too.
    params : mapping
        For its sentence.
    """

    label: Label
    of: frozenset[Choice]
    lo: int = 0
    hi: int | None = None
    or_none: bool = False
    params: FrozenMap[str, Value] = FrozenMap()
    says: str = ""


@dataclass(frozen=True, slots=True)
class Demand:
    """A requirement: at least `n` of these choices.

    Parameters
    ----------
    key : pair of str
        What tells it from others: the norm and the object.
    """

    key: tuple[str, str]
    role: str
    holder: str
    of: frozenset[Choice]
    n: int = 1
    others: bool = False


@dataclass(slots=True)
class Seat:
    """A slot in a scene."""

    name: str
    selector: Selector
    verb: str
    target: bool
    where: Where
    env: Env
    procedure: str = ""
    choices: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Scene:
    """One choice of modes and X.

    Parameters
    ----------
    modes, x
        What is chosen; X is None where nothing here depends on it.
    seats : list of Seat
        The slots.
    rows : list of Row
        Every rule but those of requirements.
    demands : list of Demand
        Requirements.
    fixed : dict of Choice to int
        Choices that are declared: made, or not.
    """

    modes: tuple[str, ...]
    x: int | None
    seats: list[Seat] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    fixed: dict[Choice, int] = field(default_factory=dict)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Every slot with every object."""
        return tuple((seat.name, id) for seat in self.seats for id in seat.choices)


class Setting:
    """What all scenes of a declaration share."""

    def __init__(self, question: Question, most_x: int) -> None:
        self.question, self.rules = question, question.ruleset
        self.text: Text = text_of(question)
        self.sight = Sight(announced(question), question.ruleset)
        self.most_x = most_x
        self.paid_x = x_in_cost(question)

    @property
    def looks_at_x(self) -> bool:
        """Whether what may be chosen depends on X."""
        position = self.question.position
        norms = [a for card in position.cards.values() for a in card.abilities]
        selectors = tuple(part for _, _, part, _ in parts(self.text))
        modes = self.text.modes.n if self.text.modes is not None else 0
        lasting = tuple(effect.modifier for effect in position.lasting)
        terms = (selectors, modes, self.text.when, tuple(norms), lasting, self.rules.norms)
        return any("x" in refers(term) for term in (*terms[:3], *(n for n in norms), *lasting, *self.rules.norms))

    @property
    def says_x(self) -> bool:
        """Whether X stands in the text and not in a cost, so that it is just declared."""
        return not self.paid_x and "x" in refers((self.text.do, self.text.modes))

    def scenes(self) -> list[Scene]:
        """Return every choice of modes and X that may be declared, or the one that is."""
        declared = self.question.declaration
        xs: list[int | None]
        if declared.x is not None:
            xs = [declared.x]
        elif not self.looks_at_x or not (self.paid_x or self.says_x):
            xs = [self.rules.x.least] if self.says_x else [None]
        elif self.paid_x:
            xs = list(range(self.most_x + 1))
        else:
            # Beyond what any number in the position can reach, a larger X tells nothing apart.
            top = max([len(self.sight.things), *self.sight.stats.values(), self._costs()], default=0) + 1
            xs = list(range(self.rules.x.least, max(top, self.rules.x.least) + 1))
        return [self._scene(modes, x) for x in xs for modes in self._modes(x)]

    def _costs(self) -> int:
        found = [self.sight.stat(thing, "cost", {}) or 0 for thing in self.sight.position.things]
        return max(found, default=0)

    def _modes(self, x: int | None) -> Iterator[tuple[str, ...]]:
        declared, modes = self.question.declaration, self.text.modes
        if declared.modes is not None or modes is None:
            yield declared.modes or ()
            return
        n = self.sight.number(modes.n, self.env(x)) or 0
        names = mode_names(self.text)
        sizes = range(1, n + 1) if modes.up_to else (n,)
        found = [chosen for size in sizes for chosen in combinations(names, size)]
        yield from found or [()]

    def known(self, x: int | None) -> dict[str, str | int]:
        """Return what every text may refer to."""
        thing = self.question.declaration.thing
        found: dict[str, str | int] = {} if thing is None else {"paid": thing, "declared": thing}
        return found if x is None else {**found, "x": x}

    def env(self, x: int | None) -> Env:
        """Return what the declaration's own text refers to."""
        who, thing = self.question.declaration.player, self.question.declaration.thing
        own: dict[str, str | int] = {"controller": who, "chooser": who, "declarer": who}
        return {**own, **({} if thing is None else {"self": thing}), **self.known(x)}

    def _scene(self, modes: tuple[str, ...], x: int | None) -> Scene:
        scene = Scene(modes, x)
        _Builder(self, scene).build()
        return scene


def label(role: str, about: tuple[str, ...] = (), **where: str) -> Label:
    """Return the label of a rule at an instance: its role, the slot, the norm; and whom a requirement is about."""
    return Label(role, False, FrozenMap({key: value for key, value in where.items() if value}), about)


class _Builder:
    """Writes the rows of one scene."""

    def __init__(self, setting: Setting, scene: Scene) -> None:
        self.s, self.scene = setting, scene
        self.rules, self.sight = setting.rules, setting.sight
        self.declared = setting.question.declaration
        self.env = setting.env(scene.x)
        self.bearings = Bearings(setting.question, setting.sight, setting.known(scene.x))

    def build(self) -> None:
        """Write all rows: of each object, of requirements, of numbers, of sets, of the declaration."""
        self.scene.seats = list(self._seats())
        self._choices()
        kinds = {(seat.name, id): self._kind(seat, id) for seat in self.scene.seats for id in seat.choices}
        barred: set[Choice] = set()
        for seat in self.scene.seats:
            for id in seat.choices:
                if id in self.sight.things and self._norms(seat, self.sight.things[id]):
                    barred.add((seat.name, id))
        self._demands({c for c, fails in kinds.items() if not fails}, barred)
        self._others()
        refused = {next(iter(row.of)) for row in self.scene.rows if row.hi == 0 and len(row.of) == 1}
        self._pairs()
        self._numbers(refused)
        self._sets()
        self._gate()
        self._whole()

    def row(
        self, role: str, of: Set[Choice], lo: int = 0, hi: int | None = None, *, about: tuple[str, ...] = (),
        or_none: bool = False, slot: str = "", norm: str = "", says: str = "", **params: Value,
    ) -> None:  # fmt: skip
        """Write one row."""
        where = {"slot": slot, "norm": norm}
        more = FrozenMap({**{k: v for k, v in where.items() if v}, **params})
        self.scene.rows.append(
            Row(label(role, about, slot=slot, norm=norm), frozenset(of), lo, hi, or_none, more, says or role)
        )

    # --- slots

    def _seats(self) -> Iterator[Seat]:
        text = self.s.text
        if text.procedure is not None:
            yield from self._procedure()
            return
        when = PICKED if self.declared.resolving else self.rules.choosing.declared
        for pick in picks(text):
            if pick.how not in when or (pick.mode is not None and pick.mode not in self.scene.modes):
                continue
            events = {"choose", *text.types, *self.declared.types} | ({"target"} if pick.how == "target" else set())
            chooser = self._chooser(pick.selector)
            yield Seat(
                pick.name, pick.selector, pick.act.verb, pick.how == "target", Where(frozenset(events), chooser), self.env
            )  # fmt: skip

    def _chooser(self, selector: Selector) -> str:
        return self.declared.player if selector.by is None else str(self.sight.what(selector.by, self.env))

    def _procedure(self) -> Iterator[Seat]:
        procedure = self.s.text.procedure
        assert procedure is not None
        for slot in procedure.slots:
            events = frozenset({slot.event or procedure.name, *self.s.text.types})
            who = self._chooser(slot.of)
            if slot.each is None:
                yield Seat(slot.name, slot.of, "", False, Where(events, who), self.env, procedure.name)
                continue
            for thing in self.sight.position.things:
                if self.sight.finds(slot.each, thing, self.env):
                    env = {**self.env, "on": thing.id}
                    name = f"{slot.name} > {thing.id}"
                    yield Seat(name, slot.of, "", False, Where(events, who, thing.id), env, procedure.name)

    def _choices(self) -> None:
        """Every object may be chosen as far as there is no row against it; what is declared is fixed."""
        names = {seat.name for seat in self.scene.seats}
        for name, ids in self.declared.targets.items():
            if name not in names and ids:
                self.row("slot", NONE, 1, slot=name)
        for seat in self.scene.seats:
            seat.choices = list(self.sight.things)
            said = self.declared.targets.get(seat.name)
            if said is None:
                continue
            seat.choices += [id for id in dict.fromkeys(said) if id not in self.sight.things]
            for id in seat.choices:
                self.scene.fixed[seat.name, id] = 1 if id in said else 0
            for id in dict.fromkeys(said):
                if said.count(id) > 1:
                    again = (seat.name, f"{id}'")
                    self.scene.fixed[again] = said.count(id) - 1
                    self.row("distinct", {again}, 0, 0, slot=seat.name, object=id)

    # --- one object for one slot

    def _kind(self, seat: Seat, id: str) -> bool:
        """Write why an object is not what a slot asks for; say whether there is anything."""
        choice = frozenset({(seat.name, id)})
        if id not in self.sight.things:
            self.row("gone", choice, 0, 0, slot=seat.name, object=id)
            return True
        thing = self.sight.things[id]
        let = bool(seat.procedure) and self.bearings.lets(seat.where, thing)
        no = {"slot": seat.name, "object": id}
        before = len(self.scene.rows)
        names = {pick.name for pick in picks(self.s.text)}
        selector = alone(seat.selector, names)
        if thing.face != (selector.face or "up"):
            self.row("face", choice, 0, 0, says=f"face.{thing.face}", **no)  # type: ignore[arg-type]
        if not let:
            self._zone(seat, thing, choice)
            for test, wanted in self.sight.fails(selector, thing, seat.env).items():
                if test == "blank":
                    if selector.face == "down":
                        self.row("blank", choice, 0, 0, **no)  # type: ignore[arg-type]
                else:
                    key = "got" if test in ("controller", "owner") else "wanted"
                    self.row(self._role(seat, test), choice, 0, 0, says=f"fits.{test}", **no, **{key: wanted})  # type: ignore[arg-type]
        return len(self.scene.rows) > before

    @staticmethod
    def _role(seat: Seat, test: str) -> str:
        """Return the role of the rule that says who may be chosen; a procedure has its own."""
        return f"{seat.procedure or 'fits'}.{test}"

    def _zone(self, seat: Seat, thing: Thing, choice: frozenset[Choice]) -> None:
        taken = next((verb.from_ for verb in self.rules.verbs if verb.name == seat.verb), ())
        if taken and thing.zone not in taken:
            self.row(
                f"zone.{seat.verb}", choice, 0, 0, slot=seat.name, object=thing.id, says="zone", verb=seat.verb, zone=thing.zone
            )  # fmt: skip
        looked = seat.selector.zone
        if not looked and not taken:
            looked = self.rules.choosing.zones or tuple(self.sight.play)
        if (seat.selector.zone or not taken) and thing.zone not in looked:
            self.row(
                self._role(seat, "zone"), choice, 0, 0, slot=seat.name, says="fits.zone", object=thing.id, zone=thing.zone
            )  # fmt: skip

    def _norms(self, seat: Seat, thing: Thing) -> bool:
        """Write the restrictions on choosing an object; say whether there are any."""
        choice = frozenset({(seat.name, thing.id)})
        bans = self.bearings.bans(seat.where, thing)
        verbs = self._done(seat)
        barring = [self._barring(verb, thing) for verb in verbs]
        lost = self.rules.choosing.affected == "any" and bool(verbs) and all(barring)
        if lost and len(verbs) > 1:
            self.row("affected", choice, 0, 0, slot=seat.name, object=thing.id)
        for ban in [*bans, *(barring[0] if lost and len(verbs) == 1 else ())]:
            self.row(
                ban.role, choice, 0, 0, slot=seat.name, norm=ban.key, says="cannot", holder=ban.holder, object=thing.id
            )
        return bool(bans) or lost

    def _done(self, seat: Seat) -> list[str]:
        """Return the verbs that are done to who is chosen for a slot."""
        found = [] if seat.verb in ("", "choose") else [seat.verb]
        for act, mode in acts(self.s.text):
            if mode is None or mode in self.scene.modes:
                here = [p for p in (act.what, act.of) if str(p) == f"${seat.name}"]
                found += [act.verb] if here else []
        return found

    def _barring(self, verb: str, thing: Thing) -> list[Bearing]:
        """Return the norms that keep a verb from happening to an object."""
        return self.bearings.bans(Where(frozenset({verb}), self.declared.player), thing)

    # --- requirements

    def _demands(self, fitting: set[Choice], barred: set[Choice]) -> None:
        """Requirements, over the choices that can meet them."""
        for b in self.bearings.norms:
            if b.norm.modality != "must":
                continue
            picked = b.norm.action.event in ("target", "choose")
            open_ = fitting if picked and self.rules.norming.barred == "blocks" else fitting - barred
            of = [
                (seat.name, id)
                for seat in self.scene.seats
                for id in seat.choices
                if (seat.name, id) in open_ and self.bearings.bears(b, seat.where, self.sight.things[id])
            ]
            if b.norm.at_least is not None:
                n = self.sight.number(b.norm.at_least, b.env) or 0
                if of and n > 0:
                    self.scene.demands.append(Demand((b.key, ""), b.role, b.holder, frozenset(of), n))
                continue
            for id in dict.fromkeys(id for _, id in of):
                mine = frozenset(c for c in of if c[1] == id)
                self.scene.demands.append(Demand((b.key, id), b.role, b.holder, mine, 1, picked))

    def _others(self) -> None:
        """Where one must be chosen, others cannot."""
        norming = self.rules.norming
        if norming.must != "hard" or norming.others != "exclusive":
            return
        for seat in self.scene.seats:
            obliging = [d for d in self.scene.demands if d.others and any(slot == seat.name for slot, _ in d.of)]
            named = {d.key[1] for d in obliging}
            for demand in obliging:
                for id in seat.choices:
                    if id not in named and id in self.sight.things:
                        self.row(
                            "must.others", {(seat.name, id)}, 0, 0, about=(demand.key[1],), slot=seat.name, norm=demand.key[0], object=demand.key[1]
                        )  # fmt: skip

    # --- several choices

    def _most(self, seat: Seat) -> int | None:
        selector = seat.selector
        if seat.procedure and selector.n is None and selector.how == "each":
            return None
        n = 1 if selector.n is None else self.sight.number(selector.n, seat.env)
        return max(0, n or 0)

    def _numbers(self, refused: set[Choice]) -> None:
        for seat in self.scene.seats:
            of = {(seat.name, id) for id in seat.choices}
            of |= {c for c in self.scene.fixed if c[0] == seat.name}
            top = self._most(seat)
            if top is None:
                continue
            if seat.selector.up_to:
                least = min(top, self.rules.choosing.least)
            elif seat.target or seat.procedure:
                least = top
            else:
                least = min(top, len({c for c in of if c[1] in self.sight.things} - refused))
            if least:
                self.row("few", of, least, slot=seat.name, least=least)
            self.row("many", of, 0, top, slot=seat.name, most=top)
        procedure = self.s.text.procedure
        if procedure is not None and procedure.once and len(self.scene.seats) > 1:
            for id in dict.fromkeys(id for seat in self.scene.seats for id in seat.choices):
                of = {(seat.name, id) for seat in self.scene.seats if id in seat.choices}
                if len(of) > 1:
                    self.row("once", of, 0, 1, object=id)

    def _pairs(self) -> None:
        """Tests of a slot that read what was chosen for another one, which takes one object."""
        seats = {seat.name: seat for seat in self.scene.seats}
        for seat in self.scene.seats:
            for name in sorted(refers(seat.selector) & set(seats) - {seat.name}):
                if self._most(seats[name]) != 1:
                    continue
                others = {pick.name for pick in picks(self.s.text)} - {name}
                plain = alone(seat.selector, others | {name})
                selector = alone(seat.selector, others)
                for first in seats[name].choices:
                    for id in seat.choices:
                        if id not in self.sight.things or first not in self.sight.things:
                            continue
                        thing = self.sight.things[id]
                        usual = self.sight.fails(plain, thing, seat.env)
                        for test, wanted in self.sight.fails(selector, thing, {**seat.env, name: first}).items():
                            if test not in usual:
                                key = "got" if test in ("controller", "owner") else "wanted"
                                more = {"slot": seat.name, "object": id, key: wanted}
                                pair = {(name, first), (seat.name, id)}
                                self.row(self._role(seat, test), pair, 0, 1, says=f"fits.{test}", **more)  # type: ignore[arg-type]

    def _sets(self) -> None:
        """Restrictions on the set chosen."""
        for b in self.bearings.norms:
            if b.norm.modality != "cannot" or b.single or self.bearings.ignored(b):
                continue
            of = {
                (seat.name, id)
                for seat in self.scene.seats
                for id in seat.choices
                if id in self.sight.things and self.bearings.bears(b, seat.where, self.sight.things[id])
            }
            if b.norm.more_than is not None:
                k = self.sight.number(b.norm.more_than, b.env) or 0
                self.row(b.role, of, 0, k, norm=b.key, slot="more", says="cannot.more", holder=b.holder, n=k)
            if b.norm.fewer_than is not None:
                k = self.sight.number(b.norm.fewer_than, b.env) or 0
                self.row(
                    b.role, of, k, None, or_none=True, norm=b.key, slot="fewer", says="cannot.fewer", holder=b.holder, n=k
                )  # fmt: skip

    def _gate(self) -> None:
        """What the text does must have something to happen to."""
        gate, text = self.rules.choosing.gate, self.s.text
        if gate == "none" or text.procedure is not None:
            return
        here = {act: mode is None or mode in self.scene.modes for act, mode in acts(text)}
        plain = any(not any(isinstance(p, Selector) for p in (a.what, a.of)) for a, there in here.items() if there)
        if gate == "any" and plain:
            return
        seats = {seat.name: seat for seat in self.scene.seats}
        every: set[Choice] = set()
        some = False
        for act, mode, part, pick in parts(text):
            if mode is not None and mode not in self.scene.modes:
                continue
            seat = seats.get(pick.name) if pick is not None else None
            if seat is None:
                found = self._found(act.verb, part)
                if gate == "any" and found:
                    return
                of: set[Choice] = set()
            else:
                of, found = {(seat.name, id) for id in seat.choices}, False
            some, every = True, every | of
            if gate == "every" and not found and not (seat is not None and part.up_to):
                self.row("gate", of, 1, norm=act.verb, says="gate.every", verb=act.verb)
        if gate == "any" and some:
            self.row("gate", every, 1)

    def _found(self, verb: str, wanted: Selector) -> bool:
        taken = next((v.from_ for v in self.rules.verbs if v.name == verb), ())
        zones = wanted.zone or taken or self.rules.choosing.zones or tuple(self.sight.play)
        return any(
            thing.zone in zones and self.sight.finds(wanted, thing, self.env) and not self._barring(verb, thing)
            for thing in self.sight.position.things
        )

    # --- the declaration itself

    def _whole(self) -> None:
        declared, text = self.declared, self.s.text
        names, chosen = mode_names(text), self.scene.modes
        if text.modes is not None or chosen:
            n = 0 if text.modes is None else self.sight.number(text.modes.n, self.env) or 0
            up_to = text.modes is not None and text.modes.up_to
            fits = 1 <= len(chosen) <= n if up_to else len(chosen) == n
            if not fits or len(set(chosen)) < len(chosen) or not set(chosen) <= set(names):
                self.row("modes", NONE, 1, modes=chosen, n=n, known=names, says="modes.up-to" if up_to else "modes")
        if declared.resolving:
            return
        if self.s.says_x:
            least = max(0, self.rules.x.least)
            if self.scene.x is None or self.scene.x < least:
                role = "x.least.ability" if declared.kind == "activate" else "x.least"
                self.row(role, NONE, 1, says="x.least", least=least)
        if not self.sight.holds(text.when, self.env):
            self.row("when", NONE, 1)
        if declared.thing is not None and declared.kind in ("play", "activate"):
            self._from()
        types = frozenset({declares(declared), *declared.types})
        thing = None if declared.thing is None else self.sight.things[declared.thing]
        if thing is not None or declared.kind == "declare":
            for ban in self.bearings.bans(Where(types, declared.player), thing):
                self.row(ban.role, NONE, 1, norm=ban.key, says="cannot.declare", holder=ban.holder)

    def _from(self) -> None:
        declared = self.declared
        assert declared.thing is not None
        thing = self.s.question.position.thing(declared.thing)
        if declared.kind == "play":
            usual = (thing.zone, thing.owner) == (self.rules.hand, declared.player)
        else:
            usual = (thing.controller, thing.face) == (declared.player, "up")
        where = Where(frozenset({declared.kind}), declared.player)
        if not usual and not self.bearings.lets(where, self.sight.things[thing.id]):
            self.row("from", NONE, 1, object=thing.id, by=declared.player)


def scenes(question: Question, most_x: int = 0) -> tuple[Setting, list[Scene]]:
    """Return every choice of modes and X with the rows of its rules.

    Parameters
    ----------
    question : Question
        What is declared; what is left open is open.
    most_x : int
        The largest X that could be paid.

    Returns
    -------
    pair of Setting and list of Scene
        Never empty.
    """
    setting = Setting(question, most_x)
    return setting, setting.scenes()


__all__ = ["Choice", "Demand", "Mapping", "Row", "Scene", "Seat", "Setting", "label", "scenes"]
