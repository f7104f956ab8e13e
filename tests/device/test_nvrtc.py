"""NVRTC compiles, without a GPU, every kernel that ships."""

import io
from collections.abc import Iterator
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

import metaheur.neighborhoods
import metaheur.problems
import metaheur.searches
from metaheur.device.cuda import padded_on_cuda, stored_on_cuda
from metaheur.device.kernel import evaluation_kernel
from metaheur.device.source import Source
from metaheur.loops.resident import RESERVED, scan_kernel
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Swap
from metaheur.problem import Problem, data
from metaheur.problems import QAP
from metaheur.representation import Permutation, Solution
from metaheur.search import Search
from metaheur.searches import HillClimbing, TabuSearch

core = pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")

SHARED_MEMORY = {"sm_80": 163 * 1024, "sm_90": 227 * 1024}
architectures = pytest.mark.parametrize("architecture", SHARED_MEMORY)


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


def asymmetric(n: int, factor: int = 1) -> QAP:
    a, b = np.random.default_rng(n).integers(-9, 40, (2, n, n))
    return QAP(a * factor, b * factor)


REFERENCES: dict[str, list[Problem]] = {
    "QAP": [QAP.taillard(12), asymmetric(12), asymmetric(12, 10_007)],
}
"""Every shipped problem, once for each way in which its C++ half is compiled."""

SEARCHES: dict[str, list[Search[Any]]] = {
    "HillClimbing": [HillClimbing(Swap())],
    "TabuSearch": [TabuSearch(Swap()), TabuSearch(Swap(), long_term=1000)],
}
"""Every shipped search, once for each way in which it is composed."""


def shipped(package: Any, kind: type) -> Iterator[type]:
    """The classes of a kind that a package exports and that have a C++ half."""
    found = (getattr(package, name) for name in package.__all__)
    return (each for each in found if issubclass(each, kind) and getattr(each, "source", None) is not None)


def pairs() -> list[Any]:
    """Every shipped problem with every shipped neighborhood that acts on its solutions."""
    return [
        pytest.param(problem, neighborhood(), id=f"{name} {k} {neighborhood.__name__}")
        for name, problems in REFERENCES.items()
        for k, problem in enumerate(problems)
        for neighborhood in shipped(metaheur.neighborhoods, Neighborhood)
        if neighborhood().supports(problem.representation)
    ]


def test_every_shipped_problem_has_a_reference_here() -> None:
    assert {problem.__name__ for problem in shipped(metaheur.problems, Problem)} == set(REFERENCES)


def test_every_shipped_search_has_a_reference_here() -> None:
    assert set(metaheur.searches.__all__) == set(SEARCHES)


@architectures
@pytest.mark.parametrize(("problem", "neighborhood"), pairs())
def test_the_kernel_of_every_neighborhood_compiles(
    problem: Problem, neighborhood: Neighborhood, architecture: str
) -> None:
    assert compiled(evaluation_kernel(problem, neighborhood, DEVICE).text, architecture)


@architectures
@pytest.mark.parametrize("blocks", [1, 8])
@pytest.mark.parametrize(
    "search", [pytest.param(each, id=f"{name} {k}") for name, some in SEARCHES.items() for k, each in enumerate(some)]
)
def test_every_search_compiles_as_a_resident_kernel(search: Search[Any], blocks: int, architecture: str) -> None:
    assert compiled(resident(QAP.taillard(12), search, blocks, architecture), architecture)


LARGE = {
    "int64": asymmetric(12, 10_007),
    "asymmetric": asymmetric(12),
    "beyond shared memory": QAP.random(300, 1),
    "asymmetric, beyond shared memory": asymmetric(300),
}


@pytest.mark.parametrize("instance", LARGE)
def test_every_storage_of_an_instance_compiles_as_a_resident_kernel(instance: str) -> None:
    assert compiled(resident(LARGE[instance], TabuSearch(Swap()), 1, "sm_90"), "sm_90")


def resident(problem: Problem, search: Search[Any], blocks: int, architecture: str) -> str:
    assert search.loop is not None
    shared = SHARED_MEMORY[architecture] - RESERVED
    kernel, _ = scan_kernel(problem, search.loop, DEVICE, threads=1024, blocks=blocks, shared_memory=shared)
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
