"""The files of qbsolv read and written, and broken files refused in words."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from metaheur.errors import InputError
from metaheur.problems.formats.qbsolv import read_qubo, write_qubo
from metaheur.problems.formats.qubo_instance import QUBOInstance
from tests.problems.formats.helpers import a_file, quadratic, quadratics, weights_of

QUBO = b"c a comment\nc\np  qubo  0  4  4  6\nc ----\n0 0 3.4\n1 1 4.5\n2 2 2.1\n3 3 -2.4\nc ----\n" + (
    b"0 1 2.2\n0 2 3.4\n1 2 4.5\n0 3 -2\n1 3 4.5678\n2 3 -3.22\n"
)


def test_a_qubo_file_counts_from_zero_and_pairs_once_and_minimises(path: Path) -> None:
    path.write_bytes(QUBO)
    instance = read_qubo(path)
    assert (instance.n, instance.maximise, instance.factor) == (4, False, 10_000)
    assert instance.matrix().tolist() == [
        [34_000, 22_000, 34_000, -20_000],
        [0, 45_000, 45_000, 45_678],
        [0, 0, 21_000, -32_200],
        [0, 0, 0, -24_000],
    ]


@pytest.mark.parametrize(
    "change",
    [lambda it: it.replace(b"\n", b"\r\n"), gzip.compress, lambda it: b"# first\n" + it, lambda it: it + b"\n\n"],
)
def test_windows_line_ends_gzip_and_comments_make_no_difference(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(QUBO)
    plain = weights_of(read_qubo(path))
    path.write_bytes(change(QUBO))
    assert weights_of(read_qubo(path)) == plain


@a_file
@given(quadratics(1))
def test_a_qubo_instance_is_read_as_written(path: Path, instance: QUBOInstance) -> None:
    write_qubo(path, instance)
    back = read_qubo(path)
    sign = -1 if instance.maximise else 1
    assert (back.n, back.maximise) == (instance.n, False)
    assert weights_of(back) == {pair: sign * w for pair, w in weights_of(instance).items()}


def test_a_written_qubo_file_declares_every_variable_that_it_names(path: Path) -> None:
    write_qubo(path, quadratic((9, [1, 0], [3, 0], [-25, 10]), maximise=False, factor=10))
    assert path.read_text() == "p qubo 0 9 3 1\n0 0 1\n1 1 0\n3 3 0\n1 3 -2.5\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"c nothing else\n", "is empty"),
        (b"4 4 6\n", "line 1: 'p' is expected, but '4' is found"),
        (b"c\np cnf 3 4\n", "line 2: 'qubo' is expected, but 'cnf' is found"),
        (b"p qubo 0 2 3 0\n", r"the number of linear terms must be in 0 \.\.\. 2, but is 3"),
        (b"p qubo 0 2 1 1\n0 0 1\n", "from line 2 on, expected 6 numbers in 2 lines 'i j q', found 3"),
        (b"p qubo 0 2 1 1\n0 0 1\n1 1 1\n", "line 1: 1 linear terms are stated, but 2 listed"),
        (b"p qubo 0 2 0 1\n0 2 1\n", r"line 2: an index must be in 0 \.\.\. 1, but is 2"),
        (b"p qubo 0 2 0 2\n0 1 1\n0 1 1", r"line 3: the term \(0, 1\) is listed twice"),
        (b"p qubo 0 2 0 1\n0 1 1\n1", "line 3: '1' follows the last coupler"),
        (b"p qubo 0 2 0 1\n0 1 1e400\n", "line 2: '1e400' does not fit into 64 bits"),
    ],
)
def test_a_broken_qubo_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_qubo(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe
