"""`solve` beside the best single composition of ours and a rival, after equal time, on drawn instances.

``make choice`` runs the grid: problems in three sizes, limits of time, seeds that nobody tuned to. Each program has the
same time on one core, on its processor clock. ``--problems tours routes`` takes only some problems, ``--seconds`` and
``--seeds`` other limits and numbers of seeds. ``--save`` renews these rows of the record, ``--record FILE`` those of
another one.

For a machine with many idle cores: ``--jobs 24`` runs so many processes on a core each, ``--pairs 8`` measures on two
cores, and ``--gpus 4`` compares `solve` on a GPU and some cores with as many cores alone, in four processes each. Pairs
and GPUs have the clock on the wall, and with ``--wall`` all have it: for idle cores whose processor clock is coarse.
``--sizes 0 2`` takes the first and the last size only. ``--minutes 9`` ends in time. Limits are measured in the order
in which ``--seconds`` has them, and the first seed of all rows before the next one. ``--answers FILE`` keeps each
answer; with the same file a later call goes on. Rivals that are not installed are left out. Such a machine needs
neither `make` nor a network:
``python3 -m tests.benchmarks.choice --jobs 62 --minutes 9 --answers answers.jsonl --record choice.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from time import monotonic

import numpy as np

from metaheur.device.cuda.cuda import gpus
from metaheur.machine.processors import cores
from tests.benchmarks.choice_kinds import KINDS, SEED, Kind
from tests.benchmarks.choice_processes import ALONE, Asking, Place, Question, places_on
from tests.benchmarks.processor_clock import today
from tests.benchmarks.records import MEASURED, Record, device

TITLE = "behind the best of a row after equal time: conflicts of colorings, else per cent"

COUNTED = "rows of several seeds in which `solve` is ahead, level and behind after equal time"

COLUMNS = (
    "problem, size, limit",
    "solve",
    "best single search",
    "solve behind it",
    "rival",
    "solve behind the rival",
    "seeds",
)

LEVELS = (
    "limit",
    "ahead of the best single search",
    "level with it",
    "behind it",
    "ahead of the rival",
    "level with the rival",
    "behind the rival",
)

Costs = dict[str, dict[int, float]]
"""For each program of a row its costs by the seeds of instances."""


def lacks(kind: Kind) -> str:
    """What the rival of a kind needs that is not installed; "" if nothing is missing."""
    return " and ".join(each for each in kind.needs if find_spec(each) is None)


def programs(kind: Kind, gpu: bool) -> list[str]:
    """The programs: `solve`, single compositions, and the rival, if it is here; or `solve` with and without a GPU."""
    if gpu:
        return ["solve", ALONE]
    return ["solve", *kind.singles, *(["rival"] if kind.rival and not lacks(kind) else [])]


def questions(
    kinds: list[str], limits: list[float], seeds: int, places: list[Place], sizes: Sequence[int] = range(3)
) -> list[Question]:
    """All questions, the most wanted first; `sizes` are places in the sizes of a kind."""
    wheres = {place.name: place.gpu is not None or place.compared for place in places}
    return [
        Question(where, kind, n, SEED + seed, seconds, program)
        for seconds, seed in product(limits, range(seeds))
        for where, gpu in wheres.items()
        for size in sizes
        for kind in kinds
        for n in KINDS[kind].sizes[size : size + 1]
        for program in programs(KINDS[kind], gpu)
    ]


@cache
def maximised(kind: str) -> bool:
    """Whether the costs of a kind are the better the larger they are."""
    return bool(KINDS[kind].draw(KINDS[kind].sizes[0], SEED).maximise)


def row(asked: Question, costs: Costs) -> tuple[str, ...] | None:
    """By how much each program is behind the best of a row, a mean over the seeds that all have; None without any."""
    seeds = sorted(set.intersection(*(set(each) for each in costs.values())))
    if not seeds:
        return None
    found = np.array([[each[seed] for seed in seeds] for each in costs.values()])
    signed = -found if maximised(asked.kind) else found
    least = signed.min(axis=0)
    scale = 1.0 if asked.kind == "colorings" else 0.01 * np.maximum(1.0, np.abs(least))
    behind = dict(zip(costs, (signed - least) / scale, strict=True))
    single = min(set(behind) - {"solve", "rival"}, key=lambda name: (behind[name].mean(), name))
    pairs = [
        (f"{behind[name].mean():.2f}", difference(behind["solve"] - behind[name])) if name in behind else ("", "")
        for name in (single, "rival")
    ]
    return (
        asked.cell,
        f"{behind['solve'].mean():.2f}",
        f"{pairs[0][0]} by {single}",
        pairs[0][1],
        *pairs[1],
        str(len(seeds)),
    )


def difference(of_seeds: np.ndarray) -> str:
    """The mean of differences, one of each seed, and its standard error; "" for one seed."""
    if len(of_seeds) < 2:
        return ""
    return f"{of_seeds.mean():+.2f} ± {of_seeds.std(ddof=1) / len(of_seeds) ** 0.5:.2f}"


def level(cell: str) -> int:
    """Whether `solve` is behind (1), ahead (-1) or level: nearer than two standard errors, or a hundredth (0)."""
    mean, error = map(float, cell.split(" ± "))
    return int(np.sign(mean)) if abs(mean) > max(2 * error, 0.01) else 0


def levels(rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """For each limit, in how many rows of several seeds `solve` is ahead, level and behind."""
    limits = dict[str, list[Sequence[str]]]()
    for each in rows:
        limits.setdefault(each[0].split(", ", 2)[2], []).append(each)
    for limit, mine in limits.items():
        found = [[level(each[column]) for each in mine if each[column]] for column in (3, 5)]
        yield limit, *(str(each.count(sign)) for each in found for sign in (-1, 0, 1))


class Answers:
    """The costs of all rows, as they come; kept in a file of lines, if one is given.

    Parameters
    ----------
    questions : list of Question
        What is asked.
    kept : Path, optional
        The file; its answers to these questions are known from the start.
    record : Path, optional
        The record that is renewed.
    command : str
        The line of shell that the record names.
    """

    def __init__(
        self, questions: list[Question], kept: Path | None, record: Path | None, command: str = "make choice"
    ) -> None:
        self.kept, self.record, self.command, self.failed = kept, record, command, 0
        self._rows: dict[str, tuple[Question, Costs]] = {}
        for asked in questions:
            self._rows.setdefault(asked.cell, (asked, {}))[1].setdefault(asked.program, {})
        self._all = {cell: sum(each.cell == cell for each in questions) for cell in self._rows}
        self._printed, self._wanted, self._saved = dict[str, tuple[str, ...]](), set(questions), 0.0
        self.known = set[Question]()
        for line in kept.read_text("utf-8").splitlines() if kept and kept.exists() else []:
            *words, cost = json.loads(line)
            if (asked := Question(*words)) in self._wanted:
                self._note(asked, cost)

    def _note(self, asked: Question, cost: float) -> None:
        self.known.add(asked)
        self._rows[asked.cell][1][asked.program][asked.seed] = cost

    def heard(self, asked: Question, found: float | str) -> None:
        """Keep an answer; print the row that it completes. What failed is said."""
        if isinstance(found, str):
            self.failed += 1
            print(f"{asked}: {found}", file=sys.stderr)
            return
        self._note(asked, found)
        if self.kept:
            with self.kept.open("a", encoding="utf-8") as file:
                print(json.dumps([*asked, found]), file=file)
        costs = self._rows[asked.cell][1]
        if sum(map(len, costs.values())) == self._all[asked.cell]:
            self._print(asked.cell)
        if monotonic() > self._saved + 10:
            self.save()

    def _print(self, cell: str) -> None:
        made = row(*self._rows[cell])
        if made is not None and self._printed.get(cell) != made:
            self._printed[cell] = made
            print(f"| {' | '.join(made)} |", flush=True)

    def finish(self) -> None:
        """Print the rows that are not printed yet, as far as they are known, and renew the record."""
        for cell in self._rows:
            self._print(cell)
        self.save()

    def save(self) -> None:
        """Renew the rows of the record, its others are kept."""
        if self.record is None:
            return
        self._saved = monotonic()
        rows = {known[0]: known for known in Record.read(self.record).rows} if self.record.exists() else {}
        rows |= {cell: found for cell, each in self._rows.items() if (found := row(*each)) is not None}
        made = self.command, today(), device()
        Record(TITLE, *made, COLUMNS, tuple(rows.values())).save(self.record)
        counted = Record(COUNTED, *made, LEVELS, tuple(levels(rows.values())))
        counted.save(self.record.with_stem(f"{self.record.stem}_counted"))


def command(words: list[str]) -> str:
    """The line of shell that measures the same: all arguments but files, and the minutes."""
    given, apart = argparse.ArgumentParser(), ("--minutes", "--answers", "--record")
    for name in apart:
        given.add_argument(name)
    given.add_argument("--save", action="store_true")
    kept = given.parse_known_args(words)[1]
    quoted = (f'"{word}"' if " " in word else word for word in kept)
    return f"make choice ARGS='{' '.join(quoted)}'" if kept else "make choice"


def main() -> None:
    """Print a row for each cell of the grid."""
    given = argparse.ArgumentParser()
    given.add_argument("--problems", nargs="*", choices=KINDS, default=[*KINDS])
    given.add_argument("--seconds", type=float, nargs="*", default=[1.0, 5.0, 30.0])
    given.add_argument("--seeds", type=int, default=5, help="how many")
    given.add_argument("--jobs", type=int, help="how many processes on one core; 1 if nothing else is measured")
    given.add_argument("--pairs", type=int, default=0, help="how many processes on two cores")
    given.add_argument(
        "--gpus", type=int, default=0, help="how many processes with a GPU, and as many with cores alone"
    )
    given.add_argument("--sizes", type=int, nargs="*", choices=range(3), default=[*range(3)], help="places of sizes")
    given.add_argument("--wall", action="store_true", help="the clock on the wall for single cores, too")
    given.add_argument("--minutes", type=float, default=float("inf"), help="end by then, on the wall")
    given.add_argument("--answers", type=Path, help="a file of answers, which grows")
    given.add_argument("--record", type=Path, help="the record whose rows are renewed")
    given.add_argument("--save", action="store_const", const=MEASURED / "choice.json", dest="record")
    chosen = given.parse_args()
    ends = monotonic() + 60 * chosen.minutes
    jobs = int(not (chosen.pairs or chosen.gpus)) if chosen.jobs is None else chosen.jobs
    here, needed = sorted(os.sched_getaffinity(0)), jobs + 2 * (chosen.pairs + chosen.gpus)
    if needed > min(len(here), cores()):
        given.error(f"these processes need {needed} cores, but {min(len(here), cores())} are here")
    if chosen.gpus > gpus():
        given.error(f"{chosen.gpus} GPUs are wanted, but {gpus()} are here")
    for name in chosen.problems:
        if lacks(KINDS[name]):
            print(f"left out, since there is no {lacks(KINDS[name])}: the rival for {name}", file=sys.stderr)
    places = places_on(here, jobs, chosen.pairs, chosen.gpus)
    asked = questions(chosen.problems, chosen.seconds, chosen.seeds, places, chosen.sizes)
    answers = Answers(asked, chosen.answers, chosen.record, command(sys.argv[1:]))
    print(f"{TITLE}\n| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}", flush=True)
    try:
        Asking(
            [each for each in asked if each not in answers.known], places, answers.heard, ends - 2, chosen.wall
        ).run()
    finally:
        answers.finish()
    sys.exit(f"{answers.failed} questions failed" if answers.failed else 0)


if __name__ == "__main__":
    main()
