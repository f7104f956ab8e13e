"""Columns compute what the paper has from runs, and mark what runs do not show."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import HillClimbing
from metaheur.machine.performance import Performance
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.report.papers.budget import Budget, Descents, Iterations, Proven
from metaheur.report.papers.columns import Excess, FrontSize, MadeRuns, Optimal, Planned, Seconds, Share, SpeedUp
from metaheur.running.proof import Counts, Proof
from metaheur.running.result import Result
from tests.running.test_result import RESULT

WALK = evolve(RESULT.walks.row(0), iterations=np.array([2000]), finished=np.array([False]))
RUN = evolve(RESULT, seconds=0.5, walks=WALK)


def made(*results: Result, budget: Budget | None = None, scale: float = 1, runs: int = 1) -> MadeRuns:
    plan = Planned(HillClimbing(Swap()), IterationLevel(), budget or Iterations(2000), runs, scale=scale)
    return MadeRuns(plan, results)


def test_seconds_are_compared_and_marked() -> None:
    column = Seconds("core", 0)
    assert column.cells("", {"core": made(RUN)}, 20.0) == ("0.5", 40.0)
    assert column.cells("", {"core": made(RUN, budget=Iterations(8000))}, 20.0) == ("~2", 10.0)
    assert column.cells("", {"core": made(RUN, scale=4)}, 20.0) == ("~2", 10.0)
    assert column.cells("", {"core": made(RUN)}, None) == ("0.5", None)
    assert column.cells("", {"core": made()}, 20.0) == (None, None)
    assert column.cells("", {"core": made(RUN, budget=Descents())}, 20.0) == (">0.5", "<40")


def test_seconds_of_several_runs_have_a_deviation() -> None:
    column, runs = Seconds("core", 0), [evolve(RUN, seconds=each) for each in (1.0, 2.0, 3.0)]
    assert column.cells("", {"core": made(*runs, runs=3)}, 20.0) == ("2 ± 1", 10.0)
    assert column.cells("", {"core": made(*runs, runs=3, scale=4)}, 20.0) == ("~8 ± 4", 2.5)
    assert column.cells("", {"core": made(*runs)}, 20.0) == ("2", 10.0)  # of several instances
    assert column.cells("", {"core": made(runs[0], runs=3)}, 20.0) == ("1", 20.0)


def test_a_deviation_above_the_mean_is_explained() -> None:
    runs = [evolve(RUN, seconds=each) for each in (1.0, 1.0, 1.0, 1.0, 9.0)]
    assert made(*runs, runs=5).note.startswith("a few runs took much longer")
    assert made(*runs[:4], runs=4).note == ""


def test_a_speed_up_is_of_the_same_work() -> None:
    column = SpeedUp("fast", "slow", 2)
    fast = evolve(RUN, seconds=0.125)
    assert column.cells("", {"slow": made(RUN), "fast": made(fast)}, 2.0) == (4.0, 0.5)
    assert column.cells("", {"slow": made(RUN, scale=2), "fast": made(fast)}, None) == ("~8", None)
    nodes = [evolve(RUN, proof=Proof("feasible", 1, 0, Counts(branched=each), 3, 0.1)) for each in (20, 30)]
    slow, less = (made(each, budget=Proven(20)) for each in nodes)
    assert column.cells("", {"slow": slow, "fast": less}, 2.0) == (None, None)


def test_shares_of_the_time_add_up() -> None:
    spent = Performance(seconds=0.5, evaluation_seconds=0.375, archiving_seconds=0.0625)
    runs = {"core": made(evolve(RUN, performance=spent))}
    found = [Share("core", part, None).cells("", runs, 99.0)[0] for part in ("evaluation", "archiving", "rest")]
    assert found == [75.0, 12.5, 12.5]
    cut = {"core": made(evolve(RUN, performance=spent), budget=Iterations(8000))}
    assert Share("core", "archiving", None).cells("", cut, 99.0)[0] == "~12.5"


def test_members_of_a_run_that_was_cut_short_are_so_far() -> None:
    members: Any = range(30)
    run = evolve(RUN, front=members)
    assert FrontSize("core", 0).cells("", {"core": made(run)}, 15.0) == (30.0, 0.5)
    assert FrontSize("core", 0).cells("", {"core": made(run, budget=Iterations(8000))}, 15.0) == ("30 so far", None)


def test_quality_is_a_bound_until_all_work_is_done() -> None:
    runs, optima = [evolve(RUN, cost=cost) for cost in (1000, 1010)], {"row": 1000}
    frequency, excess = Optimal("core", optima, 0), Excess("core", optima, 1)
    assert frequency.cells("row", {"core": made(*runs)}, 1.0)[0] == 0.5
    assert excess.cells("row", {"core": made(*runs)}, 0.0)[0] == 0.5
    cut = {"core": made(*runs, budget=Iterations(8000))}
    assert (frequency.cells("row", cut, 1.0)[0], excess.cells("row", cut, 0.0)[0]) == (">0.5", "<0.5")
    best = {"core": made(runs[0], budget=Iterations(8000))}
    assert (frequency.cells("row", best, 1.0)[0], excess.cells("row", best, 0.0)[0]) == (1.0, 0.0)
    assert excess.cells("row", {"core": made()}, 0.0)[0] is None


@pytest.mark.parametrize(("model", "walks"), [(Multistart(64, device="host", threads=1), 1), (Multistart(64), 64)])
def test_one_walk_of_a_core_stands_for_all(model: Multistart, walks: int) -> None:
    planned = Planned(HillClimbing(Swap()), model, Iterations(10), 30).with_one_walk()
    assert isinstance(planned.model, Multistart)
    assert (planned.model.walks, planned.scale) == (walks, 64 / walks)
