from typing import Any

import numpy as np
import pytest

from metaheur import stop
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.problems import QAP, TSP, FlowShop, OneMax
from metaheur.running.result import Result
from metaheur.searches import HillClimbing


@pytest.fixture
def ax() -> Any:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


def found(problem: Any, neighborhood: Any = None) -> Result:
    search = HillClimbing(neighborhood or Swap())
    return run(search, problem, stop=stop.iterations(1), seed=1, parallel="numpy")


def test_a_tour_is_drawn_through_its_cities_in_order(ax: Any) -> None:
    tsp = TSP.random(8, 1)
    result = found(tsp)
    result.plot_solution(tsp, ax=ax)
    places = tsp.instance.coordinates
    assert places is not None
    assert np.array_equal(ax.lines[0].get_xydata(), places[[*result.solution, result.solution[0]]])


def test_a_tour_without_coordinates_is_drawn_on_a_circle(ax: Any) -> None:
    tsp = TSP.from_matrix(np.ones((5, 5), int) - np.eye(5, dtype=int))
    found(tsp).plot_solution(tsp, ax=ax)
    assert np.allclose(np.hypot(*ax.lines[1].get_xydata().T), 1)


def test_a_schedule_has_a_bar_for_each_operation_and_ends_with_the_makespan(ax: Any) -> None:
    shop = FlowShop(np.random.default_rng(1).integers(1, 20, (5, 3)))
    result = found(shop)
    result.plot_solution(shop, ax=ax)
    assert len(ax.patches) == 15
    assert max(bar.get_x() + bar.get_width() for bar in ax.patches) == result.cost


def test_the_cost_of_an_assignment_is_the_sum_over_its_points(ax: Any) -> None:
    qap = QAP.random(6, 1)
    result = found(qap)
    result.plot_solution(qap, ax=ax)
    assert np.prod(ax.lines[0].get_xydata(), axis=1).sum() == result.cost


def test_other_problems_say_what_is_missing(ax: Any) -> None:
    with pytest.raises(InputError, match="OneMax does not say how a solution is drawn") as refused:
        found(OneMax(4), Hamming(1)).plot_solution(OneMax(4), ax=ax)
    assert "draw(x, ax)" in refused.value.maybe
