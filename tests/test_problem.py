"""Problems: what is optional has a default, what C++ cannot be told is refused by name, and sums do not overflow."""

from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen, make_class

from metaheur import Array, HillClimbing, Permutation, Problem, Solution, Source, data, run, stop
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.evaluators.shells import moves_of, solutions
from metaheur.neighborhoods import Swap, SwapMove, Union
from metaheur.testing import check_problem
from tests.toys import Adjacent, Inversions, Reversed


@final
@frozen(eq=False)
class Sorting(Problem):
    """The sum of the distances of the items from their places."""

    n: int = data("int32")

    maximise: ClassVar[bool] = True

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: Solution) -> int:
        return -int(np.abs(x - np.arange(self.n)).sum())


def test_costs_are_the_cost_of_each_row_by_default() -> None:
    rows = np.array([[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    costs = Sorting(3).costs(rows)
    assert costs.tolist() == [0, -4, -4]
    assert costs.dtype == np.int64
    assert Sorting(3).costs(rows[:0]).shape == (0,)


def test_what_is_optional_is_left_out_by_default() -> None:
    problem, space = Sorting(3), Permutation(3)
    assert problem.delta(np.arange(3), SwapMove(0, 1)) is NotImplemented
    assert problem.cost_type == "int64"
    assert problem.source is None
    assert problem.moves == ()
    assert [dict(each(space)) for each in (problem.state, problem.constants, problem.tables)] == [{}, {}, {}]


def test_a_cost_is_displayed_positive_where_the_problem_maximises() -> None:
    problem = Sorting(3)
    assert problem.displayed(problem.cost(np.array([2, 1, 0]))) == 4
    assert problem.displayed(np.array([-3, 2])).tolist() == [3, -2]
    assert Inversions(3).displayed(2) == 2


def test_a_representation_may_be_set_in_init() -> None:
    class Weighed(Problem):
        def __init__(self, size: int | None) -> None:
            if size is not None:
                self.representation = Permutation(size)  # type: ignore[misc]

        def cost(self, x: Solution) -> int:
            return int(np.abs(x - np.arange(self.n)).sum())

    class Derived(Weighed):
        pass

    kinds: tuple[Any, Any] = Weighed, Derived
    for kind in kinds:
        assert run(HillClimbing(Swap()), kind(4), stop=stop.iterations(9), seed=1, parallel="numpy").cost == 0
    with pytest.raises(InputError, match="must be a Representation, but is None"):
        run(HillClimbing(Swap()), kinds[0](None), stop=stop.iterations(9), seed=1, parallel="numpy")


def test_a_problem_without_a_formula_cannot_be_made() -> None:
    class Formless(Problem):
        @property
        def representation(self) -> Permutation:
            return Permutation(2)

    problem: Any = Formless
    with pytest.raises(TypeError, match="cost"):
        problem()


# ---- names ----------------------------------------------------------------------------------------------------------


class Named(Problem):
    """The sum of 3 times, whatever their field is called."""

    @property
    def representation(self) -> Permutation:
        return Permutation(3)

    def cost(self, x: Solution) -> int:
        return 6


def holder(field: str, ndim: int = 0) -> Problem:
    """A problem with a data field of that name; its C++ half has nothing but a cost."""
    kind: Any = make_class("Holder", {field: data("int32", ndim=ndim)}, bases=(Named,), frozen=True, eq=False)
    kind.source = "struct Holder : HolderData { MH_FN Total cost(Team, const Item*) const { return 6; } };"
    return kind([1, 2, 3] if ndim else 7)  # type: ignore[no-any-return]


WORDS = ["State", "double", "template", "int", "Cost", "Total", "Item", "Team", "Walk", "u32", "each"]


@pytest.mark.parametrize("ndim", [0, 1])
@pytest.mark.parametrize("field", [*WORDS, "_hidden", "größe", "MH_FN"])
def test_a_field_that_cpp_cannot_have_is_refused_by_name(field: str, ndim: int) -> None:
    with pytest.raises(InputError, match=rf"Holder has a .* called '{field}', a name that its C\+\+ half cannot use"):
        run(HillClimbing(Swap()), holder(field, ndim), stop=stop.iterations(3), parallel="host")


@pytest.mark.parametrize("ndim", [0, 1])
def test_a_field_that_hides_the_length_of_a_solution_is_refused(ndim: int) -> None:
    with pytest.raises(InputError, match="called 'n', but n is the length of a solution") as caught:
        check_problem(holder("n", ndim), Swap(), devices=["host"])
    assert "another name" in caught.value.maybe


def test_a_field_that_is_the_length_of_a_solution_may_be_called_n(compiling: Device) -> None:
    check_problem(Inversions(5), Swap(), devices=[compiling.name])


@pytest.mark.parametrize("field", ["times", "N", "size", "x", "cost", "delta", "Times", "problem"])
def test_other_names_are_names_in_cpp_too(field: str) -> None:
    text = compose(holder(field, 1), solutions(), Host()).text
    assert f"> {field};" in text


@pytest.mark.parametrize("kind", ["state", "constants", "tables"])
def test_names_of_what_is_declared_must_not_meet(kind: str) -> None:
    declared = {"state": Array((3,)), "constants": 3, "tables": np.arange(3)}[kind]

    @frozen(eq=False)
    class Twice(Named):
        times: np.ndarray = data("int32", ndim=1)
        source = Source("struct Twice : TwiceData {};")

    setattr(Twice, kind, lambda self, representation: {"double": declared})
    with pytest.raises(InputError, match="called 'double', a name that its C"):
        compose(Twice([1]), solutions(), Host())  # type: ignore[arg-type, unused-ignore]
    setattr(Twice, kind, lambda self, representation: {"times": declared})
    if kind == "tables":  # a table of the name of a field stands in for it
        assert "times" in compose(Twice([1]), solutions(), Host()).text  # type: ignore[arg-type, unused-ignore]
    elif kind == "constants":
        with pytest.raises(InputError, match="called 'times' twice"):
            compose(Twice([1]), solutions(), Host())  # type: ignore[arg-type, unused-ignore]


@pytest.mark.parametrize("method", ["state", "constants", "tables"])
def test_what_is_declared_must_be_a_method_that_returns_a_mapping(method: str) -> None:
    @frozen(eq=False)
    class Careless(Named):
        source = Source("struct Careless : CarelessData {};")

    setattr(Careless, method, property(lambda self: {}))
    with pytest.raises(InputError, match=rf"Careless\.{method} must be a method, but is a dict") as caught:
        compose(Careless(), solutions(), Host())
    assert f"def {method}(self, representation)" in caught.value.maybe
    setattr(Careless, method, lambda self, representation: [1])
    with pytest.raises(InputError, match=rf"Careless\.{method} must return a mapping of names, but returned \[1\]"):
        compose(Careless(), solutions(), Host())


# ---- sums -----------------------------------------------------------------------------------------------------------


@final
@frozen(eq=False)
class Spans(Problem):
    """The sum of weights[i, x[i]], whose C++ half adds ints."""

    weights: np.ndarray = data("int32", ndim=2)

    source: ClassVar[Source] = Source("""struct Spans : SpansData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int i) { return weights(i, x[i]); });
    }
    MH_FN Cost delta(Team team, const Item* x, SwapMove m) const {
        const auto other = [&](int i) { return x[i == m.i ? m.j : i == m.j ? m.i : i]; };
        return team.sum(n, [&](int i) { return weights(i, other(i)); }) -
               team.sum(n, [&](int i) { return weights(i, x[i]); });
    }
};""")

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights[np.arange(len(x)), x].sum())


def test_a_sum_of_ints_is_made_in_the_type_of_costs(compiling: Device) -> None:
    ends = np.where(np.random.default_rng(1).random((9, 9)) < 0.5, -(2**31), 2**31 - 1)
    check_problem(Spans(ends), Swap(), devices=[compiling.name])


def test_a_move_of_ones_own_is_defined_once_however_many_name_it() -> None:
    text = compose(Inversions(4), moves_of(Union(Adjacent(), Reversed(Adjacent()))), Host()).text
    assert text.count("struct AdjacentMove {") == 1
    assert "struct AdjacentMove {" in compose(Inversions(4), moves_of(Swap()), Host()).text
