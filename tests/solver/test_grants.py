"""Paying where effects change what objects are: lost abilities, kinds that a source asks for."""

from __future__ import annotations

from random import Random

import pytest
from boards import grant
from worlds import KINDS, cost, ruleset

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import ActTerm
from lawful.model.declaration import Declaration, Question
from lawful.model.effect import Activated, Grant, Norm, Source, Static
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.payment import project
from lawful.model.position import Lasting, Player, Position, Thing
from lawful.model.referee import payments
from lawful.model.selector import Pattern, Selector
from lawful.playing import play
from lawful.solver.ways import find

SELF = Ref("self")


def asked(r: Random) -> Question:
    """Return a question about sources in play, among grants and restrictions."""
    cards, things = dict(KINDS), []
    for number in range(r.randint(1, 3)):
        for_ = r.choice([None, None, Selector(type=(r.choice(["spell", "beast"]),))])
        of = r.choice([None, Selector(zone=("arena",), type=(r.choice(["beast", "spirit"]),))])
        source = Source(FrozenMap({"r": r.choice([1, 2])}), ActTerm(Act("tap", SELF)), "well", of=of, for_=for_)
        more = [Static(grant(r))] if r.random() < 0.6 else []
        if r.random() < 0.3:
            more.append(Static(Norm("cannot", Pattern(r.choice(["tap", "pitch"]), Selector(type=("beast",))))))
        cards[f"well {number}"] = Card(f"well {number}", (r.choice(["beast", "spirit"]),), abilities=(source, *more))
        things.append(Thing(f"w{number}", f"well {number}", "Ann", "Ann", "arena", timestamp=number))
    cards["Staff"] = Card("Staff", (r.choice(["tool", "spell"]),), abilities=(Activated(cost(r=r.randint(1, 3))),))
    things.append(Thing("staff", "Staff", "Ann", "Ann", "arena", timestamp=r.randint(0, 3)))
    things += [Thing(f"h{i}", r.choice(["red", "blue"]), "Ann", "Ann", "hand") for i in range(r.randint(0, 2))]
    laid = r.choice([grant(r), Norm("cannot", Pattern("tap", SELF)), Norm("cannot", Pattern("pitch"), while_=None)])
    lasting = (Lasting("laid", "Bob", laid, 2, FrozenMap({"self": "w0", "on": "w0"})),) if r.random() < 0.4 else ()
    position = Position((Player("Ann"), Player("Bob")), tuple(things), FrozenMap(cards), "Ann", 2, lasting)
    return Question(ruleset(source_abilities=True), position, Declaration("Ann", "activate", "staff"))


@pytest.mark.parametrize("seed", range(0, 80, 20))
def test_the_same_ways(seed: int) -> None:
    several = 0
    for number in range(seed, seed + 20):
        question = asked(Random(number))
        played = list(payments(question))
        found = find(question, play=play)
        for level, count in found.counts().items():
            told = {outcome if level == "outcomes" else project(payment, level) for payment, outcome in played}
            assert count == len(told), (number, level)
        several += bool(played) and any(isinstance(a.effect, Grant) for c in question.position.cards.values()
                                        for a in c.abilities if isinstance(a, Static))  # fmt: skip
    assert several >= 3


def test_what_lost_its_abilities_pays_nothing() -> None:
    """The pair: the well pays; it does not once an effect takes its abilities away."""
    source = Source(FrozenMap({"r": 1}), ActTerm(Act("tap", SELF)), "well")
    cards = {
        "well": Card("well", ("beast",), abilities=(source,)),
        "Staff": Card("Staff", ("tool",), abilities=(Activated(cost(r=1)),)),
        "gag": Card(
            "gag", ("tool",), abilities=(Static(Grant("set", no_abilities=True, of=Selector(type=("beast",)))),)
        ),
    }
    things = [Thing(id, id, "Ann", "Ann", "arena", timestamp=1) for id in ("well", "Staff")]
    for more, ways in (((), 1), ((Thing("gag", "gag", "Bob", "Bob", "arena", timestamp=2),), 0)):
        position = Position((Player("Ann"), Player("Bob")), (*things, *more), FrozenMap(cards), "Ann")
        question = Question(ruleset(source_abilities=True), position, Declaration("Ann", "activate", "Staff"))
        assert len(list(payments(question))) == ways
        assert find(question, play=play).counts()["sources"] == ways
