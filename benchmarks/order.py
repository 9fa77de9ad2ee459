"""How long orders of effects take: ``python benchmarks/order.py``. Processor time; ratios say more than seconds.

1. 1,000 effects with 3,000 dependencies, each waiting for those that it depends on.
2. 12 abilities that trigger at once and do not commute, explored exactly; and how many orders that stands for.
3. 6 to 12 abilities that commute: the orders that need not be tried.
4. Growth: the graph and the board of 10 to 10,000 effects.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from math import factorial
from typing import TypeVar

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Happening, OrderQuestion
from lawful.model.effect import Modifier, Static, Trigger
from lawful.model.expression import Ref, Sum
from lawful.model.frozen import FrozenMap
from lawful.model.policy import EffectRules
from lawful.model.position import Player, Position, Thing
from lawful.model.ruleset import AssetRule, Document, Ruleset, Stage, Verb, Zone
from lawful.model.selector import Pattern
from lawful.solver.order.answer import ordered
from lawful.solver.order.board import Boards
from lawful.solver.order.graph import graph_of

T = TypeVar("T")
SELF = Ref("self")
RULES = Ruleset(
    "bench", "A game", (Document("text", "Rules", "1"),), "text", assets=(AssetRule("r", "resource", 1, ("r",)),),
    zones=(Zone("grave"), Zone("arena", play=True)),
    verbs=(Verb("tap", ("arena",), adds="tapped"),),
    stages=(Stage("only"),),
    ordering=EffectRules(dependency="sort"),
)  # fmt: skip


def timed(do: Callable[[], T]) -> tuple[float, T]:
    """Return how long something takes, and what it gives."""
    start = time.process_time()
    found = do()
    return time.process_time() - start, found


def position(cards: dict[str, Card], things: list[Thing]) -> Position:
    """Return a position of two players."""
    players = (Player("Ann", FrozenMap({"r": 0})), Player("Bob", FrozenMap({"r": 0})))
    return Position(players, tuple(things), FrozenMap(cards), "Ann", 2, clock=len(things) + 1)


def net(n: int, each: int, seed: int = 1) -> Position:
    """Return n effects, each adding the numbers of some that come before it in a hidden order; ages are shuffled."""
    dice = random.Random(seed)
    stamps = list(range(n))
    dice.shuffle(stamps)
    cards, things = {}, []
    for i in range(n):
        before = dice.sample(range(i), min(each, i))
        names = [f"r{k}" for k in range(len(before))]
        amount = Sum((1, *(Ref("self", (name, f"s{j}")) for name, j in zip(names, before, strict=True))))
        effect = Static(Modifier(f"s{i}", "add", amount, "only", SELF))
        cards[f"c{i}"] = Card(f"c{i}", ("gear",), stats=FrozenMap({f"s{i}": 0}), abilities=(effect,))
        near = FrozenMap({name: f"c{j}" for name, j in zip(names, before, strict=True)})
        things.append(Thing(f"c{i}", f"c{i}", "Ann", "Ann", "arena", relations=near, timestamp=stamps[i]))
    return position(cards, things)


def bells(n: int, commute: bool) -> OrderQuestion:
    """Return n abilities that hear one bell; all write the same number, or each its own."""
    bell = Card("bell", ("bell",))
    cards, things = {"bell": bell}, [Thing("bell", "bell", "Ann", "Ann", "arena", timestamp=1)]
    for i in range(n):
        whom = SELF if commute else Ref("subject")
        act = Act("set", "counters.mark", of=whom, to=i + 1)
        cards[f"c{i}"] = Card(f"c{i}", ("clapper",), abilities=(Trigger(Pattern("tap"), (act,)),))
        things.append(Thing(f"c{i}", f"c{i}", "Ann", "Ann", "arena", timestamp=i + 2))
    rules = replace(RULES, ordering=EffectRules(ties="turn", waiting="newest"))
    return OrderQuestion(rules, position(cards, things), (Happening((Act("tap", SELF),), "Ann", "bell"),))


def main(largest: int = 10_000) -> None:
    """Run all and print a table."""
    there = net(1_000, 3)
    edges = sum(len(thing.relations) for thing in there.things)
    seconds, board = timed(lambda: Boards(RULES, there).of(there))
    place = {key: n for n, key in enumerate(board.order)}
    pairs = [(other, thing.id) for thing in there.things for other in thing.relations.values()]
    right = all(place[f"{first}/0"] < place[f"{then}/0"] for first, then in pairs)
    print(f"1,000 effects, {edges:,} dependencies, sorted: {seconds:.2f} s, order right: {right}")
    seconds, answer = timed(lambda: ordered(bells(12, commute=False)))
    print(
        f"12 that do not commute: {seconds:.2f} s, {answer.states:,} states, {len(answer.outcomes)} outcomes, "
        f"complete: {answer.complete}; {factorial(12):,} orders"
    )
    for n in (6, 9, 12):
        seconds, answer = timed(lambda n=n: ordered(bells(n, commute=True)))
        print(f"{n} that commute: {seconds:.2f} s, {answer.states} states, {answer.orders:,} orders agree")
    n = 10
    before = 0.0
    while n <= largest:
        there = net(n, 3)
        question = OrderQuestion(RULES, there)
        boards = Boards(RULES, there)
        board_seconds, _ = timed(lambda there=there, boards=boards: boards.of(there))
        graph_seconds, graph = timed(lambda question=question, boards=boards: graph_of(question, boards))
        total = board_seconds + graph_seconds
        ratio = f", {total / before:.1f} times" if before else ""
        times = f"board {board_seconds:.3f} s, graph {graph_seconds:.3f} s"
        print(f"{n:>6,} effects: {times}, {len(graph.edges):,} edges{ratio}", flush=True)
        before, n = total, n * 10


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
