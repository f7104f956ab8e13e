"""Composite solutions: named parts in Python, compiled methods and C++; moves, crossovers and searches of parts."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Annotated, Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    BitString,
    Composite,
    DiscreteVector,
    Domains,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Multiset,
    ParetoLocalSearch,
    Permutation,
    Portfolio,
    Problem,
    Repeated,
    Representation,
    Search,
    SimulatedAnnealing,
    Source,
    Subset,
    TabuSearch,
    compiled,
    data,
    resume,
    run,
    solve,
    stop,
)
from metaheur.command.output import write_result
from metaheur.device.device import Device
from metaheur.errors import CompileError, InputError
from metaheur.neighborhoods import (
    Hamming,
    Insertion,
    Interchange,
    On,
    OnEach,
    PartMove,
    Product,
    Restricted,
    Shift,
    Substitution,
    Swap,
    SwapMove,
    TwoOpt,
    Union,
)
from metaheur.parallel import Islands, Multistart
from metaheur.parts import (
    ByPart,
    NoCrossover,
    OrderCrossover,
    PathRelinking,
    RandomMoves,
    RandomSolution,
    SubsetCrossover,
    Uniform,
)
from metaheur.problems import MultiObjective
from metaheur.problems.solutions import solution_from_file
from metaheur.representation import NamedParts
from metaheur.searches.usual import usual_neighborhoods
from metaheur.testing import (
    check_neighborhood,
    check_problem,
    check_recombination,
    check_representation,
    check_search,
)
from metaheur.watch import Checkpoint
from tests.representations.setups import BOTH, MODE, ORDER, PAIRS, setups

MANY = Composite(
    order=Permutation(4),
    mode=Domains((2, 1, 3)),
    pick=BitString(3),
    some=Subset(4, 2),
    rows=Repeated(2, Multiset((1, 2))),
)


@pytest.mark.parametrize(
    "space", [MANY, Composite(a=BitString(2), b=BitString(1)), Composite(x=Permutation(3))], ids=repr
)
def test_draws_facts_and_distances(space: Representation, compiling: Device) -> None:
    check_representation(space, devices=[compiling.name])


@pytest.mark.parametrize(
    "neighborhood",
    [
        Union(On("order", Insertion()), On("mode", Substitution()), On("some", Interchange())),
        On("order", TwoOpt()),
        On("pick", Hamming(2)),
        On("rows", OnEach(Shift())),
        Product(On("order", Insertion()), On("mode", Substitution())),
        Product(On("rows", OnEach(Interchange())), On("pick", Hamming(1))),
    ],
    ids=repr,
)
def test_moves(neighborhood: Any, compiling: Device) -> None:
    check_neighborhood(neighborhood, MANY, devices=[compiling.name])


def test_entries_have_the_domains_of_their_parts() -> None:
    space = Composite(pick=BitString(3), mode=Domains((2, 1, 3)))
    assert [space.domain(k) for k in range(space.length)] == [2, 2, 2, 2, 1, 3]
    assert space.dtype == np.int32
    assert Composite(a=BitString(2), b=BitString(1)).dtype == BitString(2).dtype != np.int32


def test_the_usual_moves_of_parts_are_those_that_some_part_has_besides() -> None:
    assert len(usual_neighborhoods(Composite(pick=BitString(3), some=BitString(2)))) == 1
    assert len(usual_neighborhoods(Composite(order=Permutation(3), some=BitString(2)))) == 2


def test_a_move_of_a_part_has_its_positions_in_the_part() -> None:
    move = On("some", Swap()).move(MANY, 0)
    assert move == PartMove(10, 4, "some", SwapMove(0, 1))
    x = MANY.random(_random()).copy()
    assert (move.apply(x)[[10, 11]] == x[[11, 10]]).all()
    with pytest.raises(InputError, match="its moves are PartMoves of order"):
        On("order", Swap()).index(MANY, move)


def _random() -> Any:
    from metaheur.random import START, Key, Random

    return Random(Key(1), START, 0)


def test_parts_have_names_in_python() -> None:
    x = MANY.validate(MANY.random(_random()))
    assert isinstance(x, NamedParts)
    assert type(x.order) is np.ndarray
    assert x.order.tolist() == x[:4].tolist()
    assert np.stack([x, x]).view(np.ndarray).shape == (2, 20)
    assert x.copy().mode.tolist() == MANY.split(np.asarray(x))["mode"].tolist()
    assert (pickle.loads(pickle.dumps(x)).rows == x.rows).all()
    with pytest.raises(AttributeError, match="no part called"):
        _ = x[:4].order  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no part called 'sequence', only order, mode"):
        _ = x.sequence
    assert (MANY.join(**MANY.split(x)) == x).all()


@pytest.mark.parametrize(
    ("made", "wording"),
    [
        (Composite, "has 1 ... 16 parts, but 0"),
        (lambda: Composite(order=3), "`Composite.order` must be of the type Representation, but is 3"),  # type: ignore[arg-type]
        (lambda: Composite(size=Permutation(3)), "cannot be called 'size'"),
        (lambda: Composite(**{"for": Permutation(3)}), "cannot be called 'for'"),
        (lambda: Composite(space=Permutation(3)), "cannot be called 'space'"),
        (lambda: Composite(of=Permutation(3)), "cannot be called 'of'"),
        (lambda: Composite(a=Composite(b=Permutation(3))), "which has parts itself"),
        (lambda: MANY.validate([0, 1, 2, 2, *[0] * 16]), "in order, positions 2 and 3 both hold 2"),
        (lambda: MANY.join(order=[0, 1, 2, 3]), "has the parts order, mode, pick, some, rows, not order"),
        (lambda: On("order", Union(Swap(), Insertion())), "made of others, or keeps arrays"),
        (lambda: On("order", Restricted(TwoOpt(), np.array([[1], [0]]))), "made of others, or keeps arrays"),
        (lambda: On("order", On("order", Swap())), "made of others"),
        (lambda: Product(ORDER, ORDER), "two different parts"),
        (ByPart, "a crossover for each part"),
        (lambda: ByPart(order=Swap()), "needs a Crossover"),  # type: ignore[arg-type]
        (lambda: run(HillClimbing(On("route", Swap())), setups(4, 2), stop=stop.iterations(1)), "does not act on"),
        (lambda: run(HillClimbing(Swap()), setups(4, 2), stop=stop.iterations(1)), "does not act on"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(made: Any, wording: str) -> None:
    with pytest.raises(InputError, match=wording):
        made()


def test_changes_of_cost_of_parts(compiling: Device) -> None:
    problem = setups(5, 3)
    report = check_problem(problem, BOTH, devices=[compiling.name])
    assert "cost, delta, init, commit" in str(report)
    check_problem(problem, Union(BOTH, PAIRS, On("order", Insertion())), devices=[compiling.name])


def test_the_formula_of_a_part_is_an_overload() -> None:
    text = setups(5, 3).explain()
    assert "delta(Team team, const Item* x, PartMove<0, SwapMove> mh_m)" in text
    assert "order_of(x)[m.i]" in text
    alone = Alone(np.arange(4)).explain()
    assert "order_of" not in alone  # the part is the solution


@final
@frozen(eq=False)
class Alone(Problem):
    weights: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Composite:
        return Composite(order=Permutation(len(self.weights)))

    @compiled
    def cost(self, x: Any) -> Any:
        return sum(k * self.weights[x.order[k]] for k in range(len(x.order)))

    @compiled
    def delta(self, x: Any, m: Annotated[SwapMove, "order"]) -> Any:
        return (m.j - m.i) * (self.weights[x.order[m.i]] - self.weights[x.order[m.j]])


def test_one_part_walks_as_the_part_alone(compiling: Device) -> None:
    problem = Alone(np.random.default_rng(1).integers(0, 99, 9))
    check_problem(problem, ORDER, devices=[compiling.name])
    one = run(TabuSearch(ORDER), problem, stop=stop.iterations(50), seed=1, parallel=compiling.name)
    assert (one.solution.order == one.solution).all()  # type: ignore[attr-defined]


@final
@frozen(eq=False)
class InCpp(Problem):
    weights: np.ndarray = data("int32", ndim=1)

    source: ClassVar[Source] = Source("""struct InCpp : InCppData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(size_of_pick, [&](int k) { return Total(weights(order_of(x)[k])) * pick_of(x)[k]; });
    }
    MH_FN Cost delta(Team, const Item* x, PartMove<1, FlipMove<1>> m) const {
        const int k = m.move.at[0];
        return Cost(weights(x[k])) * (pick_of(x)[k] ? -1 : 1);
    }
};""")

    @property
    def representation(self) -> Composite:
        return Composite(order=Permutation(len(self.weights)), pick=BitString(len(self.weights)))

    def cost(self, x: Any) -> int:
        return int((self.weights[x.order] * x.pick).sum())

    def costs(self, xs: Any) -> Any:
        return (self.weights[xs.order] * xs.pick).sum(axis=1)

    def delta(self, x: Any, move: Any) -> Any:
        if not isinstance(move, PartMove) or move.part != "pick":
            return NotImplemented
        (k,) = move.move.at
        return self.weights[x.order[k]].astype(np.int64) * (1 - 2 * x.pick[k].astype(np.int64))


def test_formulas_in_cpp_and_in_numpy(compiling: Device) -> None:
    problem = InCpp(np.arange(5) - 2)
    check_problem(problem, On("pick", Hamming(1)), devices=[compiling.name])
    check_problem(problem, Union(On("pick", Hamming(1)), On("order", Swap())), devices=[compiling.name])


@final
@frozen(eq=False)
class Wrong(Problem):
    weights: np.ndarray = data("int32", ndim=1)
    kind: int = data("int32", default=0)

    @property
    def representation(self) -> Composite:
        return Composite(order=Permutation(len(self.weights)), pick=BitString(3))

    @compiled
    def cost(self, x: Any) -> Any:
        return self.weights[x.order[0]]

    @compiled
    def delta(self, x: Any, m: Annotated[SwapMove, "sequence"]) -> Any:
        return 0


@final
@frozen(eq=False)
class Plain(Problem):
    weights: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Composite:
        return Composite(order=Permutation(len(self.weights)), pick=BitString(3))

    @compiled
    def cost(self, x: Any) -> Any:
        return self.weights[x.sequence[0]]

    @compiled
    def delta(self, x: Any, m: SwapMove) -> Any:
        return 0


def test_annotations_name_parts_that_there_are() -> None:
    with pytest.raises(CompileError, match=r"a SwapMove of sequence.*those of a part: order, pick"):
        Wrong(np.arange(3)).explain()
    with pytest.raises(CompileError, match=r"no part called sequence"):
        Plain(np.arange(3)).explain()


SEARCHES: dict[str, Search[Any]] = {
    "tabu search": TabuSearch(BOTH),
    "annealing": SimulatedAnnealing(BOTH, 50.0),
    "restarts": IteratedLocalSearch(HillClimbing(BOTH), RandomSolution()),
    "path relinking": IteratedLocalSearch(HillClimbing(BOTH), PathRelinking(BOTH, elite=3)),
    "genetic": GeneticAlgorithm(ByPart(mode=Uniform(), order=OrderCrossover()), RandomMoves(BOTH, 1), size=6),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_walk_the_same_way(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], setups(6, 3), devices=[compiling.name])


@pytest.mark.parametrize(("name", "walks"), [("path relinking", 5), ("genetic", 64)])
def test_longer_walks_on_islands_are_the_same(name: str, walks: int, compiling: Device) -> None:
    def found(device: str) -> Any:
        model = Islands(Multistart(walks, device=device), every=20)
        result = run(SEARCHES[name], setups(9, 3), stop=stop.iterations(40), seed=4, parallel=model)
        return result.walks.costs.tolist(), result.solution.tolist()

    assert found(compiling.name) == found("numpy")


def test_children_are_solutions(compiling: Device) -> None:
    space = Composite(order=Permutation(3), mode=Domains((2, 1)), some=Subset(3, 1))
    each = ByPart(mode=Uniform(), some=SubsetCrossover(1), order=OrderCrossover())
    check_recombination(each, space, devices=[compiling.name])
    assert not ByPart(mode=Uniform(), order=OrderCrossover()).supports(space)
    assert not ByPart(mode=Uniform(), order=Uniform(), some=NoCrossover()).supports(space)


def test_a_path_needs_moves_of_all_parts() -> None:
    with pytest.raises(InputError, match="do not change the part mode"):
        run(IteratedLocalSearch(HillClimbing(BOTH), PathRelinking(ORDER)), setups(4, 2), stop=stop.iterations(1))
    with pytest.raises(InputError, match="no moves that lead from one solution to another"):
        PathRelinking(Union(ORDER, On("order", Insertion())))


def test_a_checkpoint_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    problem, path = setups(8, 3), tmp_path / "saved"
    whole = run(TabuSearch(BOTH), problem, stop=stop.iterations(80), seed=2)
    run(TabuSearch(BOTH), problem, stop=stop.iterations(30), seed=2, watch=[Checkpoint(path, every=10)])
    again = resume(path, TabuSearch(BOTH), problem, stop=stop.iterations(80))
    assert (again.cost, again.solution.tolist()) == (whole.cost, whole.solution.tolist())


def test_archives_and_portfolios_take_parts(compiling: Device) -> None:
    two = MultiObjective([setups(5, 2, 1), setups(5, 2, 2)])
    fronts = [
        run(ParetoLocalSearch(BOTH), two, stop=stop.iterations(5), seed=1, parallel=device).front
        for device in (compiling.name, "numpy")
    ]
    assert fronts[0] is not None
    assert fronts[1] is not None
    assert fronts[0].costs.tolist() == fronts[1].costs.tolist()
    mixed = Portfolio([TabuSearch(BOTH), HillClimbing(MODE)])
    costs = [
        run(mixed, setups(6, 3), stop=stop.iterations(20), seed=1, parallel=Multistart(4, device=device)).walks.costs
        for device in (compiling.name, "numpy")
    ]
    assert costs[0].tolist() == costs[1].tolist()


def test_solve_finds_the_searches_by_the_parts(tmp_path: Path) -> None:
    problem = setups(4, 3)
    result = solve(problem, work=20_000, seed=1)
    space = problem.representation
    everyone = (
        space.join(order=order, mode=mode)
        for order in np.array(np.meshgrid(*[range(4)] * 4)).reshape(4, -1).T
        if len(set(order)) == 4
        for mode in np.array(np.meshgrid(*[range(3)] * 4)).reshape(4, -1).T
    )
    assert result.cost == min(problem.cost(x) for x in everyone)
    names = [each.name for each in result.race.tried]  # type: ignore[union-attr]
    assert "tabu search, Swap of order and Substitution of mode" in names

    write_result(result, "json", str(tmp_path / "best.sol"), problem)
    lines = (tmp_path / "best.sol").read_text().splitlines()
    assert [line.partition(":")[0] for line in lines] == [str(result.cost), "order", "mode"]
    _, stated, x = solution_from_file(tmp_path / "best.sol", problem)
    assert (stated, x.tolist()) == (result.cost, result.solution.tolist())
    for wrong, wording in (
        ("7\norder: 0 1 2 3\n", "with the parts order, mode"),
        ("order: 0 a\nmode: 1\n", "not '0 a'"),
    ):
        (tmp_path / "wrong.sol").write_text(wrong)
        with pytest.raises(InputError, match=wording):
            solution_from_file(tmp_path / "wrong.sol", problem)


@final
@frozen(eq=False)
class Drawn(Problem):
    representation: Representation = Composite(order=Permutation(3), mode=DiscreteVector(3, 2))

    def cost(self, x: Any) -> int:
        return int(x.order[0])

    def draw(self, x: Any, ax: Any) -> None:
        ax.plot(x.order, x.mode)


def test_a_picture_is_given_the_parts() -> None:
    pytest.importorskip("matplotlib")
    result = run(HillClimbing(On("order", Swap())), Drawn(), stop=stop.iterations(3), seed=1, parallel="numpy")
    (line,) = result.plot_solution(Drawn()).lines
    assert json.loads(json.dumps(line.get_xdata().tolist())) == result.solution.order.tolist()  # type: ignore[attr-defined]
