"""Units of tests are compiled with precompiled headers."""

import subprocess
from pathlib import Path

import pytest

from metaheur.device.generator.compose import compose
from metaheur.device.host.compiler import find_compiler
from metaheur.device.names import device_of
from metaheur.evaluators.shells import solutions
from metaheur.problems import OneMax
from tests.precompiled import VARIANTS, flags


@pytest.mark.parametrize("extra", VARIANTS.values(), ids=VARIANTS)
def test_gnu_s_compiler_takes_the_headers_that_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: tuple[str, ...]
) -> None:
    compiler = find_compiler()
    if "Free Software Foundation" not in compiler.version:
        pytest.skip(f"{compiler.name} is not GNU's")
    monkeypatch.setenv("METAHEUR_CXXFLAGS", flags("-O0"))
    unit = tmp_path / "unit.cpp"
    unit.write_text(compose(OneMax(9), solutions(), device_of("host")).text, encoding="utf-8")
    command = [*compiler.command, *compiler.flags, *extra, "-H", "-fsyntax-only", str(unit)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stderr  # every header; "!": as compiled
    assert [line for line in shown.splitlines() if line.startswith("! ") and "/precompiled/" in line]
