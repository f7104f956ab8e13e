"""The program of a loop: who owns its walks on a device."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar, final

from attrs import evolve, frozen

from metaheur.component import members_of
from metaheur.device.capabilities import delta_operations
from metaheur.device.cuda.clusters import PORTABLE
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.halves import lacking, unanswered
from metaheur.device.session import copies_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.offers import Offers, offers_of
from metaheur.machine.ahead import Ahead
from metaheur.machine.processors import cores
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.runners.calibration import Setting, calibrated, others_than
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import RESERVED, Team, drive
from metaheur.runners.driven import Driven
from metaheur.runners.resident import Driver
from metaheur.runners.teams import (
    BLOCK_FROM,
    CLUSTER_THREADS,
    MANY,
    blocks_of_walk,
    threads_of_block,
    threads_of_share,
    threads_of_threads,
    warps_of_block,
)
from metaheur.running.program import Alternatives, Program, Wishes
from metaheur.running.runner import Facts, Runner
from metaheur.running.thresholds import walk_on_gpu
from metaheur.search import Search

__all__ = ["LoopProgram"]


@final
@frozen
class LoopProgram(Program):
    """Keeps the walks of a loop on a device."""

    loop: Driven

    stages: ClassVar[bool] = True

    @property
    def streamed(self) -> Neighborhood | None:
        return self.loop.scans

    def lacking(self, problem: Problem) -> list[str]:
        return [*lacking(problem, self.loop), *_searches_in_python(self.loop), *unanswered(self.loop, problem)]

    def suits_gpu(self, problem: Problem, wishes: Wishes, cores: int) -> tuple[bool, str]:
        block = not wishes.shares and self._owner(wishes, self._size(problem)) == "block"
        length = problem.representation.length
        return walk_on_gpu(length, wishes.walks, cores, wishes.thresholds, block=block)

    def alternatives(self) -> Alternatives:
        return Alternatives(self.kinds, spreads=True, divides=bool(self.loop.divides))

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        assert device is not None
        solutions = DeviceEvaluator(problem, device, threads=self._threads(wishes))
        several = wishes.walks > 1  # else Python evaluates the first solution
        beside = Ahead(solutions.compile, "costs") if several and device.kind == "host" else None
        runner = self._driver(problem, wishes, device, facts, solutions)
        if beside is not None:
            beside.value()
        elif several:
            solutions.compile()
        return runner

    def _threads(self, wishes: Wishes) -> int:
        """The threads of a CPU that run the walks."""
        return min(wishes.walks, wishes.threads or cores())

    def _driver(
        self, problem: Problem, wishes: Wishes, device: Device, facts: Facts, solutions: DeviceEvaluator
    ) -> Driver:
        """The runner, whose kernel for iterations is compiled."""
        if device.kind == "cuda":
            team = self._shared(problem, wishes, device) if wishes.shares else self._team(problem, wishes, device)
            return self._on_gpu(problem, wishes, facts, team, solutions)
        threads = self._threads(wishes)
        if not wishes.shares:
            facts = evolve(facts, spread=f"{facts.spread}, {threads} threads")
        compiled = CompiledLoop(problem, self.loop, device, threads=threads, solutions=solutions)
        return Driver(compiled, facts, threads)

    def _on_gpu(self, problem: Problem, wishes: Wishes, facts: Facts, team: Team, solutions: DeviceEvaluator) -> Driver:
        """The runner on a GPU, whose blocks a trial may choose."""
        facts = evolve(facts, spread=f"{facts.spread}{_owners(team, shared=wishes.shares)}")

        def driver(setting: Setting) -> Driver:
            owners = evolve(team, threads=setting.threads)
            compiled = CompiledLoop(problem, self.loop, solutions.device, owners, solutions=solutions)
            return Driver(compiled, facts, at_once=setting.at_once)

        rule = Setting(team.threads, wishes.at_once)
        if not wishes.calibrate:
            return driver(rule)
        others = others_than(team) if wishes.block is None else ()
        most = wishes.thresholds.calibration_seconds
        found = calibrated(rule, driver, walks=wishes.walks, others=others, seconds=most)
        chosen = driver(found.setting)
        chosen.facts = evolve(facts, trial=found.words)
        return chosen

    def _size(self, problem: Problem) -> int:
        """Moves of the largest neighborhood."""
        return max((each.size(problem.representation) for each in self.loop.neighborhoods), default=1)

    def _owner(self, wishes: Wishes, size: int) -> str:
        """The owner of a walk on a GPU without clusters."""
        return wishes.per if wishes.per != "auto" else "block" if self.loop.examines(size) >= BLOCK_FROM else "warp"

    def _team(self, problem: Problem, wishes: Wishes, device: Device) -> Team:
        """The owner of each of many walks on a GPU."""
        size = self._size(problem)
        per = self._owner(wishes, size)
        if wishes.per == "auto":
            few = self.loop.divides and wishes.walks <= MANY // PORTABLE and size >= wishes.thresholds.cluster_from
            per = "cluster" if few and per == "block" and device.largest_cluster > 1 else per
        if per == "cluster":
            largest = max(PORTABLE, device.largest_cluster)
            league = largest if largest * wishes.walks <= MANY else PORTABLE
            return Team(per, wishes.block or CLUSTER_THREADS, league)
        if per == "grid":
            return Team("block", wishes.block or threads_of_block(size), device.processors)
        threads = threads_of_threads(wishes.walks) if per == "thread" else 128
        if per == "block":
            each = -(-wishes.walks // device.processors)
            wanted = Team("block", 512, beside=min(each, 2))  # more were not measured
            fit = self._fit(problem, device, wanted)
            examined = self.loop.examines(size)
            threads = threads_of_block(
                examined or size,
                min(each, fit),
                moves=size,
                keeps=lambda: examined != size or self._keeps(problem, device),
            )
            return Team("block", wishes.block or threads, wishes.blocks or 1, beside=min(wanted.beside, fit))
        if per == "warp" and not self.loop.reads_state:
            threads = 32 * warps_of_block(problem.representation.length, wishes.walks)
        return Team(per, wishes.block or threads, wishes.blocks or 1)

    def _fit(self, problem: Problem, device: Device, team: Team) -> int:
        """The blocks for which a processor has shared memory."""
        unit = compose(problem, drive(self.loop, problem, device, team), device)
        return max(1, device.shared_memory // (unit.launch.shared + RESERVED))

    def _shared(self, problem: Problem, wishes: Wishes, device: Device) -> Team:
        """The blocks of a GPU that share one walk."""
        if not self.loop.divides:
            return self._team(problem, wishes, device)
        size, operations, limits = self._size(problem), delta_operations(problem), wishes.thresholds
        cluster = device.largest_cluster if operations == 1 else 1
        offers = partial(self._offers, problem, device)
        league = wishes.blocks or blocks_of_walk(size, operations, device.processors, cluster, limits, offers=offers)
        if 1 < league <= cluster:
            return Team("cluster", CLUSTER_THREADS, league)
        if operations > 1:
            team = Team(threads=threads_of_share(-(-size // league)), league=league)
        elif league == 1:
            team = Team(threads=threads_of_block(size, keeps=partial(self._keeps, problem, device)))
        else:
            team = Team(league=league)
        return team if team.league == 1 or wishes.blocks else self._that_fits(problem, device, team)

    def _that_fits(self, problem: Problem, device: Device, team: Team) -> Team:
        """The blocks that share a walk, or fewer of them, for whose replicas of kept arrays there is memory."""
        unit = compose(problem, drive(self.loop, problem, device, team), device)
        kept = [member for _, member in unit.arrays() if member.values is None]
        copies = [copies_of(member, 1, team.league, tabulates=True) for member in kept]
        replica = sum(each.nbytes(device) for each, count in zip(kept, copies, strict=True) if count > 1)
        return evolve(team, league=max(1, min(team.league, device.free_memory // (2 * max(1, replica)))))

    def _keeps(self, problem: Problem, device: Device) -> bool:
        """Whether some changes of cost of the largest neighborhood stay valid after a move, or are updated."""
        return bool((Offers.UPDATE | Offers.AROUND) & self._offers(problem, device))

    def _offers(self, problem: Problem, device: Device) -> Offers:
        space = problem.representation
        return offers_of(problem, max(self.loop.neighborhoods, key=lambda each: each.size(space)), device)


def _owners(team: Team, *, shared: bool) -> str:
    """The owner of a walk, in words; "" if one block has the only walk."""
    if shared:
        return "" if team.league == 1 else f", {'a cluster of ' if team.per == 'cluster' else ''}{team.league} blocks"
    owner = f"{team.league} blocks" if team.league > 1 and team.per == "block" else f"a {team.per}"
    return f", {owner} each"


def _searches_in_python(loop: Any) -> Iterator[str]:
    """The inner searches of a loop that exist in Python alone."""
    for _, inner in members_of(loop):
        if isinstance(inner, Driven):
            yield from _searches_in_python(inner)
        elif isinstance(inner, Search):
            yield type(inner).__name__
