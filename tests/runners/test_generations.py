"""Walks that are followed by new walks: their keys, their results, and the uses that are refused."""

import re
from typing import Any

import numpy as np
import pytest

from metaheur import Checkpoint, HillClimbing, TabuSearch, Trace, View, Watcher, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Islands, MultiGPU, Multistart
from tests.helpers import EveryTenth
from tests.machine.test_performance import QAP_9

CLIMBING = HillClimbing(Swap())
SEVERAL = stop.when(lambda view: view.iterations >= 40)


@pytest.mark.parametrize("start", [None, list(range(9))], ids=["random starts", "one start"])
def test_any_number_of_places_makes_the_walks_of_one_multistart(start: Any, device: str) -> None:
    model = Multistart(3, device=device, follow=True)
    found = run(CLIMBING, QAP_9, stop=SEVERAL, seed=6, start=start, parallel=model)
    table = found.walks
    count = len(table)
    assert count > 6
    assert count % 3 == 0
    assert table.walks.tolist() == list(range(count))
    whole = run(CLIMBING, QAP_9, stop=stop.iterations(10**6), seed=6, start=start, parallel=Multistart(count))
    ended = table.finished
    assert ended[: count - 3].all()
    for name in ("costs", "iterations", "evaluated", "improved_at"):
        assert getattr(table, name)[ended].tolist() == getattr(whole.walks, name)[ended].tolist()
    assert found.cost == table.costs.min()
    assert found.key.walk == int(np.argmin(table.costs))
    assert QAP_9.cost(found.solution) == found.cost
    assert found.evaluated == table.evaluated.sum()
    assert found.stopped_by == "when"


def test_a_place_counts_iterations_generation_by_generation() -> None:
    seen: list[tuple[int, int]] = []

    class Spy(Watcher):
        def next_look(self, view: View) -> int:
            return view.iterations + 1

        def look(self, view: View) -> None:
            seen.append((int(view.walks.iterations.max()), int(view.walks.best_costs.min())))
            assert view.walks.best_costs.min() == QAP_9.cost(view.solution)

    result = run(CLIMBING, QAP_9, stop=SEVERAL, parallel=Multistart(3, follow=True), watch=[Spy(), Trace(every=5)])
    iterations, costs = zip(*seen, strict=True)
    assert list(iterations) == sorted(set(iterations))
    assert list(costs) == sorted(costs, reverse=True)
    generations = result.walks.iterations.reshape(-1, 3)
    assert result.iterations == generations.max(axis=1).sum()
    assert result.plan.endswith(", and 3 walks are fewer than 16 for each core.")
    assert "followed by new ones where all have ended" in result.plan


def test_the_run_ends_after_the_generation_that_reached_a_target() -> None:
    costs = run(CLIMBING, QAP_9, stop=stop.iterations(99), seed=3, parallel=Multistart(60)).walks.costs
    number, target = int(np.argmin(costs)), int(costs.min())
    assert number >= 3  # a later generation reaches it
    found = run(CLIMBING, QAP_9, stop=stop.target(target), seed=3, parallel=Multistart(3, follow=True))
    assert (found.cost, found.key.walk, found.stopped_by) == (target, number, "target")
    assert len(found.walks) == (number // 3 + 1) * 3


def test_a_search_without_an_end_of_its_own_has_one_generation() -> None:
    found = run(TabuSearch(Swap()), QAP_9, stop=stop.iterations(30), parallel=Multistart(3, follow=True))
    same = run(TabuSearch(Swap()), QAP_9, stop=stop.iterations(30), parallel=Multistart(3))
    assert found.walks.costs.tolist() == same.walks.costs.tolist()


def test_uses_that_following_walks_do_not_allow_are_refused(tmp_path: Any) -> None:
    model = Multistart(4, device="host", follow=True)
    for made in (
        lambda: MultiGPU(model, ("host", "host")),
        lambda: Islands(model, 5),
        lambda: Distributed(model, lambda: None, 2),
    ):
        with pytest.raises(InputError, match=r"model` cannot share out walks that are followed by other walks"):
            made()
    with pytest.raises(InputError, match="new walks follow others cannot be saved"):
        run(CLIMBING, QAP_9, stop=SEVERAL, parallel=model, watch=[Checkpoint(tmp_path / "at")])
    with pytest.raises(InputError, match=r"`Multistart\.follow` must be True or False"):
        Multistart(4, follow="yes")  # type: ignore[arg-type]
    (failure,) = run(CLIMBING, QAP_9, stop=SEVERAL, parallel=model, watch=[Everything()]).failures
    assert re.search(r"place \d was found by the walk \d+, which has ended; of those the best one is kept", failure)


class Everything(EveryTenth):
    """Asks for the best solution of every place at the end."""

    def end(self, view: View) -> None:
        for w in range(len(view.walks)):
            view.walks.best_solution(w)
