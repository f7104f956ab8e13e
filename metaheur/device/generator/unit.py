"""A translation unit: a C++ text, the layout of its arguments, and how it is launched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.device.generator.launch import Launch
from metaheur.device.generator.layout import Member, Struct
from metaheur.device.generator.record import Record, Types, layouts
from metaheur.device.generator.target import Buffer, Target
from metaheur.source import Source, join, piece

__all__ = ["TranslationUnit", "unit_of"]


@final
@frozen(eq=False)
class TranslationUnit:
    """A C++ text, the layout of its arguments, and how it is launched.

    `text`: the whole unit. `structs`: the members of `Arguments` that are generated from components: "problem",
    "state", and the shell's. `members`: the members behind them: numbers, addresses and records. `types`: what Cost,
    Total and Item are. `launch`: how its entries are launched. `pointees`: the types that pointers among the members
    lead to; without types that only C++ knows.
    """

    text: str
    structs: Mapping[str, Struct]
    members: Mapping[str, np.dtype[Any]]
    types: Types
    launch: Launch
    pointees: Mapping[str, np.dtype[Any]] = field(factory=dict)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The layout of `Arguments`."""
        structs = ((name, struct.dtype()) for name, struct in self.structs.items())
        return np.dtype([*structs, *self.members.items()], align=True)

    def arrays(self) -> Iterator[tuple[str, Member]]:
        """The arrays and kept numbers of all structs, by paths such as "problem.weights" and "loop.memory.expiries"."""
        for name, struct in self.structs.items():
            yield from struct.arrays(f"{name}.")

    def arguments(self, device: Target, buffers: Mapping[str, Buffer], values: Mapping[str, Any]) -> np.ndarray:
        """The value of `Arguments`: `buffers` are the arrays by their paths, `values` the other members."""
        out = np.zeros((), dtype=self.dtype)
        for name, struct in self.structs.items():
            struct.write(out[name], device, buffers, f"{name}.")
        for name, value in values.items():
            out[name] = value
        return out


def unit_of(  # noqa: PLR0913 - keyword-only
    sources: Iterable[Source],
    *,
    members: Mapping[str, str],
    pieces: Iterable[str],
    types: Types,
    launch: Launch,
    structs: Mapping[str, Struct] = {},
    records: Iterable[Record] = (),
    known: Mapping[str, np.dtype[Any]] = {},
) -> TranslationUnit:
    """A unit: its sources, the generated `Arguments`, its entries, and the sizes about which both languages must agree.

    `sources`: all that the arguments and the entries are written in. `members`: the members of `Arguments` behind the
    structs, by name: C++ types. `pieces`: the C++ files with the entries, by path below the package. `types`: what
    Cost, Total and Item are. `launch`: how the entries are launched. `structs`: the members of `Arguments` that are
    generated from components. `records`: structs that members may be, or lead to. `known`: the layouts of more structs,
    by their C++ names; C++ compares their sizes.
    """
    structured = layouts(records, types) | dict(known)
    lines = [f"    {struct.derived} {name};\n" for name, struct in structs.items()]
    lines += [f"    {cpp} {name};\n" for name, cpp in members.items()]
    arguments = Source(f"struct Arguments {{\n{''.join(lines)}}};", "generated/Arguments.cuh")
    text = join([*sources, arguments, *(piece(path) for path in pieces)])
    typed = {name: structured[cpp] if cpp in structured else types.numpy(cpp) for name, cpp in members.items()}
    unit = TranslationUnit(text, structs, typed, types, launch, types.pointees(members, structured))
    if not (structs or known):
        return unit
    sizes = {"the arguments": ("Arguments", unit.dtype), **{name: (name, layout) for name, layout in known.items()}}
    checks = [
        f'static_assert(sizeof({name}) == {layout.itemsize}, "Python and C++ disagree about {words}");'
        for words, (name, layout) in sizes.items()
    ]
    return evolve(unit, text=unit.text + join([Source("\n".join(checks), "generated/check.cuh")]))
