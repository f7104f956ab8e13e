"""Ask and tell: the trajectory of `run`, by whoever knows the costs, in any order, saved and resumed."""

from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, Evaluator, HillClimbing, Key, Search, SimulatedAnnealing, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.loops import NoSearch
from metaheur.neighborhoods import Hamming
from metaheur.open import AskTell, ToldCost, ask
from metaheur.open.answered import drawn_once
from metaheur.open.foresight import _Guide
from metaheur.parts import BitFlips, Uniform
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Permutation
from metaheur.searches import MOEAD, RandomRestart
from metaheur.walk import EvaluatedSolution, Walk
from tests.open.costs import SEARCHES, Slow, SlowPair, problem_for
from tests.open.levels import Levelled

ALL: dict[str, Any] = {
    **{name: search for name, (search, _) in SEARCHES.items()},
    "annealing": SimulatedAnnealing(Hamming(1), 5),
    "tabu search": TabuSearch(Hamming(1)),
    "random search": RandomRestart(NoSearch()),
    "random restarts": RandomRestart(HillClimbing(Hamming(1))),
    "MOEA/D": MOEAD(Uniform(), BitFlips(0.1), divisions=11),
}


def problem_of(name: str) -> Problem:
    return SlowPair() if name == "MOEA/D" else problem_for(name, Slow())


def told(loop: AskTell, problem: Problem, count: int, seed: int = 0, asked: int = 150) -> list[int]:
    """Ask for so many at a time, and tell in a random order, some later than others; the sizes of the batches."""
    random = np.random.default_rng(seed)
    sizes: list[int] = []
    waiting: list[np.ndarray] = []
    while sum(sizes) < asked and not loop.done:
        batch = loop.ask(count)
        sizes.append(len(batch))
        assert len(batch) or waiting
        waiting += list(batch)
        random.shuffle(waiting)
        now = waiting[: 1 + int(random.integers(len(waiting)))]
        loop.tell(now, [problem.cost(x) for x in now])
        waiting = waiting[len(now) :]
    if waiting:
        loop.tell(waiting, [problem.cost(x) for x in waiting])
    return sizes


@pytest.mark.parametrize("count", [1, 7])
@pytest.mark.parametrize("name", ALL)
def test_the_trajectory_is_that_of_run(name: str, count: int) -> None:
    search, problem = ALL[name], problem_of(name)
    loop = ask(search, problem, seed=3)
    sizes = told(loop, problem, count)
    assert max(sizes) == count or name == "annealing"
    expected = run(search, problem, stop=stop.iterations(max(1, loop.iterations)), seed=3, parallel="numpy")
    assert loop.iterations == expected.iterations
    assert loop.iterations >= 1
    assert loop.solution.tolist() == expected.solution.tolist()
    assert loop.cost == expected.cost
    if expected.front is not None:
        assert loop.front.costs.tolist() == expected.front.costs.tolist()


@pytest.mark.parametrize("name", ["random search", "tabu search", "annealing"])
def test_foresight_makes_few_steps_that_nobody_needs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, step = [], _Guide.step

    def counted(guide: _Guide) -> Any:
        steps.append(guide)
        return step(guide)

    monkeypatch.setattr(_Guide, "step", counted)
    loop = ask(ALL[name], Slow(), seed=3)
    told(loop, Slow(), 4, asked=400)
    copies = 0 if name == "random search" else 2
    assert len(steps) <= copies * (loop.iterations + 4)
    assert loop.iterations > 20


def test_what_was_drawn_lately_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    space, drawn, draw = Permutation(9), [], Permutation.random

    def counted(self: Permutation, random: Random) -> np.ndarray:
        drawn.append(random)
        return draw(self, random)

    monkeypatch.setattr(Permutation, "random", counted)
    kept = drawn_once(space)
    assert isinstance(kept, Permutation)
    assert kept.length == 9
    randoms = [Random(Key(1, walk), 12, iteration) for walk in range(2) for iteration in range(300)]
    for random in randoms[:5]:
        kept.random(random)[:] = 0  # a copy, which anybody may write
    for random in randoms:
        assert kept.random(random).tolist() == draw(space, random).tolist()
    assert len(drawn) == len(randoms)
    kept.random(randoms[-1])
    assert len(drawn) == len(randoms)
    kept.random(randoms[0])  # too long ago
    assert len(drawn) == len(randoms) + 1


@pytest.mark.parametrize("name", ["genetic algorithm", "NSGA-II", "tabu search"])
def test_what_was_told_is_enough_to_go_on(name: str, tmp_path: Path) -> None:
    search, problem = ALL[name], problem_of(name)
    loop = ask(search, problem, seed=3)
    told(loop, problem, 5, asked=40)
    lost = loop.ask(2)
    np.savez(tmp_path / "state.npz", allow_pickle=False, **loop.state)
    again = ask(search, problem, seed=3, told=np.load(tmp_path / "state.npz"))
    loop.tell(lost, [problem.cost(x) for x in lost])
    for _ in range(8):
        first, second = loop.ask(3), again.ask(3)
        for each, x in ((loop, first), (again, second)):
            each.tell(x, [problem.cost(row) for row in x])
    told(loop, problem, 4, seed=1, asked=30)
    told(again, problem, 6, seed=2, asked=30)
    fewer = min(loop.iterations, again.iterations)
    expected = run(search, problem, stop=stop.iterations(fewer), seed=3, parallel="numpy")
    ahead = loop if loop.iterations == fewer else again
    assert ahead.solution.tolist() == expected.solution.tolist()


def test_a_ledger_asks_for_nothing_twice(tmp_path: Path) -> None:
    search, problem = ALL["genetic algorithm"], Slow()
    loop = ask(search, problem, seed=3, ledger=tmp_path / "ledger")
    told(loop, problem, 5, asked=40)
    before = {x.tobytes() for x in loop.state["solutions"]}
    loop.close()
    again = ask(search, problem, seed=3, ledger=tmp_path / "ledger")
    asked: list[bytes] = []
    for _ in range(5):
        batch = again.ask(6)
        asked += [x.tobytes() for x in batch]
        again.tell(batch, [problem.cost(x) for x in batch])
    assert asked
    assert not before & set(asked)
    again.close()


def test_the_cost_of_a_representation_is_told_and_never_computed() -> None:
    loop = ask(HillClimbing(Hamming(1)), BitString(6), seed=1)
    while not loop.done:
        batch = loop.ask(6)
        loop.tell(batch, batch.sum(axis=1))
    assert loop.cost == 0
    assert loop.solution.tolist() == [0] * 6
    assert loop.waiting == 0
    assert len(loop.ask(3)) == 0
    with pytest.raises(InputError, match="told, not computed"):
        ToldCost(BitString(6)).cost(np.zeros(6))


@final
@frozen
class LooksTwice(Search[Walk]):
    """Flips bits in turn, and looks at a second flip where the cost of the first is neither high nor low."""

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        space, x = state.current.representation, state.current.solution.copy()
        for looks in (1, 2):
            x[(5 * state.iteration + looks) % 16] ^= 1
            cost = evaluate.cost(x)
            if not -9 < cost < 9:
                break
        return state.go_to(EvaluatedSolution(space, x.copy(), cost), looks)

    def done(self, state: Walk) -> bool:
        return False


def test_a_step_that_no_guess_foresees_is_made_again_from_the_start() -> None:
    search, problem = LooksTwice(), Slow()
    loop = ask(search, problem, seed=3)
    told(loop, problem, 2, asked=300)
    expected = run(search, problem, stop=stop.iterations(loop.iterations), seed=3, parallel="numpy")
    assert loop.iterations < expected.evaluated < 2 * loop.iterations  # some steps look twice
    assert loop.solution.tolist() == expected.solution.tolist()
    assert loop.iterations > 15


def test_levels_are_told_one_by_one() -> None:
    search, problem = HillClimbing(Hamming(1)), Levelled()
    loop = ask(search, problem, seed=3)
    told(loop, problem, 30, asked=10_000)
    expected = run(search, problem, stop=stop.iterations(1000), seed=3, parallel="numpy")
    assert loop.cost == expected.cost
    assert loop.iterations == expected.iterations


def test_what_cannot_be_told_is_refused() -> None:
    loop = ask(HillClimbing(Hamming(1)), BitString(3), seed=1)
    with pytest.raises(InputError, match="No cost has been told"):
        _ = loop.cost
    with pytest.raises(InputError, match="2 solutions and 1 costs"):
        loop.tell([[0, 0, 0], [0, 0, 1]], [1])
    with pytest.raises(InputError, match="must return a finite number"):
        loop.tell([[0, 0, 0]], [np.nan])
    with pytest.raises(InputError, match=r"0 \.\.\. 1|entries"):
        loop.tell([[0, 0, 7]], [1])
    loop.tell([[0, 0, 0]], [1])
    with pytest.raises(InputError, match=r"The cost 2 was told for a solution that costs 1\.0"):
        loop.tell([[0, 0, 0]], [2])
    with pytest.raises(InputError, match="does not act on"):
        ask(HillClimbing(Hamming(1)), Permutation(5))


def test_a_search_that_asks_for_nothing_new_is_done() -> None:
    loop = ask(ALL["genetic algorithm"], BitString(2), seed=1)
    loop.tell([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 2])
    assert len(loop.ask(4)) == 0
    assert loop.done
    assert loop.cost == 0
