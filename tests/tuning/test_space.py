from fractions import Fraction
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

from metaheur import IteratedLocalSearch, SimulatedAnnealing, TabuSearch, parts, searches
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Always, BetterOrEqual, Limit, Metropolis, RandomMoves, Tenure
from metaheur.searches import Recommendation
from metaheur.tuning import Factor, OneOf, Range, Space
from metaheur.tuning.space import _number

TABU = TabuSearch(Swap(), (0.1, 0.3))
NESTED = IteratedLocalSearch(TABU, RandomMoves(Swap(), 5), Always(), limit=Limit(1000))


def test_parameters_are_named_after_the_fields_that_lead_to_them() -> None:
    assert Space(NESTED).default == {
        "search.tenure.low": 0.1,
        "search.tenure.high": 0.3,
        "search.long_term": "auto",
        "search.random_ties": "False",
        "perturbation.count": 5,
        "acceptance": "Always",
        "limit.iterations": 1.0,
    }


def test_the_default_configuration_makes_the_search_itself() -> None:
    assert Space(NESTED).make({}) is NESTED


def test_values_reach_the_fields_also_as_texts() -> None:
    made = Space(NESTED).make({"search.tenure.low": "0.25", "perturbation.count": "7", "acceptance": "BetterOrEqual"})
    assert made == attrs.evolve(
        NESTED, search=TabuSearch(Swap(), (0.25, 0.3)), perturbation=RandomMoves(Swap(), 7), acceptance=BetterOrEqual()
    )
    assert made.search.tenure.low == Fraction(1, 4)


def test_a_factor_multiplies_the_value_of_the_search() -> None:
    space = Space(SimulatedAnnealing(Swap(), 40.0))
    assert space.default["temperature"] == 1.0
    assert space.make({"temperature": 0.5, "schedule.every": 0.0101 * 10}).temperature == 20.0
    assert space.make({"schedule.every": 0.1004}).schedule.every == 100


def test_fields_of_a_part_exist_where_it_is_chosen() -> None:
    space = Space(NESTED, {"acceptance": OneOf(BetterOrEqual(), Metropolis(50.0))})
    name = "acceptance.Metropolis.cooling.first"
    assert [each.needs for each in space.parameters if each.name == name] == ["Metropolis"]
    assert name not in space.default
    assert space.default["acceptance"] == "Always"  # the search's own value is added to the choices
    hot = space.read({"acceptance": "Metropolis", name: 2})
    assert hot[name] == 2
    assert space.make(hot).acceptance == Metropolis(100.0)
    assert name not in space.read({"acceptance": "Always", name: 2})


def test_a_choice_among_searches_may_be_made_of_recommendations() -> None:
    space = Space(OneOf(Recommendation("a", TABU, price=3), Recommendation("b", NESTED), NESTED))
    assert space.parameters[0].choices == ("TabuSearch", "IteratedLocalSearch", "IteratedLocalSearch2")
    made = space.make({"search": "TabuSearch", "search.TabuSearch.tenure.high": 0.5})
    assert (made.search.tenure, made.price) == (Tenure(0.1, 0.5), 3)


def test_none_leaves_a_field_and_all_below_it_as_they_are() -> None:
    left = dict.fromkeys(("search", "acceptance", "limit"))
    assert set(Space(NESTED, left).default) == {"perturbation.count"}


def test_drawn_configurations_are_in_their_ranges_and_make_searches() -> None:
    space, random = Space(NESTED), Random(1)
    drawn = [space.sample(random) for _ in range(50)]
    lows = set()
    for each in drawn:
        assert each is not None
        assert space.read(each) == each
        made = space.make(each)
        lows.add(made.search.tenure.low)
        assert made.search.tenure.low <= made.search.tenure.high  # others are drawn again
    assert len(lows) > 40


def test_configurations_near_a_parent_are_near_it() -> None:
    space, random = Space(NESTED, {"limit": None}), Random(1)
    for _ in range(50):
        near = space.sample(random, space.default, 0.02)
        assert near is not None
        assert 4 <= int(near["perturbation.count"]) <= 6
        assert 0.05 < float(near["search.tenure.low"]) < 0.2


def test_whole_numbers_at_the_ends_are_as_likely_as_others() -> None:
    parameter = Space(TABU, {"tenure.low_plus": Range(0, 3)}).parameters[2]
    assert [parameter.at((k + 0.5) / 8) for k in range(8)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert all(parameter.at(parameter.share(k)) == k for k in range(4))


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"tenur.low": Range(0.1, 1.0)}, "'tenur.low', which is not a field"),
        ({"tenure.low": Range(0.2, 1.0)}, "outside Range"),
        (dict.fromkeys(("tenure", "long_term", "random_ties")), "No field of"),
    ],
)
def test_wrong_ranges_are_refused(ranges: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space(TABU, ranges)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tenur": 1}, "'tenur' is not a parameter"),
        ({"tenure.low": "high"}, "must be a number in 0.01 ... 2.0"),
        ({"tenure.low": 5}, "must be a number in 0.01 ... 2.0"),
        ({"random_ties": "maybe"}, "must be one of False, True"),
        ({"tenure.low": 0.5}, "must not exceed its upper end"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space(TABU).make(values)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Range(2, 1), "from a lower to a higher"),
        (lambda: Range(0, 1, log=True), "must be above 0"),
        (lambda: Range("a", 1), "from a number to a number"),  # type: ignore[arg-type]
        (lambda: Factor(2.0, 3.0), "must include 1"),
        (OneOf, "no values"),
    ],
)
def test_ranges_that_are_none_are_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_defaults_of_shipped_classes_are_in_their_ranges() -> None:
    seen = 0
    for package in (parts, searches):
        for kind in (getattr(package, name) for name in package.__all__):
            for each in attrs.fields(kind) if isinstance(kind, type) and attrs.has(kind) else ():
                rule, default = each.metadata.get("tune"), each.default
                if isinstance(rule, Range) and isinstance(default, int | float | Fraction):
                    assert rule.low <= default <= rule.high, f"{kind.__name__}.{each.name}"
                    seen += 1
    assert seen > 30


def test_truth_values_and_parts_are_no_numbers() -> None:
    found = [_number(each) for each in (True, "3", None, Swap(), Fraction(1, 2), np.float32(0.5), 3)]
    assert found == [None, None, None, None, 0.5, 0.5, 3]
