"""What a sweep survives for real: killed workers, a disk that is full, a file system that is read-only."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from lawful_cards import CARDS, awaiting, deadly

from lawful.stressing import Stressed, executors, stress
from lawful.stressing.store import Store

BOLT = "types: [Action], abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]"
MANY = "".join(f"Bolt {n}: {{cost: {n}r, {BOLT}}}\n" for n in range(30))
UNSHARE = ["unshare", "--map-root-user", "--mount"]


def told(found: Stressed) -> list[tuple[str, list[str], str]]:
    return sorted((one["check"], one["cards"], one["case"]) for one in found.findings)


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    path = tmp_path / "mine.cards.yaml"
    path.write_text(CARDS, encoding="utf8")
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.cards.yaml"
    path.write_text(CARDS + MANY, encoding="utf8")
    return path


def command(cards: Path, store: Path) -> list[str]:
    """Return a sweep in a process of its own, of the fast checks."""
    return [
        sys.executable, "-m", "lawful.cli", "stress", str(cards), "--game", "fab", "--executor", "here", "--store",
        str(store), "--groups", "1", "--check", "unpayable", "--check", "dead", "--check", "looks-legal", "--jsonl",
    ]  # fmt: skip


def kept(store: Path) -> int:
    return int(sqlite3.connect(store).execute("select count(*) from results").fetchone()[0])


def test_a_worker_that_is_killed_while_it_works_takes_nothing_with_it(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker has a batch, the other works on others: then it gets a SIGKILL."""
    monkeypatch.setenv("LAWFUL_AWAITED", str(tmp_path))
    os.mkfifo(tmp_path / "who")

    def kill() -> None:
        with (tmp_path / "who").open(encoding="utf8") as who:
            os.kill(int(who.readline()), signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    store, fast = tmp_path / "sweep.db", ("unpayable", "dead", "looks-legal")
    with monkeypatch.context() as patched:
        patched.setattr(executors, "run_batch", awaiting)
        found = stress(str(many), game="fab", checks=fast, groups=1, executor="processes:2", store=store)
    killer.join()
    whole = stress(str(many), game="fab", checks=fast, groups=1)
    assert found.deaths == 1
    assert told(found) == told(whole)
    assert not [row for row in found.rows if row.get("lost")]
    with Store(store) as there:
        assert len(there) >= len([row for row in whole.rows if not row.get("unread")])


def test_a_task_that_kills_its_worker_is_found_told_and_not_kept(
    cards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every process that is given a check for engines kills itself."""
    whole = stress(str(cards), game="fab")
    store = tmp_path / "sweep.db"
    with monkeypatch.context() as patched:
        patched.setattr(executors, "run_batch", deadly)
        found = stress(str(cards), game="fab", executor="processes:2", store=store)
    lost = [row for row in found.rows if row.get("lost")]
    assert {row["check"] for row in lost} == {"engine"}
    assert len(lost) == len([row for row in whole.rows if row["check"] == "engine"])
    assert [one for one in told(found) if one[0] != "engine"] == [one for one in told(whole) if one[0] != "engine"]
    after = stress(str(cards), game="fab", store=store)
    assert after.taken == len(whole.rows) - len(lost)
    assert told(after) == told(whole)


def test_a_file_that_may_not_grow_ends_the_sweep_and_keeps_what_there_is(many: Path, tmp_path: Path) -> None:
    """The system refuses to make any file larger than 100 kB: what writing to a full disk looks like, for root too."""
    store = tmp_path / "sweep.db"

    def narrow() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    one = subprocess.run(
        command(many, store), capture_output=True, text=True, preexec_fn=narrow, check=False, timeout=300
    )
    assert (one.returncode, "Traceback" in one.stderr) == (74, False), one.stderr
    assert "what was found before is kept" in one.stderr
    resumed(many, store)


def resumed(many: Path, store: Path) -> None:
    """Go on with a sweep that was stopped; nothing is lost, and what was done is not done again."""
    before = kept(store)
    rest = subprocess.run(command(many, store), capture_output=True, text=True, check=False, timeout=300)
    fresh = subprocess.run(command(many, store.with_name("fresh.db")), capture_output=True, text=True, check=False)
    lines = [text.splitlines() for text in (rest.stdout, fresh.stdout)]
    assert lines[0][:-1] == lines[1][:-1]
    taken = json.loads(lines[0][-1])["summary"]["taken_from_store"]
    assert 0 < taken == before < len(lines[0]) - 1


def mounts() -> bool:
    try:
        return subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not mounts(), reason="no file system of its own may be mounted here")
def test_a_full_disk_and_a_read_only_one(many: Path, tmp_path: Path) -> None:
    """A real file system of 200 kB, in a mount namespace of its own; then a larger one, mounted read-only."""
    disk, out = tmp_path / "disk", tmp_path / "out"
    disk.mkdir()
    out.mkdir()
    sweep = " ".join(f"'{word}'" for word in command(many, disk / "sweep.db"))
    script = f"""
        set -u
        mount -t tmpfs -o size=200k tmpfs '{disk}' || exit 99
        {sweep} >/dev/null 2>'{out}/full'; echo $? >'{out}/full.code'
        cp '{disk}'/sweep.db* '{out}'
        mount -o remount,ro '{disk}' || exit 98
        {sweep} >/dev/null 2>'{out}/locked'; echo $? >'{out}/locked.code'
    """
    one = subprocess.run([*UNSHARE, "sh", "-c", script], capture_output=True, text=True, check=False, timeout=300)
    assert one.returncode == 0, one.stderr
    said = {name: (out / name).read_text(encoding="utf8") for name in ("full", "full.code", "locked", "locked.code")}
    assert "Traceback" not in said["full"] + said["locked"]
    assert (said["full.code"].strip(), "full" in said["full"]) == ("74", True), said
    assert (said["locked.code"].strip(), "cannot keep results here" in said["locked"]) == ("3", True), said
    resumed(many, out / "sweep.db")
