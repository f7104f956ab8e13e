"""Lent memory belongs to one array at a time, and chunks in files come back unchanged."""

import numpy as np

from metaheur.tree.arena import SMALLEST, Arena, Strip, together
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.store import Store


def test_lent_memory_belongs_to_one_array_at_a_time() -> None:
    arena, source = Arena(), np.arange(SMALLEST, dtype=np.int64)
    first = arena.copy(source)
    part, address = first[10:20], first.ctypes.data
    second = arena.copy(source + 1)
    del first  # a part is still in use
    third = arena.copy(source + 2)
    assert part.tolist() == list(range(10, 20))
    assert (second == source + 1).all()
    assert (third == source + 2).all()
    del part
    assert arena.copy(source + 3).ctypes.data == address


def test_kept_arrays_of_a_strip_lie_together_and_are_not_written_again() -> None:
    arena = Arena()
    strip, kept = Strip(arena), list[np.ndarray]()
    for i in range(12):
        strip.room(5 << 20)[:] = i
        kept.append(strip.keep(3 << 20).reshape(-1, 8))
    assert [(int(part.min()), int(part.max())) for part in kept] == [(i, i) for i in range(12)]
    rows = together(kept[:5])
    assert rows.base is kept[0].base
    assert rows.tobytes() == b"".join(part.tobytes() for part in kept[:5])
    for parts in (kept[7:12], [kept[3], kept[2]], [kept[2][:, :4], kept[2][:, 4:]], [rows.copy(), rows]):
        assert (together(parts) == np.concatenate(parts)).all()
    address = kept[0].ctypes.data
    del kept, rows, parts
    assert strip.room(32 << 20).ctypes.data == address


def chunk(count: int) -> OpenNodes:
    random = np.random.default_rng(count)
    return OpenNodes(3, random.integers(0, 9, (count, 5)).astype(np.uint8), random.integers(0, 9, count))


def test_a_chunk_comes_back_from_its_file_and_the_file_goes() -> None:
    store, one = Store(10_000), chunk(50)
    parked = store.park(one, one.nodes, one.lowers)
    assert parked is not None
    assert (len(parked), parked.nbytes, parked.lowest) == (50, 0, one.lowest)
    for _ in range(2):
        back = store.fetch(parked)
        assert back.nodes.tolist() == one.nodes.tolist()
        assert back.lowers.tolist() == one.lowers.tolist()
    store.release(parked)
    assert not parked.home.path.exists()


def test_a_file_that_was_released_makes_room_for_another() -> None:
    one = chunk(50)
    store = Store(one.nbytes)
    for _ in range(2):
        parked = store.park(one, one.nodes, one.lowers)
        assert parked is not None
        assert store.park(one, one.nodes, one.lowers) is None
        store.release(parked)


def test_a_chunk_without_room_is_refused_and_the_folder_goes_with_the_store() -> None:
    store, one = Store(1000), chunk(50)
    parked = store.park(one, one.nodes, one.lowers)
    assert parked is not None
    assert store.park(chunk(50), one.nodes, one.lowers) is None
    folder = parked.home.path.parent
    del store
    assert not folder.exists()
