"""What is declared, before anything is paid: where the card is meanwhile, and which types a text calls it by."""

from __future__ import annotations

from dataclasses import replace

from lawful.model.declaration import Question
from lawful.model.effect import Activated
from lawful.model.expression import Ref
from lawful.model.position import Position
from lawful.model.selector import Selector


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


def bare(subject: Ref | Selector | None, types: tuple[str, ...]) -> bool:
    """Say whether a bare cost, of which only types are known, is what a pattern speaks of."""
    if subject is None:
        return True
    if isinstance(subject, Ref) or subject != Selector(type=subject.type):
        return False
    return {t.casefold() for t in subject.type} <= {t.casefold() for t in types}
