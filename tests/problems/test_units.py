"""What the user reads, writes and compares is in the units of the file, whatever whole numbers the search counts in."""

import json
from decimal import Decimal
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from metaheur import Problem, run, stop
from metaheur.command.main import main
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.parallel import Multistart
from metaheur.problems import Knapsack, MaxCut, MultiObjective, Scalarised, problem_from_file
from metaheur.problems.trees.knapsack_core import KnapsackCore
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.report import run_many
from metaheur.report.reproduce import reproduce
from metaheur.searches import ParetoLocalSearch, TabuSearch
from metaheur.tree import BranchAndBound
from metaheur.watch import Trace

FILES = {
    "graph.mc": "4 5\n1 2 0.5\n2 3 1.25\n1 3 -0.25\n3 4 2e-1\n1 4 0.3\n",
    "small.sparse": "# minimised\n3 5\n1 1 -1.5\n2 2 0.25\n3 3 -2\n1 2 1.0625\n2 3 -0.5\n",
    "bqp_small.txt": "3 4\n1 1 1.5\n2 2 -0.25\n3 3 2\n1 3 -0.75\n",
    "small.qubo": "p qubo 0 3 3 2\n0 0 -1.5\n1 1 0.25\n2 2 -2e0\n0 1 2.125\n1 2 -1\n",
    "two.mkp": "4 2 0\n1.5 2.25 3 1.75\n1 2.5 3 1\n2 2 2 2\n5.5 6\n",
    "small.kp": "4 10.5\n1.5 2.25\n2 10.5\n3 8\n0.125 0.5\n",
}
"""An instance with fractions for each format of which a reader multiplies."""


def decimals(path: Path) -> list[Decimal]:
    return [Decimal(token) for token in path.read_text().split() if token[-1].isdigit()]


def by_hand(path: Path, x: np.ndarray) -> Decimal:
    """The value of a solution in decimal numbers, from the text of the file alone."""
    bits = [int(bit) for bit in x]
    if path.suffix == ".qubo":
        rows = [line.split() for line in path.read_text().splitlines()[1:]]
        return sum((Decimal(q) * bits[int(i)] * bits[int(j)] for i, j, q in rows), Decimal(0))
    numbers = decimals(path)
    if path.suffix == ".kp":
        pairs = list(zip(numbers[2::2], numbers[3::2], strict=True))
        assert sum(weight * bit for (_, weight), bit in zip(pairs, bits, strict=True)) <= numbers[1]
        return sum((profit * bit for (profit, _), bit in zip(pairs, bits, strict=True)), Decimal(0))
    if path.suffix == ".mkp":
        return sum((profit * bit for profit, bit in zip(numbers[3:7], bits, strict=True)), Decimal(0))
    triples = [(int(i) - 1, int(j) - 1, w) for i, j, w in zip(numbers[2::3], numbers[3::3], numbers[4::3], strict=True)]
    if path.suffix == ".mc":
        return sum((w for i, j, w in triples if bits[i] != bits[j]), Decimal(0))
    value = sum(((1 if i == j else 2) * w * bits[i] * bits[j] for i, j, w in triples), Decimal(0))
    return -value if path.name.startswith("bqp") else value  # QUBO minimises the negative of OR-Library's objective


def written(folder: Path, name: str) -> tuple[Path, Problem]:
    path = folder / name
    path.write_text(FILES[name])
    return path, problem_from_file(path)


def best_of(problem: Problem) -> tuple[np.ndarray, int]:
    """A best solution, and its cost as the search counts it."""
    xs = [np.array(bits, np.uint8) for bits in product((0, 1), repeat=problem.n)]
    best = min(xs, key=problem.cost)
    return best, int(problem.cost(best))


@pytest.mark.parametrize("name", FILES)
def test_the_command_line_speaks_of_costs_in_the_units_of_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, problem = written(tmp_path, name)
    assert problem.cost_factor > 1
    best = float(by_hand(path, best_of(problem)[0]))
    monkeypatch.chdir(tmp_path)
    line = ["solve", name, "--search", "TabuSearch(Hamming(1))", "--iterations", "200", "--target", str(best)]
    assert main([*line, "--parallel", "numpy", "--format", "json", "--out", "best.txt", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["cost"], told["stopped_by"]) == (best, "target")
    assert Path("best.txt").read_text().split()[0] == str(best)
    assert main(["show", "best.txt", name, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"cost": best, "stated": best, "n": problem.n}
    assert main(["solve", name, "--work", "400", "--parallel", "numpy", "--format", "csv", "--quiet"]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert float(row.split(",")[header.split(",").index("cost")]) == best


@pytest.mark.parametrize("name", FILES)
def test_results_traces_and_records_are_in_the_units_of_the_file(name: str, tmp_path: Path) -> None:
    path, problem = written(tmp_path, name)
    search, model = TabuSearch(Hamming(1)), Multistart(3, device="numpy")
    trace = Trace(every=1)
    result = run(search, problem, stop=stop.iterations(6), seed=1, parallel=model, watch=[trace])
    assert result.cost == float(by_hand(path, result.solution)) == (max if problem.maximise else min)(result.costs)
    assert {result.cost} == {each.cost for each in result.improvements[-1:]} or not result.improvements
    assert result.cost in {each.best for each in trace.rows}
    assert result.reached(result.cost) is not None
    folder = tmp_path / "runs"
    made = run_many(search, {"p": problem}, seeds=range(2), stop=stop.iterations(6), parallel=model, folder=folder)
    again = run_many(search, {"p": problem}, seeds=range(2), stop=stop.iterations(6), parallel=model, folder=folder)
    costs = [each.result.cost for each in made.runs if each.result]
    assert costs == [each.result.cost for each in again.runs if each.result and each.reused]
    record = sorted(folder.glob("*.json"))[0]
    assert reproduce(record).identical


def test_a_target_between_two_costs_is_not_rounded_into_the_wrong_one(tmp_path: Path) -> None:
    _, problem = written(tmp_path, "small.qubo")
    search = TabuSearch(Hamming(1))

    def reached(target: float) -> float:
        start = np.zeros(3, np.uint8)
        found = run(search, problem, stop=stop.target(target) | stop.iterations(50), start=start, parallel="numpy")
        return float(found.cost)

    assert (reached(-2.0), reached(-2.0001), reached(-3.5)) == (-2.0, -3.5, -3.5)


def test_proofs_and_cutoffs_are_in_the_units_of_the_file(tmp_path: Path) -> None:
    path, problem = written(tmp_path, "small.kp")
    best = float(by_hand(path, best_of(problem)[0]))
    for search in (BranchAndBound(KnapsackTree()), KnapsackCore()):
        proof = run(search, problem, stop=stop.seconds(60), parallel="numpy").proof
        assert proof is not None
        assert (proof.status, proof.cost, proof.bound) == ("optimal", best, best)
    for cutoff, status in ((best, "infeasible"), (best - 0.0625, "optimal")):
        proof = run(
            BranchAndBound(KnapsackTree(), cutoff=cutoff), problem, stop=stop.seconds(60), parallel="numpy"
        ).proof
        assert proof is not None
        assert proof.status == status


def test_fronts_are_in_the_units_of_the_files_and_begin_other_searches(tmp_path: Path) -> None:
    _, first = written(tmp_path, "small.kp")
    assert isinstance(first, Knapsack)
    second = Knapsack(first.profits[::-1].copy(), first.weights, first.capacities, factor=first.factor)
    both = MultiObjective([first, second])
    search = ParetoLocalSearch(Hamming(1))
    start = np.zeros(4, np.uint8)
    front = run(search, both, stop=stop.iterations(20), start=start, parallel="numpy").front
    assert front is not None
    for costs, solution in front:
        expected = np.array(both.cost(solution)) / -first.factor
        assert costs.tolist() == expected.tolist()
    assert front.signs.tolist() == [-1, -1]
    again = ParetoLocalSearch(Hamming(1), begin=front)
    after = run(again, both, stop=stop.iterations(20), start=start, parallel="numpy").front
    assert after is not None
    assert after.costs.tolist() == front.costs.tolist()
    weighed = Scalarised(both, [1, 2], [-7, -7])
    x = front.solutions[0]
    a, b = (float(each) / first.factor for each in both.cost(x))
    assert weighed.displayed(weighed.cost(x)) == pytest.approx(max(a + 7, 2 * (b + 7)), abs=1e-12)


def test_objectives_in_two_units_are_refused() -> None:
    fine = MaxCut.from_edges(3, [[0, 1], [1, 2]])
    coarse = Knapsack.single([15, 20, 5], [1, 1, 1], 2)
    scaled = Knapsack(coarse.profits, coarse.weights, coarse.capacities, factor=10)
    with pytest.raises(InputError, match="costs in one unit, but Knapsack was read times 10 and MaxCut times 1"):
        MultiObjective([fine, scaled])
