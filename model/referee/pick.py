"""Picking objects: in which ways a text's selector can be answered, and whether a choice can be made at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb

from lawful.model.act import Act
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.limits import Limits
from lawful.model.referee.barring import Picking
from lawful.model.referee.evaluate import Scope, compare, follow, ids, matches, number, select, stat
from lawful.model.referee.moment import Moment
from lawful.model.selector import Selector
from lawful.model.unplayed import refuse_chosen_players
from lawful.model.walking import every

CHOICES = ("choose", "target")


def picks(wanted: Ref | Selector, act: Act, scope: Scope) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which the objects of an act can be picked.

    Parameters
    ----------
    wanted : Ref or Selector
        Which; a reference may stand for a player.
    act : Act
        What they are picked for. To `choose` is to pick one, whatever the selector says of how. Where the selector
        names no zone, objects are looked for where the verb takes them from, else in play.
    scope : Scope
        Where it is read.

    Yields
    ------
    tuple of str
        Ids, in the order of the position. All that match for `each`; one way for each choice, or each result of
        chance; the first ones for `top`. The empty tuple where there is nothing to pick.

    Notes
    -----
    A choice of more than there are takes what there is; a target is not so: all or none. What a norm bars is not
    chosen, and of what must be chosen nothing else is.

    References
    ----------
    CR 1.8.5a (private objects are not chosen unless a text says so).
    """
    if isinstance(wanted, Ref):
        found = follow(wanted, scope)
        yield (found,) if isinstance(found, str) else ()
        return
    found_there = there(wanted, act, scope)
    how = "choose" if act.verb == "choose" and wanted.how == "each" else wanted.how
    if how in ("each", "count") and wanted.n is None:
        yield found_there
        return
    most = _many(wanted, scope)
    if how == "top" and wanted.among is not None:
        looked = found_there[: max(0, number(wanted.among, scope) or 0)]
        yield from combinations(looked, min(most, len(looked)))
        return
    if how == "top":
        yield found_there[:most] if wanted.until is None else _through(wanted.until, found_there, scope)
        return
    if how not in CHOICES:
        yield from (some for some in _sets(found_there, most, wanted, scope) if _amount_to(wanted, some, scope))
        return
    picking = Picking(wanted, act, scope)
    free = tuple(id for id in found_there if not picking.barred(id))
    yield from picking.ways(
        found_there, [some for some in _sets(free, most, wanted, scope) if _amount_to(wanted, some, scope)]
    )


def _amount_to(wanted: Selector, chosen: tuple[str, ...], scope: Scope) -> bool:
    """Tell whether objects have together what a selector asks for; what lacks a property adds nothing."""
    things = [scope.position.thing(id) for id in chosen]
    return all(
        compare(sum(stat(thing, test.stat, scope) or 0 for thing in things), test.op, number(test.value, scope))
        for test in wanted.total
    )


def _through(last: Selector, found: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """Return objects from the first to the one that a selector finds; all of them where it finds none."""
    stops = (n for n, id in enumerate(found, 1) if matches(last, scope.position.thing(id), scope))
    return found[: next(stops, len(found))]


def _sets(there: tuple[str, ...], most: int, wanted: Selector, scope: Scope) -> Iterator[tuple[str, ...]]:
    """Yield the sets of so many, or up to so many from the least of the rules; targets are all there or none is."""
    n = min(most, len(there)) if wanted.how != "target" or most <= len(there) or wanted.up_to else 0
    sizes = range(min(scope.ruleset.choosing.least, n), n + 1) if wanted.up_to else (n,)
    _bounded(len(there), sizes)
    for size in sizes:
        yield from combinations(there, size)


def _bounded(there: int, sizes: Iterable[int]) -> None:
    if sum(comb(there, size) for size in sizes) > Limits().ways:
        raise LimitReached("ways", Limits().ways, "a choice of fewer objects can be played")


def there(wanted: Selector, act: Act, scope: Scope) -> tuple[str, ...]:
    """Return what an act's selector finds; where it names no zone, where the verb takes from, else in play."""
    found = select(wanted, scope)
    if not wanted.zone:
        taken = next((verb.from_ for verb in scope.ruleset.verbs if verb.name == act.verb), ())
        zones = taken or tuple(zone.name for zone in scope.ruleset.zones if zone.play)
        found = tuple(thing for thing in found if thing.zone in zones)
    return ids(found)


def _many(wanted: Selector, scope: Scope) -> int:
    n = 1 if wanted.n is None else number(wanted.n, scope)
    return max(0, n or 0)


def pick(wanted: Ref | Selector, act: Act, moment: Moment) -> Iterator[tuple[tuple[str, ...], Moment]]:
    """Yield the ways of `picks`, each with the moment after; what was picked out of several is in the trace."""
    scope = moment.scope
    named = isinstance(wanted, Selector) and (act.verb == "choose" or wanted.how not in ("each", "count"))
    chooser = follow(wanted.by or Ref("chooser"), scope) if isinstance(wanted, Selector) else None
    for found in picks(wanted, act, scope):
        yield found, (moment.says("effect.chosen", things=found, by=chooser or "") if named and found else moment)


def can_choose(do: tuple[Act, ...], scope: Scope) -> bool:
    """Tell whether every choice that an ability's text asks for can be made now.

    Parameters
    ----------
    do : tuple of Act
        Its steps.
    scope : Scope
        What they refer to.

    Returns
    -------
    bool
        False where a step must choose and there is nothing to choose. A choice that depends on what an earlier step
        yields is not judged before.
    """
    refuse_chosen_players(do)  # a player is no object that could be found, and yet there is one to choose
    return all(_possible(act, selector, scope) for act in do for selector in _selectors(act))


def _selectors(act: Act) -> Iterator[Selector]:
    for part in (act.what, act.of):
        if isinstance(part, Selector) and (act.verb == "choose" or part.how in CHOICES):
            yield part


def _possible(act: Act, selector: Selector, scope: Scope) -> bool:
    if any(follow(Ref(ref.name), scope) is None for ref in every(selector, Ref)):
        return True
    return any(picks(selector, act, scope))
