"""What norms bar and oblige to while play goes on: events that cannot be, objects that cannot or must be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import replace
from lawful.model.limits import Limits
from lawful.model.position import Position, Thing
from lawful.model.ruleset import Ruleset
from lawful.model.selector import Selector
from lawful.solver.order.board import Boards
from lawful.solver.order.change import check_bound
from lawful.solver.order.happens import Happens
from lawful.solver.order.view import Bound, Key, View


class Force(NamedTuple):
    """A norm in force, the look of its text, and its age; the ruleset's own are older than everything."""

    norm: Norm
    view: View
    age: int


def forces(
    position: Position, rules: Ruleset, boards: Boards, who: str, events: Iterable[str], reads: set[Key]
) -> list[Force]:
    """Return the norms in force about events of these names while somebody does something; note what was read."""
    names = set(events)
    for thing in position.things:
        for ability in position.cards[thing.card].abilities:
            norm = ability.effect if isinstance(ability, Static) else None
            if isinstance(norm, Norm) and norm.action.event in names:
                reads.update({(thing.id, "zone"), (thing.id, "face"), (thing.id, "controller")})
    reads.add(("lasting",))
    texts: list[tuple[Norm, dict[str, Bound], int]] = [
        (e.what, {**e.bound, "declarer": who}, e.stamp) for e in boards.norms(position) if isinstance(e.what, Norm)
    ]
    texts += [(norm, {"controller": who, "declarer": who}, -1) for norm in rules.norms]
    found = []
    for norm, bound, age in texts:
        if norm.action.event in names:
            view = View(position, rules, bound, boards, reads)
            if view.holds(norm.while_) and (norm.unless is None or not view.holds(norm.unless)):
                found.append(Force(norm, view, age))
    return found


def prevails(ban: Force, others: Iterable[Force], rules: Ruleset) -> bool:
    """Tell whether a ban is not set aside by what else is said of the same thing."""
    norming = rules.norming
    for other in others:
        if other.norm.modality == "cannot":
            continue
        if ban.norm.name and ban.norm.name in other.norm.ignores:
            return False
        stronger = norming.rank.index(other.norm.modality) < norming.rank.index("cannot")
        newer = other.age > ban.age
        if stronger if norming.conflict == "rank" else newer or (other.age == ban.age and stronger):
            return False
    return True


def left_of(
    batch: tuple[Happens, ...], position: Position, rules: Ruleset, boards: Boards, reads: set[Key]
) -> tuple[Happens, ...]:
    """Return what of a batch no norm forbids."""
    called = [_called(event, rules) for event in batch]
    names = {name for some in called for name in some}
    by_player = {who: forces(position, rules, boards, who, names, reads) for who in {e.by for e in batch}}
    found = []
    for event, known in zip(batch, called, strict=True):
        said = [f for f in by_player[event.by] if f.norm.action.event in known]
        said = [f for f in said if not f.norm.name or f.norm.name not in event.act.ignores]
        here = [f for f in said if f.view.means(replace(f.norm.action, event=event.verb), event)]
        amount = event.amount
        for f in here:
            if f.norm.modality == "cannot" and f.norm.fewer_than is None and prevails(f, here, rules):
                most = (
                    None if f.norm.more_than is None else f.view.having(subject=event.subject).number(f.norm.more_than)
                )
                amount = min(amount, most or 0)
        if amount > 0:
            found.append(event if amount == event.amount else replace(event, amount=amount))
    return tuple(found)


def _called(event: Happens, rules: Ruleset) -> set[str]:
    """Return what norms may call an event: what takes counters away, also by the verb and their kind."""
    rule = next((verb for verb in rules.verbs if verb.name == event.verb), None)
    return {*event.names, *(() if rule is None else rule.events(event.act.what))}


def choices(there: tuple[str, ...], most: int, wanted: Selector, view: View) -> list[tuple[str, ...]]:
    """Return the ways to choose among what is there, as norms allow; one of nobody where there is none.

    Parameters
    ----------
    there : tuple of str
        What the text finds.
    most : int
        How many it asks for.
    wanted : Selector
        Whether it is a target, who chooses, whether fewer will do.
    view : View
        The text's look.
    """
    rules = view.rules
    names = ("choose", "target") if wanted.how == "target" else ("choose",)
    doer, chooser = view.ref(Ref("controller")), view.ref(wanted.by or Ref("chooser"))
    who = doer if isinstance(doer, str) else view.position.turn
    known = [
        f for f in forces(view.position, rules, view.boards, who, names, view.reads)
        if f.norm.action.on is None
        and (f.norm.action.by is None or f.view.ref(f.norm.action.by) == (chooser if isinstance(chooser, str) else ""))
        and _from(f, view)
    ]  # fmt: skip
    about = {id: [f for f in known if _is_about(f, view.thing(id))] for id in there}
    plain = [f for f in known if f.norm.more_than is None and f.norm.fewer_than is None]
    barred = {
        id
        for id, here in about.items()
        if any(f in plain and f.norm.modality == "cannot" and prevails(f, here, rules) for f in here)
    }
    free = tuple(id for id in there if id not in barred)
    sets = sets_of(free, most, wanted, rules.choosing.least)
    for f in known:
        if f.norm.modality == "cannot" and f not in plain:
            sets = [one for one in sets if _within(f, sum(f in about[id] for id in one))]
    musts = _musts(known, about, barred, rules)
    single = {id for n, ids in musts if n == 0 for id in ids}
    if single and rules.norming.must == "hard" and rules.norming.others == "exclusive":
        sets = [one for one in sets if single.issuperset(one)]
    return _obliged(sets, [(max(n, 1), ids) for n, ids in musts], rules.norming.must) or [()]


def sets_of(free: tuple[str, ...], most: int, wanted: Selector, least: int) -> list[tuple[str, ...]]:
    """Return the sets of so many, or up to so many from the least of the rules; targets are all there or none is."""
    n = 0 if wanted.how == "target" and most > len(free) and not wanted.up_to else min(most, len(free))
    sizes = range(min(least, n), n + 1) if wanted.up_to else range(n, n + 1)
    check_bound(sum(comb(len(free), size) for size in sizes), Limits().ways)
    return [one for size in sizes for one in combinations(free, size)]


def _from(f: Force, view: View) -> bool:
    """Tell whether a norm is about choices of the text that asks."""
    wanted = f.norm.action.source
    if wanted is None:
        return True
    thing = view.thing(str(view.bound.get("self", "")))
    return thing is not None and f.view.finds(wanted, thing)


def _is_about(f: Force, thing: Thing | None) -> bool:
    return f.norm.action.subject is None or (thing is not None and f.view.finds(f.norm.action.subject, thing))


def _within(f: Force, n: int) -> bool:
    most, least = f.norm.more_than, f.norm.fewer_than
    if most is not None and n > (f.view.number(most) or 0):
        return False
    return least is None or n == 0 or n >= (f.view.number(least) or 0)


def _musts(
    known: Sequence[Force], about: dict[str, list[Force]], barred: set[str], rules: Ruleset
) -> list[tuple[int, set[str]]]:
    """Return what must be chosen: 0 and one object, or so many of several."""
    found: dict[str, tuple[int, set[str]]] = {}
    for i, f in enumerate(known):
        if f.norm.modality == "must":
            ids = {id for id, here in about.items() if f in here}
            ids = ids if rules.norming.barred == "blocks" else ids - barred
            if f.norm.at_least is None:
                found |= {f"one {id}": (0, {id}) for id in ids}
            else:
                n = f.view.number(f.norm.at_least) or 0
                if ids and n > 0:
                    found[f"of {i}"] = (n, ids)
    return list(found.values())


def _obliged(sets: list[tuple[str, ...]], musts: list[tuple[int, set[str]]], how: str) -> list[tuple[str, ...]]:
    """Return the sets that meet as much of what must be as the ruleset asks for."""
    met = {one: frozenset(i for i, (n, ids) in enumerate(musts) if len(ids.intersection(one)) >= n) for one in sets}
    if how == "hard":
        return [one for one in sets if len(met[one]) == len(musts)]
    if how == "any":
        return [one for one in sets if met[one]] or sets
    if how == "most":
        top = max((len(m) for m in met.values()), default=0)
        return [one for one in sets if len(met[one]) == top]
    return [one for one in sets if not any(met[one] < m for m in met.values())]
