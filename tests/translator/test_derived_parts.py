"""Costs of solutions with parts: changes of cost for moves of each part, to which the other parts are data."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, TabuSearch, run, stop
from metaheur.device.generator.compose import compose
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Hamming, Insertion, On, OrOpt, Product, Substitution, Swap, ThreeOpt, TwoOpt, Union
from metaheur.testing import check_problem
from metaheur.translator.deriving.derived import derivation_of
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.translator.by_python import wrong, wrong_pairs
from tests.translator.derived_fuzz import SPACES, drawn, found_in
from tests.translator.test_deriving import problem_of

R = np.random.default_rng(7)
FIELDS = {"times": R.integers(1, 20, (6, 3)), "d": R.integers(0, 30, (6, 6)), "rows": R.integers(0, 6, (9, 2))}
SPACE = "Composite(order=Permutation(6), mode=DiscreteVector(6, 3), extra=BitString(4))"
PARTS = """
    load = [0] * 3
    total = 7
    for j in range(len(self.times)):
        load[x.mode[j]] += self.times[j, x.mode[j]]
    for k in range(1, len(x.order)):
        total += self.d[x.order[k - 1], x.order[k]]
    for job in x.order:
        total += self.times[job, x.mode[job]] * (1 + x.extra[job % 4])
    for q in range(len(self.rows)):
        total += 5 * (x.mode[self.rows[q, 0]] == x.mode[self.rows[q, 1]])
    return total + sum(c * c for c in load)"""
MOVES = {
    "order": [On("order", each) for each in (Swap(), Insertion(), TwoOpt(), OrOpt(), ThreeOpt())],
    "mode": [On("mode", Substitution())],
    "extra": [On("extra", Hamming(1))],
}


def made(folder: Path) -> Any:
    return problem_of(folder, PARTS, SPACE, "OfParts", **FIELDS)


@pytest.mark.parametrize("part", MOVES)
def test_changes_of_cost_by_moves_of_a_part_are_those_of_full_evaluations(part: str, tmp_path: Path) -> None:
    assert all(not wrong(made(tmp_path), each) for each in MOVES[part])


def test_compiled_moves_of_all_parts_change_the_cost_as_full_evaluations_say(tmp_path: Path) -> None:
    both = Product(On("order", Swap()), On("mode", Substitution()))
    report = str(check_problem(made(tmp_path), Union(*(one for each in MOVES.values() for one in each), both)))
    assert "on host: cost, delta, init, commit" in report


PAIRS = [
    Product(On("order", Swap()), On("mode", Substitution())),
    Product(On("mode", Substitution()), On("order", Insertion())),
    Product(On("extra", Hamming(1)), On("order", OrOpt())),
]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_changes_of_cost_by_moves_of_two_parts_are_those_of_full_evaluations(pair: Any, tmp_path: Path) -> None:
    assert not wrong_pairs(made(tmp_path), pair)


def test_only_pairs_that_a_product_makes_are_derived(tmp_path: Path) -> None:
    found = derivation_of(made(tmp_path), PAIRS[1].move_types).methods
    assert [each.of for each in found if each.beside] == ["SubstitutionMove of mode with InsertionMove of order"]


def test_compiled_moves_of_two_parts_change_the_cost_as_full_evaluations_say(tmp_path: Path) -> None:
    report = str(check_problem(made(tmp_path), PAIRS[2], devices=["host"]))
    assert report.endswith("on host: cost, delta, init")


def test_a_list_of_both_parts_is_not_derived_for_two_moves_at_once(tmp_path: Path) -> None:
    body = """
    load = [0] * 3
    for k in range(len(x.order)):
        load[x.mode[k]] += x.order[k]
    return sum(c * c for c in load)"""
    found = run(
        HillClimbing(PAIRS[0]), problem_of(tmp_path, body, SPACE, "OfBoth", **FIELDS), stop=stop.iterations(2), seed=1
    )
    assert "ProductMove is evaluated in full: " in found.plan
    assert "change a list, or a minimum, that depends on both parts" in found.plan


@pytest.mark.parametrize("seeds", [range(12), range(60, 70)], ids=str)
def test_drawn_costs_of_parts_change_as_full_evaluations_say(seeds: range, tmp_path: Path) -> None:
    problems = drawn(seeds, "parts", tmp_path)
    found = [(each, moves) for each in problems for moves in SPACES["parts"][1] if found_in(each, moves)]
    assert len(found) > len(problems)
    for problem, moves in found:
        assert not (wrong_pairs(problem, moves) if isinstance(moves, Product) else wrong(problem, moves, starts=1)), (
            moves
        )


def test_the_plan_names_the_part(tmp_path: Path) -> None:
    found = run(TabuSearch(On("mode", Substitution())), made(tmp_path), stop=stop.iterations(2), seed=1)
    assert (
        "The change of cost of SubstitutionMove of mode is derived from the cost: O(rows of a position)" in found.plan
    )


REFUSED = {
    "return sum(x[k] for k in range(6))": "a solution has parts, and the cost reads the whole solution",
    "return sum(self.d[k, x.mode[x.order[k]]] for k in range(6))": "is read at a place that is no sum",
    "return max(self.d[x.mode[k], x.mode[k - 1]] for k in range(6))": "at other places than that of its loop",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_derived_says_why(body: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, body, SPACE, "NotOfParts", **FIELDS)
    found = derivation_of(problem, On("mode", Substitution()).move_types)
    assert any(REFUSED[body] in str(error) for _, error in found.refusals)
    assert not any(each.part == "mode" for each in found.methods)


def test_nvrtc_compiles_it(tmp_path: Path) -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    device: Any = NoGPU()
    text = compose(made(tmp_path), moves_of(Union(On("order", Swap()), On("mode", Substitution()))), device).text
    assert nvrtc.compiled(text, ARCHITECTURES[-1], binary=False)
