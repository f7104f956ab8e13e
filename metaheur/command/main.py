"""The command `metaheur`, and `python -m metaheur`."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from metaheur.command import bench, checking, citing, completing, helping, showing, solving, studying, tuning, warming

__all__ = ["BAD_INPUT", "CHECK_FAILED", "INTERRUPTED", "main", "parser"]

BAD_INPUT, USAGE, CHECK_FAILED, INTERRUPTED = 1, 2, 3, 130
"""Exit statuses, beside 0 for success."""

EPILOG = """\
exit status: 0 done, 1 bad input, 2 usage, 3 a check failed, 130 interrupted.
Numbers go to standard output, words and progress to standard error."""


def parser() -> argparse.ArgumentParser:
    """All verbs with their arguments."""
    made = _Parser(
        prog="metaheur",
        description="Metaheuristics that run on every CPU and GPU, with the same steps.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="store_true", help="print the versions that a result depends on")
    made.add_argument("--debug", action="store_true", help="show where in Python an error was raised")
    verbs = made.add_subparsers(title="verbs", dest="verb", metavar="VERB")
    for room in (solving, showing, checking, bench, citing, studying, tuning, warming):
        room.add(verbs)
    helping.add(verbs, parser)
    completing.add(verbs, parser)
    return made


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence and a way out, with the word that may be meant."""

    def error(self, message: str) -> NoReturn:
        found = re.fullmatch(r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)", message, re.DOTALL)
        way = f"see {self.prog} --help."
        if found is not None:
            from metaheur.errors import nearest_word

            known = [each.strip(" '") for each in found[3].split(",")]
            near = nearest_word(found[2], known)
            what = "a verb" if found[1] == "VERB" else f"a value of {found[1]}"
            message = f"{found[2]!r} is not {what}"
            way = f"write {near}." if near else f"choose from {', '.join(known)}."
        self.exit(USAGE, f"{self.prog}: {message.rstrip('.')}.\nMaybe {way}\n")


def _refuse(made: argparse.ArgumentParser, verb: str | None, word: str) -> NoReturn:
    """End with the argument that a verb does not have."""
    from metaheur.errors import nearest_word

    name, dash, _ = word.partition("=")
    options = dict(completing.options_of(made)).get(verb or "", ["--help", "--version", "--debug"])
    near = nearest_word(name, options) if dash or word.startswith("-") else ""
    prog = f"metaheur {verb}" if verb else "metaheur"
    what = "is not an option" if word.startswith("-") else "is one argument too many"
    made.exit(USAGE, f"{prog}: {word} {what}.\nMaybe {f'write {near}.' if near else f'see {prog} --help.'}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a verb; return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    made = parser()
    chosen, unknown = made.parse_known_args(solving.with_config(made, given))
    if unknown:
        _refuse(made, chosen.verb, unknown[0])
    if chosen.version:
        return _version()
    if chosen.verb is None:
        made.print_help()
        return 0
    from metaheur.errors import CheckFailed, CompileError, InputError, MetaheurError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warned
            status: int = chosen.run(chosen)
    except BrokenPipeError:  # the reader of the output, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (MetaheurError, KeyboardInterrupt) as error:
        if chosen.debug:
            raise
        if isinstance(error, KeyboardInterrupt):
            print("interrupted", file=sys.stderr)
            return INTERRUPTED
        # an error with another as its cause is of an expression, whose names are those of Python
        as_it_is = isinstance(error, CheckFailed | CompileError) or isinstance(error.__cause__, InputError)
        print(f"metaheur {chosen.verb}: {error if as_it_is else _in_shell(error, made, chosen.verb)}", file=sys.stderr)
        return CHECK_FAILED if isinstance(error, CheckFailed) else BAD_INPUT
    return status


def _warned(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning without the line of Python that gave it."""
    print(f"warning: {message}", file=sys.stderr)


def _in_shell(error: Exception, parser: argparse.ArgumentParser, verb: str) -> str:
    """The message of an error, with options of the shell instead of Python's arguments."""
    from metaheur.command.spelling import in_shell

    return in_shell(str(error), [each[2:] for each in dict(completing.options_of(parser))[verb]])


def _version() -> int:
    from metaheur.running.result import versions

    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    return 0
