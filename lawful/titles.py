"""What is asked, as a headline says it."""

from __future__ import annotations

from lawful.model.declaration import Question
from lawful.model.effect import Activated
from lawful.model.notation import spell_cost
from lawful.text import say


def title(question: Question) -> str:
    """Say what is paid or declared: ``3c1r``, ``Some Name (2r)``.

    Parameters
    ----------
    question : Question
        What is asked.

    Returns
    -------
    str
        In a few words.
    """
    declaration, position = question.declaration, question.position
    thing = position.thing(declaration.thing) if declaration.thing is not None else None
    cost = declaration.cost
    if cost is None and thing is not None and declaration.kind == "play":
        cost = position.card(thing).cost
    if cost is None and thing is not None and declaration.kind == "activate":
        able = [a for a in position.card(thing).abilities if isinstance(a, Activated)]
        cost = next((a.cost for a in able if declaration.ability in (None, a.name)), None)
    spelled = "-" if cost is None else spell_cost(cost)
    if declaration.kind == "declare":
        said = say("face.declare", what=declaration.ability or "")
    elif thing is None and cost is None:
        said = say("face.text")
    elif thing is None:
        said = say("face.cost", cost=spelled)
    elif declaration.kind == "play":
        said = say("face.play", card=thing.card, cost=spelled)
    else:
        said = say("face.activate", card=thing.card, cost=spelled)
    return say("face.free", what=said) if declaration.free else said
