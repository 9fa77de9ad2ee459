"""Writes one JSON document to standard output."""

from __future__ import annotations

import json
import sys
from typing import Any


def write_json(document: Any) -> None:
    """Print a document on one line; in ASCII where the output cannot hold every character.

    Parameters
    ----------
    document : object
        What `json` can spell.
    """
    whole = (sys.stdout.encoding or "").casefold().startswith("utf")
    print(json.dumps(document, ensure_ascii=not whole))
