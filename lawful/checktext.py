"""The answer of `check` in players' words: the short answer, who may be chosen and who not, the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.checked import change_text, numbers, see_also
from lawful.checking import Offer, Verdict
from lawful.citing import nearest_text
from lawful.leftout import say_left_out
from lawful.model.declaration import Question
from lawful.model.frozen import FrozenMap
from lawful.model.messages import DEFAULT
from lawful.model.messages import spoken as language
from lawful.model.verdict import Message, Reason
from lawful.text import footnotes, reason_text, say, trace

MANY = 12


def show_verdict(question: Question, verdict: Verdict, title: str, why_not: str | None = None) -> None:
    """Print a verdict.

    Parameters
    ----------
    question : Question
        What was asked.
    verdict : Verdict
        What was answered.
    title : str
        What is declared, as the headline says it.
    why_not : str, optional
        The one object that is asked about; only its reasons are shown.
    """
    print("\n".join(verdict_lines(question, verdict, title, why_not)))


def verdict_lines(question: Question, verdict: Verdict, title: str, why_not: str | None = None) -> Iterator[str]:
    """Yield a verdict line by line; see `show_verdict`."""
    cited: list[str | None] = [b.rule for reason in verdict.reasons for b in reason]
    if why_not is not None:
        yield from refusal(question, verdict, why_not)
        cited = [b.rule for offer in verdict.offers.values() for r in offer.refused.get(why_not, ()) for b in r]
        yield from say_left_out(verdict.unread, verdict.as_read)
        yield from footnotes(question, verdict.assumed, cited)
        return
    yield headline(verdict, title)
    yield from say_left_out(verdict.unread, verdict.as_read)
    told: set[Reason] = set()
    apart = any(reading.reasons and reading.reasons != verdict.reasons for reading in verdict.readings.values())
    for name, reading in verdict.readings.items():
        yield "  " + say("face.reading", reading=name, verdict=reading.status)
        if apart or verdict.status == "undetermined" or reading.offers:
            yield from _of_reading(question, verdict, reading)
            told.update(reading.reasons)
    for number, reason in enumerate(verdict.reasons if not told.issuperset(verdict.reasons) else (), 1):
        yield f"  {number}. {spoken(question, reason)}"
    if not verdict.complete and verdict.as_read is None:
        yield "  " + say("face.played-reasons" if verdict.engine == "played" else "face.more-reasons")
    for slot, offer in verdict.offers.items():
        yield from offered(question, slot, offer)
        cited += [b.rule for reasons in offer.refused.values() for reason in reasons for b in reason]
    for repair in verdict.repairs:
        yield say("face.repair", change=change_text(question.declaration, repair.declaration, repair.payment))
    if not verdict.repairs_complete and (verdict.repairs or not verdict.readings):
        yield say("face.repair.more")
    for lack in verdict.shortfalls:
        yield nearest_text(lack)
    if not verdict.near_complete:
        yield say("face.nearest.more")
    for one in verdict.obeyed:
        yield say("face.obeyed", n=one.n, of=one.of, status=one.status)
    if verdict.replay is not None and len(verdict.replay.steps) > 1:
        yield from trace(question, verdict.replay.steps)
    yield from footnotes(question, verdict.assumed, cited)


def _of_reading(question: Question, verdict: Verdict, reading: Verdict) -> Iterator[str]:
    """Yield why it is not legal in one reading, and what would make it legal there, where that is not said of all."""
    for number, reason in enumerate(reading.reasons, 1):
        yield f"    {number}. {spoken(question, reason)}"
    if not reading.complete:
        yield "    " + say("face.more-reasons")
    for slot, offer in reading.offers.items():
        if offer.legal and slot in verdict.offers and offer.legal != verdict.offers[slot].legal:
            yield "    " + say("face.offer", slot=slot, things=offer.legal)
    for repair in reading.repairs:
        if repair not in verdict.repairs:
            change = change_text(question.declaration, repair.declaration, repair.payment)
            yield "    " + say("face.repair", change=change)


def headline(verdict: Verdict, title: str) -> str:
    """Say in one line what was found."""
    if verdict.as_read is not None:
        return say("face.unread", found=headline(replace(verdict, status=verdict.as_read, as_read=None), title))
    if verdict.status == "undetermined":
        return say("face.check.undetermined", what=title)
    if verdict.status == "illegal":
        return say("face.check.illegal", what=title)
    if verdict.count is None:
        return say("face.check.legal", what=title)
    return say("face.check.count", what=title, n=verdict.count)


def spoken(question: Question, reason: Reason) -> str:
    """Say a reason with its rules, and the rules that follow from them."""
    more = dict.fromkeys(numbers(question.ruleset, rule) for b in reason for rule in see_also(question.ruleset, b))
    return reason_text(question, reason) + (f" ({say('face.see-also', rules=tuple(more))})" if more else "")


def offered(question: Question, slot: str, offer: Offer) -> Iterator[str]:
    """Yield who may be chosen for a slot, and why others may not, those with one reason together."""
    yield say("face.offer", slot=slot, things=offer.legal or (say("face.nobody"),))
    alike: dict[tuple[str, ...], list[str]] = {}
    for thing, reasons in offer.refused.items():
        alike.setdefault(tuple(_of_it(question, slot, thing, reason) for reason in reasons), []).append(thing)
    for said, things in alike.items():
        shown = ", ".join(things[:MANY]) + (f", ... ({len(things)})" if len(things) > MANY else "")
        yield f"  {say('face.refused', things=shown)} {'; '.join(said)}"


def _of_it(question: Question, slot: str, thing: str, reason: Reason) -> str:
    """Say a reason without the names of slot and object, which stand before it."""
    plain = []
    for because in reason:
        params = dict(because.says.params)
        if params.get("object") in (thing, (thing,)):
            params["object"] = say("face.it")
        plain.append(replace(because, says=Message(because.says.id, FrozenMap(params))))
    said = spoken(question, tuple(plain)).replace(f"{slot}: ", "")
    # In English "it" is the subject; elsewhere the object stands behind a colon, and has been named already.
    return said if language() == DEFAULT else said.replace(f": {say('face.it')}", "")


def refusal(question: Question, verdict: Verdict, thing: str) -> Iterator[str]:
    """Yield why one object cannot be chosen, slot by slot."""
    for slot, offer in verdict.offers.items():
        if thing in offer.legal:
            yield say("face.offer.legal", slot=slot, thing=thing)
        for reason in offer.refused.get(thing, ()):
            yield spoken(question, reason)
        there = {name: reading.offers.get(slot) for name, reading in verdict.readings.items()}
        if any(one is not None and thing in one.legal for one in there.values()) and thing not in offer.legal:
            for name, one in there.items():
                if one is not None:
                    status = "legal" if thing in one.legal else "illegal"
                    yield "  " + say("face.reading", reading=name, verdict=status)
