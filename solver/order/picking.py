"""Picking objects for an act: every way it can be answered, and by whom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.selector import Selector
from lawful.model.unplayed import refuse_chosen_players
from lawful.model.walking import every
from lawful.solver.order.barring import choices, sets_of
from lawful.solver.order.change import operand
from lawful.solver.order.comparing import compared
from lawful.solver.order.frames import CHANCE
from lawful.solver.order.view import View


def picked(act: Act, view: View) -> tuple[str | None, list[tuple[str, ...]]]:
    """Return who picks the objects of an act, and every way to do it."""
    if act.verb == "draw":
        return None, [_drawn(act, view)]
    wanted = operand(act)
    if isinstance(wanted, Ref):
        found = view.ref(wanted)
        return None, [(found,) if isinstance(found, str) else ()]
    who = CHANCE if wanted.how == "random" else view.ref(wanted.by or Ref("chooser"))
    return (who if isinstance(who, str) else None), list(ways(wanted, act, view))


def chooses(act: Act) -> bool:
    """Tell whether whom an act is done to is chosen, or targeted."""
    wanted = operand(act)
    return isinstance(wanted, Selector) and (act.verb == "choose" or wanted.how in ("choose", "target"))


def of_step(act: Act) -> str:
    """Return the name of the step that yields whom an act is done to; empty where none does."""
    wanted = operand(act)
    return wanted.name.partition(" ")[0] if isinstance(wanted, Ref) and not wanted.path else ""


def _drawn(act: Act, view: View) -> tuple[str, ...]:
    player = view.ref(act.of if isinstance(act.of, Ref) else Ref("controller"))
    n = (1 if act.n is None else view.number(act.n)) or 0
    deck = [t.id for t in view.position.things if t.zone == "deck" and t.owner == player]
    view.reads.update((t.id, "zone") for t in view.position.things if t.owner == player)
    return tuple(deck[: max(0, n)])


def ways(wanted: Selector, act: Act, view: View) -> Iterator[tuple[str, ...]]:
    """Yield the ways to pick what a selector asks for."""
    zones = wanted.zone or next((v.from_ for v in view.rules.verbs if v.name == act.verb), ())
    zones = zones or tuple(zone.name for zone in view.rules.zones if zone.play)
    there = []
    by_id = {thing.id: thing for thing in view.position.things}
    for thing in view.position.things:
        if view.finds(wanted, thing):
            view.reads.add((thing.id, "zone"))
            if thing.zone in zones:
                there.append(thing.id)
    how = "choose" if act.verb == "choose" and wanted.how == "each" else wanted.how
    if how in ("each", "count") and wanted.n is None:
        yield tuple(there)
        return
    most = max(0, (1 if wanted.n is None else view.number(wanted.n)) or 0)
    if how == "top" and wanted.among is not None:
        looked = there[: max(0, view.number(wanted.among) or 0)]
        yield from combinations(looked, min(most, len(looked)))
        return
    if how == "top":
        if wanted.until is not None:
            last = wanted.until
            stops = (n for n, id in enumerate(there, 1) if view.finds(last, by_id[id]))
            most = next(stops, len(there))
        yield tuple(there[:most])
        return
    if how in ("choose", "target"):
        found = choices(tuple(there), most, wanted, view)
        yield from (some for some in found if _amount_to(wanted, some, view))
        return
    found = sets_of(tuple(there), most, wanted, view.rules.choosing.least)
    yield from (some for some in found if _amount_to(wanted, some, view))


def _amount_to(wanted: Selector, chosen: tuple[str, ...], view: View) -> bool:
    """Tell whether what is chosen has together what a selector asks for."""
    things = [thing for thing in view.position.things if thing.id in chosen]
    return all(
        compared(sum(view.stat(thing, test.stat) or 0 for thing in things), test.op, view.number(test.value))
        for test in wanted.total
    )


def can_be_done(do: tuple[Act, ...], view: View) -> bool:
    """Tell whether every choice that a text asks for has something to choose, as far as that is known before."""
    refuse_chosen_players(do)
    for act in do:
        for part in (act.what, act.of):
            if not isinstance(part, Selector) or not (act.verb == "choose" or part.how in ("choose", "target")):
                continue
            known = all(view.ref(Ref(ref.name)) is not None for ref in every(part, Ref))
            if known and not any(ways(part, act, view)):
                return False
    return True
