"""Random programs return the same in Python, where numbers never overflow, and in the C++ translated from them."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.device.host.openmp import has_openmp
from metaheur.device.names import device_of
from metaheur.errors import CompileError
from metaheur.neighborhoods import Swap
from metaheur.testing.compiled_check import CompiledCheck
from metaheur.translator import arithmetic
from metaheur.translator.exact import KeptArrays, exact_component
from metaheur.translator.half import made_half
from tests.translator.compared import choose, unit_of
from tests.translator.extremes import LARGE, NARROW, Extremes
from tests.translator.programs import N, Writer, with_methods
from tests.translator.threads import Threads

STEPS = 3
THREADS = 256


def loaded(folder: Path, text: str, name: str) -> Any:
    """A module of its own."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def problems(
    folder: Path,
    seed: int,
    count: int,
    *,
    floats: bool,
    extreme: bool = False,
    several: bool = False,
    small: bool = False,
) -> Iterator[Any]:
    """A problem for each program of a module; extreme ones may be refused, and small ones have small data."""
    random = np.random.default_rng(seed)
    floating, u = np.round(random.normal(0, 100, (N, N)), 3), random.integers(0, N, N)
    if extreme:
        whole, v = random.choice(LARGE, (N, N)), random.choice(NARROW, N)
        text, count = of_accepted(folder, Extremes(seed, floats=floats), seed, count)
    else:
        large, narrow = (100, 10) if small else (2**40, 2**31)
        whole, v = random.integers(-large, large, (N, N)), random.integers(-narrow, narrow, N)
        text = Writer(seed, floats=floats, several=several).module(seed, count)
    make = getattr(loaded(folder, text, f"programs_{seed}_{floats:d}_{extreme:d}_{several:d}"), f"Programs{seed}")
    return (make(floating if floats else whole, v, u, which) for which in range(count))


def of_accepted(folder: Path, writer: Extremes, seed: int, count: int) -> tuple[str, int]:
    """A module of so many programs, without those refused because a number may be a float or not; and their number."""
    methods: list[str] = []
    for k in range(count):
        method = writer.method(len(methods))
        alone = re.sub(r"\bdef (keep|change)\d+", r"def \g<1>0", method)
        module = loaded(folder, with_methods([alone], seed, floats=writer.floats), f"one_{seed}_{k}")
        try:
            getattr(module, f"Programs{seed}")(np.zeros((N, N)), np.array(NARROW[:N]), np.zeros(N), 0).explain()
        except CompileError as error:
            if "may be a float, or a whole number" not in str(error):
                raise
            continue
        methods.append(method)
    return with_methods(methods, seed, floats=writer.floats), len(methods)


def changes(problem: Any, x: np.ndarray, indices: list[int]) -> Iterator[list[Any]]:
    """The values that Python returns for all moves, at x and after each of some moves."""
    space, own = problem.representation, exact_component(problem)
    moves = list(Swap().moves(space))
    dtype = np.float64 if problem.cost_type == "float64" else np.int64
    kept = KeptArrays({"f": np.zeros(N, dtype), "g": np.zeros((N, N), dtype), "c": np.zeros(N, np.int32)})
    own.init(x.tolist(), kept)
    yield [own.delta(x.tolist(), kept, move) for move in moves]
    for k in indices:
        x = moves[k].apply(x)
        own.commit(x.tolist(), kept, moves[k])
        yield [own.delta(x.tolist(), kept, move) for move in moves]


def difference(problem: Any, unit: CompiledCheck, seed: int) -> str:
    """The first value that differs between the device, alone or in a team, and Python; "" if none differs."""
    space = problem.representation
    choose(unit, problem)
    random = np.random.default_rng(seed)
    x, indices = random.permutation(N).astype(space.dtype), random.integers(0, N * (N - 1) // 2, STEPS).tolist()
    unit.fill("x", x)
    unit.launch("prepare")
    for step, expected in enumerate(changes(problem, x, indices)):
        unit.launch("each")
        found = unit.read("table").copy()
        if step < STEPS:
            unit.launch("together", indices[step])
            found[indices[step]] = unit.read("table")[indices[step]]
            unit.launch("advance", indices[step])
        wrong = (found != np.array(expected, found.dtype)).reshape(len(found), -1).any(axis=1)
        if wrong.any():
            k, name = int(np.argmax(wrong)), type(problem).__name__
            return f"program {problem.which} of {name}, step {step}, move {k}: {found[k]}, not {expected[k]}"
    return ""


def differences(
    folder: Path,
    seed: int,
    count: int,
    device: Any,
    **kinds: bool,
) -> list[str]:
    """Compare the programs of a module, of the kinds that `problems` names; one unit is compiled for all."""
    programs = list(problems(folder, seed, count, **({"floats": False} | kinds)))
    unit = unit_of(programs[0], Swap(), device)
    found = [difference(problem, unit, seed) for problem in programs]
    return [each for each in found if each]


@pytest.mark.parametrize("extreme", [False, True], ids=["plain", "extreme"])
@pytest.mark.parametrize("floats", [False, True], ids=["whole numbers", "floats"])
def test_random_programs_say_the_same_in_both_languages(
    floats: bool, extreme: bool, compiling: Device, tmp_path: Path
) -> None:
    assert not differences(tmp_path, 1 + floats, 10, compiling, floats=floats, extreme=extreme)


@pytest.mark.parametrize("floats", [False, True], ids=["whole numbers", "floats"])
def test_random_programs_of_several_objectives_say_the_same(floats: bool, compiling: Device, tmp_path: Path) -> None:
    assert not differences(tmp_path, 5 + floats, 10, compiling, floats=floats, several=True)


def test_random_programs_with_small_data_say_the_same(compiling: Device, tmp_path: Path) -> None:
    assert not differences(tmp_path, 7, 10, compiling, small=True)


@pytest.mark.skipif(not has_openmp(), reason="the compiler has no OpenMP")
@pytest.mark.parametrize("extreme", [False, True], ids=["plain", "extreme"])
def test_random_programs_say_the_same_in_a_team_of_threads(extreme: bool, tmp_path: Path) -> None:
    assert not differences(tmp_path, 3, 8, Threads(), extreme=extreme)


def test_a_translator_that_divides_as_cpp_does_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "_plain", lambda sign, a, b: sign == "//")  # indices stay right
    made_half.cache_clear()
    try:
        assert differences(tmp_path, 1, 5, device_of("host"))
    finally:
        made_half.cache_clear()


def test_a_translator_that_takes_whole_numbers_for_floats_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arithmetic, "possible", lambda kind: None)
    made_half.cache_clear()
    try:
        assert any(differences(tmp_path, seed, 40, device_of("host"), floats=True, extreme=True) for seed in range(9))
    finally:
        made_half.cache_clear()
