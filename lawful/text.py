"""The answer in players' words: a headline, a table with one way a line, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from lawful.api import Judgement
from lawful.citing import cite, initials, nearest_text
from lawful.leftout import say_left_out
from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.messages import text, word
from lawful.model.verdict import Answer, Message, Reached, Reason, TraceStep, Value
from lawful.table import draw
from lawful.ways import Line, Step, lines, shown_assets

Table: TypeAlias = tuple[list[str], list[list[str]]]


def say(id: str, **params: Value) -> str:
    """Say one of the front door's own sentences.

    Parameters
    ----------
    id : str
        Id of the message.
    **params : int, str or tuple of str
        Its parameters.

    Returns
    -------
    str
        The sentence.

    Examples
    --------
    >>> say("face.unpayable", cost="3c1r")
    '3c1r cannot be paid'
    """
    return text(Message(id, FrozenMap(params)))


def show_answer(
    question: Question,
    answer: Answer,
    cost: str,
    *,
    by_name: bool = False,
    explain: bool = False,
    start: int | None = 0,
    minimal: bool = False,
) -> None:
    """Print an answer.

    Parameters
    ----------
    question : Question
        What was asked.
    answer : Answer
        What was answered.
    cost : str
        What is paid, as the headline says it.
    by_name : bool
        Whether equal cards are merged.
    explain : bool
        Whether the referee's steps follow every way.
    start : int, optional
        The rank of the first way listed; None where they are no stretch of all ways.
    minimal : bool
        Whether those listed are the first without a superfluous source.
    """
    said = answer_blocks(question, answer, cost, by_name=by_name, explain=explain, start=start, minimal=minimal)
    for block in said:
        print(block) if isinstance(block, str) else draw(*block)


def answer_blocks(
    question: Question,
    answer: Answer,
    cost: str,
    *,
    by_name: bool = False,
    explain: bool = False,
    start: int | None = 0,
    minimal: bool = False,
) -> Iterator[str | Table]:
    """Yield an answer line by line, and its table with header and rows; see `show_answer`."""
    shown = lines(question, answer, by_name)
    yield headline(answer, cost, by_name, start == 0, minimal)
    yield from say_left_out(answer.unread, answer.as_read)
    if answer.unproved:
        yield unproved(answer)
    if answer.readings or (answer.as_read or answer.status) == "undetermined":
        yield from _readings(answer)
    for reason in answer.reasons:
        yield reason_text(question, reason)
    for lack in answer.shortfalls:
        yield nearest_text(lack)
    if shown:
        yield ""
        yield way_table(question, answer, shown, start or 0)
        yield ""
        yield _counts(answer)
    for limit in answer.reached:
        yield reached(limit)
    if explain:
        for number, line in enumerate(shown, 1):
            yield f"\n{number}"
            yield from trace(question, line.way.replay.steps)
    cited = [because.rule for reason in answer.reasons for because in reason]
    yield from footnotes(question, answer.assumed, cited)


def show_judgement(question: Question, judgement: Judgement, cost: str) -> None:
    """Print what the judge says about one given payment, step by step; see `judgement_lines`.

    Parameters
    ----------
    question : Question
        What was asked.
    judgement : Judgement
        What was answered.
    cost : str
        What is paid, as the headline says it.
    """
    print("\n".join(judgement_lines(question, judgement, cost)))


def judgement_lines(question: Question, judgement: Judgement, cost: str) -> Iterator[str]:
    """Yield what the judge says about one given payment, line by line."""
    replay = judgement.replay
    yield judged_headline(judgement, cost)
    yield from say_left_out(judgement.unread, judgement.as_read)
    if (judgement.as_read or judgement.status) != "legal":
        for reading, verdict in judgement.readings.items():
            yield "  " + say("face.reading", reading=reading, verdict=verdict)
    yield from trace(question, replay.steps)
    cited = [step.rule for step in replay.steps]
    if replay.broken is not None:
        yield f"  x  {text(replay.broken.says)}{_brackets(question, [replay.broken.rule])}"
        cited.append(replay.broken.rule)
    if replay.outcome is not None:
        left = {asset: replay.outcome.pool[asset] for asset in shown_assets(question, [replay.outcome])}
        yield say("face.left", pool=amounts(left) or say("face.nothing"))
    for reason in judgement.reasons:
        yield reason_text(question, reason)
        cited.extend(because.rule for because in reason)
    yield from footnotes(question, judgement.assumed, cited)


def judged_headline(judgement: Judgement, cost: str) -> str:
    """Say in one line what the judge says about one given payment."""
    status, started = judgement.as_read or judgement.status, "" if judgement.replay.complete else "-start"
    found = say(f"face.legal{started}" if status == "legal" else f"face.{status}", cost=cost)
    return found if judgement.as_read is None else say("face.unread", found=found)


def headline(answer: Answer, cost: str, by_name: bool = False, from_first: bool = True, minimal: bool = False) -> str:
    """Say in one line what was found.

    Parameters
    ----------
    answer : Answer
        The answer.
    cost : str
        What is paid.
    by_name : bool
        Whether to add the count where equal cards are not told apart.
    minimal : bool
        Whether only ways without a superfluous source are listed.

    Returns
    -------
    str
        With the level that is counted, and whether the count is of all ways.
    """
    if answer.as_read is not None:
        read = replace(answer, as_read=None, complete=answer.limit is None)
        return say("face.unread", found=headline(read, cost, by_name, from_first, minimal))
    level, listed = say(f"level.{answer.level}"), len(answer.ways)
    if not answer.complete:
        return say(
            "face.incomplete", listed=listed, n=answer.count, cost=cost, level=level, limit=answer.limit or "ways"
        )
    if answer.count == 0:
        return say("face.unpayable-proved" if answer.proved else "face.unpayable", cost=cost)
    ways = say("face.ways", n=answer.count, cost=cost, level=level)
    whole = sum(way.copies for way in answer.ways) >= answer.count
    found = say("face.proved" if answer.proved else "face.complete", ways=ways)
    if not whole:
        found = say("face.listed" if from_first else "face.some", ways=found, listed=listed)
    if minimal and not whole:
        proved = say("face.proved" if answer.proved else "face.complete", ways=ways)
        which = "face.minimal" if listed == answer.minimal else "face.minimal-first"
        if answer.minimal is None or answer.level != "sources":  # how many there are was not counted
            which = "face.minimal-some"
        found = say(which, ways=proved, listed=listed, n=answer.minimal or 0)
    return say("face.by-name", ways=found, n=answer.count_by_name) if answer.count_by_name is not None else found


def unproved(answer: Answer) -> str:
    """Say why there is no proof, where one was asked for."""
    return say(f"face.unproved.{answer.unproved}")


def reached(limit: Reached) -> str:
    """Say which limit cut something short."""
    return say("face.reached", limit=limit.limit, value=f"{limit.value:g}", where=limit.where)


def reason_text(question: Question, reason: Reason) -> str:
    """Say a minimal reason in one line: what is needed, what there is, and the rules' numbers.

    Parameters
    ----------
    question : Question
        What was asked.
    reason : Reason
        Rules and facts that together leave no way.

    Returns
    -------
    str
        ``3 chi must be paid in full; 0 chi floating; no card in hand gives chi [CR 1.14.2c]``.
    """
    said = list(dict.fromkeys(text(because.says) for because in reason))
    return "; ".join(said) + _brackets(question, [because.rule for because in reason])


def trace(question: Question, steps: Sequence[TraceStep]) -> list[str]:
    """Say the referee's steps, one a line, with rule numbers and the pool after each.

    Parameters
    ----------
    question : Question
        What was asked.
    steps : sequence of TraceStep
        As replayed.

    Returns
    -------
    list of str
        The lines.
    """
    return [f"  {n}. {text(step.says)}{_brackets(question, [step.rule])}" for n, step in enumerate(steps, 1)]


def amounts(pool: Mapping[str, int]) -> str:
    """Spell amounts of assets as costs are spelled; what is 0 is left out.

    Parameters
    ----------
    pool : mapping of str to int
        Points by asset.

    Returns
    -------
    str
        Empty where there is nothing.

    Examples
    --------
    >>> amounts({"c": 1, "r": 2, "h": 0})
    '1c2r'
    """
    joint = "" if all(len(asset) == 1 for asset in pool) else " "
    return joint.join(f"{n}{asset}" for asset, n in pool.items() if n)


def way_table(question: Question, answer: Answer, shown: Sequence[Line], start: int) -> Table:
    """Return header and rows: a column for every part of the cost, and others only where they say something."""
    columns: list[tuple[str, list[str]]] = [("", [str(start + n) for n in range(1, len(shown) + 1)])]
    if any(line.way.payment.options for line in shown):
        columns.append((say("column.options"), [", ".join(line.way.payment.options) or "-" for line in shown]))
    if any(line.way.payment.x is not None for line in shown):
        columns.append((say("column.x"), [str(line.way.payment.x) for line in shown]))
    columns.extend(_at_once_columns(answer, shown))
    columns.extend(_part_columns(question, shown))
    columns.append((say("column.left"), [amounts(line.pool) or "-" for line in shown]))
    if any(line.overpaid for line in shown):
        columns.append((say("column.lost"), [amounts(line.overpaid) or "-" for line in shown]))
    if any(line.way.copies > 1 for line in shown):
        columns.append((say("column.copies"), [str(line.way.copies) for line in shown]))
    return [title for title, _ in columns], [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]


def _at_once_columns(answer: Answer, shown: Sequence[Line]) -> Iterator[tuple[str, list[str]]]:
    """Return a column of sources, and one for every part that is paid at once: what was given for it, and as what."""
    every = [{step.place: step for step in line.steps if step.place is not None} for line in shown]
    places = sorted({place for steps in every for place in steps if place is not None})
    if not places:
        return
    yield say("column.with"), [", ".join(line.sources) or say("face.nothing") for line in shown]
    if answer.level in ("outcomes", "sources"):
        return  # what is given for what is not told apart there
    for place in places:
        steps = [one.get(place) for one in every]
        kinds = {(step.pay, step.cost) for step in steps if step is not None}
        assets = {step.asset for step in steps if step is not None}
        pay, cost = next(iter(kinds)) if len(kinds) == 1 else ("/".join(sorted(assets)), "")
        part = pay if cost in ("", "cost") else f"{pay} ({cost})"
        whose = answer.level == "sequences"
        yield say("column.pay", part=part), ["-" if step is None else _given(step, whose) for step in steps]


def _given(step: Step, whose: bool) -> str:
    said = amounts(step.given) or say("face.nothing")
    return f"{said}: {', '.join(step.with_)}" if whose and step.with_ else said


def _part_columns(question: Question, shown: Sequence[Line]) -> Iterator[tuple[str, list[str]]]:
    for asset in question.ruleset.assets:
        parts = [[s for s in line.steps if s.asset == asset.id and s.place is None] for line in shown]
        due = {step.pay for steps in parts for step in steps}
        if due:
            one = len(due) == 1
            title = say("column.pay", part=next(iter(due)) if one else word("asset", asset.name))
            yield title, [_cell(steps, show_due=not one) for steps in parts]
    effects = [[step for step in line.steps if not step.asset] for line in shown]
    for at in range(max(map(len, effects))):
        step_at = [steps[at] if at < len(steps) else None for steps in effects]
        kinds = {step.pay for step in step_at if step is not None}
        title = say("column.effect", effect="/".join(sorted(word("verb", kind) for kind in kinds)))
        yield title, ["-" if step is None else _picked(step) for step in step_at]


def _picked(step: Step) -> str:
    """Say what an effect-cost takes; chance and a hidden order are named, as what they take is not known before."""
    if step.how in ("random", "top"):
        return say(f"face.{step.how}")
    return ", ".join(step.with_) or say("face.nothing")


def _cell(steps: Sequence[Step], show_due: bool) -> str:
    """Say what a part is paid with; it may be due in some ways only, or with several amounts."""
    if not steps:
        return "-"
    used = ", ".join(name for step in steps for name in step.with_) or say("face.floating")
    return f"{steps[0].pay}: {used}" if show_due else used


def _counts(answer: Answer) -> str:
    said = ", ".join(say("face.count", level=say(f"level.{level}"), n=n) for level, n in answer.counts.items())
    minimal = say("face.not-counted") if answer.minimal is None else answer.minimal
    return say("face.counts", counts=said, minimal=minimal)


def _readings(answer: Answer) -> Iterator[str]:
    if (answer.as_read or answer.status) == "undetermined":
        yield say("face.undetermined")
    for name, reading in answer.readings.items():
        level = say(f"level.{reading.level}")
        yield "  " + say("face.reading-ways", reading=name, verdict=reading.status, n=reading.count, level=level)


def _brackets(question: Question, rules: Iterable[str | None]) -> str:
    found = [cite(question.ruleset, rule) for rule in rules if rule is not None]
    cited = dict.fromkeys(str(citation) for citation in found if citation.document is not None)
    return f" [{', '.join(cited)}]" if cited else ""


def footnotes(question: Question, assumed: Mapping[str, str], rules: Iterable[str | None]) -> Iterator[str]:
    """Yield what was assumed, and what the abbreviations of documents stand for.

    Parameters
    ----------
    question : Question
        What was asked.
    assumed : mapping of str to str
        Open points with the reading assumed.
    rules : iterable of str
        Ids of the rules that were cited.

    Yields
    ------
    str
        A line.
    """
    points = {point.id: point for point in question.ruleset.open_points}
    for id, name in assumed.items():
        says = next((reading.says for reading in points[id].readings if reading.name == name), name)
        yield say("face.assumed", point=id, about=points[id].about, says=says)
    documents = dict.fromkeys(cite(question.ruleset, rule).document for rule in rules if rule is not None)
    for document in documents:
        if document is not None:
            yield f"{initials(document)}: {document.title}, {document.version}"
