"""The kernel generator: prelude, neighborhood, problem, parts and shell become one translation unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.device.device import Device
from metaheur.device.layout import Struct, struct_of, structs_of_problem
from metaheur.device.source import Source, Unit, shell, source_of
from metaheur.neighborhood import Neighborhood
from metaheur.parts.part import Part
from metaheur.parts.selection import Lowest, Selection
from metaheur.problem import Problem

__all__ = ["EVALUATION_THREADS", "Kernel", "evaluation_kernel", "head", "total_type"]

EVALUATION_THREADS = 256
"""Threads of a block that evaluates a neighborhood on a GPU."""


def total_type(problem: Problem) -> np.dtype[Any]:
    """The type of a cost on a device: int64, or float64."""
    return np.dtype(np.float64 if problem.cost_type == "float64" else np.int64)


def head(problem: Problem, defines: Mapping[str, Any]) -> Source:
    """The first piece: the types that the prelude is written in, and numbers known to the compiler."""
    lines = [f"#define {name} {value}" for name, value in defines.items()]
    lines += [
        f"typedef {'double' if problem.cost_type == 'float64' else 'long long'} Total;",
        f"typedef {({'int32': 'int', 'int64': 'long long', 'float64': 'double'})[problem.cost_type]} Cost;",
        f"typedef {problem.representation.device_type} Item;",
    ]
    return Source("\n".join(lines), "generated/types.cuh")


@final
@frozen(eq=False)
class Kernel:
    """A translation unit and the generated structs that its arguments begin with.

    Parameters
    ----------
    text : str
        The unit.
    structs : mapping of str to Struct
        Problem, neighborhood, parts and state, by their names in `Arguments`.
    pointers : tuple of str
        The members of `Arguments` behind them: pointers and 64-bit numbers.
    """

    text: str
    structs: Mapping[str, Struct]
    pointers: tuple[str, ...] = field(default=())

    def arguments(self, packed: Mapping[str, np.ndarray], pointers: Mapping[str, int]) -> np.ndarray:
        """The value of `Arguments`."""
        out = np.zeros((), dtype=arguments_type(self.structs, self.pointers))
        for name, value in {**packed, **pointers}.items():
            out[name] = value
        return out


def arguments_type(structs: Mapping[str, Struct], pointers: Iterable[str]) -> np.dtype[Any]:
    """The layout of `Arguments`."""
    return np.dtype([*((n, s.dtype()) for n, s in structs.items()), *((n, "i8") for n in pointers)], align=True)


def compose(  # noqa: PLR0913 - keyword-only behind the four things that are joined
    problem: Problem,
    neighborhood: Neighborhood,
    parts: Mapping[str, Part],
    device: Device,
    *,
    defines: Mapping[str, Any],
    shells: Iterable[str],
    pointers: tuple[str, ...],
    shared: Any = frozenset,
) -> Kernel:
    """Join everything into one unit.

    Parameters
    ----------
    problem, neighborhood : Problem, Neighborhood
        Both with C++ halves.
    parts : mapping of str to Part
        By their names in `Arguments`; the C++ type is the capitalised name.
    device : Device
        Whose team, types and paddings are used.
    defines : mapping of str to int
        Numbers known to the compiler.
    shells : iterable of str
        The pieces with the entries, by path below the package.
    pointers : tuple of str
        The other members of `Arguments`.
    shared : callable, optional
        From the structs to (the arrays that lie in shared memory, more defines).
    """
    representation = problem.representation
    state, data = structs_of_problem(problem, device)
    structs = {
        "problem": data,
        "neighborhood": struct_of(neighborhood, representation, device),
        **{name: struct_of(part, representation, device) for name, part in parts.items()},
        "state": state,
    }
    placed, more = shared(structs) if shared is not frozenset else (frozenset(), {})
    size = arguments_type(structs, pointers).itemsize
    pieces = [
        head(problem, {**defines, **more, "MH_ARGUMENTS": size}),
        shell("device/prelude.cuh"),
        shell(f"device/team_{device.kind}.cuh"),
        shell("neighborhoods/moves.cuh"),
        *_pieces(structs["neighborhood"], neighborhood, placed),
        Source(state.text(placed) + data.text(placed), f"generated/{type(problem).__name__}Data.cuh"),
        source_of(problem),
    ]
    for name, part in parts.items():
        pieces += _pieces(structs[name], part, placed)
    named = {n.capitalize(): struct.derived for n, struct in structs.items() if n != "state"}
    typedefs = "\n".join(f"typedef {kind} {name};" for name, kind in named.items() if kind != name)
    pieces += [Source(typedefs, "generated/names.cuh"), shell("device/members.cuh"), *(shell(s) for s in shells)]
    seen: dict[Source, None] = dict.fromkeys(pieces)
    return Kernel(Unit.join(seen).text, structs, pointers)


def _pieces(struct: Struct, thing: Any, placed: frozenset[str]) -> list[Source]:
    """The generated struct and the C++ half of a neighborhood or part, nested parts first."""
    nested = [
        piece
        for name, member in struct.members.items()
        if isinstance(member, Struct)
        for piece in _pieces(member, getattr(thing, name), placed)
    ]
    return [*nested, Source(struct.text(placed), f"generated/{struct.name}.cuh"), source_of(thing)]


def evaluation_kernel(
    problem: Problem, neighborhood: Neighborhood, device: Device, selection: Selection = Lowest()
) -> Kernel:
    """The neighborhood kernel: all changes of cost, the best of them, full costs, and the kept state."""
    return compose(
        problem,
        neighborhood,
        {"selection": selection},
        device,
        defines={"MH_THREADS": EVALUATION_THREADS, "MH_BLOCKS": 1, "MH_TILE": 8},
        shells=["device/evaluate.cuh"],
        pointers=("x", "out", "best", "total", "scratch", "parts", "count"),
    )


def found_type(problem: Problem) -> np.dtype[Any]:
    """The layout of `Found`: the best move of a part."""
    return np.dtype([("score", problem.cost_type), ("delta", problem.cost_type), ("index", "i8")], align=True)
