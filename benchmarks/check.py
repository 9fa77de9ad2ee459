"""Figures of `check`: solves for one reason, time for all reasons, boards of 60 objects.

Run with ``python benchmarks/check.py``. It prints figures beside what was promised; times are of the processor, all in
one thread, so that other work on the machine does not count.
"""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from statistics import median

from lawful.checking import check
from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.procedure import Norming
from lawful.model.ruleset import AssetRule, Document, Ruleset, Verb, Zone
from lawful.model.selector import Pattern, Selector, Test
from lawful.solver.check import Checker
from lawful.solver.grounds import Grounds
from lawful.solver.marco import marco

SELF = Ref("self")
RULES = Ruleset(
    "bench", "bench", (Document("d", "d", "1"),), "d", (AssetRule("r", "r", 1, ("r",)),),
    zones=(Zone("hand"), Zone("heap"), Zone("arena", play=True)), verbs=(Verb("destroy", ("arena",), "heap"),),
)  # fmt: skip


def norm(random: Random) -> Norm:
    """Return a norm of some kind."""
    subject = random.choice([SELF, Selector(type=(random.choice(["beast", "spirit"]),))])
    made = Norm(random.choice(["cannot", "cannot", "must", "may"]), Pattern("target", subject))  # type: ignore[arg-type]
    if made.modality == "cannot" and random.random() < 0.3:
        return replace(made, **{random.choice(["more_than", "fewer_than"]): random.choice([1, 2])})  # type: ignore[arg-type]
    return replace(made, at_least=1) if made.modality == "must" and random.random() < 0.3 else made


def board(random: Random, objects: int, norms: int, must: str, n: int) -> Question:
    """Return a board of so many objects with so many norms, and a text with two slots."""
    cards, things = {}, []
    where = [random.randrange(objects) for _ in range(norms)]
    for number in range(objects):
        abilities = tuple(Static(norm(random)) for at in where if at == number)
        power = FrozenMap({"power": random.randint(1, 3)})
        cards[f"c{number}"] = Card(
            f"c{number}", (random.choice(["beast", "spirit"]),), stats=power, abilities=abilities
        )
        who, zone = random.choice(["Ann", "Bob"]), random.choice(["arena", "arena", "arena", "heap"])
        face = "down" if random.random() < 0.1 else "up"
        things.append(Thing(f"o{number}", f"c{number}", who, who, zone, face, timestamp=number))  # type: ignore[arg-type]
    first = Selector(type=("beast",), how="target", n=n)
    second = Selector(controller=Ref("controller"), where=(Test("power", "ge", 2),), how="target")
    do = (Act("destroy", first), Act("destroy", second))
    rules = replace(RULES, norming=Norming(must=must))  # type: ignore[arg-type]
    position = Position((Player("Ann"), Player("Bob")), tuple(things), FrozenMap(cards), "Ann", 2)
    return Question(rules, position, Declaration("Ann", cost=CostAll(), do=do))


def illegal_boards(many: int) -> list[Question]:
    """Return random boards of 12 objects on which nothing is legal."""
    found: list[Question] = []
    seed = 0
    while len(found) < many:
        question = board(Random(seed), 12, 6, Random(seed).choice(["hard", "any", "most"]), 2)
        if Checker(question).count() == 0:
            found.append(question)
        seed += 1
    return found


def reasons() -> None:
    """One reason: how many solves. All reasons: how long."""
    solves, times, sizes, counts = [], [], [], []
    for question in illegal_boards(60):
        grounds = Grounds(Checker(question))
        reason = grounds.one()
        assert reason is not None
        solves.append(grounds.solves - len(reason))
        sizes.append(len(reason))
        start = time.process_time()
        found = Grounds(Checker(question)).all()
        times.append((time.process_time() - start) * 1000)
        counts.append(len(found))
    print(f"one reason: |reason| + {max(solves)} solves at most (promised: + 3); |reason| up to {max(sizes)}")
    print(
        f"all reasons, 12 objects: median {median(times):.1f} ms (promised: 20), "
        f"worst {max(times):.1f} ms; up to {max(counts)} reasons"
    )


def systems() -> None:
    """All reasons of random systems of 20 and 40 rules, with an oracle that costs nothing."""
    for n in (20, 40):
        random, times, found = Random(n), [], []
        for _ in range(20):
            drawn = {frozenset(random.sample(range(n), random.randint(2, 5))) for _ in range(5)}
            start = time.process_time()
            family = marco(n, lambda rules, drawn=drawn: not any(r <= rules for r in drawn), most=2_000)  # type: ignore[misc]
            times.append((time.process_time() - start) * 1000)
            found.append(len(family.reasons) + len(family.corrections))
        typical = f"median {median(times):.1f} ms, worst {max(times):.0f} ms"
        print(f"{n} rules: {typical}; up to {max(found)} reasons and corrections")


def large() -> None:
    """Sixty objects with twenty norms: the verdict, the count, and the whole answer as `lawful check` gives it."""
    times, whole, illegal = [], [], 0
    for seed in range(24):
        question = board(Random(seed), 60, 20, Random(seed).choice(["hard", "any", "most"]), 2)
        start = time.process_time()
        Checker(question).verdict()
        times.append((time.process_time() - start) * 1000)
        start = time.process_time()
        verdict = check(question)
        whole.append((time.process_time() - start) * 1000)
        illegal += verdict.status == "illegal"
    print(f"60 objects, 20 norms: verdict median {median(times):.0f} ms, worst {max(times):.0f} ms (promised: 1000);")
    print(
        f"  with reasons, refusals, repairs, nearest positions: median {median(whole):.0f} ms, "
        f"worst {max(whole):.0f} ms; {illegal} of {len(whole)} are illegal"
    )


def million() -> None:
    """Five targets out of sixty: counted, not listed."""
    from math import comb

    question = board(Random(0), 60, 0, "hard", 5)
    alike = tuple(replace(thing, card="c0", zone="arena", face="up") for thing in question.position.things)
    card = replace(question.position.cards["c0"], types=("beast",))
    position = replace(question.position, things=alike, cards=FrozenMap({"c0": card}))
    do = (Act("destroy", Selector(type=("beast",), how="target", n=5)),)
    asked = replace(question, position=position, declaration=replace(question.declaration, do=do))
    start = time.process_time()
    count = Checker(asked).count()
    assert count == comb(60, 5)
    print(f"{count:,} sets of targets counted in {(time.process_time() - start) * 1000:.0f} ms")


if __name__ == "__main__":
    reasons()
    systems()
    large()
    million()
