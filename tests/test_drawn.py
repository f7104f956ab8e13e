"""Compositions drawn at random walk alike on every device."""

from typing import Any

import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parallel import Islands, Multistart, ParallelModel
from tests.drawn import drawn

FEW, MANY = 8, 300


def followed(seed: int, device: str, *, several: bool = False) -> tuple[Any, ...]:
    """What three walks found, and how many moves they evaluated; they meet if the seed is odd."""
    problem, search = drawn(seed, several=several)
    model: ParallelModel = Multistart(3, device=device, threads=1 if device == "host" else None)
    model = Islands(model, 7) if seed % 2 and not several else model
    try:
        found = run(search, problem, stop=stop.iterations(20 if several else 60), seed=seed, parallel=model)
    except InputError as error:
        if "has no C++ half" not in error.reason:
            raise
        pytest.skip(error.reason)
    if found.front is not None:
        return found.front.costs.tolist(), [each.tolist() for each in found.front.solutions], found.evaluated
    assert found.cost == problem.displayed(problem.cost(found.solution))
    return found.solution.tolist(), found.walks.costs.tolist(), found.walks.evaluated.tolist()


@pytest.mark.parametrize("seed", [n if n < FEW else pytest.param(n, marks=pytest.mark.thorough) for n in range(MANY)])
def test_a_drawn_composition_walks_alike_in_c(seed: int, compiling: Device) -> None:
    assert followed(seed, compiling.name) == followed(seed, "numpy"), drawn(seed)


@pytest.mark.parametrize("seed", [n if n < FEW else pytest.param(n, marks=pytest.mark.thorough) for n in range(MANY)])
def test_a_drawn_search_for_a_front_walks_alike_in_c(seed: int, compiling: Device) -> None:
    found, expected = (followed(seed, each, several=True) for each in (compiling.name, "numpy"))
    assert found == expected, drawn(seed, several=True)


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(100))
def test_a_drawn_composition_walks_alike_on_a_gpu(seed: int, gpu: Device) -> None:
    for several in (False, True):
        found, expected = (followed(seed, each, several=several) for each in (gpu.name, "numpy"))
        assert found == expected, drawn(seed, several=several)
