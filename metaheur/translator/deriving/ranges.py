"""The change of a sum of terms by a move that rearranges a range of positions.

Such a move maps positions piece by piece: the item at q goes to q + c, or to c - q. A term that reads the solution at
two sites is a sum over pairs of items; the pairs of two pieces whose places have the same distance before and after
the move add the same, unless the term reads the positions themselves. What is left is short loops and single terms.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import final

from attrs import define, evolve, field, frozen

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import (
    Form,
    N,
    copied,
    form_of,
    named,
    never_negative,
    plus,
    put,
    substituted,
    times,
    written,
)
from metaheur.translator.deriving.cancelling import cancelled
from metaheur.translator.deriving.differences import Change, DifferenceSetting, Piece
from metaheur.translator.deriving.ordered import Ordered
from metaheur.translator.deriving.sites import Sites
from metaheur.translator.deriving.terms import NotDerived, Term

__all__ = ["BACK", "RANGES", "Rearranges", "range_pieces"]

SWAPS = "use Swap(), for which more is derived."

_DEPTH = 4
_LAST: Form = {"": -1}


@final
@frozen(eq=False)
class Region:
    """Positions from `low` to before `high`, whose items go to `sign` times the position plus `shift`."""

    low: Form
    high: Form
    sign: int
    shift: Form

    def after(self, place: Form) -> Form:
        """Where the item at a position goes."""
        return plus(times(place, self.sign), self.shift)

    @property
    def stays(self) -> bool:
        """Whether the items stay where they are."""
        return self.sign == 1 and not self.shift


@final
@frozen(eq=False)
class Rearranges:
    """One way in which a class of moves rearranges positions.

    `test`: when it does so; "" for always. `facts`: forms that are at least 0 then. `regions`: all positions, in order.
    """

    test: str
    facts: tuple[Form, ...]
    regions: tuple[Region, ...]


def _form(text: str) -> Form:
    return form_of(parsed(text, mode="eval").body)


def _regions(*parts: tuple[str, str, int, str]) -> tuple[Region, ...]:
    return tuple(Region(_form(low), _form(high), sign, _form(shift)) for low, high, sign, shift in parts)


_INSIDE = tuple(map(_form, ("i", "j", f"{N} - 1 - i", f"{N} - 1 - j")))


def _blocks(kind: int, test: str) -> Rearranges:
    """The blocks from i and from j, which end at j and at h: reversed (1, 2), exchanged (4)."""
    facts = tuple(map(_form, ("i", "j - i - 1", "h - j - 1", f"{N} - h")))
    if kind & 4:
        first = (-1, "i + h - 1") if kind & 1 else (1, "h - j")
        second = (-1, "i + h - 1") if kind & 2 else (1, "i - j")
    else:
        first = (-1, "i + j - 1") if kind & 1 else (1, "0")
        second = (-1, "j + h - 1") if kind & 2 else (1, "0")
    return Rearranges(
        test, facts, _regions(("0", "i", 1, "0"), ("i", "j", *first), ("j", "h", *second), ("h", N, 1, "0"))
    )


_PAIR = ("i, j = m.i, m.j",)
_UP, _DOWN = _form("j - i - 1"), _form("i - j - 1")

RANGES: dict[str, tuple[tuple[str, ...], tuple[Rearranges, ...]]] = {
    "InsertionMove": (
        _PAIR,
        (
            Rearranges(
                "i < j",
                (*_INSIDE, _UP),
                _regions(("0", "i", 1, "0"), ("i", "i + 1", 0, "j"), ("i + 1", "j + 1", 1, "-1"), ("j + 1", N, 1, "0")),
            ),
            Rearranges(
                "i > j",
                (*_INSIDE, _DOWN),
                _regions(("0", "j", 1, "0"), ("j", "i", 1, "1"), ("i", "i + 1", 0, "j"), ("i + 1", N, 1, "0")),
            ),
        ),
    ),
    "TwoOptMove": (
        _PAIR,
        (
            Rearranges(
                "",
                (*_INSIDE, _UP),
                _regions(("0", "i", 1, "0"), ("i", "j + 1", -1, "i + j"), ("j + 1", N, 1, "0")),
            ),
        ),
    ),
    "OrOptMove": (
        (
            "i = m.i if m.shift > 0 else m.i + m.shift",
            "j = m.i + m.length if m.shift > 0 else m.i",
            "h = m.i + m.length + max(m.shift, 0)",
        ),
        (
            _blocks(4, "m.reverse == 0"),
            _blocks(5, "m.reverse == 1 and m.shift > 0"),
            _blocks(6, "m.reverse == 1 and m.shift < 0"),
        ),
    ),
    "ThreeOptMove": (
        ("i, j, h = m.i, m.j, m.k",),
        tuple(_blocks(kind, f"m.kind == {kind}") for kind in range(1, 8)),
    ),
}
"""The moves that rearrange a range, by the names of their classes: statements that name positions, and their ways."""


def _back(kind: int) -> int:
    """The blocks of the move that leads back: of exchanged blocks, the first becomes the second."""
    return 4 | (kind & 1) << 1 | (kind & 2) >> 1 if kind & 4 else kind


BACK: dict[str, tuple[tuple[str, ...], tuple[Rearranges, ...]]] = {
    "InsertionMove": (("i, j = m.j, m.i",), RANGES["InsertionMove"][1]),
    "TwoOptMove": RANGES["TwoOptMove"],
    "OrOptMove": (
        (*RANGES["OrOptMove"][0], "j = i + h - j"),
        (
            _blocks(4, "m.reverse == 0"),
            _blocks(6, "m.reverse == 1 and m.shift > 0"),
            _blocks(5, "m.reverse == 1 and m.shift < 0"),
        ),
    ),
    "ThreeOptMove": (
        ("i, j, h = m.i, m.j if m.kind < 4 else m.i + m.k - m.j, m.k",),
        tuple(_blocks(_back(kind), f"m.kind == {kind}") for kind in range(1, 8)),
    ),
}
"""The same for the moves that lead back, where `x` is the solution after the move."""


def range_pieces(terms: Sequence[Term], way: Rearranges, setting: DifferenceSetting) -> list[Piece]:
    """The pieces of the change of terms."""
    order = Ordered(setting)
    groups: dict[tuple[object, ...], tuple[Piece, list[Change]]] = {}
    for term in terms:
        for piece in _of_term(term, way, setting):
            found = order.piece(piece)
            loops = tuple((name, *map(_texts, ends)) for name, *ends in found.loops)
            _, changes = groups.setdefault((loops, found.conditions), (found, []))
            changes += found.changes
    made = ((piece, cancelled(changes)) for piece, changes in groups.values())
    return [evolve(piece, changes=tuple(changes)) for piece, changes in made if changes]


def _texts(forms: Sequence[Form]) -> tuple[str, ...]:
    return tuple(sorted(map(written, forms)))


@final
@define(eq=False)
class _Places:
    """A term as a function of the places of its sites.

    `constraints`: forms of the places that are at least 0. `positions`: what the variables of loops are.
    """

    constraints: list[Form]
    positions: dict[str, Form] = field(factory=dict)


def _of_term(term: Term, way: Rearranges, setting: DifferenceSetting) -> Iterator[Piece]:
    """The pieces of the change of a term: its value after the move less that before it, for all pairs of regions."""
    size: Form = plus({N: 1}, _LAST)
    bounds = [*way.facts, size, *(fact for loop in term.loops for fact in loop.facts)]
    loops = {each.name for each in term.loops}
    sites = Sites(setting.array, bounds, {*loops, *(each.name for each in setting.fixed)})
    value = sites.visit(copied(term.value))
    conditions = [sites.visit(copied(each)) for each in term.conditions]
    if any("x" in named(each) for each in (value, *conditions)):
        raise NotDerived("a term reads the whole solution at once", "write the sum over x[k] out.")
    if not sites.found:
        return
    if len(sites.found) > 2 or any(each.looked for each in sites.found):
        raise NotDerived(
            "a move rearranges a range, and a term reads the solution at three places, or at a place that data name",
            SWAPS,
        )
    names = [f"p{k}" for k in range(len(sites.found))]
    facts = [*way.facts, size]
    explicit = any(named(each) & loops for each in (value, *conditions))
    for places in _alternatives(term, [dict(each.form) for each in sites.found], [each.around for each in sites.found]):
        for regions in product(way.regions, repeat=len(names)):
            if all(each.stays for each in regions):
                continue
            within = [
                form
                for name, each in zip(names, regions, strict=True)
                for form in (plus({name: 1}, each.low, -1), plus(plus(each.high, {name: 1}, -1), _LAST))
            ]
            if _impossible(within, facts):
                continue
            moved = {name: each.after({name: 1}) for name, each in zip(names, regions, strict=True)}
            where = [way.regions.index(each) for each in regions]
            before = _solved(names, where, [*within, *places.constraints], facts)
            after = _solved(names, where, [*within, *(put(each, moved) for each in places.constraints)], facts)
            if not explicit and before is not None and after is not None and before.same(after):
                continue
            for sign, found, to in ((-1, before, {}), (1, after, moved)):
                if found is not None:
                    known = {name: put(put(form, to), found.solved) for name, form in places.positions.items()}
                    read = {
                        f"S{k}": parsed(f"x[{written(put({name: 1}, found.solved))}]", mode="eval").body
                        for k, name in enumerate(names)
                    }
                    put_in: dict[str, ast.expr] = {
                        **read,
                        **{name: parsed(written(form), mode="eval").body for name, form in known.items()},
                    }
                    tests = [ast.unparse(substituted(each, put_in)) for each in conditions]
                    change = (sign * term.sign, (), ast.unparse(substituted(value, put_in)))
                    yield found.piece(tests, change, "q" if setting.fixed else "k")


def _alternatives(term: Term, forms: list[Form], around: list[bool]) -> Iterator[_Places]:
    """The term by the places of its sites; a site that goes around the end is one of two places for each."""
    bounds = [fact for loop in term.loops for fact in loop.facts]
    found: list[tuple[list[Form], list[Form]]] = [(bounds, forms)]
    for k, goes in enumerate(around):
        if not goes:
            continue
        names = [name for name in forms[k] if name and name != N]
        constant = forms[k].get("", 0)
        if len(names) != 1 or forms[k][names[0]] != 1 or abs(constant) != 1 or N in forms[k]:
            raise NotDerived("a term reads more than one position beyond the end of the solution", SWAPS)
        variable: Form = {names[0]: 1}
        end: Form = {} if constant < 0 else plus({N: 1}, _LAST)
        far: Form = plus({N: 1}, _LAST) if constant < 0 else {}
        inner = plus(variable, _LAST) if constant < 0 else plus(plus({N: 1}, {"": -2}), variable, -1)
        at_end = [plus(variable, end, -1), plus(end, variable, -1)]
        found = [
            each
            for limits, places in found
            for each in (
                ([*limits, inner], places),
                ([*limits, *at_end], [far if one == k else place for one, place in enumerate(places)]),
            )
        ]
    for limits, places in found:
        made = _Places([])
        equal: list[Form] = []
        for k, place in enumerate(places):
            form = put(place, made.positions)
            name = next((each.name for each in term.loops if abs(form.get(each.name, 0)) == 1), None)
            if name is None:
                difference = plus({f"p{k}": 1}, form, -1)
                equal += [difference, times(difference, -1)]
                continue
            rest = {each: factor for each, factor in form.items() if each != name}
            solution = times(plus({f"p{k}": 1}, rest, -1), form[name])
            made.positions = {each: put(one, {name: solution}) for each, one in made.positions.items()}
            made.positions[name] = solution
        if any(loop.name not in made.positions for loop in term.loops):
            raise NotDerived("a move rearranges a range, and a loop goes over something else than the solution", SWAPS)
        made.constraints = [put(each, made.positions) for each in (*limits, *equal)]
        if any({*form} - {"", N, "p0", "p1"} for form in made.constraints):
            raise NotDerived("a move rearranges a range, and the ends of a loop depend on data", SWAPS)
        yield made


@final
@frozen(eq=False)
class _Solution:
    """A solution of constraints: the places that are free, the constraints on these, and the other places."""

    free: tuple[str, ...]
    left: tuple[Form, ...]
    solved: Mapping[str, Form]

    def same(self, other: _Solution) -> bool:
        """Whether the same places solve two sets of constraints."""
        return (
            self.free == other.free
            and {_key(each) for each in self.left} == {_key(each) for each in other.left}
            and {name: _key(form) for name, form in self.solved.items()}
            == {name: _key(form) for name, form in other.solved.items()}
        )

    def piece(self, tests: list[str], change: Change, letter: str) -> Piece:
        """A piece that goes over the free places, in variables of a letter."""
        names = {name: f"{letter}{k}" for k, name in enumerate(self.free)}
        renamed: dict[str, Form] = {name: {new: 1} for name, new in names.items()}
        rest = [put(form, renamed) for form in self.left]
        loops = []
        for k, name in enumerate(names.values()):
            inner = set(list(names.values())[k + 1 :])
            mine = [form for form in rest if form.get(name) and not inner & form.keys()]
            rest = [form for form in rest if form not in mine]
            lows = [times({e: c for e, c in form.items() if e != name}, -1) for form in mine if form[name] == 1]
            highs = [plus({e: c for e, c in form.items() if e != name}, {"": 1}) for form in mine if form[name] == -1]
            if not lows or not highs or len(lows) + len(highs) != len(mine):
                raise NotDerived("a move rearranges a range, and the positions of a term have no known bounds", SWAPS)
            loops.append((name, lows, highs))
        put_in: dict[str, ast.expr] = {name: ast.Name(new, ast.Load()) for name, new in names.items()}
        sign, _, value = change
        texts = [ast.unparse(substituted(parsed(each, mode="eval").body, put_in)) for each in (*tests, value)]
        guards = sorted(f"{written(form)} >= 0" for form in rest)  # which come first: others may read what they guard
        return Piece(tuple(loops), {}, (*guards, *sorted(texts[:-1])), ((sign, (), texts[-1]),))


def _key(form: Form) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(form.items()))


@lru_cache(maxsize=1 << 16)
def _proven(form: tuple[tuple[str, int], ...], facts: tuple[tuple[tuple[str, int], ...], ...], depth: int) -> bool:
    return never_negative(dict(form), [dict(each) for each in facts], depth)


def _holds(form: Form, facts: Sequence[Form], depth: int = _DEPTH) -> bool:
    """Whether a form is at least 0, by a few facts."""
    return _proven(_key(form), tuple(map(_key, facts)), depth)


def _impossible(forms: Sequence[Form], facts: Sequence[Form]) -> bool:
    """Whether forms cannot all be at least 0."""
    return any(
        _holds(plus(times(form, -1), _LAST), [*facts, *(each for each in forms if each is not form)], 3)
        for form in forms
    )


def _solved(
    names: Sequence[str], where: Sequence[int], given: Sequence[Form], facts: Sequence[Form]
) -> _Solution | None:
    """The places for which forms are at least 0; None if there are none.

    `where`: the numbers of the regions of all places.
    """
    forms, solved = [each for each in given if each], dict[str, Form]()
    while True:
        found = next(
            (
                (form, name)
                for form in forms
                if times(form, -1) in forms
                for name in sorted(names, key=lambda each: (_solution(form, each).get("", 0) < 0, each), reverse=False)
                if abs(form.get(name, 0)) == 1 and name not in solved
            ),
            None,
        )
        if found is None:
            break
        form, name = found
        solution = _solution(form, name)
        solved = {each: put(one, {name: solution}) for each, one in solved.items()}
        solved[name] = solution
        forms = [one for one in (put(each, {name: solution}) for each in forms) if one]
    if any(each.keys() <= {""} and each.get("", 0) < 0 for each in forms) or _impossible(forms, facts):
        return None
    free = _outermost([each for each in names if each not in solved], where, forms)
    return _Solution(tuple(free), tuple(_needed(forms, facts, free)), solved)


def _outermost(free: list[str], where: Sequence[int], forms: Sequence[Form]) -> list[str]:
    """Free places, of two the larger one first, so that terms of both orders meet in one loop."""
    if len(free) < 2:
        return free
    one, other = free
    first, second = where
    turned = first < second
    if first == second:
        turned = any(each.get(other, 0) > 0 and each.get(one, 0) < 0 for each in forms)
    return [other, one] if turned else free


def _solution(form: Form, name: str) -> Form:
    """The value of a place for which a form is 0."""
    rest = {each: factor for each, factor in form.items() if each != name}
    return times(rest, -form.get(name, 0))


def _needed(forms: Sequence[Form], facts: Sequence[Form], free: Sequence[str]) -> list[Form]:
    """Forms without those that follow from facts, or from other forms that name no further places, in their order."""
    found: list[Form] = []
    for each in forms:
        if each not in found:
            found.append(each)
    for form in list(found):
        inner = max((free.index(name) for name in form if name in free), default=-1)
        others = [
            each
            for each in found
            if each is not form
            and all(free.index(name) <= inner for name in each if name in free)
            and times(form, -1) != each
        ]
        if _holds(form, facts) or _holds(form, [*facts, *others], 3):
            found = [each for each in found if each is not form]
    return found
