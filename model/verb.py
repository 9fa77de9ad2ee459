"""What doing a verb needs and changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lawful.model.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Verb:
    """What doing a verb to an object needs and changes. Words, not code: a game's verbs are data.

    Parameters
    ----------
    name : str
        The verb.
    from_ : tuple of str
        The object must be in one of these zones; empty means any.
    to : str, optional
        The zone it goes to.
    adds, removes : str, optional
        The status that the object gets or loses. It cannot be done to an object that has it (or lacks it) already.
    face : {"up", "down"}, optional
        How the object is turned. It cannot be done to one that is turned so already.
    counters : bool
        Whether it takes counters away: ``{remove: charge, of: $self, n: 1}``.
    puts : bool
        Whether it puts counters on it: ``{add: rust, of: $self, n: 1}``.
    places : str, optional
        The kind of counter that it places: ``{take: damage, of: $self, n: 2}``.
    room : str, optional
        The stat of the object that is the most such counters that it can have.
    event : str, optional
        What it is to preventions and replacements; None is its name.
    relates : str, optional
        The relation to whoever does it that the object gets: a minion put into play ``engaged`` with a player.
    joins : str, optional
        The relation to what stands after `of` that the object gets: an upgrade that is ``attached`` to a minion. Norms
        on the verb, of such a choice, have the object as their `subject` and what is chosen for it as `on`.
    fact : str, optional
        The fact of a player that it sets, to what stands after `to`, else to the next of `values`: a verb that is done
        to players (of an object, to its controller), who are those that do it.
    values : tuple of str
        What `fact` can be, in their order; empty where only a text can say it.
    cancels : bool
        Whether what waits of the object is done no more, and it has no abilities from then on.
    success : {"changed", "full", "attempted"}
        When it is done as a cost, where the cost does not say: when it can be done; when nothing is prevented or
        replaced of it; when it is tried.
    """

    name: str
    from_: tuple[str, ...] = ()
    to: str | None = None
    adds: str | None = None
    removes: str | None = None
    face: Literal["up", "down"] | None = None
    counters: bool = False
    puts: bool = False
    places: str | None = None
    room: str | None = None
    event: str | None = None
    relates: str | None = None
    joins: str | None = None
    fact: str | None = None
    values: tuple[str, ...] = ()
    cancels: bool = False
    success: Literal["changed", "full", "attempted"] = "changed"

    @property
    def leaves_as_is(self) -> bool:
        """Whether the object is afterwards as it was: what is done is only written down elsewhere, or shown."""
        moves = (self.to, self.adds, self.removes, self.face, self.places, self.relates, self.joins, self.fact)
        counts = self.counters or self.puts or self.cancels
        return not self.from_ and not counts and moves == (None,) * len(moves)

    def turned(self, now: str | None, to: object) -> str:
        """Return what the fact that it sets becomes.

        Parameters
        ----------
        now : str, optional
            What it is.
        to : object
            What the act says; where that is no word, it is the next of the values.

        Raises
        ------
        LimitReached
            Where neither the act nor the position says enough to know.

        Examples
        --------
        >>> Verb("turn", fact="side", values=("front", "back")).turned("front", None)
        'back'
        """
        if isinstance(to, str):
            return to
        if now not in self.values:
            raise LimitReached("untold facts", 0, "the position has to say what a player's fact is")
        return self.values[(self.values.index(now) + 1) % len(self.values)]

    @property
    def takes_played(self) -> bool:
        """Whether a card that is being played can be taken with it as its own cost: from wherever it is."""
        return not self.from_ and self.to is not None

    def events(self, what: object = None, *, named: bool = False) -> frozenset[str]:
        """Return what norms may call it being done: its name, what it is to preventions, and what it takes away.

        Parameters
        ----------
        what : object
            Of an act that takes counters away: their kind. What cannot have threat removed from it (``remove_threat``)
            does not pay ``{remove: threat}``.
        named : bool
            Whether the text names the object that it is done to, so that nobody chooses it. Where it is enough that
            the verb is tried, only a norm on the verb itself keeps it from that object.
        """
        found = {self.name}
        if self.event is not None and not (named and self.success == "attempted"):
            found.add(self.event)
        if self.counters and isinstance(what, str):
            found.add(f"{self.name}_{what}")
        return frozenset(found)
