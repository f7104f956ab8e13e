"""A cost as a sum of terms: signed nested sums, each over loops and under conditions, and arrays that it fills."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import final

from attrs import define, field

from metaheur.errors import CompileError
from metaheur.machine.parsing import parsed
from metaheur.marker import Compiled
from metaheur.translator.deriving.adding import without_adding
from metaheur.translator.deriving.affine import Form, N, copied, form_of, named, names_of, plus, substituted, written
from metaheur.translator.deriving.counting import by_counts
from metaheur.translator.deriving.data import DataFacts, Rows
from metaheur.translator.deriving.inlining import inlined
from metaheur.translator.deriving.inner import Inner, folds
from metaheur.translator.deriving.lengths import with_lengths
from metaheur.translator.deriving.parts import OTHER, by_items, form_of_part, of_part
from metaheur.translator.deriving.running import without_running
from metaheur.translator.deriving.terms import BY_HAND, Extreme, FilledArray, Filling, IndexLoop, Least, Sums, Term
from metaheur.translator.reading import Text

__all__ = ["sums_of"]

CARRIED = (
    "write one loop, `for b in x` or `for k in range(1, self.n)` with x[k] and x[k - 1], that carries all numbers: it "
    "becomes a fold; or write delta by hand."
)
"""The way out where a loop carries numbers."""


def sums_of(text: Text, members: Mapping[str, Compiled], data: DataFacts) -> Sums:
    """The terms of a cost, whose class has these compiled methods.

    Raises CompileError if the cost is not a sum of terms, with the line and the construct that is not one.
    """
    reader = _Reader(text, members, data)
    terms = reader.terms()
    if data.part:
        terms = [by_items(each, data) for each in terms]
        for array in reader.arrays.values():
            array.fillings = [_by_items(each, data) for each in array.fillings]
    return Sums(tuple(terms), reader.arrays, reader.extremes, reader.leasts)


def _by_items(filling: Filling, data: DataFacts) -> Filling:
    """A filling that goes through another part, a permutation, item by item."""
    if filling.sets:
        return filling
    term = filling.term
    whole = by_items(
        Term(term.sign, term.loops, term.conditions, ast.Tuple([*filling.places, term.value], ast.Load())), data
    )
    assert isinstance(whole.value, ast.Tuple)
    *places, value = whole.value.elts
    return Filling(tuple(places), Term(term.sign, whole.loops, whole.conditions, value))


@final
@define(eq=False)
class _Reader:
    """Reads the statements of a cost; `x` and `self` are the names of its parameters."""

    text: Text
    members: Mapping[str, Compiled]
    data: DataFacts
    collected: dict[str, list[Term]] = field(factory=dict)
    arrays: dict[str, FilledArray] = field(factory=dict)
    extremes: dict[str, Extreme] = field(factory=dict)
    leasts: dict[str, Least] = field(factory=dict)
    kept_sums: dict[str, str] = field(factory=dict)
    loops_made: int = 0
    step: int = 0

    def terms(self) -> list[Term]:
        body = of_part(without_adding(without_running(inlined(self.text, self.members))), self.data)
        if any("x_as_a_whole" in named(each) for each in body):
            raise self.refusal(self.text.tree, "a solution has parts, and the cost reads the whole solution at once")
        body = with_lengths(body, self.data)
        assigned = [name for each in body for name in _assigned(each)]
        added = {
            each.target.id
            for one in body
            for each in ast.walk(one)
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
        }
        known = {*assigned, *added}
        assigned += dict.fromkeys(
            name.id
            for one in body
            for each in ast.walk(one)
            if isinstance(each, ast.For)
            for name in ast.walk(each.target)
            if isinstance(name, ast.Name) and name.id in known
        )
        for name in dict.fromkeys(assigned):
            if assigned.count(name) > 1:
                raise self.refusal(
                    self.text.tree, f"{name} is assigned several times", "name each value once; `total += ...` is fine."
                )
        for each in (one for node in body for one in ast.walk(node)):
            real = isinstance(each, ast.Div) or (isinstance(each, ast.Constant) and isinstance(each.value, float))
            if real or (isinstance(each, ast.Attribute) and ast.unparse(each.value) == "math"):
                raise self.refusal(
                    self.text.tree,
                    "the cost computes with floats",
                    "multiply, so that all numbers are whole; or write delta by hand.",
                )
        self.collected = {name: [] for name in added}
        *before, last = body
        if not isinstance(last, ast.Return) or last.value is None:
            raise self.refusal(
                last, "the cost has a return before its end", "add up all terms, and return the sum at the end."
            )
        values: dict[str, ast.expr] = {}
        for self.step, each in enumerate(before):
            values = self.block([each], (), (), values)
        self.step += 1
        found = list(self.sum(substituted(self.as_one(last.value), values), 1, (), ()))
        counts = self.data.ask("bits") and not self.members.keys() & {"init", "commit", "update"}
        return [by_counts(each, self) or each for each in found] if counts else found

    def as_one(self, value: ast.expr) -> ast.expr:
        """A returned value; of levels, their weighted sum."""
        names = self.data.levels()
        if not isinstance(value, ast.Tuple) or len(names) != len(value.elts):
            return value
        own = self.text.parameters[0]
        *weighted, lowest = (
            ast.BinOp(ast.Attribute(ast.Name(own, ast.Load()), f"weight_of_{name}", ast.Load()), ast.Mult(), level)
            for name, level in zip(names, value.elts, strict=True)
        )
        total = lowest.right
        for each in reversed(weighted):
            total = ast.BinOp(each, ast.Add(), total)
        return ast.fix_missing_locations(ast.copy_location(total, value))

    def refusal(self, node: ast.AST, why: str, maybe: str = BY_HAND) -> CompileError:
        """The error that says why no change of cost is derived."""
        at = node if hasattr(node, "lineno") else self.text.tree
        return self.text.refusal(at, f"{why}, so that no change of cost is derived.", maybe)

    def block(
        self,
        body: list[ast.stmt],
        loops: tuple[IndexLoop, ...],
        conditions: tuple[ast.expr, ...],
        values: Mapping[str, ast.expr],
    ) -> dict[str, ast.expr]:
        """Collect the terms of statements; returns what the names stand for behind them."""
        known = dict(values)
        for each in body:
            self.require_complete(each)
            match each:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name)) as target], value=value) if (
                    name in self.arrays
                ):
                    self.fill(each, target, substituted(value, known), loops, (conditions, known), sets=True)
                case ast.AugAssign(
                    target=ast.Subscript(value=ast.Name(id=name)) as target,
                    op=ast.Add() | ast.Sub() as operation,
                    value=value,
                ) if name in self.arrays:
                    added = substituted(value, known)
                    added = added if isinstance(operation, ast.Add) else ast.UnaryOp(ast.USub(), added)
                    self.fill(each, target, added, loops, (conditions, known))
                case ast.Assign(targets=[_]):
                    known |= self.given(each, known, outside=not (loops or conditions))
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() as operation, value=value):
                    sign = 1 if isinstance(operation, ast.Add) else -1
                    added = substituted(value, known)
                    if named(added) & self.collected.keys():
                        raise self.refusal(each, f"{name} grows by a sum that is not complete", CARRIED)
                    self.collected[name] += self.sum(added, sign, loops, conditions)
                case ast.For(target=target, iter=goes, body=inner, orelse=[]):
                    loop, names = self.loop(target, substituted(goes, known))
                    self.block(inner, (*loops, loop), conditions, {**known, **names})
                case ast.If(test=test, body=yes, orelse=no):
                    condition = self.folded(substituted(test, known), loops)
                    self.block(yes, loops, (*conditions, condition), known)
                    self.block(no, loops, (*conditions, ast.UnaryOp(ast.Not(), condition)), known)
                case _:
                    raise self.refusal(
                        each,
                        f"`{ast.unparse(each).splitlines()[0]}` is no term of a sum",
                        "use `for` loops, `if`, `total += ...` and lists that are filled; or write delta by hand.",
                    )
        return known

    def require_complete(self, node: ast.stmt) -> None:
        """Refuse a statement that reads a sum before it is complete."""
        read = [node.test] if isinstance(node, ast.If) else [node.iter] if isinstance(node, ast.For) else []
        read += [node.value] if isinstance(node, ast.Assign) else []
        if any(named(one) & self.collected.keys() for one in read):
            raise self.refusal(node, "a sum is read before it is complete", CARRIED)

    def given(self, node: ast.Assign, known: Mapping[str, ast.expr], *, outside: bool) -> dict[str, ast.expr]:
        """What an assignment gives names; `outside` of loops and conditions, it may begin sums and lists."""
        found = {name: substituted(one, known) for name, one in self.pairs(node, node.targets[0], node.value)}
        for name in found.keys() & self.collected.keys():
            begin = found.pop(name)
            known_before = not named(begin) & {*self.collected, *self.arrays} and _lengths(begin) is None
            if not outside and known_before:
                way = f"say it in one expression, {name} = sum(... for ... if ...)."
                raise self.refusal(node, f"{name} is added up within a loop or a condition", way)
            if self.collected[name] or not known_before:
                raise self.refusal(
                    node, f"{name} does not begin with a sum of its own before all loops", f"write {name} = 0 first."
                )
            if ast.unparse(begin) != "0":
                self.collected[name] += self.sum(begin, 1, (), ())
        for name in [name for name, one in found.items() if _lengths(one) is not None]:
            if not outside:
                raise self.refusal(
                    node, f"the list {name} is made in a loop", "make it before all loops: [0] * self.n."
                )
            self.arrays[name] = FilledArray(name, _lengths(found.pop(name)) or ())
        return found

    def fill(  # noqa: PLR0913 - what a statement in loops is made of
        self,
        node: ast.stmt,
        target: ast.Subscript,
        value: ast.expr,
        loops: tuple[IndexLoop, ...],
        under: tuple[tuple[ast.expr, ...], Mapping[str, ast.expr]],
        *,
        sets: bool = False,
    ) -> None:
        """Collect what a statement adds to an entry of a list."""
        array = self.arrays[ast.unparse(target.value)]
        places = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        found = tuple(substituted(each, under[1]) for each in places)
        if array.read or len(places) != len(array.sizes):
            raise self.refusal(node, f"{array.name} is read before it is complete")
        if any(self.sums(each) or named(each) & self.arrays.keys() for each in (*found, value, *under[0])):
            raise self.refusal(node, f"{array.name} is filled with sums, or with entries of another list")
        if sets and (array.fillings or under[0] or len(loops) != 1):
            raise self.refusal(node, f"entries of {array.name} are set, not added to")
        if array.step not in (-1, self.step) and any(each.sets for each in array.fillings):
            raise self.refusal(node, f"{array.name} is set and added to")
        array.step = self.step
        conditions = under[0]
        if isinstance(value, ast.Compare | ast.BoolOp):
            conditions, value = (*conditions, value), ast.Constant(1)
        array.fillings.append(Filling(found, Term(1, loops, conditions, value), sets))

    def pairs(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """The names that an assignment gives values, each with its value."""
        targets, values = [target], [value]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            targets, values = target.elts, value.elts
        if len(targets) != len(values) or not all(isinstance(each, ast.Name) for each in targets):
            raise self.refusal(node, f"`{ast.unparse(node)}` is no term of a sum")
        yield from ((ast.unparse(each), one) for each, one in zip(targets, values, strict=True))

    def loop(self, target: ast.expr, goes: ast.expr) -> tuple[IndexLoop, dict[str, ast.expr]]:
        """A loop with a variable of its own, and what the names of the loop stand for."""
        name = f"k{self.loops_made}"
        self.loops_made += 1
        here = ast.Name(name, ast.Load())
        match target, goes:
            case ast.Name(id=own), ast.Call(func=ast.Name(id="range"), args=[high], keywords=[]):
                return IndexLoop(name, {}, form_of(high)), {own: here}
            case ast.Name(id=own), ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]):
                return IndexLoop(name, form_of(low), form_of(high)), {own: here}
            case ast.Tuple(elts=[ast.Name(id=place), inner]), ast.Call(
                func=ast.Name(id="enumerate"), args=[array], keywords=[]
            ):
                found = self.entries(inner, array, name)
                if found is not None:
                    return found[0], {**found[1], place: here}
            case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=arrays, keywords=[]):
                each = [self.entries(one, array, name) for one, array in zip(targets, arrays, strict=False)]
                known = [one for one in each if one is not None]
                ends = [(written(one[0].low), written(one[0].high)) for one in known]
                alike = all(end == ends[0] or self.data.ask("alike", ends[0], end) for end in ends)
                if known and len(known) == len(arrays) == len(targets) and alike:
                    return known[0][0], {key: value for one in known for key, value in one[1].items()}
            case _:
                found = self.entries(target, goes, name)
                if found is not None:
                    return found
        raise self.refusal(
            goes,
            f"a loop goes over `{ast.unparse(goes)}`",
            "loop over range(...), x, an array, a slice without steps, enumerate or zip.",
        )

    def entries(self, target: ast.expr, array: ast.expr, name: str) -> tuple[IndexLoop, dict[str, ast.expr]] | None:
        """A loop over the entries of an array, or of a slice of it."""
        here = ast.Name(name, ast.Load())
        low: Form = {}
        bounds: ast.Slice | None = None
        if isinstance(array, ast.Subscript) and isinstance(array.slice, ast.Slice):
            bounds, array = array.slice, array.value
            if bounds.step is not None:
                return None
        if isinstance(array, ast.Name) and array.id in self.arrays:
            high = form_of(self.arrays[array.id].sizes[0])
        elif isinstance(array, ast.Name) and array.id == "x":
            high = {N: 1}
        elif isinstance(array, ast.Name) and array.id.startswith(OTHER):
            high = form_of_part(array.id, self.data)
        elif isinstance(array, ast.Attribute) and ast.unparse(array.value) == "self":
            high = {f"len({ast.unparse(array)})": 1}
        else:
            return None
        length = high
        if bounds is not None:
            low = _from_end(form_of(bounds.lower), length) if bounds.lower is not None else {}
            high = _from_end(form_of(bounds.upper), length) if bounds.upper is not None else length
        loop = IndexLoop(name, low, high)
        if isinstance(target, ast.Name):
            return loop, {target.id: ast.Subscript(array, here, ast.Load())}
        return None

    def sum(
        self, value: ast.expr, sign: int, loops: tuple[IndexLoop, ...], conditions: tuple[ast.expr, ...]
    ) -> Iterator[Term]:
        """The terms of an expression."""
        match value:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right) if self.sums(value):
                yield from self.sum(left, sign, loops, conditions)
                yield from self.sum(right, sign if isinstance(operation, ast.Add) else -sign, loops, conditions)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                yield from self.sum(operand, -sign, loops, conditions)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as generator]):
                inner, loops, conditions = self.generated(generator, loops, conditions)
                yield from self.sum(inner, sign, loops, conditions)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=array) as entries], keywords=[]) if (
                array == "x" or array in self.arrays
            ):
                loop, own = self.loop(ast.Name("entry", ast.Store()), entries)
                yield from self.sum(own["entry"], sign, (*loops, loop), conditions)
            case ast.Name(id=name) if name in self.collected:
                for term in self.collected[name]:
                    yield Term(sign * term.sign, (*loops, *term.loops), (*conditions, *term.conditions), term.value)
            case ast.BinOp(left=left, op=ast.Mult(), right=right) if self.sums(left) != self.sums(right):
                inner, factor = (left, right) if self.sums(left) else (right, left)
                for term in self.sum(inner, sign, loops, conditions):
                    yield Term(term.sign, term.loops, term.conditions, ast.BinOp(factor, ast.Mult(), term.value))
            case ast.Call(func=ast.Name(id="int"), args=[inner]) if self.sums(inner):
                yield from self.sum(inner, sign, loops, conditions)
            case _ if self.sums(value):
                yield self.read(Term(sign, loops, conditions, self.folded(value, loops)))
            case (
                ast.Compare()
                | ast.BoolOp()
                | ast.UnaryOp(op=ast.Not())
                | ast.Call(func=ast.Name(id="int"), args=[ast.Compare() | ast.BoolOp()])
            ):
                compared = value.args[0] if isinstance(value, ast.Call) else value
                yield self.read(Term(sign, loops, (*conditions, compared), ast.Constant(1)))
            case _:
                yield self.read(Term(sign, loops, conditions, value))

    def generated(
        self, generator: ast.GeneratorExp, loops: tuple[IndexLoop, ...], conditions: tuple[ast.expr, ...]
    ) -> tuple[ast.expr, tuple[IndexLoop, ...], tuple[ast.expr, ...]]:
        """The value, the loops and the conditions of a generator, inside of others."""
        names: dict[str, ast.expr] = {}
        for each in generator.generators:
            loop, own = self.loop(each.target, substituted(each.iter, names))
            names |= own
            loops = (*loops, loop)
            conditions = (*conditions, *(self.folded(substituted(one, names), loops) for one in each.ifs))
        return substituted(generator.elt, names), loops, conditions

    def read(self, term: Term) -> Term:
        """The same term; the arrays that it reads are complete."""
        for name in {one for each in (term.value, *term.conditions) for one in named(each)} & self.arrays.keys():
            array = self.arrays[name]
            if not array.fillings:
                raise self.refusal(self.text.tree, f"{name} is read, but never filled")
            if array.step == self.step and not array.inner and term.loops and array.fillings[-1].term.loops:
                shared = {each.name for each in term.loops} & {
                    each.name for filling in array.fillings for each in filling.term.loops
                }
                if shared:
                    raise self.refusal(self.text.tree, f"{name} is read before it is complete")
            array.read = True
        return term

    def folded(self, value: ast.expr, loops: tuple[IndexLoop, ...]) -> ast.expr:
        """A function of sums, whose inner sums are entries of arrays, one for each value of the loops around them."""
        return Inner(self, loops).visit(copied(value)) if self.sums(value) else value

    def kept(self, terms: list[Term], loops: tuple[IndexLoop, ...], node: ast.expr) -> ast.expr:
        """The entry of an array, which replaces a sum of terms inside loops; equal sums have the same array."""
        bins = self.bins_of({one for term in terms for one in _used(term)}, loops)
        if len(bins) > 2:
            raise self.refusal(node, f"`{ast.unparse(node)}` is a function of sums in {len(bins)} nested loops")
        if any({one for form in (each.low, each.high) for one in names_of(form)} & {"x"} for each in bins):
            raise self.refusal(
                node, f"`{ast.unparse(node)}` is a function of sums whose indices depend on the solution"
            )
        if any(named(each) & self.arrays.keys() for term in terms for each in (term.value, *term.conditions)):
            raise self.refusal(node, f"`{ast.unparse(node)}` is a function of sums of functions of sums")
        text = repr((self.step, [_text(each, bins) for each in terms]))
        name = self.kept_sums.setdefault(text, f"kept{len(self.arrays)}")
        sizes = tuple(self.size(bins[: k + 1], node) for k in range(len(bins))) or (ast.Constant(1),)
        places = tuple(ast.Name(each.name, ast.Load()) for each in bins) or (ast.Constant(0),)
        fillings = [Filling(places, each) for each in terms]
        if name not in self.arrays:
            self.arrays[name] = FilledArray(name, sizes, fillings, bins, inner=True, step=self.step, read=True)
        place = places[0] if len(places) == 1 else ast.Tuple(list(places), ast.Load())
        return ast.Subscript(ast.Name(name, ast.Load()), place, ast.Load())

    def bins_of(self, used: set[str], loops: tuple[IndexLoop, ...]) -> tuple[IndexLoop, ...]:
        """The loops whose variables are used, and those that their ends refer to."""
        bins = tuple(each for each in loops if each.name in used)
        while True:
            names = {one for each in bins for form in (each.low, each.high) for one in names_of(form)}
            more = tuple(each for each in loops if each in bins or each.name in names)
            if more == bins:
                return bins
            bins = more

    def size(self, loops: tuple[IndexLoop, ...], node: ast.expr) -> ast.expr:
        """How many entries an array needs for the variable of the last loop."""
        last = loops[-1]
        if not names_of(last.high) & {each.name for each in loops}:
            return parsed(written(last.high), mode="eval").body
        rows = Rows(tuple((each.name, written(each.low), written(each.high)) for each in loops), (), "0")
        limits = self.data.limits(rows, last.name)
        if limits is None:
            raise self.refusal(node, f"`{ast.unparse(node)}` is a function of sums in loops whose ends are not data")
        return ast.Constant(limits[1] + 1)

    def sums(self, value: ast.expr) -> bool:
        """Whether there is a sum, or a collected number, in an expression."""
        return any(
            folds(each) or (isinstance(each, ast.Name) and each.id in self.collected) for each in ast.walk(value)
        )


def _from_end(form: Form, length: Form) -> Form:
    """An end of a slice; negative numbers count from the end."""
    return plus(form, length) if form.keys() <= {""} and form.get("", 0) < 0 else form


def _used(term: Term) -> set[str]:
    """The names in a term."""
    found = {one for each in (term.value, *term.conditions) for one in named(each)}
    return found | {one for loop in term.loops for form in (loop.low, loop.high) for one in names_of(form)}


def _text(term: Term, bins: tuple[IndexLoop, ...]) -> list[str]:
    """What tells a term in an entry of an array from others, however its loops are called."""
    loops = (*bins, *term.loops)
    names: dict[str, ast.expr] = {each.name: ast.Name(f"_{place}", ast.Load()) for place, each in enumerate(loops)}
    ends = [parsed(written(form), mode="eval").body for each in loops for form in (each.low, each.high)]
    known = (*ends, *term.conditions, term.value)
    return [str(term.sign), *(ast.unparse(substituted(each, names)) for each in known), str((len(bins), len(loops)))]


def _lengths(value: ast.expr) -> tuple[ast.expr, ...] | None:
    """The lengths of a new list of zeros; None for any other value."""
    match value:
        case ast.BinOp(left=ast.List(elts=[ast.Constant(value=0)]), op=ast.Mult(), right=length):
            return (length,)
        case ast.ListComp(
            elt=ast.BinOp(left=ast.List(elts=[ast.Constant(value=0)]), op=ast.Mult(), right=columns),
            generators=[ast.comprehension(iter=ast.Call(func=ast.Name(id="range"), args=[rows]), ifs=[])],
        ):
            return (rows, columns)
    return None


def _assigned(node: ast.stmt) -> Iterator[str]:
    """The names that a statement assigns, without those that it adds to or loops over, and without entries."""
    for each in ast.walk(node):
        if isinstance(each, ast.Assign):
            for target in each.targets:
                if not isinstance(target, ast.Subscript):
                    yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
