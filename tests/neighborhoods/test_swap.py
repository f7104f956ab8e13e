"""Swap: its numbering is exact in both languages, and its moves do what they say."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.device.kernel import Kernel, head
from metaheur.device.layout import struct_of
from metaheur.device.source import Source, Unit, shell, source_of
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap, SwapMove
from metaheur.problems import QAP
from metaheur.random import Key, Random
from metaheur.representation import Permutation
from metaheur.testing import check_neighborhood

LARGEST = 2**31 - 1
sizes = st.integers(2, LARGEST) | st.sampled_from([2, 3, 32_768, 32_769, 46_341, 65_536, 100_000, 2**30, LARGEST])


def first_of_row(n: int, i: int) -> int:
    """How many pairs stand before (i, i + 1), by the sum of the lengths of the rows before."""
    return sum_of_rows(n) - sum_of_rows(n - i)


def sum_of_rows(n: int) -> int:
    return n * (n - 1) // 2


@pytest.mark.parametrize("n", range(1, 13))
def test_every_index_is_the_move_that_the_generator_yields(n: int) -> None:
    space = Permutation(n)
    moves = list(Swap().moves(space))
    assert moves == [SwapMove(i, j) for i in range(n) for j in range(n) if i < j]
    assert Swap().size(space) == len(moves)
    assert [Swap().move(space, k) for k in range(len(moves))] == moves
    assert [Swap().index(space, move) for move in moves] == list(range(len(moves)))


@pytest.mark.parametrize("n", range(2, 13))
def test_a_batch_holds_the_moves_of_its_indices(n: int) -> None:
    space = Permutation(n)
    size = Swap().size(space)
    indices = np.random.default_rng(n).permutation(np.repeat(np.arange(size), 2))
    batch = Swap().batch(space, indices)
    pairs = list(zip(batch.i.tolist(), batch.j.tolist(), strict=True))
    assert pairs == [(move.i, move.j) for move in (Swap().move(space, int(k)) for k in indices)]
    assert batch.i.dtype == batch.j.dtype == np.int64


def test_a_batch_of_nothing_is_empty() -> None:
    assert Swap().batch(Permutation(1), np.arange(0)).i.shape == (0,)


@given(sizes, st.data())
def test_the_index_of_a_move_leads_back_to_it(n: int, data: st.DataObject) -> None:
    space = Permutation(n)
    i = data.draw(st.integers(0, n - 2))
    j = data.draw(st.integers(i + 1, n - 1))
    k = Swap().index(space, SwapMove(i, j))
    assert k == first_of_row(n, i) + j - i - 1
    assert Swap().move(space, k) == SwapMove(i, j)


@given(sizes, st.data())
def test_rows_begin_and_end_where_they_should(n: int, data: st.DataObject) -> None:
    space = Permutation(n)
    i = data.draw(st.integers(0, n - 2) | st.sampled_from([0, n - 2, n // 2 - 1 if n > 2 else 0]))
    begin, end = first_of_row(n, i), first_of_row(n, i + 1) - 1
    assert Swap().move(space, begin) == SwapMove(i, i + 1)
    assert Swap().move(space, end) == SwapMove(i, n - 1)
    batch = Swap().batch(space, np.array([begin, end]))
    assert batch.i.tolist() == [i, i]
    assert batch.j.tolist() == [i + 1, n - 1]


@given(sizes, st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=20))
def test_a_batch_equals_single_moves_for_every_size(n: int, places: list[float]) -> None:
    space = Permutation(n)
    indices = [int(place * Swap().size(space)) for place in places]
    batch = Swap().batch(space, np.array(indices))
    singles = [Swap().move(space, k) for k in indices]
    assert batch.i.tolist() == [move.i for move in singles]
    assert batch.j.tolist() == [move.j for move in singles]


@pytest.mark.parametrize(("n", "k"), [(1, 0), (5, -1), (5, 10), (LARGEST, LARGEST * (LARGEST - 1) // 2)])
def test_a_number_that_is_no_index_is_refused(n: int, k: int) -> None:
    with pytest.raises(InputError, match=f"{k} is no index of Swap on Permutation"):
        Swap().move(Permutation(n), k)


@pytest.mark.parametrize("move", [SwapMove(2, 2), SwapMove(3, 2), SwapMove(-1, 2), SwapMove(0, 5)])
def test_a_pair_that_is_no_move_has_no_index(move: SwapMove) -> None:
    with pytest.raises(InputError, match="is no move of Swap on Permutation"):
        Swap().index(Permutation(5), move)


def test_a_swap_exchanges_two_items_and_undoes_itself() -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    move = SwapMove(1, 3)
    assert move.apply(x).tolist() == [3, 0, 4, 1, 2]
    assert x.tolist() == [3, 1, 4, 0, 2]
    assert move.inverse().apply(move.apply(x)).tolist() == x.tolist()
    assert move.apply(x).dtype == x.dtype


def test_many_swaps_at_once_give_a_row_each() -> None:
    space = Permutation(7)
    x = space.random(Random(Key(1), 0, 0))
    rows = Swap().batch(space, np.arange(Swap().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in Swap().moves(space)]


def test_placements_are_what_a_swap_writes() -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    written = x.copy()
    for position, value in SwapMove(0, 4).placements(x):
        written[position] = value
    assert written.tolist() == SwapMove(0, 4).apply(x).tolist()
    assert (written != x).sum() == 2


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("n", [2, 3, 9])
def test_swap_keeps_every_promise_of_a_neighborhood(n: int, cyclic: bool) -> None:
    check_neighborhood(Swap(), Permutation(n, cyclic), devices=["host"])


SHELL = """
struct Arguments {
    Swap swap;
    const i64* indices;
    i64* pairs;
    i64* ranks;
    i64 count;
};

MH_ENTRY(unrank) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        SwapMove move = a.swap.unrank(a.indices[k]);
        a.pairs[2 * k] = move.i;
        a.pairs[2 * k + 1] = move.j;
        a.ranks[k] = a.swap.index(move);
    });
}

MH_ENTRY(rows) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        int row = int(a.indices[k]);
        SwapMove begin = a.swap.move(row, 0), end = a.swap.move(row, int(a.swap.length(row) - 1));
        a.pairs[2 * k] = a.swap.index(begin);
        a.pairs[2 * k + 1] = a.swap.index(end);
        a.ranks[k] = a.swap.first(row) + i64(a.swap.group(begin) != row || a.swap.group(end) != row);
    });
}

MH_ENTRY(around) {
    const Arguments& a = *arguments;
    SwapMove move = a.swap.unrank(value);
    one_team().for_each(a.swap.touched(), [&](i64 t) {
        SwapMove other;
        a.ranks[t] = a.swap.around(move, int(t), other) ? a.swap.index(other) : -1;
    });
}

MH_ENTRY(numbers) {
    if (one_team().rank == 0) {
        arguments->ranks[0] = arguments->swap.size();
        arguments->ranks[1] = arguments->swap.groups();
    }
}
"""

Ask = Callable[[str, Any, int], tuple[np.ndarray, np.ndarray]]


def ask(device: Device, n: int) -> Ask:
    """The C++ half of Swap on n positions: from an entry and its numbers to the pairs and ranks that it writes."""
    swap = struct_of(Swap(), Permutation(n), device)
    pieces = [
        head(QAP.random(1, 0), {"MH_THREADS": 128, "MH_BLOCKS": 1, "MH_TILE": 8}),
        shell("device/prelude.cuh"),
        shell(f"device/team_{device.kind}.cuh"),
        shell("neighborhoods/moves.cuh"),
        Source(swap.text(), "SwapData.cuh"),
        source_of(Swap()),
        Source(SHELL, "test_swap.cuh"),
    ]
    kernel = Kernel(Unit.join(pieces).text, {"swap": swap}, ("indices", "pairs", "ranks", "count"))
    module = device.compile(kernel.text)

    def launch(entry: str, indices: Any, value: int) -> tuple[np.ndarray, np.ndarray]:
        numbers = np.asarray(indices, np.int64)
        room = max(len(numbers), 2)
        arrays = {"indices": numbers, "pairs": np.zeros(2 * room, np.int64), "ranks": np.zeros(room, np.int64)}
        buffers = {name: device.upload(array) for name, array in arrays.items()}
        pointers = {name: device.pointer(buffer) for name, buffer in buffers.items()}
        packed = kernel.arguments({"swap": swap.pack(device, {})}, {**pointers, "count": len(numbers)})
        module.launch(entry, device.upload(packed), value)
        return device.download(buffers["pairs"]).reshape(-1, 2), device.download(buffers["ranks"])

    return launch


def telling_indices(n: int) -> np.ndarray:
    """The first and last indices of all, those around the ends of many rows, and random ones."""
    size = sum_of_rows(n)
    random = np.random.default_rng(n)
    rows = np.unique(
        np.concatenate([np.arange(min(n, 50)), n - 1 - np.arange(min(n, 50)), random.integers(0, n - 1, 2000)])
    )
    ends = [first_of_row(n, int(i)) + step for i in rows for step in (-2, -1, 0, 1)]
    chosen = np.array([0, size - 1, *ends, *random.integers(0, size, 5000).tolist()], np.int64)
    return chosen[(chosen >= 0) & (chosen < size)]


@pytest.mark.parametrize("n", [2, 3, 4, 5, 33, 1000])
def test_the_cpp_half_numbers_every_move_as_the_generator_does(compiling: Device, n: int) -> None:
    moves = [(move.i, move.j) for move in Swap().moves(Permutation(n))]
    pairs, ranks = ask(compiling, n)("unrank", range(len(moves)), 0)
    assert np.array_equal(pairs[: len(moves)], moves)
    assert np.array_equal(ranks[: len(moves)], np.arange(len(moves)))


@pytest.mark.parametrize("n", [10_000, 32_769, 100_000, 2**30 + 1, LARGEST])
def test_the_cpp_half_unranks_exactly_however_large_the_neighborhood(compiling: Device, n: int) -> None:
    space, indices = Permutation(n), telling_indices(n)
    pairs, ranks = ask(compiling, n)("unrank", indices, 0)
    moves = [Swap().move(space, int(k)) for k in indices]
    assert np.array_equal(pairs, [(move.i, move.j) for move in moves])
    assert np.array_equal(ranks, indices)


@pytest.mark.parametrize("n", [2, 9, 100_000, LARGEST])
def test_the_cpp_half_groups_by_row(compiling: Device, n: int) -> None:
    rows = np.unique(np.append(np.random.default_rng(n).integers(0, n - 1, 100), [0, n - 2]))
    _, numbers = ask(compiling, n)("numbers", [], 0)
    assert numbers.tolist() == [sum_of_rows(n), n - 1]
    ends, firsts = ask(compiling, n)("rows", rows, 0)
    count = len(rows)
    assert firsts[:count].tolist() == [first_of_row(n, int(i)) for i in rows]
    assert ends[:count].tolist() == [[first_of_row(n, int(i)), first_of_row(n, int(i) + 1) - 1] for i in rows]


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_around_yields_every_move_that_shares_a_position_once(compiling: Device, n: int) -> None:
    moves = list(Swap().moves(Permutation(n)))
    launch = ask(compiling, n)
    for k, move in enumerate(moves):
        _, ranks = launch("around", np.zeros(2 * n), k)
        sharing = [index for index, other in enumerate(moves) if {move.i, move.j} & {other.i, other.j}]
        assert sorted(index for index in ranks.tolist() if index >= 0) == sharing
