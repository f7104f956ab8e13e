"""Files of quadratic assignment problems with several flows, and the generators of the published ones."""

import hashlib
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems import QAP, MultiObjective
from metaheur.problems.formats.knowles_corne import generate_mqap, generate_real_like_mqap, read_mqap, write_mqap

FILE = "facilities = 2 objectives = 2 max_distances = 9 seed = 1\n 0 3\n3  0\n\n0 1\n 2 0\n\n 0 4 5 0"

# of distances and flows, as little-endian int64, one after the other; each equal to the published file
PUBLISHED = {
    "KC10-2fl-1uni": (0.0, 68203720, "8264c2aa6780080d5028703892758db1863630c37fbe56c9eaaa65dbe653197f"),
    "KC10-2fl-2uni": (0.8, 289073914, "de37ead0dc2392b52356029ef7202eba28929f55371a8e20014699bf49b0b77b"),
}

REAL_LIKE: dict[str, tuple[dict[str, Any], str]] = {
    "KC10-2fl-3rl": (
        {"n": 10, "correlations": [-0.7], "seed": 7810398},
        "72ac8db696c817cb08230e250fbaf45ba37584564bf0417693edfc6b2afd3671",
    ),
    "KC10-2fl-5rl": (
        {"n": 10, "correlations": [0.7], "overlap": 0.6, "exponents": (-5, 5), "seed": 2129704715},
        "c599ee8d8c250bdffbede13fc1ebe15b001b0378e27152c71e90b71d6e452b9f",
    ),
    "KC20-2fl-5rl": (
        {"n": 20, "correlations": [0.4], "overlap": 0.5, "exponents": (-5, 5), "blended": True, "seed": 3894673},
        "1952d29479902d60a507f2c70a15a28ece655a8484da9b8e1b107b9e254faa73",
    ),
    "KC30-3fl-2rl": (
        {"n": 30, "correlations": [0.7, -0.5], "overlap": 0.7, "blended": True, "seed": 34096837},
        "f3bf96e233094ea88f8111005c322cadd3c74733b14f7b523b8d3c4ccfd6283b",
    ),
}


def digest_of(both: tuple[np.ndarray, np.ndarray]) -> str:
    return hashlib.sha256(b"".join(each.astype("<i8").tobytes() for each in both)).hexdigest()


@pytest.mark.parametrize("name", REAL_LIKE)
def test_the_published_real_like_instances_are_generated(name: str) -> None:
    arguments, digest = REAL_LIKE[name]
    assert digest_of(generate_real_like_mqap(**arguments)) == digest


def test_places_of_a_real_like_instance_lie_in_circles() -> None:
    distances, flows = generate_real_like_mqap(60, [1.0, -1.0], places=(1000, 6, 10), exponents=(0, 3), seed=5)
    assert distances.max() < 2 * 1010
    near = (distances < 20).sum(axis=1)
    assert near.max() <= 60
    assert near.min() >= 1
    assert (distances == distances.T).all()
    assert (flows[1] == flows[0]).all()
    assert 1 <= flows[0][np.triu_indices(60, 1)].min() <= flows.max() < 1000


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"correlations": [1.5]}, "correlations"),
        ({"correlations": [0.0] * 8}, "correlations"),
        ({"overlap": -0.1}, "overlap"),
        ({"exponents": (4, 4)}, "exponents"),
        ({"places": (0, 0, 10)}, "places"),
        ({"seed": 123459876}, "seed"),
    ],
)
def test_a_real_like_instance_needs_such_arguments(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        generate_real_like_mqap(10, **{"seed": 1, **arguments})


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_uniform_instances_are_generated(name: str) -> None:
    correlation, seed, digest = PUBLISHED[name]
    both = generate_mqap(10, correlation=correlation, seed=seed)
    assert digest_of(both) == digest


@pytest.mark.parametrize("correlation", [-1.0, -0.7, 0.4, 1.0])
def test_flows_are_correlated_as_asked(correlation: float) -> None:
    distances, flows = generate_mqap(40, 3, correlation=correlation, largest=50, seed=7)
    first, *others = [matrix[np.triu_indices(40, 1)] for matrix in flows]
    for each in (distances, *flows):
        assert (each == each.T).all()
        assert not np.diag(each).any()
        assert (each.min(), each[np.triu_indices(40, 1)].min(), each.max()) == (0, 1, 50)
    for other in others:
        assert np.sign(np.corrcoef(first, other)[0, 1]) == np.sign(correlation)
        if abs(correlation) == 1:
            assert (other == (first if correlation > 0 else 51 - first)).all()


def test_an_instance_is_read_as_written(tmp_path: Path) -> None:
    distances, flows = generate_mqap(5, 3, seed=3)
    write_mqap(tmp_path / "five.dat", distances, flows)
    read = read_mqap(tmp_path / "five.dat")
    assert read[0].tolist() == distances.tolist()
    assert read[1].tolist() == flows.tolist()


def test_costs_are_by_the_definition_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "two.dat").write_text(FILE)
    distances, flows = read_mqap(tmp_path / "two.dat")
    problem = MultiObjective([QAP(distances, flow) for flow in flows])
    for p in permutations(range(2)):
        expected = [sum(distances[i, j] * f[p[i], p[j]] for i in range(2) for j in range(2)) for f in flows]
        assert list(problem.cost(np.array(p))) == expected == [9, 27]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2\n0 1 1 0", "must begin with the numbers of facilities and objectives, but begins with '2"),
        ("facilities: 0 objectives: 2\n", "must begin with the numbers of facilities"),
        (FILE[:-2], "is truncated: from line 2 on, expected 12 numbers: 3 matrices of 2 rows and columns, found 11"),
        (FILE + " 7", "line 8: '7' follows the last matrix"),
        (FILE.replace("4", "4.5"), "line 8: '4.5' is not an integer"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "broken.dat").write_text(text)
    with pytest.raises(InputError, match=reason):
        read_mqap(tmp_path / "broken.dat")


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ({"n": 0}, "`n` must be"),
        ({"correlation": 1.5}, "`correlation` must be"),
        ({"seed": 123459876}, "`seed` must not be 123459876"),
        ({"seed": 0}, "`seed` must be"),
    ],
)
def test_what_cannot_be_generated_is_refused(numbers: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        generate_mqap(**{"n": 3, "seed": 1, **numbers})


def test_matrices_that_do_not_fit_are_not_written(tmp_path: Path) -> None:
    distances, flows = generate_mqap(3, seed=1)
    with pytest.raises(InputError, match="`flows` must be integers"):
        write_mqap(tmp_path / "none.dat", distances, flows[0])
    with pytest.raises(InputError, match="`distances` must be integers"):
        write_mqap(tmp_path / "none.dat", distances / 2, flows)  # type: ignore[arg-type]
    assert not (tmp_path / "none.dat").exists()
