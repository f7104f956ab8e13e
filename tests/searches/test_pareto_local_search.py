"""Pareto local search against its definition, on every device, and what it refuses."""

import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    Checkpoint,
    HillClimbing,
    Key,
    ParetoLocalSearch,
    Permutation,
    Problem,
    Progress,
    Search,
    Source,
    Until,
    data,
    iterate,
    resume,
    run,
    stop,
)
from metaheur.archives import (
    AllMembers,
    Crowding,
    EpsilonBoxes,
    Exhaustive,
    FirstFound,
    FromMember,
    FromRandom,
    Front,
    Grid,
    HypervolumeContribution,
    LeastCrowded,
    OldestMembers,
    OptimisticHypervolume,
    RandomMembers,
    RandomNeighbors,
)
from metaheur.device.device import Device
from metaheur.door.states import initial_states
from metaheur.errors import InputError
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.neighborhoods import Hamming, Insertion, Restricted, Sampled, Swap, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import RandomMoves
from metaheur.problems import FlowShop
from metaheur.runners.archiving import Archiving
from metaheur.runners.pipelined import Pipelined
from metaheur.running.runner import Facts
from metaheur.testing import check_search
from tests.compositions import FRONTS
from tests.helpers import facts, stepped

THREE = ("makespan", "total tardiness", "tardy jobs")


def shop(n: int = 8, objectives: tuple[str, ...] = THREE) -> FlowShop:
    generator = np.random.default_rng(n)
    due = generator.integers(60, 60 * n, n)
    return FlowShop(generator.integers(1, 99, (n, 3)), due_dates=due, objectives=objectives)


def weakly(a: Any, b: Any) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


class Reference:
    """PLS by its definition, with lists and loops: the neighbors of the oldest unvisited member are archived."""

    def __init__(self, problem: FlowShop, x: np.ndarray, accept: str) -> None:
        self.problem, self.accept = problem, accept
        self.archive = [(problem.cost(x), tuple(x.tolist()))]
        self.visited: set[tuple[int, ...]] = set()

    def step(self) -> bool:
        """Explore one member; whether there was one."""
        left = [x for _, x in self.archive if x not in self.visited]
        if not left:
            return False
        x = left[0]
        self.visited.add(x)
        own, before = self.problem.cost(np.array(x)), [cost for cost, _ in self.archive]
        for move in Insertion().moves(self.problem.representation):
            y = move.apply(np.array(x))
            cost = self.problem.cost(y)
            dominates = weakly(cost, own) and cost != own
            if not any(weakly(other, cost) for other in before) and (dominates or self.accept == "non-dominated"):
                self.offer(cost, tuple(y.tolist()))
        return True

    def offer(self, cost: Any, x: tuple[int, ...]) -> None:
        if not any(weakly(other, cost) for other, _ in self.archive):
            self.archive = [(c, y) for c, y in self.archive if not weakly(cost, c)] + [(cost, x)]


@pytest.mark.parametrize("accept", ["non-dominated", "dominating"])
def test_it_is_pareto_local_search_by_its_definition(accept: str) -> None:
    problem = shop(7)
    states = iterate(ParetoLocalSearch(Insertion(), OldestMembers(), accept), problem, seed=3, parallel="numpy")
    reference = Reference(problem, next(states).walk.current.solution, accept)
    steps = 0
    for state in states:
        assert reference.step()
        steps += 1
        found = [tuple(cost) for cost in state.members.costs.tolist()]
        assert found == [cost for cost, _ in reference.archive]
        assert [tuple(x) for x in state.members.solutions.tolist()] == [x for _, x in reference.archive]
        flags = [x in reference.visited for _, x in reference.archive]
        assert state.members.visited.tolist() == flags
        assert state.walk.best.cost == min(found)
    assert not reference.step()
    assert steps > 3


NEAR = (np.arange(8)[:, None] + [1, 3, 4]) % 8
COMPOSITIONS: dict[str, tuple[Search[Any], FlowShop]] = {
    "one at random, whole neighborhoods, restarts": (ParetoLocalSearch.paquete(Insertion(), restart=True), shop()),
    "stages, bounded by crowding": (
        ParetoLocalSearch(
            Insertion(),
            LeastCrowded(2),
            (FirstFound("dominating"), Exhaustive("dominating or non-dominated")),
            Crowding(6),
        ),
        shop(),
    ),
    "random neighbors, bounded by hypervolume": (
        ParetoLocalSearch(
            Swap(), OldestMembers(3), RandomNeighbors(20, "dominating or non-dominated"), HypervolumeContribution(5)
        ),
        shop(),
    ),
    "optimistic hypervolume, a grid, perturbed members": (
        ParetoLocalSearch(
            Union(Swap(), Insertion()),
            OptimisticHypervolume(),
            FirstFound("non-dominated"),
            Grid(9, 3),
            FromMember(RandomMoves(Swap(), 2)),
        ),
        shop(7, ("makespan", "total flow time")),
    ),
    "all members, two objectives, hypervolume": (
        ParetoLocalSearch(
            Insertion(), AllMembers(), FirstFound("dominating", "non-dominated"), HypervolumeContribution(4)
        ),
        shop(8, ("total flow time", "maximum tardiness")),
    ),
    "four objectives, hypervolume": (
        ParetoLocalSearch(Swap(), RandomMembers(2), RandomNeighbors(20, "non-dominated"), HypervolumeContribution(6)),
        shop(8, (*THREE, "total flow time")),
    ),
    "some at random, four objectives": (
        ParetoLocalSearch(Insertion(), RandomMembers(4), "dominating", Grid(12), FromRandom()),
        shop(8, (*THREE, "total flow time")),
    ),
    "moves that may be infeasible": (ParetoLocalSearch(Restricted(Swap(), NEAR), OldestMembers(2)), shop()),
    "boxes, beside which a table of members would be wrong": (
        ParetoLocalSearch(Insertion(), archive=EpsilonBoxes(10)),
        FRONTS["boxes"][0],
    ),
}


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_the_archive_is_the_same_on_every_device(name: str, device: str) -> None:
    search, problem = COMPOSITIONS[name]
    check_search(search, problem, iterations=30, devices=[] if device == "numpy" else [device])


def test_a_table_of_many_members_answers_as_they_do(compiling: Device) -> None:
    problem = shop(20, ("total flow time", "maximum tardiness", "total tardiness"))
    search = ParetoLocalSearch.paquete(Insertion(), restart=True)
    (begun,) = initial_states(search, problem, [Key(1)])
    runner = Pipelined(Archiving(problem, search), compiling, Facts("", "", ""))
    walks: Any = runner.advance(runner.load([begun]), Until(150)).walks
    here, there = walks.state(0).members, stepped(search, problem, begun, 150)[0].members
    assert len(here) > 300
    assert here.costs.tolist() == there.costs.tolist()
    assert here.solutions.tolist() == there.solutions.tolist()
    assert walks.held[0].session.read("window")[0] > 100  # members when the table was built last


def test_many_offers_are_sifted_alike(compiling: Device) -> None:
    problem = FlowShop.taillard(41, objectives=THREE)
    search = ParetoLocalSearch.paquete(Insertion(), "non-dominated")
    start = next(iterate(search, problem, seed=2, parallel="numpy")).walk.current
    deltas = NumpyEvaluator(problem, Insertion()).of(Insertion()).deltas(start)
    assert (deltas < 0).any(axis=1).sum() > 512  # so that a sample of them thins them out
    here, there = (
        run(search, problem, stop=stop.iterations(5), seed=2, parallel=name).front for name in (compiling.name, "numpy")
    )
    assert here is not None
    assert there is not None
    assert here.costs.tolist() == there.costs.tolist()
    assert here.solutions.tolist() == there.solutions.tolist()


def test_an_archive_that_outgrows_its_room_loses_nothing(compiling: Device) -> None:
    problem = shop(8, (*THREE, "total flow time"))
    search = ParetoLocalSearch(Insertion())
    (begun,) = initial_states(search, problem, [Key(2)])
    runner = Pipelined(Archiving(problem, search, room=1), compiling, Facts("", "", ""))
    walks: Any = runner.advance(runner.load([begun]), Until(40)).walks
    assert len(walks.state(0).members) > 8
    assert walks.held[0].orders["room"][0] > 8
    assert facts(walks.state(0)) == facts(stepped(search, problem, begun, 40)[0])


def test_its_end_is_a_pareto_local_optimum_set() -> None:
    problem = shop(7)
    result = run(ParetoLocalSearch(Insertion()), problem, stop=stop.iterations(10_000), seed=1, parallel="host")
    assert result.stopped_by == "Pareto local optimum set"
    front = result.front
    assert front is not None
    costs = [tuple(cost) for cost in front.costs.tolist()]
    for x in front.solutions:
        for move in Insertion().moves(problem.representation):
            neighbor = problem.cost(move.apply(x))
            assert any(weakly(cost, neighbor) for cost in costs)
    assert result.cost == costs[0] == problem.cost(result.solution)
    assert "solutions: makespan" in str(result)


def test_restarts_keep_what_was_found() -> None:
    problem = shop(6)
    search = ParetoLocalSearch.paquete(Insertion(), "dominating", restart=True)
    *_, state = (s for s, _ in zip(iterate(search, problem, parallel="numpy"), range(40), strict=False))
    assert state.restarts > 2
    front = Front.of(problem, [(0, each) for each in search.fronts(state)])
    every = [tuple(cost) for each in (state.found, state.members) for cost in each.costs.tolist()]
    assert {tuple(cost) for cost in front.costs.tolist()} <= set(every)
    assert all(any(weakly(cost, other) for cost in front.costs.tolist()) for other in every)
    assert max(front.born) > 0


def test_a_run_begins_with_the_front_of_another() -> None:
    problem = shop(8)
    first = run(ParetoLocalSearch(Insertion()), problem, stop=stop.iterations(20), seed=1, parallel="numpy").front
    assert first is not None
    search = ParetoLocalSearch(Insertion(), begin=first)
    later = run(search, problem, stop=stop.iterations(20), seed=2, parallel="numpy").front
    assert later is not None
    assert later.epsilon(first) <= 0
    with pytest.raises(InputError, match="`begin` is a front of makespan"):
        run(search, shop(8, ("makespan", "tardy jobs")), stop=stop.iterations(1))


@pytest.mark.parametrize("preset", ["paquete", "angel", "anytime", "stochastic"])
def test_presets_run(preset: str) -> None:
    problem = shop(8, ("makespan", "total flow time"))
    search = getattr(ParetoLocalSearch, preset)(Insertion())
    result = run(search, problem, stop=stop.iterations(60), parallel="numpy")
    assert result.front is not None
    assert len(result.front) > 1


def test_no_improvement_means_an_archive_that_does_not_change(device: str) -> None:
    search, problem = ParetoLocalSearch(Insertion()), shop(9)
    result = run(search, problem, stop=stop.no_improvement(3), seed=4, parallel=device)
    assert result.stopped_by == "no_improvement"
    states = [*iterate(search, problem, seed=4, parallel="numpy")]
    same = [a.members.costs.tolist() == b.members.costs.tolist() for a, b in pairwise(states)]
    assert result.iterations == next(k for k in range(3, len(states)) if all(same[k - 3 : k]))


def test_a_front_can_stop_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    criterion = stop.when(lambda view: view.front is not None and len(view.front) >= 3) | stop.iterations(500)
    result = run(ParetoLocalSearch(Insertion()), shop(), stop=criterion, watch=[Progress()], parallel="numpy")
    assert result.stopped_by == "when"
    assert "solutions, changed at" in capsys.readouterr().err


SAVING = """
import numpy as np
from metaheur import Checkpoint, ParetoLocalSearch, run, stop
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlowShop

generator = np.random.default_rng(12)
due = generator.integers(60, 60 * 12, 12)
objectives = ("makespan", "total tardiness", "tardy jobs")
shop = FlowShop(generator.integers(1, 99, (12, 3)), due_dates=due, objectives=objectives)
search = ParetoLocalSearch.paquete(Insertion(), restart=True)
run(search, shop, stop=stop.seconds(60), seed=5, parallel="host", watch=[Checkpoint({path!r}, every=0.01)])
"""


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    path = tmp_path / "pls.checkpoint"
    child = subprocess.Popen([sys.executable, "-c", SAVING.format(path=str(path))])
    deadline = time.monotonic() + 120
    first = b""
    while time.monotonic() < deadline and child.poll() is None:
        content = path.read_bytes() if path.exists() else b""
        if first and content != first:
            break
        first = first or content
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    search, problem = ParetoLocalSearch.paquete(Insertion(), restart=True), shop(12)
    saved = resume(path, search, problem, stop=stop.iterations(1), parallel="numpy")
    end = stop.iterations(saved.iterations + 50)
    resumed = resume(path, search, problem, stop=end, parallel="host")
    whole = run(search, problem, stop=end, seed=5, parallel="host")
    assert saved.iterations > 0
    assert resumed.front is not None
    assert whole.front is not None
    assert resumed.iterations == whole.iterations == saved.iterations + 50
    assert resumed.front.costs.tolist() == whole.front.costs.tolist()
    assert resumed.front.solutions.tolist() == whole.front.solutions.tolist()
    assert resumed.front.born.tolist() == whole.front.born.tolist()


def test_a_checkpoint_of_other_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pls.checkpoint"
    run(ParetoLocalSearch(Insertion()), shop(), stop=stop.iterations(5), parallel="numpy", watch=[Checkpoint(path)])
    with pytest.raises(ValueError, match=r"belongs to another search: ParetoLocalSearch\.archive"):
        resume(path, ParetoLocalSearch(Insertion(), archive=Crowding(5)), shop(), stop=stop.iterations(9))


def test_what_does_not_fit_is_refused() -> None:
    three, one = shop(), FlowShop([[1, 2], [2, 1]])  # type: ignore[arg-type]
    limit = stop.iterations(3)
    with pytest.raises(InputError, match=r"HillClimbing minimises one objective.*\nMaybe make one cost of them"):
        run(HillClimbing(Insertion()), three, stop=limit)
    with pytest.raises(InputError, match=r"ParetoLocalSearch needs several objectives, but this FlowShop has one"):
        run(ParetoLocalSearch(Insertion()), one, stop=limit)
    with pytest.raises(InputError, match=r"target\(3\) is one number.*\nMaybe stop at a hypervolume"):
        run(ParetoLocalSearch(Insertion()), three, stop=stop.target(3))
    with pytest.raises(InputError, match="knows two objectives, but there are 3"):
        run(ParetoLocalSearch(Insertion(), OptimisticHypervolume()), three, stop=limit)
    with pytest.raises(InputError, match=r"A Crowding of 1000000000000 solutions .* can be used\.\nMaybe name a"):
        run(ParetoLocalSearch(Insertion(), archive=Crowding(10**12)), three, stop=limit)
    with pytest.raises(InputError, match="does not act on"):
        run(ParetoLocalSearch(Hamming(1)), three, stop=limit)
    with pytest.raises(InputError, match="the same moves in every step"):
        ParetoLocalSearch(Sampled(Insertion(), 5))
    with pytest.raises(InputError, match=r"Exhaustive\.accept` must be one of 'non-dominated'"):
        ParetoLocalSearch(Insertion(), explore="all")
    with pytest.raises(InputError, match="`explore` must be explorations"):
        ParetoLocalSearch(Insertion(), explore=())
    with pytest.raises(InputError, match=r"ParetoLocalSearch\.archive` must be of the type Archive"):
        ParetoLocalSearch(Insertion(), archive=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`perturbation` must be a Perturbation"):
        FromMember(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`begin` must be a Front"):
        ParetoLocalSearch(Insertion(), begin=3)  # type: ignore[arg-type]


def test_resident_is_what_a_search_with_parts_becomes() -> None:
    result = run(ParetoLocalSearch(Insertion()), shop(), stop=stop.iterations(3), parallel=IterationLevel("host"))
    assert result.resident
    assert isinstance(result.front, Front)


@final
@frozen(eq=False)
class Apart(Problem):
    """Three weighted sums; the first two are far from 0, on different sides."""

    weights: np.ndarray = data("int64", ndim=2)
    far: int = data("int64")

    objectives: ClassVar[tuple[str, ...]] = ("first", "second", "third")
    source: ClassVar[Source] = Source(
        """struct Apart : ApartData {
            MH_FN Total cost(Team, const Item* x) const {
                Total total = 0;
                for (int i = 0; i < n; ++i)
                    for (int k = 0; k < 3; ++k) total[k] += weights(k, x[i]) * (i64(i) - n / 2);
                total[0] += x[0] % 2 ? far : -far;
                total[1] -= x[0] % 2 ? far : -far;
                return total;
            }
        };""",
        "apart.cuh",
    )

    @property
    def representation(self) -> Permutation:
        return Permutation(self.weights.shape[1])

    def cost(self, x: np.ndarray) -> Any:
        first, second, third = (self.weights[:, x] @ (np.arange(len(x)) - len(x) // 2)).tolist()
        far = self.far if x[0] % 2 else -self.far
        return first + far, second - far, third


@pytest.mark.parametrize("far", [0, 2**62 - 2**20])
def test_costs_at_both_ends_of_their_range_are_archived_as_others(far: int, compiling: Device) -> None:
    weights = np.random.default_rng(1).integers(-20, 20, (3, 9))
    search, problem = ParetoLocalSearch(Insertion()), Apart(weights, far)
    check_search(search, problem, iterations=40, devices=[compiling.name])
    front = run(search, problem, stop=stop.iterations(40), parallel=compiling.name).front
    assert front is not None
    assert len(front) > 32  # so many that there would be a table
    assert len(set(np.sign(front.costs[:, 0]).tolist())) == 2
