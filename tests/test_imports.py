"""What must not be loaded, is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lawful.model.rulesets import load_ruleset, shipped

TOP = Path(__file__).parents[1]
HEAVY = ("ortools", "pandas", "numpy", "networkx", "pydantic", "rich", "lark", "yaml", "babel")
SHOW = "import sys; print(','.join(sorted({name.partition('.')[0] for name in sys.modules})))"


def loaded(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return set(done.stdout.splitlines()[-1].split(","))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["pay", "--help"], ["test", "--help"], []])
def test_help_loads_no_heavy_module(arguments: list[str]) -> None:
    code = f"from lawful.cli import main\nmain({arguments!r})\n{SHOW}"
    assert loaded(code).isdisjoint(HEAVY)


def test_the_face_is_light_until_it_is_used() -> None:
    assert loaded(f"import lawful, lawful.pytest_plugin\n{SHOW}").isdisjoint(HEAVY)


def test_the_model_knows_no_solver() -> None:
    code = f"import lawful.model.verdict, lawful.model.declaration, lawful.model.referee\n{SHOW}"
    assert loaded(code).isdisjoint({"ortools", "networkx", "pandas", "numpy"})


def test_help_is_quick() -> None:
    """CPU time, so that a busy machine does not matter; the wall time is about the same on an idle one."""
    code = (
        "import resource, subprocess, sys\n"
        "def used():\n"
        "    u = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "    return u.ru_utime + u.ru_stime\n"
        "times = []\n"
        "for _ in range(5):\n"
        "    before = used()\n"
        "    subprocess.run([sys.executable, '-m', 'lawful.cli', '--help'], check=True, stdout=subprocess.DEVNULL)\n"
        "    times.append(used() - before)\n"
        "print(min(times))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert float(done.stdout) < 0.3


def test_the_core_names_no_game_and_no_card() -> None:
    """Words such as a colour are no names; whatever has a capital letter in a ruleset's name or cards is."""
    rulesets = [load_ruleset(id) for id in shipped()]
    names = {r.name for r in rulesets} | {r.id for r in rulesets} | {c.name for r in rulesets for c in r.cards}
    names |= {"Frostbite", "Marvel", "Berserk"}
    names = {name for name in names if name != name.lower() or "-" in name}
    assert len(names) >= 5
    core = [p for room in ("model", "solver") for p in (TOP / room).rglob("*.py") if "rulesets" not in p.parts]
    assert len(core) > 50
    assert [(str(p), n) for p in core for n in names if n in p.read_text(encoding="utf8")] == []
