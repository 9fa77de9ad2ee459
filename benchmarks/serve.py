"""Load on a real server: so many clients for so long, with easy, huge and hostile questions.

No answer may be lost, none may be a 500, and memory must stay bounded. Run: ``python benchmarks/serve.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx2 as httpx

EASY = [
    {"game": "fab", "cost": "3c1r", "hand": "Inner Chi, blue, red"},
    {"game": "fab", "cost": "3c1r", "hand": "blue, blue"},
    {"game": "mc", "cost": "1 & 1e", "hand": "e, w"},
    {"game": "bh", "cost": "X", "coins": 3},
    {"game": "fab", "cost": "6r", "hand": "red x2, yellow, blue x2", "best": "keep blue", "limit": 3},
]
HUGE = [
    {"game": "fab", "cost": "30r", "hand": "red x10, yellow x10, blue x10", "limit": 5, "seconds": 2},
    {"game": "fab", "cost": "40r", "hand": "red x15, yellow x15, blue x14", "sample": 5, "seconds": 2},
    {"game": "mc", "cost": "3 & 4 & 5", "hand": "emw x4, ep x4, m x6, w x6", "limit": 1, "seconds": 1},
]
HOSTILE = [
    {"game": "fab", "cost": "9" * 1_000 + "r"}, {"game": "../../etc", "cost": "1r"}, {"case": "a: &a [*a]"},
    {"case": "a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]"},
    {"game": "fab", "cost": "1r", "hand": "x," * 9_000},
    {"case": "[" * 5_000}, {"game": "fab", "cost": "1r", "limit": -1}, {"cost": None}, [], "text",
]  # fmt: skip


def memory(pid: int) -> float:
    """Return the resident memory of a process and its children, in megabytes."""
    found, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            status = Path(f"/proc/{one}/status").read_text(encoding="utf8")
            # A child stands with the thread that started it.
            started = [p.read_text(encoding="utf8") for p in Path(f"/proc/{one}/task").glob("*/children")]
            children = " ".join(started).split()
        except OSError:
            continue
        found += next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)
        waiting += map(int, children)
    return found


async def client(base: str, end: float, dice: random.Random, seen: list[tuple[str, int, float]]) -> None:
    """Ask one question after the other until the time is over."""
    async with httpx.AsyncClient(timeout=120, verify=False) as there:
        while time.monotonic() < end:
            kind = dice.choices(["easy", "huge", "hostile"], [90, 2, 8])[0]
            body = dice.choice({"easy": EASY, "huge": HUGE, "hostile": HOSTILE}[kind])
            start = time.monotonic()
            try:
                answer = await there.post(f"{base}/api/v1/pay", json=body)
                status = answer.status_code
                json.loads(answer.text)
                if kind == "easy" and status == 200 and answer.json()["verdict"] is None:
                    status = -2
            except (httpx.HTTPError, ValueError):
                status = -1
            seen.append((kind, status, time.monotonic() - start))


async def load(clients: int, seconds: float, base: str, pid: int) -> None:
    """Run all clients and print what came of it."""
    seen: list[tuple[str, int, float]] = []
    end, before, peak = time.monotonic() + seconds, memory(pid), 0.0
    tasks = [asyncio.ensure_future(client(base, end, random.Random(n), seen)) for n in range(clients)]
    while not all(task.done() for task in tasks):
        peak = max(peak, memory(pid))
        await asyncio.sleep(0.5)
    print(f"{clients} clients, {seconds:g} s, {len(seen)} answers, {len(seen) / seconds:.0f} a second")
    print(f"memory: {before:.0f} MB before, {peak:.0f} MB at most, {memory(pid):.0f} MB after")
    print("kind      answers  median s   95 % s   99 % s    max s  statuses")
    for kind in ("easy", "huge", "hostile"):
        times = sorted(t for k, _, t in seen if k == kind)
        statuses = Counter(status for k, status, _ in seen if k == kind)
        at = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.95, 0.99, 1.0)]
        print(f"{kind:8} {len(times):8} " + " ".join(f"{t:8.2f}" for t in at) + f"  {dict(sorted(statuses.items()))}")
    bad = [one for one in seen if one[1] in (-1, -2) or one[1] == 500]
    print(f"lost or broken: {len(bad)}")


def main() -> None:
    """Start a server, load it, stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "lawful.cli", "serve", "--port", str(port)])
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                httpx.get(f"{base}/api/v1/health")
                break
            except httpx.HTTPError:
                time.sleep(0.2)
        asyncio.run(load(given.clients, given.seconds, base, server.pid))
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
