"""Changes of cost that are derived from a cost are those of two full evaluations, for every move of small solutions."""

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen

from metaheur import (
    BitString,
    HillClimbing,
    Permutation,
    Problem,
    TabuSearch,
    Trace,
    Validate,
    compiled,
    data,
    run,
    stop,
)
from metaheur.errors import CheckFailed, CompileError
from metaheur.neighborhoods import FlipMove, Hamming, Insertion, Substitution, SubstitutionMove, Swap, SwapMove
from metaheur.testing import check_problem
from metaheur.translator.deriving.cancelling import joined_pieces
from metaheur.translator.deriving.derived import derivation_of
from metaheur.translator.deriving.folding import fold_of
from tests.benchmarks.classics import made
from tests.benchmarks.newcomers import NEWCOMERS
from tests.translator.by_python import wrong
from tests.translator.test_fuzz import loaded

COSTS = {
    "quadratic assignment": """
    n = len(x)
    return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(n) for k in range(n))""",
    "linear ordering": "return -sum(self.a[x[k], b] for k in range(self.n) for b in x[k + 1 :])",
    "the same by loops": """
    total = 0
    for i in range(len(x)):
        for before in range(i):
            total -= self.a[x[i], x[before]]
    return total""",
    "a tour": "return sum(self.a[x[k - 1], x[k]] for k in range(self.n))",
    "a tour by a remainder": "return sum(self.a[x[k], x[(k + 1) % self.n]] for k in range(self.n))",
    "a path": "return sum(self.a[x[k], x[k + 1]] for k in range(self.n - 1))",
    "three in a row": "return sum(self.a[x[k], x[k + 1]] * x[k + 2] for k in range(self.n - 2))",
    "an assignment": "return sum(self.a[k, v] for k, v in enumerate(x))",
    "quadratic": "return sum(self.a[i, k] * x[i] * x[k] for i in range(self.n) for k in range(self.n))",
    "a cut": "return sum(self.a[i, k] for i in range(self.n) for k in range(i + 1, self.n) if x[i] != x[k])",
    "conflicts": """
    total = 0
    for i in range(self.n):
        for k in range(i):
            if self.a[i, k] > 3 and x[i] == x[k]:
                total += 1
    return total""",
    "several sums": """
    some, more = 0, 0
    for k, v in enumerate(x):
        w = self.a[k, k]
        some += w * v
        if k > 0:
            more -= x[k - 1] * v
        else:
            more += 3 * v
    return 3 * some - more - sum(x)""",
    "from both ends": "return sum(self.a[x[k], x[self.n - 1 - k]] for k in range(self.n))",
    "distances": "return sum(self.a[k, i] * abs(x[k] - x[i]) for k in range(self.n) for i in range(k))",
}
HEAD = """
import numpy as np
from attrs import frozen
from metaheur import BitString, Composite, DiscreteVector, Domains, Multiset, Permutation, Repeated, Subset
from metaheur import Problem, compiled, data
from metaheur.lists import Lists


@frozen(eq=False)
class {name}(Problem):
    {fields}
    representation = {space}

    @compiled
    def cost(self, x):
        {body}
"""
MOVES: dict[type, Any] = {SwapMove: Swap(), SubstitutionMove: Substitution(), FlipMove: Hamming(1)}
SPACES = {SwapMove: "Permutation({n})", SubstitutionMove: "DiscreteVector({n}, 4)", FlipMove: "BitString({n})"}


def problem_of(folder: Path, body: str, space: str, name: str, **fields: Any) -> Any:
    """A problem whose cost is a text, on fields of whole numbers."""
    lines = [f'{key}: np.ndarray = data("int32", ndim={np.ndim(each)})' for key, each in fields.items()]
    body = body.strip().replace("\n    ", "\n        ")
    text = HEAD.format(name=name, fields="\n    ".join(lines) or "pass", space=space, body=body)
    return getattr(loaded(folder, text, f"made_{name}"), name)(**fields)


def matrices(n: int) -> dict[str, np.ndarray]:
    """What costs read."""
    generator, size = np.random.default_rng(n), max(n, 8)
    return {"a": generator.integers(-50, 50, (size, size)), "b": generator.integers(-50, 50, (size, size))}


def wrong_in(folder: Path, body: str, move: Any, sizes: tuple[int, ...], name: str) -> list[str]:
    """Moves whose derived change of cost is not the difference of two costs."""
    made = (problem_of(folder, body, SPACES[move].format(n=n), f"{name}{n}", **matrices(n)) for n in sizes)
    return [each for problem in made for each in wrong(problem, MOVES[move])]


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("name", COSTS)
def test_a_derived_change_is_the_difference_of_two_costs(name: str, move: Any, tmp_path: Path) -> None:
    assert not wrong_in(tmp_path, COSTS[name], move, (2, 3, 4, 5, 8), "Cost")


# ---- random costs


def random_cost(seed: int) -> str:
    """A cost of random loops, conditions, shifts, and sums of products."""
    draw = random.Random(seed)

    def number(sites: list[str], places: list[str]) -> str:
        reads = [
            f"self.a[{draw.choice(sites)}, {draw.choice(sites)}]",
            f"self.b[{draw.choice(places)}, {draw.choice(sites)}]",
        ]
        return draw.choice([*reads, draw.choice(sites), f"abs({draw.choice(sites)} - {draw.choice(sites)})", "3"])

    def test(sites: list[str], places: list[str]) -> str:
        sign = draw.choice(["==", "!=", "<", "<="])
        return f"{draw.choice([*sites, *places])} {sign} {draw.choice([*sites, *places])}"

    lines = ["total = 0"]
    for _ in range(draw.randint(1, 2)):
        low = draw.choice(["", "", "1, "])
        lines.append(f"for i in range({low}self.n):")
        sites = ["x[i]", draw.choice(["x[i - 1]", "x[(i + 1) % self.n]", "x[(i + 2) % self.n]", "x[i]"])]
        places, indent = ["i"], "    "
        if draw.random() < 0.6:
            lines.append(f"    for k in range({draw.choice(['self.n', 'i', 'i + 1', 'i + 1, self.n', 'i, self.n'])}):")
            sites, places, indent = [sites[0], "x[k]"], ["i", "k"], " " * 8
        if draw.random() < 0.5:
            lines.append(f"{indent}if {test(sites, places)}:")
            indent += "    "
        value = " * ".join(number(sites, places) for _ in range(draw.randint(1, 3)))
        lines.append(f"{indent}total {draw.choice(['+=', '-='])} {value}")
    return "\n    ".join([*lines, "return total"])


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(1, 20))])
def test_random_costs_change_as_two_full_evaluations_say(first: int, tmp_path: Path) -> None:
    found = 0
    for seed in range(40 * first, 40 * first + 40):
        text = random_cost(seed)
        for move in MOVES:
            try:
                different = wrong_in(tmp_path, text, move, (2, 3, 5), f"Random{seed}_")
            except CompileError:
                continue
            found += 1
            assert not different, (text, different[0])
    assert found > 60  # others have as many nested loops as their cost


# ---- what is not derived

REFUSED = {
    "return max(self.a[x[k - 1], x[k]] for k in range(self.n))": "reads the solution at other places than that of its",
    "return sum(self.a[k, x[x[k]]] for k in range(self.n))": "at a place that is no sum of loop variables",
    "return sum(self.a[k, x[k]] for k in range(x[0]))": "the ends of a loop depend on x",
    "return sum(self.a[k, x[k]] / 2 for k in range(self.n))": "computes with floats",
    "return sum(self.gain(x, k) for k in range(self.n))": "a term reads the whole solution at once",
    "return sum(self.a[k, x[2 * k]] for k in range(self.n // 2))": "as many nested loops as the cost",
    "t = 0\n    for v in x:\n        t += v\n        t += t * v\n    return t": "a sum that is not complete",
    "t = 0\n    for v in x:\n        if t < 9:\n            t += v\n    return t": "read before it is complete",
    "t = 0\n    for v in x:\n        t = t + v\n    return t": "t is assigned several times",
    "t = 0\n    while t < 9:\n        t += x[0]\n    return t": "is no term of a sum",
    "return sum(v for v in x[::2])": "a loop goes over `x[::2]`",
    "c = [0] * self.n\n    for v in x:\n        c[v] += c[v - 1]\n    return c[0]": "entries of another list",
    "c = [0] * 9\n    t = 0\n    for v in x:\n        c[v] += 1\n        t += c[v]\n    return t": "is complete",
    "c = [0] * 9\n    for v in x:\n        c[v] += 1\n    return sum(c[v] for v in x)": "reads the solution, and",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_derived_is_refused_with_the_reason(body: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, body, "Permutation(7)", "Refused", **matrices(7))
    found = derivation_of(problem, [SwapMove])
    assert not found.methods
    ((_, error),) = found.refusals
    assert REFUSED[body] in str(error)
    assert "made_Refused.py:" in str(error)


@pytest.mark.parametrize("grows", ["t += t * v", "if t < 9:\n            t += v"])
def test_a_loop_that_carries_numbers_is_told_how_it_becomes_a_fold(grows: str, tmp_path: Path) -> None:
    body = f"t = 0\n    for k, v in enumerate(x):\n        t += v + x[k - 1]\n        {grows}\n    return t"
    problem = problem_of(tmp_path, body, "Permutation(7)", "Carried", **matrices(7))
    ((_, error),) = derivation_of(problem, [SwapMove]).refusals
    assert "for b in x" in str(error)
    assert "it becomes a fold" in str(error)


# ---- problems

WEIGHTS = np.random.default_rng(3).integers(-20, 90, (7, 7))


@frozen(eq=False)
class Ordering(Problem):
    """Linear ordering, whose cost is all that is written."""

    weights: np.ndarray = data("int64", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x: Any) -> Any:
        return -sum(self.weights[x[k], b] for k in range(self.n) for b in x[k + 1 :])


@frozen(eq=False)
class Bits(Problem):
    """A quadratic function of bits."""

    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> BitString:
        return BitString(len(self.weights))

    @compiled
    def cost(self, x: Any) -> Any:
        return sum(self.weights[i, k] * x[i] * x[k] for i in range(self.n) for k in range(self.n))


@pytest.mark.parametrize(
    ("problem", "neighborhood", "members"),
    [
        (Ordering(WEIGHTS), Swap(), "cost, delta, init, commit, update"),
        (Bits(WEIGHTS), Hamming(1), "cost, delta, init, commit, update"),
        pytest.param(Bits(WEIGHTS), Hamming(2), "cost, delta, init, commit", marks=pytest.mark.thorough),
        pytest.param(Ordering(WEIGHTS), Insertion(), "cost, delta", marks=pytest.mark.thorough),
    ],
)
def test_derived_changes_pass_the_check_of_problems(problem: Any, neighborhood: Any, members: str) -> None:
    report = str(check_problem(problem, neighborhood, devices=["host"]))
    assert report.endswith(f"on host: {members}")


def test_a_walk_is_that_of_full_evaluations() -> None:
    there, here = (
        run(HillClimbing(Swap()), Ordering(WEIGHTS), stop=stop.iterations(20), seed=4, parallel=device)
        for device in ("host", "numpy")
    )
    assert there.solution.tolist() == here.solution.tolist()
    assert (there.cost, there.iterations, there.evaluated) == (here.cost, here.iterations, here.evaluated)


def test_the_text_shows_what_is_derived_or_why_nothing_is(tmp_path: Path) -> None:
    assert (
        "// Derived from cost, for SwapMove, O(n) a move:\n// def delta(self, x, m):\n" in Ordering(WEIGHTS).explain()
    )
    assert "for k in range(i + 1, j):" in Ordering(WEIGHTS).explain()  # not over all positions


OWN = """
import numpy as np
from attrs import frozen
from metaheur import Permutation, Problem, compiled, data
from metaheur.neighborhoods import SwapMove


@frozen(eq=False)
class Mine(Problem):
    weights: np.ndarray = data("{dtype}", ndim=2)
    {more}

    @property
    def representation(self):
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x):
        return {cost}(self.weights[k, x[k]] for k in range(self.n))
{methods}
"""
DELTA = "\n    @compiled\n    def delta(self, x, m: SwapMove):\n        return 77\n"


def own_problem(folder: Path, *, more: str = "", dtype: str = "int64", cost: str = "sum", methods: str = "") -> Any:
    text = OWN.format(more=more, dtype=dtype, cost=cost, methods=methods)
    return loaded(folder, text, "own").Mine(WEIGHTS)


def own(folder: Path, **given: str) -> str:
    """What the C++ of a problem is, or its refusal."""
    found: str = own_problem(folder, **given).explain()
    return found


def test_a_problem_says_whether_changes_are_derived(tmp_path: Path) -> None:
    assert "Cost delta(" in own(tmp_path)
    assert "Cost delta(" not in own(tmp_path, more="derives = False")
    assert "77" in own(tmp_path, methods=DELTA)
    assert "Derived" not in own(tmp_path, methods=DELTA)
    floats = own(tmp_path, more='cost_type = "float64"', dtype="float64")
    assert "Cost delta(" not in floats
    assert "No change of cost is derived: its costs are floats, whose sum in another order is another number." in floats
    assert "Maybe count in whole numbers, such as thousandths, and leave cost_type out" in floats
    several = own(tmp_path, more='objectives = ("one", "other")', cost="0, sum")
    assert "No change of cost is derived: it has several objectives. Maybe make a problem of each" in several
    assert "No delta for SwapMove: " in own(tmp_path, cost="x[x[0]] + sum")
    with pytest.raises(CompileError, match="at a place that is no sum of loop variables, so that no change of"):
        own(tmp_path, more="derives = True", cost="x[x[0]] + sum")
    with pytest.raises(CompileError, match="Mine has derives = True, but its changes of cost are int32"):
        own(tmp_path, more='derives = True; cost_type = "int32"', dtype="int32")


def test_a_fault_of_deriving_stops_no_run_and_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise IndexError("list index out of range")

    monkeypatch.setattr("metaheur.translator.deriving.derived.derived", fails)
    text = OWN.format(more="", dtype="int64", cost="sum", methods="").replace("class Mine", "class Assigned")
    problem = loaded(tmp_path, text, "own").Assigned(WEIGHTS)
    assert "Cost delta(" not in problem.explain()
    result = run(HillClimbing(Swap()), problem, stop=stop.iterations(5), seed=1, parallel="host")
    assert result.cost == problem.cost(result.solution)
    assert "deriving failed with IndexError: list index out of range, a fault of metaheur" in result.plan


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of deriving: of each sum, nothing but what is subtracted first."""
    monkeypatch.setattr(
        "metaheur.translator.deriving.maker.joined_pieces",
        lambda *given: [evolve(each, changes=each.changes[:1]) for each in joined_pieces(*given)],
    )


@pytest.mark.usefixtures("planted")
def test_a_checked_run_falls_back_on_the_cost_where_a_derived_change_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = own_problem(tmp_path)
    trace = Trace(every=5)
    given: dict[str, Any] = {"stop": stop.iterations(20), "seed": 1}
    result = run(TabuSearch(Swap()), problem, parallel="host", watch=[Validate(every=5), trace], **given)
    expected = run(TabuSearch(Swap()), problem, parallel="numpy", **given)
    assert (result.cost, result.evaluated) == (expected.cost, expected.evaluated)
    assert result.solution.tolist() == expected.solution.tolist()
    assert [row.iteration for row in trace.rows] == [0, 5, 10, 15, 20]
    assert "Moves are evaluated in full: a check found a wrong one, a fault of metaheur (At iteration 5" in result.plan
    told = capsys.readouterr().err
    assert (
        "metaheur: changes of cost of Mine were derived, but a check found a wrong one, a fault of metaheur (At it"
        in told
    )
    assert "No change of cost is derived: a check found a wrong one" in problem.explain()
    assert check_problem(problem, Swap(), devices=["host"]).lines[-1].endswith("on host: cost")


@pytest.mark.usefixtures("planted")
def test_a_wrong_derived_change_is_refused_where_it_was_demanded_or_nothing_checks(tmp_path: Path) -> None:
    given: dict[str, Any] = {"stop": stop.iterations(20), "seed": 1, "parallel": "host"}
    with pytest.raises(CheckFailed, match="At iteration 1 of TabuSearch on Mine the current cost is reported as"):
        run(TabuSearch(Swap()), own_problem(tmp_path, more="derives = True"), watch=[Validate(every=1)], **given)
    with pytest.raises(CheckFailed, match="At the end of TabuSearch on Mine the best cost is reported as"):
        run(TabuSearch(Swap()), own_problem(tmp_path), **given)
    with pytest.raises(CheckFailed, match="the change of cost of SwapMove"):
        check_problem(own_problem(tmp_path), Swap(), devices=["host"])


def test_a_wrong_change_by_hand_is_no_reason_to_begin_again(tmp_path: Path) -> None:
    with pytest.raises(CheckFailed, match="At iteration 1"):
        run(
            TabuSearch(Swap()),
            own_problem(tmp_path, methods=DELTA),
            stop=stop.iterations(5),
            parallel="host",
            watch=[Validate(every=1)],
        )


def test_names_of_a_module_are_not_those_of_loops_and_fields(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, COSTS["linear ordering"], "Permutation(6)", "InANotebook", a=WEIGHTS[:6, :6])
    module = sys.modules[type(problem).__module__]
    for name in ("k", "b", "n", "total"):
        setattr(module, name, 7)
    assert not wrong(problem, Swap())


def test_what_is_not_derived_is_told_with_the_nearest_form(tmp_path: Path) -> None:
    body = "total = x[0]\n    while total > 3:\n        total -= 2\n    return total"
    text = problem_of(tmp_path, body, "Permutation(6)", "Decreasing").explain()
    assert "`while total > 3:` is no term of a sum, so that no change of cost is derived. Maybe use `for` loops" in text
    body = "at = [0] * 6\n    for k in range(6):\n        at[x[k]] += k\n    total = at[2]\n"
    body += "    total += x[0]\n    return total"
    text = problem_of(tmp_path, body, "Permutation(6)", "BegunByAList").explain()
    assert "total does not begin with a sum of its own before all loops, so that no change of cost is derived" in text
    body = "total = 0\n    for i in range(6):\n        held = 0\n        for k in range(6):\n            if x[k] > i:\n"
    body += "                held += k\n                total += 1\n        total += held * held\n    return total"
    text = problem_of(tmp_path, body, "Permutation(6)", "Nested").explain()
    assert "held is added up within a loop or a condition, so that no change of cost is derived" in text
    assert "Maybe say it in one expression, held = sum(... for ... if ...)." in text


ADDED = """total = 0
    for g in range(3):
        load = 2
        count = 0
        for k in range(6):
            weight = self.a[k, g]
            if x[k] == g:
                load += weight
                count += 1
            else:
                load -= 1
        total += load * load - count * load
        for j in range(g):
            near = 0
            for i in range(6):
                for k in range(i):
                    near += self.a[x[i], x[k]] * j
            total -= near
    return total"""


def test_a_loop_within_a_loop_may_add_up_numbers(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, ADDED, "DiscreteVector(6, 3)", "Added", a=WEIGHTS[:6, :6])
    assert not wrong(problem, Substitution())
    in_one = """total = 0
    for g in range(3):
        load = 2 + sum(self.a[k, g] for k in range(6) if x[k] == g)
        total += load * load
    return total"""
    loop = """        for i in range(6):
            if x[i] == g:
                load += self.a[i, g]
        total +="""
    added = in_one.replace(" + sum(self.a[k, g] for k in range(6) if x[k] == g)", "").replace("        total +=", loop)
    texts = {
        each.source
        for body in (in_one, added)
        for each in derivation_of(
            problem_of(tmp_path, body, "DiscreteVector(6, 3)", f"Of{len(body)}", a=WEIGHTS[:6, :6]),
            Substitution().move_types,
        ).methods
    }
    assert len(texts) == 3, "both forms have the same init, delta and commit, with one array for both loads"
    assert all("kept1" not in each for each in texts)


def test_a_total_may_begin_with_a_sum(tmp_path: Path) -> None:
    body = """total = 3 - sum(self.a[k, x[k]] for k in range(6)) + x[2] * x[3]
    for k in range(5):
        total += self.a[x[k], x[k + 1]]
    return total"""
    problem = problem_of(tmp_path, body, "Permutation(6)", "Begun", a=WEIGHTS[:6, :6])
    for moves in (Swap(), Insertion()):
        assert not wrong(problem, moves)


@pytest.mark.parametrize("each", NEWCOMERS, ids=lambda each: each.name)
def test_the_costs_of_newcomers_need_nothing_else(each: Any) -> None:
    problem = made(each, "Newcomer", cost=each.cost)
    kinds = each.moves.move_types
    assert bool(derivation_of(problem, kinds).methods) != (fold_of(problem, kinds) is not None)
    assert (each.kind == "a fold") == (fold_of(problem, kinds) is not None)


@pytest.mark.parametrize(
    ("cost", "moves"),
    [
        ("return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range({n}) for k in range({n}))", Swap()),
        ("return sum(self.a[x[k], x[(k + 1) % {n}]] for k in range({n}))", Insertion()),
        ("return sum(self.a[x[k - 1], x[k]] for k in range({n}))", Insertion()),
        (
            "at = [0] * {n}\n    for k in range({n}):\n        at[x[k]] = k\n    return 3 * at[0] ** 2",
            Swap(),
        ),
        (
            "return sum(self.a[x[k], x[k + 1]] for k in range({n} - 1)) + sum(x[k - {n}] * k for k in range({n}))",
            Swap(),
        ),
    ],
)
def test_a_number_that_is_the_length_is_read_as_the_length(cost: str, moves: Any, tmp_path: Path) -> None:
    def problem(name: str, length: str, rows: int = 8) -> Any:
        matrix = np.arange(rows * rows).reshape(rows, rows) % 7
        return problem_of(tmp_path, cost.format(n=length), "Permutation(8)", name, a=matrix, b=matrix * matrix)

    def methods(found: Any) -> list[str]:
        return [each.source for each in derivation_of(found, moves.move_types).methods]

    expected = methods(problem("Plain", "self.n"))
    assert expected
    for name, length in (("Literal", "8"), ("Counted", "len(self.a)")):
        assert methods(problem(name, length)) == expected
        assert not wrong(problem(name, length), moves)
