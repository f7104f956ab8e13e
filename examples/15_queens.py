"""A tree of your own: all ways to place queens, in Python, and with some lines of C++."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Array, DiscreteVector, Problem, data, run, stop
from metaheur.testing import check_branching
from metaheur.tree import BranchAndBound, Branching, Feasibility


@final
@frozen
class Queens(Problem):
    size: int = data("int32")

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(self.size, self.size)  # the column of the queen of each row

    def cost(self, x: np.ndarray) -> int:
        rows, columns = np.triu_indices(self.size, 1), x.astype(int)
        apart = abs(columns[rows[0]] - columns[rows[1]])
        return int(((apart == 0) | (apart == rows[1] - rows[0])).sum())  # pairs that attack each other


@final
@frozen
class QueensTree(Branching[Queens]):
    source = "queens.cuh"
    bound = Feasibility()

    def node(self, problem: Queens) -> Mapping[str, Array]:
        return {"x": Array((problem.size,), "uint8")}  # the columns of the first rows

    def child(self, problem: Queens, node: Any, depth: int, k: int) -> Mapping[str, Any] | None:
        x = np.array(node["x"])
        apart = abs(x[:depth].astype(int) - k)
        x[depth] = k
        return None if ((apart == 0) | (apart == depth - np.arange(depth))).any() else {"x": x}

    def holds(self, problem: Queens, x: np.ndarray) -> bool:
        return problem.cost(x) == 0


check_branching(QueensTree(), Queens(5))
for size, device in ((6, "numpy"), (6, "auto"), (8, "auto"), (10, "auto")):
    result = run(BranchAndBound(QueensTree(), keep="all"), Queens(size), stop=stop.seconds(60), parallel=device)
    print(f"{size:2} queens on {result.device:6} {len(result.solutions):4} solutions, {result.evaluated:6} nodes")
