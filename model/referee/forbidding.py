"""What forbids a declaration itself, before anything is paid: conditions, limits and norms."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.model.effect import Activated, Norm, Static
from lawful.model.expression import Ref
from lawful.model.referee.asked import Asked
from lawful.model.referee.declared import in_use
from lawful.model.referee.demanded import forbidder
from lawful.model.referee.evaluate import holds
from lawful.model.referee.forbid import because
from lawful.model.referee.layers import muted
from lawful.model.referee.norms import Held
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
    named, own = (declaration.kind, *sorted(asked.labels)), tuple(_own(asked))
    found = (forbidder(asked, asked.opening, name, thing, own=own, alone=declaration.judged) for name in named)
    by = next((one for one in found if one is not None), None)
    if by is not None:
        return because(
            asked.ruleset, "restriction", "broken.restriction", (thing.id, by), thing=thing.id, by=by,
            verb=declaration.kind,
        )  # fmt: skip
    if declaration.kind == "activate" and not declaration.judged and thing.id in muted(asked.opening, asked.ruleset):
        return because(asked.ruleset, "restriction", "broken.lost", (thing.id,), thing=thing.id)
    return _ability(asked) if declaration.kind == "play" or declaration.cost is None else None


def _own(asked: Asked) -> Iterator[Held]:
    """Yield what the card says by itself of being played: it says so wherever it is."""
    if asked.announced is None:
        return
    thing = asked.opening.thing(asked.announced)
    scope = asked.of_thing(asked.opening, thing)
    for number, ability in enumerate(asked.opening.card(thing).abilities):
        norm = ability.effect if isinstance(ability, Static) else None
        if isinstance(norm, Norm) and norm.action.event == "play" and norm.action.subject == Ref("self"):
            yield Held(norm, f"{thing.id}/{number}", thing.id, scope, thing.timestamp)


def _ability(asked: Asked) -> Because | None:
    """Return what keeps one from using the ability: one that is activated, or that is used as a card is played."""
    declaration = asked.question.declaration
    thing = asked.opening.thing(declaration.thing or "")
    scope, used = asked.of_thing(asked.opening, thing), in_use(asked)
    for i, ability in enumerate(asked.opening.card(thing).abilities):
        if not any(ability is one for one in used):
            continue
        assert isinstance(ability, Activated)
        if not declaration.judged and ability.when is not None and not holds(ability.when, scope):
            return because(asked.ruleset, "restriction", "broken.condition", (thing.id,), thing=thing.id)
        if ability.limit is not None and asked.opening.remaining.get(f"{thing.id}/{i}", ability.limit) <= 0:
            return because(
                asked.ruleset, "limit", "broken.limit", (thing.id,), thing=thing.id, n=ability.limit, per=ability.per
            )
        return None
    return None
