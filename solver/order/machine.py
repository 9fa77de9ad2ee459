"""Play as a machine of small steps: from a state to everything that can come next, and who chooses."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

from lawful.model.act import Act
from lawful.model.cost import AssetTerm, CostAll
from lawful.model.declaration import OrderQuestion
from lawful.model.effect import Modifier, Norm, Prevention, Replacement, Trigger
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap, replace
from lawful.model.position import Position, Queued, Thing
from lawful.model.selector import Selector
from lawful.model.unplayed import refuse_chosen_players
from lawful.model.walking import walk
from lawful.solver.order.altering import Altering, Beside
from lawful.solver.order.applying import Applying
from lawful.solver.order.board import Boards, base_board
from lawful.solver.order.change import committed, operand, planned
from lawful.solver.order.frames import CHANCE, Acts, Alter, Checked, Item, Look, Node, Offer, State, jointly
from lawful.solver.order.happens import Happens
from lawful.solver.order.hearing import Hearing
from lawful.solver.order.noting import continues, did, gather, levels, told, yields
from lawful.solver.order.picking import chooses, of_step, picked, ways
from lawful.solver.order.purse import Purse
from lawful.solver.order.tolls import Tolls
from lawful.solver.order.view import Key, View

RULES = "the rules"
DONE = ("attempted", "changed", "full", "yielded")
OWN = {"self", "controller", "subject", "event", "source", "on"}
"""What a text means by itself, or by what it hears; whatever else it refers to from the start was chosen for it."""


class Machine:
    """The steps of play under one ruleset.

    Parameters
    ----------
    question : OrderQuestion
        Rules, the first position, what happens.
    """

    def __init__(self, question: OrderQuestion) -> None:
        self.question, self.rules = question, question.ruleset
        self.boards = Boards(question.ruleset, question.position, question.events)
        self.players = tuple(player.name for player in question.position.players)
        self.altering, self.hearing, self.purse = Altering(self), Hearing(self), Purse(question.ruleset)
        self.tolls = Tolls(self.boards, self.purse)
        self._hearers = _by_event(question.position)
        self._resisted = _resisted(question)

    def start(self) -> State:
        """Return the state before anything."""
        return State(self.question.position)

    # who comes when

    def from_(self, player: str) -> tuple[str, ...]:
        """Return the players in turn order from one."""
        at = self.players.index(player) if player in self.players else 0
        return (*self.players[at:], *self.players[:at])

    def first(self, position: Position) -> str:
        """Return the first player."""
        return next((p.name for p in position.players if p.facts.get("first") == "yes"), self.players[0])

    def earliest(self, items: Sequence[Item], order: Sequence[str]) -> list[Item]:
        """Return the items of the first player, in that order, who has any."""
        for player in order:
            found = [item for item in items if item.owner == player]
            if found:
                return found
        return list(items)

    # what is there

    def comes_before(self, ability: Trigger) -> bool:
        """Tell whether an ability comes before the event that it hears."""
        return any(t.name == ability.tier and t.when == "before" for t in self.rules.ordering.tiers)

    def abilities(
        self, position: Position, names: set[str], reads: set[Key]
    ) -> Iterator[tuple[Thing, int, Replacement | Prevention | Trigger]]:
        """Yield the abilities in play that hear events of these names; note that it was looked whether they are."""
        index = self.boards.index(position)
        cards = {card for name in names for card in self._hearers.get(name, ())}
        mute: set[str] = set()
        if self.boards.grants and cards:
            board = self.boards.of(position)
            mute = board.mute
            reads.update(board.reads)
        for thing in index.values():
            if thing.card in cards:
                reads.update({(thing.id, "zone"), (thing.id, "face"), (thing.id, "controller")})
                if thing.zone in self.boards.play and thing.face == "up" and thing.id not in mute:
                    for i, ability in enumerate(position.cards[thing.card].abilities):
                        if isinstance(ability, Replacement | Prevention | Trigger) and ability.on.event in names:
                            yield thing, i, ability

    def of_rules(self, position: Position) -> list[tuple[Thing, int, Replacement | Prevention]]:
        """Return what the rules themselves replace and prevent, as if the active player had it; nothing twice."""
        nobody = Thing(RULES, "", position.turn, position.turn, "")
        found: list[Replacement | Prevention] = list(self.rules.replacements)
        found += [p for p in self.rules.preventions if all(p.on != r.on for r in self.rules.replacements)]
        return [(nobody, i, ability) for i, ability in enumerate(found)]

    def groups(self, batch: Sequence[Happens]) -> tuple[tuple[int, ...], ...]:
        """Return which events of a batch count as one."""
        if self.rules.at_once == "each":
            return tuple((i,) for i in range(len(batch)))
        names = dict.fromkeys(event.name for event in batch)
        return tuple(tuple(i for i, event in enumerate(batch) if event.name == name) for name in names)

    def spent(self, position: Position, key: str, ability: Trigger) -> Position:
        """Return the position with one use less of an ability that has a limit."""
        if ability.limit is None:
            return position
        left = position.remaining.get(key, ability.limit) - 1
        return replace(position, remaining=position.remaining.put(key, left))

    # steps

    def node(self, state: State) -> Node | None:
        """Return what can come next, None at an end."""
        if state.idle:
            return self._rest(state)
        top = state.stack[-1]
        if isinstance(top, Acts):
            return self._act(top, state)
        if isinstance(top, Alter):
            found = self.altering.node(top, state)
            return found if found.options else self._commit(top, state, found.reads)
        if isinstance(top, Look):
            return self.hearing.node(top, state)
        assert isinstance(top, Offer)
        below = replace(state, stack=state.stack[:-1])
        ability = top.ability
        take = replace(below, stack=(*below.stack, Acts(ability.do, ability.bindings)))
        options = [(ability.source, take), (f"decline {ability.source}", below)]
        return Node(ability.controller, "decline", options, set(), (ability.source,))

    def _rest(self, state: State) -> Node | None:
        """Go on where nothing is being done: checks, what waits, the next event."""
        reads: set[Key] = set()
        queue = state.position.queue
        if self.rules.ordering.checks == "always" or not queue:
            node, looked = self.check_only(state)
            reads |= looked
            if node is not None:
                return node
        if queue:
            return self._waiting(state, reads)
        if state.next < len(self.question.events):
            event = self.question.events[state.next]
            bound = FrozenMap({**event.bindings, "controller": event.by})
            bound = bound if event.source is None else bound.put("self", event.source)
            known = frozenset(event.bindings) - OWN
            after = State(state.position, (Acts(event.do, bound, chosen=known, cause=event.cause),), state.next + 1)
            return Node(None, "", [("", after)], reads)
        return None

    def check_only(self, state: State) -> tuple[Node | None, set[Key]]:
        """Return what the rules do by themselves where nothing is being done, and what was looked at to know it."""
        reads: set[Key] = set()
        bare = state.position.with_queue(())
        batch = self._checks(state.position, reads)
        if not batch or state.stack == (Checked(bare),):
            return None, reads
        resisted = any(name in self._resisted for event in batch for name in event.names)
        start = State(state.position, (Checked(bare),) if resisted else (), state.next)
        return Node(None, "", [("check", self.begin(batch, None, frozenset(), start, reads))], reads), reads

    def _checks(self, position: Position, reads: set[Key]) -> tuple[Happens, ...]:
        found: dict[tuple[str, str], Happens] = {}
        for act in self.rules.checks:
            view = View(position, self.rules, {}, self.boards, reads)
            wanted = operand(act)
            answers = ways(wanted, act, view) if isinstance(wanted, Selector) else [_one(view.ref(wanted))]
            for ids in answers:
                for event in planned(act, ids, view, None):
                    found.setdefault((event.name, event.subject), event)
        return tuple(found.values())

    def _waiting(self, state: State, reads: set[Key]) -> Node:
        queue = state.position.queue
        by, at = self.firsts(state.position)
        options = []
        for i in at:
            ability = queue[i]
            rest = state.position.with_queue(queue[:i] + queue[i + 1 :])
            frame = Offer(ability) if ability.optional else Acts(ability.do, ability.bindings)
            options.append((ability.source, State(rest, (frame,), state.next)))
        return Node(by, "order" if len(at) > 1 else "", options, reads, tuple(queue[i].source for i in at))

    def firsts(self, position: Position) -> tuple[str | None, list[int]]:
        """Return who says which waiting ability resolves first, and which may."""
        rules, queue = self.rules.ordering, position.queue
        at = _different(queue)
        if rules.waiting != "any":
            window = (max if rules.waiting == "newest" else min)(queue[i].window for i in at)
            at = [i for i in at if queue[i].window == window]
        by: str | None = None
        windows = {queue[i].window for i in at}
        order: Sequence[str] = ()
        if rules.tiers:
            tier = min(queue[i].tier for i in at)
            at = [i for i in at if queue[i].tier == tier]
            by = self.first(position)
            order = self.from_(by) if rules.tiers[tier].order == "turn" else ()
            if rules.tiers[tier].order == "window":
                by = jointly(queue[i].controller for i in at)
        elif rules.ties == "turn":
            order = self.from_(position.turn)
        elif rules.ties == "first":
            by = self.first(position)
        elif rules.ties == "blocks" and len({queue[i].controller for i in at}) == 1:
            by = queue[at[0]].controller
        if order:
            by = next(p for p in order if any(queue[i].controller == p for i in at))
            at = [i for i in at if queue[i].controller == by]
        # Among abilities that triggered at different times nobody is said to choose.
        return (by if len(windows) == 1 else None), at

    def begin(
        self, batch: tuple[Happens, ...], act: Act | None, used: frozenset[str], state: State, reads: set[Key],
        cause: str | None = None,
    ) -> State:  # fmt: skip
        """Return the state in which a batch is about to happen."""
        left = self.altering.allowed(batch, state.position, reads) if self.rules.ordering.bans == "first" else batch
        zeroed = self._hurting(left) < self._hurting(batch)
        return replace(state, stack=(*state.stack, Alter(left, batch, act, used=used, zeroed=zeroed, cause=cause)))

    def _hurting(self, batch: Sequence[Happens]) -> int:
        """Return how many events of a batch are wounds, where that matters."""
        if self.rules.ordering.thereby == "changed":
            return 0
        own = {verb.name: verb.places is not None for verb in self.rules.verbs}
        return sum(own.get(event.verb, event.verb == "wound") for event in batch)

    def _act(self, frame: Acts, state: State) -> Node:
        below = state.stack[:-1]
        if not frame.acts:
            return Node(None, "", [("", replace(state, stack=below))])
        act, rest = frame.acts[0], replace(frame, acts=frame.acts[1:])
        view = View(state.position, self.rules, frame.bound, self.boards)
        unmet = act.given is not None and act.success.value not in frame.done.get(act.given, frozenset())
        unmet = unmet or (act.unless is not None and "changed" in frame.done.get(act.unless, frozenset()))
        if unmet or not view.holds(act.when):
            return Node(None, "", [("", replace(state, stack=(*below, did(rest, act))))], view.reads)
        refuse_chosen_players((act,))
        if act.verb == "pay":
            return self._pay(act, rest, State(state.position, below, state.next), view)
        if self.rules.ordering.adding == "together" and (frame.gathered or continues(act, rest.acts)):
            return gather(self, frame, State(state.position, below, state.next), view)
        by, answers = picked(act, view)
        chosen = chooses(act)
        if chosen and act.as_ is not None:
            rest = replace(rest, chosen=rest.chosen | {act.as_})
        chosen = chosen or of_step(act) in frame.chosen
        options = []
        for ids in answers:
            label = f"{act.verb} {', '.join(ids)}" if len(answers) > 1 or act.verb not in ("choose",) else ""
            if act.verb == "choose":
                after = replace(state, stack=(*below, did(yields(rest, act, ids), act, *(DONE if ids else ()))))
            else:
                batch = planned(act, ids, view, frame.cause)
                if chosen:
                    batch = tuple(replace(event, chosen=True) for event in batch)
                for said, after in self.tolls.begun(self, batch, (act, ids), rest, state, view.reads):
                    options.append((f"{label}: {said}" if said else label, after))
                    by = batch[0].by if said else by
                continue
            options.append((label, after))
        return Node(by, "pick" if len(options) > 1 else "", options, view.reads, tuple(o[0] for o in options))

    def _pay(self, act: Act, rest: Acts, below: State, view: View) -> Node:
        """Let a player pay, in every way, or not."""
        payer = operand(act)
        who = view.ref(payer) if isinstance(payer, Ref) else None
        stack = below.stack
        options = [("", replace(below, stack=(*stack, did(rest, act))))]
        if isinstance(who, str) and isinstance(act.what, FrozenMap):
            due = CostAll(tuple(AssetTerm(asset, view.number(n) or 0) for asset, n in act.what.items()))
            for position in self.purse.after(below.position, who, due, view.reads):
                options.append((f"{who} pays", State(position, (*stack, did(rest, act, *DONE)), below.next)))
        if len(options) > 1:
            options[0] = (f"{who} does not pay", options[0][1])
        name = who if isinstance(who, str) and len(options) > 1 else None
        return Node(name, "pick" if name else "", options, view.reads, tuple(label for label, _ in options))

    def _commit(self, frame: Alter, state: State, reads: set[Key]) -> Node:
        play = self.boards.play
        there = [event for event in frame.batch if event.can_be(state.position, play)]
        batch = tuple(event for event in there if event.amount > 0)
        reads |= {(event.subject, "zone") for event in batch}
        if self.rules.ordering.bans == "last":
            batch = self.altering.allowed(batch, state.position, reads)
        position = committed(batch, state.position, self.rules, self.boards)
        zeroed = frame.zeroed or self._hurting(batch) < self._hurting(there)
        look = Look(batch, frame.planned, frame.act, state.position, zeroed)
        beside = [b for event in batch for b in event.beside if isinstance(b, Beside)]
        acts = [Acts(b.do, b.bound, used=frame.used | {b.key}, cause=frame.cause) for b in reversed(beside)]
        after = State(position, (*state.stack[:-1], look, *acts), state.next)
        return Node(None, "", [("", after)], reads)

    def closed(self, frame: Look, state: State, position: Position) -> State:
        """Return the state after a batch, when its triggers are queued: the text that did it knows how far it came."""
        below = state.stack[:-1]
        if below and isinstance(below[-1], Acts) and frame.act is not None:
            act, parent = frame.act, below[-1]
            given = tuple(e.amount if e.verb == "wound" else e.subject for e in frame.batch)
            view = View(position, self.rules, parent.bound, self.boards)
            if parent.gathered:
                parent = told(parent, frame, view)
            else:
                parent = did(yields(parent, act, given), act, *levels(act, frame, view))
            below = (*below[:-1], parent)
        return State(position, below, state.next)

    def noted(self, before: Position, position: Position) -> Position:
        """Return the position that knows since when an effect is on an object, where only since now: 513.1."""
        if self.rules.ordering.contradiction != "latest":
            return position
        was, now = self._in_force(before), self._in_force(position)
        there = {thing.id for thing in before.things}
        new = {
            f"{key} on {id}": position.clock
            for key, ids in now.items()
            if key in was
            for id in ids - was[key]
            if id in there
        }
        if not new:
            return position
        return replace(position, laid=FrozenMap({**position.laid, **new}), clock=position.clock + 1)

    def _in_force(self, position: Position) -> dict[str, set[str]]:
        there = [e for e in self.boards.effects(position) if isinstance(e.what, Modifier) and e.what.operation == "set"]
        if not there:
            return {}
        applying = Applying(self.boards, position, there)
        board = self.boards.of(position) if there else base_board(position, self.boards)
        return {e.key: {t.id for t in position.things if applying.in_force(e, t, board)} for e in there}


def _one(found: str | int | None) -> tuple[str, ...]:
    return (found,) if isinstance(found, str) else ()


def _different(queue: Sequence[Queued]) -> list[int]:
    """Return where abilities wait that are not equal to one before them."""
    known: dict[str, list[Queued]] = {}
    found = []
    for i, ability in enumerate(queue):
        before = known.setdefault(ability.source, [])
        if ability not in before:
            before.append(ability)
            found.append(i)
    return found


def _resisted(question: OrderQuestion) -> set[str]:
    """Return the events that anything may keep from happening, or replace."""
    position, rules = question.position, question.ruleset
    texts = (*(card.abilities for card in position.cards.values()), position.lasting, position.queue, question.events)
    return {name for text in (*texts, rules.norms) for name in _kept_off(text)} | {
        name for text in (rules.replacements, rules.preventions) for name in _replaced(text)
    }


@lru_cache(maxsize=4096)
def _kept_off(text: Hashable) -> frozenset[str]:
    """Return the events that the norms in a text speak of, and those that it replaces or prevents."""
    return frozenset(part.action.event for part in walk(text) if isinstance(part, Norm)) | _replaced(text)


@lru_cache(maxsize=4096)
def _replaced(text: Hashable) -> frozenset[str]:
    return frozenset(part.on.event for part in walk(text) if isinstance(part, Replacement | Prevention))


def _by_event(position: Position) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, card in position.cards.items():
        for ability in card.abilities:
            if isinstance(ability, Replacement | Prevention | Trigger):
                found.setdefault(ability.on.event, set()).add(name)
    return found


__all__ = ["CHANCE", "Machine", "Queued"]
