"""The structure of files, made from the dataclasses of the vocabulary: nothing but the fields that they have.

pydantic checks it (all faults at once) and can print it as a JSON Schema; what is free in form (costs, sources, cards)
is read by the readers of the spelling.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import PydanticCustomError

from lawful.model.act import Act
from lawful.model.card import Card
from lawful.model.cost import Cost
from lawful.model.effect import Norm, Prevention, Replacement, Source
from lawful.model.expression import Condition
from lawful.model.frozen import FrozenMap
from lawful.model.limits import Limits
from lawful.model.reading.desk import FALSE, NUMBER, TRUE, Desk
from lawful.model.reading.faults import Faults
from lawful.model.reading.spelling_abilities import (
    dump_prevention,
    dump_replacement,
    dump_source,
    read_prevention,
    read_replacement,
    read_source,
)
from lawful.model.reading.spelling_cards import dump_card, read_card
from lawful.model.reading.spelling_costs import dump_act, dump_cost, read_act, read_cost
from lawful.model.reading.spelling_statics import dump_effect, read_norm
from lawful.model.reading.spelling_terms import (
    dump_condition,
    dump_selector,
    read_condition,
    read_selector,
)
from lawful.model.reading.yamltext import Data, Node
from lawful.model.selector import Selector

READERS: dict[Any, Callable[[Desk, Node], Any]] = {
    Cost: read_cost,
    Source: read_source,
    Card: read_card,
    Act: read_act,
    Selector: read_selector,
    Prevention: read_prevention,
    Replacement: read_replacement,
    Norm: read_norm,
    Condition: read_condition,
}
DUMPERS: dict[Any, Callable[[Any], Data]] = {
    Cost: dump_cost,
    Source: dump_source,
    Card: dump_card,
    Act: dump_act,
    Selector: dump_selector,
    Prevention: dump_prevention,
    Replacement: dump_replacement,
    Norm: dump_effect,
    Condition: dump_condition,
}


def _whole(text: object) -> object:
    if isinstance(text, str) and NUMBER.fullmatch(text):
        return int(text) if len(text) < 12 else Limits().amount + 1
    raise PydanticCustomError("whole", "must be a whole number")


def _flag(text: object) -> object:
    if text in TRUE or text in FALSE:
        return text in TRUE
    raise PydanticCustomError("flag", "must be true or false")


def several(value: object) -> object:
    """Take one text for a list of it."""
    """Read one text as a list of it."""
    return [value] if isinstance(value, str) else value


Whole = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=Limits().amount)]
Flag = Annotated[bool, BeforeValidator(_flag)]


def spelled(name: str) -> str:
    """Return the key of a field: ``from`` for ``from_``."""
    return name.rstrip("_")


@cache
def structure(cls: type[Any], but: tuple[tuple[str, str], ...] = ()) -> type[BaseModel]:
    """Return the structure of a dataclass.

    Parameters
    ----------
    cls : type
        A dataclass of the vocabulary.
    but : tuple of (str, str)
        Fields with another key; those with an empty key are not written in files.

    Returns
    -------
    type
        A pydantic model that forbids other keys.
    """
    hints, keys = get_type_hints(cls), dict(but)
    model: dict[str, Any] = {}
    for field in fields(cls):
        key = keys.get(field.name, spelled(field.name))
        if key:
            required = field.default is MISSING and field.default_factory is MISSING
            model[f"{field.name.rstrip('_')}_"] = (
                _type(hints[field.name]),
                Field(alias=key) if required else Field(None, alias=key),
            )
    made: type[BaseModel] = create_model(cls.__name__, __config__=ConfigDict(extra="forbid"), **model)
    made.__doc__ = (cls.__doc__ or "").strip().splitlines()[0]
    return made


def _type(hint: Any) -> Any:
    """Return the type that pydantic checks for a field's type."""
    if any(hint == free for free in READERS):
        return Any
    if hint in (int, bool, str):
        return {int: Whole, bool: Flag, str: str}[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        return Annotated[list[_type(args[0])], BeforeValidator(several)]  # type: ignore[misc]
    if origin is FrozenMap:
        return dict[str, _type(args[1])]  # type: ignore[misc]
    if origin in (Union, types.UnionType):
        return _type(next(arg for arg in args if arg is not type(None)))
    if origin is Literal:
        return hint
    return structure(hint)


def check(model: type[BaseModel], node: Node, faults: Faults, what: str) -> BaseModel | None:
    """Check data against a structure; every fault is noted with its place.

    Parameters
    ----------
    model : type
        The structure.
    node : Node
        The data.
    faults : Faults
        Takes what is wrong.
    what : str
        What it should be, for messages.

    Returns
    -------
    BaseModel or None
        The data in their types; None if there is a fault.
    """
    if not isinstance(node.value, dict):
        faults.add(f"{what} must be a mapping", node)
        return None
    try:
        return model.model_validate(node.data)
    except ValidationError as error:
        for found in error.errors(include_url=False, include_context=True):
            _note(model, node, faults, found, what)
        return None


def _note(model: type[BaseModel], node: Node, faults: Faults, found: Any, what: str) -> None:
    loc = tuple(found["loc"])
    place, kind = node.at(loc), found["type"]
    last = str(loc[-1]) if loc else what
    if isinstance(loc[-1] if loc else "", int):
        last = f"{loc[-2]}[{loc[-1] + 1}]"
    if kind == "missing":
        parent = next((str(step) for step in reversed(loc[:-1]) if isinstance(step, str)), what)
        faults.add(f"{parent} needs {last!r}", place)
    elif kind == "extra_forbidden":
        faults.unknown("key", last, _keys(model, loc[:-1]), _key_place(node, loc))
    elif kind == "literal_error":
        known = [part.strip(" '") for part in str(found["ctx"]["expected"]).replace(" or ", ", ").split(",")]
        faults.unknown(f"{last}:", str(found["input"]), known, place)
    elif kind == "less_than_equal":
        faults.add(f"{last} is more than {Limits().amount} (limit: amount)", place)
    elif kind == "greater_than_equal":
        faults.add(f"{last} cannot be negative", place)
    elif kind in ("whole", "flag"):
        faults.add(f"{last} {found['msg']}", place)
    else:
        wanted = {"list_type": "a list", "dict_type": "a mapping", "model_type": "a mapping"}.get(kind, "a text")
        faults.add(f"{last} must be {wanted}", place)


def _key_place(node: Node, loc: tuple[Any, ...]) -> tuple[int, int]:
    """Return where the key itself stands, not its value."""
    for step in loc[:-1]:
        assert isinstance(node.value, dict | list)
        node = node.value[step]
    return node.key(str(loc[-1]))


def _keys(model: type[BaseModel], loc: tuple[Any, ...]) -> list[str]:
    """Return the keys that may stand at a place."""
    for step in loc:
        for name, field in model.model_fields.items():
            if step in (field.alias, name):
                model = _inner(field.annotation) or model
                break
    return [field.alias or name for name, field in model.model_fields.items()]


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for arg in get_args(annotation) if (found := _inner(arg)) is not None), None)


def build(cls: type[Any], model: BaseModel, node: Node, desk: Desk, **more: Any) -> Any:
    """Make a value of the vocabulary out of checked data.

    Parameters
    ----------
    cls : type
        The dataclass.
    model : BaseModel
        The checked data.
    node : Node
        The same data with places, for what is free in form.
    desk : Desk
        Reads what is free in form.
    **more
        Fields that files do not have.

    Returns
    -------
    object
        A `cls`.
    """
    hints = get_type_hints(cls)
    for field in fields(cls):
        name = f"{field.name.rstrip('_')}_"
        if field.name not in more and name in model.model_fields_set:
            alias = str(type(model).model_fields[name].alias)
            assert isinstance(node.value, dict)
            more[field.name] = _value(hints[field.name], getattr(model, name), node.value[alias], desk)
    return cls(**more)


def _value(hint: Any, value: Any, node: Node, desk: Desk) -> Any:
    for free, reader in READERS.items():
        if hint == free:
            return reader(desk, node)
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        nodes = node.value if isinstance(node.value, list) else [node]
        return tuple(_value(args[0], item, at, desk) for item, at in zip(value, nodes, strict=True))
    if origin is FrozenMap:
        return FrozenMap({key: tuple(item) if isinstance(item, list | tuple) else item for key, item in value.items()})
    if origin in (Union, types.UnionType):
        return _value(next(arg for arg in args if arg is not type(None)), value, node, desk)
    return build(hint, value, node, desk) if is_dataclass(hint) else value  # type: ignore[arg-type]


def dump(value: Any, but: Mapping[str, str] = {}) -> dict[str, Data]:
    """Spell a dataclass of the vocabulary; what is as usual is left out."""
    data: dict[str, Data] = {}
    hints = get_type_hints(type(value))
    for field in fields(value):
        key, found = but.get(field.name, spelled(field.name)), getattr(value, field.name)
        if key and not (field.default is not MISSING and found == field.default):
            data[key] = _plain(hints[field.name], found)
    return data


def _plain(hint: Any, value: Any) -> Data:
    for free, dumper in DUMPERS.items():
        if hint == free:
            return dumper(value)
    if get_origin(hint) in (Union, types.UnionType):
        return _plain(next(arg for arg in get_args(hint) if arg is not type(None)), value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return [_plain(get_args(hint)[0], item) for item in value]
    if isinstance(value, FrozenMap):
        return {key: list(item) if isinstance(item, tuple) else str(item) for key, item in value.items()}
    return dump(value) if is_dataclass(value) else str(value)
