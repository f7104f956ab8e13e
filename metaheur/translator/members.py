"""The functions that metaheur calls, by name: what they are given, and how C++ declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from attrs import frozen

from metaheur.translator.kinds import HIGHEST, INDEX, LOWEST, Float, Kind, Truth, Whole

__all__ = ["CALLED", "NEIGHBORHOODS", "PARTS", "PROBLEMS", "REPRESENTATIONS", "Signature", "kind_of"]


@final
@frozen
class Signature:
    """A function of a component.

    `numbers`: C++ types of its numeric parameters, in order.
    `returns`: C++ type of the result; None for no result.
    `before`: the parameters before the numbers in Python: "kept", "x", "move", "representation", "start", "child" and
    "other", the parents of a crossover, of which the first is written.
    `after`: the parameters behind the numbers.
    `cost`: the type of numbers that are computed from data: "Cost" or "Total".
    `team`: whether the C++ function takes a team, so that its threads share the work.
    `writes`: whether the function writes kept arrays.
    """

    numbers: tuple[str, ...] = ()
    returns: str | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    cost: str = "Cost"
    team: bool = False
    writes: bool = False

    @property
    def keeps(self) -> bool:
        """Whether the function takes the kept arrays as a parameter in Python."""
        return "kept" in self.before

    def returned(self, *, floating: bool) -> Kind:
        """The kind of the result."""
        return kind_of(self.returns or "i64", floating=floating)


def kind_of(cpp: str, *, floating: bool) -> Kind:
    """The kind of a number that C++ declares."""
    if cpp in ("Cost", "Total"):
        return Float() if floating else Whole(LOWEST, HIGHEST, cost=True)
    words = {"bool": Truth(), "double": Float(), "u32": Whole(0, 2**32 - 1), "index": INDEX, "count": Whole(0, HIGHEST)}
    return words.get(cpp, Whole(LOWEST, HIGHEST))


def declared(cpp: str) -> str:
    """The C++ type of a parameter: wide enough for Python's arithmetic."""
    return {"u32": "i64", "index": "int", "count": "i64"}.get(cpp, cpp)


PROBLEMS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "cost": (("x",),),
    "delta": (("x", "move"), ("x", "state", "move")),
    "feasible": (("x", "move"), ("x", "state", "move")),
    "violations": (("x",),),
    "init": (("x", "state"),),
    "commit": (("x", "state", "move"),),
    "update": (("state", "move", "delta", "move"),),
}
"""The parameters of each function of a problem, without `self`; `delta` may take the kept arrays, or not."""

PARTS: Mapping[str, Signature] = {
    "init": Signature((), None, ("kept", "start"), cost="Total", team=True, writes=True),
    "accepts": Signature(("Total", "Total", "Total", "u32"), "bool", ("kept",), cost="Total"),
    "record": Signature(("bool", "Total", "Total"), None, ("kept",), cost="Total", team=True, writes=True),
    "ended": Signature((), "bool", ("kept",)),
    "aspires": Signature(("Cost", "Cost", "i64", "i64"), "bool"),
    "score": Signature(("Cost",), "Cost"),
    "expiry": Signature((), "i64", ("kept", "x", "move")),
    "remember": Signature((), None, ("kept", "x", "move"), ("random",), team=True),
    "draw": Signature(("u32", "count"), "i64"),
    "next": Signature(("double", "count"), "double"),
    "over": Signature(("double",), "bool"),
    "reached": Signature(("i64", "i64"), "bool"),
    "cross": Signature((), None, ("child", "other"), ("random",), team=True),
}
"""The functions of parts."""

REPRESENTATIONS: Mapping[str, Signature] = {"draw": Signature((), None, ("child",), ("random",), team=True)}
"""The functions of representations."""

NEIGHBORHOODS: Mapping[str, Signature] = {
    "size": Signature((), "i64", ("representation",)),
    "move": Signature(("count",), "Move", ("representation",)),
    "index": Signature((), "i64", ("representation", "move")),
    "groups": Signature((), "i64", ("representation",)),
    "length": Signature(("count",), "int", ("representation",)),
    "first": Signature(("count",), "i64", ("representation",)),
    "group": Signature((), "i64", ("representation", "move")),
    "apply": Signature((), None, ("x", "move"), team=True, writes=True),
}
"""The functions of neighborhoods; `move` is `unrank` in C++."""

FOLDS = ("step", "finish", "unit", "join", "price", "left_out")
"""The functions of a fold, and of the prices of its steps."""

CALLED: Mapping[str, tuple[str, ...]] = {
    "problem": (*PROBLEMS, "start", *FOLDS),
    "part": tuple(PARTS),
    "representation": tuple(REPRESENTATIONS),
    "neighborhood": tuple(NEIGHBORHOODS),
    "move": ("apply",),
}
"""The functions that C++ calls, by the family of their class."""
