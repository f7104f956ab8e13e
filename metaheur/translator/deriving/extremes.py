"""The largest or the smallest of a function of kept arrays, after a move."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import final

from attrs import frozen

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import form_of, named, written
from metaheur.translator.deriving.array_changes import ArrayChanges, Entry, kept_name, with_entries
from metaheur.translator.deriving.data import Rows
from metaheur.translator.deriving.terms import Extreme, FilledArray, NotDerived, Term
from metaheur.translator.deriving.writing import condition

__all__ = ["Extremes"]


@final
@frozen(eq=False)
class Extremes:
    """Writes the changes of extremes by moves.

    `arrays`: the arrays of the cost. `changes`: what moves change in them.
    """

    arrays: Mapping[str, FilledArray]
    changes: ArrayChanges

    def arrays_of(self, extreme: Extreme) -> list[FilledArray]:
        """The arrays that an extreme reads."""
        return [self.arrays[name] for name in sorted(named(extreme.value) & self.arrays.keys())]

    def entries_of(self, extreme: Extreme) -> list[Entry]:
        """The entries that a move changes in the arrays of an extreme."""
        arrays = self.arrays_of(extreme)
        if any(filling.sets for array in arrays for filling in array.fillings):
            raise NotDerived("a maximum of positions", "sum them up.")
        pieces = {array.name: self.changes.pieces(array) for array in arrays}
        if any(piece.loops or piece.sources for each in pieces.values() for piece in each):
            raise NotDerived(
                "a move changes many entries of which the cost takes the maximum",
                "add up a function of them instead, such as their squares.",
            )
        return self.changes.entries(pieces)

    def changed_extreme(self, extreme: Extreme) -> Iterator[str]:
        """The statements that make `new_name`, the extreme after the move."""
        arrays = self.arrays_of(extreme)
        bins, rest = self.changes.bins_of(Term(1, extreme.loops, (), extreme.value), arrays)
        if rest or len(bins) > 1:
            raise NotDerived("a maximum is in two loops", "use one list of one dimension, and a loop over it.")
        entries = self.entries_of(extreme)
        if not entries:
            yield f"new_{extreme.name} = s.{kept_name(extreme.name)}[0]"
            return
        yield from self.changes.named_entries(entries)
        if self.counts(extreme) is not None:
            yield from self.by_counts(extreme, entries)
            return
        self.changes.depth = max(self.changes.depth, 0.3)
        put: dict[str, ast.expr] = {}
        for array in arrays:
            value = f"s.{kept_name(array.name)}[c]"
            for k, each in enumerate(entries):
                value += f" + (d{k} if c == b{k} else 0)" if each.array == array.name else ""
            put[array.name] = parsed(f"({value})", mode="eval").body
        inner = with_entries(extreme.value, put, {bins[0].name: ast.Name("c", ast.Load())})
        ends = f"{written(bins[0].low)}, {written(bins[0].high)}"
        yield f"new_{extreme.name} = {extreme.function}({ast.unparse(inner)} for c in range({ends}))"

    def counts(self, extreme: Extreme) -> int | None:
        """The largest count where an extreme is the maximum of one array of counts; None if it is another one."""
        arrays = self.arrays_of(extreme)
        plain = isinstance(extreme.value, ast.Subscript) and isinstance(extreme.value.value, ast.Name)
        if extreme.function != "max" or len(arrays) != 1 or not plain or len(arrays[0].sizes) > 1:
            return None
        (array,) = arrays
        most = 0
        for each in array.fillings:
            one = isinstance(each.term.value, ast.Constant) and each.term.value.value == 1 and each.term.sign > 0
            loops = tuple((loop.name, written(loop.low), written(loop.high)) for loop in each.term.loops)
            limit = self.changes.setting.data.ask("count", Rows(loops, (), "0")) if one else None
            if limit is None:
                return None
            most += limit
        whole = extreme.loops[0].low == {} and extreme.loops[0].high == form_of(array.sizes[0])
        return most if whole else None

    def by_counts(self, extreme: Extreme, entries: Sequence[Entry]) -> Iterator[str]:
        """The largest count after a move: the largest changed one, or the largest of all others."""
        (array,) = self.arrays_of(extreme)
        tally, kept = f"s.{kept_name(extreme.name)}_tally", f"s.{kept_name(array.name)}"
        values, gone = [], []
        for k in range(len(entries)):
            tests = self.changes.first_of(entries, k)
            if tests is None:
                continue
            yield f"h{k} = {self.changes.after(entries, k, array.name)}"
            values.append(f"h{k}")
            gone.append(f"int({condition([f'{kept}[b{k}] == t', *tests])})")
        new = f"new_{extreme.name}"
        largest = values[0] if len(values) == 1 else f"max({', '.join(values)})"
        yield f"{new} = {largest}"
        yield f"t = s.{kept_name(extreme.name)}[0]"
        yield f"while t > {new} and {tally}[t] <= {' + '.join(gone)}:"
        yield "    t -= 1"
        yield f"{new} = max({new}, t)"

    def filled(self, extreme: Extreme) -> Iterator[str]:
        """The statements that fill what is kept of an extreme."""
        yield self.computed(extreme)
        if self.counts(extreme) is not None:
            tally, (array,) = f"s.{kept_name(extreme.name)}_tally", self.arrays_of(extreme)
            yield f"for b in range(len({tally})):"
            yield f"    {tally}[b] = 0"
            yield f"for b in range(len(s.{kept_name(array.name)})):"
            yield f"    {tally}[s.{kept_name(array.name)}[b]] += 1"

    def computed(self, extreme: Extreme) -> str:
        """The statement that computes an extreme anew."""
        put: dict[str, ast.expr] = {
            array.name: parsed(f"s.{kept_name(array.name)}[c]", mode="eval").body for array in self.arrays_of(extreme)
        }
        inner = with_entries(extreme.value, put, {extreme.loops[0].name: ast.Name("c", ast.Load())})
        ends = f"{written(extreme.loops[0].low)}, {written(extreme.loops[0].high)}"
        value = f"{extreme.function}({ast.unparse(inner)} for c in range({ends}))"
        return f"s.{kept_name(extreme.name)}[0] = {value}"
