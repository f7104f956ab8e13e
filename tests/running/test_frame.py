from pathlib import Path

import pytest

from metaheur import TabuSearch, Trace, run, solve, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import SolutionLevel
from metaheur.problems import QAP, MaxCut
from metaheur.report.table import Table
from metaheur.running.frame import arrow_stream

pytest.importorskip("pandas", reason="pandas is not installed")


def test_walks_races_and_tables_are_data_frames() -> None:
    qap = QAP.taillard(12)
    result = run(TabuSearch(Swap()), qap, stop=stop.iterations(5), parallel=SolutionLevel(walks=3))
    assert result.walks.to_dataframe()["costs"].min() == result.cost
    race = solve(qap, work=2_000, parallel="numpy", report=False).race
    assert race is not None
    frame = race.to_dataframe()
    assert list(frame["name"]) == [each.name for each in race.tried]
    assert frame["cost"][race.won] == frame["cost"].min()
    table = Table(("who", "median"), (("a",), ("b",)), ((1.5,), (None,))).to_dataframe()
    assert table.to_dict("list")["who"] == ["a", "b"]


def test_other_libraries_read_data_frames_by_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    trace = Trace()
    result = run(TabuSearch(Swap()), QAP.taillard(12), stop=stop.iterations(5), parallel="numpy", watch=[trace])
    assert pyarrow.table(result)["cost"].to_pylist() == [each.cost for each in result.improvements]
    assert len(pyarrow.table(trace)) == len(trace.rows)
    assert len(pyarrow.table(result.walks)) == 1


class WithoutArrow:
    """What pandas does where pyarrow is missing."""

    def to_dataframe(self) -> "WithoutArrow":
        return self

    def __arrow_c_stream__(self, requested_schema: object) -> None:
        raise ImportError("pyarrow")


def test_a_missing_pyarrow_is_named() -> None:
    with pytest.raises(InputError, match="needs pyarrow"):
        arrow_stream(WithoutArrow(), None)


def test_costs_of_files_with_fractions_are_printed_in_their_units(tmp_path: Path) -> None:
    path = tmp_path / "graph.mc"
    path.write_text("3 3\n1 2 0.5\n2 3 1.25\n1 3 0.25\n")
    result = solve(MaxCut.from_file(path), work=200, parallel="numpy", report=False)
    assert (result.cost, result.cost_factor) == (1.75, 100)
    assert "1.75 in the units of the file, which was read times 100" in str(result)
