"""Makes the changes of cost that follow from a cost for classes of moves, with tables and kept arrays."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import combinations, product
from typing import Any, final

from attrs import define, evolve, field

from metaheur.errors import CompileError
from metaheur.machine.parsing import parsed
from metaheur.marker import Compiled
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.translator.deriving.affine import Form, N
from metaheur.translator.deriving.array_changes import ArrayChanges, kept_name
from metaheur.translator.deriving.branching import branched
from metaheur.translator.deriving.cancelling import joined_pieces, rows_merged
from metaheur.translator.deriving.data import DataFacts, RowsTable
from metaheur.translator.deriving.differences import DifferenceSetting, Moved, Piece, depth_of, pieces_of
from metaheur.translator.deriving.ends import around_ends, outside_of
from metaheur.translator.deriving.kept import Kept
from metaheur.translator.deriving.methods import Derivation, DerivedMethod, KeptArray
from metaheur.translator.deriving.moves import POINTS, Writes
from metaheur.translator.deriving.narrow import is_narrow
from metaheur.translator.deriving.ordered import Ordered
from metaheur.translator.deriving.parts import in_solution
from metaheur.translator.deriving.products import product_of_methods, require_apart
from metaheur.translator.deriving.ranges import BACK, RANGES, Rearranges, range_pieces
from metaheur.translator.deriving.seconds import ORDER, PAIRS, second_pieces
from metaheur.translator.deriving.sums import sums_of
from metaheur.translator.deriving.terms import NotDerived, Sums, Term
from metaheur.translator.deriving.together import EACH, PAIRS_OF_EACH, indented
from metaheur.translator.deriving.writing import Writer, as_text, named_once
from metaheur.translator.deriving.written import (
    of_positions,
    order_of,
    positions_back,
    sorted_positions,
    ways_of,
    written_by,
)
from metaheur.translator.reading import Text, names_outside, read

__all__ = ["derived", "derived_of_parts"]

KNOWN = "use Swap, Substitution or Hamming; or Insertion, TwoOpt, OrOpt or ThreeOpt in permutations."

_TAKEN = re.compile(r"([abcghijkmstuvwxyz]|[bdghkqtuwz]\d+(_\d+)?|\w+_w|self|total)$")
"""The names of variables in derived methods, of which a cost may read none from outside of it."""


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
    taken = [name for name, _ in names_outside(cost) if _TAKEN.match(name)]
    if taken:
        raise text.refusal(text.tree, f"the cost reads {min(taken)} from outside of it; no delta is derived.")
    facts = data or DataFacts()
    own = (members or {}).keys() & {"init", "commit", "update"}
    return _Maker(cost, text, sums_of(text, members or {}, facts), facts, space, not own).derivation(moves)


def derived_of_parts(
    cost: Callable[..., Any],
    problem: Problem,
    members: Mapping[str, Compiled],
    kinds: Mapping[str, Sequence[type[Move]]],
    *,
    pairs: Set[frozenset[tuple[str, type[Move]]]] = frozenset(),
) -> Derivation:
    """What follows from a cost for classes of moves of each part of solutions.

    `kinds`: the classes of moves by the names of parts. `pairs`: parts of which moves of some classes are made at once.
    """
    text, space = read(cost), problem.representation
    own = members.keys() & {"init", "commit", "update"}
    found = list[tuple[_Maker, _FoundChanges]]()
    refusals = list[tuple[str, CompileError]]()
    for part, moves in kinds.items():
        facts = DataFacts(problem, part=part)
        try:
            sums = sums_of(text, members, facts)
        except CompileError as error:
            refusals.append((part, error))
            continue
        maker = _Maker(cost, text, sums, facts, space.parts[part], not own)  # type: ignore[attr-defined]
        found.append((maker, maker.made(moves)))
    twice = list[DerivedMethod]()
    for (one, made), (other, made_there) in combinations(found, 2):
        try:
            twice.extend(one.with_moves_of(other, made, made_there, pairs))
        except NotDerived as error:
            refusals.append(("ProductMove", one.refusal(error)))
    for _, one_made in found:
        for _, other_made in found:
            one_made.last.take(other_made.last)
    methods, kept, tables = list[DerivedMethod](), tuple[KeptArray, ...](), list[RowsTable]()
    for k, (maker, made) in enumerate(found):
        made_of = maker.finished(made, begins=not k)
        methods += made_of.methods
        kept = kept or made_of.kept
        tables += made_of.tables
        refusals += [(f"{name} of {maker.data.part}", error) for name, error in made.refusals]
    return Derivation((*methods, *twice), kept, tuple(tables), tuple(refusals))


_Way = tuple[Rearranges, list[Piece], list[str]]
"""One way to rearrange a range, with the pieces of the change of cost and the statements on kept arrays."""


@final
@define(eq=False)
class _FoundChanges:
    """What was found for classes of moves, before what is kept is filled and updated.

    `methods`: the changes of cost. `moves`: the classes of moves that have one. `last`: what is kept. `refusals`: why
    there is none, by the names of classes of moves. `whole`: the changes of cost that return at their ends only.
    """

    methods: list[DerivedMethod]
    moves: list[type[Move]]
    last: Kept
    refusals: list[tuple[str, CompileError]]
    whole: dict[type[Move], DerivedMethod] = field(factory=dict)


@final
@define(eq=False)
class _Maker:
    """Makes the methods of a cost.

    `keeps`: whether they may keep arrays. `early`: whether they may return early. `known_ways`: what was found for
    moves that rearrange a range.
    """

    cost: Callable[..., Any]
    text: Text
    sums: Sums
    data: DataFacts
    space: Representation
    keeps: bool
    writer: Writer = field(factory=Writer)
    early: bool = True
    known_ways: dict[type[Move], tuple[Kept, list[_Way]]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.writer.part = self.data.part

    def derivation(self, moves: Sequence[type[Move]]) -> Derivation:
        """The methods for classes of moves."""
        made = self.made(moves)
        return evolve(self.finished(made), refusals=tuple(made.refusals))

    def made(self, moves: Sequence[type[Move]]) -> _FoundChanges:
        """The changes of cost for classes of moves."""
        methods: list[DerivedMethod] = []
        refusals: list[tuple[str, CompileError]] = []
        made: list[type[Move]] = []
        last = self.kept_for(Writes((), (), (), (), ()))
        for move in moves:
            try:
                found, kept = self.for_moves(move)
                if kept.keeps and not self.keeps:
                    raise NotDerived(
                        "the class keeps arrays of its own", "leave init, commit and update out; or write delta, too."
                    )
            except NotDerived as error:
                refusals.append((move.__name__, self.refusal(error)))
                continue
            methods.append(found)
            last.take(kept)
            made.append(move)
        try:
            methods += [one for move in made for one in self.flips(move, last)]
        except NotDerived as error:
            refusals.append(("several flips", self.refusal(error)))
        return _FoundChanges(methods, made, last, refusals)

    def finished(self, found: _FoundChanges, *, begins: bool = True) -> Derivation:
        """The changes of cost with what fills and updates all that is kept; `begins`: whether it fills it, too."""
        methods, made, last = list(found.methods), found.moves, found.last
        several = [each.move for each in methods if each.several]
        updates = (
            []
            if not self.keeps or self.data.part
            else [
                one for each in methods if each.work == "O(n)" and each.move in made for one in self.update(each.move)
            ]
        )
        ordered = bool(updates) or (last.keeps and any(_is_own(move) for move in made))
        arrays: tuple[KeptArray, ...] = ()
        if last.keeps or ordered:
            order = [f"for k in range({N}):", f"    s.{ORDER}[k] = x[k]"] if ordered else []
            if begins:
                methods.insert(0, self.method("init", "init(self, x, s)", [*last.filled(), *order]))
            for move in made:
                methods += self.commit(move, last, ordered=ordered)
            for kind in several:
                methods += self.commit_flips(kind, last, ordered=ordered)
            methods += updates
            arrays = (*self.arrays(last), *([KeptArray(ORDER, (N,), "item")] if ordered else []))
        return Derivation(tuple(methods), arrays, tuple(self.writer.tables.values()))

    def with_moves_of(
        self,
        other: _Maker,
        made: _FoundChanges,
        there: _FoundChanges,
        wanted: Set[frozenset[tuple[str, type[Move]]]],
    ) -> Iterator[DerivedMethod]:
        """The changes of cost by a move of this part and a move of another part at once, where they are wanted."""
        pairs = [
            (one, another)
            for one, another in product(made.moves, there.moves)
            if {(self.data.part, one), (other.data.part, another)} in wanted
        ]
        if pairs:
            require_apart(self.sums, other.data.part)
        for one, another in pairs:
            if not _is_point(one) and not _is_point(another):
                raise NotDerived(
                    "two moves at once that rearrange a range each are not followed", "use Swap() in one part."
                )
            pair = self.whole(made, one), other.whole(there, another)
            yield product_of_methods(self.text, self.cost, *(pair if _is_point(one) else reversed(pair)))

    def whole(self, found: _FoundChanges, move: type[Move]) -> DerivedMethod:
        """The change of cost by moves of a class, without an early return."""
        if _is_point(move):
            return next(each for each in found.methods if each.move is move)
        if move not in found.whole:
            found.whole[move] = evolve(self, early=False).for_moves(move)[0]
        return found.whole[move]

    def for_moves(self, move: type[Move]) -> tuple[DerivedMethod, Kept]:
        """The change of cost by moves of a class, and the arrays that it keeps."""
        if _is_own(move):
            return self.of_own_move(move)
        if not _is_point(move):
            return self.rearranged(move)
        kept = self.kept(move)
        body = [*kept.changes.writes.lines, "total = 0", *self.changed(kept), "return total"]
        return self.changes(move, kept, body), kept

    def kept(self, move: type[Move]) -> Kept:
        """The kept arrays for a class of moves."""
        return self.kept_for(POINTS[move.__name__])

    def kept_for(self, writes: Writes, *, together: bool = False) -> Kept:
        """The kept arrays for moves that write some positions."""
        setting = writes.setting(self.data, arranges=self.space.arranges)
        return Kept(self.sums, ArrayChanges(writes, setting, self.writer, self.space.arranges, together=together))

    def kept_on(self, way: Rearranges) -> Kept:
        """The kept arrays for moves that rearrange a range in one way."""
        setting, none = DifferenceSetting((), way.facts, self.data), Writes((), (), (), way.facts, ())
        return Kept(self.sums, ArrayChanges(none, setting, self.writer, self.space.arranges, way=way))

    def refusal(self, error: NotDerived) -> CompileError:
        """A reason with the line of the cost."""
        return self.text.refusal(self.text.tree, f"{error}, so that no change of cost is derived.", error.maybe)

    def changed(self, kept: Kept) -> list[str]:
        """The statements that add the change of cost to `total`."""
        plain, others = self.divided()
        found = [piece for term in plain for piece in pieces_of(term, kept.changes.setting)]
        found = rows_merged(joined_pieces(found, kept.changes.setting))
        lines, entries = [*branched(found, self.writer.lines)], [*kept.lines(others)]
        loops = any(line.lstrip().startswith("for ") for line in entries)
        lines = [*lines, *entries] if loops else [*entries, *lines]  # memory answers while loops run
        kept.changes.depth = max(kept.changes.depth, *(piece.depth for piece in found), 0)
        return lines

    def divided(self) -> tuple[list[Term], list[Term]]:
        """The terms that read no array that the cost fills, and the other terms."""
        plain, others = list[Term](), list[Term]()
        for term in self.sums.terms:
            reads = {one for each in (term.value, *term.conditions) for one in _names(each)}
            (others if reads & {*self.sums.arrays, *self.sums.extremes, *self.sums.leasts} else plain).append(term)
        return plain, others

    def changes(self, move: type[Move], kept: Kept, body: Sequence[str]) -> DerivedMethod:
        """The change of cost by moves of a class."""
        self.require_shallow(kept.changes.depth)
        head = "delta(self, x, s, m)" if kept.keeps else "delta(self, x, m)"
        return self.method("delta", head, body, move, _work(kept.changes.depth))

    def of_own_move(self, move: type[Move]) -> tuple[DerivedMethod, Kept]:
        """The change of cost by a move of a user's own."""
        places, values = written_by(move)
        found = self.kept_for(Writes((), (), (), (), ()))

        def lines(moved: Sequence[Moved], facts: Sequence[Form]) -> list[str]:
            kept = self.kept_for(of_positions(moved, facts))
            made = self.changed(kept)
            found.take(kept)
            found.changes.depth = max(found.changes.depth, kept.changes.depth)
            return made

        head = sorted_positions(places, values)
        body = [*head, "total = 0", *ways_of(len(places), lines), "return total"]
        return self.changes(move, found, body), found

    def require_shallow(self, depth: float) -> None:
        """Refuse loops as deep as those of the cost."""
        loops = [term.loops for term in self.sums.terms]
        loops += [(*array.bins, *each.term.loops) for array in self.sums.arrays.values() for each in array.fillings]
        loops += [each.loops for each in self.sums.extremes.values()]
        loops += [(*each.bins, each.loop) for each in self.sums.leasts.values()]
        deepest = max((depth_of((each.low, each.high) for each in one) for one in loops), default=0)
        if depth >= (deepest or 1):
            raise NotDerived(
                "a derived change of cost would have as many nested loops as the cost",
                "leave it so: evaluating moves in full is as fast.",
            )

    def rearranged(self, move: type[Move]) -> tuple[DerivedMethod, Kept]:
        """The change of cost by a move that rearranges a range."""
        if move.__name__ not in RANGES or not self.space.arranges:
            raise NotDerived(f"no derivation knows what a {move.__name__} changes", KNOWN)
        if move.__name__ == "OrOptMove" and self.space.cyclic:
            raise NotDerived(
                "the move takes segments around the end of a cyclic permutation",
                "use ThreeOpt(), whose segments do not go around it.",
            )
        if move not in self.known_ways:
            self.known_ways[move] = self.ways(move)
        kept, ways = self.known_ways[move]
        body = [*RANGES[move.__name__][0], "total = 0"]
        for way, pieces, entries in ways:
            corner, pieces_left = outside_of(pieces) if self.early and not entries else ("", pieces)
            inner = [f"if {corner}:", "    return 0"] if corner else []
            body += _under(way, [*inner, *branched(pieces_left, self.writer.lines), *entries])
        return self.changes(move, kept, [*body, "return total"]), kept

    def ways(self, move: type[Move]) -> tuple[Kept, list[_Way]]:
        """The kept arrays for a move that rearranges a range, and what changes the cost in each of its ways."""
        kept, (plain, others) = self.kept_for(Writes((), (), (), (), ())), self.divided()
        found = list[_Way]()
        for way in RANGES[move.__name__][1]:
            here = self.kept_on(way)
            entries, setting = [*here.lines(others)], here.changes.setting
            kept.take(here)
            pieces = around_ends(range_pieces(plain, way, setting), way.facts, Ordered(setting))
            kept.changes.depth = max(kept.changes.depth, here.changes.depth, *(each.depth for each in pieces), 0.0)
            found.append((way, pieces, entries))
        return kept, found

    def flips(self, move: type[Move], all_kept: Kept) -> list[DerivedMethod]:
        """The change of cost by several flips: those of each alone, and the second differences of pairs."""
        if move.__name__ != "FlipMove":
            return []
        kept = self.kept_for(POINTS[move.__name__], together=True)
        setting, (plain, others) = kept.changes.setting, self.divided()
        found = rows_merged(joined_pieces([p for term in plain for p in pieces_of(term, setting)], setting))
        seconds = second_pieces(plain, move.__name__, self.data, setting.unequal)
        first = [line for piece in found for line in self.writer.lines(piece)]
        lines = ["total = 0", *((*EACH, *indented(first, 1)) if first or seconds else ())]
        if seconds:
            second = [line for piece in seconds for line in self.writer.lines(piece)]
            lines += [*indented(PAIRS_OF_EACH, 1), *indented(second, 3)]
        lines += kept.lines(others)
        if not kept.within(all_kept):
            raise NotDerived(
                "a move of several flips needs kept arrays that a single flip does not need", "flip one: Hamming(1)."
            )
        head = "delta(self, x, s, m)" if kept.keeps else "delta(self, x, m)"
        return [evolve(self.method("delta", head, [*lines, "return total"], move), several=True)]

    def update(self, move: type[Move] | None) -> list[DerivedMethod]:
        """The change of cost of a move after another one, in O(1), if it follows from the cost."""
        if move is None or not _is_point(move) or self.sums.arrays or self.sums.extremes or self.sums.leasts:
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

    def commit(self, move: type[Move], all_kept: Kept, *, ordered: bool) -> list[DerivedMethod]:
        """The update of the kept arrays, if there is one; otherwise they are filled anew."""
        if not _is_own(move) and not _is_point(move):
            return self.commit_range(move, all_kept, ordered=ordered)

        def lines(kept: Kept) -> list[str]:
            kept.take(all_kept)
            return [*kept.committed()]

        try:
            if _is_own(move):
                places, _ = written_by(move)
                ways = ways_of(len(places), lambda moved, facts: lines(self.kept_for(of_positions(moved, facts))))
                body = [*positions_back(places, ORDER), *ways, *order_of(places, ORDER)]
            else:
                kept = self.kept(move)
                order = [PAIRS[move.__name__].commit] if ordered else []
                body = [*kept.changes.writes.back, *lines(kept), *order]
        except NotDerived:
            return []
        return [self.method("commit", "commit(self, x, s, m)", body, move)]

    def commit_range(self, move: type[Move], all_kept: Kept, *, ordered: bool) -> list[DerivedMethod]:
        """The update of the kept arrays after a move that rearranges a range, if there is one."""
        if ordered:
            return []
        first, ways = BACK[move.__name__]
        body = [*first]
        for way in ways:
            kept = self.kept_on(way)
            kept.take(all_kept)
            try:
                body += _under(way, [*kept.committed()])
            except NotDerived:
                return []
        return [self.method("commit", "commit(self, x, s, m)", body, move)]

    def commit_flips(self, move: type[Move] | None, all_kept: Kept, *, ordered: bool) -> list[DerivedMethod]:
        """The update of the kept arrays after several flips, if there is one."""
        kept = self.kept_for(POINTS["FlipMove"], together=True)
        kept.take(all_kept)
        order = [*EACH, f"    {PAIRS['FlipMove'].commit}"] if ordered else []
        try:
            lines = [*kept.committed(), *order]
        except NotDerived:
            return []
        return [evolve(self.method("commit", "commit(self, x, s, m)", lines, move), several=True)]

    def method(
        self, name: str, head: str, lines: Sequence[str], move: type[Move] | None = None, work: str = ""
    ) -> DerivedMethod:
        """A method of some statements."""
        part = self.data.part
        if part:
            lines = ast.unparse(in_solution(parsed("\n".join(lines)), part)).splitlines()
        text = as_text(self.text, self.cost, head, named_once(lines))
        return DerivedMethod(name, ast.unparse(text.tree), text, move, work, part=part)

    def arrays(self, kept: Kept) -> tuple[KeptArray, ...]:
        """The kept arrays."""
        found = []
        for name in sorted(kept.used):
            array = self.sums.arrays[name]
            narrow = array.fillings[0].sets or is_narrow(array, self.data)
            sizes = tuple(map(ast.unparse, array.sizes))
            found.append(KeptArray(kept_name(name), sizes, "int32" if narrow else "int64"))
        for name in sorted(kept.largest):
            most = kept.extremes.counts(self.sums.extremes[name])
            found.append(KeptArray(kept_name(name), ("1",), "int64" if most is None else "int32"))
            if most is not None:
                found.append(KeptArray(f"{kept_name(name)}_tally", (str(most + 1),), "int32"))
        for name in sorted(kept.least):
            least = kept.kept_least(name)
            sizes = tuple(map(ast.unparse, least.least.sizes))
            found += [KeptArray(each, sizes, "int32" if "_at_" in each else least.dtype) for each in least.names]
        return tuple(evolve(each, part=self.data.part) for each in found)


def _under(way: Rearranges, lines: Sequence[str]) -> list[str]:
    """Statements that hold for one way of a move."""
    return [f"if {way.test}:", *(f"    {line}" for line in lines)] if way.test and lines else [*lines]


def _work(depth: float) -> str:
    """How long loops take, by their depth, in which the rows of a position count 0.5."""
    loops = int(depth + 0.2)
    power = "" if not loops else "n" if loops == 1 else f"n^{loops}"
    left = depth - loops
    rows = "rows of a position" if left > 0.4 else "entries of an array" if left > 0.2 else ""
    return f"O({' * '.join(filter(None, (power, rows))) or '1'})"


def _is_own(move: type[Move]) -> bool:
    """Whether a class of moves is a user's own."""
    return not move.__module__.startswith("metaheur.")


def _is_point(move: type[Move]) -> bool:
    """Whether a class of moves writes one or two positions, which are known here."""
    return not _is_own(move) and move.__name__ in POINTS


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
