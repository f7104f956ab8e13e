"""A program: what advances a search's walks without Python between two steps."""

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

__all__ = ["Program", "Wishes", "lacking_of"]


@final
@frozen(kw_only=True)
class Wishes:
    """What a parallel model asks of a program; None and "auto" leave it to the program.

    Parameters
    ----------
    walks : int, default 1
        How many walks there are.
    shares : bool, default False
        Whether the blocks of a GPU may share the walk, where that is faster.
    per : {"auto", "thread", "warp", "block", "cluster", "grid"}, default "auto"
        Who owns a walk on a GPU.
    block : int, optional
        Threads of a GPU's block.
    blocks : int, optional
        Blocks of a GPU that share a walk.
    at_once : int, optional
        Walks that run at one time on a GPU, at most.
    calibrate : bool, default False
        Whether a GPU tries other sizes of blocks first.
    threads : int, optional
        Threads of a CPU that share the walks.
    thresholds : Thresholds, optional
        The sizes that decide.
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


class Program(ABC):
    """What advances a search's walks without Python between two steps. Models wish, programs make runners.

    Attributes
    ----------
    alone : bool
        Whether there is one walk, which nothing but the program advances, as in exact search. False by default.
    kinds : tuple of str
        The kinds of devices that it runs on: "host" and "cuda" by default, perhaps "numpy", too.
    stages : bool
        Whether its blocks copy a problem's data into a GPU's shared memory where that is asked for. False by default.
    """

    alone: ClassVar[bool] = False
    kinds: ClassVar[tuple[str, ...]] = ("host", "cuda")
    stages: ClassVar[bool] = False

    @property
    def streamed(self) -> Neighborhood | None:
        """The neighborhood that every step evaluates whole, if nothing but the solution decides; None by default.

        Where it is very large, a whole device evaluates each step instead of the program.
        """
        return None

    @abstractmethod
    def lacking(self, problem: Problem) -> list[str]:
        """The names of what has no C++ half, although the program needs one."""

    def suits_gpu(self, problem: Problem, wishes: Wishes, cores: int) -> tuple[bool, str]:
        """Whether a GPU is faster than so many cores of a CPU, and why."""
        return walk_on_gpu(problem.representation.length, wishes.walks, cores, wishes.thresholds)

    @abstractmethod
    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        """What advances the walks on a device.

        Parameters
        ----------
        problem : Problem
            On what.
        wishes : Wishes
            What the model asks for.
        device : Device or None
            Where; None for NumPy.
        facts : Facts
            Where that is and why; the program says more in the `facts` of its runner.
        """


def lacking_of(search: Search[Any], problem: Problem) -> list[str]:
    """What keeps the walks of a search from staying on a device: what has no C++ half, or a search without program."""
    if search.program is None:
        return [*lacking(problem, *search.neighborhoods), type(search).__name__]
    missing: list[str] = search.program.lacking(problem)
    return missing
