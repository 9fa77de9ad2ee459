"""What a sentence takes from the one before it: pronouns, counts that go on, and "if you do"."""

from __future__ import annotations

from typing import Any

SELECTING = ("how", "type", "name", "zone", "n", "any", "none", "where")


def pronouns(meaning: Any) -> Any:
    """Return a triggered effect whose ``$it`` is what triggers it, as long as it does not choose anything before.

    Parameters
    ----------
    meaning : data
        What a clause means.

    Returns
    -------
    data
        "When this attacks, it gets go again" is about the attacker.

    Examples
    --------
    >>> pronouns({"on": {"attacks": "$self"}, "do": [{"tap": "$it"}]})
    {'on': {'attacks': '$self'}, 'do': [{'tap': '$self'}]}
    """
    on = meaning.get("on") if isinstance(meaning, dict) else None
    if not isinstance(on, dict) or len(on) != 1:
        return meaning
    ((_, about),) = on.items()
    subject = about.get("source", about.get("subject")) if isinstance(about, dict) else about
    it = "$self" if subject == "$self" else "$subject" if isinstance(about, dict) and "source" not in about else None
    if it == "$subject" and isinstance(about, dict) and (about.get("on") == "$self" or set(about) == {"by"}):
        it = None  # "when this is defended by a card, it ..." may be about either; a turn is about no object
    found = dict(meaning)
    done_to = about.get("on", about.get("subject") if "source" in about else None) if isinstance(about, dict) else None
    if subject == "$self" and isinstance(done_to, dict):
        # Whom it is done to is somebody else: "when this hits a hero, they ...".
        found = {key: item if key == "on" else put(item, "$they", "$opponent") for key, item in found.items()}
    if it is None:
        return found
    for key in ("when", "unless"):
        if key in found:
            found[key] = put(found[key], "$it", it)
    doing: list[Any] = []
    chosen = False
    for step in found.get("do", ()):
        doing.append(step if chosen else put(step, "$it", it))
        chosen = chosen or _chooses(step)
    return {**found, "do": doing} if doing else found


def _chooses(step: Any) -> bool:
    if isinstance(step, dict):
        return any(key in SELECTING for key in step) or any(map(_chooses, step.values()))
    return isinstance(step, list) and any(map(_chooses, step))


def put(meaning: Any, name: str, instead: Any) -> Any:
    """Return a meaning with something else for every text that is a name."""
    if isinstance(meaning, dict):
        return {key: put(item, name, instead) for key, item in meaning.items()}
    if isinstance(meaning, list):
        return [put(item, name, instead) for item in meaning]
    return instead if meaning == name else meaning


def counts(meaning: Any) -> Any:
    """Return what a condition of a sentence counts: "if you control 1 or more ..."."""
    when = meaning.get("when") if isinstance(meaning, dict) else None
    if not isinstance(when, dict) or len(when) != 2:
        return None
    return next(({key: when[key]} for key in ("count", "value") if key in when and when[key] != "$counted"), None)


def counts_on(meaning: Any) -> bool:
    """Tell whether a line goes on with what a line before it counted: "2 or more, ..."."""
    when = meaning.get("when") if isinstance(meaning, dict) else None
    return isinstance(when, dict) and when.get("value") == "$counted"


def counting(meaning: Any, counted: Any) -> Any:
    """Return a line such as "2 or more, ..." with what the line before it counted."""
    if counted is None:
        return meaning
    when = meaning["when"]
    return {**meaning, "when": {**counted, **{key: item for key, item in when.items() if key != "value"}}}


def following(meaning: Any, before: Any) -> tuple[Any, bool]:
    """Return a sentence that goes on from another one, together with what it needs of it.

    Parameters
    ----------
    meaning : data
        Of a sentence that begins with "if you do", or speaks of "it".
    before : data
        What the sentence before it means.

    Returns
    -------
    tuple of data and bool
        With a permission to play before it: about what is played so. After something that is done: the whole, its steps
        under the condition that it was done. And whether the sentence before it is part of that.
    """
    if not isinstance(meaning, dict) or not isinstance(before, dict):
        return meaning, False
    played = allowed(before)
    rest = {key: item for key, item in meaning.items() if key != "given"}
    if played is not None and meaning.get("given", "done") == "done":
        return _of_played(rest, played) or meaning, False
    goes_on = meaning.get("given") == "done" or ("given" not in meaning and put(rest, "$it", "") != rest)
    if not goes_on or not isinstance(before.get("do"), list) or not isinstance(rest.get("do"), list):
        return meaning, False
    if any(key not in ("on", "when", "do", "optional") for key in before) or list(rest) != ["do"]:
        return meaning, False
    *first, last = before["do"]
    if not isinstance(last, dict) or "lay" in last:
        return meaning, False
    name = last.get("as", "it")
    given = {"given": name} if "given" in meaning else {}
    then = [{**put(step, "$it", f"${name}"), **given} for step in rest["do"] if isinstance(step, dict)]
    return {**before, "do": [*first, {**last, "as": name}, *then]}, True


def of_them(meaning: Any, before: Any) -> Any:
    """Return a sentence about "them" as part of what the sentence before it waits for, where that is done to somebody.

    Parameters
    ----------
    meaning : data
        Of a sentence that does something, without an event of its own.
    before : data
        What the sentence before it means.

    Returns
    -------
    data
        "When this hits a hero, name a card. They can't ..." is two things that are done on the same event.

    Examples
    --------
    >>> hit = {"hits": {"subject": "$self", "on": {}}}
    >>> of_them({"do": [{"lose": {"h": "1"}, "of": "$they"}]}, {"on": hit, "do": []})["do"]
    [{'lose': {'h': '1'}, 'of': '$opponent'}]
    """
    alone = isinstance(meaning, dict) and list(meaning) == ["do"]
    if not alone or not isinstance(before, dict) or set(before) != {"on", "do"} or put(meaning, "$they", "") == meaning:
        return meaning
    on = before["on"]
    about = next(iter(on.values())) if isinstance(on, dict) and len(on) == 1 else None
    if not isinstance(about, dict):
        return meaning
    mine = "$self" in (about.get("subject"), about.get("source"))
    theirs = about.get("on", about.get("subject") if "source" in about else None)
    if not mine or not isinstance(theirs, dict) or theirs.get("controller", "$opponent") != "$opponent":
        return meaning
    return {"on": on, **put(meaning, "$they", "$opponent")}


def allowed(before: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a sentence lets somebody play from elsewhere, with the zone."""
    may = before.get("may")
    play = may.get("play") if isinstance(may, dict) else None
    subject = play.get("subject") if isinstance(play, dict) else None
    if isinstance(subject, dict):
        rest = {key: item for key, item in subject.items() if key not in ("zone", "owner")}
        return {"subject": rest, "from": f"from {subject['zone']}"} if "zone" in subject else None
    came = before.get("when", {}).get("count", {}) if isinstance(before.get("when"), dict) else {}
    return {"subject": subject, "from": came["status"][0]} if subject and came.get("is") == subject else None


def _of_played(meaning: dict[str, Any], played: dict[str, Any]) -> dict[str, Any] | None:
    """Return a cost modifier of "it" as one of what is played by permission."""
    steps = meaning.get("do")
    modifier = steps[0].get("lay") if isinstance(steps, list) and len(steps) == 1 else meaning
    of = modifier.get("of") if isinstance(modifier, dict) else None
    about = of.get("play") if isinstance(of, dict) else None
    if not isinstance(about, dict) or about.get("subject") not in ("$it", "$self") or "modify" not in modifier:
        return None
    came = {"count": {"is": "$declared", "status": [played["from"]]}, "ge": "1"}
    by = {} if played["subject"] == "$self" else {"by": "$controller"}
    return {**modifier, "of": {"play": {"subject": played["subject"], **by}}, "when": came}
