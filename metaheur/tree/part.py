"""The base class of the parts of an exact search: Python defines a part, and C++ may do the same, fast."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, final

import numpy as np

from metaheur.errors import CheckFailed, InputError
from metaheur.fields import Array
from metaheur.lazy import expressible
from metaheur.marker import Compiled
from metaheur.problem import Problem

if TYPE_CHECKING:
    from metaheur.source import Source

__all__ = ["NO_COST", "Fields", "Node", "Nodes", "P", "TreePart", "node_type", "nodes_of"]

P = TypeVar("P", bound=Problem)
"""The class of problems that a part is for."""

NO_COST = 2**63 - 1
"""An int64 above every cost: the cost of a solution that is not known, and the bound of no nodes."""

Node = np.void | Mapping[str, Any]
"""One node: its fields by name."""

Nodes = np.ndarray[Any, np.dtype[np.void]]
"""Many nodes of one depth: a structured array of shape (m,), whose fields have the shape (m,) or (m, length)."""

Fields = Mapping[str, Any]
"""The fields of a node, or of many, by name."""


@expressible
class TreePart(ABC, Generic[P]):
    """A branching, a bound or a dominance: its fields and tables become the members of a generated C++ struct.

    `source`: the C++ half, as for a `Problem`: a struct of the class's name that derives from `<name>Data`. None, the
    default, means Python only.
    """

    source: ClassVar[str | Path | Source | None] = None

    def __init_subclass__(cls, **settings: Any) -> None:
        """Refuse methods that are marked for translation."""
        super().__init_subclass__(**settings)
        for name, value in vars(cls).items():
            if isinstance(value, Compiled):
                raise InputError(
                    f"{cls.__name__}.{name} is @compiled, but methods of trees and bounds are not translated.",
                    "drop @compiled: plain Python works; for speed name a C++ half in `source`. The problem may be "
                    "compiled.",
                )

    def source_for(self, problem: P, device: Any) -> Source | None:
        """The C++ half for a problem on a device, if a part generates its own, as for a `Component`.

        `problem`: the problem that is solved. `device`: where the unit is to run; `device.kind` is "host" or "cuda".
        Returns a struct of the class's name; None, the default, if `source` has the C++ half.
        """
        return None

    @property
    @final
    def has_half(self) -> bool:
        """Whether there is a C++ half: named, or generated."""
        return self.source is not None or type(self).source_for is not TreePart.source_for

    def constants(self, problem: P) -> Mapping[str, int | bool]:
        """Numbers and truth values that the compiler of the C++ half knows, by name; none by default."""
        return {}

    def tables(self, problem: P) -> Mapping[str, np.ndarray]:
        """Arrays of whole numbers computed from the problem for the C++ half, by name; none by default.

        They become members of the generated struct: the C++ half knows nothing else of the problem.
        """
        return {}


def node_type(fields: Mapping[str, Array]) -> np.dtype[Any]:
    """The NumPy type of a node, with the layout of the C++ struct."""
    return np.dtype([(name, array.dtype, array.shape) for name, array in fields.items()], align=True)


def nodes_of(dtype: np.dtype[Any], fields: Fields, count: int, exist: Any = True) -> Nodes:
    """Many nodes from their fields; missing fields are zero.

    `dtype`: the type of a node. `fields`: the fields of all nodes, or one value for all nodes. `count`: the number of
    nodes. `exist`, bool, shape (count,): which nodes exist; the fields of other nodes may have any values.
    """
    out = np.zeros(count, dtype)
    for name, values in fields.items():
        wanted, kept = np.asarray(values), out[name]
        kept[...] = 0 if wanted.dtype == object else wanted  # objects are integers beyond 64 bits
        if np.can_cast(wanted.dtype, kept.dtype):
            continue
        wrong = (kept != wanted) & np.reshape(exist, (-1, *(1,) * (kept.ndim - 1)))
        if wrong.any():
            value = np.broadcast_to(wanted, kept.shape)[wrong][0]
            raise CheckFailed(
                f"The field `{name}` of a node is {value}, which {kept.dtype} cannot hold.",
                'declare a wider type in `node`, such as "int64", or refuse such data in `reason_against`.',
            )
    return out
