"""Uses of abilities as numbers: by how much each changes what floats, counters, objects that are ready."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.cost import AssetTerm, CostAny, terms
from lawful.model.effect import Activated
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.solver.stress.meeting import Meeting
from lawful.solver.stress.needs import lies


@dataclass(frozen=True, slots=True)
class Use:
    """One use of an ability, with what it picks.

    Parameters
    ----------
    card, ability : str, Activated
        Which.
    change : mapping of str to int
        By how much each place changes.
    picks : mapping of int to str
        By the number of an act the card that it is done to.
    mode : str, optional
        The mode that is chosen.
    """

    card: str
    ability: Activated
    change: FrozenMap[str, int]
    picks: FrozenMap[int, str] = FrozenMap()
    mode: str | None = None

    @property
    def do(self) -> tuple[Act, ...]:
        """What it does, with what its mode does."""
        return done_by(self.ability, self.mode)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.ability.name if self.mode is None else f"{self.ability.name} ({self.mode})"


def done_by(ability: Activated, mode: str | None) -> tuple[Act, ...]:
    """Return what an ability does, with what a mode of it does."""
    modes = ability.modes.of if ability.modes is not None else ()
    return (*ability.do, *(act for one in modes if one.name == mode for act in one.do))


def modes_of(ability: Activated) -> tuple[str | None, ...]:
    """Return the modes of an ability that may be chosen alone and cost nothing; None is an ability without."""
    if ability.modes is None:
        return (None,)
    return (
        tuple(mode.name for mode in ability.modes.of if mode.cost is None)
        if ability.modes.n == 1 or ability.modes.up_to
        else ()
    )


def fixed(ability: Activated) -> bool:
    """Tell whether what an ability costs is a fixed number of each asset."""
    if isinstance(ability.cost, CostAny):
        return False
    return all(isinstance(term.amount, int) for term in terms(ability.cost) if isinstance(term, AssetTerm))


def uses_of(meeting: Meeting) -> Iterator[Use]:
    """Yield every use of an ability of the cards whose numbers are fixed, with what it picks among them."""
    for card in meeting.cards:
        for ability in card.abilities:
            for mode in modes_of(ability) if isinstance(ability, Activated) else ():
                assert isinstance(ability, Activated)
                yield from _bound(meeting, card.name, ability, mode)


def _bound(meeting: Meeting, card: str, ability: Activated, mode: str | None) -> Iterator[Use]:
    """Yield a use for every pick among the cards; none where a part of the text has no fixed numbers."""
    change = Counter[str]()
    if ability.limit is not None:
        change[f"limit {card}/{ability.name}"] -= 1
    if any(isinstance(part, CostAny) for part in [ability.cost]):
        return
    for term in terms(ability.cost):
        if isinstance(term, AssetTerm):
            if not isinstance(term.amount, int):
                return
            change[f"pool {term.asset}"] -= term.amount
        elif not _done(term.act, card, card, meeting, change, cost=True):
            return
    do = done_by(ability, mode)
    todo: list[tuple[int, Counter[str], dict[int, str]]] = [(0, change, {})]
    while todo:
        at, so_far, picks = todo.pop()
        if at == len(do):
            yield Use(card, ability, FrozenMap({p: n for p, n in so_far.items() if n}), FrozenMap(picks), mode)
            continue
        act = do[at]
        for target in _targets(act, card, meeting):
            after = Counter(so_far)
            if _done(act, card, target, meeting, after):
                todo.append((at + 1, after, {**picks, at: target}))


def _targets(act: Act, card: str, meeting: Meeting) -> list[str]:
    who = act.what if isinstance(act.what, Selector | Ref) else act.of
    if isinstance(who, Selector):
        return [c.name for c in meeting.cards if lies(who, c) and not (who.not_ == Ref("self") and c.name == card)]
    return [card]


def _done(act: Act, card: str, on: str, meeting: Meeting, change: Counter[str], cost: bool = False) -> bool:
    """Add what an act changes; tell whether that is a fixed number."""
    if act.when is not None or act.given is not None:
        return False
    n = act.n if isinstance(act.n, int) else 1 if act.n is None else None
    if n is None:
        return False
    if act.verb in ("gain", "lose") and isinstance(act.what, FrozenMap):
        sign = 1 if act.verb == "gain" else -1
        for asset, amount in act.what.items():
            if not isinstance(amount, int):
                return False
            change[f"pool {asset}"] += sign * amount
        return True
    if act.verb == "draw":
        change["drawn cards"] += n
        return True
    verb = next((v for v in meeting.ruleset.verbs if v.name == act.verb), None)
    if act.verb in ("add", "remove") or (verb is not None and (verb.counters or verb.puts)):
        down = act.verb == "remove" or (verb is not None and verb.counters)
        change[f"counters {act.what} on {on}"] += -n if down else n
        return True
    if verb is None:
        return not cost and act.verb in ("look", "shuffle", "search", "wound")
    who = act.what if isinstance(act.what, Ref | Selector) else act.of
    if isinstance(who, Selector) and cost and verb.to is not None:
        change[f"spent {verb.name}"] -= 1  # an object of some other kind goes
        return True
    if verb.adds:
        change[f"ready {verb.adds} {on}"] -= 1
    if verb.removes:
        change[f"ready {verb.removes} {on}"] += 1
    if verb.face is not None:
        change[f"down {on}"] += 1 if verb.face == "down" else -1
    if verb.to is not None:
        change[f"here {on}"] -= 1
    return True
