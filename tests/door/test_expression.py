"""Expressions make objects of listed classes, and call nothing else, whatever a file or a shell says."""

from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from metaheur import TabuSearch, expressible
from metaheur.door.expression import home_of, imports_of, methods_in, read, written
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Islands, Multistart, Ring
from metaheur.parts import Tenure
from metaheur.problems import CVRP, PPP, QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut, OneMax
from metaheur.problems.trees import QAPTree
from metaheur.searches.recommendation import Recommends
from metaheur.searches.suited import recommendations
from metaheur.tree import BranchAndBound

QAP_12 = QAP.taillard(12)
PROBLEMS = [
    QAP_12,
    QAP(np.kron(QAP_12.a, np.array([[1, 0], [0, 0]])), np.kron(QAP_12.b, np.ones((2, 2), int))),
    TSP.random(12, 1),
    CVRP(np.ones(6, int), 1 - np.eye(7, dtype=int), 3, 3),
    FlowShop.taillard(1),
    Knapsack.boukedjar(12),
    GraphColoring.random(10, 3, seed=1),
    MaxCut.from_edges(5, [[0, 1], [1, 2], [3, 4]]),
    QUBO(np.arange(25).reshape(5, 5)),
    PPP.random(9, 9, 1),
    OneMax(10),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda each: type(each).__name__)
def test_recommended_searches_are_read_as_they_are_written(problem: Any) -> None:
    for each in recommendations(problem):
        text = written(each.search, each.names)
        assert written(read(text, problem), each.names) == text
        for line in imports_of(text):
            package, names = line.removeprefix("from ").split(" import ")
            assert set(names.split(", ")) <= set(import_module(package).__all__)


def test_an_expression_makes_models_trees_fractions_and_what_named_constructors_make() -> None:
    assert read("Islands(Multistart(8), 100, Ring())", None) == Islands(Multistart(8), 100, Ring())
    assert isinstance(read("BranchAndBound(QAPTree())", None), BranchAndBound)
    assert home_of("QAPTree") == "metaheur.problems.trees"
    assert QAPTree is import_module(home_of("QAPTree")).QAPTree
    assert read("(Fraction(1, 3), [1, 'a'], -2.5)", None) == (Fraction(1, 3), [1, "a"], -2.5)
    assert imports_of("Fraction(1, 3)") == ["from fractions import Fraction"]
    assert read("TabuSearch(Swap(), Tenure.fixed(8))", None) == TabuSearch(Swap(), Tenure.fixed(8))
    assert np.array_equal(read("QAP.taillard(12)", None).a, QAP_12.a)


def test_an_expression_takes_marked_methods_and_properties_of_the_problem() -> None:
    problem = TSP.random(12, 1)
    assert np.array_equal(read("problem.quadrants(8)", problem), problem.quadrants(8))
    assert np.array_equal(read("problem.kinds", QAP_12), QAP_12.kinds)
    assert methods_in("A(problem.kinds, problem.near(8), x.y)") == ["problem.kinds", "problem.near(8)"]


def test_a_method_of_a_users_own_problem_needs_the_mark() -> None:
    class Own:
        @expressible
        def near(self, k: int) -> list[int]:
            return [k]

        def secret(self) -> None:
            raise AssertionError

        def recommended(self) -> tuple[str, ...]:
            return ("search",)

    assert read("problem.near(3)", Own()) == [3]
    assert read("problem.recommended()", Own()) == ("search",)
    assert isinstance(Own(), Recommends)
    with pytest.raises(InputError, match=r"'problem\.secret' is not what an expression may call\.\nMaybe write one of"):
        read("problem.secret()", Own())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TabuSearch(Swop())", "'Swop' is not a class of metaheur.\nMaybe write Swap."),
        ("tabusearch(Swap())", "'tabusearch' is not a class of metaheur.\nMaybe write TabuSearch."),
        ("Checkpoint('x')", "Checkpoint is a public name, but an expression may not call it."),
        ("Source('x')", "Source is a public name, but"),
        ("QAP.taillar(12)", "'QAP.taillar' is not what an expression may call.\nMaybe write taillard."),
        ("QAP.from_file('x')", "'QAP.from_file' is not what"),
        ("QAP.mro()", "'QAP.mro' is not what"),
        ("QAP.taillard(12).cost(1)", "'QAP.taillard(12).cost' is neither"),
        ("Swap().__class__", "neither a number nor a call"),
        ("problem.__class__", "'problem.__class__' is not what"),
        ("[each for each in (1,)]", "neither a number nor a call"),
        ("9" * 1_000_001, "1000001 characters"),
        ("-" * 3000 + "1", "nest|is not an expression"),
        ("[" * 3000, "is not an expression"),
        ("TabuSearch(" * 80 + ")" * 80, "cannot be made"),
        ("Fraction('1e30000000')", "a fraction has two whole numbers"),
        ("Fraction(1, 0)", "cannot be made"),
        ("Multistart(10**9)", "neither a number"),
        ("QAP([[1]], {[]: 1})", "neither a number"),
        ("Swap(**5)", "cannot be made"),
        ("Union(*'ab')", "neither a number"),
    ],
)
def test_any_other_expression_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text, QAP_12)
    assert any(each in str(caught.value) for each in message.split("|"))
