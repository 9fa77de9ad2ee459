"""Rules as sentences: what a rule says and where it stands, the inventory of statements, and what is left open."""

from __future__ import annotations

from dataclasses import dataclass

from lawful.model.frozen import FrozenMap


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule sentence, in our own words, with its number in each document that has it.

    Parameters
    ----------
    id : str
        Stable id, also the key of its translations.
    says : str
        What it says, in players' words.
    roles : tuple of str
        The constraints that are this rule: ``part.c``, ``stop.c``, ``useful.c``, ``source.pitch``, ... See
        `Ruleset.rule`.
    cites : mapping of str to str
        Document id -> rule number.
    rows : tuple of str
        Statements of the inventory that it stands for.
    implied_by : tuple of str
        Rules that already imply it, so that releasing this one alone changes no verdict.
    """

    id: str
    says: str
    roles: tuple[str, ...] = ()
    cites: FrozenMap[str, str] = FrozenMap()
    rows: tuple[str, ...] = ()
    implied_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A statement of the inventory: what it says, what kind it is, and which sides need a case."""

    id: str
    says: str
    kind: str
    sides: str = "+-"


@dataclass(frozen=True, slots=True)
class Document:
    """A text of rules in one version.

    Parameters
    ----------
    id, title, version : str
        Its id here, its title, and which version of it is meant.
    url : str
        Where to read it, or its publisher's page of rules. Nothing is ever fetched from there.
    changes : mapping of str to str
        Parameters in which it differs from the first document, as in a `Reading`.
    """

    id: str
    title: str
    version: str
    url: str = ""
    changes: FrozenMap[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Example:
    """A question to begin with: what is paid, with which hand, and one payment.

    Parameters
    ----------
    cost : str
        What is due, as the command line takes it.
    hand : str
        The hand, as the command line takes it.
    pays : str
        Steps of a payment, as in ``--with``.
    """

    cost: str
    hand: str = ""
    pays: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what the rules leave open, as changes of ruleset parameters: ``{"assets.h.keep": "1"}``."""

    name: str
    says: str
    changes: FrozenMap[str, str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """What the rules do not say, or say in two ways. `default` is the name of one of its readings.

    `documents` are the texts that leave it open, where others of the ruleset settle it; empty means all of them.
    """

    id: str
    about: str
    default: str
    readings: tuple[Reading, ...]
    documents: tuple[str, ...] = ()
