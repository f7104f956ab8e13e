"""The atlas: complete, resumable, and checked by symmetries."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from metaheur.errors import CheckFailed, InputError
from metaheur.landscape import Landscape, Optima
from metaheur.landscape.__main__ import main
from metaheur.landscape.atlas import _of_network, _of_optima, atlas, cells, instances_in
from metaheur.landscape.symmetries import automorphisms, copies_of, in_order, interchangeable
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from tests.landscape.test_networks import symmetric, with_spares

GRID = np.abs(np.arange(6)[:, None] // 3 - np.arange(6) // 3) + np.abs(np.arange(6)[:, None] % 3 - np.arange(6) % 3)
"""Distances on a grid of 2 by 3 locations."""


def written(folder: Path, name: str, problem: QAP) -> None:
    rows = [*problem.a.tolist(), [], *problem.b.tolist()]
    text = "\n".join(" ".join(map(str, row)) for row in rows)
    (folder / f"{name}.dat").write_text(f"{len(problem.a)}\n\n{text}\n")


def test_symmetries_are_those_that_trying_all_permutations_finds() -> None:
    for matrix in (GRID, symmetric(5).a, np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]])):
        places = range(len(matrix))
        expected = [p for p in permutations(places) if np.array_equal(matrix[np.ix_(p, p)], matrix)]
        assert [tuple(p) for p in automorphisms(matrix).tolist()] == expected
    assert len(automorphisms(GRID)) == 4
    flows = with_spares().a
    groups = interchangeable(flows)
    assert len(automorphisms(flows)) == copies_of(groups) * len(automorphisms(flows, groups))


def test_an_atlas_is_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, "grid", QAP(symmetric(6, seed=3).a, GRID))
    written(tmp_path, "nine", symmetric(9))
    words = [str(tmp_path), "--out", str(tmp_path / "atlas"), "--most", "8", "--device", "host"]
    assert main(words) == 0
    first = (tmp_path / "atlas" / "grid.json").read_text()
    shown = capsys.readouterr().out
    assert "grid" in shown
    assert "nine" not in shown
    entry = json.loads(first)
    assert entry["locations"] == 4
    assert entry["optima"] % 4 == 0
    assert main(words) == 0
    assert (tmp_path / "atlas" / "grid.json").read_text() == first  # with the same seconds
    written(tmp_path, "grid", symmetric(6))
    assert main(words) == 0
    assert (tmp_path / "atlas" / "grid.json").read_text() != first  # another instance of the same name
    assert main([*words[:3], "--most", "5"]) == 1
    assert "has no QAPLIB instance" in capsys.readouterr().err


def test_what_is_complete_is_shown_even_if_a_later_instance_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "five", symmetric(5))
    written(tmp_path, "six", symmetric(6))
    out = tmp_path / "atlas"
    out.mkdir()
    (out / "six.search.npz").write_bytes(b"nothing")
    assert main([str(tmp_path), "--out", str(out), "--device", "host"]) == 1
    shown = capsys.readouterr()
    assert "five      5" in shown.out
    assert shown.err.startswith("six: ")
    assert "six.search.npz is not a saved search" in shown.err
    assert "1 not complete yet" in shown.err


def test_an_instance_that_needs_more_time_is_left_for_the_next_call(tmp_path: Path) -> None:
    problems = {"random": symmetric(7)}
    assert list(atlas(problems, tmp_path, device="host", networks=0, seconds=0)) == []
    (entry,) = atlas(problems, tmp_path, device="host", networks=0)
    assert "density" not in entry
    assert cells(entry)[-1] == ""
    assert not (tmp_path / "random.search.npz").exists()
    (entry,) = atlas(problems, tmp_path, device="host")
    assert entry["density"] > 0


def test_strict_optima_are_an_entry_of_their_own(tmp_path: Path) -> None:
    problems = {"grid": QAP(symmetric(6, seed=3).a, GRID), "small": symmetric(5)}
    whole = list(atlas(problems, tmp_path, device="host"))
    strict = list(atlas(problems, tmp_path, device="host", strict=True))
    assert [each["name"] for each in whole] == ["small", "grid"]
    assert [each["optima"] for each in strict] == [each["strict"] for each in whole]
    assert "density" not in strict[0]


def test_optima_that_stand_for_several_are_counted_so() -> None:
    problem = QAP(with_spares().a, GRID)
    optima = Landscape(problem, Swap(), device="host").optima()
    entry, groups = _of_optima(problem, optima), interchangeable(problem.a)
    kept = (in_order(optima.solutions, groups) == optima.solutions).all(axis=1)
    fewer = Optima(optima.solutions[kept], optima.costs[kept], optima.strict[kept], nodes=optima.nodes, copies=12)
    assert _of_optima(problem, fewer) == entry
    assert entry["facilities"] % 12 == 0
    with pytest.raises(CheckFailed, match="to a solution that is none"):
        _of_optima(problem, _without_last(fewer))


def test_wrong_optima_and_basins_fail_the_checks() -> None:
    problem = QAP(symmetric(6, seed=3).a, GRID)
    landscape = Landscape(problem, Swap(), device="numpy")
    optima, network = landscape.optima(), landscape.network()
    with pytest.raises(CheckFailed, match="to a solution that is none"):
        _of_optima(problem, _without_last(optima))
    with pytest.raises(CheckFailed, match="different local optima"):
        _of_network(problem, _without_last(optima), network)
    lost = network.sizes.copy()
    lost[0] -= 1
    with pytest.raises(CheckFailed, match="719 solutions"):
        _of_network(problem, optima, evolve(network, sizes=lost))
    lost[1] += 1
    with pytest.raises(CheckFailed, match="another size"):
        _of_network(problem, optima, evolve(network, sizes=lost))
    assert _of_network(problem, optima, network)["global_basins"] > 0


def _without_last(optima: Optima) -> Optima:
    return evolve(optima, solutions=optima.solutions[:-1], costs=optima.costs[:-1], strict=optima.strict[:-1])


def test_instances_of_other_sizes_are_left_out(tmp_path: Path) -> None:
    written(tmp_path, "five", symmetric(5))
    written(tmp_path, "three", QAP(np.zeros((3, 3)), np.zeros((3, 3))))
    (tmp_path / "empty.dat").write_text("")
    assert list(instances_in(tmp_path, 12)) == ["five"]
    with pytest.raises(InputError, match="no QAPLIB instance"):
        instances_in(tmp_path, 4)
