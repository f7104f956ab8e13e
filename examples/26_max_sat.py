"""MAX-SAT in Python alone: a reader of DIMACS files, and counts of true literals that follow each flip."""

from typing import Any

import numpy as np
from attrs import frozen

from metaheur import BitString, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Hamming
from metaheur.testing import check_problem


@frozen(eq=False)
class MaxSat(Problem):
    """Leave few clauses unsatisfied; the literals of variable k are begins[k] ... begins[k + 1] - 1."""

    clauses: int = data("int32")
    begins: np.ndarray = data("int32", ndim=1)
    literals: np.ndarray = data("int32", ndim=2)  # variable, clause; 1, or 0 where it is negated
    representation = property(lambda self: BitString(len(self.begins) - 1))

    @compiled
    def cost(self, x: Any) -> int:
        holds = [0] * self.clauses
        for at in range(len(self.literals)):
            holds[self.literals[at, 1]] += self.literals[at, 2] == x[self.literals[at, 0]]
        return sum(count == 0 for count in holds)


def read_cnf(text: str) -> MaxSat:
    """Read a file of DIMACS in which no clause holds a variable and its negation."""
    words = np.array([int(word) for row in text.split("\n") if row[:1] not in "cp%" for word in row.split()])
    found = np.unique(np.stack([abs(words) - 1, np.cumsum(words == 0), words > 0], axis=1)[words != 0], axis=0)
    return MaxSat(found[:, 1].max() + 1, np.searchsorted(found[:, 0], range(abs(words).max() + 1)), found)


place = np.arange(1, 43).reshape(7, 6).tolist()
clauses = [*place, *((-a[h], -b[h]) for h in range(6) for k, a in enumerate(place) for b in place[:k])]
problem = read_cnf("\n".join(f"{' '.join(map(str, each))} 0" for each in clauses))
print(check_problem(problem, Hamming(1)))
print(run(TabuSearch(Hamming(1)), problem, stop=stop.target(1) | stop.iterations(2000), seed=1))
