"""What the encoders of declarations read off a position: numbers as they are now, conditions, who a text means.

The referee has its own reading of the same terms; neither calls the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from lawful.model.cost import plain_amounts
from lawful.model.effect import Ability
from lawful.model.errors import BadInput, Fault
from lawful.model.expression import (
    Compare,
    Condition,
    Count,
    Every,
    Expression,
    Fact,
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
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.solver.encode.amount import compared
from lawful.solver.encode.stats import Made, made

Env: TypeAlias = Mapping[str, str | int]


class Sight:
    """Reads terms on one position.

    Parameters
    ----------
    position : Position
        What is looked at.
    ruleset : Ruleset
        The rules.
    """

    def __init__(self, position: Position, ruleset: Ruleset) -> None:
        self.position, self.ruleset = position, ruleset
        self.things = {thing.id: thing for thing in position.things}
        self.play = frozenset(zone.name for zone in ruleset.zones if zone.play)

    def abilities(self) -> Iterator[tuple[Thing, int, Ability]]:
        """Yield the abilities that work: those of face-up objects in play that have not lost them."""
        for thing in self.position.things:
            if thing.zone in self.play and thing.face == "up" and thing.id not in self.made.mute:
                for number, ability in enumerate(self.position.cards[thing.card].abilities):
                    yield thing, number, ability

    @cached_property
    def made(self) -> Made:
        """What effects have made of objects."""
        return made(self.position, self.ruleset)

    @cached_property
    def stats(self) -> Mapping[tuple[str, str], int]:
        """Current stats by object and name."""
        numbers = self.made.numbers
        if numbers is not None:
            return numbers
        table: dict[tuple[str, str], int] = {}
        for thing in self.position.things:
            if thing.face == "up":
                for name, n in {**self.position.cards[thing.card].stats, **thing.base}.items():
                    table[thing.id, name] = table[thing.id, f"base.{name}"] = n
        return table

    def types(self, thing: Thing) -> frozenset[str]:
        """Return the types of an object that is face up."""
        types = self.made.types
        return frozenset(self.position.cards[thing.card].types) if types is None else types.get(thing.id, frozenset())

    def traits(self, thing: Thing) -> frozenset[str]:
        """Return the types of an object that are traits; a face-down one has none."""
        if thing.face == "down" or thing.seat:
            return frozenset()
        plain = re.compile(self.ruleset.no_traits or "(?!)", re.IGNORECASE)
        return frozenset(word.casefold() for word in self.types(thing) if not plain.fullmatch(word))

    def stat(self, thing: Thing, name: str, env: Env) -> int | None:
        """Return the current value of a stat, or None where the object lacks it."""
        if thing.face == "down":
            return None
        card = self.position.cards[thing.card]
        if name == "cost" and "cost" not in card.stats:
            amounts = None if card.cost is None else plain_amounts(card.cost)
            if amounts is None:
                return None
            # An X that was not declared for this very object is 0 (CR 1.12.2a; 512.3 likewise).
            x = env.get("x", 0) if env.get("declared") == thing.id else 0
            return sum(self.number(amount, {**env, "x": x}) or 0 for amount in amounts)
        return self.stats.get((thing.id, name))

    def number(self, expression: Expression, env: Env) -> int | None:
        """Return a number, or None where it reads what is not there."""
        if isinstance(expression, int):
            return expression
        if isinstance(expression, Ref):
            found = self.what(expression, env)
            return found if isinstance(found, int) else None
        if isinstance(expression, Count):
            return sum(1 for thing in self.position.things if self.finds(expression.of, thing, env))
        if isinstance(expression, Times | PerPlayer):
            inner = self.number(expression.of, env)
            factor = expression.factor if isinstance(expression, Times) else self.position.started
            return None if inner is None else factor * inner
        if isinstance(expression, Holds):
            return int(self.holds(expression.condition, env))
        terms = [self.number(term, env) for term in expression.terms]
        known = [term for term in terms if term is not None]
        if len(known) < len(terms) or (not terms and not isinstance(expression, Sum)):
            return None
        if isinstance(expression, Sum):
            return sum(known)
        return min(known) if isinstance(expression, Least) else max(known)

    def what(self, ref: Ref, env: Env) -> str | int | None:
        """Return what a reference stands for: an id, a player, a word, a number; None for nothing."""
        start = self._start(ref.name, env)
        for at, step in enumerate(ref.path):
            if not isinstance(start, str):
                return None
            thing = self.things.get(start)
            rest = ref.path[at + 1 :]
            if thing is None:
                player = self.position.player(start)
                if step == "pool" and len(rest) == 1:
                    return player.pool.get(rest[0], 0)
                fact = player.facts.get(step) if not rest else None
                return int(fact) if fact is not None and fact.isascii() and fact.isdigit() else fact
            if step in ("controller", "owner"):
                start = thing.controller if step == "controller" else thing.owner
            elif step in thing.relations and not (step == "zone" and not rest):
                start = thing.relations[step]
            else:
                return self._property(thing, step, rest, env)
        return start

    def _start(self, name: str, env: Env) -> str | int | None:
        if name in env:
            return env[name]
        if name == "chooser":
            return self._start("controller", env)
        if name == "opponent":
            mine = self._start("controller", env)
            others = [player.name for player in self.position.players if player.name != mine]
            return others[0] if len(others) == 1 else None
        if name in ("controller", "owner") and "self" in env:
            own = self.things[str(env["self"])]
            return own.controller if name == "controller" else own.owner
        return 0 if name == "x" else None

    def _property(self, thing: Thing, step: str, rest: tuple[str, ...], env: Env) -> str | int | None:
        if step == "zone" and not rest:
            return thing.zone
        if step == "counters" and len(rest) == 1:
            return thing.counters.get(rest[0], 0)
        if thing.face == "down":
            return None
        card = self.position.cards[thing.card]
        if step == "base" and len(rest) == 1:
            return self.stat(thing, f"base.{rest[0]}", env)
        if step == "yields" and len(rest) == 1:
            return None if card.yields is None else card.yields.get(rest[0], 0)
        if rest:
            return None
        if step == "name":
            return card.printed_name
        return card.props[step] if step in card.props else self.stat(thing, step, env)

    def holds(self, condition: Condition | None, env: Env) -> bool:
        """Say whether a condition holds; none holds."""
        if condition is None:
            return True
        if isinstance(condition, Every):
            return all(self.holds(part, env) for part in condition.conditions)
        if isinstance(condition, Some):
            return any(self.holds(part, env) for part in condition.conditions)
        if isinstance(condition, Not):
            return not self.holds(condition.condition, env)
        if isinstance(condition, Fact):
            name = self.what(condition.player, env)
            return isinstance(name, str) and self.position.fact(name, condition.key) == condition.value
        assert isinstance(condition, Compare)
        return _test(self.number(condition.left, env), condition.op, self.number(condition.right, env))

    def means(self, wanted: Ref | Selector, thing: Thing, env: Env) -> bool:
        """Say whether a text means an object: the one referred to, or one that a selector finds."""
        if isinstance(wanted, Ref):
            return self.what(wanted, env) == thing.id
        return self.finds(wanted, thing, env)

    def finds(self, selector: Selector, thing: Thing, env: Env) -> bool:
        """Say whether a selector finds an object."""
        zone = not selector.zone or thing.zone in selector.zone
        return zone and thing.face == (selector.face or "up") and not self.fails(selector, thing, env)

    def fails(self, selector: Selector, thing: Thing, env: Env) -> dict[str, tuple[str, ...]]:
        """Return the tests of a selector that an object fails, zone and face aside, each with what was asked for.

        A face-down object is blank: what it is is not looked at, and fails as ``blank`` where it is asked for.
        """
        failed: dict[str, tuple[str, ...]] = {}
        if not selector.finds_kind(thing.seat):
            return {"player": ()}
        if selector.controller is not None and self.what(selector.controller, env) != thing.controller:
            failed["controller"] = (thing.controller,)
        if selector.owner is not None and self.what(selector.owner, env) != thing.owner:
            failed["owner"] = (thing.owner,)
        if selector.not_ is not None and self.what(selector.not_, env) == thing.id:
            failed["not"] = ()
        if selector.is_ is not None and self.what(selector.is_, env) != thing.id:
            failed["is"] = ()
        if not set(selector.status) <= thing.status:
            failed["status"] = selector.status
        if any(thing.counters.get(kind, 0) < n for kind, n in selector.counters.items()):
            failed["counters"] = tuple(selector.counters)
        for name, ref in selector.relations.items():
            other = self.what(ref, env)
            if other is None or thing.relations.get(name) != other:
                failed.setdefault("relation", (name,))
        for name, near in selector.near.items():
            found = [t for t in self.position.things if t.id == thing.relations.get(name)]
            if not any(self.finds(near, t, env) for t in found):
                failed.setdefault("relation", (name,))
        for name, borne in selector.bears.items():
            found = [t for t in self.position.things if t.relations.get(name) == thing.id]
            if not any(self.finds(borne, t, env) for t in found):
                failed.setdefault("relation", (name,))
        if selector.shares is not None:
            mine = self.traits(thing)
            alike_ = (self.traits(t) for t in self.position.things if self.finds(selector.shares, t, env))
            if not any(mine & other for other in alike_):
                failed["type"] = ()
        for prop, sign in ((selector.highest, 1), (selector.lowest, -1)):
            if prop is not None and not self._extreme(selector, thing, prop, sign, env):
                failed["where"] = (prop,)
        apart = [replace(s, face=s.face or selector.face, known=s.known or selector.known) for s in selector.any_of]
        alike = [self.finds(s, thing, env) for s in apart]
        if selector.any_of and not any(alike):
            failed["any"] = ()
        none = [replace(s, face=s.face or selector.face, known=s.known or selector.known) for s in selector.none_of]
        if any(self.finds(s, thing, env) for s in none):
            failed["none"] = ()
        if thing.seat:
            named = selector.name or selector.words or selector.namesake
            if selector.type or selector.has or selector.where or named:
                failed["type"] = selector.type
            return failed
        if thing.face == "down" and selector.face == "down" and selector.known:
            # Who may look at it sees what is printed.
            thing = replace(thing, face="up")
            return {**failed, **Printed(self.position, self.ruleset).fails_alone(selector, thing, env)}
        if thing.face == "down":
            what = selector.type or selector.has or selector.where
            if what or selector.name is not None or selector.words is not None or selector.namesake is not None:
                failed["blank"] = ()
            return failed
        return {**failed, **self.fails_alone(selector, thing, env)}

    def fails_alone(self, selector: Selector, thing: Thing, env: Env) -> dict[str, tuple[str, ...]]:
        """Return the tests that ask for what a face-up object alone has, and that it fails."""
        failed: dict[str, tuple[str, ...]] = {}
        card = self.position.cards[thing.card]
        types = {word.casefold() for word in self.types(thing)}
        if not {word.casefold() for word in selector.type} <= types:
            failed["type"] = selector.type
        if selector.name not in (None, card.name, card.printed_name):
            failed["name"] = (selector.name or "",)
        if selector.words is not None and selector.words.casefold() not in card.printed_name.casefold():
            failed["words"] = (selector.words,)
        if selector.namesake is not None and card.printed_name not in (names := self._names(selector.namesake, env)):
            failed["name"] = (" / ".join(sorted(names)),) if names else ()
        missing = tuple(name for name in selector.has if not self._has(thing, name, env))
        if missing:
            failed["has"] = missing
        low = [
            t.stat
            for t in selector.where
            if not _test(self.stat(thing, t.stat, env), t.op, self.number(t.value, env))
        ]  # fmt: skip
        if low:
            failed["where"] = tuple(low)
        return failed

    def _names(self, wanted: Ref | Selector, env: Env) -> set[str]:
        """Return the names that a text means: of objects, or what a reference to none stands for."""
        meant = None if isinstance(wanted, Selector) else self.what(wanted, env)
        those = [
            t
            for t in self.position.things
            if (self.finds(wanted, t, env) if isinstance(wanted, Selector) else t.id == meant)
        ]
        if isinstance(wanted, Ref) and not those:
            return {meant} if isinstance(meant, str) else set()
        return {self.position.cards[t.card].printed_name for t in those if t.face == "up"}

    def _extreme(self, selector: Selector, thing: Thing, prop: str, sign: int, env: Env) -> bool:
        """Tell whether nothing else that a selector finds has more of a property; or less, with a sign of -1."""
        rest = replace(selector, highest=None, lowest=None)
        numbers = [self.stat(t, prop, env) for t in self.position.things if self.finds(rest, t, env)]
        mine = self.stat(thing, prop, env)
        return mine is not None and all(n is None or sign * n <= sign * mine for n in numbers)

    def _has(self, thing: Thing, name: str, env: Env) -> bool:
        card = self.position.cards[thing.card]
        if name == "yields":
            return card.yields is not None
        if name == "cost":
            return card.cost is not None
        return name in card.props or self.stat(thing, name, env) is not None


class Printed(Sight):
    """What is printed on objects, whichever way they lie and whatever effects make of them."""

    def types(self, thing: Thing) -> frozenset[str]:
        """Return the printed types."""
        return frozenset(self.position.cards[thing.card].types)

    def stat(self, thing: Thing, name: str, env: Env) -> int | None:
        """Return a base value."""
        if name == "cost":
            return super().stat(thing, name, env)
        return thing.base.get(name, self.position.cards[thing.card].stats.get(name))


def _test(left: int | None, op: str, right: int | None) -> bool:
    return left is not None and right is not None and compared(left, op, right)


def single(number: int | None, what: str) -> int:
    """Return a number that must be there.

    Raises
    ------
    BadInput
        If it reads what is not there.
    """
    if number is None:
        raise BadInput([Fault(f"{what} reads something that is not there")])
    return number
