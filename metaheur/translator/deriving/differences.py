"""The change of a sum of terms by a move that writes few positions: cases of sites and positions.

A *site* is a place where a term reads the solution: an affine form of loop variables, taken around the end of the
solution where it may leave it. For every way to put some sites at written positions and the others elsewhere,
all values before and after the move are known without a condition, and a loop whose variable a site fixes is gone.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import final

from attrs import define, field, frozen

from metaheur.translator.deriving.affine import (
    Form,
    N,
    form_of,
    known_sign,
    never_negative,
    plus,
    put,
    solved_for,
    written,
)
from metaheur.translator.deriving.sums import Term, named, substituted

__all__ = ["Change", "Moved", "NotDerived", "Piece", "pieces_of"]

_SITES = 3
"""The most sites of a term: the cases grow exponentially."""


class NotDerived(Exception):
    """A term is beyond what is derived; the text says why."""


@final
@frozen
class Moved:
    """A position that a move writes.

    Parameters
    ----------
    at : str
        The variable that holds the position.
    before, after : str
        The variables that hold its values before and after the move.
    """

    at: str
    before: str
    after: str


Change = tuple[int, tuple[str, ...], str]
"""A sign, conditions and a value, as they are written."""


@final
@frozen(eq=False)
class Piece:
    """Changes that are added up over loops under conditions.

    Parameters
    ----------
    loops : tuple of (str, list of Form, list of Form)
        Loops from the largest of the first forms to before the smallest of the others.
    apart : mapping of str to list of Form
        What the variables of loops are different from.
    conditions : tuple of str
        What must hold.
    changes : tuple of Change
        What is added.
    """

    loops: tuple[tuple[str, list[Form], list[Form]], ...]
    apart: Mapping[str, list[Form]]
    conditions: tuple[str, ...]
    changes: tuple[Change, ...]


@final
@frozen
class _Site:
    """Where a term reads the solution; around the end of the solution if it may leave it."""

    form: tuple[tuple[str, int], ...]
    around: bool

    def at(self, values: Mapping[str, Form]) -> Form:
        """The form with others in the place of names."""
        return put(dict(self.form), values)


class _Sites(ast.NodeTransformer):
    """Puts a name of its own in the place of each site."""

    def __init__(self, facts: Sequence[Form], loops: set[str]) -> None:
        self.facts, self.loops, self.found = facts, loops, list[_Site]()

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not (isinstance(node.value, ast.Name) and node.value.id == "x"):
            self.generic_visit(node)
            return node
        match node.slice:
            case ast.BinOp(left=left, op=ast.Mod(), right=right) if ast.unparse(right) in (N, "len(x)"):
                form, around = form_of(left), True
            case index:
                form = form_of(index)
                around = not never_negative(form, self.facts)
        if not form.keys() - {""} <= self.loops | {N}:
            raise NotDerived(f"`{ast.unparse(node)}` is read at a place that is no sum of loop variables")
        site = _Site(tuple(sorted(form.items())), around)
        if site not in self.found:
            self.found.append(site)
        return ast.Name(f"S{self.found.index(site)}", ast.Load())


def pieces_of(term: Term, moved: Sequence[Moved], facts: Sequence[Form]) -> Iterator[Piece]:
    """The pieces of the change of a term.

    Raises
    ------
    NotDerived
        If the term is beyond what is derived.
    """
    bounds = [*facts, *(fact for loop in term.loops for fact in loop.facts)]
    loops = {loop.name for loop in term.loops}
    for loop in term.loops:
        for name in {*loop.low, *loop.high} - {"", *loops}:
            if "x" in named(ast.parse(name, mode="eval")) or named(ast.parse(name, mode="eval")) & loops:
                raise NotDerived(f"the ends of a loop depend on {name}")
    sites = _Sites(bounds, loops)
    value = sites.visit(copy.deepcopy(term.value))
    conditions = [sites.visit(copy.deepcopy(each)) for each in term.conditions]
    for each in (value, *conditions):
        if "x" in named(each):
            raise NotDerived("the solution is read as a whole")
    if not sites.found:
        return
    if len(sites.found) > _SITES:
        raise NotDerived(f"a term reads the solution at {len(sites.found)} places")
    for places in product([None, *moved], repeat=len(sites.found)):
        if any(places):
            case = _Case(term, sites.found, places, moved, bounds)
            yield from case.piece(value, conditions)


@final
@define(eq=False)
class _Case:
    """Some sites at moved positions, and the others elsewhere."""

    term: Term
    sites: list[_Site]
    places: tuple[Moved | None, ...]
    moved: Sequence[Moved]
    facts: list[Form]
    solved: dict[str, Form] = field(factory=dict)
    required: list[Form] = field(factory=list)  # at least 0
    tests: list[str] = field(factory=list)

    def piece(self, value: ast.expr, conditions: list[ast.expr]) -> Iterator[Piece]:
        """The piece of this case, if the case can occur."""
        if not (self.solve() and self.within()):
            return
        left = [loop for loop in self.term.loops if loop.name not in self.solved]
        loops = tuple((each.name, [put(each.low, self.solved)], [put(each.high, self.solved)]) for each in left)
        for form in self.required:
            name = next((name for name, _, _ in reversed(loops) if abs(form.get(name, 0)) == 1), None)
            if name is None:
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
        known = {name: ast.parse(written(form), mode="eval").body for name, form in self.solved.items()}
        own = {f"S{k}" for k in range(len(self.sites))}
        changes = []
        for sign, after in ((self.term.sign, True), (-self.term.sign, False)):
            values = {f"S{k}": self.read(site, place, after=after) for k, (site, place) in enumerate(self.pairs())}
            tests = tuple(_text(each, known, values) for each in conditions if named(each) & own)
            changes.append((sign, tests, _text(value, known, values)))
        shared = [_text(each, known, {}) for each in conditions if not named(each) & own]
        yield Piece(loops, apart, (*shared, *self.tests), tuple(changes))

    def pairs(self) -> list[tuple[_Site, Moved | None]]:
        return list(zip(self.sites, self.places, strict=True))

    def solve(self) -> bool:
        """Find loop variables from the sites at moved positions; whether the case can occur."""
        for site, place in sorted(self.pairs(), key=lambda pair: pair[0].around):
            if place is None:
                continue
            here, form = {place.at: 1}, site.at(self.solved)
            names = [loop.name for loop in self.term.loops if abs(form.get(loop.name, 0)) == 1]
            name = next((each for each in names if each not in self.solved), None)
            if name is None:
                sign = known_sign(plus(form, here, -1), self.facts)
                if sign is None or (sign and site.around):
                    self.tests.append(f"{self.placed(site, form)} == {place.at}")
                elif sign:
                    return False
                continue
            found = solved_for(form, name, here)
            if site.around:
                found = self.turned(name, found)
            self.solved[name] = found
        return True

    def turned(self, name: str, form: Form) -> Form:
        """The variable of a loop over all positions, where a site goes around their end."""
        loop = next(each for each in self.term.loops if each.name == name)
        if not never_negative(loop.low, self.facts) or not never_negative(plus({N: 1}, loop.high, -1), self.facts):
            raise NotDerived("a loop that goes around the end is not over positions")
        text = self.around(form)
        found = form if text == written(form) else {text: 1}
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

    def placed(self, site: _Site, form: Form) -> str:
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
            for each in self.moved if place is None else ():
                form = site.at(self.solved)
                if not site.around and left and abs(form.get(left[-1], 0)) == 1:
                    apart.setdefault(left[-1], []).append(solved_for(form, left[-1], {each.at: 1}))
                    continue
                sign = known_sign(plus(form, {each.at: 1}, -1), self.facts)
                if sign == 0:
                    return None
                if sign is None or site.around:
                    self.tests.append(f"{self.placed(site, form)} != {each.at}")
        return apart

    def read(self, site: _Site, place: Moved | None, *, after: bool) -> ast.expr:
        """What a site reads before or after the move."""
        if place is not None:
            return ast.Name(place.after if after else place.before, ast.Load())
        return ast.parse(f"x[{self.placed(site, site.at(self.solved))}]", mode="eval").body


def _text(node: ast.expr, known: Mapping[str, ast.expr], values: Mapping[str, ast.expr]) -> str:
    """An expression as it is written, with loop variables and sites replaced."""
    return ast.unparse(substituted(substituted(node, known), values))
