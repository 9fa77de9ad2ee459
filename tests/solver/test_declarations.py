"""Referee and solver agree on what may be declared, and every reason is what it says: on random boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from random import Random

import pytest
from boards import board, norm
from worlds import ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import CostAll
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Norm, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.position import Player, Position, Thing
from lawful.model.procedure import Norming
from lawful.model.referee.affordable import affordable
from lawful.model.referee.legal import Table
from lawful.model.selector import Pattern, Selector
from lawful.model.slots import mode_names, text_of
from lawful.model.verdict import instance, told
from lawful.playing import Referee
from lawful.solver.check import Checker as Solved
from lawful.solver.check import readings_of as solved_readings
from lawful.solver.grounds import Grounds, Refuted
from lawful.solver.marco import marco

PLAYER = Referee(Limits())


def Checker(question: Question, oblige: frozenset[tuple[str, str]] | None = None) -> Solved:
    """Return what is known of a question; where the models are not exact, payments are played."""
    return Solved(question, oblige=oblige, player=PLAYER)


def readings_of(question: Question) -> tuple[frozenset[tuple[str, str]], ...]:
    """Return its readings."""
    return solved_readings(question, player=PLAYER)


Key = tuple[object, tuple[tuple[str, tuple[str, ...]], ...]]


def tables(question: Question) -> Iterator[tuple[object, Question, Table]]:
    """Yield the referee's view of every choice of modes and X."""
    text, scenes = text_of(question), Checker(question).scenes
    modes: list[tuple[str, ...]] = [()]
    if text.modes is not None:
        n, names = text.modes.n, mode_names(text)
        assert isinstance(n, int)
        pick = combinations_with_replacement if text.modes.repeat else combinations
        modes = [m for size in (range(1, n + 1) if text.modes.up_to else (n,)) for m in pick(names, size)]
    for chosen in modes:
        for x in sorted({scene.x for scene in scenes}, key=str):
            settled = replace(question, declaration=replace(question.declaration, modes=chosen, x=x))
            yield (chosen, x), settled, Table(settled)


def legal(question: Question, oblige: frozenset[tuple[str, str]] | None) -> set[Key]:
    """Return every complete choice that the referee finds legal, payment included."""
    found: set[Key] = set()
    for where, settled, table in tables(question):
        binding = oblige
        if oblige is not None and table.requirements:
            largest = [keys for keys in table.meetable if not any(keys < other for other in table.meetable)]
            if len(largest) == 1:
                binding = largest[0]
            elif oblige not in largest:
                continue
        for chosen in table.choices():
            if any(True for _ in table.required(chosen, binding)):
                continue
            complete = replace(settled, declaration=replace(settled.declaration, targets=chosen))
            if affordable(complete) is not None:
                found.add((where, tuple(sorted(chosen.items()))))
    return found


def agree(question: Question, number: int) -> None:
    """Ask the referee and CP-SAT which choices are legal, in every reading: how many, one of them, who fits a slot."""
    for oblige in readings_of(question) or (None,):
        expected = legal(question, oblige)
        checker = Checker(question, oblige=oblige)
        found = checker.verdict()
        assert found.count == len(expected), number
        assert found.legal == bool(expected), number
        if found.witness is not None:
            witness = found.witness
            key = ((witness.modes, witness.x), tuple(sorted(witness.targets.items())))
            assert key in expected, number
        for name in checker.slot_names():
            may = {id for _, targets in expected for slot, ids in targets if slot == name for id in ids}
            assert set(checker.slot(name).legal) == may, (number, name)


@pytest.mark.parametrize("seed", range(0, 160, 8))
def test_the_same_choices_are_legal(seed: int) -> None:
    for number in range(seed, seed + 8):
        random = Random(number)
        agree(board(random, random.randint(0, 4)), number)


def broken(question: Question) -> list[tuple[Question, FrozenMap[str, tuple[str, ...]], frozenset[object]]]:
    """Return what every complete choice at all breaks, illegal ones included."""
    found = []
    for _, settled, table in tables(question):
        ids = [thing.id for thing in table.things]
        sets = [chosen for n in range(len(ids) + 1) for chosen in combinations(ids, n)]
        for combo in product(sets, repeat=len(table.places)):
            chosen = FrozenMap({place.name: ids for place, ids in zip(table.places, combo, strict=True)})
            found.append((settled, chosen, frozenset(map(instance, table.breaks(chosen)))))
    return found


def small(seed: int) -> Question | None:
    """Return a question that is small enough to try every subset of every slot; of two slots, none with 5 objects."""
    random = Random(seed)
    question = board(random, random.randint(0, 3))
    things = tuple(thing for thing in question.position.things if not thing.id.startswith("hand"))
    question = replace(question, position=replace(question.position, things=things))
    norming = question.ruleset.norming
    if norming.must == "maximal":
        question = replace(question, ruleset=replace(question.ruleset, norming=replace(norming, must="most")))
    space = sum((2 ** len(table.things)) ** len(table.places) for _, _, table in tables(question))
    return question if space <= 600 else None


@pytest.mark.parametrize("seed", range(0, 120, 10))
def test_reasons_are_minimal_and_all_there_are(seed: int) -> None:
    for number in range(seed, seed + 10):
        question = small(number)
        if question is None:
            continue
        every = broken(question)
        grounds = Grounds(Checker(question))
        family = grounds.family({})
        reasons = {frozenset(_told(grounds, i) for i in reason) for reason in family.reasons}
        if any(not rules for _, _, rules in every):
            assert not reasons, number
        else:
            grounds.all()  # CP-SAT certifies each of them
            assert reasons == minimal_hitting_sets([rules for _, _, rules in every]), number
        for settled, chosen, rules in Random(number).sample(every, min(4, len(every))):
            fixed = Grounds(Checker(replace(settled, declaration=replace(settled.declaration, targets=chosen))))
            alone = fixed.family({}).reasons
            assert all(len(reason) == 1 for reason in alone), number
            assert {_told(fixed, i) for reason in alone for i in reason} == rules, (number, chosen)


def test_what_is_no_minimal_reason_is_not_certified() -> None:
    """CP-SAT refuses a set of rules that can all be kept, and what says more than it needs; alone and among others."""
    refused = 0
    for number in range(40):
        question = small(number)
        if question is None:
            continue
        grounds = Grounds(Checker(question))
        reasons = grounds.family({}).reasons
        grounds.certify_all(reasons)
        for reason in reasons[:3]:
            grounds.certify(reason)
            more = next((i for i in range(len(grounds.labels)) if i not in reason), None)
            wrong = [reason - {min(reason)}, *([] if more is None else [reason | {more}])]
            for other in (rules for rules in wrong if rules):
                refused += 1
                with pytest.raises(Refuted):
                    grounds.certify(other)
                with pytest.raises(Refuted):
                    grounds.certify_all((*reasons, other))
    assert refused > 20


def _told(grounds: Grounds, i: int) -> object:
    found = grounds.labels[i]
    return told(found.role, found.about, found.params)


def minimal_hitting_sets(families: list[frozenset[object]]) -> set[frozenset[object]]:
    """Return the minimal sets that meet each of some sets, one family after the other."""
    found: set[frozenset[object]] = {frozenset()}
    for family in set(families):
        grown = {s for s in found if s & family}
        grown |= {s | {member} for s in found if not s & family for member in family}
        found = {s for s in grown if not any(other < s for other in grown)}
    return found


def test_all_reasons_of_random_systems() -> None:
    """MARCO against brute force: 2,000 systems, reasons and corrections."""
    random, several = Random(5), 0
    for _ in range(2_000):
        n = random.randint(1, 8)
        drawn = {frozenset(random.sample(range(n), random.randint(1, min(n, 4)))) for _ in range(random.randint(0, 5))}
        reasons = {r for r in drawn if not any(other < r for other in drawn)}

        def possible(rules: frozenset[int], reasons: set[frozenset[int]] = reasons) -> bool:
            return not any(r <= rules for r in reasons)

        def core(rules: frozenset[int], reasons: set[frozenset[int]] = reasons) -> frozenset[int]:
            within = [r for r in sorted(reasons, key=sorted) if r <= rules]
            return within[0] | within[-1]

        family = marco(n, possible, core=core if random.random() < 0.5 else None)
        assert set(family.reasons) == reasons
        assert len(family.reasons) == len(reasons)
        assert family.complete
        subsets = [frozenset(c) for k in range(n + 1) for c in combinations(range(n), k)]
        hitting = [s for s in subsets if all(s & r for r in reasons)]
        smallest = {s for s in hitting if not any(o < s for o in hitting)} if reasons else set()
        assert set(family.corrections) == smallest
        several += len(reasons) > 1
    assert several > 500


# --- what must hold when a board is changed


def plain(many: int, *norms: tuple[int, Norm], must: str = "hard", n: int = 1) -> Question:
    """Return a board of equal creatures, some with a norm; one text with one slot."""
    cards = {"plain": Card("plain", ("beast",))}
    things = []
    for number in range(many):
        mine = tuple(Static(one) for at, one in norms if at == number)
        name = "plain" if not mine else f"with {number}"
        cards[name] = Card(name, ("beast",), abilities=mine)
        things.append(Thing(f"o{number}", name, "Ann", "Ann", "arena"))
    rules = ruleset(norming=Norming(must=must))  # type: ignore[arg-type]
    position = Position((Player("Ann"), Player("Bob")), tuple(things), FrozenMap(cards), "Ann", 2)
    do = (Act("destroy", Selector(type=("beast",), how="target", n=n)),)
    return Question(rules, position, Declaration("Ann", cost=CostAll(), do=do))


BAN = Norm("cannot", Pattern("target", Ref("self")))
DUTY = Norm("must", Pattern("target", Ref("self")))


def choices(question: Question) -> set[Key]:
    """Return the legal choices under the only reading."""
    return legal(question, None)


@pytest.mark.parametrize("seed", range(40))
def test_a_ban_where_no_requirement_binds_never_adds_a_choice(seed: int) -> None:
    random = Random(seed)
    question = board(random, 4, procedures=False)
    bare = replace(question.ruleset, norms=(), norming=replace(question.ruleset.norming, must="hard"))
    cards = {}
    for name, card in question.position.cards.items():
        kept = tuple(
            a
            for a in card.abilities
            if not (isinstance(a, Static) and isinstance(a.effect, Norm) and a.effect.modality != "cannot")
        )
        cards[name] = replace(card, abilities=kept)
    position = replace(question.position, cards=FrozenMap(cards), lasting=())
    before = replace(question, ruleset=bare, position=position)
    victim = random.choice(position.things)
    card = position.cards[victim.card]
    banned = replace(
        card,
        abilities=(
            *card.abilities,
            Static(Norm("cannot", Pattern("choose", Selector(zone=("arena",), type=("beast",))))),
        ),
    )
    after = replace(before, position=replace(position, cards=position.cards.put(card.name, banned)))
    if any("choose" in scene.modes for scene in Checker(before).scenes) or before.ruleset.choosing.gate != "none":
        before = replace(
            before, ruleset=replace(before.ruleset, choosing=replace(before.ruleset.choosing, gate="none"))
        )
        after = replace(after, ruleset=before.ruleset)
    if all(place.target for _, _, table in tables(before) for place in table.places):
        assert choices(after) <= choices(before)


@pytest.mark.parametrize("many", range(1, 5))
@pytest.mark.parametrize("n", [1, 2])
def test_from_no_requirement_to_one_never_adds_a_choice(many: int, n: int) -> None:
    before, after = plain(many, n=n), plain(many, (0, DUTY), n=n)
    assert choices(after) <= choices(before)
    assert Checker(after).count() == len(choices(after))


def test_a_ban_may_add_a_choice_where_a_requirement_binds() -> None:
    """Two that must be chosen and one target: nobody. One of them cannot be: the other can."""
    assert Checker(plain(3, (0, DUTY), (1, DUTY))).count() == 0
    both = Norm("must", Pattern("target", Ref("self")))
    freed = plain(3, (0, both), (1, DUTY), (1, BAN))
    assert Checker(freed).count() == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_objects_does_not_matter(seed: int) -> None:
    random = Random(seed)
    question = board(random, 4)
    things = list(question.position.things)
    random.shuffle(things)
    shuffled = replace(question, position=replace(question.position, things=tuple(things)))
    for oblige in readings_of(question) or (None,):
        one, other = Checker(question, oblige=oblige), Checker(shuffled, oblige=oblige)
        assert one.count() == other.count()
        for name in one.slot_names():
            assert set(one.slot(name).legal) == set(other.slot(name).legal)


def test_a_million_sets_of_targets_are_counted() -> None:
    from math import comb

    question = plain(60, n=5)
    assert Checker(question).verdict().count == comb(60, 5) == 5_461_512


@pytest.mark.parametrize("must", ["hard", "any", "most", "maximal"])
def test_sixty_objects_and_twenty_norms(must: str) -> None:
    random = Random(1)
    norms = [(random.randrange(60), norm(random)) for _ in range(20)]
    question = plain(60, *norms, must=must, n=2)
    for oblige in readings_of(question) or (None,):
        checker = Checker(question, oblige=oblige)
        found = checker.verdict()
        assert found.count is not None
        slot = checker.slot("target")
        assert len(slot.legal) + len(slot.refused) == 60
