"""Every multiset of up to four effects over three facts, under every mixture of the policies that can bear on them.

The three facts are wounds, marks, and what an object is now (its life, its types, whether it has its abilities). The
palette has effects of each kind and sign: what helps, what hinders, what sets. Policies that bear on nothing that is there keep their first value; those
values of a policy that differ only in who chooses, and so not in what can come out, are one here, and differ in
`tests/solver/order/test_every_kind.py`.
"""

# ruff: noqa: E501 - one choice is one line
from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

from event_worlds import EFFECTS, VALUES

from lawful.model.effect import Norm, Prevention, Replacement, Static, Trigger

PALETTE = {
    "hears, +": 0,  # wounded: a mark more
    "hears, set": 1,  # wounded: all marks gone
    "replaces": 5,  # wounds become marks
    "prevents": 9,  # the next two wounds
    "bars": 13,  # no marks where there are any: its own hindrance
    "reads, +": 14,  # life is more by the marks
    "writes, set": 16,
    "if weak, +": 18,
}
WIDER = {
    **PALETTE,
    "before": 4,  # would be wounded: a wound first
    "replaces a part": 6,
    "mutes": 20,  # while there are marks, charms have no abilities
}
FIRST = {name: values[0] for name, values in VALUES.items()}
DIFFERENT: dict[str, tuple[Any, ...]] = {
    **VALUES,
    "tiers": VALUES["tiers"][:2],
    "ties": ("silent", "blocks", "turn"),
    "replacements": ("silent", "blocks"),
    "preventions": ("silent", "inactive", "blocks"),
    "stamp_ties": ("silent",),
}
"""Values that can differ in what comes out."""


def multisets(palette: dict[str, int], most: int = 4) -> Iterator[tuple[int, ...]]:
    """Yield every multiset of up to so many effects of a palette."""
    for many in range(1, most + 1):
        yield from combinations_with_replacement(sorted(palette.values()), many)


def bearing(chosen: tuple[int, ...]) -> dict[str, tuple[Any, ...]]:
    """Return the policies that can bear on a set of effects, with their values."""
    found = [EFFECTS[n] for n in chosen]
    before = [e for e in found if isinstance(e, Trigger) and e.tier == "would"]
    hears = [e for e in found if isinstance(e, Trigger)]
    replaces = [e for e in found if isinstance(e, Replacement)]
    prevents = [e for e in found if isinstance(e, Prevention)]
    norms = [e for e in found if isinstance(e, Static) and isinstance(e.effect, Norm)]
    static = [e for e in found if isinstance(e, Static) and not isinstance(e.effect, Norm)]
    names: list[str] = []
    if len(static) > 1:
        names += ["dependency", "contradiction"]
    if hears:
        names += ["waiting", "ties", "checks"]
    if any(getattr(e, "tier", None) for e in found):
        names += ["tiers"]
    if len(before) + len(replaces) + len(prevents) > 1:
        names += ["replacements", "classes"]
    if norms:
        names += ["bans"]
    if hears and any(e.n is not None for e in replaces):
        names += ["partly"]
    if prevents:
        names += ["preventions", "declining"]
    if hears or prevents or replaces or norms:
        names += ["at_once"]
    return {name: DIFFERENT[name] for name in names}


def mixtures_for(chosen: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Yield every mixture of the policies that can bear on a set of effects."""
    there = bearing(chosen)
    for values in product(*there.values()):
        yield {**FIRST, **dict(zip(there, values, strict=True))}


def every(palette: dict[str, int], most: int = 4) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """Yield every multiset with every mixture."""
    for chosen in multisets(palette, most):
        for mixture in mixtures_for(chosen):
            yield chosen, mixture
