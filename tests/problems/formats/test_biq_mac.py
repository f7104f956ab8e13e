"""Biq Mac's quadratic 0-1 problems read and written, and broken files refused in words."""

import gzip
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from metaheur.errors import InputError
from metaheur.problems.formats.biq_mac import read_biq_mac, write_biq_mac
from metaheur.problems.formats.qubo_instance import QUBOInstance
from tests.problems.formats.helpers import BROKEN_SYMMETRIC, a_file, objective, quadratic, quadratics, weights_of

BIQMAC = b"# from nowhere\n3 4\n1 1 5\n1 2 -7\n3 2 4\n3 3 -1\n"


def test_a_biq_mac_file_counts_pairs_twice_and_minimises(path: Path) -> None:
    path.write_bytes(BIQMAC)
    instance = read_biq_mac(path)
    assert not instance.maximise
    assert instance.matrix().tolist() == [[5, -14, 0], [0, 0, 8], [0, 0, -1]]


def test_the_matrix_gives_the_objective(path: Path) -> None:
    path.write_bytes(BIQMAC)
    instance = read_biq_mac(path)
    for x in product((0, 1), repeat=instance.n):
        assert np.array(x) @ instance.matrix() @ np.array(x) == objective(instance, x)


@pytest.mark.parametrize(
    "change",
    [lambda it: it.replace(b"\n", b"\r\n"), gzip.compress, lambda it: b"# first\n" + it, lambda it: it + b"\n\n"],
)
def test_windows_line_ends_gzip_and_comments_make_no_difference(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(BIQMAC))
    assert weights_of(read_biq_mac(path)) == {(0, 0): 5000, (0, 1): -14_000, (1, 2): 8000, (2, 2): -1000}


@a_file
@given(quadratics(2))
def test_a_biq_mac_instance_is_read_as_written(path: Path, instance: QUBOInstance) -> None:
    write_biq_mac(path, instance)
    back = read_biq_mac(path)
    sign = -1 if instance.maximise else 1
    assert (back.n, back.maximise) == (instance.n, False)
    assert weights_of(back) == {pair: sign * w for pair, w in weights_of(instance).items()}


def test_an_odd_weight_cannot_be_halved(path: Path) -> None:
    with pytest.raises(InputError, match=r"weight of the variables 0 and 2 must be even, .*, but is 7"):
        write_biq_mac(path, quadratic((3, [0, 0], [0, 2], [5, 7]), maximise=True))


@pytest.mark.parametrize(("content", "reason"), BROKEN_SYMMETRIC)
def test_a_broken_biq_mac_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_biq_mac(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe
