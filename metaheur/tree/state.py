"""The state of an exact search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np
from attrs import field, frozen

from metaheur.running.proof import Counts
from metaheur.walk import Walk

__all__ = ["TreeState"]


@final
@frozen(eq=False)
class TreeState:
    """The state of an exact search between two batches: the rest of the search depends on nothing else.

    `walk`: the incumbent. An iteration is a batch; the moves evaluated are the nodes that were bounded. `open`, mapping
    of str to numpy.ndarray: the open nodes, as the engine keeps them; empty before the first batch. `counts`: the
    counts so far. `begun`: whether the search has begun: whether the root is, or was, among the open nodes. `feasible`:
    whether the incumbent is a solution of the tree. `done`: whether no node is open, or there is no memory for more
    nodes. `full`: whether there is no memory for more nodes. `best`, mapping of str to numpy.ndarray: if several
    solutions are kept: the best `solutions`, shape (s, n), and their `costs`, in the order in which they were found.
    """

    walk: Walk
    open: Mapping[str, np.ndarray] = field(metadata={"varies": True})
    counts: Counts = Counts()
    begun: bool = False
    feasible: bool = False
    done: bool = False
    full: bool = False
    best: Mapping[str, np.ndarray] = field(factory=dict, metadata={"varies": True})
