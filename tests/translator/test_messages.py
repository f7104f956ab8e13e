"""Messages of the translator, besides the messages that docs/compiled.md shows."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import Problem, compiled, explain
from metaheur.errors import CheckFailed, CompileError, InputError
from metaheur.neighborhoods import Swap, SwapMove
from metaheur.parts import Lowest
from metaheur.problems import QAP
from metaheur.representation import Permutation
from metaheur.testing import check_problem
from tests.pairs import INSTANCES
from tests.translator.test_fuzz import loaded
from tests.translator.twins import QAPTwin, twin

HEAD = """
import math
import numpy as np
from attrs import frozen
from metaheur import Array, Permutation, Problem, compiled, data
from metaheur.neighborhoods import SwapMove, TwoOptMove


@frozen(eq=False)
class Mine(Problem):
    weights: np.ndarray = data("int64", ndim=2)
    {more}

    @property
    def representation(self):
        return Permutation(len(self.weights))

    def state(self, representation):
        return {{"gain": Array((self.n,), "int32")}}

    @compiled
    def cost(self, x):
        return sum(self.weights[i, x[i]] for i in range(self.n))

{methods}
"""
FIRST = len(HEAD.split("{methods}", maxsplit=1)[0].splitlines()) + 1
"""The line where methods begin."""

DELTA = """    @compiled
    def delta(self, x, m: SwapMove):
        w = self.weights
        return w[m.i, x[m.j]] + w[m.j, x[m.i]] - w[m.i, x[m.i]] - w[m.j, x[m.j]]
"""


def mine(folder: Path, methods: str = DELTA, *, more: str = "", largest: int = 9) -> Any:
    """A problem with some methods, whose text is a file `mine.py`."""
    module = loaded(folder, HEAD.format(methods=methods, more=more), "mine")
    return module.Mine(np.arange(36).reshape(6, 6) * largest % (5 * largest + 1))


WRONG = {
    "return self.weights[m.i]": "a return of a row is not translated",
    "return self.weights[m.i, 0, 1]": "`self.weights` is a matrix, and has 2 index",
    "return self.gains(m.i)": "self.gains is not a method",
    "return self.representation(x)": "self.representation is not @compiled",
    "return [0][0]": "a list is not translated",
    "return lambda: 0": "lambda is not translated",
    "return (1, 2) if m.i else (3, 4)": "write `return a, b` in each branch of an `if`",
    "return m.i ** m.j": "exponents 2 and 3 only",
    "return 2**70": "exponents 2 and 3 only",
    "return 100000000000000000000": "more than 64 bits",
    "return x[m.i] in x": "`in` is not translated.*\\n.*any",
    "return sum(m.i)": "with a generator or an array only",
    "return sum(k for k in range(m.i) for k in range(2))": "k is the variable of a generator, and something else",
    "return sum(k for k in x[::2])": "has a step",
    "return sum(a for a, b in self.weights)": r"`\(a, b\)`.\nMaybe .* range\(len\(self.weights\)\), and index",
    "return sum(k * b for k, b in enumerate(x))": r"Maybe write for k in range\(len\(x\)\), and index x with k",
    "return sum(a for a, b in zip(x[1:], x))": r"not `\(a, b\)`.\nMaybe write for k in range\(...\)",
    "for a, b in self.weights:\n            pass\n        return 0": r"range\(len\(self.weights\)\), .* or two",
    "return sum(row[0] for row in self.weights)": r"rows, as of `self.weights`.\nMaybe .* range\(len",
    "return len(x[1:])": "a slice is translated in a loop only",
    "part = x[1:]\n        return part[0]": "a slice is translated in a loop only",
    "return sum(k for k in x[: 0.5])": "an end of a slice must be a whole number",
    "return math.exp(1)": "exp",
    "return self.delta": "self.delta is a method",
    "if m.i:\n            return 1": "may end without a return",
    "for k in range(3):\n            k = 1\n        return 0": "is the variable of the loop around it",
    "for k in range(0, 9, m.i):\n            pass\n        return 0": "step of range",
    "a = 1\n        a = self.weights\n        return a[0, 0]": "and for something else",
    "self.weights[0, 0] = 1\n        return 0": "data is read-only",
    "a = self.weights[0, 0]\n        a = 0.5\n        return int(a)": "a may be a float, or a whole number beyond 2",
    "return m": "must return a number",
    "return": "must return a number",
    "print(m)\n        return 0": r"print\(\) is not translated",
    "assert m.i\n        return 0": "`assert` is not translated",
    "return SwapMove(m.i).i": "has 2 fields",
    "global a\n        return 0": "`Global` is not translated",
}


@pytest.mark.parametrize("body", WRONG)
def test_a_fault_is_named_with_its_file_and_line(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = mine(tmp_path, f"    @compiled\n    def delta(self, x, m: SwapMove):\n        {body}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CompileError, match=WRONG[body]) as caught:
        problem.explain()
    path, line, _ = caught.value.reason.split(":", 2)
    assert path == "mine.py"
    assert FIRST < int(line) <= FIRST + 1 + len(body.splitlines())


NEAREST = {
    "y = [0, 1]; y.pop(); return 0": (r"`y.pop\(\)` is a method of a list(.|\n)*count the entries in use", ""),
    "y = [0, 1]; y.append(2); return 0": (r"as long as it can become", "y = [0] * 3; y[2] = 2; return 0"),
    "y = [3, 1]; y.reverse(); return 0": (
        r"y\[k\], y\[-1 - k\] = y\[-1 - k\], y\[k\]",
        "y = [3, 1]; k = 0; y[k], y[-1 - k] = y[-1 - k], y[k]; return 0",
    ),
    "y = [3, 1]; y.sort(key=abs); return 0": (r"`key=` of `y.sort\(\)`.\nMaybe sort whole numbers that hold both", ""),
    "return max(x, key=abs)": (r"`key=` of `max\(\)`.\nMaybe write a loop that keeps the best entry", ""),
    "return sum(x, start=3)": (r"`start=` of `sum\(\)`.\nMaybe add it: value \+ sum", "return 3 + sum(x)"),
    "return min(x, default=3)": (r"`default=`(.|\n)*ask for len\(...\) first", "return min(x) if len(x) else 3"),
    "y = [0, 0]; y[0:2] = [1, 2]; return 0": (
        r"a slice cannot be assigned to: `y\[0:2\]`.\nMaybe assign each entry: y\[0\], y\[1\] = a, b",
        "y = [0, 0]; y[0], y[1] = 1, 2; return 0",
    ),
    "return sum(k for k in reversed(range(3)))": (
        r"write for k in range\(2, -1, -1\)",
        "return sum(k for k in range(2, -1, -1))",
    ),
    "return sum(k for k in reversed(range(m.i, m.j)))": (
        r"write for k in range\(m.j - 1, m.i - 1, -1\)",
        "return sum(k for k in range(m.j - 1, m.i - 1, -1))",
    ),
    "return sum(k for k in reversed(x))": (
        r"write for k in range\(len\(x\) - 1, -1, -1\), and index x with k",
        "return sum(x[k] for k in range(len(x) - 1, -1, -1))",
    ),
    "return sum(k for k in map(abs, x))": (r"call the function in the loop", "return sum(abs(k) for k in x)"),
    "return math.inf": (r"`math.inf` is not translated.\nMaybe use a number beyond all costs", "return 2**61"),
    "return math.pi": (r"`math.pi`(.|\n)*PI = math.pi", ""),
    "return math.acos(1)": (r"math.acos\(\) is not translated.\nMaybe compute its values in Python, as data\(\)", ""),
    "return math.cos(1)": (r"math.cos\(\) is not translated.\nMaybe call cos of metaheur.reals", ""),
    "return math.gcd(4, 6)": (r"write a function with a loop, and mark it @compiled", ""),
    "best = None; return 0": (r"None is not translated(.|\n)*such as -1", "best = -1; return best"),
    "return 1 if m is None else 0": (r"`is` is not translated(.|\n)*with ==; for None", ""),
    "return self.weights.shape[0]": (r"write len\(self.weights\), or", "return len(self.weights)"),
    "return self.weights.shape[1]": (r"or len\(self.weights\[0\]\)", "return len(self.weights[0])"),
    "return x.size": (r"write len\(x\)", "return len(x)"),
    "return self.weights.T[0, 1]": (r"self.weights\[j, i\]", "return self.weights[1, 0]"),
    "return x.sum()": (r"`x.sum\(\)` is a method of an array(.|\n)*write sum\(x\)", "return sum(x)"),
    "return self.weights.max()": (
        r"write max\(self.weights\[i, j\] for i in range\(len\(self.weights\)\) for j in range",
        "return max(self.weights[i, j] for i in range(len(self.weights)) for j in range(len(self.weights[0])))",
    ),
    "return np.sum(x)": (r"np.sum\(\) is not translated.\nMaybe write sum", "return sum(x)"),
    "return pow(m.i, 2)": (r"write a \*\* 2", "return m.i**2"),
    "return round(self.n / 2)": (r"math.floor\(value \+ 0.5\)", "return math.floor(self.n / 2 + 0.5)"),
    "return sorted(x)[0]": (r"give the list a name first: y = sorted", "y = sorted(x); return y[0]"),
    "return [k for k in range(3)][0]": (r"a list(.|\n)*a name first", "y = [k for k in range(3)]; return y[0]"),
    "return sum([k for k in x])": (r"leave the brackets out", "return sum(k for k in x)"),
    "return x[m]": (r"but is a move.\nMaybe name a field of it, such as m.i", "return x[m.i]"),
    "return m.i in x": (r"any\(each == value for each in x\)", "return any(each == m.i for each in x)"),
    "a, b = x[0:2]; return a": (r"write a, b = x\[0\], x\[1\]", "a, b = x[0], x[1]; return a"),
    "a, b = (1, 2) if self.n else (x[0], 3); return a": (
        r"write a = 1 if self\.n else x\[0\]; b = 2 if self\.n else 3",
        "a = 1 if self.n else x[0]; b = 2 if self.n else 3; return a",
    ),
    "d = {}; return 0": (r"a dict(.|\n)*an array with an entry for each key", ""),
    'return "a"': (r"text is not translated(.|\n)*whole numbers", ""),
    "raise ValueError(3)": (r"`raise`(.|\n)*where the problem is made", ""),
    "yield 3": (r"`yield`(.|\n)*return one number", ""),
    "import math; return 0": (r"`import`(.|\n)*at the top of the file", "return 0"),
    "return (y := 3)": (r"a line of its own", "y = 3; return y"),
}
"""What is refused, what the message says, and the nearest form, which is translated; "" if it is not a line."""


@pytest.mark.parametrize("body", NEAREST)
def test_the_nearest_form_that_is_translated_is_named(body: str, tmp_path: Path) -> None:
    words, nearest = NEAREST[body]
    method = "    @compiled\n    def delta(self, x, m: SwapMove):\n        {}\n"
    with pytest.raises(CompileError, match=words) as caught:
        mine(tmp_path, method.format(body)).explain()
    assert caught.value.reason.partition(": ")[0].endswith(f"mine.py:{FIRST + 2}")
    if nearest:
        (tmp_path / "works").mkdir()
        assert " delta(" in mine(tmp_path / "works", method.format(nearest)).explain()


def test_an_index_that_is_out_of_range_is_named_by_the_check(tmp_path: Path) -> None:
    problem = mine(tmp_path, DELTA.replace("w[m.j, x[m.i]]", "w[m.j + 1, x[m.i]]"))
    with pytest.raises(CheckFailed, match=rf"mine.py:{FIRST + 3}: IndexError"):
        check_problem(problem, Swap(), devices=[])


KEPT = """    @compiled
    def init(self, x, s):
        for k in range(self.n):
            s.gain[k] = {begin}

    @compiled
    def delta(self, x, s, m: SwapMove):
        w = self.weights
        return w[m.i, x[m.j]] + w[m.j, x[m.i]] - w[m.i, x[m.i]] - w[m.j, x[m.j]]

    @compiled
    def commit(self, x, s, m: SwapMove):
        s.gain[{place}] = {value}
"""

FAULTS = {
    "an index": ("0", "m.j + 6", "1", r"index \d+ is outside of s.gain, whose length is 6"),
    "a product": ("2**3 * 100000000", "0", "s.gain[1] * s.gain[2]", "does not fit into 32 bits"),
    "a quotient": ("0", "0", "5 // s.gain[1]", "division by zero"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_cpp_is_named_with_the_line_of_python(fault: str, tmp_path: Path) -> None:
    begin, place, value, words = FAULTS[fault]
    problem = mine(tmp_path, KEPT.format(begin=begin, place=place, value=value))
    with pytest.raises(CheckFailed, match=rf"mine.py:{FIRST + 12}: .*{words}"):
        check_problem(problem, Swap(), devices=["host"])


def test_a_sum_that_exceeds_the_type_of_costs_is_found(tmp_path: Path) -> None:
    """An intermediate sum leaves the type, although the change of cost itself fits."""
    problem = evolve(mine(tmp_path, more='cost_type = "int32"'), weights=15 * 10**8 + np.arange(36).reshape(6, 6))
    with pytest.raises(CheckFailed, match=rf"mine.py:{FIRST + 3}: .* does not fit into 32 bits"):
        check_problem(problem, Swap(), devices=["host"])


def test_python_without_a_file_is_refused_in_words() -> None:
    code = (
        "import numpy as np\nfrom metaheur import *\nclass Mine(Problem):\n    representation = Permutation(3)\n"
        "    @compiled\n    def cost(self, x): return 0\nMine().explain()\n"
    )
    for command, text in (((sys.executable, "-c", code), ""), ((sys.executable, "-"), code)):
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if done.returncode:  # newer Pythons keep the text
            assert "The text of Mine.cost cannot be read" in done.stderr
            assert "put the class into a file, or into a cell of a notebook" in done.stderr


def test_a_file_that_changed_since_it_was_imported_is_refused(tmp_path: Path) -> None:
    problem = mine(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(path.read_text("utf-8").replace("w[m.i, x[m.j]] +", "7 +"), encoding="utf-8")
    with pytest.raises(CompileError, match=r"the file has changed since Mine.delta was imported"):
        problem.explain()


def test_a_docstring_of_several_lines_is_the_same_in_the_file(tmp_path: Path) -> None:
    text = DELTA.replace("        w =", '        """One line.\n\n        Another one.\n        """\n        w =')
    assert "delta" in mine(tmp_path, text).explain()


def test_compiled_methods_are_not_inherited_from_a_class_that_is_not_abstract() -> None:
    class Child(QAPTwin):
        pass

    shipped: Any = INSTANCES["QAP, symmetric"]
    child: Any = Child(shipped)
    with pytest.raises(InputError, match="Child inherits the compiled method cost from QAPTwin"):
        child.explain()


def test_an_abstract_class_may_hold_compiled_methods() -> None:
    class Sorting(Problem):
        @compiled
        def cost(self, x: Any) -> int:
            return sum(abs(x[k] - k) for k in range(self.n))

    class Five(Sorting):
        @property
        def representation(self) -> Permutation:
            return Permutation(5)

    assert "team.sum(n" in Five().explain()
    assert Five().cost(np.array([1, 0, 2, 3, 4])) == 2


def test_a_class_with_two_halves_is_refused() -> None:
    class Both(Problem):
        source = "both.cuh"
        representation = Permutation(3)

        @compiled
        def cost(self, x: Any) -> int:
            return 0

    with pytest.raises(CompileError, match="one of them is enough"):
        Both().explain()


def test_compiled_methods_that_are_never_called_are_refused(tmp_path: Path) -> None:
    typo = mine(tmp_path, DELTA.replace("def delta", "def detla"))
    with pytest.raises(
        CompileError, match=r"Mine\.detla is compiled, but C\+\+ never calls it; metaheur calls"
    ) as caught:
        typo.explain()
    assert caught.value.maybe == "call it delta; or drop @compiled."

    class Sorted(Problem):
        representation = Permutation(3)

        def cost(self, x: Any) -> int:
            return 0

        @compiled
        def value(self, x: Any) -> int:
            return 0

    with pytest.raises(CompileError, match=r"Sorted has compiled methods \(value\), but C\+\+ calls none of them"):
        Sorted().explain()


def test_a_class_without_compiled_methods_has_nothing_to_explain() -> None:
    with pytest.raises(InputError, match="Lowest has no @compiled methods"):
        explain(Lowest(), Permutation(3))
    with pytest.raises(InputError, match="QAP has no @compiled methods"):
        QAP.random(3, 1).explain()


def test_the_decorator_is_for_functions() -> None:
    with pytest.raises(InputError, match="@compiled marks functions"):
        compiled(property(lambda self: 0))  # type: ignore[arg-type]


def test_a_problem_is_pickled_as_any_other() -> None:
    problem = twin(INSTANCES["QAP, symmetric"])
    x = np.arange(problem.n, dtype=np.int32)
    problem.delta(x, SwapMove(0, 1))
    assert pickle.loads(pickle.dumps(problem)).delta(x, SwapMove(0, 1)) == problem.delta(x, SwapMove(0, 1))
