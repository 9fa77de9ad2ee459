"""Which sources there are, what each gives, and the replacements that can change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from lawful.model.act import Act
from lawful.model.cost import ActTerm, CostAny, terms
from lawful.model.declaration import Question
from lawful.model.effect import Replacement, Source
from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.solver.encode.acts import checked, done, target
from lawful.solver.encode.due import bare
from lawful.solver.encode.look import Look

MANY_REPLACERS = 4
MANY_USES = 100


@dataclass(frozen=True, slots=True)
class Candidate:
    """One object with one of its sources, usable or barred by a rule.

    Parameters
    ----------
    thing : Thing
        The object before paying.
    source : str
        The source's name.
    verb : str
        The verb of its cost: what a replacement names as the cause of the gain.
    gain : tuple of (str, int)
        What it gives, before any replacement; points of 0 left out.
    acts : tuple of Act
        Its own cost.
    states : tuple of Thing
        The object after 0, 1, 2, ... uses.
    barred : tuple of (str, tuple of str)
        Roles of the rules that forbid using it, each with the objects concerned.
    """

    thing: Thing
    source: str
    verb: str
    gain: tuple[tuple[str, int], ...]
    acts: tuple[Act, ...]
    states: tuple[Thing, ...]
    barred: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def endless(self) -> bool:
        """Whether nothing ends its use: what it costs can be paid over and over."""
        return len(self.states) > MANY_USES and self.states[-1] == self.states[-2]

    @property
    def most(self) -> int:
        """How often it can be used while one cost is paid."""
        return len(self.states) - 1

    @property
    def points(self) -> dict[str, int]:
        """What it gives, as a mapping."""
        return dict(self.gain)


def candidates(question: Question, claimed: Sequence[tuple[str, str]] = ()) -> tuple[Candidate, ...]:
    """Return the sources of a position, in its order; forbidden ones are barred, not left out.

    Parameters
    ----------
    question : Question
        The question.
    claimed : sequence of (str, str)
        Objects, with a source's name or "", that somebody says they use: they are candidates whatever the rules say.
    """
    look = Look(question)
    ruleset, position, player = question.ruleset, question.position, question.declaration.player
    sayings = dict(claimed)
    found: list[Candidate] = []
    for thing in position.things:
        mine = 0
        for source in ruleset.sources:
            meant = sayings.get(thing.id) in ("", source.name)
            # Read on the position before announcing: what the announcement changes is a rule of its own.
            sees = source.of is None or look.finds(source.of, thing, player, thing.id)
            if sees or meant:
                found.append(_candidate(question, look, thing, source, player, () if sees else ("source",)))
                mine += 1
        for source in _abilities(question, thing):
            barred = () if _may(question, look, thing, source) else ("source",)
            if not barred or sayings.get(thing.id) == source.name:
                found.append(_candidate(question, look, thing, source, player, barred))
    names = [(candidate.thing.id, candidate.source) for candidate in found]
    for id, name in names:
        if names.count((id, name)) > 1:
            raise BadInput([Fault(f"two sources of {id!r} have the name {name!r}", hint="give each a name")])
    return tuple(found)


def _abilities(question: Question, thing: Thing) -> Iterator[Source]:
    play = {zone.name for zone in question.ruleset.zones if zone.play}
    mine = thing.zone in play and thing.face == "up" and thing.controller == question.declaration.player
    if question.ruleset.source_abilities and mine:
        yield from (a for a in question.position.card(thing).abilities if isinstance(a, Source))


def _may(question: Question, look: Look, thing: Thing, source: Source) -> bool:
    if not look.holds(source.when, thing.controller, thing.id):
        return False
    if source.for_ is None:
        return True
    declaration = question.declaration
    if declaration.thing is None:
        return bare(source.for_, declaration.types)
    return look.finds(source.for_, look.position.thing(declaration.thing), thing.controller, thing.id)


def _candidate(
    question: Question, look: Look, thing: Thing, source: Source, player: str, roles: Sequence[str]
) -> Candidate:
    acts = _acts(question, source)
    barred: list[tuple[str, tuple[str, ...]]] = [(f"{role}.{source.name}", (thing.id,)) for role in roles]
    here = look.position.thing(thing.id)
    if here.zone != thing.zone:
        barred.append(("announced", (thing.id,)))
    for act in acts:
        forbidders = look.forbidden(act.verb, thing)
        if forbidders:
            barred.append(("restriction", (thing.id, *forbidders)))
    states = [thing]
    while source.limit is None or len(states) - 1 < source.limit:
        after = _after(question, look, states[-1], acts, player)
        if after is None or len(states) > MANY_USES:
            break
        states.append(after)
    if len(states) == 1:  # its own cost cannot be paid
        barred = barred or [(f"source.{source.name}", (thing.id,))]
        states.append(thing)
    gain = _gain(look, thing, source, player)
    verb = acts[0].verb if acts else source.name
    points = tuple(sorted(gain.items()))
    return Candidate(thing, source.name, verb, points, tuple(acts), tuple(states), tuple(barred))


def _acts(question: Question, source: Source) -> list[Act]:
    """Return the acts of a source's own cost, all done to its object."""
    found = []
    for term in terms(source.cost):
        if not isinstance(term, ActTerm) or isinstance(source.cost, CostAny):
            raise BadInput([Fault(f"the cost of the source {source.name!r} has to consist of acts")])
        if not isinstance(target(checked(question, term.act)), Ref):
            raise BadInput([Fault(f"{term.act.verb!r} in the cost of a source is done to $self only")])
        found.append(term.act)
    return found


def shared(sources: Sequence[Candidate]) -> list[list[Candidate]]:
    """Return the objects that have several sources, each as the list of these."""
    by_thing: dict[str, list[Candidate]] = {}
    for candidate in sources:
        by_thing.setdefault(candidate.thing.id, []).append(candidate)
    return [several for several in by_thing.values() if len(several) > 1]


def usage(question: Question, several: Sequence[Candidate]) -> list[tuple[tuple[int, ...], Thing]]:
    """Return how often each source of one object can be used together, with the object's state then."""
    look, player = Look(question), question.declaration.player
    start = ((0,) * len(several), look.position.thing(several[0].thing.id))
    found, todo = {start}, [start]
    while todo:
        counts, state = todo.pop()
        for i, candidate in enumerate(several):
            if counts[i] == candidate.most:
                continue
            # A source whose own cost cannot be paid is barred by a rule; here it is as if it could.
            after = _after(question, look, state, candidate.acts, player)
            if after is None and candidate.barred:
                after = candidate.states[counts[i] + 1]
            if after is not None:
                reached = (tuple(n + (j == i) for j, n in enumerate(counts)), after)
                if reached not in found:
                    found.add(reached)
                    todo.append(reached)
    return sorted(found, key=lambda f: (f[0], f[1].id))


def _after(question: Question, look: Look, thing: Thing, acts: Sequence[Act], player: str) -> Thing | None:
    state: Thing | None = thing
    for act in acts:
        if state is None:
            return None
        state = done(question, act, state, look, player)
    return state


def _gain(look: Look, thing: Thing, source: Source, player: str) -> dict[str, int]:
    if isinstance(source.gain, Ref):
        yields = look.position.card(thing).yields or FrozenMap[str, int]()
        return {asset: n for asset, n in yields.items() if n}
    gain = {asset: look.fixed(points, player, thing.id) for asset, points in source.gain.items()}
    return {asset: n for asset, n in gain.items() if n}


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

    def meets(self, verb: str, gain: tuple[tuple[str, int], ...]) -> bool:
        """Say whether it replaces that gain."""
        return bool(gain) and self.verb in (None, verb) and self.gain in (None, gain)


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
