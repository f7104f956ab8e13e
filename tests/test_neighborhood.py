"""Neighborhoods: what does not fit is refused, what is optional is left out, and what fits generates its kernels."""

from typing import ClassVar

import numpy as np
import pytest
from attrs import field, frozen

from metaheur import HillClimbing, Neighborhood, Problem, Source
from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.shell import Shell
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.random import Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from tests.helpers import advanced, started
from tests.toys import Adjacent, Inversions, Rotations


def test_a_representation_that_fits_passes() -> None:
    Swap().require(Permutation(5), "this QAP")
    Swap().require(Permutation(5, cyclic=True), "this tour")
    Rotations().require(DiscreteVector(3, 2), "this problem")


@pytest.mark.parametrize(
    ("neighborhood", "representation", "reason"),
    [
        (Swap(), BitString(64), r"Swap does not act on BitString\(n=64\), which represents this MaxCut\."),
        (Swap(), DiscreteVector(3, 2), r"Swap does not act on DiscreteVector\(n=3, k=2\), which represents this"),
        (Rotations(), Permutation(13), r"Rotations does not act on Permutation\(n=13, cyclic=False\), which"),
    ],
)
def test_a_representation_that_does_not_fit_is_refused_with_both_names(
    neighborhood: Neighborhood, representation: Representation, reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        neighborhood.require(representation, "this MaxCut")
    assert caught.value.maybe


def test_what_is_optional_is_left_out_by_default() -> None:
    space, neighborhood = DiscreteVector(3, 2), Rotations()
    assert neighborhood.batch(space, np.arange(1)) is NotImplemented
    assert neighborhood.source is None
    assert neighborhood.move_types == ()
    assert neighborhood.writes is None
    assert neighborhood.variants == 0
    assert neighborhood.connecting_move(space, 0, 1, 0) is None
    assert not neighborhood.partial
    assert not neighborhood.resamples
    assert neighborhood.resampled(Random(Key(1), 0, 0)) is neighborhood
    assert neighborhood.cpp_name == "Rotations"


@frozen
class Recorded(Neighborhood):
    """The moves of `Adjacent`, and a list of the kernels that were asked for."""

    kernels: list[CompiledUnit] = field(factory=list, eq=False, metadata={"python only": True})

    source: ClassVar[Source] = Source(Adjacent.source.text.replace("Adjacent : Adjacent", "Recorded : Recorded"))
    move_types = Adjacent.move_types
    writes = Adjacent.writes
    supports = Adjacent.supports
    size = Adjacent.size
    moves = Adjacent.moves
    move = Adjacent.move
    index = Adjacent.index

    def kernel(self, problem: Problem, shell: Shell, device: Device) -> CompiledUnit:
        self.kernels.append(super().kernel(problem, shell, device))
        return self.kernels[-1]


@pytest.mark.parametrize("resident", [True, False])
def test_all_kernels_are_the_neighborhoods_which_may_make_its_own(compiling: Device, resident: bool) -> None:
    neighborhood, problem = Recorded(), Inversions(6)
    search = HillClimbing(neighborhood)
    runner = IterationLevel(compiling.name, resident=resident).bind(search, problem)
    state, _ = advanced(runner, started(search, problem), 100, 100)
    assert (state.walk.current.cost, state.finished) == (0, True)
    texts = [kernel.unit.text for kernel in neighborhood.kernels]
    assert all("struct Recorded : RecordedData" in text for text in texts)
    assert any("MH_ENTRY(drive" in text for text in texts) == resident


def test_a_neighborhood_generates_its_kernel_for_a_problem(compiling: Device) -> None:
    unit = Swap().kernel(QAP.random(5, 1), moves_of(Swap()), compiling)
    assert "struct Swap : SwapData" in unit.unit.text
    assert "struct QAP : QAPData" in unit.unit.text
    assert unit.function("evaluate") is not None


def test_a_neighborhood_in_python_only_has_no_kernel() -> None:
    with pytest.raises(InputError, match=r"Rotations has no C\+\+ half"):
        Rotations().kernel(QAP.random(5, 1), moves_of(Rotations()), Host())
