"""What the encoders read off a position before anything is paid: constants, or amounts that grow with X.

The referee has its own reading of the same expressions and selectors; neither calls the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from lawful.model.declaration import Question
from lawful.model.effect import Ability, Modifier, Norm, Static
from lawful.model.expression import (
    Compare,
    Condition,
    Count,
    Every,
    Expression,
    Fact,
    Greatest,
    Holds,
    Least,
    Not,
    PerPlayer,
    Ref,
    Some,
    Sum,
    Times,
)
from lawful.model.position import Position, Thing
from lawful.model.priced import targets_chosen
from lawful.model.selector import Selector, Test
from lawful.solver.encode.amount import Amount, Missing, NotLinear, Unreadable, compared
from lawful.solver.encode.announcing import announced
from lawful.solver.encode.naming import names
from lawful.solver.encode.printed import points
from lawful.solver.encode.stats import Made, made
from lawful.solver.encode.working import working


@dataclass(frozen=True)
class Look:
    """Reads expressions, conditions and selectors on the position before paying.

    Parameters
    ----------
    question : Question
        Its position is read as it is when the card has been announced.
    x : int, optional
        The value of X, where it is looked at one X at a time; None keeps it a variable.
    has_x : bool
        Whether what is paid for has an X at all; where it has none, ``$x`` is 0.
    """

    question: Question
    x: int | None = None
    has_x: bool = True

    @cached_property
    def position(self) -> Position:
        """The position before paying, the announced card where announced cards are."""
        return announced(self.question)

    def amount(self, expression: Expression, controller: str, self_id: str | None = None) -> Amount:
        """Return an expression as a linear function of X.

        Raises
        ------
        NotLinear
            If it is none.
        Unreadable
            If it refers to what is not known before paying.
        Missing
            If it reads what an object lacks.
        """
        if isinstance(expression, int):
            return Amount(expression)
        if isinstance(expression, Ref):
            return self._reference(expression, controller, self_id)
        if isinstance(expression, Count):
            return Amount(sum(1 for t in self.position.things if self.finds(expression.of, t, controller, self_id)))
        if isinstance(expression, Times):
            return Amount(0).plus(self.amount(expression.of, controller, self_id), expression.factor)
        if isinstance(expression, PerPlayer):
            return Amount(0).plus(self.amount(expression.of, controller, self_id), self.position.started)
        if isinstance(expression, Holds):
            return Amount(int(self.holds(expression.condition, controller, self_id)))
        parts = [self.amount(term, controller, self_id) for term in expression.terms]
        if isinstance(expression, Sum):
            return Amount(sum(p.base for p in parts), sum(p.per_x for p in parts))
        if any(p.per_x for p in parts):
            raise NotLinear("the least or greatest of amounts that depend on X")
        if not parts:
            raise Missing("the least or greatest of no amounts")
        pick = min if isinstance(expression, Least) else max
        assert isinstance(expression, Least | Greatest)
        return Amount(pick(p.base for p in parts))

    def number(self, expression: Expression, controller: str, self_id: str | None = None) -> int:
        """Return an expression that does not depend on X."""
        amount = self.amount(expression, controller, self_id)
        if amount.per_x:
            raise NotLinear("a test of X")
        return amount.base

    def fixed(self, expression: Expression, controller: str, self_id: str | None = None) -> int:
        """Return a number where one must be had, which does not depend on X: what is missing is 0 (1.8.7a)."""
        try:
            return self.number(expression, controller, self_id)
        except Missing:
            return 0

    def had(self, expression: Expression, controller: str, self_id: str | None = None) -> Amount:
        """Return an amount where one must be had: what is missing is 0 (1.8.7a)."""
        try:
            return self.amount(expression, controller, self_id)
        except Missing:
            return Amount(0)

    def _reference(self, ref: Ref, controller: str, self_id: str | None) -> Amount:
        if ref.name == "x" and not ref.path:
            if not self.has_x:
                return Amount(0)  # 1.12.2a
            return Amount(0, 1) if self.x is None else Amount(self.x)
        if ref.name == "targets" and not ref.path:
            return Amount(targets_chosen(self.question))
        id = self_id if ref.name == "self" else self.question.declaration.thing
        if ref.name in ("self", "paid", "declared") and id is not None:
            thing = self.position.thing(id)
            if len(ref.path) == 2 and ref.path[0] == "counters":
                return Amount(thing.counters.get(ref.path[1], 0))
            if len(ref.path) == 1 or (len(ref.path) == 2 and ref.path[0] == "base"):
                found = self._stat(thing, ".".join(ref.path))
                if found is None:
                    raise Missing(f"{ref} is no number")
                return Amount(found)
        if ref.name in ("controller", "opponent", "declarer") and len(ref.path) in (1, 2):
            lone = ref.name == "opponent" and len(self.position.players) != 2
            if lone or (len(ref.path) == 2 and ref.path[0] != "pool"):
                raise Missing(f"{ref} is no number")
            player = self.position.player(self.who(Ref(ref.name), controller, self_id))
            if len(ref.path) == 2:
                return Amount(player.pool.get(ref.path[1], 0))
            fact = player.facts.get(ref.path[0], "")
            if fact.isascii() and fact.isdigit():
                return Amount(int(fact))
            raise Missing(f"{ref} is no number")
        raise Unreadable(f"{ref} is not known before paying")

    def who(self, ref: Ref, controller: str, self_id: str | None = None) -> str:
        """Return the player or the object that a reference stands for."""
        declaration = self.question.declaration
        if ref.name in ("self", "paid", "declared"):
            id = self_id if ref.name == "self" else declaration.thing
            if id is None:
                raise Unreadable(f"{ref} stands for nothing here")
            if not ref.path:
                return id
            thing = self.position.thing(id)
            if ref.path == ("controller",):
                return thing.controller
            if ref.path == ("owner",):
                return thing.owner
            if len(ref.path) == 1 and ref.path[0] in thing.relations:
                return thing.relations[ref.path[0]]
        if ref.name == "controller" and not ref.path:
            return controller
        if ref.name == "declarer" and not ref.path:
            return declaration.player
        if ref.name == "owner" and not ref.path:
            return self.position.thing(self_id).owner if self_id else controller
        if ref.name in ("opponent", "chooser") and not ref.path:
            if ref.name == "chooser":
                return controller
            others = [p.name for p in self.position.players if p.name != controller]
            if len(others) == 1:
                return others[0]
        raise Unreadable(f"{ref} is not known before paying")

    def holds(self, condition: Condition | None, controller: str, self_id: str | None = None) -> bool:
        """Say whether a condition holds before paying; no condition holds."""
        if condition is None:
            return True
        if isinstance(condition, Every):
            return all(self.holds(c, controller, self_id) for c in condition.conditions)
        if isinstance(condition, Some):
            return any(self.holds(c, controller, self_id) for c in condition.conditions)
        if isinstance(condition, Not):
            return not self.holds(condition.condition, controller, self_id)
        if isinstance(condition, Fact):
            name = self.who(condition.player, controller, self_id)
            return self.position.fact(name, condition.key) == condition.value
        assert isinstance(condition, Compare)
        try:
            left = self.number(condition.left, controller, self_id)
            right = self.number(condition.right, controller, self_id)
        except Missing:
            return False
        return compared(left, condition.op, right)

    def finds(self, selector: Selector, thing: Thing, controller: str, self_id: str | None = None) -> bool:
        """Say whether a selector matches an object.

        References
        ----------
        CR 1.8.5a, 1.8.6b: a face-down object is seen only by a text that asks for face-down ones.
        """
        if thing.face != (selector.face or "up") or not selector.finds_kind(False):
            return False
        card = self.position.cards[thing.card]
        blank = thing.face == "down" and not selector.known
        if selector.zone and thing.zone not in selector.zone:
            return False
        if selector.type and (blank or not {t.casefold() for t in selector.type} <= self._seen(thing)):
            return False
        if selector.name is not None and (blank or selector.name not in (card.name, card.printed_name)):
            return False
        if selector.words is not None and (blank or selector.words.casefold() not in card.printed_name.casefold()):
            return False
        if selector.namesake is not None and (
            blank or card.printed_name not in names(self, selector.namesake, controller, self_id)
        ):
            return False
        if selector.any_of and not any(
            self._alike(part, selector, thing, controller, self_id) for part in selector.any_of
        ):
            return False
        if any(self._alike(part, selector, thing, controller, self_id) for part in selector.none_of):
            return False
        if selector.controller is not None and thing.controller != self.who(selector.controller, controller, self_id):
            return False
        if selector.owner is not None and thing.owner != self.who(selector.owner, controller, self_id):
            return False
        if not set(selector.status) <= thing.status:
            return False
        if any(thing.counters.get(kind, 0) < n for kind, n in selector.counters.items()):
            return False
        if any(thing.relations.get(k) != self.who(ref, controller, self_id) for k, ref in selector.relations.items()):
            return False
        if selector.is_ is not None and not self._is(selector.is_, thing, controller, self_id):
            return False
        for pairs, bears in ((selector.near, False), (selector.bears, True)):
            for name, other in pairs.items():
                there = [
                    t
                    for t in self.position.things
                    if (t.relations.get(name) == thing.id if bears else thing.relations.get(name) == t.id)
                ]
                if not any(self.finds(other, t, controller, self_id) for t in there):
                    return False
        if selector.shares is not None and thing.face == "up":
            others = (t for t in self.position.things if self.finds(selector.shares, t, controller, self_id))
            if not any(self.traits(thing) & self.traits(t) for t in others):
                return False
        if selector.shares is not None and thing.face == "down":
            return False
        for prop, sign in ((selector.highest, 1), (selector.lowest, -1)):
            if prop is not None and not self._extreme(selector, thing, prop, sign, controller, self_id):
                return False
        if selector.not_ is not None and thing.id == self.who(selector.not_, controller, self_id):
            return False
        if any(blank or not self._has(thing, prop) for prop in selector.has):
            return False
        return all(not blank and self._passes(test, thing, controller, self_id) for test in selector.where)

    def _extreme(
        self, selector: Selector, thing: Thing, prop: str, sign: int, controller: str, self_id: str | None
    ) -> bool:
        """Say whether nothing else that a selector finds has more of a property; or less, with a sign of -1."""
        rest = replace(selector, highest=None, lowest=None)
        mine = self._stat(thing, prop)
        found = [self._stat(t, prop) for t in self.position.things if self.finds(rest, t, controller, self_id)]
        return mine is not None and all(n is None or sign * n <= sign * mine for n in found)

    def _passes(self, test: Test, thing: Thing, controller: str, self_id: str | None) -> bool:
        """Say whether an object passes a test; what it lacks passes none (1.8.7)."""
        try:
            value = self.printed(thing, test.stat) if thing.face == "down" else self._stat(thing, test.stat)
            return value is not None and compared(value, test.op, self.number(test.value, controller, self_id))
        except Missing:
            return False

    @cached_property
    def made(self) -> Made:
        """What effects have made of objects."""
        return made(self.position, self.question.ruleset)

    def types(self, thing: Thing) -> set[str]:
        """Return the types of an object that is face up, as effects have left them, case aside."""
        types = self.made.types
        return {
            t.casefold() for t in (self.position.cards[thing.card].types if types is None else types.get(thing.id, ()))
        }

    def _seen(self, thing: Thing) -> set[str]:
        return {t.casefold() for t in self.position.card(thing).types} if thing.face == "down" else self.types(thing)

    def traits(self, thing: Thing) -> set[str]:
        """Return the types of an object that two cards can share."""
        plain = re.compile(self.question.ruleset.no_traits or "(?!)", re.IGNORECASE)
        return {word for word in self.types(thing) if not plain.fullmatch(word)}

    def _stat(self, thing: Thing, stat: str) -> int | None:
        """Return a number of an object as it is now, None where it has none; a face-down object is blank."""
        if thing.face == "down":
            return None
        numbers = self.made.numbers
        if numbers is None or stat == "cost":  # nothing modifies what a card costs
            return self.printed(thing, stat)
        return numbers.get((thing.id, stat))

    def printed(self, thing: Thing, stat: str) -> int | None:
        """Return a base value of an object: as an effect changed it for good, else as printed; None without one.

        References
        ----------
        CR 1.8.7 (no cost is not a cost of 0), 1.12.2a, 5.1.2a (X is 0 but on the card for which it is declared).
        """
        card, stat = self.position.cards[thing.card], stat.removeprefix("base.")
        cost = card.cost
        if stat in thing.base:
            return thing.base[stat]
        if stat != "cost" or stat in card.stats or cost is None:
            return card.stats.get(stat)
        declared = self.question.declaration.thing == thing.id and thing.zone == self.question.ruleset.announced

        def read(x: int | None) -> int | None:
            look = replace(self, x=x)
            return points(cost, lambda amount: look.number(amount, thing.controller, thing.id))

        if declared:
            return read(self.x)
        untold = thing.zone in self.question.ruleset.x.unknown_in and read(0) != read(1)
        return None if untold else read(0)

    def _alike(self, part: Selector, whole: Selector, thing: Thing, controller: str, self_id: str | None) -> bool:
        """Say whether one of several descriptions finds an object; it looks for the face that the whole looks for."""
        looked_for = replace(part, face=part.face or whole.face, known=part.known or whole.known)
        return self.finds(looked_for, thing, controller, self_id)

    def _is(self, ref: Ref, thing: Thing, controller: str, self_id: str | None) -> bool:
        bare = ref.name in ("paid", "declared") and self.question.declaration.thing is None
        return not bare and self.who(ref, controller, self_id) == thing.id

    def stat(self, thing: Thing, name: str) -> int:
        """Return a number of an object; one that it lacks is 0."""
        return self._stat(thing, name) or 0

    def _has(self, thing: Thing, prop: str) -> bool:
        card = self.position.cards[thing.card]
        if prop == "yields":
            return card.yields is not None
        if prop == "cost":
            return card.cost is not None
        return prop in card.stats or prop in thing.base or prop in card.props

    def in_play(self) -> tuple[tuple[Thing, int, Ability], ...]:
        """Return the abilities that work, with their numbers, by timestamp: those of face-up objects in play."""
        return self._working

    _working = cached_property(working)

    def of_announced(self) -> Iterator[tuple[Thing, Modifier | Norm]]:
        """Yield what the card that is being played says by itself; it is in no zone of play."""
        declaration = self.question.declaration
        if declaration.kind == "play" and declaration.thing is not None:
            thing = self.position.thing(declaration.thing)
            for ability in self.position.card(thing).abilities:
                if isinstance(ability, Static) and isinstance(ability.effect, Modifier | Norm):
                    yield thing, ability.effect

    def forbidden(
        self, verb: str, thing: Thing, user: str | None = None,
        *, named: bool = False, what: object = None, ignores: tuple[str, ...] = (),
    ) -> tuple[str, ...]:  # fmt: skip
        """Return the ids of objects whose `cannot` norms forbid the payer, or the user named, a verb on an object."""
        from lawful.solver.encode.laid import said, unanswered  # what lies on no object is read with its own references

        there = said(self, verb, thing, user, named=named, what=what)
        return tuple(unanswered(self.question.ruleset, there, there, ignores))

    def spoken_of(self, wanted: Ref | Selector, controller: str, self_id: str | None) -> bool:
        """Say whether what is declared is what a norm speaks of; a bare cost is known by its types only."""
        declaration = self.question.declaration
        if declaration.thing is not None:
            return self.about(wanted, self.position.thing(declaration.thing), controller, self_id)
        if isinstance(wanted, Ref) or wanted != Selector(type=wanted.type):
            return False
        return {t.casefold() for t in wanted.type} <= {t.casefold() for t in declaration.types}

    def about(self, subject: Ref | Selector | None, thing: Thing, controller: str, self_id: str | None) -> bool:
        """Say whether a pattern's subject is this object."""
        if subject is None:
            return True
        if isinstance(subject, Ref):
            return self.who(subject, controller, self_id) == thing.id
        return self.finds(subject, thing, controller, self_id)
