"""Effects and acts in a few words, as messages."""

from __future__ import annotations

from lawful.model.act import Act
from lawful.model.effect import Ability, Grant, Modifier, Norm, Prevention, Replacement, Static, Trigger
from lawful.model.expression import Ref
from lawful.model.frozen import FrozenMap
from lawful.model.selector import Selector
from lawful.model.verdict import Message, Value


def _say(id: str, **params: Value) -> Message:
    return Message(id, FrozenMap(params))


def effect_says(what: Modifier | Norm | Grant | Ability) -> Message:
    """Return what an effect does."""
    if isinstance(what, Static):
        return effect_says(what.effect)
    if isinstance(what, Modifier):
        return _say(f"order.modifier.{what.operation}", stat=what.modify, n=_number(what.amount))
    if isinstance(what, Grant):
        words = [*(f"+{t}" for t in what.gain_types), *(f"-{t}" for t in what.lose_types)]
        words += [f"={t}" for t in what.set_types or ()]
        if what.no_abilities:
            return _say("order.grant.mute", words=tuple(words)) if words else _say("order.mute")
        return _say("order.grant", words=tuple(words))
    if isinstance(what, Norm):
        return _say("order.norm", modality=what.modality, event=what.action.event)
    if isinstance(what, Trigger):
        return _say("order.trigger", event=what.on.event, acts=tuple(act.verb for act in what.do))
    if isinstance(what, Replacement):
        return _say("order.replacement", event=what.on.event, acts=tuple(act.verb for act in what.instead))
    if isinstance(what, Prevention):
        return _say(f"order.prevention.{what.per}", event=what.on.event, n=_number(what.n))
    return _say("order.ability", kind=type(what).__name__.lower())


def act_says(act: Act) -> Message:
    """Return what a step does."""
    parts = [str(p) for p in (act.what, act.of, act.to) if isinstance(p, str | Ref | int)]
    parts += [", ".join((*p.zone, *p.type)) for p in (act.what, act.of) if isinstance(p, Selector)]
    return _say("order.act", verb=act.verb, parts=tuple(part for part in parts if part))


def _number(n: object) -> str:
    return str(n) if isinstance(n, int | Ref) else "n"
