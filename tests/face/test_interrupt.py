"""Ctrl-C ends a command with 130, wherever it is."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from lawful.cli.interrupt import interruptible

START = """
import sys
from types import SimpleNamespace
import click
from lawful.cli import group, interrupt, main

@click.command()
def command():
    {body}

sys.modules["slow"] = SimpleNamespace(command=command)
group.COMMANDS["slow"] = ("slow", "")
sys.argv = ["lawful", "slow"]
sys.exit(main())
"""
# Pigeons in too few holes, without the presolve that would see it; what it logs, it logs inside the call.
SOLVING = """
    from ortools.sat.python import cp_model
    from lawful.solver.ask import parameters
    model = cp_model.CpModel()
    at = [[model.new_bool_var(f"p{i}{j}") for j in range(13)] for i in range(14)]
    for row in at:
        model.add_bool_or(row)
    for j in range(13):
        for i in range(14):
            for k in range(i):
                model.add_bool_or(at[i][j].negated(), at[k][j].negated())
    solver = cp_model.CpSolver()
    parameters(solver, 600, enumerate_all=False)
    solver.parameters.log_search_progress = True
    solver.parameters.log_to_stdout = False
    solver.log_callback = lambda line: print("started", flush=True)
    solver.solve(model)
"""
# An enumeration, which is in the solver's own calls back most of the time: nothing may be raised there.
ENUMERATING = """
    from ortools.sat.python import cp_model
    from lawful.solver.ask import each_solution
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"x{i}") for i in range(40)]
    each_solution(model, chosen, lambda found: print("started", flush=True), seconds=600, most=10**9)
"""
# A command that can hear, and tidies up.
LISTENING = """
    interrupt.GRACE = 60
    try:
        print("started", flush=True)
        while True:
            pass
    finally:
        print("tidied", flush=True)
"""


@pytest.mark.parametrize(("body", "after"), [(SOLVING, "started"), (ENUMERATING, "started"), (LISTENING, "tidied")])
def test_ctrl_c(body: str, after: str) -> None:
    program = [sys.executable, "-c", START.format(body=body)]
    # A shell that starts something in the background lets it ignore Ctrl-C, and its children with it.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        signal.signal(signal.SIGINT, heard)
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == ""
    assert set(out.splitlines()) <= {"started", after}
    assert after == "started" or after in out


def test_what_it_returns_and_raises_comes_through() -> None:
    def broken() -> int:
        raise LookupError("as it was")

    assert interruptible(lambda: 7) == 7
    with pytest.raises(LookupError, match="as it was"):
        interruptible(broken)


EARLY = """
import threading, time
from lawful.cli import interrupt
interrupt.GRACE = 60
usual, calls = threading.stack_size, []
begun = threading.Event()
def early(size=0):
    calls.append(size)
    if len(calls) == 2:  # the worker has begun, and nobody waits for it yet
        begun.wait()
        raise KeyboardInterrupt
    return usual(size)
threading.stack_size = early
def work():
    try:
        begun.set()
        while True:
            pass
    finally:
        print("tidied", flush=True)
try:
    interrupt.interruptible(work)
except KeyboardInterrupt:
    pass
"""


def test_ctrl_c_before_anybody_waits_lets_the_command_tidy_up_too() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=60)
    assert done.stdout == "tidied\n"
