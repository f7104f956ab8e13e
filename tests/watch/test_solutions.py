"""The best solution of every walk, and when it was found."""

from typing import Any

import numpy as np
import pytest

from metaheur import Checkpoint, Solutions, resume, run, stop
from metaheur.errors import InputError
from metaheur.parallel import Islands, IterationLevel, MultiGPU, Multistart
from tests.machine.test_performance import HOST, QAP_9, TABU

MODELS: dict[str, Any] = {
    "one walk": IterationLevel("host"),
    "walks shared by two": MultiGPU(HOST, ("host", "host")),
    "islands": Islands(HOST, every=10),
}


def require_rows(model: Any) -> None:
    """The rows of the watcher and of the table are of the same walks."""
    each = Solutions()
    result = run(TABU, QAP_9, stop=stop.iterations(60), seed=2, parallel=model, watch=[each])
    assert [QAP_9.cost(x) for x in each.best] == result.walks.costs.tolist()
    assert each.best[result.key.walk].tolist() == result.solution.tolist()
    assert each.best.dtype == QAP_9.representation.dtype
    assert not each.best.flags.writeable
    assert ((result.walks.seconds > 0) == (result.walks.improved_at > 0)).all()
    assert (result.walks.seconds <= result.seconds).all()


def test_the_best_solutions_of_all_walks_are_kept(device: str) -> None:
    require_rows(Multistart(4, device=device))


@pytest.mark.parametrize("name", MODELS)
def test_whoever_holds_the_walks(name: str) -> None:
    require_rows(MODELS[name])


def test_one_walk_found_its_best_solution_at_its_last_improvement() -> None:
    result = run(TABU, QAP_9, stop=stop.iterations(60), parallel="host")
    assert result.walks.seconds.tolist() == [result.improvements[-1].seconds]


def test_what_was_found_before_a_resume_has_no_time(tmp_path: Any) -> None:
    first = run(TABU, QAP_9, stop=stop.iterations(300), parallel=HOST, watch=[Checkpoint(tmp_path / "at")])
    again = resume(tmp_path / "at", TABU, QAP_9, stop=stop.iterations(301), parallel=HOST)
    assert (np.isnan(again.walks.seconds) == (again.walks.improved_at == first.walks.improved_at)).all()


def test_walks_that_have_ended_are_not_kept() -> None:
    with pytest.raises(InputError, match="new walks replace ended ones"):
        run(
            TABU,
            QAP_9,
            stop=stop.seconds(0.01),
            parallel=Multistart(2, device="host", follow=True),
            watch=[Solutions()],
        )
