"""A paper's table is made again from records, and says what is missing and what is extrapolated."""

from importlib import import_module
from math import inf
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from metaheur.command.main import main
from metaheur.errors import InputError
from metaheur.problems import QAP
from metaheur.report.papers import boukedjar2012
from metaheur.report.papers.budget import Iterations, Proven
from metaheur.report.papers.luong2009 import SECONDS, tables
from metaheur.report.papers.paper import PAPERS, compared, make_again, speed_up, table_again
from metaheur.running.proof import Counts, Proof
from tests.running.test_result import RESULT


def test_all_rows_of_the_paper_are_there() -> None:
    assert [len(rows) for rows in SECONDS.values()] == [15, 16, 16, 12, 14]


def test_a_row_is_theirs_ours_and_the_ratio_from_records(tmp_path: Path) -> None:
    (made,) = make_again("luong2009", table=2, rows="73x73", quick=True, folder=tmp_path)
    assert made.table.header[:6] == ("instance", "core", "GPU", "GPU, texture", "ours, core", "ratio")
    assert made.table.names == (("73x73",),)
    theirs, _, _, ours, ratio, *_ = made.table.cells[0]
    assert (theirs, made.notes) == (1.1, ())
    assert ratio == pytest.approx(theirs / float(ours.lstrip("~")), rel=0.01)
    (again,) = make_again("luong2009", table=2, rows="73x73", quick=True, folder=tmp_path)
    assert str(again) == str(made)


def test_a_quick_look_that_is_late_makes_the_first_row_counts_the_others_and_goes_on(tmp_path: Path) -> None:
    paper = evolve(tables()[0], problems=lambda name: (QAP.random(int(name[3:5]), 1),))
    made = table_again(paper, "tai[123]?a", tmp_path, until=0.0)
    assert made.table.names == (("tai12a",),)
    assert made.notes == ("The quick look left out 6 rows, from tai15a on: the same command goes on with them.",)
    again = table_again(paper, "tai1[25]a", tmp_path, until=inf)
    assert (again.table.names, again.notes) == ((("tai12a",), ("tai15a",)), ())
    assert again.table.cells[0] == made.table.cells[0]


def test_a_run_that_the_clock_ended_is_extrapolated_and_says_so() -> None:
    walk = RESULT.walks.row(0)
    run = evolve(RESULT, seconds=0.5, walks=evolve(walk, iterations=np.array([2000])))
    assert compared([run], 20.0, Iterations(2000)) == ("0.5", 40.0)
    assert compared([run], 20.0, Iterations(8000)) == ("~2", 10.0)
    assert compared([run, evolve(run, seconds=1.5)], None, Iterations(4000)) == ("~2", None)
    assert compared([], 20.0, Iterations(2000)) == (None, None)
    idle = evolve(run, walks=evolve(walk, iterations=np.array([0])))
    assert compared([run, idle], 20.0, Iterations(2000)) == (None, None)
    assert Iterations(2000).note([run, idle]) == "the clock ended a run before its first iteration"


def test_seconds_without_a_proof_are_a_lower_bound_and_a_speed_up_is_of_the_same_nodes() -> None:
    proven = evolve(RESULT, seconds=0.5, proof=Proof("optimal", 1, 1, Counts(branched=10), 0, 1.0))
    cut = evolve(RESULT, seconds=1.5, proof=Proof("feasible", 1, 0, Counts(branched=20), 3, 0.1))
    budget = Proven(20)
    assert compared([proven, proven], 20.0, budget) == ("0.5", 40.0)
    assert compared([proven, cut], 20.0, budget) == (">1", "<20")
    assert budget.note([proven, cut]) == "1 of 2 optima are proven"
    fast = [evolve(each, seconds=each.seconds / 4) for each in (proven, cut)]
    assert speed_up([proven, cut], fast, budget) == 4.0
    assert speed_up([proven, cut], fast[::-1], budget) is None


@pytest.mark.parametrize("paper", PAPERS)
def test_each_row_has_a_number_for_each_of_their_columns_and_ours_is_compared_with_one(paper: str) -> None:
    for table in import_module(f"metaheur.report.papers.{PAPERS[paper]}").tables():
        assert {len(row) for row in table.theirs.values()} == {len(table.columns)}
        ours = [*table.ours.values(), *table.speed_ups.values()]
        assert all(each.against in range(len(table.columns)) for each in ours)
        assert all({each.slow, each.fast} <= table.ours.keys() for each in table.speed_ups.values())


def test_their_speed_ups_are_the_quotients_of_their_seconds() -> None:
    for core, both, quotient in boukedjar2012.SECONDS.values():
        assert quotient == pytest.approx(core / both, rel=0.02)


def test_knapsacks_of_a_row_are_ten_and_a_gpu_that_is_not_there_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metaheur.report.papers.paper.gpus", tuple)
    (paper,) = boukedjar2012.tables()
    small = evolve(paper, theirs={"20": (1.0, 0.5, 2.0)}, budget=Proven(10**6))
    made = table_again(small, "*", tmp_path, until=inf)
    assert made.table.header[4::2] == ("ours, CPU", "ours, CPU-GPU", "ours, CPU, dominance", "ours, speed-up")
    theirs, _, _, ours, ratio, gpu, no_ratio, dominance, _, *quotient = made.table.cells[0]
    assert ratio == pytest.approx(theirs / float(ours), rel=0.01)
    assert float(dominance) > 0
    assert (gpu, no_ratio, quotient) == ("not run", None, ["not run", None])
    assert made.notes == ()
    assert len(list(tmp_path.glob("*.json"))) == 20
    assert str(table_again(small, "*", tmp_path, until=inf)) == str(made)


def test_an_instance_that_is_not_at_hand_is_left_out_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("METAHEUR_DATA", str(tmp_path))
    options = ["--table", "1", "--rows", "tai12a", "--quick", "--folder", str(tmp_path / "runs")]
    assert main(["reproduce", "luong2009", *options]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Table 1: QAP, pairwise exchange")
    assert "tai12a is left out: " in out


def test_another_paper_or_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`paper` must be one of boukedjar2012, luong2009, but is 'luong1999'"):
        next(make_again("luong1999", folder=tmp_path))
    with pytest.raises(InputError, match=r"has the tables \[1, 2, 3, 4, 5\], but not 6"):
        next(make_again("luong2009", table=6, folder=tmp_path))
