"""Numbers, conditions and selectors, read literally on a position.

A property that an object lacks is not 0: it fails every test, and a number that reads it is absent (`number` gives
None, `value` counts it as 0 where a number must be had).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from lawful.model.expression import (
    Compare,
    Comparison,
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
from lawful.model.frozen import replace
from lawful.model.position import Thing
from lawful.model.referee.scope import Absent, Bound, Scope, base, follow, resolve, stat, types_of
from lawful.model.referee.seen import stat_seen, types_seen
from lawful.model.selector import Selector, Test

__all__ = [
    "Absent",
    "Bound",
    "Scope",
    "base",
    "compare",
    "follow",
    "has",
    "holds",
    "ids",
    "matches",
    "number",
    "of_types",
    "resolve",
    "select",
    "stat",
    "value",
]

_COMPARE: dict[Comparison, Callable[[int, int], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "ge": operator.ge,
    "gt": operator.gt,
}


def value(expression: Expression, scope: Scope) -> int:
    """Return the number that an expression stands for.

    Parameters
    ----------
    expression : Expression
        A number as card or ruleset data writes it.
    scope : Scope
        Where it is read.

    Returns
    -------
    int
        An absent number counts as 0; ask `number` where the difference matters.

    Raises
    ------
    UnknownName
        If it refers to a player or an object that does not exist.

    Examples
    --------
    >>> from lawful.model.frozen import FrozenMap
    >>> from lawful.model.position import Position
    >>> from lawful.model.ruleset import Ruleset
    >>> scope = Scope(Position((), (), FrozenMap(), ""), Ruleset("r", "r", (), "", ()), FrozenMap({"x": 2}))
    >>> value(Sum((Times(3, Ref("x")), 1)), scope)
    7
    """
    found = number(expression, scope)
    return 0 if found is None else found


def number(expression: Expression, scope: Scope) -> int | None:
    """Return the number that an expression stands for, or None where it reads something that is not there.

    Parameters
    ----------
    expression : Expression
        The expression.
    scope : Scope
        Where it is read.

    Returns
    -------
    int or None
        None is *no number*, which fails every test and which no step can use.
    """
    if isinstance(expression, int):
        return expression
    if isinstance(expression, Ref):
        found = follow(expression, scope)
        return found if isinstance(found, int) else None
    if isinstance(expression, Count):
        return len(select(expression.of, scope))
    if isinstance(expression, Times):
        inner = number(expression.of, scope)
        return None if inner is None else expression.factor * inner
    if isinstance(expression, PerPlayer):
        inner = number(expression.of, scope)
        return None if inner is None else scope.position.started * inner
    if isinstance(expression, Holds):
        return int(holds(expression.condition, scope))
    return _together(expression, [number(term, scope) for term in expression.terms])


def _together(expression: Sum | Least | Greatest, numbers: list[int | None]) -> int | None:
    known = [n for n in numbers if n is not None]
    if len(known) < len(numbers):
        return None
    if isinstance(expression, Sum):
        return sum(known)
    if not known:
        return None
    return min(known) if isinstance(expression, Least) else max(known)


def compare(left: int | None, op: Comparison, right: int | None) -> bool:
    """Compare two numbers; where one is absent no comparison holds, not even ``ne``."""
    return left is not None and right is not None and _COMPARE[op](left, right)


def holds(condition: Condition, scope: Scope) -> bool:
    """Tell whether a condition holds.

    Parameters
    ----------
    condition : Condition
        The condition.
    scope : Scope
        Where it is read.

    Returns
    -------
    bool
        A comparison with an absent number does not hold, whichever it is.

    Raises
    ------
    UnknownName
        If it refers to a player or an object that does not exist.

    Examples
    --------
    >>> from lawful.model.frozen import FrozenMap
    >>> from lawful.model.position import Position
    >>> from lawful.model.ruleset import Ruleset
    >>> scope = Scope(Position((), (), FrozenMap(), ""), Ruleset("r", "r", (), "", ()))
    >>> holds(Compare(1, "lt", 2), scope), holds(Not(Compare(1, "lt", 2)), scope)
    (True, False)
    """
    if isinstance(condition, Compare):
        return compare(number(condition.left, scope), condition.op, number(condition.right, scope))
    if isinstance(condition, Every):
        return all(holds(part, scope) for part in condition.conditions)
    if isinstance(condition, Some):
        return any(holds(part, scope) for part in condition.conditions)
    if isinstance(condition, Not):
        return not holds(condition.condition, scope)
    return _fact(condition, scope)


def _fact(fact: Fact, scope: Scope) -> bool:
    player = follow(fact.player, scope)
    return isinstance(player, str) and scope.position.fact(player, fact.key) == fact.value


def select(selector: Selector, scope: Scope) -> tuple[Thing, ...]:
    """Return every object that a selector finds.

    Parameters
    ----------
    selector : Selector
        Which objects; `how`, `n` and `up_to`, which say how many of them are picked, are left to the caller.
    scope : Scope
        Where it is read.

    Returns
    -------
    tuple of Thing
        In the order of the position.
    """
    return tuple(thing for thing in scope.position.things if matches(selector, thing, scope))


def matches(wanted: Ref | Selector, thing: Thing, scope: Scope) -> bool:
    """Tell whether an object is the one referred to, or one that a selector finds.

    Parameters
    ----------
    wanted : Ref or Selector
        A reference finds the object itself, face up or down.
    thing : Thing
        The object.
    scope : Scope
        Where it is read.

    Returns
    -------
    bool
        A face-down object is found only by a selector that asks for face-down, and is blank even then.

    References
    ----------
    CR 1.8.5a, 1.8.6b.
    """
    if isinstance(wanted, Ref):
        return follow(wanted, scope) == thing.id
    return (
        wanted.finds_kind(thing.seat)
        and _as_it_lies(wanted, thing, scope)
        and _as_printed(wanted, thing, scope)
        and (not wanted.any_of or any(_part(part, wanted, thing, scope) for part in wanted.any_of))
        and not any(_part(part, wanted, thing, scope) for part in wanted.none_of)
        and beside(wanted, thing, scope)
        and kindred(wanted, thing, scope)
        and extreme(wanted, thing, scope)
    )


def _part(part: Selector, whole: Selector, thing: Thing, scope: Scope) -> bool:
    """Test one of several descriptions; it speaks of the same face as the whole."""
    return matches(replace(part, face=part.face or whole.face, known=part.known or whole.known), thing, scope)


def beside(wanted: Selector, thing: Thing, scope: Scope) -> bool:
    """Test what an object lies beside, and what lies on it."""
    others = scope.position.things
    near = (
        any(t.id == thing.relations.get(name) and matches(to, t, scope) for t in others)
        for name, to in wanted.near.items()
    )
    borne = (
        any(t.relations.get(name) == thing.id and matches(by, t, scope) for t in others)
        for name, by in wanted.bears.items()
    )
    return all(near) and all(borne)


def kindred(wanted: Selector, thing: Thing, scope: Scope) -> bool:
    """Test whether an object has a trait that one of those it is compared with has, too."""
    if wanted.shares is None:
        return True
    if thing.face == "down" or thing.seat:
        return False
    mine = traits(thing, scope)
    return any(mine & traits(t, scope) for t in scope.position.things if matches(wanted.shares, t, scope))


def traits(thing: Thing, scope: Scope) -> frozenset[str]:
    """Return the types of an object that are traits; capital and small letters are the same."""
    plain = re.compile(scope.ruleset.no_traits or "(?!)", re.IGNORECASE)
    return frozenset(word.casefold() for word in types_of(thing, scope) if not plain.fullmatch(word))


def extreme(wanted: Selector, thing: Thing, scope: Scope) -> bool:
    """Test whether no object that the rest of the selector finds has more, or less, of a property."""
    for prop, sign in ((wanted.highest, 1), (wanted.lowest, -1)):
        if prop is None:
            continue
        rest = replace(wanted, highest=None, lowest=None)
        mine = stat(thing, prop, scope)
        others = (stat(t, prop, scope) for t in scope.position.things if matches(rest, t, scope))
        if mine is None or any(other is not None and sign * other > sign * mine for other in others):
            return False
    return True


def _as_it_lies(wanted: Selector, thing: Thing, scope: Scope) -> bool:
    """Test what can be seen of any object, also of a blank one."""
    return (
        thing.face == (wanted.face or "up")
        and (not wanted.zone or thing.zone in wanted.zone)
        and (wanted.controller is None or thing.controller == follow(wanted.controller, scope))
        and (wanted.owner is None or thing.owner == follow(wanted.owner, scope))
        and (wanted.not_ is None or thing.id != follow(wanted.not_, scope))
        and (wanted.is_ is None or thing.id == follow(wanted.is_, scope))
        and thing.status.issuperset(wanted.status)
        and all(thing.counters.get(kind, 0) >= n for kind, n in wanted.counters.items())
        and all(_related(thing, name, to, scope) for name, to in wanted.relations.items())
    )


def _related(thing: Thing, name: str, to: Ref, scope: Scope) -> bool:
    other = follow(to, scope)
    return other is not None and thing.relations.get(name) == other


def _as_printed(wanted: Selector, thing: Thing, scope: Scope) -> bool:
    """Test what only a face-up object has: its types, its name and its other properties."""
    if (thing.face == "down" and not wanted.known) or thing.seat:
        return not (
            wanted.type or wanted.name is not None or wanted.words or wanted.namesake or wanted.has or wanted.where
        )
    card = scope.position.card(thing)
    return (
        (not wanted.type or of_types(types_seen(thing, scope), wanted.type))
        and wanted.name in (None, card.printed_name, card.name)
        and (wanted.words is None or wanted.words.casefold() in card.printed_name.casefold())
        and (wanted.namesake is None or card.printed_name in names_of(wanted.namesake, scope))
        and all(has(thing, name, scope, wanted.known) for name in wanted.has)
        and all(_passes(test, thing, scope) for test in wanted.where)
    )


def names_of(wanted: Ref | Selector, scope: Scope) -> set[str]:
    """Return the names that a text speaks of: those of objects that have one, or what a reference stands for."""
    position = scope.position
    if isinstance(wanted, Ref):
        meant = follow(wanted, scope)
        named = [thing for thing in position.things if thing.id == meant]
        if not named:
            return {meant} if isinstance(meant, str) else set()
    else:
        named = list(select(wanted, scope))
    return {position.card(thing).printed_name for thing in named if thing.face == "up"}


def _passes(test: Test, thing: Thing, scope: Scope) -> bool:
    """Test a property; ``$it`` is the object itself."""
    return compare(stat_seen(thing, test.stat, scope), test.op, number(test.value, scope.bind(it=thing.id)))


def of_types(types: Iterable[str], wanted: Iterable[str]) -> bool:
    """Tell whether all the types wanted are among some types; capital and small letters are the same.

    Examples
    --------
    >>> of_types(("Action", "Attack"), ("attack",)), of_types(("Action",), ("attack",))
    (True, False)
    """
    return _folded(frozenset(types)).issuperset(_folded(frozenset(wanted)))


@lru_cache(maxsize=4096)
def _folded(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)


def has(thing: Thing, name: str, scope: Scope, known: bool = False) -> bool:
    """Tell whether an object has a property, whatever its value; no cost is not a cost of 0.

    A face-down one has none, but for who may look at it (`known`).

    References
    ----------
    CR 1.8.7.
    """
    if thing.face == "down" and not known:
        return False
    card = scope.position.card(thing)
    if name in ("yields", "cost"):
        return getattr(card, name) is not None
    return name in card.props or stat_seen(thing, name, scope) is not None


def ids(things: Iterable[Thing]) -> tuple[str, ...]:
    """Return the ids of some objects, in their order."""
    return tuple(thing.id for thing in things)
