"""Portfolios: each walk is the run of its search alone, bit for bit, on every device and under every model."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import get_ident
from typing import Any

import numpy as np
import pytest

from metaheur import (
    HillClimbing,
    IteratedLocalSearch,
    Key,
    ParetoLocalSearch,
    SimulatedAnnealing,
    TabuSearch,
    Until,
    resume,
    run,
    run_many,
    stop,
)
from metaheur.device.cuda.cuda import gpus
from metaheur.device.host.host import Host
from metaheur.errors import CheckpointError, InputError
from metaheur.neighborhoods import Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.parallel import Auto, Complete, Distributed, Islands, IterationLevel, MultiGPU, Multistart
from metaheur.parts import Limit, RandomMoves
from metaheur.problems import PPP, QAP, TSP, GraphColoring, OneMax
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.runners.side_by_side import SideBySide
from metaheur.searches import Portfolio, RandomRestart
from metaheur.testing import check_search
from metaheur.tree import BranchAndBound
from metaheur.watch import Checkpoint, Solutions, Statistics
from tests.helpers import EveryTenth, facts
from tests.toys import Rotations, SecondBest

QAP_9 = QAP.random(9, seed=3)
TABU, DESCENT = TabuSearch(Swap()), HillClimbing(Swap())
ANNEALING = SimulatedAnnealing(Swap(), 300.0)
KICKS = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3))
PYTHON = SecondBest(Rotations())
MIXED = Portfolio({"tabu": TABU, "python": PYTHON, "kicks": KICKS, "annealing": ANNEALING, "again": TABU})
POOL = ThreadPoolExecutor(2)

MODELS: dict[str, Any] = {
    "numpy": Multistart(12, device="numpy"),
    "host": Multistart(12, device="host"),
    "one thread": Multistart(12, device="host", threads=1),
    "devices": MultiGPU(Multistart(12), ("host", "host", "host"), weights=(5, 1, 3)),
    "workers": Distributed(Multistart(12, device="host", threads=1), POOL, 5, iterations=17),
    "devices of workers": Distributed(MultiGPU(Multistart(12), ("host", "host")), POOL, 2),
    "cuda": Multistart(12, device="cuda"),
}


def table(model: Any, search: Any = MIXED, iterations: int = 70, **more: Any) -> list[Any]:
    """All that a run says of each walk."""
    each = Solutions()
    found = run(
        search, QAP_9, stop=stop.iterations(iterations), seed=5, parallel=model, watch=[EveryTenth(), each], **more
    )
    walks = found.walks
    columns = (walks.costs, walks.iterations, walks.evaluated, walks.improved_at, walks.finished, walks.searches)
    return [found.cost, found.solution.tolist(), *(column.tolist() for column in (*columns, each.best))]


@pytest.fixture(scope="module")
def alone() -> list[Any]:
    """The rows of the walks, each the run of its search alone."""
    rows = []
    for w in range(12):
        name, search = MIXED.searches[w % 5]
        keys = [Key(5, w)]
        runner = IterationLevel("numpy").bind(search, QAP_9)
        walks = runner.begin(keys, QAP_9.representation.starts(keys))
        walks = runner.advance(walks, Until(70)).walks
        columns = (walks.best_costs, walks.iterations, walks.evaluated, walks.improved_at, walks.finished)
        rows.append([*(column[0].item() for column in columns), name, walks.best_solution(0).tolist()])
    return [list(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.cuda if n == "cuda" else ()) for n in MODELS])
def test_each_walk_is_the_run_of_its_search_alone(name: str, alone: list[Any], request: Any) -> None:
    if name == "cuda":
        request.getfixturevalue("gpu")
    assert table(MODELS[name])[2:] == alone


def test_equal_searches_are_the_walks_of_one_launch() -> None:
    runner = Multistart(12, device="host").bind(MIXED, QAP_9)
    assert isinstance(runner, SideBySide)
    assert runner.groups == (0, 1, 2, 3, 0)
    walks = runner.begin(keys := Multistart(12).keys(5), QAP_9.representation.starts(keys))
    assert [part.keys for part in walks.parts] == [  # type: ignore[attr-defined]
        tuple(Key(5, w) for w in of) for of in ([0, 4, 5, 9, 10], [1, 6, 11], [2, 7], [3, 8])
    ]
    plan = runner.facts.plan
    assert "3 by tabu, 3 by python in Python, 2 by kicks, 2 by annealing, 2 by again" in plan
    assert "resident on host" in plan


def test_a_thread_that_hands_walks_over_has_waited_for_its_device(monkeypatch: pytest.MonkeyPatch) -> None:
    last: dict[int, str] = {}

    def noted(name: str) -> Any:
        plain = getattr(Host, name)

        def note(*arguments: Any) -> Any:
            last[get_ident()] = name
            return plain(*arguments)

        return note

    for name in ("write", "wait"):
        monkeypatch.setattr(Host, name, noted(name))
    runner = Multistart(12, device="host").bind(MIXED, QAP_9)
    walks = runner.begin(keys := Multistart(12).keys(5), QAP_9.representation.starts(keys))
    last.pop(get_ident(), None)
    assert set(last.values()) == {"wait"}
    monkeypatch.setattr(SecondBest, "step", lambda *_: 1 / 0)
    last.clear()
    with pytest.raises(ZeroDivisionError):
        runner.advance(walks, Until(3))
    assert set(last.values()) == {"wait"}


@pytest.mark.parametrize("outer", ["host", "workers", "devices"])
def test_walks_of_unlike_searches_exchange_solutions(outer: str) -> None:
    def islands(model: Any) -> Any:
        return Islands(model, 10, Complete(), replaces="worse current")

    together = table(islands(MODELS["numpy"]))
    assert together == table(islands(MODELS[outer]))
    assert together[2] != table(MODELS["numpy"])[2]
    assert len(set(together[2])) == 1  # the best solution has come to every walk that goes on


def test_weights_deal_walks_out_by_their_numbers_alone() -> None:
    portfolio = Portfolio([TABU, DESCENT, KICKS], weights=(3, 1, 2))
    assert portfolio.turns == (0, 2, 0, 1, 2, 0)
    assert [portfolio.member_of(Key(9, w)) for w in range(13)] == [0, 2, 0, 1, 2, 0] * 2 + [0]
    assert Portfolio([TABU, DESCENT]).turns == (0, 1)
    names = run(portfolio, QAP_9, stop=stop.iterations(5), parallel=Multistart(6, device="host")).walks.searches
    assert names.tolist() == [portfolio.names[member] for member in portfolio.turns]


def test_names_are_given_or_those_of_classes() -> None:
    assert MIXED.names == ("tabu", "python", "kicks", "annealing", "again")
    assert Portfolio([TABU, DESCENT, KICKS, TABU]).names == (
        "TabuSearch 1",
        "HillClimbing",
        "IteratedLocalSearch",
        "TabuSearch 2",
    )


def test_one_search_with_several_parameters() -> None:
    portfolio = Portfolio.of(TABU, tenure=[(0.5, 0.8), (0.9, 1.1)], least_tabu=[True, False])
    assert len(portfolio.members) == 4
    assert portfolio.names[1] == "tenure=(0.5, 0.8), least_tabu=False"
    assert portfolio.members[1] == TabuSearch(Swap(), (0.5, 0.8), least_tabu=False)


def test_a_search_that_repeats_is_no_portfolio() -> None:
    found = run(TABU, QAP_9, stop=stop.iterations(5), parallel=Multistart(3, device="numpy"))
    assert found.walks.searches.tolist() == ["TabuSearch"] * 3
    assert (
        not Multistart(2, device="numpy")
        .bind(TABU, QAP_9)
        .begin([Key(1), Key(2)], QAP_9.representation.starts([Key(1), Key(2)]))
        .members.any()
    )


@pytest.mark.parametrize("first", ["numpy", "host", "workers"])
def test_a_checkpoint_is_resumed_elsewhere(first: str, alone: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    run(MIXED, QAP_9, stop=stop.iterations(30), seed=5, parallel=MODELS[first], watch=[Checkpoint(path, every=30)])
    for second in ("devices", "numpy"):
        rest = resume(path, MIXED, QAP_9, stop=stop.iterations(70), parallel=MODELS[second])
        walks = rest.walks
        columns = (walks.costs, walks.iterations, walks.evaluated, walks.improved_at, walks.finished, walks.searches)
        assert [column.tolist() for column in columns] == alone[:-1]
    other = Portfolio({**dict(MIXED.searches), "kicks": DESCENT})
    with pytest.raises(CheckpointError, match="it belongs to another search"):
        resume(path, other, QAP_9, stop=stop.iterations(70), parallel=MODELS["numpy"])


def test_watchers_name_the_search_of_a_walk() -> None:
    rows = Statistics(10, changes=True)
    run(MIXED, QAP_9, stop=stop.iterations(20), seed=5, parallel=MODELS["host"], watch=[rows])
    assert {(row.walk, row.search) for row in rows.rows} == {(w, MIXED.names[w % 5]) for w in range(12)}
    assert {row.search for row in rows.rows if row.tabu is not None} == {"tabu", "again"}


def test_runs_with_a_portfolio_are_recorded(tmp_path: Path) -> None:
    def names() -> Any:
        experiment = run_many(
            Portfolio([TABU, DESCENT]),
            QAP_9,
            stop=stop.iterations(20),
            seeds=range(2),
            parallel=Multistart(4, device="host"),
            folder=tmp_path,
            progress=False,
        )
        return [each.result.walks.searches.tolist() for each in experiment.runs if each.result]

    assert names() == names() == [["TabuSearch", "HillClimbing"] * 2] * 2


def test_it_is_a_search_like_any_other() -> None:
    check_search(Portfolio([TABU, KICKS, ANNEALING]), QAP_9, iterations=40)
    copy = pickle.loads(pickle.dumps(MIXED))
    assert table(MODELS["host"], copy, 20) == table(MODELS["host"], MIXED, 20)
    both = run(Portfolio([TABU, KICKS]), QAP_9, stop=stop.iterations(20), parallel=Auto(4))
    assert both.walks.searches.tolist() == ["TabuSearch", "IteratedLocalSearch"] * 2


def test_generations_follow_with_the_searches_of_their_numbers() -> None:
    portfolio = Portfolio([DESCENT, HillClimbing(Insertion())])
    found = run(portfolio, QAP_9, stop=stop.iterations(60), parallel=Multistart(3, device="host", follow=True))
    walks, names = found.walks, portfolio.names
    assert len(walks) > 6
    again = run(portfolio, QAP_9, stop=stop.iterations(60), parallel=Multistart(len(walks) - 3, device="numpy"))
    assert walks.searches.tolist() == [names[w % 2] for w in range(len(walks))]
    assert walks.costs[:-3].tolist() == again.walks.costs.tolist()


def test_a_portfolio_of_pythons_searches_runs_in_python() -> None:
    found = run(Portfolio([PYTHON, DESCENT]), QAP_9, stop=stop.iterations(9), parallel=Multistart(4))
    assert found.device != "numpy"
    found = run(Portfolio([PYTHON]), QAP_9, stop=stop.iterations(9), parallel=Multistart(4))
    assert (found.device, "has no C++ half" in found.plan) == ("numpy", True)
    with pytest.raises(InputError, match=r"on host, but Rotations and SecondBest have no C\+\+ half"):
        run(Portfolio([PYTHON]), QAP_9, stop=stop.iterations(9), parallel=Multistart(4, device="host"))


def test_a_search_that_fails_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> Any:
        raise ZeroDivisionError("in a step")

    monkeypatch.setattr(SecondBest, "step", failing)
    with pytest.raises(ZeroDivisionError, match="in a step"):
        table(MODELS["host"])


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: Portfolio([]), "`Portfolio.searches` is empty"),
        (lambda: Portfolio(TABU), "`Portfolio.searches` must be a list of searches, but is TabuSearch"),
        (lambda: Portfolio([TABU, Swap()]), r"must hold searches, but 'Swap' is Swap\(\)"),
        (lambda: Portfolio({"a": TABU, 7: TABU}), "must be texts that differ, but one is 7"),
        (lambda: Portfolio([("a", TABU), ("a", KICKS)]), "must be texts that differ, but one is 'a'"),
        (lambda: Portfolio([TABU, Portfolio([TABU])]), "but 'Portfolio' is a portfolio itself"),
        (
            lambda: Portfolio([TABU, ParetoLocalSearch(Insertion())]),
            "must all be for one objective or all for a front, but 'ParetoLocalSearch' and 'TabuSearch' differ",
        ),
        (lambda: Portfolio([BranchAndBound(KnapsackTree())]), "'BranchAndBound' explores a tree"),
        (lambda: Portfolio([TABU, KICKS], weights=(1,)), "a whole number for each of 2 searches, .* but is"),
        (lambda: Portfolio([TABU, KICKS], weights=(1, 4096)), "4096 together at most, but is"),
        (lambda: Portfolio([TABU, KICKS], weights=(1, 0.5)), "`Portfolio.weights` must be a whole number in 1"),
        (lambda: Portfolio([TABU], weights=3), "must be a whole number for each search, but is 3"),
        (
            lambda: Portfolio.of(TABU, tenur=[1]),
            "TabuSearch has no `tenur`.\nMaybe its parameters are neighborhood, te",
        ),
        (lambda: Portfolio.of(TABU, tenure=[1]), "`tenure` must be a pair"),
        (lambda: Portfolio.of(TABU, tenure=[]), "`Portfolio.searches` is empty"),
        (lambda: table("host"), "Portfolio has 5 searches, but there is 1 walk, and none for python, kicks, annealing"),
        (lambda: table(Multistart(3)), "has 5 searches, but there are 3 walks, and none for annealing, again"),
        (
            lambda: run(MIXED, OneMax(9), stop=stop.iterations(3), parallel=Multistart(5)),
            "Swap acts on permutations|this OneMax",
        ),
        (
            lambda: run(Portfolio([HillClimbing(Hamming()), TABU]), QAP_9, stop=stop.iterations(3), parallel=Auto(2)),
            "Hamming|this QAP",
        ),
    ],
)
def test_what_cannot_be_a_portfolio_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_starts_are_the_same_whoever_draws_them() -> None:
    keys = Multistart(6).keys(3)
    runner = Multistart(6, device="host").bind(MIXED, QAP_9)
    assert np.array_equal(runner.draw(keys), QAP_9.representation.starts(keys))


PROBLEMS: dict[str, tuple[Any, Any]] = {
    "QAP": (QAP.random(10, seed=3), Swap()),
    "TSP": (TSP.random(14, seed=1), TwoOpt()),
    "PPP": (PPP.random(11, 13, seed=1), Hamming()),
    "coloring": (GraphColoring.random(12, 3, seed=1), Substitution()),
}


def six(moves: Any) -> Portfolio:
    """Six searches; Python steps the last one where the C++ half of a problem has no `cost`."""
    return Portfolio(
        [
            TabuSearch(moves),
            SimulatedAnnealing(moves, 30.0),
            HillClimbing(moves),
            IteratedLocalSearch(HillClimbing(moves), RandomMoves(moves, 3)),
            TabuSearch(moves, (1.5, 2.0)),
            RandomRestart(TabuSearch(moves), Limit(9)),
        ]
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", PROBLEMS)
def test_six_searches_on_four_problems_are_what_each_is_alone(name: str, device: str) -> None:
    problem, moves = PROBLEMS[name]
    portfolio, keys = six(moves), Multistart(8).keys(7)
    models = [Multistart(8, device=device)]
    if device != "numpy":
        second = "cuda:1" if device.startswith("cuda") and gpus() > 1 else device
        models.append(MultiGPU(Multistart(8), (device, second)))  # type: ignore[arg-type]
    walks_of = [model.bind(portfolio, problem).begin(keys, problem.representation.starts(keys)) for model in models]
    for model, begun in zip(models, walks_of, strict=True):
        runner = model.bind(portfolio, problem)
        walks = runner.load([begun.state(w) for w in range(8)])
        for end in (1, 40, 90):
            walks = runner.advance(walks, Until(end)).walks
        for w, key in enumerate(keys):
            lone = IterationLevel("numpy").bind(search := portfolio.members[w % 6], problem)
            alone = lone.advance(lone.begin([key], problem.representation.starts(keys)[w : w + 1]), Until(90)).walks
            assert facts(walks.state(w).inner) == facts(alone.state(0)), (search, key)
