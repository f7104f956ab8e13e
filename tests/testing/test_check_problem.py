"""`check_problem` finds the faults that are planted into either half of a problem, and says which member is wrong.

The C++ half of `Faulty` has them all, chosen by a number that it reads when it runs, so that it is compiled once.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, Permutation, Problem, Representation, Solution, data
from metaheur.device.device import Device
from metaheur.device.host.compiler import find_compiler
from metaheur.errors import CheckFailed, InputError
from metaheur.evaluators.offers import Offers
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Swap, SwapMove, Union
from metaheur.problems import QAP, OneMax
from metaheur.testing import check_problem
from tests.faults import FaultySwap
from tests.toys import Adjacent, Inversions, Rotations, linear_ordering

WEIGHTS = np.random.default_rng(5).integers(2**29, 2**30, (7, 7))
"""So large that the sum of four is beyond 32 bits."""

FAULTS = (
    "none",
    "cost_in_32_bits",
    "cost_by_one",
    "delta_by_one",
    "delta_of_the_last_move",
    "delta_shared",
    "delta_writes",
    "init_adds",
    "init_leaves_one_out",
    "init_writes_beside",
    "init_writes_far_away",
    "commit_forgets_one",
    "commit_forgets_one_rarely",
    "commit_writes_beside",
    "update_by_one",
    "update_writes",
    "deltas_by_one",
)
DELTAS = """
    template <class N>
    MH_FN void deltas(Team team, const Item* x, State s, const N& neighborhood, i64 group, Cost* out) const {
        team.for_each(neighborhood.length(group), [&](i64 k) {
            const Cost alone = delta(team.alone(), x, s, neighborhood.move(group, int(k)));
            out[k] = alone + (fault == deltas_by_one) - (fault == delta_by_one);
        });
    }
};"""


@frozen(eq=False)
class Assignment(Problem):
    """Assign items to places: the sum of weights[place, item]. In Python only."""

    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights[np.arange(len(x)), x].sum())


@frozen(eq=False)
class Faulty(Problem):
    """The same with a C++ half that keeps what each place costs, and that has a fault."""

    weights: np.ndarray = data("int32", ndim=2)
    fault: int = data("int32")

    source: ClassVar[str] = f"""struct Faulty : FaultyData {{
    enum Fault {{ {", ".join(FAULTS)} }};
    MH_FN Total cost(Team team, const Item* x) const {{
        if (fault == cost_in_32_bits) {{
            int total = 0;
            for (int i = 0; i < n; ++i) total += weights(i, x[i]);
            return total;
        }}
        return team.sum(n, [&](int i) {{ return weights(i, x[i]); }}) + (fault == cost_by_one);
    }}
    MH_FN void init(Team team, const Item* x, State s) const {{
        team.for_each(n - (fault == init_leaves_one_out), [&](i64 i) {{
            s.paid(i) = weights(i, x[i]) + (fault == init_adds ? s.paid(i) : 0);
        }});
        if (team.rank == 0 && fault == init_writes_beside) s.paid(n) = 1;
        if (team.rank == 0 && fault == init_writes_far_away) s.paid(1000) = 1;
    }}
    MH_FN Cost delta(Team team, const Item* x, State s, SwapMove m) const {{
        if (team.rank == 0 && fault == delta_writes) s.paid(-1) = 1;
        return weights(m.i, x[m.j]) + weights(m.j, x[m.i]) - s.paid(m.i) - s.paid(m.j) + (fault == delta_by_one) +
               (fault == delta_of_the_last_move && m.i == n - 2) + (fault == delta_shared && team.size > 1);
    }}
    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {{
        if (team.rank != 0) return;
        s.paid(m.i) = weights(m.i, x[m.i]);
        if (fault == commit_forgets_one || (fault == commit_forgets_one_rarely && m.i == n - 2)) return;
        s.paid(fault == commit_writes_beside ? n : m.j) = weights(m.j, x[m.j]);
    }}
    MH_FN Cost update(State s, SwapMove, Cost delta, SwapMove) const {{
        if (fault == update_writes) s.paid(n + 1) = 1;
        return delta + (fault == update_by_one);
    }}
}};"""

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights[np.arange(len(x)), x].sum())

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"paid": Array((representation.length,), "int64")}


COST = (
    "MH_FN Total cost(Team team, const Item* x) const { return team.sum(n, [&](int i) { return weights(i, x[i]); }); }"
)
UPDATE = "MH_FN Cost update(State, SwapMove, Cost delta, SwapMove) const { return delta; }"
INIT = "MH_FN void init(Team, const Item*, State) const {}"


def other(old: str, new: str) -> Any:
    """`Faulty` with another C++ half."""
    assert Faulty.source.count(old) == 1
    return type("Faulty", (Faulty,), {"source": Faulty.source.replace(old, new)})


Grouped = other("\n};", DELTAS)


def message(problem: Any, *neighborhoods: Any, devices: Any = ()) -> str:
    """What the check says of a fault; in one line."""
    with pytest.raises(CheckFailed) as failure:
        check_problem(problem, *neighborhoods, devices=devices)
    return str(failure.value).replace("\n", " ")


def found(fault: str, device: Device, kind: Any = Faulty) -> str:
    return message(kind(WEIGHTS, FAULTS.index(fault)), Swap(), devices=[device.name])


# ---- nothing is wrong ------------------------------------------------------------------------------------------------


def test_a_right_problem_passes_and_its_members_are_printed(compiling: Device) -> None:
    where = f"on {compiling.name}"
    report = check_problem(Faulty(WEIGHTS, 0), Swap(), Rotations(), devices=[compiling.name])
    assert str(report).splitlines() == [
        "Faulty: every change of cost equals two full evaluations.",
        f"Swap() {where}: cost, delta, init, commit, update",
        "Rotations(): Python only",
    ]
    offers = Offers.COST | Offers.DELTA | Offers.UPDATE | Offers.AROUND
    assert report.offers == {f"Swap() {where}": offers}
    grouped = check_problem(Grouped(WEIGHTS, 0), Swap(), devices=[compiling.name])
    assert grouped.offers == {f"Swap() {where}": offers | Offers.GROUPS}
    assert grouped.lines == [f"Swap() {where}: cost, delta, init, commit, update, deltas"]


def test_members_that_no_evaluator_uses_are_printed_as_such() -> None:
    report = check_problem(QAP.random(5, 1), Union(Swap(), Insertion()), devices=["host"])
    assert report.lines == [
        "Union(Swap(), Insertion()) on host: cost, delta, init, commit; "
        "never used: update (the neighborhood has no `around`)"
    ]


def test_a_half_with_a_move_of_ones_own_passes(device: str) -> None:
    check_problem(Inversions(6), Adjacent(), devices=[] if device == "numpy" else [device])


# ---- what it is given ------------------------------------------------------------------------------------------------


def test_it_wants_instances() -> None:
    problem: Any = Assignment
    assert message(problem, Swap()).endswith("which is not a Problem. Maybe pass an instance such as OneMax(10).")
    assert message(Assignment(WEIGHTS), Swap).endswith(
        "which is not a Neighborhood. Maybe pass an instance such as Swap()."
    )
    assert message(Assignment(WEIGHTS)) == (
        "check_problem was given no neighborhood. Maybe call check_problem(problem, Swap())."
    )


def test_it_says_that_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch, gpu_is_there: bool) -> None:
    if gpu_is_there:
        pytest.skip("a GPU compiles its code without the compiler")
    monkeypatch.setenv("METAHEUR_CXX", "/no/such/compiler")
    find_compiler.cache_clear()
    with pytest.raises(CheckFailed, match="was not checked") as failure:
        check_problem(Faulty(WEIGHTS, 0), Swap())
    assert failure.value.reason == (
        "The C++ half of Faulty was not checked: there is neither a C++ compiler nor a GPU."
    )
    assert failure.value.maybe == "install g++, or pass devices=[] to check the Python half alone."
    assert check_problem(Assignment(WEIGHTS), Swap()).lines == ["Swap(): Python only"]


# ---- faults of the Python half ---------------------------------------------------------------------------------------


def with_methods(base: Any = Assignment, **methods: Any) -> Any:
    """A subclass, in Python only, with methods that have faults."""
    return type("Wrong", (base,), {"source": None, **methods})


def zero_costs(self: Any, xs: np.ndarray) -> Any:
    return np.zeros(len(xs), np.int64)


def one_cost(self: Any, xs: np.ndarray) -> Any:
    return np.zeros(1, np.int64)


def sorting_cost(self: Any, x: Solution) -> int:
    x.sort()
    return 0


def sorting_costs(self: Any, xs: np.ndarray) -> Any:
    costs = np.array([self.cost(x) for x in xs])
    xs.sort()
    return costs


def sorting_delta(self: Any, x: Solution, move: Any) -> Any:
    x.sort()
    return NotImplemented


@pytest.mark.parametrize(
    ("method", "function", "wording"),
    [
        ("costs", one_cost, "Wrong.costs returns the shape (1,) for 4 solutions."),
        ("costs", zero_costs, r"Wrong.costs of [5 1 0 3 6 2 4] is 0, but `cost` says 5583333907."),
    ],
)
def test_a_fault_of_a_method_is_named(method: str, function: Any, wording: str) -> None:
    assert message(with_methods(**{method: function})(WEIGHTS), Swap()).startswith(wording)


@pytest.mark.parametrize(
    ("method", "function"), [("cost", sorting_cost), ("costs", sorting_costs), ("delta", sorting_delta)]
)
def test_a_method_that_writes_into_solutions_is_named(method: str, function: Any) -> None:
    with pytest.raises(
        InputError, match=rf"^Wrong\.{method} writes into the solution(.|\n)*Maybe write x = x\.copy\(\)"
    ):
        check_problem(with_methods(**{method: function})(WEIGHTS), Swap(), devices=[])


def test_a_wrong_delta_is_found_with_its_move() -> None:
    def delta(self: Any, x: Solution, move: Any) -> Any:
        return self.weights[move.i, x[move.j]] - self.weights[move.i, x[move.i]]

    assert re.fullmatch(
        r"Wrong: the change of cost of SwapMove\(i=0, j=1\) \(index 0\) at \[.*\], cost \d+, moved cost \d+, is -?\d+, "
        r"but two full evaluations say -?\d+\.",
        message(with_methods(delta=delta)(WEIGHTS), Swap()),
    )


def test_a_delta_that_is_another_one_alone_is_found() -> None:
    def delta(self: Any, x: Solution, move: Any) -> Any:
        return np.where(x[move.i] < x[move.i + 1], 1, -1)[()] + (np.ndim(move.i) == 0)

    wording = message(with_methods(Inversions, delta=delta)(6), Adjacent())
    assert re.fullmatch(r"Wrong\.delta of AdjacentMove\(i=\d\) alone is \d, but among many moves it is -?1\.", wording)


def test_of_a_large_neighborhood_a_sample_is_checked_with_both_ends() -> None:
    def delta(self: Any, x: Solution, move: Any) -> Any:
        return sum(2 * x[at].astype(np.int64) - 1 for at in move.at) + (np.asarray(move.at[0]) == 197)

    wording = message(with_methods(OneMax, delta=delta)(200), Hamming(3))
    assert "FlipMove(at=(197, 198, 199)) (index 1313399)" in wording


@final
@frozen
class Uphill(Move):
    """Exchange two items unless the first is the larger one."""

    i: Any
    j: Any

    def apply(self, x: Solution) -> Solution:
        return x.copy() if self.resolve(x) is None else SwapMove(self.i, self.j).apply(x)

    def inverse(self) -> Self:
        return self

    def resolve(self, x: Solution) -> Move | None:
        return SwapMove(self.i, self.j) if x[self.i] < x[self.j] else None


@final
@frozen
class UphillSwap(Neighborhood):
    """Swaps that are feasible in some solutions only; its `batch` has them all."""

    @property
    def partial(self) -> bool:
        return True

    def supports(self, representation: Representation) -> bool:
        return True

    def size(self, representation: Representation) -> int:
        return Swap().size(representation)

    def moves(self, representation: Representation) -> Iterator[Move]:
        return (Uphill(move.i, move.j) for move in Swap().moves(representation))

    def move(self, representation: Representation, k: int) -> Move:
        move = Swap().move(representation, k)
        return Uphill(move.i, move.j)

    def index(self, representation: Representation, move: Any) -> int:
        return Swap().index(representation, move)

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        return Swap().batch(representation, indices)


def test_an_infeasible_move_must_have_the_largest_change_of_cost() -> None:
    assert re.search(
        r"of Uphill\(i=0, j=1\) \(index 0\) at \[5 1 .*\] is -?\d+, but the move is infeasible: it must be the largest "
        r"number\.",
        message(Assignment(WEIGHTS), UphillSwap()),
    )


# ---- faults of the C++ half ------------------------------------------------------------------------------------------

CHANGE = (
    r"Faulty on {0}: the change of cost of SwapMove\(i=\d, j=\d\) \(index \d+\) at .* two full evaluations say .*\. "
)
COMMITTED = (
    r"It was evaluated after {1} committed moves?; a fresh `init` gives the right answer, so `commit` is wrong\."
)
OUTSIDE = r"writes outside the kept array 'paid' of the problem, whose shape is \(7,\)\. Maybe declare it larger\."
ZEROS = r"With zeros in the kept arrays the answer is right, so `init` relies on them: it must write all\."


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        ("cost_in_32_bits", r"Faulty on {0}: `cost` of \[.*\] is 1288366611, but the Python half says 5583333907\."),
        ("cost_by_one", r"Faulty on {0}: `cost` of \[.*\] is \d+, but the Python half says \d+\."),
        ("delta_by_one", rf"{CHANGE}It is what `delta` says of what `init` keeps\."),
        (
            "delta_of_the_last_move",
            r".* of SwapMove\(i=5, j=6\) \(index 20\) .* It is what `delta` says of what `init` keeps\.",
        ),
        ("delta_writes", rf"Faulty on {{0}}: `delta` {OUTSIDE}"),
        ("init_adds", CHANGE + ZEROS),
        ("init_writes_beside", rf"Faulty on {{0}}: `init` {OUTSIDE}"),
        ("init_writes_far_away", rf"Faulty on {{0}}: `init` {OUTSIDE}"),
        ("commit_forgets_one", CHANGE + COMMITTED.replace("{1}", "1")),
        (
            "commit_forgets_one_rarely",
            r"Faulty on {0}: .* is -?\d+ after \d+ committed moves; a fresh `init` says -?\d+, so `commit` is wrong\.",
        ),
        ("commit_writes_beside", rf"Faulty on {{0}}: `commit` {OUTSIDE}"),
        (
            "update_by_one",
            rf"{CHANGE}It was updated after 1 committed move: `delta` gives the right answer, so `update` is wrong\.",
        ),
        ("update_writes", rf"Faulty on {{0}}: `update` {OUTSIDE}"),
    ],
)
def test_the_member_of_a_cpp_half_that_is_wrong_is_named(fault: str, wording: str, compiling: Device) -> None:
    assert re.fullmatch(wording.format(compiling.name), found(fault, compiling))


def test_an_entry_that_init_leaves_out_is_found(compiling: Device) -> None:
    """It holds garbage then; with zeros the answer would be wrong, too."""
    assert re.fullmatch(
        f"{CHANGE.format(compiling.name)}It is what `delta` says of what `init` keeps\\.",
        found("init_leaves_one_out", compiling),
    )


def test_deltas_of_a_group_are_checked_beside_those_of_single_moves(compiling: Device) -> None:
    change = CHANGE.format(compiling.name)
    by_group = found("deltas_by_one", compiling, Grouped)
    alone = found("delta_by_one", compiling, Grouped)
    assert re.fullmatch(f"{change}It is what `deltas` says of what `init` keeps\\.", by_group)
    assert re.fullmatch(f"{change}It is what `delta` says of what `init` keeps\\.", alone)


@pytest.mark.cuda
def test_a_delta_that_a_team_shares_is_checked_beside_that_of_one_thread(gpu: Device) -> None:
    assert found("delta_shared", gpu).endswith("It is what `delta`, shared by a team, says of what `init` keeps.")


@pytest.mark.parametrize(
    ("half", "wording"),
    [
        ("cost", r"It is what `cost` says of the solution that the move makes in C\+\+\.$"),
        (
            "cost and delta",
            r"^LinearOrdering on {0}: SwapMove\(i=\d, j=\d\) leads from \[.*\] to \[.*\], not to \[.*\]\.$",
        ),
    ],
)
def test_a_neighborhood_that_makes_another_move_is_found(half: str, wording: str, compiling: Device) -> None:
    found = message(linear_ordering(half, n=5), FaultySwap("apply_copies"), devices=[compiling.name])
    assert re.search(wording.format(compiling.name), found)


# ---- members that are none -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "member"),
    [("comit", "commit"), ("updat", "update"), ("Init", "init"), ("costs", "cost"), ("delta_", "delta")],
)
def test_a_name_that_is_nearly_a_member_is_refused(name: str, member: str) -> None:
    wording = message(other(f" {member}(", f" {name}(")(WEIGHTS, 0), Swap(), devices=["host"])
    assert wording == (
        f"The C++ half of Faulty has `{name}`, which is not a member that metaheur looks for. Maybe {member}."
    )


def test_a_function_that_nothing_calls_is_printed() -> None:
    report = check_problem(other("void commit(", "void follow(")(WEIGHTS, 0), Swap(), devices=["host"])
    assert report.lines == ["Swap() on host: cost, delta, init, update; never used: follow"]


def test_a_member_with_other_arguments_is_refused() -> None:
    kind = other("update(State s, SwapMove, Cost delta", "update(State s, SwapMove, Cost delta, int")
    wording = message(kind(WEIGHTS, 0), Swap(), devices=["host"])
    assert wording == (
        "The C++ half of Faulty has `update`, but not as metaheur calls it, so that it is never used. "
        "Maybe declare it as Cost update(State, SwapMove other, Cost delta, SwapMove made) const."
    )


def test_an_update_without_a_delta_is_refused() -> None:
    source = f"struct Assignment : AssignmentData {{{COST} {UPDATE}}};"
    wording = message(type("Assignment", (Assignment,), {"source": source})(WEIGHTS), Swap(), devices=["host"])
    assert wording == "The C++ half of Assignment has `update`, but no `delta` for SwapMove: it is never used."


def test_a_half_that_cannot_evaluate_a_move_is_refused() -> None:
    source = f"struct Assignment : AssignmentData {{{INIT}}};"
    with pytest.raises(
        InputError, match=r"half of Assignment has neither `cost` nor a `delta` that takes what Swap\(\)"
    ):
        check_problem(type("Assignment", (Assignment,), {"source": source})(WEIGHTS), Swap(), devices=["host"])


def test_changes_of_cost_that_are_declared_too_narrow_are_found() -> None:
    narrow = type("Assignment", (Assignment,), {"cost_type": "int32"})
    weights = WEIGHTS * (-1) ** np.add.outer(np.arange(7), np.arange(7))
    with pytest.raises(InputError, match=r"int32 holds every change of cost under Swap\(\), but one is -?\d{10}\."):
        check_problem(narrow(weights), Swap(), devices=[])


# ---- floats ----------------------------------------------------------------------------------------------------------


@final
@frozen(eq=False)
class Floats(Problem):
    """The sum of weights[place, item] in floats; every change of cost is off by a number, in one half or the other."""

    weights: np.ndarray = data("float64", ndim=2)
    off: float = data("float64")
    off_in_python: float = 0.0

    source: ClassVar[str] = """struct Floats : FloatsData {
    MH_FN Total cost(Team team, const Item* x) const { return team.sum(n, [&](int i) { return weights(i, x[i]); }); }
    MH_FN Cost delta(Team, const Item* x, SwapMove m) const {
        const Cost before = weights(m.i, x[m.i]) + weights(m.j, x[m.j]);
        const Cost zero = off > 100 ? 0 * (before - before) / (before - before) : off;
        return weights(m.i, x[m.j]) + weights(m.j, x[m.i]) - before + zero;
    }
};"""

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @property
    def cost_type(self) -> str:
        return "float64"

    def cost(self, x: Solution) -> float:
        return float(self.weights[np.arange(len(x)), x].sum())

    def delta(self, x: Solution, move: Any) -> Any:
        after = self.weights[move.i, x[move.j]] + self.weights[move.j, x[move.i]]
        return after - self.weights[move.i, x[move.i]] - self.weights[move.j, x[move.j]] + self.off_in_python


SMALL = np.random.default_rng(6).random((6, 6))


@pytest.mark.parametrize("scale", [1, 1e9])
def test_floats_may_differ_by_1e_9_of_the_cost(scale: float, device: str) -> None:
    """Two full evaluations round as costs do, however small the change of cost is."""
    devices = [] if device == "numpy" else [device]
    off = (0, 1e-10 * scale) if device == "numpy" else (1e-10 * scale, 0)
    check_problem(Floats(scale * SMALL, *off), Swap(), devices=devices)
    far = (0, 1e-6 * scale) if device == "numpy" else (1e-6 * scale, 0)
    assert "but two full evaluations say" in message(Floats(scale * SMALL, *far), Swap(), devices=devices)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_what_is_not_a_finite_number_is_refused_in_python(number: float) -> None:
    with pytest.raises(InputError, match=rf"^Floats\.delta must return a finite number, but returned {number}\."):
        check_problem(Floats(SMALL, 0, number), Swap(), devices=[])
    nowhere = type("Nowhere", (Floats,), {"cost": lambda self, x: number})
    with pytest.raises(InputError, match=rf"^Nowhere\.cost must return a finite number, but returned {number}\."):
        check_problem(nowhere(SMALL, 0), Swap(), devices=[])


def test_a_change_of_cost_that_is_not_a_number_is_found_in_cpp(compiling: Device) -> None:
    wording = message(Floats(SMALL, 1000), Swap(), devices=[compiling.name])
    assert "is not a finite number, but two full evaluations say" in wording
