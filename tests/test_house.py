"""The measures of the house stay where they are, or get better."""

from tests.test_imports import house

ABOVE_THE_GOAL = {"files loaded by run": 30, "files loaded by a resident search": 51}
"""What has not reached its goal yet, and where it stands."""


def test_no_measure_is_worse_than_it_was() -> None:
    measures = list(house.measures())
    assert {each.what for each in measures} >= set(ABOVE_THE_GOAL)
    worse = [each for each in measures if len(each.found) > ABOVE_THE_GOAL.get(each.what, each.goal)]
    assert worse == []
