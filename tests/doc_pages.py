"""Runs a page of the docs: writes its files, types its commands, and compares what comes out with what it shows.

    python tests/doc_pages.py docs/tutorials/judge.md    # writes into the page what comes out now; then read the diff

A page is a list of fences, all of them run, in order, in one new folder:

- ``console``: lines that begin with ``$`` are typed; the lines after each are what comes out. A line ``...`` stands
  for any lines, and ``...`` in a line for anything. ``lawful serve`` is started on a free port, and stopped at the end.
- ``{code-block} LANGUAGE`` with a caption ``FILE``: the file. ``FILE, added at the end``; ``FILE, in KEY``: at the end
  of what stands under that top-level key; ``FILE, instead of KEY``: the whole of it becomes this.
- ``python``: run, with what earlier ones defined. What it prints stands in the ``text`` fence after it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawful.cli import main

TOP = Path(__file__).parents[1]
FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r":caption: ([^\n]+)\n\n?")
SERVED = "127.0.0.1:8000"  # what pages say; tests serve elsewhere
STRIPS_TYPES = (22, 18)


@dataclass(frozen=True)
class Shown:
    """A piece of a page that shows what comes out: where it stands, what it says, what came out."""

    start: int
    end: int
    said: str
    came: str
    by: str

    @property
    def right(self) -> bool:
        """Whether the page says what came out."""
        lines = (re.escape(line).replace(r"\.\.\.", ".*") + "\n" for line in self.said.rstrip("\n").splitlines())
        pattern = "".join("(?:.*\n)*" if line == ".*\n" else line for line in lines)
        return re.fullmatch(pattern, self.came.rstrip("\n") + "\n" if self.came.strip() else "") is not None


@dataclass
class Page:
    """A page that is being run in a folder."""

    text: str
    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    exit: int = 0
    server: subprocess.Popen[bytes] | None = None
    port: int = 0
    without_node: bool = False

    def run(self) -> Iterator[Shown]:
        """Run all of it, piece by piece."""
        printed: tuple[str, str] | None = None
        try:
            for fence in FENCE.finditer(self.text):
                kind, body = fence[2].strip(), fence[3]
                if kind == "console":
                    yield from self._console(fence.start(3), body)
                elif kind == "python":
                    printed = (body, self._python(body))
                elif kind == "text" and printed is not None:
                    yield Shown(fence.start(3), fence.end(3), body, printed[1], printed[0])
                    printed = None
                elif caption := CAPTION.match(body):
                    self._file(caption[1], body[caption.end() :])
                elif not kind.startswith(("{toctree}", "{note}", "{include}")):
                    raise ValueError(f"nothing runs this: {kind}\n{body}")
                if printed is not None and kind not in ("python", "text"):
                    assert not printed[1], f"it prints and the page does not show it:\n{printed[0]}\n{printed[1]}"
        finally:
            if self.server is not None:
                self.server.terminate()
                self.server.wait(30)

    def _console(self, start: int, body: str) -> Iterator[Shown]:
        for part in re.finditer(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", body, re.MULTILINE):
            came = self._typed(part[1].replace("\\\n", ""))
            if came is not None:
                yield Shown(start + part.start(2), start + part.end(2), part[2], came, part[1])

    def _typed(self, command: str) -> str | None:
        words = shlex.split(command)
        if words[:1] == ["cd"]:
            self.folder = self.folder / words[1]
            return ""
        if command == "echo $?":
            return f"{self.exit}\n"
        if words[:2] == ["lawful", "serve"]:
            self._serve(words[1:])
            return ""
        if words[:1] == ["node"] and (self.without_node or not node()):
            return None
        if words[:1] == ["lawful"] and not set("|>") & set(words):
            return self._lawful(words[1:])
        return self._shell(command)

    def _lawful(self, words: list[str]) -> str:
        into = io.TextIOWrapper(io.BytesIO(), encoding="utf8", write_through=True)
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(into), contextlib.redirect_stderr(into):
            self.exit = main(words)
        into.seek(0)
        return into.read()

    def _shell(self, command: str) -> str:
        tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        if command.startswith("node "):
            command = node_command(command.split()[1], self.folder)
        done = subprocess.run(
            ["bash", "-c", self._here(command)],
            cwd=self.folder, env={**os.environ, "PATH": tools}, capture_output=True, encoding="utf8", timeout=120,
        )  # fmt: skip
        self.exit = done.returncode
        return done.stdout + done.stderr

    def _python(self, body: str) -> str:
        into = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(into):
            exec(compile(self._here(body), "page", "exec"), self.names)
        return into.getvalue()

    def _file(self, caption: str, text: str) -> None:
        name, _, how = caption.partition(", ")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if how == "added at the end":
            text = path.read_text("utf8").rstrip("\n") + "\n" + text
        elif found := re.fullmatch("(in|instead of) (.+)", how):
            under = re.compile(rf"^{re.escape(found[2])}:.*\n(?:[ \-#].*\n|\n(?=[ \-]))*", re.MULTILINE)
            before = path.read_text("utf8")
            assert len(under.findall(before)) == 1, caption
            text = under.sub(lambda old: text if found[1] == "instead of" else old[0] + text, before)
        else:
            assert not how, caption
        path.write_text(self._here(text), "utf8")

    def _here(self, text: str) -> str:
        return text.replace(SERVED, f"127.0.0.1:{self.port}") if self.port else text

    def _serve(self, words: list[str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        typed = [sys.executable, "-c", "import sys; from lawful.cli import main; sys.exit(main())", *words]
        self.server = subprocess.Popen([*typed, "--port", str(self.port), "--workers", "1"], cwd=self.folder)
        end = time.monotonic() + 120
        while time.monotonic() < end and self.server.poll() is None:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/health", timeout=30).close()
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.server.wait(0.1)
        raise AssertionError("the server did not start")


def node() -> tuple[int, ...] | None:
    """Return the version of Node.js that can run TypeScript here, by itself or with `tsc`; None where there is none."""
    if shutil.which("node") is None:
        return None
    said = subprocess.run(["node", "--version"], capture_output=True, encoding="utf8", check=True).stdout
    version = tuple(int(part) for part in re.findall(r"\d+", said))
    return version if version >= STRIPS_TYPES or shutil.which("tsc") else None


def node_command(name: str, folder: Path) -> str:
    """Return how a file of TypeScript is run; with `tsc` there, its types are checked, too."""
    if shutil.which("tsc") is None:
        return f"node {name}"
    out = folder / ".made"
    checks = "--strict --target es2022 --module nodenext --lib es2023,dom --outDir"
    return f"tsc {checks} {shlex.quote(str(out))} {name} && node {shlex.quote(str(out / name.replace('.mts', '.mjs')))}"


def shown(path: Path, folder: Path, without_node: bool = False) -> list[Shown]:
    """Run a page; return every piece that shows what comes out."""
    return list(Page(path.read_text("utf8"), folder, without_node=without_node).run())


def rewrite(path: Path) -> None:
    """Write into a page what comes out now, but where it has dots."""
    text = path.read_text("utf8")
    with tempfile.TemporaryDirectory() as folder:
        for one in reversed(shown(path, Path(folder))):
            if not one.right:
                came = one.came.rstrip("\n") + "\n" if one.came.strip() else ""
                text = text[: one.start] + came + text[one.end :]
    path.write_text(text, "utf8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name).resolve())
