"""What follows from a compiled `cost` for classes of moves: changes of cost, with tables and kept arrays."""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.errors import CompileError
from metaheur.fields import Array
from metaheur.marker import Compiled, compiled_members
from metaheur.move import Move
from metaheur.problem import Problem, is_fold
from metaheur.representation import Representation, places_of
from metaheur.translator.deriving.affine import Form, N
from metaheur.translator.deriving.array_changes import ArrayChanges, kept_name
from metaheur.translator.deriving.branching import branched
from metaheur.translator.deriving.cancelling import joined_pieces
from metaheur.translator.deriving.data import DataFacts, RowsTable
from metaheur.translator.deriving.differences import DifferenceSetting, Moved, depth_of, pieces_of
from metaheur.translator.deriving.kept import Kept
from metaheur.translator.deriving.moves import POINTS
from metaheur.translator.deriving.ranges import RANGES, range_pieces
from metaheur.translator.deriving.seconds import ORDER, PAIRS, second_pieces
from metaheur.translator.deriving.sums import sums_of
from metaheur.translator.deriving.terms import NotDerived, Sums, Term
from metaheur.translator.deriving.writing import Writer, as_text
from metaheur.translator.deriving.written import sorted_positions, ways_of, written_by
from metaheur.translator.reading import Text, names_outside, read

__all__ = [
    "Derivation",
    "DerivedMethod",
    "KeptArray",
    "derivation_of",
    "derived",
    "distrusted",
    "leave_out",
    "reason_against",
]

_TAKEN = frozenset({"i", "j", "u", "v", "k", "m", "s", "t", "z", "x", "self", "total"})


@final
@frozen
class DerivedMethod:
    """A method that follows from the cost.

    Parameters
    ----------
    name : str
        "delta", "init" or "commit".
    source : str
        Its statements; two methods of one source are equal.
    text : Text
        The method.
    move : type of Move, optional
        The class of its moves.
    work : str
        How long it takes, as a function of lengths, such as "O(n)"; "" if it is not known.
    several : bool
        Whether it is for several flips, and not for one.
    """

    name: str
    source: str
    text: Text = field(eq=False, repr=False)
    move: type[Move] | None = None
    work: str = ""
    several: bool = False


@final
@frozen
class KeptArray:
    """An array that is kept beside a solution.

    Parameters
    ----------
    name : str
        Its name.
    sizes : tuple of str
        Its lengths, as they are written.
    dtype : str
        The type of its entries.
    """

    name: str
    sizes: tuple[str, ...]
    dtype: str


@final
@frozen
class Derivation:
    """What follows from a cost for some classes of moves.

    Parameters
    ----------
    methods : tuple of DerivedMethod
        The methods.
    kept : tuple of KeptArray
        The arrays that they keep.
    tables : tuple of RowsTable
        The tables that they read.
    refusals : tuple of (str, CompileError)
        Why there is none, by the names of classes of moves.
    """

    methods: tuple[DerivedMethod, ...] = ()
    kept: tuple[KeptArray, ...] = ()
    tables: tuple[RowsTable, ...] = ()
    refusals: tuple[tuple[str, CompileError], ...] = field(default=(), eq=False)

    def arrays(self, problem: Problem) -> dict[str, np.ndarray]:
        """The arrays of the tables."""
        return {name: array for table in self.tables for name, array in table.arrays(problem).items()}

    def state(self, problem: Problem) -> dict[str, Array]:
        """The kept arrays with their shapes."""
        data = DataFacts(problem)
        return {each.name: Array(tuple(data.number(text) for text in each.sizes), each.dtype) for each in self.kept}


def derived(
    cost: Callable[..., Any],
    moves: Sequence[type[Move]],
    *,
    members: Mapping[str, Compiled] | None = None,
    data: DataFacts | None = None,
    space: Representation,
) -> Derivation:
    """What follows from a cost for classes of moves."""
    text = read(cost)
    taken = {name for name, _ in names_outside(cost)} & _TAKEN
    if taken:
        raise text.refusal(text.tree, f"the cost reads {min(taken)} from outside of it; no delta is derived.")
    facts = data or DataFacts()
    own = (members or {}).keys() & {"init", "commit", "update"}
    return _Maker(cost, text, sums_of(text, members or {}, facts), facts, space, not own).derivation(moves)


@final
@define(eq=False)
class _Maker:
    """Makes the methods of a cost; `keeps` is whether they may keep arrays."""

    cost: Callable[..., Any]
    text: Text
    sums: Sums
    data: DataFacts
    space: Representation
    keeps: bool
    writer: Writer = field(factory=Writer)

    def derivation(self, moves: Sequence[type[Move]]) -> Derivation:
        """The methods for classes of moves."""
        methods: list[DerivedMethod] = []
        refusals: list[tuple[str, CompileError]] = []
        used: set[str] = set()
        extremes: set[str] = set()
        made: list[type[Move]] = []
        for move in moves:
            try:
                if not move.__module__.startswith("metaheur."):
                    methods.append(self.of_own_move(move))
                    continue
                if move.__name__ not in POINTS:
                    methods.append(self.rearranged(move))
                    continue
                kept = self.kept(move)
                made_delta = self.delta(move, kept)
                if kept.used and not self.keeps:
                    raise NotDerived(
                        "the class keeps arrays of its own", "leave init, commit and update out; or write delta, too."
                    )
                methods.append(made_delta)
            except NotDerived as error:
                refusals.append((move.__name__, self.refusal(error)))
                continue
            used |= kept.used
            extremes |= kept.largest
            made.append(move)
        try:
            methods += [one for move in made for one in self.flips(move)]
        except NotDerived as error:
            refusals.append(("several flips", self.refusal(error)))
        updates = (
            []
            if not self.keeps
            else [
                one for each in methods if each.work == "O(n)" and each.move in made for one in self.update(each.move)
            ]
        )
        if used or updates:
            last = self.kept(made[0])
            last.used, last.largest = used, extremes
            order = [f"for k in range({N}):", f"    s.{ORDER}[k] = x[k]"] if updates else []
            methods.insert(0, self.method("init", "init(self, x, s)", [*last.filled(), *order]))
            methods += [one for move in made for one in self.commit(move, used, extremes, ordered=bool(updates))]
            methods += updates
            arrays = (*self.arrays(last), *([KeptArray(ORDER, (N,), "item")] if updates else []))
        else:
            arrays = ()
        return Derivation(tuple(methods), arrays, tuple(self.writer.tables.values()), tuple(refusals))

    def kept(self, move: type[Move]) -> Kept:
        """The kept arrays for a class of moves."""
        writes = POINTS[move.__name__]
        setting = writes.setting(self.data, arranges=self.space.arranges)
        return Kept(self.sums, ArrayChanges(writes, setting, self.writer, self.space.arranges))

    def refusal(self, error: NotDerived) -> CompileError:
        """A reason with the line of the cost."""
        return self.text.refusal(self.text.tree, f"{error}, so that no change of cost is derived.", error.maybe)

    def delta(self, move: type[Move], kept: Kept) -> DerivedMethod:
        """The change of cost."""
        plain, others = list[Term](), list[Term]()
        for term in self.sums.terms:
            reads = {one for each in (term.value, *term.conditions) for one in _names(each)}
            (others if reads & {*self.sums.arrays, *self.sums.extremes} else plain).append(term)
        found = [piece for term in plain for piece in pieces_of(term, kept.changes.setting)]
        found = joined_pieces(found, kept.changes.setting)
        depth = max((piece.depth for piece in found), default=0)
        lines = [*branched(found, self.writer.lines)]
        lines += kept.lines(others)
        deepest = max(depth, kept.changes.depth)
        self.require_shallow(deepest)
        head = "delta(self, x, s, m)" if kept.used else "delta(self, x, m)"
        return self.method(
            "delta", head, [*kept.changes.writes.lines, "total = 0", *lines, "return total"], move, _work(deepest)
        )

    def of_own_move(self, move: type[Move]) -> DerivedMethod:
        """The change of cost by a move of a user's own."""
        places, values = written_by(move)
        if self.sums.arrays or self.sums.extremes:
            raise NotDerived(f"the cost fills arrays, or takes maxima, and {move.__name__} is a move of your own")
        deepest = [0.0]

        def lines(moved: Sequence[Moved], facts: Sequence[Form]) -> list[str]:
            setting = DifferenceSetting(tuple(moved), tuple(facts), self.data)
            pieces = joined_pieces([p for term in self.sums.terms for p in pieces_of(term, setting)], setting)
            deepest.extend(each.depth for each in pieces)
            return [*branched(pieces, self.writer.lines)]

        body = [*sorted_positions(places, values), "total = 0", *ways_of(len(places), lines), "return total"]
        self.require_shallow(max(deepest))
        return self.method("delta", "delta(self, x, m)", body, move, _work(max(deepest)))

    def require_shallow(self, depth: float) -> None:
        """Refuse loops as deep as those of the cost."""
        loops = [term.loops for term in self.sums.terms]
        loops += [(*array.bins, *each.term.loops) for array in self.sums.arrays.values() for each in array.fillings]
        loops += [each.loops for each in self.sums.extremes.values()]
        deepest = max((depth_of((each.low, each.high) for each in one) for one in loops), default=0)
        if depth >= (deepest or 1):
            raise NotDerived("a derived change of cost has as many nested loops as the cost")

    def rearranged(self, move: type[Move]) -> DerivedMethod:
        """The change of cost by a move that rearranges a range."""
        if move.__name__ not in RANGES or not self.space.arranges:
            raise NotDerived(f"what {move.__name__} does is not known here")
        if self.sums.arrays or self.sums.extremes:
            raise NotDerived("the cost fills arrays, or takes maxima, and a range is rearranged")
        if move.__name__ == "OrOptMove" and self.space.cyclic:
            raise NotDerived(
                "segments go around the end of a cyclic permutation", "use ThreeOpt(), whose segments do not."
            )
        lines, ways = RANGES[move.__name__]
        body: list[str] = [*lines, "total = 0"]
        deepest = 0.0
        for way in ways:
            setting = DifferenceSetting((), way.facts, self.data)
            pieces = range_pieces(self.sums.terms, way, setting)
            deepest = max(deepest, *(each.depth for each in pieces), 0.0)
            inner = [*branched(pieces, self.writer.lines)]
            if inner:
                body += [f"if {way.test}:", *(f"    {line}" for line in inner)] if way.test else inner
        self.require_shallow(deepest)
        return self.method("delta", "delta(self, x, m)", [*body, "return total"], move, _work(deepest))

    def flips(self, move: type[Move]) -> list[DerivedMethod]:
        """The change of cost by several flips: those of each alone, and the second differences of pairs."""
        if move.__name__ != "FlipMove":
            return []
        if self.sums.arrays or self.sums.extremes:
            raise NotDerived("the cost fills arrays, or takes maxima, and several bits are flipped")
        kept = self.kept(move)
        setting = kept.changes.setting
        found = joined_pieces([p for term in self.sums.terms for p in pieces_of(term, setting)], setting)
        seconds = second_pieces(self.sums.terms, move.__name__, self.data, setting.unequal)
        lines = ["total = 0", "for i in m.at:", "    u, v = x[i], 1 - x[i]"]
        lines += [f"    {line}" for piece in found for line in self.writer.lines(piece)]
        if seconds:
            lines += ["    for a in m.at:", "        if i < a:", "            g, h = x[a], 1 - x[a]"]
            lines += [f"            {line}" for piece in seconds for line in self.writer.lines(piece)]
        made = self.method("delta", "delta(self, x, m)", [*lines, "return total"], move)
        return [evolve(made, several=True)]

    def update(self, move: type[Move] | None) -> list[DerivedMethod]:
        """The change of cost of a move after another one, in O(1), if it follows from the cost."""
        if move is None or self.sums.arrays or self.sums.extremes:
            return []
        pair, unequal = PAIRS[move.__name__], self.kept(move).changes.setting.unequal
        try:
            pieces = second_pieces(self.sums.terms, move.__name__, self.data, unequal)
        except NotDerived:
            return []
        if any(piece.loops or piece.sources for piece in pieces):
            return []
        lines = [*pair.lines, "total = delta", *(line for piece in pieces for line in self.writer.lines(piece))]
        return [self.method("update", "update(self, s, other, delta, made)", [*lines, "return total"], move)]

    def commit(self, move: type[Move], used: set[str], extremes: set[str], *, ordered: bool) -> list[DerivedMethod]:
        """The update of the kept arrays, if there is one; otherwise they are filled anew."""
        kept = self.kept(move)
        kept.used, kept.largest = used, extremes
        try:
            lines = [*kept.changes.writes.back, *kept.committed(), *([PAIRS[move.__name__].commit] if ordered else [])]
        except NotDerived:
            return []
        return [self.method("commit", "commit(self, x, s, m)", lines, move)]

    def method(
        self, name: str, head: str, lines: Sequence[str], move: type[Move] | None = None, work: str = ""
    ) -> DerivedMethod:
        """A method of some statements."""
        text = as_text(self.text, self.cost, head, lines)
        return DerivedMethod(name, ast.unparse(text.tree), text, move, work)

    def arrays(self, kept: Kept) -> tuple[KeptArray, ...]:
        """The kept arrays."""
        found = []
        for name in sorted(kept.used):
            array = self.sums.arrays[name]
            narrow = array.fillings[0].sets or kept.changes.counted(array)
            sizes = tuple(map(ast.unparse, array.sizes))
            found.append(KeptArray(kept_name(name), sizes, "int32" if narrow else "int64"))
        for name in sorted(kept.largest):
            most = kept.extremes.counts(self.sums.extremes[name])
            found.append(KeptArray(kept_name(name), ("1",), "int64" if most is None else "int32"))
            if most is not None:
                found.append(KeptArray(f"{kept_name(name)}_tally", (str(most + 1),), "int32"))
        return tuple(found)


def _work(depth: float) -> str:
    """How long loops take, by their depth, in which the rows of a position count 0.5."""
    loops = int(depth + 0.2)
    power = "" if not loops else "n" if loops == 1 else f"n^{loops}"
    left = depth - loops
    rows = "rows of a position" if left > 0.4 else "entries of an array" if left > 0.2 else ""
    return f"O({' * '.join(filter(None, (power, rows))) or '1'})"


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


# ---- of a problem


_known: dict[int, tuple[weakref.ref[Problem], dict[tuple[type[Move], ...], Derivation]]] = {}
_distrusted: dict[int, tuple[weakref.ref[Problem], str]] = {}
_answered: dict[Any, list[tuple[dict[tuple[Any, ...], Any], Derivation | CompileError]]] = {}


def derivation_of(problem: Problem, moves: Sequence[type[Move]]) -> Derivation:
    """What follows from the cost of a problem for classes of moves.

    Nothing follows beside a `delta` of the problem's own, for a class that has `derives = False`, or where costs are
    not whole numbers of 64 bits: floats differ in the last bit where a sum has another order, and the bounds that int32
    asks for cover the terms of a cost only.
    """
    if distrusted(problem):
        return Derivation()
    given = tuple(dict.fromkeys(moves))
    key = id(problem)
    if key not in _known or _known[key][0]() is not problem:
        _known[key] = (weakref.ref(problem, lambda _: _known.pop(key, None)), {})
    found = _known[key][1]
    if given not in found:
        found[given] = _derivation(problem, given)
    return found[given]


def distrusted(problem: Problem) -> str:
    """Why nothing is derived from the cost of a problem any more; "" where nothing was found to be wrong."""
    owner, why = _distrusted.get(id(problem), (lambda: None, ""))
    return why if owner() is problem else ""


def leave_out(problem: Problem, why: str) -> None:
    """Derive nothing more from the cost of a problem."""
    key = id(problem)
    _distrusted[key] = weakref.ref(problem, lambda _: _distrusted.pop(key, None)), why


def reason_against(problem: Problem) -> str | None:
    """Why nothing is derived from any cost; "" where a method is written, or none is wanted; None if it may be."""
    kind, members = type(problem), compiled_members(type(problem))
    if kind.derives is False or "cost" not in members or is_fold(kind) or "delta" in members:
        return ""
    reasons = {
        distrusted(problem): bool(distrusted(problem)),
        "it has a delta in Python": kind.delta is not Problem.delta,
        "it has several objectives": bool(problem.objectives),
        "its solutions have parts": bool(places_of(problem.representation)),
        "its numbers are not whole numbers of 64 bits": problem.cost_type != "int64",
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _derivation(problem: Problem, moves: tuple[type[Move], ...]) -> Derivation:
    kind, members = type(problem), compiled_members(type(problem))
    reason = reason_against(problem)
    if reason is not None:
        if reason and kind.derives:
            raise CompileError(
                f"{kind.__name__} has derives = True, but {reason}.", "leave derives out, or write delta."
            )
        return Derivation()
    cost, space = members["cost"].overloads[0], problem.representation
    place = cost, moves, type(space), space.arranges and space.cyclic
    data = DataFacts(problem)
    for answers, known in _answered.get(place, ()):
        if all(data.ask(*question) == answer for question, answer in answers.items()):
            found: Derivation | CompileError = known
            break
    else:
        data = DataFacts(problem)
        try:
            found = derived(cost, moves, members=members, data=data, space=space)
        except CompileError as error:
            found = error
        except Exception as error:  # deriving is optional: its own faults are told, and stop no run
            fault = f"deriving failed with {type(error).__name__}: {error}, a fault of metaheur"
            found = read(cost).refusal(read(cost).tree, f"{fault}.", "write delta by hand.")
        _answered.setdefault(place, []).append((data.answers, found))
    names = {each.__name__ for each in moves}
    refusals = (
        [found] if isinstance(found, CompileError) else [error for name, error in found.refusals if name in names]
    )
    if kind.derives and refusals:
        raise refusals[0]
    return (
        Derivation(refusals=tuple((each.__name__, refusals[0]) for each in moves))
        if isinstance(found, CompileError)
        else found
    )
