from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.recognition import recognise
from tests.problems.formats.test_fuzz import FORMATS

EXPECTED = {
    "biq_mac": "biqmac",
    "cvrplib": "cvrplib",
    "dimacs": "dimacs",
    "flow shop matrix": "flow shop",
    "gset": "gset",
    "job shop": "job shop",
    "job shop of Taillard": "job shop",
    "kplib": "kp",
    "knowles_corne": "mqap",
    "liefooghe": "flow shop",
    "liefooghe, any": "flow shop",
    "mdplib": "mdp",
    "minella": "flow shop",
    "minella, any": "flow shop",
    "or_library bqp": "bqp",
    "or_library flow shops": "flow shop",
    "or_library mkp": "mkp",
    "p-median": "p-median",
    "pisinger": "pisinger",
    "qaplib": "qaplib",
    "qaplib solution": "solution",
    "qbsolv": "qubo",
    "flexible job shop": "flexible job shop",
    "patterson": "patterson",
    "psplib": "psplib",
    "sop": "sop",
    "taillard": "flow shop",
    "taillard, any": "flow shop",
    "routes": "routes",
    "tsplib": "tsplib",
    "tsplib matrix": "tsplib",
    "tsplib fixed edges": "tsplib",
    "tsplib tour": "tour",
}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_format_is_recognised_by_its_content(path: Path, name: str) -> None:
    path.write_bytes(FORMATS[name][1])
    assert recognise(path).name == EXPECTED[name]


def test_a_table_with_a_diagonal_names_its_choices_and_a_name_decides(tmp_path: Path) -> None:
    content = "3 2\n1 1 5\n1 2 -7\n"
    (tmp_path / "some.txt").write_text(content)
    with pytest.raises(InputError, match=r"2 formats: 'bqp', .*maximised.*; 'biqmac', .*minimised") as refused:
        recognise(tmp_path / "some.txt")
    assert 'layout="bqp" or layout="biqmac"' in str(refused.value)
    for file, form in (("bqp1.txt", "bqp"), ("some.sparse", "biqmac")):
        (tmp_path / file).write_text(content)
        assert recognise(tmp_path / file).name == form


@pytest.mark.parametrize("content", ["a b c\n", "1 x 2\n", "3 1 2\n4 5\n"])
def test_what_is_no_instance_is_refused_with_the_formats_that_are_known(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match="none of the formats that are known: qaplib, mqap"):
        recognise(path)


@pytest.mark.parametrize(
    ("folder", "suffix", "form"),
    [
        ("qaplib", ".dat", "qaplib"),
        ("qaplib", ".sln", "solution"),
        ("tsplib", ".tsp", "tsplib"),
        ("tsplib", ".tour", "tour"),
        ("gcp", ".col", "dimacs"),
        ("sop", ".sop", "sop"),
        ("qubo/gset", ".txt", "gset"),
        ("flowshop/liefooghe_mo", ".txt", "flow shop"),
        ("flowshop/minella_dd", ".txt", "flow shop"),
        ("knapsack/kplib", ".kp", "kp"),
        ("knapsack/mkp_sac94", ".dat", "mkp"),
        ("knapsack/pisinger_csv", ".csv", "pisinger"),
    ],
)
def test_published_files_are_recognised(data_folder: Path, folder: str, suffix: str, form: str) -> None:
    files = sorted((data_folder / folder).rglob(f"*{suffix}"), key=lambda file: file.stat().st_size)
    assert {recognise(file).name for file in files[:12]} == {form}
