"""A tree with a bound of your own: the shortest ruler on which all distances between marks differ."""

from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Array, DiscreteVector, Problem, data, run, stop
from metaheur.testing import check_bound, check_branching
from metaheur.tree import Bound, BranchAndBound, Branching


@frozen
class Golomb(Problem):
    marks: int = data("int32")

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(self.marks - 1, 30)  # gaps less 1

    def cost(self, x: np.ndarray) -> int:
        at = np.cumsum([0, *(x.astype(int) + 1)])
        distances = (at[:, None] - at)[np.tril_indices(len(at), -1)].tolist()
        return int(at[-1]) + 1000 * (len(set(distances)) < len(distances) or at[-1] > 60)  # so they are bits of a word


@frozen
class SmallestDistances(Bound[Golomb]):
    source = "smallest_distances.cuh"

    def lower(self, problem: Golomb, node: Any, depth: int) -> int:  # as if the smallest free distances came next
        free = (d for d in range(1, 1000) if d > 60 or not int(node["used"]) >> d & 1)
        return int(node["length"]) + sum(next(free) for _ in range(problem.marks - 1 - depth))


@frozen
class GolombTree(Branching[Golomb]):
    source = "golomb.cuh"
    bound = SmallestDistances()

    def node(self, problem: Golomb) -> dict[str, Array]:  # distances in use; distances of all marks from the last one
        words = {name: Array((), "uint64") for name in ("used", "marks")}
        return {**words, "length": Array((), "int32"), "x": Array((problem.marks - 1,), "uint8")}

    def child(self, problem: Golomb, node: Any, depth: int, k: int) -> dict[str, Any] | None:
        length, used, x = int(node["length"]) + k + 1, int(node["used"]), np.array(node["x"])
        marks, x[depth] = (int(node["marks"]) | 1) << k + 1, k
        fields = {"used": used | marks, "marks": marks, "length": length, "x": x}
        return fields if length <= 60 and not used & marks else None

    def holds(self, problem: Golomb, x: np.ndarray) -> bool:
        return problem.cost(x) < 1000


check_branching(GolombTree(), Golomb(3))
check_bound(GolombTree(), SmallestDistances(), Golomb(3))
for n in (5, 6, 7, 8):
    print(n, "marks:", run(BranchAndBound(GolombTree()), Golomb(n), stop=stop.seconds(60)).proof)
