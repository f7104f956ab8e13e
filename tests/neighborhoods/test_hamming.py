"""Hamming: its numbering is exact in both languages, and its moves do what they say."""

from collections.abc import Callable
from itertools import combinations
from math import comb
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
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problems.onemax import OneMax
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

LARGEST = {1: 2**31 - 1, 2: 2**31 - 1, 3: 3_810_779, 4: 121_977}
"""By radius, the longest bit strings whose moves 63 bits can number."""

radii = pytest.mark.parametrize("radius", LARGEST)


def sizes(radius: int) -> st.SearchStrategy[int]:
    ends = [radius, radius + 1, 100_000, LARGEST[radius] - 1, LARGEST[radius]]
    return st.integers(radius, LARGEST[radius]) | st.sampled_from(ends)


def before(n: int, at: tuple[int, ...]) -> int:
    """How many combinations stand before one: those that first differ from it by a smaller position."""
    count, low = 0, 0
    for c, position in enumerate(at):
        left = len(at) - c
        count += comb(n - low, left) - comb(n - position, left)
        low = position + 1
    return count


def rows(move: FlipMove) -> list[tuple[int, ...]]:
    return list(zip(*(position.tolist() for position in move.at), strict=True))


@radii
@pytest.mark.parametrize("n", range(1, 10))
def test_every_index_is_the_move_that_the_generator_yields(radius: int, n: int) -> None:
    hamming, space = Hamming(radius), BitString(n)
    moves = list(hamming.moves(space))
    assert moves == [FlipMove(at) for at in combinations(range(n), radius)]
    assert hamming.size(space) == len(moves)
    assert [hamming.move(space, k) for k in range(len(moves))] == moves
    assert [hamming.index(space, move) for move in moves] == list(range(len(moves)))
    assert rows(hamming.batch(space, np.arange(len(moves)))) == [move.at for move in moves]


@radii
def test_strings_shorter_than_the_radius_have_no_moves(radius: int) -> None:
    for n in range(1, radius):
        assert Hamming(radius).size(BitString(n)) == 0
        assert list(Hamming(radius).moves(BitString(n))) == []
        assert rows(Hamming(radius).batch(BitString(n), np.arange(0))) == []


@radii
@given(data=st.data())
def test_the_index_of_a_move_leads_back_to_it(radius: int, data: st.DataObject) -> None:
    n = data.draw(sizes(radius))
    at = tuple(sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=radius, max_size=radius))))
    k = Hamming(radius).index(BitString(n), FlipMove(at))
    assert k == before(n, at)
    assert Hamming(radius).move(BitString(n), k) == FlipMove(at)


@radii
@given(data=st.data())
def test_a_batch_equals_single_moves_for_every_size(radius: int, data: st.DataObject) -> None:
    n = data.draw(sizes(radius))
    size = Hamming(radius).size(BitString(n))
    indices = [*data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=20)), 0, size - 1]
    batch = Hamming(radius).batch(BitString(n), np.array(indices))
    assert rows(batch) == [Hamming(radius).move(BitString(n), k).at for k in indices]
    assert all(position.dtype == np.int64 for position in batch.at)


@radii
def test_a_batch_unranks_the_corners_exactly(radius: int) -> None:
    for n in {radius, 1000, 100_000, LARGEST[radius]}:
        indices = telling_indices(radius, n)
        expected = [Hamming(radius).move(BitString(n), int(k)).at for k in indices]
        assert rows(Hamming(radius).batch(BitString(n), indices)) == expected


@pytest.mark.parametrize("radius", [3, 4])
def test_more_moves_than_63_bits_number_are_refused(radius: int) -> None:
    assert Hamming(radius).size(BitString(LARGEST[radius])) == comb(LARGEST[radius], radius)
    with pytest.raises(InputError, match=rf"Hamming\(radius={radius}\) .* beyond 64 bits"):
        Hamming(radius).size(BitString(LARGEST[radius] + 1))


@pytest.mark.parametrize("radius", [0, -1, 5, 1.0, True, "2", None])
def test_a_radius_beyond_4_is_refused(radius: Any) -> None:
    with pytest.raises(InputError, match=r"radius is the number of bits .* 1 \.\.\. 4, but it is"):
        Hamming(radius)


@pytest.mark.parametrize(("n", "k"), [(1, 0), (5, -1), (5, 10)])
def test_a_number_that_is_no_index_is_refused(n: int, k: int) -> None:
    with pytest.raises(InputError, match=f"{k} is no index of Hamming"):
        Hamming(2).move(BitString(n), k)


@pytest.mark.parametrize("at", [(2, 2), (3, 2), (-1, 2), (0, 5), (1,), (1, 2, 3)])
def test_positions_that_are_no_move_have_no_index(at: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="is no move of Hamming"):
        Hamming(2).index(BitString(5), FlipMove(at))


def test_it_acts_on_bit_strings_only() -> None:
    assert Hamming().supports(BitString(3))
    assert not Hamming().supports(Permutation(3))
    assert Hamming() == Hamming(1)


def test_a_flip_turns_its_bits_and_undoes_itself() -> None:
    x = np.array([0, 1, 1, 0, 0], np.uint8)
    move = FlipMove((1, 3))
    assert move.apply(x).tolist() == [0, 0, 1, 1, 0]
    assert x.tolist() == [0, 1, 1, 0, 0]
    assert move.inverse().apply(move.apply(x)).tolist() == x.tolist()
    assert move.apply(x).dtype == x.dtype


@radii
def test_many_flips_at_once_give_a_row_each(radius: int) -> None:
    hamming, space = Hamming(radius), BitString(7)
    x = space.random(Random(Key(1), 0, 0))
    moved = hamming.batch(space, np.arange(hamming.size(space))).apply(x)
    assert moved.tolist() == [move.apply(x).tolist() for move in hamming.moves(space)]
    assert ((moved != x).sum(axis=1) == radius).all()
    assert len(np.unique(moved, axis=0)) == hamming.size(space)


@radii
def test_placements_are_what_a_flip_writes(radius: int) -> None:
    space = BitString(6)
    x = space.random(Random(Key(2), 0, 0))
    for move in Hamming(radius).moves(space):
        written = x.copy()
        for position, value in move.placements(x):
            written[position] = value
        assert written.tolist() == move.apply(x).tolist()
        assert len(move.placements(x)) == Hamming(radius).writes


@radii
@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_hamming_keeps_every_promise_of_a_neighborhood(radius: int, n: int) -> None:
    check_neighborhood(Hamming(radius), BitString(n), devices=["host"])


SHELL = """
struct Arguments {
    Moves hamming;
    const i64* indices;
    i64* places;
    i64* ranks;
    i64 count;
};

MH_ENTRY(unrank) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        auto move = a.hamming.unrank(a.indices[k]);
        for (int c = 0; c < move.placements; ++c) a.places[k * move.placements + c] = move.place(c);
        a.ranks[k] = a.hamming.index(move);
    });
}

// the first index of each given move's group, the index of the group's last move, and the group itself
MH_ENTRY(groups) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        i64 g = a.hamming.group(a.hamming.unrank(a.indices[k]));
        i64 first = a.hamming.first(g), last = a.hamming.index(a.hamming.move(g, a.hamming.length(g) - 1));
        a.ranks[3 * k] = first;
        a.ranks[3 * k + 1] = last;
        a.ranks[3 * k + 2] = g;
    });
}

MH_ENTRY(around) {
    const Arguments& a = *arguments;
    auto move = a.hamming.unrank(value);
    one_team().for_each(a.hamming.touched(), [&](i64 t) {
        Moves::Move other;
        a.ranks[t] = a.hamming.around(move, int(t), other) ? a.hamming.index(other) : -1;
    });
}

MH_ENTRY(numbers) {
    if (one_team().rank == 0) {
        arguments->ranks[0] = arguments->hamming.size();
        arguments->ranks[1] = arguments->hamming.groups();
    }
}
"""

Ask = Callable[..., tuple[np.ndarray, np.ndarray]]


def ask(device: Device, radius: int, n: int) -> Ask:
    """The C++ half on n bits: from an entry and its numbers to the positions and ranks that it writes."""
    hamming = struct_of(Hamming(radius), BitString(n), device)
    pieces = [
        head(OneMax(1), {"MH_THREADS": 128, "MH_BLOCKS": 1, "MH_TILE": 8}),
        shell("device/prelude.cuh"),
        shell(f"device/team_{device.kind}.cuh"),
        shell("neighborhoods/moves.cuh"),
        Source(hamming.text(), "HammingData.cuh"),
        source_of(Hamming(radius)),
        Source(f"typedef {Hamming(radius).cpp_name} Moves;", "names.cuh"),
        Source(SHELL, "test_hamming.cuh"),
    ]
    kernel = Kernel(Unit.join(pieces).text, {"hamming": hamming}, ("indices", "places", "ranks", "count"))
    module = device.compile(kernel.text)

    def launch(entry: str, indices: Any = (), *, value: int = 0, room: int = 0) -> tuple[np.ndarray, np.ndarray]:
        numbers = np.asarray(indices, np.int64)
        room = max(3 * len(numbers), room, 2)
        arrays = {
            "indices": np.append(numbers, 0),
            "places": np.zeros(radius * room, np.int64),
            "ranks": np.full(room, -1, np.int64),
        }
        buffers = {name: device.upload(array) for name, array in arrays.items()}
        pointers = {name: device.pointer(buffer) for name, buffer in buffers.items()}
        packed = kernel.arguments({"hamming": hamming.pack(device, {})}, {**pointers, "count": len(numbers)})
        module.launch(entry, device.upload(packed), value)
        return device.download(buffers["places"]).reshape(-1, radius), device.download(buffers["ranks"])

    return launch


def telling_indices(radius: int, n: int) -> np.ndarray:
    """The first and last indices of all, those around the ends of many groups and larger blocks, and random ones."""
    size, random = comb(n, radius), np.random.default_rng(n)
    chosen = [0, 1, size - 2, size - 1]
    for _ in range(200):
        drawn = sorted(random.choice(n, radius, replace=False).tolist()) if n < 1000 else far_apart(random, radius, n)
        for kept in range(radius):  # the first combination that begins with these positions
            begin = tuple(drawn[:kept]) + tuple(range(drawn[kept], drawn[kept] + radius - kept))
            if begin[-1] < n:
                chosen += [before(n, begin) + step for step in (-1, 0, 1)]
        chosen.append(before(n, tuple(drawn)))
    return np.unique(np.array([k for k in chosen if 0 <= k < size], np.int64))


def far_apart(random: np.random.Generator, radius: int, n: int) -> list[int]:
    return sorted({*random.integers(0, n - radius, radius).tolist()} | set(range(n - radius, n)))[:radius]


corners = pytest.mark.parametrize(
    ("radius", "n"),
    [(radius, n) for radius, last in LARGEST.items() for n in sorted({radius, radius + 1, 33, 1517, 100_000, last})],
)


@corners
def test_the_cpp_half_unranks_exactly_however_large_the_neighborhood(compiling: Device, radius: int, n: int) -> None:
    indices = telling_indices(radius, n)
    places, ranks = ask(compiling, radius, n)("unrank", indices)
    expected = [Hamming(radius).move(BitString(n), int(k)).at for k in indices]
    assert np.array_equal(places[: len(indices)], expected)
    assert np.array_equal(ranks[: len(indices)], indices)


@radii
@pytest.mark.parametrize("n", [5, 40])
def test_the_cpp_half_numbers_every_move_as_the_generator_does(compiling: Device, radius: int, n: int) -> None:
    moves = [move.at for move in Hamming(radius).moves(BitString(n))]
    places, ranks = ask(compiling, radius, n)("unrank", range(len(moves)))
    assert np.array_equal(places[: len(moves)], moves)
    assert np.array_equal(ranks[: len(moves)], np.arange(len(moves)))


@corners
def test_the_cpp_half_groups_the_moves_that_share_all_positions_but_the_last(
    compiling: Device, radius: int, n: int
) -> None:
    launch = ask(compiling, radius, n)
    _, numbers = launch("numbers")
    assert numbers[:2].tolist() == [comb(n, radius), comb(n - 1, radius - 1)]
    indices = telling_indices(radius, n)
    _, ranks = launch("groups", indices)
    for k, (first, last, group) in zip(indices.tolist(), ranks.reshape(-1, 3)[: len(indices)].tolist(), strict=True):
        *shared, _ = Hamming(radius).move(BitString(n), k).at
        assert first == before(n, (*shared, shared[-1] + 1 if shared else 0))
        assert last == before(n, (*shared, n - 1))
        assert group == before(n - 1, tuple(shared))


@radii
@pytest.mark.parametrize("n", [4, 5, 8])
def test_around_yields_every_move_that_shares_a_position_once(compiling: Device, radius: int, n: int) -> None:
    moves = [set(move.at) for move in Hamming(radius).moves(BitString(n))]
    launch = ask(compiling, radius, n)
    for k, move in enumerate(moves):
        _, ranks = launch("around", value=k, room=2 * len(moves))
        sharing = [index for index, other in enumerate(moves) if move & other]
        assert sorted(index for index in ranks.tolist() if index >= 0) == sharing
