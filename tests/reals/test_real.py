"""Real: grids, how solutions are read, steps, transfers, and searches on them, the same on every device."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    Composite,
    DiscreteVector,
    Domains,
    HillClimbing,
    IteratedLocalSearch,
    MemeticAlgorithm,
    Problem,
    Search,
    SimulatedAnnealing,
    compiled,
    data,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import CompileError, InputError
from metaheur.neighborhoods import On, Substitution, SubstitutionMove, Union
from metaheur.parts import Breeding, InSweeps, Limit, RandomMoves, Uniform
from metaheur.reals import Real, Steps, Transfer, TransferMove, exp
from metaheur.representations import Representation
from metaheur.testing import check_neighborhood, check_problem, check_representation, check_search

SPACES = [Real(3, -5.12, 5.12), Real(2, 0, (1, 8), bits=3), Real(2, -1, 3, bits=2), Real(1, 1e15, 1e15 + 10)]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_draws_facts_and_distances(space: Representation, compiling: Device) -> None:
    check_representation(space, devices=[compiling.name])


@pytest.mark.parametrize("space", [*SPACES, Real(2, (-1e300, 1e-300), (1e308, 2e-300)), Real(1, 0.1, 0.3, bits=4)])
def test_entries_are_exact_multiples_between_the_bounds(space: Real) -> None:
    lows, highs = (np.broadcast_to(bound, space.n).tolist() for bound in (space.low, space.high))
    for k, (low, high) in enumerate(zip(lows, highs, strict=True)):
        quantum, last = Fraction(space.quanta[k]), space.domain(k) - 1
        assert quantum.numerator == 1 or quantum.denominator == 1
        exact = [quantum * (int(space.firsts[k]) + entry) for entry in (0, 1, last)]
        assert [Fraction(space.value(k, entry)) for entry in (0, 1, last)] == exact
        assert 0 <= exact[0] - Fraction(low) < quantum > Fraction(high) - exact[2] >= 0
        assert space.domain(k) < 2**space.bits


def test_real_numbers_lead_to_the_nearest_solution_and_back() -> None:
    space = Real(3, (-1, -1, 0), 2, bits=5)
    x = space.encode([0.3, -9, 2])
    assert x.reals.tolist() == [0.25, -1.0, 2.0]
    assert (x.value(0), x.value(-1)) == (0.25, 2.0)
    assert space.decode(np.stack([x, x])).tolist() == [[0.25, -1.0, 2.0]] * 2
    assert pickle.loads(pickle.dumps(x)).value(1) == -1.0
    with pytest.raises(InputError, match="takes 3 real numbers"):
        space.encode([1, 2])
    with pytest.raises(AttributeError, match="only whole solutions"):
        _ = x[:2].reals  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Real(2, 1, 1), "must be finite numbers in order"),
        (lambda: Real(2, 0, float("inf")), "must be finite numbers in order"),
        (lambda: Real(2, (0, 0, 0), 1), "has 3 bounds, but there are 2 entries"),
        (lambda: Real(1, 0, 1, bits=32), "bits"),
        (lambda: Real(1, 0.1, np.nextafter(0.1, 1), bits=2).domains, ""),
        (lambda: Steps([0.2, 0.1]), "ascending"),
        (lambda: Transfer([]), "ascending"),
    ],
)
def test_what_is_refused(make: Callable[[], Any], reason: str) -> None:
    if not reason:
        assert make().tolist() == [2]
        return
    with pytest.raises(InputError, match=reason):
        make()


@pytest.mark.parametrize(
    ("moves", "space"),
    [
        (Steps.normal(0.1, 3), Real(3, -5, 5, bits=5)),
        (Steps.cauchy(0.01, 4), Real(2, -5, 5, bits=5)),
        (Steps([0.2, 0.21]), Real(2, 0, (1, 8), bits=4)),
        (Steps.ladder(2), Domains((5, 9))),
        (Transfer([0.1, 0.11, 0.5]), Real(3, -5, 5, bits=4)),
        (Transfer([0.5]), Domains((3, 5, 4))),
        (On("place", Steps.ladder(2)), Composite(place=Real(2, -5, 5, bits=5), mode=DiscreteVector(2, 3))),
    ],
    ids=repr,
)
def test_moves_are_numbered_alike(moves: Any, space: Representation, compiling: Device) -> None:
    check_neighborhood(moves, space, devices=[compiling.name])


def test_steps_are_quantiles_or_powers_of_two() -> None:
    assert Steps.ladder(3).shares == (0.0625, 0.125, 0.25)
    assert Steps.normal(1e-3, 1).shares == pytest.approx((0.6745e-3,), rel=1e-4)
    assert Steps.cauchy(1e-3, 1).shares == pytest.approx((1e-3,))
    ends = [move.shift for move in Steps.ladder(29).moves(Real(1, 0, 1))]
    assert ends[:3] == [2**e for e in range(3)]
    assert not Steps.ladder(4).supports(DiscreteVector(3, 8))


@compiled
def ripple(v):  # type: ignore[no-untyped-def]
    return v * v + exp(-v)


@frozen
class Bowls(Problem):
    """A sum of functions of the entries, and a product of neighbors."""

    size: int = data("int32")
    bits: int = data("int32")

    cost_type = "float64"
    representation = property(lambda self: Real(self.size, -4.0, 5.0, bits=self.bits))

    @compiled
    def cost(self, x):  # type: ignore[no-untyped-def]
        return sum(ripple(x.value(k)) + x.value(k) * x.value(k - 1) for k in range(self.n))

    @compiled
    def delta(self, x, m: SubstitutionMove):  # type: ignore[no-untyped-def]
        before, after = x.value(m.at), x.value(m.at, (x[m.at] + m.shift) % m.values)
        beside = x.value(m.at - 1) + x.value(m.at + 1 if m.at + 1 < self.n else 0)
        return ripple(after) - ripple(before) + (after - before) * beside


@frozen
class Mixed(Problem):
    """Real numbers with a mode each."""

    cost_type = "float64"
    representation = property(lambda self: Composite(mode=DiscreteVector(3, 2), place=Real(3, -5, 5, bits=20)))

    @compiled
    def cost(self, x):  # type: ignore[no-untyped-def]
        return sum(float(x.mode[k]) * x.place.value(k) + ripple(x.place.value(k)) for k in range(3))


def test_changes_of_cost_are_those_of_full_evaluations(compiling: Device) -> None:
    check_problem(Bowls(3, 6), Steps.ladder(3), devices=[compiling.name])
    moves = Union(On("mode", Substitution()), On("place", Steps.ladder(3)))
    check_problem(Mixed(), moves, devices=[compiling.name])


def test_parts_are_read_alike_by_python_and_compiled_methods() -> None:
    space = Mixed().representation
    x = space.join(mode=[1, 0, 1], place=space.parts["place"].encode([1.0, -2.0, 0.5]))
    assert x.place.value(1) == -2.0
    assert pickle.loads(pickle.dumps(x)).place.reals.tolist() == [1.0, -2.0, 0.5]
    assert Mixed().cost(x) == sum([2.0 + exp(-1.0), 4.0 + exp(2.0), 0.75 + exp(-0.5)])


def test_another_method_of_solutions_is_refused() -> None:
    @frozen
    class Odd(Problem):
        cost_type = "float64"
        representation = property(lambda self: Real(2, 0, 1))

        @compiled
        def cost(self, x):  # type: ignore[no-untyped-def]
            return x.real(0)

    with pytest.raises(CompileError, match=r"write x.value\(k\), or x.value\(k, entry\)"):
        Odd().explain()


LADDER = Steps.ladder(12)
SEARCHES: dict[str, Search[Any]] = {
    "descent": HillClimbing(LADDER),
    "annealing, coordinates at random": SimulatedAnnealing(Steps.normal(0.05), 3.0),
    "annealing, coordinates in sweeps": SimulatedAnnealing(Steps.cauchy(0.01), 3.0, order=InSweeps()),
    "iterated": IteratedLocalSearch(HillClimbing(LADDER), RandomMoves(Steps.normal(0.2), 2)),
    "memetic": MemeticAlgorithm(HillClimbing(LADDER), Breeding(Uniform(), size=3), Limit(9)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_make_the_same_steps_on_every_device(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], Bowls(3, 31), iterations=60, devices=[compiling.name])


def test_transfers_keep_the_sum() -> None:
    problem = Bowls(4, 20)
    start = problem.representation.encode([1.0, 2.0, -1.0, 0.5])
    result = run(HillClimbing(Transfer([0.01, 0.1])), problem, start=start, stop=stop.iterations(20), parallel="numpy")
    assert result.cost < problem.cost(start)
    assert problem.representation.decode(result.solution).sum() == 2.5
    assert isinstance(Transfer([0.1]).move(problem.representation, 0), TransferMove)


def test_solve_takes_steps() -> None:
    result = solve(Bowls(2, 31), work=20_000, seed=1)
    assert result.cost < 1.8
