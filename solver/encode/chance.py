"""What chance takes: effect-costs that pick at random, or what lies on top, must find enough of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from lawful.solver.encode.effect_terms import HIDDEN
from lawful.solver.encode.literals import Linear, total

if TYPE_CHECKING:
    from lawful.solver.encode.effects import Effects


def chance(e: Effects) -> None:
    """What chance takes is gone: what is there, less what it took before, must be enough for every term."""
    f, cp = e.f, e.f.cp
    for number, order in enumerate(e.orders):
        here = _is_order(e, number)
        for place, j in enumerate(order):
            if e.terms[j].how in ("self", "each", "gain") or e.terms[j].due.key in f.unpaid:
                continue
            mine = _picks_from(e, j)
            before = [i for i in order[:place] if e.terms[i].how in HIDDEN and _picks_from(e, i) & mine]
            if e.terms[j].how not in HIDDEN and not before:
                continue
            there = total(e._there[j, id] for id in sorted(mine))
            taken = total(e.number(i) for i in before)
            wanted: Linear = e.number(j)
            if e.terms[j].how not in HIDDEN:  # "up to" takes what it takes, and that must be there
                wanted = total(e.picked[j, id] for id in sorted(mine))
            rule = f.literals.rule("effect", verb=e.terms[j].due.act.verb, term=j)
            if f.literals.explains:
                there = there + e._imagined(j, e.terms[j])
            enough = cp.add(there - taken >= wanted)
            enough.only_enforce_if(rule, *here, *if_active(e, j))


def _picks_from(e: Effects, j: int) -> frozenset[str]:
    found = set()
    for id in e.touched:
        if any(e._can(e.terms[j], s, not e._loose) is not None for s in e._starts(e.look.position.thing(id))):
            found.add(id)
    return frozenset(found)


def _is_order(e: Effects, number: int) -> list[cp_model.IntVar]:
    if e.order is None:
        return []
    here = e.f.cp.new_bool_var(f"order {number}")
    e.f.cp.add(e.order == number).only_enforce_if(here)
    e.f.cp.add(e.order != number).only_enforce_if(here.negated())
    return [here]


def if_active(e: Effects, j: int) -> list[cp_model.IntVar]:
    """Return the literal under which a term is due; none where it always is."""
    active = e.active(j)
    if isinstance(active, int):
        return []
    literal = e.f.cp.new_bool_var(f"term {j} is due")
    e.f.cp.add(literal == active)
    return [literal]
