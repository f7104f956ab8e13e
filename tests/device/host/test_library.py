"""Compiled units in the cache: built once, whole or not at all, this user's alone, verified before they are loaded."""

import ctypes
import grp
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from metaheur.device.host import library
from metaheur.device.host.compiler import find_compiler
from metaheur.errors import CompileError, DeviceError
from tests.device.compilers import ADD, UNIT, printed, started, wrapper
from tests.helpers import two_cores

NOBODY = 54_321
OTHER = 'extern "C" int nothing() { return 0; }'
LOAD = f"{ADD}\nprint(added({UNIT!r}, 2))"
"""A process of its own, which a damaged library may kill."""

administrator = pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can give files away")


def only_library(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


# ---- built once ------------------------------------------------------------------------------------------------------


def test_a_unit_is_compiled_once(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tmp_path / "calls"
    monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "counting", f'echo "$*" >>{calls}')))

    def compilations() -> int:
        return sum("-shared" in call for call in calls.read_text().splitlines())

    assert printed(LOAD) == "42\n"
    assert compilations() == 1
    assert printed(LOAD) == "42\n"
    assert compilations() == 1
    assert printed(f"{ADD}\nprint(added({UNIT.replace('+=', '-=')!r}, 2))") == "38\n"
    assert compilations() == 2
    assert len(list(cache.iterdir())) == 2


def test_another_compiler_compiles_anew(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / name)))
        find_compiler.cache_clear()
        library.load(UNIT)
    assert len(list(cache.iterdir())) == 2


def test_other_flags_compile_anew(cache: Path) -> None:
    text = 'extern "C" __attribute__((visibility("default"))) int value() { return VALUE; }'
    assert library.load(text, ("-DVALUE=1",)).value() == 1
    assert library.load(text, ("-DVALUE=2",)).value() == 2
    assert len(list(cache.iterdir())) == 2


def test_a_unit_that_does_not_compile_leaves_nothing_in_the_cache(cache: Path) -> None:
    with pytest.raises(CompileError):
        library.load("nonsense")
    assert list(cache.iterdir()) == []


def test_a_relative_cache_works_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    code = f"import os\n{ADD}\nprint(added({UNIT!r}, 2))\nos.chdir('/')\nprint(added({UNIT!r}, 3))"
    monkeypatch.chdir(tmp_path)
    assert printed(code, METAHEUR_CACHE=".") == "42\n43\n"
    assert only_library(tmp_path).suffix == ".so"


# ---- verified --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds a unit and another one."""
    folder = tmp_path_factory.mktemp("built") / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METAHEUR_CACHE", str(folder))
        library.build(UNIT)
        library.build(OTHER)
    return folder


def truncated(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def beginning(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def without_end(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def longer(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def empty(path: Path, other: Path) -> None:
    path.write_bytes(b"")


def zeros(path: Path, other: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def flipped(place: float) -> Callable[[Path, Path], None]:
    def flip(path: Path, other: Path) -> None:
        content = bytearray(path.read_bytes())
        content[int(place * (len(content) - 1))] ^= 0x10
        path.write_bytes(content)

    return flip


def another_unit(path: Path, other: Path) -> None:
    shutil.copy(other, path)


def any_library(path: Path, other: Path) -> None:
    path.write_bytes(other.read_bytes()[: -library.CHECKSUM_BYTES])


def endless(path: Path, other: Path) -> None:
    os.truncate(path, 2**40)


def a_pipe(path: Path, other: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "damage",
    [
        *(truncated, beginning, without_end, longer, empty, zeros),
        *(pytest.param(flipped(place), id=f"flipped at {place}") for place in (0.0, 0.1, 0.3, 0.5, 0.9, 1.0)),
        *(another_unit, any_library, endless, a_pipe),
    ],
)
def test_a_damaged_library_is_built_anew(cache: Path, built: Path, damage: Callable[[Path, Path], None]) -> None:
    shutil.copytree(built, cache)
    path, other = library.build(UNIT), library.build(OTHER)
    damage(path, other)
    damaged = path.stat().st_ino
    assert printed(LOAD) == "42\n"
    mended = path.stat().st_ino
    assert mended != damaged
    assert library.build(UNIT).stat().st_ino == mended  # and not again


def test_a_folder_in_the_place_of_a_library_is_refused_in_words(cache: Path) -> None:
    path = library.build(UNIT)
    path.unlink()
    path.mkdir()
    with pytest.raises(DeviceError, match=f"{path} cannot be kept in the cache") as caught:
        library.build(UNIT)
    assert "METAHEUR_CACHE" in caught.value.maybe


# ---- this user's alone -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077, 0o777])
def test_folder_and_files_are_the_users_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "above" / "cache"
    code = f"import os\n{ADD}\nos.umask({umask})\nprint(added({UNIT!r}, 2))"
    assert printed(code, METAHEUR_CACHE=folder) == "42\n"
    assert folder.stat().st_mode & 0o7777 == 0o700
    assert folder.parent.stat().st_mode & 0o7777 == 0o700
    assert only_library(folder).stat().st_mode & 0o7777 == 0o600


@pytest.mark.parametrize("mode", [0o770, 0o720, 0o707, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None, mode: int
) -> None:
    folder = tmp_path / "my cache"
    monkeypatch.setenv("METAHEUR_CACHE", str(folder))
    library.build(UNIT)
    folder.chmod(mode)
    with pytest.raises(DeviceError, match=rf"{folder} must be writable by you alone, .* {mode:o}: others") as caught:
        library.load(UNIT)
    assert "set METAHEUR_CACHE to a folder of your own" in caught.value.maybe
    subprocess.run(shlex.split(caught.value.maybe.partition("run: ")[2]), check=True)
    library.load(UNIT)


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755, 0o711])
def test_a_folder_that_others_can_read_is_used(cache: Path, mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    library.load(UNIT)
    assert cache.stat().st_mode & 0o7777 == mode


@administrator
def test_a_folder_of_another_user_is_refused(cache: Path) -> None:
    library.build(UNIT)
    os.chown(cache, NOBODY, -1)
    with pytest.raises(
        DeviceError, match=f"The cache {cache} must belong to you .* belongs to user {NOBODY}"
    ) as caught:
        library.load(UNIT)
    assert caught.value.maybe == "set METAHEUR_CACHE to a folder of your own."


@administrator
def test_a_library_of_another_user_is_built_anew(cache: Path) -> None:
    planted = library.build(UNIT)
    os.chown(planted, NOBODY, -1)
    inode = planted.stat().st_ino
    assert library.build(UNIT).stat().st_uid == os.geteuid()
    assert planted.stat().st_ino != inode


def test_a_library_that_others_can_write_is_built_anew(cache: Path) -> None:
    path = library.build(UNIT)
    path.chmod(0o666)
    assert library.build(UNIT).stat().st_mode & 0o7777 == 0o600


@administrator
def test_what_the_administrator_built_serves_everybody_who_may_read_it() -> None:
    with tempfile.TemporaryDirectory() as above:
        Path(above).chmod(0o755)
        folder = Path(above) / "cache"
        code = f"""
import os
from pathlib import Path
from metaheur.errors import DeviceError
{ADD}
path = library.build({UNIT!r})
path.chmod(0o644)
path.parent.chmod(0o755)
os.setuid({NOBODY})
print(added({UNIT!r}, 2))
try:
    library.build("int another;")
except DeviceError as error:
    print(error)
"""
        first, second, maybe = printed(code, METAHEUR_CACHE=folder).splitlines()
        assert first == "42"
        assert "Permission denied" in second
        assert "METAHEUR_CACHE" in maybe


def test_only_missing_folders_are_made(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there").chmod(0o755)
    library.make_private(tmp_path / "there" / "new" / "newer")
    modes = [(tmp_path / path).stat().st_mode & 0o777 for path in ("there", "there/new", "there/new/newer")]
    assert modes == [0o755, 0o700, 0o700]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_above_that_others_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None, mode: int
) -> None:
    above = tmp_path / "above"
    monkeypatch.setenv("METAHEUR_CACHE", str(above / "deep" / "cache"))
    monkeypatch.setattr("metaheur.device.host.private._is_alone", lambda group: False)
    library.build(UNIT)
    above.chmod(mode)
    with pytest.raises(DeviceError, match=rf"{above}, which is above the cache .* {mode:o}: others") as caught:
        library.load(UNIT)
    subprocess.run(shlex.split(caught.value.maybe.partition("run: ")[2]), check=True)
    library.load(UNIT)


def test_a_folder_above_in_which_only_owners_rename_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "above" / "cache"))
    library.build(UNIT)
    (tmp_path / "above").chmod(0o1777)
    library.load(UNIT)


def test_a_folder_above_may_be_written_by_a_group_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "above" / "cache"))
    library.build(UNIT)
    (tmp_path / "above").chmod(0o775)
    user, gid = pwd.getpwuid(os.geteuid()), (tmp_path / "above").stat().st_gid
    for members, alone in (([], True), ([user.pw_name], True), ([user.pw_name, "another"], False)):
        group = grp.struct_group((user.pw_name, "x", gid, members))
        monkeypatch.setattr("grp.getgrgid", lambda number, group=group: group)
        if alone:
            library.load(UNIT)
        else:
            with pytest.raises(DeviceError, match="775: others"):
                library.load(UNIT)


def test_a_folder_above_that_a_link_leads_to_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "open" / "cache")
    (tmp_path / "open" / "cache").mkdir(mode=0o700)
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "link"))
    with pytest.raises(DeviceError, match=f"{tmp_path}/open, which is above the cache {tmp_path}/link"):
        library.load(UNIT)


@administrator
def test_a_folder_above_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "above" / "cache"))
    library.build(UNIT)
    os.chown(tmp_path / "above", NOBODY, -1)
    with pytest.raises(DeviceError, match=f"The folder {tmp_path}/above, .* belongs to user {NOBODY}"):
        library.load(UNIT)


def test_what_is_above_the_users_home_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    home = tmp_path / "homes" / "user"
    home.mkdir(parents=True)
    (tmp_path / "homes").chmod(0o777)
    user = list(pwd.getpwuid(os.geteuid()))
    user[5] = str(home)
    monkeypatch.setattr("pwd.getpwuid", lambda number: pwd.struct_passwd(user))
    monkeypatch.setenv("METAHEUR_CACHE", str(home / ".cache" / "metaheur"))
    library.load(UNIT)


# ---- deleted ---------------------------------------------------------------------------------------------------------


def test_a_cache_that_is_deleted_between_two_units_is_made_anew(cache: Path) -> None:
    first = library.load(UNIT)
    shutil.rmtree(cache)
    assert library.load(UNIT.replace("+=", "-=")) is not None
    number = ctypes.c_longlong(40)
    first.add(ctypes.byref(number), ctypes.c_longlong(2))  # what was loaded stays
    assert number.value == 42
    assert only_library(cache).suffix == ".so"


def test_a_cache_that_is_deleted_while_a_unit_is_compiled_is_made_anew(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = f'case "$*" in *-shared*) [ -e {tmp_path}/done ] || {{ touch {tmp_path}/done; rm -r {cache}; }};; esac'
    monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "deleting", once)))
    find_compiler.cache_clear()
    library.load(UNIT)
    assert (tmp_path / "done").exists()
    assert only_library(cache).suffix == ".so"


# ---- many threads ----------------------------------------------------------------------------------------------------


def loaded_at_once(*texts: str) -> None:
    """Load units, each in a thread of its own."""
    find_compiler()
    together = Barrier(len(texts))

    def load(text: str) -> None:
        together.wait()
        library.load(text)

    with ThreadPoolExecutor(len(texts)) as pool:
        list(pool.map(load, texts))


def test_of_threads_that_want_the_same_unit_one_compiles_it(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = tmp_path / "calls"
    monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "counting", f'echo "$*" >>{calls}')))
    find_compiler.cache_clear()
    loaded_at_once(UNIT, UNIT, UNIT, UNIT)
    assert sum("-shared" in call for call in calls.read_text().splitlines()) == 1


@two_cores
def test_threads_compile_different_units_at_the_same_time(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each compiler waits, for a minute at most, until two of them are at work."""
    wait = f"""case "$*" in *-shared*) touch {tmp_path}/at-work-$$
for round in $(seq 1200); do [ $(ls -d {tmp_path}/at-work-* | wc -l) -ge 2 ] && break; sleep 0.05; done
[ $(ls -d {tmp_path}/at-work-* | wc -l) -ge 2 ] || exit 1;; esac"""
    monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "waiting", wait)))
    find_compiler.cache_clear()
    loaded_at_once(UNIT, OTHER)
    assert len(list(cache.iterdir())) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_is_forked_while_a_thread_compiles_compiles_itself(cache: Path, tmp_path: Path) -> None:
    code = f"""
import os
from threading import Thread
from pathlib import Path
import time
{ADD}
thread = Thread(target=library.load, args=({UNIT!r},))
thread.start()
while not Path({str(tmp_path / "began")!r}).exists():
    time.sleep(0.02)
child = os.fork()
if child == 0:
    Path({str(tmp_path / "go")!r}).touch()
    print(added({UNIT!r}, 2), flush=True)
    os._exit(0)
os.waitpid(child, 0)
thread.join()
"""
    assert printed(code, METAHEUR_CXX=waiting(tmp_path / "waiting", tmp_path)) == "42\n"


# ---- many processes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damaged", [False, True])
def test_processes_that_build_the_same_unit_at_once_do_not_meet(cache: Path, damaged: bool) -> None:
    if damaged:
        path = library.build(UNIT)
        path.write_bytes(path.read_bytes()[:3000])
    processes = [started(LOAD) for _ in range(4)]
    assert [process.communicate() for process in processes] == [("42\n", "")] * 4
    assert only_library(cache).suffix == ".so"


def waiting(path: Path, folder: Path) -> Path:
    """A compiler that says that it began, and goes on when it is told to."""
    wait = f'[ "$1" = --version ] || {{ touch {folder}/began; while [ ! -e {folder}/go ]; do sleep 0.05; done; }}'
    return wrapper(path, wait)


def wait_for(path: Path, process: "subprocess.Popen[str]") -> None:
    while not path.exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)


def test_what_a_killed_compilation_leaves_is_removed_by_the_next(cache: Path, tmp_path: Path) -> None:
    process = started(LOAD, METAHEUR_CXX=waiting(tmp_path / "waiting", tmp_path))
    wait_for(tmp_path / "began", process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    left = only_library(cache)
    assert (left / "unit.cpp").exists()
    assert printed(LOAD) == "42\n"
    assert only_library(cache).suffix == ".so"
    (tmp_path / "go").touch()  # the compiler has a process group of its own


def test_a_compilation_that_goes_on_is_left_alone(cache: Path, tmp_path: Path) -> None:
    process = started(LOAD, METAHEUR_CXX=waiting(tmp_path / "waiting", tmp_path))
    wait_for(tmp_path / "began", process)
    assert printed(LOAD) == "42\n"
    (tmp_path / "go").touch()
    assert process.communicate() == ("42\n", "")
    assert [path.suffix for path in cache.iterdir()] == [".so", ".so"]


# ---- file systems ----------------------------------------------------------------------------------------------------


def test_a_cache_that_is_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch(0o600)
    for named in ("file", "file/below"):
        monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / named))
        with pytest.raises(DeviceError, match=f"{tmp_path}/{named}/.* cannot be kept in the cache") as caught:
            library.load(UNIT)
        assert "METAHEUR_CACHE" in caught.value.maybe


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A file system of its own, mounted with these options; who is not the administrator cannot test with one."""
    folders: list[Path] = []

    def mount(options: str) -> Path:
        folder = tmp_path / "mounted"
        folder.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", f"mode=700,{options}", "tmpfs", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            pytest.skip(f"there is no mount: {error}")
        if done.returncode:
            pytest.skip(done.stderr.strip())
        folders.append(folder)
        return folder

    yield mount
    for folder in folders:
        subprocess.run(["umount", str(folder)], check=True)


def refusal(cache: Path) -> str:
    """What a process of its own is told, which lets go of the file system when it ends."""
    return printed(
        f"{ADD}\nfrom metaheur.errors import DeviceError\ntry:\n    added({UNIT!r}, 2)\n"
        "except DeviceError as error:\n    print(error)",
        METAHEUR_CACHE=cache,
    )


@pytest.mark.parametrize("free", [0, 1, 3, 5])
def test_a_full_disk_is_named_and_nothing_is_left(mounted: Callable[[str], Path], free: int) -> None:
    folder = mounted("size=64k")
    room = os.statvfs(folder)
    (folder / "ballast").write_bytes(bytes((room.f_bavail - free) * room.f_bsize))
    reason, maybe = refusal(folder).rstrip().split("\nMaybe ")
    assert "No space left on device" in reason or "The disk is full" in reason
    assert maybe.startswith("make room")
    assert [path.name for path in folder.iterdir()] == ["ballast"]


def test_a_cache_that_cannot_be_written_is_named(mounted: Callable[[str], Path]) -> None:
    folder = mounted("ro")
    reason, maybe = refusal(folder).rstrip().split("\nMaybe ")
    assert "Read-only file system" in reason
    assert "set METAHEUR_CACHE to a folder of your own that can be written" in maybe


def test_a_cache_from_which_nothing_can_be_loaded_is_named(mounted: Callable[[str], Path]) -> None:
    folder = mounted("noexec")
    reason, maybe = refusal(folder).rstrip().split("\nMaybe ")
    assert "cannot be loaded" in reason
    assert "noexec" in maybe


def test_a_filled_cache_that_cannot_be_written_is_used(mounted: Callable[[str], Path]) -> None:
    folder = mounted("size=1m")
    assert printed(LOAD, METAHEUR_CACHE=folder) == "42\n"
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    assert printed(LOAD, METAHEUR_CACHE=folder) == "42\n"


RUN = """
import os, resource, subprocess
from metaheur import HillClimbing, TabuSearch, Watcher, run, stop
from metaheur.errors import DeviceError
from metaheur.neighborhoods import Insertion, Swap
from metaheur.problems import QAP

def read_only(folder):
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)

def full(folder):
    with open(folder + "/ballast", "wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass

def limited(folder):
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

class Spoils(Watcher):
    looks = 0
    def next_look(self, view):
        return view.iterations + 10
    def look(self, view):
        if self.looks == 0:
            {how}(os.environ["METAHEUR_CACHE"])
        self.looks += 1

def found(search, parallel, watch=()):
    result = run(search, QAP.random(9, 3), stop=stop.iterations(60), seed=1, parallel=parallel, watch=watch)
    return result.cost, result.solution.tolist(), result.iterations, result.failures

spoils = Spoils()
walks = [found(TabuSearch(Swap()), *each) for each in (("host", [spoils]), ("host",), ("numpy",))]
print(spoils.looks, walks[0] == walks[1] == walks[2], walks[0][-1])
for parallel in ("host", "auto"):
    try:
        found(HillClimbing(Insertion()), parallel)
    except DeviceError as error:
        print(error)
"""


@pytest.mark.parametrize("longest", [100, 4000, 15000])
def test_a_limit_of_what_a_file_may_hold_is_named(cache: Path, longest: int) -> None:
    limited = f"""
import resource
from metaheur.device.host.compiler import find_compiler
from metaheur.errors import DeviceError
{ADD}
find_compiler()
resource.setrlimit(resource.RLIMIT_FSIZE, ({longest}, {longest}))
try:
    added({UNIT!r}, 2)
except DeviceError as error:
    print(error)
"""
    reason, maybe = printed(limited).rstrip().split("\nMaybe ")
    assert "File too large" in reason or "files must be shorter" in reason
    assert maybe.startswith("make room")
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    ("how", "reason"),
    [("read_only", "Read-only file system"), ("full", "No space left on device"), ("limited", "File too large")],
)
def test_a_run_goes_on_where_its_cache_cannot_be_written_any_more(
    how: str, reason: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder = tmp_path / "cache" if how == "limited" else request.getfixturevalue("mounted")("size=3m")
    first, *refusals = printed(RUN.format(how=how), METAHEUR_CACHE=folder).splitlines()
    assert first == "5 True ()"
    assert len(refusals) == 4
    for wording, maybe in (refusals[:2], refusals[2:]):
        assert "cannot be kept in the cache: " in wording
        assert reason in wording
        assert maybe.startswith("Maybe make room there, or set METAHEUR_CACHE")
    assert {path.suffix for path in folder.iterdir() if path.name != "ballast"} == {".so"}
