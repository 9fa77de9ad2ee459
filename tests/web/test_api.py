"""The API says what the command line says, refuses with every fault and its path, and keeps its limits."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from lawful.cli.group import lawful as commands

TWO = {"game": "fab", "cost": "3c1r", "hand": "Inner Chi, blue, red"}
SIX = {"game": "fab", "cost": "6r", "hand": "red x2, yellow, blue x2"}
TYPED = ["pay", "--game", "fab", "--cost", "6r", "--hand", "red x2, yellow, blue x2"]
CASE = """\
case: first
ruleset: flesh-and-blood
given: {players: {A: {hand: [Inner Chi, blue]}}}
when: {cost: 3c1r}
---
case: second
ruleset: flesh-and-blood
given: {players: {A: {hand: [blue]}}}
when: {cost: 3c1r}
"""
HAPPENS = """\
case: two wounds
ruleset: berserk-heroes
cards: {Bear: {types: [creature], life: 5}}
given: {players: {Ann: {}, Bob: {arena: [Bear]}}, turn: Ann}
when: {player: Ann, do: [{wound: {type: creature, how: each}, n: 2}]}
"""


def ask(client: TestClient, path: str, body: Any, **headers: str) -> Any:
    return client.post(f"/api/v1/{path}", json=body, headers=headers)


def typed(*words: str) -> Any:
    said = json.loads(CliRunner().invoke(commands, [*words, "--json"], standalone_mode=False).stdout)
    return {key: value for key, value in said.items() if key != "elapsed_ms"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (TWO, ["pay", "--game", "fab", "--cost", "3c1r", "--hand", "Inner Chi, blue, red"]),
        ({"game": "fab", "cost": "3c1r", "hand": "blue"}, ["pay", "--game", "fab", "--cost", "3c1r", "--hand", "blue"]),
        ({"game": "mc", "cost": "1 & 1e", "hand": "e"}, ["pay", "--game", "mc", "--cost", "1 & 1e", "--hand", "e"]),
        ({"game": "bh", "cost": "X", "coins": 3}, ["pay", "--game", "bh", "--cost", "X", "--coins", "3"]),
        (
            {**TWO, "with": "Inner Chi > blue"},
            ["pay", "--game", "fab", "--cost", "3c1r", "--hand", "Inner Chi, blue, red", "--with", "Inner Chi > blue"],
        ),
        ({**SIX, "best": "keep blue", "limit": 2}, [*TYPED, "--best", "keep blue", "--limit", "2"]),
        (
            {**SIX, "from": 3, "limit": 2, "level": "sequences"},
            [*TYPED, "--from", "3", "--limit", "2", "--level", "sequences"],
        ),
    ],
)  # fmt: skip
def test_the_same_document_as_on_the_command_line(client: TestClient, body: Any, words: list[str]) -> None:
    answer = ask(client, "pay", body)
    assert answer.status_code == 200
    said = {key: value for key, value in answer.json().items() if key != "elapsed_ms"}
    assert said == typed(*words)


def test_a_case_is_asked_by_name(client: TestClient) -> None:
    assert ask(client, "pay", {"case": CASE}).json()["verdict"] == "legal"
    assert ask(client, "pay", {"case": CASE, "name": "second"}).json()["verdict"] == "illegal"
    gone = ask(client, "pay", {"case": CASE, "name": "third"})
    assert gone.status_code == 422
    assert gone.json()["error"]["faults"][0]["path"] == "/name"
    assert "second" in gone.json()["error"]["faults"][0]["hint"]


def test_what_comes_out(client: TestClient) -> None:
    answer = ask(client, "order", {"case": HAPPENS})
    assert answer.status_code == 200
    assert answer.json()["outcomes"][0]["state"] == {"Bear.counters.wounds": 2}
    assert ask(client, "order", {"case": CASE}).status_code == 422
    assert "order" in ask(client, "pay", {"case": HAPPENS}).json()["error"]["faults"][0]["hint"]


def test_legality_and_one_object(client: TestClient) -> None:
    case = """\
case: guard
ruleset: flesh-and-blood
cards: {Wolf: {types: [Ally]}, Bear: {types: [Ally], abilities: [{static: {cannot: {target: $self}}}]}}
given: {players: {A: {}, B: {arena: [Wolf, Bear]}}}
when: {player: A, do: [{destroy: {type: Ally, how: target}}], targets: Bear}
"""
    answer = ask(client, "check", {"case": case}).json()
    assert answer["verdict"] == "illegal"
    assert answer["legal_targets"] == {"target": ["Wolf"]}
    assert answer["repairs"][0]["distance"] == 1


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "/"),
        ({"game": "fab"}, "/"),
        ({"cost": "1r"}, "/"),
        ({"game": "fab", "cost": "1r", "limits": 3}, "/limits"),
        ({"game": "fab", "cost": "1r", "limit": -1}, "/limit"),
        ({"game": "fab", "cost": "1r", "limit": "3"}, "/limit"),
        ({"game": "fab", "cost": "1r", "level": "none"}, "/level"),
        ({"game": "fab", "cost": "1r", "seconds": 0}, "/seconds"),
        ({"game": "fab", "cost": "1r", "sample": 3, "best": "few cards"}, "/"),
        ({"game": "fab", "cost": "1r", "hand": "x" * 30_000}, "/hand"),
        ({"game": "fab", "cost": "1q"}, "/cost"),
        ({"game": "fab", "cost": "1r", "hand": "bluu"}, "/hand"),
        ({"game": "fab", "cost": "1r", "hand": "blue", "best": "keep red"}, "/best"),
        ({"game": "fab", "cost": "1r", "cards": "A: ["}, "/cards"),
        ({"game": "nothing", "cost": "1r"}, "/game"),
        ({"game": "/etc/passwd", "cost": "1r"}, "/game"),
        ({"case": "case: a\nruleset: ../x.yaml\nwhen: {cost: 1r}"}, "/case"),
        ({"case": "case: a\nruleset: fab\nuse: [/etc/passwd]\nwhen: {cost: 1r}"}, "/case"),
        ({"case": "case: a\nruleset: fab\nuse: [secret.cards.yaml]\nwhen: {cost: 1r}"}, "/case"),
        ({"case": "case: a", "game": "fab"}, "/"),
    ],
)
def test_every_fault_has_its_path(client: TestClient, body: Any, path: str) -> None:
    answer = ask(client, "pay", body)
    assert answer.status_code == 422
    said = answer.json()
    assert said["verdict"] is None
    assert path in [fault["path"] for fault in said["error"]["faults"]]
    assert all(fault["message"] for fault in said["error"]["faults"])


def test_all_faults_at_once(client: TestClient) -> None:
    found = ask(client, "pay", {"game": "fab", "cost": "1q", "hand": "bluu, redd", "float": "2z"}).json()
    assert [fault["path"] for fault in found["error"]["faults"]] == ["/cost", "/float", "/hand", "/hand"]
    batch = ask(
        client, "batch", {"requests": [{"ask": "pay", "game": "fab", "cost": "1r", "limit": "a"}, {"ask": "x"}]}
    )
    assert [fault["path"] for fault in batch.json()["error"]["faults"]] == ["/requests/0/limit", "/requests/1"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"nul", b"\xff\xfe", b'"a"', b"[" * 20_000, b"1e999"])
def test_what_is_no_request(client: TestClient, raw: bytes) -> None:
    answer = client.post("/api/v1/pay", content=raw, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


def test_a_body_that_is_too_long(client: TestClient) -> None:
    answer = ask(client, "pay", {"case": "#" * 400_000})
    assert answer.status_code == 413
    assert "body = 300000" in answer.json()["error"]["message"]

    def pieces() -> Any:
        for _ in range(50):
            yield b" " * 10_000

    assert client.post("/api/v1/pay", content=pieces()).status_code == 413


def test_several_at_once_in_their_order(client: TestClient) -> None:
    asked = [{"ask": "pay", **TWO}, {"ask": "order", "case": HAPPENS}, {"ask": "pay", "game": "fab", "cost": "1q"}]
    said = ask(client, "batch", {"requests": asked}).json()["answers"]
    assert [one["status"] for one in said] == [200, 200, 422]
    assert said[0]["answer"]["count"] == 2
    lines = ask(client, "batch", {"requests": asked}, accept="application/x-ndjson").text.splitlines()
    found = {line["index"]: line["status"] for line in map(json.loads, lines)}
    assert found == {0: 200, 1: 200, 2: 422}
    assert ask(client, "batch", {"requests": [asked[0]] * 6}).status_code == 422


def test_ways_as_lines(client: TestClient) -> None:
    body = {"game": "fab", "cost": "9r", "hand": "red x4, yellow x4, blue x4"}
    answer = ask(client, "pay", body, accept="application/x-ndjson")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [lines[0]["type"], lines[-1]["type"]] == ["answer", "end"]
    assert len(lines) - 2 == lines[0]["count"] == lines[-1]["listed"] > 500
    wrong = ask(client, "pay", {**body, "cost": "1q"}, accept="application/x-ndjson")
    assert wrong.status_code == 422
    assert ask(client, "pay", {**body, "prove": True}, accept="application/x-ndjson").status_code == 422


def test_a_document_lists_no_more_than_the_server_allows(client: TestClient) -> None:
    body = {"game": "fab", "cost": "9r", "hand": "red x4, yellow x4, blue x4", "limit": 1_000_000}
    said = ask(client, "pay", body).json()
    assert said["listed"] == 500 < said["count"]


def test_health_and_headers(client: TestClient) -> None:
    answer = client.get("/api/v1/health")
    assert answer.json()["status"] == "ok"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert client.get("/api/v1/nothing").json()["error"]["kind"] == "request"
    assert client.get("/api/v1/pay").status_code == 405


def test_the_same_bytes_as_on_the_command_line_for_cases(client: TestClient) -> None:
    from lawful.web.examples import examples
    from lawful.web.state import unpack

    said = [(one.ask, unpack(one.link.rpartition("case=")[2])) for one in examples()[::23]]
    assert {ask for ask, _ in said} == {"pay", "check", "order"}
    for ask, case in said:
        answer = client.post(f"/api/v1/{ask}", json={"case": case, "seconds": 20}).text
        run = CliRunner().invoke(commands, [ask, "-", "--json"], input=case, standalone_mode=False)
        assert timeless(answer) == timeless(run.stdout), case


def timeless(text: str) -> str:
    return re.sub(r'"elapsed_ms": [0-9.]+', "", text.strip())


@pytest.mark.parametrize(
    "body",
    [
        {**TWO, "minimal": True, "level": "outcomes"}, {**TWO, "with": "blue", "sample": 3},
        {**TWO, "with": "blue", "best": "few cards"}, {**TWO, "with": "blue", "from": 1}, {**TWO, "name": "first"},
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused_as_on_the_command_line(client: TestClient, body: Any) -> None:
    assert ask(client, "pay", body).status_code == 422


def test_whose_points_paid_for_what(client: TestClient) -> None:
    body = {"game": "mc", "cost": "1", "hand": "e, m"}
    words = ["pay", "--game", "mc", "--cost", "1", "--hand", "e, m", "--by-source"]
    said = ask(client, "pay", {**body, "by_source": True}).json()
    assert {key: value for key, value in said.items() if key != "elapsed_ms"} == typed(*words)


@pytest.mark.parametrize("body", [{"requests": [1] * 100_000}, {f"k{n}": 0 for n in range(20_000)}])
def test_many_faults_do_not_make_a_long_answer(client: TestClient, body: Any) -> None:
    # 500,000 numbers held the server for ten seconds, and were answered with 123 MB.
    for path in ("pay", "batch"):
        answer = ask(client, path, body)
        assert answer.status_code == 422
        assert len(answer.content) < 20_000


def test_a_field_that_is_not_known_has_its_own_path(client: TestClient) -> None:
    for name in ("pay", "check", "body"):
        assert ask(client, "pay", {**TWO, name: 1}).json()["error"]["faults"][0]["path"] == f"/{name}"
        batch = ask(client, "batch", {"requests": [{"ask": "pay", **TWO, name: 1}]}).json()
        assert batch["error"]["faults"][0]["path"] == f"/requests/0/{name}"


def test_a_body_that_is_not_said_to_be_json(client: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = client.post("/api/v1/pay", content=json.dumps(TWO), headers={"content-type": kind})
        assert answer.status_code == 422
        assert "application/json" in answer.json()["error"]["message"]


def test_a_card_file_that_is_not_the_servers(client: TestClient) -> None:
    for use in ("../cards.csv", "tests/data/cards.csv", "/etc/passwd.csv"):
        case = f"case: a\nruleset: fab\nuse: [{use}]\nwhen: {{cost: 1r}}"
        said = ask(client, "pay", {"case": case}).json()["error"]["faults"][0]
        assert said["message"] == f"{use} is not one of the card files here"
