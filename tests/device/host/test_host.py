"""The host: what it says of units that do not compile, its threads, its storage."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.host.host import Host
from metaheur.device.host.openmp import has_openmp
from metaheur.errors import CompileError, InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.searches import TabuSearch
from tests.device.compilers import wrapper
from tests.helpers import evaluated, solution_of, two_cores

# ---- what does not compile -------------------------------------------------------------------------------------------

MINE = """
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.problem import Problem
from metaheur.representation import Permutation


@final
@frozen(eq=False)
class Mine(Problem):
    source: ClassVar[str] = "mine.cuh"

    @property
    def representation(self) -> Permutation:
        return Permutation(4)

    def cost(self, x: Any) -> int:
        return 0
"""


def problem_beside(folder: Path, cuh: str) -> Any:
    """A problem of a module in the folder, with this C++ half in a file beside it."""
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    (folder / "mine.cuh").write_text(cuh, encoding="utf-8")
    name = f"mine_{folder.name}"
    spec = spec_from_file_location(name, folder / "mine.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Mine()


@pytest.mark.parametrize("resident", [True, False])
def test_a_mistake_is_shown_with_its_file_and_line(tmp_path: Path, resident: bool) -> None:
    cuh = (
        "struct Mine : MineData {\n    MH_FN Total cost(Team team, const Item* x) const {\n        return y;\n    }\n};"
    )
    problem = problem_beside(tmp_path, cuh)
    with pytest.raises(CompileError, match=rf"{tmp_path}/mine\.cuh:3:\d+: error: .*y") as caught:
        IterationLevel("host", resident=resident).bind(TabuSearch(Swap()), problem)
    assert "file and line" in caught.value.maybe


@pytest.mark.parametrize("resident", [True, False])
@pytest.mark.parametrize(
    "body",
    ["", "MH_FN Cost delta(Team, const Item*, TwoOptMove) const { return 0; }"],
    ids=["no members", "a formula for other moves"],
)
def test_a_half_that_says_nothing_of_the_moves_is_told_so(tmp_path: Path, body: str, resident: bool) -> None:
    problem = problem_beside(tmp_path, f"struct Mine : MineData {{ {body} }};")
    words = r"The C\+\+ half of Mine has neither `cost` nor a `delta` that takes what Swap\(\) makes \(SwapMove\)"
    with pytest.raises(InputError, match=words):
        IterationLevel("host", resident=resident).bind(TabuSearch(Swap()), problem)


# ---- threads ---------------------------------------------------------------------------------------------------------


@two_cores
@pytest.mark.parametrize("openmp", [True, False])
def test_two_threads_evaluate_as_one(
    openmp: bool, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not openmp:
        without = 'for word; do [ "$word" = -fopenmp ] && exit 1; done'
        monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "without", without)))
        assert not has_openmp()
    problem = QAP.random(40, 3)
    shared, alone = DeviceEvaluator(problem, Host(), Swap(), threads=2), NumpyEvaluator(problem, Swap())
    for draw in range(5):
        solution = evaluated(problem, solution_of(problem, draw))
        assert np.array_equal(shared.deltas(solution), alone.deltas(solution))
        assert shared.best(solution) == alone.best(solution)


# ---- storage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "dtype", "stored"),
    [
        ([0, 2**14 - 1], "int64", "int16"),
        ([-(2**14) + 1, 5], "int32", "int16"),
        ([0, 2**14], "int64", "int32"),
        ([-(2**14), 0], "int64", "int32"),
        ([-(2**31) + 1, 2**31 - 1], "int64", "int32"),
        ([-(2**31)], "int64", "int64"),
        ([2**31], "int64", "int64"),
        ([-(2**31)], "int32", "int32"),
        ([-(2**63), 2**63 - 1], "int64", "int64"),
        ([1.0, 2.0], "float64", "float64"),
        ([], "int64", "int64"),
    ],
)
def test_whole_numbers_are_stored_as_narrow_as_they_fit(values: list[int], dtype: str, stored: str) -> None:
    assert Host().stored(np.array(values, dtype)) == np.dtype(stored)


whole = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-(2**15), 2**15), min_size=1, max_size=5)


@given(whole)
def test_storing_loses_nothing_and_differences_fit(values: list[int]) -> None:
    stored = np.array(values, np.int64).astype(Host().stored(np.array(values, np.int64)))
    assert stored.tolist() == values
    if stored.dtype == np.int16:
        assert max(values) - min(values) < 2**15


@given(st.integers(1, 10_000), st.sampled_from(["int16", "int32", "int64", "float64"]))
def test_rows_are_padded_to_whole_vectors(length: int, dtype: str) -> None:
    padded = Host().padded(length, np.dtype(dtype))
    assert padded % 32 == 0
    assert length <= padded < length + 32


@given(st.integers(1, 300))
def test_uploaded_arrays_are_aligned_copies(length: int) -> None:
    array = np.arange(length, dtype=np.int16)
    buffer = Host().upload(array)
    assert Host().pointer(buffer) % 64 == 0
    assert np.array_equal(Host().download(buffer), array)
    assert not np.shares_memory(buffer, array)


def test_writing_overwrites_the_beginning() -> None:
    buffer = Host().upload(np.arange(6, dtype=np.int32).reshape(2, 3))
    Host().write(buffer, np.array([7, 8, 9, 10], np.int32))
    assert Host().download(buffer).tolist() == [7, 8, 9, 10, 4, 5]
    assert Host().download(buffer, 2, 3).tolist() == [9, 10, 4]
