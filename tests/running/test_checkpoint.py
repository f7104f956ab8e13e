"""A resumed run is the run that was never interrupted, and no file is taken for one that it is not."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import evolve, field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import metaheur
from metaheur import stop
from metaheur.door.resume import resume
from metaheur.door.run import run
from metaheur.door.states import iterate
from metaheur.errors import CheckpointError
from metaheur.evaluators import Evaluator
from metaheur.fields import data
from metaheur.lists import Relocate
from metaheur.loops import Trial
from metaheur.neighborhoods import Interchange, Swap
from metaheur.parallel import IterationLevel
from metaheur.parts import LateAcceptance
from metaheur.problem import Problem
from metaheur.problems import QAP, CarSequencing, MultiModeRCPSP, PMedian, VehicleRouting
from metaheur.random import Key
from metaheur.representation import Permutation, Solution
from metaheur.running.checkpoint import encode, load, save
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.searches import HillClimbing, TabuSearch
from metaheur.walk import EvaluatedSolution, Walk
from metaheur.watch import Checkpoint
from tests.helpers import view_of

NUMPY = IterationLevel("numpy")
SEARCH = TabuSearch(Swap())
QAP_7 = QAP.random(7, seed=5)


def view(search: Search[Any] = SEARCH, problem: Problem = QAP_7, iterations: int = 12) -> View:
    states = islice(iterate(search, problem, seed=3, parallel=NUMPY), iterations, None)
    return view_of(search, problem, next(states), seconds=1.5)


def same(a: Any, b: Any) -> bool:
    """Whether two states hold equal numbers and arrays."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "__attrs_attrs__"):
        names = [each.name for each in a.__attrs_attrs__ if each.name not in ("origin",)]
        return type(a) is type(b) and all(same(getattr(a, name), getattr(b, name)) for name in names)
    return type(a) is type(b) and bool(a == b)


def rewrite(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], object]) -> None:
    """Write a file again after a change of its JSON entry or its arrays."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    header = json.loads(arrays.pop("metaheur").tobytes())
    change(header, arrays)
    content: dict[str, Any] = {**arrays, "metaheur": np.frombuffer(json.dumps(header).encode(), np.uint8)}
    with path.open("wb") as out:
        np.savez(out, **content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A saved run."""
    save(tmp_path / "run.npz", view())
    return tmp_path / "run.npz"


# Resumed runs


@settings(max_examples=30)
@given(st.lists(st.integers(1, 80), min_size=1, max_size=4).map(sorted), st.integers(0, 5))
def test_a_resumed_run_is_the_uninterrupted_one(
    tmp_path_factory: pytest.TempPathFactory, ends: list[int], seed: int
) -> None:
    path = tmp_path_factory.mktemp("runs") / "run.npz"
    whole = run(SEARCH, QAP_7, stop=stop.iterations(ends[-1]), seed=seed, parallel=NUMPY)
    part = run(SEARCH, QAP_7, stop=stop.iterations(ends[0]), seed=seed, parallel=NUMPY, watch=[Checkpoint(path)])
    for end in ends[1:]:
        criterion = stop.iterations(end)
        part = resume(path, SEARCH, QAP_7, stop=criterion, parallel=NUMPY, watch=[Checkpoint(path)])
    for name in ("cost", "iterations", "evaluated", "key", "stopped_by", "problem", "search"):
        assert getattr(part, name) == getattr(whole, name)
    assert part.solution.tolist() == whole.solution.tolist()
    assert [(e.iteration, e.cost) for e in part.improvements] == [(e.iteration, e.cost) for e in whole.improvements]
    *_, state = islice(iterate(SEARCH, QAP_7, seed=seed, parallel=NUMPY), ends[-1] + 1)
    assert same(load(path, SEARCH, QAP_7).states, [state])


def test_a_run_that_was_done_is_done(tmp_path: Path) -> None:
    path, climb = tmp_path / "run.npz", HillClimbing(Swap())
    whole = run(climb, QAP_7, stop=stop.iterations(99), parallel=NUMPY, watch=[Checkpoint(path)])
    again = resume(path, climb, QAP_7, stop=stop.iterations(99), parallel=NUMPY)
    assert (again.iterations, again.cost, again.stopped_by) == (whole.iterations, whole.cost, "local optimum")


def test_what_was_saved_is_loaded(path: Path) -> None:
    here, there = view(), load(path, SEARCH, QAP_7)
    (state,) = there.states
    assert same(here.state, state)
    assert (here.seconds, here.improvements) == (there.seconds, there.improvements)
    assert state.kept["memory"]["expiries"].flags.writeable
    assert state.walk.current.origin is None


@final
@frozen(eq=False)
class Notes:
    """Something of everything that a state may hold."""

    text: str
    nothing: None
    seen: float | None
    flag: bool
    large: int
    limit: float
    scalar: Any
    grid: np.ndarray
    pair: tuple[int, np.ndarray]
    log: list[float]
    _private: int = 3
    derived: int = field(init=False, default=0)


@final
@frozen(eq=False)
class Diary:
    walk: Walk
    notes: Notes
    kept: Mapping[str, Any]


@final
@frozen
class Diarist(Search[Diary]):
    neighborhood: Swap = Swap()

    def init(self, start: EvaluatedSolution, key: Key) -> Diary:
        notes = Notes(
            "", None, None, False, 0, 0.0, 0, np.zeros((2, 2), np.float32), (0, np.zeros(1, bool)), [0.0, 0.0]
        )
        return Diary(Walk(key, start, start), notes, {"inner": {"values": np.zeros(3, np.uint8)}})

    def step(self, state: Diary, evaluate: Evaluator) -> Diary:
        notes = Notes(
            "é\n",
            None,
            0.1,
            True,
            2**80,
            float("inf"),
            np.int32(4),
            np.full((2, 2), np.nan, np.float32),
            (7, np.ones(1, bool)),
            [1e-300, -0.0],
            5,
        )
        return Diary(state.walk.stay(1), notes, {"inner": {"values": np.arange(3, dtype=np.uint8)}})

    def done(self, state: Diary) -> bool:
        return False


def test_a_state_may_hold_numbers_texts_arrays_and_what_is_made_of_them(tmp_path: Path) -> None:
    save(tmp_path / "run.npz", view(Diarist(), iterations=1))
    notes = load(tmp_path / "run.npz", Diarist(), QAP_7).states[0].notes
    assert (notes.text, notes.nothing, notes.seen, notes.flag, notes.large) == ("é\n", None, 0.1, True, 2**80)
    assert (notes.limit, notes.log, notes._private) == (float("inf"), [1e-300, -0.0], 5)
    assert (notes.scalar, type(notes.scalar)) == (4, np.int32)
    assert np.isnan(notes.grid).all()
    assert (notes.grid.dtype, notes.pair[0], notes.pair[1].tolist()) == (np.float32, 7, [True])


@pytest.mark.parametrize("thing", [object(), {1: 2}, {"a": {3}}, np.array([object()]), Fraction(1, 3)])
def test_what_cannot_be_saved_is_named(thing: Any) -> None:
    here = view(Diarist(), iterations=0)
    with pytest.raises(CheckpointError, match=r"state\.kept.* (cannot be saved|is a \w+)"):
        encode(view_of(here.search, here.problem, evolve(here.state, kept={"thing": thing})))


# Which search, which problem


@final
@frozen(eq=False)
class Bag(Problem):
    """A problem of many fields."""

    weights: np.ndarray = data("int64", ndim=1)
    scale: float = 1.0
    rule: Callable[..., Any] = min
    options: Mapping[str, Any] = field(factory=lambda: {"a": 1})
    labels: tuple[str, ...] = ("x", "y")

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights @ x)


BAG = Bag(np.array([1, 2, 3]))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"weights": [1, 2, 4]}, r"Bag\.weights differs"),
        ({"weights": [1, 2, 3, 4]}, r"Bag\.weights differs"),
        ({"scale": 2.0}, r"Bag\.scale differs"),
        ({"scale": 1}, r"Bag\.scale differs"),
        ({"rule": max}, r"Bag\.rule differs"),
        ({"options": {"a": 2}}, r"Bag\.options\.a differs"),
        ({"options": {"b": 1}}, r"Bag\.options has the fields \['b'\], but \['a'\] were saved"),
        ({"labels": ("x", "z")}, r"Bag\.labels\.1 differs"),
        ({"labels": ["x", "y"]}, r"Bag\.labels is a list, but a tuple was saved"),
    ],
)
def test_the_field_that_differs_is_named(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    save(tmp_path / "run.npz", view(HillClimbing(Swap()), BAG, iterations=1))
    load(tmp_path / "run.npz", HillClimbing(Swap()), Bag(np.array([1, 2, 3])))
    with pytest.raises(CheckpointError, match=f"it belongs to another problem: {reason}"):
        load(tmp_path / "run.npz", HillClimbing(Swap()), evolve(BAG, **change))


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        (TabuSearch(Swap(), tenure=(0.9, 1.2)), r"TabuSearch\.tenure\.high differs"),
        (TabuSearch(Swap(), long_term=100), r"TabuSearch\.long_term differs"),
        (HillClimbing(Swap()), "HillClimbing is a HillClimbing, but a TabuSearch was saved"),
    ],
)
def test_another_search_is_refused(path: Path, search: Search[Any], reason: str) -> None:
    with pytest.raises(CheckpointError, match=f"it belongs to another search: {reason}"):
        resume(path, search, QAP_7, stop=stop.iterations(20), parallel=NUMPY)


def test_another_problem_is_refused(path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"another problem: QAP\.a differs\.\nMaybe pass the problem of that run"):
        load(path, SEARCH, QAP.random(7, seed=6))


# Versions


def test_another_version_of_metaheur_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = metaheur.__version__
    monkeypatch.setattr(metaheur, "__version__", "99.1")
    with pytest.raises(CheckpointError) as refusal:
        load(path, SEARCH, QAP_7)
    assert f"metaheur {written} wrote it, but this is 99.1, which may take other steps" in str(refusal.value)
    assert f"\nMaybe install metaheur=={written} to resume it." in str(refusal.value)


def test_another_format_is_refused_before_all_else(path: Path) -> None:
    def older(header: dict[str, Any], _: Any) -> None:
        header.clear()
        header["format"] = 1

    rewrite(path, older)
    with pytest.raises(CheckpointError, match="its format is 1, but this metaheur reads format 4"):
        load(path, SEARCH, QAP_7)


# Broken files


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"none\.npz cannot be read: No such file"):
        load(tmp_path / "none.npz", SEARCH, QAP_7)


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04", b"\x93NUMPY"])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.npz").write_bytes(content)
    with pytest.raises(CheckpointError, match="is not a checkpoint, or a damaged one"):
        load(tmp_path / "run.npz", SEARCH, QAP_7)


def test_another_archive_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", x=np.arange(3))
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        load(tmp_path / "run.npz", SEARCH, QAP_7)


def test_a_pickle_is_never_opened(path: Path) -> None:
    opened: list[int] = []

    class Trap:
        def __reduce__(self) -> Any:
            return opened.append, (1,)

    pickled = io.BytesIO()
    np.save(pickled, np.array([Trap()], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("trap.npy", pickled.getvalue())
    with pytest.raises(CheckpointError, match="is not a checkpoint, or a damaged one"):
        load(path, SEARCH, QAP_7)
    assert opened == []


CONTENT = encode(view())


@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, position: int, flip: int
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "run.npz"
    path.write_bytes(CONTENT[:position] + bytes([CONTENT[position] ^ flip]) + CONTENT[position + 1 :])
    try:
        loaded = load(path, SEARCH, QAP_7)
    except CheckpointError:
        return
    assert same(loaded.states, [view().state])


@given(st.integers(0, len(CONTENT) - 1))
def test_a_truncated_file_is_refused(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.mktemp("bytes") / "run.npz"
    path.write_bytes(CONTENT[:length])
    with pytest.raises(CheckpointError):
        load(path, SEARCH, QAP_7)


ENTRIES = [
    "format",
    "metaheur",
    "search",
    "problem",
    "keys",
    "seconds",
    "improvements",
    "start_cost",
    "past",
    "members",
    "states",
]
JUNK: list[Any] = [None, 5, "text", [], {}, {"fields": {}}, {"class": "QAP"}, {"values": []}, [1], [[1]], 10**400]

HARMLESS = [("seconds", 5), ("improvements", []), ("improvements", {}), ("start_cost", 5), ("past", {})]


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_missing_entry_is_refused(path: Path, entry: str) -> None:
    rewrite(path, lambda header, arrays: header.pop(entry))
    with pytest.raises(CheckpointError, match=f"is broken: .*{entry}"):
        load(path, SEARCH, QAP_7)


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_that_is_something_else_is_refused(path: Path, entry: str) -> None:
    for junk in JUNK:
        if (entry, junk) not in HARMLESS:
            rewrite(path, lambda header, _, junk=junk: header.update({entry: junk}))  # type: ignore[misc]
            with pytest.raises(CheckpointError):
                load(path, SEARCH, QAP_7)


def spots(tree: Any) -> list[tuple[str, ...]]:
    """Where every node of a tree lies."""
    if not isinstance(tree, dict):
        return []
    return [spot for name in tree for spot in [(name,), *((name, *inner) for inner in spots(tree[name]))]]


def test_a_node_of_the_state_that_is_something_else_is_refused_or_harmless(path: Path) -> None:
    content = path.read_bytes()
    tried: list[tuple[tuple[str, ...], Any]] = []
    rewrite(path, lambda header, _: tried.extend((s, junk) for s in spots(header["states"][0]) for junk in JUNK[3:7]))
    for spot, junk in tried:

        def spoil(header: Any, _: Any, spot: tuple[str, ...] = spot, junk: Any = junk) -> None:
            node = header["states"][0]
            for name in spot[:-1]:
                node = node[name]
            node[spot[-1]] = junk

        path.write_bytes(content)
        rewrite(path, spoil)
        try:
            loaded = load(path, SEARCH, QAP_7)
        except CheckpointError:
            continue
        assert same(loaded.states, [view().state])
    assert len(tried) > 100


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda a: a.astype(np.int32), r"expiries'\] is an array of int32 \(7, 7\), but here it is int64 \(7, 7\)"),
        (lambda a: a[:, :, :6], r"expiries'\] is an array of int64 \(7, 6\), but here it is int64 \(7, 7\)"),
    ],
)
def test_an_array_of_another_kind_is_refused(path: Path, change: Callable[..., np.ndarray], reason: str) -> None:
    def spoil(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        name = header["states"][0]["fields"]["kept"]["keys"]["memory"]["keys"]["expiries"]["array"]
        arrays[name] = change(arrays[name])

    rewrite(path, spoil)
    with pytest.raises(CheckpointError, match=reason):
        load(path, SEARCH, QAP_7)


def test_a_solution_that_is_none_is_refused(path: Path) -> None:
    def spoil(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays[header["states"][0]["fields"]["walk"]["fields"]["best"]["fields"]["solution"]["array"]][:] = 0

    rewrite(path, spoil)
    with pytest.raises(CheckpointError, match="not a solution of"):
        load(path, SEARCH, QAP_7)


# Files


def test_a_file_that_cannot_be_replaced_stays_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(file: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        save(path, view(iterations=20))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_the_file_is_an_archive_that_numpy_reads_without_pickles(path: Path) -> None:
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(file["metaheur"].tobytes())
        assert {"0", "1", "2", "metaheur"} == set(file)
    assert header["keys"] == [[3, 0]]
    assert header["metaheur"] == metaheur.__version__


@pytest.mark.parametrize("search", [lambda moves: Trial(moves, LateAcceptance(20)), TabuSearch], ids=["trials", "tabu"])
@pytest.mark.parametrize("name", ["subset", "multiset", "parts", "lists"])
def test_runs_on_other_representations_are_resumed(tmp_path: Path, name: str, search: Any) -> None:
    distances = np.abs(np.subtract.outer(np.arange(8) ** 2, np.arange(8) ** 2))
    projects = MultiModeRCPSP.random(5, seed=1)
    problem, moves = {
        "subset": (PMedian(distances, 3), Interchange()),
        "multiset": (CarSequencing.random(10, classes=4, seed=1), Interchange()),
        "parts": (projects, projects.recommended()[0].search.neighborhoods[0]),
        "lists": (VehicleRouting(np.array([3, 4, 2, 5, 3]), distances[:6, :6], 9, vehicles=4), Relocate()),
    }[name]
    path, made = tmp_path / "checkpoint", search(moves)
    run(made, problem, stop=stop.iterations(60), seed=1, parallel="numpy", watch=[Checkpoint(path, every=20)])
    resumed = resume(path, made, problem, stop=stop.iterations(120), parallel="numpy")
    whole = run(made, problem, stop=stop.iterations(120), seed=1, parallel="numpy")
    assert resumed.cost == whole.cost
    assert resumed.solution.tolist() == whole.solution.tolist()
    assert resumed.iterations == whole.iterations
