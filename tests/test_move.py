"""Moves: what is optional has a default, and says so where there is none."""

import numpy as np
import pytest

from metaheur.errors import InputError
from tests.toys import Rotation


def test_a_move_stands_for_itself_by_default() -> None:
    move = Rotation(2)
    assert move.resolve(np.arange(5)) is move
    assert move.source is None


def test_a_move_that_writes_any_number_of_positions_has_no_placements() -> None:
    with pytest.raises(InputError, match="Rotation does not write a fixed number of positions") as caught:
        Rotation(1).placements(np.zeros(3, np.int32))
    assert "memory" in caught.value.maybe
