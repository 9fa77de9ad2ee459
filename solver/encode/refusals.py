"""Rows of one object in one slot: what it is, where it is, what norms say of it; and what must be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from lawful.model.act import Act
from lawful.model.expression import Compare, Count
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.model.slots import PICKED, acts, alone, called, numbered, picks
from lawful.model.verdict import Value
from lawful.solver.encode.acts import done
from lawful.solver.encode.bearing import Bearing, Bearings, Where
from lawful.solver.encode.look import Look
from lawful.solver.encode.scene import NONE, Choice, Demand, Row, Scene, Seat, Setting, label


class Refusals:
    """Writes the rows of single objects."""

    def __init__(self, setting: Setting, scene: Scene) -> None:
        self.s, self.scene, self.modes = setting, scene, numbered(scene.modes)
        self.rules, self.sight = setting.rules, setting.sight
        self.declared = setting.question.declaration
        self.env = setting.env(scene.x)
        self.bearings = Bearings(setting.question, setting.sight, setting.known(scene.x))
        self._plain: dict[str, Selector] = {}

    def row(
        self, role: str, of: Set[Choice], lo: int = 0, hi: int | None = None, *, about: tuple[str, ...] = (),
        or_none: bool = False, slot: str = "", norm: str = "", says: str = "",
        weights: FrozenMap[Choice, int] = FrozenMap(), **params: Value,
    ) -> None:  # fmt: skip
        """Write one row."""
        where = {"slot": slot, "norm": norm}
        more = FrozenMap({**{k: v for k, v in where.items() if v}, **params})
        this = label(role, about, slot=slot, norm=norm)
        self.scene.rows.append(Row(this, frozenset(of), lo, hi, or_none, more, says or role, weights=weights))

    def _seats(self) -> Iterator[Seat]:
        text = self.scene.text
        if text.procedure is not None:
            yield from self._procedure()
            return
        when = PICKED if self.declared.resolving else self.rules.choosing.declared
        for pick in picks(text):
            if pick.how not in when or (pick.mode is not None and pick.mode not in self.modes):
                continue
            events = {"choose", *text.types, *self.declared.types} | ({"target"} if pick.how == "target" else set())
            chooser = self._chooser(pick.selector)
            join = {verb.name for verb in self.rules.verbs if verb.joins and verb.name == pick.act.verb}
            where = Where(called(events | join, self.rules.labels), chooser, joins=frozenset(join))
            yield Seat(pick.name, pick.selector, pick.act.verb, pick.how == "target", where, self.env)

    def _chooser(self, selector: Selector) -> str:
        return self.declared.player if selector.by is None else str(self.sight.what(selector.by, self.env))

    def _procedure(self) -> Iterator[Seat]:
        procedure = self.scene.text.procedure
        assert procedure is not None
        for slot in procedure.slots:
            events = frozenset({slot.event or procedure.name, *self.scene.text.types})
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
            seat.choices = list(self.s.candidates)
            said = self.declared.targets.get(seat.name)
            if said is None:
                continue
            seat.choices += [id for id in dict.fromkeys(said) if id not in self.s.candidates]
            for id in seat.choices:
                self.scene.fixed[seat.name, id] = 1 if id in said else 0
            for id in dict.fromkeys(said):
                if said.count(id) > 1:
                    again = (seat.name, f"{id}'")
                    self.scene.fixed[again] = said.count(id) - 1
                    self.row("distinct", {again}, 0, 0, slot=seat.name, object=id)

    def _kind(self, seat: Seat, id: str) -> bool:
        """Write why an object is not what a slot asks for; say whether there is anything."""
        choice = frozenset({(seat.name, id)})
        if id not in self.s.candidates:
            self.row("gone", choice, 0, 0, slot=seat.name, object=id)
            return True
        thing = self.s.candidates[id]
        let = bool(seat.procedure) and self.bearings.lets(seat.where, thing)
        no = {"slot": seat.name, "object": id}
        before = len(self.scene.rows)
        selector = self._alone(seat)
        if thing.face != (selector.face or "up") and selector.finds_kind(thing.seat):
            self.row("face", choice, 0, 0, says=f"face.{thing.face}", **no)  # type: ignore[arg-type]
        if not let:
            if selector.finds_kind(thing.seat):
                there = len(self.scene.rows)
                self._zone(seat, thing, choice)
                if seat.target and thing.zone in self.rules.choosing.hidden and len(self.scene.rows) == there:
                    self.row("blank.private", choice, 0, 0, says="private", **no)  # type: ignore[arg-type]
            for test, wanted in self.sight.fails(selector, thing, seat.env).items():
                if test == "blank":
                    if selector.face == "down":
                        self.row("blank", choice, 0, 0, **no)  # type: ignore[arg-type]
                elif test == "player":
                    says = "fits.player" if thing.seat else "fits.object"
                    self.row(self._role(seat, test), choice, 0, 0, says=says, **no)  # type: ignore[arg-type]
                else:
                    key = "got" if test in ("controller", "owner") else "wanted"
                    says = "fits.unnamed" if test == "name" and not wanted else f"fits.{test}"
                    self.row(self._role(seat, test), choice, 0, 0, says=says, **no, **{key: wanted})  # type: ignore[arg-type]
        return len(self.scene.rows) > before

    def _alone(self, seat: Seat) -> Selector:
        """Return a slot's selector without the tests that read what is chosen for others."""
        if seat.name not in self._plain:
            names = {pick.name for pick in picks(self.scene.text)}
            self._plain[seat.name] = alone(seat.selector, names)
        return self._plain[seat.name]

    @staticmethod
    def _role(seat: Seat, test: str) -> str:
        """Return the role of the rule that says who may be chosen; a procedure has its own."""
        return f"{seat.procedure or 'fits'}.{test}"

    def _zone(self, seat: Seat, thing: Thing, choice: frozenset[Choice]) -> None:
        taken = next((verb.from_ for verb in self.rules.verbs if verb.name == seat.verb), ())
        if taken and thing.zone not in taken:
            self.row(
                f"zone.{seat.verb}", choice, 0, 0, slot=seat.name, says="zone.player" if thing.seat else "zone",
                object=thing.id, verb=seat.verb, zone=thing.zone,
            )  # fmt: skip
        if thing.seat and not seat.selector.zone:
            return
        looked = seat.selector.zone
        if not looked and not taken:
            looked = self.rules.choosing.zones or tuple(self.sight.play)
        if (seat.selector.zone or not taken) and thing.zone not in looked:
            more = {"object": thing.id, "zone": thing.zone}
            role = self._role(seat, "zone")
            self.row(role, choice, 0, 0, slot=seat.name, says="fits.zone", **more)  # type: ignore[arg-type]

    def _norms(self, seat: Seat, thing: Thing) -> bool:
        """Write the restrictions on choosing an object; say whether there are any."""
        choice = frozenset({(seat.name, thing.id)})
        bans = self.bearings.bans(seat.where, thing)
        acted = self._done(seat)
        barring = [self._barring(act, thing) for act in acted]
        lost = self.rules.choosing.affected == "any" and bool(acted)
        lost = lost and all(ban or self._idle(act, thing) for act, ban in zip(acted, barring, strict=True))
        alone = barring[0] if lost and len(acted) == 1 else ()
        if lost and not alone:
            says = "affected" if any(barring) else "affected.idle"
            self.row("affected", choice, 0, 0, slot=seat.name, says=says, object=thing.id)
        for ban in [*bans, *alone]:
            by = self._standing(ban)
            more = {"says": "cannot"} if by is None else {"says": "cannot.by", "by": by}
            said = {"slot": seat.name, "norm": ban.key, "holder": ban.holder, "object": thing.id, **more}
            self.row(ban.role, choice, 0, 0, **said)
        return bool(bans) or lost

    def _standing(self, ban: Bearing) -> tuple[str, ...] | None:
        """Return the objects because of which a norm of the rules is in force, where it counts some."""
        while_ = ban.norm.while_
        if not ban.key.startswith("/") or not isinstance(while_, Compare) or not isinstance(while_.left, Count):
            return None
        return tuple(t.id for t in self.sight.position.things if self.sight.finds(while_.left.of, t, ban.env))

    def _idle(self, act: Act, thing: Thing) -> bool:
        """Say whether an act would not change an object, where the rules ask for that."""
        if not self.rules.targets_change or all(verb.name != act.verb for verb in self.rules.verbs):
            return False
        question = self.s.question
        least = act if act.n is None else replace(act, n=1)  # what takes 2 counters changes an object that has 1
        return done(question, least, thing, Look(question, self.scene.x), self.declared.player) is None

    def _done(self, seat: Seat) -> list[Act]:
        """Return the acts that are done to who is chosen for a slot."""
        spoken = [pick.act for pick in picks(self.scene.text) if pick.name == seat.name]
        found = [] if seat.verb in ("", "choose") else spoken
        for act, mode in acts(self.scene.text):
            if mode is None or mode in self.modes:
                here = [p for p in (act.what, act.of) if str(p) == f"${seat.name}"]
                found += [act] if here else []
        return found

    def _barring(self, act: Act, thing: Thing) -> list[Bearing]:
        """Return the norms that keep an act from happening to an object, and that it does not ignore."""
        known = next((v for v in self.rules.verbs if v.name == act.verb), None)
        events = frozenset({act.verb}) if known is None else known.events(act.what)
        bans = self.bearings.bans(Where(events, self.declared.player), thing)
        return [b for b in bans if b.norm.name == "" or b.norm.name not in act.ignores]

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
                if (seat.name, id) in open_ and self.bearings.bears(b, seat.where, self.s.candidates[id])
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
            named = tuple(dict.fromkeys(d.key[1] for d in obliging))
            for id in seat.choices if named else ():
                if id not in named and id in self.s.candidates:
                    choice = {(seat.name, id)}
                    self.row("must.others", choice, 0, 0, about=named, slot=seat.name, object=named)
