"""Numbers of objects as effects have left them before anything is paid. The referee works them out by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lawful.model.effect import Modifier, Static
from lawful.model.expression import Ref
from lawful.model.selector import Selector
from lawful.solver.encode.amount import Missing

if TYPE_CHECKING:
    from lawful.solver.encode.look import Look

Table = dict[tuple[str, str], int]
Working = tuple[Modifier, str, str | None]


def bending(look: Look) -> tuple[Working, ...]:
    """Return what modifies numbers of objects, each with its controller and its object, by timestamp.

    References
    ----------
    CR 2.2.4 (what a card costs is what is printed, so nothing modifies that), 6.3.4 (timestamps).
    """
    found: list[tuple[int, Working]] = []
    for thing, _, ability in look.in_play():
        if isinstance(ability, Static) and isinstance(ability.effect, Modifier):
            found.append((thing.timestamp, (ability.effect, thing.controller, thing.id)))
    for lasting in look.position.lasting:
        if isinstance(lasting.modifier, Modifier):
            found.append((lasting.timestamp, (lasting.modifier, lasting.controller, lasting.self_id)))
    in_order = sorted(found, key=lambda one: one[0])
    return tuple(one for _, one in in_order if one[0].modify.partition(".")[0] != "cost")


def stats(look: Look) -> Table:
    """Return the numbers of all face-up objects: base values and what modifies them, then the ruleset's stages."""
    plain = replace(look, x=0)
    table: Table = {}
    for thing in look.position.things:
        for name in {*look.position.card(thing).stats, *thing.base, "cost"} if thing.face == "up" else ():
            found = plain.printed(thing, name)
            if found is not None:
                table[thing.id, name] = table[thing.id, f"base.{name}"] = found
    modifiers = bending(look)
    _run([one for one in modifiers if one[0].modify.startswith("base.")], plain, table)
    table.update({(id, name[5:]): n for (id, name), n in table.items() if name.startswith("base.")})
    _run([one for one in modifiers if not one[0].modify.startswith("base.")], plain, table)
    return table


def _run(group: list[Working], plain: Look, table: Table) -> None:
    for stage in plain.question.ruleset.stages:
        for modifier, who, self_id in group:
            if modifier.stage == stage.name:
                before = replace(plain, table=dict(table))
                _apply(modifier, who, self_id, stage.floor, before, table)


def _apply(modifier: Modifier, who: str, self_id: str | None, floor: int | None, before: Look, table: Table) -> None:
    if not isinstance(modifier.of, Ref | Selector) or not before.holds(modifier.while_, who, self_id):
        return
    for thing in before.position.things:
        at = thing.id, modifier.modify
        if at in table and before.about(modifier.of, thing, who, self_id):
            try:
                by = before.number(modifier.amount, who, self_id)
            except Missing:
                continue
            made = {"set": by, "add": table[at] + by, "subtract": table[at] - by, "multiply": table[at] * by}
            changed = made[modifier.operation]
            table[at] = changed if floor is None else max(floor, changed)
