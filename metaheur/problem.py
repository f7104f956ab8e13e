"""Problems: data, and one formula to minimise."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, runtime_checkable

import numpy as np

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.marker import Compiled, compiled_members

if TYPE_CHECKING:
    from metaheur.costs.levels import Levels
    from metaheur.move import Move
    from metaheur.random import Random
    from metaheur.representation import Representation, Solution

F = TypeVar("F", bound=Callable[..., Any])

__all__ = [
    "Constructs",
    "ConstructsMany",
    "CountsViolations",
    "HasLevels",
    "Problem",
    "TypesChanges",
    "change_type",
    "constructed",
    "constructive",
    "is_fold",
    "is_priced",
    "judges",
    "level_names",
    "level_numbers",
    "levels_of",
    "minimised",
    "reaches",
    "repeated",
    "type_of_changes",
]


def _unless_fold(function: F) -> F:
    """Make a method abstract; type checkers do not know that a fold has it, and need not."""
    return abstractmethod(function)


class _Length:
    """The length of a solution, unless the problem has a field `n`: a property would hide this field."""

    def __get__(self, problem: Problem | None, owner: type | None = None) -> Any:
        return self if problem is None else problem.representation.length


class Problem(Component):
    """An optimisation problem: data (fields made with `data`) and one formula to minimise (`cost`).

    Subclasses are final and frozen: ``@final @frozen(eq=False) class Mine(Problem)``.

    An ability that only some problems have is a *capability*: a protocol beside the class that uses it, such as
    `InsertsPartially` beside `Rebuild`. A problem has the capability if its class defines the protocol's methods.

    Attributes
    ----------
    maximise : bool
        Whether `cost` is the negative of what the user wants; results then show the positive value.
    moves : tuple of type
        Classes of moves of your own that the C++ half mentions; those that metaheur ships are always known.
    derives : bool or None
        Whether changes of cost are derived from a compiled `cost` without a `delta`: None, the default, where a
        derivation is found that is cheaper; True makes it an error if none is; False derives none.
    """

    maximise: ClassVar[bool] = False
    moves: ClassVar[tuple[type[Move], ...]] = ()
    derives: ClassVar[bool | None] = None

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        for name, cost in (("step", _folded), ("join", _priced)):
            if isinstance(vars(cls).get(name), Compiled) and "cost" not in vars(cls):
                cls.cost = cost  # type: ignore[assignment, method-assign]
        names = getattr(getattr(vars(cls).get("__init__"), "__code__", None), "co_names", ())
        if "representation" in names and getattr(cls.representation, "__isabstractmethod__", False):
            cls.representation = None  # type: ignore[assignment]  # which `__init__` sets

    @property
    @abstractmethod
    def representation(self) -> Representation:
        """The space of solutions: a property, an attribute of the class, or one that `__init__` sets."""

    if TYPE_CHECKING:

        @property
        def n(self) -> int:
            """The length of a solution."""

    else:
        n = _Length()

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives, where there are several; () by default, where the cost is one number.

        With K names, 2 ... 8, a cost is K numbers of one type, int64 or float64, all minimised; the arrays of `costs`,
        and of `delta` for many moves, have a last axis of length K; in C++ `Cost` and `Total` are
        `Objectives<Number, K>`.
        """
        return ()

    @_unless_fold
    def cost(self, x: Solution) -> Any:
        """The cost of a solution, to be minimised: a number, or one for each of `objectives` or of its levels.

        A whole number must lie between -2**62 and 2**62, so that int64 holds every change of cost. A fraction is an
        error, unless `cost_type` is "float64".

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            A valid solution; it must not be written.
        """

    def costs(self, xs: np.ndarray) -> Any:
        """The costs of many solutions.

        Parameters
        ----------
        xs : numpy.ndarray, shape (m, n)
            A solution a row: a NumPy or a CuPy array. Array functions serve both.

        Returns
        -------
        numpy.ndarray, shape (m,), or (m, K) with K objectives
            By default `cost` of each row.
        """
        costs = [self.cost(x) for x in xs]
        return np.array(costs, np.float64 if self.cost_type == "float64" else None if costs else np.int64)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost that a move would make; optional.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution.
        move : Move
            One move; or m moves, whose fields are arrays of shape (m,), and then the result is such an array, too. A
            formula that indexes with the fields serves both.

        Returns
        -------
        int, float, numpy.ndarray or NotImplemented
            With `NotImplemented` (the default), evaluators compute the full cost of each moved solution.
        """
        return NotImplemented

    def feasible(self, x: Solution, move: Any) -> bool:
        """Whether a move leads from a feasible solution to a feasible one; True by default.

        A problem that defines it has *hard constraints*: its walks begin at feasible solutions, which `construct`
        makes, or a repair of what `violations` counts, and no search makes a move that is not feasible. In C++, with or
        without the kept arrays, for each class of moves: ``bool feasible(Team, const Item* x, State, SwapMove) const``.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            A feasible solution.
        move : Move
            One move, feasible in its neighborhood.
        """
        return True

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int64" (the default), "float64", or "int32".

        "int32" asks for a proof: a bound that covers every partial sum of `delta` and `update`, and the difference of
        the costs of any two solutions, which full evaluations find. A problem that can prove this for some moves only
        defines `change_type`, too: see `TypesChanges`.
        """
        return "int64"

    def explain(self, *neighborhoods: Any) -> str:
        """The C++ text of the compiled methods: a `.cuh` to read, or to continue by hand.

        Parameters
        ----------
        neighborhoods : Neighborhood
            For whose moves changes of cost are derived from the cost; by default the usual ones of the representation.

        Raises
        ------
        InputError
            If there are no compiled methods.
        CompileError
            If a method cannot be translated.
        """
        members = compiled_members(type(self))
        if not members:
            raise InputError(f"{type(self).__name__} has no @compiled methods, so there is nothing to explain.")
        moves = [kind for each in neighborhoods for kind in each.move_types]
        return next(iter(members.values())).translator.explain(self, moves)

    @property
    def cost_factor(self) -> int:
        """By which number the costs of the user's file were multiplied so that all are whole; a power of ten.

        `cost`, and what searches compare with it, such as temperatures, are multiplied; what the user reads and writes,
        such as results, records and targets, is in the units of the file.
        """
        return 1

    def displayed(self, cost: Any) -> Any:
        """A cost as the user reads it: in the units of the file, and its negative where the problem maximises.

        Parameters
        ----------
        cost : int, float, tuple or numpy.ndarray
            As `cost` counts; a tuple holds a number for each objective. Where a cost `HasLevels`, a number as searches
            see it is shown as its levels: as a tuple, or along a last axis.
        """
        levels = levels_of(self)
        found = cost if levels is None or isinstance(cost, tuple) else levels.unpacked(cost)
        return tuple(map(self._shown, found)) if isinstance(found, tuple) else self._shown(found)

    def _shown(self, number: Any) -> Any:
        """A number of a cost, or an array of them, as the user reads it."""
        signed = -number if self.maximise else number
        return signed if self.cost_factor == 1 else signed / self.cost_factor


class HasLevels(Protocol):
    """A problem whose cost has levels, such as hard and soft: a lower one counts among equal higher ones.

    `cost` and `delta` return a number for each level, in Python and compiled; C++ returns ``levels(hard, soft)``, a
    generated function. Searches see one whole number of 61 bits in place of the levels.

    Attributes
    ----------
    levels : tuple of str
        The names of 2 ... 4 levels, the most important first. A solution whose first level is 0 is called feasible.
    """

    levels: ClassVar[tuple[str, ...]]

    def level_bounds(self) -> Sequence[tuple[int, int]]:
        """The least and the largest value of each level, over all solutions of the space, proved from the data."""


def level_names(problem: Problem) -> tuple[str, ...]:
    """The names of the levels of costs; () for a problem without levels."""
    return getattr(problem, "levels", ())


def levels_of(problem: Problem) -> Levels | None:
    """How the levels of a problem's costs are packed into one number; None for a problem without levels.

    Raises InputError if its declarations contradict each other, or if int64 does not hold the packed numbers.
    """
    if not level_names(problem):
        return None
    from metaheur.costs.levels import known_levels

    return known_levels(problem)


def level_numbers(problem: Problem) -> dict[str, int]:
    """What C++ packs the levels of a problem's costs with, by the names of members."""
    levels = levels_of(problem)
    return {} if levels is None else levels.numbers


def reaches(cost: Any, target: Any, *, maximise: bool) -> bool:
    """Whether a cost reaches a target, both as the user reads them; of levels, None leaves one and all below open."""
    if isinstance(target, tuple | list):
        known = tuple(each for each in target if each is not None)
        cost, target = tuple(cost)[: len(known)], known
    return bool(cost >= target if maximise else cost <= target)


@runtime_checkable
class CountsViolations(Protocol):
    """A problem that tells how far a solution is from being feasible."""

    def violations(self, x: Solution) -> int:
        """A whole number, 0 if and only if the solution is feasible; starts are repaired until it is 0.

        In C++ ``Total violations(Team, const Item* x) const``.

        `x`, numpy.ndarray, shape (n,): a valid solution, feasible or not.
        """


def judges(problem: Problem) -> bool:
    """Whether a problem has hard constraints: it defines `feasible`."""
    return type(problem).feasible is not Problem.feasible


def minimised(problem: Problem, cost: Any) -> int | float | Fraction:
    """A cost that the user names, as searches count it: the inverse of `Problem.displayed`, exactly.

    With levels, the highest cost that reaches it; see `Levels.ceiling`.
    """
    levels = levels_of(problem)
    if levels is not None:
        several = isinstance(cost, tuple | list)
        numbers = [each if each is None else _counted(problem, each) for each in (cost if several else [cost])]
        return levels.ceiling(tuple(numbers) if several else cost, type(problem).__name__)
    return _counted(problem, cost)


def _counted(problem: Problem, number: float) -> int | float | Fraction:
    """A number of a cost that the user names, as the problem counts it."""
    signed = -number if problem.maximise else number
    return signed if problem.cost_factor == 1 else Fraction(str(signed)) * problem.cost_factor


def _folded(problem: Problem, x: Solution) -> Any:
    """The cost of a solution, which the problem's `start`, `step` and `finish` define."""
    return compiled_members(type(problem))["step"].translator.folded(problem, x)


def _priced(problem: Problem, x: Solution) -> Any:
    """The cost of a solution of lists, which the problem's `unit`, `join` and `price` define."""
    return compiled_members(type(problem))["join"].translator.priced(problem, x)


def require_representation(problem: Problem) -> None:
    """Refuse a problem whose `representation` is something else, such as the tuple of its parts."""
    from metaheur.representation import Representation

    found: Any = problem.representation
    if isinstance(found, Representation):
        return
    name = f"{type(problem).__name__}.representation"
    if callable(found):
        raise InputError(f"{name} must be a property, but is a method.", "put @property above it.")
    raise InputError(
        f"{name} must be a Representation, but is {str(found)[:60]}.", "write Permutation(n), BitString(n) or another."
    )


def is_fold(kind: type) -> bool:
    """Whether a class of problems says `start`, `step` and `finish` instead of `cost`."""
    return getattr(kind, "cost", None) is _folded


def is_priced(kind: type) -> bool:
    """Whether a class of problems says `unit`, `join` and `price` instead of `cost`."""
    return getattr(kind, "cost", None) is _priced


@runtime_checkable
class TypesChanges(Protocol):
    """A problem that knows a narrower type than `cost_type` for the changes of cost under some moves."""

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """Type of a change of cost under moves of some classes: "int32", "int64" or "float64".

        "int32" asks for the proof that `Problem.cost_type` describes. A move without a formula is evaluated in full, in
        the type of costs.

        `moves`: classes of moves; () for any.
        """


def change_type(problem: Problem, moves: tuple[type[Move], ...]) -> str:
    """Type of a change of cost under moves of some classes: `cost_type` unless the problem `TypesChanges`."""
    return problem.change_type(moves) if isinstance(problem, TypesChanges) else problem.cost_type


def type_of_changes(problem: Problem, moves: Iterable[tuple[type[Move], ...]]) -> str:
    """Type of a change of cost under the moves of several neighborhoods, given their `move_types`.

    Raises InputError if the type is none of "int32", "int64" and "float64".
    """
    each = list(moves)
    kinds = () if not all(each) else tuple(dict.fromkeys(kind for kinds in each for kind in kinds))
    found = change_type(problem, kinds)
    if found not in ("int32", "int64", "float64"):
        raise InputError(
            f"{type(problem).__name__}: the type of a change of cost must be int32, int64 or float64, but is {found!r}."
        )
    return found


@runtime_checkable
class Constructs(Protocol):
    """A problem with a constructive heuristic; ``run(..., start="construct")`` and `ConstructedSolution` need one."""

    def construct(self, random: Random) -> Solution:
        """A good solution to start from; the same random numbers must give the same solution."""


@runtime_checkable
class ConstructsMany(Protocol):
    """A problem that constructs the first solutions of many walks at once, by compiled code or because all are one."""

    def construct_many(self, randoms: Sequence[Random]) -> Iterator[np.ndarray]:
        """Blocks of solutions, a row each, in order: row r of all is what ``construct(randoms[r])`` makes.

        A block takes at most some tenths of a second where solutions differ: a limit of time is looked at between two.

        `randoms`: the random numbers of each walk for its start.
        """


def repeated(problem: Constructs, randoms: Sequence[Random]) -> Iterator[np.ndarray]:
    """`construct_many` of a problem whose `construct` draws nothing."""
    yield np.tile(problem.construct(randoms[0]), (len(randoms), 1))


def constructed(problem: Problem, random: Random, instead: str) -> Solution:
    """A valid solution by the problem's constructive heuristic; refused, with the way out `instead`, without one."""
    return problem.representation.validate(constructive(problem, instead).construct(random))


def constructive(problem: Problem, instead: str) -> Constructs:
    """The problem itself, if it has a constructive heuristic; else it is refused, and `instead` is the way out."""
    if not isinstance(problem, Constructs):
        raise InputError(f"{type(problem).__name__} has no constructive heuristic.", instead)
    return problem
