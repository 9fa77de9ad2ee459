"""``lawful stress``: the command, its files, what it survives."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lawful_cards import CARDS

from lawful.cli import main
from lawful.model.casefile import read_cases
from lawful.stressing import Stressed, stress
from lawful.stressing.store import CannotKeep, Store


@pytest.fixture
def cards(tmp_path: Path) -> str:
    path = tmp_path / "mine.cards.yaml"
    path.write_text(CARDS, encoding="utf8")
    return str(path)


def told(found: Stressed) -> list[tuple[str, list[str], str]]:
    return sorted((one["check"], one["cards"], one["case"]) for one in found.findings)


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["stress", *words])
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return code, shown.out, shown.err


def test_findings_make_the_exit_code_one_and_are_written(
    cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, folder = tmp_path / "found.html", tmp_path / "found"
    code, out, _ = call(
        capsys, cards, "--game", "fab", "--executor", "here", "--report", str(page), "--cases", str(folder), "--jsonl"
    )
    assert code == 1
    lines = [json.loads(line) for line in out.splitlines()]
    found = [line for line in lines if line.get("verdict") == "finding"]
    assert {line["check"] for line in found} == {"unpayable", "engine"}
    for line in found:
        assert set(line) >= {"check", "cards", "case", "size", "bound", "saturated", "confirmed_by_referee"}
        assert line["confirmed_by_referee"] is True
    assert lines[-1]["summary"]["findings"] == len(found)
    text = page.read_text(encoding="utf8")
    assert "<svg" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # it needs nothing beside itself
    written = sorted(folder.glob("*.case.yaml"))
    assert len(written) == len(found)
    for file in written:
        (case,) = read_cases(file)
        assert case.expect.data
    assert main(["test", str(folder)]) == 0


def test_a_baseline_lets_known_findings_pass(cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = str(tmp_path / "known.json")
    words = (cards, "--game", "fab", "--executor", "here", "--baseline", base)
    assert call(capsys, *words)[0] == 3  # there is none yet
    assert call(capsys, *words, "--update-baseline")[0] == 0
    assert call(capsys, *words)[0] == 0
    more = CARDS.replace("Wolf: {", "Dream: {types: [Instant], cost: 5c}\nWolf: {")
    Path(cards).write_text(more, encoding="utf8")
    code, out, _ = call(capsys, *words)
    assert code == 1
    assert "Dream" in out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--check", "nonsense"], 2, "nonsense"),
        (["--executor", "magic"], 3, "no executor"),
        (["--executor", "processes:0"], 3, "at least one"),
        (["--resume"], 2, "--resume"),
        (["--card", "Wolff"], 3, "did you mean 'Wolf'"),
        (["--promises", "none.yaml"], 3, "none.yaml"),
        (["--against", "none.csv"], 3, "none.csv"),
        (["--json", "--jsonl"], 2, "one of them"),
    ],
)
def test_wrong_words_are_told(
    words: list[str], code: int, says: str, cards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    got, _, err = call(capsys, cards, "--game", "fab", *words)
    assert (got, says in err) == (code, True), err


def test_promises_are_read_with_every_fault(cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("chi costs: {number: {of: cost.c, allowed: [0, 4]}}\n", encoding="utf8")
    bad.write_text("a: {exchange: {asset: q, for: r, up_to: 2}}\nb: {number: {of: cost.c}}\n", encoding="utf8")
    words = (cards, "--game", "fab", "--executor", "here", "--check", "invariant", "--json")
    code, out, _ = call(capsys, *words, "--promises", str(good))
    assert code == 1
    assert [one["cards"] for one in json.loads(out)["results"]] == [["Chi"]]
    code, _, err = call(capsys, *words, "--promises", str(bad))
    assert code == 3
    assert "bad.yaml:1" in err
    assert "bad.yaml:2" in err


def test_text_that_was_not_read_is_never_clean(tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text(
        "name,types,cost,pitch,text\nOdd,Action,2,1,Frobnicate the dragon thrice.\nPlain,Action,1,1,\n", encoding="utf8"
    )
    found = stress(str(table), game="fab")
    odd = [row for row in found.rows if row["cards"] == ["Odd"]]
    assert {row["check"] for row in odd if row["verdict"] == "not checked"} >= {"dead", "endless", "unordered"}
    assert not [row for row in odd if row["verdict"] == "clean" and row["check"] in ("dead", "endless")]
    assert all(row["why"] for row in odd if row["verdict"] == "not checked")


# --- the store


def test_what_is_in_the_store_is_not_done_again_and_a_changed_card_redoes_its_own(cards: str, tmp_path: Path) -> None:
    store = tmp_path / "sweep.db"
    first = stress(cards, game="fab", store=store)
    again = stress(cards, game="fab", store=store)
    done = len([row for row in first.rows if not row.get("unread")])
    assert (first.taken, again.taken) == (0, done)
    assert told(again) == told(first)
    Path(cards).write_text(CARDS.replace("cost: 2r", "cost: 3r"), encoding="utf8")  # Bolt
    third = stress(cards, game="fab", store=store)
    redone = {tuple(row["cards"]) for row in third.rows} if third.taken == 0 else set()
    assert not redone
    mine = [row for row in third.rows if "Bolt" in row["cards"] and not row.get("unread")]
    assert third.taken == len([row for row in third.rows if not row.get("unread")]) - len(mine)


def test_two_sweeps_share_one_store(cards: str, tmp_path: Path) -> None:
    store = str(tmp_path / "sweep.db")
    command = [
        sys.executable, "-m", "lawful.cli", "stress", cards, "--game", "fab", "--store", store, "--executor", "here",
        "--jsonl",
    ]  # fmt: skip
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    out = [one.communicate(timeout=300)[0] for one in both]
    assert [one.returncode for one in both] == [1, 1]
    said = [[line for line in text.splitlines() if '"summary"' not in line] for text in out]
    assert said[0] == said[1]
    with Store(store) as kept:
        assert len(kept) == len({key for key, _ in kept.rows()})


def test_a_read_only_store_is_told_before_anything_is_done(cards: str, tmp_path: Path) -> None:
    from lawful.model.errors import BadInput

    with pytest.raises(BadInput, match="cannot keep results"):
        stress(cards, game="fab", store=tmp_path)  # a folder
    with pytest.raises(BadInput, match="cannot keep results"):
        stress(cards, game="fab", store=tmp_path / "nowhere" / "sweep.db")
    odd = tmp_path / "odd.db"
    odd.write_text("this is no store" * 100, encoding="utf8")
    with pytest.raises(BadInput, match="cannot keep results"):
        stress(cards, game="fab", store=odd)


def test_a_full_disk_ends_the_sweep_and_keeps_what_there_is(tmp_path: Path) -> None:
    with Store(tmp_path / "sweep.db") as store:
        store.keep([("one", {"check": "dead"})])
        store._db.execute("pragma max_page_count = 8")
        much = [(f"more {n}", {"why": "x" * 4000}) for n in range(100)]
        with pytest.raises(CannotKeep, match="full"):
            store.keep(much)
        assert store.known(["one"]) == {"one": {"check": "dead"}}
    kept = sqlite3.connect(tmp_path / "sweep.db").execute("select count(*) from results").fetchone()[0]
    assert kept >= 1


def test_a_sweep_that_is_killed_goes_on_where_it_was(cards: str, tmp_path: Path) -> None:
    whole = stress(cards, game="fab")
    store = tmp_path / "sweep.db"
    command = [
        sys.executable, "-m", "lawful.cli", "stress", cards, "--game", "fab", "--store", str(store), "--executor",
        "here",
    ]  # fmt: skip
    for _ in range(int(os.environ.get("LAWFUL_KILLS", "2"))):
        one = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while one.poll() is None and not _grew(store):
            time.sleep(0.02)
        one.send_signal(signal.SIGKILL)
        one.wait()
    rest = stress(cards, game="fab", store=store)
    assert rest.taken > 0
    assert told(rest) == told(whole)
    assert sorted(row["check"] for row in rest.rows) == sorted(row["check"] for row in whole.rows)


def _grew(store: Path, seen: dict[Path, int] = {}) -> bool:  # noqa: B006 (remembers)
    try:
        n = int(sqlite3.connect(store, timeout=5).execute("select count(*) from results").fetchone()[0])
    except sqlite3.Error:
        return False
    grew = n > seen.get(store, 0)
    seen[store] = n
    return grew


# --- workers


def test_processes_find_the_same(cards: str) -> None:
    assert told(stress(cards, game="fab", executor="processes:2")) == told(stress(cards, game="fab"))


def test_a_worker_that_dies_takes_nothing_with_it(cards: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    from lawful.stressing import executors

    deaths = iter([2, 5])
    wanted, calls = next(deaths), 0

    class Dying(executors.Here):
        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            nonlocal calls, wanted
            calls += 1
            if calls == wanted:
                wanted = next(deaths, 0)
                broken: Future[object] = Future()
                broken.set_exception(BrokenProcessPool("a worker was killed"))
                return broken
            return super().submit(fn, *args, **kwargs)

    whole = stress(cards, game="fab")
    monkeypatch.setattr(executors, "Here", Dying)
    found = stress(cards, game="fab")
    assert found.deaths >= 1
    assert told(found) == told(whole)


def test_a_task_that_kills_its_worker_is_told_and_not_kept(
    cards: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lawful.stressing import executors

    def deadly(packed: bytes, tasks: list[object]) -> list[object]:
        if any(task.check == "engine" for task in tasks):  # type: ignore[attr-defined]
            raise MemoryError
        return run(packed, tasks)  # type: ignore[arg-type,return-value]

    run = executors.run_batch
    monkeypatch.setattr(executors, "run_batch", deadly)
    store = tmp_path / "sweep.db"
    found = stress(cards, game="fab", store=store)
    lost = [row for row in found.rows if row.get("lost")]
    assert lost
    assert {row["check"] for row in lost} == {"engine"}
    monkeypatch.undo()
    assert told(stress(cards, game="fab", store=store)) == told(stress(cards, game="fab"))


def test_what_was_kept_reads_letter_for_letter_as_what_is_found(cards: str, tmp_path: Path) -> None:
    from lawful.stressing.lines import json_lines

    found = [list(json_lines(stress(cards, game="fab", store=tmp_path / "sweep.db"))) for _ in range(2)]
    assert found[0][:-1] == found[1][:-1]


# --- what is left out, and files that are none


TABLE = "name,types,cost,pitch,text\n"


def test_a_row_that_cannot_be_read_is_told_and_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, good = tmp_path / "mine.csv", tmp_path / "good.csv"
    table.write_text(TABLE + "A,Action,1,1,\nB,Action,bad,1,\nC,,1,1,\nA,Action,2,1,\n", encoding="utf8")
    good.write_text(TABLE + "D,Action,1,1,\n", encoding="utf8")
    words = ("--game", "fab", "--executor", "here", "--groups", "1", "--check", "unpayable")
    code, out, err = call(capsys, str(table), *words, "--json", "--report", str(tmp_path / "page.html"))
    told = json.loads(out)["left_out"]
    assert code == 3
    assert [place in " ".join(told) for place in ("mine.csv:3:3", "mine.csv:4:1", "mine.csv:5:1")] == [True] * 3
    assert all(one in err for one in told)
    assert "mine.csv:3:3" in (tmp_path / "page.html").read_text(encoding="utf8")
    code, _, err = call(capsys, str(good), *words, "--against", str(table))
    assert (code, "mine.csv:3:3" in err) == (0, True)  # told, but what is in question was looked at
    again = tmp_path / "again.csv"
    again.write_text(TABLE + "D,Action,7,1,\n", encoding="utf8")
    code, _, err = call(capsys, str(good), str(again), *words)
    assert (code, "there is another 'D'" in err) == (3, True)


def test_cards_in_yaml_with_texts_are_stressed_as_a_table_is(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.yaml"
    sheet.write_text(
        '- {name: Odd, types: Action, cost: 2, pitch: 1, text: "Frobnicate the dragon thrice."}\n', encoding="utf8"
    )
    found = stress(str(sheet), game="fab", groups=1)
    assert {row["check"] for row in found.rows if row["verdict"] == "not checked"} >= {"dead", "endless"}


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("create table mine (a)", "of something else"),
        ("create table results (key text, other text)", "of another version"),
        ("create table about (name, value); insert into about values ('version', '99')", "of another version"),
    ],
)
def test_another_database_is_refused_and_stays_as_it_is(
    sql: str, says: str, cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "other.db"
    database = sqlite3.connect(store)
    database.executescript(sql)
    database.close()
    before = store.read_bytes()
    code, _, err = call(capsys, cards, "--game", "fab", "--executor", "here", "--store", str(store))
    assert (code, says in err, store.read_bytes() == before) == (3, True, True), err


@pytest.mark.parametrize("sql", ["update results set row = '{'", "update results set row = '[]'"])
def test_a_damaged_result_is_found_once_more(sql: str, tmp_path: Path) -> None:
    table, store = tmp_path / "mine.csv", tmp_path / "sweep.db"
    table.write_text(TABLE + "A,Action,1,1,\n", encoding="utf8")
    first = stress(str(table), game="fab", groups=1, store=store)
    database = sqlite3.connect(store, isolation_level=None)
    database.executescript(sql + "; update texts set cards = x'80'")
    database.close()
    assert told(stress(str(table), game="fab", groups=1, store=store)) == told(first)
    again = stress(str(table), game="fab", groups=1, store=store)
    assert again.taken == len(first.rows)  # and kept anew


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "[" * 100_000, '{"findings": []}', '{"schema_version": 1, "findings": ["x"]}',
        '{"schema_version": 99, "findings": []}',
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_refused(
    text: str, cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "known.json"
    file.write_text(text, encoding="utf8")
    code, _, err = call(capsys, cards, "--game", "fab", "--executor", "here", "--baseline", str(file))
    assert (code, "known.json" in err) == (3, True), err


@pytest.mark.parametrize(
    "words",
    [
        ["--report", "none/page.html"], ["--report", "."], ["--update-baseline", "--baseline", "none/known.json"],
        ["--executor", "processes:²"],
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_before_the_sweep(
    words: list[str], cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, cards, "--game", "fab", *words)
    assert (code, out) == (3, ""), err


@pytest.mark.parametrize("of", ["powr", "cost.zz", "yields."])
def test_a_promise_about_a_number_that_there_is_not_is_a_fault(
    of: str, cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "promises.yaml"
    file.write_text(f"a: {{number: {{of: {of}, allowed: [1]}}}}\n", encoding="utf8")
    code, _, err = call(capsys, cards, "--game", "fab", "--executor", "here", "--promises", str(file))
    assert (code, "unknown" in err) == (3, True), err
