"""Costs of lists, by a loop through each list: changes of cost follow, for all moves of lists."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import TabuSearch, run, stop
from metaheur.device.generator.compose import compose
from metaheur.evaluators.shells import moves_of
from metaheur.lists import CrossExchange, Relocate, TwoOptStar
from metaheur.testing import check_problem
from metaheur.translator.deriving.folding import fold_of
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.translator.test_deriving import problem_of

R = np.random.default_rng(5)
C = 8
FIELDS = {
    "demands": R.integers(1, 9, C),
    "d": R.integers(1, 50, (C + 1, C + 1)),
    "windows": np.sort(R.integers(0, 120, (C, 2))),
    "fixed": np.array([40, 10, 25]),
}
SPACE = f"Lists({C}, 3)"
OPTIONAL = f"Lists({C}, 3, optional=True)"
ROUTES = """
    length, late = 0, 7
    depot = len(self.demands)
    for k in range(len(self.fixed)):
        load, at = 0, depot
        for i in x.list(k):
            load += self.demands[i]
            length += self.d[at, i]
            at = i
        length += self.d[at, depot]
        if load > 0:
            length += self.fixed[k]
        late += max(0, load - 12)
    return length + 100 * late + 3"""
LATE = """
    total = 0
    for k in range(3):
        t = self.fixed[k]
        for i in x.list(k):
            t = max(t + self.d[x.previous(i) % 9, i], self.windows[i, 0])
            over = t - self.windows[i, 1]
            if over > 0:
                total += over
        total += t
    return total"""
NEXT = """
    total = 0
    for p in range(self.n):
        total += self.d[min(p, 8), min(x.next(p), 8)]
    for k in range(3):
        load = 0
        for i in x.list(k):
            load += self.demands[i]
        over = max(0, load - 12)
        total += over * over
    return total"""
LONGEST = """
    most = 0
    for k in range(3):
        t = 0
        for i in x.list(k):
            t += self.demands[i] * self.fixed[k]
        most = max(most, t)
    return most"""
CHOSEN = """
    total = 0
    for i in range(len(self.demands)):
        if x.next(i) == i:
            total += 30 * self.demands[i]
        elif x.next(i) < 8:
            total += self.d[i, x.next(i)]
    for k in range(3):
        first, last = -1, -1
        for i in x.list(k):
            if first < 0:
                first = i
            last = i
        if first >= 0:
            total += self.d[last, first]
    return total"""
COSTS = {ROUTES: SPACE, LATE: SPACE, NEXT: SPACE, LONGEST: SPACE, CHOSEN: OPTIONAL}


def made(body: str, folder: Path) -> Any:
    return problem_of(folder, body, COSTS[body], f"OfLists{list(COSTS).index(body)}", **FIELDS)


@pytest.mark.parametrize("body", COSTS)
def test_changes_of_cost_of_lists_follow_from_the_cost(body: str, tmp_path: Path) -> None:
    problem = made(body, tmp_path)
    report = str(check_problem(problem, Relocate(), CrossExchange(2, reverse=True), TwoOptStar(), devices=["host"]))
    assert report.count("on host: cost, delta, init, commit\n") == 2


@pytest.mark.parametrize("body", [ROUTES, LATE])
def test_nvrtc_compiles_it(body: str, tmp_path: Path) -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    device: Any = NoGPU()
    text = compose(made(body, tmp_path), moves_of(CrossExchange(2, reverse=True)), device).text
    assert nvrtc.compiled(text, ARCHITECTURES[-1], binary=False)


def test_the_plan_and_the_text_say_how_a_list_changes(tmp_path: Path) -> None:
    problem = made(ROUTES, tmp_path)
    assert "derived from the cost, list by list" in run(TabuSearch(Relocate()), problem, stop=stop.iterations(2)).plan
    assert "// Segments of lists are joined: a move takes O(1)" in problem.explain()
    assert "// A list is gone through again from the first changed place on." in made(LATE, tmp_path).explain()


NO_LISTS = {
    "return sum(self.d[k, x[k] % 9] for k in range(8))": "a sum without lists",
    """total = 0
    for k in range(2):
        for i in x.list(k):
            total += i
    return total""": "two lists of three",
    """total = 0
    for k in range(3):
        for i in x.list(k):
            total += total
    return total""": "a sum of itself",
    """t = 0
    for k in range(3):
        for i in x.list(k):
            t += i
    return t * t""": "a square of a sum",
    """total = 0
    for k in range(3):
        for i in x.list(k):
            for j in x.list(k):
                total += self.d[i, j]
    return total""": "pairs of items",
    """total = 0
    for k in range(3):
        for i in x.list(k):
            if i > 3:
                break
            total += i
    return total""": "a loop that ends before",
    """total, load = 0, 0
    for k in range(3):
        for i in x.list(k):
            load += self.demands[i]
            total += max(0, load - 9)
    return total""": "a number that goes on from list to list",
    """total = 0
    for k in range(3):
        load, most = 0, 0
        for i in x.list(k):
            load += self.demands[i]
        for i in x.list(k):
            most = max(most, load * self.d[i, i])
        total += most
    return total""": "a second loop that reads the first",
}


@pytest.mark.parametrize("body", NO_LISTS)
def test_other_costs_are_evaluated_in_full(body: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, body, SPACE, "NoLists", **FIELDS)
    assert fold_of(problem, Relocate().move_types) is None, NO_LISTS[body]


def test_a_derivation_that_is_demanded_may_be_that_of_lists(tmp_path: Path) -> None:
    problem = made(ROUTES, tmp_path)
    type(problem).derives = True
    assert "derived from the cost, list by list" in run(TabuSearch(Relocate()), problem, stop=stop.iterations(1)).plan
