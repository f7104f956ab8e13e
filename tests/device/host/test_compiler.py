"""The compiler: which one is found, what it says where it cannot be used, and what it says of units."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metaheur.device.host.compiler import Compiler, find_compiler, processor
from metaheur.device.host.host import Host
from metaheur.device.names import device_of
from metaheur.errors import CompileError, DeviceError
from tests.device.compilers import UNIT, script, system_compiler, unit_of, wrapper

Only = Callable[..., Path]

# ---- which one -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "found"), [(("clang++", "g++", "c++"), "c++"), (("clang++", "g++"), "g++"), (("clang++",), "clang++")]
)
def test_the_first_compiler_on_the_path_is_taken(only: Only, there: tuple[str, ...], found: str) -> None:
    folder = only(*there)
    assert find_compiler().command == (str(folder / found),)


@pytest.mark.parametrize("body", ["exit 1", "echo no developer tools >&2\nexit 72", "kill -9 $$"])
def test_a_compiler_on_the_path_that_does_not_run_is_passed_over(only: Only, body: str) -> None:
    folder = only("c++", "g++")
    script(folder / "c++", body)
    assert find_compiler().command == (str(folder / "g++"),)


def test_a_variable_names_the_compiler_and_its_arguments(only: Only, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = only("c++", "mine", "other")
    monkeypatch.setenv("CXX", "other -O1")
    assert find_compiler().command == (str(folder / "other"), "-O1")
    find_compiler.cache_clear()
    monkeypatch.setenv("METAHEUR_CXX", "mine")
    assert find_compiler().command == (str(folder / "mine"),)
    find_compiler.cache_clear()
    monkeypatch.setenv("METAHEUR_CXX", " ")
    assert find_compiler().command == (str(folder / "other"), "-O1")


def test_a_variable_is_read_as_by_a_shell(only: Only, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = wrapper(tmp_path / "my compiler")
    only()
    monkeypatch.setenv("CXX", f"'{compiler}' -O1")
    assert find_compiler().command == (str(compiler), "-O1")


def test_a_compiler_named_by_a_relative_path_is_found_from_everywhere(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METAHEUR_CXX", "./mine")
    assert find_compiler().command == (str(tmp_path / "mine"),)
    monkeypatch.chdir("/")
    Host().compile(unit_of(UNIT))


def test_zig_stands_in_where_it_is_installed(only: Only, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "site" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text('import sys\nassert sys.argv[1:] == ["c++", "--version"]\nprint("clang")\n')
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.syspath_prepend(package.parent)
    only()
    assert find_compiler() == Compiler((sys.executable, "-m", "ziglang", "c++"), "clang\n")
    assert "-nostdlib++" in find_compiler().flags


def test_gnus_compilers_are_known_under_every_name(only: Only) -> None:
    folder = only("c++")
    copyright_line = "Copyright (C) 2022 Free Software Foundation, Inc."
    script(folder / "c++", f"echo 'c++ (Debian 12.2.0-14) 12.2.0'\necho '{copyright_line}'")
    assert "-fno-gnu-unique" in find_compiler().flags
    find_compiler.cache_clear()
    script(folder / "c++", "echo 'clang version 19.1.0'")
    assert "-fno-gnu-unique" not in find_compiler().flags


def test_the_device_describes_processor_and_compiler() -> None:
    version = subprocess.run([*find_compiler().command, "--version"], capture_output=True, text=True, check=True).stdout
    assert Host().description == f"{processor()}, {version.splitlines()[0]}"


# ---- none ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variable", ["METAHEUR_CXX", "CXX"])
def test_a_variable_that_names_nothing_is_named(only: Only, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    only("c++")
    monkeypatch.setenv(variable, "no-such-compiler -O1")
    with pytest.raises(DeviceError, match=rf"\${variable} names the C\+\+ compiler 'no-such-compiler'") as caught:
        device_of("host")
    assert caught.value.maybe == f"unset {variable}."


def test_a_variable_that_no_shell_can_read_is_refused(only: Only, monkeypatch: pytest.MonkeyPatch) -> None:
    only("c++")
    monkeypatch.setenv("CXX", "c++ '-O1")
    with pytest.raises(DeviceError, match=r"a shell cannot read: No closing quotation"):
        device_of("host")


def test_a_file_that_is_not_executable_is_refused(only: Only, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only("c++")
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    monkeypatch.setenv("METAHEUR_CXX", str(tmp_path / "mine"))
    with pytest.raises(DeviceError, match=f"'{tmp_path}/mine', which cannot be executed") as caught:
        device_of("host")
    assert caught.value.maybe == "unset METAHEUR_CXX."


def test_a_program_without_a_shebang_is_refused(only: Only, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only("c++")
    (tmp_path / "mine").write_text("exec c++\n")
    (tmp_path / "mine").chmod(0o755)
    monkeypatch.setenv("METAHEUR_CXX", str(tmp_path / "mine"))
    with pytest.raises(DeviceError, match=f"{tmp_path}/mine cannot be run: .*Exec format error") as caught:
        device_of("host")
    assert caught.value.maybe == "unset METAHEUR_CXX."


def test_a_compiler_that_fails_at_once_is_refused_with_what_it_said(
    only: Only, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    only("c++")
    monkeypatch.setenv("METAHEUR_CXX", str(script(tmp_path / "failing", "echo no licence >&2\nexit 3")))
    with pytest.raises(DeviceError, match=r"failing fails at --version \(exit status 3\):\nno licence") as caught:
        device_of("host")
    assert caught.value.maybe == "unset METAHEUR_CXX."


def test_without_a_compiler_the_way_out_is_named(only: Only, monkeypatch: pytest.MonkeyPatch) -> None:
    only()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"There is no C\+\+ compiler") as caught:
        device_of("host")
    assert 'parallel="numpy"' in caught.value.maybe
    assert "ziglang" in caught.value.maybe


def test_compilers_that_do_not_run_are_named_where_no_other_is_there(
    only: Only, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = only()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    script(folder / "c++", "exit 1")
    with pytest.raises(DeviceError, match=rf"There is no C\+\+ compiler(.|\n)*{folder}/c\+\+ fails at --version"):
        device_of("host")


# ---- compiling -------------------------------------------------------------------------------------------------------


def test_a_compiler_that_only_says_its_version_is_named(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = script(tmp_path / "failing", '[ "$1" = --version ] && echo mine && exit\nexit 3')
    monkeypatch.setenv("METAHEUR_CXX", str(failing))
    with pytest.raises(CompileError, match=rf"{failing} refused the unit:\n\(exit status 3\)"):
        Host().compile(unit_of(UNIT))


@pytest.mark.parametrize("name", ["cat", "cp", "sort"])
def test_a_program_that_is_not_a_compiler_is_called_so(name: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAHEUR_CXX", name)
    with pytest.raises(CompileError, match=rf"/{name} refused the unit") as caught:
        Host().compile(unit_of(UNIT))
    assert caught.value.maybe.startswith("it is not a C++ compiler, since it refuses every unit: set METAHEUR_CXX")
    monkeypatch.delenv("METAHEUR_CXX")
    find_compiler.cache_clear()
    with pytest.raises(CompileError) as caught:
        Host().compile(unit_of("nonsense"))
    assert caught.value.maybe == "the file and line above say what to mend."


def test_a_compiler_that_writes_no_library_is_named(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METAHEUR_CXX", str(script(tmp_path / "idle", "exit 0")))
    with pytest.raises(CompileError, match=f"{tmp_path}/idle ended without an error, but wrote no library") as caught:
        Host().compile(unit_of(UNIT))
    assert "METAHEUR_CXX" in caught.value.maybe


def test_a_compiler_that_is_removed_after_it_was_found_is_named(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = wrapper(tmp_path / "mine")
    monkeypatch.setenv("METAHEUR_CXX", str(compiler))
    find_compiler()
    compiler.unlink()
    with pytest.raises(DeviceError, match=f"{compiler} cannot be run"):
        Host().compile(unit_of(UNIT))


def test_messages_may_hold_bytes_that_are_no_text(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = script(tmp_path / "refusing", '[ "$1" = --version ] && exit\nprintf "Fehler: \\344\\n" >&2\nexit 1')
    monkeypatch.setenv("METAHEUR_CXX", str(refusing))
    with pytest.raises(CompileError, match=r"Fehler: \\xe4"):
        Host().compile(unit_of(UNIT))


def test_the_temporary_files_of_a_compiler_lie_in_its_folder(tmp_path: Path) -> None:
    noting = wrapper(tmp_path / "noting", 'echo "$TMPDIR" >"$TMPDIR/noted"')
    source, library = tmp_path / "unit.cpp", tmp_path / "unit.so"
    source.write_text(UNIT)
    Compiler((str(noting),), "").build(source, library)
    assert (tmp_path / "noted").read_text() == f"{tmp_path}\n"


def test_compilers_of_other_versions_and_names_have_other_identities() -> None:
    command = (system_compiler(),)
    compilers = [Compiler(command, "1"), Compiler(command, "2"), Compiler((*command, "-m32"), "1")]
    assert len({compiler.identity for compiler in compilers}) == 3


def test_a_compiler_that_nobody_waits_for_ends_with_the_process(tmp_path: Path) -> None:
    slow = script(
        tmp_path / "slow", f'case "$*" in *--version*) echo slow;; *) sleep 60 & echo $! > {tmp_path}/pid; wait;; esac'
    )
    program = (
        "import time, pathlib, sys\n"
        "from metaheur.device.host.library import build\n"
        "from metaheur.machine.ahead import Ahead\n"
        "Ahead(lambda: build('int answer;'), 'a unit')\n"
        "pid = pathlib.Path(sys.argv[1])\n"
        "while not pid.exists() or not pid.read_text():\n"
        "    time.sleep(0.01)\n"
    )
    environment = {**os.environ, "METAHEUR_CXX": str(slow), "METAHEUR_CACHE": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "pid")], env=environment, check=True, timeout=50)
    child = Path("/proc") / (tmp_path / "pid").read_text(encoding="ascii").strip() / "stat"
    assert _ends(child)


def _ends(stat: Path) -> bool:
    """Whether a process ends within some seconds: a signal reaches it a moment after it was sent."""
    for _ in range(1_000):
        try:
            if stat.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False
