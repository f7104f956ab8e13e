"""The permutation flow shop problem."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.problem import Problem
from metaheur.problems.flow_shop_starts import sequences
from metaheur.problems.formats import taillard_flow_shop
from metaheur.problems.formats.files import chosen
from metaheur.problems.formats.flow_shop import read_flow_shop
from metaheur.problems.formats.flow_shop_instance import nonnegative
from metaheur.problems.formats.recognition import by_layout
from metaheur.random import START, Key, Random
from metaheur.representation import Permutation, Representation, Solution

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["FlowShop", "liefooghe_due_dates"]

MOST_MACHINES = 1000
"""The most machines of an instance: one GPU thread keeps a time for each of them."""


STRIP = 32
"""The most positions that a CPU evaluates at once. So many beyond the last one are read, and the results discarded."""

LONG = 40
"""Jobs from which vectors of 64 bytes are faster than those of 32, on a CPU that has both (a Xeon with AVX-512)."""

MANY = 50
"""Measured on drawn shops of 20 machines, after 1 and 5 seconds: of so many jobs, two are taken out instead of four."""

OBJECTIVES = {
    "makespan": "makespan",
    "total flow time": "total_flow_time",
    "total tardiness": "total_tardiness",
    "weighted tardiness": "weighted_tardiness",
    "maximum tardiness": "maximum_tardiness",
    "tardy jobs": "tardy_jobs",
}
"""The objectives, and what the C++ half calls them."""

_NEED_DUE_DATES = {"total tardiness", "weighted tardiness", "maximum tardiness", "tardy jobs"}


def _names(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@final
@frozen(eq=False)
class FlowShop(Problem):
    """Process n jobs on m machines: minimise the makespan, the time when the last job leaves the last machine.

    Every job visits the machines 0 ... m-1 in turn. A machine processes one job at a time, and all jobs in the order x.
    Where several `objectives` are named, a cost is one number for each.

    Parameters
    ----------
    times : array_like, shape (n, m)
        Processing times, whole numbers from 0 on: a row for each job, a column for each of at most 1000 machines.
    release_times : array_like, shape (n,), keyword-only, optional
        When each job may begin on machine 0 at the earliest; whole numbers in 0 ... 2**53. All are 0 by default.
    due_dates, weights : array_like, shape (n,), keyword-only, optional
        When each job should be finished, and how much its tardiness counts in "weighted tardiness"; whole numbers in
        0 ... 2**53.
    objectives : tuple of str, keyword-only, optional
        Two or more of the following; with C the time when a job leaves the last machine, d its due date and w its
        weight: "makespan", the largest C; "total flow time", the sum of C; "total tardiness", the sum of max(0, C - d);
        "weighted tardiness", the sum of w max(0, C - d); "maximum tardiness", the largest max(0, C - d); "tardy jobs",
        the number of jobs with C > d.

    Raises
    ------
    InputError
        If there is no job or no machine or more than 1000, a time is negative or not a whole number, a cost could
        overflow int64, due dates or weights are not as described, or weights are without due dates; if objectives are
        unknown, named twice, a single one, or need due dates or weights that are not given.

    Notes
    -----
    The heads and tails of the sequence are kept beside each walk, so that a move takes O(m) for each position between
    the two that it changes, and all positions of one job take O(n m) together (É. Taillard, "Some efficient heuristic
    methods for the flow shop sequencing problem", European Journal of Operational Research 47, 1990, section 3). With
    release times, the longest release time + tail behind each position is kept, too. All this is so for the makespan
    alone: other objectives need every time behind the first position that a move changes, so
    that a move takes O(n m). A CPU then evaluates 4, 8 or 16 adjacent positions of a job at a time, one in each lane of
    its vectors.
    """

    times: np.ndarray = data("int64", ndim=2)
    release_times: np.ndarray | None = nonnegative(default=None, kw_only=True)
    due_dates: np.ndarray | None = nonnegative(default=None, kw_only=True)
    weights: np.ndarray | None = nonnegative(default=None, kw_only=True)
    objectives: tuple[str, ...] = field(default=(), kw_only=True, converter=_names)

    def __attrs_post_init__(self) -> None:
        n, m = self.times.shape
        if not n or not 0 < m <= MOST_MACHINES:
            raise InputError(
                f"`times` must have a row for each job and a column for each of 1 ... {MOST_MACHINES} machines, but "
                f"has the shape ({n}, {m}).",
                "exchange rows and columns: times[job, machine].",
            )
        if self.times.min() < 0:
            raise InputError(f"`times` must hold 0 or more, but holds {self.times.min()}.")
        if self.longest >= 2**60:
            raise InputError(
                f"Makespans could reach {self.longest}, which overflows int64 (2**60 = {2**60} is the limit).",
                "divide the times by a common factor.",
            )
        for name in ("release_times", "due_dates", "weights"):
            vector = getattr(self, name)
            if vector is not None and len(vector) != n:
                raise InputError(f"`{name}` must hold a value for each of {n} jobs, but holds {len(vector)}.")
        if self.weights is not None and self.due_dates is None:
            raise InputError("`weights` of tardiness need `due_dates`, but there are none.", "leave the weights out.")
        if (self.due_dates is not None or self.objectives) and self._most >= 2**62:
            raise InputError(
                f"The total tardiness could reach {self._most}, which overflows int64 (2**62 = {2**62} is the limit).",
                "divide the weights, or times and due dates, by a common factor.",
            )
        if self.objectives != ():
            self._require_objectives()

    def _require_objectives(self) -> None:
        names = self.objectives
        if not isinstance(names, tuple) or not all(isinstance(name, str) and name in OBJECTIVES for name in names):
            raise InputError(
                f"`objectives` must be names of objectives, but is {names!r}.", f"choose from {', '.join(OBJECTIVES)}."
            )
        if len(names) < 2 or len(set(names)) < len(names):
            raise InputError(
                f"`objectives` must be two different ones or more, but is {names!r}.",
                "leave it out to minimise the makespan alone; Scalarised makes one number of several.",
            )
        dates = "read a file of Liefooghe's or Minella's, or use with_due_dates()."
        for word, given, needing, maybe in (
            ("due_dates", self.due_dates, _NEED_DUE_DATES, dates),
            ("weights", self.weights, {"weighted tardiness"}, "read a file of Minella's, or use 1 for each job."),
        ):
            if given is None and needing & set(names):
                raise InputError(
                    f"The objective {min(needing & set(names))!r} needs `{word}`, but this FlowShop has none.", maybe
                )

    @property
    def source(self) -> str:  # type: ignore[override]
        """The C++ half: one for the makespan, one for several objectives."""
        return "flow_shop_objectives.cuh" if self.objectives else "flow_shop.cuh"

    @classmethod
    @expressible
    def taillard(cls, index: int, *, objectives: tuple[str, ...] = ()) -> Self:
        """Generate the published instance ta<index>, index in 1 ... 120.

        With `objectives`, it has the due dates of `liefooghe_due_dates`.
        """
        times = taillard_flow_shop.taillard(index)
        due_dates = liefooghe_due_dates(times, index) if objectives else None
        return cls(times, due_dates=due_dates, objectives=objectives)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        number: int = 1,
        *,
        layout: str | None = None,
        objectives: tuple[str, ...] = (),
    ) -> Self:
        """Read a file of Taillard's, OR-Library's, Liefooghe's or Minella's, or a matrix of times without headings.

        See `metaheur.problems.formats.flow_shop.read_flow_shop` for how they are distinguished.

        Parameters
        ----------
        path : path-like
            The file.
        number : int, default 1
            Which instance of the file, counted from 1; Taillard's and OR-Library's files hold several.
        layout : {"flow shop", "times"}, optional
            Named, even a table that may be of another problem is read: a matrix of distances, two columns, edges.
        objectives : tuple of str, optional
            As in the class. Taillard's files have no due dates.

        Raises
        ------
        InputError
            If `read_flow_shop` refuses the file, or it does not hold so many instances.
        """
        readers = {"flow shop": read_flow_shop, "times": read_flow_shop}
        instance = chosen(path, by_layout(path, layout, readers), number)
        return cls(instance.times, due_dates=instance.due_dates, weights=instance.weights, objectives=objectives)

    @cached_property
    def representation(self) -> Permutation:
        """Permutations: x[p] is the job at position p of the sequence."""
        return Permutation(len(self.times))

    @cached_property
    def longest(self) -> int:
        """An upper bound of the makespan of any sequence.

        A path through the jobs and machines of a sequence has n + m - 1 operations: one of each job, and m - 1 more.
        """
        each = self.times.max(axis=1)
        path = int(sum(each.tolist()) + (self.times.shape[1] - 1) * int(each.max()))
        return path + int(self.released.max(initial=0))

    @cached_property
    def released(self) -> np.ndarray:
        """When each job may begin, int64: 0 without `release_times`."""
        return np.zeros(len(self.times), np.int64) if self.release_times is None else self.release_times

    def cost(self, x: Solution) -> Any:
        """The makespan of a sequence, or its objectives."""
        front = [0] * self.times.shape[1]  # when each machine is done
        ends = []
        for job in x.tolist():
            done = int(self.released[job])
            for k, time in enumerate(self._rows[job]):
                front[k] = done = max(done, front[k]) + time
            ends.append(done)
        if not self.objectives:
            return front[-1]
        return tuple(self._objectives(np.array([ends]), x[None])[0].tolist())

    @cached_property
    def _rows(self) -> list[list[int]]:
        rows: list[list[int]] = self.times.tolist()
        return rows

    def costs(self, xs: np.ndarray) -> Any:
        completions = self._completions(xs)
        return self._objectives(np.stack(completions, axis=1), xs) if self.objectives else completions[-1]

    def _objectives(self, completions: np.ndarray, xs: np.ndarray) -> np.ndarray:
        """The objectives, shape (r, K), from the time when the job at each position is done, shape (r, n)."""
        late = np.maximum(completions - (0 if self.due_dates is None else self.due_dates[xs]), 0)
        weights = 1 if self.weights is None else self.weights[xs]
        values: dict[str, Callable[[], Any]] = {
            "makespan": lambda: completions[:, -1],
            "total flow time": lambda: completions.sum(axis=1),
            "total tardiness": lambda: late.sum(axis=1),
            "weighted tardiness": lambda: (late * weights).sum(axis=1),
            "maximum tardiness": lambda: late.max(axis=1),
            "tardy jobs": lambda: (late > 0).sum(axis=1),
        }
        return np.stack([values[name]() for name in self.objectives], axis=1)

    def insertions(self, partial: np.ndarray, item: int) -> Any:
        """The makespans of a partial sequence with one more job at each place, in O(m) each.

        Notes
        -----
        Taillard 1990, section 2: the longest head and tail of the cut where the job goes.
        """
        released = self.released[partial]
        heads = _ends(self.times[partial], released)
        tails = _ends(self.times[partial[::-1], ::-1])[::-1, ::-1]
        waits = np.append(np.maximum.accumulate((released + tails[:-1, 0])[::-1])[::-1], 0)  # of the jobs behind
        own = np.cumsum(self.times[item])
        begins = np.maximum(heads - (own - self.times[item]), self.released[item])
        done = own + np.maximum.accumulate(begins, axis=1)
        return np.maximum((done + tails).max(axis=1), waits)

    def construct(self, random: Random) -> Solution:
        """The sequence of Nawaz, Enscore and Ham's heuristic, with random ties.

        Jobs are inserted in decreasing order of their total times, the lowest number first among equals. Each job
        goes to the best place of the sequence so far, among equals to the first one from a random place on.

        Notes
        -----
        M. Nawaz, E. E. Enscore and I. Ham, "A heuristic algorithm for the m-machine, n-job flow-shop sequencing
        problem", Omega 11, 1983, with the acceleration of Taillard 1990.
        """
        made: Solution = sequences(self, [random])[0]
        return made

    def construct_many(self, randoms: Sequence[Random]) -> Iterator[np.ndarray]:
        """Sequences of `construct`, some at a time."""
        each = max(1, 2**27 // (len(self.times) * self.times.size))
        for begin in range(0, len(randoms), each):
            yield sequences(self, randoms[begin : begin + each])

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw the schedule: a row for each machine, a bar for each job."""
        from metaheur.pictures.solutions import draw_schedule

        times = self.times[x]
        draw_schedule(_ends(times, self.released[x])[1:] - times, times, x, ax)

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated greedy, from the sequence of `construct`; or a search for a front.

        Among equal places a random one is taken: with many jobs most places are equal, and the first ones alone lead
        nowhere. The temperature is 0.7 times a tenth of the mean time. Of 50 jobs or more two are taken out
        instead of four, at 0.6 times a tenth, and the sequence without them is improved, too.

        Notes
        -----
        R. Ruiz and T. Stützle, "A simple and effective iterated greedy algorithm for the permutation flowshop
        scheduling problem", European Journal of Operational Research 177, 2007.
        """
        from metaheur.neighborhoods.insertion import Insertion
        from metaheur.parts import Metropolis, Rebuild
        from metaheur.searches import GroupDescent, IteratedLocalSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        n = len(self.times)
        if n < 5 or self.objectives:
            return suited(self)
        count, share = (2, 0.06) if n >= MANY else (4, 0.07)
        warm = float(f"{share * max(float(self.times.mean()), 1.0):.3g}")
        rebuild = Rebuild(count, improves=n >= MANY, random_ties=True)
        search = IteratedLocalSearch(GroupDescent(Insertion()), rebuild, Metropolis(warm))
        return (Recommendation("iterated greedy", search, "construct"),)

    def _completions(self, xs: np.ndarray) -> list[Any]:
        """When the job at each position leaves the last machine, for all rows of xs at once."""
        front: list[Any] = [0] * self.times.shape[1]
        completions = []
        for p in range(xs.shape[1]):
            own, done = self.times[xs[:, p]], self.released[xs[:, p]]
            for k in range(len(front)):
                front[k] = done = np.maximum(front[k], done) + own[:, k]
            completions.append(done)
        return completions

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if four times the longest makespan fits, otherwise "int64".

        All sums are lengths of paths, except those for positions beyond the last: a head, all times of a job and a
        tail, at most three makespans.
        """
        return "int32" if self.longest < 2**29 else "int64"

    @property
    def delta_operations(self) -> int:
        """With several objectives, one for each job and machine; for the makespan 1, as places of a job share work."""
        return self.times.size if self.objectives else 1

    @cached_property
    def _most(self) -> int:
        """An upper bound of every objective of any sequence."""
        return max(len(self.times), 0 if self.weights is None else sum(self.weights.tolist())) * self.longest

    @cached_property
    def _packed(self) -> int:
        """How many times fit into a word of 32 bits; 1 also where a time needs a longer word."""
        largest = int(self.times.max())
        return 1 if self._word == "int64" else 4 if largest < 2**8 else 2 if largest < 2**16 else 1

    @cached_property
    def _word(self) -> str:
        """The type of a word, which holds any time and any release time."""
        return "int32" if max(self.times.max(), self.released.max()) < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`machines`, known when the C++ half is compiled, and `released`, whether there are release times.

        With several objectives also: the place of each among the objectives, or -1; whether int32 holds all their
        values; how many times fit into a word; and whether there are enough jobs for the longest vectors of a CPU.
        """
        machines = {"machines": self.times.shape[1], "released": self.release_times is not None}
        if not self.objectives:
            return machines
        places = {word: self.objectives.index(n) if n in self.objectives else -1 for n, word in OBJECTIVES.items()}
        sizes = {"several": len(self.objectives), "narrow": self._most < 2**31, "packed": self._packed}
        return {**machines, **places, **sizes, "long_vectors": len(self.times) >= LONG}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The release times, if there are any: `release`.

        With several objectives also `weight`, and `due`: the due dates, `longest` at most, and `longest` behind them.
        """
        release = {} if self.release_times is None else {"release": self.release_times}
        if not self.objectives:
            return release
        n = len(self.times)
        due = np.zeros(n, np.int64) if self.due_dates is None else np.minimum(self.due_dates, self.longest)
        return {
            **release,
            "due": np.append(due, self.longest),
            "weight": np.ones(n, np.int64) if self.weights is None else self.weights,
        }

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Heads and tails by machine and position; as scratch, heads and tails of the sequence without one job.

        Release times take one more row of tails.
        """
        n, m = self.times.shape
        rows = m + (self.release_times is not None)
        if self.objectives:
            return self._state_of_objectives(n, m)
        stored = "int16" if self.longest < 2**15 else "cost"
        return {
            "heads": Array((m, n + 1 + STRIP), stored),
            "tails": Array((rows, n + 1 + STRIP), stored),
            "without": Array((rows, n + 1 + STRIP), stored, scratch=True),
        }

    def _state_of_objectives(self, n: int, m: int) -> Mapping[str, Array]:
        """Heads by machine and position, and objectives up to each position; as scratch, the same without one job.

        A GPU also keeps times, release times and due dates by position.
        """
        released = int(self.release_times is not None)
        stored = "uint16" if max(n, self.longest) < 2**16 else "int32" if self.longest < 2**31 else "int64"
        counted = "int32" if self._most < 2**31 else "int64"
        shape = (n + 1, len(self.objectives))
        return {
            "heads": Array((m, n + 1 + STRIP), stored),
            "counted": Array(shape, counted),
            "sequence": Array((-(-m // self._packed) + released, n + STRIP), self._word),
            "deadlines": Array((n,), stored),
            "rest": Array((m + 1 + released, n + STRIP), stored, scratch=True),
            "weights": Array((1, n + STRIP), counted, scratch=True),
            "without": Array((m, n + 1 + STRIP), stored, scratch=True),
            "tallied": Array(shape, counted, scratch=True),
        }

    def with_due_dates(self, number: int, *, objectives: tuple[str, ...]) -> FlowShop:
        """The same times with the due dates of `liefooghe_due_dates`, and several objectives.

        Parameters
        ----------
        number : int
            Of the instance, 0 ... 2**32 - 1: each number gives other due dates.
        objectives : tuple of str
            As in the class.
        """
        due_dates = liefooghe_due_dates(self.times, number)
        return FlowShop(self.times, release_times=self.release_times, due_dates=due_dates, objectives=objectives)


def liefooghe_due_dates(times: np.ndarray, number: int) -> np.ndarray:
    """Due dates by the rule of Liefooghe's files, for instances that have no such file.

    Every due date is a whole number drawn uniformly between p m and p (n + m - 1), both included, where p is the mean
    time of the instance. The numbers drawn are Philox's with the key (number, 0), not those of the published files.

    `times`, shape (n, m): the times of the jobs. `number`: of the instance, 0 ... 2**32 - 1. Returns int64, shape (n,):
    when each job should be finished.

    Notes
    -----
    The rule is A. Liefooghe, M. Basseur, L. Jourdan and E.-G. Talbi's, "Combinatorial optimization of stochastic
    multi-objective problems: an application to the flow-shop scheduling problem", EMO 2007, section 5.
    """
    n, m = times.shape
    total, count = int(times.sum()), n * m  # the mean time is their quotient, kept exact
    low, high = -(-total * m // count), total * (n + m - 1) // count
    random = Random(Key(number), START, 0)
    return np.array([random.integer(job, low, max(low, high)) for job in range(n)], np.int64)


def _ends(times: np.ndarray, released: np.ndarray | None = None) -> np.ndarray:
    """When each machine has done the first 0, 1, ... jobs of a sequence; shape (jobs + 1, machines)."""
    ends = np.zeros((len(times) + 1, times.shape[1]), np.int64)
    sums = np.cumsum(times, axis=1)
    for p, own in enumerate(times):
        begins = np.maximum(ends[p] - (sums[p] - own), 0 if released is None else released[p])
        ends[p + 1] = sums[p] + np.maximum.accumulate(begins)
    return ends
