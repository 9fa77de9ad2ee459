"""Which sources there are, what each gives, and the replacements that can change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawful.model.act import Act
from lawful.model.cost import ActTerm, AssetTerm, terms
from lawful.model.declaration import Question
from lawful.model.effect import Source
from lawful.model.errors import BadInput, Fault, LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Thing
from lawful.model.selector import Selector
from lawful.solver.encode.acts import done, target
from lawful.solver.encode.amount import Unreadable
from lawful.solver.encode.announcing import bare, labels
from lawful.solver.encode.laid import barred as barred_by
from lawful.solver.encode.look import Look
from lawful.solver.encode.reach import RULES, preventers

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
    acts : tuple of pairs of str and Act
        Its own cost: what is done to which object.
    most : int
        How often it can be used while one cost is paid.
    user : str
        Who uses it.
    printed : bool
        Whether what it gives counts as printed.
    into : tuple of str
        Names of the costs that it may pay; empty means any.
    hindered : tuple of pairs of str and tuple of str
        Acts that have to be done in full, with the objects that prevent it unless they change in this payment.
    asks : tuple of pairs of str and int
        What it costs in assets.
    barred : tuple of (str, tuple of str)
        Roles of the rules that forbid using it, each with the objects concerned.
    """

    thing: Thing
    source: str
    verb: str
    gain: tuple[tuple[str, int], ...]
    acts: tuple[tuple[str, Act], ...]
    most: int
    barred: tuple[tuple[str, tuple[str, ...]], ...] = ()
    user: str = ""
    printed: bool = False
    into: tuple[str, ...] = ()
    hindered: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asks: tuple[tuple[str, int], ...] = ()

    @property
    def use(self) -> str:
        """How its own cost is called."""
        return f"{self.source} of {self.thing.id}"

    @property
    def touches(self) -> tuple[str, ...]:
        """The objects that using it does something to; the object itself first."""
        return tuple(dict.fromkeys((self.thing.id, *(id for id, _ in self.acts))))

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
    said = tuple(claimed)
    for known, sayings, found in _last:
        same = known.ruleset is question.ruleset and known.position is question.position
        same = same and known.ignore_unread == question.ignore_unread
        if same and known.declaration == question.declaration and sayings == said:
            return found
    found = _candidates(question, said)
    _last[:] = [(question, said, found), *_last[: _MOST_LAST - 1]]
    return found


_last: list[tuple[Question, tuple[tuple[str, str], ...], tuple[Candidate, ...]]] = []
"""What was asked last: several models of one answer ask for the same."""
_MOST_LAST = 4


def _candidates(question: Question, claimed: Sequence[tuple[str, str]]) -> tuple[Candidate, ...]:
    look = Look(question)
    ruleset, position, player = question.ruleset, question.position, question.declaration.player
    sayings = dict(claimed)
    found: list[Candidate] = []
    for thing in position.things:
        mine = 0
        for source in ruleset.sources:
            meant = sayings.get(thing.id) in ("", source.name)
            # Read on the position before announcing: what the announcement changes is a rule of its own.
            users = [u for u in _users(question, look, thing, source) if _sees(look, thing, source, u)]
            if users or meant:
                barred = () if users else ("source",)
                found.append(_candidate(question, look, thing, source, (users or [player])[0], barred))
                mine += 1
        for source in _abilities(question, thing):
            users = [u for u in _users(question, look, thing, source) if _owns(question, look, thing, source, u)]
            users = [u for u in users if _may(question, look, thing, source, u)]
            if users or sayings.get(thing.id) in ("", source.name):
                barred = () if users else ("source",)
                found.append(_candidate(question, look, thing, source, (users or [player])[0], barred))
    names = [(candidate.thing.id, candidate.source) for candidate in found]
    for id, name in names:
        if names.count((id, name)) > 1:
            raise BadInput([Fault(f"two sources of {id!r} have the name {name!r}", hint="give each a name")])
    return tuple(found)


def _users(question: Question, look: Look, thing: Thing, source: Source) -> tuple[str, ...]:
    """Return who might use a source: the payer, and where others may help, its owner and its controller."""
    player, helped = question.declaration.player, question.ruleset.helped
    helps = source.shared or (helped is not None and _suits(question, look, helped, player, question.declaration.thing))
    return tuple(dict.fromkeys((player, *((thing.owner, thing.controller) if helps else ()))))


def _sees(look: Look, thing: Thing, source: Source, user: str) -> bool:
    # Read on the position before announcing: what the announcement changes is a rule of its own.
    if source.of is not None and not look.finds(source.of, thing, user, thing.id):
        return False
    return _may(look.question, look, thing, source, user)


def _abilities(question: Question, thing: Thing) -> Iterator[Source]:
    if question.ruleset.source_abilities and thing.face == "up":
        yield from (a for a in question.position.card(thing).abilities if isinstance(a, Source))


def _owns(question: Question, look: Look, thing: Thing, source: Source, user: str) -> bool:
    """Say whether a card's own source works where the card is, for that player."""
    if thing.id in look.made.mute:
        return False
    play = any(zone.play for zone in question.ruleset.zones if zone.name == thing.zone)
    if source.of is None:
        return play and thing.controller == user
    return (thing.controller if play else thing.owner) == user and look.finds(source.of, thing, user, thing.id)


def _may(question: Question, look: Look, thing: Thing, source: Source, user: str) -> bool:
    if not look.holds(source.when, user, thing.id):
        return False
    if source.ability is not None:
        declared = question.declaration
        if declared.kind == "play" or source.ability not in labels(question):
            return False
    return source.for_ is None or _suits(question, look, source.for_, user, thing.id)


def _suits(question: Question, look: Look, wanted: Selector, user: str, self_id: str | None) -> bool:
    """Say whether what is paid for is what a text asks for."""
    declaration = question.declaration
    if declaration.thing is None:
        return bare(wanted, declaration.types)
    return look.finds(wanted, look.position.thing(declaration.thing), user, self_id)


def _candidate(
    question: Question, look: Look, thing: Thing, source: Source, user: str, roles: Sequence[str]
) -> Candidate:
    due = [term for term in terms(source.cost) if isinstance(term, ActTerm)]
    acts = [(_object(question, look, term.act, thing, user), term) for term in due]
    barred: list[tuple[str, tuple[str, ...]]] = [(f"{role}.{source.name}", (thing.id,)) for role in roles]
    here = look.position.thing(thing.id)
    if here.zone != thing.zone:
        barred.append(("announced", (thing.id,)))
    hindered = []
    for id, term in acts:
        if id is None:
            continue
        touched = look.position.thing(id)
        forbidders = barred_by(look, term.act, touched, user)
        if forbidders:
            barred.append(("restriction", (thing.id, *forbidders)))
        prevented = preventers(look, term.act, term.success, touched)
        if prevented and (question.ruleset.leaving_prevents or RULES in prevented):
            barred.append(("full", (thing.id, *(by for by in prevented if by != RULES))))
        elif prevented:
            hindered.append((id, prevented))
    done_to = tuple((id, term.act) for id, term in acts if id is not None)
    most = 0 if len(done_to) < len(acts) else _most(question, look, thing, source, done_to, user)
    if most == 0:  # its own cost cannot be paid
        barred = barred or [(f"source.{source.name}", (thing.id,))]
    gain = _gain(look, thing, source, user)
    verb = due[0].act.verb if due else source.name
    points = tuple(sorted(gain.items()))
    return Candidate(
        thing, source.name, verb, points, done_to, max(most, 1), tuple(barred), user,
        source.printed, source.into, tuple(hindered), tuple(_asks(look, thing, source, user)),
    )  # fmt: skip


def _asks(look: Look, thing: Thing, source: Source, user: str) -> Iterator[tuple[str, int]]:
    found: dict[str, int] = {}
    for term in terms(source.cost):
        if isinstance(term, AssetTerm):
            n = max(0, look.fixed(term.amount, user, thing.id))
            found[term.asset] = found.get(term.asset, 0) + n
    yield from ((asset, n) for asset, n in found.items() if n)


def _object(question: Question, look: Look, act: Act, thing: Thing, user: str) -> str | None:
    """Return the object that an act of a source's cost is done to, or None where there is none."""
    who = target(act)
    if isinstance(who, Ref):
        try:
            id = look.who(who, user, thing.id)
        except Unreadable:
            return None
        return id if any(t.id == id for t in look.position.things) and id != _played(question) else None
    if who is None:
        return None
    found = [
        t.id
        for t in look.position.things
        if look.finds(who, t, user, thing.id) and (question.ruleset.costs_of == "anybody" or t.controller == user)
    ]
    if len(found) > 1:
        names = ", ".join(found)
        raise BadInput([Fault(f"{act.verb!r} in the cost of a source of {thing.id!r} is about one object: {names}")])
    return found[0] if found and found[0] != _played(question) else None


def _played(question: Question) -> str | None:
    return question.declaration.thing if question.declaration.kind == "play" else None


def _most(
    question: Question, look: Look, thing: Thing, source: Source, acts: Sequence[tuple[str, Act]], user: str
) -> int:
    """Return how often a source can be used, by its limit and by what its own cost takes away."""
    states = {id: look.position.thing(id) for id, _ in acts}
    limit = source.limit
    if limit is not None and source.per is not None:  # part of it may have been used before
        mine = [f"{thing.id}/{i}" for i, a in enumerate(look.position.card(thing).abilities) if a is source]
        limit = max(0, min((look.position.remaining.get(key, limit) for key in mine), default=limit))
    n = 0
    while limit is None or n < limit:
        after: dict[str, Thing] = dict(states)
        for id, act in acts:
            state = done(question, act, after[id], look, user)
            if state is None:
                return n
            after[id] = state
        if after == states and limit is not None:
            return limit
        if after == states or n >= MANY_USES:
            raise LimitReached("uses of one source", MANY_USES, f"{source.name!r} can be used without end")
        states, n = after, n + 1
    return n


def shared(sources: Sequence[Candidate]) -> list[tuple[str, list[Candidate]]]:
    """Return the objects that several sources do something to, each with these."""
    return [(id, several) for id, several in touching(sources).items() if len(several) > 1]


def touching(sources: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """Return for every object the sources whose use does something to it, its own first."""
    by_thing: dict[str, list[Candidate]] = {}
    for candidate in sources:
        for id in candidate.touches:
            by_thing.setdefault(id, []).append(candidate)
    return by_thing


def usage(question: Question, several: Sequence[Candidate], id: str) -> list[tuple[tuple[int, ...], Thing]]:
    """Return how often each of the sources that touch one object can be used together, with its state then."""
    look = Look(question)
    start = ((0,) * len(several), look.position.thing(id))
    found, todo = {start}, [start]
    while todo:
        counts, state = todo.pop()
        for i, candidate in enumerate(several):
            if counts[i] == candidate.most:
                continue
            # A source whose own cost cannot be paid is barred by a rule; here it is as if it could.
            mine = [act for touched, act in candidate.acts if touched == id]
            after = _after(question, look, state, mine, candidate.user)
            if after is None and candidate.barred:
                after = state
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
    if isinstance(source.gain, Selector):
        givers = [t for t in look.position.things if look.finds(source.gain, t, player, thing.id)]
        given = look.position.card(givers[0]).yields if givers else None
        return {asset: n for asset, n in (given or {}).items() if n}
    if isinstance(source.gain, Ref):
        yields = look.position.card(thing).yields or FrozenMap[str, int]()
        return {asset: n for asset, n in yields.items() if n}
    gain = {asset: look.fixed(points, player, thing.id) for asset, points in source.gain.items()}
    return {asset: n for asset, n in gain.items() if n}
