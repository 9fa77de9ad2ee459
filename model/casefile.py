"""Case files: a position, what is declared in it, and what is expected of the answer.

What reads and writes them is loaded when it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from lawful.model.card import Card
from lawful.model.cost import Cost
from lawful.model.declaration import OrderQuestion, Question
from lawful.model.frozen import FrozenMap
from lawful.model.payment import Claim
from lawful.model.ruleset import Ruleset


class Library(Protocol):
    """Cards by name: a published card file, for example."""

    def find(self, name: str) -> Card:
        """Return the card of a name, or raise `UnknownName`."""


class OpenLibrary(Protocol):
    """Opens a card file of a game."""

    def __call__(self, path: str | Path, ruleset: Ruleset) -> Library:
        """Return its cards, or raise `BadInput`."""


@dataclass(frozen=True, slots=True)
class ExpectedPayment:
    """A payment that a case says is legal, or not.

    Parameters
    ----------
    claim : Claim
        The payment.
    legal : bool
        Whether it must be legal.
    broken : str, optional
        Number or id of the rule that its first wrong step must break.
    line : int
        Where it stands in the file.
    """

    claim: Claim
    legal: bool
    broken: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Expect:
    """What a case expects.

    Parameters
    ----------
    data : mapping
        What is compared with the document of the answer: `verdict`, `complete`, `level`, `count`, `count_by_name`,
        `minimal`, `counts`, `pool`, `ways`, `outcomes`, `reasons`, `broken`, `legal_targets`,
        `refused`, `repairs`. Numbers are numbers, assets are their ids.
    payments : tuple of ExpectedPayment
        Payments that are judged one by one.
    due : mapping of str to int, optional
        What must be due of each asset.
    assumed : tuple of str, optional
        Ids of the open points that the question must touch.
    readings : mapping, optional
        For a reading (``U1: above-zero``, or its name alone), what is expected under it, as `data`.
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    payments: tuple[ExpectedPayment, ...] = ()
    due: Mapping[str, int] | None = None
    assumed: tuple[str, ...] | None = None
    readings: Mapping[str, Mapping[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Parameters
    ----------
    name : str
        What it shows.
    question : Question
        What is asked.
    claim : Claim, optional
        The one payment that is judged; None asks for every way.
    expect : Expect
        What is expected.
    rows : tuple of str
        Statements of the inventory that it shows: ``FAB-14``; with ``-`` at the end, the other side.
    cite : str
        Where it is taken from.
    file : str
        Where it was read from.
    line : int
        Where it starts, counted from 1.
    order : OrderQuestion, optional
        What happens, where the case asks for that; its `question` then asks nothing.
    ask : {"pay", "check", "order"}
        Whether it asks for the ways to pay, whether the declaration is legal, or what can come out.
    """

    name: str
    question: Question
    claim: Claim | None = None
    expect: Expect = Expect()
    rows: tuple[str, ...] = ()
    cite: str = ""
    file: str = ""
    line: int = 1
    order: OrderQuestion | None = None
    ask: Literal["pay", "check", "order"] = "pay"


def read_cases(
    path_or_text: str | Path,
    file: str = "",
    open_library: OpenLibrary | None = None,
    folder: Path | None = None,
    *,
    sealed: Mapping[str, Ruleset] | None = None,
) -> tuple[Case, ...]:
    """Read the cases of a file, or of a text.

    Parameters
    ----------
    path_or_text : str or Path
        A `Path` is a file, a `str` is the text itself.
    file : str
        How faults name it; the path if empty.
    open_library : callable, optional
        Opens the card files that cases ``use:`` and that are no YAML.
    folder : Path, optional
        Where the files are that a text uses; None is the working directory.
    sealed : mapping of str to Ruleset, optional
        Games that a text may name beside those that ship; it then opens no files, as texts of strangers are read.

    Returns
    -------
    tuple of Case
        In the order written.

    Raises
    ------
    BadInput
        With every fault and its place.

    Examples
    --------
    >>> read_cases("cost: {c}{c}{r}", file="-")
    Traceback (most recent call last):
        ...
    lawful.model.errors.BadInput: -:1:10: not YAML: did not find expected ... (quote it: "{c}{c}{r}")
    """
    from lawful.model.reading.casereader import read_case_file, read_case_text

    if isinstance(path_or_text, Path):
        return read_case_file(path_or_text, file or str(path_or_text), open_library)
    return read_case_text(path_or_text, file, folder or Path(), open_library, sealed)


def parse_claim(text: str, question: Question) -> Claim:
    """Read a payment as players say it.

    Parameters
    ----------
    text : str
        Steps with ``>`` between them: ``k > b > discard: d``. ``r: blue`` says what it is used for,
        ``pay: c`` that a part is paid now.
    question : Question
        What it pays for.

    Returns
    -------
    Claim
        The steps, with X and the options of the question.

    Raises
    ------
    BadInput
        If it names what is not there; with the closest names.
    """
    from lawful.model.reading.claimreader import claim_from_text

    return claim_from_text(text, question)


def choose(question: Question, targets: Sequence[str] = (), modes: Sequence[str] | None = None) -> Question:
    """Say what is chosen in a question.

    Parameters
    ----------
    question : Question
        What is declared.
    targets : sequence of str
        Names of objects for the first slot, or with the slot before: ``target #2=Wolf``.
    modes : sequence of str, optional
        Names of the modes chosen.

    Returns
    -------
    Question
        With the choices declared.

    Raises
    ------
    BadInput
        If it names what is not there; with the closest names.
    """
    from lawful.model.reading.targetreader import chosen

    return chosen(question, targets, modes)


def read_card_file(path: str | Path, ruleset: Ruleset) -> Mapping[str, Card]:
    """Read the cards of a ``*.cards.yaml`` file.

    Parameters
    ----------
    path : str or Path
        The file: names to cards, or the same under ``cards:``.
    ruleset : Ruleset
        Whose words it uses.

    Returns
    -------
    mapping of str to Card
        By name.

    Raises
    ------
    BadInput
        With every fault and its place.
    """
    from lawful.model.reading.casereader import read_card_file as read

    return read(Path(path), ruleset)


def build_question(
    ruleset: Ruleset,
    *,
    cost: str | Cost | None = None,
    hand: str | Sequence[str] = (),
    float_: str | Mapping[str, int] | None = None,
    in_play: str | Sequence[str] = (),
    player: str = "player",
    play: str | None = None,
    activate: str | None = None,
    ability: str | None = None,
    cards: Mapping[str, Card] | Library | None = None,
    x: int | None = None,
    options: Sequence[str] | None = None,
    free: bool = False,
    instant: bool = False,
    types: Sequence[str] = (),
    rules: str | None = None,
    stock: Mapping[str, int] = FrozenMap(),
    players: int = 1,
    zones: Sequence[str] = (),
    opposing: str | Sequence[str] = (),
    facts: Sequence[str] = (),
    ignore_unread: bool = False,
) -> Question:
    """Put a question together from a few words.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    cost : str or Cost, optional
        What is due, as text in the notation of `lawful.model.notation`; else what the card or ability says.
    hand, in_play : str or sequence of str
        Cards in hand and objects in play: names, by commas; ``blue x3`` or ``3 blue`` are three copies.
    float_ : str or mapping, optional
        What floats already: ``1c2r``.
    player : str
        Who pays.
    play, activate : str, optional
        The card that is played, or the object whose ability is activated.
    ability : str, optional
        The ability's name.
    cards : mapping or Library, optional
        Cards beside those of the ruleset.
    x : int, optional
        The value of X.
    options : sequence of str, optional
        Optional and alternative costs that are declared.
    free, instant : bool
        Whether the card is played without paying its cost, or as an instant.
    types : sequence of str
        What a bare cost is paid for.
    rules : str, optional
        Id of the document that is cited.
    stock : mapping of str to int
        What the payer has beside the hand, as the ruleset names it: so many coins.
    players : int
        How many players there were at the start.
    zones : sequence of str
        What lies elsewhere: ``graveyard: blue, red``.
    opposing : str or sequence of str
        Objects that an opponent has in play.
    facts : sequence of str
        Facts of the payer: ``form=hero``.
    ignore_unread : bool
        Whether text of cards that was not read is assumed not to matter.

    Returns
    -------
    Question
        The question.

    Raises
    ------
    BadInput
        With every fault; the option stands for the file: ``--cost:1:3``.

    Examples
    --------
    >>> from lawful.model.rulesets import load_ruleset
    >>> question = build_question(load_ruleset("fab"), cost="0", hand="blue x2")
    >>> [thing.id for thing in question.position.things]
    ['blue', 'blue #2']
    """
    from lawful.model.reading.inline import Inline, question_of

    given = Inline(
        cost,
        hand,
        float_,
        in_play,
        player,
        play,
        activate,
        ability,
        cards,
        x,
        options,
        free,
        instant,
        tuple(types),
        rules,
        stock,
        players,
        zones,
        opposing,
        facts,
    )
    return replace(question_of(ruleset, given), ignore_unread=ignore_unread)


def write_case(question: Question, claim: Claim | None = None, name: str = "case") -> str:
    """Write a question as a case file that reads back as the same question.

    Parameters
    ----------
    question : Question
        What is asked.
    claim : Claim, optional
        The payment that is judged.
    name : str
        The case's name.

    Returns
    -------
    str
        YAML.
    """
    from lawful.model.reading.casewriter import case_text

    return case_text(question, claim, name)


def write_order(question: OrderQuestion, name: str = "case") -> str:
    """Write what happens as a case file that asks the same.

    Parameters
    ----------
    question : OrderQuestion
        What happens.
    name : str
        The case's name.

    Returns
    -------
    str
        YAML. Objects are written by player and zone.
    """
    from lawful.model.reading.casewriter import order_text

    return order_text(question, name)
