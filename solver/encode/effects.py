"""Effect-costs: after every part, in an order that the payer chooses.

What an act needs of an object depends on what was done to it before. So each object that effect-costs can touch has a
table: for every order of the acts and every number of its uses as a source, which of the acts may pick it. The rows are
found by doing the acts to that one object, step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations

from ortools.sat.python import cp_model

from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.solver.encode.acts import done, target
from lawful.solver.encode.amount import Amount
from lawful.solver.encode.chance import chance
from lawful.solver.encode.due import EffectDue
from lawful.solver.encode.effect_terms import HIDDEN, Term, numbers_objects, place_of
from lawful.solver.encode.frame import Frame, most_x
from lawful.solver.encode.laid import barred
from lawful.solver.encode.literals import Linear, total
from lawful.solver.encode.look import Look
from lawful.solver.encode.reach import RULES, has_changed, not_his, preventers
from lawful.solver.encode.sources import Candidate, usage
from lawful.solver.encode.totals import amounts

MANY_EFFECTS = 4


class Effects:
    """The effect-costs of all plans, and their part of the model.

    Parameters
    ----------
    f : Frame
        The model.

    Attributes
    ----------
    terms : tuple of Term
        All that some plan demands.
    touched : frozenset of str
        Ids of objects that some term can pick in some state.
    picked : dict of (int, str) to IntVar
        Whether a term picks an object.
    order : IntVar or None
        Index into `orders`; None where there is nothing to order.
    """

    def __init__(self, f: Frame) -> None:
        self.f = f
        self.look = Look(f.question)
        dues = dict(sorted({e.key: e for plan in f.plans for e in plan.effects}.items(), key=lambda d: place_of(d[0])))
        self.at_once = f.question.ruleset.effects == "at_once"
        if len(dues) > MANY_EFFECTS and not self.at_once:
            raise LimitReached("effect-costs", MANY_EFFECTS, "their orders are looked at one by one")
        self.terms = tuple(self._term(e) for e in dues.values())
        every = range(len(self.terms))
        self._plans_of = tuple(
            frozenset(n for n, plan in enumerate(f.plans) if any(e.key == term.due.key for e in plan.effects))
            for term in self.terms
        )
        self.orders = (tuple(every),) if self.at_once else tuple(permutations(every))
        self.touched = frozenset(thing.id for thing in self.look.position.things if self._reachable(thing))
        self.picked: dict[tuple[int, str], cp_model.IntVar] = {}
        self.order: cp_model.IntVar | None = None
        self._there: dict[tuple[int, str], cp_model.IntVar] = {}
        self.changed: Callable[[str], Linear] | None = None

    @property
    def hides(self) -> bool:
        """Whether chance or a hidden order picks something."""
        return any(t.how in HIDDEN for t in self.terms)

    def _term(self, due: EffectDue) -> Term:
        who = target(due.act) if due.act.verb != "gain" else None
        declaration = self.f.question.declaration
        said = who.n if isinstance(who, Selector) else None
        if isinstance(who, Selector) and said is None and numbers_objects(self.f.question.ruleset, due):
            said = due.act.n
        number = Amount(1) if said is None else self.look.had(said, declaration.player, declaration.thing)
        up_to = isinstance(who, Selector) and who.up_to
        how: str = who.how if isinstance(who, Selector) else "self"
        if due.act.verb == "gain":  # it needs no object and comes too late to pay with
            how = "gain"
        if how == "each" and said is not None:
            how = "choose"
        return Term(due, who, declaration.thing, number, up_to, how)

    def _starts(self, thing: Thing) -> list[Thing]:
        """Return the object in every state that uses as a source can leave it in."""
        mine = [c for c in self.f.sources if thing.id in c.touches]
        gone = [e.gone for e in self.f.effects if e.thing == thing.id and e.gone is not None]
        return [thing, *gone] + [state for _, state in self._used_states(thing, mine)]

    @property
    def _loose(self) -> bool:
        """Whether restrictions are rules that may be dropped, so that a reason can name them."""
        return self.f.literals.mode != "hold" or self.f.literals.releases("restriction")

    def _forbidden(self, term: Term, thing: Thing) -> tuple[str, ...]:
        if (
            isinstance(term.who, Selector)
            and term.who.whose == "chosen"
            and self.f.question.ruleset.choice_ignores_norms
        ):
            return ()
        return barred(self.look, term.due.act, thing)

    def _can(self, term: Term, thing: Thing, norms: bool = True) -> Thing | None:
        """Return the object after a term picked it, or None if it cannot be picked."""
        player = self.f.question.declaration.player
        if isinstance(term.who, Selector) and not self._found(term, thing):
            return None
        # What only gains points is no verb of the ruleset, and names no object.
        verb = self.f.question.ruleset.verb(term.due.act.verb) if isinstance(term.who, Ref) else None
        if thing.id == self._played and not (verb is not None and verb.takes_played):
            return None
        at_once = self.at_once and verb is not None and verb.leaves_as_is  # RR Cost 5: it is done at the same time
        if verb is not None and not at_once and thing.zone != self.look.position.thing(thing.id).zone:
            return None
        if isinstance(term.who, Ref):
            if term.who.name == "self" and term.self_id is None:
                return None  # a bare cost has no object
            if self.look.who(term.who, player, term.self_id) != thing.id:
                return None
        if term.who is None:
            return None
        if norms and self._forbidden(term, thing):
            return None
        return done(self.f.question, term.due.act, thing, self.look, player)

    def _found(self, term: Term, thing: Thing) -> bool:
        """Say whether a term finds an object: as it is then, or as it was before what is paid at the same time."""
        player = self.f.question.declaration.player
        seen = self.look.position.thing(thing.id) if self.at_once else thing
        if not isinstance(term.who, Selector) or thing.id == self._played:
            return False
        if term.how in ("each", *HIDDEN) and not_his(self.f.question, term.who, seen) is not None:
            return False
        if term.who.until is not None and not self.look.finds(term.who.until, seen, player, term.self_id):
            return False
        return self.look.finds(term.who, seen, player, term.self_id)

    @property
    def _played(self) -> str | None:
        declaration = self.f.question.declaration
        return declaration.thing if declaration.kind == "play" else None

    def changes(self, id: str) -> Linear:
        """Return how often a term picks an object and makes it leave, turn or be exhausted."""
        found: Linear = 0
        before = self.look.position.thing(id)
        for (j, picked), variable in self.picked.items():
            act = self.terms[j].due.act
            after = done(self.f.question, act, before, self.look, self.f.question.declaration.player)
            if picked == id and after is not None and has_changed(before, after):
                found = found + variable
        return found

    def _reachable(self, thing: Thing) -> bool:
        """Say whether some term can pick the object in some state."""
        # Only picks change an object, so what no term can do at first, none can do later.
        return bool(self.terms) and any(
            self._can(term, state, not self._loose) is not None or (term.how == "each" and self._found(term, state))
            for state in self._starts(thing)
            for term in self.terms
        )

    def active(self, j: int) -> Linear:
        """Return whether the declared plan has a term, as 0 or 1."""
        key = self.terms[j].due.key
        chosen = [
            p for plan, p in zip(self.f.plans, self.f.plan, strict=True) if any(e.key == key for e in plan.effects)
        ]
        return 1 if len(chosen) == len(self.f.plan) else total(chosen)

    def number(self, j: int) -> Linear:
        """Return how many objects a term picks; 0 where the plan has no such term."""
        term = self.terms[j]
        number: Linear = 0
        for plan, chosen, x in zip(self.f.plans, self.f.plan, self.f.x, strict=True):
            if any(e.key == term.due.key for e in plan.effects):
                number = number + term.number.base * chosen + term.number.per_x * x
        return number

    def build(
        self,
        uses: dict[str, list[tuple[Candidate, Linear]]],
        gone: Mapping[str, tuple[Thing, Linear]] = FrozenMap(),
        changed: Callable[[str], Linear] | None = None,
    ) -> None:
        """Add the effect-costs to the model.

        Parameters
        ----------
        uses : dict
            For every object touched, its sources with the expression of how often each is used.
        gone : mapping
            Objects that a replacement may use up: their state then, and the expression of whether it did.
        changed : callable, optional
            How often an object leaves, is turned or exhausted, as a source too.
        """
        self.changed = changed
        if not self.terms:
            return
        cp = self.f.cp
        if len(self.orders) > 1:
            self.order = cp.new_int_var(0, len(self.orders) - 1, "order of effect-costs")
            self._one_order_each(self.order)
        for id in sorted(self.touched):
            self._table(id, uses.get(id, []), gone.get(id))
        for j, term in enumerate(self.terms):
            self._demand(j, term)
            if term.how != "gain":  # it is done to no object
                self._limits(j, term)
        if self.hides:
            chance(self)

    def _limits(self, j: int, term: Term) -> None:
        """Whose objects pay, and what has to be done in full: each is a rule that keeps an object from being picked."""
        cp, literals = self.f.cp, self.f.literals
        for id in sorted(self.touched):
            thing, picked = self.look.position.thing(id), self.picked[j, id]
            role = not_his(self.f.question, term.who, thing)
            if role is not None:
                cp.add(picked == 0).only_enforce_if(literals.rule(role, about=(id,), verb=term.due.act.verb))
            holders = preventers(self.look, term.due.act, term.due.success, thing)
            if not holders:
                continue
            about = (id, *(holder for holder in holders if holder != RULES))
            rule = literals.rule("full", about=about, what=id, verb=term.due.act.verb)
            if self.f.question.ruleset.leaving_prevents or RULES in holders:
                cp.add(picked == 0).only_enforce_if(rule)
                continue
            for holder in holders:
                cp.add(self._changed(holder) >= 1).only_enforce_if(picked, rule)

    def _changed(self, id: str) -> Linear:
        return self.changes(id) if self.changed is None else self.changed(id)

    def _one_order_each(self, order: cp_model.IntVar) -> None:
        """Terms that are not due stand last, so that an order of those due is one value, not several."""
        for plan, chosen in zip(self.f.plans, self.f.plan, strict=True):
            due = {e.key for e in plan.effects}
            idle = tuple(j for j, term in enumerate(self.terms) if term.due.key not in due)
            if idle:
                fits = [n for n, o in enumerate(self.orders) if o[len(o) - len(idle) :] == idle]
                domain = cp_model.Domain.from_values(fits)
                self.f.cp.add_linear_expression_in_domain(order, domain).only_enforce_if(chosen)

    def _table(self, id: str, uses: list[tuple[Candidate, Linear]], gone: tuple[Thing, Linear] | None) -> None:
        cp, terms = self.f.cp, range(len(self.terms))
        thing = self.look.position.thing(id)
        for j in terms:
            self.picked[j, id] = cp.new_bool_var(f"{self.terms[j].due.act.verb} {id}")
            self._there[j, id] = cp.new_bool_var(f"{id} is there to {self.terms[j].due.act.verb}")
            cp.add(self.picked[j, id] <= self.active(j))
        used = [self._seen(id, c, expression) for c, expression in uses]
        if gone is not None:
            used.append(cp.new_bool_var(f"{id} is used up"))
            cp.add(used[-1] == gone[1])
        picks = [self.picked[j, id] for j in terms]
        there = [self._there[j, id] for j in terms]
        states = self._used_states(thing, [c for c, _ in uses])
        if gone is not None:
            states = [((*n, 0), s) for n, s in states] + [((*n, 1), gone[0]) for n, _ in states]
        columns = ([self.order] if self.order is not None else []) + used + picks + there
        by = [holder for _, state in states for term in self.terms for holder in self._forbidden(term, state)]
        loose = self._loose and bool(by)
        for norms, role, about in (
            (not loose, "effect.distinct", (id,)),
            (True, "restriction", (id, *dict.fromkeys(by))),
        ):
            if role == "restriction" and not loose:
                continue
            rows = {
                ((number,) if self.order is not None else ()) + counts + row
                for number, order in enumerate(self.orders)
                for counts, state in states
                for row in self._rows(order, state, norms)
            }
            if role == "effect.distinct":
                self._unfit(picks + there, rows)
            rule = self.f.literals.rule(role, about=about, what=id)
            cp.add_allowed_assignments(columns, sorted(rows)).only_enforce_if(rule)

    def _unfit(self, last: list[cp_model.IntVar], rows: set[tuple[int, ...]]) -> None:
        """Fix what no row picks, or finds: it does not fit, which is no matter of paying two costs with one object."""
        for column, one in enumerate(last):
            if not any(row[column - len(last)] for row in rows):
                self.f.cp.add(one == 0)

    def _seen(self, id: str, candidate: Candidate, expression: Linear) -> cp_model.IntVar:
        """How often an object was used as a source, as effect-costs see it: they come after that."""
        used = self.f.cp.new_int_var(0, candidate.most, f"{id} used")
        rule = self.f.literals.rule("effect.after", about=(id,))
        self.f.cp.add(used <= expression)  # out of its order, a use may not have been made yet; none is made up
        self.f.cp.add(used >= expression).only_enforce_if(rule)
        return used

    def _used_states(self, thing: Thing, sources: list[Candidate]) -> list[tuple[tuple[int, ...], Thing]]:
        """Return the numbers of uses of an object's sources, with its state then."""
        return usage(self.f.question, sources, thing.id) if sources else [((), thing)]

    def _rows(self, order: tuple[int, ...], thing: Thing, norms: bool) -> list[tuple[int, ...]]:
        """Do the terms in an order to one object: who picks it, and for whom it was there.

        Without `norms`, what a restriction forbids may be as well as not.
        """
        m = len(self.terms)
        rows: list[tuple[int, ...]] = []

        def walk(i: int, state: Thing, picks: tuple[int, ...], there: tuple[int, ...]) -> None:
            if i == m:
                rows.append(picks + there)
                return
            j = order[i]
            mine = self._plans_of[j]
            if any(pick and not mine & self._plans_of[n] for n, pick in enumerate(picks)):
                # No declaration has this term and one that was paid: this one is not due.
                walk(i + 1, state, picks, there)
                return
            after = self._can(self.terms[j], state, norms)
            if after is not None and not norms and self._forbidden(self.terms[j], state):
                walk(i + 1, state, picks, there)
            if after is not None:
                mark = tuple(1 if n == j else v for n, v in enumerate(there))
                walk(i + 1, after, tuple(1 if n == j else v for n, v in enumerate(picks)), mark)
                walk(i + 1, state, picks, mark)
            elif self.terms[j].how == "each" and self._found(self.terms[j], state):
                # "Each" takes all that it finds; what it cannot be done to makes it impossible.
                walk(i + 1, state, picks, tuple(1 if n == j else v for n, v in enumerate(there)))
            else:
                walk(i + 1, state, picks, there)

        walk(0, thing, (0,) * m, (0,) * m)
        return rows

    def _demand(self, j: int, term: Term) -> None:
        """An effect-cost is paid in full: as many objects as it says."""
        f, cp = self.f, self.f.cp
        picks = [self.picked[j, id] for id in sorted(self.touched)]
        rule = f.literals.rule("effect", verb=term.due.act.verb, term=j)
        if term.due.key in f.unpaid:
            for pick in picks:
                cp.add(pick == 0)
            return
        if term.how == "gain":
            return
        if term.how in HIDDEN:
            for pick in picks:
                cp.add(pick == 0)
            return
        picked = total(picks)
        if isinstance(term.who, Selector) and term.who.total:
            amounts(self, j, term.who)
        if f.literals.explains:
            picked = picked + self._imagined(j, term)
        if term.how == "self":
            cp.add(picked == self.active(j)).only_enforce_if(rule)
        elif term.how == "each":
            for id in self.touched:
                cp.add(self.picked[j, id] >= self._there[j, id] + self.active(j) - 1)
            cp.add(picked >= self.active(j)).only_enforce_if(rule)
        elif term.up_to:
            cp.add(picked <= self.number(j)).only_enforce_if(rule)
            least = f.question.ruleset.at_least
            if least:
                some = cp.new_bool_var(f"some to {term.due.act.verb} {j}")  # up to 0 is none
                cp.add(self.number(j) >= 1).only_enforce_if(some)
                cp.add(self.number(j) <= 0).only_enforce_if(some.negated())
                enough = f.literals.rule("at-least", verb=term.due.act.verb, least=least)
                cp.add(picked >= least).only_enforce_if(enough, some)
        else:
            cp.add(picked == self.number(j)).only_enforce_if(rule)

    def most(self, j: int) -> int:
        """Return the most objects that a term can demand."""
        term = self.terms[j]
        mine = [p for p in self.f.plans if any(e.key == term.due.key for e in p.effects)]
        return max((term.number.at(most_x(self.f, p)) for p in mine), default=0)

    def _imagined(self, j: int, term: Term) -> Linear:
        """Further objects that an effect-cost could pick: none, and that is a fact."""
        f = self.f
        more = f.cp.new_int_var(0, max(self.most(j), 1), f"further objects to {term.due.act.verb}")
        there = tuple(
            sorted(id for id in self.touched if self._can(term, self.look.position.thing(id), False) is not None)
        )
        fact = f.literals.fact(f"objects.{j}", verb=term.due.act.verb, number=len(there), about=there)
        f.cp.add(more == 0).only_enforce_if(fact)
        return more
