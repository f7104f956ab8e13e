"""The checks find planted errors, and name the first counter-example."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

from metaheur import HillClimbing, Permutation, Problem, Source, TabuSearch, Until, Walk, data
from metaheur.errors import CheckFailed
from metaheur.evaluator import Evaluator
from metaheur.loops import Scan
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Swap, SwapMove
from metaheur.parts import Aspiration, Improving, Lowest, PlacementMemory, Selection, Tenure
from metaheur.problems import QAP
from metaheur.random import Key
from metaheur.representation import Representation, Solution
from metaheur.search import Incumbent, Search
from metaheur.testing import check_neighborhood, check_part, check_problem, check_search

HOST = ["host"]


@frozen(eq=False)
class Assignment(Problem):
    """Linear assignment: the sum of weights[i, x[i]]."""

    weights: np.ndarray = data("int32", ndim=2)

    source: ClassVar[Source | None] = Source(
        """struct Assignment : AssignmentData {
    MH_FN Cost delta(Team, const Item* x, SwapMove m) const {
        return weights(m.i, x[m.j]) + weights(m.j, x[m.i]) - weights(m.i, x[m.i]) - weights(m.j, x[m.j]);
    }
};"""
    )

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights[np.arange(len(x)), x].sum())


def assignment(kind: type[Assignment] = Assignment, n: int = 7) -> Any:
    return kind(np.random.default_rng(5).integers(0, 100, (n, n)))


def broken(old: str, new: str) -> Source:
    assert isinstance(Assignment.source, Source)
    text = Assignment.source.text
    assert old in text
    return Source(text.replace(old, new))


def test_a_right_problem_passes() -> None:
    check_problem(assignment(), Swap())


def test_a_wrong_delta_in_cpp_is_named_with_its_move() -> None:
    @frozen(eq=False)
    class Assignment(globals()["Assignment"]):  # type: ignore[misc]
        source = broken("weights(m.j, x[m.i])", "weights(m.j, x[m.j])")

    with pytest.raises(CheckFailed, match=r"Assignment on host: the change of cost of SwapMove\(i=0, j=1\)"):
        check_problem(assignment(Assignment), Swap(), devices=HOST)


def test_a_delta_that_is_wrong_for_the_last_index_only_is_found() -> None:
    @frozen(eq=False)
    class Assignment(globals()["Assignment"]):  # type: ignore[misc]
        source = broken("return weights(m.i, x[m.j])", "return (m.i == n - 2) + weights(m.i, x[m.j])")

    with pytest.raises(CheckFailed, match=r"SwapMove\(i=5, j=6\) \(index 20\)"):
        check_problem(assignment(Assignment), Swap(), devices=HOST)


def test_a_wrong_delta_in_python_is_found() -> None:
    @frozen(eq=False)
    class Wrong(Assignment):
        source = None

        def delta(self, x: Solution, move: Any) -> Any:
            return self.weights[move.i, x[move.j]] - self.weights[move.i, x[move.i]]

    with pytest.raises(CheckFailed, match="Wrong on numpy: the change of cost of SwapMove"):
        check_problem(assignment(Wrong), Swap())


def test_costs_that_disagree_with_cost_are_found() -> None:
    @frozen(eq=False)
    class Wrong(Assignment):
        source = None

        def costs(self, xs: np.ndarray) -> Any:
            return np.zeros(len(xs), dtype=np.int64)

    with pytest.raises(CheckFailed, match=r"Wrong\.costs"):
        check_problem(assignment(Wrong), Swap())


def test_kept_state_that_is_not_advanced_is_found() -> None:
    qap = QAP.taillard(12)
    assert isinstance(QAP.source, str)
    from metaheur.device.source import source_of

    text = source_of(qap).text

    @frozen(eq=False)
    class Forgetting(Problem):
        """QAP with a commit that forgets the columns."""

        a: np.ndarray = data("int64", ndim=2)
        b: np.ndarray = data("int64", ndim=2)
        source = Source(
            text.replace("struct QAP : QAPData", "struct Forgetting : ForgettingData").replace(
                "row[m.i] = row[m.j];", "row[m.i] = row[m.i];"
            )
        )
        representation = property(lambda self: qap.representation)
        cost_type = property(lambda self: qap.cost_type)
        constants = property(lambda self: qap.constants)
        state = property(lambda self: qap.state)
        tables = property(lambda self: qap.tables)

        def cost(self, x: Solution) -> int:
            return qap.cost(x)

    with pytest.raises(CheckFailed, match="Forgetting on host"):
        check_problem(Forgetting(qap.a, qap.b), Swap(), devices=HOST)


@frozen
class Reversed(Neighborhood):
    """Swap with a mistake, chosen by its name."""

    mistake: str

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def size(self, representation: Representation) -> int:
        return Swap().size(representation) - (self.mistake == "size")

    def moves(self, representation: Representation) -> Iterator[SwapMove]:
        return Swap().moves(representation)

    def move(self, representation: Representation, k: int) -> SwapMove:
        size = Swap().size(representation)
        return Swap().move(representation, size - 1 - k if self.mistake == "order" and k > 2 else k)

    def index(self, representation: Representation, move: Any) -> int:
        return Swap().index(representation, move) + (self.mistake == "index" and move.j == 4)

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        moves = Swap().batch(representation, indices)
        return SwapMove(moves.i, moves.j + (moves.j == 3)) if self.mistake == "batch" else moves


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ("size", r"moves\(\) yields 10 moves, but size\(\) is 9"),
        ("order", r"move\(3\) is SwapMove\(i=1, j=4\), but move 3 of moves\(\) is SwapMove\(i=0, j=4\)"),
        ("index", r"index\(SwapMove\(i=0, j=4\)\) is 4, but its index is 3"),
        ("batch", r"batch\(\) makes 4 number 1 of index 2, but it is SwapMove\(i=0, j=3\)"),
    ],
)
def test_a_mistake_in_a_numbering_is_named(mistake: str, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        check_neighborhood(Reversed(mistake), Permutation(5))


def test_a_right_neighborhood_passes() -> None:
    check_neighborhood(Reversed("none"), Permutation(5))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i64 g = n - 2 - row;", "i64 g = n - 2 - row - (k == 6);"),
        ("return {int(g), int(g) + 1 + k};", "return {int(g), int(g) + 1 + k - (g == 1 && k == 0)};"),
        ("return first(m.i) + m.j - m.i - 1;", "return first(m.i) + m.j - m.i;"),
        ("group(Move m) const { return m.i; }", "group(Move m) const { return m.i - (m.i == 2 && m.j == 4); }"),
        ("return i64(n) * (n - 1) / 2;", "return i64(n) * (n - 1) / 2 + 1;"),
        ("return n - 1 - int(g);", "return n - 1 - int(g) - (g == 3);"),
        ("x[m.j] = item;", "x[m.j] = x[m.i];"),
        ("&& !(t >= n && free == m.i)", ""),
    ],
    ids=["unrank", "move", "index", "group", "size", "length", "apply", "around"],
)
def test_a_mistake_in_a_cpp_half_is_found(old: str, new: str) -> None:
    from metaheur.device.source import source_of

    text = source_of(Swap()).text
    assert old in text
    mistaken = Source(text.replace(old, new).replace("struct Swap : SwapData", "struct Mistaken : MistakenData"))

    @frozen
    class Mistaken(Reversed):
        source = mistaken
        writes = property(lambda self: 2)

    with pytest.raises(CheckFailed, match="on host"):
        check_neighborhood(Mistaken(0), Permutation(6), devices=HOST)  # type: ignore[arg-type]


def test_a_cpp_half_may_leave_around_out_though_moves_write_a_fixed_number_of_positions() -> None:
    from metaheur.device.source import source_of

    text = source_of(Swap()).text
    assert "bool around(" in text
    alone = Source(
        text.replace("bool around(", "bool beside(").replace("struct Swap : SwapData", "struct Alone : AloneData")
    )

    @frozen
    class Alone(Reversed):
        source = alone
        writes = property(lambda self: 2)

    check_neighborhood(Alone(0), Permutation(6))  # type: ignore[arg-type]


def test_cpp_halves_of_empty_neighborhoods_must_be_empty_too() -> None:
    from metaheur.device.source import source_of

    text = source_of(Swap()).text.replace("return i64(n) * (n - 1) / 2;", "return 1;")

    @frozen
    class Filled(Reversed):
        source = Source(text.replace("struct Swap : SwapData", "struct Filled : FilledData"))

    with pytest.raises(CheckFailed, match=r"on host: size\(\) is 1, but there are 0 moves"):
        check_neighborhood(Filled(0), Permutation(1), devices=HOST)  # type: ignore[arg-type]


def test_parts_say_the_same_in_both_languages() -> None:
    rng = np.random.default_rng(3)
    words = rng.integers(0, 2**32, 1000).astype(np.uint32)
    for n in (1, 7, 10, 100, 2**20):
        check_part(Tenure(), "draw", words, np.int32(n), result="int32")
        check_part(Tenure(0.1, 0.3), "draw", words, np.int32(n), result="int32")
    expiries = rng.integers(-2000, 2000, 1000)
    check_part(Aspiration(500), "due", expiries, np.int64(900))
    check_part(Aspiration(), "due", expiries, np.int64(900))
    check_part(Lowest(), "score", expiries)
    check_part(Improving(), "accepts", rng.integers(-2, 3, 1000))


def test_a_part_whose_halves_differ_is_found() -> None:
    @frozen
    class Opposite(Selection):
        source = Source("struct Opposite : OppositeData { MH_FN Cost score(Cost delta) const { return delta; } };")

        def score(self, delta: Any) -> Any:
            return -delta

    with pytest.raises(CheckFailed, match=r"Opposite\(\)\.score\(3\) is 3 in C\+\+ on host, but -3 in Python"):
        check_part(Opposite(), "score", np.array([0, 3, 5]), devices=HOST)


@pytest.mark.parametrize(
    "search",
    [
        HillClimbing(Swap()),
        TabuSearch(Swap()),
        TabuSearch(Swap(), tenure=(3.0, 4.0)),
        TabuSearch(Swap(), tenure=(0.1, 0.3), long_term=50),
    ],
    ids=str,
)
def test_shipped_searches_pass(search: Search[Any]) -> None:
    check_search(search, QAP.taillard(12))


def test_a_scan_whose_selection_differs_between_the_languages_is_found() -> None:
    @frozen
    class Highest(Selection):
        source = Source("struct Highest : HighestData { MH_FN Cost score(Cost delta) const { return delta; } };")

        def score(self, delta: Any) -> Any:
            return -delta

    scan = Scan(Swap(), memory=PlacementMemory(), selection=Highest())
    with pytest.raises(CheckFailed, match=r"Scan on QAP on host.*after 1 iterations .* differs from numpy"):
        check_search(scan, QAP.taillard(12), devices=HOST)


def test_a_selection_of_one_s_own_runs_resident() -> None:
    @frozen
    class Highest(Selection):
        source = Source("struct Highest : HighestData { MH_FN Cost score(Cost delta) const { return -delta; } };")

        def score(self, delta: Any) -> Any:
            return -delta

    check_search(Scan(Swap(), memory=PlacementMemory(), selection=Highest()), QAP.taillard(12), iterations=50)


def test_a_search_that_counts_its_costs_wrong_is_found() -> None:
    @frozen
    class Careless(Search[Walk]):
        neighborhood: Neighborhood

        def init(self, start: Incumbent, key: Key) -> Walk:
            return Walk(key, start, start)

        def step(self, state: Walk, evaluate: Evaluator) -> Walk:
            deltas = evaluate.deltas(state.current)
            k = state.iteration % evaluate.size
            move = self.neighborhood.move(state.current.representation, k)
            return state.go(k, move, deltas[k].item() + (state.iteration == 10), evaluate.size)

        def done(self, state: Walk) -> bool:
            return False

    with pytest.raises(CheckFailed, match="Careless on QAP after 11 iterations: the current cost"):
        check_search(Careless(Swap()), QAP.taillard(12), iterations=20)


def test_until_says_where_a_chunk_ends() -> None:
    qap = QAP.taillard(12)
    start = Incumbent(qap.representation, np.arange(12, dtype=np.int32), 10)
    walk = Walk(Key(1), start, start, iteration=5, improved_at=3)
    assert Until(5).reached(walk)
    assert not Until(6).reached(walk)
    assert Until(9, cost=10).reached(walk)
    assert not Until(9, cost=9).reached(walk)
    assert Until(9, stagnation=2).reached(walk)
    assert not Until(9, stagnation=3, improvement=True).reached(walk)
