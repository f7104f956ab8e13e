"""Sequences of Nawaz, Enscore and Ham's heuristic, against full evaluations of each place."""

from typing import Any

import numpy as np
import pytest

from metaheur.problems import FlowShop
from metaheur.problems.flow_shop_starts import COMPILED_FROM, sequences
from metaheur.random import START, Key, Random


def shop(n: int, m: int, *, released: bool) -> FlowShop:
    draw = np.random.default_rng((n, m))
    times = draw.integers(1, 10, (n, m))
    return FlowShop(times, release_times=draw.integers(0, 5 * n, n)) if released else FlowShop(times)


def randoms(count: int) -> list[Random]:
    return [Random(Key(3, walk), START, 0) for walk in range(count)]


def by_definition(problem: FlowShop, random: Random) -> list[int]:
    jobs: Any = problem.times.tolist()
    sequence: list[int] = []
    for job in sorted(range(len(jobs)), key=lambda job: -sum(jobs[job])):
        costs = []
        for place in range(len(sequence) + 1):
            tried = [*sequence[:place], job, *sequence[place:]]
            some = FlowShop(problem.times[tried], release_times=problem.released[tried])
            costs.append(some.cost(np.arange(len(tried))))
        first, best = random.index(len(sequence), len(costs)), [k for k, cost in enumerate(costs) if cost == min(costs)]
        sequence.insert(min(best, key=lambda place: (place - first) % len(costs)), job)
    return sequence


@pytest.mark.parametrize("released", [False, True])
def test_each_job_goes_to_its_best_place_a_random_one_among_equals(released: bool) -> None:
    problem = shop(14, 3, released=released)
    expected = [by_definition(problem, random) for random in randoms(4)]
    assert sequences(problem, randoms(4)).tolist() == expected
    assert len({tuple(each) for each in expected}) > 1
    assert problem.construct(randoms(4)[2]).tolist() == expected[2]


@pytest.mark.parametrize("released", [False, True])
def test_compiled_code_makes_the_same_sequences(released: bool) -> None:
    """Many together are made by compiled code, each alone in Python."""
    problem, count = shop(100, 5, released=released), 16
    work = problem.times.size * len(problem.times)
    assert work < COMPILED_FROM <= count * work
    (together,) = problem.construct_many(randoms(count))
    assert together.tolist() == [sequences(problem, [random])[0].tolist() for random in randoms(count)]


class Lowest:
    """Random numbers that are all 0: the first of equal places is the best one, as in the publication."""

    def index(self, draw: int, size: int) -> int:
        return 0


@pytest.mark.parametrize(("index", "makespan"), [(1, 1286), (11, 1680), (21, 2410), (31, 2733), (51, 4082)])
def test_neh_leads_to_the_published_makespans(index: int, makespan: int) -> None:
    problem = FlowShop.taillard(index)
    lowest: Any = Lowest()
    assert problem.cost(problem.construct(lowest)) == makespan
