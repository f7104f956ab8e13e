"""A tree in Python alone, and ways to spoil it."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, data
from metaheur.problem import Problem
from metaheur.representation import BitString, Solution
from metaheur.tree import Bound, Branching, Dominance
from metaheur.tree.part import Fields, Node


@final
@frozen(eq=False)
class Linear(Problem):
    """The sum of the weights of the bits that are set; if `apart`, no two neighbouring bits may be set."""

    weights: np.ndarray = data("int64", ndim=1)
    apart: bool = False

    @property
    def representation(self) -> BitString:
        return BitString(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights @ x.astype(np.int64)) + 1000 * self.touching(x)

    def touching(self, x: Solution) -> int:
        return int((x[1:] & x[:-1]).sum()) if self.apart else 0


@final
@frozen
class Bits(Branching[Linear]):
    """Decide bit by bit; `fault` says in which way it is wrong."""

    fault: str = ""

    @property
    def bound(self) -> Bound[Linear]:
        return Negatives()

    def levels(self, problem: Linear) -> int:
        return len(problem.weights)

    def arity(self, problem: Linear, depth: int) -> int:
        return 2

    def node(self, problem: Linear) -> Mapping[str, Array]:
        return {
            "cost": Array((), "int32" if self.fault == "narrow" else "int64"),
            "bits": Array((len(problem.weights),), "uint8"),
        }

    def root(self, problem: Linear) -> Fields:
        return {}

    def child(self, problem: Linear, node: Node, depth: int, k: int) -> Fields | None:
        bits = np.array(node["bits"])
        bits[depth] = k
        if problem.apart and k and depth and bits[depth - 1]:
            return None
        if (self.fault, depth, k) == ("forgets", 2, 1):
            return None
        if (self.fault, depth, k) == ("repeats", 2, 1):
            bits[depth] = 0
        return {"cost": int(node["cost"]) + int(bits[depth]) * int(problem.weights[depth]), "bits": bits}

    def solution(self, problem: Linear, node: Node) -> Solution:
        return np.array(node["bits"])

    def holds(self, problem: Linear, x: Solution) -> bool:
        return not problem.touching(x)


@final
@frozen
class Negatives(Bound[Linear]):
    """The cost of the decided bits, and all negative weights after them; `fault` says in which way it is wrong."""

    fault: str = ""

    def lower(self, problem: Linear, node: Node, depth: int) -> int:
        rest = int(np.minimum(problem.weights[depth:], 0).sum())
        if self.fault == "too high" and depth == 2:
            rest += 5
        if self.fault == "falls" and depth == 2:
            rest -= 5
        if self.fault == "rounds" and depth == len(problem.weights):
            rest -= 1
        return int(node["cost"]) + rest

    def upper(self, problem: Linear, node: Node, depth: int) -> int:
        """Leave all other bits at 0."""
        if self.fault == "crosses" and depth == 4:
            return self.lower(problem, node, depth) - 1
        return int(node["cost"]) - (1 if self.fault == "promises" and (problem.weights[depth:] < 0).any() else 0)

    def completion(self, problem: Linear, node: Node, depth: int) -> Solution:
        return np.array(node["bits"])


@final
@frozen
class Cheaper(Dominance[Linear]):
    """Of two nodes with the same last bit, the cheaper one is enough; with unequal last bits it is not, if `apart`."""

    careless: bool = False

    def key(self, problem: Linear, node: Node, depth: int) -> tuple[int, int]:
        return (0 if self.careless or not depth else int(node["bits"][depth - 1])), int(node["cost"])

    def beats(self, problem: Linear, a: Node, b: Node, depth: int) -> bool:
        return self.key(problem, a, depth)[0] == self.key(problem, b, depth)[0]


def linear(n: int, seed: int = 1, **more: Any) -> Linear:
    return Linear(np.random.default_rng(seed).integers(-20, 10, n), **more)
