"""What is seen of an exact search on the way: lines, and the share of the tree."""

import io

import numpy as np
import pytest

from metaheur import Progress, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.tree import BestFirst, BranchAndBound, Log, nodes
from tests.tree.test_branch_and_bound import MINUTE, knapsack, proof

SEARCH = BranchAndBound(KnapsackTree(), order=BestFirst(2))


def test_a_log_has_a_line_for_the_start_and_the_end_and_marks_what_is_better() -> None:
    stream = io.StringIO()
    result = run(SEARCH, knapsack(20), stop=MINUTE, start=np.zeros(20), watch=[Log(every=0, stream=stream)])
    header, first, *lines, _, last = stream.getvalue().splitlines()
    assert header.split()[:3] == ["branched", "open", "depth"]
    assert first.split()[:2] == ["0", "1"]
    assert any(line.startswith("*") for line in lines)
    assert last == str(proof(result))
    assert str(result.cost) in last


def test_a_line_without_a_better_solution_has_no_mark() -> None:
    stream = io.StringIO()
    watcher = Log(every=0, stream=stream)
    best = run(SEARCH, knapsack(20), stop=MINUTE).solution
    run(SEARCH, knapsack(20), stop=MINUTE, start=best, watch=[watcher])
    assert len(stream.getvalue().splitlines()) > 3
    assert "*" not in stream.getvalue()


def test_a_log_of_a_search_that_proves_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="proves nothing"):
        run(TabuSearch(Hamming(1)), knapsack(9), stop=stop.iterations(1), watch=[Log()])


def test_the_share_of_the_tree_grows_to_the_whole_and_progress_shows_it() -> None:
    shares = []
    for limit in (1, 5, 20, 100):
        part = proof(run(SEARCH, knapsack(20), stop=stop.iterations(limit)))
        shares.append(part.share)
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1
    stream = io.StringIO()
    run(SEARCH, knapsack(20), stop=nodes(10**9), watch=[Progress(stream=stream)])
    assert stream.getvalue().splitlines()[-1].startswith("100 %")


def test_a_proof_and_a_result_read_well() -> None:
    result = run(SEARCH, knapsack(12), stop=MINUTE)
    assert "optimal: cost" in str(result)
    assert proof(result).gap == proof(result).absolute_gap == 0
