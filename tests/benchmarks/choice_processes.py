"""Processes that answer the questions of `choice.py`: each has its cores, and some have a GPU.

A process reads a question a line and writes the cost that it finds, or what failed. With one core and no GPU its
clocks are its processor time, if the clock on the wall is not wanted. Each search compiles, and each rival is
imported, in a short run before the first question.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from time import monotonic
from typing import Any, NamedTuple

from metaheur import run, solve, stop
from metaheur.door.solve import warm
from metaheur.machine.pace import TimeBudget
from metaheur.problem import Problem
from tests.benchmarks.choice_kinds import KINDS, SEED, Kind
from tests.benchmarks.processor_clock import environment

__all__ = ["ALONE", "Asking", "Place", "Question", "places_on"]

ALONE = "the cores alone"
"""What `solve` with a GPU is compared with."""


class Place(NamedTuple):
    """Where a process runs: its cores, and the number of its GPU, if it has one.

    `compared`: whether its answers are those of the cores alone in the rows of a GPU and as many cores.
    """

    cores: tuple[int, ...]
    gpu: int | None = None
    compared: bool = False

    @property
    def name(self) -> str:
        """What rows say of it; nothing of a single core."""
        if self.gpu is None and not self.compared:
            return "" if len(self.cores) == 1 else f", {len(self.cores)} cores"
        return f", {len(self.cores)} core{'s' * (len(self.cores) > 1)} and a GPU"

    def answers(self, asked: Question) -> bool:
        """Whether a question is one for this place."""
        return asked.where == self.name and self.compared == (asked.program == ALONE)


class Question(NamedTuple):
    """A program, an instance, a limit of time, and the name of the places where it runs."""

    where: str
    kind: str
    n: int
    seed: int
    seconds: float
    program: str

    @property
    def cell(self) -> str:
        """The row of a table to which it belongs."""
        return f"{self.kind}, {self.n:,}, {self.seconds:g} s{self.where}"


def places_on(here: Sequence[int], jobs: int, pairs: int, gpus: int) -> list[Place]:
    """Places of one core, of two, and of a GPU with a part of the other cores; as many have the cores of one alone."""
    free = list(here)
    taken = [Place(tuple(free.pop(0) for _ in range(count))) for count in (1,) * jobs + (2,) * pairs]
    share = len(free) // (2 * gpus) if gpus else 0
    parts = [tuple(free[k * share : (k + 1) * share]) for k in range(2 * gpus)]
    beside = [Place(part, compared=True) for part in parts[gpus:]]
    return taken + [Place(part, k) for k, part in enumerate(parts[:gpus])] + beside


def alone(kind: Kind, name: str, problem: Problem, seconds: float) -> float:
    """The cost of a composition by hand: a first run shows its rate, and a second one has the length for the rest."""
    made, budget = kind.singles[name], TimeBudget(seconds)
    common: dict[str, Any] = {"seed": 1, "start": kind.start, "parallel": "host"}
    first = run(made(problem, 1000), problem, stop=stop.iterations(1), **common)
    begun = budget.seconds()
    more = run(made(problem, 1 << 40), problem, stop=stop.seconds(seconds / 20), **common)
    rate = more.iterations / max(1e-6, budget.seconds() - begun)
    left = max(0.01, budget.left())
    found = run(made(problem, max(1, int(0.9 * rate * left))), problem, stop=stop.seconds(left), **common)
    best = max if problem.maximise else min
    return float(best(first.cost, more.cost, found.cost))


def answer(asked: Question) -> float:
    """The cost that a program finds; the instance is new, so that nobody has its candidates."""
    kind, name, seconds = KINDS[asked.kind], asked.program, asked.seconds
    problem = kind.draw(asked.n, asked.seed)
    if name == "rival":
        assert kind.rival is not None
        return kind.rival(problem, seconds)
    if name in kind.singles:
        return alone(kind, name, problem, seconds)
    return float(solve(problem, seconds=seconds, seed=1, parallel=device(asked), report=False).cost)


def device(asked: Question) -> str:
    """Where `solve` runs."""
    return "auto" if asked.program == "solve" and asked.where.endswith("GPU") else "host"


def prepare(asked: Question) -> None:
    """Compile a program, and import what it needs, by a short run of another instance."""
    if asked.program in ("solve", ALONE):
        for _ in warm(KINDS[asked.kind].draw(asked.n, SEED - 1), device(asked)):
            pass
    answer(asked._replace(seed=SEED - 1, seconds=0.1))


def main() -> None:
    """Answer the questions of standard input, a line each; what libraries print goes to standard error."""
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    known = set()
    for line in sys.stdin:
        asked = Question(*json.loads(line))
        try:
            if (mark := (asked.kind, asked.n, asked.program)) not in known:
                prepare(asked)
                known.add(mark)
            found: float | str = answer(asked)
        except Exception:  # a rival may raise anything, and the other rows go on
            found = traceback.format_exc()
        print(json.dumps(found), file=told, flush=True)


class Asking:
    """Processes that answer questions side by side, each at its place, until there are none or the time is over.

    The first question of a search to an instance of some size is asked alone, since it compiles.

    Parameters
    ----------
    questions : sequence of Question
        The most wanted first.
    places : sequence of Place
        A process each.
    heard : callable
        Called with each question and its answer, one at a time: a cost, or what failed.
    ends : float
        No question is asked that would not be answered by then, on the clock `time.monotonic`.
    wall : bool
        Whether a process on one core has the clock on the wall, too.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        places: Sequence[Place],
        heard: Callable[[Question, float | str], None],
        ends: float,
        wall: bool = False,
    ) -> None:
        self._waiting, self._places, self._heard, self._ends = list(questions), places, heard, ends
        self._wall = wall
        self._changed, self._compiling, self._compiled = Condition(), set[Any](), set[Any]()
        self._processes, self._over = list[subprocess.Popen[str]](), False

    def run(self) -> None:
        """Return when all is answered or the time is over; then, and after Ctrl-C, no process is left."""
        environment()  # compiles, once for all
        threads = [Thread(target=self._serve, args=(place,), daemon=True) for place in self._places]
        for each in threads:
            each.start()
        try:
            for each in threads:
                each.join(max(0.0, min(self._ends - monotonic(), 1e9)))
        finally:
            with self._changed:
                self._over = True
                self._waiting.clear()
                self._changed.notify_all()
            for process in self._processes:
                process.kill()
            for each in threads:
                each.join()

    def _serve(self, place: Place) -> None:
        os.sched_setaffinity(0, place.cores)  # of this thread, and of the processes that it begins
        asked = self._next(place)
        while asked is not None:
            with self._begun(place) as process:
                ended = False
                while asked is not None and not ended:
                    self._ask(process, asked)
                    ended = process.poll() is not None
                    asked = self._next(place)
                process.kill()

    def _ask(self, process: subprocess.Popen[str], asked: Question) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            print(json.dumps(asked), file=process.stdin, flush=True)
            line = process.stdout.readline()
        except OSError:
            line = ""
        with self._changed:
            self._compiling.discard(_compiles(asked))
            self._compiled.add(_compiles(asked))
            self._changed.notify_all()
            if not self._over:
                self._heard(asked, json.loads(line) if line else f"its process ended: {process.wait()}")

    def _begun(self, place: Place) -> subprocess.Popen[str]:
        known = environment() if place == Place(place.cores[:1]) and not self._wall else dict(os.environ)
        known["CUDA_VISIBLE_DEVICES"] = "" if place.gpu is None else str(place.gpu)
        process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            env=known,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with self._changed:
            self._processes.append(process)
            if self._over:
                process.kill()
        return process

    def _next(self, place: Place) -> Question | None:
        """The next question for a place; None if there is none, or too little time."""
        with self._changed:
            while True:
                left = self._ends - monotonic()
                fit = [each for each in self._waiting if place.answers(each) and 1.05 * each.seconds + 1 < left]
                if not fit:
                    return None
                for each in fit:
                    if _compiles(each) not in self._compiling:
                        self._waiting.remove(each)
                        if _compiles(each) not in self._compiled:
                            self._compiling.add(_compiles(each))
                        return each
                self._changed.wait(1.0)


def _compiles(asked: Question) -> tuple[str, str, str]:
    return asked.where, asked.kind, asked.program


if __name__ == "__main__":
    main()
