"""What a clause reads and writes: enough to tell which cards may have to do with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LOGIC = ("every", "some", "not")
COMPARED = ("lt", "le", "eq", "ne", "ge", "gt", "is")
KINDS = (
    "place_counter",
    "add",
    "remove",
    "gain_type",
    "place",
    "deal",
    "take",
    "move",
    "prevent",
    "reduce",
    "increase",
)
OF = ("of", "subject", "source", "on", "by")  # what stands here is an object, not a number
HOLDS = ("do", "unless", "either", "and", "may")
ABOUT = (
    "later",
    "only",
    "free",
    "or",
    "with",
    "among",
    "more",
    "from",
    "for",
    "of",
    "n",
    "as",
    "until",
    "to",
    "cause",
    "each",
    "x",
    "by",
    "given",
    "success",
    "per",
    "face",
    "how",
    "up_to",
    "needs",
    "gains",
)
PLAYERS = ("$controller", "$opponent", "$they", "$others", "$declarer")
OBJECTS = ("$self", "$it", "$subject", "$declared", "$on")
REFERRING = (*COMPARED, *ABOUT, "controller", "owner", "not", "subject", "source", "on", "value", "player", "of")
BONUS = ("modify", "stage", "set", "add", "subtract", "multiply", "of", "while", "when")


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What a clause has to do with.

    Parameters
    ----------
    events : tuple of str
        What it waits for: ``attacks``, ``enters``.
    reads : tuple of str
        What it looks at: ``type:Aura``, ``zone:graveyard``, ``stat:power``, ``fact:boosted this turn``.
    writes : tuple of str
        What it changes or does: ``draw``, ``create:Might``, ``power``, ``cost.r``.
    kind : str
        ``static``, ``trigger``, ``effect``, ``replacement``, ``prevention``, ``norm``, ``cost``.
    """

    events: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    kind: str


def skeleton(meaning: Any) -> Skeleton:
    """Return the skeleton of a clause's meaning.

    Parameters
    ----------
    meaning : data
        In the notation of cards, as a grammar gives it.

    Returns
    -------
    Skeleton
        Each word once, in the order of the clause.

    Examples
    --------
    >>> skeleton({"on": {"hits": "$self"}, "do": [{"draw": "1"}], "when": {"count": {"type": ["Aura"]}, "ge": "1"}})
    Skeleton(events=('hits',), reads=('type:Aura',), writes=('draw',), kind='trigger')
    """
    events: dict[str, None] = {}
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    for one in meaning if isinstance(meaning, list) else [meaning]:
        if isinstance(one, dict):
            # Steps may stand by themselves, as where a keyword follows a sentence.
            _take({"do": [one]} if "lay" in one or "keyword" in one else one, events, reads, writes)
    return Skeleton(tuple(events), tuple(reads), tuple(writes), _kind(meaning))


def _kind(meaning: Any) -> str:
    first = meaning[0] if isinstance(meaning, list) and meaning else meaning
    if not isinstance(first, dict):
        return "effect"
    for key, kind in (
        ("prevent", "prevention"), ("replace", "replacement"), ("cannot", "norm"), ("must", "norm"),
        ("on", "trigger"), ("stats", "static"), ("modify", "static"), ("gain_type", "static"), ("cost", "cost"),
    ):  # fmt: skip
        if key in first:
            return kind
    waits = isinstance(meaning, list) and any(isinstance(one, dict) and "on" in one for one in meaning)
    return "trigger" if waits else "effect"


def _take(one: dict[str, Any], events: dict[str, None], reads: dict[str, None], writes: dict[str, None]) -> None:
    for key, item in one.items():
        if key == "on":
            for event, about in item.items() if isinstance(item, dict) else [(str(item), None)]:
                events.setdefault(event)
                reads.update(dict.fromkeys(_read(about, True)))
        elif key in ("do", "instead", "before") and isinstance(item, list):
            for act in item:
                if isinstance(act, dict) and isinstance(act.get("later"), str):
                    events.setdefault(act["later"])
                _act(act, reads, writes)
        elif key in ("also", "else"):
            for other in item if isinstance(item, list) else [item]:
                if isinstance(other, dict):
                    _take(other, events, reads, writes)
        elif key == "or" and isinstance(item, dict):
            _take({"on": item}, events, reads, writes)
        elif key == "replace" and isinstance(item, dict):
            _take(item, events, reads, writes)
        elif key == "prevent":
            writes.setdefault("damage")
            # What is done to prevent it is done, not looked at.
            costs = item.get("cost") if isinstance(item, dict) else None
            for act in costs if isinstance(costs, list) else []:
                _act(act, reads, writes)
            reads.update(dict.fromkeys(_read({k: v for k, v in item.items() if k != "cost"} if costs else item)))
        elif key == "allow":
            writes.setdefault("allow")
            reads.update(dict.fromkeys(_read(item)))
        elif key == "stats":
            for bonus in item:
                _bonus(bonus, reads, writes)
        elif key == "modify":
            _bonus(one, reads, writes)
        elif key in ("gain_type", "gain_types"):
            writes.setdefault("type")
            reads.update(dict.fromkeys(_read(item)))
        elif key in ("cannot", "must", "may") and isinstance(item, dict):
            for event, about in item.items():
                writes.setdefault(f"{key} {event}")
                reads.update(dict.fromkeys(_read(about)))
        elif key in ("when", "unless", "only", "of", "while", "each", "x", "n", "by"):
            reads.update(dict.fromkeys(_read(item, key in OF)))
        elif key == "heading" and isinstance(item, dict):
            reads.update(dict.fromkeys(_read(item.get("when"))))
    if "rather" in one:
        writes.setdefault("instead")


def _act(act: Any, reads: dict[str, None], writes: dict[str, None]) -> None:
    if not isinstance(act, dict):
        return
    if "lay" in act:
        for laid in (act["lay"], act.get("or")):
            for effect in laid if isinstance(laid, list) else [laid]:
                _bonus(effect, reads, writes)
        for key in ("of", "x", "each", "only", "n"):
            reads.update(dict.fromkeys(_read(act.get(key), key in OF)))
        if "rather" in act:
            writes.setdefault("instead")
        return
    for verb, what in act.items():
        if verb == "rather":
            writes.setdefault("instead")
            continue
        if verb == "when":
            reads.update(dict.fromkeys(_read(what)))
            continue
        if verb in HOLDS:
            for inner in what if isinstance(what, list) else [what]:
                for one in inner if isinstance(inner, list) else [inner]:
                    _act(one, reads, writes)
            continue
        if verb in ABOUT:
            reads.update(dict.fromkeys(_read(what, verb in OF)))
            continue
        if verb == "keyword":
            writes.setdefault(str(what))
            continue
        for word in _done(verb, what):
            writes.setdefault(word)
        for inner in what if isinstance(what, list) else []:
            _act(inner, reads, writes)
        reads.update(dict.fromkeys(_read(what, True)))


def _done(verb: str, what: Any) -> list[str]:
    """Return what doing something writes: which tokens, which counters, which keyword where that is said."""
    if isinstance(what, str) and not what.startswith("$"):
        return [what] if verb == "lose" else [f"{verb}:{what}"] if verb in KINDS else [verb]
    named = what.get("name") if isinstance(what, dict) and verb == "create" else None
    names = named if isinstance(named, list) else [named]
    return [f"create:{name}" if isinstance(name, str) and not name.startswith("$") else verb for name in names]


def _bonus(effect: Any, reads: dict[str, None], writes: dict[str, None]) -> None:
    if not isinstance(effect, dict):
        return
    if "grant" in effect:
        writes.setdefault("ability")
        for granted in effect["grant"] if isinstance(effect["grant"], list) else [effect["grant"]]:
            inner = skeleton(granted)
            reads.update(dict.fromkeys(inner.reads))
            writes.update(dict.fromkeys(inner.writes))
        return
    for norm in ("cannot", "must"):
        for event in effect.get(norm, {}) if isinstance(effect.get(norm), dict) else ():
            writes.setdefault(f"{norm} {event}")
    if "modify" in effect:
        writes.setdefault(str(effect["modify"]))
    for key, item in effect.items():
        if key not in ("modify", "stage", "when"):
            reads.update(dict.fromkeys(_read(item)))


def _read(item: Any, thing: bool = False) -> Iterator[str]:
    """Yield what a selector, a condition or a number looks at; of a `thing`, `$self.attached` is a relation."""
    if isinstance(item, str):
        who, dot, what = item.partition(".")
        if dot and who in PLAYERS and " " in what:
            yield f"fact:{what}"
        elif dot and who.startswith("$"):
            path = what.split(".")
            if path[0] == "pool":
                yield f"pool:{path[-1]}"
                return
            if thing and len(path) == 1:
                yield f"relation:{what}"
                return
            kind = "counters" if "counters" in path else "stat"
            yield f"{kind}:{'.'.join(path[-2:]) if path[-2:-1] == ['base'] else path[-1]}"
    elif isinstance(item, list):
        for part in item:
            yield from _read(part)
    elif isinstance(item, dict):
        yield from _of_mapping(item)


def _of_mapping(item: dict[str, Any]) -> Iterator[str]:
    for key, value in item.items():
        words = value if isinstance(value, list) else [value]
        if key in ("type", "zone", "status", "name", "words"):
            yield from (f"{key}:{word}" for word in words if isinstance(word, str) and not word.startswith("$"))
        elif key == "counters" and isinstance(value, dict | str):
            yield from (f"counters:{kind}" for kind in ([value] if isinstance(value, str) else value))
        elif key == "where":
            for test in words:
                for stat, against in test.items() if isinstance(test, dict) else ():
                    yield f"stat:{stat}"
                    yield from _read(against)
        elif key == "did" and isinstance(value, str):
            yield f"fact:{value}"
        elif key == "from" and isinstance(value, str):
            yield from () if value == "anywhere" else (f"zone:{value}",)
        elif key == "fact":
            yield f"fact:{value}"
        elif key == "happened" and isinstance(value, list):
            yield from (f"fact:{word}" for word in value if not str(word).endswith("before"))
        elif key == "form":
            yield f"fact:{key}"
        elif isinstance(value, str) and value in (*OBJECTS, *PLAYERS) and key not in REFERRING:
            yield f"relation:{key}"
        elif key in ("relations", "bears") and isinstance(value, dict):
            yield from (f"relation:{relation}" for relation in value)
            yield from _read(list(value.values()))
        else:
            yield from _read(value, key in OF and "times" not in item)
