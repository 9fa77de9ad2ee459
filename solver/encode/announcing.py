"""What is declared, before anything is paid: where the card is meanwhile, and which types a text calls it by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lawful.model.declaration import Question
from lawful.model.effect import Activated, Additional
from lawful.model.expression import Ref
from lawful.model.position import Position, Thing
from lawful.model.selector import Selector
from lawful.model.slots import used_in_playing

if TYPE_CHECKING:
    from lawful.solver.encode.look import Look


def announced(question: Question) -> Position:
    """Return the position with the card being played where announced cards are (it leaves first)."""
    declaration, position = question.declaration, question.position
    if declaration.kind != "play" or declaration.thing is None or question.ruleset.announced is None:
        return position
    thing = position.thing(declaration.thing)
    status = thing.status | {f"from {thing.zone}"}
    return position.with_thing(replace(thing, zone=question.ruleset.announced, status=status))


def labels(question: Question) -> frozenset[str]:
    """Return the types by which a text may speak of a declaration: of the card played, of the ability used."""
    declaration = question.declaration
    if declaration.thing is None or declaration.kind not in ("play", "activate"):
        return frozenset(declaration.types)
    card = question.position.card(question.position.thing(declaration.thing))
    if declaration.kind == "play":
        return frozenset(card.types)
    for ability in card.abilities:
        if isinstance(ability, Activated) and declaration.ability in (None, ability.name):
            return frozenset(ability.types)
    return frozenset(declaration.types)


def is_labelled(look: Look, added: Additional, holder: Thing) -> bool:
    """Say whether a declaration has the labels that an additional cost asks for, while its condition holds."""
    question = look.question
    known = {*labels(question), *question.declaration.types, *(act.verb for act in question.declaration.do)}
    known.update(*(ability.types for ability in used_in_playing(question)))
    wanted = {word.casefold() for word in added.types}
    return wanted <= {word.casefold() for word in known} and look.holds(added.when, holder.controller, holder.id)


def bare(subject: Ref | Selector | None, types: tuple[str, ...]) -> bool:
    """Say whether a bare cost, of which only types are known, is what a pattern speaks of."""
    if subject is None:
        return True
    if isinstance(subject, Ref) or subject != Selector(type=subject.type):
        return False
    return {t.casefold() for t in subject.type} <= {t.casefold() for t in types}
