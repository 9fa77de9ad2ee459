"""A sweep on a real cluster of two workers on this machine, one of which is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from lawful_cards import CARDS

from lawful.stressing import Stressed, stress

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(not os.environ.get("LAWFUL_LONG"), reason="a long run: .ci/run --long")


def told(found: Stressed) -> list[tuple[str, list[str], str]]:
    return sorted((one["check"], one["cards"], one["case"]) for one in found.findings)


def test_a_cluster_finds_the_same_also_when_a_worker_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "mine.cards.yaml"
    path.write_text(CARDS, encoding="utf8")
    whole = stress(str(path), game="fab")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        where = cluster.scheduler_address.replace("tcp://", "dask://")
        assert told(stress(str(path), game="fab", executor=where)) == told(whole)
        killer = threading.Thread(target=_kill, args=(cluster,))
        killer.start()
        found = stress(str(path), game="fab", executor=where)
        killer.join()
    assert told(found) == told(whole)
    assert not [row for row in found.rows if row.get("lost")]


def _kill(cluster: Any) -> None:
    time.sleep(0.5)
    worker = next(iter(cluster.workers.values()))
    os.kill(worker.process.process.pid, signal.SIGKILL)
