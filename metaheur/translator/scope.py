"""The facts about a function while it is read: the kinds of its variables, and which variables have a value by now."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, final

from attrs import define, field, frozen

from metaheur.errors import CompileError
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.kinds import Float, Kind, Matrix, Truth, Vector, Whole, join, limited, whole, widened
from metaheur.translator.names import DETECTED, Names
from metaheur.translator.reading import Text
from metaheur.translator.tree import ArrayName, Expression, Name, Statement

__all__ = ["Function", "Scope", "Unit"]

ROUNDS = 1
"""Rounds in which the bounds of variables grow freely; after them, bounds are widened to those of a type."""


@final
@frozen(eq=False)
class Function:
    """A function that has been read.

    `name`: its name in C++.
    `text`: the Python text.
    `parameters`: without `self`.
    `variables`: the local variables.
    `body`: its statements.
    `returns`: the kind of its result.
    `reads`, `writes`: the arrays that it reads and writes, itself or in functions that it calls.
    `takes`: its C++ parameters besides numbers: "x", "s".
    `cost`: "Cost" or "Total": the type of numbers that are computed from data.
    `family: str`: the family of its component.
    `ordered: bool`: whether one thread computes every sum: a team adds in the type of costs, which are floats or not
    known here.
    `outside`: for each loop, the variables that are used outside of it.
    """

    name: str
    text: Text
    parameters: tuple[tuple[str, Kind], ...]
    variables: dict[str, Kind]
    body: tuple[Statement, ...]
    returns: Kind
    reads: frozenset[str]
    writes: frozenset[str]
    takes: tuple[str, ...]
    cost: str
    family: str
    ordered: bool
    outside: dict[int, set[str]] = field(factory=dict)


@final
@define(eq=False)
class Unit:
    """The half of one component while it is made: the facts of its instance, and the helpers read so far.

    `facts`: what is known of the instance.
    `called`: makes the typed expression of a call, given the scope and the call.
    `helpers`: the helpers that have been read.
    `reading`: the helpers that are being read, so that none calls itself.
    `counts`: how many helpers have a name.
    `names`: those of helpers in C++.
    """

    facts: ComponentFacts
    called: Callable[[Scope, ast.Call], Expression]
    helpers: dict[Any, Function] = field(factory=dict)
    reading: list[Any] = field(factory=list)
    counts: dict[str, int] = field(factory=dict)
    names: Names = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.names = Names({*DETECTED, *(name for name, _ in self.facts.members)})


@final
@define(eq=False)
class Scope:
    """One round of reading a function.

    `unit`: the half that it belongs to.
    `text`: the function.
    `parameters`: the kinds of its parameters, `self` included.
    `variables`: the kinds of the local variables, as the rounds before found them.
    `number`: the number of the round.
    `cost`: "Cost" or "Total".
    `limits`: bounds that hold for variables and for the entries of lists.
    `narrowed`: receives the kinds that follow from the assignments of this round alone; `variables` then stay the same.
    """

    unit: Unit
    text: Text
    parameters: dict[str, Kind]
    variables: dict[str, Kind]
    number: int
    cost: str
    limits: Mapping[str, Whole] = field(factory=dict)
    narrowed: dict[str, Kind] | None = None
    within: dict[str, Whole] = field(factory=dict)  # indices in range, until they are assigned
    assigned: set[str] = field(factory=set)
    loops: dict[str, Kind] = field(factory=dict)
    aliases: dict[str, Expression] = field(factory=dict)
    rows: set[str] = field(factory=set)
    lists: dict[str, int] = field(factory=dict)  # the lists made so far, and in how many loops
    depth: int = 0
    gone_over: list[str] = field(factory=list)  # the lists that the loops around go over
    returns: Kind | None = None
    changed: bool = False
    reads: set[str] = field(factory=set)
    writes: set[str] = field(factory=set)

    @property
    def facts(self) -> ComponentFacts:
        """What is known of the instance."""
        return self.unit.facts

    def line(self, node: ast.AST) -> int:
        """The line of a piece of the text."""
        return self.text.line(node)

    def refusal(self, node: ast.AST, reason: str, maybe: str = "") -> CompileError:
        """The error that refuses a piece of the text; it names the file and the line."""
        return self.text.refusal(node, reason, maybe)

    def assign(self, node: ast.AST, name: str, kind: Kind) -> None:
        """Note that a local variable is assigned a value of some kind."""
        if name in self.loops:
            raise self.refusal(
                node, f"{name} is the variable of the loop around it, and is assigned.", "use another name."
            )
        if name in self.aliases:
            raise self.refusal(node, f"{name} stands for an array, and is assigned again.", "use another name.")
        kinds = self.variables if self.narrowed is None else self.narrowed
        before = kinds.get(name, self.parameters.get(name))
        if before is not None:
            joined = join(before, kind)
            if joined is None:
                raise self.refusal(
                    node,
                    f"{name} is {described(before)} and {described(kind)}.",
                    "use two names, or convert with float() or int().",
                )
            kind = widened(before, joined) if self.number > ROUNDS else joined
            self.require_exact(node, kind.element if isinstance(kind, Vector | Matrix) else kind, name)
        kind = limited(kind, self.limits.get(name))
        if kinds.get(name) != kind:
            kinds[name] = kind
            self.changed = True
        self.assigned.add(name)
        self.within.pop(name, None)

    def require_exact(self, node: ast.AST, kind: Kind, *names: str) -> None:
        """Refuse a number that is a float on one path of execution and, on another path, an integer that floats round.

        `node`: where the number is made. `kind`: its kind. `*names`: the variables that make it, or that hold it.
        Raises CompileError with their names, and the way out.
        """
        if not isinstance(kind, Float) or kind.exact:
            return
        who = " and ".join(dict.fromkeys(names)) or "this"
        raise self.refusal(
            node,
            f"{who} may be a float, or a whole number beyond 2**53, which Python keeps exact and a float rounds.",
            f"make {who} a float on every way, with 1.0 instead of 1 and float(...); or use two names.",
        )

    def lookup(self, node: ast.Name) -> Expression | None:
        """The expression of a local name; None if the name is not local."""
        name, line = node.id, self.line(node)
        if name in self.aliases:
            return self.aliases[name]
        if name in self.loops:
            return Name(self.loops[name], line, name)
        if name in self.assigned:
            kind = limited(self.variables[name], self.within.get(name))
            return ArrayName(kind, line) if isinstance(kind, Vector | Matrix) else Name(kind, line, name)
        if name in self.parameters:
            kind = self.parameters[name]
            return ArrayName(kind, line) if hasattr(kind, "origin") else Name(kind, line, name)
        if name in self.variables or name in self.local_names:
            near = get_close_matches(name, self.assigned - {name}, n=1)
            way = f"{near[0]}." if near else f"assign {name} before, or in both branches of the if."
            raise self.refusal(node, f"{name} may have no value here.", way)
        return None

    @property
    def local_names(self) -> frozenset[str]:
        """All names that the function assigns anywhere."""
        return frozenset(self.text.function.__code__.co_varnames) | frozenset(self.text.function.__code__.co_cellvars)


def described(kind: Kind) -> str:
    """A kind in words."""
    words: dict[Any, Callable[[Any], str]] = {
        Truth: lambda _: "a truth",
        Float: lambda _: "a float",
        Whole: lambda _: "a whole number",
    }
    names = {
        "Vector": "an array",
        "Matrix": "a matrix",
        "MatrixRow": "a row",
        "MoveKind": "a move",
        "Nothing": "nothing",
        "Objectives": "several numbers",
    }
    make = words.get(type(kind))
    return make(kind) if make else names.get(type(kind).__name__, "no number")


def constant_kind(value: float | bool) -> Kind:
    """The kind of a number that is known."""
    if isinstance(value, bool):
        return Truth()
    return whole(value, value) if isinstance(value, int) else Float()
