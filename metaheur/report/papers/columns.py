"""Columns of ours in a paper's table: what each computes from runs, and what it is compared with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.parallel import IterationLevel, Multistart
from metaheur.problem import Problem
from metaheur.report.papers.budget import Budget
from metaheur.report.table import number_text
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.search import Search

__all__ = ["Column", "Excess", "FrontSize", "MadeRuns", "Optimal", "Plan", "Planned", "Seconds", "Share", "SpeedUp"]

Cell = str | float | None


@final
@frozen(eq=False)
class Planned:
    """Runs on an instance, from which columns are computed.

    `model`: the parallel model. `budget`: the work of a run. `runs`: how often they ran the instance. `gpus` and
    `cores`: how many of them the runs need. `scale`: the paper's work is so many times that of a run: seconds are
    multiplied, and marked as extrapolated. `start`, array_like or str: as for `run`.
    """

    search: Search[Any]
    model: ParallelModel
    budget: Budget
    runs: int
    gpus: int = field(default=0, kw_only=True)
    cores: int = field(default=1, kw_only=True)
    scale: float = field(default=1, kw_only=True)
    start: Any = field(default=None, kw_only=True)

    @property
    def on_one_core(self) -> bool:
        """Whether the runs take one core and no GPU."""
        model = self.model
        return isinstance(model, IterationLevel | Multistart) and (model.device, model.threads) == ("host", 1)

    def with_one_walk(self) -> Planned:
        """The same with one walk, where one thread of a CPU would make many, one after the other."""
        model = self.model
        if not isinstance(model, Multistart) or not self.on_one_core or self.scale != 1:
            return self
        return evolve(self, model=evolve(model, walks=1), scale=model.walks)


Plan = Callable[[str, Problem], Planned]
"""The runs for a row, by its name, and one of its instances."""


@final
@frozen(eq=False)
class MadeRuns:
    """Runs that were made, on all instances of a row; for all of these the plan has the same budget and scale."""

    plan: Planned
    results: tuple[Result, ...]

    def seconds(self) -> tuple[str, float] | None:
        """The mean seconds of the paper's work, behind the budget's mark; None if the runs do not tell."""
        found = self.plan.budget.seconds(self.results) if self.results else None
        if found is None:
            return None
        mark, seconds = found
        return mark or ("~" if self.plan.scale != 1 else ""), seconds * self.plan.scale

    def deviation(self) -> float | None:
        """The standard deviation of the seconds of several runs on an instance; None if it is unknown."""
        found = [self.plan.budget.seconds([each]) for each in self.results] if self.plan.runs > 1 else []
        seconds = [each[1] * self.plan.scale for each in found if each is not None]
        return float(np.std(seconds, ddof=1)) if len(seconds) > 1 else None

    @property
    def cut(self) -> bool:
        """Whether a run did not do all of the paper's work."""
        found = self.seconds()
        return found is None or found[0] != ""

    @property
    def note(self) -> str:
        """What a reader must know of these runs; "" for nothing."""
        remark = self.plan.budget.note(self.results) if self.results else ""
        found, deviation = self.seconds(), self.deviation()
        if remark or found is None or deviation is None or deviation <= found[1]:
            return remark
        return "a few runs took much longer than the others, so that the deviation is above the mean"


class Column(ABC):
    """A column of ours.

    `against`: the place of the column of theirs to which it is compared; None if it is compared to none. `compares`:
    whether theirs is divided by ours; False by default.
    """

    against: int | None
    compares: ClassVar[bool] = False

    @property
    def ratio(self) -> bool:
        """Whether a column behind it has theirs divided by ours."""
        return self.compares and self.against is not None

    @property
    @abstractmethod
    def uses(self) -> tuple[str, ...]:
        """The names of the plans from whose runs it is computed."""

    @abstractmethod
    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        """Ours, and theirs divided by ours; None where runs do not tell.

        `name`: the name of the row. `made`: the runs of the plans that it uses. `theirs`: what the paper has.
        """


class ColumnOfPlan(Column):
    """A column that is computed from the runs of one plan.

    `plan`: the name of the plan.
    """

    plan: str

    @property
    def uses(self) -> tuple[str, ...]:
        """The name of the plan."""
        return (self.plan,)


@final
@frozen
class Seconds(ColumnOfPlan):
    """The mean seconds of a plan, and the standard deviation behind ±, if it has several runs on an instance."""

    plan: str
    against: int | None
    compares: ClassVar[bool] = True

    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        found = made[self.plan].seconds()
        if found is None:
            return None, None
        mark, seconds = found
        ratio = None if theirs is None else theirs / seconds
        text = f"{mark}{number_text(float(f'{seconds:.3g}'))}"
        deviation = made[self.plan].deviation()
        if deviation is not None:
            text += f" ± {number_text(float(f'{deviation:.1g}'))}"
        return text, f"<{number_text(ratio)}" if mark == ">" and ratio is not None else ratio


@final
@frozen
class SpeedUp(Column):
    """How many times as fast one plan is as another one; nothing unless both did the same work."""

    fast: str
    slow: str
    against: int | None
    compares: ClassVar[bool] = True

    @property
    def uses(self) -> tuple[str, ...]:
        return self.fast, self.slow

    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        slow, fast = made[self.slow], made[self.fast]
        before, after = slow.seconds(), fast.seconds()
        if before is None or after is None or not slow.plan.budget.same(slow.results, fast.results):
            return None, None
        ours = before[1] / after[1]
        ratio = None if theirs is None else theirs / ours
        extrapolated = "~" in (before[0], after[0])
        return (f"~{number_text(float(f'{ours:.3g}'))}" if extrapolated else ours), ratio


@final
@frozen
class Share(ColumnOfPlan):
    """The mean share of a run's time in one of its parts, in per cent; "~" if a run did not do all its work.

    `against`: as in `Column`.
    """

    plan: str
    part: str
    against: int | None

    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        shares = [self._share(each) for each in made[self.plan].results if each.seconds]
        if not shares:
            return None, None
        share = round(100 * float(np.mean(shares)), 2)
        return (f"~{number_text(share)}" if made[self.plan].cut else share), None

    def _share(self, result: Result) -> float:
        spent = result.performance
        parts = {"evaluation": spent.evaluation_seconds, "archiving": spent.archiving_seconds}
        return (parts[self.part] if self.part in parts else result.seconds - sum(parts.values())) / result.seconds


@final
@frozen
class FrontSize(ColumnOfPlan):
    """The mean number of members of the fronts; "so far" if a run did not do all its work."""

    plan: str
    against: int | None
    compares: ClassVar[bool] = True

    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        fronts = [len(each.front) for each in made[self.plan].results if each.front is not None]
        if not fronts:
            return None, None
        ours = float(np.mean(fronts))
        if made[self.plan].cut:
            return f"{number_text(ours)} so far", None
        return ours, None if theirs is None else theirs / ours


@final
@frozen
class Optimal(ColumnOfPlan):
    """The share of the runs that found an optimum; a lower bound, ">", if a run did not do all its work."""

    plan: str
    optima: Mapping[str, int]
    against: int | None

    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        found = _excesses(made[self.plan].results, self.optima[name])
        share = float(np.mean([each == 0 for each in found])) if found else None
        return _bounded(share, 1.0, ">", made[self.plan]), None


@final
@frozen
class Excess(ColumnOfPlan):
    """The mean excess of the best costs over an optimum, in per cent; "<" if a run did not do all its work."""

    plan: str
    optima: Mapping[str, int]
    against: int | None

    def cells(self, name: str, made: Mapping[str, MadeRuns], theirs: float | None) -> tuple[Cell, Cell]:
        found = _excesses(made[self.plan].results, self.optima[name])
        mean = round(float(np.mean(found)), 3) if found else None
        return _bounded(mean, 0.0, "<", made[self.plan]), None


def _bounded(value: float | None, best: float, mark: str, made: MadeRuns) -> Cell:
    """A value, behind a mark if runs were cut short and it can still become better."""
    return f"{mark}{number_text(value)}" if value not in (None, best) and made.cut else value


def _excesses(results: Sequence[Result], optimum: int) -> list[float]:
    """How far the best cost of each run is above the optimum, in per cent."""
    return [100 * (each.cost / optimum - 1) for each in results]
