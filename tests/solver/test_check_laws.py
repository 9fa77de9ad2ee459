"""What must hold when a question is changed: bans, requirements, equal objects, names, more of what pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from boards import board

from lawful.checking import check
from lawful.model.card import Card
from lawful.model.declaration import Question
from lawful.model.effect import Grant, Modality, Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.selector import Pattern
from lawful.playing import Referee
from lawful.solver.check import Checker, readings_of
from lawful.solver.nearest import changed

PLAYER = Referee(Limits())
SELF = Ref("self")
POSITION = ("cannot", "face", "must")
"""Roles of what would be otherwise in another position."""


def counted(question: Question) -> list[int]:
    """Return the number of legal choices under each reading."""
    readings = readings_of(question, player=PLAYER) or (None,)
    return [Checker(question, oblige=oblige, player=PLAYER).count() for oblige in readings]


def drawn(seed: int, must: str) -> Question:
    """Return a board without requirements and allowances, whose rules do not look at what a text could happen to."""
    question = board(Random(seed), Random(seed).randint(2, 5))
    rules = question.ruleset
    norming = replace(rules.norming, must=must, others="include", barred="void")  # type: ignore[arg-type]
    rules = replace(rules, norming=norming, choosing=replace(rules.choosing, gate="none"), norms=())
    cards = {name: replace(card, abilities=tuple(filter(_bans, card.abilities))) for name, card in _cards(question)}
    return replace(question, ruleset=rules, position=replace(question.position, cards=FrozenMap(cards), lasting=()))


def _cards(question: Question) -> list[tuple[str, Card]]:
    return list(question.position.cards.items())


def _bans(ability: object) -> bool:
    """Say whether an ability is no norm, or one that forbids."""
    norm = ability.effect if isinstance(ability, Static) else None
    return not isinstance(norm, Norm) or norm.modality == "cannot"


def with_norm(question: Question, id: str, modality: Modality) -> Question:
    """Return a question in which one object is forbidden, or required, as a target by a norm of its own."""
    position = question.position
    thing = position.thing(id)
    card = position.card(thing)
    more = Static(Norm(modality, Pattern("target", SELF)))
    changed_ = replace(card, abilities=(*card.abilities, more))
    cards = position.cards.put(f"{card.name} of {id}", changed_)
    there = replace(position, cards=cards).with_thing(replace(thing, card=f"{card.name} of {id}"))
    return replace(question, position=there)


def in_play(question: Question) -> str | None:
    """Return an object in play."""
    return next((t.id for t in question.position.things if t.zone == "arena" and t.id != "staff"), None)


def test_a_ban_on_what_nothing_requires_never_adds_a_legal_declaration() -> None:
    several = 0
    for seed in range(80):
        question = drawn(seed, "hard")
        target = in_play(question)
        if target is not None:
            before, after = sum(counted(question)), sum(counted(with_norm(question, target, "cannot")))
            assert after <= before, seed
            several += after < before
    assert several >= 5


def test_from_no_requirement_to_one_never_adds_a_legal_declaration() -> None:
    several = 0
    for seed in range(80):
        question = drawn(seed, "hard")
        target = in_play(question)
        if target is not None:
            before, after = sum(counted(question)), sum(counted(with_norm(question, target, "must")))
            assert after <= before, seed
            several += after < before
    assert several >= 5


def swapped_name(id: str, one: str, other: str) -> str:
    """Return the other one's name for either."""
    return {one: other, other: one}.get(id, id)


def swapped(ids: Iterable[str], one: str, other: str) -> set[str]:
    """Return names with two of them exchanged."""
    return {swapped_name(id, one, other) for id in ids}


def test_a_twin_may_be_chosen_where_its_twin_may() -> None:
    """Permuting equal objects permutes the answers, whatever they and the others say of themselves.

    Of two equal ones that silence others the first in the position may silence the second: these are left out.
    """
    several, own_norms = 0, 0
    for seed in range(140):
        question = board(Random(seed), 4)
        old = question.position.things[0]
        things = (old, replace(old, id="twin"), *question.position.things[1:])
        both = replace(question, position=replace(question.position, things=things))
        own = [a.effect for a in both.position.card(old).abilities if isinstance(a, Static)]
        if any(isinstance(effect, Grant) and effect.no_abilities for effect in own):
            continue
        if any(old.id in effect.bindings.values() for effect in both.position.lasting):
            continue  # a text was laid on one of them: they are not equal
        for oblige in readings_of(both, player=PLAYER) or (None,):
            other = None if oblige is None else frozenset(map(exchanged(old.id), oblige))
            checker, mirror = (Checker(both, oblige=keys, player=PLAYER) for keys in (oblige, other))
            for name in checker.slot_names():
                there = (
                    name.replace("> twin", "> (it)").replace(f"> {old.id}", "> twin").replace("> (it)", f"> {old.id}")
                )
                legal = checker.slot(name).legal
                assert swapped(legal, old.id, "twin") == set(mirror.slot(there).legal), (seed, name)
                several += old.id in legal
                own_norms += any(isinstance(n, Norm) and SELF in (n.action.subject, n.action.on) for n in own)
    assert several >= 3
    assert own_norms >= 20


def exchanged(id: str) -> Callable[[tuple[str, str]], tuple[str, str]]:
    """Return what puts a twin for an object, and the object for its twin, in what tells requirements apart."""

    def put(key: tuple[str, str]) -> tuple[str, str]:
        norm, thing = key
        holder, _, number = norm.rpartition("/")
        names = {id: "twin", "twin": id}
        return f"{names.get(holder, holder)}/{number}", names.get(thing, thing)

    return put


def test_repairs_and_nearest_positions_are_legal() -> None:
    """Each passes `check`; and it takes at least one change, as without any it is not legal."""
    repaired, nearer = 0, 0
    for seed in range(100):
        random = Random(seed)
        question = board(random, 3)
        first = check(question)
        if first.status != "legal" or first.witness is None or not first.witness.targets:
            continue
        slot = random.choice(sorted(first.witness.targets))
        refused = first.offers[slot].refused
        near = [id for id, why in refused.items() if all(b.role.startswith(POSITION) for r in why for b in r)]
        if not near and not refused:
            continue
        targets = first.witness.targets.put(slot, (random.choice(near or list(refused)),))
        said = replace(first.witness, targets=targets, x=question.declaration.x, options=question.declaration.options)
        asked = replace(question, declaration=said)
        verdict = check(asked)
        for repair in verdict.repairs[:3]:
            assert repair.distance > 0
            assert check(replace(asked, declaration=repair.declaration)).status == "legal", seed
            repaired += 1
        for shortfall in verdict.shortfalls[:3]:
            assert check(changed(asked, shortfall.changes)).status == "legal", seed
            nearer += 1
    assert repaired >= 10
    assert nearer >= 3
