"""Neighborhoods: what does not fit is refused, what is optional is left out, and what fits generates its kernels."""

from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import HillClimbing, Neighborhood, Problem, Source, run, stop
from metaheur.device.device import Device
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhood import require_supported, resamples
from metaheur.neighborhoods import Insertion, Swap, Union
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.runners.resident import Driver
from metaheur.searches import VariableNeighborhoodDescent
from tests.helpers import advanced, started
from tests.toys import Adjacent, Inversions, Rotations


def test_a_representation_that_fits_passes() -> None:
    require_supported(Swap(), Permutation(5), "this QAP")
    require_supported(Swap(), Permutation(5, cyclic=True), "this tour")
    require_supported(Rotations(), DiscreteVector(3, 2), "this problem")


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
        require_supported(neighborhood, representation, "this MaxCut")
    assert caught.value.maybe


def test_what_is_optional_is_left_out_by_default() -> None:
    space, neighborhood = DiscreteVector(3, 2), Rotations()
    assert neighborhood.batch(space, np.arange(1)) is NotImplemented
    assert neighborhood.source is None
    assert neighborhood.move_types == ()
    assert neighborhood.writes is None
    assert not neighborhood.partial
    assert not resamples(neighborhood)
    assert neighborhood.cpp_name(Permutation(3)) == "Rotations"


@frozen
class Generated(Neighborhood):
    """The moves of `Adjacent`, whose C++ is written for each problem."""

    move_types = Adjacent.move_types
    writes = Adjacent.writes
    supports = Adjacent.supports
    size = Adjacent.size
    moves = Adjacent.moves
    move = Adjacent.move
    index = Adjacent.index

    def source_for(self, problem: Problem, device: Any) -> Source:
        text = Adjacent.source.text.replace("Adjacent : Adjacent", "Generated : Generated")
        return Source(f"// for {type(problem).__name__} on {device.kind}\n{text}")


@pytest.mark.parametrize("resident", [True, False])
def test_a_neighborhood_may_generate_its_own_half(compiling: Device, resident: bool) -> None:
    problem, search = Inversions(6), HillClimbing(Generated())
    runner = IterationLevel(compiling.name, resident=resident).bind(search, problem)
    state, _ = advanced(runner, started(search, problem), 100, 100)
    assert (state.walk.current.cost, state.finished) == (0, True)


def test_every_neighborhood_of_a_composition_generates_its_half(compiling: Device) -> None:
    search = VariableNeighborhoodDescent([Swap(), Generated(), Union(Adjacent(), Generated())])
    runner = IterationLevel(compiling.name, resident=True).bind(search, Inversions(6))
    assert isinstance(runner, Driver)
    assert runner.text.count(f"// for Inversions on {compiling.kind}") == 1
    reference = VariableNeighborhoodDescent([Swap(), Adjacent(), Union(Adjacent(), Adjacent())])
    problem = Inversions(9)
    mine, theirs = (
        run(each, problem, stop=stop.iterations(30), seed=3, parallel=where)
        for each, where in ((search, compiling.name), (reference, "numpy"))
    )
    assert mine.solution.tolist() == theirs.solution.tolist()
    assert mine.improvements[-1].iteration == theirs.improvements[-1].iteration


def test_a_neighborhood_generates_its_kernel_for_a_problem(compiling: Device) -> None:
    unit = Swap().kernel(QAP.random(5, 1), compiling, moves_of(Swap()))
    assert "struct Swap : SwapData" in unit.unit.text
    assert "struct QAP : QAPData" in unit.unit.text
    assert unit.function("evaluate") is not None


def test_a_kernel_evaluates_all_moves_unless_a_shell_says_otherwise(compiling: Device) -> None:
    unit = Swap().kernel(QAP.random(5, 1), compiling)
    assert unit.function("deltas") is not None


def test_a_kernel_needs_a_formula_and_says_which(compiling: Device) -> None:
    with pytest.raises(InputError, match=r"QAP has no `delta` that takes what Insertion\(\) makes \(InsertionMove\)"):
        Insertion().kernel(QAP.random(5, 1), compiling)


def test_a_neighborhood_in_python_only_has_no_kernel() -> None:
    with pytest.raises(InputError, match=r"Rotations has no C\+\+ half"):
        Rotations().kernel(QAP.random(5, 1), Host())
