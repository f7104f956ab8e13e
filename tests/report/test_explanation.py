"""Costs explained: named terms, which add up to the cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import DiscreteVector, Problem, compiled, data, explain_cost, run, stop, term
from metaheur.errors import InputError
from metaheur.neighborhoods import Substitution
from metaheur.problems import OneMax
from metaheur.searches import HillClimbing
from metaheur.testing import check_problem


@final
@frozen(eq=False)
class Roster(Problem):
    """Shifts of persons: `wishes` count once, `doubled` shifts five times."""

    wishes: np.ndarray = data("int32", ndim=2)
    weight: int = data("int32", default=5)

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(*self.wishes.shape)

    @term
    @compiled
    def unwished(self, x: Any) -> Any:
        return sum(self.wishes[k, x[k]] for k in range(self.n))

    @term(weight=5)
    @compiled
    def doubled(self, x: Any) -> Any:
        return sum(x[k] == x[k + 1] for k in range(self.n - 1))

    @compiled
    def cost(self, x: Any) -> Any:
        return self.unwished(x) + self.weight * self.doubled(x)


WISHES = np.random.default_rng(1).integers(1, 9, (6, 3))


def test_marked_methods_are_the_terms() -> None:
    problem = Roster(WISHES)
    check_problem(problem, Substitution(), devices=["host"])
    found = explain_cost(problem, [0, 0, 1, 1, 2, 0])
    assert dict(found) == {"unwished": int(WISHES[range(6), [0, 0, 1, 1, 2, 0]].sum()), "doubled": 10}
    assert found.cost == sum(found.values())
    assert str(found).splitlines()[-1].split() == ["cost", str(found.cost)]
    best = run(HillClimbing(Substitution()), problem, stop=stop.iterations(50), seed=1)
    assert explain_cost(problem, best.solution).cost == best.cost


@final
@frozen(eq=False)
class Told(Problem):
    representation: DiscreteVector = DiscreteVector(2, 3)
    lost: int = 0

    def terms(self, x: Any) -> Mapping[str, int]:
        return {"first": int(x[0]), "second": 1_000 * int(x[1])}

    def cost(self, x: Any) -> int:
        return sum(self.terms(x).values()) + self.lost


def test_a_problem_may_tell_its_terms() -> None:
    assert str(explain_cost(Told(), [1, 2])) == "second  2,000\nfirst       1\ncost    2,001"


def test_terms_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(InputError, match=r"add up to 2,001, but the cost is 2,008"):
        explain_cost(Told(lost=7), [1, 2])
    with pytest.raises(InputError, match=r"add up to .*\nMaybe mark all terms"):
        explain_cost(Roster(WISHES, 6), [0] * 6)
    with pytest.raises(InputError, match="OneMax does not name the terms"):
        explain_cost(OneMax(3), [0, 1, 0])
    with pytest.raises(InputError, match="@term marks methods, but was given 3"):
        term(3)
