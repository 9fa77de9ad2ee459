"""How a card file of a game is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lawful.model.frozen import FrozenMap


@dataclass(frozen=True, slots=True)
class CardFile:
    """How to read a published card file of this game: which field is which property.

    Parameters
    ----------
    format : {"table", "json"}
        A table with a card a row, or JSON lists of cards, one file or a folder of them.
    delimiter : str
        Of the table.
    name, cost, types, yields : str
        Fields.
    title : str
        How a row is named, with field names in braces: ``"{Name} ({Color})"``.
    asset : str
        The asset that a number in the field `yields` counts.
    asset_by_type : mapping of str to str
        For cards of a type, another asset.
    yields_by : mapping of str to str
        Field -> the asset that its number counts, where there is a field for each.
    cost_asset : str
        The asset that a plain number in the field `cost` counts.
    cost_x : str
        How X is written there beside ``X``: ``-1``.
    cost_each : str
        The field that says that the cost is per player.
    also_types : mapping of str to str
        Fields whose words are types as well -> what stands between two words.
    lists : mapping of str to str
        Fields that a list beside the cards adds: a field -> ``file field behind``: the file of the list, the field
        whose code the list has a name for, and what is put behind the name.
    flags : mapping of str to str
        Fields that are true or not, or ``field=value`` -> the type that is meant, or several with commas between.
    text_types : str
        A pattern of what makes a type in the text itself: the first group of each place where it is found.
    number : str
        The field with a number or code by which a row can be named too.
    without : str
        A pattern of what is no part of such a word: the 3 of ``Ward 3``.
    stats, props : mapping of str to str
        Field -> name of the stat or property.
    skip : str
        A row that has something in this field is another printing, and not read.
    text : str
        The field with the card's text.
    text_rules : str
        The sheet that says how text is read: the name of one that ships, or the path of a file.
    """

    name: str
    title: str
    cost: str
    cost_asset: str
    types: str
    asset: str
    yields: str = ""
    format: Literal["table", "json"] = "table"
    delimiter: str = "\t"
    asset_by_type: FrozenMap[str, str] = FrozenMap()
    yields_by: FrozenMap[str, str] = FrozenMap()
    cost_x: str = "X"
    cost_each: str = ""
    also_types: FrozenMap[str, str] = FrozenMap()
    lists: FrozenMap[str, str] = FrozenMap()
    flags: FrozenMap[str, str] = FrozenMap()
    text_types: str = ""
    number: str = ""
    without: str = ""
    stats: FrozenMap[str, str] = FrozenMap()
    props: FrozenMap[str, str] = FrozenMap()
    skip: str = ""
    text: str = ""
    text_rules: str = ""
