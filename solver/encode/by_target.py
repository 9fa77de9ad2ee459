"""Modifiers of a cost that ask what is targeted."""

from __future__ import annotations

from lawful.model.declaration import Question
from lawful.model.effect import Additional, Modifier, Static
from lawful.model.expression import Ref
from lawful.model.position import Position
from lawful.model.selector import Pattern, Selector
from lawful.solver.encode.look import Look
from lawful.solver.encode.sight import Sight


def is_target(
    question: Question, wanted: Ref | Selector, position: Position, id: str, who: str, self_id: str | None
) -> bool:
    """Say whether an object, as a target of what is declared, is one that a modifier of the cost speaks of."""
    chosen = position.named((id,))
    if not chosen:
        return False
    declared = question.declaration.thing
    env: dict[str, str | int] = {"controller": who}
    env |= {} if declared is None else {"declared": declared, "paid": declared}
    env |= {} if self_id is None else {"self": self_id, "owner": position.thing(self_id).owner}
    return Sight(position, question.ruleset).means(wanted, chosen[0], env)


def on_target(look: Look, pattern: Pattern, who: str, self_id: str | None) -> bool:
    """Say whether a declaration has a target that a pattern asks for, or the pattern asks for none."""
    if pattern.on is None:
        return True
    chosen = {id for ids in look.question.declaration.targets.values() for id in ids}
    return any(is_target(look.question, pattern.on, look.position, id, who, self_id) for id in chosen)


def by_target(question: Question) -> list[tuple[Ref | Selector, str, str | None]]:
    """Return what changes the cost and asks what is targeted: whom it means, and whose text it is."""
    found: list[tuple[Ref | Selector, str, str | None]] = []
    look = Look(question)
    for thing, _, ability in look.in_play():
        if isinstance(ability, Static) and isinstance(ability.effect, Modifier):
            of = ability.effect.of
            if isinstance(of, Pattern) and of.on is not None:
                found.append((of.on, thing.controller, thing.id))
        if isinstance(ability, Additional) and ability.to is not None and ability.to.on is not None:
            found.append((ability.to.on, thing.controller, thing.id))
    for lasting in look.position.lasting:
        of = lasting.modifier.of if isinstance(lasting.modifier, Modifier) else None
        if isinstance(of, Pattern) and of.on is not None:
            found.append((of.on, lasting.controller, lasting.self_id))
    return found
