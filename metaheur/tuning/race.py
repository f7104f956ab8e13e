"""Iterated racing: draws configurations near the best ones, and lets them race by work."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import count, groupby
from random import Random
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.errors import InputError
from metaheur.fields import OneOf
from metaheur.problem import Problem
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.searches.recommendation import Recommendation
from metaheur.tuning.measure import measured, require_one_objective
from metaheur.tuning.parameter import Value
from metaheur.tuning.space import Configuration, Space
from metaheur.tuning.statistics import ranks, surviving
from metaheur.tuning.tuned import Ranked, Tuned
from metaheur.validate import whole

__all__ = ["Tunable", "spaces_of", "tune"]

Tunable = Space | Search[Any] | Recommendation | OneOf
"""What is tuned: a space, or the search of which it is made."""

FIRST, NEXT = 5, 2
"""The blocks before the first test, and from one test to the next."""

LAST = 5
"""The last race has one part in so many of the work: the best configurations, on many blocks."""

RUNS = 600
"""How many runs share the work, unless the work of a run is given."""


def tune(  # noqa: PLR0913 - run, for many configurations
    space: Tunable | Callable[[Problem], Tunable],
    problems: Problem | Iterable[Problem],
    *,
    work: float,
    each: float | None = None,
    seed: int = 0,
    parallel: ParallelModel | str = "auto",
    report: bool = True,
) -> Tuned:
    """Find a good configuration of a search by iterated racing.

    Each race begins with the best configurations so far and with new ones, which are drawn near them, ever nearer from
    race to race. A block is an instance with a seed: after five blocks, and then after every two, those are eliminated
    that Friedman's test finds worse than the best. The last fifth of the work compares the best on more blocks. The
    search's own configuration takes part to the end. All follows from counts of moves: the same seed gives the same
    answer on every machine.

    Parameters
    ----------
    space : Space, Search, Recommendation, OneOf, or function
        What is tuned. A function makes it for each problem, if a search depends on the instance.
    problems : Problem or iterable of Problem
        The instances, each with one objective. Instances that differ as those to be solved later do are best.
    work : int
        About so many moves are evaluated in all; 1e9 counts as a whole number.
    each : int, optional
        The work of one run; by default a 600th of all work.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    parallel : ParallelModel or str, default "auto"
        As for `run`; a run has one walk. The runs of a configuration with several seeds are made together.
    report : bool, default True
        Whether a line on standard error reports each race.

    Returns
    -------
    Tuned
        The best configurations, and the default one. After Ctrl-C, those of the races that have ended.

    Raises
    ------
    InputError
        If an argument is not as described, the parameters differ between problems, or `work` is too little.

    Notes
    -----
    M. López-Ibáñez, J. Dubois-Lacoste, L. Pérez Cáceres, M. Birattari and T. Stützle, "The irace package: Iterated
    racing for automatic algorithm configuration", Operations Research Perspectives 3, 2016.
    """
    given = (problems,) if isinstance(problems, Problem) else tuple(problems)
    spaces = spaces_of(space, given)
    total = _whole(work, "work")
    share = _whole(total // RUNS if each is None else each, "each", maybe="increase `work`.")
    races = int(2 + math.log2(len(spaces[0].parameters)))
    _require_enough(total, share, races)
    random = Random(whole(seed, "seed", 0, 2**32 - 1))
    return _Tuning(given, spaces, total, share, races, random, parallel, report).run()


def _require_enough(work: int, each: int, races: int) -> None:
    """Refuse work for fewer than three configurations in a race."""
    least = 4 * races * each * (FIRST + 1)
    if work < least:
        raise InputError(
            f"`work` is {work}, which is too little: {races} races with runs of {each} need {least}.",
            "give more work, or less to each run.",
        )


def spaces_of(space: Tunable | Callable[[Problem], Tunable], problems: Sequence[Problem]) -> tuple[Space, ...]:
    """The space for each problem; refuses spaces that have different parameters."""
    if not problems:
        raise InputError("`problems` must not be empty.", "give an instance.")
    for problem in problems:
        if not isinstance(problem, Problem):
            raise InputError(f"`problems` must be problems, but holds {problem!r}.", "the space comes first.")
        require_one_objective(problem)
    if isinstance(space, Space | Search | Recommendation | OneOf):
        return (_space(space),) * len(problems)
    if not callable(space):
        raise InputError(f"`space` must be a Space or a search, but is {space!r}.", "write Space(TabuSearch(Swap())).")
    spaces = tuple(_space(space(problem)) for problem in problems)
    names = [{(each.name, each.range, each.choices) for each in one.parameters} for one in spaces]
    for number, those in enumerate(names):
        other = sorted(each[0] for each in those ^ names[0])
        if other:
            raise InputError(
                f"Problems 0 and {number} have different parameters or ranges, such as {other[0]!r}.",
                "fix them by None in `ranges`, or give the same ranges for all problems.",
            )
    return spaces


def _space(given: Tunable) -> Space:
    return given if isinstance(given, Space) else Space(given)


def _whole(value: float, name: str, maybe: str = "") -> int:
    return whole(int(value) if isinstance(value, float) and value.is_integer() else value, name, maybe=maybe)


@final
@define(eq=False)
class _Candidate:
    """A configuration in the races, and its cost on the first blocks; `values` is empty for the default one."""

    number: int
    values: Configuration
    made: list[Any]
    costs: list[float] = field(factory=list)


@final
@define(eq=False)
class _Tuning:
    """The races."""

    problems: tuple[Problem, ...]
    spaces: tuple[Space, ...]
    work: int
    each: int
    races: int
    random: Random
    parallel: ParallelModel | str
    report: bool
    seeds: list[int] = field(factory=list)
    known: set[tuple[tuple[str, Value], ...]] = field(factory=set)
    made: int = 0
    done: int = 0
    runs: int = 0
    spread: float = 1.0

    def run(self) -> Tuned:
        """Race until the work is done."""
        default = self._candidate({})
        assert default is not None
        ended, best, stopped_by = 0, [default], "work"
        try:
            for race in count(1):
                room = (self.work - self.work // LAST - self.done) // max(1, self.races - race + 1)
                new = room // (self.each * (FIRST + min(5, race))) - len(best)
                candidates = [*best, *self._drawn(new, best if race > 1 else [])]
                if len(candidates) == len(best):
                    break
                best = self._race(candidates, default, self.done + room, self.races)
                ended = race
                self._tell(race, len(candidates), best)
            best = self._race(best, default, self.work, 1)
            self._tell(ended := ended + 1, len(best), best)
        except KeyboardInterrupt:
            if not ended:
                raise
            stopped_by = "interrupt"
        ranked = tuple(map(self._ranked, best))
        return Tuned(ranked, best.index(default), ended, self.runs, self.done, stopped_by)

    def _candidate(self, values: Configuration) -> _Candidate | None:
        """A candidate, unless it is known, or no search can be made of it for one of the problems."""
        content = tuple(self.spaces[0].read(values).items())
        if content in self.known:
            return None
        self.known.add(content)
        try:
            made = [space.make(values) for space in self.spaces]
        except InputError:
            return None
        self.made += 1
        return _Candidate(self.made - 1, values, made)

    def _drawn(self, new: int, parents: Sequence[_Candidate]) -> list[_Candidate]:
        """New candidates: each near a parent, better parents more often; at first anywhere."""
        found: list[_Candidate] = []
        if parents and new > 0:
            self.spread *= (1 / max(2, new)) ** (1 / len(self.spaces[0].parameters))
        for _ in range(10 * max(0, new)):
            if len(found) == new:
                break
            near = self.spaces[0].read(self._parent(parents).values) if parents else None
            values = self.spaces[0].sample(self.random, near, self.spread)
            candidate = None if values is None else self._candidate(values)
            if candidate is not None:
                found.append(candidate)
        return found

    def _parent(self, parents: Sequence[_Candidate]) -> _Candidate:
        """A parent; the weight of the r-th of N is N - r + 1."""
        number = len(parents)
        at = self.random.random() * number * (number + 1) / 2
        for each, weight in zip(parents, range(number, 0, -1), strict=True):
            at -= weight
            if at < 0:
                return each
        return parents[-1]

    def _race(self, candidates: list[_Candidate], default: _Candidate, limit: int, few: int) -> list[_Candidate]:
        """The best candidates after a race that ends at a limit of work or when few are left, the best first."""
        begun = max(len(each.costs) for each in candidates)
        alive, blocks, goal = candidates, 0, FIRST
        while True:
            needs = self.each * sum(max(0, goal - len(each.costs)) for each in alive)
            if blocks and self.done + needs > limit:
                break
            for each in alive:
                self._extend(each, goal)
            blocks = goal
            stays = surviving(np.array([each.costs[:blocks] for each in alive]).T)
            stay = [each for each, kept in zip(alive, stays, strict=True) if kept or len(each.costs) > blocks]
            alive = stay if default in stay else [*stay, default]
            if len(stay) <= few and blocks > begun:
                break
            goal = blocks + NEXT
        return self._best(alive, default)

    def _best(self, alive: list[_Candidate], default: _Candidate) -> list[_Candidate]:
        """The best candidates, as many as there are races, and the default one: ranked among themselves."""
        best = _ordered(alive)[: self.races]
        return _ordered(best if default in best else [*best, default])

    def _extend(self, candidate: _Candidate, goal: int) -> None:
        """Run a candidate on the blocks that it lacks; the runs of each problem together."""
        while len(self.seeds) < goal:
            self.seeds.append(self.random.getrandbits(32))
        number = len(self.problems)
        lacking = sorted(range(len(candidate.costs), goal), key=lambda block: block % number)
        found: dict[int, float] = {}
        for i, group in groupby(lacking, key=lambda block: block % number):
            blocks = list(group)
            for block, one in zip(
                blocks,
                measured(
                    candidate.made[i],
                    self.problems[i],
                    seeds=[self.seeds[block] for block in blocks],
                    each=self.each,
                    parallel=self.parallel,
                ),
                strict=True,
            ):
                found[block] = one.cost
                self.done += one.work
                self.runs += 1
        candidate.costs += [found[block] for block in sorted(found)]

    def _ranked(self, candidate: _Candidate) -> Ranked:
        values = self.spaces[0].read(candidate.values)
        return Ranked(values, candidate.made[0], tuple(candidate.costs))

    def _tell(self, race: int, candidates: int, best: list[_Candidate]) -> None:
        if self.report:
            share = min(1.0, self.done / self.work)
            print(
                f"race {race}: {candidates} configurations, {len(best[0].costs)} blocks, {share:.0%} of the work; "
                f"best so far: {self._ranked(best[0]).text}",
                file=sys.stderr,
            )


def _ordered(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Candidates by their sums of ranks on the blocks that all of them have; the older one first if sums are equal."""
    blocks = min(len(each.costs) for each in candidates)
    sums = ranks(np.array([each.costs[:blocks] for each in candidates]).T).sum(axis=0)
    order = sorted(range(len(candidates)), key=lambda i: (sums[i], candidates[i].number))
    return [candidates[i] for i in order]
