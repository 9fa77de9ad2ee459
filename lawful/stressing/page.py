"""One page with everything that a sweep found: it needs nothing beside itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import permutations

from lawful.model.declaration import OrderQuestion
from lawful.model.errors import LawfulError
from lawful.model.messages import spoken, text, word
from lawful.model.verdict import Message
from lawful.stressing import Row, Stressed
from lawful.stressing.lines import aside, bounds, header, headline, left_out, says, summary, table
from lawful.text import say

MOST_GRAPHS = 200
MOST_WARM = 60
SHOWN, DRAWN = 20, 3
STYLE = """
:root{color-scheme:light dark;--paper:#f6f5f1;--card:#fff;--ink:#1d1f23;--dim:#5c616b;--line:#dcd9d0;--accent:#1f5fa8;
--cold:#eceae4;--warm:163 42 35;--hot:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#15171a;--card:#1e2126;--ink:#e8e6e1;--dim:#a3a8b1;--line:#363a42;
--accent:#8fbdf2;--cold:#262a30;--warm:200 80 70}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,'Liberation Sans','DejaVu Sans',sans-serif;margin:0;
background:var(--paper);color:var(--ink)}
main{max-width:70rem;margin:0 auto;padding:1rem 1.2rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:.6rem 0}
h2{font-size:1.2rem;margin:2rem 0 .6rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}
a{color:var(--accent);text-underline-offset:2px}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
small,.dim{color:var(--dim)}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.figures td,.figures th{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:right;font-weight:400}
.figures thead th{color:var(--dim);font-size:.85rem}.figures th:first-child{text-align:left}
.figures .some{font-weight:700}
details{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:.4rem 0;padding:.45rem .9rem}
details:target{border-color:var(--accent)}
summary{cursor:pointer;overflow-wrap:anywhere}details p,details ul{margin:.5rem 0}details ul{padding-left:1.2rem}
pre{font:.82rem/1.5 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;
background:var(--paper);border:1px solid var(--line);
border-radius:6px;padding:.6rem .8rem;overflow:auto;max-height:24rem;margin:.5rem 0}
.heat td,.heat thead th{width:24px;min-width:24px}
.heat td{height:24px;padding:0;text-align:center;
border:2px solid var(--paper);font-size:12px}
.heat td a{display:block;line-height:22px;color:inherit;text-decoration:none}
.heat th{font-weight:400;font-size:13px}.heat thead th{height:9rem;vertical-align:bottom;padding:0 0 .3rem}
.heat thead span{writing-mode:vertical-rl;white-space:nowrap;max-height:9rem;overflow:hidden;text-overflow:ellipsis}
.heat tbody th{text-align:right;padding-right:.5rem;white-space:nowrap}
svg{max-width:100%;height:auto;display:block;margin:.5rem 0}
"""
# A link to a finding opens it.
OPENS = """
function show(){var it=document.getElementById(location.hash.slice(1))
if(it&&it.tagName=='DETAILS'){it.open=true;it.scrollIntoView()}}
addEventListener('hashchange',show);show()
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
    parts = [
        f"<!doctype html><html lang='{spoken()}'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width,initial-scale=1'><title>lawful stress</title>",
        f"<style>{STYLE}</style></head><body><main><h1>{escape(say('stress.page.title'))}</h1>",
        f"<p>{escape(_figures(found))}</p>",
        _table(header(), table(found)),
        _head("stress.page.by-check"),
        *_by_check(found),
        _head("stress.page.by-card"),
        *_by_card(found),
        _head("stress.page.card-by-card"),
        *_heat(found),
        _head("stress.page.not-checked"),
        *_not_checked(found),
        f"</main><script>{OPENS}</script></body></html>\n",
    ]
    return "\n".join(parts)


def fragment(found: Stressed) -> str:
    """Return a sweep as a notebook shows it: figures, the table of checks, the first findings, pictures of some."""
    shown = found.new[:SHOWN]
    parts = [f"<p>{escape(headline(found))}</p>"]
    if rows := table(found):
        parts.append(_table(header(), rows))
    for n, one in enumerate(shown):
        drawn = picture(one) if n < DRAWN else ""
        parts.append(
            f"<details><summary><b>{escape(', '.join(one['cards']))}</b>: {escape(one['check'])}: {escape(says(one))}"
            f"</summary><pre>{escape(one['case'])}</pre>{drawn}</details>"
        )
    if len(found.new) > len(shown):
        parts.append(f"<p>{escape(say('face.more-rows', n=len(found.new) - len(shown)))}</p>")
    # What neither the table nor the findings say: what is in the baseline, what was not checked.
    parts += [f"<p>{escape(line)}</p>" for line in (*aside(found), *left_out(found))]
    return "".join(parts)


def picture(one: Row) -> str:
    """Return the graph of effects in the position of a finding; empty where nothing depends on anything."""
    from lawful.model.casefile import read_cases

    try:
        (case,) = read_cases(one["case"])
        return _picture(case.order or OrderQuestion(case.question.ruleset, case.question.position))
    except LawfulError:
        return ""


def _head(id: str) -> str:
    return f"<h2>{escape(text(Message(id)))}</h2>"


def _figures(found: Stressed) -> str:
    figures = {name: str(value) for name, value in summary(found).items()}
    return say(
        "stress.page.figures", cards=figures["cards"], game=found.game, groups=len(found.rows),
        findings=figures["findings"], new=figures["new"], seconds=figures["seconds"],
    )  # fmt: skip


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    head = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in header)
    body = "".join(
        f"<tr><th scope='row'>{escape(first)}</th>"
        + "".join(f"<td{_some(n, cell)}>{escape(cell)}</td>" for n, cell in enumerate(rest))
        + "</tr>"
        for first, *rest in rows
    )
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"<div class='wide' tabindex='0'><table class='figures'>{inner}</table></div>"


def _some(n: int, cell: str) -> str:
    return " class='some'" if n == 0 and cell != "0" else ""


def _by_check(found: Stressed) -> Iterator[str]:
    by: dict[str, list[Row]] = {}
    for one in found.findings:
        by.setdefault(one["check"], []).append(one)
    drawn = 0
    for check, several in by.items():
        yield f"<h3>{escape(word('word', check))} <small>{len(several)}</small></h3>"
        for one in several:
            yield _finding(found, one, drawn < MOST_GRAPHS)
            drawn += 1
    if not by:
        yield f"<p>{escape(say('stress.page.none'))}</p>"


def _finding(found: Stressed, one: Row, graph: bool) -> str:
    size, cards = one["size"], ", ".join(one["cards"])
    known = "" if one["new"] else f" <small>{escape(say('stress.page.known'))}</small>"
    agreed = say("stress.page.confirmed") if one["confirmed_by_referee"] else say("stress.unconfirmed")
    same = [other for name in one["cards"] for other in found.same.get(name, [])[1:6]]
    like = f"<p>{escape(say('stress.page.like', cards=(*same, '...')))}</p>" if same else ""
    bound = "stress.page.saturated" if one["saturated"] else "stress.page.bounded"
    reasons, picture = _explained(one) if graph else ("", "")
    return (
        f"<details id='{one['id']}'><summary><b>{escape(cards)}</b>: {escape(says(one))}{known}</summary>"
        f"<p>{escape(say('stress.size', objects=size['objects'], assets=size['assets'], limits=agreed))}. "
        f"{escape(say(bound, limits=bounds(one)))}.</p>"
        f"{like}{reasons}<pre tabindex='0'>{escape(one['case'])}</pre>{picture}</details>"
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
        lines = [line.strip() for line in order_lines(case.order, order(case.order))]
        return [line for line in lines if line][:12]
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
        links = ", ".join(f"<a href='#{one['id']}'>{escape(word('word', one['check']))}</a>" for one in several)
        yield f"<p><b>{escape(card)}</b> <small>{len(several)}</small>: {links}</p>"


def _heat(found: Stressed) -> Iterator[str]:
    """Yield the map: how many findings each card has with each other; on the diagonal, alone."""
    cells: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for one in found.findings:
        cards = one["cards"] if len(one["cards"]) > 1 else one["cards"] * 2
        for a, b in permutations(cards, 2) if len(set(cards)) > 1 else ((cards[0], cards[0]),):
            cells[a, b] += 1
            first.setdefault((a, b), one["id"])
    names = [name for name, _ in Counter(a for a, _ in cells).most_common(MOST_WARM)]
    if not names:
        return
    most = max(cells.values())
    yield f"<p class='dim'>{escape(say('stress.page.heat'))}</p>"
    yield "<div class='wide' tabindex='0'><table class='heat'><thead><tr><td></td>"
    yield "".join(f"<th scope='col'><span>{escape(name)}</span></th>" for name in names) + "</tr></thead><tbody>"
    for a in names:
        row = "".join(_cell(a, b, cells[a, b], most, first.get((a, b), "")) for b in names)
        yield f"<tr><th scope='row'>{escape(a)}</th>{row}</tr>"
    yield "</tbody></table></div>"
    left = len({a for a, _ in cells}) - len(names)
    if left > 0:
        yield f"<p><small>{escape(say('stress.page.more-cards', n=left))}</small></p>"


def _cell(a: str, b: str, n: int, most: int, id: str) -> str:
    if n == 0:
        return "<td style='background:var(--cold)'></td>"
    title = escape(f"{a}, {b}: {n}", quote=True)
    depth = 55 + 45 * n // max(most, 1)
    style = f"background:rgb(var(--warm)/{depth}%);color:var(--hot)"
    return f"<td title='{title}' style='{style}'><a href='#{id}'>{n}</a></td>"


def _not_checked(found: Stressed) -> Iterator[str]:
    for fault in found.left_out:
        yield f"<p>{escape(say('face.left-out', fault=str(fault)))}</p>"
    why: dict[str, list[str]] = {}
    for row in found.rows:
        if row["verdict"] == "not checked":
            kind = say("stress.page.text-unread") if row.get("unread") else row["why"]
            why.setdefault(f"{word('word', row['check'])}: {kind}", []).append(", ".join(row["cards"]))
    for kind, groups in sorted(why.items(), key=lambda item: -len(item[1])):
        title = f"{escape(kind)} <small>{len(groups)}</small>"
        yield f"<details><summary>{title}</summary><p>{escape('; '.join(groups))}</p></details>"
    if not why and not found.left_out:
        yield f"<p>{escape(say('stress.page.all-checked'))}</p>"
