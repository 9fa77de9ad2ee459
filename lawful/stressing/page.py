"""One page with everything that a sweep found: it needs nothing beside itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from lawful.model.declaration import OrderQuestion
from lawful.model.errors import LawfulError
from lawful.stressing import Row, Stressed
from lawful.stressing.lines import HEADER, headline, summary, table, told

MOST_GRAPHS = 200
MOST_WARM = 60
SHOWN, DRAWN = 20, 3
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:left}
td.n{text-align:right}pre{background:#f6f6f6;padding:.7rem;overflow:auto;font-size:13px}
details{border:1px solid #ddd;border-radius:6px;margin:.4rem 0;padding:.3rem .7rem}summary{cursor:pointer}
.heat td,.heat th{padding:0;border:1px solid #fff}.heat td{width:14px;height:14px}
.heat th{font-weight:normal;font-size:11px}.heat thead th{height:9rem;vertical-align:bottom;width:14px}
.heat thead span{writing-mode:vertical-rl;white-space:nowrap}.heat tbody th{text-align:right;padding-right:4px}
small{color:#666}svg{max-width:100%;height:auto}
"""


def page(found: Stressed) -> str:
    """Return the page.

    Parameters
    ----------
    found : Stressed
        What a sweep found.

    Returns
    -------
    str
        HTML: figures, findings by check and by card, a map of card by card; each finding with its case, what is
        forbidden or comes out, and what depends on what.
    """
    figures = summary(found)
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>lawful stress</title>",
        f"<style>{STYLE}</style><h1>What breaks when cards meet</h1>",
        f"<p>{figures['cards']} cards in question ({escape(found.game)}), {len(found.rows)} checks of groups, ",
        f"{figures['findings']} findings, {figures['new']} of them new; {figures['seconds']} s.</p>",
        _table(HEADER, table(found)),
        "<h2>By check</h2>",
        *_by_check(found),
        "<h2>By card</h2>",
        *_by_card(found),
        "<h2>Card by card</h2>",
        *_heat(found),
        "<h2>Not checked</h2>",
        *_not_checked(found),
        "</html>\n",
    ]
    return "\n".join(parts)


def fragment(found: Stressed) -> str:
    """Return a sweep as a notebook shows it: figures, the table of checks, the first findings, pictures of some."""
    shown = found.new[:SHOWN]
    parts = [f"<p>{escape(headline(found))}</p>"]
    if rows := table(found):
        parts.append(_table(HEADER, rows))
    for n, one in enumerate(shown):
        drawn = picture(one) if n < DRAWN else ""
        parts.append(
            f"<details><summary><b>{escape(', '.join(one['cards']))}</b>: {escape(one['check'])}: {escape(one['says'])}"
            f"</summary><pre>{escape(one['case'])}</pre>{drawn}</details>"
        )
    if len(found.new) > len(shown):
        parts.append(f"<p>and {len(found.new) - len(shown)} more</p>")
    # What the table does not say: what is in the baseline, what was not checked.
    parts += [f"<p>{escape(line)}</p>" for line in told(found) if line.startswith("not checked") or "baseline" in line]
    return "".join(parts)


def picture(one: Row) -> str:
    """Return the graph of effects in the position of a finding; empty where nothing depends on anything."""
    from lawful.model.casefile import read_cases

    try:
        (case,) = read_cases(one["case"])
        return _picture(case.order or OrderQuestion(case.question.ruleset, case.question.position))
    except LawfulError:
        return ""


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td{' class=n' if n else ''}>{escape(c)}</td>" for n, c in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _by_check(found: Stressed) -> Iterator[str]:
    by: dict[str, list[Row]] = {}
    for one in found.findings:
        by.setdefault(one["check"], []).append(one)
    drawn = 0
    for check, several in by.items():
        yield f"<h3>{escape(check)} <small>{len(several)}</small></h3>"
        for one in several:
            yield _finding(found, one, drawn < MOST_GRAPHS)
            drawn += 1
    if not by:
        yield "<p>Nothing was found.</p>"


def _finding(found: Stressed, one: Row, graph: bool) -> str:
    size, cards = one["size"], ", ".join(one["cards"])
    known = "" if one["new"] else " <small>known</small>"
    agreed = (
        "confirmed by the referee" if one["confirmed_by_referee"] else "too large for the referee to try everything"
    )
    same = [other for name in one["cards"] for other in found.same.get(name, [])[1:6]]
    like = f"<p>The same for: {escape(', '.join(same))}, ...</p>" if same else ""
    reasons, picture = _explained(one) if graph else ("", "")
    return (
        f"<details id='{one['id']}'><summary><b>{escape(cards)}</b>: {escape(one['says'])}{known}</summary>"
        f"<p>{size['objects']} objects, {size['assets']} points and steps; {agreed}. "
        f"{'Complete within its bounds' if one['saturated'] else 'Bounded'}: {escape(one['limits'])}.</p>"
        f"{like}{reasons}<pre>{escape(one['case'])}</pre>{picture}</details>"
    )


def _explained(one: Row) -> tuple[str, str]:
    """Return the answer to the case in players' words, and the graph of its effects."""
    from lawful.model.casefile import read_cases

    try:
        (case,) = read_cases(one["case"])
        order = case.order or OrderQuestion(case.question.ruleset, case.question.position)
        lines = _answer(case)
        return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>" if lines else "", _picture(order)
    except LawfulError:
        return "", ""


def _answer(case: object) -> list[str]:
    from lawful.api import order, pay
    from lawful.checking import check
    from lawful.model.casefile import Case
    from lawful.ordertext import order_lines
    from lawful.text import reason_text

    assert isinstance(case, Case)
    if case.order is not None:
        return [line.strip() for line in order_lines(case.order, order(case.order))][:12]
    question = case.question
    reasons = check(question).reasons if case.ask == "check" else pay(question).reasons
    return [reason_text(question, reason) for reason in reasons[:6]]


def _picture(order: OrderQuestion) -> str:
    from lawful.picture import to_svg
    from lawful.solver.order.board import Boards
    from lawful.solver.order.graph import graph_of

    graph = graph_of(order, Boards(order.ruleset, order.position))
    return to_svg(graph, order.ruleset) if graph.edges else ""


def _by_card(found: Stressed) -> Iterator[str]:
    by: dict[str, list[Row]] = {}
    for one in found.findings:
        for card in one["cards"]:
            by.setdefault(card, []).append(one)
    for card, several in sorted(by.items(), key=lambda item: (-len(item[1]), item[0])):
        links = ", ".join(f"<a href='#{one['id']}'>{escape(one['check'])}</a>" for one in several)
        yield f"<p><b>{escape(card)}</b> <small>{len(several)}</small> {links}</p>"


def _heat(found: Stressed) -> Iterator[str]:
    """Yield the map: how many findings each card has with each other; on the diagonal, alone."""
    cells: Counter[tuple[str, str]] = Counter()
    for one in found.findings:
        cards = one["cards"] if len(one["cards"]) > 1 else one["cards"] * 2
        for a in cards:
            for b in cards:
                if a != b or len(set(cards)) == 1:
                    cells[a, b] += 1
    names = [name for name, _ in Counter(a for a, _ in cells).most_common(MOST_WARM)]
    if not names:
        return
    most = max(cells.values())
    yield "<table class='heat'><thead><tr><th></th>"
    yield "".join(f"<th><span>{escape(name)}</span></th>" for name in names) + "</tr></thead><tbody>"
    for a in names:
        row = "".join(_cell(a, b, cells[a, b], most) for b in names)
        yield f"<tr><th>{escape(a)}</th>{row}</tr>"
    yield "</tbody></table>"
    left = len({a for a, _ in cells}) - len(names)
    if left > 0:
        yield f"<p><small>{left} more cards have findings.</small></p>"


def _cell(a: str, b: str, n: int, most: int) -> str:
    title = escape(f"{a}, {b}: {n}", quote=True)
    return f"<td title='{title}' style='background:{_warm(n, most)}'></td>"


def _warm(n: int, most: int) -> str:
    return "#f3f3f3" if n == 0 else f"hsl(12 80% {85 - 45 * n // max(most, 1)}%)"


def _not_checked(found: Stressed) -> Iterator[str]:
    why: dict[str, list[str]] = {}
    for row in found.rows:
        if row["verdict"] == "not checked":
            kind = "text that was not read" if row.get("unread") else row["why"]
            why.setdefault(f"{row['check']}: {kind}", []).append(", ".join(row["cards"]))
    for kind, groups in sorted(why.items(), key=lambda item: -len(item[1])):
        title = f"{escape(kind)} <small>{len(groups)}</small>"
        yield f"<details><summary>{title}</summary><p>{escape('; '.join(groups))}</p></details>"
    if not why:
        yield "<p>Everything was checked.</p>"
