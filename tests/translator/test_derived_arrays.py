"""Derived changes of cost that look up data, or keep arrays: by brute force in Python, and compiled."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.device.generator.compose import compose
from metaheur.errors import CompileError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Hamming, Insertion, Interchange, Substitution, Swap, TwoOpt
from metaheur.testing import check_problem
from metaheur.translator.deriving.derived import derivation_of
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.translator.by_python import wrong
from tests.translator.derived_fuzz import Turns
from tests.translator.test_deriving import problem_of

N = 9
R = np.random.default_rng(1)
PAIRS = np.argwhere(np.triu(R.random((N, N)) < 0.5, 1))
BOTH = np.concatenate([PAIRS, PAIRS[:, ::-1]])
BOTH = BOTH[np.lexsort((BOTH[:, 1], BOTH[:, 0]))]
NEAR = {"begin": np.searchsorted(BOTH[:, 0], np.arange(N + 1)), "near": BOTH[:, 1]}
LOOPS = {"edges": np.concatenate([PAIRS, [[3, 3], [5, 2]]])}
WEIGHTED = {"edges": PAIRS, "w": R.integers(-9, 20, len(PAIRS))}
CLAUSES = {"c": np.array([R.choice(N, 3, replace=False) for _ in range(20)]), "s": R.integers(0, 2, (20, 3))}
ITEMS = {"w": R.integers(1, 30, N), "p": R.integers(1, 30, N)}
SQUARE = R.integers(-20, 90, (N, N))
ROWS = {"row": np.arange(20), "col": R.integers(0, N, 20), "p": ITEMS["p"]}
LOAD = """
    load = [0] * 4
    for k in range(self.n):
        load[x[k]] += self.w[k]
    """
VALUES, ORDER, BITS = "DiscreteVector(9, 4)", "Permutation(9)", "BitString(9)"

COSTS: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "edges": (
        "return sum(x[self.edges[e, 0]] == x[self.edges[e, 1]] for e in range(len(self.edges)))",
        [VALUES],
        WEIGHTED,
    ),
    "edges with loops": (
        "return sum(x[self.edges[e, 0]] * (x[self.edges[e, 1]] + 1) for e in range(len(self.edges)))",
        [VALUES, ORDER],
        LOOPS,
    ),
    "a cut": (
        "return -sum(self.w[e] for e in range(len(self.edges)) if x[self.edges[e, 0]] != x[self.edges[e, 1]])",
        [BITS],
        WEIGHTED,
    ),
    "two columns": (
        """
    total = 0
    for a, b in zip(self.a, self.b):
        total += x[a] == x[b]
    return total""",
        [VALUES],
        {"a": PAIRS[:, 0], "b": PAIRS[:, 1]},
    ),
    "lists of neighbors": (
        """
    total = 0
    for k in range(self.n):
        for e in range(self.begin[k], self.begin[k + 1]):
            if x[k] == x[self.near[e]]:
                total += 1
    return total""",
        [VALUES, ORDER],
        NEAR,
    ),
    "clauses": (
        "return sum(x[self.c[e, 0]] == self.s[e, 0] or x[self.c[e, 1]] == self.s[e, 1] or x[self.c[e, 2]] == 1"
        " for e in range(len(self.c)))",
        [BITS, ORDER],
        CLAUSES,
    ),
    "any literal": (
        "return sum(any(x[self.c[e, k]] == self.s[e, k] for k in range(3)) for e in range(len(self.c)))",
        [BITS],
        CLAUSES,
    ),
    "loads": (LOAD + "return sum(load[b] ** 2 + 1000 * max(0, load[b] - 40) for b in range(4))", [VALUES], ITEMS),
    "inner sums": (
        "return sum(sum(self.w[i] for i in range(self.n) if x[i] == b) ** 2 for b in range(4))",
        [VALUES, ORDER],
        ITEMS,
    ),
    "bins beyond the values": (
        "return sum(sum(self.w[i] for i in range(self.n) if x[i] == b) ** 2 for b in range(1, 3))",
        [VALUES, ORDER],
        ITEMS,
    ),
    "the largest load": (LOAD + "return max(load)", [VALUES], ITEMS),
    "the spread": (LOAD + "return 2 * max(load) - min(v - 3 * v * v for v in load)", [VALUES], ITEMS),
    "the largest count": (
        """
    count = [0] * 4
    for v in x:
        count[v] += 1
    return 3 * max(count) + sum(c * c for c in count)""",
        [VALUES],
        {},
    ),
    "two extremes of a list without the last item": (
        """
    near = [0] * 14
    for i in range(self.n - 1):
        near[x[i]] += 1
    return 2 * max(near) - min(near)""",
        [ORDER, VALUES],
        {},
    ),
    "a budget": (
        """
    over = max(0, sum(self.w[k] * x[k] for k in range(self.n)) - 60)
    return 10 * over - sum(self.p[k] * x[k] for k in range(self.n))""",
        [BITS, ORDER],
        ITEMS,
    ),
    "budgets": (
        "return sum(max(0, sum(self.a[b, k] * x[k] for k in range(self.n)) - 60) for b in range(5))",
        [BITS, ORDER],
        {"a": SQUARE},
    ),
    "a product of sums": ("return sum(x) * sum(self.p[k] * x[k] for k in range(self.n))", [BITS, VALUES], ITEMS),
    "autocorrelations": (
        "return sum(sum((2 * x[k] - 1) * (2 * x[k + d] - 1) for k in range(self.n - d)) ** 2"
        " for d in range(1, self.n))",
        [BITS, ORDER],
        {},
    ),
    "queens": (
        """
    up, down = [0] * (2 * self.n), [0] * (2 * self.n)
    for k in range(self.n):
        up[x[k] + k] += 1
        down[x[k] - k] += 1
    return sum(c * (c - 1) // 2 for c in up) + sum(c * (c - 1) // 2 for c in down)""",
        [ORDER, VALUES],
        {},
    ),
    "conditional counts": (
        """
    held = [0] * 14
    for k in range(self.n):
        if x[k] < self.w[k] % 4:
            held[self.p[k] % 5 + x[k]] += self.w[k]
    return sum(c * c for c in held)""",
        [ORDER, VALUES],
        {"w": np.array([3, 1, 3, 2, 3, 3, 1, 2, 3]), "p": np.array([0, 0, 0, 1, 0, 1, 0, 0, 2])},
    ),
    "sums of pairs": (
        "return sum(max(0, 3 * sum(x[self.g[w, p]] == x[self.g[w, q]] for w in range(3)) - 1) for p in range(3)"
        " for q in range(p))",
        [VALUES],
        {"g": np.arange(9).reshape(3, 3)},
    ),
    "positions": (
        """
    at = [0] * self.n
    for k, b in enumerate(x):
        at[b] = k
    return sum(abs(at[self.edges[e, 0]] - at[self.edges[e, 1]]) for e in range(len(self.edges)))""",
        [ORDER],
        WEIGHTED,
    ),
    "a cover": (
        """
    cover = [0] * 20
    for e in range(len(self.row)):
        cover[self.row[e]] += x[self.col[e]]
    return sum(self.p[k] * x[k] for k in range(self.n)) + 50 * sum(c == 0 for c in cover)""",
        [BITS],
        ROWS,
    ),
    "a table of counts": (
        """
    count = [[0] * 3 for _ in range(4)]
    for k in range(self.n):
        count[x[k]][self.w[k] % 3] += 1
    return sum(max(0, count[a][b] - 1) for a in range(4) for b in range(3))""",
        [VALUES],
        ITEMS,
    ),
    "symmetric": (
        "return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(self.n) for k in range(self.n))",
        [ORDER],
        {"a": SQUARE + SQUARE.T, "b": SQUARE * SQUARE.T},
    ),
    "a lookup of the next bits": (
        "return -sum(self.t[i, sum(x[i + a - self.n] << 2 - a for a in range(3))] for i in range(self.n))",
        [BITS],
        {"t": SQUARE},
    ),
    "half of a matrix": (
        "return sum(x[i] == x[k] for i in range(self.n) for k in range(i) if self.a[i, k] > 40)",
        [VALUES],
        {"a": SQUARE + SQUARE.T},
    ),
}
MOVES: dict[str, Any] = {VALUES: Substitution(), ORDER: Swap(), BITS: Hamming(1)}


def made(name: str, space: str, folder: Path) -> Any:
    body, _, fields = COSTS[name]
    return problem_of(folder, body, space, "Derived" + name.title().replace(" ", ""), **fields)


@pytest.mark.parametrize(("name", "space"), [(name, space) for name, each in COSTS.items() for space in each[1]])
def test_changes_and_kept_arrays_are_those_of_full_evaluations(name: str, space: str, tmp_path: Path) -> None:
    assert not wrong(made(name, space, tmp_path), MOVES[space])


OTHERS: dict[str, list[Any]] = {
    VALUES: [Turns()],
    BITS: [Hamming(2), Hamming(3), Interchange()],
    ORDER: [Turns(), Insertion(), TwoOpt()],
}
REFUSED = {
    ("sums of pairs", Turns()): "as many nested loops as the cost",
    ("positions", Turns()): "entries of at are set",
    ("positions", Insertion()): "the positions of all items between the moved ones change in at",
    ("positions", TwoOpt()): "the positions of all items between the moved ones change in at",
}
RANGES_REFUSED = (
    "for all items between",
    "for each item between the moved ones, and some of these may be one entry",
    "of all items between the moved ones change in a minimum",
    "as many nested loops as the cost",
    "more than one position beyond the end",
    "many entries of which the cost takes the maximum",
    "or at a place that data name",
    "over something else than the solution",
)


def refusal(problem: Any, moves: Any) -> str:
    """Why nothing is derived for some moves; "" where all derived changes are right."""
    try:
        found = wrong(problem, moves)
    except CompileError as error:
        return str(error)
    assert not found, moves
    return ""


@pytest.mark.parametrize(("name", "space"), [(name, space) for name, each in COSTS.items() for space in each[1]])
def test_several_flips_and_your_own_moves_change_them_too(name: str, space: str, tmp_path: Path) -> None:
    problem = made(name, space, tmp_path)
    for moves in OTHERS[space]:
        why = refusal(problem, moves)
        if isinstance(moves, Insertion | TwoOpt) and (name, moves) not in REFUSED:
            assert not why or any(each in why for each in RANGES_REFUSED), moves
        else:
            assert REFUSED.get((name, moves), "") in why, moves
            assert bool(why) == ((name, moves) in REFUSED), moves


def test_what_a_rearranged_range_leaves_as_it_is_is_not_looked_at(tmp_path: Path) -> None:
    body = """
    load = [0] * 9
    for k in range(self.n):
        load[self.p[x[k]] % 9] += self.w[x[k]]
    return sum(self.a[x[k], x[k - 1]] for k in range(self.n)) + sum(c * c for c in load) + max(load)"""
    problem = problem_of(tmp_path, body, ORDER, "Untouched", **ITEMS, a=SQUARE + SQUARE.T)
    for moves in (Insertion(), TwoOpt()):
        assert not wrong(problem, moves)
        assert not derivation_of(problem, moves.move_types).kept


def test_rows_that_fill_one_entry_twice_are_added_first(tmp_path: Path) -> None:
    rows = {"row": np.array([0, 3, 0, 0, 3, 1, 1, 1, 2]), "col": np.array([0, 0, 0, 0, 1, 1, 1, 2, 2]), "p": ITEMS["p"]}
    body = COSTS["a cover"][0].replace("x[self.col[e]]", "x[self.col[e]] * self.p[e]").replace("c == 0", "c * c")
    problem = problem_of(tmp_path, body, BITS, "Twice", **rows)
    for moves in (Hamming(1), Hamming(2), Interchange()):
        assert not wrong(problem, moves)
    report = str(check_problem(problem, Hamming(2), devices=["host"]))
    assert report.endswith("on host: cost, delta, init, commit")


def test_rows_of_two_positions_are_merged(tmp_path: Path) -> None:
    problem = made("a cover", BITS, tmp_path)
    (text,) = (each.source for each in derivation_of(problem, Interchange().move_types).methods if each.name == "delta")
    assert "while z0 < t0 or z1 < t1:" in text
    assert not wrong(problem, Interchange())


def test_a_clause_changes_by_one_comparison(tmp_path: Path) -> None:
    text = delta("any literal", tmp_path)
    assert text.count("== 1)") == text.count("== 0)") == 1


def test_a_name_of_derived_code_is_not_read_from_outside(tmp_path: Path) -> None:
    for name in ("z0", "total", "b1_0"):
        body = f"return sum(x[k] * {name} for k in range(self.n))"
        problem = problem_of(tmp_path, body, BITS, f"Outside{name.title()}")
        sys.modules[type(problem).__module__].__dict__[name] = 3
        ((_, error),) = derivation_of(problem, Hamming(1).move_types).refusals[:1]
        assert f"the cost reads {name} from outside of it" in str(error)


COMPILED = {
    "edges with loops": "cost, delta",
    "any literal": "cost, delta, init, commit",
    "the largest count": "cost, delta, init, commit",
    "the spread": "cost, delta, init, commit",
    "autocorrelations": "cost, delta, init, commit",
    "positions": "cost, delta, init, commit",
    "a table of counts": "cost, delta, init, commit",
}


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_agrees(name: str, tmp_path: Path) -> None:
    space = COSTS[name][1][0]
    report = str(check_problem(made(name, space, tmp_path), MOVES[space], devices=["host"]))
    assert report.endswith(f"on host: {COMPILED[name]}")


def delta(name: str, folder: Path, space: str = "") -> str:
    """The derived change of cost as Python."""
    space = space or COSTS[name][1][0]
    found = derivation_of(made(name, space, folder), MOVES[space].move_types)
    return next(each.source for each in found.methods if each.name == "delta")


def test_edges_are_those_of_a_position(tmp_path: Path) -> None:
    text = delta("edges", tmp_path)
    assert text.count("for ") == 1  # one table for both ends
    assert "range(self.rows0_begin[i], self.rows0_begin[i + 1])" in text


def test_loads_and_counts_change_without_loops(tmp_path: Path) -> None:
    for name in ("loads", "the largest count", "a budget", "a product of sums", "queens", "a table of counts"):
        assert "for " not in delta(name, tmp_path), name


def test_an_excess_of_a_count_changes_by_one_comparison(tmp_path: Path) -> None:
    text = delta("a table of counts", tmp_path)
    assert "total += int(s.kept_count[b0_0, b0_1] >= 1)" in text
    assert "total -= int(s.kept_count[b1_0, b1_1] > 1)" in text


def test_quadratic_functions_of_counts_need_no_branches(tmp_path: Path) -> None:
    assert "if " not in delta("queens", tmp_path)
    assert "// 2" not in delta("queens", tmp_path)
    assert "rows" not in delta("autocorrelations", tmp_path)  # all entries change, so that tables would be longer


def test_both_ends_of_an_edge_are_one_table_whatever_the_order(tmp_path: Path) -> None:
    for value in ("x[a] == 0 and x[b] == 0", "x[a] * x[b]"):
        body = f"return sum({value} for a, b in zip(self.a, self.b))"
        problem = problem_of(tmp_path, body, BITS, "Ends", a=PAIRS[:, 0], b=PAIRS[:, 1])
        (found,) = (
            e for e in derivation_of(problem, Hamming(1).move_types).methods if e.name == "delta" and not e.several
        )
        assert found.source.count("for ") == 1
        assert not wrong(problem, Hamming(1))


def test_a_condition_that_guards_an_index_stays_before_it(tmp_path: Path) -> None:
    body = "return sum(x[k] >= 2 or self.w[x[k]] > 2 for k in range(self.n))"
    problem = problem_of(tmp_path, body, VALUES, "Guarded", w=np.array([1, 5]))
    assert not wrong(problem, Substitution())


def test_entries_that_few_positions_fill_are_looked_up(tmp_path: Path) -> None:
    assert delta("a lookup of the next bits", tmp_path).count("for ") == 1
    text = "in range(self.rows0_begin[i], self.rows0_begin[i + 1])"
    assert text in delta("a lookup of the next bits", tmp_path)
    assert text not in delta("budgets", tmp_path)


def test_symmetric_matrices_are_read_once(tmp_path: Path) -> None:
    assert delta("symmetric", tmp_path).count("for ") == 1
    assert "self.a[k, " not in delta("symmetric", tmp_path)
    assert delta("half of a matrix", tmp_path).count("for ") == 1


def test_another_instance_asks_its_data_again(tmp_path: Path) -> None:
    problem = made("symmetric", ORDER, tmp_path)
    other = type(problem)(SQUARE, SQUARE)
    texts = [derivation_of(each, Swap().move_types).methods[1].source for each in (problem, other)]
    assert texts[0] != texts[1]
    assert not wrong(other, Swap())


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("the largest count", Substitution()),
        ("any literal", Hamming(1)),
        ("any literal", Hamming(2)),
        ("a cover", Interchange()),
        ("loads", Turns()),
    ],
)
def test_nvrtc_compiles_it(name: str, moves: Any, tmp_path: Path) -> None:
    space = COSTS[name][1][0]
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    device: Any = NoGPU()
    text = compose(made(name, space, tmp_path), moves_of(moves), device).text
    assert nvrtc.compiled(text, ARCHITECTURES[-1], binary=False)


def test_a_list_that_is_never_filled_is_refused(tmp_path: Path) -> None:
    body = "c = [0] * 4\n    return sum(c[b] for b in range(4)) + sum(x)"
    ((_, error),) = derivation_of(problem_of(tmp_path, body, BITS, "Unfilled"), Hamming(1).move_types).refusals[:1]
    assert "c is read, but never filled" in str(error)


def test_positions_beside_the_solution_are_refused(tmp_path: Path) -> None:
    filled = "at = [0] * self.n\n    for k, b in enumerate(x):\n        at[b] = k"
    body = f"{filled}\n    return sum(at[k] * x[k] for k in range(self.n))"
    ((_, error),) = derivation_of(problem_of(tmp_path, body, ORDER, "Beside"), Swap().move_types).refusals[:1]
    assert "a term reads the positions of items, and something else that a move changes" in str(error)


LITERALS = R.integers(0, 8, (12, 4))
JOINED = {
    "any": """
    return sum(
        x[self.e[q, 0]] == 1 or x[self.e[q, 1]] == 0 or x[self.e[q, 2]] == self.e[q, 3] % 2 for q in range(12)
    )""",
    "none": "return sum(7 * (not (x[self.e[q, 0]] or x[self.e[q, 1]] or x[self.e[q, 2]])) for q in range(12))",
    "all": """
    total = 0
    for q in range(len(self.e)):
        if x[self.e[q, 0]] == 1 and x[self.e[q, 1]] == 0:
            if x[self.e[q, 2]] == x[self.e[q, 2]]:
                if x[self.e[q, 3]] != 1:
                    total -= self.e[q, 0]
    return total""",
}


@pytest.mark.parametrize("name", JOINED)
def test_conditions_on_three_bits_are_counted(name: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, JOINED[name], "BitString(8)", f"Clauses{name}", e=LITERALS)
    assert not wrong(problem, Hamming(1))
    assert bool(derivation_of(problem, Hamming(1).move_types).kept) == (name != "none")


def test_what_rows_have_in_common_is_multiplied_behind_their_loop(tmp_path: Path) -> None:
    body = "return 3 * sum((x[self.e[q, 0]] - 2) * x[self.e[q, 1]] for q in range(12))"
    problem = problem_of(tmp_path, body, "BitString(8)", "Common", e=LITERALS[:, :2] % 4 + [0, 4])
    (delta,) = (e for e in derivation_of(problem, Hamming(1).move_types).methods if e.name == "delta" and not e.several)
    assert "total += (v - u) * " in delta.source
    assert delta.source.count("* y") == 2
    assert not wrong(problem, Hamming(1))


def test_a_flipped_bit_is_the_first_or_the_last_of_an_entry(tmp_path: Path) -> None:
    body = """
    c = [0] * 8
    for q in range(len(self.e)):
        c[self.e[q, 0]] += x[self.e[q, 1]]
    return 5 * sum(n == 0 for n in c) - sum(n > 0 for n in c)"""
    pairs = np.unique(LITERALS[:, :2], axis=0)
    problem = problem_of(tmp_path, body, "BitString(8)", "Cover", e=pairs)
    (delta,) = (e for e in derivation_of(problem, Hamming(1).move_types).methods if e.name == "delta" and not e.several)
    assert delta.source.count("y += int(s.kept_c[b0] == u)") == 2
    assert not wrong(problem, Hamming(1))


@pytest.mark.parametrize(("largest", "dtype"), [(10**6, "int32"), (10**8, "int64")])
def test_small_sums_are_kept_in_32_bits(largest: int, dtype: str, tmp_path: Path) -> None:
    body = f"{LOAD}return sum(v * v for v in load)"
    problem = problem_of(tmp_path, body, VALUES, f"Loads{largest}", w=R.integers(largest // 2, largest, N))
    assert [each.dtype for each in derivation_of(problem, Substitution().move_types).kept] == [dtype]
    assert not wrong(problem, Substitution(), starts=1)
