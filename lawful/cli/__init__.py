"""The command line. One file a command, imported when it is used.

Nothing heavy may be imported here: ``lawful --help`` must answer at once.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments. None means those of the process: the command then runs in a thread of its own, so that Ctrl-C
        ends it at once, whatever it is doing.

    Returns
    -------
    int
        0 legal, or every expectation holds; 1 illegal, or an expectation failed; 2 wrong usage; 3 unreadable input;
        4 undetermined, or a limit was reached before there was an answer; 69 a library is missing; 70 a bug of ours;
        74 the answer could not be written; 130 interrupted; 141 nobody reads the answer.
    """
    try:
        if argv is not None:
            return _run(argv)
        import sys

        from lawful.cli.interrupt import interruptible
        from lawful.cli.streams import prepare

        prepare()
        return interruptible(lambda: _run(sys.argv[1:]))
    except KeyboardInterrupt:  # between two imports
        return 130


def _run(argv: Sequence[str]) -> int:
    from lawful.model.messages import DEFAULT, speaking

    with speaking(DEFAULT, ""):  # what a command's --lang says ends with it
        return _guarded(argv)


def _guarded(argv: Sequence[str]) -> int:
    try:
        from lawful.cli.group import lawful
        from lawful.cli.guard import guarded
    except ImportError as error:  # not even click is there
        from lawful.cli.doctoring import without_click

        return without_click(argv, error)
    return guarded(lambda: lawful.main(argv, prog_name="lawful", standalone_mode=False), argv)
