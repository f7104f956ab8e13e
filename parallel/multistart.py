"""Algorithmic-level parallelism: many independent walks of a search."""

from __future__ import annotations

from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.device.generator.placement import placement_field
from metaheur.device.names import device_for, device_of
from metaheur.errors import InputError
from metaheur.machine.processors import cores
from metaheur.parallel.choose import lack, require_staged, require_steps, require_walks
from metaheur.problem import Problem
from metaheur.runners.generations import Generations
from metaheur.runners.stepped import stepped_in_python
from metaheur.running.program import Wishes, lacking_of
from metaheur.running.runner import Facts, ParallelModel, Runner
from metaheur.running.thresholds import Thresholds, walk_on_gpu
from metaheur.search import Search
from metaheur.validate import choice_field, device_field, instance_field, true_or_false, whole_field

__all__ = ["Multistart"]


@final
@frozen
class Multistart(ParallelModel):
    """Many walks from many starts; walk w of the seed s equals a run of its own with the key (s, w).

    Parameters
    ----------
    walks : int
        Number of walks. As many as fit advance at the same time, and the others follow.
    per : {"auto", "thread", "warp", "block", "cluster", "grid"}, default "auto"
        The owner of a walk on a GPU: one thread, the 32 threads of a warp, a block, a cluster of 8 or 16 blocks (from
        compute capability 9.0 on), or a grid with a block for each multiprocessor, so that walks follow each other;
        clusters and grids are for loops that scan whole neighborhoods. "auto" takes a block if each step evaluates a
        whole neighborhood of 600 moves or more, else a warp. Instead of a block it takes a cluster if it would take one
        for a single walk, and if there are at most 16 walks and room for their clusters.
    device : str, default "auto"
        "numpy", "host", "cuda", "cuda:1", ..., or "auto": numpy if a component has no C++ half, or if there is no
        compiler; else a GPU, if there is one and solutions have at least 200 entries or there are 16 walks for each CPU
        core (2 if each walk has a block); else the host. The result has the choice and its reason.
    threads : int, optional
        CPU threads that share the walks, at most one for each core; None for one for each core.
    block : int, optional
        Threads of a GPU's block, a multiple of 32; None lets the neighborhood's size decide.
    blocks : int, default 1
        Blocks of a GPU that share each walk, if `per` is "block" and the search allows it: each block evaluates a part
        of the neighborhood.
    placement : {"auto", "shared", "global", "read-only", "texture", "constant"}, default "auto"
        The memory of a GPU for the problem's data; see `Cuda`. It changes only the time.
    at_once : int, optional
        The most walks that run at the same time on a GPU; None for as many as fit.
    calibrate : bool, default False
        Whether a GPU tries blocks of half and of twice as many threads and, if not all walks fit, half as many at the
        same time, unless `block` or `at_once` is given. The trial takes tenths of a second and compiles two more
        kernels; the cache keeps its outcome for this kernel, number of walks and GPU, and `Result.plan` tells it. No
        walk depends on it.
    follow : bool, default False
        Whether the same number of new walks begin when all walks have come to their own end, generation after
        generation until the stop holds: for limits of time. The walk at place p of generation g has the number p + g
        times `walks`; the result has the table of all walks. Criteria count the iterations and moves of a place, and
        are evaluated between chunks; such runs have no checkpoints.
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
                f'{blocks} blocks can only share walks that blocks own, but `Multistart.per` is "{self.per}".',
                'use per="block".',
            )

    def require(self, problem: Problem) -> None:
        """Refuse more walks than fit into the memory of the host."""
        require_walks(self.walks, problem)

    def on(self, device: str) -> Multistart:
        return evolve(self, device=device)

    def require_nested(self, name: str) -> None:
        """Refuse `follow=True` inside another model."""
        if self.follow:
            raise InputError(f"`{name}` cannot share out walks that are followed by other walks.", "use follow=False.")

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Choose the device, compile, upload."""
        require_steps(search, "Multistart")
        search.require(problem)
        runner = self._bound(search, problem)
        return Generations(runner) if self.follow else runner

    def _wishes(self) -> Wishes:
        """The wishes of the model."""
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
        """The runner of the walks of a generation."""
        missing = lacking_of(search, problem)
        name, reason = self.device_for(search, problem)
        if name == "numpy":
            return stepped_in_python(search, problem, self.walks, reason)
        if missing:
            raise InputError(
                f"Multistart keeps its walks on {name}, but {lack(missing)}.",
                'use device="numpy", where Python steps every walk, or Distributed, on processes.',
            )
        device = device_of(name, self.placement)
        require_staged(search, device, resident=True)
        spread = f"{self.walks:,} walks, resident on {device.name}"
        facts = Facts(device.name, device.description, reason, resident=True, spread=spread)
        runner: Runner = search.program.runner(problem, self._wishes(), device, facts)
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
        """The number of CPU threads."""
        here = cores()
        if self.threads is not None and self.threads > here:
            raise InputError(
                f"`Multistart.threads` must be at most {here}, the cores that this process may use, but is "
                f"{self.threads}.",
                "use None for all of them.",
            )
        return self.threads
