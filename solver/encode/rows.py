"""Rows of several choices, and of the declaration itself."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property

from lawful.model.act import Act
from lawful.model.cost import ActTerm, terms
from lawful.model.effect import Activated, Norm, Static
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.priced import costs_of
from lawful.model.selector import Selector
from lawful.model.slots import acts, alone, called, declares, mode_names, parts, picks, refers
from lawful.solver.encode.announcing import labels
from lawful.solver.encode.bearing import Where
from lawful.solver.encode.refusals import Refusals
from lawful.solver.encode.scene import NONE, Choice, Seat


class Rows(Refusals):
    """Writes all rows of one scene."""

    def build(self) -> None:
        """Write all rows: of each object, of requirements, of numbers, of sets, of the declaration."""
        self.scene.seats = list(self._seats())
        self._choices()
        kinds = {(seat.name, id): self._kind(seat, id) for seat in self.scene.seats for id in seat.choices}
        barred: set[Choice] = set()
        for seat in self.scene.seats:
            for id in seat.choices:
                if id in self.s.candidates and self._norms(seat, self.s.candidates[id]):
                    barred.add((seat.name, id))
        self._demands({c for c, fails in kinds.items() if not fails}, barred)
        self._others()
        refused = {next(iter(row.of)) for row in self.scene.rows if row.hi == 0 and len(row.of) == 1}
        self._pairs()
        self._numbers(refused)
        self._totals()
        self._sets()
        self._gate()
        self._whole()

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
            waits = any(pick.act in self._idle_acts for pick in picks(self.scene.text) if pick.name == seat.name)
            if self._tried() or waits:
                least = 0
            elif seat.selector.up_to:
                least = min(top, self.rules.choosing.least)
            elif (seat.target and self.rules.choosing.targets == "exact") or seat.procedure:
                least = top
            else:
                least = min(top, len({c for c in of if c[1] in self.s.candidates} - refused))
            if least:
                self.row("few", of, least, slot=seat.name, least=least)
            self.row("many", of, 0, top, slot=seat.name, most=top)
        procedure = self.scene.text.procedure
        if procedure is not None and procedure.once and len(self.scene.seats) > 1:
            for id in dict.fromkeys(id for seat in self.scene.seats for id in seat.choices):
                of = {(seat.name, id) for seat in self.scene.seats if id in seat.choices}
                if len(of) > 1:
                    self.row("once", of, 0, 1, object=id)

    def _totals(self) -> None:
        """What is chosen for a slot has together as much of a property as the text says; what lacks it adds nothing."""
        for seat in self.scene.seats:
            for test in seat.selector.total:
                named = {"slot": seat.name, "says": "fits.total", "wanted": (test.stat,)}
                of = {(seat.name, id): self._stat(seat, id, test.stat) for id in seat.choices}
                weights: FrozenMap[Choice, int] = FrozenMap({choice: n for choice, n in of.items() if n})
                lo, hi = _bounds(test.op, self.sight.number(test.value, seat.env))
                lo = 0 if self._tried() else max(0, lo)  # where nothing need be chosen, nothing is enough
                role = self._role(seat, "total")
                if hi is not None and hi < lo:
                    self.row(role, NONE, 1, **named)  # type: ignore[arg-type]
                elif lo > 0 or hi is not None:
                    self.row(role, set(weights), lo, hi, weights=weights, **named)  # type: ignore[arg-type]

    def _stat(self, seat: Seat, id: str, name: str) -> int:
        """Return what an object adds to a sum."""
        thing = self.s.candidates.get(id)
        n = 0 if thing is None or thing.seat else self.sight.stat(thing, name, seat.env) or 0
        if n < 0:
            raise LimitReached(
                "totals of numbers below 0", 0, f"{id} has {name} {n}: no choice is judged by such a sum"
            )
        return n

    def _pairs(self) -> None:
        """Tests of a slot that read what was chosen for another one, which takes one object."""
        seats = {seat.name: seat for seat in self.scene.seats}
        for seat in self.scene.seats:
            for name in sorted(refers(seat.selector) & set(seats) - {seat.name}):
                if self._most(seats[name]) != 1:
                    continue
                others = {pick.name for pick in picks(self.scene.text)} - {name}
                plain = alone(seat.selector, others | {name})
                selector = alone(seat.selector, others)
                for first in seats[name].choices:
                    for id in seat.choices:
                        if id not in self.s.candidates or first not in self.s.candidates:
                            continue
                        thing = self.s.candidates[id]
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
                if id in self.s.candidates and self.bearings.bears(b, seat.where, self.s.candidates[id])
            }
            if b.norm.more_than is not None:
                k = self.sight.number(b.norm.more_than, b.env) or 0
                self.row(b.role, of, 0, k, norm=b.key, slot="more", says="cannot.more", holder=b.holder, n=k)
            if b.norm.fewer_than is not None:
                k = self.sight.number(b.norm.fewer_than, b.env) or 0
                no = {"norm": b.key, "slot": "fewer", "says": "cannot.fewer", "holder": b.holder}
                self.row(b.role, of, k, None, or_none=True, n=k, **no)  # type: ignore[arg-type]

    def _gate(self) -> None:
        """What the text does must have something to happen to."""
        gate, text, each = self.rules.choosing.gate, self.scene.text, self.rules.choosing.options == "each"
        if gate == "none" or text.procedure is not None or self._tried():
            return
        here = [(act, mode) for act, mode in acts(text) if mode is None or mode in self.modes]
        unmet = self._idle_acts
        if gate == "any":
            self._some([act for act, _ in here], here, unmet)
            for name in self.modes if each else ():
                mine = [act for act, of in here if of == name]
                self._some(mine, here, unmet, mode_named=name)
            return
        seats = {seat.name: seat for seat in self.scene.seats}
        for act, mode, part, pick in parts(text):
            if act in unmet or (mode is not None and mode not in self.modes):
                continue
            seat = seats.get(pick.name) if pick is not None else None
            if seat is None and not self._found(act, part):
                self.row("gate", NONE, 1, norm=act.verb, says="gate.every", verb=act.verb)
            if seat is not None and not part.up_to:
                of = {(seat.name, id) for id in seat.choices}
                self.row("gate", of, 1, norm=act.verb, says="gate.every", verb=act.verb)

    def _some(
        self, mine: Sequence[Act], here: Sequence[tuple[Act, str | None]], unmet: Sequence[Act], *,
        mode_named: str = "",
    ) -> None:  # fmt: skip
        """Write that one of some acts must be able to happen."""
        text = self.scene.text
        needing = _needing([act for act, _ in here], {pick.name for pick in picks(text)}, unmet)
        if any(act not in needing for act in mine):
            return
        seats, of = {seat.name: seat for seat in self.scene.seats}, set[Choice]()
        asked = [(a, part, pick) for a, name, part, pick in parts(text) if (a, name) in here and a in mine]
        asked = [(act, part, pick) for act, part, pick in asked if act not in unmet]
        for act, part, pick in asked:
            seat = None if pick is None else seats.get(pick.name)
            if seat is None:
                if self._found(act, part):
                    return
                continue
            done = self._done(seat)
            if any(act not in unmet for act in done) or not done:
                of |= {(seat.name, id) for id in seat.choices}
        idle = bool(mine) and self.rules.choosing.unmet == "bars" and all(act in unmet for act in mine)
        if (asked or idle) and mode_named:
            self.row("gate", of, 1, norm=mode_named, says="gate.mode", mode=mode_named)
        elif asked or idle:
            self.row("gate", of, 1)

    @cached_property
    def _idle_acts(self) -> list[Act]:
        """The acts with these modes that wait for what is not so, or go on from such an act."""
        found: list[Act] = []
        for act, mode in acts(self.scene.text) if self.rules.choosing.unmet != "counts" else ():
            after = {a.as_ for a in found if a.as_ is not None}
            goes_on = {act.given} | refers((act.what, act.of, act.when))
            if (mode is None or mode in self.modes) and (goes_on & after or self._unmet(act)):
                found.append(act)
        return found

    def _unmet(self, act: Act) -> bool:
        """Say whether what an act waits for is not so as it is declared; of what is not known yet, that is not said."""
        if act.when is None or self.rules.choosing.unmet == "counts":
            return False
        known = {*self.env, "opponent", "owner"}
        return refers(act.when) <= known and not self.sight.holds(act.when, self.env)

    def _tried(self) -> bool:
        """Say whether it may be declared though nothing is chosen."""
        labels = {*self.scene.text.types, *self.declared.types}
        return any(
            labels.issuperset(attempt.types)
            and labels.isdisjoint(attempt.without)
            and self.sight.holds(attempt.while_, self.env)
            for attempt in self.rules.choosing.attempts
        )

    def _found(self, act: Act, wanted: Selector) -> bool:
        types = called({*self.scene.text.types, *self.declared.types}, self.rules.labels)
        labelled = Where(types, self.declared.player)
        taken = next((v.from_ for v in self.rules.verbs if v.name == act.verb), ())
        zones = wanted.zone or taken or self.rules.choosing.zones or tuple(self.sight.play)
        return any(
            thing.zone in zones
            and self.sight.finds(wanted, thing, self.env)
            and not self._barring(act, thing)
            and not self.bearings.bans(labelled, thing)
            for thing in self.sight.position.things
        )

    def _whole(self) -> None:
        declared, text = self.declared, self.scene.text
        names, chosen = mode_names(self.s.text), self.scene.modes
        if text.modes is not None or chosen:
            n = 0 if text.modes is None else self.sight.number(text.modes.n, self.env) or 0
            up_to = text.modes is not None and text.modes.up_to
            again = text.modes is not None and text.modes.repeat
            fits = 1 <= len(chosen) <= n if up_to else len(chosen) == n
            if not fits or (not again and len(set(chosen)) < len(chosen)) or not set(chosen) <= set(names):
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
        types = called({declares(declared), *declared.types, *labels(self.s.question), *text.types}, self.rules.labels)
        thing = None if declared.thing is None else self.sight.things[declared.thing]
        if thing is not None or declared.kind == "declare":
            for ban in self.bearings.bans(Where(types, declared.player), thing):
                self.row(ban.role, NONE, 1, norm=ban.key, says="cannot.declare", holder=ban.holder)

    def _own_leave(self, thing: Thing) -> bool:
        """Say whether the card itself says that its owner may play it from there."""
        if self.declared.kind != "play" or thing.owner != self.declared.player:
            return False
        env = {**self.env, "self": thing.id, "controller": thing.controller, "owner": thing.owner}
        for ability in self.s.question.position.card(thing).abilities:
            if not isinstance(ability, Static) or not isinstance(ability.effect, Norm):
                continue
            norm = ability.effect
            if norm.modality != "may" or norm.action.event != "play" or norm.action.subject != Ref("self"):
                continue
            # Without a condition it holds; `unless` is one that must not hold.
            if self.sight.holds(norm.while_, env) and (norm.unless is None or not self.sight.holds(norm.unless, env)):
                return True
        return False

    def _used(self, thing: Thing) -> Activated | None:
        """Return the ability that is used."""
        for ability in self.s.question.position.card(thing).abilities:
            if isinstance(ability, Activated) and self.declared.ability in (None, ability.name):
                return ability
        return None

    def _in_its_zone(self, thing: Thing) -> bool:
        """Say whether an ability is used in play, or where its cost takes the object itself from."""
        used = self._used(thing)
        if used is not None and used.zone:
            return thing.zone in used.zone
        if thing.zone in self.sight.play:
            return True
        if self.rules.choosing.outside == "never":
            return False
        verbs = {verb.name: verb.from_ for verb in self.rules.verbs}
        acts_ = [term.act for cost in costs_of(self.s.question) for term in terms(cost) if isinstance(term, ActTerm)]
        where = [verbs.get(act.verb, ()) for act in acts_ if Ref("self") in (act.what, act.of)]
        parts_ = [part for act in acts_ for part in (act.what, act.of) if isinstance(part, Selector)]
        where += [part.zone for part in parts_ if part.is_ == Ref("self")]
        return any(thing.zone in zones and not set(zones) & set(self.sight.play) for zones in where)

    def _from(self) -> None:
        declared = self.declared
        assert declared.thing is not None
        thing = self.s.question.position.thing(declared.thing)
        if declared.kind == "play":
            usual = (thing.zone, thing.owner) == (self.rules.hand, declared.player)
        else:
            used = self._used(thing)
            lies = thing.face == ("up" if used is None else used.face)
            usual = lies and thing.controller == declared.player and self._in_its_zone(thing)
        where = Where(frozenset({declared.kind}), declared.player)
        if not usual and not self.bearings.lets(where, thing) and not self._own_leave(thing):
            role = "from" if declared.kind == "play" else "from.ability"
            self.row(role, NONE, 1, says="from", object=thing.id, by=declared.player)
        if declared.kind == "activate" and thing.id in self.sight.made.mute:
            self.row("from.lost", NONE, 1, says="lost", object=thing.id)


def _bounds(op: str, n: int | None) -> tuple[int, int | None]:
    """Return the least and the most that a comparison with a number lets be; with nothing, nothing can be compared."""
    if n is None:
        return 1, 0
    if op == "ne":
        raise LimitReached("totals of what is chosen", 0, "a sum that must not be some number is judged in costs only")
    least = {"ge": n, "gt": n + 1, "eq": n}.get(op, 0)
    return least, {"le": n, "lt": n - 1, "eq": n}.get(op)


def _needing(here: Sequence[Act], picked: Set[str], unmet: Sequence[Act]) -> list[Act]:
    """Return the acts that need an object: that look for one, are done to a chosen one, or go on from such an act."""
    known, found = set(picked), list[Act]()
    for act in here:
        spoken = {p.name for p in (act.what, act.of) if isinstance(p, Ref)} | {act.given} | refers(act.when)
        if act in unmet or spoken & known or any(isinstance(p, Selector) for p in (act.what, act.of)):
            found.append(act)
            known |= set() if act.as_ is None else {act.as_}
    return found
