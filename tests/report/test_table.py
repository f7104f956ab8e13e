"""Tables of experiments hold the numbers that the runs have, in every format."""

import csv
import re
import sys
from io import StringIO
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur.errors import InputError
from metaheur.report import Experiment, ExperimentRun
from metaheur.report.table import Table
from metaheur.running.result import Improvement
from tests.running.test_result import RESULT

COSTS = {("p", "a"): [10, 12, 14, 20], ("p", "b_1"): [11, 11, 11, 11], ("q", "a"): [3, 1, 2, 9]}


def run_of(problem: str, search: str, seed: int, cost: int, **change: Any) -> ExperimentRun:
    """A run that found its cost after 10 * seed moves and 0.1 s, and made 100 moves in 1 s."""
    way = (Improvement(1, cost, 0.1, evaluated=10 * seed),)
    result = evolve(RESULT, cost=cost, start_cost=1000, improvements=way, evaluated=100, seconds=1.0, **change)
    return ExperimentRun(search, problem, seed, result)


EXPERIMENT = Experiment(
    tuple(run_of(*names, seed, cost) for names, costs in COSTS.items() for seed, cost in enumerate(costs, 1)),
    {"p": 12, "q": None},
)


def test_a_cell_is_the_median_of_its_runs() -> None:
    table = EXPERIMENT.table()
    assert table.header == ("problem", "a", "b_1")
    assert table.names == (("p",), ("q",))
    assert table.cells == ((13.0, 11.0), (2.5, None))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("runs", 4),
        ("best", 10),
        ("worst", 20),
        ("mean", 14.0),
        ("deviation", float(np.std([10, 12, 14, 20], ddof=1))),
        ("quartiles", (11.5, 15.5)),
        ("seconds", 1.0),
        ("evaluated", 100.0),
        ("iterations", 2000.0),
        ("success_rate", 0.5),
        ("ert", (10 + 20 + 100 + 100) / 2),
        ("ert_seconds", (0.1 + 0.1 + 1 + 1) / 2),
    ],
)
def test_every_measure_is_what_its_name_says(value: str, expected: Any) -> None:
    assert EXPERIMENT.table(value=value).cells[0][0] == expected


def test_where_nobody_reaches_the_target_the_expected_time_is_infinite_and_without_a_target_unknown() -> None:
    never = evolve(EXPERIMENT, targets={"p": 1})
    assert never.table(value="ert").cells == ((float("inf"), float("inf")), (None, None))


def test_where_the_problem_maximises_the_best_is_the_highest() -> None:
    runs = tuple(run_of("p", "a", seed, cost, maximise=True) for seed, cost in enumerate([3, 5], 1))
    assert Experiment(runs).table(value=("best", "worst")).cells == ((5, 3),)


def test_where_the_problem_maximises_the_numbers_of_a_line_fall() -> None:
    costs = [1256, 972, 1243, 1107, 1250]
    runs = tuple(run_of("p", "a", seed, cost, maximise=True) for seed, cost in enumerate(costs, 1))
    (cells,) = Experiment(runs).table(value=("best", "quartiles", "worst")).cells
    assert cells == (1256, (1250.0, 1107.0), 972)
    line = next(line for line in str(Experiment(runs)).splitlines() if "1,256" in line)
    assert re.findall(r"[\d,]+", line)[1:6] == ["1,256", "1,250", "1,243", "1,107", "972"]


def test_an_interval_contains_the_median_and_is_the_same_each_time() -> None:
    pytest.importorskip("scipy")
    found, again = (EXPERIMENT.table(value="interval").cells for _ in "12")
    low, high = found[0][0]
    assert 10 <= low < 13 < high <= 20
    assert found == again
    assert found[0][1] == (11, 11)


def test_several_values_and_factors_make_several_columns() -> None:
    table = EXPERIMENT.table(rows=("search", "problem"), value=("best", "runs"))
    assert table.header == ("search", "problem", "best", "runs")
    assert (table.names[1], table.cells[1]) == (("a", "q"), (1, 4))
    across = EXPERIMENT.table(rows="search", columns="problem", value=("best", "runs"))
    assert across.header == ("search", "p, best", "p, runs", "q, best", "q, runs")
    assert across.cells == ((10, 4, 1, 4), (11, 4, None, None))


TABLE = Table(("x|y", "a_b", "c"), (("one & two", ), ("three", )), ((1234.5, (1, 2)), (None, (3, 4.5))))  # fmt: skip


def test_text_is_aligned() -> None:
    assert str(TABLE).splitlines() == [
        "x|y            a_b          c",
        "one & two  1,234.5    1 ... 2",
        "three            -  3 ... 4.5",
    ]


def test_markdown_and_latex_escape_their_own_letters() -> None:
    assert TABLE.markdown().splitlines()[:3] == [
        "| x\\|y | a_b | c |", "| --- | ---: | ---: |", "| one & two | 1,234.5 | 1 ... 2 |"
    ]  # fmt: skip
    lines = TABLE.latex().splitlines()
    assert lines[0] == r"\begin{tabular}{lrr}"
    assert lines[2] == r"x|y & a\_b & c \\"
    assert lines[4] == r"one \& two & 1,234.5 & 1\,--\,2 \\"


def test_csv_has_all_digits_and_two_columns_for_a_pair() -> None:
    rows = list(csv.reader(StringIO(TABLE.csv())))
    assert rows == [["x|y", "a_b", "c, low", "c, high"], ["one & two", "1234.5", "1", "2"], ["three", "", "3", "4.5"]]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"rows": "seed"}, "`rows` must be of problem, search, model, but holds 'seed'"),
        ({"value": "mode"}, "`value` must be one of runs, best, .* but is 'mode'"),
        ({"value": ()}, "`value` must not be empty"),
        ({"columns": "problem"}, "name a factor twice"),
        ({"columns": "model"}, r"would mix several of: search(.|\n)*columns=\('model', 'search'\)"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        EXPERIMENT.table(**arguments)


def test_costs_of_several_objectives_have_no_median() -> None:
    runs = (run_of("p", "a", 1, 3), ExperimentRun("a", "p", 2, evolve(RESULT, cost=(1, 2))))
    with pytest.raises(InputError, match="`median` is of one objective, but the runs have several"):
        Experiment(runs[1:]).table()


def test_without_scipy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(InputError, match=r"need scipy, which is not installed(.|\n)*metaheur\[stats\]"):
        EXPERIMENT.table(value="interval")
