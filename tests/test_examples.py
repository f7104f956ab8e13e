"""The examples are complete programs; each runs and says what it promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from metaheur.problems import TSP
from metaheur.problems.formats.tsplib import read_tour
from tests.precompiled import flags

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def output_of(*command: str, folder: Path = ROOT) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg", "METAHEUR_CXXFLAGS": flags("-O1")}
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_shorter_than_sixty_lines() -> None:
    assert EXAMPLES
    assert all(len(example.read_text(encoding="utf-8").splitlines()) < 60 for example in EXAMPLES)


def test_the_quickstart_reaches_the_optimum_and_repeats_itself_on_another_device() -> None:
    output = output_of("examples/01_quickstart.py")
    assert re.search(r"tabu search +703482 +\(0\.00 %", output)
    here, there = re.search(r"on numpy and on [\w:]+: (\d+) and (\d+)", output).groups()  # type: ignore[union-attr]
    assert here == there


def test_the_custom_problem_gives_the_same_with_its_cpp_half() -> None:
    output = output_of("examples/02_custom_problem.py")
    slow, fast = re.findall(r"^(?:Python alone|with the C\+\+) +(\d+) ", output, re.MULTILINE)
    assert slow == fast
    assert "LinearOrdering" in output.splitlines()[0]
    assert "struct LinearOrdering : LinearOrderingData {" in output


def test_the_custom_search_goes_the_same_way_on_every_device() -> None:
    costs = re.findall(r"cost (\d+) after 2000 iterations", output_of("examples/03_custom_search.py"))
    assert len(costs) == 2
    assert costs[0] == costs[1]


@pytest.mark.thorough
def test_walks_that_cooperate_are_better() -> None:
    output = output_of("examples/22_walks_that_cooperate.py")
    best, median = zip(*re.findall(r"best (\d+) +median (\d+)", output), strict=True)
    assert len(best) == 4
    for row in (best, median):
        costs = [int(cost) for cost in row]
        assert costs == sorted(costs, reverse=True)
        assert len(set(costs)) == 4


@pytest.mark.thorough
def test_candidate_lists_lead_to_a_local_optimum_with_fewer_moves() -> None:
    output = output_of("examples/04_candidate_lists.py")
    sizes, costs = zip(*re.findall(r" (\d+) moves a step +length (\d+) .* local optimum", output), strict=True)
    assert int(sizes[1]) < int(sizes[0])
    assert int(costs[1]) < 1.1 * int(costs[0])


def test_the_custom_neighborhood_goes_the_same_way_on_every_device() -> None:
    costs = re.findall(r"length (\d+) after \d+ steps", output_of("examples/05_custom_neighborhood.py"))
    assert len(costs) >= 2
    assert len(set(costs)) == 1


def test_a_kernel_is_launched_on_arrays_of_ones_own() -> None:
    assert re.search(r"^(host|cuda:0): 498500 changes of cost, the best is -\d+ by", output_of("examples/06_kernel.py"))


def test_a_first_day_ends_with_a_run_that_was_resumed() -> None:
    output = output_of("examples/07_first_day.py")
    assert "Partition" in output.splitlines()[0]
    assert "stopped by" in output
    assert re.search(r"after \d+ iterations in all: \d+ \((target|iterations)\)", output)


@pytest.mark.thorough
def test_tabu_search_leads_beyond_the_local_optimum_of_a_tour() -> None:
    lengths = [int(length) for length in re.findall(r"length (\d+) ", output_of("examples/11_tabu_for_a_tour.py"))]
    descent, edges, reactive, visited = lengths
    assert max(edges, reactive) < descent
    assert visited <= descent


def test_the_incumbent_of_a_tabu_search_is_proven() -> None:
    output = output_of("examples/17_proof.py")
    assert "tabu search found 224416; branch and bound: optimal: cost 224,416" in output
    without, dominated = re.findall(r"dominance: optimal: cost 3,411, .*; ([\d,]+) nodes branched", output)
    assert int(dominated.replace(",", "")) < int(without.replace(",", ""))


def test_a_tree_of_ones_own_counts_queens_on_every_device() -> None:
    found = re.findall(r"(\d+) queens on (\w+) +(\d+) solutions, +(\d+) nodes", output_of("examples/15_queens.py"))
    expected = [("6", "4"), ("6", "4"), ("8", "92"), ("10", "724")]
    assert [(size, solutions) for size, _, solutions, _ in found] == expected
    assert found[0][3] == found[1][3]


def test_a_tree_with_a_bound_of_ones_own_proves_golomb_rulers() -> None:
    found = re.findall(r"(\d) marks: optimal: cost (\d+)", output_of("examples/16_golomb.py"))
    assert found == [("5", "11"), ("6", "17"), ("7", "25"), ("8", "34")]


def test_what_is_kept_by_compiled_python_goes_the_same_way_on_every_device() -> None:
    output = output_of("examples/18_compiled_state.py")
    assert "Substitution() on host: cost, delta, init, commit" in output
    costs = re.findall(r"cost (\d+) after 30 iterations", output)
    assert len(costs) >= 2
    assert len(set(costs)) == 1


def test_a_compiled_part_goes_the_same_way_on_every_device() -> None:
    output = output_of("examples/19_compiled_part.py")
    assert "struct LateAcceptance : LateAcceptanceData {" in output
    costs = re.findall(r"cost (\d+) after 2000 trials", output)
    assert len(costs) >= 2
    assert len(set(costs)) == 1


@pytest.mark.thorough
def test_composed_searches_share_their_parts() -> None:
    costs = re.findall(r" (\d{7})   +[\d,]+ moves evaluated on", output_of("examples/12_compose.py"))
    assert len(costs) == 6
    assert min(map(int, costs)) < 1.02 * 1_818_146  # the best known cost of tai30a


@pytest.mark.thorough
def test_a_perturbation_of_ones_own_runs_beside_those_that_ship() -> None:
    costs = re.findall(r"^(\d+) by (\w+)", output_of("examples/13_perturb.py"), re.MULTILINE)
    assert [name for _, name in costs] == ["Carousel", "RandomMoves", "AdaptiveMoves", "Reinsertion"]
    assert all(int(cost) < 1.05 * 1_167_256 for cost, _ in costs)  # the best known cost of tai25a


@pytest.mark.thorough
def test_many_seeds_end_with_their_table() -> None:
    output = output_of("examples/09_many_seeds.py")
    assert len(re.findall(r"^ +tai2[05]a +\w+ +10 +[\d,]+ ", output, re.MULTILINE)) == 4
    assert re.search(r"tabu on tai20a: median 70\d,\d{3}; moves to the target [\d,]+", output)
    assert "pictures: costs.png targets.png" in output or "Maybe pip install 'metaheur[plot]'" in output


@pytest.mark.thorough
def test_a_tour_is_solved_and_written(tmp_path: Path) -> None:
    places = np.random.default_rng(1).integers(0, 1000, (60, 2))
    lines = ["NAME: few", "TYPE: TSP", "DIMENSION: 60", "EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION"]
    lines += [f"{city + 1} {x} {y}" for city, (x, y) in enumerate(places.tolist())]
    (tmp_path / "few.tsp").write_text("\n".join([*lines, "EOF", ""]), encoding="utf-8")
    output = output_of(str(ROOT / "examples/10_tsp.py"), "few.tsp", folder=tmp_path)
    start, cost = map(int, re.search(r"greedy edge (\d+), 50 walks (\d+):", output).groups())  # type: ignore[union-attr]
    tsp = TSP.from_file(tmp_path / "few.tsp")
    assert tsp.cost(read_tour(tmp_path / "few.tour")) == cost < start
    drawn = find_spec("matplotlib") is not None
    assert (tmp_path / "few.png").exists() is drawn
    assert ("picture: few.png" if drawn else "matplotlib is not installed") in output


def test_the_readme_s_problem_runs_as_printed(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    problem = next(code for code in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "LinearOrdering" in code)
    assert sum(bool(line.strip()) for line in problem.splitlines()) <= 20
    program = tmp_path / "program.py"
    program.write_text(problem, encoding="utf-8")
    assert "cost " in output_of(str(program))


@pytest.mark.parametrize("arguments", [[], ["--seconds", "0.2"]], ids=["default", "short"])
def test_the_demo_refuses_a_missing_file_in_words(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "metaheur", "bench", "nowhere.dat", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1
    assert "nowhere.dat" in done.stderr
    assert "Maybe" in done.stderr


def test_the_demo_shows_a_row_for_each_device() -> None:
    output = output_of("-m", "metaheur", "bench", "--seconds", "0.2")
    assert "best known cost 21,044,752" in output
    assert re.search(r"^numpy +[\d,]+ +[\d.]+ % +[\d,]+ +[\d,]+ ", output, re.MULTILINE)
    assert re.search(r"^host +[\d,]+ +[\d.]+ % +[\d,]+ +[\d,]+ ", output, re.MULTILINE)


def test_two_phases_find_more_of_the_front_than_weighted_sums() -> None:
    output = output_of("examples/14_pareto_front.py")
    sizes, shares = zip(*re.findall(r"(\d+) solutions, +([\d.]+)% of the hypervolume", output), strict=True)
    assert len(shares) == 3
    assert int(sizes[0]) < int(sizes[2])
    assert float(shares[0]) < float(shares[2])


@pytest.mark.thorough
def test_the_archive_of_an_aggregated_tabu_search_holds_its_best_sum() -> None:
    output = output_of("examples/21_aggregated_tabu.py")
    sizes, areas = zip(*re.findall(r"(\d+) solutions, hypervolume ([\d.e+]+)", output), strict=True)
    assert 1 < int(sizes[0]) < int(sizes[1])
    assert 0 < float(areas[0]) < float(areas[1])
    weights, total, costs = re.search(  # type: ignore[union-attr]
        r"weights \[(.+)\].*the best sum (\d+) is that of \((.+)\)", output, re.DOTALL
    ).groups()
    weighted = zip(weights.split(","), costs.split(","), strict=True)
    assert int(total) == sum(int(w) * int(c) for w, c in weighted)


def test_every_parallel_model_makes_the_same_walks() -> None:
    output = output_of("examples/08_parallel.py")
    found = re.findall(r"^(.+?) +best (\d+)  mean ([\d.]+)  worst (\d+)$", output, re.MULTILINE)
    assert len(found) == 4
    assert found[0][1:] == found[1][1:] == found[2][1:]
    assert float(found[3][2]) <= float(found[0][2])


def test_one_walk_is_the_same_however_it_is_spread() -> None:
    output = output_of("examples/20_one_walk.py")
    assert len(set(re.findall(r"^makespan (\d+)", output, re.MULTILINE))) == 1
    plans = re.findall(r"^  (One walk.+)$", output, re.MULTILINE)
    assert len(plans) == len(set(plans)) == 4


def test_decoders_reach_the_published_optimum() -> None:
    output = output_of("examples/25_decoders.py")
    assert output.splitlines()[0].startswith("JobShop: 55,")


def test_max_sat_in_python_alone_reaches_the_published_optimum() -> None:
    output = output_of("examples/26_max_sat.py")
    assert "Hamming(radius=1) on host: cost, delta, init, commit" in output
    assert re.search(r"cost +│ 1 ", output)


def test_small_problems_in_python_alone_reach_known_optima() -> None:
    output = output_of("examples/27_small_problems.py")
    assert "BinPacking: 6 bins, 0 wasted" in output
    assert "FeedbackArcs: 7 of 21 arcs lead back" in output


def test_a_fold_needs_no_cost() -> None:
    output = output_of("examples/28_folds.py")
    assert "Insertion() on host: cost, delta, init, commit, deltas" in output
    assert "Swap(): length 17375," in output


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("example", "members", "optimum"),
    [
        ("29_social_golfer", "cost, delta", r"^0 meetings too many"),
        ("30_steiner_tree", "cost", r"(\d+) by tabu search, \1 by enumeration, (?!\1)\d+ without"),
        ("31_nk_landscape", "cost, delta", r"(\d+) by tabu search, \1 by enumeration"),
        ("32_weighted_tardiness", "cost, delta, init, commit, deltas", r"^late by 913,"),
        ("33_vehicle_routing", "cost", r"^length 450 of"),
    ],
)
def test_problems_in_python_alone_reach_optima(example: str, members: str, optimum: str) -> None:
    output = output_of(f"examples/{example}.py")
    assert f" on host: {members}\n" in output
    assert re.search(optimum, output, re.MULTILINE)


@pytest.mark.thorough
def test_islands_on_dask_are_those_of_one_process_with_a_worker_killed() -> None:
    if find_spec("distributed") is None:
        pytest.skip("Dask's distributed is not installed")
    alone, together = re.findall(r"(\[[\d ]+\])", output_of("examples/23_islands_on_dask.py"))
    assert alone == together


def test_a_representation_of_ones_own_runs_in_every_kind_of_search() -> None:
    *lines, last = output_of("examples/34_own_representation.py").splitlines()
    costs = [re.findall(r"(\d+) on numpy, (\d+) on host", line)[0] for line in lines]
    assert len(costs) == 4
    assert all(here == there for here, there in costs)
    islands, solved = re.findall(r"(\d+)(?=;|$)", last)
    assert int(solved) <= int(islands) <= min(int(here) for here, _ in costs)


def test_a_timetable_is_feasible_before_it_is_pleasant() -> None:
    lines = output_of("examples/35_course_timetable.py").splitlines()[-3:]
    assert all(" hard 0, " in line and re.search(r"feasible after [\d,]+ moves", line) for line in lines)
