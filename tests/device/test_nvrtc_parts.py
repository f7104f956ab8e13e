"""NVRTC's front end takes trials under every acceptance; and nothing that is shipped is left out."""

import inspect

import pytest

import metaheur.archives
import metaheur.loops
import metaheur.parts
from metaheur import First, Loop, Trial
from metaheur.neighborhoods import Swap
from metaheur.parts import (
    ByChance,
    Cooling,
    DiversifiedLateAcceptance,
    DynamicSpan,
    GreatDeluge,
    LateAcceptance,
    Linear,
    LundyMees,
    MovingAverage,
    NonLinearGreatDeluge,
    Part,
    Plateau,
    RecordToRecord,
    StepCounting,
    Threshold,
)
from metaheur.problems import QAP

pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")

from tests.device import test_nvrtc, test_nvrtc_nests, test_nvrtc_tabu
from tests.device.test_nvrtc import OWNERS, compiled, parts_of, resident
from tests.pairs import shipped

TRIALS: dict[str, Loop] = {
    "first improvement": First(Swap(), Plateau(3), "random"),
    **{
        type(acceptance).__name__: Trial(Swap(), acceptance)
        for acceptance in (
            Threshold(Cooling(5.0, Linear(0.1))),
            RecordToRecord(Cooling(5.0, LundyMees(0.1), reheats=3)),
            GreatDeluge(0.5),
            NonLinearGreatDeluge(),
            LateAcceptance(9),
            DiversifiedLateAcceptance(),
            StepCounting(9),
            MovingAverage(),
            ByChance(),
        )
    },
    "cut-offs": Trial(Swap(), Threshold(Cooling(5.0, DynamicSpan()))),
}
COMPILED: list[Loop] = [
    *test_nvrtc.LOOPS.values(),
    *test_nvrtc.TOURS.values(),
    *(loop for loop, _ in test_nvrtc_tabu.LOOPS.values()),
    *(search.loop for _, search in test_nvrtc_nests.NESTED.values() if search.loop is not None),
    *TRIALS.values(),
]


@pytest.mark.parametrize("name", TRIALS)
def test_trials_compile(name: str) -> None:
    for owner in ("a thread", "a block"):
        assert compiled(resident(QAP.taillard(12), TRIALS[name], OWNERS[owner]), "sm_90", binary=False)


def loops_of(loop: Loop) -> set[type]:
    """The classes of a loop and of those inside it."""
    inner = [each for _, each in metaheur.component.components_of(loop) if isinstance(each, Loop)]
    return {type(loop)}.union(*map(loops_of, inner))


def test_every_shipped_loop_and_part_is_compiled_for_a_gpu() -> None:
    members = (getattr(metaheur.loops, name) for name in metaheur.loops.__all__)
    shipped_loops = {each for each in members if inspect.isclass(each) and issubclass(each, Loop)} - {Loop}
    assert shipped_loops - set().union(*map(loops_of, COMPILED)) == set()
    assert shipped(metaheur.parts, Part) - set().union(*map(parts_of, COMPILED)) - test_nvrtc.ELSEWHERE == set()
    found = {type(part) for search in test_nvrtc.FRONTS.values() for part in search.device_parts}
    assert found == shipped(metaheur.archives, Part)
