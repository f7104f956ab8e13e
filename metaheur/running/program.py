"""Programs, which advance a search's walks without Python between two steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import frozen

from metaheur.device.halves import lacking
from metaheur.running.thresholds import Thresholds, walk_on_gpu

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.neighborhood import Neighborhood
    from metaheur.problem import Problem
    from metaheur.running.runner import Facts, Runner
    from metaheur.search import Search

__all__ = ["Alternatives", "Program", "Wishes", "lacking_of"]


@final
@frozen(kw_only=True)
class Wishes:
    """The wishes of a parallel model; with None and "auto" the program decides.

    `walks`: number of walks. `shares`: whether several blocks of a GPU may share the walk, where this is faster. `per`,
    one of "auto", "thread", "warp", "block", "cluster", "grid": the owner of a walk on a GPU. `block`: threads in a
    block of a GPU. `blocks`: blocks of a GPU that share a walk. `at_once`: the most walks that run at the same time on
    a GPU. `calibrate`: whether a GPU first tries several sizes of blocks. `threads`: threads of a CPU that share the
    walks. `thresholds`: sizes from which one way to run is faster than another.
    """

    walks: int = 1
    shares: bool = False
    per: str = "auto"
    block: int | None = None
    blocks: int | None = None
    at_once: int | None = None
    calibrate: bool = False
    threads: int | None = None
    thresholds: Thresholds = Thresholds()


@final
@frozen
class Alternatives:
    """What a planner may try beside the way to run a search that a rule chose.

    `kinds`: the kinds of devices on which the same walks may run; empty where nothing is to be tried. `spreads`:
    whether the walks may be spread over a device in other ways, too: stepped by Python, or by other owners. `divides`:
    whether the threads of a block can share a walk.
    """

    kinds: tuple[str, ...] = ()
    spreads: bool = False
    divides: bool = False


class Program(ABC):
    """The way to advance a search's walks without Python between two steps: it makes runners.

    `alone`: whether there is exactly one walk, which only the program can advance, as in exact search. False by
    default. `kinds`: the kinds of devices that the program runs on: "host" and "cuda" by default, perhaps "numpy", too.
    `stages`: whether blocks of a GPU can copy a problem's data into shared memory. False by default.
    """

    alone: ClassVar[bool] = False
    kinds: ClassVar[tuple[str, ...]] = ("host", "cuda")
    stages: ClassVar[bool] = False

    @property
    def streamed(self) -> Neighborhood | None:
        """The neighborhood that each step evaluates completely, if the step depends on the solution alone; or None.

        Where the neighborhood is very large, a model steps in Python, and a whole device evaluates each step. None by
        default.
        """
        return None

    @abstractmethod
    def lacking(self, problem: Problem) -> list[str]:
        """The names of components without a C++ half, which the program needs."""

    def suits_gpu(self, problem: Problem, wishes: Wishes, cores: int) -> tuple[bool, str]:
        """Whether a GPU is faster than this number of cores of a CPU, and why."""
        return walk_on_gpu(problem.representation.length, wishes.walks, cores, wishes.thresholds)

    def alternatives(self) -> Alternatives:
        """What a planner may try beside the way that a rule chose; nothing by default."""
        return Alternatives()

    @abstractmethod
    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        """The runner that advances the walks on a device.

        `wishes`: the wishes of the model. `device`: the device; None for NumPy. `facts`: the device's name and why it
        was chosen; the program adds to them in the `facts` of its runner.
        """


def lacking_of(search: Search[Any], problem: Problem) -> list[str]:
    """The reasons why walks of a search cannot stay on a device: no program, or the components without a C++ half."""
    if search.program is None:
        return [*lacking(problem, *search.neighborhoods), type(search).__name__]
    missing: list[str] = search.program.lacking(problem)
    return missing
