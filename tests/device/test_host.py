"""The host: the compiler it finds, what it says when there is none, its cache, its storage."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device import host
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.host import Host, cache_folder, find_compiler
from metaheur.device.names import device_of
from metaheur.errors import CompileError, DeviceError
from metaheur.evaluator import NumpyEvaluator
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.random import START, Key, Random
from metaheur.search import Incumbent
from metaheur.searches import TabuSearch

ROOT = Path(__file__).resolve().parents[2]

UNIT = """
extern "C" __attribute__((visibility("default"))) void add(long long* numbers, long long value) {
    numbers[0] += value;
}
"""


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What was found out about compilers is found out anew, in the test and after it."""

    def forget() -> None:
        host.find_compiler.cache_clear()
        host.has_openmp.cache_clear()

    forget()
    yield
    forget()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Path:
    """An empty cache of compiled units."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("METAHEUR_CACHE", str(folder))
    return folder


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Callable[..., None]:
    """Leave only compilers of these names on the PATH, and none named by a variable."""
    for variable in ("METAHEUR_CXX", "CXX"):
        monkeypatch.delenv(variable, raising=False)

    def leave(*names: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        for name in names:
            script(folder / name, f'exec {find_command()} "$@"')
        monkeypatch.setenv("PATH", str(folder))

    return leave


def find_command() -> str:
    command = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert command
    return command


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def added(text: str, value: int) -> int:
    numbers = np.array([40], np.int64)
    Host().compile(text).launch("add", numbers, value)
    return int(numbers[0])


# ---- the compiler ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "found"), [(("clang++", "g++", "c++"), "c++"), (("clang++", "g++"), "g++"), (("clang++",), "clang++")]
)
def test_the_first_compiler_on_the_path_is_taken(only: Callable[..., None], there: tuple[str], found: str) -> None:
    only(*there)
    assert find_compiler() == (found,)


def test_a_variable_names_the_compiler_and_its_arguments(
    only: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    only("c++", "mine", "other")
    monkeypatch.setenv("CXX", "other -v")
    assert find_compiler() == ("other", "-v")
    host.find_compiler.cache_clear()
    monkeypatch.setenv("METAHEUR_CXX", "mine")
    assert find_compiler() == ("mine",)
    host.find_compiler.cache_clear()
    monkeypatch.setenv("METAHEUR_CXX", " ")
    assert find_compiler() == ("other", "-v")


@pytest.mark.parametrize("variable", ["METAHEUR_CXX", "CXX"])
def test_a_variable_that_names_nothing_is_named(
    only: Callable[..., None], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    only("c++")
    monkeypatch.setenv(variable, "no-such-compiler -O1")
    with pytest.raises(DeviceError, match=rf"\${variable} names the C\+\+ compiler 'no-such-compiler'") as caught:
        device_of("host")
    assert caught.value.maybe == f"unset {variable}."


def test_without_a_compiler_the_way_out_is_named(only: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    only()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"There is no C\+\+ compiler") as caught:
        device_of("host")
    assert 'device="numpy"' in caught.value.maybe
    assert "ziglang" in caught.value.maybe


def test_zig_stands_in_where_it_is_installed(only: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    only()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if name == "ziglang" else None)
    assert find_compiler() == (sys.executable, "-m", "ziglang", "c++")


def test_the_description_names_the_compiler() -> None:
    version = subprocess.run([*find_compiler(), "--version"], capture_output=True, text=True, check=True).stdout
    assert version.splitlines()[0] in Host().description


# ---- the cache -------------------------------------------------------------------------------------------------------


def test_the_cache_lies_where_the_variables_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("METAHEUR_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "metaheur"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "metaheur"
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


def test_a_unit_is_compiled_once(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls"
    counting = script(tmp_path / "counting", f'echo "$*" >>{calls}\nexec {find_command()} "$@"')
    monkeypatch.setenv("METAHEUR_CXX", str(counting))

    def compilations() -> int:
        return sum("-shared" in call for call in calls.read_text().splitlines())

    assert added(UNIT, 2) == 42
    assert compilations() == 1
    assert added(UNIT, 3) == 43
    assert compilations() == 1
    assert added(UNIT.replace("+=", "-="), 3) == 37
    assert compilations() == 2
    assert len(list(cache.iterdir())) == 2


def test_another_compiler_compiles_anew(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        monkeypatch.setenv("METAHEUR_CXX", str(script(tmp_path / name, f'exec {find_command()} "$@"')))
        host.find_compiler.cache_clear()
        assert added(UNIT, 2) == 42
    assert len(list(cache.iterdir())) == 2


def test_processes_that_compile_the_same_unit_at_once_do_not_meet(cache: Path) -> None:
    code = f"""
import numpy as np
from metaheur.device.host import Host
numbers = np.array([40])
Host().compile({UNIT!r}).launch("add", numbers, 2)
print(numbers[0])
"""
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "METAHEUR_CACHE": str(cache)}
    running = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [process.communicate() for process in running] == [("42\n", "")] * 3
    assert [file.suffix for file in cache.iterdir()] == [".so"]


def test_a_unit_that_does_not_compile_leaves_nothing_in_the_cache(cache: Path) -> None:
    with pytest.raises(CompileError):
        Host().compile("nonsense")
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "file"))
    with pytest.raises(DeviceError, match=f"{tmp_path / 'file'}") as caught:
        Host().compile(UNIT)
    assert "METAHEUR_CACHE" in caught.value.maybe


def test_a_damaged_unit_in_the_cache_is_named(cache: Path) -> None:
    code = f"from metaheur.device.host import Host; Host().compile({UNIT!r})"
    environment = {**os.environ, "METAHEUR_CACHE": str(cache)}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    (library,) = cache.iterdir()
    library.write_bytes(library.read_bytes()[:100])
    with pytest.raises(DeviceError, match=library.name) as caught:
        Host().compile(UNIT)
    assert "delete it" in caught.value.maybe


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


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", r"the C\+\+ half needs cost\(Team, const Item\*\) const or delta"),
        ("MH_FN Cost update(State, SwapMove, Cost delta, SwapMove) const { return delta; } "
         "MH_FN Total cost(Team, const Item*) const { return 0; }", r"a problem with update\(\) needs delta\(\)"),
    ],
)  # fmt: skip
def test_a_half_that_lacks_a_member_is_told_so(tmp_path: Path, body: str, reason: str) -> None:
    problem = problem_beside(tmp_path, f"struct Mine : MineData {{ {body} }};")
    with pytest.raises(CompileError, match=reason):
        IterationLevel("host").bind(TabuSearch(Swap()), problem)


def test_a_compiler_that_only_fails_is_named(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAHEUR_CXX", str(script(tmp_path / "failing", "exit 3")))
    with pytest.raises(CompileError, match=f"{tmp_path}/failing refused the unit"):
        Host().compile(UNIT)


# ---- threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two threads need two cores")
@pytest.mark.parametrize("openmp", [True, False])
def test_two_threads_evaluate_as_one(
    openmp: bool, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not openmp:
        without = 'for word; do [ "$word" = -fopenmp ] && exit 1; done'
        path = script(tmp_path / "without", f'{without}\nexec {find_command()} "$@"')
        monkeypatch.setenv("METAHEUR_CXX", str(path))
        assert not host.has_openmp()
    problem = QAP.random(40, 3)
    space = problem.representation
    shared, alone = DeviceEvaluator(problem, Swap(), Host(), threads=2), NumpyEvaluator(problem, Swap())
    for draw in range(5):
        x = space.random(Random(Key(draw), START, 0))
        incumbent = Incumbent(space, x, problem.cost(x))
        assert np.array_equal(shared.deltas(incumbent), alone.deltas(incumbent))
        assert shared.best(incumbent) == alone.best(incumbent)


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
    assert Host().download(buffer).tolist() == [[7, 8, 9], [10, 4, 5]]
