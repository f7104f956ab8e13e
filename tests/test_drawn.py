"""Compositions drawn at random walk alike on every device."""

from typing import Any

import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parallel import Islands, Multistart, ParallelModel
from tests.drawn import drawn

FEW, MANY = 12, 400


def followed(seed: int, device: str) -> tuple[Any, ...]:
    """Costs, counts and the best solution of three walks, which meet if the seed is odd."""
    problem, search = drawn(seed)
    threads = 1 if device == "host" else None
    model: ParallelModel = Multistart(3, device=device, threads=threads)
    model = Islands(model, 7) if seed % 2 else model
    try:
        found = run(search, problem, stop=stop.iterations(60), seed=seed, parallel=model)
    except InputError as error:
        if "has no C++ half" not in error.reason:
            raise
        pytest.skip(error.reason)
    walks = found.walks
    assert found.cost == problem.displayed(problem.cost(found.solution))
    return found.cost, found.solution.tolist(), *(each.tolist() for each in (walks.costs, walks.evaluated))


@pytest.mark.parametrize("seed", [n if n < FEW else pytest.param(n, marks=pytest.mark.thorough) for n in range(MANY)])
def test_a_drawn_composition_walks_alike_in_c(seed: int, compiling: Device) -> None:
    assert followed(seed, compiling.name) == followed(seed, "numpy"), drawn(seed)


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(100))
def test_a_drawn_composition_walks_alike_on_a_gpu(seed: int, gpu: Device) -> None:
    assert followed(seed, gpu.name) == followed(seed, "numpy"), drawn(seed)
