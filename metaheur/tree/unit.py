"""The C++ halves of a branching, its bound and its dominance become one translation unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from attrs import evolve

from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.layout import CPP, Struct, rounded
from metaheur.device.generator.placement import placed_structs, sources_of
from metaheur.device.generator.record import Record, Types
from metaheur.device.generator.structs import plain_struct
from metaheur.device.generator.unit import TranslationUnit, unit_of
from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.source import Source, piece, require_struct, source_of
from metaheur.tree.part import NO_COST, TreePart
from metaheur.tree.tree_parts import TreeParts

__all__ = ["RESIDENT", "compose_tree"]

STAGED = 1 << 15
"""Bytes of shared memory for the parts' arrays; they leave room for seven blocks on a multiprocessor."""

RESIDENT = 512
"""By default, a multiprocessor of a GPU has registers for so many threads."""


def compose_tree(  # noqa: PLR0913 - keyword-only
    parts: TreeParts,
    problem: Problem,
    device: Device,
    *,
    pieces: tuple[str, ...],
    records: tuple[Record, ...],
    members: Mapping[str, str],
    launch: Launch,
    constants: Mapping[str, int] = {},
    resident: int = RESIDENT,
) -> TranslationUnit:
    """Join the C++ halves and the entries into one unit.

    `parts`: the parts, all with C++ halves. `problem`: the problem that is solved. `device`: where the unit is to run;
    its storage is used. `pieces`: the C++ files with the entries, by path below the package. `records`: structs that
    both languages know; a struct comes before the structs that have it as a member. `members`: the C++ types of further
    members of `Arguments`, by name. `launch`: how the entries are launched; entries with shared memory of a GPU find
    small arrays of the parts there. `constants`: numbers that the entries know by name. `resident`: a multiprocessor of
    a GPU must have registers for so many threads.
    """
    types = Types(np.dtype(np.int64), np.dtype(np.int64), problem.representation.dtype)
    structs = {role: _struct(part, problem, device, types) for role, part in parts.roles().items()}
    structs = placed_structs(structs, "tree", device)
    if launch.uses_shared and device.kind == "cuda":
        staged, shared = _staged(structs, device)
        structs = {role: struct.placed(staged, f"{role}.") for role, struct in structs.items()}
        launch = evolve(launch, shared=shared)
    known = {"Node": parts.branching.node_type(problem)}
    for record in records:
        known[record.name] = record.dtype(types, known)
    numbers = "".join(f"constexpr int {name} = {value};\n" for name, value in constants.items())
    sources = [
        _head(parts, problem, types, launch, resident),
        piece("device/cuh/prelude.cuh"),
        piece("device/cuh/arrays.cuh"),
        *sources_of(structs.values(), device),
        Source(f"constexpr i64 no_cost = {NO_COST}LL;", "generated/no_cost.cuh"),
        Source(_node(parts.branching.node(problem)), "generated/Node.cuh"),
        *_halves(parts, structs, problem, device),
        *(record.source() for record in records),
        Source(numbers, "generated/constants.cuh"),
    ]
    return unit_of(sources, structs=structs, members=members, pieces=pieces, types=types, launch=launch, known=known)


def _struct(part: TreePart[Any], problem: Problem, device: Device, types: Types) -> Struct:
    constants, tables = part.constants(problem), part.tables(problem)
    return plain_struct(part, problem.representation, device, types, constants=constants, tables=tables)


def _staged(structs: Mapping[str, Struct], device: Device) -> tuple[dict[str, tuple[str, int]], int]:
    """The places of the smallest arrays that together fit into `STAGED` bytes, by their paths; and their bytes."""
    found = (each for role, struct in structs.items() for each in struct.arrays(f"{role}."))
    sizes = sorted((rounded(member.nbytes(device)), path) for path, member in found if member.movable)
    ends = np.cumsum([size for size, _ in sizes], dtype=np.int64)
    count = int(np.searchsorted(ends, STAGED, side="right"))
    return {path: ("Shared", 0) for _, path in sizes[:count]}, int(ends[count - 1]) if count else 0


def _halves(parts: TreeParts, structs: Mapping[str, Struct], problem: Problem, device: Device) -> Iterator[Source]:
    """The generated struct of each part, its half, and the name by which other halves and the entries know it."""
    for role, part in parts.roles().items():
        struct, name = structs[role], role.capitalize()
        half = part.source_for(problem, device) or source_of(type(part))
        require_struct(half, type(part).__name__)
        yield Source(struct.text(), f"generated/{struct.name}.cuh")
        yield half
        if struct.derived != name:
            yield Source(f"typedef {struct.derived} {name};", "generated/names.cuh")


def _head(parts: TreeParts, problem: Problem, types: Types, launch: Launch, resident: int) -> Source:
    lines = [
        f"#define MH_ARITY {parts.arities(problem).max()}",
        f"#define MH_THREADS {launch.threads}",
        f"#define MH_TOGETHER {max(1, resident // launch.threads)}",
        f"#define MH_COMPLETES {int(parts.bound.completes)}",
        f"#define MH_DOMINANCE {int(parts.dominance is not None)}",
        "typedef long long Total;",
        "typedef long long Cost;",
        "typedef Cost Number;",
        f"typedef {'unsigned char' if types.item == np.uint8 else 'int'} Item;",
    ]
    return Source("\n".join(lines), "generated/types.cuh")


def _node(fields: Mapping[str, Array]) -> str:
    """The struct `Node`."""
    lines = []
    for name, array in fields.items():
        if array.dtype not in CPP or len(array.shape) > 1:
            raise InputError(
                f"The field {name!r} of a node is {array!r}, but nodes are made of numbers and vectors of "
                f"{', '.join(CPP)}.",
                'write Array((), "int32") or Array((4,), "uint8").',
            )
        length = f"[{array.shape[0]}]" if array.shape else ""
        lines.append(f"    {CPP[array.dtype]} {name}{length};\n")
    return f"struct Node {{\n{''.join(lines)}}};"
