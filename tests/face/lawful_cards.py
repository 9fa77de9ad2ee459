"""A few invented cards with two faults: one that nothing can pay, and two that are an engine together."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from lawful.stressing.tasks import Row, Task, run_batch

CARDS = """\
Bolt: {types: [Action], cost: 2r, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
Chi: {types: [Action], cost: 3c, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
Wolf: {types: [Ally], yields: {r: 1}}
Mill: {types: [Item], abilities: [{activate: {cost: [{tap: $self}], do: [{gain: {r: 2}}]}}]}
Crank: {types: [Item], abilities: [{activate: {cost: [1r], do: [{untap: {type: Item}}]}}]}
"""


def deadly(packed: bytes, tasks: Sequence[Task]) -> list[tuple[str, Row]]:
    """Do tasks as a worker does, but kill the worker where one of them looks for engines."""
    if any(task.check == "engine" for task in tasks):
        os.kill(os.getpid(), signal.SIGKILL)
    return run_batch(packed, tasks)


def awaiting(packed: bytes, tasks: Sequence[Task]) -> list[tuple[str, Row]]:
    """Do tasks as a worker does, but the first one that is asked tells who it is, and waits for its end."""
    folder = Path(os.environ["LAWFUL_AWAITED"])
    try:
        os.close(os.open(folder / "taken", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return run_batch(packed, tasks)
    with (folder / "who").open("w", encoding="utf8") as who:  # a pipe: somebody reads at its other end
        print(os.getpid(), file=who, flush=True)
    signal.pause()
    raise AssertionError("nobody killed it")
