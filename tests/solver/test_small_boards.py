"""Every board of a few creatures, each with every kind of norm, up to symmetry, under every mixture of rules of norms.

Boards are taken up to the order of their creatures, and each under the rules that can matter for it; that the others do
not matter is tested too. The suite looks at boards of up to 2, and at those of 3 and 4 up to kinds that are the same
in effect; ``LAWFUL_BOARDS=5`` looks at all of up to 5 (five minutes of one core).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product

import pytest
from worlds import ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.position import Player, Position, Thing
from lawful.model.procedure import Choosing, Norming
from lawful.model.referee.legal import Table
from lawful.model.selector import Pattern, Selector
from lawful.model.verdict import instance, told
from lawful.solver.check import Checker, readings_of
from lawful.solver.grounds import Grounds

SELF = Ref("self")
SPELL = Selector(type=("spell",))
MUST = Norm("must", Pattern("target", SELF))
CANNOT = Norm("cannot", Pattern("target", SELF))
PROTECTED = Norm("cannot", Pattern("target", SELF, Ref("declarer"), source=SPELL))
SHIELDED = Norm("cannot", Pattern("destroy", SELF))
LONELY = Norm("cannot", Pattern("target", Selector(type=("beast",))), fewer_than=2)
MAY = Norm("may", Pattern("target", SELF))
KINDS: dict[str, tuple[Norm, ...]] = {
    "plain": (),
    "must": (MUST,),
    "cannot": (CANNOT,),
    "both": (MUST, CANNOT),
    "protected": (PROTECTED,),
    "protected must": (PROTECTED, MUST),
    "shielded": (SHIELDED,),
    "let": (CANNOT, MAY),
    "lonely": (LONELY,),
}
SAME = {"protected": "cannot", "protected must": "both", "shielded": "plain"}
"""Kinds that are the same in effect as others, where the text is a spell and what affects objects is not looked at."""
ALL = os.environ.get("LAWFUL_BOARDS")
RULES = [
    Norming(rank=rank, conflict=conflict, must=must, others=others, barred=barred)  # type: ignore[arg-type]
    for must, others, barred in product(("hard",), ("exclusive", "include"), ("void", "blocks"))
    for rank, conflict in ((("cannot", "must", "may"), "rank"), (("may", "cannot", "must"), "latest"))
] + [Norming(must=must) for must in ("any", "most", "maximal")]  # type: ignore[arg-type]
DEFAULT = RULES[0]


def boards(size: int) -> Iterator[tuple[str, ...]]:
    """Yield every board of that size; the order of equal things does not matter."""
    yield from combinations_with_replacement(KINDS, size)


def matters(kinds: tuple[str, ...], norming: Norming) -> bool:
    """Say whether rules are to be looked at for a board: no board is looked at twice under what is one rule for it."""
    there = set(kinds)
    like = norming
    if not there & {"must", "both", "protected must"}:
        like = replace(like, must="hard", others=DEFAULT.others, barred=DEFAULT.barred)
    if not there & {"both", "protected must"}:
        like = replace(like, barred=DEFAULT.barred)
    if not there & {"both", "protected must", "let"}:
        like = replace(like, conflict=DEFAULT.conflict, rank=DEFAULT.rank)
    return like == norming


def looked_at() -> Iterator[tuple[str, ...]]:
    """Yield the boards that are looked at."""
    for size in range(int(ALL or 2) + 1):
        yield from boards(size)
    for size in (3, 4) if ALL is None else ():
        yield from (kinds for kinds in boards(size) if not set(kinds) & set(SAME))


def asked(kinds: tuple[str, ...], norming: Norming, n: int, affected: str = "ignored") -> Question:
    """Return a question: a spell that targets so many creatures."""
    cards = {kind: Card(kind, ("beast",), abilities=tuple(map(Static, norms))) for kind, norms in KINDS.items()}
    things = tuple(Thing(f"o{i}", kind, "Bob", "Bob", "arena", timestamp=i) for i, kind in enumerate(kinds))
    position = Position((Player("Ann"), Player("Bob")), things, FrozenMap(cards), "Ann", 2)
    do = (Act("destroy", Selector(type=("beast",), how="target", n=n)),)
    rules = ruleset(norming=norming, choosing=Choosing(affected=affected))  # type: ignore[arg-type]
    return Question(rules, position, Declaration("Ann", cost=CostAll(), types=("spell",), do=do))


def agree(question: Question) -> None:
    """Compare every choice, every reason, every refusal."""
    table = Table(replace(question, declaration=replace(question.declaration, modes=())))
    ids = [thing.id for thing in question.position.things]
    every = [FrozenMap({"target": c}) for n in range(len(ids) + 1) for c in combinations(ids, n)]
    for oblige in readings_of(question) or (None,):
        broken = {chosen: frozenset(map(instance, table.breaks(chosen, oblige))) for chosen in every}
        legal = [chosen["target"] for chosen, rules in broken.items() if not rules]
        checker = Checker(question, oblige=oblige)
        assert checker.verdict().count == len(legal)
        slot = checker.slot("target")
        assert set(slot.legal) == {id for chosen in legal for id in chosen}
        if not legal:
            grounds = Grounds(checker)
            for reason in grounds.family({}).reasons:
                members = frozenset(told(x.role, x.about, x.params) for x in (grounds.labels[i] for i in reason))
                assert all(members & rules for rules in broken.values())
                assert all(any(not (members - {m}) & rules for rules in broken.values()) for m in members)


@pytest.mark.parametrize("norming", RULES, ids=lambda n: f"{n.must}-{n.others}-{n.barred}-{n.conflict}")
@pytest.mark.parametrize("n", [1, 2])
def test_every_board(norming: Norming, n: int) -> None:
    for kinds in looked_at():
        if matters(kinds, norming):
            for affected in ("ignored", "any") if "shielded" in kinds else ("ignored",):
                try:
                    agree(asked(kinds, norming, n, affected))
                except AssertionError as error:
                    raise AssertionError(f"{kinds}, {affected}: {error}") from None


def choices(question: Question) -> set[tuple[str, ...]]:
    """Return what may be chosen, as the referee plays it; where rules leave it open, under some reading."""
    table = Table(replace(question, declaration=replace(question.declaration, modes=())))
    return {c["target"] for c in table.choices() if not any(True for _ in table.required(c))}


@pytest.mark.parametrize("n", [1, 2])
def test_rules_that_are_not_looked_at_do_not_matter(n: int) -> None:
    """For every board of up to 2, the rules left out permit what some rules looked at do; so do kinds of one effect."""
    several = 0
    for kinds in (kinds for size in range(3) for kinds in boards(size)):
        seen = [choices(asked(kinds, norming, n)) for norming in RULES if matters(kinds, norming)]
        for norming in RULES:
            if not matters(kinds, norming):
                several += 1
                assert choices(asked(kinds, norming, n)) in seen, (kinds, norming)
        like = tuple(SAME.get(kind, kind) for kind in kinds)
        if like != kinds:
            assert choices(asked(kinds, DEFAULT, n)) == choices(asked(like, DEFAULT, n)), kinds
    assert several > 250
