"""The parallel model of exact search: one tree on a CPU and a GPU, on several GPUs, or on workers of an executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, final

from attrs import field, frozen

from metaheur.device.generator.placement import placement_field
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.running.runner import Facts, ParallelModel, Runner, in_python
from metaheur.search import Search
from metaheur.tree.branch_and_bound import BranchAndBound
from metaheur.tree.distributed_walker import DistributedWalker, walker_on
from metaheur.tree.engine import Engine
from metaheur.tree.explorers import ExplorerEngine
from metaheur.tree.frontier import FrontierEngine
from metaheur.tree.hybrid import HybridExpander, SeveralExpanders
from metaheur.tree.order import Explorers, Frontier
from metaheur.tree.runner import TreeRunner, expander_on, require_halves, require_not_shared, spread_of
from metaheur.tree.several_walkers import SeveralWalkers
from metaheur.tree.store import Store
from metaheur.tree.walker import Walker
from metaheur.tree.work_stealing import GROUPS
from metaheur.validate import require_device, whole_field

__all__ = ["TreeExploration"]


def _names(value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value)
    for name in names:
        require_device(name)
        if name == "auto":
            raise InputError('`TreeExploration.devices` must name devices, but holds "auto".', 'use ("cuda:0",).')
    if not names:
        raise InputError("`TreeExploration.devices` is empty.", 'use ("cuda:0", "cuda:1").')
    return names


def _executor(_: Any, __: Any, value: Any) -> None:
    if value is not None and not isinstance(value, Executor) and not callable(value):
        raise InputError(
            f"`TreeExploration.executor` must be an executor, or a function that makes an executor, but is {value!r}.",
            "use partial(ProcessPoolExecutor, 4), which can be made again.",
        )


@final
@frozen
class TreeExploration(ParallelModel):
    """One tree, explored by several devices or workers at the same time; the nodes are the same as on one device.

    Parameters
    ----------
    devices : str or tuple of str
        One or several of "numpy", "host", "cuda:0", ... With an order of open nodes the devices share every batch, and
        the nodes are kept on the host. With `Explorers` each of up to eight devices has a share of them; they exchange
        intervals mostly on their device, so explorers scale better.
    below : int, keyword-only, optional
        With one GPU and an order of open nodes: batches of fewer nodes go to the CPU; 5,000 in Boukedjar, Lalami and
        El Baz (2012). By default the number is measured during the run.
    block : int, keyword-only, optional
        With GPUs and an order of open nodes: the threads of a GPU's block, a multiple of 32 up to 1,024; 192 in
        Boukedjar, Lalami and El Baz (2012), 128 by default. It changes only the time.
    placement : {"auto", "global", "read-only", "texture", "constant"}, keyword-only, default "auto"
        Without an executor: the memory of a GPU for the data of branching, bound and dominance; see `Cuda`. It changes
        only the time.
    executor : concurrent.futures.Executor or callable, keyword-only, optional
        For `Explorers`: workers that take slices of them, such as those of a pool of processes, of Dask or of MPI. A
        function that makes an executor is called again when an executor breaks.
    slices : int, keyword-only, optional
        Number of tasks at the same time, with an executor: the number of workers, each on one of the devices in turn.
    retries : int, keyword-only, default 3
        The most times that lost slices of a round are submitted again.

    Notes
    -----
    The tree-based model of B. Gendron and T. G. Crainic, "Parallel branch-and-bound algorithms: survey and synthesis",
    Operations Research 42, 1994.
    """

    devices: tuple[str, ...] = field(converter=_names)
    below: int | None = whole_field(1, default=None, kw_only=True)
    block: int | None = whole_field(32, 1024, default=None, maybe="use block=192.", kw_only=True)
    placement: str = placement_field()
    executor: Executor | Callable[[], Executor] | None = field(default=None, kw_only=True, validator=_executor)
    slices: int | None = whole_field(1, default=None, kw_only=True)
    retries: int = whole_field(0, default=3, kw_only=True)

    @block.validator
    def _whole_warps(self, _: Any, block: int | None) -> None:
        if block is not None and block % 32:
            raise InputError(f"`TreeExploration.block` must be a multiple of 32, but is {block}.", "use block=192.")

    def require_nested(self, name: str) -> None:
        """Refuse to be inside another model: the nodes of a tree are shared already."""
        raise InputError(
            f"`{name}` must have walks, but TreeExploration explores one tree.",
            "use TreeExploration alone: it takes several devices, and an executor.",
        )

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Choose, compile, upload; workers compile for themselves."""
        if not isinstance(search, BranchAndBound):
            raise InputError(
                f"TreeExploration explores trees, but {type(search).__name__} has none.", "use IterationLevel()."
            )
        search.branching.require(problem)
        for name in self.devices:
            require_halves(search.parts, name)
        if self.block is not None and (isinstance(search.order, Explorers) or set(self.devices) <= {"numpy", "host"}):
            raise InputError("`TreeExploration.block` is for GPUs and an order of open nodes.", "leave it out.")
        require_not_shared(self.placement)
        if self.executor is not None and self.placement != "auto":
            raise InputError("`TreeExploration.placement` is not for workers of an executor.", "leave it out.")
        engine = (
            self._explorers(search, problem) if isinstance(search.order, Explorers) else self._open(search, problem)
        )
        words = f"{' + '.join(self.devices)}{f', {self.slices or 1} slices' if self.executor else ''}"
        spread = spread_of(search, f"on {words}")
        described = words if self.executor else self._described(search)
        facts = Facts(" + ".join(self.devices), described, "asked for", True, spread)
        return TreeRunner(search, problem, engine, facts)

    @property
    def _is_hybrid(self) -> bool:
        """Whether a GPU is alone, so that the CPU takes small batches of open nodes."""
        return len(self.devices) == 1 and self.devices[0] not in ("numpy", "host")

    def _described(self, search: BranchAndBound) -> str:
        """The devices in words, each once."""
        helper = ("host",) if self._is_hybrid and isinstance(search.order, Frontier) else ()
        names = (*self.devices, *helper)
        return "; ".join(
            dict.fromkeys(
                in_python("").description if name == "numpy" else device_of(name).description for name in names
            )
        )

    def _explorers(self, search: BranchAndBound, problem: Problem) -> Engine:
        assert isinstance(search.order, Explorers)
        if self.executor is None:
            if self.slices is not None:
                raise InputError(
                    "`TreeExploration.slices` are tasks of an executor, but there is none.", "leave it out."
                )
            if len(self.devices) > (groups := min(GROUPS, search.order.count)):
                raise InputError(
                    f"{len(self.devices)} devices cannot share {search.order.count} explorers in {groups} groups.",
                    "name fewer devices, or take more explorers.",
                )
            walkers = [walker_on(search.parts, problem, name, placement=self.placement) for name in self.devices]
            walker: Walker = walkers[0] if len(walkers) == 1 else SeveralWalkers(search.parts, problem, walkers)
        else:
            count = self.slices or len(self.devices)
            devices = tuple(self.devices[i % len(self.devices)] for i in range(count))
            walker = DistributedWalker(search.parts, problem, devices, self.executor, self.retries)
        return ExplorerEngine(search.parts, problem, search.order, walker)

    def _open(self, search: BranchAndBound, problem: Problem) -> Engine:
        if self.executor is not None:
            raise InputError(
                f"An executor takes slices of explorers, but the order is {search.order!r}.", "use order=Explorers()."
            )
        assert isinstance(search.order, Frontier)
        devices = [None if name == "numpy" else device_of(name, self.placement) for name in self.devices]
        expanders = [expander_on(search.parts, problem, device, block=self.block) for device in devices]
        expander = expanders[0] if len(expanders) == 1 else SeveralExpanders(expanders)
        if self._is_hybrid:
            expander = HybridExpander(expander_on(search.parts, problem, device_of("host")), expander, self.below)
        elif self.below is not None:
            raise InputError("`TreeExploration.below` is for one GPU and a CPU.", "leave it out.")
        budget = expander.budget if search.memory is None else search.memory
        return FrontierEngine(search.parts, problem, search.order, expander, Store(search.disk), budget)
