"""The bodies of requests. What is no request is refused with every fault and its path."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Text = Annotated[str, Field(max_length=20_000)]
Case = Annotated[str, Field(max_length=500_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Rank = Annotated[int, Field(ge=0, le=10**30)]
Seconds = Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)]
MOST_FIELDS, MOST_BATCH = 100, 1_000
Language = Literal["en", "es", "ru"]
Level = Literal["outcomes", "sources", "allocations", "sequences"]


def _few(body: Any) -> Any:
    """Refuse what has more fields than any question, before each is looked at and told about."""
    if isinstance(body, dict) and len(body) > MOST_FIELDS:
        raise ValueError(f"more than {MOST_FIELDS} fields")
    return body


def _not_many(requests: Any) -> Any:
    """Refuse a batch that no server takes, before each of its questions is looked at."""
    if isinstance(requests, list) and len(requests) > MOST_BATCH:
        raise ValueError(f"more than {MOST_BATCH} questions at once")
    return requests


class _Asked(BaseModel):
    # Not populate_by_name: a field has one name, the one that the document says.
    model_config = ConfigDict(extra="forbid", strict=True)

    case: Case | None = Field(None, description="A case file; its first case is asked, or the one of `name`.")
    name: Text | None = Field(None, description="Which case, where the text holds several.")
    seconds: Seconds | None = Field(None, description="Time for the answer; the server sets the most.")
    lang: Language | None = Field(None, description="Language of the texts in the answer; else English.")
    ignore_unread: bool = Field(False, description="Assume that text of cards that was not read does not matter.")

    _fields = model_validator(mode="before")(_few)


class _Inline(_Asked):
    game: Text | None = Field(None, description="The ruleset: `flesh-and-blood`, `mc`, ...")
    rules: Text | None = Field(None, description="Version of the rules that is cited.")
    player: Text | None = Field(None, description="Who pays; else `player`.")
    cost: Text | None = Field(None, description="What is due: `3c1r`, `{c}{r}`, `X`.")
    hand: Text = Field("", description="Cards in hand, by commas.")
    float_: Text | None = Field(None, alias="float", description="What floats already: `1c2r`.")
    in_play: Text = Field("", description="Objects that the payer has in play.")
    opposing: Text = Field("", description="Objects that the opponent has in play.")
    zones: list[Text] = Field([], max_length=100, description="What lies elsewhere: `graveyard: A, B`.")
    facts: list[Text] = Field([], max_length=100, description="What holds of the payer: `form=hero`.")
    coins: Count | None = Field(None, description="Open coins, in a game that has them.")
    players: Annotated[int, Field(ge=1, le=100)] | None = Field(None, description="Players at the start.")
    play: Text | None = Field(None, description="Play this card.")
    activate: Text | None = Field(None, description="Use an ability of this object.")
    ability: Text | None = Field(None, description="Which ability, where there are several.")
    x: Count | None = Field(None, description="The value of X; else it is open.")
    free: bool = Field(False, description="An effect lets the card be played without paying its cost.")
    cards: Case = Field("", description="Cards of your own, as in a file of cards (YAML).")
    with_: Text | None = Field(None, alias="with", description="One payment, in this order, that is judged.")

    @model_validator(mode="after")
    def _asks(self) -> Self:
        """A request has a case, or says itself what is asked."""
        if self.name is not None and self.case is None:
            raise ValueError("name says which case of a file is asked: give case")
        said = self.model_fields_set - set(_Asked.model_fields) - OPTIONS
        if self.case is not None and said:
            raise ValueError(f"a case says that itself: {', '.join(sorted(name.rstrip('_') for name in said))}")
        if self.case is None and not (self.cost or self.play or self.activate):
            raise ValueError("what is asked? Give case, or game with cost, play or activate")
        if self.case is None and self.game is None:
            raise ValueError("which game? Give game")
        return self


class PayRequest(_Inline):
    """Asks in which ways something can be paid."""

    options: list[Text] | None = Field(None, max_length=100, description="Optional and alternative costs declared.")
    instant: bool = Field(False, description="The card is played as an instant.")
    level: Level | None = Field(None, description="What counts as one way; else the ruleset's own level.")
    by_name: bool = Field(False, description="Merge ways that differ only in which of equal cards is used.")
    minimal: bool = Field(False, description="List only ways without a superfluous source.")
    explain: bool = Field(False, description="Every step with its rule.")
    limit: Count | None = Field(None, description="List at most so many ways; the count stays whole.")
    from_: Rank = Field(0, alias="from", description="List from this rank on; 0 is first.")
    sample: Annotated[int, Field(ge=1, le=100_000)] | None = Field(None, description="List so many drawn at random.")
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] = Field(0, description="What the draw depends on.")
    best: Text | None = Field(None, description="List the best first: `keep blue, few cards`.")
    prove: bool = Field(False, description="Let CP-SAT prove that these are all ways.")
    by_source: bool = Field(False, description="Tell apart whose points paid for what.")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """Refuse what contradicts itself, as the command line does."""
        if self.sample is not None and (self.from_ or self.best is not None or self.by_name):
            raise ValueError("sample draws from all ways: it goes without from, best and by_name")
        if self.minimal and self.level == "outcomes":
            raise ValueError("minimal speaks of sources: it goes without the level outcomes")
        if self.with_ is not None and (self.sample is not None or self.from_ or self.best is not None):
            raise ValueError("with judges one payment: there is nothing to list")
        return self


class CheckRequest(_Inline):
    """Asks whether a declaration is legal."""

    targets: list[Text] = Field([], max_length=1_000, description="Chosen: `Wolf`, `target #2=Bear`.")
    modes: list[Text] | None = Field(None, max_length=100, description="Modes that are chosen.")
    why_not: Text | None = Field(None, description="Only why this object cannot be chosen.")


class OrderRequest(_Asked):
    """Asks in which order effects apply, and what comes out."""

    case: Case = Field(description="A case file that says what happens (`when: {do: [...]}`).")


class PayItem(PayRequest):
    """One of a batch."""

    ask: Literal["pay"]


class CheckItem(CheckRequest):
    """One of a batch."""

    ask: Literal["check"]


class OrderItem(OrderRequest):
    """One of a batch."""

    ask: Literal["order"]


Item = Annotated[PayItem | CheckItem | OrderItem, Field(discriminator="ask")]


class BatchRequest(BaseModel):
    """Several questions at once; their answers come in their order."""

    model_config = ConfigDict(extra="forbid", strict=True)

    _fields = model_validator(mode="before")(_few)

    requests: Annotated[list[Item], BeforeValidator(_not_many)] = Field(
        min_length=1, description="The questions, each with `ask`: pay, check or order."
    )


OPTIONS = {
    "level", "by_name", "minimal", "explain", "limit", "from_", "sample", "seed", "best", "prove",
    "by_source", "why_not", "ask",
}  # fmt: skip
"""What says how to answer, not what is asked."""
