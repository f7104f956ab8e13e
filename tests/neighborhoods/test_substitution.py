"""Substitution: its numbering is exact in both languages, and its moves do what they say."""

from itertools import product
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
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.testing import check_neighborhood
from metaheur.testing.unit import Costless

LARGEST = 2**31 - 1
lengths = st.integers(1, LARGEST) | st.sampled_from([1, 2, 65_536, 100_000, LARGEST])
counts = st.integers(2, LARGEST) | st.sampled_from([2, 3, 65_536, LARGEST])
spaces = st.builds(DiscreteVector, lengths, counts)
small = pytest.mark.parametrize("space", [DiscreteVector(n, k) for n, k in product([1, 2, 5], [2, 3, 4])])


@small
def test_every_index_is_the_move_that_the_generator_yields(space: DiscreteVector) -> None:
    moves = list(Substitution().moves(space))
    assert moves == [SubstitutionMove(at, s, space.k) for at in range(space.n) for s in range(1, space.k)]
    assert Substitution().size(space) == len(moves) == (space.k - 1) * space.n
    assert [Substitution().move(space, k) for k in range(len(moves))] == moves
    assert [Substitution().index(space, move) for move in moves] == list(range(len(moves)))


@small
def test_the_neighbours_are_all_vectors_at_distance_one_each_once(space: DiscreteVector) -> None:
    x = space.random(Random(Key(1), 0, 0))
    reached = sorted(tuple(move.apply(x).tolist()) for move in Substitution().moves(space))
    vectors = product(range(space.k), repeat=space.n)
    assert reached == sorted(vector for vector in vectors if space.distance(x, np.array(vector)) == 1)


@small
def test_a_batch_holds_the_moves_of_its_indices(space: DiscreteVector) -> None:
    size = Substitution().size(space)
    indices = np.random.default_rng(size).permutation(np.repeat(np.arange(size), 2))
    batch = Substitution().batch(space, indices)
    found = zip(batch.at.tolist(), batch.shift.tolist(), batch.values.tolist(), strict=True)
    assert [SubstitutionMove(*numbers) for numbers in found] == [Substitution().move(space, int(k)) for k in indices]
    assert batch.at.dtype == batch.shift.dtype == batch.values.dtype == np.int64


@given(spaces, st.data())
def test_the_index_of_a_move_leads_back_to_it(space: DiscreteVector, data: st.DataObject) -> None:
    at, shift = data.draw(st.integers(0, space.n - 1)), data.draw(st.integers(1, space.k - 1))
    k = Substitution().index(space, SubstitutionMove(at, shift, space.k))
    assert 0 <= k < Substitution().size(space)
    assert Substitution().move(space, k) == SubstitutionMove(at, shift, space.k)


@pytest.mark.parametrize("space", [DiscreteVector(100_000, 50_000), DiscreteVector(LARGEST, LARGEST)])
def test_the_cpp_half_ranks_and_unranks_the_largest_neighborhoods(compiling: Device, space: DiscreteVector) -> None:
    size, values = Substitution().size(space), space.k - 1
    rows = np.unique(np.append(np.random.default_rng(1).integers(1, space.n, 100), [1, space.n - 1])) * values
    indices = np.unique(np.concatenate([[0, size - 1], rows - 1, rows, rows + 1, rows - values // 2]))
    fields, ranks = ask(compiling, space, "unrank", indices, np.zeros((len(indices), 3)))
    assert ranks.tolist() == indices.tolist()
    expected = [Substitution().move(space, int(k)) for k in indices]
    assert fields.tolist() == [[move.at, move.shift, move.values] for move in expected]


SHELL = """
struct Arguments {
    Substitution substitution;
    const i64* indices;
    i64* fields;
    i64* ranks;
    i64 count;
};

MH_ENTRY(unrank) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        SubstitutionMove move = a.substitution.unrank(a.indices[k]);
        a.fields[3 * k] = move.at;
        a.fields[3 * k + 1] = move.shift;
        a.fields[3 * k + 2] = move.values;
        a.ranks[k] = a.substitution.index(move);
    });
}

MH_ENTRY(turn) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        Item item = Item(a.indices[k]);
        SubstitutionMove move{0, int(a.fields[3 * k + 1]), int(a.fields[3 * k + 2])};
        a.ranks[k] = move.value(&item, 0);
        Item after = Item(a.ranks[k]);
        a.fields[3 * k] = move.before(&after);
    });
}
"""


def ask(device: Device, space: DiscreteVector, entry: str, indices: Any, fields: Any) -> tuple[np.ndarray, np.ndarray]:
    """The C++ half: the fields and ranks that an entry writes."""
    substitution = struct_of(Substitution(), space, device)
    pieces = [
        head(Costless(space), {"MH_THREADS": 128, "MH_BLOCKS": 1, "MH_TILE": 8}),
        shell("device/prelude.cuh"),
        shell(f"device/team_{device.kind}.cuh"),
        shell("neighborhoods/moves.cuh"),
        Source(substitution.text(), "SubstitutionData.cuh"),
        source_of(Substitution()),
        Source(SHELL, "test_substitution.cuh"),
    ]
    kernel = Kernel(Unit.join(pieces).text, {"substitution": substitution}, ("indices", "fields", "ranks", "count"))
    arrays = {"indices": np.asarray(indices, np.int64), "fields": np.asarray(fields, np.int64)}
    arrays["ranks"] = np.zeros(len(arrays["indices"]), np.int64)
    buffers = {name: device.upload(array) for name, array in arrays.items()}
    pointers = {name: device.pointer(buffer) for name, buffer in buffers.items()}
    packed = kernel.arguments(
        {"substitution": substitution.pack(device, {})}, {**pointers, "count": len(arrays["indices"])}
    )
    device.compile(kernel.text).launch(entry, device.upload(packed), 0)
    return device.download(buffers["fields"]).reshape(-1, 3), device.download(buffers["ranks"])


def test_the_cpp_half_turns_values_up_to_the_largest_and_back(compiling: Device) -> None:
    ends = [0, 1, LARGEST // 2, LARGEST - 2, LARGEST - 1]
    before, shifts = (np.array(each) for each in zip(*product(ends, [e for e in ends if e]), strict=True))
    given_fields = np.stack([np.zeros_like(shifts), shifts, np.full_like(shifts, LARGEST)], axis=1)
    fields, after = ask(compiling, DiscreteVector(1, LARGEST), "turn", before, given_fields)
    assert after.tolist() == [(int(x) + int(s)) % LARGEST for x, s in zip(before, shifts, strict=True)]
    assert fields[:, 0].tolist() == before.tolist()


@given(st.integers(2, LARGEST), st.data())
def test_a_shift_leads_to_another_value_and_its_inverse_back(k: int, data: st.DataObject) -> None:
    x = np.array([data.draw(st.integers(0, k - 1)), data.draw(st.integers(0, k - 1))], np.int32)
    move = SubstitutionMove(1, data.draw(st.integers(1, k - 1)), k)
    moved = move.apply(x)
    assert moved.tolist() == [x[0], (int(x[1]) + move.shift) % k]
    assert moved[1] != x[1]
    assert moved.dtype == x.dtype
    assert move.inverse().apply(moved).tolist() == x.tolist()


@small
def test_many_substitutions_at_once_give_a_row_each(space: DiscreteVector) -> None:
    x = space.random(Random(Key(2), 0, 0))
    rows = Substitution().batch(space, np.arange(Substitution().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in Substitution().moves(space)]
    assert rows.dtype == x.dtype


@small
def test_substitution_keeps_every_promise_of_a_neighborhood(compiling: Device, space: DiscreteVector) -> None:
    check_neighborhood(Substitution(), space, devices=[compiling.name])


@pytest.mark.parametrize("k", [-1, 15, 2**70])
def test_a_number_that_is_no_index_is_refused(k: int) -> None:
    with pytest.raises(InputError, match=f"{k} is no index of Substitution on DiscreteVector.*15 moves"):
        Substitution().move(DiscreteVector(5, 4), k)


@pytest.mark.parametrize("numbers", [(5, 1, 4), (-1, 1, 4), (0, 0, 4), (0, 4, 4), (0, 1, 3)])
def test_what_is_no_move_has_no_index(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match="is no move of Substitution on DiscreteVector"):
        Substitution().index(DiscreteVector(5, 4), SubstitutionMove(*numbers))


@pytest.mark.parametrize("space", [Permutation(5), BitString(5)])
def test_only_discrete_vectors_are_supported(space: Representation) -> None:
    assert not Substitution().supports(space)
