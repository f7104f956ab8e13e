"""What is to be minimised: data and one formula."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["Problem"]


class _Length:
    """The length of a solution, unless a field of a problem has the name: a property would hide such a field."""

    def __get__(self, problem: Problem | None, owner: type | None = None) -> Any:
        return self if problem is None else problem.representation.length


class Problem(Component):
    """What is to be minimised: data (fields made with `data`) and one formula (`cost`).

    Subclasses are final and frozen: ``@final @frozen(eq=False) class Mine(Problem)``.

    Attributes
    ----------
    maximise : bool
        Whether `cost` is the negative of what the user wants; results then show the positive value.
    moves : tuple of type
        Classes of moves of your own that the C++ half mentions; those that metaheur ships are always known.
    stateless : tuple of type
        Classes of moves whose change of cost the C++ half computes in a second way, without what it keeps:
        ``delta(team, x, move)`` beside ``delta(team, x, state, move)``. A thread of a GPU that tries one move at a time
        then keeps nothing.
    keeps_parts : bool
        Whether what its `parts` keep is kept, too.
    """

    maximise: ClassVar[bool] = False
    moves: ClassVar[tuple[type[Move], ...]] = ()
    stateless: ClassVar[tuple[type[Move], ...]] = ()
    keeps_parts: ClassVar[bool] = True

    @property
    @abstractmethod
    def representation(self) -> Representation:
        """The space of solutions."""

    if TYPE_CHECKING:

        @property
        def n(self) -> int:
            """The length of a solution."""

    else:
        n = _Length()

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives, where there are several; (), the default, where the cost is one number.

        With K names, 2 ... 8, a cost is K numbers of one type, int64 or float64, all minimised; `costs` and `delta` of
        many have a last axis of K; and in C++ `Cost` and `Total` are `Objectives<Number, K>`.
        """
        return ()

    @property
    def parts(self) -> tuple[Problem, ...]:
        """The problems that this one is made of, with C++ halves of their own; none by default.

        In C++ they are the members `part_0`, `part_1`, ..., each in a namespace of its name with its own `Cost`, and
        what they keep is a member of the same name of `State`; ``parts(s, f)`` calls ``f(k, part, state of the part)``.
        """
        return ()

    @abstractmethod
    def cost(self, x: Solution) -> Any:
        """The cost of a solution, to be minimised: a number; or a sequence of one for each of `objectives`.

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
            A solution a row. Written with array functions only, the method serves NumPy and CuPy arrays alike.

        Returns
        -------
        numpy.ndarray, shape (m,), or (m, K) with K objectives
            By default `cost` of each row.
        """
        costs = [self.cost(x) for x in xs]
        return np.array(costs, np.float64 if self.cost_type == "float64" else None if costs else np.int64)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost if the move were made; optional.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution.
        move : Move
            One move, or many: its fields are then arrays of shape (m,), and so is the answer. Formulas that index
            with the fields serve both.

        Returns
        -------
        int, float, numpy.ndarray or NotImplemented
            `NotImplemented` (the default) has the moved solutions evaluated in full.
        """
        return NotImplemented

    def insertions(self, partial: np.ndarray, item: int) -> Any:
        """The costs of a partial permutation with one more item, for each place where that may go; optional.

        In C++: ``void insertions(Team, const Item* x, int length, Item item, State s, Cost* out) const``, which writes
        length + 1 costs; what is kept in `s` may be overwritten, as `init` is called before it is read again.

        Parameters
        ----------
        partial : numpy.ndarray, shape (m,)
            Different items; it must not be written.
        item : int
            An item that is not among them.

        Returns
        -------
        numpy.ndarray, shape (m + 1,), or NotImplemented
            The k-th is the cost where k items stand before it; `NotImplemented` (the default) where the problem does
            not evaluate partial permutations.
        """
        return NotImplemented

    def edge(self, a: Any, b: Any) -> Any:
        """The cost of the edge between two items, where the cost of a permutation is the sum of its edges; optional.

        It counts the edge from the last item to the first, too, and is the same in both directions. In C++: ``Cost
        edge(int a, int b) const``.

        Parameters
        ----------
        a, b : int or numpy.ndarray
            Items; of arrays, entry by entry.

        Returns
        -------
        int, float, numpy.ndarray or NotImplemented
            `NotImplemented` (the default) where the cost is not such a sum.
        """
        return NotImplemented

    @property
    def points(self) -> np.ndarray | None:
        """Where the items of a permutation lie in the plane, shape (n, 2); None, the default, where they do not."""
        return None

    @property
    def longest_edge(self) -> Any:
        """What no `edge` exceeds; by default found among all of them."""
        items = np.arange(self.representation.length)
        return max(self.edge(*np.broadcast_arrays(item, items)).max() for item in items).item()

    def construct(self, random: Random) -> Solution:
        """A good solution to start from: ``run(..., start="construct")``; optional.

        Parameters
        ----------
        random : Random
            The walk's random numbers of the start: the same ones, the same solution.

        Raises
        ------
        InputError
            Always, by default: a problem has no constructive heuristic unless it says so.
        """
        raise InputError(
            f"{type(self).__name__} has no constructive heuristic.", "leave `start` out, for a random solution."
        )

    @property
    def best_known(self) -> int | float | None:
        """The best cost that is known of this instance, as the user reads it; None, the default, where none is.

        `run_many` takes it as the target.
        """
        return None

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int64" (the default), "float64", or "int32".

        "int32" asks for a proof: a bound that covers every partial sum of `delta` and `update`, and the difference of
        the costs of any two solutions, which full evaluations find. See `change_type` for proofs of some moves only.
        """
        return "int64"

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """Type of a change of cost under moves of some classes: `cost_type` by default.

        Where "int32" can be proven for some moves only, override this. A move without a formula is evaluated in full,
        in the type of costs.

        Parameters
        ----------
        moves : tuple of type
            Classes of moves; () for any.
        """
        return self.cost_type

    @property
    def delta_operations(self) -> int:
        """About how many elementary operations a change of cost takes where it is not kept from move to move.

        By default 1, or what those of `parts` take together. Where it is many, a GPU gives more blocks to one walk.
        """
        return max(1, sum(part.delta_operations for part in self.parts))

    def explain(self) -> str:
        """The C++ that the compiled methods become, a `.cuh` to read or to go on from.

        Raises
        ------
        InputError
            If there are none.
        CompileError
            If a method cannot be translated.
        """
        members = compiled_members(type(self))
        if not members:
            raise InputError(f"{type(self).__name__} has no @compiled methods, so there is nothing to explain.")
        return next(iter(members.values())).translator.explain(self)

    def displayed(self, cost: Any) -> Any:
        """A cost as the user reads it: its negative where the problem maximises."""
        if isinstance(cost, tuple):
            return tuple(map(self.displayed, cost))
        return -cost if self.maximise else cost
