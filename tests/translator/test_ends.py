"""Ranges, names and kinds at their limits: the same in both languages, or refused with a reason."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, arg-type, assignment"
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import frozen

import metaheur
from metaheur import (
    Array,
    BitString,
    Move,
    Neighborhood,
    Permutation,
    Problem,
    Representation,
    compiled,
    data,
    explain,
)
from metaheur.device.device import Device
from metaheur.device.generator.halves import half_of_move
from metaheur.errors import CompileError
from metaheur.neighborhoods import FlipMove, Hamming
from metaheur.testing import check_neighborhood, check_problem
from metaheur.translator.functions import ROOTS
from metaheur.translator.names import DETECTED
from tests.translator.test_fuzz import loaded
from tests.translator.test_messages import mine


@frozen(eq=False)
class Ranges(Problem):
    """Sums over ranges whose ends, or the number after their last number, leave the type of their numbers."""

    half = 2**30
    least: int = data("int32")
    most: int = data("int64")
    representation = BitString(4)

    @compiled
    def cost(self, x):
        total = self.sums(x)
        for k in range(2147483640, 2147483648):
            total += x[k % 4] * (k % 10)
        for k in range(2147483600, 2147483647, 40):
            total += k % 7
        for k in range(self.least + 5, self.least - 1, -3):
            total -= k % 11
        for k in range(self.most - 7, self.most, 5):
            total += x[0] * (k % 13)
        for k in range(self.most, self.n):
            total += 1000 + k
        for k in range(self.least, self.most):
            total += k % 17
            if total > 100:
                break
        return total

    @compiled
    def sums(self, x):
        high = sum(k % 5 for k in range(self.least, min(self.least + 3, 2147483647)))
        low = sum(1 + x[k % 4] for k in range(2147483640, 2147483647) if k != 2147483647)
        low += sum(7 for k in range(self.half * 2, self.half * 2 - 2, -2) if -k < 0)
        return high + low + sum(1 for k in range(2147483647, -5)) + self.least % -1


def test_a_range_goes_to_its_end_and_no_further(compiling: Device) -> None:
    problem, low = Ranges(-(2**31), 2**63 - 1), -(2**31)
    check_problem(problem, Hamming(1), devices=[compiling.name])
    total = sum(k % 5 for k in range(low, low + 3)) + 7  # where no bit is set
    total += 7
    total += sum(k % 7 for k in (2147483600, 2147483640)) - sum(k % 11 for k in (low + 5, low + 2))
    for k in range(low, 0):
        total += k % 17
        if total > 100:
            break
    assert problem.cost(np.zeros(4, np.uint8)) == total


NAMED = """
from attrs import frozen
from metaheur import BitString, Permutation, Problem, compiled, data
from metaheur.neighborhoods import SwapMove


@frozen(eq=False)
class Named(Problem):
    {field}: int = data("int32")
    representation = BitString(3)

    @compiled
    def cost(self, x):
        {name} = self.{helper}(x, 1)
        for k in range(self.n):
            {name} += self.{field} * x[k] + (k == 0)
        return {name}

    @compiled
    def {helper}(self, sol, {parameter}):
        {parameter} = {parameter} + sol[0]
        {parameter}_given = 2
        return sum({parameter} + {parameter}_given for value_1 in range(self.n))
"""

NAMES = {
    "a prefix": ("w", "M_total", "gain", "M_"),
    "another prefix": ("w", "MH_FN", "py_gain", "mh_x"),
    "the translator's prefix": ("w", "py_mod", "mh_gain", "py_div"),
    "an underscore": ("w", "__total", "_gain", "_"),
    "what is given": ("w", "team", "gain", "team"),
    "a word of C++": ("w", "template", "operator", "double"),
    "a made name": ("w", "p_given", "gain", "p"),
    "the solution": ("x", "x_", "gain", "s"),
    "a team as a field": ("team", "n", "walk", "flips"),
    "a member that C++ looks for": ("w", "prepare", "arrange", "row"),
}


@pytest.mark.parametrize("kind", NAMES)
def test_any_python_name_may_be_used(kind: str, compiling: Device, tmp_path: Path) -> None:
    field, name, helper, parameter = NAMES[kind]
    text = NAMED.format(field=field, name=name, helper=helper, parameter=parameter)
    problem = loaded(tmp_path, text, "named").Named(5)
    check_problem(problem, Hamming(1), devices=[compiling.name])
    assert problem.cost(np.array([1, 0, 1])) == 3 * (2 + 2) + 11


def test_two_methods_of_one_name_have_two_in_cpp(compiling: Device) -> None:
    @frozen(eq=False)
    class Twice(Problem):
        representation = BitString(3)

        @compiled
        def cost(self, x):
            return self.gain(x, 1 << 40) % 7 + self.gain(x, 2) + self.gain_2(x, 3)

        @compiled
        def gain(self, x, a):
            return a * x[0]

        @compiled
        def gain_2(self, x, a):
            return a * 100 * x[1]

    check_problem(Twice(), Hamming(1), devices=[compiling.name])


def test_helpers_do_not_get_names_that_cpp_looks_up() -> None:
    rooms = Path(metaheur.__file__).parent
    texts = [path.read_text("utf-8") for path in rooms.rglob("*.cuh")]
    found = {name for text in texts for name in re.findall(r"MH_DETECT\(\w+,\s+declval<\w* ?[PM]&>\(\)\.(\w+)\(", text)}
    assert len(found) > 20
    assert found <= {*DETECTED, *ROOTS}


# ---- members


@frozen
class Back(Move):
    i: int
    unsigned = ("i",)

    @compiled
    def apply(self, x):
        item = x[self.i]
        x[self.i] = x[0]
        x[0] = item

    def inverse(self) -> Any:
        return self


@frozen
class Later(Neighborhood):
    """Exchanges the first item and an item after the first few."""

    length: int
    move_types = (Back,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def moves(self, representation: Representation) -> Iterator[Move]:
        return (Back(i) for i in range(self.length, representation.length))

    @compiled
    def size(self, representation):
        return max(0, representation.length - self.length)

    @compiled
    def move(self, representation, k):
        return Back(k + self.length)

    @compiled
    def index(self, representation, m):
        return m.i - self.length


def test_a_field_is_not_called_as_a_function_beside_it() -> None:
    with pytest.raises(CompileError, match=r"Later has a field, .* called 'length', which is also the name of a func"):
        explain(Later(2), Permutation(5))
    with pytest.raises(CompileError, match="give it another name"):
        check_neighborhood(Later(2), Permutation(5), devices=["host"])


@pytest.mark.parametrize("name", ["double", "M_i", "Team", "edges"])
def test_a_field_of_a_move_has_a_name_that_cpp_can_use(name: str, tmp_path: Path) -> None:
    text = (
        "from attrs import frozen\nfrom metaheur import Move, compiled\n\n@frozen\nclass Turn(Move):\n"
        f"    {name}: int\n\n    @compiled\n    def apply(self, x):\n        x[self.{name}] = 0\n\n"
        "    def inverse(self):\n        return self\n"
    )
    module = loaded(tmp_path, text, "turning")
    with pytest.raises(CompileError, match=f"Turn has a field called '{name}', "):
        half_of_move(module.Turn)


# ---- whole numbers and floats


@frozen(eq=False)
class Mixed(Problem):
    """Numbers that are floats on some ways only, and never too large for a float."""

    weights: np.ndarray = data("float64", ndim=1)
    large: np.ndarray = data("int64", ndim=1)
    cost_type = "float64"
    representation = BitString(4)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"gain": Array((4,), "float64")}

    @compiled
    def cost(self, x):
        total = 0
        for k in range(self.n):
            if x[k]:
                total += self.weights[k]
        most = 3
        if x[0]:
            most = -total * 0.5
        return (total + abs(most) // 2 + max(most, 2) % 3 + float(self.large[0]) * self.either(x)) * 2

    @compiled
    def either(self, x):
        return 1 if x[1] else 0.5

    @compiled
    def delta(self, x, m: FlipMove):
        return sum((0.5 - x[at]) * 0.0 for at in m.at) + self.cost(x) * 0 if x[0] > 1 else self.changed(x, m)

    @compiled
    def changed(self, x, m):
        first = 0.0
        for k in range(self.n):
            first += self.weights[k] * 0
        return self.cost_with(x, m) - self.cost(x) + first

    @compiled
    def cost_with(self, x, m):
        total, most = 0, 3
        for k in range(self.n):
            if x[k] != any(k == at for at in m.at):
                total += self.weights[k]
        if x[0] != any(at == 0 for at in m.at):
            most = -total * 0.5
        one = 1 if x[1] != any(at == 1 for at in m.at) else 0.5
        return (total + abs(most) // 2 + max(most, 2) % 3 + float(self.large[0]) * one) * 2


def test_a_number_may_be_whole_or_a_float_where_no_float_rounds(compiling: Device) -> None:
    check_problem(Mixed([0.5, 1.25, -3.0, 2.0], [2**60]), Hamming(1), devices=[compiling.name])


REFUSED = {
    "t = 1\n        for k in range(38):\n            t = t * 0.5 if k == m.i else t * (3 - x[k % 4])\n"
    "        return int(t % 1000)": "t may be a float, or a whole number beyond",
    "t = 0.5 if x[0] else 3\n        return int(t * self.weights[0, 1])": "t may be a float",
    "t = self.weights[0, 0]\n        if x[0]:\n            t = 0.5\n        return int(t)": "t may be a float",
    "return int((0.5 if x[0] else self.weights[0, 0]) * 2)": "this may be a float",
    "return int(sum(0.5 if k else 1 for k in range(3)))": "adds floats and whole numbers",
    "return int(sum(0.5 for k in range(m.i)) + self.weights[0, 0])": "this may be a float",
    "return int(self.made(x) * 2)": "what made returns may be a float",
    "return sum(1 for k in range(0, 9, 4294967296))": "within 32 bits, and not 0, but is `4294967296`",
}

MADE = """
    @compiled
    def made(self, x):
        if x[0]:
            return 0.5
        return self.weights[0, 0]
"""


@pytest.mark.parametrize("body", REFUSED)
def test_a_number_that_python_would_keep_exact_is_refused_by_name(body: str, tmp_path: Path) -> None:
    problem = mine(tmp_path, f"    @compiled\n    def delta(self, x, m: SwapMove):\n        {body}\n{MADE}")
    with pytest.raises(CompileError, match=REFUSED[body]) as caught:
        problem.explain()
    assert "Maybe" in str(caught.value)
