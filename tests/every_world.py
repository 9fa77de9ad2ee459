"""Every multiset of up to four effects over three facts, under every mixture of the policies that can bear on them.

The three facts are wounds, marks, and what an object is now (its life, its types, whether it has its abilities). The
palette has effects of each kind and sign: what helps, what hinders, what sets. Policies that bear on nothing that is
there keep their first value; those values of a policy that differ only in who chooses, and so not in what can come out,
are one here, and differ in `tests/solver/order/test_every_kind.py`.

Of these worlds many are equal: two mixtures that say the same of the effects that are there (`says`) are one set of
rules for them. Why that is so, by docs/effects.md:

- Of all that changes an event only the order of the ranks matters, not their numbers, nor whether classes, tiers or
  neither gave them.
- `blocks`, `inactive` and `turn` part what applies by whose it is. What belongs to one player is not parted.
- `preventions` is about what has one rank and is a prevention; `replacements` about the rest of what has one rank.
- Where there are tiers, they order what waits, and `ties: turn` does not. All that waits here has one tier, in which
  the first player orders all: any of it may be first.
- `ties: blocks` only gives each player's abilities a window of their own, and with `waiting: any` no window is first.
- `dependency` is about an effect of which another changes what it does. Here that is one that asks for life, which
  others write, or any beside one that takes abilities away.
- `contradiction` is about two that set the same number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
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
ASKS_FOR_LIFE, MUTES, SETS = PALETTE["if weak, +"], WIDER["mutes"], PALETTE["writes, set"]
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


def says(chosen: tuple[int, ...], mixture: dict[str, Any]) -> Hashable:
    """Return what a mixture says of the effects of a set: where that is equal, so is all that can come out."""
    effects = dict(enumerate(EFFECTS[n] for n in chosen))
    static = [
        n for n in chosen if isinstance(EFFECTS[n], Static) and not isinstance(EFFECTS[n].effect, Norm)
    ]  # fmt: skip
    depends = len(static) > 1 and (ASKS_FOR_LIFE in static or MUTES in static)
    return (
        _of_changes(effects, mixture),
        _of_waiting([n for n, e in effects.items() if isinstance(e, Trigger) and not _before(e, mixture)], mixture),
        depends and mixture["dependency"],
        static.count(SETS) > 1 and mixture["contradiction"],
        *(mixture[name] for name in ("bans", "partly", "declining", "at_once")),
    )


def _of_changes(effects: dict[int, Any], mixture: dict[str, Any]) -> Hashable:
    """Return which effects change an event, by rank, the first rank first, and how each rank is ordered."""
    ranks: dict[int, list[int]] = {}
    for n, e in effects.items():
        if isinstance(e, Replacement | Prevention) or (isinstance(e, Trigger) and _before(e, mixture)):
            ranks.setdefault(_rank(e, mixture), []).append(n)
    found = []
    for _, here in sorted(ranks.items()):
        shields = [n for n in here if isinstance(effects[n], Prevention)]
        rest = _of_both(here) and len(shields) < len(here) and mixture["replacements"]
        found.append((*here, rest, _of_both(shields) and mixture["preventions"]))
    return tuple(found)


def _of_waiting(hearing: list[int], mixture: dict[str, Any]) -> Hashable:
    """Return how the abilities that wait are ordered."""
    if not hearing:
        return None
    several, ties = _of_both(hearing), mixture["ties"]
    blocks = several and ties == "blocks" and mixture["waiting"] != "any"
    return mixture["waiting"], mixture["checks"], blocks, several and ties == "turn" and not mixture["tiers"]


def _of_both(places: list[int]) -> bool:
    """Tell whether each player has one: `event_worlds.world` gives the effects to the players by turns."""
    return len({n % 2 for n in places}) > 1


def _before(e: Trigger, mixture: dict[str, Any]) -> bool:
    return any(tier.name == e.tier and tier.when == "before" for tier in mixture["tiers"])


def _rank(e: Any, mixture: dict[str, Any]) -> int:
    if mixture["classes"]:
        words = [words.split("+") for words in mixture["classes"]]
        return next((n for n, kinds in enumerate(words) if getattr(e, "kind", "prevention") in kinds), len(words))
    if mixture["tiers"]:
        return next((n for n, tier in enumerate(mixture["tiers"]) if tier.name == e.tier), -1)
    return int(isinstance(e, Prevention))


def alike(chosen: tuple[int, ...]) -> list[list[dict[str, Any]]]:
    """Return the mixtures that can bear on a set of effects, those together that say the same of it."""
    found: dict[Hashable, list[dict[str, Any]]] = {}
    for mixture in mixtures_for(chosen):
        found.setdefault(says(chosen, mixture), []).append(mixture)
    return list(found.values())


def different(
    palette: dict[str, int], most: int = 4, known: dict[str, int] | None = None
) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """Yield every multiset with one mixture of each that are alike, another one each time.

    Parameters
    ----------
    palette : dict
        The effects.
    most : int
        How many at most.
    known : dict, optional
        Leave out sets of these effects alone.
    """
    turn = 0
    for chosen in multisets(palette, most):
        if known is None or not set(chosen) <= set(known.values()):
            for group in alike(chosen):
                turn += 1
                yield chosen, group[turn * 7 % len(group)]
