"""What a player can pay with while an effect resolves, and what that leaves: found by the model of payments."""

from __future__ import annotations

from lawful.model.act import Act
from lawful.model.cost import ActTerm, CostAll, terms
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Source
from lawful.model.errors import LimitReached
from lawful.model.expression import Ref
from lawful.model.frozen import replace
from lawful.model.page import Page
from lawful.model.payment import Payment, Use
from lawful.model.position import Position
from lawful.model.ruleset import Ruleset
from lawful.solver.order.change import committed, planned
from lawful.solver.order.view import Key


class Purse:
    """Payments that were asked for, each once.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._known: dict[object, tuple[Position, ...]] = {}

    def after(self, position: Position, who: str, cost: CostAll, reads: set[Key]) -> tuple[Position, ...]:
        """Return every position that paying can leave; what waits goes on waiting.

        Raises
        ------
        LimitReached
            If a payment does more than the effects here can follow.
        """
        # Whatever a source may look at: paying is independent of nothing that changes an object or a player.
        reads.update((t.id, part) for t in position.things for part in ("zone", "face", "controller", "status", "base"))
        reads.update((t.id, "counters", kind) for t in position.things for kind in t.counters)
        reads.update(("pool", who, asset.id) for asset in self.rules.assets)
        reads |= {("facts", player.name) for player in position.players} | {("lasting",)}
        key = (position.with_queue(()), who, cost)
        if key not in self._known:
            self._known[key] = tuple(dict.fromkeys(self._ends(position.with_queue(()), who, cost)))
        return tuple(end.with_queue(position.queue) for end in self._known[key])

    def _ends(self, position: Position, who: str, cost: CostAll) -> list[Position]:
        from lawful.solver.encode.amount import Unreadable
        from lawful.solver.ways import NotSteady, find

        if any(isinstance(term, ActTerm) for term in terms(cost)):
            raise LimitReached("effect-costs", 0, "a payment that only spends assets can be followed")
        try:
            found = find(Question(self.rules, position, Declaration(who, cost=cost)))
        except (NotSteady, Unreadable) as why:
            raise LimitReached("payments", 0, f"paying here depends on more than can be followed: {why}") from why
        if not found.complete:
            limit = found.reached[0].limit if found.reached else "ways"
            raise LimitReached(limit, 0, "a payment of fewer cards can be followed")
        ends = []
        for _, payment, outcome, _ in found.lines("sequences", False, Page()):
            end = self._spent(position, payment)
            ends.append(end.with_player(replace(end.player(who), pool=outcome.pool)))
        return ends

    def _spent(self, position: Position, payment: Payment) -> Position:
        """Return the position after the costs of the sources used, without their gains."""
        for use in payment.uses:
            if use.replaced:
                raise LimitReached("replacements", 0, "a payment whose gains nothing replaces can be followed")
            for term in terms(self._source(use, position).cost):
                if isinstance(term, ActTerm):
                    position = self._done(term.act, use, position)
        return position

    def _done(self, act: Act, use: Use, position: Position) -> Position:
        from lawful.solver.order.board import Boards, own
        from lawful.solver.order.view import View

        if Ref("self") not in (act.what, act.of):
            raise LimitReached("effect-costs", 0, "a payment that spends its sources themselves can be followed")
        boards = Boards(self.rules, position)
        view = View(position, self.rules, own(position.thing(use.thing)), boards)
        return committed(planned(act, (use.thing,), view, None), position, self.rules, boards)

    def _source(self, use: Use, position: Position) -> Source:
        printed = position.cards[position.thing(use.thing).card].abilities
        every = [*self.rules.sources, *(a for a in printed if isinstance(a, Source))]
        return next(source for source in every if source.name == use.source)
