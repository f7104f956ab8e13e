"""Bugs that are planted into shipped halves are found, and the message names the member that is wrong.

A line of C++, or of a Python method, is replaced in a copy of the component; the file itself stays as it is.
"""

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest

from metaheur import Permutation, Source
from metaheur.errors import CheckFailed
from metaheur.loops import Scan, Trial
from metaheur.neighborhoods import Hamming, Insertion, OnEach, Substitution, Swap, TwoOpt
from metaheur.parts import LateAcceptance, PlacementMemory, Tenure
from metaheur.problems import QAP, QUBO, TSP, FlowShop, GraphColoring, JobShopByMachines, Knapsack, MaxCut
from metaheur.problems.trees.flow_shop_tree import FlowShopTree, OneMachine
from metaheur.problems.trees.knapsack_tree import Dantzig, KnapsackTree, LighterAndDearer
from metaheur.source import source_of
from metaheur.testing import (
    check_bound,
    check_branching,
    check_dominance,
    check_neighborhood,
    check_part,
    check_problem,
    check_search,
)
from tests.tree.trees import knapsack

GENERATOR = np.random.default_rng(4)
LOPSIDED = QAP(*GENERATOR.integers(-9, 30, (2, 6, 6)))
EVEN = QAP.random(6, 1)
CUT = MaxCut.from_edges(7, [(i, j) for i in range(7) for j in range(i) if (i + j) % 3], GENERATOR.integers(-5, 9, 14))
COLORED = GraphColoring.random(8, 3, seed=1)
LOADED = Knapsack(GENERATOR.integers(1, 50, 8), GENERATOR.integers(1, 50, (2, 8)), [90, 110])  # type: ignore[arg-type, unused-ignore]
CITIES = TSP.random(8, 1)
BITS = QUBO(GENERATOR.integers(-50, 51, (8, 8)))  # type: ignore[arg-type, unused-ignore]
SHOP = JobShopByMachines(np.argsort(GENERATOR.random((5, 4)), axis=1), GENERATOR.integers(1, 9, (5, 4)))  # type: ignore[arg-type, unused-ignore]
JOBS = FlowShop(GENERATOR.integers(1, 99, (6, 3)))  # type: ignore[arg-type, unused-ignore]


def with_fields_of(kind: Any, component: Any) -> Any:
    return kind(**{each.name: getattr(component, each.name) for each in attrs.fields(type(component)) if each.init})


def in_cpp(component: Any, old: str, new: str) -> Any:
    """The component with other C++."""
    kind = type(component)
    text = source_of(kind).text
    assert text.count(old) == 1, text.count(old)
    return with_fields_of(type(kind.__name__, (kind,), {"source": Source(text.replace(old, new))}), component)


def in_python(component: Any, method: str, old: str, new: str) -> Any:
    """The component with another Python method."""
    kind = type(component)
    text = textwrap.dedent(inspect.getsource(getattr(kind, method)))
    assert text.count(old) == 1, text.count(old)
    names: dict[str, Any] = {}
    exec(text.replace(old, new), vars(inspect.getmodule(kind)), names)
    return with_fields_of(type(kind.__name__, (kind,), {**names, "source": source_of(kind)}), component)


def message(check: Callable[..., object], *arguments: Any, **options: Any) -> str:
    with pytest.raises(CheckFailed) as failure:
        check(*arguments, **options)
    return str(failure.value).replace("\n", " ")


DELTA, COMMIT, UPDATE = "It is what `delta` says of what `init` keeps.", "so `commit` is wrong", "so `update` is wrong"

PROBLEMS: dict[str, tuple[Any, Any, str, str, str]] = {
    "a wrong sign": (
        LOPSIDED,
        Swap(),
        "product(team, ai - aj, pj - pi) - (",
        "product(team, ai - aj, pi - pj) - (",
        DELTA,
    ),
    "a delta of symmetric matrices": (
        LOPSIDED,
        Swap(),
        "total += symmetric ? total :",
        "total += true ? total :",
        DELTA,
    ),
    "columns that stay": (EVEN, Swap(), "exchange_columns(team, s.permuted, m);", "", COMMIT),
    "half of an update": (EVEN, Swap(), "return delta + 2 * change;", "return delta + change;", UPDATE),
    "an update from stale rows": (EVEN, Swap(), "flow(k) = Cost(ai[k]) - Cost(aj[k]);", "", UPDATE),
    "a last edge that is left out": (
        CUT,
        Hamming(1),
        "++e)\n                total +=",
        "++e)\n                if (e + 1 < end) total +=",
        DELTA,
    ),
    "flips that stay": (
        CUT,
        Hamming(1),
        "s.flip(m.at[c]) = -s.flip(m.at[c]);",
        "s.flip(m.at[c]) = s.flip(m.at[c]);",
        COMMIT,
    ),
    "a pair that counts once": (CUT, Hamming(2), "2 * between(m.at[d], m.at[c])", "between(m.at[d], m.at[c])", DELTA),
    "an old color that stays": (COLORED, Substitution(), "--row[before];", "", COMMIT),
    "a change the other way around": (
        COLORED,
        Substitution(),
        "row[m.value(x, 0)] - row[x[m.at]]",
        "row[x[m.at]] - row[m.value(x, 0)]",
        DELTA,
    ),
    "a cost without its sign": (
        LOADED,
        Hamming(1),
        "return violation ? violation : -profit;",
        "return violation ? violation : profit;",
        "`cost` of",
    ),
    "a feasible move that is not visited": (
        SHOP,
        OnEach(Insertion()),
        "if (k < high && path(",
        "if (k < high && k > low && path(",
        "`feasible_moves` misses",
    ),
    "a bound that is too high": (
        SHOP,
        OnEach(Insertion()),
        "return Cost(span - Total(s.span(0)));",
        "return Cost(span + 1 - Total(s.span(0)));",
        "`delta_bound` is too high",
    ),
    "tails that stay": (SHOP, OnEach(Insertion()), "set_tails(s, p.stop);", "", COMMIT),
    "a stale cost": (
        LOADED,
        Hamming(1),
        "* Cost(profits(m.at[c]));\n            s.value(1) = weigh(s);",
        "* Cost(profits(m.at[c]));",
        COMMIT,
    ),
    "an edge beside the right one": (
        CITIES,
        TwoOpt(),
        "- s.edges(m.i - 1) - s.edges(m.j);",
        "- s.edges(m.i) - s.edges(m.j);",
        DELTA,
    ),
    "a commit that does nothing": (CITIES, TwoOpt(), "const { init(team, x, s); }", "const {}", COMMIT),
}


@pytest.mark.parametrize("bug", PROBLEMS)
def test_a_bug_of_a_problem_in_cpp_is_named(bug: str) -> None:
    problem, neighborhood, old, new, wording = PROBLEMS[bug]
    assert wording in message(check_problem, in_cpp(problem, old, new), neighborhood, devices=["host"])


IN_PYTHON: dict[str, tuple[Any, Any, str, str, str]] = {
    "a wrong sign": (LOPSIDED, Swap(), "(a[i, i] - a[j, j])", "(a[i, i] + a[j, j])", "delta"),
    "a delta of symmetric matrices": (LOPSIDED, Swap(), "if self.symmetric else", "if True else", "delta"),
    "a coupling without its sign": (BITS, Hamming(2), "sign[i] * sign[j] *", "", "delta"),
    "a bit that was set": (BITS, Hamming(1), "- linear * own)", ")", "_flips"),
}


@pytest.mark.parametrize("bug", IN_PYTHON)
def test_a_bug_of_a_problem_in_python_is_named(bug: str) -> None:
    problem, neighborhood, old, new, method = IN_PYTHON[bug]
    wording = message(check_problem, in_python(problem, method, old, new), neighborhood, devices=[])
    assert f"{type(problem).__name__}: the change of cost of " in wording
    assert "but two full evaluations say" in wording


MEMBERS: dict[str, tuple[Any, str, str, str]] = {
    "unrank": (
        Swap(),
        "return move(g, int(k - g * (2 * I(n) - 1 - g) / 2));",
        "return move(g, int(k - g * (2 * I(n) - 1 - g) / 2) + (g == 1 && k == 6));",
        "unrank makes",
    ),
    "index": (Swap(), "first(m.i) + m.j - m.i - 1", "first(m.i) + m.j - m.i", "index() of"),
    "around": (Swap(), "!(t >= n && free == m.i)", "true", "around("),
    "touch": (Swap(), "if (free != without) f(k, Move{free, fixed});", "f(k, Move{free, fixed});", "touch"),
}


@pytest.mark.parametrize("member", MEMBERS)
def test_a_bug_of_a_neighborhood_in_cpp_is_named(member: str) -> None:
    neighborhood, old, new, wording = MEMBERS[member]
    assert wording in message(check_neighborhood, in_cpp(neighborhood, old, new), Permutation(6), devices=["host"])


def test_a_bug_of_a_neighborhood_in_python_is_named() -> None:
    space = Permutation(6)
    wrong = in_python(Swap(), "move", "+ i + 1)", "+ i + 1 + (k == 3))")
    assert "move(3) is " in message(check_neighborhood, wrong, space, devices=[])
    wrong = in_python(Swap(), "index", "- int(move.i) - 1", "- int(move.i) - (move.i != 2)")
    assert "index(SwapMove(i=2, j=3)) is " in message(check_neighborhood, wrong, space, devices=[])


def test_a_bug_of_a_part_is_named() -> None:
    bits, one = np.array([0, 2**31, 2**32 - 1], np.uint32), {"devices": ["host"]}
    old, new = "longest - shortest + 1", "longest - shortest"
    wording = message(check_part, in_cpp(Tenure(0.5, 2), old, new), "draw", bits, np.int64(10), **one)
    assert ".draw(2147483648, 10) is " in wording or ".draw(4294967295, 10) is " in wording
    late = {"history": np.array([5, 7, 9]), "place": np.array(1)}
    arguments = np.arange(-2, 3), np.full(5, 7), np.zeros(5, np.int64), np.zeros(5, np.uint32)
    wrong = in_cpp(LateAcceptance(3), "current + delta <= history(place)", "current + delta < history(place)")
    assert ".accepts(0, 7, 0, 0) is False in C++" in message(
        check_part, evolved(wrong, greedy=False), "accepts", *arguments, kept=late, **one
    )


def evolved(part: Any, **changes: Any) -> Any:
    return attrs.evolve(part, **changes)


def test_a_bug_of_a_search_is_named_by_what_it_changes() -> None:
    memory = in_cpp(PlacementMemory(Tenure(0.3, 1)), "other < soonest ? other", "other > soonest ? other")
    wording = message(check_search, Scan(Swap(), memory=memory), EVEN, iterations=40, devices=["host"])
    assert " state.walk.current" in wording
    assert wording.endswith("differs from numpy.")
    memory = in_cpp(PlacementMemory(Tenure(0.3, 1)), "random.bits(u32(c))", "random.bits(0)")
    wording = message(check_search, Scan(Swap(), memory=memory), EVEN, iterations=40, devices=["host"])
    assert " state.kept['memory']['expiries'] differs" in wording
    late = in_cpp(LateAcceptance(4), "place + 1 == length ? 0", "place + 2 == length ? 0")
    wording = message(check_search, Trial(Swap(), acceptance=late), EVEN, iterations=40, devices=["host"])
    assert "['acceptance']['" in wording


def test_a_bug_of_a_bound_is_named() -> None:
    small, host = knapsack(7), {"devices": ["host"]}
    wrong = in_cpp(Dantzig(), "return -(node.profit + rest);", "return -(node.profit + rest) + 1;")
    assert "Dantzig.lower of the node" in message(check_bound, KnapsackTree(), wrong, small, **host)
    wrong = in_cpp(Dantzig(), "return k == 0;", "return true;")
    assert "Dantzig.lower inherited by child 1 " in message(check_bound, KnapsackTree(), wrong, small, **host)
    wrong = in_cpp(Dantzig(), "if (weight > room) continue;", "if (weight > room) break;")
    assert "Dantzig.upper of the node" in message(check_bound, KnapsackTree(), wrong, small, **host)
    wrong = in_python(Dantzig(), "lower", "// int(items.weights[after]))", "// int(items.weights[after])) + 1")
    assert "Dantzig.lowers says" in message(check_bound, KnapsackTree(), wrong, small, devices=[])
    wrong = in_python(Dantzig(), "upper", "profit + int(items.profits[item])", "profit + int(items.weights[item])")
    assert "Dantzig.uppers says" in message(check_bound, KnapsackTree(), wrong, small, devices=[])
    wrong = in_cpp(OneMachine(), "lower = end > lower ? end : lower;", "lower = end;")
    assert "OneMachine.lower of the node" in message(check_bound, FlowShopTree(), wrong, JOBS, **host)


def test_a_bug_of_a_tree_or_a_dominance_is_named() -> None:
    small, host = knapsack(7), {"devices": ["host"]}
    wrong = in_cpp(KnapsackTree(), "weight -= Sum(weights(depth));", "")
    assert "in the C++ half of KnapsackTree" in message(check_branching, wrong, small, **host)
    wrong = in_python(KnapsackTree(), "child", "- int(items.weights[depth])", "+ 0")
    assert "KnapsackTree.children differs from child in `" in message(check_branching, wrong, small, devices=[])
    text = source_of(LighterAndDearer).text
    assert "beats" in text
    wrong = type("LighterAndDearer", (LighterAndDearer,), {"beats": lambda self, problem, a, b, depth: True})()
    assert "LighterAndDearer drops" in message(check_dominance, KnapsackTree(), wrong, small, devices=[])
