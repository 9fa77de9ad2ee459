"""Brings catalogues of translations up to date with the English texts, and begins those of a new language.

``python -m lawful.cli.translating [LANGUAGE ...]`` writes the catalogues of the package and of the games that come with
it, for all languages there are or for those named; ``--game FILE`` writes the one beside the file of a further game.
Prints how much is left to be translated.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from lawful.model.messages import DEFAULT, languages
from lawful.model.messages.catalogue import Source, game_texts, own_texts, read_catalogue, up_to_date
from lawful.model.rulesets import load_ruleset, shipped

SHOWN = 8


def write(place: Path, language: str, texts: Iterable[tuple[str, Source]]) -> str:
    """Write one catalogue; what is translated is kept.

    Parameters
    ----------
    place : Path
        Its file.
    language : str
        The language.
    texts : iterable of pairs
        What is to be translated.

    Returns
    -------
    str
        What is left, in one line.
    """
    from babel.messages.pofile import write_po

    was = None
    if place.exists():
        with place.open("rb") as file:
            was = read_catalogue(file, language)
    now = up_to_date(language, texts, was)
    with place.open("wb") as file:
        write_po(file, now, width=120)
    left = [str(m.context) for m in now if m.id and (m.fuzzy or not m.string or not all(m.string))]
    some = ", ".join(left[:SHOWN]) + (", ..." if len(left) > SHOWN else "")
    return f"{place}: {len(left)} to be translated{': ' if left else ''}{some}"


def main(wanted: list[str]) -> None:
    """Write the catalogues that are asked for."""
    games = [wanted[at + 1] for at, word in enumerate(wanted[:-1]) if word == "--game"]
    named = [word for word in wanted if word != "--game" and word not in games]
    for language in named or [known for known in languages() if known != DEFAULT]:
        if games:
            for game in games:
                place = Path(game).with_name(f"{Path(game).stem}.{language}.po")
                print(write(place, language, game_texts(load_ruleset(game))))
            continue
        print(write(Path(str(files("lawful.model.messages"))) / f"{language}.po", language, own_texts()))
        for id in shipped():
            place = Path(str(files("lawful.model.rulesets"))) / f"{id}.{language}.po"
            print(write(place, language, game_texts(load_ruleset(id))))


if __name__ == "__main__":
    main(sys.argv[1:])
