"""NVRTC compiles, without a GPU, the kernels of landscapes."""

from typing import Any

import pytest

from metaheur.device.generator.compose import compose
from metaheur.landscape.blocks import shell_of
from metaheur.landscape.prefixes import _tables, order_of, unit_of
from metaheur.landscape.streams import ends_of_walks
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.landscape.test_networks import symmetric
from tests.landscape.test_samplers import qap

pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")


@pytest.mark.parametrize("problem", [qap(8), symmetric(9)])
def test_the_kernels_compile(problem: Any) -> None:
    from tests.device.cuda.test_nvrtc import compiled

    gpu: Any = NoGPU(ARCHITECTURES[0])
    assert compiled(compose(problem, shell_of(problem, len(problem.a), 6), gpu).text, ARCHITECTURES[0])
    assert compiled(unit_of(problem, _tables(problem, order_of(problem)), strict=True).text, ARCHITECTURES[0])
    assert compiled(compose(problem, ends_of_walks(problem.representation.dtype), gpu).text, ARCHITECTURES[0])
