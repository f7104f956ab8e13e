"""The data of an instance for derivations: facts, and rows of loops with the positions that they look up."""

from __future__ import annotations

import ast
from functools import reduce
from math import prod
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.component import fields_of
from metaheur.machine.parsing import parsed
from metaheur.problem import Problem, level_names, level_numbers
from metaheur.representation import Representation
from metaheur.translator.deriving.affine import N

__all__ = ["DataFacts", "Rows", "RowsTable"]

_MOST = 1 << 24
"""The most rows of a table."""

_FEW = 16
"""Up to so many entries, a loop over them ends at a number."""


@final
@frozen
class Rows:
    """The rows of loops over data: all values of the loops' variables for which some conditions hold.

    `loops`: variables, each with its first value and with the one behind its last. `conditions`: what must hold; of
    these variables and of data only. `key`: the position that a row looks up.
    """

    loops: tuple[tuple[str, str, str], ...]
    conditions: tuple[str, ...]
    key: str


@final
@frozen
class RowsTable:
    """Rows sorted by the positions that they look up, with columns of other values.

    `name`: of its arrays: `name_begin`, where the rows of each position begin, and `name_c0`, `name_c1`, ..., the
    columns. `sources`: rows of one or several loops, each with the texts of the columns. `by`: the column by which the
    rows of a position are sorted; -1 for those in the order of the loops. `part`: the part of solutions that has the
    positions; "" for whole solutions.
    """

    name: str
    sources: tuple[tuple[Rows, tuple[str, ...]], ...]
    by: int = -1
    part: str = ""

    def arrays(self, problem: Problem) -> dict[str, np.ndarray]:
        """The arrays of an instance."""
        parts = [_values(problem, rows, (rows.key, *columns), self.part) for rows, columns in self.sources]
        key, *columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
        n = space_of(problem, self.part).length
        key = np.where(key < 0, key + n, key)
        order = np.argsort(key, kind="stable") if self.by < 0 else np.lexsort((columns[self.by], key))
        begin = np.searchsorted(key[order], np.arange(n + 1)).astype(np.int32)
        return {
            f"{self.name}_begin": begin,
            **{f"{self.name}_c{k}": _narrow(each[order]) for k, each in enumerate(columns)},
        }


def _narrow(values: np.ndarray) -> np.ndarray:
    values = values if values.size else np.zeros(1, np.int64)  # an array of C++ has an entry
    fits = int(values.min()) >= -(2**31) and int(values.max()) < 2**31
    return values.astype(np.int32 if fits else np.int64)


@final
@define(eq=False)
class DataFacts:
    """Facts of the data of an instance, and the answers given so far; without an instance, no fact holds.

    `problem`: the instance. `answers`: the answer to each question. `part`: the part of solutions that is looked at; ""
    for whole solutions.
    """

    problem: Problem | None = None
    answers: dict[tuple[Any, ...], Any] = field(factory=dict)
    part: str = ""

    @property
    def space(self) -> Representation:
        """The space of solutions, or of the part."""
        assert self.problem is not None
        return space_of(self.problem, self.part)

    def ask(self, *question: Any) -> Any:
        """The answer to a question, which a derivation for another instance can ask again."""
        if question not in self.answers:
            name, *given = question
            found = getattr(self, f"_{name}")(*given) if self.problem is not None else None
            self.answers[question] = found
        return self.answers[question]

    def number(self, text: str) -> int:
        """The value of an expression of data."""
        assert self.problem is not None
        return int(_values(self.problem, Rows((), (), "0"), (text,), self.part)[0][0])

    def symmetric(self, name: str) -> bool:
        """Whether a matrix is equal to its transpose."""
        return bool(self.ask("symmetric", name))

    def zero_diagonal(self, name: str) -> bool:
        """Whether a matrix has a diagonal of zeros."""
        return bool(self.ask("zero_diagonal", name))

    def apart(self, rows: Rows, one: str, other: str) -> bool:
        """Whether two expressions differ in each row."""
        return bool(self.ask("apart", rows, one, other))

    def single(self, *sources: tuple[Rows, tuple[str, ...]]) -> bool:
        """Whether no two rows that look up the same position agree in all columns."""
        return bool(self.ask("single", *sources))

    def levels(self) -> tuple[str, ...]:
        """The names of the levels of costs."""
        return self.ask("levels") or ()

    def limits(self, rows: Rows, text: str) -> tuple[int, int] | None:
        """The least and the largest value of an expression; None if it is not known."""
        found: tuple[int, int] | None = self.ask("limits", rows, text)
        return found

    def below(self, name: str) -> int | None:
        """A power of two that all numbers of an array are below in size, of the solution for ""; None if unknown."""
        bits = self.ask("bits_of", name)
        return None if bits is None else 1 << bits

    def _levels(self) -> tuple[str, ...]:
        return level_names(self.problem) if self.problem is not None else ()

    def _symmetric(self, name: str) -> bool:
        array = getattr(self.problem, name, None)
        square = isinstance(array, np.ndarray) and array.ndim == 2 and array.shape[0] == array.shape[1]
        return square and bool((array == array.T).all())  # type: ignore[union-attr]

    def _zero_diagonal(self, name: str) -> bool:
        array = getattr(self.problem, name, None)
        return isinstance(array, np.ndarray) and array.ndim == 2 and not np.diagonal(array).any()

    def _apart(self, rows: Rows, one: str, other: str) -> bool:
        first, second = self._found(rows, (one, other)) or (np.zeros(1), np.zeros(1))
        n = self.space.length
        return not bool(((first - second) % n == 0).any())

    def _single(self, *sources: tuple[Rows, tuple[str, ...]]) -> bool:
        parts = [self._found(rows, (rows.key, *columns)) for rows, columns in sources]
        if None in parts:
            return False
        found = np.concatenate([np.array(each) for each in parts], axis=1)
        return bool(np.unique(found, axis=1).shape == found.shape)

    def _limits(self, rows: Rows, text: str) -> tuple[int, int] | None:
        found = self._found(rows, (text,))
        return None if found is None or not found[0].size else (int(found[0].min()), int(found[0].max()))

    def _value(self, text: str) -> int | None:
        """The value of an expression of data; None if it has none."""
        found = self._found(Rows((), (), "0"), (text,))
        return None if found is None else int(found[0][0])

    def _length_of(self, name: str) -> int:
        """The length of a part, or of whole solutions."""
        assert self.problem is not None
        return space_of(self.problem, name).length

    def _arranges(self, name: str, text: str) -> bool:
        """Whether a part is a permutation of as many items as a number says."""
        assert self.problem is not None
        space = space_of(self.problem, name)
        return space.arranges and self._value(text) == space.length

    def _bits(self) -> bool:
        """Whether a solution is made of bits."""
        return self.space.values == 2

    def _alike(self, *texts: tuple[str, ...]) -> bool:
        """Whether tuples of expressions of data have equal values."""
        found = [self._found(Rows((), (), "0"), each) for each in texts]
        return None not in found and len({tuple(int(one[0]) for one in each or ()) for each in found}) == 1

    def _beyond_length(self, text: str) -> int | None:
        """By how much a number exceeds the length of a solution."""
        found = self._found(Rows((), (), "0"), (text,))
        return None if found is None else int(found[0][0]) - self.space.length

    def _few(self, text: str) -> int | None:
        """A number of the data up to 16, but not the length of a solution."""
        found = self._found(Rows((), (), "0"), (text,))
        return None if found is None or text == N or found[0][0] > _FEW else int(found[0][0])

    def _holds_values(self, text: str) -> bool:
        """Whether all values of a solution are below a number."""
        found = self._found(Rows((), (), "0"), (text,))
        return found is not None and self.space.values <= int(found[0][0])

    def _natural(self, name: str) -> bool:
        """Whether a number, or all numbers of an array, are not negative."""
        value = getattr(_Arrays(self.problem), name, None)  # type: ignore[arg-type]
        return value is not None and (not np.size(value) or bool(np.min(value) >= 0))

    def _bits_of(self, name: str) -> int | None:
        """How many bits the largest number of an array has, or of the solution."""
        value = getattr(_Arrays(self.problem), name, None) if name else self.space.values - 1  # type: ignore[arg-type]
        return int(np.max(np.abs(value), initial=0)).bit_length() if isinstance(value, int | np.ndarray) else None

    def _narrow(self, name: str) -> bool:
        """Whether a number, or all numbers of an array, are below 2**30."""
        value = getattr(_Arrays(self.problem), name, None)  # type: ignore[arg-type]
        return value is not None and (not np.size(value) or bool(np.max(np.abs(value)) < 2**30))

    def _count(self, rows: Rows) -> int | None:
        """How many rows there are."""
        found = self._found(rows, ("0",))
        return None if found is None else len(found[0])

    def _sparse(self, sizes: tuple[str, ...], *sources: Rows) -> bool:
        """Whether there are at most half as many rows as positions times entries of an array."""
        found = [self._found(rows, ("0",)) for rows in sources]
        ends = self._found(Rows((), (), "0"), sizes)
        n = self.space.length
        if ends is None or None in found:
            return False
        return 2 * sum(len((each or ([],))[0]) for each in found) <= n * prod(int(each[0]) for each in ends)

    def _found(self, rows: Rows, texts: tuple[str, ...]) -> list[np.ndarray] | None:
        """The values of expressions in all rows; None where there are too many rows, or an expression has no value."""
        assert self.problem is not None
        try:
            return _values(self.problem, rows, texts, self.part)
        except (IndexError, TypeError, ValueError, AttributeError, NameError, ArithmeticError):
            return None


def space_of(problem: Problem, part: str) -> Representation:
    """The space of solutions, or of a part of them."""
    space: Any = problem.representation
    return space.parts[part] if part else space  # type: ignore[no-any-return]


def _values(problem: Problem, rows: Rows, texts: tuple[str, ...], part: str) -> list[np.ndarray]:
    """The values of expressions in all rows."""
    known: dict[str, Any] = {"self": _Arrays(problem, part)}
    count = 1
    for name, low, high in rows.loops:
        first = np.broadcast_to(_evaluated(low, known), count).astype(np.int64)
        times = np.maximum(np.broadcast_to(_evaluated(high, known), count).astype(np.int64) - first, 0)
        if int(times.sum()) > _MOST:
            raise ValueError(f"more than {_MOST} rows")
        which = np.repeat(np.arange(count), times)
        within = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
        known = {each: value if each == "self" else value[which] for each, value in known.items()}
        known[name], count = first[which] + within, len(which)
    for test in rows.conditions:
        holds = np.broadcast_to(_evaluated(test, known), count).astype(bool)
        known = {each: value if each == "self" else value[holds] for each, value in known.items()}
        count = int(holds.sum())
    return [np.array(np.broadcast_to(_evaluated(text, known), count)).astype(np.int64) for text in texts]


class _Arrays:
    """The arrays and numbers of an instance as whole numbers of 64 bits."""

    def __init__(self, problem: Problem, part: str = "") -> None:
        self.problem = problem
        space, length = problem.representation, space_of(problem, part).length
        self.known = {each.name: getattr(problem, each.name) for each in fields_of(problem)}
        self.known |= {**problem.constants(space), **problem.tables(space), "n": length}
        self.known |= level_numbers(problem)

    def __getattr__(self, name: str) -> Any:
        value = self.known[name] if name in self.known else getattr(self.problem, name)
        return value.astype(np.int64) if isinstance(value, np.ndarray) else value


def _evaluated(text: str, known: dict[str, Any]) -> Any:
    """The value of an expression, entry by entry where variables are arrays."""
    tree = ast.fix_missing_locations(ast.Expression(_EntryByEntry().visit(parsed(text, mode="eval").body)))
    names = {"len": len, "abs": np.abs, "min": _least, "max": _greatest, "int": np.int64, "np": np}
    return eval(compile(tree, "<data>", "eval"), {"__builtins__": {}, **names}, known)


class _EntryByEntry(ast.NodeTransformer):
    """Writes truths and choices so that NumPy computes them entry by entry."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        return _called("logical_and" if isinstance(node.op, ast.And) else "logical_or", node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _called("logical_not", [node.operand]) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        return _called("where", [node.test, node.body, node.orelse])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        values = [node.left, *node.comparators]
        return _called(
            "logical_and",
            [ast.Compare(one, [op], [other]) for one, op, other in zip(values, node.ops, values[1:], strict=False)],
        )


def _called(name: str, given: list[ast.expr]) -> ast.expr:
    """A function of NumPy, or of pairs from the left."""
    function = ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load())
    if name in ("where", "logical_not"):
        return ast.Call(function, given, [])
    first, *others = given
    for each in others:
        first = ast.Call(function, [first, each], [])
    return first


def _least(*given: Any) -> Any:
    return reduce(np.minimum, given)


def _greatest(*given: Any) -> Any:
    return reduce(np.maximum, given)
