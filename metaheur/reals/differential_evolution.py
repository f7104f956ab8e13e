"""Differential evolution: a trial, made of differences between members, may replace a member."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.fields import COUNT, Array, Range
from metaheur.part import Kept, zeros
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.reals.deviates import cauchy, normal
from metaheur.reals.domains_of import domains_of
from metaheur.reals.generation_loop import GenerationLoop
from metaheur.reals.halves import half_with_functions
from metaheur.reals.requirements import require_independent
from metaheur.source import Source
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["DifferentialEvolution"]

_MEMORIES = 6
"""How many means L-SHADE remembers."""


@final
@frozen
class DifferentialEvolution(GenerationLoop):
    """A trial for each member, made of differences between members, replaces the member unless the trial is worse.

    An iteration makes one trial; after as many as there are members, all of them are compared. The population begins
    with the run's first solution and random ones. It acts on all solutions whose entries do not depend on each other:
    differences are multiplied and rounded, so that entries of few values and real numbers may stand beside each other.
    An entry beyond a bound is set halfway between its former value and the bound. It never ends by itself.

    A solution that arrives from another walk takes the place of a trial.

    Parameters
    ----------
    size : int, default 100
        The number of members, 4 ... 2**20.
    adaptation : {"history", "mean", "none"}, default "history"
        How the scale of differences and the rate of crossover are found. "none": they are fixed, and the trial is
        rand/1/bin: a member plus a scaled difference of two others. Otherwise the trial is current-to-pbest/1/bin with
        an archive: the member, a step towards one of the best, and a scaled difference to a member that was replaced.
        "mean": both are drawn around means of those that succeeded (JADE). "history": around one of six remembered
        means, weighted by what was gained (SHADE).
    evaluations : int, optional
        With "history", the population shrinks linearly from `size` to 4 members, which it has after so many
        evaluations: L-SHADE. By default it keeps its size.
    greed : float, default 0.11
        The share of members that count as the best, above 0 and up to 1; they are at least two.
    scale, rate : float, optional
        The scale and the rate, each in 0 ... 1: fixed ones, by default 0.5 and 0.9, or the first means, by default 0.5.

    Notes
    -----
    R. Storn and K. Price, "Differential evolution: a simple and efficient heuristic for global optimization over
    continuous spaces", Journal of Global Optimization 11, 1997. J. Zhang and A. C. Sanderson, "JADE: adaptive
    differential evolution with optional external archive", IEEE Transactions on Evolutionary Computation 13, 2009. R.
    Tanabe and A. S. Fukunaga, "Improving the search performance of SHADE using linear population size reduction", CEC
    2014. What replaces an archived member where the archive is full is drawn at random, as there.
    """

    size: int = whole_field(4, 2**20, default=100, metadata={"tune": Range(10, 400, log=True)})
    adaptation: str = field(default="history", metadata={"python only": True})
    evaluations: int | None = whole_field(1, 2**40, default=None)
    greed: float = real_field(0, 1, default=0.11, kw_only=True)
    scale: float | None = real_field(0, 1, default=None, kw_only=True, metadata={"python only": True})
    rate: float | None = real_field(0, 1, default=None, kw_only=True, metadata={"python only": True})

    source: ClassVar[str] = "differential_evolution.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    draws_solutions: ClassVar[bool] = True
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse an unknown adaptation, and a population that shrinks without a history."""
        if self.adaptation not in ("history", "mean", "none"):
            raise InputError(
                f'`DifferentialEvolution.adaptation` must be "history", "mean" or "none", but is {self.adaptation!r}.',
                'use "history", the default.',
            )
        if self.evaluations is not None and self.adaptation != "history":
            raise InputError(
                "`DifferentialEvolution.evaluations` is the length of a run in which the population shrinks, with "
                f'adaptation="history", but adaptation is {self.adaptation!r}.',
                "leave it out.",
            )

    @classmethod
    def lshade(cls, n: int, evaluations: int) -> Self:
        """L-SHADE with its published parameters: 18 n members at first.

        Parameters
        ----------
        n : int
            The number of entries of a solution.
        evaluations : int
            The length of the run, after which 4 members are left.
        """
        return cls(18 * n, "history", evaluations)

    @property
    def adapts(self) -> bool:
        """Whether scale and rate adapt."""
        return self.adaptation != "none"

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("differential_evolution.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other, and several objectives."""
        super().require(problem)
        require_independent(problem, "DifferentialEvolution")

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether scale and rate adapt, whether several means are remembered, and whether the population shrinks."""
        return {
            "adapts": self.adapts,
            "remembers": self.adaptation == "history",
            "shrinks": self.evaluations is not None,
        }

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`domains`, the number of values of each entry, and `beginning`, the first scale and the first rate."""
        scale = 0.5 if self.scale is None else self.scale
        rate = (0.5 if self.adapts else 0.9) if self.rate is None else self.rate
        return {
            "domains": np.minimum(domains_of(representation), 2**31 - 1).astype(np.int32),
            "beginning": np.array([scale, rate]),
        }

    def _archived(self) -> int:
        """The most solutions of the archive."""
        return {"history": self.size * 13 // 5, "mean": self.size, "none": 1}[self.adaptation]

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The members and the trials with their costs, the archive, and what adapts."""
        n, size = representation.length, self.size
        memories = _MEMORIES if self.adaptation == "history" else 1
        return {
            "solutions": Array((size, n), "item", costs="costs", rows="filled", far=True),
            "costs": Array((size,), "total"),
            "filled": Array((), "int64", within=(0, size)),
            "now": Array((), "int64", within=(4, size)),
            "made": Array((), "int64", within=COUNT),
            "trials": Array((size, n), "item", costs="trial_costs", rows="born", far=True),
            "trial_costs": Array((size,), "total", far=True),
            "born": Array((), "int64", within=(0, size - 1)),
            "order": Array((size,), "int64", within=(0, size - 1)),
            "scales": Array((size,), "float64", far=True),
            "rates": Array((size,), "float64", far=True),
            "archive": Array((self._archived(), n), "item", far=True),
            "archived": Array((), "int64", within=(0, self._archived())),
            "scale_memory": Array((memories,), "float64"),
            "rate_memory": Array((memories,), "float64"),
            "remembered": Array((), "int64", within=(0, memories - 1)),
        }

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """No members yet; the first means."""
        kept = zeros(self.state(start.representation), start)
        kept["now"][()] = self.size
        kept["scale_memory"][:], kept["rate_memory"][:] = self.tables(start.representation)["beginning"]
        return kept

    def draw(self, kept: Kept, walk: Walk) -> tuple[Solution, Any]:
        if kept["filled"] < kept["now"]:
            return walk.current.representation.random(walk.random(Stream.RESTART)), None
        return self._trial(kept, walk)

    def keep(self, kept: Kept, drawn: Any) -> None:
        if drawn is not None:
            own = int(kept["born"])
            kept["scales"][own], kept["rates"][own] = drawn

    def left(self, kept: Kept) -> int:
        return int(kept["now"] - (kept["filled"] if kept["filled"] < kept["now"] else kept["born"]))

    def pass_over(self, kept: dict[str, Any]) -> None:
        name = "filled" if kept["filled"] < kept["now"] else "born"
        kept[name] = kept[name] + 1

    def take_in(self, kept: Kept, walk: Walk) -> None:
        """The solution joins the members while there is room, then the trials."""
        joins = kept["filled"] < kept["now"]
        place = int(kept["filled"] if joins else kept["born"])
        kept["solutions" if joins else "trials"][place] = walk.current.solution
        kept["costs" if joins else "trial_costs"][place] = walk.current.cost
        if joins:
            kept["filled"][()] += 1
            if kept["filled"] == kept["now"]:
                _put_in_order(kept)
            return
        kept["born"][()] += 1
        if kept["born"] < kept["now"]:
            return
        if self.adapts:
            self._learn(kept)
        self._survive(kept, walk.random(Stream.TIES))
        _put_in_order(kept)
        kept["made"][()] += kept["now"]
        if self.evaluations is not None:
            self._shrink(kept, walk.random(Stream.TIES), self.evaluations)
        kept["born"][()] = 0

    def _learn(self, kept: Kept) -> None:
        """The memories move towards the scales and the rates of trials that were better."""
        remembers = self.adaptation == "history"
        weights = scale = squared_scale = rate = squared_rate = 0.0
        for s in range(int(kept["now"])):
            trial, own = kept["trial_costs"][s].item(), kept["costs"][s].item()
            if not trial < own:
                continue
            weight = float(own) - float(trial) if remembers else 1.0
            f, c = kept["scales"][s].item(), kept["rates"][s].item()
            weights += weight
            scale += weight * f
            squared_scale += weight * (f * f)
            rate += weight * c
            squared_rate += weight * (c * c)
        if not weights > 0.0:
            return
        h, scales, rates = int(kept["remembered"]), kept["scale_memory"], kept["rate_memory"]
        if remembers:
            scales[h] = squared_scale / scale
            rates[h] = -1.0 if rates[h] < 0.0 or not rate > 0.0 else squared_rate / rate
        else:
            scales[h] = 0.9 * scales[h] + 0.1 * (squared_scale / scale)
            rates[h] = 0.9 * rates[h] + 0.1 * (rate / weights)
        kept["remembered"][()] = (h + 1) % len(scales)

    def _survive(self, kept: Kept, random: Random) -> None:
        """Each trial that is not worse takes the place of its member; a worse member goes into the archive."""
        archive = kept["archive"]
        for s in range(int(kept["now"])):
            trial, own = kept["trial_costs"][s], kept["costs"][s]
            if trial > own:
                continue
            if self.adapts and trial < own:
                full = kept["archived"] >= len(archive)
                archive[random.index(s, len(archive)) if full else int(kept["archived"])] = kept["solutions"][s]
                kept["archived"][()] += not full
            kept["solutions"][s], kept["costs"][s] = kept["trials"][s], trial

    def _shrink(self, kept: Kept, random: Random, evaluations: int) -> None:
        """The best members remain, the fewer the more evaluations are made."""
        spent = min(int(kept["made"]), evaluations)
        fewer = self.size - ((self.size - 4) * spent * 2 + evaluations) // (2 * evaluations)
        if fewer >= kept["now"]:
            return
        best = kept["order"][:fewer]
        kept["trials"][:fewer], kept["trial_costs"][:fewer] = kept["solutions"][best], kept["costs"][best]
        kept["solutions"][:fewer], kept["costs"][:fewer] = kept["trials"][:fewer], kept["trial_costs"][:fewer]
        kept["now"][()] = kept["filled"][()] = fewer
        _put_in_order(kept)
        draw = self.size
        while kept["archived"] > min(fewer * 13 // 5, len(kept["archive"])):
            place = random.index(draw, int(kept["archived"]))
            kept["archived"][()] -= 1
            kept["archive"][place] = kept["archive"][int(kept["archived"])]
            draw += 1

    def _trial(self, kept: Kept, walk: Walk) -> tuple[Solution, tuple[float, float]]:
        """The trial of the next member, with its scale and its rate."""
        space = walk.current.representation
        tables = self.tables(space)
        random, crossing = walk.random(Stream.SELECTION), walk.random(Stream.RECOMBINATION)
        own, now, solutions = int(kept["born"]), int(kept["now"]), kept["solutions"]
        forced = random.index(4, space.length)
        scale, rate = tables["beginning"].tolist()
        if self.adapts:
            h = random.index(0, len(kept["scale_memory"]))
            rate = _drawn_rate(kept["rate_memory"][h].item(), random)
            scale = _drawn_scale(kept["scale_memory"][h].item(), random)
            elite = min(max(floor(self.greed * float(now) + 0.5), 2), now)
            first = _besides(random.index(2, now - 1), own)
            second = _besides(random.index(3, now + int(kept["archived"]) - 2), own, first)
            base, guide = solutions[own], solutions[kept["order"][random.index(1, elite)]]
            plus = solutions[first]
            minus = solutions[second] if second < now else kept["archive"][second - now]
        else:
            first = _besides(random.index(1, now - 1), own)
            second = _besides(random.index(2, now - 2), own, first)
            third = _besides(random.index(3, now - 3), own, first, second)
            base = guide = solutions[first]
            plus, minus = solutions[second], solutions[third]
        words = np.array([crossing.bits(k) for k in range(space.length)], np.float64)
        crosses = (words < rate * 4294967296.0) | (np.arange(space.length) == forced)
        real = [each.astype(np.float64) for each in (base, guide, plus, minus)]
        values = (real[0] + scale * (real[1] - real[0])) + scale * (real[2] - real[3])
        parent = solutions[own].astype(np.int64)
        trial = np.where(crosses, rebounded(values, parent, tables["domains"] - 1), parent).astype(space.dtype)
        return trial, (scale, rate)


def _put_in_order(kept: Kept) -> None:
    """The members by rank: by cost, then by index."""
    now = int(kept["now"])
    kept["order"][:now] = np.argsort(kept["costs"][:now], kind="stable")


def _besides(k: int, *excluded: int) -> int:
    """The k-th number that is none of some excluded ones."""
    for each in sorted(excluded):
        k += k >= each
    return k


def rebounded(values: np.ndarray, origin: np.ndarray, most: Any) -> np.ndarray:
    """Entries that are brought back between their bounds: half the way from the origin to the bound they passed."""
    nearest = np.floor(values + 0.5)
    inside = np.where(nearest > most, (origin + most) // 2, nearest)
    return np.where(nearest >= 0.0, inside, origin // 2).astype(np.int64)


def _drawn_rate(middle: float, random: Random) -> float:
    return 0.0 if middle < 0.0 else min(max(middle + 0.1 * normal(random, 5), 0.0), 1.0)


def _drawn_scale(middle: float, random: Random) -> float:
    for draw in range(6, 70):
        found = middle + 0.1 * cauchy(random, draw)
        if found > 0.0:
            return min(found, 1.0)
    return middle
