"""Steps of a text, with what they refer to: a name that nothing before has given is a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawful.model.act import Act
from lawful.model.expression import Ref
from lawful.model.reading.desk import Desk
from lawful.model.reading.spelling_costs import read_acts
from lawful.model.reading.yamltext import Node
from lawful.model.walking import every

# What a text may refer to without a step that gives it the name; also what is chosen for a slot without one.
GIVEN = (
    "self", "controller", "owner", "chooser", "opponent", "declarer", "subject", "event", "source", "paid", "declared",
    "x", "it", "on",
)  # fmt: skip
SLOT = re.compile(r"(target|choice)( #[0-9]+)?")


def read_steps(desk: Desk, node: Node, what: str, known: Iterable[str] = ()) -> tuple[Act, ...]:
    """Read the steps of a text whose every name must be known.

    Parameters
    ----------
    desk : Desk
        Collects the faults.
    node : Node
        The steps, or one.
    what : str
        What they are called.
    known : iterable of str
        Names beside those that every text knows and those that its own steps give.
    """
    items = desk.items(node, what)
    acts = read_acts(desk, node, what)
    names, steps = {*GIVEN, *known}, set[str]()
    for act, item in zip(acts, items, strict=True):
        for key, name in (("given", act.given), ("unless", act.unless)):
            if name is not None and name not in steps:
                at = item.value[key] if isinstance(item.value, dict) and key in item.value else item
                desk.faults.unknown("step", name, sorted(steps), at)
        for name in dict.fromkeys(ref.name for ref in every(act, Ref)):
            if name.rstrip(" 0123456789") not in names and name not in names and not SLOT.fullmatch(name):
                desk.faults.unknown("name", f"${name}", sorted(f"${n}" for n in names), item)
        if act.as_ is not None:
            names.add(act.as_)
            steps.add(act.as_)
    return acts
