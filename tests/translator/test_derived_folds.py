"""Costs that carry numbers from item to item become folds by themselves; and what a result says of derived changes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import TabuSearch, run, stop
from metaheur.door.seeds import run_seeds
from metaheur.neighborhoods import Insertion, Swap
from metaheur.testing import check_problem
from metaheur.translator.deriving.folding import fold_of
from tests.translator.test_deriving import problem_of

R = np.random.default_rng(3)
P, W, TIMES = R.integers(1, 30, 8), R.integers(1, 9, 8), R.integers(1, 30, (8, 3))
ORDER = "Permutation(8)"
TARDINESS = """
    t, total = 0, 0
    for b in x:
        t += self.p[b]
        total += self.w[b] * max(0, t - 3 * self.p[b])
    return total"""
MAKESPAN = """
    ends = [0] * len(self.times[0])
    for job in x:
        before = 0
        for machine, end in enumerate(ends):
            before = max(before, end) + self.times[job, machine]
            ends[machine] = before
    return ends[-1]"""
RELEASED = """
    t, late = 0, 7
    for k in range(self.n):
        t = max(t, 3 * k + self.p[x[k]]) + 1
    late += t
    return 2 * late"""
SETUPS = """
    t = self.p[x[0]]
    late = max(0, t - 9)
    for k in range(1, len(x)):
        t += self.setup[x[k - 1], x[k]] + self.p[x[k]]
        late += k * max(0, t - 5 * self.p[x[k]])
    return late + self.setup[x[-1], x[0]]"""
GUARDED = """
    t, late = 0, 0
    for k, b in enumerate(x):
        if k > 0 and self.setup[x[k - 1], b] > 3:
            t = max(t, 20) + self.setup[x[k - 1], b]
        t += self.p[b] if k == 0 else min(self.p[b], self.p[x[k - 1]])
        late += max(0, t - 40)
    return late"""
FIELDS = {TARDINESS: {"p": P, "w": W}, MAKESPAN: {"times": TIMES}, RELEASED: {"p": P}}
FIELDS |= {each: {"p": P, "setup": R.integers(0, 9, (8, 8))} for each in (SETUPS, GUARDED)}


def made(body: str, folder: Path) -> Any:
    return problem_of(folder, body, ORDER, f"Fold{list(FIELDS).index(body)}", **FIELDS[body])


@pytest.mark.parametrize(
    ("body", "neighborhood"),
    [
        (TARDINESS, Swap()),
        (MAKESPAN, Insertion()),
        (RELEASED, Swap()),
        (SETUPS, Swap()),
        (GUARDED, Insertion()),
    ],
)
def test_a_loop_that_carries_numbers_is_a_fold(body: str, neighborhood: Any, tmp_path: Path) -> None:
    report = str(check_problem(made(body, tmp_path), neighborhood, devices=["host"]))
    assert report.endswith("on host: cost, delta, init, commit, deltas")


NO_FOLDS = {
    "return sum(self.a[k, x[k]] for k in range(self.n))": "follows from the sum",
    "t = sum(x)\n    for b in x:\n        t = t // 2 + b\n    return t": "starts with what the solution says",
    "t = 0\n    for k in range(self.n):\n        t = max(t, x[k - 1])\n    return t": "reads another entry",
    "t = 0\n    for b in x:\n        t = max(t, b)\n    for b in x:\n        t += t + b\n    return t": "two loops",
    "t = 0\n    for b in x:\n        if b > 3:\n            return t\n        t += b + t\n    return t": "returns",
}


@pytest.mark.parametrize("body", NO_FOLDS)
def test_other_costs_are_no_folds(body: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, body, ORDER, "NoFold", a=np.arange(64).reshape(8, 8))
    assert fold_of(problem, Swap().move_types) is None, NO_FOLDS[body]


def plan(problem: Any) -> str:
    return run(TabuSearch(Swap()), problem, stop=stop.iterations(2), seed=1, parallel="host").plan


def test_the_plan_says_how_changes_of_cost_come_about(tmp_path: Path) -> None:
    assert "The change of cost is derived from the cost, as from a fold." in plan(made(TARDINESS, tmp_path))
    total = problem_of(tmp_path, "return sum(self.p[x[k]] * k for k in range(self.n))", ORDER, "Single", p=P)
    assert "The change of cost of SwapMove is derived from the cost: O(1)." in plan(total)
    together = run_seeds(TabuSearch(Swap()), total, stop=stop.iterations(2), seeds=[1, 2], parallel="host")
    assert all("SwapMove is derived from the cost: O(1)." in each.plan for each in together)
    largest = problem_of(tmp_path, "return max(self.p[x[k]] * x[k - 1] for k in range(self.n))", ORDER, "Largest", p=P)
    assert "SwapMove is evaluated in full: " in plan(largest)
    assert "reads the solution at other places than that of its loop" in plan(largest)


def test_the_text_shows_the_fold(tmp_path: Path) -> None:
    text = made(MAKESPAN, tmp_path).explain()
    assert "// It pays where whole neighborhoods are evaluated" in text
    assert (
        "// Derived from cost, a fold:\n// def start(self):\n//     return {'ends': [0] * len(self.times[0])}" in text
    )
    assert "//     return s.ends[-1]" in text
