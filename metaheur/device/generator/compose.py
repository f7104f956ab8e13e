"""The kernel generator: prelude, problem, neighborhoods, parts, loops and shell become one translation unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.component import Component, Representation, components_of, undrawn
from metaheur.device.capabilities import inner_problems
from metaheur.device.generator.halves import completed, half_of, half_of_move, require_apart, translator_of
from metaheur.device.generator.layout import Struct
from metaheur.device.generator.placement import placed_data, sources_of
from metaheur.device.generator.record import EVALUATED_MOVE, Types, part_types, types_of
from metaheur.device.generator.shell import Shell
from metaheur.device.generator.structs import UNDRAWN, struct_of, structs_of_problem
from metaheur.device.generator.target import Target
from metaheur.device.generator.unit import TranslationUnit, unit_of
from metaheur.machine.ahead import undisturbed
from metaheur.machine.pace import compiling
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.part import Part
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.source import Source, piece, require_struct

__all__ = ["compose"]


CPP_TYPES = {
    "int32": "int",
    "int64": "long long",
    "float64": "double",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
}
"""The C++ names of the types that a unit begins with."""

TEAMS = {"host": ("team_host",), "cuda": ("league_cuda", "team_cuda", "parallel_cuda")}
"""The files of device/cuh that say what a team of threads is, by the kind of device."""

TEAM = {"MH_LANES": 32, "MH_TILE": 8, "MH_RUN": 512, "MH_OWN_SCRATCH": 0, "MH_CROWD": 16}
"""Macros of a GPU's team: lanes that walk a group together, threads that share the change of cost of a touched move,
the indices that lanes take at a time, whether the scratch of the team's warps lies in shared memory, and lanes that
look at one item of a tour."""


@compiling()
def compose(problem: Problem, shell: Shell, device: Target) -> TranslationUnit:
    """Join a problem, a shell and its components, all with C++ halves, into one unit for a device."""
    with undisturbed():
        return _composed(problem, shell, device)


def _composed(problem: Problem, shell: Shell, device: Target) -> TranslationUnit:
    """One unit of everything."""
    neighborhoods = tuple(found for root in shell.components.values() for found in _all(root, Neighborhood))
    types = types_of(problem, neighborhoods)
    types = evolve(types, item=shell.item or types.item)
    halves = _Halves(problem, device, types, tuple(_moves(problem, neighborhoods)), shell.checked)
    state, data = structs_of_problem(problem, device, types, halves.moves)
    data = placed_data(data, type(problem).__name__, device)
    structs = {"problem": data, "state": state.emptied() if shell.stateless else state}
    named = {"space": problem.representation, **shell.components}
    structs |= {name: struct_of(root, problem.representation, device, types) for name, root in named.items()}
    placed, defines, shared = shell.place(structs, device)
    structs = {name: struct.placed(placed, f"{name}.") for name, struct in structs.items()}
    scopes = _Scopes(halves, taken={type(problem).__name__: 1})
    problem_half = [*_problem_pieces(problem, structs["state"], structs["problem"], halves)]
    roots = {name: scopes.place(root, structs[name], problem.representation) for name, root in named.items()}
    structs = {**{name: structs[name] for name in ("problem", "state")}, **roots}
    launch = evolve(shell.launch, shared=shared or shell.launch.shared)
    defines = {**TEAM, **shell.defines, **defines, "MH_THREADS": launch.threads, "MH_STATELESS": shell.stateless}
    sources = [
        *_prelude(types, defines, objectives=bool(types.objectives or inner_problems(problem))),
        *(record.source() for record in shell.records),
        piece("device/cuh/arrays.cuh"),
        *sources_of([data], device),
        piece("device/cuh/moves.cuh"),
        *(piece(f"device/cuh/{name}.cuh") for name in TEAMS[device.kind]),
        piece("device/cuh/traits.cuh"),
        piece("device/cuh/drawing.cuh"),
        *_python(problem, shell, neighborhoods),
        *scopes.pieces[Representation],
        Source(_typedef(roots["space"].derived, "Space"), "generated/space.cuh"),
        *halves.of_moves(),
        *scopes.pieces[Neighborhood],
        *problem_half,
        Source(_typedef(data.derived, "Problem"), "generated/problem.cuh"),
        *(piece(f"device/cuh/{name}.cuh") for name in ("change", "walk", "perturbing", "remembering")),
        *([piece("device/cuh/members.cuh")] if types.objectives else []),
        *scopes.pieces[Part],
        *scopes.pieces[Component],
        Source("".join(_typedef(s.derived, n.capitalize()) for n, s in roots.items()), "generated/names.cuh"),
    ]
    return unit_of(
        sources,
        structs=structs,
        members=shell.members,
        records=(EVALUATED_MOVE, *shell.records),
        pieces=shell.pieces,
        types=types,
        launch=launch,
    )


def _prelude(types: Types, defines: Mapping[str, Any], *, objectives: bool) -> Iterator[Source]:
    """The common beginning of all units; with the arithmetic of several objectives, if there are any."""
    yield _head(types, defines)
    yield piece("device/cuh/prelude.cuh")
    if objectives:
        yield piece("device/cuh/objectives.cuh")
    yield _streams()
    yield EVALUATED_MOVE.source()


def _streams() -> Source:
    """The numbers of the random streams, by their names."""
    streams = ", ".join(f"{stream.name.lower()}_stream = {stream.value}" for stream in Stream)
    return Source(f"enum Stream : u32 {{ {streams} }};", "generated/streams.cuh")


def _problem_pieces(problem: Problem, state: Struct, data: Struct, halves: _Halves) -> Iterator[Source]:
    """The generated structs of a problem and its half, after the structs of its parts, each in its own namespace."""
    for name, part in zip(data.parts, inner_problems(problem), strict=True):
        types = part_types(part)
        lines = [f"namespace {name} {{", *_cost_types(types)]
        yield Source("\n".join(lines), f"generated/{data.name}.cuh")
        yield from _problem_pieces(part, state.members[name], data.members[name], evolve(halves, types=types))
        yield Source("}", f"generated/{data.name}.cuh")
    yield Source(state.text() + data.text(), f"generated/{data.name}.cuh")
    yield halves.of(problem, problem.representation)


def _cost_types(types: Types) -> list[str]:
    """The types of costs, for C++."""
    number = CPP_TYPES[types.cost.name]
    if types.objectives:
        costs = [f"typedef ::Objectives<{number}, {types.objectives}> Cost;", "typedef Cost Total;"]
    else:
        costs = [f"typedef {CPP_TYPES[types.total.name]} Total;", f"typedef {number} Cost;"]
    return [*costs, f"typedef {number} Number;"]


def _typedef(kind: str, name: str) -> str:
    return "" if kind == name else f"typedef {kind} {name};\n"


def _head(types: Types, defines: Mapping[str, Any]) -> Source:
    """The types that the prelude is written in, and numbers known to the compiler."""
    lines = [f"#define {name} {int(value) if isinstance(value, bool) else value}" for name, value in defines.items()]
    lines += ["template <class T, int K> struct Objectives;", *_cost_types(types)]
    lines.append(f"typedef {CPP_TYPES[types.item.name]} Item;")
    return Source("\n".join(lines), "generated/types.cuh")


def _all(component: Component, kind: type) -> Iterator[Any]:
    """The components of a kind in a tree, the root included."""
    if isinstance(component, kind):
        yield component
    for _, inner in components_of(component):
        yield from _all(inner, kind)


def _moves(problem: Problem, neighborhoods: tuple[Neighborhood, ...]) -> Iterator[type[Move]]:
    """The classes of moves that need a text of their own, each once."""
    named = (kind for each in _with_parts(problem) for kind in each.moves)
    return iter(dict.fromkeys([*named, *(kind for each in neighborhoods for kind in each.move_types)]))


def _with_parts(problem: Problem) -> Iterator[Problem]:
    """A problem, and the problems that it is made of."""
    yield problem
    for part in inner_problems(problem):
        yield from _with_parts(part)


def _python(problem: Problem, shell: Shell, neighborhoods: tuple[Neighborhood, ...]) -> Iterator[Source]:
    """The C++ files that compiled methods use besides the prelude; empty if no method is compiled."""
    components = [
        *_with_parts(problem),
        *_all(problem.representation, Representation),
        *(found for root in shell.components.values() for found in _all(root, Component)),
    ]
    kinds = [*map(type, components), *_moves(problem, neighborhoods)]
    translator = next(filter(None, map(translator_of, kinds)), None)
    if translator is not None:
        moves = tuple(_moves(problem, neighborhoods))
        yield from translator.library(tuple(_with_parts(problem)), moves, checked=shell.checked)


@final
@frozen
class _Halves:
    """The C++ halves of the components of a unit."""

    problem: Problem
    device: Target
    types: Types
    moves: tuple[type[Move], ...]
    checked: bool

    def of(self, component: Component, space: Representation) -> Source:
        """The half of a component that acts on a space; refused if it is not a struct of its class's name."""
        if isinstance(component, Representation) and undrawn(component):
            return Source(f"struct {UNDRAWN} : {UNDRAWN}Data {{}};", f"generated/{UNDRAWN}.cuh")
        half = component.source_for(self.problem, self.device) or component.source_on(space)
        if half is None:
            half = half_of(component, space, cost_type=self.types.cost.name, checked=self.checked, moves=self.moves)
        require_struct(half, type(component).__name__)
        return completed(half, type(component).__name__) if isinstance(component, Neighborhood) else half

    def of_moves(self) -> Iterator[Source]:
        """The structs of moves that not every unit knows."""
        halves = (half_of_move(kind, checked=self.checked) for kind in self.moves)
        return (half for half in halves if half is not None)


@final
@frozen
class _Scopes:
    """The texts of components, each once; of two that differ but have one name, the second is put into a namespace."""

    halves: _Halves
    pieces: dict[type, list[Source]] = field(
        factory=lambda: {Representation: [], Neighborhood: [], Part: [], Component: []}
    )
    seen: dict[tuple[str, Source], str] = field(factory=dict)
    taken: dict[str, int] = field(factory=dict)

    def place(self, component: Component, struct: Struct, space: Representation) -> Struct:
        """Put the text of a component after the texts of its own components; return the struct with its type's name."""
        space = component if isinstance(component, Representation) else space
        inner = {
            name: self.place(each, struct.members[name], component.inner_space(name, space))
            for name, each in components_of(component)
            if isinstance(struct.members.get(name), Struct)
        }
        struct = evolve(struct, members={**struct.members, **inner})
        if "Inner" in struct.typedefs:
            names = ", ".join(each.derived for each in inner.values())
            struct = evolve(struct, typedefs={"Inner": f"Neighborhoods<{names}>"})
        text, half = struct.text(), self.halves.of(component, space)
        require_apart(type(component).__name__, (*struct.members, *struct.constants), half)
        scope = self.seen.get((text, half))
        if scope is None:
            scope = self.seen[text, half] = self._scope(struct.derived.partition("<")[0])
            kind = next(kind for kind in self.pieces if isinstance(component, kind))
            generated = Source(text, f"generated/{struct.name}.cuh")
            wrapped = [generated, half]
            if scope:
                wrapped = [Source(f"namespace {scope} {{", generated.name), *wrapped, Source("}", half.name)]
            self.pieces[kind] += wrapped
        return evolve(struct, derived=f"{scope}::{struct.derived}" if scope else struct.derived)

    def _scope(self, name: str) -> str:
        number = self.taken[name] = self.taken.get(name, 0) + 1
        return "" if number == 1 else f"{name}_{number}"
