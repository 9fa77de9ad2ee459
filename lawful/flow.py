"""One payment as a picture: what is used, which part of the cost it pays, and what is left. SVG, byte-stable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from lawful.lettering import width, wrapped
from lawful.model.declaration import Question
from lawful.text import say
from lawful.ways import Line, shown_names

WIDE, HIGH, GAP, LANE, HEAD = 150, 44, 12, 110, 40
COLUMNS = "have", "due", "left"
LIGHT = {"have": "#dbe9f6", "due": "#ffffff", "left": "#dff0da", "lost": "#f9dcdc", "idle": "#f3f4f6"}
DARK = {"have": "#16324a", "due": "#161b22", "left": "#1d3a1c", "lost": "#4a1f22", "idle": "#0d1117"}


@dataclass(frozen=True, slots=True)
class _Box:
    id: str
    kind: str
    name: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class _Arrow:
    from_: str
    to: str
    says: str = ""


def to_picture(question: Question, line: Line, by_name: bool = False) -> str:
    """Draw one way to pay.

    Parameters
    ----------
    question : Question
        What was asked.
    line : Line
        One of its ways.
    by_name : bool
        Whether objects are called by their cards' names.

    Returns
    -------
    str
        SVG: on the left what is used and what else is in hand, in the middle the parts of the cost in the order in
        which they are paid, on the right what is left or lost.
    """
    names = shown_names(question, by_name)
    columns = [
        [*_sources(line, names), *_floating(question, line), *_idle(question, line, names)],
        list(_parts(line)),
        list(_rest(question, line)),
    ]
    return "\n".join(_drawn(columns, list(_arrows(line, names)), _told(line))) + "\n"


def _sources(line: Line, names: Mapping[str, str]) -> Iterator[_Box]:
    """Yield what is used, in order of its first use, with what it gains."""
    gains: dict[str, list[str]] = {}
    for step in line.way.replay.steps:
        if step.says.id == "step.use":
            gains.setdefault(str(step.says.params["thing"]), []).append(str(step.says.params["gain"]))
    used = [use.thing for use in line.way.payment.uses]
    chosen = [thing for choice in line.way.payment.choices for thing in choice.things]
    for thing in dict.fromkeys([*used, *chosen]):
        yield _Box(f"have {thing}", "have", names[thing], ", ".join(g for g in gains.get(thing, ()) if g))
    if any(not spend.thing and spend.part >= 0 for spend in line.way.payment.spends):
        yield _Box("have", "have", say("face.floating"))


def _floating(question: Question, line: Line) -> Iterator[_Box]:
    """Yield what floated before, where parts are paid in turn: which of it went where is the ruleset's draw order."""
    if any(step.place is None and step.asset for step in line.steps):
        before = question.position.player(question.declaration.player).pool
        for asset in question.ruleset.assets:
            if asset.id in line.pool and before.get(asset.id, asset.start):
                amount = f"{before.get(asset.id, asset.start)} {asset.name}"
                yield _Box(f"float {asset.id}", "idle", amount, say("face.floating"))


def _idle(question: Question, line: Line, names: Mapping[str, str]) -> Iterator[_Box]:
    """Yield what lies where the things used lie, and is kept."""
    used = {use.thing for use in line.way.payment.uses}
    used |= {thing for choice in line.way.payment.choices for thing in choice.things}
    position = question.position
    zones = {(position.thing(thing).zone, position.thing(thing).controller) for thing in used}
    for thing in position.things:
        if thing.id not in used and (thing.zone, thing.controller) in zones:
            yield _Box(f"have {thing.id}", "idle", names[thing.id], say("flow.kept"))


def _parts(line: Line) -> Iterator[_Box]:
    for n, step in enumerate(line.steps):
        given = ", ".join(f"{amount}{as_}" for as_, amount in step.given.items())
        yield _Box(f"due {n}", "due", step.pay, step.how or given)


def _rest(question: Question, line: Line) -> Iterator[_Box]:
    names = {asset.id: asset.name for asset in question.ruleset.assets}
    for kind, amounts in (("left", line.pool), ("lost", line.overpaid)):
        for asset, amount in amounts.items():
            if amount:
                yield _Box(f"{kind} {asset}", kind, f"{amount} {names.get(asset, asset)}", say(f"flow.{kind}"))


def _arrows(line: Line, names: Mapping[str, str]) -> Iterator[_Arrow]:
    at_once = [n for n, step in enumerate(line.steps) if step.place is not None]
    paid = [step for step in line.steps if step.place is None and step.asset]
    by_part = {step.asset: f"due {n}" for n, step in enumerate(line.steps) if step in paid}
    for use in line.way.payment.uses:
        if use.part in by_part:
            yield _Arrow(f"have {use.thing}", by_part[use.part])
    for spend in line.way.payment.spends:
        from_ = f"have {spend.thing}" if spend.thing else "have"
        if spend.part >= 0:
            yield _Arrow(from_, f"due {at_once[spend.part]}", f"{spend.n}{spend.as_}")
        elif spend.thing and line.overpaid.get(spend.as_):
            yield _Arrow(from_, f"lost {spend.as_}", f"{spend.n}{spend.as_}")
    effects = [n for n, step in enumerate(line.steps) if not step.asset]
    for n, choice in zip(effects, line.way.payment.choices, strict=True):
        yield from (_Arrow(f"have {thing}", f"due {n}") for thing in choice.things)
    for asset, amount in line.pool.items():
        if amount and asset in by_part:
            yield _Arrow(by_part[asset], f"left {asset}")


def _told(line: Line) -> str:
    """Say the whole picture in one sentence, for those who do not see it."""
    steps = [f"{step.pay}: {', '.join(step.with_) or step.how or say('face.floating')}" for step in line.steps]
    left = [f"{amount}{asset}" for asset, amount in line.pool.items() if amount]
    return "; ".join([*steps, say("face.left", pool=" ".join(left) or say("face.nothing"))])


def _drawn(columns: list[list[_Box]], arrows: list[_Arrow], told: str) -> Iterator[str]:
    below = len(columns[1])  # what is lost stands below all parts, so that arrows to it pass under them
    slots = [[n + below if box.kind == "lost" else n for n, box in enumerate(boxes)] for boxes in columns]
    rows = max((slot + 1 for of in slots for slot in of), default=1)
    wide, high = len(columns) * WIDE + (len(columns) - 1) * LANE + 40, HEAD + rows * (HIGH + GAP) + 8
    at: dict[str, tuple[int, int]] = {}
    for c, (boxes, of) in enumerate(zip(columns, slots, strict=True)):
        at |= {box.id: (20 + c * (WIDE + LANE), HEAD + n * (HIGH + GAP)) for n, box in zip(of, boxes, strict=True)}
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="flow" role="img" aria-label={quoteattr(told)} '
        f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
    )
    yield f"<style>{_style()}</style>"
    yield (
        '<defs><marker id="flow-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    yield f'<rect class="ground" width="{wide}" height="{high}"/>'
    for c, boxes in enumerate(columns):
        if boxes:
            yield f'<text class="head" x="{20 + c * (WIDE + LANE)}" y="24">{escape(say(f"flow.{COLUMNS[c]}"))}</text>'
    for arrow in dict.fromkeys(arrows):
        yield from _arrow(arrow, at)
    for box in (box for boxes in columns for box in boxes):
        yield from _box(box, *at[box.id])
    yield "</svg>"


def _arrow(arrow: _Arrow, at: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    (x, y), (to, below) = at[arrow.from_], at[arrow.to]
    x, y, below = x + WIDE, y + HIGH // 2, below + HIGH // 2
    near, bend = x + LANE, LANE // 2  # the bend is in the first lane; what goes further goes straight
    path = f"M{x} {y}C{x + bend} {y} {near - bend} {below} {near} {below}" + (f"H{to}" if to > near else "")
    yield f'<path class="arrow" d="{path}" marker-end="url(#flow-head)"/>'
    if arrow.says:
        half = int(width(arrow.says, 11) / 2)
        yield f'<text class="given" x="{to - 16 - half}" y="{below - 5}">{escape(arrow.says)}</text>'


def _box(box: _Box, x: int, y: int) -> Iterator[str]:
    yield f'<g class="{box.kind}"><title>{escape(f"{box.name} {box.says}".strip())}</title>'
    yield f'<rect class="box" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="5"/>'
    words = [(True, w) for w in wrapped(box.name, WIDE - 16, 12, 1, bold=True)]
    words += [(False, w) for w in wrapped(box.says, WIDE - 16, 12, 1) if w]
    for n, (bold, said) in enumerate(words):
        style = ' class="name"' if bold else ""
        yield f'<text{style} x="{x + 8}" y="{y + (27 if len(words) == 1 else 18 + 17 * n)}">{escape(said)}</text>'
    yield "</g>"


def _style() -> str:
    light = [
        "text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#1b1f23}",
        ".name{font-weight:bold}", ".head{fill:#57606a}",
        ".given{font-size:11px;text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:4px}",
        ".ground{fill:#ffffff}", ".box{stroke:#57606a}", ".arrow{fill:none;stroke:#37474f;stroke-width:1.4}",
        ".idle .box{stroke-dasharray:4 3}", *_fills(LIGHT),
    ]  # fmt: skip
    dark = [
        "text{fill:#e6edf3}", ".head{fill:#adbac7}", ".given{stroke:#0d1117}", ".ground{fill:#0d1117}",
        ".box{stroke:#8b949e}", ".arrow{stroke:#adbac7}", *_fills(DARK),
    ]  # fmt: skip
    return "".join(_scoped(light)) + f"@media (prefers-color-scheme:dark){{{''.join(_scoped(dark))}}}"


def _fills(colors: Mapping[str, str]) -> Iterator[str]:
    return (f".{kind} .box{{fill:{color}}}" for kind, color in colors.items())


def _scoped(rules: Iterable[str]) -> Iterator[str]:
    """Let rules touch nothing but the picture, where it stands in a page."""
    return (f".flow {rule}" for rule in rules)
