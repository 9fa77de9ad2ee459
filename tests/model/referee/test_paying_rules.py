"""Rules of any mixture: other orders of parts, acceptance, when sources may be used, surplus, what is kept."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from worlds import cost, question, ruleset

from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text
from lawful.model.payment import Choice, Claim, Pay, Use
from lawful.model.referee import judge, payments, replay
from lawful.model.ruleset import AssetRule, Rule

Found = list[tuple[tuple[tuple[str, str], ...], dict[str, int]]]


def ways(asked: Question) -> Found:
    found = []
    for payment, outcome in payments(asked):
        assert replay(asked, payment).outcome == outcome
        pool = {id: n for id, n in outcome.pool.items() if n}
        found.append((tuple((use.thing, use.part) for use in payment.uses), pool))
    assert all(found.count(way) == 1 for way in found)
    return found


def rules(**changes: dict[str, object]) -> tuple[AssetRule, ...]:
    base: dict[str, dict[str, object]] = {
        "c": {"phase": 1, "accepts": ("c",)},
        "r": {"phase": 2, "accepts": ("c", "r")},
    }
    return tuple(AssetRule(id, id, **{**base[id], **changes.get(id, {})}) for id in base)  # type: ignore[arg-type]


def pay(assets: tuple[AssetRule, ...], hand: list[str], pool: dict[str, int] | None = None, **amounts: int) -> Question:
    return question(cost(**amounts), hand, pool, rules=ruleset(assets, charges=()))


def role(asked: Question, *steps: Use | Pay | Choice, **more: object) -> str | None:
    heard = judge(asked, Claim(steps, **more))  # type: ignore[arg-type]
    assert all(text(step.says) for step in heard.steps)
    assert heard.broken is None or text(heard.broken.says)
    return heard.broken.role if heard.broken else None


def use(thing: str, part: str = "") -> Use:
    return Use(thing, part, "pitch")


def test_the_other_order_of_parts() -> None:
    asked = pay(rules(c={"phase": 2}, r={"phase": 1}), ["chi", "blue"], c=3, r=1)
    assert ways(asked) == [((("blue", "r"), ("chi", "c")), {"r": 2})]
    assert role(asked, use("blue"), use("chi")) is None
    assert role(asked, use("chi", "c"), use("blue", "r")) == "order"


def test_what_is_accepted_and_in_which_order_it_leaves() -> None:
    swapped = rules(r={"accepts": ("r", "c")})
    assert ways(pay(swapped, [], {"c": 2, "r": 2}, r=3)) == [((), {"c": 1})]
    assert ways(pay(rules(), [], {"c": 2, "r": 2}, r=3)) == [((), {"r": 1})]
    alone = rules(r={"accepts": ("r",)})
    assert ways(pay(alone, ["chi"], {"c": 3}, r=1)) == []


def test_useless_sources_where_they_are_allowed() -> None:
    assets = rules(c={"useful": False})
    assert ways(pay(assets, ["red", "chi"], c=3)) == [
        ((("red", "c"), ("chi", "c")), {"r": 1}),
        ((("chi", "c"),), {}),
    ]
    assert role(pay(assets, ["red", "chi"], c=3), use("red"), use("chi")) is None
    assert role(pay(rules(), ["red", "chi"], c=3), use("red"), use("chi")) == "useful.c"


def test_never() -> None:
    assets = rules(r={"generate": "never"})
    assert ways(pay(assets, ["blue"], {"r": 1}, r=1)) == [((), {})]
    assert ways(pay(assets, ["blue"], r=1)) == []
    assert role(pay(assets, ["blue"], r=1), use("blue")) == "generate.r"
    assert role(pay(assets, ["blue"], {"r": 1}, r=1), use("blue")) == "generate.r"


def test_freely_allows_what_is_superfluous() -> None:
    assets = rules(r={"generate": "freely"})
    assert {frozenset(used) for used, _ in ways(pay(assets, ["red", "blue"], r=1))} == {
        frozenset({("red", "r")}),
        frozenset({("blue", "r")}),
        frozenset({("red", "r"), ("blue", "r")}),
    }
    asked = pay(assets, ["red", "blue"], r=1)
    assert role(asked, use("blue"), use("red")) is None
    assert role(asked, use("blue"), Pay("r"), use("red")) == "stop.r"
    assert ways(pay(assets, ["blue"], {"r": 1}, r=1)) == [((), {}), ((("blue", "r"),), {"r": 3})]


def test_freely_the_part_named_stays_open_and_another_is_closed() -> None:
    assets = rules(c={"generate": "freely"}, r={"generate": "freely"})
    asked = pay(assets, ["chi", "k2", "blue"], c=2, r=1)
    named = judge(asked, Claim((use("chi", "c"), use("k2", "c"), use("blue", "r"))))
    assert named.outcome is not None
    assert named.outcome.pool == FrozenMap({"c": 2, "r": 3})
    unnamed = judge(asked, Claim((use("k2"), use("chi"))))
    assert unnamed.complete
    # The chi part is covered by k2 and paid before the next step, so chi was used for the other part.
    assert [step.says.params["part"] for step in unnamed.steps if step.says.id == "step.use"] == ["c", "r"]
    assert role(asked, use("k2"), use("chi"), Pay("c"), Pay("r")) is None
    assert role(asked, use("k2", "c"), use("blue", "r"), Pay("c")) == "order"


@pytest.mark.parametrize(("surplus", "left"), [("floats", {"r": 2}), ("lost", {}), ("forbidden", None)])
def test_surplus(surplus: str, left: dict[str, int] | None) -> None:
    asked = pay(rules(r={"surplus": surplus}), ["blue"], r=1)
    assert [pool for _, pool in ways(asked)] == ([] if left is None else [left])
    assert role(asked, use("blue")) == (None if left is not None else "surplus.r")
    if surplus == "lost":
        ((_, outcome),) = payments(asked)
        assert outcome.overpaid == FrozenMap({"r": 2})
        assert role(asked, use("blue"), pool=FrozenMap({"r": 2})) == "surplus.r"


def test_what_floated_before_is_no_surplus() -> None:
    for surplus in ("lost", "forbidden"):
        assets = rules(c={"surplus": surplus}, r={"surplus": surplus})
        assert ways(pay(assets, [], {"c": 2, "r": 5}, r=2)) == [((), {"r": 5})]
        assert ways(pay(assets, [], {"c": 1, "r": 5})) == [((), {"c": 1, "r": 5})]


def test_what_has_to_be_kept() -> None:
    assets = (*rules(), AssetRule("h", "life", 3, ("h",), "never", keep=1))
    assert ways(pay(assets, [], {"h": 3}, h=2)) == [((), {"h": 1})]
    assert ways(pay(assets, [], {"h": 3}, h=3)) == []
    assert role(pay(assets, [], {"h": 3}, h=3)) == "part.h"


def test_all_or_nothing() -> None:
    heard = judge(pay(rules(), ["chi"], c=3, r=1), Claim((use("chi"),)))
    assert heard.broken is not None
    assert heard.broken.role == "part.r"
    assert heard.outcome is None
    started = judge(pay(rules(), ["chi"], c=3, r=1), Claim((use("chi"),), started=True))
    assert (started.broken, started.complete, started.outcome) == (None, False, None)


def test_pay_steps() -> None:
    asked = pay(rules(), ["chi", "blue"], c=3, r=1)
    assert role(asked, use("chi"), Pay("c"), use("blue"), Pay("r")) is None
    assert role(asked, Pay("c")) == "part.c"
    assert role(asked, use("chi"), Pay("r")) == "part.r"
    assert role(asked, Pay("r"), use("chi")) == "order"
    assert role(asked, use("chi"), Pay("c"), Pay("c")) == "part.c"
    assert role(asked, use("chi"), use("blue"), Pay("c")) == "useful.c"
    again = pay(rules(), ["chi", "chi"], c=3, r=1)
    assert role(again, use("chi"), use("chi #2"), Pay("c"), Pay("r")) == "stop.c"


def test_the_part_that_is_named() -> None:
    asked = pay(rules(), ["chi", "chi", "blue"], c=3, r=1)
    assert role(asked, use("chi", "c"), use("chi #2", "r")) is None
    assert role(asked, use("chi", "c"), use("chi #2", "c")) == "stop.c"
    assert role(asked, use("chi", "c"), use("blue", "c")) == "useful.c"
    assert role(asked, use("blue", "r"), use("chi", "c")) == "order"


def test_nothing_due() -> None:
    assert ways(pay(rules(), ["blue"])) == [((), {})]
    assert role(pay(rules(), ["blue"]), use("blue")) == "stop"
    assert role(pay(rules(), ["blue"], r=0), use("blue", "r")) == "stop.r"


def test_what_is_said_to_be_left() -> None:
    asked = pay(rules(), ["blue"], {"c": 2}, r=3)
    assert role(asked, use("blue"), pool=FrozenMap({"c": 0, "r": 2})) is None
    assert role(asked, use("blue"), pool=FrozenMap({"r": 2})) is None
    assert role(asked, use("blue"), pool=FrozenMap({"c": 2})) == "draw.r"
    assert role(asked, use("blue"), pool=FrozenMap({"c": 0, "r": 3})) == "part.r"


def test_a_rule_is_named_by_its_id() -> None:
    named = ruleset(rules=(Rule("enough", "stop when there is enough", ("stop.r",)),))
    heard = judge(question(cost(r=1), ["blue", "red"], rules=named), Claim((use("blue"), use("red"))))
    assert heard.broken is not None
    assert (heard.broken.role, heard.broken.rule) == ("stop.r", "enough")
    assert heard.broken.about == ("red",)


@pytest.mark.parametrize(("c", "r"), list(product(("while_short", "freely", "never"), repeat=2)))
@pytest.mark.parametrize("surplus", ["floats", "lost", "forbidden"])
@pytest.mark.parametrize("useful", [True, False])
def test_the_judge_agrees_with_the_lister_on_every_mixture(c: str, r: str, surplus: str, useful: bool) -> None:
    """Every order of every set of sources, judged: legal iff it is listed."""
    assets = rules(c={"generate": c, "useful": useful, "surplus": surplus}, r={"generate": r, "useful": useful})
    asked = pay(assets, ["k1", "red", "both"], {"c": 1}, c=2, r=2)
    listed = {payment.uses for payment, _ in payments(asked)}
    claims = {
        tuple(use(thing, part) for thing, part in zip(order, parts, strict=True))
        for n in range(4)
        for order in permutations(["k1", "red", "both"], n)
        for parts in product("cr", repeat=n)
    }
    legal = {steps for steps in claims if judge(asked, Claim(steps)).complete}
    assert legal == listed
