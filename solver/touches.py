"""Which of a ruleset's parameters a question depends on, so that open points are asked about only where they matter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lawful.model.act import Act, Success
from lawful.model.declaration import Question
from lawful.model.effect import Modifier, Norm, Prevention, Replacement, Static
from lawful.model.selector import Selector
from lawful.model.slots import acts, plain_text, text_used
from lawful.solver.encode.acts import target
from lawful.solver.encode.due import Plan, asks_x, plans
from lawful.solver.encode.look import Look
from lawful.solver.encode.sources import candidates


class Touched:
    """What a question depends on.

    Parameters
    ----------
    question : Question
        What is asked.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.look = Look(question)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """What may be declared."""
        return plans(self.question)

    @cached_property
    def acts(self) -> tuple[tuple[Act, Success], ...]:
        """Acts that may be done as a cost, of effect-costs and of sources, with the success that they need."""
        due = {e.key: (e.act, e.success) for plan in self.plans for e in plan.effects}
        sources = [(act, Success.CHANGED) for c in candidates(self.question) for _, act in c.acts]
        return (*due.values(), *dict.fromkeys(sources))

    @cached_property
    def in_full(self) -> bool:
        """Whether something has to be done in full that somebody might prevent."""
        rules = self.question.ruleset
        wanted = [
            act
            for act, success in self.acts
            if success is Success.FULL or (success is Success.CHANGED and rules.verb(act.verb).success == "full")
        ]
        events = {rules.verb(act.verb).event or act.verb for act in wanted if act.verb != "gain"}
        return any(ability.on.event in events for ability in self._preventing())

    def _preventing(self) -> Iterator[Prevention | Replacement]:
        for _, _, ability in self.look.in_play():
            if isinstance(ability, Prevention | Replacement):
                yield ability

    def by(self, path: str) -> bool:
        """Tell whether the answer may depend on a parameter.

        Parameters
        ----------
        path : str
            As in a reading: ``assets.h.keep``.

        Returns
        -------
        bool
            True unless it is certain that it does not.
        """
        kind, _, rest = path.partition(".")
        if path == "choosing.unmet":
            return self.question.ruleset.targets_first and self._waits()
        if path == "norming.conflict":
            return self._contested()
        if kind in ("ordering", "at_once", "norming", "choosing", "norms"):
            return False  # of effects, and of what may be declared, not of how it is paid
        if kind == "assets":
            return rest.partition(".")[0] in self._assets()
        if kind in ("ordering", "at_once"):
            return False  # in which order effects apply decides no payment
        if path == "x.free_at_zero":
            return any(plan.has_x for plan in self.plans) and self._modified()
        if path == "x.unknown_in":
            return self._x_elsewhere()
        if path == "level":
            return self._untold()
        if kind == "x":
            return any(plan.has_x for plan in self.plans)
        if kind == "verbs":
            return self._verb(*rest.split("."))
        if kind == "targets_change":
            return self._idle_acts()
        if kind in ("may_decline", "leaving_prevents"):
            return self.in_full
        if kind == "needs_from":
            return any(demand.term.needs for plan in self.plans for demand in plan.demands)
        if kind == "choice_ignores_norms" and not self._protected():
            return False
        if kind in ("chosen_zones", "choice_ignores_norms"):
            picked = [target(act) for act, _ in self.acts if act.verb != "gain"]
            return any(isinstance(who, Selector) and who.whose == "chosen" for who in picked)
        return True

    def _waits(self) -> bool:
        """Whether a part of the text waits for something."""
        return any(act.when is not None for act, _ in acts(text_used(self.question)))

    def _idle_acts(self) -> bool:
        """Whether the text does to what is chosen what may leave it as it is."""
        known = {verb.name: verb for verb in self.question.ruleset.verbs}
        done = [act for act, _ in acts(plain_text(self.question))]
        chooses = any(isinstance(p, Selector) and p.how in ("choose", "target") for a in done for p in (a.what, a.of))
        verbs = [known[act.verb] for act in done if act.verb in known]
        return chooses and any(v.adds or v.removes or v.face or v.counters or v.room for v in verbs)

    def _x_elsewhere(self) -> bool:
        """Whether a card whose cost has X lies where it may have no cost."""
        rules = self.question.ruleset
        said = [r.changes.get("x.unknown_in", "") for p in rules.open_points for r in p.readings]
        zones = {zone for zones in said for zone in zones.split(", ")}
        position, played = self.question.position, self.question.declaration.thing
        there = [t for t in position.things if t.zone in zones and t.id != played]
        return any(asks_x(position.cards[thing.card].cost) for thing in there)

    def _untold(self) -> bool:
        """Whether more points of different kinds may be at hand than are due, so that some are left over."""
        found = [c for c in candidates(self.question) if not c.barred]
        kinds = {asset for c in found for asset, _ in c.gain}
        wild = any(len(self.question.ruleset.asset(asset).declares) > 1 for asset in kinds)
        points = sum(n * c.most for c in found for _, n in c.gain)
        exact = [[d for d in plan.demands if d.term.number == "exactly" and not plan.has_x] for plan in self.plans]
        least = min((sum(d.amount.base for d in demands) for demands in exact), default=0)
        return bool(self.question.ruleset.level == "allocations") and points > least and (len(kinds) > 1 or wild)

    def _assets(self) -> set[str]:
        due = {asset for plan in self.plans for asset in plan.amounts}
        for plan in self.plans:
            for demand in plan.demands:
                due |= {demand.term.asset, *self.question.ruleset.asset(demand.term.asset).accepts}
        return due

    def _modified(self) -> bool:
        lasting = [effect.modifier for effect in self.question.position.lasting]
        static = [a.effect for _, _, a in self.look.in_play() if isinstance(a, Static)]
        return any(isinstance(m, Modifier) and m.modify.startswith("cost.") for m in (*lasting, *static))

    def _contested(self) -> bool:
        """Whether a restriction and something that may go before it are about the same."""
        announced = [effect for _, effect in self.look.of_announced()]
        static = [a.effect for _, _, a in self.look.in_play() if isinstance(a, Static)]
        lasting = [effect.modifier for effect in self.question.position.lasting]
        norms = [n for n in (*announced, *static, *lasting, *self.question.ruleset.norms) if isinstance(n, Norm)]
        known = {verb.name: verb for verb in self.question.ruleset.verbs}

        def called(norm: Norm) -> set[str]:
            event = norm.action.event
            return {event, *(known[event].events() if event in known else ())}

        bans = set[str]().union(*(called(norm) for norm in norms if norm.modality == "cannot"))
        return any(norm.modality != "cannot" and not bans.isdisjoint(called(norm)) for norm in norms)

    def _protected(self) -> bool:
        static = [a.effect for _, _, a in self.look.in_play() if isinstance(a, Static)]
        lasting = [effect.modifier for effect in self.question.position.lasting]
        known = {verb.name: verb for verb in self.question.ruleset.verbs}
        acts = [act for act, _ in self.acts]
        verbs = {event for a in acts for event in (known[a.verb].events(a.what) if a.verb in known else (a.verb,))}
        ruled = [norm for norm in self.question.ruleset.norms if norm.action.event in verbs]
        norms = (*static, *lasting, *ruled)
        return any(isinstance(norm, Norm) and norm.modality == "cannot" for norm in norms)

    def _verb(self, name: str, parameter: str) -> bool:
        if not any(act.verb == name for act, _ in self.acts):
            return False
        status = self.question.ruleset.verb(name).adds
        if parameter != "adds" or status is None:
            return True
        return any(status in thing.status for thing in self.question.position.things)
