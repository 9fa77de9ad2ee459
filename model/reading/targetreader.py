"""What is chosen for the slots of a declaration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lawful.model.declaration import Question
from lawful.model.errors import BadInput, UnknownName
from lawful.model.frozen import FrozenMap
from lawful.model.reading.desk import Desk, Names
from lawful.model.reading.faults import Faults, shown
from lawful.model.reading.yamltext import Node
from lawful.model.slots import mode_names, picks, plain_text, text_of


def slot_names(question: Question) -> tuple[str, ...]:
    """Return the names of the slots that a declaration's text has; of a procedure, without what each is for."""
    try:
        text = text_of(question)
    except (BadInput, UnknownName):
        return ()
    if text.procedure is not None:
        return tuple(slot.name for slot in text.procedure.slots)
    return tuple(pick.name for pick in picks(text))


def read_targets(desk: Desk, node: Node, question: Question) -> FrozenMap[str, tuple[str, ...]]:
    """Read ``Wolf`` or ``[Wolf, Bear]`` (of the first slot), ``{target: Wolf}``, ``{blockers: {Wolf: Bear}}``.

    Parameters
    ----------
    desk : Desk
        Reads and notes faults.
    node : Node
        What is said.
    question : Question
        What is declared.

    Returns
    -------
    mapping of str to tuple of str
        Ids by slot. ``{gone: Wolf}`` names an object that is no longer there.
    """
    known = slot_names(question)
    if not isinstance(node.value, dict) or set(node.value) == {"gone"}:
        if not known:
            desk.faults.add("nothing is chosen here", node, "the text says neither target nor choose")
            return FrozenMap()
        return FrozenMap({known[0]: _objects(desk, node, question)})
    found: dict[str, tuple[str, ...]] = {}
    for slot, item in node.value.items():
        if slot.partition(" > ")[0] not in known:
            desk.faults.unknown("slot", slot, known, node.key(slot))
        elif isinstance(item.value, dict) and set(item.value) != {"gone"}:
            for on, part in item.value.items():
                at = _object(desk, Node(on, *item.key(on)), question)
                found[f"{slot} > {at}"] = _objects(desk, part, question)
        else:
            found[slot] = _objects(desk, item, question)
    return FrozenMap(found)


def _objects(desk: Desk, node: Node, question: Question) -> tuple[str, ...]:
    items = node.value if isinstance(node.value, list) else [node] if node.value not in (None, "") else []
    return tuple(_object(desk, item, question) for item in items)


def _object(desk: Desk, node: Node, question: Question) -> str:
    """Return the id of an object named by its id or its card's name; or a player's name."""
    if isinstance(node.value, dict):
        gone = desk.fields(node, "an object", ("gone",), ("gone",))
        return desk.text(gone["gone"], "gone") if "gone" in gone else ""
    name = desk.text(node, "an object")
    things = question.position.things
    for thing in things:
        if thing.id == name:
            return name
    for thing in things:
        if thing.card.casefold() == name.casefold():
            return thing.id
    for player in question.position.players:
        if player.name.casefold() == name.casefold():
            return player.name
    if name:
        near = desk.faults.near(name, [thing.id for thing in things])
        desk.faults.add(f"unknown object {shown(name)}", node, near or "write {gone: NAME} for what is no longer there")
    return name


def chosen(question: Question, targets: Sequence[str], modes: Sequence[str] | None) -> Question:
    """Return a question with what is said chosen in it; see `lawful.model.casefile.choose`."""
    faults = Faults("--target")
    desk = Desk(faults, Names.of(question.ruleset))
    by_slot: dict[str, Node] = {}
    if modes is not None:
        question = replace(question, declaration=replace(question.declaration, modes=tuple(modes)))
    known = slot_names(question)
    for said in targets:
        slot, equals, name = said.rpartition("=")
        slot = slot if equals else known[0] if known else ""
        items = by_slot.setdefault(slot, Node([], 1, 1)).value
        assert isinstance(items, list)
        items.append(Node(name, 1, 1))
    declaration = question.declaration
    if by_slot:
        if not known:
            faults.add("nothing is chosen here", (1, 1), "the text says neither target nor choose")
        else:
            node = Node(by_slot, 1, 1, dict.fromkeys(by_slot, (1, 1)))
            declaration = replace(declaration, targets=read_targets(desk, node, question))
    faults.file = "--mode"
    for mode in modes or ():
        names = mode_names(plain_text(question))
        if mode not in names:
            faults.unknown("mode", mode, names, (1, 1))
    faults.stop()
    return replace(question, declaration=declaration)
