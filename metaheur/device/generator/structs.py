"""The generated structs of problems and components: what Python knows of them, member by member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, final

import attrs
import numpy as np
from attrs import evolve

from metaheur.component import Component, fields_of, undrawn
from metaheur.device.capabilities import inner_problems, keeps_parts
from metaheur.device.generator.halves import made_arrays, made_tables
from metaheur.device.generator.layout import CPP, Member, Struct
from metaheur.device.generator.record import Types, part_types
from metaheur.device.generator.target import Target
from metaheur.errors import InputError
from metaheur.fields import Array, is_word
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, resamples
from metaheur.problem import Problem, judges, level_names, level_numbers
from metaheur.representation import Representation, places_of

__all__ = ["UNDRAWN", "plain_struct", "struct_of", "structs_of_problem"]

UNDRAWN = "Undrawn"
"""The C++ name of all representations without a C++ half."""


def struct_of(component: Component, representation: Representation, device: Target, types: Types) -> Struct:
    """The generated struct `<class>Data` of a component: n, fields, constants, tables, arrays."""
    representation = component if isinstance(component, Representation) else representation
    drawn = representation is not component or not undrawn(component)
    name = type(component).__name__ if drawn else UNDRAWN
    known = _Names(name, representation)
    lists = {}
    for attribute in fields_of(component) if drawn else ():
        value = getattr(component, attribute.name)
        if isinstance(value, tuple) and all(isinstance(each, Component) for each in value):
            lists[attribute.name] = len(value)
            for i, each in enumerate(value):
                name_in_cpp = f"{attribute.name}_{i}"
                known.add(
                    name_in_cpp, struct_of(each, component.inner_space(name_in_cpp, representation), device, types)
                )
        else:
            known.add(attribute.name, _member(component, attribute, representation, device, types))
    for fact in component.facts:
        known.fix(fact, bool(getattr(component, fact)) or (fact == "partial" and types.judges))
    if isinstance(component, Neighborhood):
        known.fix("resamples", resamples(component))
    for constant, value in component.constants(representation).items():
        (known.fix if isinstance(value, bool) else known.add)(constant, value)
    for table, values in component.tables(representation).items():
        known.add(table, _data(values, device))
    for kept, declared in component.state(representation).items():
        if isinstance(component, Neighborhood):
            _require_length(known, kept, declared)
        known.add(kept, _kept(known, kept, declared, types, saved=not isinstance(component, Neighborhood)))
    for kept, declared in component.cache(representation).items():
        known.add(kept, _kept(known, kept, declared, types, saved=False))
    typedefs, derived = {}, name
    if isinstance(component, Neighborhood):
        inner = (value.derived for value in known.members.values() if isinstance(value, Struct))
        typedefs, derived = {"Inner": f"Neighborhoods<{', '.join(inner)}>"}, component.cpp_name(representation)
    return Struct(f"{name}Data", known.members, known.constants, typedefs, derived, lists=lists)


def plain_struct(  # noqa: PLR0913 - keyword-only
    owner: Any,
    representation: Representation,
    device: Target,
    types: Types,
    *,
    constants: Mapping[str, int | bool],
    tables: Mapping[str, np.ndarray],
) -> Struct:
    """The generated struct `<class>Data` of something that keeps nothing: n, fields, constants and tables."""
    name = type(owner).__name__
    known = _Names(name, representation)
    for attribute in fields_of(owner):
        known.add(attribute.name, _member(owner, attribute, representation, device, types))
    for constant, value in constants.items():
        known.fix(constant, value)
    for table, values in tables.items():
        known.add(table, _data(values, device))
    return Struct(f"{name}Data", known.members, known.constants, derived=name)


def structs_of_problem(
    problem: Problem, device: Target, types: Types, moves: Sequence[type[Move]] = ()
) -> tuple[Struct, Struct]:
    """The generated structs of a problem: `<class>State` has kept arrays; `<class>Data` has n, fields and tables."""
    name, space = type(problem).__name__, problem.representation
    known, kept = _Names(name, space), _Names(name, space)
    fields = {attribute.name for attribute in fields_of(problem)}
    for attribute in fields_of(problem):
        if "data" in attribute.metadata:
            value, dtype = getattr(problem, attribute.name), attribute.metadata["data"][0]
            wide = np.ndim(value) and dtype == "int32" and types.cost.itemsize > 4  # so that formulas do not overflow
            known.add(attribute.name, _data(value, device, "int64" if wide else dtype))
    for table, values in {**_mapping(problem, "tables"), **made_tables(problem, moves)}.items():
        known.members.pop(table if table in fields else "", None)  # a table stands in for a field of its name
        known.add(table, _data(values, device))
    for kept_name, declared in {**_mapping(problem, "state"), **made_arrays(problem, moves)}.items():
        _require_length(known, kept_name, declared)
        kept.add(kept_name, _kept(known, kept_name, declared, types, saved=False))
    for constant, value in _mapping(problem, "constants").items():
        known.fix(constant, value)
    known.fix("judges", judges(problem))
    problems = inner_problems(problem)
    parts = tuple(f"problem_{k}" for k in range(len(problems)))
    for part, inner in zip(parts, problems, strict=True):
        inner_state, inner_data = structs_of_problem(inner, device, part_types(inner), moves)
        inner_state = inner_state if keeps_parts(problem) else inner_state.emptied()
        kept.members[part] = evolve(inner_state, derived=f"{part}::{inner_state.derived}")
        known.members[part] = evolve(inner_data, derived=f"{part}::{inner_data.derived}")
    typedefs = {"State": f"{name}State"}
    if parts:
        typedefs["Parts"] = f"PartTypes<{', '.join(known.members[part].derived for part in parts)}>"
    places = places_of(space)
    for part, place in places.items():
        known.add(f"first_of_{part}", np.int32(place.start))
        known.add(f"size_of_{part}", np.int32(place.stop - place.start))
    for member, value in level_numbers(problem).items():
        known.add(member, value)
    state = Struct(f"{name}State", kept.members, derived=f"{name}State")
    data = Struct(f"{name}Data", known.members, known.constants, typedefs, derived=name)
    return state, evolve(data, parts=parts, views=tuple(places), levels=level_names(problem))


def _mapping(component: Component, method: str) -> Mapping[str, Any]:
    """The mapping that a method of a problem returns; any other value is refused."""
    declared = getattr(component, method)
    if not callable(declared):
        raise InputError(
            f"{type(component).__name__}.{method} must be a method, but is a {type(declared).__name__}.",
            f"write def {method}(self, representation), without @property.",
        )
    found = declared(component.representation)  # type: ignore[attr-defined]
    if not isinstance(found, Mapping):
        raise InputError(f"{type(component).__name__}.{method} must return a mapping of names, but returned {found!r}.")
    return found


def _member(
    component: Component,
    attribute: attrs.Attribute[Any],
    representation: Representation,
    device: Target,
    types: Types,
) -> Any:
    value = getattr(component, attribute.name)
    if "data" in attribute.metadata:
        return _data(value, device, attribute.metadata["data"][0])
    if value is None:
        return -1
    if "choices" in attribute.metadata:
        return attribute.metadata["choices"].index(value)
    if isinstance(value, Component) and isinstance(value, Representation) <= isinstance(component, Representation):
        return struct_of(value, component.inner_space(attribute.name, representation), device, types)
    if isinstance(value, Fraction):
        return value
    plain = value.item() if isinstance(value, np.generic) else value
    for kind in (bool, int, float):  # not their subclasses: C++ knows np.float64 and enumerations by these names
        if isinstance(plain, kind):
            return kind(plain)
    raise InputError(
        f"{type(component).__name__}.{attribute.name} is {value!r}, which has no C++ type.",
        "declare arrays with data(), or use numbers, fractions and parts.",
    )


def _data(value: Any, device: Target, dtype: str | None = None) -> Any:
    if np.ndim(value) == 0:
        return np.int32(value) if dtype == "int32" else value
    if not isinstance(value, np.ndarray) or value.dtype.name not in CPP:
        raise InputError(f"A table must be an array of numbers, but is {type(value).__name__}.", "use numpy.asarray.")
    return Member(value.shape, CPP[dtype or value.dtype.name], device.stored(value), value)


def _kept(known: _Names, name: str, declared: Any, types: Types, *, saved: bool) -> Member:
    if not isinstance(declared, Array):
        raise InputError(f"{known.owner}.state: {name} must be an Array, but is {declared!r}.", "write Array((n,)).")
    special = {"cost": types.cost, "total": types.total, "item": types.item}
    shared = known.members.get(declared.dtype)
    if isinstance(shared, Member):
        stored = shared.stored
    elif declared.dtype in special:
        stored = special[declared.dtype]
    elif declared.dtype in CPP:
        stored = np.dtype(declared.dtype)
    else:
        types_known = ", ".join([*special, *(m for m, v in known.members.items() if isinstance(v, Member)), *CPP])
        raise InputError(f"{known.owner}.state: {name} has the type {declared.dtype!r}.", f"use one of {types_known}.")
    return Member(
        (*declared.shape, *(types.numbers if declared.dtype == "total" else ())),
        CPP[stored.name],
        stored,
        scratch=declared.scratch,
        divided=declared.divided,
        table=declared.table,
        far=declared.far,
        late=declared.late,
        saved=saved,
    )


def _require_length(known: _Names, name: str, declared: Any) -> None:
    """Refuse a kept number of a problem or a neighborhood: C++ has it by value, so that a new value would be lost."""
    if isinstance(declared, Array) and not declared.shape:
        raise InputError(
            f"{known.owner}.state: {name} is a single number, which only parts and loops can keep: what {known.owner} "
            "writes into it in C++ would be lost.",
            f"write Array((1,)), and {name}(0) in C++.",
        )


_GENERATED = frozenset({"each", "saved", "components", "keeps"})
"""The names of functions and constants that a generated struct has."""


@final
class _Names:
    """The members and constants of a struct, whose names C++ must be able to have, and which must not meet."""

    def __init__(self, owner: str, representation: Representation) -> None:
        self.owner = owner
        self.members: dict[str, Any] = {"n": np.int32(representation.length)}
        self.constants: dict[str, int | bool] = {}

    def add(self, name: str, value: Any) -> None:
        """Add a member, unless C++ cannot call it so."""
        if name == "n" and isinstance(value, int | np.integer) and value == self.members["n"]:
            return  # a field that is the length of a solution, too
        self._require(name)
        self.members[name] = value

    def fix(self, name: str, value: int | bool) -> None:
        """Add what the compiler knows, unless C++ cannot call it so."""
        self._require(name)
        self.constants[name] = value

    def _require(self, name: str) -> None:
        where = f"{self.owner} has a field, constant, table or kept array called {name!r}"
        if name == "n":
            raise InputError(f"{where}, but n is the length of a solution in C++.", "give it another name.")
        if not is_word(name) or name == f"{self.owner}State" or name in _GENERATED:
            raise InputError(f"{where}, a name that its C++ half cannot use.", "give it another name.")
        if name in self.members or name in self.constants:
            raise InputError(f"{where} twice, but in C++ these are members of one struct.", "rename one of them.")
