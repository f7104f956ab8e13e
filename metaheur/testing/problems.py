"""The check of a problem: every change of cost is the difference of two full evaluations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.component import components_of
from metaheur.device.device import Device
from metaheur.device.generator.record import types_of
from metaheur.device.halves import reads
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.evaluators.costs import allows, asked, change, numbers, packed, python_cost
from metaheur.evaluators.evaluator import feasible_moves, largest
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.evaluators.offers import Offers
from metaheur.machine.ahead import Ahead
from metaheur.marker import is_compiled
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.problem import CountsViolations, Problem, is_priced, judges, levels_of
from metaheur.random import Key, Random
from metaheur.representation import Solution
from metaheur.searches.repair import feasible_start
from metaheur.testing.compiled_check import THREADS, CompiledCheck, chosen_devices, require_instance
from metaheur.testing.faults import lines_named
from metaheur.testing.guards import Guards
from metaheur.testing.members import SIGNATURES, ProblemMembers, check_members, check_names, members_in_words
from metaheur.translator.explain import notes_of
from metaheur.translator.segments import check_joins
from metaheur.walk import EvaluatedSolution

__all__ = ["ProblemReport", "check_problem", "require_equal_costs"]

EVERY_INDEX = 10**6
"""Up to so many moves every index is checked; otherwise one index of each of `STRATA` equal ranges."""

REMEMBERED = 10**5
"""Up to so many moves the oracle remembers its results, as every device asks for the same."""

STRATA = 2000
STEPS = 4
FLOAT_TOLERANCE = 1e-9
COMMITTED = 64
"""Moves that are then made and compared with a fresh `init`, to find a `commit` that is wrong for few moves."""


@final
@define
class ProblemReport:
    """The report of a check; ``print(check_problem(...))`` shows it line by line.

    Parameters
    ----------
    problem : str
        The name of the problem's class.
    lines : list of str
        For each neighborhood and device, the members of the C++ half that its moves use.
    offers : dict of str to Offers
        What evaluators can do with these members, by neighborhood and device, such as "Swap() on host".
    """

    problem: str
    lines: list[str] = field(factory=list)
    offers: dict[str, Offers] = field(factory=dict)

    def __str__(self) -> str:
        return "\n".join([f"{self.problem}: every change of cost equals two full evaluations.", *self.lines])


def check_problem(
    problem: Problem, *neighborhoods: Neighborhood, seed: int = 0, devices: Iterable[str] | None = None
) -> ProblemReport:
    """Check that every change of cost is the difference of two full evaluations.

    The C++ half is checked at a solution and after some moves, so that kept arrays are built (`init`), advanced
    (`commit`) and used to update known changes of cost (`update`). The arrays hold garbage before, and the memory
    around them must not change. A problem with hard constraints begins at a feasible solution; where it counts
    `violations`, exactly the moves that lead to solutions without any must be `feasible`. Costs of type float64 may
    differ by 1e-9 times the larger of the cost and 1. A `join` of segments must be associative.

    Parameters
    ----------
    problem : Problem
        A small instance: every index of its neighborhoods is evaluated in full, up to 10**6 moves; beyond that, a
        stratified sample.
    *neighborhoods : Neighborhood
        The neighborhoods of the check, at least one.
    seed : int, default 0
        The seed of the solutions.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine. The Python half is always checked.

    Returns
    -------
    ProblemReport
        The members that the C++ half has for the moves of each neighborhood.

    Raises
    ------
    CheckFailed
        If something is wrong; names the first error.
    InputError
        If the Python half returns a value that is not a cost, or writes into a solution.
    """
    require_instance(problem, Problem, "check_problem", "OneMax(10)")
    if not neighborhoods:
        raise CheckFailed("check_problem was given no neighborhood.", "call check_problem(problem, Swap()).")
    for neighborhood in neighborhoods:
        require_instance(neighborhood, Neighborhood, "check_problem", "Swap()")
    with lines_named(problem):
        report = _checked(problem, neighborhoods, seed, devices)
    report.lines += [f"note: {note}" for note in notes_of(problem)]
    return report


def _checked(
    problem: Problem, neighborhoods: tuple[Neighborhood, ...], seed: int, devices: Iterable[str] | None
) -> ProblemReport:
    name, space = type(problem).__name__, problem.representation
    drawn = feasible_start(problem, Key(seed)) if judges(problem) else space.random(Random(Key(seed), 0, 0))
    x = space.validate(drawn).copy()  # writable, so that a write into it is noticed
    report = ProblemReport(name)
    if judges(problem) and not isinstance(problem, CountsViolations):
        report.lines.append("note: without violations(x), nothing proves that `feasible` forbids the right moves")
    _check_costs(problem, x, seed)
    if is_priced(type(problem)):
        check_joins(problem, seed)
    for neighborhood in neighborhoods:
        require_supported(neighborhood, space, f"this {name}")
        oracle = _Oracle(problem, neighborhood)
        compiled = reads(problem) and reads(neighborhood)
        halves = [*_begun(oracle, chosen_devices(devices, name), seed)] if compiled else []
        _check_python(oracle, x, seed)
        if not compiled:
            report.lines.append(f"{neighborhood!r}: Python only")
        for device, checked, half in halves:
            found = half().check(x)
            if not checked:
                where = f"{neighborhood!r} on {device}"
                report.offers[where] = found[1]
                report.lines.append(f"{where}: {found[0]}")
    return report


def _begun(oracle: _Oracle, devices: Iterable[str], seed: int) -> Iterator[tuple[str, bool, Callable[[], _Half]]]:
    """The halves on each device, whether they check as they run, and functions that return them.

    They are compiled side by side from now on.
    """
    problem, neighborhood = oracle.problem, oracle.neighborhood
    translated = is_compiled(type(problem)) or is_compiled(type(neighborhood))
    for name in devices:
        for checked in (True, False) if name == "host" and translated else (False,):
            make = partial(_Half, oracle, device_of(name), seed, checked=checked)
            yield name, checked, Ahead(make, repr(neighborhood)).value


@final
class _Oracle:
    """Changes of cost by two full evaluations of the Python half."""

    def __init__(self, problem: Problem, neighborhood: Neighborhood) -> None:
        self.problem, self.neighborhood = problem, neighborhood
        self._known: dict[bytes, dict[int, Any]] = {}

    def change(self, solution: EvaluatedSolution, k: int) -> Any:
        """The change of cost of the move with index k; None if it is infeasible."""
        if self.neighborhood.size(self.problem.representation) > REMEMBERED:
            return self._evaluated(solution, k)
        known = self._known.setdefault(solution.solution.tobytes(), {})
        if k not in known:
            known[k] = self._evaluated(solution, k)
        return known[k]

    def _evaluated(self, solution: EvaluatedSolution, k: int) -> Any:
        x, move = solution.solution, self.neighborhood.move(self.problem.representation, k)
        leaf = move.resolve(x)
        if leaf is None or self.forbids(x, leaf):
            return None
        return change(self.problem, python_cost(self.problem, move.apply(x)), solution.cost)

    def forbids(self, x: Solution, leaf: Any) -> bool:
        """Whether a move leads to a solution that is not feasible: its violations say so, or else `feasible` itself."""
        if judges(self.problem) and isinstance(self.problem, CountsViolations):
            return bool(asked(self.problem, "violations", np.asarray(leaf.apply(x))))
        return not allows(self.problem, x, leaf)

    def compare(self, solution: EvaluatedSolution, deltas: np.ndarray, indices: Sequence[int], where: str = "") -> None:
        """Fail with the first change of cost that is wrong."""
        feasible = feasible_moves(deltas, self.problem)
        for k in indices:
            expected = self.change(solution, k)
            if expected is None:
                if feasible[k]:
                    what = self.described(solution, k, where)
                    raise CheckFailed(
                        f"{what} is {deltas[k]}, but the move is infeasible: it must be the largest number."
                    )
            elif judges(self.problem) and not feasible[k]:
                what = self.described(solution, k, where)
                raise CheckFailed(
                    f"{what}: `feasible` forbids the move, but it leads to a solution without violations.",
                    "let it be True for every move between feasible solutions.",
                )
            elif not np.all(equal_costs(self.problem, deltas[k], expected, solution.cost)):
                what = self.described(solution, k, where)
                moved = python_cost(self.problem, self._moved(solution, k))
                lowest = -largest(deltas.dtype)  # devices return this for NaN
                finite = deltas.dtype.kind != "f" or (deltas[k] != lowest).all()
                raise CheckFailed(
                    f"{what}, cost {self.shown(solution.cost)}, moved cost {self.shown(moved)}, is "
                    f"{self.shown(deltas[k]) if finite else 'not a finite number'}, but two full evaluations say "
                    f"{self.shown(expected)}."
                )

    def shown(self, number: Any) -> Any:
        """A cost, or a change of it, as levels where costs have some."""
        return _unpacked(self.problem, number)

    def _moved(self, solution: EvaluatedSolution, k: int) -> Solution:
        return self.neighborhood.move(self.problem.representation, k).apply(solution.solution)

    def described(self, solution: EvaluatedSolution, k: int, where: str) -> str:
        """The change of cost of a move, in words."""
        name, move = type(self.problem).__name__, self.neighborhood.move(self.problem.representation, k)
        return f"{name}{where}: the change of cost of {move!r} (index {k}) at {solution.solution}"


def _check_costs(problem: Problem, x: Solution, seed: int) -> None:
    space, name = problem.representation, type(problem).__name__
    rows = np.stack([x, *(space.random(Random(Key(seed), 0, k)) for k in range(1, 4))])
    alone = [python_cost(problem, row) for row in rows]
    costs = np.asarray(packed(problem, asked(problem, "costs", rows), "costs"))
    if costs.shape != (len(rows), *numbers(problem)):
        raise CheckFailed(f"{name}.costs returns the shape {costs.shape} for {len(rows)} solutions.")
    for row, cost, expected in zip(rows, costs, alone, strict=True):
        require_equal_costs(problem, cost, expected, f"{name}.costs of {row}", "`cost` says")


def _check_python(oracle: _Oracle, x: Solution, seed: int) -> None:
    """Check the Python half at x, and after some moves."""
    problem, neighborhood = oracle.problem, oracle.neighborhood
    space, name = problem.representation, type(problem).__name__
    moves = NumpyEvaluator(problem).of(neighborhood)
    solution = EvaluatedSolution(space, x, python_cost(problem, x))
    for step in range(STEPS):
        deltas = moves.deltas(solution)
        oracle.compare(solution, deltas, _strata(moves.size, seed + step))
        k = _next_move(problem, neighborhood, solution, seed + step)
        if k is None:
            return
        one = moves.delta(solution, k)
        what = f"{name}.delta of {neighborhood.move(space, k)!r} alone"
        require_equal_costs(problem, one, deltas[k], what, "among many moves it is", solution.cost)
        solution = solution.moved(neighborhood, k, one)


def _next_move(problem: Problem, neighborhood: Neighborhood, solution: EvaluatedSolution, seed: int) -> int | None:
    """A random feasible move, if one is found soon."""
    size = neighborhood.size(problem.representation)
    for draw in range(100) if size else ():
        k = Random(Key(seed), 0, 100).index(draw, size)
        leaf = neighborhood.move(problem.representation, k).resolve(solution.solution)
        if leaf is not None and allows(problem, solution.solution, leaf):
            return k
    return None


@final
class _Half:
    """The C++ half of a problem with one neighborhood on one device."""

    def __init__(self, oracle: _Oracle, device: Device, seed: int, *, checked: bool = False) -> None:
        self.oracle, self.device, self.seed = oracle, device, seed
        problem, neighborhood = self.problem, self.neighborhood = oracle.problem, oracle.neighborhood
        check_names(problem, SIGNATURES)
        self.name = f"{type(problem).__name__} on {device.name}"
        space = problem.representation
        self.size = neighborhood.size(space)
        wide = np.float64 if problem.cost_type == "float64" else np.int64
        arrays = {
            "x": np.zeros((1, space.length), space.dtype),
            "table": np.zeros((max(1, self.size), *numbers(problem)), types_of(problem, (neighborhood,)).cost),
            "cost": np.zeros((1, *numbers(problem)), wide),
            "scratch": np.zeros((THREADS, space.length), space.dtype),
            "answer": np.zeros(2, np.int64),
        }
        defines = {f"member_{member.name}".lower(): int(member) for member in ProblemMembers}
        defines |= {f"offers_{bit.name}".lower(): int(bit) for bit in Offers}
        components = {"neighborhood": neighborhood}
        pieces = ("testing/problem.cuh",)
        self.unit = CompiledCheck(problem, components, device, pieces, arrays, defines, checked)
        self.guards = Guards(self.unit, self.name)
        self.members, self.offers = ProblemMembers(0), Offers(0)

    def check(self, x: Solution) -> tuple[str, Offers]:
        """Compare everything; returns the members in words, and what evaluators can do with them."""
        unit, problem = self.unit, self.problem
        unit.launch("members")
        members, offers = ProblemMembers(int(unit.read("answer")[0])), Offers(int(unit.read("answer")[1]))
        self.members, self.offers = members, offers
        kinds = self.neighborhood.move_types
        if len(kinds) == 1 and not any(components_of(self.neighborhood)):  # not a wrapper of another one
            check_members(problem, members, kinds[0].__name__)
        solution = EvaluatedSolution(problem.representation, x, python_cost(problem, x))
        unit.fill("x", x)
        self._check_cost(solution)
        unit.launch("prepare")
        self.guards.require("init", "prepare")
        made: list[int] = []
        for step in range(STEPS):
            self._check_all(solution, self._indices(step), made)
            k = self._next_move(solution, step)
            if k is None:
                break
            if Offers.DELTA in offers:
                unit.launch("together", k)
                self._compare(solution, "together", [k], made)
                unit.launch("all")
            solution = self._make_move(solution, k, made)
            self._check_cost(solution)
            if Offers.UPDATE in offers:
                unit.launch("update", k)
                self._compare(solution, "update", self._indices(step), made)
        if ProblemMembers.COMMIT in members:
            self._check_commits(solution, made)
        return members_in_words(problem, members, used=Offers.UPDATE in offers), offers

    @property
    def _evaluating(self) -> str:
        """The member that evaluators call for all changes of cost."""
        return "deltas" if Offers.GROUPS in self.offers else "delta" if Offers.DELTA in self.offers else "cost"

    def _indices(self, step: int) -> Sequence[int]:
        return _strata(self.size, self.seed + step)

    def _check_cost(self, solution: EvaluatedSolution) -> None:
        if ProblemMembers.COST in self.members:
            self.unit.launch("cost")
            found, what = self.unit.read("cost")[0], f"{self.name}: `cost` of {solution.solution}"
            require_equal_costs(self.problem, found, solution.cost, what, "the Python half says")

    def _check_all(self, solution: EvaluatedSolution, indices: Sequence[int], made: list[int]) -> None:
        """Compare every change of cost that evaluators compute; if they compute groups, also that of the formula."""
        self.unit.launch("all")
        self._compare(solution, "all", indices, made)
        if Offers.DELTA | Offers.GROUPS in self.offers:
            self.unit.launch("each")
            self._compare(solution, "each", indices, made)
        if ProblemMembers.FEASIBLE_MOVES in self.members:
            self._check_visited(solution)

    def _check_visited(self, solution: EvaluatedSolution) -> None:
        """Compare the moves that the problem visits with the feasible ones, which the table has."""
        self.unit.launch("visited")
        wrong, missed = int(self.unit.read("answer")[0]) - 1, np.flatnonzero(feasible_moves(self.unit.read("table")))
        if wrong < 0 and not missed.size:
            return
        move = self.neighborhood.move(solution.representation, wrong if wrong >= 0 else int(missed[0]))
        fault = "misses" if wrong < 0 else "visits an infeasible move, or one twice, or `delta_bound` is too high for"
        raise CheckFailed(f"{self.name}: of {solution.solution}, `feasible_moves` {fault} {move!r}.")

    def _check_commits(self, solution: EvaluatedSolution, made: list[int]) -> None:
        """Compare changes of cost after committed moves with those after a fresh `init`."""
        for step in range(STEPS, STEPS + COMMITTED):
            k = self._next_move(solution, step)
            if k is None:
                return
            solution = self._make_move(solution, k, made)
            self._check_cost(solution)
            self.unit.launch("all")
            kept = self.unit.read("table").copy()
            with self.guards.restored():
                self.unit.launch("prepare")
                self.unit.launch("all")
                fresh = self.unit.read("table").copy()
            same = equal_costs(self.problem, kept, fresh, solution.cost).reshape(len(kept), -1).all(axis=1)
            wrong = np.flatnonzero(~same)
            if wrong.size:
                what = self.oracle.described(solution, int(wrong[0]), f" on {self.device.name}")
                raise CheckFailed(
                    f"{what} is {kept[wrong[0]]} after {len(made)} committed moves; a fresh `init` says "
                    f"{fresh[wrong[0]]}, so `commit` is wrong."
                )

    def _next_move(self, solution: EvaluatedSolution, step: int) -> int | None:
        return _next_move(self.problem, self.neighborhood, solution, self.seed + step)

    def _make_move(self, solution: EvaluatedSolution, k: int, made: list[int]) -> EvaluatedSolution:
        """Make a move in both halves, which must agree."""
        self.unit.launch("advance", k)
        made.append(k)
        self.guards.require("commit" if ProblemMembers.COMMIT in self.members else "init", "prepare")
        move = self.neighborhood.move(self.problem.representation, k)
        moved, found = move.apply(solution.solution), self.unit.read("x")[0]
        if (found != moved).any():
            raise CheckFailed(f"{self.name}: {move!r} leads from {solution.solution} to {found}, not to {moved}.")
        return EvaluatedSolution(solution.representation, moved, python_cost(self.problem, moved))

    def _compare(self, solution: EvaluatedSolution, entry: str, indices: Sequence[int], made: list[int]) -> None:
        """Compare the table with full evaluations; a failure names the member that caused it."""
        table = self.unit.read("table").copy()
        self.guards.require(entry if entry == "update" else self._evaluating, "prepare")
        try:
            self.oracle.compare(solution, table, indices, f" on {self.device.name}")
        except CheckFailed as failure:
            raise CheckFailed(f"{failure.reason} {self._blame(solution, entry, indices, made)}") from None

    def _blame(self, solution: EvaluatedSolution, entry: str, indices: Sequence[int], made: list[int]) -> str:
        """The member that is wrong: the first without which the result is right."""
        moves = f"after {len(made)} committed move{'s' if len(made) > 1 else ''}"
        unit, again = self.unit, "all" if entry == "update" else entry

        def right() -> bool:
            unit.launch(again, indices[0]) if again == "together" else unit.launch(again)
            try:
                self.oracle.compare(solution, unit.read("table").copy(), indices)
            except CheckFailed:
                return False
            return True

        if entry == "update" and right():
            return f"It was updated {moves}: `delta` gives the right answer, so `update` is wrong."
        if made:
            unit.launch("prepare")
            if right():
                return f"It was evaluated {moves}; a fresh `init` gives the right answer, so `commit` is wrong."
        self.guards.fill(garbage=False)
        unit.launch("prepare")
        if right():
            return "With zeros in the kept arrays the answer is right, so `init` relies on them: it must write all."
        if self._evaluating == "cost":
            return "It is what `cost` says of the solution that the move makes in C++."
        names = {"all": f"`{self._evaluating}`", "together": "`delta`, shared by a team,"}
        kept = " of what `init` keeps" if ProblemMembers.INIT in self.members else ""
        return f"It is what {names.get(entry, '`delta`')} says{kept}."


def _strata(size: int, seed: int) -> Sequence[int]:
    """Every index, or a random index of each of many equal ranges, and both ends."""
    if size <= EVERY_INDEX:
        return range(size)
    drawn = (
        size * s // STRATA + Random(Key(seed), 0, s).index(0, size * (s + 1) // STRATA - size * s // STRATA)
        for s in range(STRATA)
    )
    return [0, *drawn, size - 1]


def equal_costs(problem: Problem, found: Any, expected: Any, cost: Any = 0) -> Any:
    """Whether costs, or changes of a cost, are equal, number by number; floats within 1e-9 of the cost."""
    found, expected = np.asarray(found), np.asarray(expected)
    if problem.cost_type == "float64":
        scale = np.maximum(np.maximum(1.0, np.abs(cost)), np.abs(expected))
        return (found == expected) | (np.abs(found - expected) <= FLOAT_TOLERANCE * scale)
    return found == expected


def require_equal_costs(  # noqa: PLR0913, PLR0917 - what a message says
    problem: Problem, found: Any, expected: Any, what: str, oracle: str = "two full evaluations say", cost: Any = 0
) -> None:
    """Fail unless two costs, or changes of a cost, are equal; the message names both."""
    if not np.all(equal_costs(problem, found, expected, cost)):
        shown = [_unpacked(problem, each) for each in (found, expected)]
        raise CheckFailed(f"{what} is {shown[0]}, but {oracle} {shown[1]}.")


def _unpacked(problem: Problem, number: Any) -> Any:
    """A cost, or a change of it, as levels where costs have some."""
    levels = levels_of(problem)
    return number if levels is None else levels.unpacked(int(number))
