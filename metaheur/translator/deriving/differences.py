"""The change of a sum of terms by a move that writes few positions: cases of sites and positions.

A *site* is a place where a term reads the solution: an affine form of loop variables, taken around the end of the
solution where it may leave it; or what data say of loop variables. For every way to put some sites at written positions
and the others elsewhere, all values before and after the move are known without a condition, and a loop whose variable
a site fixes is gone; loops that data fix become the rows that look up the position.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import final

from attrs import define, evolve, field, frozen

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import (
    Form,
    N,
    copied,
    form_of,
    known_sign,
    named,
    names_of,
    never_negative,
    plus,
    put,
    solved_for,
    substituted,
    times,
    written,
)
from metaheur.translator.deriving.data import DataFacts, Rows
from metaheur.translator.deriving.sites import Site, Sites
from metaheur.translator.deriving.terms import IndexLoop, NotDerived, Term

__all__ = ["Change", "DifferenceSetting", "Moved", "Piece", "depth_of", "pieces_of"]

DATA = "let loops end at numbers of the data."

_SITES = 3
"""The most sites of a term: the cases grow exponentially."""


@final
@frozen
class Moved:
    """A position that a move writes.

    `at`: the variable that holds the position. `before`, `after`: the variables that hold its values before and after
    the move. `move`: the number of the move: in second differences, two moves are made.
    """

    at: str
    before: str
    after: str
    move: int = 0


@final
@frozen(eq=False)
class DifferenceSetting:
    """The setting of a difference: the positions that are written, and what is known of them.

    `moved`: the positions that are written.
    `facts`: forms that are at least 0.
    `data`: facts of the data.
    `array`: what is written: the solution, or a kept array.
    `second`: whether the difference is a second one: of what another move changes, by a move.
    `fixed`: loops around the terms, whose variables are known.
    `unequal`: pairs of values that differ.
    `tabled`: whether all sites are looked up in tables, sums of loop variables, too.
    """

    moved: tuple[Moved, ...]
    facts: tuple[Form, ...]
    data: DataFacts
    array: str = "x"
    second: bool = False
    fixed: tuple[IndexLoop, ...] = ()
    unequal: tuple[frozenset[str], ...] = ()
    tabled: bool = False


Change = tuple[int, tuple[str, ...], str]
"""A sign, conditions and a value, as they are written."""


@final
@frozen(eq=False)
class Piece:
    """Changes that are added up over loops under conditions.

    `loops`: loops from the largest of the first forms to before the smallest of the others.
    `apart`: what the variables of loops are different from.
    `conditions`: what must hold.
    `changes`: what is added.
    `at`: a written position that is looked up: rows with this position are the loop around all others.
    `sources`: where these rows come from, and what the names c0, c1, ... stand for in them; empty for no such loop.
    """

    loops: tuple[tuple[str, list[Form], list[Form]], ...]
    apart: Mapping[str, list[Form]]
    conditions: tuple[str, ...]
    changes: tuple[Change, ...]
    at: str = ""
    sources: tuple[tuple[Rows, tuple[str, ...]], ...] = ()

    @property
    def depth(self) -> float:
        """How deep its loops are: 1 for all positions, 0.9 for a part of them, 0.5 for the rows of a position."""
        return depth_of((lows[0], highs[0]) for _, lows, highs in self.loops) + (0.5 if self.sources else 0.0)


def depth_of(loops: Iterable[tuple[Form, Form]]) -> float:
    """How deep loops are, by their ends: 1 for one over all positions, 0.9 for another one."""
    return sum(1.0 if low == {} and high == {N: 1} else 0.9 for low, high in loops)


def pieces_of(term: Term, setting: DifferenceSetting) -> Iterator[Piece]:
    """The pieces of the change of a term."""
    bounds = [*setting.facts, *(fact for loop in (*setting.fixed, *term.loops) for fact in loop.facts)]
    loops = {loop.name for loop in (*setting.fixed, *term.loops)}
    for loop in term.loops:
        for name in {*names_of(loop.low), *names_of(loop.high)} - {"self", "len", "min", "max", "abs", *loops}:
            raise NotDerived(f"the ends of a loop depend on {name}", "loop over numbers of the data.")
    sites = Sites(setting.array, bounds, loops, tabled=setting.tabled)
    value = sites.visit(copied(term.value))
    conditions = [sites.visit(copied(each)) for each in _apart(term.conditions)]
    for each in (value, *conditions):
        if "x" in named(each):
            raise NotDerived(
                "a term reads the whole solution at once",
                "write the sum over x[k] out: sum(x[k] for k in range(self.n)).",
            )
    if not sites.found:
        return
    if len(sites.found) > _SITES:
        raise NotDerived(
            f"a term reads the solution at {len(sites.found)} places",
            "count first, in a list, what three places or more have in common; or write delta by hand.",
        )
    for places in product([None, *setting.moved], repeat=len(sites.found)):
        if {each.move for each in places if each} != ({0, 1} if setting.second else {0}):
            continue
        if setting.second and len(sites.found) > 2:
            raise NotDerived(
                "a term reads the solution at three places", "count first, in a list, what two of them have in common."
            )
        case = _Case(term, sites.found, places, setting, bounds)
        yield from case.piece(value, conditions)


def _apart(conditions: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Conditions, where those joined by `and` are listed one by one."""
    for each in conditions:
        if isinstance(each, ast.BoolOp) and isinstance(each.op, ast.And):
            yield from _apart(each.values)
        else:
            yield each


@final
@define(eq=False)
class _Case:
    """A case: which sites are at moved positions; the other sites are elsewhere."""

    term: Term
    sites: list[Site]
    places: tuple[Moved | None, ...]
    setting: DifferenceSetting
    facts: list[Form]
    solved: dict[str, Form] = field(factory=dict)
    required: list[Form] = field(factory=list)  # at least 0
    tests: list[str] = field(factory=list)
    rows: Rows | None = None
    at: str = ""
    turns: dict[str, Form] = field(factory=dict)  # positions around the end, and what they are without it

    def __attrs_post_init__(self) -> None:
        self.facts = list(self.facts)

    def piece(self, value: ast.expr, conditions: list[ast.expr]) -> Iterator[Piece]:
        """The piece of this case, if the case can occur."""
        if self.impossible() or not self.solve(conditions) or not self.within():
            return
        gone = {*self.solved, *self.in_rows}
        left = [loop for loop in self.term.loops if loop.name not in gone]
        loops = tuple((each.name, [put(each.low, self.solved)], [put(each.high, self.solved)]) for each in left)
        for form in self.required:
            name = next((name for name, _, _ in reversed(loops) if abs(form.get(name, 0)) == 1), None)
            if name is None or names_of(form) & {each for each, _, _ in loops} - {name, *_before(loops, name)}:
                self.tests.append(f"{written(form)} >= 0")
                continue
            _, lows, highs = next(each for each in loops if each[0] == name)
            if form[name] > 0:
                lows.append(solved_for(form, name, {}))
            else:
                highs.append(plus(solved_for(form, name, {}), {"": 1}))
        apart = self.elsewhere([each.name for each in left])
        if apart is None:
            return
        known = {name: parsed(written(form), mode="eval").body for name, form in self.solved.items()}
        own = {f"S{k}" for k in range(len(self.sites))}
        changes = []
        for sign, made in self.states():
            values = {f"S{k}": self.read(site, place, made) for k, (site, place) in enumerate(self.pairs())}
            tests = tuple(_text(each, known, values) for each in conditions if named(each) & own)
            changes.append((sign * self.term.sign, tests, _text(value, known, values)))
        shared = [_text(each, known, {}) for each in conditions if not named(each) & own and not self.filters(each)]
        found = Piece(loops, apart, (*shared, *self.tests), tuple(changes), self.at)
        yield found if self.rows is None else _with_columns(found, self.rows)

    def states(self) -> list[tuple[int, frozenset[int]]]:
        """Pairs of a sign and the moves made: after a move minus before it; for two moves, their mixed difference."""
        if not self.setting.second:
            return [(1, frozenset({0})), (-1, frozenset())]
        return [(1, frozenset({0, 1})), (-1, frozenset({1})), (-1, frozenset({0})), (1, frozenset())]

    def pairs(self) -> list[tuple[Site, Moved | None]]:
        return list(zip(self.sites, self.places, strict=True))

    @property
    def in_rows(self) -> set[str]:
        """The variables of loops that are rows now."""
        return {name for name, _, _ in self.rows.loops} if self.rows is not None else set()

    def loops_of(self, names: set[str]) -> list[IndexLoop]:
        """The loops of variables, those that their ends depend on, and those whose ends depend on them."""
        found = {*names}
        while True:
            before = len(found)
            for loop in self.term.loops:
                ends = names_of(loop.low) | names_of(loop.high)
                if loop.name in found:
                    found |= ends & {each.name for each in self.term.loops}
                elif ends & found:
                    found.add(loop.name)
            if len(found) == before:
                return [loop for loop in self.term.loops if loop.name in found]

    def rows_of(self, text: str, conditions: Sequence[ast.expr] = ()) -> Rows | None:
        """The rows of loops that an expression of data goes through."""
        loops = self.loops_of(named(parsed(text, mode="eval")) & {each.name for each in self.term.loops})
        names = {each.name for each in loops}
        if not loops or any({*names_of(each.low), *names_of(each.high)} - {"self", "len", *names} for each in loops):
            return None
        shared = tuple(ast.unparse(each) for each in conditions if named(each) <= {"self", "len", "abs", *names})
        return Rows(tuple((each.name, written(each.low), written(each.high)) for each in loops), shared, text)

    def filters(self, condition: ast.expr) -> bool:
        """Whether only rows for which a condition holds are in the table."""
        return self.rows is not None and ast.unparse(condition) in self.rows.conditions

    def impossible(self) -> bool:
        """Whether two sites would have to be at one position, but data keep them apart."""
        placed = [(site, place) for site, place in self.pairs() if place is not None]
        for k, (site, place) in enumerate(placed):
            for other, there in placed[:k]:
                if place is there and self.differ(site, other):
                    return True
        return False

    def differ(self, one: Site, other: Site) -> bool:
        """Whether data say that two sites are never at the same position."""
        if not (one.looked or other.looked):
            return False
        rows = self.rows_of(f"({one.text}, {other.text})")
        return rows is not None and self.setting.data.apart(evolve(rows, key="0"), one.text, other.text)

    def solve(self, conditions: Sequence[ast.expr]) -> bool:
        """Find loop variables from the sites at moved positions; whether the case can occur."""
        for site, place in sorted(self.pairs(), key=lambda pair: (bool(pair[0].looked), pair[0].around)):
            if place is None:
                continue
            here, form = {place.at: 1}, site.at(self.solved)
            if site.looked:
                self.look_up(site, place, conditions)
                continue
            names = [loop.name for loop in self.term.loops if abs(form.get(loop.name, 0)) == 1]
            name = next((each for each in names if each not in self.solved), None)
            if name is None:
                met = self.meeting(site, form, place.at)
                sign = known_sign(plus(form, here, -1), self.facts)
                if met is not None:
                    if not met:
                        return False
                    self.tests += [" or ".join(f"({_compared(each, '==')})" for each in met)] if {} not in met else []
                elif sign is None or (sign and site.around):
                    self.tests.append(f"{self.placed(site, form)} == {place.at}")
                elif sign:
                    return False
                continue
            found = solved_for(form, name, here)
            if site.around:
                found = self.turned(name, found)
            self.solved[name] = found
        return True

    def look_up(self, site: Site, place: Moved, conditions: Sequence[ast.expr]) -> None:
        """Loops whose variables data fix become the rows that look up a position."""
        names = named(parsed(site.looked, mode="eval")) & {each.name for each in self.term.loops}
        loops = {each.name for each in self.loops_of(names)}
        fixed = named(parsed(site.looked, mode="eval")) & {each.name for each in self.setting.fixed}
        if fixed or not names - self.solved.keys() - self.in_rows or loops & {*self.solved, *self.in_rows}:
            self.tests.append(f"({written(site.at(self.solved))}) == {place.at}")
            return
        rows = self.rows_of(site.looked, conditions)
        if rows is None:
            raise NotDerived(f"`{self.setting.array}[{site.looked}]` is read in a loop whose ends are not data", DATA)
        if self.setting.data.limits(rows, site.looked) is None and self.setting.data.problem is not None:
            raise NotDerived(
                f"`{self.setting.array}[{site.looked}]` is read in loops that are too long for a table",
                "loop over fewer rows: those that add something.",
            )
        self.rows, self.at = rows, place.at

    def turned(self, name: str, form: Form) -> Form:
        """The variable of a loop over all positions, where a site goes around their end."""
        loop = next(each for each in self.term.loops if each.name == name)
        if not never_negative(loop.low, self.facts) or not never_negative(plus({N: 1}, loop.high, -1), self.facts):
            raise NotDerived(
                "a loop that reads positions around the end does not go over all positions", "loop over range(self.n)."
            )
        text = self.around(form)
        found = form if text == written(form) else {text: 1}
        self.turns[text] = form
        self.facts += [found, plus({N: 1, "": -1}, found, -1)]
        return found

    def around(self, form: Form) -> str:
        """A form modulo the length, as it is written."""
        last = plus({N: 1, "": -1}, form, -1)
        from_zero, before_end = never_negative(form, self.facts), never_negative(last, self.facts)
        text = written(form)
        if from_zero and before_end:
            return text
        if before_end and never_negative(plus(form, {N: 1}), self.facts):
            return f"({text} if {text} >= 0 else {written(plus(form, {N: 1}))})"
        if from_zero and never_negative(plus(last, {N: 1}), self.facts):
            return f"({text} if {text} < {N} else {written(plus(form, {N: 1}, -1))})"
        return f"(({text}) % {N})"

    def meeting(self, site: Site, form: Form, at: str) -> list[Form] | None:
        """The forms of which one is 0 where a site that goes around the end is at a position; None for other sites."""
        plain = put(form, self.turns)
        if not self.turns_round(site, form):
            return None
        if not all(never_negative(each, self.facts) for each in (plus(plain, {N: 1}), plus({N: 2, "": -1}, plain, -1))):
            return None
        differences = [plus(plus(plain, {at: 1}, -1), {N: turn}) for turn in (0, 1, -1)]
        return [each for each in differences if known_sign(each, self.facts) in (None, 0)]

    def placed(self, site: Site, form: Form) -> str:
        """The position of a site, as it is written."""
        return self.around(form) if site.around else written(form)

    def within(self) -> bool:
        """Require that the variables that were found lie in their loops; whether they can."""
        for loop in self.term.loops:
            if loop.name not in self.solved:
                continue
            for fact in loop.facts:
                form = put(fact, self.solved)
                if never_negative(form, self.facts):
                    continue
                if known_sign(form, self.facts) == -1:
                    return False
                self.required.append(form)
        return True

    def elsewhere(self, left: list[str]) -> dict[str, list[Form]] | None:
        """Keep the other sites away from all moved positions; None if one must be at such a position."""
        apart: dict[str, list[Form]] = {}
        for site, place in self.pairs():
            for each in self.setting.moved if place is None else ():
                form = site.at(self.solved)
                if any(there is each and self.differ(site, other) for other, there in self.pairs()):
                    continue
                if not site.around and not site.looked and left and abs(form.get(left[-1], 0)) == 1:
                    apart.setdefault(left[-1], []).append(solved_for(form, left[-1], {each.at: 1}))
                    continue
                met = self.meeting(site, form, each.at)
                if met is not None:
                    if {} in met:
                        return None
                    self.tests += [_compared(one, "!=") for one in met]
                    continue
                sign = known_sign(plus(form, {each.at: 1}, -1), self.facts)
                if sign == 0:
                    return None
                if self.setting.array != "x" and not site.around:  # the positions of different items differ
                    self.tests.append(f"{self.setting.array}[{self.placed(site, form)}] != {each.before}")
                elif sign is None or site.around or site.looked:
                    self.tests.append(f"{self.placed(site, form)} != {each.at}")
        return apart

    def read(self, site: Site, place: Moved | None, made: frozenset[int]) -> ast.expr:
        """What a site reads when some moves are made."""
        if place is not None:
            return ast.Name(place.after if place.move in made else place.before, ast.Load())
        form = site.at(self.solved)
        plain = put(form, self.turns)
        text = self.placed(site, form)
        if self.setting.array == "x" and self.turns_round(site, form):
            indices = (plain, plus(plain, {N: 1}, -1))  # negative ones count from the end
            text = next((written(each) for each in indices if self.indexes(each)), text)
        return parsed(f"{self.setting.array}[{text}]", mode="eval").body

    def indexes(self, form: Form) -> bool:
        """Whether a form is always an index, which may count from the end."""
        last = plus({N: 1, "": -1}, form, -1)
        return never_negative(plus(form, {N: 1}), self.facts) and never_negative(last, self.facts)

    def turns_round(self, site: Site, form: Form) -> bool:
        """Whether the position of a site is a form modulo the length."""
        return not site.looked and (site.around or (form != put(form, self.turns) and list(form.values()) == [1]))


def _compared(form: Form, sign: str) -> str:
    """The condition that a form is 0, or is not."""
    ends = [{name: value for name, value in times(form, turn).items() if value > 0} for turn in (1, -1)]
    return f"{written(ends[0])} {sign} {written(ends[1])}"


def _before(loops: Sequence[tuple[str, list[Form], list[Form]]], name: str) -> list[str]:
    """The variables of the loops around a loop."""
    names = [each for each, _, _ in loops]
    return names[: names.index(name)]


def _text(node: ast.expr, known: Mapping[str, ast.expr], values: Mapping[str, ast.expr]) -> str:
    """An expression as it is written, with loop variables and sites replaced."""
    return ast.unparse(substituted(substituted(node, known), values))


@final
class _Columns(ast.NodeTransformer):
    """Replaces what rows alone determine by names of columns."""

    def __init__(self, names: set[str]) -> None:
        self.names, self.found = names, dict[str, str]()

    def visit(self, node: ast.AST) -> ast.AST:
        used = named(node) if isinstance(node, ast.expr) else set()
        if used & self.names and used <= {"self", "len", "abs", "min", "max", *self.names}:
            if isinstance(node, ast.Compare | ast.BoolOp | ast.Tuple):
                return self.generic_visit(node)
            return ast.Name(self.found.setdefault(ast.unparse(node), f"c{len(self.found)}"), ast.Load())
        return self.generic_visit(node)


def _with_columns(piece: Piece, rows: Rows) -> Piece:
    """The same piece, which reads columns of its rows instead of the variables of their loops."""
    names = {name for name, _, _ in rows.loops}
    columns = _Columns(names)

    def read(text: str) -> str:
        return ast.unparse(columns.visit(parsed(text, mode="eval").body))

    changes = tuple((sign, tuple(map(read, tests)), read(value)) for sign, tests, value in piece.changes)
    conditions = tuple(map(read, piece.conditions))
    loops = tuple(
        (name, [form_of(parsed(read(written(form)), mode="eval").body) for form in lows], highs)
        for name, lows, highs in piece.loops
    )
    for name, _, highs in loops:
        if any(names_of(form) & names for form in highs) or any(
            names_of(form) & names for form in piece.apart.get(name, [])
        ):
            raise NotDerived("a loop ends at a row that is looked up", DATA)
    return evolve(piece, loops=loops, conditions=conditions, changes=changes, sources=((rows, tuple(columns.found)),))
