"""Placements: the same walks, whatever memory of a GPU has the problem's data; and what does not fit is refused."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Problem, TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Swap, TwoOpt
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parallel.choose import require_staged
from metaheur.problems import QAP, TSP
from metaheur.runners.drive import Team, drive
from tests.device.compilers import NoGPU
from tests.runners.test_resident import instance

PLACEMENTS = ["shared", "global", "read-only", "texture", "constant"]
TABU = TabuSearch(Swap())

PROBLEMS: dict[str, tuple[Problem, Any]] = {
    "bytes": (QAP.taillard(12), TABU),
    "words of 64 bits": (instance("large", 12), HillClimbing(Swap())),
    "two bytes, asymmetric": (QAP(*np.random.default_rng(3).integers(-300, 300, (2, 9, 9))), HillClimbing(Swap())),
    "coordinates": (TSP.random(30, 1), HillClimbing(TwoOpt())),
}


def resident(problem: Problem, placement: str, architecture: str = "sm_90") -> str:
    gpu: Any = NoGPU(architecture, placement)
    loop = TABU.loop
    assert loop is not None
    return compose(problem, drive(loop, problem, gpu, Team("warp", 128)), gpu).text


@pytest.mark.parametrize(("n", "fit"), [(80, 2), (100, 3), (150, 1)])
def test_two_blocks_divide_shared_memory_if_what_every_step_reads_fits_into_a_half(n: int, fit: int) -> None:
    gpu: Any = NoGPU()
    loop = TABU.loop
    assert loop is not None
    alone, divided = (
        compose(QAP.random(n, seed=1), drive(loop, QAP.random(n, seed=1), gpu, Team("block", 256, beside=each)), gpu)
        for each in (1, 2)
    )
    assert gpu.shared_memory // divided.launch.shared == fit
    assert divided.launch.shared <= alone.launch.shared <= gpu.shared_memory


@pytest.mark.cuda
@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_walks_are_the_same_wherever_data_lies(name: str, placement: str, gpu: Device) -> None:
    problem, search = PROBLEMS[name]
    expected, found = (
        run(search, problem, stop=stop.iterations(80), seed=3, parallel=model).walks
        for model in (Multistart(5, device="host"), Multistart(5, "warp", device=gpu.name, placement=placement))
    )
    assert found.costs.tolist() == expected.costs.tolist()
    assert found.improved_at.tolist() == expected.improved_at.tolist()


@pytest.mark.cuda
@pytest.mark.parametrize("placement", ["global", "texture", "constant"])
def test_a_walk_that_python_steps_is_the_same_wherever_data_lies(placement: str, gpu: Device) -> None:
    one, other = (
        run(TABU, QAP.taillard(12), stop=stop.iterations(30), seed=3, parallel=model)
        for model in ("host", IterationLevel(gpu.name, resident=False, placement=placement))
    )
    assert (one.cost, one.solution.tolist()) == (other.cost, other.solution.tolist())


@pytest.mark.cuda
def test_problems_that_differ_in_constants_alone_do_not_meet(gpu: Device) -> None:
    first, second = QAP.random(9, 1), QAP.random(9, 2)
    device = device_of(gpu.name, "constant")
    kernels = [Swap().kernel(problem, device, moves_of(Swap())) for problem in (first, second)]
    assert kernels[0].unit.text != kernels[1].unit.text


def test_a_placement_is_in_the_types_of_the_data_alone() -> None:
    problem = QAP.taillard(12)
    assert "u8, Shared>" in resident(problem, "auto")
    assert resident(problem, "shared") == resident(problem, "auto")
    for placement, place in {"global": "Global", "read-only": "ReadOnly", "texture": "Texture"}.items():
        assert f"u8, {place}>" in resident(problem, placement)
        assert "u8, Shared>" not in resident(problem, placement)


def test_constants_are_part_of_the_unit() -> None:
    text = resident(QAP.taillard(12), "constant")
    words = text.partition("mh_constants[")[2].partition("};")[0]
    first = np.array([int(word.split("{")[-1], 16) for word in words.split(",")], "<u4").view(np.uint8)
    assert first[:12].tolist() == QAP.taillard(12).a[0].tolist()


@pytest.mark.parametrize(
    ("problem", "placement", "architecture", "reason"),
    [
        (
            QAP.random(200, 1),
            "constant",
            "sm_90",
            r"QAP\.b takes 40,800 bytes, but 24,736 of the 65,536 bytes of const",
        ),
        (QAP.random(400, 1), "shared", "sm_90", r"QAP\.b takes 161,600 bytes, but 68,784 of the 230,400 bytes of sh"),
        (QAP.random(300, 1), "shared", "sm_80", r"QAP\.b takes 90,000 bytes, but 74,848 of the 164,864 bytes of sha"),
    ],
)
def test_an_array_that_does_not_fit_is_named(problem: QAP, placement: str, architecture: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        resident(problem, placement, architecture)
    assert caught.value.maybe == 'use placement="auto".'


def test_shared_memory_is_for_loops_that_stay_on_a_gpu() -> None:
    gpu: Any = NoGPU(placement="shared")
    require_staged(TABU, gpu, resident=True)
    with pytest.raises(InputError, match="here TabuSearch keeps no walk on cuda:0"):
        require_staged(TABU, gpu, resident=False)


@pytest.mark.parametrize("model", [IterationLevel, lambda **more: Multistart(2, **more)])
def test_other_placements_are_refused(model: Any) -> None:
    with pytest.raises(
        InputError, match=r'placement` must be one of "auto", "shared", "global", .*, but is \'surface\''
    ):
        model(placement="surface")
