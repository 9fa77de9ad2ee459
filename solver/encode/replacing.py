"""The replacement effects that can change what a source gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from lawful.model.declaration import Question
from lawful.model.effect import Replacement
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.solver.encode.acts import done
from lawful.solver.encode.look import Look
from lawful.solver.encode.sources import Candidate

MANY_REPLACERS = 4


@dataclass(frozen=True, slots=True)
class Replacer:
    """A replacement effect on gains: what it replaces, by what, and whether its object goes away with it."""

    thing: str
    verb: str | None
    gain: tuple[tuple[str, int], ...] | None
    instead: tuple[tuple[str, int], ...]
    goes: bool
    optional: bool
    gone: Thing | None = None
    asset: str | None = None

    def meets(self, verb: str, gain: tuple[tuple[str, int], ...]) -> bool:
        """Say whether it replaces that gain."""
        of = self.asset is None or any(asset == self.asset for asset, _ in gain)
        return bool(gain) and of and self.verb in (None, verb) and self.gain in (None, gain)


def replacers(question: Question) -> tuple[Replacer, ...]:
    """Return the replacement effects in play that can replace a gain of the payer.

    Raises
    ------
    LimitReached
        If there are more than four: the orders are looked at one by one.
    """
    look, player = Look(question), question.declaration.player
    found: list[Replacer] = []
    for thing, _, ability in look.in_play():
        if not isinstance(ability, Replacement) or ability.on.event != "gains":
            continue
        if not look.holds(ability.when, thing.controller, thing.id):
            continue
        if ability.on.by is not None and look.who(ability.on.by, thing.controller, thing.id) != player:
            continue
        exactly = ability.on.assets
        gone: Thing | None = None
        instead: dict[str, int] = {}
        for act in ability.instead:
            if act.verb == "gain" and isinstance(act.what, FrozenMap):
                for asset, points in act.what.items():
                    instead[asset] = instead.get(asset, 0) + look.fixed(points, thing.controller, thing.id)
            elif act.what == Ref("self"):
                gone = done(question, act, gone or thing, look, thing.controller)
        found.append(
            Replacer(
                thing.id,
                ability.on.cause,
                None if exactly is None else tuple(sorted((a, n) for a, n in exactly.items() if n)),
                tuple(sorted((a, n) for a, n in instead.items() if n)),
                gone is not None,
                ability.optional,
                gone,
                ability.on.asset,
            )
        )
    if len(found) > MANY_REPLACERS:
        raise LimitReached("replacements of gains", MANY_REPLACERS)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Chain:
    """One way a gain can be replaced: by whom in which order, what it becomes, and who must be gone before.

    `absent` are the replacers that would have had to replace the result as well, were they still there.
    """

    replaced: tuple[Replacer, ...]
    gain: tuple[tuple[str, int], ...]
    absent: tuple[Replacer, ...]


def chains(candidate: Candidate, effects: Sequence[Replacer]) -> tuple[Chain, ...]:
    """Return every way in which a source's gain can be replaced, the plain gain among them.

    References
    ----------
    CR 6.4.4, 6.4.5: an already changed event can be replaced, by each effect at most once.
    """
    found: list[Chain] = []
    for length in range(len(effects) + 1):
        for order in permutations(effects, length):
            gain = candidate.gain
            for effect in order:
                if not effect.meets(candidate.verb, gain):
                    break
                gain = effect.instead
            else:
                late = [e for e in effects if e not in order and not e.optional and e.meets(candidate.verb, gain)]
                if all(e.goes for e in late):  # one that never goes away would have to apply
                    found.append(Chain(order, gain, tuple(late)))
    return tuple(found)
