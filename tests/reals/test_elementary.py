"""exp, log, sin, cos, tanh, power: their errors, their special numbers, and the same bits in C++."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest
from attrs import frozen

from metaheur import Problem, compiled, data
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.errors import CompileError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.shells import moves_of
from metaheur.reals import Real, Steps, cos, exp, log, power, sin, tanh
from tests.device.compilers import ARCHITECTURES, NoGPU

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
DRAWN = np.random.default_rng(1)


def series(x: Decimal, first: int) -> Decimal:
    """x**first / first! - x**(first + 2) / (first + 2)! + ..., of an angle less its whole turns."""
    x -= 2 * PI * (x / (2 * PI)).to_integral_value()
    term = total = x if first else Decimal(1)
    k = first
    while abs(term) > Decimal(10) ** -60:
        term *= -x * x / ((k + 1) * (k + 2))
        total += term
        k += 2
    return total


def units(found: float, exact: Decimal) -> float:
    """The error of a float in units in the last place."""
    return float(abs(Decimal(found) - exact) / Decimal(math.ulp(float(exact))))


def tangent(x: Decimal) -> Decimal:
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


CASES: dict[str, tuple[Callable[[float], float], Callable[[Decimal], Decimal], np.ndarray, float]] = {
    "exp": (exp, Decimal.exp, np.concatenate([DRAWN.uniform(-700, 709, 200), DRAWN.uniform(-1, 1, 200)]), 1),
    "log": (log, Decimal.ln, np.concatenate([np.exp(DRAWN.uniform(-700, 700, 100)), DRAWN.uniform(0.3, 3, 200)]), 1),
    "sin": (sin, lambda x: series(x, 1), np.concatenate([DRAWN.uniform(-10, 10, 200), DRAWN.uniform(0, 1e6, 100)]), 1),
    "cos": (cos, lambda x: series(x, 0), np.concatenate([DRAWN.uniform(-10, 10, 200), DRAWN.uniform(0, 1e6, 100)]), 1),
    "sin near pi": (sin, lambda x: series(x, 1), math.pi * np.arange(1, 99), 1),
    "tanh": (tanh, tangent, np.concatenate([DRAWN.uniform(-3, 3, 200), 10 ** DRAWN.uniform(-19, 0, 99)]), 3),
    "power 1.75": (
        lambda x: power(x, 1.75),
        lambda x: (Decimal("1.75") * x.ln()).exp(),
        DRAWN.uniform(0, 99, 200),
        2,
    ),
    "power -99": (lambda x: power(x, -99), lambda x: (-99 * x.ln()).exp(), DRAWN.uniform(0.01, 99, 200), 2),
}


@pytest.mark.parametrize("name", CASES)
def test_errors_are_within_the_stated_bounds(name: str) -> None:
    function, exact, values, most = CASES[name]
    with localcontext() as context:
        context.prec = 80
        assert max(units(function(x), exact(Decimal(x))) for x in values.tolist()) < most


def test_special_numbers_are_those_of_math() -> None:
    for x in (-math.inf, -800.0, 0.0, -0.0, 800.0, math.inf):
        expected = math.inf if x > 710 else math.exp(x)
        assert exp(x) == expected
        assert tanh(x) == math.tanh(x)
    assert [log(0.0), log(1.0), log(math.inf)] == [-math.inf, 0.0, math.inf]
    assert log(5e-324) == math.log(5e-324)
    undefined = [log(-1.0), sin(2e9), cos(math.inf), exp(math.nan), tanh(math.nan), power(-2.0, 0.5)]
    assert all(map(math.isnan, undefined))
    for a, b in ((0.0, 2.0), (0.0, 0.0), (-2.0, 3.0), (-2.0, -2.0), (1.0, 1e299), (0.5, 1e4), (math.inf, -1.0)):
        assert power(a, b) == math.pow(a, b)
    assert power(2.0, 1e4) == power(0.0, -1.0) == math.inf


@compiled
def chosen(which, x, y):  # type: ignore[no-untyped-def]
    if which == 0:
        return exp(x)
    if which == 1:
        return log(x)
    if which == 2:
        return sin(x)
    if which == 3:
        return cos(x)
    if which == 4:
        return tanh(0.1 * x)
    return power(x, y)


@frozen
class Function(Problem):
    """A function of the first entry, and for a power of the second, too."""

    which: int = data("int32")
    far: float = data("float64")

    cost_type = "float64"
    representation = property(lambda self: Real(2, -self.far, self.far))

    @compiled
    def cost(self, x):  # type: ignore[no-untyped-def]
        return chosen(self.which, x.value(0), x.value(1))


@pytest.mark.parametrize("which", range(6))
def test_the_bits_are_those_of_python(which: int, compiling: Device) -> None:
    for far in (3.0, 700.0):
        problem = Function(which, far)
        xs = np.random.default_rng(which).integers(0, problem.representation.domains, (300, 2)).astype(np.int32)
        if which in (1, 5):
            xs = xs[xs[:, 0] > problem.representation.domain(0) // 2]  # where the function is a number
        expected = np.array([problem.cost(problem.representation.view(x)) for x in xs])
        xs, expected = xs[np.isfinite(expected)], expected[np.isfinite(expected)]
        assert len(xs) > 100
        assert (DeviceEvaluator(problem, compiling).costs(xs) == expected).all()


def test_nvrtc_compiles_them() -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    unit = compose(Function(5, 3.0), moves_of(Steps.ladder(3)), NoGPU())  # type: ignore[arg-type]
    assert nvrtc.compiled(unit.text, ARCHITECTURES[-1], binary=False)


def test_a_wrong_number_of_arguments_is_refused() -> None:
    @frozen
    class Odd(Problem):
        cost_type = "float64"
        representation = property(lambda self: Real(2, 0, 1))

        @compiled
        def cost(self, x):  # type: ignore[no-untyped-def]
            return power(x.value(0))  # type: ignore[call-arg]

    with pytest.raises(CompileError, match=r"power\(\) has 2 arguments, but is given 1"):
        Odd().explain()
