"""Costs that take long, fail, kill their process, and leave a line for every time that they were asked."""

import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from attrs import field, frozen

from metaheur import BitString, GeneticAlgorithm, HillClimbing, IteratedLocalSearch, Search
from metaheur.neighborhoods import Hamming
from metaheur.parts import BitFlips, RandomMoves, Uniform
from metaheur.problem import Problem
from metaheur.searches import NSGA2


@frozen(eq=False)
class Slow(Problem):
    """Whole numbers that depend on pairs of bits; `folder` has a file of all that were asked, and marks of death."""

    folder: str = ""
    seconds: float = 0.0
    kills: int = field(default=0, metadata={"saved": False})
    representation = BitString(16)

    def cost(self, x: np.ndarray) -> int:
        self.note(x)
        time.sleep(self.seconds)
        return self.value(x)

    def value(self, x: np.ndarray) -> int:
        return sum(((7 * k) % 11 - 5) * int(x[k]) * (1 + 2 * int(x[k - 3])) for k in range(16))

    def note(self, x: np.ndarray) -> None:
        if not self.folder:
            return
        with (Path(self.folder) / "asked").open("a") as file:
            file.write("".join(map(str, x)) + "\n")
        count = len((Path(self.folder) / "asked").read_text().splitlines())
        for k in range(self.kills):
            if count >= 12 * (k + 1):
                try:
                    os.close(os.open(Path(self.folder) / f"killed-{k}", os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)


@frozen(eq=False)
class SlowPair(Problem):
    """Two objectives; otherwise as Slow."""

    slow: Slow = field(factory=Slow)
    representation = BitString(16)
    objectives = ("one", "other")

    def cost(self, x: np.ndarray) -> tuple[int, int]:
        return self.slow.cost(x), -int(np.arange(16) @ x)


@frozen(eq=False)
class Odd(Problem):
    """Fractions, of which some are wrong: `how` says in which way."""

    how: str = "raises"
    folder: str = ""
    representation = BitString(12)
    cost_type = "float64"

    def cost(self, x: np.ndarray) -> float:
        good = float(x.sum()) + 0.25 * float(x[3])
        if x[0] and not x[5]:
            if self.how == "once":
                try:
                    os.close(os.open(Path(self.folder) / "".join(map(str, x)), os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    return good
            if self.how in ("raises", "once"):
                raise ZeroDivisionError("no such mesh")
            if self.how == "sleeps":
                time.sleep(30)
            if self.how == "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            return float("nan")
        return good


SEARCHES: dict[str, tuple[Search, int]] = {  # type: ignore[type-arg]
    "genetic algorithm": (GeneticAlgorithm(Uniform(), BitFlips(0.1), size=12), 60),
    "NSGA-II": (NSGA2(Uniform(), BitFlips(0.1), size=12), 60),
    "iterated local search": (IteratedLocalSearch(HillClimbing(Hamming(1)), RandomMoves(Hamming(1), 3)), 12),
}


def problem_for(name: str, slow: Slow) -> Problem:
    return SlowPair(slow) if name == "NSGA-II" else slow


def processes(count: int) -> partial[ProcessPoolExecutor]:
    """What makes a pool of processes, which have imported this module."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.open.costs"])
    return partial(ProcessPoolExecutor, count, context)


def lines(folder: Path) -> list[str]:
    """The solutions that were asked, in order."""
    return (folder / "asked").read_text().splitlines()
