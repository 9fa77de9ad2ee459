"""What is picked for a cost has together as much of a property as the cost says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from lawful.model.selector import Selector
from lawful.solver.encode.amount import compared
from lawful.solver.encode.chance import if_active
from lawful.solver.encode.literals import total

if TYPE_CHECKING:
    from lawful.solver.encode.effects import Effects


def amounts(e: Effects, j: int, who: Selector) -> None:
    """What a term picks has together as much of each property as it asks for; what lacks one adds nothing."""
    declaration, act, look = e.f.question.declaration, e.terms[j].due.act, e.look
    rule = e.f.literals.rule("effect", verb=act.verb, term=j)
    for test in who.total:
        of = {id: look.stat(look.position.thing(id), test.stat) for id in sorted(e.touched)}
        together = total(n * e.picked[j, id] for id, n in of.items() if n)
        wanted = look.fixed(test.value, declaration.player, declaration.thing)
        most = sum(abs(n) for n in of.values()) + abs(wanted) + 1
        fits = [n for n in range(-most, most + 1) if compared(n, test.op, wanted)]
        domain = cp_model.Domain.from_values(fits)
        e.f.cp.add_linear_expression_in_domain(together, domain).only_enforce_if(rule, *if_active(e, j))
