"""The models of examples: every classic problem by its cost alone, in a few lines, changes as its cost says."""

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.testing import check_problem

FOLDER = Path(__file__).parents[1] / "examples" / "models"
FILES = sorted(FOLDER.glob("*.py"))
DECODED = {"Project", "Pickups", "JobShop", "OpenShop", "FlexibleJobShop", "ModesOfActivities"}
"""Those whose cost is a rule that builds a plan, so that moves are evaluated in full."""


def models() -> Iterator[Any]:
    for file in FILES:
        for problem, moves in runpy.run_path(str(file))["MODELS"]:
            yield pytest.param(problem, moves, id=type(problem).__name__)


MODELS = list(models())


def test_there_is_a_model_of_every_row_of_the_table() -> None:
    page = (FOLDER.parents[1] / "docs/results/representations.md").read_text("utf-8")
    rows = [line for line in page.partition("## Thirty-two problems")[2].splitlines() if line.startswith("| ")]
    assert len(MODELS) == len(rows) - 2  # a head and a line below it


def test_a_model_takes_some_ten_lines() -> None:
    lengths = []
    for file in FILES:
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                lengths.append(sum(bool(line.strip()) for line in ast.unparse(node).splitlines()))
    assert max(lengths) <= 24
    assert sorted(lengths)[len(lengths) // 2] <= 13


@pytest.mark.parametrize(("problem", "moves"), MODELS)
def test_a_model_changes_as_its_cost_says(problem: Problem, moves: Neighborhood) -> None:
    check_problem(problem, moves, devices=[])
    assert ("Derived from cost" in problem.explain(moves)) == (type(problem).__name__ not in DECODED)


@pytest.mark.thorough
@pytest.mark.parametrize(("problem", "moves"), MODELS)
def test_a_compiled_model_changes_as_its_cost_says(problem: Problem, moves: Neighborhood) -> None:
    check_problem(problem, moves, devices=["host"])
