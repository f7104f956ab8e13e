"""The check of a problem: every change of cost is the difference of two full evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.component import components_of
from metaheur.device.device import Buffer, Device
from metaheur.device.layout import Member, types_of
from metaheur.device.names import device_of
from metaheur.device.source import reads
from metaheur.errors import CheckFailed
from metaheur.evaluators.evaluator import feasible_moves, python_cost
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.evaluators.shells import Offers
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key, Random
from metaheur.representation import Solution
from metaheur.testing.compiled_check import THREADS, CompiledCheck, chosen_devices
from metaheur.testing.members import Members, check_members
from metaheur.walk import EvaluatedSolution

__all__ = ["ProblemReport", "check_problem", "require_equal_costs"]

EVERY_INDEX = 10**6
"""Moves up to which every index is checked; above, one of each of `STRATA` equal ranges."""

REMEMBERED = 10**5
"""Moves up to which the oracle remembers what it has found, as every device asks it the same."""

STRATA = 2000
STEPS = 4
FLOAT_TOLERANCE = 1e-9
GUARD = 4096
"""Entries before and behind every kept array that must stay as they are."""


@final
@define
class ProblemReport:
    """What a check found: ``print(check_problem(...))`` shows it line by line.

    Parameters
    ----------
    problem : str
        The problem's class.
    lines : list of str
        For each neighborhood and device, the members of the C++ half that its moves use.
    offers : dict of str to Offers
        What evaluators make of these members, by neighborhood and device, such as "Swap() on host".
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

    The C++ half is checked at a solution and after some moves, so that what is kept is built (`init`), advanced
    (`commit`) and used to update known changes of cost (`update`); kept memory holds garbage before, and what lies
    around it must stay as it is.

    Parameters
    ----------
    problem : Problem
        A small instance: every index of its neighborhoods is evaluated in full, up to 10**6 moves; a stratified
        sample above.
    *neighborhoods : Neighborhood
        The neighborhoods to check it with, at least one.
    seed : int, default 0
        Of the solutions.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here. The Python half is checked always.

    Returns
    -------
    ProblemReport
        Which members the C++ half has for the moves of each neighborhood.

    Raises
    ------
    CheckFailed
        With the first thing that is wrong.
    """
    if not isinstance(problem, Problem):
        raise CheckFailed(
            f"check_problem was given {problem!r}, which is not a Problem.", "pass an instance such as OneMax(10)."
        )
    if not neighborhoods:
        raise CheckFailed("check_problem was given no neighborhood.", "call check_problem(problem, Swap()).")
    for neighborhood in neighborhoods:
        if not isinstance(neighborhood, Neighborhood):
            raise CheckFailed(
                f"check_problem was given {neighborhood!r}, which is not a Neighborhood.", "pass an instance: Swap()."
            )
    name, space = type(problem).__name__, problem.representation
    x = space.validate(space.random(Random(Key(seed), 0, 0)))
    report = ProblemReport(name)
    _check_costs(problem, x, seed)
    for neighborhood in neighborhoods:
        neighborhood.require(space, f"this {name}")
        oracle = _Oracle(problem, neighborhood)
        _check_python(oracle, x, seed)
        if not reads(problem) or not reads(neighborhood):
            report.lines.append(f"{neighborhood!r}: Python only")
            continue
        for device in chosen_devices(devices, name):
            where = f"{neighborhood!r} on {device}"
            members, report.offers[where] = _Half(oracle, device_of(device), seed).check(x)
            report.lines.append(f"{where}: {members.names()}")
    return report


@final
class _Oracle:
    """Changes of cost by two full evaluations of the Python half."""

    def __init__(self, problem: Problem, neighborhood: Neighborhood) -> None:
        self.problem, self.neighborhood = problem, neighborhood
        self._known: dict[bytes, dict[int, int | float | None]] = {}

    def change(self, solution: EvaluatedSolution, k: int) -> int | float | None:
        """The change of cost of the move with index k; None if it is infeasible."""
        if self.neighborhood.size(self.problem.representation) > REMEMBERED:
            return self._evaluated(solution, k)
        known = self._known.setdefault(solution.solution.tobytes(), {})
        if k not in known:
            known[k] = self._evaluated(solution, k)
        return known[k]

    def _evaluated(self, solution: EvaluatedSolution, k: int) -> int | float | None:
        x, move = solution.solution, self.neighborhood.move(self.problem.representation, k)
        return None if move.resolve(x) is None else python_cost(self.problem, move.apply(x)) - solution.cost

    def compare(self, solution: EvaluatedSolution, deltas: np.ndarray, indices: Sequence[int], where: str = "") -> None:
        """Fail with the first change of cost that is wrong."""
        feasible = feasible_moves(deltas)
        for k in indices:
            expected = self.change(solution, k)
            if expected is None:
                if feasible[k]:
                    what = self._described(solution, k, where)
                    raise CheckFailed(
                        f"{what} is {deltas[k]}, but the move is infeasible: it must be the largest number."
                    )
            elif not equal_costs(self.problem, deltas[k], expected):
                what, moved = self._described(solution, k, where), solution.cost + expected
                raise CheckFailed(
                    f"{what}, cost {solution.cost}, moved cost {moved}, is {deltas[k]}, but two full evaluations say "
                    f"{expected}."
                )

    def _described(self, solution: EvaluatedSolution, k: int, where: str) -> str:
        name, move = type(self.problem).__name__, self.neighborhood.move(self.problem.representation, k)
        return f"{name}{where}: the change of cost of {move!r} (index {k}) at {solution.solution}"


def _check_costs(problem: Problem, x: Solution, seed: int) -> None:
    space, name = problem.representation, type(problem).__name__
    rows = np.stack([x, *(space.random(Random(Key(seed), 0, k)) for k in range(1, 4))])
    for row in rows:
        before = row.copy()
        python_cost(problem, row)
        if (row != before).any():
            raise CheckFailed(f"{name}.cost writes into the solution.", "work on a copy: x = x.copy().")
    before = rows.copy()
    costs = np.asarray(problem.costs(rows))
    if (rows != before).any():
        raise CheckFailed(f"{name}.costs writes into the solutions.", "work on a copy.")
    if costs.shape != (len(rows),):
        raise CheckFailed(f"{name}.costs returns the shape {costs.shape} for {len(rows)} solutions.")
    for row, cost in zip(rows, costs, strict=True):
        require_equal_costs(problem, cost, python_cost(problem, row), f"{name}.costs of {row}")


def _check_python(oracle: _Oracle, x: Solution, seed: int) -> None:
    """The Python half at x, and after some moves."""
    problem, neighborhood = oracle.problem, oracle.neighborhood
    space, name = problem.representation, type(problem).__name__
    moves = NumpyEvaluator(problem).of(neighborhood)
    solution = EvaluatedSolution(space, x, python_cost(problem, x))
    for step in range(STEPS):
        before = solution.solution.copy()
        deltas = moves.deltas(solution)
        if (solution.solution != before).any():
            raise CheckFailed(f"{name}.delta writes into the solution.", "work on a copy.")
        oracle.compare(solution, deltas, _strata(moves.size, seed + step))
        k = _next_move(problem, neighborhood, solution, seed + step)
        if k is None:
            return
        one = moves.delta(solution, k)
        require_equal_costs(problem, one, deltas[k], f"{name}.delta of {neighborhood.move(space, k)!r} alone")
        solution = solution.moved(neighborhood, k, deltas[k].item())


def _next_move(problem: Problem, neighborhood: Neighborhood, solution: EvaluatedSolution, seed: int) -> int | None:
    """A random feasible move, if one is found soon."""
    size = neighborhood.size(problem.representation)
    for draw in range(100) if size else ():
        k = Random(Key(seed), 0, 100).index(draw, size)
        if neighborhood.move(problem.representation, k).resolve(solution.solution) is not None:
            return k
    return None


@final
class _Half:
    """The C++ half of a problem with one neighborhood on one device."""

    def __init__(self, oracle: _Oracle, device: Device, seed: int) -> None:
        self.oracle, self.device, self.seed = oracle, device, seed
        problem, neighborhood = self.problem, self.neighborhood = oracle.problem, oracle.neighborhood
        self.name = f"{type(problem).__name__} on {device.name}"
        space = problem.representation
        self.size = neighborhood.size(space)
        wide = np.float64 if problem.cost_type == "float64" else np.int64
        arrays = {
            "x": np.zeros((1, space.length), space.dtype),
            "table": np.zeros(max(1, self.size), types_of(problem, (neighborhood,)).cost),
            "cost": np.zeros(1, wide),
            "scratch": np.zeros((THREADS, space.length), space.dtype),
            "answer": np.zeros(2, np.int64),
        }
        defines = {f"member_{member.name}".lower(): int(member) for member in Members}
        defines |= {f"offers_{bit.name}".lower(): int(bit) for bit in Offers}
        components = {"neighborhood": neighborhood}
        self.check_unit = CompiledCheck(problem, components, device, ("testing/problem.cuh",), arrays, defines)
        self.guards = self._guarded()
        self.check_unit.bind()
        self._fill(garbage=True)

    def _guarded(self) -> dict[str, tuple[Member, Buffer]]:
        """Kept arrays between guards."""
        guards = {}
        for path, member in self.check_unit.unit.unit.arrays():
            if member.values is None and not member.scratch:
                entries = member.entries(self.device)
                whole = self.device.upload(np.full(entries + 2 * GUARD, _garbage(member), member.stored))
                self.check_unit.buffers[path] = whole[GUARD : GUARD + entries]
                guards[path] = member, whole
        return guards

    def _fill(self, *, garbage: bool) -> None:
        """Kept arrays hold garbage, or zeros; the padding of rows holds zeros."""
        for member, whole in self.guards.values():
            filled = np.where(self._inside(member), _garbage(member) if garbage else 0, 0)
            self.device.write(whole, filled.astype(member.stored).reshape(-1), GUARD)

    def _inside(self, member: Member) -> np.ndarray:
        """Which entries of an array are its own, and not the padding of a row."""
        row = member.row(self.device)
        inside = np.zeros((member.entries(self.device) // row, row), bool)
        inside[:, : member.shape[-1]] = True
        return inside

    def _require_guards(self, member_function: str) -> None:
        for path, (member, whole) in self.guards.items():
            found = self.device.download(whole)
            padding = found[GUARD:-GUARD].reshape(self._inside(member).shape)[~self._inside(member)]
            around = np.concatenate([found[:GUARD], found[-GUARD:]])
            if (around != _garbage(member)).any() or padding.any():
                owner, _, array = path.partition(".")
                raise CheckFailed(
                    f"{self.name}: `{member_function}` writes outside the kept array {array!r} of the {owner}, whose "
                    f"shape is {member.shape}.",
                    "declare it larger.",
                )

    def check(self, x: Solution) -> tuple[Members, Offers]:
        """Compare everything; returns the members for the neighborhood's moves, and what evaluators make of them."""
        unit, problem = self.check_unit, self.problem
        unit.launch("members")
        members, offers = Members(int(unit.read("answer")[0])), Offers(int(unit.read("answer")[1]))
        kinds = self.neighborhood.move_types
        if len(kinds) == 1 and not any(components_of(self.neighborhood)):  # not a wrapper, whose moves are others'
            check_members(problem, members, kinds[0].__name__)
        solution = EvaluatedSolution(problem.representation, x, python_cost(problem, x))
        unit.fill("x", x)
        if Members.COST in members:
            unit.launch("cost")
            what = f"{self.name}: `cost` of {x}"
            require_equal_costs(problem, unit.read("cost")[0], solution.cost, what, "the Python half says")
        elif not offers & (Offers.DELTA | Offers.GROUPS):
            raise CheckFailed(
                f"The C++ half of {type(problem).__name__} has neither `cost` nor a `delta` for the moves of "
                f"{self.neighborhood!r}.",
                "write one of them.",
            )
        unit.launch("prepare")
        self._require_guards("init")
        made: list[int] = []
        for step in range(STEPS):
            indices = _strata(self.size, self.seed + step)
            unit.launch("all")
            self._compare(solution, "all", indices, made)
            if Offers.DELTA | Offers.GROUPS in offers:
                unit.launch("each")
                self._compare(solution, "each", indices, made)
            k = _next_move(problem, self.neighborhood, solution, self.seed + step)
            if k is None:
                break
            if Offers.DELTA in offers:
                unit.launch("together", k)
                self._compare(solution, "together", [k], made)
                unit.launch("all")
            unit.launch("advance", k)
            self._require_guards("commit")
            made.append(k)
            solution = self._moved(solution, k)
            if Offers.UPDATE in offers:
                unit.launch("update", k)
                self._compare(solution, "update", _strata(self.size, self.seed + step), made)
        return members, offers

    def _moved(self, solution: EvaluatedSolution, k: int) -> EvaluatedSolution:
        move = self.neighborhood.move(self.problem.representation, k)
        moved = move.apply(solution.solution)
        found = self.check_unit.read("x")[0]
        if (found != moved).any():
            raise CheckFailed(f"{self.name}: {move!r} makes {found} of {solution.solution}, not {moved}.")
        return EvaluatedSolution(solution.representation, moved, python_cost(self.problem, moved))

    def _compare(self, solution: EvaluatedSolution, entry: str, indices: Sequence[int], made: list[int]) -> None:
        """The table against full evaluations; a failure is blamed on the member that caused it."""
        table = self.check_unit.read("table").copy()
        try:
            self.oracle.compare(solution, table, indices, f" on {self.device.name}")
        except CheckFailed as failure:
            raise CheckFailed(f"{failure.reason} {self._blame(solution, entry, indices, made)}") from None

    def _blame(self, solution: EvaluatedSolution, entry: str, indices: Sequence[int], made: list[int]) -> str:
        """Which member is wrong: the first one without which the answer is right."""
        moves = f"after {len(made)} committed move{'s' if len(made) > 1 else ''}"
        unit, again = self.check_unit, "all" if entry == "update" else entry

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
        self._fill(garbage=False)
        unit.launch("prepare")
        if right():
            return "With zeros in the kept arrays the answer is right, so `init` relies on them: it must write all."
        names = {"all": "the C++ half", "each": "`delta`", "together": "`delta`, shared by a team,"}
        return f"It is what {names.get(entry, '`delta`')} says."


def _garbage(member: Member) -> Any:
    """A number that nobody expects."""
    return (
        member.stored.type(7.7e77)
        if member.stored.kind == "f"
        else member.stored.type(0x5A if member.stored.kind != "b" else 1)
    )


def _strata(size: int, seed: int) -> Sequence[int]:
    """Every index, or one drawn from each of many equal ranges, ends included."""
    if size <= EVERY_INDEX:
        return range(size)
    drawn = (
        size * s // STRATA + Random(Key(seed), 0, s).index(0, size * (s + 1) // STRATA - size * s // STRATA)
        for s in range(STRATA)
    )
    return [0, *drawn, size - 1]


def equal_costs(problem: Problem, found: Any, expected: Any) -> bool:
    """Whether two costs are equal; within 1e-9 where they are floats."""
    if problem.cost_type == "float64":
        return bool(abs(found - expected) <= FLOAT_TOLERANCE * max(1.0, abs(expected)))
    return bool(found == expected)


def require_equal_costs(
    problem: Problem, found: Any, expected: Any, what: str, oracle: str = "two full evaluations say"
) -> None:
    """Fail, saying what was found, unless two costs are equal."""
    if not equal_costs(problem, found, expected):
        raise CheckFailed(f"{what} is {found}, but {oracle} {expected}.")
