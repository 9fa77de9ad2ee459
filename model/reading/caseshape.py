"""The shape of a case: its keys, and nothing else. What is free in form is read by its own readers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from lawful.model.payment import Level
from lawful.model.reading.structure import Flag, Whole, several

Words = Annotated[list[str], BeforeValidator(several)]
Verdict = Literal["legal", "illegal", "undetermined"]


class Strict(BaseModel):
    """A mapping with these keys and no others."""

    model_config = ConfigDict(extra="forbid", populate_by_name=False)


class Given(Strict):
    """The position: by player what lies in each zone, what floats, the facts; whose turn it is; what lasts."""

    players: dict[str, dict[str, Any] | None] | None = None
    turn: str | None = None
    started: Whole | None = None
    lasting: Any = None


class When(Strict):
    """What is declared: a cost, playing a card, or activating an ability; what is chosen; a payment that is judged.

    Or what happens: `do`, or several `events`.
    """

    player: str | None = None
    cost: Any = None
    play: Any = None
    activate: Any = None
    declare: str | None = None
    do: Any = None
    targets: Any = None
    modes: Words | None = None
    resolving: Flag = False
    ask: Literal["pay", "check", "order"] | None = None
    ability: str | None = None
    x: Whole | None = None
    options: Words | None = None
    free: Flag = False
    instant: Flag = False
    types: Words = []
    pay: Any = None
    pool: Any = None
    started: Flag = False
    source: Any = None
    with_: Any = Field(None, alias="with")
    cause: str | None = None
    events: Any = None


class Payment(Strict):
    """A payment that must be legal, or must not."""

    pay: Any = None
    x: Whole | None = None
    options: Words | None = None
    pool: Any = None
    started: Flag = False
    broken: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _steps_alone(cls, value: Any) -> Any:
        """Take steps that stand alone for the payment."""
        return {"pay": value} if isinstance(value, str | list) else value


class Then(Strict):
    """What is expected of the answer."""

    verdict: Verdict | None = None
    complete: Flag | None = None
    level: Level | None = None
    count: Whole | None = None
    counts: dict[Level, Whole] | None = None
    count_by_name: Whole | None = None
    minimal: Whole | None = None
    ways: list[dict[str, Any]] | None = None
    outcomes: list[dict[str, Any]] | None = None
    pool: Any = None
    due: Any = None
    reasons: Any = None
    legal_targets: Any = None
    refused: dict[str, Any] | None = None
    repairs: Any = None
    broken: str | None = None
    legal: list[Payment] | None = None
    illegal: list[Payment] | None = None
    assumed: Words | None = None
    readings: dict[str, Any] | None = None
    confluent: Flag | None = None
    ever: Any = None
    never: Any = None
    always: Any = None
    loops: Whole | None = None
    paradoxes: Whole | None = None
    ambiguities: Whole | None = None
    silences: Words | None = None
    edges: list[dict[str, Any]] | None = None
    no_edges: list[dict[str, Any]] | None = None
    applied: Words | None = None


class CaseShape(Strict):
    """A case of a ``*.case.yaml`` file."""

    case: str = Field(min_length=1)
    ruleset: str
    version: str | None = None
    readings: dict[str, str] | None = None
    rows: Words = []
    cite: str = ""
    cards: Any = None
    use: Words = []
    ignore_unread: Flag = False
    given: Given = Given()
    when: When
    then: Then = Then()
