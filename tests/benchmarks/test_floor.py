"""The empty step that floor.py measures compiles, and a GPU finds by it what Python finds."""

import pytest

from metaheur.device.device import Device
from tests.benchmarks.floor import WHERE, expected, kernel_of, made, text_of


@pytest.mark.parametrize("where", WHERE)
def test_an_empty_step_compiles_for_a_gpu(where: str) -> None:
    pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")
    from tests.device.cuda.test_nvrtc import compiled

    assert compiled(text_of(*WHERE[where]), "sm_90", binary=False)


@pytest.mark.cuda
@pytest.mark.parametrize("where", WHERE)
def test_all_threads_of_a_gpu_agree_in_each_step(where: str, gpu: Device) -> None:
    threads, blocks = WHERE[where]
    assert made(kernel_of(threads, blocks), threads, blocks, 50)[0] == expected(threads, blocks, 50)


def test_the_least_number_depends_on_all_threads_and_all_steps() -> None:
    assert expected(64, 2, 7) == expected(128, 1, 7) == expected(32, 4, 7)
    assert len({expected(32, 1, 7), expected(64, 1, 7), expected(64, 1, 8)}) == 3
