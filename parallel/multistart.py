"""Algorithmic-level parallelism: many independent walks of a search."""

from __future__ import annotations

from time import perf_counter
from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.device.generator.placement import placement_field
from metaheur.device.names import device_for, device_of
from metaheur.errors import InputError
from metaheur.machine.processors import cores
from metaheur.parallel.choose import lack, require_staged, require_steps, require_walks
from metaheur.parallel.several import device_field
from metaheur.problem import Problem
from metaheur.runners.generations import Generations
from metaheur.runners.stepped import stepped_in_python
from metaheur.running.program import Wishes, lacking_of
from metaheur.running.runner import Facts, ParallelModel, Runner
from metaheur.running.thresholds import Thresholds, walk_on_gpu
from metaheur.search import Search
from metaheur.validate import choice_field, instance_field, true_or_false, whole_field

__all__ = ["Multistart"]


@final
@frozen
class Multistart(ParallelModel):
    """Many walks from many starts, each the run with its own key alone: walk w of the seed s has the key (s, w).

    Parameters
    ----------
    walks : int
        How many. As many as fit advance at a time, the others follow.
    per : {"auto", "thread", "warp", "block", "cluster", "grid"}, default "auto"
        Who owns a walk on a GPU: one thread, the 32 of a warp, a block, a cluster of 8 or 16 blocks (from compute
        capability 9.0 on), or a grid with a block for each multiprocessor, so that walks follow each other; clusters
        and grids are for loops that scan whole neighborhoods. "auto": where each step evaluates a whole
        neighborhood of 600 moves or more a block, or, where a single walk would have it and at most 16 walks leave room
        for it, a cluster; else a warp.
    device : str, default "auto"
        "numpy", "host", "cuda", "cuda:1", ..., or "auto": numpy where something has no C++ half; else a GPU where there
        is one and solutions have at least 200 entries or there are 16 walks for each CPU core, or 2 where a block has
        each walk; else the host; numpy where there is no compiler. The choice and its reason are in the result.
    threads : int, optional
        CPU threads that share the walks, at most one a core; None for one a core.
    block : int, optional
        Threads of a GPU's block, a multiple of 32; None lets the neighborhood's size decide.
    blocks : int, default 1
        Blocks of a GPU that share each walk, where `per` is "block" and the search can be shared: each evaluates a part
        of the neighborhood.
    placement : {"auto", "shared", "global", "read-only", "texture", "constant"}, default "auto"
        Where the problem's data lies on a GPU; see `Cuda`. It changes nothing but the time.
    at_once : int, optional
        Walks that run at one time on a GPU, at most; None for as many as fit.
    calibrate : bool, default False
        Whether a GPU tries blocks of half and of twice as many threads and, where not all walks fit, half as many at a
        time, unless `block` or `at_once` say what to take. The trial takes tenths of a second and compiles two kernels
        more; the cache keeps what was found for this kernel, number of walks and GPU. `Result.plan` says it. No walk
        depends on it.
    follow : bool, default False
        Whether, where all walks have come to their own end, as many new ones follow, generation after generation until
        the stop holds: for limits of time. The walk in the place p of generation g has the number p + g times `walks`;
        the result has the table of all walks. Criteria count the iterations and moves of a place, and are asked between
        chunks; there are no checkpoints.
    thresholds : Thresholds, optional
        The sizes that decide.
    """

    walks: int = whole_field(1, 2**31 - 1)
    per: str = choice_field("auto", "thread", "warp", "block", "cluster", "grid", default="auto")
    device: str = device_field(kw_only=True)
    threads: int | None = whole_field(default=None, maybe="use None.", kw_only=True)
    block: int | None = whole_field(32, 1024, default=None, maybe="use None.", kw_only=True)
    blocks: int = whole_field(1, 1024, default=1, kw_only=True)
    placement: str = placement_field()
    at_once: int | None = whole_field(default=None, maybe="use None.", kw_only=True)
    calibrate: bool = field(default=False, kw_only=True, validator=true_or_false)
    follow: bool = field(default=False, kw_only=True, validator=true_or_false)
    thresholds: Thresholds = instance_field(Thresholds, factory=Thresholds, kw_only=True)

    @block.validator
    def _whole_warps(self, _: Any, block: int | None) -> None:
        if block is not None and block % 32:
            raise InputError(f"`Multistart.block` must be a multiple of 32, but is {block}.", "use None.")

    @blocks.validator
    def _of_blocks(self, _: Any, blocks: int) -> None:
        if blocks > 1 and self.per != "block":
            raise InputError(
                f'Only walks that are owned by blocks are shared by {blocks}, but `Multistart.per` is "{self.per}".',
                'use per="block".',
            )

    def require(self, problem: Problem) -> None:
        """Refuse more walks than can begin."""
        require_walks(self.walks, problem)

    def on(self, device: str) -> Multistart:
        return evolve(self, device=device)

    def require_nested(self, name: str) -> None:
        """Refuse walks that are followed by others."""
        if self.follow:
            raise InputError(
                f"`{name}` has walks that are followed by others, and these cannot be shared.", "use follow=False."
            )

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Choose the device, compile, upload."""
        require_steps(search, "Multistart")
        search.require(problem)
        runner = self._bound(search, problem)
        return Generations(runner) if self.follow else runner

    def _wishes(self) -> Wishes:
        """What the model asks of a program."""
        return Wishes(
            walks=self.walks,
            per=self.per,
            block=self.block,
            blocks=self.blocks,
            at_once=self.at_once,
            calibrate=self.calibrate,
            threads=self._threads(),
            thresholds=self.thresholds,
        )

    def _bound(self, search: Search[Any], problem: Problem) -> Runner:
        """What advances the walks of a generation."""
        missing = lacking_of(search, problem)
        name, reason = self.device_for(search, problem)
        if name == "numpy":
            return stepped_in_python(search, problem, self.walks, reason)
        if missing:
            raise InputError(
                f"Multistart keeps its walks on {name}, but {lack(missing)}.",
                'use device="numpy", where Python steps every walk, or Distributed, on processes.',
            )
        began, device = perf_counter(), device_of(name, self.placement)
        require_staged(search, device, resident=True)
        spread = f"{self.walks:,} walks, resident on {device.name}"
        facts = Facts(device.name, device.description, reason, resident=True, spread=spread)
        runner: Runner = search.program.runner(problem, self._wishes(), device, facts)
        runner.facts = evolve(runner.facts, compile_seconds=perf_counter() - began)
        return runner

    def device_for(self, search: Search[Any], problem: Problem) -> tuple[str, str]:
        """The name of the device that the walks are for, and why; see `device`."""
        wishes, program = self._wishes(), search.program
        if program is None:
            gpu, why = walk_on_gpu(problem.representation.length, self.walks, cores(), self.thresholds)
        else:
            gpu, why = program.suits_gpu(problem, wishes, cores())
        return device_for(self.device, lacking_of(search, problem), gpu=gpu, why=why)

    def _threads(self) -> int | None:
        """CPU threads that are asked for."""
        here = cores()
        if self.threads is not None and self.threads > here:
            raise InputError(
                f"`Multistart.threads` must be at most {here}, the cores that this process may use, but is "
                f"{self.threads}.",
                "use None for all of them.",
            )
        return self.threads
