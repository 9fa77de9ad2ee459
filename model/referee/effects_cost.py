"""Effect-costs: acts that are due as a cost, done after every asset part, in the order that the payer likes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from lawful.model.act import Act, Success
from lawful.model.expression import Expression, Ref
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Choice
from lawful.model.position import Thing
from lawful.model.referee.chance import can_be_dealt
from lawful.model.referee.demanded import barred, done, object_of, possible
from lawful.model.referee.evaluate import Scope, compare, follow, matches, number, select, stat, value
from lawful.model.referee.forbid import because
from lawful.model.referee.hinder import RULES, hinderers, wanted
from lawful.model.referee.reach import out_of_reach
from lawful.model.referee.table import Table
from lawful.model.ruleset import Ruleset, Verb
from lawful.model.selector import Selector
from lawful.model.verdict import Because

__all__ = ["is_free_of_choice", "next_terms", "open_terms", "pay_effect", "picks"]


def open_terms(table: Table) -> tuple[int, ...]:
    """Return the effect-costs that are not paid yet."""
    paid = {choice.term for choice in table.choices}
    return tuple(i for i in range(len(table.due.effects)) if i not in paid)


def next_terms(table: Table) -> tuple[int, ...]:
    """Return the effect-costs that may be paid next: any, or the first one where there is no order."""
    return open_terms(table)[:1] if table.asked.ruleset.effects == "at_once" else open_terms(table)


def is_free_of_choice(act: Act, rules: Ruleset) -> bool:
    """Tell whether a payer has nothing to choose in an act: its object is named, or chance or the text picks it."""
    if isinstance(act.what, FrozenMap):
        return True
    named = object_of(act)
    return isinstance(named, Ref) or named.how in ("random", "top") or _takes_all(act, named, rules)


def _takes_all(act: Act, named: Selector, rules: Ruleset) -> bool:
    return named.how == "each" and _said(act, named, rules) is None


def _said(act: Act, named: Selector, rules: Ruleset) -> Expression | None:
    """Return the number of objects as the text says it; the act's own number may be of counters, or of damage."""
    verb = rules.verb(act.verb)
    of_counters = verb.counters or verb.puts or verb.places is not None or isinstance(act.what, str)
    return named.n if named.n is not None or of_counters else act.n


def _wanted(act: Act, named: Selector, scope: Scope) -> int:
    said = _said(act, named, scope.ruleset)
    return 1 if said is None else value(said, scope)


def picks(table: Table, i: int) -> Iterator[tuple[str, ...]]:
    """Yield everything that an effect-cost could be paid with now.

    Parameters
    ----------
    table : Table
        The state of the payment, all parts paid.
    i : int
        Which effect-cost.

    Yields
    ------
    tuple of str
        Ids, sorted; empty where chance or a hidden order picks.
    """
    act = table.due.effects[i].act
    if isinstance(act.what, FrozenMap):
        yield ()
        return
    named, scope = object_of(act), table.asked.scope(table.position)
    if isinstance(named, Ref):
        yield (str(follow(named, scope)),)
        return
    found = _found(table, named, _reading(table))
    if named.how in ("random", "top"):
        yield ()
    elif _takes_all(act, named, table.asked.ruleset):
        yield tuple(sorted(thing.id for thing in found))
    else:
        most = _wanted(act, named, scope)
        least = min(table.asked.ruleset.at_least, max(0, most))
        for n in range(least, most + 1) if named.up_to else (most,):
            for things in combinations(found, max(0, n)):
                if _amounts_to(named, things, _reading(table)):
                    yield tuple(sorted(thing.id for thing in things))


def _amounts_to(named: Selector, things: Iterable[Thing], scope: Scope) -> bool:
    """Tell whether objects have together what a selector asks for; what lacks a property adds nothing."""
    there = tuple(things)
    return all(
        compare(sum(stat(t, test.stat, scope) or 0 for t in there), test.op, number(test.value, scope))
        for test in named.total
    )


def _found(table: Table, named: Selector, scope: Scope) -> tuple[Thing, ...]:
    """Return what a selector finds now; the card that is being played is no object of an effect-cost."""
    found = (thing for thing in select(named, scope) if thing.id != table.asked.announced)
    return tuple(thing for thing in found if out_of_reach(table.asked, named, thing) is None)


def _reading(table: Table) -> Scope:
    """Return where the selectors of effect-costs are read: now, or before all that is paid at the same time."""
    asked = table.asked
    return asked.scope(asked.opening if asked.ruleset.effects == "at_once" else table.position)


def pay_effect(table: Table, choice: Choice) -> Table | Because:
    """Pay one effect-cost.

    Parameters
    ----------
    table : Table
        The state of the payment, all parts paid.
    choice : Choice
        What it is paid with.

    Returns
    -------
    Table or Because
        The state after, or the rule that forbids it.

    References
    ----------
    CR 1.14.4b, 5.1.8a, 5.1.9.
    """
    rules = table.asked.ruleset
    if choice.term not in open_terms(table):
        return because(rules, "effect", "broken.effect.known", n=choice.term + 1)
    act = table.due.effects[choice.term].act
    if isinstance(act.what, FrozenMap):
        return _gain(table, choice, act)
    named, scope = object_of(act), table.asked.scope(table.position)
    if isinstance(named, Selector) and named.how in ("random", "top"):
        return _leave_to_chance(table, choice, act, named, scope)
    wrong = _wrong_number(table, choice, act, named, scope)
    if wrong is not None:
        return wrong
    return _do(table, choice, act, named, scope)


def _paid(table: Table, choice: Choice) -> Table:
    return replace(table, choices=(*table.choices, choice))


def _gain(table: Table, choice: Choice, act: Act) -> Table | Because:
    """Gain assets: they come too late for any part."""
    if choice.things:
        return _not_payable(table, act, choice.things)
    late, scope = dict(table.late), table.asked.scope(table.position)
    assert isinstance(act.what, FrozenMap)
    for asset, amount in act.what.items():
        late[table.asked.ruleset.asset(asset).id] = late.get(asset, 0) + value(amount, scope)
    return replace(_paid(table, choice), late=FrozenMap(late))


def _wrong_number(table: Table, choice: Choice, act: Act, named: Ref | Selector, scope: Scope) -> Because | None:
    """Return what is broken where too few, too many or unsorted objects are named."""
    if isinstance(named, Ref):
        right = choice.things == (follow(named, scope),)
    elif len(set(choice.things)) < len(choice.things):
        right = False
    elif _takes_all(act, named, table.asked.ruleset):
        everything = {thing.id for thing in _found(table, named, scope)}
        right = bool(everything) and set(choice.things) == everything
    else:
        most = _wanted(act, named, scope)
        least = min(table.asked.ruleset.at_least, max(0, most))
        right = least <= len(choice.things) <= most if named.up_to else len(choice.things) == most
        chosen = (table.asked.opening.thing(id) for id in choice.things)
        right = right and _amounts_to(named, chosen, _reading(table))
    return None if right else _not_payable(table, act, choice.things)


def _do(table: Table, choice: Choice, act: Act, named: Ref | Selector, scope: Scope) -> Table | Because:
    """Do the act to every object chosen, all of them found at the same time."""
    verb, position, hindered = table.asked.ruleset.verb(act.verb), table.position, list(table.hindered)
    success = wanted(verb, table.due.effects[choice.term].success)
    found = {thing.id for thing in select(named, _reading(table))} if isinstance(named, Selector) else None
    for id in choice.things:
        thing = table.position.thing(id)
        by = None if ignores(table, named) else barred(table.asked, table.position, verb, act, thing)
        if by is not None:
            return because(
                table.asked.ruleset, "restriction", "broken.restriction", (id, by), thing=id, by=by, verb=act.verb
            )
        # 3.0.12: an object that has moved is not the one referred to any more.
        refused = out_of_reach(table.asked, named, thing) if isinstance(named, Selector) else None
        if refused is not None and found is not None and id in found:
            return because(table.asked.ruleset, refused, "broken.control", (id,), thing=id, verb=act.verb)
        there = id in found if found is not None else _still_there(table, verb, thing)
        played = id == table.asked.announced and not (isinstance(named, Ref) and verb.takes_played)
        if played or not there or not possible(verb, act, thing, scope):
            return _not_there(table, act, id)
        hinder = hinderers(table.asked, verb, act, thing) if success is Success.FULL else ()
        if hinder and (table.asked.ruleset.leaving_prevents or RULES in hinder):
            about = (id, *filter(None, hinder))
            return because(table.asked.ruleset, "full", "broken.full", about, thing=id, verb=act.verb)
        hindered += [(id, hinder)] if hinder else []
        position = position.with_thing(done(verb, act, thing, scope))
    chosen = set(choice.things)
    left = tuple((objects - chosen, n) for objects, n in table.chance)
    if not can_be_dealt(left):
        return _not_payable(table, act, choice.things, "effect.distinct")
    return replace(_paid(table, choice), position=position, chance=left, hindered=tuple(hindered))


def _still_there(table: Table, verb: Verb, thing: Thing) -> bool:
    """Tell whether an object that the text names is where it was; what leaves it as it is can be done at the same time.

    References
    ----------
    RR Cost 5: several costs are paid at the same time.
    """
    at_once = table.asked.ruleset.effects == "at_once" and verb.leaves_as_is
    return at_once or thing.zone == table.asked.opening.thing(thing.id).zone


def ignores(table: Table, named: Ref | Selector) -> bool:
    """Tell whether a cost that the payer chooses for goes before what protects an object."""
    chosen = isinstance(named, Selector) and named.whose == "chosen"
    return chosen and table.asked.ruleset.choice_ignores_norms


def _leave_to_chance(table: Table, choice: Choice, act: Act, named: Selector, scope: Scope) -> Table | Because:
    """Let chance or a hidden order pick: there must be enough of them, which are gone afterwards."""
    verb, n = table.asked.ruleset.verb(act.verb), _wanted(act, named, scope)
    # "Until an ally is discarded": nobody knows how many that are, but there must be one.
    there = frozenset(
        thing.id
        for thing in _found(table, named, scope)
        if (named.until is None or matches(named.until, thing, scope))
        and possible(verb, act, thing, scope)
        and barred(table.asked, table.position, verb, act, thing) is None
    )
    after = (*table.chance, (there, n))
    if choice.things or len(there) < n or not can_be_dealt(after):
        return _not_payable(table, act, choice.things)
    return replace(_paid(table, choice), chance=after)


def _not_payable(table: Table, act: Act, things: tuple[str, ...], role: str = "effect") -> Because:
    if not things:
        return because(table.asked.ruleset, role, "broken.effect.nothing", verb=act.verb)
    return because(table.asked.ruleset, role, "broken.effect", things, verb=act.verb, things=things)


def _not_there(table: Table, act: Act, id: str) -> Because:
    """Name the rule by what happened to the object: used as a source, taken by another effect-cost, or neither."""
    rules = table.asked.ruleset
    if id == table.asked.announced:
        return because(rules, "announced", "broken.announced", (id,), thing=id)
    if any(id in choice.things for choice in table.choices):
        return because(rules, "effect.distinct", "broken.effect.distinct", (id,), thing=id, verb=act.verb)
    if any(id == use.thing or id in use.replaced for use in table.uses):
        return because(rules, "effect.after", "broken.effect.gone", (id,), thing=id, verb=act.verb)
    return _not_payable(table, act, (id,))
