"""What forbids a declaration itself, before anything is paid: conditions, limits and norms."""

from __future__ import annotations

from lawful.model.effect import Activated, Norm, Static
from lawful.model.expression import Ref
from lawful.model.referee.asked import Asked
from lawful.model.referee.demanded import forbidder
from lawful.model.referee.evaluate import holds
from lawful.model.referee.forbid import because
from lawful.model.referee.layers import muted
from lawful.model.verdict import Because

__all__ = ["forbidden"]


def forbidden(asked: Asked) -> Because | None:
    """Return the rule that forbids declaring this at all; None where nothing does.

    Parameters
    ----------
    asked : Asked
        What is declared.

    Returns
    -------
    Because or None
        An ability whose condition does not hold or whose limit is used up, a card or ability that a norm forbids to
        play or to activate, its own text included.

    References
    ----------
    CR 1.0.2, 5.1.2, 5.2.1.
    """
    declaration = asked.question.declaration
    if declaration.thing is None or declaration.kind == "cost":
        return None
    thing = asked.opening.thing(declaration.thing)
    by = None if declaration.judged else forbidder(asked, asked.opening, declaration.kind, thing)
    by = by or _own(asked)
    if by is not None:
        return because(
            asked.ruleset, "restriction", "broken.restriction", (thing.id, by), thing=thing.id, by=by,
            verb=declaration.kind,
        )  # fmt: skip
    if declaration.kind == "activate" and not declaration.judged and thing.id in muted(asked.opening, asked.ruleset):
        return because(asked.ruleset, "restriction", "broken.lost", (thing.id,), thing=thing.id)
    if declaration.kind == "activate" and declaration.cost is None:
        return _ability(asked)
    return None


def _own(asked: Asked) -> str | None:
    """Return the card itself where its own text forbids playing it: it says so wherever it is."""
    if asked.announced is None:
        return None
    thing = asked.opening.thing(asked.announced)
    scope = asked.of_thing(asked.opening, thing)
    for ability in asked.opening.card(thing).abilities:
        norm = ability.effect if isinstance(ability, Static) else None
        if not isinstance(norm, Norm) or norm.modality != "cannot" or norm.action.event != "play":
            continue
        if norm.action.subject != Ref("self") or (norm.while_ is not None and not holds(norm.while_, scope)):
            continue
        if norm.unless is None or not holds(norm.unless, scope):
            return thing.id
    return None


def _ability(asked: Asked) -> Because | None:
    declaration = asked.question.declaration
    thing = asked.opening.thing(declaration.thing or "")
    scope = asked.of_thing(asked.opening, thing)
    for i, ability in enumerate(asked.opening.card(thing).abilities):
        if not isinstance(ability, Activated) or declaration.ability not in (None, ability.name):
            continue
        if not declaration.judged and ability.when is not None and not holds(ability.when, scope):
            return because(asked.ruleset, "restriction", "broken.condition", (thing.id,), thing=thing.id)
        if ability.limit is not None and asked.opening.remaining.get(f"{thing.id}/{i}", ability.limit) <= 0:
            return because(
                asked.ruleset, "limit", "broken.limit", (thing.id,), thing=thing.id, n=ability.limit, per=ability.per
            )
        return None
    return None
