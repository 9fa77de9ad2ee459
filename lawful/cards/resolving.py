"""What a card does as it resolves, where its text waits for no event: its targets are declared as it is played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from lawful.model.act import Act
from lawful.model.effect import Ability, Activated, Resolution, Trigger
from lawful.model.selector import Selector


def as_text(found: list[Ability], plain: Sequence[Ability], declared: Collection[str]) -> list[Ability]:
    """Return abilities, in which what targets something as the card resolves is the text of the card.

    Parameters
    ----------
    found : list of Ability
        All that the text is.
    plain : sequence of Ability
        Those among them that wait for no event of their own.
    declared : collection of str
        Picks that are made as a text is declared.

    Returns
    -------
    list of Ability
        The same where nothing is declared, where a player may leave it, or where the card has abilities of its own
        that are used in playing it.

    References
    ----------
    CR 5.1.4, 5.3.4 (targets of a resolution ability are declared as the card is played).
    """
    texts = [a for a in plain if isinstance(a, Trigger) and not a.optional and _can_wait(a)]
    aiming = any(_aims(act, declared) for text in texts for act in text.do)
    if not aiming or any(isinstance(a, Activated | Resolution) for a in found):
        return found
    do = tuple(replace(act, when=text.when) if text.when is not None else act for text in texts for act in text.do)
    kept: list[Ability] = [a for a in found if not any(a is text for text in texts)]
    return [*kept, Resolution(do)]


def _can_wait(text: Trigger) -> bool:
    """Say whether the condition of a text can stand at each of its acts."""
    return text.when is None or all(act.when is None for act in text.do)


def _aims(act: Act, declared: Collection[str]) -> bool:
    return any(isinstance(part, Selector) and part.how in declared for part in (act.what, act.of))
