"""The random numbers of Taillard's instances are those of the published generator."""

from itertools import islice

import pytest

from metaheur.problems.formats.taillard_generator import uniform


@pytest.mark.parametrize(
    ("seed", "low", "high"), [(1, 0, 0), (873654221, 1, 99), (123456789, 0, 99), (2**31 - 2, 5, 7)]
)
def test_numbers_are_those_of_schrages_division(seed: int, low: int, high: int) -> None:
    x, expected = seed, []
    for _ in range(1000):
        x = 16807 * (x % 127773) - 2836 * (x // 127773)  # as the paper's Pascal, which has 32 bits
        x += 2**31 - 1 if x < 0 else 0
        expected.append(low + int(x / (2**31 - 1) * (high - low + 1)))
    assert list(islice(uniform(seed, low, high), 1000)) == expected


def test_the_generator_has_the_state_that_its_authors_publish() -> None:
    """S. K. Park and K. W. Miller, Communications of the ACM 31, 1988: x is 1043618065 after 10,000 steps from 1."""
    states = uniform(1, 0, 2**31 - 2)
    assert next(islice(states, 9999, None)) == 1043618065
