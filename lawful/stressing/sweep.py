"""One sweep: what is in the store already is taken from there, the rest is done and kept, batch by batch."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lawful.model.frozen import FrozenMap
from lawful.model.verdict import Message
from lawful.stressing import Row, Stressed, Told
from lawful.stressing.executors import Crew
from lawful.stressing.plan import Job, Plan
from lawful.stressing.store import Store
from lawful.stressing.tasks import Task, packed, said


@dataclass(slots=True)
class Sweep:
    """Does what a plan says, and writes down what was found.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    found : Stressed
        Where it is written down.
    store : Store
        What keeps results.
    executor : str
        Who does it.
    progress : callable, optional
        Told after each batch.
    start : float
        When the sweep began.
    """

    plan: Plan
    found: Stressed
    store: Store
    executor: str
    progress: Told | None
    start: float
    rows: dict[str, Row] = field(init=False, default_factory=dict)
    seen: Counter[str] = field(init=False, default_factory=Counter)

    def go(self) -> None:
        """Do everything: what the plan says, then again, with helpers, what a card never can alone."""
        tasks = self._tasks()
        taken = self._run(tasks)
        helped = self._helped(tasks)
        taken |= self._run({task.key: task for task in helped.values()})
        last = [helped[key].key if key in helped else key for key in tasks]
        self.found.taken = sum(key in taken for key in last)
        self.found.rows += [self.rows[key] for key in last]

    def _tasks(self) -> dict[str, Task]:
        """Return what is to be asked; what cannot be, and what there is nothing to find in, is written down."""
        tasks: dict[str, Task] = {}
        for job in self.plan.jobs():
            if job.task is not None:
                tasks[job.task.key] = job.task
            elif job.unread:
                self.found.rows.append(_unread(job))
            else:
                self.found.nothing[job.check] += 1
        return tasks

    def _helped(self, tasks: dict[str, Task]) -> dict[str, Task]:
        """Return by key of what a card never can alone the task that asks whether others help it."""
        return {
            key: again for key, task in tasks.items()
            if self.rows[key]["verdict"] == "finding" and (again := self.plan.again(task)) is not None
        }  # fmt: skip

    def _run(self, tasks: dict[str, Task]) -> set[str]:
        """Do what the store does not have; return the keys of what it has."""
        there = self.store.known(list(tasks))
        self.rows.update(there)
        self.seen.update(all=len(tasks), done=len(there), findings=_findings(there.values()))
        left = [task for key, task in tasks.items() if key not in there]
        if left:
            crew = Crew(self.executor, packed(self.plan.setting))
            crew.run(left, self._done)
            self.found.deaths += crew.deaths
        return set(there)

    def _done(self, batch: list[tuple[str, Row]]) -> None:
        # What was lost or took too long may come right another time: it is told, not kept.
        self.store.keep([(key, row) for key, row in batch if not row.get("lost") and not row.get("late")])
        self.rows.update(batch)
        self.seen.update(done=len(batch), findings=_findings(row for _, row in batch))
        if self.progress is not None:
            seconds = time.perf_counter() - self.start
            self.progress(self.seen["done"], self.seen["all"], self.seen["findings"], seconds)


def _findings(rows: Iterable[Row]) -> int:
    return sum(len(row["findings"]) for row in rows)


def _unread(job: Job) -> Row:
    why = said(Message("stress.not.read", FrozenMap({"text": job.unread[0]})))
    return {
        "check": job.check, "cards": list(job.names), "verdict": "not checked", "findings": [],
        "why": why, "bound": {}, "saturated": False, "limits": "", "seconds": 0.0,
        "unread": list(job.unread),
    }  # fmt: skip
