"""Compositions drawn at random walk alike on every device, in one go or with breaks."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from metaheur import Until, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parallel import (
    Complete,
    Diverse,
    Islands,
    Multistart,
    Periodic,
    RandomTopology,
    Ring,
    Stagnating,
    Star,
)
from metaheur.search import ChecksStates
from tests.drawn import drawn
from tests.helpers import facts

FEW, MANY = 5, 300
SEEDS = [n if n < FEW else pytest.param(n, marks=pytest.mark.thorough) for n in range(MANY)]
ITERATIONS = {False: 60, True: 20}
"""Of searches for one objective, and of those for several."""


def model_on(device: str) -> Multistart:
    return Multistart(3, device=device, threads=1 if device == "host" else None)


def walked(seed: int, device: str, breaks: Sequence[int] = (), *, several: bool = False) -> Any:
    """The states of three walks; at breaks, a new runner goes on from these."""
    problem, search = drawn(seed, several=several)
    model = model_on(device)
    try:
        runner = model.bind(search, problem)
    except InputError as error:
        if "has no C++ half" not in error.reason:
            raise
        pytest.skip(error.reason)
    keys = model.keys(seed)
    walks = runner.begin(keys, problem.representation.starts(keys))
    for end in (*breaks, ITERATIONS[several]):
        if walks.iterations.any():
            states = [walks.state(w) for w in range(3)]
            if isinstance(search, ChecksStates):
                for state in states:  # a file of this state is not refused
                    search.require_state(state, problem)
            runner = model.bind(search, problem)
            walks = runner.load(states)
        while not (walks.finished | (walks.iterations >= end)).all():
            walks = runner.advance(walks, Until(end)).walks
    return [facts(walks.state(w)) for w in range(3)]


def meeting(seed: int, model: Multistart) -> Islands:
    """Islands with rules drawn at random."""
    generator = random.Random(seed)
    return Islands(
        model,
        7,
        topology=generator.choice([Ring(), Complete(), RandomTopology(), Star()]),
        emigrant=generator.choice(["best", "current"]),
        replaces=generator.choice(["worse best", "worse current", "always"]),
        after=generator.choice([0, 20]),
        migration=generator.choice([Periodic(), Periodic(), Stagnating(9), Diverse(2)]),
    )


def met(seed: int, device: str) -> Any:
    """What three walks that meet found, and how many moves they evaluated."""
    problem, search = drawn(seed)
    model = meeting(seed, model_on(device))
    found = run(search, problem, stop=stop.iterations(60) | stop.no_improvement(12), seed=seed, parallel=model)
    assert found.cost == problem.displayed(problem.cost(found.solution))
    return found.solution.tolist(), found.walks.costs.tolist(), found.walks.evaluated.tolist()


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_composition_walks_alike_in_c(seed: int, several: bool, compiling: Device) -> None:
    found = walked(seed, compiling.name, several=several)
    assert found == walked(seed, "numpy", several=several), drawn(seed, several=several)
    assert found == walked(seed, compiling.name, (5, 6, 13), several=several), drawn(seed, several=several)
    if not several:
        assert met(seed, compiling.name) == met(seed, "numpy"), drawn(seed)
