"""NVRTC compiles, without a GPU, every kernel that ships.

Each pair of a problem and a neighborhood is compiled for one of the two architectures, neighboring pairs for different
ones, and as many at a time as there are processors: all for both would take more than a minute.
"""

import io
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, final

import attrs
import numpy as np
import pytest
from attrs import frozen

import metaheur.parts
import metaheur.searches
from metaheur.device.cuda import padded_on_cuda, stored_on_cuda
from metaheur.device.kernel import evaluation_kernel
from metaheur.device.source import Source
from metaheur.loops import Scan
from metaheur.loops.resident import RESERVED, scan_kernel
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Insertion, Sampled, Swap, Union
from metaheur.parts import Part
from metaheur.problem import Problem, data
from metaheur.problems import QAP
from metaheur.representation import Permutation, Solution
from metaheur.searches import HillClimbing, TabuSearch
from tests.pairs import INSTANCES, fitting, shipped

core = pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")

SHARED_MEMORY = {"sm_80": 163 * 1024, "sm_90": 227 * 1024}
ARCHITECTURES = tuple(SHARED_MEMORY)


class NoGPU:
    """What a unit's text depends on: how a GPU stores arrays."""

    kind = "cuda"
    stored = staticmethod(stored_on_cuda)
    padded = staticmethod(padded_on_cuda)


DEVICE: Any = NoGPU()


def compiled(text: str, architecture: str) -> bytes:
    """The binary of a unit; AssertionError with the compiler's messages where there is none."""
    log = io.StringIO()
    options = core.ProgramOptions(
        std="c++17", arch=architecture, fma=False, ftz=True, device_as_default_execution_space=True
    )
    try:
        binary = core.Program(text, "c++", options).compile("cubin", logs=log)
    except Exception as error:
        raise AssertionError(f"{error}\n{log.getvalue()}") from None
    return bytes(binary.code)


def all_compiled(texts: Iterable[str]) -> None:
    """Compile units for the two architectures in turn, as many at a time as there are processors."""
    with ThreadPoolExecutor() as pool:
        made = pool.map(lambda numbered: compiled(numbered[1], ARCHITECTURES[numbered[0] % 2]), enumerate(texts))
        assert all(made)


def asymmetric(n: int, factor: int = 1) -> QAP:
    a, b = np.random.default_rng(n).integers(-9, 40, (2, n, n))
    return QAP(a * factor, b * factor)


SCANS: dict[str, Scan] = {
    "HillClimbing": HillClimbing(Swap()).loop,
    "TabuSearch": TabuSearch(Swap()).loop,
    "TabuSearch, long-term": TabuSearch(Swap(), long_term=1000).loop,
}
"""Every shipped search, once for each way in which it is composed; the name begins with the class's."""


def parts_of(thing: Any) -> set[type]:
    """The classes of a search's parts, and of their parts."""
    values = [getattr(thing, field.name) for field in attrs.fields(type(thing))]
    parts = [value for value in values if isinstance(value, Part)]
    return set().union({type(part) for part in parts}, *map(parts_of, parts))


def test_every_shipped_search_and_part_is_compiled_here() -> None:
    assert {name.partition(",")[0] for name in SCANS} == set(metaheur.searches.__all__)
    assert set().union(*map(parts_of, SCANS.values())) == shipped(metaheur.parts, Part)


@pytest.mark.parametrize("name", INSTANCES)
def test_the_kernel_of_every_neighborhood_compiles(name: str) -> None:
    all_compiled(evaluation_kernel(INSTANCES[name], each, DEVICE).text for each in fitting(name))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("search", SCANS)
def test_every_search_compiles_as_a_resident_kernel(search: str, architecture: str) -> None:
    qap = QAP.taillard(12)
    with ThreadPoolExecutor() as pool:
        texts = [resident(qap, SCANS[search], blocks, architecture) for blocks in (1, 8)]
        assert all(pool.map(lambda text: compiled(text, architecture), texts))


LARGE = {
    "int64": asymmetric(12, 10_007),
    "asymmetric": asymmetric(12),
    "beyond shared memory": QAP.random(300, 1),
    "asymmetric, beyond shared memory": asymmetric(300),
}


@pytest.mark.parametrize("instance", LARGE)
def test_every_storage_of_an_instance_compiles_as_a_resident_kernel(instance: str) -> None:
    assert compiled(resident(LARGE[instance], TabuSearch(Swap()).loop, 1, "sm_90"), "sm_90")


EVALUATIONS: dict[str, tuple[str, Neighborhood]] = {
    "by groups": ("FlowShop, int16 kept", Insertion()),
    "in full": ("QAP, symmetric", Insertion()),
    "a union": ("TSP, matrix", Union(Swap(), Insertion())),
    "a sample": ("TSP, whole coordinates", Sampled(Swap(), 20)),
}


@pytest.mark.parametrize("way", EVALUATIONS)
def test_every_way_to_evaluate_a_neighborhood_compiles_as_a_resident_kernel(way: str) -> None:
    name, neighborhood = EVALUATIONS[way]
    assert compiled(resident(INSTANCES[name], HillClimbing(neighborhood).loop, 1, "sm_90"), "sm_90")


def resident(problem: Problem, scan: Scan, blocks: int, architecture: str) -> str:
    shared = SHARED_MEMORY[architecture] - RESERVED
    kernel, _ = scan_kernel(problem, scan, DEVICE, threads=1024, blocks=blocks, shared_memory=shared)
    return kernel.text


@final
@frozen(eq=False)
class Broken(Problem):
    """A problem whose C++ half has a mistake in its third line."""

    weights: np.ndarray = data("int32", ndim=2)

    source: ClassVar[Source] = Source(
        "struct Broken : BrokenData {\n"
        "    MH_FN Total cost(Team team, const Item* x) const {\n"
        "        return team.sum(n, [&](int k) { return weigths(k, x[k]); });\n"
        "    }\n"
        "};\n",
        "some/where/broken.cuh",
    )

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights[np.arange(len(x)), x].sum())


def test_a_mistake_is_shown_with_its_file_and_line() -> None:
    text = evaluation_kernel(Broken(np.eye(3)), Swap(), DEVICE).text
    with pytest.raises(AssertionError, match=r"some/where/broken\.cuh\(3\): error: .*weigths"):
        compiled(text, "sm_90")
