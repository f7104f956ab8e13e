"""Swap: every pair of positions once, in a known order, and its moves do what they say."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.device.host.library import load
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap, SwapMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

ROOT = Path(__file__).resolve().parents[2] / "metaheur"
LARGEST = 2**31 - 1
sizes = st.integers(2, LARGEST) | st.sampled_from([2, 3, 32_768, 32_769, 46_341, 65_536, 100_000, 2**30, LARGEST])


def sum_of_rows(n: int) -> int:
    return n * (n - 1) // 2


@pytest.mark.parametrize("n", range(1, 13))
def test_every_pair_of_positions_is_a_move(n: int) -> None:
    moves = list(Swap().moves(Permutation(n)))
    assert moves == [SwapMove(i, j) for i in range(n) for j in range(n) if i < j]


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_swap_keeps_every_promise_of_a_neighborhood(compiling: Device, n: int, cyclic: bool) -> None:
    check_neighborhood(Swap(), Permutation(n, cyclic), devices=[compiling.name])


@given(sizes, st.data())
def test_the_index_of_a_move_counts_the_pairs_before_it(n: int, data: st.DataObject) -> None:
    space = Permutation(n)
    i = data.draw(st.integers(0, n - 2) | st.sampled_from([0, n - 2, n // 2 - 1 if n > 2 else 0]))
    for j in {i + 1, n - 1, data.draw(st.integers(i + 1, n - 1))}:
        k = Swap().index(space, SwapMove(i, j))
        assert k == sum_of_rows(n) - sum_of_rows(n - i) + j - i - 1
        assert Swap().move(space, k) == SwapMove(i, j)
        batch = Swap().batch(space, np.array([k]))
        assert (batch.i.tolist(), batch.j.tolist()) == ([i], [j])


def test_a_batch_is_made_of_int64_in_any_order() -> None:
    batch = Swap().batch(Permutation(4), np.array([5, 0, 0, 2], np.int32))
    assert batch.i.dtype == batch.j.dtype == np.int64
    assert batch.i.tolist() == [2, 0, 0, 0]
    assert batch.j.tolist() == [3, 1, 1, 3]
    assert Swap().batch(Permutation(1), np.arange(0)).i.shape == (0,)


@pytest.mark.parametrize("move", [SwapMove(2, 2), SwapMove(3, 2), SwapMove(-1, 2), SwapMove(0, 5)])
def test_a_pair_that_is_no_move_has_no_index(move: SwapMove) -> None:
    with pytest.raises(InputError, match=r"Swap\(\) on Permutation.* does not have the move"):
        Swap().index(Permutation(5), move)


def test_a_swap_exchanges_two_items() -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    moved = SwapMove(1, 3).apply(x)
    assert moved.tolist() == [3, 0, 4, 1, 2]
    assert moved.dtype == x.dtype
    assert [(position, int(value)) for position, value in SwapMove(1, 3).placements(x)] == [(1, 0), (3, 1)]


def test_many_swaps_at_once_give_a_row_each() -> None:
    space = Permutation(7)
    x = space.random(Random(Key(1), 0, 0))
    rows = Swap().batch(space, np.arange(Swap().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in Swap().moves(space)]


def test_it_acts_on_permutations_only() -> None:
    assert Swap().supports(Permutation(5))
    assert not Swap().supports(BitString(5))


@pytest.fixture(scope="module")
def folded() -> Any:
    """The C++ half's move of a number, in the order that needs no root: its index and its positions."""
    prelude, swap = ((ROOT / part).read_text("utf-8") for part in ("device/cuh/prelude.cuh", "neighborhoods/swap.cuh"))
    return load(
        f"typedef int Item, Cost, Number;\ntypedef long long Total;\n{prelude}\nstruct Team {{}};\n"
        "struct SwapMove {\n    int i, j;\n    void apply(Team, Item*) const {}\n};\n"
        f"struct SwapData {{ int n; }};\n{swap}\n"
        'extern "C" __attribute__((visibility("default"))) void folded(int n, int q, i64* out) {\n'
        "    Swap swap;\n    swap.n = n;\n    SwapMove m;\n    swap.folded(q, out[0], m);\n    out[1] = m.i;\n"
        "    out[2] = m.j;\n}\n"
    ).folded


@pytest.mark.parametrize("n", [2, 3, 4, 7, 12, 63, 91])
def test_the_order_that_needs_no_root_has_every_move_once(folded: Any, n: int) -> None:
    space, out = Permutation(n), (ctypes.c_int64 * 3)()
    found = {}
    for number in range(Swap().size(space)):
        folded(n, number, out)
        found[out[0]] = SwapMove(out[1], out[2])
    assert found == dict(enumerate(Swap().moves(space)))
