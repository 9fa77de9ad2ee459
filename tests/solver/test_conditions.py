"""Referee and solver agree on parts that wait for something, sums of what is chosen, modes that each do something."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest
from boards import board
from test_declarations import Checker, agree, broken, minimal_hitting_sets

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.declaration import Question
from lawful.model.effect import Activated
from lawful.model.expression import Compare, Condition, Count, Ref
from lawful.model.modes import Modes
from lawful.model.referee.legal import Table
from lawful.model.selector import Selector, Test
from lawful.model.verdict import told
from lawful.solver.grounds import Grounds

HUNT = int(os.environ.get("LAWFUL_HUNT", "1"))


def condition(r: Random, names: tuple[str, ...]) -> Condition:
    """Return what a part may wait for: what is so or not, X, what was chosen before."""
    if names and r.random() < 0.2:
        return Compare(Ref(names[0], ("power",)), r.choice(["ge", "lt"]), 2)
    if r.random() < 0.15:
        return Compare(Ref("x"), r.choice(["ge", "lt"]), 2)
    return Compare(Count(Selector(zone=("arena",), type=("beast",))), r.choice(["ge", "lt"]), r.choice([1, 2]))


def changed(r: Random, do: tuple[Act, ...]) -> tuple[Act, ...]:
    """Return acts some of which wait for something, or bound the sum of what is chosen."""
    found: list[Act] = []
    for act in do:
        names = tuple(a.as_ for a in found if a.as_ is not None)
        if r.random() < 0.5:
            act = replace(act, when=condition(r, names))
        if isinstance(act.what, Selector) and act.what.how in ("target", "choose") and r.random() < 0.5:
            test = Test("power", r.choice(["ge", "le", "gt", "lt", "eq"]), r.choice([1, 2, 3, 4, Ref("x")]))
            act = replace(act, what=replace(act.what, total=(test,), n=r.choice([1, 2, 2, 3])))
        if names and r.random() < 0.2:
            act = replace(act, given=names[0])
        found.append(act)
    if r.random() < 0.3:
        found.append(Act("draw", when=condition(r, ())))
    if r.random() < 0.2:
        named = tuple(a.as_ for a in found if a.as_ is not None)
        found += [Act("tap", Ref(name)) for name in named]
    return tuple(found)


def asked(seed: int, most: int) -> Question:
    """Return a question with such a text."""
    r = Random(seed)
    question = board(r, r.randint(0, most), procedures=False)
    position, rules = question.position, question.ruleset
    staff = position.cards["Staff"]
    ability = staff.abilities[0]
    assert isinstance(ability, Activated)
    modes = ability.modes
    if modes is not None:
        modes = Modes(tuple(replace(m, do=changed(r, m.do)) for m in modes.of), modes.n, modes.up_to, modes.repeat)
    ability = replace(ability, do=changed(r, ability.do), modes=modes)
    card: Card = replace(staff, abilities=(ability,))
    choosing = replace(
        rules.choosing,
        gate=r.choice(["any", "any", "every", "none"]),
        unmet=r.choice(["counts", "idle", "bars"]),
        options=r.choice(["together", "each"]),
        targets=r.choice(["exact", "available"]),
    )
    rules = replace(rules, choosing=choosing, targets_first=r.random() < 0.5)
    declaration = question.declaration
    if "x" in str(ability) and declaration.x is None and r.random() < 0.7:
        declaration = replace(declaration, x=r.choice([1, 2]))
    position = replace(position, cards=position.cards.put("Staff", card))
    return replace(question, ruleset=rules, position=position, declaration=declaration)


@pytest.mark.parametrize("seed", range(0, 120 * HUNT, 12))
def test_the_same_choices_are_legal(seed: int) -> None:
    for number in range(seed, seed + 12):
        agree(asked(number, 4), number)


def small(seed: int) -> Question | None:
    """Return one of which every subset of every slot can be tried."""
    question = asked(seed, 3)
    things = tuple(thing for thing in question.position.things if not thing.id.startswith("hand"))
    question = replace(question, position=replace(question.position, things=things))
    norming = question.ruleset.norming
    if norming.must == "maximal":
        question = replace(question, ruleset=replace(question.ruleset, norming=replace(norming, must="most")))
    places = len(Table(replace(question, declaration=replace(question.declaration, modes=()))).places)
    return question if places <= 2 else None


@pytest.mark.parametrize("seed", range(0, 80 * HUNT, 10))
def test_reasons_are_minimal_and_all_there_are(seed: int) -> None:
    for number in range(seed, seed + 10):
        question = small(number)
        if question is None:
            continue
        every = broken(question)
        if len(every) > 3_000:
            continue
        grounds = Grounds(Checker(question))
        family = grounds.family({})
        labels = [[grounds.labels[i] for i in reason] for reason in family.reasons]
        reasons = {frozenset(told(x.role, x.about, x.params) for x in reason) for reason in labels}
        if any(not rules for _, _, rules in every):
            assert not reasons, number
        else:
            grounds.all()  # CP-SAT certifies each of them
            assert reasons == minimal_hitting_sets([rules for _, _, rules in every]), number
