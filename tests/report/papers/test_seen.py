"""A table says which runs the clock ended, and whether devices made the same walks."""

from attrs import evolve

from metaheur import HillClimbing
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.report.papers.budget import Iterations
from metaheur.report.papers.columns import MadeRuns, Planned
from metaheur.report.papers.seen import Seen
from metaheur.running.result import Result
from tests.running.test_result import RESULT

WHOLE = evolve(RESULT, stopped_by="iterations")
CUT = evolve(RESULT, stopped_by="seconds", seconds=1.5)


def seen(*of_plans: tuple[str, Result], alike: bool = True) -> list[str]:
    found = Seen()
    for plan, result in of_plans:
        made = MadeRuns(Planned(HillClimbing(Swap()), IterationLevel(), Iterations(10), 1), (result,))
        found.add("row", plan, made, alike=alike)
    return list(found.notes(3))


def test_walks_of_several_devices_are_compared() -> None:
    other = evolve(WHOLE, cost=WHOLE.cost + 1)
    assert seen(("core", WHOLE), ("GPU", WHOLE)) == [
        "1 runs were made whole by several plans, and have one trajectory each."
    ]
    assert seen(("core", WHOLE), ("GPU", other)) == ["Runs of one seed differ: GPU and core."]
    assert seen(("core", WHOLE)) == seen(("core", WHOLE), ("GPU", other), alike=False) == []


def test_runs_that_the_clock_ended_are_counted_and_not_compared() -> None:
    told = ["GPU: the clock ended runs in 1 of 3 rows, after 1.5 s at most."]
    assert seen(("core", WHOLE), ("GPU", CUT)) == told
