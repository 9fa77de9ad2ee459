"""The designer's desk: what breaks when a card meets others. `lawful.stress` and ``lawful stress``."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.model.errors import Fault, UnknownName
from lawful.model.stress import CHECKS, Invariant
from lawful.saying import Said

if TYPE_CHECKING:
    from lawful.model.ruleset import Ruleset
    from lawful.stressing.pool import Pool
    from lawful.stressing.store import Store

Row = dict[str, Any]
Told = Callable[[int, int, int, float], None]
"""Takes how many checks are done, how many there are, how many findings, and seconds."""


@dataclass(slots=True, repr=False)
class Stressed(Said):
    """What a sweep found.

    Parameters
    ----------
    game : str
        Id of the ruleset.
    rows : list of Row
        One for each check of each group that was looked at, or that was not checked.
    nothing : Counter of str
        By check, groups in which there is nothing that it could find.
    same : dict of str to list of str
        Cards that say the same as one that was looked at.
    cards : int
        Cards in question.
    seconds : float
        Time that it took.
    taken : int
        Results that were in the store already.
    deaths : int
        How often workers died.
    baseline : frozenset of str
        Findings that were known before.
    left_out : list of Fault
        Of rows of the card files that could not be read: nobody looked at those cards.
    faulty : int
        How many of them are in the files of the cards in question; they come first.
    """

    game: str
    rows: list[Row] = field(default_factory=list)
    nothing: Counter[str] = field(default_factory=Counter)
    same: dict[str, list[str]] = field(default_factory=dict)
    cards: int = 0
    seconds: float = 0.0
    taken: int = 0
    deaths: int = 0
    baseline: frozenset[str] = frozenset()
    left_out: list[Fault] = field(default_factory=list)
    faulty: int = 0

    @property
    def findings(self) -> list[Row]:
        """Every finding, with its check, its cards and its bound."""
        found = []
        for row in self.rows:
            for one in row["findings"]:
                shared = {key: row.get(key) for key in ("check", "cards", "bound", "saturated", "limits", "limits_id")}
                line = {**shared, **one}
                found.append({**line, "id": identity(line), "new": identity(line) not in self.baseline})
        return found

    @property
    def new(self) -> list[Row]:
        """The findings that the baseline does not have."""
        return [one for one in self.findings if one["new"]]

    def __len__(self) -> int:
        """Return the number of findings."""
        return sum(len(row["findings"]) for row in self.rows)

    def __iter__(self) -> Iterator[Row]:
        """Iterate over the findings."""
        return iter(self.findings)

    def __getitem__(self, at: int) -> Row:
        """Return one finding."""
        return self.findings[at]

    def __bool__(self) -> bool:
        """Refuse: that nothing was found can mean that nothing was checked."""
        raise TypeError("a Stressed has no truth value; ask for .findings and .counts()")

    def _game(self) -> str:
        return self.game

    def to_dict(self, lang: str | None = None) -> dict[str, Any]:
        """Return the document that ``lawful stress --json`` prints; its texts in a language."""
        from lawful.stressing.lines import document

        with self._speaking(lang):
            return document(self)

    def _told(self) -> Iterator[str]:
        from lawful.stressing.lines import header, headline, left_out, table, told
        from lawful.table import plain

        yield headline(self)
        if rows := [list(row) for row in table(self)]:
            yield from plain(list(header()), rows)
        yield from told(self)
        yield from left_out(self)

    def __repr__(self) -> str:
        """Say it in one line: the rows of a sweep are many."""
        return f"<Stressed {self.game}: {self.cards} cards, {len(self.rows)} checks, {len(self)} findings>"

    _repr_pretty_ = Said._repr_pretty_  # IPython takes what stands in the class with the repr

    def _repr_html_(self) -> str:
        from lawful.stressing.page import fragment

        with self._speaking():
            return fragment(self)

    def svg(self, at: int) -> str:
        """Return the graph of effects of one finding, as a picture; empty where nothing depends on anything."""
        from lawful.stressing.page import picture

        return picture(self.findings[at])

    def counts(self) -> dict[str, Counter[str]]:
        """Return by check how many groups came out how."""
        found = {check: Counter[str]() for check in CHECKS}
        for row in self.rows:
            found[row["check"]][row["verdict"]] += 1
        for check, n in self.nothing.items():
            found[check]["nothing"] += n
        return found


def identity(finding: Row) -> str:
    """Return a name of a finding that stays as long as it is about the same."""
    from lawful.stressing.store import digest

    return digest(finding["check"], tuple(sorted(finding["cards"])), finding["item"])[:16]


def stress(
    cards: str | Sequence[str] | Pool,
    against: str | Sequence[str] | Pool | None = None,
    *,
    game: str | Ruleset,
    only: Sequence[str] = (),
    checks: Sequence[str] = CHECKS,
    promises: str | Sequence[Invariant] = (),
    groups: int = 2,
    executor: str = "here",
    store: str | Path | Store | None = None,
    random: int = 0,
    seed: int = 0,
    seconds: float | None = None,
    progress: Told | None = None,
) -> Stressed:
    """Find what breaks when cards meet those of a pool, each with the smallest position that shows it.

    Parameters
    ----------
    cards : str, sequence of str or Pool
        Card files with the cards in question.
    against : str, sequence of str or Pool, optional
        Card files with the cards that they meet; None is the same cards.
    game : str or Ruleset
        The rules.
    only : sequence of str
        Names of the cards in question, where not all of the files are.
    checks : sequence of str
        Which checks; all by default.
    promises : str or sequence of Invariant
        Of the designer; a str is the file that they stand in.
    groups : int
        1 for single cards, 2 for connected pairs too, 3 for triples along connected pairs.
    executor : str
        ``here``, ``processes``, ``processes:4``, ``dask://HOST:PORT``.
    store : str, Path or Store, optional
        A file that keeps results: what is in it is not done again.
    random : int
        Random positions that are tried beyond the bounds, for each check that has such.
    seed : int
        What they depend on.
    seconds : float, optional
        Time for one check of one group, 300 by default: what takes longer is not checked, and not kept.
    progress : callable, optional
        Told after each batch.

    Returns
    -------
    Stressed
        Every result.

    Raises
    ------
    BadInput, UnknownName
        If something cannot be read.
    CannotKeep
        If results cannot be written any more; those before are kept.
    """
    from lawful.model.rulesets import load_ruleset
    from lawful.stressing.plan import Plan
    from lawful.stressing.pool import Pool
    from lawful.stressing.promises import meant
    from lawful.stressing.store import Store
    from lawful.stressing.sweep import Sweep
    from lawful.stressing.tasks import SECONDS

    start = time.perf_counter()
    for check in checks:
        if check not in CHECKS:
            raise UnknownName("check", check, CHECKS)
    rules = load_ruleset(game) if isinstance(game, str) else game
    if isinstance(promises, str):
        from lawful.stressing.promises import read_promises

        promises = read_promises(promises, rules)
    kept = store if isinstance(store, Store) else Store(store)
    try:
        asked = cards if isinstance(cards, Pool) else _pool(cards, rules, kept)
        others = asked if against is None else against if isinstance(against, Pool) else _pool(against, rules, kept)
        pool = asked | others
        names = [_named(name, asked) for name in only] or list(asked.entries)
        if promises:
            meant(promises, pool.cards)
        plan = Plan(pool, names, checks, promises, groups, random, seed, SECONDS if seconds is None else seconds)
        found = Stressed(rules.id, same=plan.same, cards=len(names))
        found.left_out, found.faulty = list(dict.fromkeys([*asked.faults, *others.faults])), len(asked.faults)
        Sweep(plan, found, kept, executor, progress, start).go()
        found.seconds = time.perf_counter() - start
        return found
    finally:
        if not isinstance(store, Store):
            kept.close()


def _pool(paths: str | Sequence[str], rules: Ruleset, store: Store) -> Pool:
    from lawful.stressing.pool import load_pool

    return load_pool([paths] if isinstance(paths, str) else list(paths), rules, store)


def _named(name: str, pool: Pool) -> str:
    folded = {known.casefold(): known for known in pool.entries}
    if name.casefold() not in folded:
        raise UnknownName("card", name, list(pool.entries))
    return folded[name.casefold()]
