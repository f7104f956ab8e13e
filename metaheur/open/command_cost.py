"""Costs by external programs: one that is started for each solution, or one that stays and answers line by line."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.machine.pace import now
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution
from metaheur.validate import real_field

__all__ = ["CommandCost", "ResidentCost", "last_numbers"]

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

MOST_SHOWN = 300
"""Characters of a program's output that a message shows."""


def last_numbers(text: str) -> Any:
    """The number, or the numbers, in the last line of a text that has any; a tuple of several.

    Parameters
    ----------
    text : str
        What a program has printed.
    """
    for line in reversed(text.splitlines()):
        found = [float(each) if set(each) & set(".eE") else int(each) for each in _NUMBER.findall(line)]
        if found:
            return found[0] if len(found) == 1 else tuple(found)
    raise InputError(f"no number is in {text[-MOST_SHOWN:]!r}.", "give `parse`, a function of the program's output.")


def _words(value: Any) -> tuple[str, ...]:
    words = tuple(shlex.split(value)) if isinstance(value, str) else tuple(map(str, value))
    if not words:
        raise InputError("`command` must name a program, but is empty.", 'write "./simulate {x}".')
    return words


@final
@frozen(eq=False)
class CommandCost(Problem):
    """A cost from an external program, which is started for each solution and prints the cost.

    No shell is involved, so a solution is never a command. In the command, ``{x}`` stands for the entries of the
    solution, separated by commas; ``{file}`` for the name of a file that has an entry a line; ``{folder}`` for an empty
    folder, in which the program also runs if it is named. Where none of them is in the command, the program reads the
    entries from its standard input, separated by blanks, in one line. Files and folders are removed afterwards.

    Parameters
    ----------
    representation : Representation
        The space of solutions.
    command : str or sequence of str
        The program and its arguments, such as "./simulate --quick {x}"; a relative path is one below the current
        folder.
    parse : callable, default last_numbers
        A function, defined in a module, of the program's standard output; it returns the cost, a tuple with several
        objectives.
    objectives : tuple of str, optional
        The names of the objectives, where there are several.
    timeout : float, optional
        The most seconds of an evaluation; then the program and all that it has started are killed.

    Raises
    ------
    InputError
        By `cost`: if the program cannot be started, takes too long, ends with another status than 0, or prints what
        cannot be parsed. `WorkerPool` has policies for it.
    """

    representation: Representation = field()
    command: tuple[str, ...] = field(converter=_words)
    parse: Callable[[str], Any] = field(default=last_numbers, kw_only=True)
    objectives: tuple[str, ...] = field(default=(), converter=tuple[str, ...], kw_only=True)
    timeout: float | None = real_field(0, default=None, above=True, kw_only=True)

    @property
    def cost_type(self) -> str:
        """Fractions."""
        return "float64"

    def cost(self, x: Solution) -> Any:
        entries = [str(each) for each in x.tolist()]
        with tempfile.TemporaryDirectory(prefix="metaheur-") as folder:
            path = Path(folder) / "solution"
            given = {"{x}": ",".join(entries), "{file}": str(path), "{folder}": folder}
            command = [self._filled(word, given) for word in self.command]
            named = {name for name in given if any(name in word for word in self.command)}
            if "{file}" in named:
                path.write_text("".join(f"{entry}\n" for entry in entries), "utf-8")
            where = folder if "{folder}" in named else None
            output = self._output(command, "" if named else " ".join(entries) + "\n", where)
        return self.parse(output)

    @staticmethod
    def _filled(word: str, given: dict[str, str]) -> str:
        return re.sub(r"\{(x|file|folder)\}", lambda found: given[found[0]], word)

    def _output(self, command: list[str], text: str, folder: str | None) -> str:
        name = shlex.join(command)[:MOST_SHOWN]
        program = str(Path(command[0]).resolve()) if "/" in command[0] else command[0]
        try:
            process = subprocess.Popen(
                [program, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise InputError(
                f"`{name}` cannot be started: {error.strerror}.", "write the path of a program."
            ) from error
        try:
            output, errors = process.communicate(text, self.timeout)
        except subprocess.TimeoutExpired as error:
            raise InputError(f"`{name}` took longer than {self.timeout:g} seconds.", "give it more time.") from error
        finally:
            _end(process)
        if process.returncode:
            shown = errors.strip()[-MOST_SHOWN:]
            raise InputError(f"`{name}` ended with status {process.returncode}: {shown}", "run it by hand.")
        return output


def _end(process: subprocess.Popen[str]) -> None:
    """Kill a program, and all that it has started, unless it has ended."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@final
@frozen(eq=False)
class ResidentCost(Problem):
    """A cost from an external program that stays: it reads a line of JSON for each solution, and answers with a line.

    For programs that take long to start. It reads ``{"x": [1, 0, 1]}`` and writes ``{"cost": 3.5}``, or
    ``{"cost": [3.5, 2]}`` with several objectives, or ``{"error": "..."}``; it must flush each line. Each process and
    each thread has a program of its own, which ends with it; one that dies, answers wrongly or takes too long is
    killed, and is started again for the next solution.

    Parameters
    ----------
    representation, command, objectives, timeout
        As for `CommandCost`; nothing in the command is replaced.
    """

    representation: Representation = field()
    command: tuple[str, ...] = field(converter=_words)
    objectives: tuple[str, ...] = field(default=(), converter=tuple[str, ...], kw_only=True)
    timeout: float | None = real_field(0, default=None, above=True, kw_only=True)

    @property
    def cost_type(self) -> str:
        """Fractions."""
        return "float64"

    def cost(self, x: Solution) -> Any:
        name = shlex.join(self.command)
        started = _STARTED.__dict__.setdefault("programs", {})
        program = started.get(self.command)
        if program is None or program.process.poll() is not None:
            program = started[self.command] = _Program(self.command)
        try:
            line = program.answer(json.dumps({"x": x.tolist()}), self.timeout)
            answer = json.loads(line)
            if not isinstance(answer, dict) or not ({"cost", "error"} & set(answer)):
                raise ValueError("it has neither cost nor error")
        except (OSError, ValueError) as error:
            program.end()
            del started[self.command]
            raise InputError(f"`{name}` did not answer by a line with a cost: {error}.", "run it by hand.") from error
        if "error" in answer:
            raise InputError(f"`{name}` answers: {answer['error']}.")
        cost = answer["cost"]
        return tuple(cost) if isinstance(cost, list) else cost


_STARTED = threading.local()


@final
class _Program:
    """A program that stays, and answers line by line."""

    def __init__(self, command: tuple[str, ...]) -> None:
        program = str(Path(command[0]).resolve()) if "/" in command[0] else command[0]
        self.process = subprocess.Popen(
            [program, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._rest = b""

    def answer(self, line: str, timeout: float | None) -> bytes:
        """The next line that it writes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        until = None if timeout is None else now() + timeout
        while b"\n" not in self._rest:
            left = None if until is None else max(0.0, until - now())
            if not select.select([self.process.stdout], [], [], left)[0]:
                raise OSError(f"it took longer than {timeout:g} seconds")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise OSError(f"it ended with status {self.process.wait()}")
            self._rest += data
        found, _, self._rest = self._rest.partition(b"\n")
        return found

    def end(self) -> None:
        """Kill it, and all that it has started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was not flushed has no reader
                    continue

    def __del__(self) -> None:
        self.end()
