"""Arrays that a cost fills, kept beside the solution: their changes by a move, and how these change the cost."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import final

from attrs import define, field

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import Form, N, named, plus, substituted, written
from metaheur.translator.deriving.array_changes import (
    SEPARATE,
    ArrayChanges,
    Entry,
    added_by,
    indices,
    joined_rows,
    kept_name,
    places_of,
    tests_of,
)
from metaheur.translator.deriving.cancelling import points_together
from metaheur.translator.deriving.comparing import by_bits, compared, excess_of, multiplied, number_of, stepped
from metaheur.translator.deriving.differences import DifferenceSetting, Moved, Piece, depth_of, pieces_of
from metaheur.translator.deriving.extremes import Extremes
from metaheur.translator.deriving.leasts import KeptLeast, is_narrow, loops_of
from metaheur.translator.deriving.moves import POINTS
from metaheur.translator.deriving.ordered import Ordered
from metaheur.translator.deriving.quadratics import Quadratic, quadratic_of
from metaheur.translator.deriving.range_changes import changed_by_range
from metaheur.translator.deriving.row_changes import evaluated, merged_rows, row_of
from metaheur.translator.deriving.terms import FilledArray, IndexLoop, NotDerived, Sums, Term
from metaheur.translator.deriving.together import EACH, EARLIER, OTHERS, indented, of_other, of_other_row
from metaheur.translator.deriving.writing import SUM, amount, condition

__all__ = ["Kept"]

INNER = "write each entry as a sum of its own: sum(... for b in range(...)) of sum(... for k in range(self.n))."


@final
@define(eq=False)
class Kept:
    """The kept arrays of a cost for moves of a class.

    Parameters
    ----------
    sums : Sums
        The cost.
    changes : ArrayChanges
        What the moves change in arrays.
    used : set of str
        The arrays that must be kept.
    largest : set of str
        The extremes that must be kept.
    least : set of str
        The smallest terms that must be kept.
    count : int
        How many smallest terms are kept.
    """

    sums: Sums
    changes: ArrayChanges
    used: set[str] = field(factory=set)
    largest: set[str] = field(factory=set)
    least: set[str] = field(factory=set)
    count: int = 0

    def take(self, other: Kept) -> None:
        """Also keep the arrays of another one."""
        self.used |= other.used
        self.largest |= other.largest
        self.least |= other.least
        self.count = max(self.count, other.count)

    def within(self, other: Kept) -> bool:
        """Whether another one keeps all of this."""
        return self.used <= other.used and self.largest <= other.largest and self.least <= other.least

    @property
    def keeps(self) -> bool:
        """Whether anything is kept."""
        return bool(self.used or self.least)

    @property
    def extremes(self) -> Extremes:
        """What becomes of extremes."""
        return Extremes(self.sums.arrays, self.changes)

    def lines(self, terms: Sequence[Term]) -> Iterator[str]:
        """The statements that add the changes of terms that read arrays, or extremes, to `total`."""
        for given in terms if self.changes.way is None else changed_by_range(terms, self.sums, self.changes):
            if _read(given, self.sums.extremes):
                yield from self.of_extreme(given)
                continue
            if _read(given, self.sums.leasts):
                yield from self.of_least(given)
                continue
            factor = None if self.changes.together else number_of(given.value)
            if factor is None or abs(factor) == 1:
                yield from self.of_arrays(given)
                continue
            found = [*self.of_arrays(Term(1, given.loops, given.conditions, ast.Constant(1)))]
            yield from multiplied(found, given.sign * factor) or self.of_arrays(given)

    def of_arrays(self, term: Term) -> Iterator[str]:
        """The statements that add the change of a term that reads arrays to `total`."""
        names = _read(term, self.sums.arrays)
        arrays = [self.sums.arrays[name] for name in names]
        self.used |= {*names}
        if any(filling.sets for array in arrays for filling in array.fillings):
            yield from self.of_positions(term, arrays)
            return
        pieces = {array.name: self.changes.pieces(array) for array in arrays}
        one = all(array.inner and not array.bins for array in arrays)
        apart = not (self.changes.together and (one or any(self.changes.pairs(array) for array in arrays)))
        if apart and all(not piece.loops and not piece.sources for each in pieces.values() for piece in each):
            yield from self.each(self.of_entries(term, arrays, pieces))
        elif apart and len(arrays) == 1 and self.changes.in_rows(pieces[names[0]]):
            yield from self.each(self.of_rows(term, arrays[0], pieces[names[0]]))
        elif self.changes.way is not None and not all(each.inner for each in arrays):
            raise NotDerived(
                "a move of a range changes an entry of a list for each item between the moved ones, and some of these "
                "may be one entry",
                "use Swap().",
            )
        else:
            yield from self.of_all(term, arrays)

    def each(self, lines: Iterator[str]) -> Iterator[str]:
        """Statements on one flip, repeated for each of several flips."""
        yield from (*EACH, *indented(lines, 1)) if self.changes.together else lines

    def of_entries(self, term: Term, arrays: Sequence[FilledArray], pieces: Mapping[str, list[Piece]]) -> Iterator[str]:
        entries = self.changes.entries(pieces)
        bins, rest = self.changes.bins_of(term, arrays)
        sizes = {len(each.sizes) for each in arrays}
        if len(sizes) > 1:
            raise NotDerived("a term reads lists of different lengths", "give them one length.")
        yield from self.changes.named_entries(entries)
        self.changes.depth = max(self.changes.depth, len(rest))
        quadratic = self.quadratic(term, arrays, bins, rest)
        if quadratic is not None:
            yield from quadratic.lines(term.sign, arrays[0].name, entries, self.changes)
            return
        excess = (
            excess_of(term, arrays[0].name) if len(arrays) == 1 and not rest and not self.changes.together else None
        )
        for k, each in enumerate(entries):
            tests = self.changes.first_of(entries, k)
            if tests is None:
                continue
            names = indices(k, len(each.places))
            put: dict[str, ast.expr] = {
                loop.name: ast.Name(name, ast.Load()) for loop, name in zip(bins, names, strict=True)
            }
            tests += [] if arrays[0].inner else tests_of(bins, names, arrays[0])
            indent = ""
            if tests:
                yield f"if {condition(tests)}:"
                indent = "    "
            if excess and (step := self.changes.step(entries, k)):
                yield indent + stepped(excess, f"s.{kept_name(each.array)}[{', '.join(names)}]", step)
                continue
            for array in arrays:
                yield f"{indent}e_{array.name} = s.{kept_name(array.name)}[{', '.join(names)}]"
                yield f"{indent}h_{array.name} = {self.changes.after(entries, k, array.name)}"
            if self.changes.together:
                yield from (indent + line for line in self.other_entries(entries, names))
                yield f"{indent}if t == 0:"
                indent += "    "
            yield from (indent + line for line in compared(term, arrays, put, rest))

    def quadratic(
        self, term: Term, arrays: Sequence[FilledArray], bins: Sequence[IndexLoop], rest: Sequence[IndexLoop]
    ) -> Quadratic | None:
        """The quadratic function that a term is of each entry of one array; None if it is another one."""
        if len(arrays) > 1 or rest or term.conditions or self.changes.together:
            return None
        (array,) = arrays
        if not array.inner and tests_of(bins, [""] * len(bins), array):
            return None
        return quadratic_of(term.value, array.name)

    def other_entries(self, entries: Sequence[Entry], names: Sequence[str]) -> Iterator[str]:
        """The statements that add what other flips add to an entry, where t is 1 if an earlier one has changed it."""
        yield "t = 0"
        yield from OTHERS
        yield from indented(map(of_other, self.changes.named_entries(entries)), 2)
        for k, each in enumerate(entries):
            there = map(of_other, indices(k, len(each.places)))
            same = " and ".join(f"{one} == {other}" for one, other in zip(names, there, strict=True))
            yield f"        if {same}:"
            yield f"            h_{each.array} += {of_other(f'd{k}')}"
            yield "            if a < i:"
            yield "                t = 1"

    def of_rows(self, term: Term, array: FilledArray, pieces: Sequence[Piece]) -> Iterator[str]:
        bins, rest = self.changes.bins_of(term, [array])
        self.changes.depth = max(self.changes.depth, 0.5 + len(rest))
        if len(pieces) > 1 and not self.changes.together:
            tests = [] if array.inner else tests_of(bins, indices(0, 1), array)
            yield from merged_rows(self.changes, array, pieces, evaluated(term, array, (bins, rest), tests))
            return
        for k, each in enumerate(pieces):
            found = [[*row_of(self.changes, one, ["t = 1"] if n < k else [])] for n, one in enumerate(pieces) if n != k]
            others = [line for one in found for line in one]
            if self.changes.together:
                others += OTHERS
                for one in pieces:
                    others += indented(map(of_other_row, row_of(self.changes, one, EARLIER)), 2)
            yield from self.of_rows_of(term, array, each, others, (bins, rest))

    def of_rows_of(
        self,
        term: Term,
        array: FilledArray,
        piece: Piece,
        others: Sequence[str],
        loops: tuple[Sequence[IndexLoop], Sequence[IndexLoop]],
    ) -> Iterator[str]:
        """The rows of a position; `others` add what other rows add to the same entry, where t is 1 if it was seen."""
        once = self.changes.single(piece)
        head, indent, inside = self.changes.writer.around(piece)
        places = places_of(inside.changes[0][2])
        names = indices(0, len(places))
        added = amount([(sign, tests, ast.unparse(added_by(value))) for sign, tests, value in inside.changes])
        named_here = [f"{name} = {ast.unparse(each)}" for name, each in zip(names, places, strict=True)]
        tests = [] if array.inner else tests_of(loops[0], names, array)
        entry = f"s.{kept_name(array.name)}[{', '.join(names)}]"
        alone = once and not (tests or others or loops[1] or self.changes.together)
        found = (
            by_bits(term, array, piece, added, entry) if alone and self.changes.writes is POINTS["FlipMove"] else None
        )
        if found is not None:
            yield f"{SUM} = 0"
            yield from head
            yield from (indent + line for line in (*named_here, *found[1]))
            yield f"total += {found[0]}{SUM}"
            return
        if once:
            yield from head
            yield from (indent + line for line in (*named_here, f"d0 = {added}"))
        else:
            end, column = self.changes.ends_of_rows(piece)
            yield "d0 = 0"
            yield head[0]
            yield from indented(named_here, 1)
            yield from head[1:]
            yield f"{indent}d0 += {added}"
            indent = "    "
            yield f"{indent}if z + 1 >= {end} or {column}[z + 1] != b0:"
            indent += "    "
        if others:
            yield from (indent + line for line in ("t = 0", *others))
            tests.append("t == 0")
        yield from (indent + line for line in evaluated(term, array, loops, tests))
        if not once:
            yield f"{indent}d0 = 0"

    def of_all(self, term: Term, arrays: Sequence[FilledArray]) -> Iterator[str]:
        """The change where all entries may change: each entry is looked at."""
        if any(array.bins != arrays[0].bins or not array.inner for array in arrays):
            raise NotDerived("a move changes too many entries of a list that the cost fills", INNER)
        found, rest = self.changes.bins_of(term, arrays)
        bins = arrays[0].bins
        if bins and {each.name for each in found} != {each.name for each in bins}:
            raise NotDerived(
                "a list that the cost fills is read in another order",
                "loop over its entries in the order of its places.",
            )
        indent = ""
        for loop in bins:
            yield f"{indent}for {loop.name} in range({written(loop.low)}, {self.end(loop)}):"
            indent += "    "
        places = ", ".join(each.name for each in bins) or "0"
        self.changes.depth = max(self.changes.depth, depth_of((each.low, each.high) for each in (*bins, *rest)))
        yield from (indent + line for line in self.changes.of_all_entries(arrays, bins))
        alone = arrays[0].name if len(arrays) == 1 and not rest and not term.conditions else ""
        quadratic = quadratic_of(term.value, alone) if alone else None
        if quadratic is not None:
            by, entry = "+=" if term.sign > 0 else "-=", f"s.{kept_name(alone)}[{places}]"
            yield f"{indent}total {by} {quadratic.alone(entry, f'd_{alone}')}"
            return
        for array in arrays:
            yield f"{indent}e_{array.name} = s.{kept_name(array.name)}[{places}]"
            yield f"{indent}h_{array.name} = e_{array.name} + d_{array.name}"
        yield from (indent + line for line in compared(term, arrays, {}, rest))

    def end(self, loop: IndexLoop) -> str:
        """The end of a loop over entries; as a number if there are few, so that a compiler unrolls it."""
        text = written(loop.high)
        found = self.changes.setting.data.ask("few", text)
        return text if found is None else str(found)

    def of_positions(self, term: Term, arrays: Sequence[FilledArray]) -> Iterator[str]:
        """The change of terms that read the positions of items."""
        if len(arrays) != 1 or "x" in named(term.value) or any("x" in named(each) for each in term.conditions):
            raise NotDerived("a term reads the positions of items, and something else that a move changes", SEPARATE)
        (array,) = arrays
        self.changes.require_positions(array)
        name = f"s.{kept_name(array.name)}"
        put: dict[str, ast.expr] = {array.name: parsed(name, mode="eval").body}
        moved = (Moved("u", "i", "j"), Moved("v", "j", "i"))
        facts: tuple[Form, ...] = tuple(form for each in "uv" for form in ({each: 1}, plus({N: 1, each: -1}, {"": -1})))
        setting = DifferenceSetting(moved, facts, self.changes.setting.data, name)
        conditions = tuple(substituted(each, put) for each in term.conditions)
        inner = Term(term.sign, term.loops, conditions, substituted(term.value, put))
        pieces = points_together(joined_rows(list(pieces_of(inner, setting)), setting), setting)
        for piece in pieces:
            self.changes.depth = max(self.changes.depth, piece.depth)
            yield from self.changes.writer.lines(piece)

    def of_extreme(self, term: Term) -> Iterator[str]:
        """A term that reads extremes, before and after the move."""
        if self.changes.together:
            raise NotDerived("a move flips several bits, and the cost has a maximum", "flip one: Hamming(1).")
        if term.loops or _read(term, self.sums.arrays) or "x" in named(term.value):
            raise NotDerived("a term reads a maximum, and something else that a move changes", SEPARATE)
        old: dict[str, ast.expr] = {}
        new: dict[str, ast.expr] = {}
        for name in _read(term, self.sums.extremes):
            extreme = self.sums.extremes[name]
            self.largest.add(name)
            self.used |= {each.name for each in self.extremes.arrays_of(extreme)}
            old[name] = parsed(f"s.{kept_name(name)}[0]", mode="eval").body
            new[name] = ast.Name(f"new_{name}", ast.Load())
            yield from self.extremes.changed_extreme(extreme)
        changes = [
            (
                sign * term.sign,
                tuple(ast.unparse(substituted(each, put)) for each in term.conditions),
                ast.unparse(substituted(term.value, put)),
            )
            for sign, put in ((1, new), (-1, old))
        ]
        yield from self.changes.writer.lines(Piece((), {}, (), tuple(changes)))

    def of_least(self, term: Term) -> Iterator[str]:
        """A term that reads smallest terms, before and after the move."""
        names, moved = _read(term, self.sums.leasts), self.changes.writes.moved
        if self.changes.together:
            raise NotDerived("a move flips several bits, and the cost has a minimum", "flip one: Hamming(1).")
        if _read(term, self.sums.arrays) or "x" in {name for e in (term.value, *term.conditions) for name in named(e)}:
            raise NotDerived(
                "a term reads a minimum, and something else that a move changes", "add them up, if you can."
            )
        self.least |= {*names}
        self.changes.depth = max(self.changes.depth, depth_of((each.low, each.high) for each in term.loops))
        leasts = [self.kept_least(name) for name in names]
        ranges = {(written(each.least.loop.low), written(each.least.loop.high)) for each in leasts}
        tests = [leasts[0].within(each.at) for each in moved] if leasts[0].outside and len(ranges) == 1 else []
        trade = any(tests) and {e.before for e in moved} == {e.after for e in moved} and all(e.anywhere for e in leasts)
        self.count = max(self.count, len(moved) + (not trade))
        leasts = [self.kept_least(name) for name in names]
        if not any(tests):
            yield from self.of_moved(term, leasts, moved, inside=False)
            return
        for many in range(len(moved), 0, -1):  # those of the loop: all positions, then fewer
            for inside in combinations(range(len(moved)), many):
                which = condition([test for k in inside for test in tests[k]])
                yield f"{'if' if many == len(moved) else 'elif'} {which}:"
                if trade and many == len(moved):
                    yield "    pass"
                    continue
                yield from indented(self.of_moved(term, leasts, [moved[k] for k in inside], inside=True), 1)

    def of_moved(
        self, term: Term, leasts: Sequence[KeptLeast], moved: Sequence[Moved], *, inside: bool
    ) -> Iterator[str]:
        """The same for positions, all of which may be `inside` of the loops of the smallest terms."""
        head, depth = loops_of(term.loops)
        yield from head
        for each in leasts:
            yield from indented(each.after(moved, inside=inside), depth)
        yield from indented(compared(term, [each.least for each in leasts], {}, ()), depth)

    def kept_least(self, name: str) -> KeptLeast:
        """How some smallest terms are kept."""
        least = self.sums.leasts[name]
        narrow = all(
            is_narrow(each, self.changes.setting.data) for each in (least.value, least.start) if each is not None
        )
        order = Ordered(self.changes.setting).text
        return KeptLeast(least, self.count, order, "int32" if narrow else "int64")

    def committed(self) -> Iterator[str]:
        """The statements that update all arrays that are used, for the move that leads back."""
        if self.changes.way is not None and self.least:
            raise NotDerived("a move of a range changes many terms of a minimum")
        for name in sorted(self.used):
            array = self.sums.arrays[name]
            if array.fillings[0].sets:
                self.changes.require_positions(array)  # which are those of a swap
                yield from (f"s.{kept_name(name)}[{value}] = {at}" for value, at in (("u", "i"), ("v", "j")))
                continue
            pieces = self.changes.pieces(array)
            over = [each for each in sorted(self.largest) if self.extremes.counts(self.sums.extremes[each]) is not None]
            over = [each for each in over if self.extremes.arrays_of(self.sums.extremes[each])[0] is array]
            apart = not (self.changes.together and self.changes.pairs(array))
            if apart and all(not piece.loops and not piece.sources for piece in pieces):
                entries = self.changes.entries({name: pieces})
                yield from self.each(self.committed_entries(array, entries, over))
            elif apart and self.changes.in_rows(pieces):
                yield from self.each(self.committed_rows(array, pieces))
            elif array.inner:
                head, depth = loops_of(array.bins)
                indent = "    " * depth
                yield from head
                yield from (indent + line for line in self.changes.of_all_entries([array], array.bins))
                yield f"{indent}s.{kept_name(name)}[{', '.join(each.name for each in array.bins) or '0'}] -= d_{name}"
            else:
                raise NotDerived(f"a move changes many entries of {name}", INNER)
        for name in sorted(self.largest):
            if self.extremes.counts(self.sums.extremes[name]) is None:
                yield self.extremes.computed(self.sums.extremes[name])
        for name in sorted(self.least):
            if self.changes.together:
                raise NotDerived("a move flips several bits, and the cost has a minimum")
            yield from self.kept_least(name).committed(self.changes.writes.moved)

    def committed_rows(self, array: FilledArray, pieces: Sequence[Piece]) -> Iterator[str]:
        """The statements that change the entries of rows."""
        for each in pieces:
            through = "independent(range({}))" if self.changes.single(each) else "range({})"
            head, indent, piece = self.changes.writer.around(each, through)
            yield from head
            places = ", ".join(map(ast.unparse, places_of(piece.changes[0][2])))
            changes = [(-sign, tests, ast.unparse(added_by(value))) for sign, tests, value in piece.changes]
            yield f"{indent}s.{kept_name(array.name)}[{places}] += {amount(changes)}"

    def committed_entries(self, array: FilledArray, entries: Sequence[Entry], extremes: Sequence[str]) -> Iterator[str]:
        """The statements that change some entries of an array, and the counts of its counts."""
        yield from self.changes.named_entries(entries)
        for k, each in enumerate(entries):
            place = f"s.{kept_name(array.name)}[{', '.join(indices(k, len(each.places)))}]"
            for name in extremes:
                yield f"s.{kept_name(name)}_tally[{place}] -= 1"
            yield f"{place} -= d{k}"
            for name in extremes:
                yield f"s.{kept_name(name)}_tally[{place}] += 1"
        for name in extremes:
            top = f"s.{kept_name(name)}[0]"
            yield f"t = {top}"
            for k in range(len(entries)):
                yield f"t = max(t, s.{kept_name(array.name)}[b{k}])"
            yield f"while t > 0 and s.{kept_name(name)}_tally[t] <= 0:"
            yield "    t -= 1"
            yield f"{top} = t"

    def filled(self) -> Iterator[str]:
        """The statements that fill all arrays that are used."""
        for name in sorted(self.used):
            array = self.sums.arrays[name]
            kept = f"s.{kept_name(name)}"
            if array.fillings[0].sets:
                yield f"for k in range({N}):"
                yield f"    {kept}[x[k]] = k"
                continue
            if len(array.sizes) > 1:
                yield f"for b in range(len({kept})):"
                yield f"    for c in range(len({kept}[0])):"
                yield f"        {kept}[b, c] = 0"
            else:
                yield f"for b in range(len({kept})):"
                yield f"    {kept}[b] = 0"
            for filling in array.fillings:
                term = self.changes.scattered(array, filling)
                head, depth = loops_of(term.loops)
                yield from head
                indent = "    " * depth
                if term.conditions:
                    yield f"{indent}if {condition(list(map(ast.unparse, term.conditions)))}:"
                    indent += "    "
                places = ", ".join(map(ast.unparse, places_of(ast.unparse(term.value))))
                yield f"{indent}{kept}[{places}] += {ast.unparse(added_by(ast.unparse(term.value)))}"
        for name in sorted(self.largest):
            yield from self.extremes.filled(self.sums.extremes[name])
        for name in sorted(self.least):
            yield from self.kept_least(name).filled()


def _read(term: Term, known: Mapping[str, object]) -> list[str]:
    """The arrays, or the extremes, that a term reads."""
    found = {one for each in (term.value, *term.conditions) for one in named(each)} & known.keys()
    return sorted(found)
