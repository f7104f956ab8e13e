"""The changes of the arrays that a cost fills, by a move."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import final

from attrs import define, evolve, frozen

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import (
    Form,
    N,
    form_of,
    named,
    names_of,
    never_negative,
    plus,
    substituted,
    times,
    written,
)
from metaheur.translator.deriving.bits import signed
from metaheur.translator.deriving.cancelling import joined_pieces, points_together
from metaheur.translator.deriving.differences import Change, DifferenceSetting, Piece, depth_of, pieces_of
from metaheur.translator.deriving.ends import around_ends
from metaheur.translator.deriving.moves import POINTS, Writes
from metaheur.translator.deriving.ordered import Ordered
from metaheur.translator.deriving.parts import OTHER
from metaheur.translator.deriving.ranges import Rearranges, range_pieces
from metaheur.translator.deriving.seconds import second_pieces
from metaheur.translator.deriving.terms import FilledArray, Filling, IndexLoop, NotDerived, Term
from metaheur.translator.deriving.together import EACH, PAIRS_OF_EACH, indented
from metaheur.translator.deriving.writing import Writer, amount, condition, shared_factor

__all__ = [
    "SEPARATE",
    "ArrayChanges",
    "Entry",
    "added_by",
    "ends_within",
    "indices",
    "joined_rows",
    "kept_name",
    "places_of",
    "tests_of",
    "with_entries",
]

SEPARATE = "put what depends on both into the list, or add both up apart; or write delta by hand."

ENTRIES = "sum over all entries: for c in load."

_ENTRIES = 8
"""The most entries of arrays that a move changes, where each has statements of its own."""

_ROWS = 4
"""The most loops over rows whose entries a move changes together."""


def kept_name(name: str) -> str:
    """The name of an array that is kept."""
    return f"kept_{name}"


@final
@frozen(eq=False)
class Entry:
    """A change of an entry of an array.

    `array`: the array. `places`: the entry. `conditions`: what must hold. `changes`: what is added.
    """

    array: str
    places: tuple[str, ...]
    conditions: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def surely(self) -> bool:
        """Whether the entry is always this one; otherwise it may be the first one, to which 0 is added."""
        return not self.conditions and any(not tests for _, tests, _ in self.changes)


@final
@define(eq=False)
class ArrayChanges:
    """The changes of arrays by moves of a class.

    `writes`: what the moves write.
    `setting`: what changes are taken in.
    `writer`: writes statements.
    `arranges`: whether solutions are permutations.
    `depth`: the deepest loops that were written; rows that are looked up count as half a loop.
    `together`: whether the move writes several positions, each like the one of `writes`.
    `way`: how the move rearranges a range; None if it writes few positions.
    """

    writes: Writes
    setting: DifferenceSetting
    writer: Writer
    arranges: bool
    depth: float = 0
    together: bool = False
    way: Rearranges | None = None

    def changed(self, terms: Sequence[Term], setting: DifferenceSetting) -> list[Piece]:
        """What a move changes in terms."""
        if self.way is None:
            return [piece for term in terms for piece in pieces_of(term, setting)]
        return around_ends(range_pieces(terms, self.way, setting), self.way.facts, Ordered(setting))

    def pieces(self, array: FilledArray) -> list[Piece]:
        """What a move adds to an array, whose values are the entry and what is added to it."""
        if self.way is not None:
            return self.pieces_of_range(array)
        found = self.pieces_in(array, self.setting)
        if any(each.loops and not each.sources for each in found):
            with suppress(NotDerived):
                rows = self.pieces_in(array, evolve(self.setting, tabled=True))
                if self.in_rows(rows) and self.sparse(array, rows):
                    return rows
        return found

    def pieces_in(self, array: FilledArray, setting: DifferenceSetting) -> list[Piece]:
        """The same, with sites that are looked up or not."""
        order, found = Ordered(setting), list[Piece]()
        for each in array.fillings:
            found += [order.piece(piece) for piece in pieces_of(self.scattered(array, each), setting)]
        rows = joined_pieces([p for p in found if p.sources], setting)
        rows = [signed(each, setting.data) for each in rows] if self.writes is POINTS["FlipMove"] else rows
        return points_together(rows + _plain(found), setting)

    def pieces_of_range(self, array: FilledArray) -> list[Piece]:
        """What a move of a range adds to an array; in loops over its entries where all of an inner sum may change."""
        try:
            return self.changed([self.scattered(array, each) for each in array.fillings], self.setting)
        except NotDerived:
            if not (array.inner and array.bins):
                raise
        found = self.changed([each.term for each in array.fillings], evolve(self.setting, fixed=tuple(array.bins)))
        around = tuple((loop.name, [loop.low], [loop.high]) for loop in array.bins)
        return [evolve(piece, loops=(*around, *piece.loops)) for piece in found]

    def sparse(self, array: FilledArray, pieces: Sequence[Piece]) -> bool:
        """Whether few entries of an array have rows of a position."""
        sizes = tuple(map(ast.unparse, array.sizes))
        sources = dict.fromkeys(rows for each in pieces for rows, _ in each.sources)
        return bool(self.setting.data.ask("sparse", sizes, *sources))

    def scattered(self, array: FilledArray, filling: Filling) -> Term:
        """A filling as a term whose value is the entry and what is added."""
        term, places = filling.term, list(filling.places)
        bins = {each.name: each for each in array.bins}
        conditions = list(term.conditions)
        for each in list(conditions):
            pair = _equal(each, bins)
            if pair is not None and not named(pair[1]) & bins.keys():
                name, value = pair
                conditions.remove(each)
                loop = bins.pop(name)
                put = {name: value}
                conditions = [substituted(one, put) for one in conditions]
                places = [substituted(one, put) for one in places]
                term = evolve(term, value=substituted(term.value, put))
                conditions += self.inside(value, loop)
        facts = [fact for loop in (*bins.values(), *term.loops) for fact in loop.facts]
        index = [self.index(place, size, facts) for place, size in zip(places, array.sizes, strict=True)]
        value = term.value if term.sign > 0 else ast.UnaryOp(ast.USub(), term.value)
        whole = ast.Tuple([*index, value], ast.Load())
        return Term(1, (*bins.values(), *term.loops), tuple(conditions), whole)

    def inside(self, value: ast.expr, loop: IndexLoop) -> Iterator[ast.expr]:
        """The conditions under which a value is one of a loop's."""
        if loop.low or not self.natural(value):
            yield ast.Compare(value, [ast.GtE()], [parsed(written(loop.low), mode="eval").body])
        if not (_is_site(value) and self.setting.data.ask("holds_values", written(loop.high))):
            yield ast.Compare(value, [ast.Lt()], [parsed(written(loop.high), mode="eval").body])

    def index(self, place: ast.expr, size: ast.expr, facts: Sequence[Form]) -> ast.expr:
        """An index of a list, which may count from the end."""
        form = form_of(place)
        read: list[Form] = [{name: 1} for name in form if name.startswith("x[")]
        natural = self.natural(place) or never_negative(form, [*facts, *read])
        return place if natural else ast.BinOp(place, ast.Mod(), size)

    def natural(self, value: ast.expr) -> bool:
        """Whether a value is never negative."""
        match value:
            case ast.Constant(value=int() as number):
                return number >= 0
            case ast.Name() | ast.Subscript(value=ast.Name(id="x")):
                return True
            case ast.Subscript(value=ast.Name(id=name)) if name.startswith(OTHER):
                return True
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult() | ast.Mod() | ast.FloorDiv(), right=right):
                return self.natural(left) and self.natural(right)
            case (
                ast.Attribute(value=ast.Name(id="self"), attr=name)
                | ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name))
            ):
                return bool(self.setting.data.ask("natural", name))
        return False

    def entries(self, pieces: Mapping[str, list[Piece]]) -> list[Entry]:
        """The entries that change, those of equal places as one."""
        found: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Change]] = {}
        for name, each in pieces.items():
            for piece in each:
                for sign, tests, value in piece.changes:
                    *places, added = parsed(value, mode="eval").body.elts  # type: ignore[attr-defined]
                    key = name, tuple(map(ast.unparse, places)), piece.conditions
                    found.setdefault(key, []).append((sign, tests, ast.unparse(added)))
        if len(found) > _ENTRIES:
            raise NotDerived(f"a move changes {len(found)} entries of lists", "fill each list by one statement.")
        return [Entry(*key, tuple(changes)) for key, changes in found.items()]

    def named_entries(self, entries: Sequence[Entry]) -> Iterator[str]:
        """The statements that name entries b0, b1, ... and what is added to them, d0, d1, ...."""
        for k, each in enumerate(entries):
            tests = {one for _, one, _ in each.changes}
            guard = condition(tests.pop()) if len(tests) == 1 and () not in tests else ""
            values = [f"({one} if {guard} else 0)" if guard else one for one in each.places]
            if tests and not guard and () not in tests:
                values = [
                    f"({one} if {' or '.join(f'({condition(t)})' for t in sorted(tests))} else 0)"
                    for one in each.places
                ]
            values.append(amount(each.changes))
            names = [*indices(k, len(each.places)), f"d{k}"]
            if each.conditions:
                yield f"{', '.join(names)} = {', '.join('0' for _ in names)}"
                yield f"if {condition(each.conditions)}:"
                yield f"    {', '.join(names)} = {', '.join(values)}"
            else:
                yield from (f"{name} = {value}" for name, value in zip(names, values, strict=True))

    def amount_of(self, entries: Sequence[Entry], k: int) -> str:
        """What is added to the k-th entry: a number, or its name."""
        found = amount(entries[k].changes)
        return found if not entries[k].conditions and found.lstrip("-").isdigit() else f"d{k}"

    def step(self, entries: Sequence[Entry], k: int) -> int:
        """1 or -1 where the k-th entry surely changes by this and by nothing else; otherwise 0."""
        alone = not any(self.same(entries, k, other) for other in range(len(entries)) if other != k)
        found = self.amount_of(entries, k)
        return int(found) if alone and found in {"1", "-1"} else 0

    def same(self, entries: Sequence[Entry], one: int, other: int) -> str:
        """The condition under which two entries have the same place; "" if they never have."""
        first, second = entries[one], entries[other]
        tests = []
        for k, (p, q) in enumerate(zip(first.places, second.places, strict=True)):
            difference = plus(form_in(p), form_in(q), -1)
            if not (first.surely and second.surely):
                tests.append(f"{indices(one, len(first.places))[k]} == {indices(other, len(first.places))[k]}")
            elif difference.keys() <= {""}:
                if difference:
                    return ""
            elif self.differ(difference):
                return ""
            else:
                tests.append(f"{indices(one, len(first.places))[k]} == {indices(other, len(first.places))[k]}")
        return condition(tests) or "True"

    def differ(self, form: Form) -> bool:
        """Whether a form is never 0."""
        known = [*self.writes.differ, *([{"u": 1, "v": -1}] if self.arranges else [])]
        return any(form in (each, times(each, -1)) for each in known)

    def after(self, entries: Sequence[Entry], k: int, array: str) -> str:
        """The value of an array at the place of the k-th entry, after the move."""
        found = f"s.{kept_name(array)}[{', '.join(indices(k, len(entries[k].places)))}]"
        for other, each in enumerate(entries):
            if each.array != array:
                continue
            test = "True" if other == k else self.same(entries, k, other)
            found += f" + d{other}" if test == "True" else f" + (d{other} if {test} else 0)" if test else ""
        return found

    def first_of(self, entries: Sequence[Entry], k: int) -> list[str] | None:
        """The conditions under which no entry before the k-th one has its place; None if one always has."""
        tests = [self.same(entries, k, other) for other in range(k)]
        return None if "True" in tests else [f"not ({each})" for each in tests if each]

    def bins_of(self, term: Term, arrays: Sequence[FilledArray]) -> tuple[tuple[IndexLoop, ...], tuple[IndexLoop, ...]]:
        """The loops over the entries that a term reads, and its other loops."""
        places = {
            tuple(map(ast.unparse, node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]))
            for each in (term.value, *term.conditions)
            for node in ast.walk(each)
            if isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id != "x"
            and not node.value.id.startswith(OTHER)
        }
        loops = {each.name: each for each in term.loops}
        if any("x" in named(each) for each in (term.value, *term.conditions)):
            raise NotDerived("a term reads the solution, and a list that the cost fills", SEPARATE)
        if len(places) != 1 or any(name not in loops and name != "0" for place in places for name in place):
            raise NotDerived("a term reads a list that the cost fills at places that are no loop variables", ENTRIES)
        (place,) = places
        if len({*place}) < len(place):
            raise NotDerived(
                "a term reads the diagonal of a list that the cost fills", "fill a list of its own for it."
            )
        bins = tuple(loops[name] for name in place if name in loops)
        rest = tuple(each for each in term.loops if each not in bins)
        if place == ("0",):
            bins = (IndexLoop("0", {}, {"": 1}),)
        names = {each.name for each in rest}
        if any(names_of(form) & names for each in bins for form in (each.low, each.high)):
            raise NotDerived("the entries of a list that are read depend on another loop", ENTRIES)
        return bins, rest

    def in_rows(self, pieces: Sequence[Piece]) -> bool:
        """Whether all changes are those of rows that look up positions, each row with an entry."""
        found = [_column(each) for each in pieces]
        if not pieces or len(pieces) > _ROWS or None in found:
            return False
        alone = len(pieces) == 1 and not self.together and self.single(pieces[0])
        return alone or not any("," in each for each in found if each)

    def single(self, piece: Piece) -> bool:
        """Whether no two rows of a position have the same entry."""
        place = (_column(piece) or "").split(",")
        sources = ((rows, tuple(columns[int(each[1:])] for each in place)) for rows, columns in piece.sources)
        return self.setting.data.single(*sources)

    def ends_of_rows(self, piece: Piece) -> tuple[str, str]:
        """The end of the rows of a position, sorted by their entries, and the column of these."""
        place = _column(piece) or ""
        table = self.writer.sorted_table(piece.sources, int(place[1:])).name
        return f"self.{table}_begin[{piece.at} + 1]", f"self.{table}_{place}"

    def of_all_entries(self, arrays: Sequence[FilledArray], bins: Sequence[IndexLoop]) -> Iterator[str]:
        """The statements that make `d_name` what a move adds to the entry of some loops' variables."""
        yield from (f"d_{array.name} = 0" for array in arrays)
        setting, around = evolve(self.setting, fixed=tuple(bins)), depth_of((each.low, each.high) for each in bins)
        first, second = list[str](), list[str]()
        for array in arrays:
            name = f"d_{array.name}"
            found = self.changed([each.term for each in array.fillings], setting)
            found = joined_pieces(found, setting) if self.way is None else found
            factor, inside = ("", found) if self.together else shared_factor(found, {each.name for each in bins})
            for piece in inside:
                self.depth = max(self.depth, around + piece.depth)
                first += self.writer.lines(piece, name)
            first += [f"{name} = {name} * ({factor})"] if factor else []
            for piece in self.pairs(array) if self.together else ():
                self.depth = max(self.depth, around + piece.depth)
                second += self.writer.lines(piece, name)
        if not self.together:
            yield from first
            return
        yield from EACH
        yield from indented(first, 1)
        if second:
            yield from indented(PAIRS_OF_EACH, 1)
            yield from indented(second, 3)

    def pairs(self, array: FilledArray) -> list[Piece]:
        """The second difference of an array by two flips: the changes by both, less the changes by each alone."""
        terms = [each.term if array.inner else self.scattered(array, each) for each in array.fillings]
        return second_pieces(terms, "FlipMove", self.setting.data, self.setting.unequal, array.bins)

    def require_positions(self, array: FilledArray) -> None:
        """Refuse an array whose entries are set to other things than positions."""
        filling = array.fillings[0]
        (loop,) = filling.term.loops
        site = f"x[{loop.name}]"
        whole = loop.low == {} and loop.high == {N: 1}
        if not (
            len(array.fillings) == 1
            and ast.unparse(filling.places[0]) == site
            and ast.unparse(filling.term.value) == loop.name
            and form_of(array.sizes[0]) == {N: 1}
            and whole
            and self.arranges
            and [each.before for each in self.writes.moved] == ["u", "v"]
        ):
            raise NotDerived(
                f"entries of {array.name} are set", "add to entries; or set the positions of all items, for swaps."
            )


def joined_rows(pieces: list[Piece], setting: DifferenceSetting) -> list[Piece]:
    """The pieces in order; pieces with rows are joined, and others are not split at positions."""
    order = Ordered(setting)
    found = [order.piece(each) for each in pieces]
    return joined_pieces([each for each in found if each.sources], setting) + _plain(found)


def _plain(pieces: Sequence[Piece]) -> list[Piece]:
    return [each for each in pieces if not each.sources]


def form_in(text: str) -> Form:
    return form_of(parsed(text, mode="eval").body)


def indices(k: int, count: int) -> list[str]:
    """The names of the indices of the k-th entry."""
    return [f"b{k}"] if count == 1 else [f"b{k}_{axis}" for axis in range(count)]


def places_of(value: str) -> list[ast.expr]:
    """The indices in the value of a piece of an array."""
    found: list[ast.expr]
    *found, _ = parsed(value, mode="eval").body.elts  # type: ignore[attr-defined]
    return found


def added_by(value: str) -> ast.expr:
    """What is added in the value of a piece of an array."""
    found: ast.expr = parsed(value, mode="eval").body.elts[-1]  # type: ignore[attr-defined]
    return found


def _column(piece: Piece) -> str | None:
    """The columns of a table that index the entry of a piece of an array, such as "c0"; None if no columns do."""
    if not piece.sources or piece.loops:
        return None
    places = {",".join(map(ast.unparse, places_of(value))) for _, _, value in piece.changes}
    if len(places) != 1:
        return None
    (place,) = places
    return place if all(each[:1] == "c" and each[1:].isdigit() for each in place.split(",")) else None


def _is_site(value: ast.expr) -> bool:
    return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id == "x"


def _equal(test: ast.expr, bins: Mapping[str, IndexLoop]) -> tuple[str, ast.expr] | None:
    """The loop variable that a condition makes equal to a value, and the value."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[value]) if name in bins:
            return name, value
        case ast.Compare(left=value, ops=[ast.Eq()], comparators=[ast.Name(id=name)]) if name in bins:
            return name, value
    return None


class _Entries(ast.NodeTransformer):
    """Replaces entries of arrays by names or expressions."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self.values:
            return self.values[node.value.id]
        self.generic_visit(node)
        return node


def with_entries(value: ast.expr, entries: Mapping[str, ast.expr], names: Mapping[str, ast.expr]) -> ast.expr:
    """An expression whose names and entries of arrays are replaced by values."""
    found: ast.expr = _Entries(entries).visit(substituted(value, {}))
    return substituted(found, names)


def ends_within(name: str, loop: IndexLoop, size: ast.expr) -> list[str]:
    """The conditions under which an entry of an array is one of a loop."""
    tests = [f"{name} >= {written(loop.low)}"] if loop.low else []
    return tests + ([f"{name} < {written(loop.high)}"] if loop.high != form_of(size) else [])


def tests_of(bins: Sequence[IndexLoop], names: Sequence[str], array: FilledArray) -> list[str]:
    """The conditions under which an entry of an array is one of the loops over its entries."""
    return [
        one for loop, name, size in zip(bins, names, array.sizes, strict=True) for one in ends_within(name, loop, size)
    ]
