"""A paper's table is made again from records, and says what is missing and what is extrapolated."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import run, stop
from metaheur.command.main import main
from metaheur.errors import InputError
from metaheur.loops import CandidateDescent
from metaheur.neighborhoods import Swap, ThreeOpt
from metaheur.parallel import Multistart
from metaheur.problem import Problem
from metaheur.problems import QAP, TSP, FlowShop, Knapsack
from metaheur.report.papers import delevacq2012, making
from metaheur.report.papers.budget import Iterations
from metaheur.report.papers.columns import Planned
from metaheur.report.papers.making import Effort, _Nobody, make_again, table_again
from metaheur.report.papers.paper import PaperTable, tables_of
from metaheur.searches import TabuSearch


def table_of(paper: str, name: str) -> PaperTable:
    return next(each for each in tables_of(paper) if each.name == name)


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaheur.report.papers.making.gpus", lambda: 0)


def test_a_row_is_theirs_ours_and_the_ratio_from_records(tmp_path: Path) -> None:
    (made,) = make_again("luong2009", table=2, rows="73x73", effort=Effort.quick(), folder=tmp_path)
    assert made.table.header == ("instance", "core", "GPU", "GPU, texture", "speed-up", "ours, core", "ratio")
    assert made.table.names == (("73x73",),)
    theirs, _, _, _, ours, ratio = made.table.cells[0]
    assert theirs == 1.1
    assert ratio == pytest.approx(theirs / float(ours.lstrip("~")), rel=0.01)
    assert (
        made.notes[0]
        == "Not run, because this machine has too few GPUs or cores: GPU; GPU, global; GPU, texture; speed-up."
    )
    assert all(each.startswith("core: the clock ended runs in 1 of 1 rows") for each in made.notes[1:])
    assert made.made_by == (f"core: {made.runs[0].result.description}; seed 0.",)  # type: ignore[union-attr]
    (again,) = make_again("luong2009", table=2, rows="73x73", effort=Effort.quick(), folder=tmp_path)
    assert str(again) == str(made)


def test_a_quick_look_that_is_late_makes_the_first_row_counts_the_others_and_goes_on(tmp_path: Path) -> None:
    paper = evolve(table_of("luong2009", "table 1"), problems=lambda name: (QAP.random(int(name[3:5]), 1),))
    made = table_again(paper, "tai[123]?a", tmp_path, Effort.quick(), until=0.0)
    assert made.table.names == (("tai12a",),)
    assert made.notes[1] == "There was no time for 6 rows, from tai15a on: the same command goes on with them."
    again = table_again(paper, "tai1[25]a", tmp_path, Effort.quick())
    assert again.table.names == (("tai12a",), ("tai15a",))
    assert not any("There was no time" in each for each in again.notes)
    assert again.table.cells[0] == made.table.cells[0]


def test_numbers_of_a_row_are_means_over_its_instances(tmp_path: Path) -> None:
    (paper,) = tables_of("boukedjar2012")
    small = evolve(paper, theirs={"20": (1.0, 0.5, 2.0)})
    made = table_again(small, "*", tmp_path, Effort.quick())
    assert made.table.header[4::2] == ("ours, CPU", "ours, CPU, dominance")
    theirs, _, _, ours, ratio, dominance, _ = made.table.cells[0]
    assert ratio == pytest.approx(theirs / float(ours), rel=0.01)
    assert float(dominance) > 0
    assert made.notes == ("Not run, because this machine has too few GPUs or cores: CPU-GPU; speed-up.",)
    assert len(list(tmp_path.glob("*.json"))) == len(made.runs) == 20
    assert str(table_again(small, "*", tmp_path, Effort.quick())) == str(made)


def test_records_of_runs_on_a_gpu_are_used_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(name: str, problem: Problem) -> Planned:
        """A GPU that is played by a core."""
        return evolve(core(name, problem), model=Multistart(4, device="host", threads=1), gpus=1)

    def core(name: str, problem: Problem) -> Planned:
        return evolve(found.plans["core"](name, problem), runs=1)

    found = table_of("luong2011-multistart", "figure 2")
    plans = {"core": core, **dict.fromkeys([*found.plans][1:], played)}
    paper = evolve(found, problems=lambda _: (QAP.random(12, 1),), plans=plans)
    monkeypatch.setattr("metaheur.report.papers.making.gpus", lambda: 1)
    there = table_again(paper, "16", tmp_path, Effort())
    monkeypatch.setattr("metaheur.report.papers.making.gpus", lambda: 0)
    here = table_again(paper, "16", tmp_path, Effort())
    assert here.table.cells == there.table.cells
    assert here.notes[-1] == "1 runs were made whole by several plans, and have one trajectory each."
    assert len(here.table.header) == 5
    elsewhere = table_again(paper, "16", tmp_path / "elsewhere", Effort())
    assert elsewhere.table.header == ("searches", "ours, core, seconds")


def test_the_profile_of_a_flow_shop_adds_up(tmp_path: Path) -> None:
    times = np.random.default_rng(1).integers(1, 99, (12, 3))
    shop = FlowShop(times, objectives=("makespan", "total flow time"))
    profile = evolve(table_of("luong2011-flowshop", "table 5"), problems=lambda _: (shop,))
    made = table_again(profile, "20-10", tmp_path, Effort.quick())
    ours = np.array([float(str(each).lstrip("~")) for each in made.table.cells[0][6:]]).reshape(2, 3)
    assert (ours > 0).all()
    assert ours.sum(axis=1) == pytest.approx([100, 100], abs=0.02)


def random_tour(monkeypatch: pytest.MonkeyPatch) -> TSP:
    """A random instance instead of the published ones, for which nothing is kept."""
    tsp = TSP.random(60, 1)
    monkeypatch.setattr(delevacq2012, "_tsp", lambda _: tsp)
    for name in ("_first", "_best_of_k", "_improved"):
        monkeypatch.setattr(delevacq2012, name, getattr(delevacq2012, name).__wrapped__)
    return tsp


def test_walks_of_kicks_begin_at_the_nearest_neighbour_tour_and_those_of_best_of_k_at_a_local_optimum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tsp = random_tour(monkeypatch)
    first, best = (table_of("delevacq2012", f"table {number}").plans["core"]("kroA100, 8", tsp) for number in (1, 3))
    assert (first.start == tsp.nearest_neighbour()).all()
    costs = [tsp.cost(tsp.representation.validate(each.start)) for each in (first, best)]
    assert costs[1] < costs[0]
    again = run(CandidateDescent(ThreeOpt(), tsp.nearest(40)), tsp, stop=stop.iterations(1), start=best.start)
    assert again.cost == costs[1]


@pytest.mark.thorough
def test_kicks_and_local_optima_are_shared_out_to_walks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tsp = random_tour(monkeypatch)
    values = {"KICKS": 1280, "SAMPLES": {"kroA100": (1280, 100)}, "OPTIMA": {"kroA100": 500}}
    for name, value in values.items():
        monkeypatch.setattr(delevacq2012, name, value)
    for number in (1, 3):
        paper = table_of("delevacq2012", f"table {number}")
        plan = paper.plans["core"]("kroA100, 64", tsp)
        assert plan.runs == 20
        rows, plans = {"kroA100, 64": paper.theirs["kroA100, 64"]}, {"core": lambda *_, plan=plan: evolve(plan, runs=1)}
        made = table_again(evolve(paper, theirs=rows, plans=plans), "*", tmp_path, Effort())
        cells = dict(zip(made.table.header[1:], made.table.cells[0], strict=True))
        assert float(cells["ours, core, seconds"]) > 0
        if number == 1:
            assert cells["ours, optimal"] == 0.0
            assert cells["ours, excess in %"] > 0
        assert [len(each.result.walks) for each in made.runs if each.result] == [64]


def test_what_is_true_of_a_whole_table_is_said_once_without_the_name_of_a_row(tmp_path: Path) -> None:
    found = evolve(table_of("luong2011-multistart", "figure 2"), remarks={"": "Said once.", "1?": "said of rows."})
    paper = evolve(found, problems=lambda _: (QAP.random(12, 1),))
    made = table_again(paper, "[16]*", tmp_path, Effort(1))  # the clock ends no run
    assert made.notes[1:] == ("16: said of rows.", "Said once.")


def test_an_instance_that_is_not_at_hand_is_left_out_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("METAHEUR_DATA", str(tmp_path))
    options = ["--quick", "--folder", str(tmp_path / "runs")]
    assert main(["reproduce", "luong2009", "--table", "1", "--rows", "tai12a,tai15a", *options]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("Table 1: QAP, pairwise exchange")
    assert "tai12a.dat does not exist. Maybe leave out METAHEUR_DATA" in printed.out
    assert "tai15a is left out: " in printed.out
    assert "No row of luong2009 was made" in printed.err
    assert main(["reproduce", "luong2011-flowshop", "--table", "4", "--rows", "20-10", *options]) == 1
    assert "20-10 is left out: The folder METAHEUR_DATA has no flowshop" in capsys.readouterr().out
    for paper, row in (("luong2009", "tai12a"), ("luong2011-flowshop", "20-10")):
        monkeypatch.setenv("METAHEUR_DATA", str(tmp_path / "nowhere"))
        assert main(["reproduce", paper, "--rows", row, *options]) == 1
        assert "nowhere', does not exist. Maybe it is misspelled" in capsys.readouterr().out
    monkeypatch.delenv("METAHEUR_DATA")
    assert main(["reproduce", "luong2011-flowshop", "--table", "4", "--rows", "20-10", *options]) == 1
    assert "20-10 is left out: METAHEUR_DATA is not set. Maybe set it" in capsys.readouterr().out


def test_another_table_or_figure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has table 1, table 2, table 3, table 4, table 5, but not table 6"):
        next(make_again("luong2009", table=6, folder=tmp_path))
    with pytest.raises(InputError, match="has table 1, figure 2, but not figure 1"):
        next(make_again("luong2011-multistart", figure=1, folder=tmp_path))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("luong2009 --rows nothing*", "`--rows` 'nothing*' matches no row of luong2009.\nMaybe use some of: tai12a; "),
        ("luong2009 --rows tai12a,tai13a", "`--rows` 'tai13a' matches no row"),
        ("luong2009 luong2011-flowshop", "luong2009 is a paper, which is made again alone"),
        ("luong2009 x.json", "luong2009 is a paper, which is made again alone"),
        ("luong2009 --parallel cuda", "`--parallel` is of records, but luong2009 is a paper"),
        ("x.json --quick", "`--quick` is of papers, but x.json is not one of boukedjar2012, "),
        ("x.json --table 1", "`--table` is of papers"),
        ("Luong2009", "Luong2009 is neither a file nor a paper.\nMaybe use a record, or one of boukedjar2012, "),
        ("luong2009 --processes 0", "`--processes` must be a whole number"),
        ("luong2009 --save /proc/zzz", "`--save` /proc/zzz cannot be written"),
    ],
)
def test_what_a_paper_or_a_record_does_not_take_is_refused(
    line: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", *line.split()]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert reason in printed.err


def test_a_table_can_have_fewer_runs_of_some_seconds(tmp_path: Path) -> None:
    paper = evolve(table_of("luong2009", "table 1"), problems=lambda name: (QAP.random(int(name[3:5]), 1),))
    made = table_again(paper, "tai12a", tmp_path, Effort(2, 0.05))
    assert [each.seed for each in made.runs] == [0, 1]
    assert all(each.result is not None and each.result.seconds < 1 for each in made.runs)
    with pytest.raises(InputError, match=r"`Effort\.runs` must be a whole number"):
        Effort(0)


def test_processes_make_the_runs_on_one_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"table": 2, "rows": "73x73", "folder": tmp_path}
    monkeypatch.setattr("metaheur.report.papers.making.ThisThread", _Nobody)
    (made,) = make_again("luong2009", effort=Effort(2, processes=2), **options)
    assert [(each.seed, each.model, each.status) for each in made.runs] == [(n, "core", "done") for n in (0, 1)]
    assert made.notes[-1] == "Up to 2 runs on one core were made at the same time."
    (again,) = make_again("luong2009", effort=Effort(2), **options)
    assert again.table.cells == made.table.cells


def test_runs_on_one_core_are_those_of_plans_of_one_thread_without_a_gpu() -> None:
    table = table_of("luong2009", "table 5")
    planned = {name: plan("tai12a", QAP.random(12, 1)) for name, plan in table.plans.items()}
    assert [name for name, each in planned.items() if each.on_one_core] == ["core"]


def test_plans_can_have_runs_and_seconds_of_their_own(tmp_path: Path) -> None:
    (paper,) = tables_of("boukedjar2012")
    small = evolve(paper, theirs={"12": (1.0, 0.5, 2.0)}, problems=lambda _: (Knapsack.boukedjar(12, 1),))
    plans = {name: lambda *_, plan=plan: evolve(plan("12", None), runs=5) for name, plan in paper.plans.items()}
    own = (("*", Effort(3)), ("CPU, *", Effort(seconds=0.2)), ("CPU", Effort(2)))
    made = table_again(evolve(small, plans=plans), "*", tmp_path, Effort(4, plans=own))
    seeds = {plan: [each.seed for each in made.runs if each.model == plan] for plan in plans}
    assert seeds == {"CPU": [0, 1], "CPU-GPU": [], "CPU, dominance": [0, 1, 2, 3]}
    effort = Effort(4, 1.0, 45.0, (*own, ("20*, core", Effort(9)), ("annealing, core", Effort(5))))
    assert [effort.of("core", *places) for places in (("20x20", ""), ("30x30", "annealing"), ("", ""))] == [
        Effort(9, 1.0),
        Effort(5, 1.0),
        Effort(3, 1.0),
    ]
    assert [effort.of(each) for each in ("CPU", "CPU, dominance", "core")] == [
        Effort(2, 1.0),
        Effort(4, 0.2),
        Effort(3, 1.0),
    ]


def test_a_plan_can_be_left_out_and_made_later(tmp_path: Path) -> None:
    (paper,) = tables_of("boukedjar2012")
    small = evolve(paper, theirs={"12": (1.0, 0.5, 2.0)}, problems=lambda _: (Knapsack.boukedjar(12, 1),))
    made = table_again(small, "*", tmp_path, Effort(plans=(("CPU, *", None),)))
    assert {each.model for each in made.runs} == {"CPU"}
    assert made.notes[0] == "Left out, as was asked: CPU, dominance."
    whole = table_again(small, "*", tmp_path, Effort())
    assert {each.model for each in whole.runs} == {"CPU", "CPU, dominance"}
    assert whole.table.cells[0][3:4] == made.table.cells[0][3:4]  # the recorded seconds


def test_a_plan_with_a_limit_makes_one_walk_of_a_core_and_one_without_makes_all(tmp_path: Path) -> None:
    found = table_of("luong2009", "table 5")
    core = found.plans["core"]
    bare = evolve(found, columns=(), theirs={"tai12a": ()}, plans={"core": core, "whole": core}, ours={})
    small = evolve(bare, problems=lambda _: (QAP.random(8, 1),))
    made = table_again(small, "*", tmp_path, Effort(1, plans=(("core", Effort(1, 0.01)),)))
    assert [(each.model, len(each.result.walks)) for each in made.runs if each.result] == [("core", 1), ("whole", 20)]


def test_an_effort_for_a_plan_that_does_not_exist_names_it_and_lists_the_plans(tmp_path: Path) -> None:
    effort = Effort(plans=(("GPU", Effort(1)), ("tpu", Effort(1))))
    with pytest.raises(InputError, match="names 'tpu', which matches no plan; the plans are: core; GPU; GPU, global;"):
        next(make_again("luong2009", table=2, effort=effort, folder=tmp_path))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("paper", "rows"),
    [
        ("boukedjar2012", "100"),
        ("delevacq2012", "kroA100, 64"),
        ("luong2009", "*[a7][23]*"),
        ("luong2011-flowshop", "20-*"),
        ("luong2011-multistart", "tai30a"),
    ],
)
def test_published_instances_are_made_again(paper: str, rows: str, data_folder: Path, tmp_path: Path) -> None:
    for made in make_again(paper, rows=rows, effort=Effort(1, 0.1, 10.0), folder=tmp_path):
        assert not [each for each in made.notes if "failed" in each or "left out" in each]
        ours = [place for place, head in enumerate(made.table.header[1:]) if head.startswith("ours, core")]
        for (name,), row in zip(made.table.names, made.table.cells, strict=True):
            explained = any(each.startswith(f"{name}, core: the clock ended") for each in made.notes)
            assert explained or all(row[place] is not None for place in ours)
        assert all(each.result is not None for each in made.runs)


def test_gpus_are_opened_before_the_first_run_that_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[int]()
    monkeypatch.setattr(making, "gpus", lambda: 2)
    monkeypatch.setattr(making, "run", lambda search, problem, **given: opened.append(given["parallel"].walks))

    def plan(walks: int, needed: int) -> Any:
        model = Multistart(walks, device="host", threads=1)
        return lambda *_: Planned(TabuSearch(Swap()), model, Iterations(2), 1, gpus=needed)

    plans = {"core": plan(2, 0), "GPU": plan(3, 1), "GPU again": plan(4, 1), "2 GPUs": plan(5, 2), "3 GPUs": plan(6, 3)}
    paper = evolve(table_of("luong2009", "table 5"), problems=lambda _: (QAP.random(9, 1),), plans=plans, ours={})
    table_again(paper, "tai12a,tai15a", tmp_path, Effort())
    assert opened == [3, 5]
