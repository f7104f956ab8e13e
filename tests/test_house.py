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


def test_explained_changes_of_code_are_of_lines_that_are_there() -> None:
    explained = loaded_file(ROOT / ".ci" / "mutate.py").explained()
    for place in explained:
        file, _, rest = place.partition(":")
        code = rest.split(":", 2)[2]
        lines = {line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()}
        assert code in lines, place
