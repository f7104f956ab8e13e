"""Types and structs that both languages know, from one declaration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import frozen

from metaheur.device.generator.layout import CPP
from metaheur.errors import InputError
from metaheur.problem import judges, type_of_changes
from metaheur.source import Source

if TYPE_CHECKING:
    from metaheur.neighborhood import Neighborhood
    from metaheur.problem import Problem
    from metaheur.representation import Representation

__all__ = ["EVALUATED_MOVE", "UNTIL", "Record", "Types", "layouts", "part_types", "types_of"]

_NUMPY = {name: dtype for dtype, name in CPP.items()} | {"int": "int32"}


@final
@frozen
class Types:
    """The types Cost, Total and Item of a unit.

    `cost`, `total`, `item`: of a number of a change of cost, of a number of a cost, and of a solution's entries.
    `objectives`: how many numbers a cost has where a problem names objectives; 0 for a single one. `judges`: whether
    the problem judges moves, so that those of any neighborhood may be infeasible.
    """

    cost: np.dtype[Any]
    total: np.dtype[Any]
    item: np.dtype[Any]
    objectives: int = 0
    judges: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The last axes of an array of costs: (K,) for K objectives, () for one."""
        return (self.objectives,) if self.objectives else ()

    def numpy(self, cpp: str) -> np.dtype[Any]:
        """The NumPy type of a C++ type; pointers are addresses."""
        if cpp.endswith("*"):
            return np.dtype(np.uint64)
        if cpp in ("Cost", "Total"):
            number = self.cost if cpp == "Cost" else self.total
            return np.dtype((number, self.numbers)) if self.objectives else number
        return self.item if cpp == "Item" else np.dtype(_NUMPY[cpp])

    def pointees(self, members: Mapping[str, str], known: Mapping[str, np.dtype[Any]]) -> dict[str, np.dtype[Any]]:
        """The types that pointers lead to, by the pointers' names; without types that only C++ knows.

        `members`: C++ types, by name. `known`: the types of structs, by their names in C++.
        """
        found = {}
        for name, cpp in members.items():
            pointee = cpp.removeprefix("const ").removesuffix("*")
            if cpp.endswith("*") and pointee in known:
                found[name] = known[pointee]
            elif cpp.endswith("*") and pointee in ("Cost", "Total", "Item", *_NUMPY):
                found[name] = self.numpy(pointee)
        return found


def types_of(problem: Problem, neighborhoods: tuple[Neighborhood, ...]) -> Types:
    """The types Cost, Total and Item for moves of some neighborhoods in solutions of a problem."""
    cost = type_of_changes(problem, (each.move_types for each in neighborhoods))
    total = np.float64 if cost == "float64" else np.int64
    if problem.objectives:  # a change of cost and a cost are of one type
        several, item = len(problem.objectives), _item_type(problem.representation)
        return Types(np.dtype(total), np.dtype(total), item, several, judges(problem))
    return Types(np.dtype(cost), np.dtype(total), _item_type(problem.representation), judges=judges(problem))


def part_types(problem: Problem) -> Types:
    """The types Cost, Total and Item in a problem that is part of another one: costs of 64 bits."""
    total = np.dtype(np.float64 if problem.cost_type == "float64" else np.int64)
    return Types(total, total, _item_type(problem.representation), len(problem.objectives))


def _item_type(representation: Representation) -> np.dtype[Any]:
    """The type of a solution's entries."""
    dtype = np.dtype(representation.dtype)
    if dtype.name not in ("uint8", "uint16", "int32"):
        raise InputError(
            f"{type(representation).__name__}.dtype must be uint8, uint16 or int32, but is {dtype.name}.",
            "write dtype = np.dtype(np.int32), the default.",
        )
    return dtype


@final
@frozen
class Record:
    """A struct of numbers and pointers.

    `name`: its name in C++. `members`: C++ types by member, in order. `align`: bytes of which its address and its size
    are multiples; by default as many as its members need.
    """

    name: str
    members: Mapping[str, str]
    align: int | None = None

    def source(self) -> Source:
        """The C++ text."""
        aligned = "" if self.align is None else f"alignas({self.align}) "
        lines = "".join(f"    {cpp} {name};\n" for name, cpp in self.members.items())
        return Source(f"struct {aligned}{self.name} {{\n{lines}}};", f"generated/{self.name}.cuh")

    def dtype(self, types: Types, known: Mapping[str, np.dtype[Any]] = {}) -> np.dtype[Any]:
        """The layout, as both compilers lay it out.

        `types`: what Cost, Total and Item are. `known`: the layouts of other structs that are members, by their C++
        names.
        """
        members = [(name, known[cpp] if cpp in known else types.numpy(cpp)) for name, cpp in self.members.items()]
        plain = np.dtype(members, align=True)
        if self.align is None:
            return plain
        padded: np.dtype[Any] = np.dtype(
            {
                "names": list(self.members),
                "formats": [kind for _, kind in members],
                "offsets": [at for _, at, *_ in (plain.fields or {}).values()],
                "itemsize": -(-plain.itemsize // self.align) * self.align,
            }
        )
        return padded


def layouts(records: Iterable[Record], types: Types) -> dict[str, np.dtype[Any]]:
    """The layouts of records, by their names."""
    return {record.name: record.dtype(types) for record in records}


EVALUATED_MOVE = Record("EvaluatedMove", {"score": "Cost", "delta": "Cost", "index": "i64"})
"""The best move of a neighborhood, or of a share of it: -1 for none."""

UNTIL = Record(
    "Until",
    {
        **dict.fromkeys(("end", "stagnation", "evaluated"), "i64"),
        "target": "Total",
        **dict.fromkeys(("has_target", "on_improvement", "room"), "i32"),
    },
)
"""Where a chunk ends, for all walks: a `metaheur.running.view.Until`.

`room` is the number of improvements that a loop records of each walk, -1 for none; a full room ends the chunk.
"""
