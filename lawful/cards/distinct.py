"""Names for abilities that are declared by name, so that no two of a card are called the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lawful.model.effect import Ability, Activated, Additional, Alternative, Source


def distinct(abilities: Sequence[Ability]) -> tuple[Ability, ...]:
    """Give abilities that are declared by name names of their own."""
    taken: dict[str, int] = {}
    found: list[Ability] = []
    for ability in abilities:
        if isinstance(ability, Activated | Additional | Alternative | Source):
            plain = _plain_name(ability)
            taken[plain] = taken.get(plain, 0) + 1
            name = plain if taken[plain] == 1 else f"{plain} {taken[plain]}"
            ability = replace(ability, name=name)
        found.append(ability)
    return tuple(found)


def _plain_name(ability: Activated | Additional | Alternative | Source) -> str:
    if isinstance(ability, Activated) and ability.name == "ability" and ability.types:
        return ability.types[0]
    return ability.name
