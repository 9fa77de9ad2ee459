"""An expectation that holds, and the same one a little wrong."""

from __future__ import annotations

from typing import Any

import pytest

from lawful.expectations import compare

BLUE = {
    "sources": ["Ember", "blue"],
    "steps": [{"pay": "3c", "with": ["Ember"]}, {"pay": "1r", "with": ["blue"]}],
    "x": {}, "options": [], "pool": {"c": 0, "r": 2}, "overpaid": {}, "copies": 1, "key": "1",
}  # fmt: skip
RED = {**BLUE, "sources": ["Ember", "red"], "pool": {"c": 0, "r": 0}, "key": "2",
       "steps": [{"pay": "3c", "with": ["Ember"]}, {"pay": "1r", "with": ["red"]}]}  # fmt: skip
LEGAL: dict[str, Any] = {
    "verdict": "legal", "complete": True, "level": "sources", "count": 2, "counts": {"outcomes": 2, "sources": 2},
    "minimal": 2, "ways": [BLUE, RED], "reasons": [],
}  # fmt: skip
ILLEGAL: dict[str, Any] = {
    "verdict": "illegal", "complete": True, "count": 0, "ways": [],
    "reasons": [[{"rule": "1.2c"}, {"rule": None, "fact": True}, {"rule": "1.3"}]],
}  # fmt: skip


def holds(then: dict[str, Any], document: dict[str, Any]) -> bool:
    return all(check.holds for check in compare(then, document))


@pytest.mark.parametrize(
    ("then", "document", "wrong"),
    [
        ({"verdict": "legal"}, LEGAL, {"verdict": "illegal"}),
        ({"count": 2, "complete": True}, LEGAL, {"count": "3"}),
        ({"count": "2", "complete": "true"}, LEGAL, {"complete": "false"}),
        ({"counts": {"sources": 2}}, LEGAL, {"counts": {"sources": 1}}),
        ({"ways": [{"r": ["red"]}, {"c": ["Ember"], "pool": {"r": "2"}}]}, LEGAL, {"ways": [{"r": ["red"]}]}),
        ({"ways": [{}, {"r": ["blue"]}]}, LEGAL, {"ways": [{"r": ["blue"]}, {"r": ["blue"]}]}),
        ({"ways": [{"sources": ["blue", "Ember"]}, {}]}, LEGAL, {"ways": [{"sources": ["blue"]}, {}]}),
        ({"ways": [{}, {}]}, LEGAL, {"ways": [{}, {}, {}]}),
        ({"ways": []}, ILLEGAL, {"ways": [{}]}),
        ({"outcomes": [{"pool": {"r": 0}}, {"pool": {"r": 2}}]}, LEGAL, {"outcomes": [{"pool": {"r": 0}}]}),
        ({"reasons": ["1.2c", "1.3"]}, ILLEGAL, {"reasons": ["1.2"]}),
        ({"reasons": [["1.3", "1.2c"]]}, ILLEGAL, {"reasons": [["1.3", "1.4"]]}),
        ({"reasons": []}, LEGAL, {"reasons": ["1.3"]}),
        ({"broken": "1.3"}, {"broken": {"rule": "1.3"}}, {"broken": "1.4"}),
        ({"pool": {"c": 0}}, LEGAL, {"pool": {"r": 2}}),
        ({"pool": {"r": 2}}, {"pool": {"c": 0, "r": 2}}, {"pool": {"r": 1}}),
    ],
)
def test_pairs(then: dict[str, Any], document: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert holds(then, document)
    assert not holds(wrong, document)


def test_a_list_of_ways_that_was_cut_proves_nothing() -> None:
    assert not holds({"ways": [{}, {}]}, {**LEGAL, "count": 3})
    assert not holds({"ways": [{}, {}]}, {**LEGAL, "complete": False})
    assert not holds({"pool": {"c": 0}}, {**LEGAL, "count": 3})
    assert not holds({"pool": {"c": 0}}, {**LEGAL, "complete": False})
    assert not holds({"pool": {"c": 0}}, ILLEGAL)


def test_order_counts_among_sequences_only() -> None:
    then = {"ways": [{"sources": ["blue", "Ember"]}, {"sources": ["Ember", "red"]}]}
    assert holds(then, LEGAL)
    assert not holds(then, {**LEGAL, "level": "sequences"})


def test_what_nobody_answers_to_does_not_hold() -> None:
    [check] = compare({"verdikt": "legal"}, LEGAL)
    assert not check.holds


def test_a_failure_says_what_was_found() -> None:
    [check] = compare({"ways": [{"r": ["red"]}]}, LEGAL)
    assert str(check) == (
        "ways: expected [{r: [red]}], got [{c: [Ember], r: [blue], pool: {c: 0, r: 2}}, "
        "{c: [Ember], r: [red], pool: {c: 0, r: 0}}]"
    )
