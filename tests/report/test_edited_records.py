"""Records of unknown origin: each is read or named, none hides another, and none reaches the terminal."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import TabuSearch, run_many, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parts import OrderCrossover, RandomMoves
from metaheur.problems import QAP, FlowShop, Knapsack, OneMax
from metaheur.problems.trees import KnapsackTree
from metaheur.report import Experiment, reproduce
from metaheur.report.record import _decoded, names_of_files, record_path
from metaheur.report.study import read_experiment
from metaheur.report.trajectory import trajectory_digest
from metaheur.report.values import Arrays, decoded
from metaheur.searches import NSGA2, HillClimbing
from metaheur.tree import BranchAndBound

LIMIT = stop.iterations(5)
SHOP = FlowShop(np.arange(1, 16).reshape(3, 5) % 7, objectives=("makespan", "total flow time"))
MADE: dict[str, tuple[Any, Any]] = {
    "tabu": (TabuSearch(Swap()), QAP.random(6, 1)),
    "front": (NSGA2(OrderCrossover(), RandomMoves(Swap(), 1), size=4), SHOP),
    "proof": (BranchAndBound(KnapsackTree()), Knapsack.boukedjar(8)),
}
ODD: list[Any] = [None, True, -1, 2**70, 1e308, "", "x", "\x1b[31mred\x1b]0;title\x07", "²", [], {}, [[]]]
ODD += [{"float": "nan"}, {"array": [1], "dtype": "<U500000000", "shape": [1]}, {"fraction": "1e30000000"}]
ODD += [{"array": [[[1]]], "dtype": "int64", "shape": [-1]}, {"class": "metaheur.nothing:X", "fields": {}}]
ODD += [{"number": 1, "dtype": "O"}]
ODD += [{"class": "metaheur.watch:Checkpoint", "fields": {"path": "x"}}, {"class": "metaheur:run"}, {"enum": "os:path"}]


def make(folder: Path, name: str) -> Path:
    search, problem = MADE[name]
    same: dict[str, Any] = {"seeds": [0], "stop": LIMIT, "parallel": "numpy", "folder": folder, "progress": False}
    run_many({name: search}, {f"problem of {name}": problem}, **same)
    (path,) = folder.glob(f"{name}_*.json")
    return path


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a value of JSON is within another."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*at, key))


def put(content: Any, at: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value at a place."""
    if not at:
        return value
    copy = dict(content) if isinstance(content, dict) else list(content)
    copy[at[0]] = put(content[at[0]], at[1:], value)
    return copy


def shown(found: Experiment) -> str:
    """All that an experiment shows."""
    parts: list[Any] = [found, *found.notes, *(each.result for each in found.runs), *found.runs]
    for value in ("best", "median", "worst", "mean", "iterations", "seconds", "hypervolume"):
        with suppress(InputError):
            parts.append(found.table(value=value))
    return "\n".join(map(str, parts))


@pytest.mark.parametrize("edits", [60, pytest.param(250, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", MADE)
def test_an_edited_record_is_read_or_named_and_hides_no_other(name: str, edits: int, tmp_path: Path) -> None:
    path, good = make(tmp_path, name), make(tmp_path, "tabu" if name != "tabu" else "proof")
    content = json.loads(path.read_text())
    draw = random.Random(name)
    every = [at for at in places(content) if "made" not in at]
    named = 0
    for _ in range(edits):
        edited = put(content, draw.choice(every), draw.choice(ODD))
        with suppress(Exception):  # then the record is refused for another reason
            edited["trajectory_digest"] = trajectory_digest(_decoded(edited["result"]))
        path.write_text(json.dumps(edited))
        found = read_experiment(tmp_path)
        assert good.name.split("_")[0] in {each.search for each in found.runs}
        assert len(found.runs) == 2 or path.name in found.notes[0]
        named += len(found.runs) == 1
        assert "\x1b" not in shown(found)
        try:
            reproduce(path)
        except InputError:
            continue
    assert named > edits // 5
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".json"] in ([], ["data"])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"seed": 0', '"seed": []', "the seed must be a whole number, but is []"),
        ('"best_known": null', '"best_known": "x"', "`best_known` must be a number or null, but is 'x'"),
        ("metaheur.running.result:WalkTable", "metaheur.nothing:X", "it holds metaheur.nothing.X"),
        ("metaheur.running.result:WalkTable", "metaheur.watch:Checkpoint", "not a class of metaheur"),
        ('"dtype": "int32"', '"dtype": "<U500000000"', "it holds an array of <U500000000"),
        ('"result": {', '"result": {"x": ' + "[" * 100_000 + "]" * 100_000 + ",", "it is nested too deeply"),
        ('"stopped_by": "', '"stopped_by": 5, "x": "', "`stopped_by` of Result must be str, but is 5"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(old: str, new: str, reason: str, tmp_path: Path) -> None:
    path = make(tmp_path, "tabu")
    make(tmp_path, "proof")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    found = read_experiment(tmp_path)
    assert len(found.runs) == 1
    assert reason in found.notes[0]
    assert path.name in found.notes[0]


def test_a_value_that_would_take_minutes_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        decoded({"fraction": "1e30000000"}, Arrays())


def test_the_header_of_an_array_cannot_ask_for_memory(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(5))
    content = (tmp_path / "a.npy").read_bytes()
    assert decoded({"file": "a.npy"}, Arrays(tmp_path)) is not None
    (tmp_path / "a.npy").write_bytes(content.replace(b"(5,), }          ", b"(50000000000,), }"))
    with pytest.raises(InputError, match="its length is not that of its header"):
        decoded({"file": "a.npy"}, Arrays(tmp_path))


def test_names_of_any_script_and_length_have_records_of_their_own(tmp_path: Path) -> None:
    names = ["数" * 60, "数" * 61, "a/b", "a-b", "tai12²", "tai2²", "x" * 500, "9" * 5000, "\x1b[31m", "é"]
    searches = {name: HillClimbing(Hamming(1)) for name in names}
    run_many(searches, OneMax(5), seeds=[0], stop=LIMIT, parallel="numpy", folder=tmp_path, progress=False)
    assert len(list(tmp_path.glob("*.json"))) == len(names)
    found = read_experiment(tmp_path)
    assert found.notes == ()
    assert {each.search for each in found.runs} == {*names[:8], "\\x1b[31m", "é"}


def test_the_name_of_a_file_says_the_names_of_the_run() -> None:
    path = record_path(Path("runs"), ("tabu-search", "tai12a"), 3, "f" * 64)
    assert path.name == f"tabu-search_tai12a_3_{'f' * 16}.json"
    assert names_of_files(["tabu search", "数" * 60]) == {"tabu search": "tabu-search", "数" * 60: "数" * 13}
    assert len(set(names_of_files(["a/b", "a-b", "a b", "/"]).values())) == 4


def test_a_record_of_a_front_is_read(tmp_path: Path) -> None:
    make(tmp_path, "front")
    found = read_experiment(tmp_path)
    ((front,),) = ([each.result.front] for each in found.runs if each.result)
    assert front is not None
    assert not found.notes
