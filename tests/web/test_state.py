"""A link brings back what it was made from, and what is no link is refused."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.web.examples import examples
from lawful.web.state import BadLink, State, pack, read_state, request_of, unpack

PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40).map(str.strip)


def back(link: str) -> State:
    return read_state(parse_qsl(urlsplit(link).query))


@given(st.fixed_dictionaries(dict.fromkeys(("cost", "hand", "best", "name", "x"), PLAIN)), st.text(max_size=200))
def test_a_link_brings_it_back(said: dict[str, str], case: str) -> None:
    state = State(ask="check", case=case if case.strip() else "", **said)
    if not state.case.startswith("~"):
        assert back(state.link()) == state


@pytest.mark.parametrize("packed", ["~", "~AAAA", "~%%%", "~" + "A" * 1001, pack("a" * 600_000)])
def test_a_damaged_link_is_refused(packed: str) -> None:
    with pytest.raises(BadLink):
        unpack(packed)


def test_what_is_not_known_is_passed_over() -> None:
    assert read_state([("cost", "1r"), ("nothing", "x"), ("ask", "destroy")]) == State(cost="1r")


def test_numbers_that_are_none_stay_what_was_said() -> None:
    assert request_of(State(game="fab", cost="X", x="two", start="9"))["x"] == "two"
    assert request_of(State(game="fab", cost="X", x="2", start="9"))["from"] == 9


def test_every_example_has_a_link_that_is_not_too_long() -> None:
    links = [example.link for example in examples()]
    assert len(links) > 300
    assert max(map(len, links)) < 8_000
