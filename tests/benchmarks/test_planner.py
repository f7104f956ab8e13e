"""What the planner picks beside every way to run that it compares: moves a second, by turns.

``python -m tests.benchmarks.test_planner`` prints a row for each of twelve cases: the rule's way, the fastest way, and
the median rate of what `Auto` picks for a run of ten seconds, as a share of the fastest way's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Problem, Search, SimulatedAnnealing, TabuSearch, Until
from metaheur.neighborhoods import Hamming, Insertion, Swap, TwoOpt
from metaheur.parallel import Auto, IterationLevel, Multistart
from metaheur.parallel.candidates import alternatives, name_of
from metaheur.problems import PPP, QAP, QUBO, TSP, FlowShop, Knapsack
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.running.runner import Runner
from metaheur.running.view import RunLength
from metaheur.tree import BranchAndBound, Explorers
from tests.benchmarks.records import report

ROUNDS = 3
SECONDS = 0.4
LENGTH = RunLength(seconds=10)

Case = tuple[Search[Any], Problem, int]


def cases() -> dict[str, Case]:
    """A search, a problem and a number of walks, by name."""
    tabu, flips = TabuSearch(Swap()), TabuSearch(Hamming(1))
    matrix = np.triu(np.random.default_rng(1).integers(-100, 101, (1000, 1000)))
    ppp, tour = PPP.random(73, 73, seed=1), TSP.random(300, 1)
    weights = np.random.default_rng(1).integers(1, 1001, (5, 100))
    knapsack = Knapsack(weights.mean(axis=0).astype(int) + 250, weights, weights.sum(axis=1) // 2)
    return {
        "robust tabu search, QAP, n = 30": (tabu, QAP.taillard(30), 1),
        "robust tabu search, QAP, n = 100": (tabu, QAP.taillard(100), 1),
        "annealing, QAP, n = 100": (SimulatedAnnealing(Swap(), 10_000.0), QAP.taillard(100), 1),
        "tabu search, 2-opt, 300 cities": (TabuSearch(TwoOpt()), tour, 1),
        "tabu search, single flips, PPP, 73 x 73": (flips, ppp, 1),
        "tabu search, pairs of flips, PPP, 73 x 73": (TabuSearch(Hamming(2)), ppp, 1),
        "tabu search, QUBO, n = 1,000": (flips, QUBO(matrix), 1),
        "tabu search, insertions, flow shop, 50 x 20": (TabuSearch(Insertion()), FlowShop.taillard(51), 1),
        "tabu search, QAP, n = 50, 16 walks": (tabu, QAP.taillard(50), 16),
        "tabu search, QAP, n = 50, 1,024 walks": (tabu, QAP.taillard(50), 1024),
        "annealing, 300 cities, 256 walks": (SimulatedAnnealing(TwoOpt(), 1_000.0), tour, 256),
        "explorers, knapsack of 100 items, 5 constraints": (
            BranchAndBound(MultiKnapsackTree(), order=Explorers()),
            knapsack,
            1,
        ),
    }


def rate(runner: Runner, seconds: float, count: int) -> float:
    """Moves a second after the first iteration, for so many seconds."""
    keys = tuple(Key(0, w) for w in range(count))
    walks = runner.begin(keys, runner.problem.representation.starts(keys))
    walks = runner.advance(walks, Until(1)).walks
    before, began, end, step = int(walks.evaluated.sum()), perf_counter(), 1, 1
    while (elapsed := perf_counter() - began) < seconds and not walks.finished.all():
        step = max(step, min(2 * step, int(0.1 * end / elapsed) if elapsed else 1))
        end += step
        walks = runner.advance(walks, Until(end)).walks
    return (int(walks.evaluated.sum()) - before) / (perf_counter() - began)


def ways(case: Case, length: RunLength = LENGTH) -> dict[str, Callable[[], Runner]]:
    """What binds each way to run a case: what the planner picks, the rule's way, and its alternatives."""
    search, problem, count = case
    model = IterationLevel() if count == 1 else Multistart(count)
    rule = model.bind(search, problem)
    picked = Auto(count).lasting(length).bind(search, problem)
    others = {each.name: each.bind for each in alternatives(search, problem, model, rule.facts)}
    return {"picked": lambda: picked, name_of(rule.facts): lambda: rule, **others}


def row(name: str, case: Case, seconds: float = SECONDS, length: RunLength = LENGTH) -> str:
    """The row of a case."""
    rates: dict[str, list[float]] = {}
    runners = {}
    for way, bind in ways(case, length).items():
        try:
            runners[way] = bind()
        except Exception as error:
            print(f"{way}: {error}", file=sys.stderr)
    for _ in range(ROUNDS):
        for way, runner in runners.items():
            rates.setdefault(way, []).append(rate(runner, seconds, case[2]))
    found = {way: median(each) for way, each in rates.items()}
    picked, rule = found.pop("picked"), next(way for way in found if way != "picked")
    best = max(found, key=lambda way: found[way])
    return f"| {name} | {rule} | {best} | {found[best] / found[rule]:.2f} | {picked / max(found.values()):.2f} |"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["robust tabu search, QAP, n = 30", "tabu search, QAP, n = 50, 16 walks"])
def test_a_row_names_the_rules_way(name: str) -> None:
    found = row(name, cases()[name], 0.01, RunLength(seconds=0.1))
    assert found.startswith(f"| {name} | host | ")


COLUMNS = ("case", "the rule's way", "the fastest way", "fastest / rule's", "picked / fastest")


if __name__ == "__main__":
    lines = (row(name, case) for name, case in cases().items())
    report("planner", "rates of the ways to run, medians of three by turns", COLUMNS, lines)
