"""The journal of a folder of records: the same runs as the records, and nothing without them."""

import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from metaheur import SimulatedAnnealing, run_many, stop
from metaheur.neighborhoods import Hamming
from metaheur.problems import OneMax
from metaheur.report import Experiment
from metaheur.report.journal import FILE, TOGETHER
from metaheur.report.record import DATA, _encoded
from metaheur.report.study import read_experiment


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a few more records than a line of a journal holds."""
    folder = tmp_path_factory.mktemp("made")
    several(folder)
    return folder


def several(folder: Path) -> Experiment:
    same: dict[str, Any] = {"stop": stop.iterations(9), "parallel": "numpy", "folder": folder, "progress": False}
    search, problems = SimulatedAnnealing(Hamming(1), 2.0), {"small": OneMax(6), "zwölf": OneMax(12)}
    return run_many({"annealing": search}, problems, seeds=range(TOGETHER // 2 + 1), **same)


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of the folder, whose files are as old as in the folder."""
    for path in (*made.glob("*.json"), made / DATA / FILE):
        there = tmp_path / path.relative_to(made)
        there.parent.mkdir(exist_ok=True)
        there.write_bytes(path.read_bytes())
        as_old(there, path.stat())
    return tmp_path


def as_old(path: Path, status: os.stat_result) -> None:
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def emptied(path: Path) -> None:
    """Replace the content of a file by blanks; its size and its time stay."""
    status = path.stat()
    path.write_bytes(b" " * status.st_size)
    as_old(path, status)


def texts(found: Experiment) -> list[str]:
    """All that is known of the runs."""
    runs = [(each.problem, each.search, each.model, each.seed, each.error) for each in found.runs]
    values = [json.dumps(_encoded(each.result), sort_keys=True) for each in found.runs if each.result is not None]
    return [f"{run} {value}" for run, value in zip(runs, values, strict=True)]


def test_a_journal_has_the_runs_of_its_records(folder: Path) -> None:
    (folder / DATA / FILE).rename(folder / "away")
    expected = texts(read_experiment(folder))
    (folder / "away").rename(folder / DATA / FILE)
    _, head, _ = (folder / DATA / FILE).read_bytes().strip().split(b"\t")
    for name in json.loads(head)[0]:
        emptied(folder / name)
    assert texts(read_experiment(folder)) == expected
    assert all(each.reused for each in several(folder).runs)


def test_records_that_are_read_enter_a_journal(folder: Path) -> None:
    (folder / DATA / FILE).unlink()
    for path in folder.glob("*.json"):
        os.utime(path, (1e9, 1e9))
    expected = texts(read_experiment(folder))
    assert (folder / DATA / FILE).exists()
    for path in sorted(folder.glob("*.json"))[:TOGETHER]:
        emptied(path)
    assert texts(read_experiment(folder)) == expected


def test_a_changed_record_is_read_again(folder: Path) -> None:
    path = sorted(folder.glob("*.json"))[0]
    content = json.loads(path.read_text())
    content["result"]["cost"] += 1
    path.write_text(json.dumps(content))
    found = read_experiment(folder)
    assert len(found.notes) == 1
    assert "it was changed" in found.notes[0]


@pytest.mark.parametrize("cut", [0, 20_000])
def test_a_torn_line_is_left_out(folder: Path, cut: int) -> None:
    expected, journal = texts(read_experiment(folder)), folder / DATA / FILE
    whole = journal.read_bytes().lstrip()
    journal.write_bytes(whole[:cut] + b"\n" + whole[cut + 1 :])
    assert texts(read_experiment(folder)) == expected


ODD: list[Any] = [None, True, -1, 2**70, 1e308, float("nan"), "x", [], {}, [[]], {"float": "nan"}]


def test_a_line_of_unknown_origin_hides_no_record_and_raises_nothing(folder: Path) -> None:
    journal, random = folder / DATA / FILE, np.random.default_rng(3)
    _, head, body = journal.read_bytes().strip().split(b"\t")
    columns = json.loads(body)
    for path in folder.glob("*.json"):
        if path.name not in columns["name"][:2]:
            path.unlink()
    for name, column in columns.items():
        odd = ODD[random.integers(len(ODD))]
        changed = [odd, *column[1:]] if isinstance(column, list) else f"AAAA{column}"
        text = head + b"\t" + json.dumps({**columns, name: changed}).encode()
        journal.write_bytes(b"%08x\t%s\n" % (crc32(text), text))
        found = read_experiment(folder)
        assert len(found.runs) == 2, name
        found.summary()
