"""Costs of lists: the price of a list, and its changes by moves, follow from a loop through its items.

A cost that goes through `x.list(k)` for each list k carries numbers from item to item. They are the numbers of a
segment (`metaheur.translator.segments`) that begins with the head of the list. If all of them are sums of what two
neighboring items add, segments can be joined; otherwise a list is gone through again from the first changed item on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, final

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import copied, named, substituted
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.writing import as_text
from metaheur.translator.linked import SHAPE
from metaheur.translator.reading import Text, remember

__all__ = ["ListMethods", "list_methods"]

_SEGMENT, _OTHER, _PLACE, _LIST = "segment_", "other_", "place_", "list_"
_ITEMS = f"self.{SHAPE}[0]"
_WAY = "go through all lists: for k in range(...): for item in x.list(k), and add up; or write unit, join and price."


@final
class ListMethods:
    """What follows from a cost of lists.

    `texts`: `begin`, `unit`, `join`, `price` and `left_out`. `names`: the numbers of a segment. `walks`: whether a
    segment is only joined with one item. `longest`: whether the most expensive list counts.
    """

    def __init__(self, texts: dict[str, Text], names: tuple[str, ...], *, walks: bool, longest: bool) -> None:
        self.texts, self.names, self.walks, self.longest = texts, names, walks, longest

    @property
    def settings(self) -> dict[str, Any]:
        """What the class says besides its methods."""
        return {
            "segment": self.names,
            "segments_walk": self.walks,
            "of_lists": "max" if self.longest else "sum",
            "grows": False,
        }


def list_methods(text: Text, cost: Callable[..., Any], data: DataFacts) -> ListMethods:
    """What follows from a cost that goes through all lists.

    Raises CompileError if it is another cost, with the line.
    """
    return _ListCost(text, data).methods(cost)


@final
class _ListCost:
    """A cost of lists while it is read."""

    def __init__(self, text: Text, data: DataFacts) -> None:
        self.text, self.data = text, data
        self.values: dict[str, ast.expr] = {}
        self.totals: dict[str, ast.expr] = {}  # what is added up, with what it begins with
        self.most = ""  # the total of which the largest counts
        self.carried: dict[str, ast.expr] = {}  # what is carried through a list, with what it begins with
        self.step: list[ast.stmt] = []
        self.finish: list[ast.stmt] = []
        self.alone: list[ast.stmt] = []  # what an item costs that is left out
        self.made = 0
        own, x = text.parameters
        names = {x: ast.Name("x", ast.Load()), own: ast.Name("self", ast.Load())}
        *body, last = [substituted(each, names) for each in text.statements]
        written = [*_written(body)]
        self.sums = {each for each in written if written.count(each) > 1} | {*_written(body, ast.AugAssign)}
        for each in body:
            self.statement(each)
        if not isinstance(last, ast.Return) or last.value is None:
            raise self.refusal(last, "the cost has a return before its end")
        self.returned = substituted(last.value, self.values)

    def refusal(self, node: ast.AST, why: str) -> Exception:
        """The error that says why no change of cost follows."""
        return self.text.refusal(node if hasattr(node, "lineno") else self.text.tree, f"{why}.", _WAY)

    # ---- reading

    def statement(self, node: ast.stmt) -> None:
        """Read a statement outside of loops."""
        match node:
            case ast.Assign(targets=[target]):
                for name, value in self.pairs(node, target):
                    if name in self.sums and not named(value) & {"x", *self.totals}:
                        self.totals[name] = value
                    elif "x" in named(value) or name in self.sums:
                        raise self.refusal(node, f"`{ast.unparse(node)}` reads the solution, or a sum")
                    else:
                        self.values[name] = value
            case ast.For(target=ast.Name(id=k), iter=ast.Call(func=ast.Name(id="range"), args=[count]), orelse=[]):
                body = [substituted(each, self.values) for each in node.body]
                whole, (items, lists) = self.number(substituted(count, self.values)), self.shape
                if any(_list_of(each) for one in body for each in ast.walk(one)) and whole == lists:
                    self.lists(k, body)
                elif whole in (items, items + lists):
                    self.places(node, k, body, heads=whole != items)
                else:
                    raise self.refusal(node, "a loop goes neither over all lists nor over all items")
            case _:
                raise self.refusal(node, f"`{ast.unparse(node).splitlines()[0]}` cannot be part of the costs of lists")

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of items and of lists."""
        space: Any = self.data.problem.representation if self.data.problem is not None else None
        return space.items, space.lists

    def number(self, value: ast.expr) -> int:
        """A number of data, such as an end of a range; -1 for any other expression."""
        found = self.data.ask("value", ast.unparse(value))
        return -1 if found is None else int(found)

    def pairs(self, node: ast.stmt, target: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """The names that an assignment gives values, with the values."""
        assert isinstance(node, ast.Assign)
        targets, values = [target], [node.value]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            targets, values = target.elts, node.value.elts
        if len(targets) != len(values) or not all(isinstance(each, ast.Name) for each in targets):
            raise self.refusal(node, f"`{ast.unparse(node)}` assigns to several names, or to an entry")
        for one, value in zip(targets, values, strict=True):
            yield ast.unparse(one), substituted(value, self.values)

    def own(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Statements whose names, but for sums, no other loop uses."""
        self.made += 1
        names = {name: ast.Name(f"{name}_{self.made}", ast.Load()) for name in {*_written(body)} - {*self.totals}}
        return [_renamed(each, {key: one.id for key, one in names.items()}) for each in body]

    def lists(self, k: str, body: Sequence[ast.stmt]) -> None:
        """Read a loop over all lists: one or several loops through the items of list k, and other statements."""
        body = [_renamed(each, {k: _LIST}) for each in self.own(body)]
        loops = [each for each in body if isinstance(each, ast.For) and _list_of(each.iter)]
        if not loops or sum(_list_of(each) for one in body for each in ast.walk(one)) != len(loops):
            raise self.refusal(self.text.tree, "a loop through a list is under a condition, or inside another loop")
        if any(isinstance(one, ast.Continue | ast.Break | ast.Return) for each in loops for one in ast.walk(each)):
            raise self.refusal(loops[0], "a loop through a list ends before its end")
        changed = [{*_written(each.body)} - {*self.totals} for each in loops]
        before, known = set[str](), dict[str, ast.expr]()
        for each in body:
            later = set[str]().union(*changed)
            if {*_written([each])} & known.keys():
                raise self.refusal(each, "a name is assigned twice")
            if each in loops:
                assert isinstance(each, ast.For)
                if before & {name for one in each.body for name in named(one)}:
                    raise self.refusal(each, "a loop through a list reads a value that another loop computes")
                inner = [substituted(one, known) for one in each.body]
                self.step += [_renamed(one, {ast.unparse(each.target): _PLACE}) for one in inner]
                before |= changed.pop(0)
            elif isinstance(each, ast.Assign) and not (before | (later - {*_written([each])})) & named(each):
                for name, value in self.pairs(each, each.targets[0]):
                    if name in self.totals:
                        raise self.refusal(each, f"{name} does not begin before all loops")
                    (self.carried if name in later else known)[name] = substituted(value, known)
            elif named(each) & later:
                raise self.refusal(each, "a statement before a loop through a list reads what the loop changes")
            else:
                self.finish.append(substituted(each, known))
        if any({"x", *before, *self.totals} & named(each) for each in self.carried.values()):
            raise self.refusal(self.text.tree, "a loop through a list begins with a value that another loop computes")
        self.largest()

    def largest(self) -> None:
        """Read `most = max(most, ...)` at the end of a list as the largest of what lists cost."""
        for n, each in enumerate(self.finish):
            match each:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="max"), args=[one, other])
                ) if name in self.totals:
                    value = other if ast.unparse(one) == name else one
                    if self.most or name in named(value) or name not in (ast.unparse(one), ast.unparse(other)):
                        raise self.refusal(each, f"{name} is not the largest of the costs of lists")
                    self.most = name
                    self.finish[n] = parsed(f"{name} = max({name}, {ast.unparse(value)})").body[0]

    def places(self, node: ast.For, p: str, body: Sequence[ast.stmt], *, heads: bool) -> None:
        """Read a loop over items, or over all places, with what follows each, or with what comes before it."""
        body = self.own(body)
        back = any(_neighbor(each) == ("previous", p) for one in body for each in ast.walk(one))
        if back and heads:
            raise self.refusal(node, "a loop over all items reads the items before them")
        for one in body:
            for each in ast.walk(one):
                if isinstance(each, ast.Name) and each.id in self.totals and isinstance(each.ctx, ast.Load):
                    raise self.refusal(node, "a loop over items reads a sum")
        kind = "previous" if back else "next"
        last, item = f"{_SEGMENT}.last", _PLACE
        here, there = (item, last) if back else (last, item)
        pair = [_paired(one, kind, p, there) for one in body]
        pair = [substituted(one, {p: parsed(here, mode="eval").body}) for one in pair]
        self.step += pair if heads or back else [ast.If(parsed(f"{last} < {_ITEMS}", mode="eval").body, pair, [])]
        if not back:
            head = f"{_SEGMENT}.first"
            end = [_paired(one, kind, p, head) for one in body]
            end = [substituted(one, {p: parsed(last, mode="eval").body}) for one in end]
            self.finish += end if heads else [ast.If(parsed(f"{last} < {_ITEMS}", mode="eval").body, end, [])]
        out = [_paired(one, kind, p, _PLACE) for one in body]
        self.alone += [substituted(one, {p: ast.Name(_PLACE, ast.Load())}) for one in out]

    # ---- writing

    def methods(self, cost: Callable[..., Any]) -> ListMethods:
        """The methods that follow."""
        self.require_sums()
        ends, last = self.last_items(), ast.Name(f"{_SEGMENT}.last", ast.Load())
        step = [_previous(each, last) for each in self.step]
        step = [each for each in step if not (isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) in ends)]
        stepped = {*_written(step)}
        states = [name for name in (*self.carried, *self.totals) if name in stepped and name not in ends]
        names = tuple(f"{name}_" for name in states) or ("nothing_",)
        walks = not self.joins(step, states)
        starts = [ast.unparse(self.carried[name]) if name in self.carried else "0" for name in states] or ["0"]
        of_list = {_LIST: parsed(f"({_SEGMENT}.first - {_ITEMS})", mode="eval").body}
        reads = [f"{name} = {_SEGMENT}.{name}_" for name in states]
        for name, begin in ends.items():
            head = ast.unparse(substituted(begin, of_list))
            reads.append(f"{name} = {_SEGMENT}.last if {_SEGMENT}.last < {_ITEMS} else {head}")
        inside = [ast.unparse(substituted(each, of_list)) for each in step]
        both = [f"{name} += {_OTHER}.{name}_" for name in states] if not walks else []
        sums = [name for name in self.totals if name not in states]
        begins = {name: ast.unparse(self.totals[name]) if self.most else "0" for name in sums}
        finish = [ast.unparse(substituted(_previous(each, last), of_list)) for each in self.finish]
        lines = {
            "begin": (f"begin(self, {_LIST})", [f"return {', '.join(starts)},"]),
            "unit": (f"unit(self, {_PLACE})", [f"return {', '.join('0' for _ in names)},"]),
            "join": (
                f"join(self, {_SEGMENT}, {_OTHER})",
                [*reads, f"{_PLACE} = {_OTHER}.first", *inside, *both, f"return {', '.join(states) or '0'},"],
            ),
            "price": (
                f"price(self, {_SEGMENT})",
                [*reads, *(f"{name} = {begins[name]}" for name in sums), *finish, f"return {self.price()}"],
            ),
            "left_out": (
                f"left_out(self, {_PLACE})",
                [*(f"{name} = 0" for name in self.totals), *map(ast.unparse, self.alone), f"return {self.price(0)}"],
            ),
        }
        if any("x" in named(parsed("\n".join(body))) for _, body in lines.values()):
            raise self.refusal(self.text.tree, "the cost reads the solution in other ways")
        texts = {name: remember(as_text(self.text, cost, head, body)) for name, (head, body) in lines.items()}
        return ListMethods(texts, names, walks=walks, longest=bool(self.most))

    def require_sums(self) -> None:
        """Refuse sums that are read before they are complete, and products of sums."""
        for each in (one for node in (*self.step, *self.finish) for one in ast.walk(node)):
            match each:
                case ast.AugAssign(target=ast.Name(id=name), op=operation, value=value) if name in self.totals:
                    if named(value) & {*self.totals} or not isinstance(operation, ast.Add | ast.Sub):
                        raise self.refusal(self.text.tree, f"{name} grows by a sum that is not complete")
        whole = [one for node in (*self.step, *self.finish) for one in ast.walk(node)]
        reads = [each.id for each in whole if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
        sets = [each for each in whole if isinstance(each, ast.Assign) and {*_stored(each)} & {*self.totals}]
        grown = any(isinstance(each, ast.AugAssign) and self.most in _stored(each) for each in whole)
        if [each for each in reads if each in self.totals] != [self.most] * len(sets) or len(sets) > 1 or grown:
            raise self.refusal(self.text.tree, "a sum is read before it is complete")
        if self.most and (ast.unparse(self.returned) != self.most or len(self.totals) > 1 or self.alone):
            raise self.refusal(
                self.text.tree, f"{self.most} is the largest of the costs of lists, but the cost has other terms"
            )

    def last_items(self) -> dict[str, ast.expr]:
        """The names that hold the item before, with what they begin with."""
        found = {}
        for name, value in self.carried.items():
            stores = [(n, one) for n, each in enumerate(self.step) for one in ast.walk(each) if name in _stored(one)]
            if len(stores) == 1 and stores[0][1] is self.step[stores[0][0]]:
                n, node = stores[0]
                behind = any(name in named(each) for each in self.step[n + 1 :])
                if isinstance(node, ast.Assign) and ast.unparse(node) == f"{name} = {_PLACE}" and not behind:
                    found[name] = value
        return found

    def joins(self, step: Sequence[ast.stmt], states: Sequence[str]) -> bool:
        """Whether all numbers are sums, to which two neighboring items add without looking at any number."""
        for each in (one for node in step for one in ast.walk(node)):
            if isinstance(each, ast.Name) and (
                each.id == _LIST or (each.id in states and isinstance(each.ctx, ast.Load))
            ):
                return False
            if isinstance(each, ast.While | ast.Break | ast.Continue):
                return False
            stored = {*_stored(each)} & {*states}
            if stored and not (isinstance(each, ast.AugAssign) and isinstance(each.op, ast.Add | ast.Sub)):
                return False
        return True

    def price(self, first: int | None = None) -> str:
        """The cost of a list, of its sums; what the cost has besides belongs to the first list."""
        if self.most:
            return self.most
        values = self.returned.elts if isinstance(self.returned, ast.Tuple) else [self.returned]
        found = []
        for each in values:
            constant = ast.unparse(substituted(each, self.totals))
            besides = first is None and self.data.ask("value", constant) != 0
            text = ast.unparse(self.linear(each))
            found.append(f"({text}) + (({constant}) if {_SEGMENT}.first == {_ITEMS} else 0)" if besides else text)
        return ", ".join(found)

    def linear(self, value: ast.expr) -> ast.expr:
        """An expression that is linear in the sums, without what it has besides."""
        match value:
            case _ if not named(value) & {*self.totals}:
                return ast.Constant(0)
            case ast.Name():
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ast.UnaryOp(ast.USub(), self.linear(operand))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right):
                return ast.BinOp(self.linear(left), operation, self.linear(right))
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                first, second = named(left) & {*self.totals}, named(right) & {*self.totals}
                if not (first and second) and not {"x"} & named(value):
                    left = self.linear(left) if first else left
                    return ast.BinOp(left, ast.Mult(), self.linear(right) if second else right)
        raise self.refusal(self.text.tree, f"`{ast.unparse(value)}` is not the sum of the costs of lists")


def _list_of(node: ast.AST) -> bool:
    """Whether an expression is `x.list(k)`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "x.list"


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that one node writes."""
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AugAssign | ast.For)
        else []
    )
    for each in (one for target in targets for one in ast.walk(target)):
        if isinstance(each, ast.Name):
            yield each.id


def _written(body: Sequence[ast.stmt], kind: type[ast.stmt] = ast.stmt) -> Iterator[str]:
    """The names that statements write, by statements of a kind."""
    for each in (one for node in body for one in ast.walk(node)):
        if isinstance(each, kind):
            yield from _stored(each)


class _Renamed(ast.NodeTransformer):
    """Renames variables, also where they are written."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _renamed(node: ast.stmt, names: dict[str, str]) -> ast.stmt:
    found: ast.stmt = _Renamed(names).visit(copied(node))
    return found


def _neighbor(node: ast.AST) -> tuple[str, str] | None:
    """The kind of a neighbor, and of what: `x.next(p)`, `x[p]` or `x.previous(p)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="x"), attr="next" | "previous" as kind), args=[ast.Name(id=p)]
        ):
            return kind, p
        case ast.Subscript(value=ast.Name(id="x"), slice=ast.Name(id=p)):
            return "next", p
    return None


class _Neighbor(ast.NodeTransformer):
    """Replaces what follows a place, or what comes before it."""

    def __init__(self, kind: str, p: str, value: str) -> None:
        self.kind, self.p, self.value = kind, p, value

    def visit(self, node: ast.AST) -> Any:
        return (
            parsed(self.value, mode="eval").body if _neighbor(node) == (self.kind, self.p) else self.generic_visit(node)
        )


def _paired(node: ast.stmt, kind: str, p: str, value: str) -> ast.stmt:
    """A statement in which the neighbor of a place is a value."""
    found: ast.stmt = _Neighbor(kind, p, value).visit(copied(node))
    return found


def _previous(node: ast.stmt, value: ast.expr) -> ast.stmt:
    """A statement of a loop through a list in which what comes before the item is a value."""
    return _paired(node, "previous", _PLACE, ast.unparse(value))
