"""The measures of the house stay where they are, or get better; the core becomes larger on purpose only."""

from tests.test_imports import ROOT, house, loaded_file

size = loaded_file(ROOT / ".ci" / "size.py")

REACHED = {"files loaded by a resident search": 20, "files loaded by branch and bound": 26}
"""What is better than its goal, and is to stay so."""


def test_no_measure_is_worse_than_it_was() -> None:
    measures = list(house.measures())
    assert {each.what for each in measures} >= set(REACHED)
    worse = [each for each in measures if len(each.found) > min(each.goal, REACHED.get(each.what, each.goal))]
    assert worse == []


def test_the_core_is_as_large_as_it_may_be() -> None:
    assert size.too_large(size.core().lines, size.limit()) == ""
