"""Search spaces of Optuna as problems, and our searches as samplers of Optuna."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.open.ask_tell import ToldCost, ask
from metaheur.open.graphs import package
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.representations.domains import Domains
from metaheur.search import Search
from metaheur.validate import whole

__all__ = ["FromOptuna", "as_optuna", "from_optuna"]


@final
@frozen(eq=False)
class FromOptuna(Problem):
    """A function of parameters, whose ranges are Optuna's distributions; made by `from_optuna`.

    Parameters
    ----------
    value : callable
        A function of a dict of parameters; it returns what is to be minimised.
    distributions : mapping of str to optuna.distributions.BaseDistribution
        The range of each parameter.
    points : int
        Points of each range of fractions without a step.
    """

    value: Callable[[dict[str, Any]], float] = field()
    distributions: Mapping[str, Any] = field()
    points: int = field()
    cost_type = "float64"

    @property
    def representation(self) -> Domains:
        """A whole number for each parameter, in the order of their names in `distributions`."""
        return Domains([_size(each, self.points) for each in self.distributions.values()])

    def parameters(self, x: Solution) -> dict[str, Any]:
        """The parameters of a solution."""
        pairs = zip(self.distributions.items(), np.asarray(x).tolist(), strict=True)
        return {name: _value(each, k, self.points) for (name, each), k in pairs}

    def cost(self, x: Solution) -> float:
        return float(self.value(self.parameters(x)))


def from_optuna(
    value: Callable[[dict[str, Any]], float], distributions: Mapping[str, Any], *, points: int = 101
) -> FromOptuna:
    """A problem from a function of parameters and their ranges in Optuna.

    Parameters
    ----------
    value : callable
        A function of a dict of parameters; it returns what is to be minimised.
    distributions : mapping of str to optuna.distributions.BaseDistribution
        The range of each parameter: numbers, whole or not, by steps or logarithmic, and choices.
    points : int, default 101
        Points of each range of fractions without a step, both ends included.

    Raises
    ------
    InputError
        If Optuna is not installed, or a parameter has no range of more than one value.
    """
    known = package("optuna.distributions").BaseDistribution
    if not distributions or not all(isinstance(each, known) for each in distributions.values()):
        raise InputError("`distributions` must be a mapping of names to distributions of Optuna.")
    return FromOptuna(value, dict(distributions), whole(points, "points", 2))


def as_optuna(search: Search[Any], seed: int = 0, *, points: int = 101) -> Any:
    """A search as a sampler of Optuna: ``optuna.create_study(sampler=as_optuna(GeneticAlgorithm()))``.

    The first trial draws at random, and shows which parameters there are; from then on the search proposes those that
    every trial has. Trials that run side by side get other solutions; a trial that fails costs the most.

    Parameters
    ----------
    search : Search
        A search that acts on vectors with a domain for each entry.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    points : int, default 101
        As for `from_optuna`.

    Returns
    -------
    optuna.samplers.BaseSampler

    Raises
    ------
    InputError
        If Optuna is not installed, or a study has several objectives.
    """
    optuna = package("optuna")
    parent: Any = optuna.samplers.BaseSampler

    class AsOptuna(parent):  # type: ignore[misc]
        def __init__(self) -> None:
            self._shared = optuna.search_space.IntersectionSearchSpace()
            self._alone = optuna.samplers.RandomSampler(seed)
            self._proposals = _Proposals(search, seed, points)

        def infer_relative_search_space(self, study: Any, trial: Any) -> dict[str, Any]:
            found = self._shared.calculate(study)
            return {name: each for name, each in found.items() if not each.single()}

        def sample_relative(self, study: Any, trial: Any, search_space: dict[str, Any]) -> dict[str, Any]:
            if len(study.directions) > 1:
                raise InputError("A study with several objectives cannot be sampled by a search.")
            return self._proposals.propose(trial.number, search_space) if search_space else {}

        def sample_independent(self, study: Any, trial: Any, name: str, distribution: Any) -> Any:
            return self._alone.sample_independent(study, trial, name, distribution)

        def after_trial(self, study: Any, trial: Any, state: Any, values: Any) -> None:
            failed = values is None or state != optuna.trial.TrialState.COMPLETE
            sign = -1 if study.direction == optuna.study.StudyDirection.MAXIMIZE else 1
            self._proposals.take(trial.number, 1e306 if failed else sign * values[0])

    return AsOptuna()


@final
class _Proposals:
    """The proposals of a search for the trials of a study.

    `search`, `seed`, `points`: as for `as_optuna`.
    """

    def __init__(self, search: Search[Any], seed: int, points: int) -> None:
        self.search, self.seed, self.points = search, seed, points
        self._asked: dict[int, np.ndarray] = {}
        self._problem: FromOptuna | None = None
        self._loop: Any = None

    def propose(self, trial: int, space: dict[str, Any]) -> dict[str, Any]:
        """Parameters for a trial; none where the search waits for costs, or asks for nothing new."""
        if self._problem is None or dict(self._problem.distributions) != space:
            self._problem = from_optuna(_never, space, points=self.points)
            self._loop = ask(self.search, ToldCost(self._problem.representation), self.seed)
            self._asked.clear()
        found = self._loop.ask(1)
        if not len(found):
            return {}
        self._asked[trial] = found[0]
        return self._problem.parameters(found[0])

    def take(self, trial: int, cost: float) -> None:
        """Take the cost of a trial, if the search proposed it."""
        if (x := self._asked.pop(trial, None)) is not None:
            self._loop.tell(x, [cost])


def _never(_: dict[str, Any]) -> float:
    raise InputError("The values of a study are told.")


def _size(distribution: Any, points: int) -> int:
    """The number of values of a parameter."""
    if hasattr(distribution, "choices"):
        return len(distribution.choices)
    step = distribution.step
    if step is None or distribution.log:
        return points if isinstance(distribution.high, float) else min(points, distribution.high - distribution.low + 1)
    count: int = 1 + round((distribution.high - distribution.low) / step)
    return count


def _value(distribution: Any, k: int, points: int) -> Any:
    """Value k of a parameter."""
    if hasattr(distribution, "choices"):
        return distribution.choices[k]
    low, high, size = distribution.low, distribution.high, _size(distribution, points)
    if distribution.step is not None and not distribution.log:
        return type(low)(low + k * distribution.step)
    share = k / (size - 1) if size > 1 else 0.0
    found = float(low * (high / low) ** share) if distribution.log else low + share * (high - low)
    return round(found) if isinstance(low, int) else min(max(float(found), low), high)
