"""The command line. One file a command, imported when it is used.

Nothing heavy may be imported here: ``lawful --help`` must answer at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if None.

    Returns
    -------
    int
        0 legal, or every expectation holds; 1 illegal, or an expectation failed; 2 wrong usage; 3 unreadable input;
        4 undetermined, or a limit was reached before there was an answer; 70 a bug of ours; 130 interrupted.
    """
    try:
        from lawful.cli.group import lawful
        from lawful.cli.guard import guarded

        as_json = "--json" in (sys.argv[1:] if argv is None else argv)
        return guarded(lambda: lawful.main(argv, prog_name="lawful", standalone_mode=False), as_json)
    except KeyboardInterrupt:  # between two imports
        return 130
