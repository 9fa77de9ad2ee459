"""Brings the catalogues up to date with the English sentences: ``python -m lawful.model.messages [LANGUAGE ...]``.

Without a language, all there are; with a new one its catalogue is begun. Prints what is left to be translated.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.pofile import write_po

from lawful.model.messages import DEFAULT, languages
from lawful.model.messages.catalogue import read_catalogue, up_to_date


def main(wanted: list[str]) -> None:
    """Write the catalogues."""
    for language in wanted or [known for known in languages() if known != DEFAULT]:
        place = Path(__file__).with_name(f"{language}.po")
        was = None
        if place.exists():
            with place.open("rb") as file:
                was = read_catalogue(file, language)
        now = up_to_date(language, was)
        with place.open("wb") as file:
            write_po(file, now, width=120, omit_header=False, sort_output=False)
        left = [str(m.context) for m in now if m.id and (m.fuzzy or not m.string or not all(m.string))]
        print(f"{place.name}: {len(left)} to be translated{': ' if left else ''}{', '.join(left)}")


if __name__ == "__main__":
    main(sys.argv[1:])
