"""The bodies of requests. What is no request is refused with every fault and its path."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Text = Annotated[str, Field(max_length=20_000)]
Case = Annotated[str, Field(max_length=500_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Rank = Annotated[int, Field(ge=0, le=10**30)]
Seconds = Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)]
Language = Literal["en", "es", "ru"]
Level = Literal["outcomes", "sources", "allocations", "sequences"]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    case: Case | None = Field(None, description="A case file; its first case is asked, or the one of `name`.")
    name: Text | None = Field(None, description="Which case, where the text holds several.")
    seconds: Seconds | None = Field(None, description="Time for the answer; the server sets the most.")
    lang: Language | None = Field(None, description="Language of the texts in the answer; else English.")


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
    def _asks(self) -> _Inline:
        """A request has a case, or says itself what is asked."""
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

    @model_validator(mode="after")
    def _fits(self) -> PayRequest:
        """Refuse what contradicts itself."""
        if self.sample is not None and (self.from_ or self.best is not None or self.by_name):
            raise ValueError("sample draws from all ways: it goes without from, best and by_name")
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

    requests: list[Item] = Field(min_length=1, description="The questions, each with `ask`: pay, check or order.")


OPTIONS = {
    "level", "by_name", "minimal", "explain", "limit", "from_", "sample", "seed", "best", "prove", "why_not", "ask",
}  # fmt: skip
"""What says how to answer, not what is asked."""
