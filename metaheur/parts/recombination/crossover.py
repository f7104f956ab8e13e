"""Crossover: a child of two parents, made without a look at costs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.shell import Shell
from metaheur.device.halves import reads
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.evaluators.costs import python_cost
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.part import Part
from metaheur.parts.recombination.recombination import Recombination, Recombine, compiling_host
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Representation, Solution, named, read_only
from metaheur.walk import EvaluatedSolution

__all__ = ["Crossover", "NoCrossover", "coins"]


class Crossover(Part, Recombination):
    """Makes a child of two parents, without a look at costs.

    It serves populations, and as the recombination of `Islands`. Two equal parents have a child that is equal to them.

    Attributes
    ----------
    keeps : {"nothing", "common", "parents"}
        What the crossover promises: nothing; that a position where both parents have the same value keeps it; or that
        each position has the value of one of the parents. `check_recombination` proves it.
    copies : bool
        Whether the child is a copy of the first parent; False by default.
    """

    facts: ClassVar[tuple[str, ...]] = ("copies",)
    keeps: ClassVar[str] = "nothing"
    copies: ClassVar[bool] = False

    def supports(self, representation: Representation) -> bool:
        """Whether solutions of a representation have children, by its facts; by default all have.

        Parameters
        ----------
        representation : Representation
            The representation of the parents.
        """
        return True

    def require(self, problem: Problem) -> None:
        if not self.copies:
            super().require(problem)
        if not self.supports(problem.representation):
            raise InputError(
                f"{self!r} does not recombine solutions of this {type(problem).__name__}, which are "
                f"{problem.representation!r}.",
                "use Uniform() for bits and digits, UniformLike() for permutations, SwapPath() where entries trade.",
            )

    @abstractmethod
    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        """Make the first parent the child, in place.

        In C++, by all threads of a team, which are synchronised before and after it: ``void cross(Team, Item* x, const
        Item* other, Random) const``, where ``n`` is the length of a solution.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            A copy of the first parent, which becomes the child; its parts have names, if the solutions have parts.
        other : numpy.ndarray, shape (n,)
            The second parent, which is read-only.
        random : Random
            The random numbers of the child.
        """

    def child(
        self, problem: Problem, own: EvaluatedSolution, other: EvaluatedSolution, random: Random
    ) -> EvaluatedSolution:
        """The child with its cost; the first parent is the own solution."""
        x = own.solution.copy()
        self.cross(named(own.representation, x), read_only(other.solution), random)
        return EvaluatedSolution(own.representation, x, python_cost(problem, x))

    def bound(self, problem: Problem, threads: int) -> Recombine:
        """Compiled code, where it is allowed, there is a C++ compiler, and costs are whole numbers."""
        compiles = reads(self) and reads(problem) and not problem.objectives
        device = compiling_host(problem, threads) if compiles else None
        if device is None:
            return super().bound(problem, threads)
        return _Crossing(self, problem, device, threads)


@final
@define(eq=False)
class _Crossing:
    """Makes children by compiled code."""

    crossover: Crossover
    problem: Problem
    device: Device
    threads: int
    _session: Session = field(init=False)
    _evaluator: DeviceEvaluator = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile the code."""
        shell = Shell(
            pieces=("parts/recombination/children.cuh",),
            components={"crossover": self.crossover},
            members={"own": "Item*", "others": "Item*", "keys": "u32*", "iterations": "i64*"},
        )
        self._session = Session(compiled_kernels(self.problem, shell, self.device), self.device)
        self._session.keep()
        self._evaluator = DeviceEvaluator(self.problem, self.device, threads=self.threads)

    def __call__(
        self, pairs: Sequence[tuple[EvaluatedSolution, EvaluatedSolution]], randoms: Sequence[Random]
    ) -> list[EvaluatedSolution]:
        item = self._session.unit.types.item
        children, others = (np.array([each.solution for each in side], item) for side in zip(*pairs, strict=True))
        self._session.set(
            own=children,
            others=others,
            keys=np.array([(random.key.seed, random.key.walk) for random in randoms], np.uint32),
            iterations=np.array([random.iteration for random in randoms], np.int64),
        )
        self._session.launch("children", len(pairs))
        found = children.astype(self.problem.representation.dtype)
        costs = self._evaluator.costs(found).tolist()
        return [evolve(own, solution=x, cost=cost) for (own, _), x, cost in zip(pairs, found, costs, strict=True)]


@final
@frozen
class NoCrossover(Crossover):
    """A copy of the first parent, which only a mutation changes."""

    source: ClassVar[str] = "no_crossover.cuh"
    keeps: ClassVar[str] = "parents"
    copies: ClassVar[bool] = True

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        pass


def coins(random: Random, n: int) -> np.ndarray:
    """Fair coins, 32 in a random word: `Coins` in C++; array of bool, shape (n,).

    The coin k is the bit k % 32 of the word k / 32 % 4 of the draw k / 128.

    `n`: the number of coins.
    """
    words = np.array([random.words(draw) for draw in range(-(-n // 128))], np.uint32).ravel()
    bits = words[:, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
    return bits.ravel()[:n].astype(bool)


def segment(random: Random, n: int) -> tuple[int, int]:
    """The first and the last position of a random segment, by the draws 0 and 1; `random_segment` in C++."""
    a, b = random.index(0, n), random.index(1, n)
    return min(a, b), max(a, b)
