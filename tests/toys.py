"""Toys that many tests use, as a user would write them: problems, moves, neighborhoods, parts, loops and searches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur import (
    Array,
    EvaluatedSolution,
    Evaluator,
    Key,
    Loop,
    Move,
    Neighborhood,
    Permutation,
    Problem,
    Representation,
    Search,
    Solution,
    Source,
    Walk,
    data,
)
from metaheur.loops import LoopState
from metaheur.neighborhoods import SwapMove
from metaheur.neighborhoods.restricted import Connects
from metaheur.parallel import IterationLevel, ParallelModel, Runner
from metaheur.parts import Acceptance, Kept, Selection

# ---- a problem with any C++ half -------------------------------------------------------------------------------------

COST = """
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int p) {
            Total total = 0;
            for (int q = p + 1; q < n; ++q) total -= weights(x[p], x[q]);
            return total;
        });
    }
"""
CHANGE = """
    MH_FN Cost change(Team team, const Item* x, SwapMove m) const {
        int u = x[m.i], v = x[m.j];
        Cost between = team.sum(m.j - m.i - 1, [&](int k) {
            int w = x[m.i + 1 + k];
            return Cost(weights(u, w)) - Cost(weights(w, u)) + Cost(weights(w, v)) - Cost(weights(v, w));
        });
        return between + Cost(weights(u, v)) - Cost(weights(v, u));
    }
"""
DELTA = CHANGE + "MH_FN Cost delta(Team team, const Item* x, SwapMove m) const { return change(team, x, m); }"
KEPT = """
    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [&](i64 k) { s.order(k) = x[k]; });
    }
    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {
        team.for_each(2, [&](i64 c) { s.order(m.place(int(c))) = x[m.place(int(c))]; });
    }
    MH_FN Cost delta(Team team, const Item*, State s, SwapMove m) const { return change(team, s.order.data, m); }
"""
HALVES: dict[str, str | None] = {
    "none": None,
    "cost": COST,
    "cost and delta": COST + DELTA,
    "delta alone": DELTA,
    "what is kept": COST + CHANGE + KEPT,
}
"""C++ halves of `LinearOrdering` by what they have."""


def linear_ordering(half: str = "cost and delta", dtype: str = "int32", *, n: int = 9, delta: bool = False) -> Problem:
    """A random instance of `LinearOrdering` with a C++ half of `HALVES`, and a Python `delta` for single moves or none.

    The weights are of the type "int32", "int64" or "float64", and so are the costs, but for int32.
    """
    weights = np.random.default_rng(n).integers(-20, 100, (n, n))
    make: Any = _ordering(half, dtype, delta)
    return make(weights / 4 if dtype == "float64" else weights)  # type: ignore[no-any-return]


@cache
def _ordering(half: str, dtype: str, delta: bool) -> type[Problem]:
    members = HALVES[half]

    @final
    @frozen(eq=False)
    class LinearOrdering(Problem):
        """Order items so that the weight above the diagonal is largest."""

        weights: Any = data(dtype, ndim=2)

        maximise: ClassVar[bool] = True
        source: ClassVar[Source | None] = (
            None if members is None else Source(f"struct LinearOrdering : LinearOrderingData {{{members}}};")
        )

        @property
        def representation(self) -> Permutation:
            return Permutation(len(self.weights))

        def cost(self, x: Solution) -> int | float:
            return -np.triu(self.weights[np.ix_(x, x)], 1).sum().item()  # type: ignore[no-any-return]

        def delta(self, x: Solution, move: Any) -> Any:
            if not delta or np.ndim(move.i):
                return NotImplemented
            return self.cost(move.apply(x)) - self.cost(x)

        @property
        def cost_type(self) -> str:
            return "float64" if dtype == "float64" else "int64"

        def state(self, representation: Representation) -> Mapping[str, Array]:
            return {"order": Array((len(self.weights),), "int32")} if "s.order" in (members or "") else {}

    return LinearOrdering


# ---- a move of one's own, a neighborhood of such moves, and a problem that knows them --------------------------------


@final
@frozen
class AdjacentMove(Move):
    """Exchange the items at the positions i and i + 1."""

    i: Any

    source: ClassVar[Source] = Source(
        "struct AdjacentMove {\n"
        "    int i;\n"
        "    static constexpr int placements = 2;\n"
        "    MH_FN int place(int c) const { return i + c; }\n"
        "    MH_FN Item value(const Item* x, int c) const { return x[i + 1 - c]; }\n"
        "};"
    )

    def apply(self, x: Solution) -> Solution:
        return SwapMove(self.i, self.i + 1).apply(x)

    def inverse(self) -> Self:
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        return SwapMove(self.i, self.i + 1).placements(x)


@final
@frozen
class Adjacent(Neighborhood):
    """All exchanges of two items that stand beside each other, by moves of one's own."""

    source: ClassVar[Source] = Source("""struct Adjacent : AdjacentData {
    typedef AdjacentMove Move;
    MH_FN i64 size() const { return n - 1; }
    MH_FN i64 groups() const { return n > 1; }
    MH_FN int length(i64) const { return n - 1; }
    MH_FN i64 first(i64) const { return 0; }
    MH_FN Move move(i64, int k) const { return {k}; }
    MH_FN i64 group(Move) const { return 0; }
    MH_FN i64 index(Move m) const { return m.i; }
    MH_FN Move unrank(i64 k) const { return {int(k)}; }
    MH_FN void apply(Team team, Item* x, Move m) const {
        if (team.rank) return;
        Item item = x[m.i];
        x[m.i] = x[m.i + 1];
        x[m.i + 1] = item;
    }
    MH_FN int touched() const { return 3; }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        other.i = m.i + int(t) - 1;
        return other.i >= 0 && other.i < n - 1;
    }
};""")

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        return (AdjacentMove,)

    @property
    def writes(self) -> int:
        return 2

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def size(self, representation: Representation) -> int:
        return representation.length - 1

    def moves(self, representation: Representation) -> Iterator[AdjacentMove]:
        return (AdjacentMove(i) for i in range(representation.length - 1))

    def move(self, representation: Representation, k: int) -> AdjacentMove:
        return AdjacentMove(k)

    def index(self, representation: Representation, move: AdjacentMove) -> int:
        return int(move.i)

    def batch(self, representation: Representation, indices: np.ndarray) -> AdjacentMove:
        return AdjacentMove(np.asarray(indices))


@final
@frozen
class Inversions(Problem):
    """Sort n items: the number of pairs that stand in the wrong order. Its C++ half names a move of one's own."""

    n: int

    source: ClassVar[Source] = Source("""struct Inversions : InversionsData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int p) {
            Total wrong = 0;
            for (int q = p + 1; q < n; ++q) wrong += x[p] > x[q];
            return wrong;
        });
    }
    MH_FN Cost delta(Team, const Item* x, AdjacentMove m) const { return x[m.i] < x[m.i + 1] ? 1 : -1; }
    MH_FN Cost update(State, AdjacentMove, Cost delta, AdjacentMove) const { return delta; }
};""")
    moves: ClassVar[tuple[type[Move], ...]] = (AdjacentMove,)

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: Solution) -> int:
        return int(np.triu(x[:, None] > x, 1).sum())

    def delta(self, x: Solution, move: Any) -> Any:
        if not isinstance(move, AdjacentMove):
            return NotImplemented
        return np.where(x[move.i] < x[move.i + 1], 1, -1)[()]


# ---- neighborhoods ---------------------------------------------------------------------------------------------------


@final
@frozen
class Rotation(Move):
    """Move all items up by some places: a move that no problem knows."""

    by: int

    def apply(self, x: Solution) -> Solution:
        return np.roll(x, self.by)

    def inverse(self) -> Self:
        return type(self)(-self.by)


@final
@frozen
class Rotations(Neighborhood):
    """All rotations of at most 12 entries: in Python only, with nothing but what must be there."""

    def supports(self, representation: Representation) -> bool:
        return representation.length <= 12

    def size(self, representation: Representation) -> int:
        return representation.length - 1

    def moves(self, representation: Representation) -> Iterator[Rotation]:
        return (Rotation(by) for by in range(1, representation.length))

    def move(self, representation: Representation, k: int) -> Rotation:
        return Rotation(k + 1)

    def index(self, representation: Representation, move: Rotation) -> int:
        return move.by - 1


@final
@frozen
class Reversed(Neighborhood):
    """The moves of a neighborhood in the reverse order of their indices: a wrapper of one's own, in both halves."""

    neighborhood: Neighborhood

    source: ClassVar[Source] = Source("""struct Reversed : ReversedData {
    typedef decltype(ReversedData::neighborhood) Whole;
    typedef Whole::Move Move;
    MH_FN i64 mirrored(i64 g) const { return groups() - 1 - g; }
    MH_FN i64 size() const { return neighborhood.size(); }
    MH_FN i64 groups() const { return neighborhood.groups(); }
    MH_FN int length(i64 g) const { return neighborhood.length(mirrored(g)); }
    MH_FN i64 first(i64 g) const { return size() - neighborhood.first(mirrored(g)) - length(g); }
    MH_FN Move move(i64 g, int k) const { return neighborhood.move(mirrored(g), length(g) - 1 - k); }
    MH_FN i64 group(Move m) const { return mirrored(neighborhood.group(m)); }
    MH_FN i64 index(Move m) const { return size() - 1 - neighborhood.index(m); }
    MH_FN Move unrank(i64 k) const { return neighborhood.unrank(size() - 1 - k); }
    template <class F> MH_FN void resolve(Move m, F f) const { ::resolve(neighborhood, m, f); }
    template <class M, class N = Whole> MH_FN bool connect(int p, int q, int variant, M& m) const {
        const N& whole = neighborhood;  // a template, for neighborhoods that connect nothing
        return whole.connect(p, q, variant, m);
    }
};""")

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        return self.neighborhood.move_types

    @property
    def writes(self) -> int | None:
        return self.neighborhood.writes

    @property
    def partial(self) -> bool:
        return self.neighborhood.partial

    @property
    def variants(self) -> int:
        return self.neighborhood.variants if isinstance(self.neighborhood, Connects) else 0

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> Move | None:
        assert isinstance(self.neighborhood, Connects)
        return self.neighborhood.connecting_move(representation, p, q, variant)

    def supports(self, representation: Representation) -> bool:
        return self.neighborhood.supports(representation)

    def size(self, representation: Representation) -> int:
        return self.neighborhood.size(representation)

    def moves(self, representation: Representation) -> Iterator[Move]:
        return reversed(list(self.neighborhood.moves(representation)))

    def move(self, representation: Representation, k: int) -> Move:
        return self.neighborhood.move(representation, self.size(representation) - 1 - k)

    def index(self, representation: Representation, move: Any) -> int:
        return self.size(representation) - 1 - self.neighborhood.index(representation, move)

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        return self.neighborhood.batch(representation, self.size(representation) - 1 - indices)


# ---- parts, loops and searches ---------------------------------------------------------------------------------------


@final
@frozen
class Smallest(Selection):
    """The smallest change of cost, up or down; in Python only."""

    def score(self, delta: Any) -> Any:
        return np.abs(delta)


@final
@frozen
class Threshold(Acceptance):
    """Whatever costs less than so much; in Python only."""

    limit: int = 500

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return delta < self.limit


@final
@frozen
class LateAcceptance(Acceptance):
    """What costs no more than some iterations ago (Burke and Bykov 2017): it keeps an array, in both halves.

    Parameters
    ----------
    length : int
        How many iterations ago.
    """

    length: int = 5

    source: ClassVar[Source] = Source("""struct LateAcceptance : LateAcceptanceData {
    MH_FN void init(Walk& walk) {
        const Total cost = walk.cost;
        walk.team.for_each(length, [&](i64 k) { costs(k) = cost; });
        turn = 0;
    }
    MH_FN bool accepts(Total delta, Total current, Total, u32) const {
        return delta <= 0 || current + delta <= costs(turn % length);
    }
    MH_FN void record(Team team, bool, Total cost, Total) {
        team.sync();  // all have read what is now written
        if (team.rank == 0) costs(turn % length) = cost;
        turn = turn + 1;
    }
};""")

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"costs": Array((self.length,), "total"), "turn": Array((), "int64")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"costs": np.full(self.length, start.cost), "turn": np.array(0)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta <= 0) | (current + delta <= kept["costs"][kept["turn"] % self.length])

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        kept["costs"][kept["turn"] % self.length] = cost
        kept["turn"][()] += 1


@final
@frozen
class InTurn(Loop):
    """Try the moves in the order of their indices, one an iteration, and make those that improve, until none does."""

    neighborhood: Neighborhood = field()

    source: ClassVar[Source] = Source("""struct InTurn : InTurnData {
    static constexpr bool tabulates = false;
    MH_FN void prepare(Walk& walk) const {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
    }
    MH_FN Outcome step(Walk& walk) {
        const i64 size = neighborhood.size();
        if (size == 0) return {true, 0};
        const auto m = neighborhood.unrank(turn % size);
        const Cost delta = walk.delta(neighborhood, m);
        turn = turn + 1;
        refused = delta < 0 ? 0 : refused + 1;
        if (delta < 0) {
            walk.team.sync();
            walk.make_move(neighborhood, m, delta);
            prepare(walk);
        }
        return {refused >= size, 1};
    }
};""")

    @property
    def descends(self) -> bool:
        return True

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (self.neighborhood,)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"turn": Array((), "int64"), "refused": Array((), "int64")}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves, kept = state.walk, evaluate.of(self.neighborhood), state.kept
        if not moves.size:
            return state.after(walk.stay(0), finished=True)
        k = int(kept["turn"] % moves.size)
        delta = moves.delta(walk.current, k)
        kept["turn"][()] += 1
        if delta is not None and delta < 0:
            kept["refused"][()] = 0
            return state.after(walk.make_move(self.neighborhood, k, delta, 1))
        kept["refused"][()] += 1
        return state.after(walk.stay(1), finished=bool(kept["refused"] >= moves.size))


@final
@frozen
class SecondBest(Search[Walk]):
    """Make the second best move: a search without a loop of parts, in Python only."""

    neighborhood: Neighborhood

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        deltas = evaluate.deltas(state.current)
        k = int(np.argsort(deltas, kind="stable")[1])
        return state.make_move(self.neighborhood, k, deltas[k].item(), evaluate.size)

    def done(self, state: Walk) -> bool:
        return False


# ---- a parallel model ------------------------------------------------------------------------------------------------


@final
@frozen
class SeveralWalks(ParallelModel):
    """Some walks side by side, with the numbers from `first` on."""

    walks: int
    model: ParallelModel = IterationLevel("numpy")
    first: int = field(default=0, kw_only=True)

    def keys(self, seed: int) -> tuple[Key, ...]:
        return tuple(Key(seed, self.first + w) for w in range(self.walks))

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        return self.model.bind(search, problem)
