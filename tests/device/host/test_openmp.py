"""OpenMP: whether it works, and that forked processes, which lack its threads, never wait for them."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from metaheur.device.host.openmp import has_openmp
from metaheur.errors import DeviceError
from tests.device.compilers import started, system_compiler, wrapper
from tests.helpers import two_cores

UNIT = """
extern "C" __attribute__((visibility("default"))) void threads(long long* counted, long long) {
    long long number = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(2) reduction(+ : number)
#endif
    number += 1;
    *counted = number;
}
"""
BEGIN = f"""
import ctypes
import multiprocessing
import os
import numpy as np
from metaheur.device.host import library
from metaheur.device.host.host import Host
from metaheur.device.host.openmp import forked_after_openmp, has_openmp
from metaheur.errors import DeviceError
from tests.device.compilers import unit_of

def threads_of(module):
    counted = np.zeros(1, np.int64)
    module.launch("threads", counted)
    return int(counted[0])

def threads(*_):
    return threads_of(Host().compile(unit_of({UNIT!r}, openmp=True)))

def in_child(function):
    child = os.fork()
    if child == 0:
        print("child", function(), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0) == (child, 0)
"""


def lines(code: str, **environment: object) -> list[str]:
    """What a process prints that forks others; if they hang, all are killed."""
    process = started(BEGIN + code, **environment)
    try:
        out, err = process.communicate(timeout=120)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert process.returncode == 0, err
    return out.splitlines()


@pytest.fixture
def openmp() -> None:
    if not has_openmp():
        pytest.skip("the compiler makes no OpenMP threads")


# ---- whether it works ------------------------------------------------------------------------------------------------


def test_a_compiler_that_knows_no_openmp_has_none(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = 'for word; do [ "$word" = -fopenmp ] && exit 1; done'
    monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "without", without)))
    assert not has_openmp()


def test_a_compiler_whose_openmp_does_not_load_has_none(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lost.c").touch()
    lost = tmp_path / "liblost.so"
    subprocess.run([system_compiler(), "-shared", "-o", lost, tmp_path / "lost.c"], check=True)
    linking = f'[ "$1" = --version ] || set -- "$@" -L{tmp_path} -Wl,--no-as-needed -llost'
    monkeypatch.setenv("METAHEUR_CXX", str(wrapper(tmp_path / "linking", linking)))
    assert not has_openmp()


def test_a_cache_that_is_refused_says_nothing_about_openmp(openmp: None, cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    with pytest.raises(DeviceError, match="writable by you alone"):
        has_openmp()
    cache.chmod(0o700)
    assert has_openmp()


# ---- after a fork ----------------------------------------------------------------------------------------------------


def test_a_process_forked_after_openmp_runs_in_one_thread(openmp: None) -> None:
    code = "print(threads())\nin_child(threads)\nprint(threads())"
    assert lines(code) == ["2", "child 1", "2"]


def test_so_does_one_that_it_forks(openmp: None) -> None:
    code = "threads()\nin_child(lambda: in_child(threads))"
    assert lines(code) == ["child 1", "child None"]


def test_a_pool_of_forked_processes_runs(openmp: None) -> None:
    code = """
threads()
with multiprocessing.get_context("fork").Pool(3) as pool:
    print(*pool.map(threads, range(6)))
"""
    assert lines(code) == ["1 1 1 1 1 1"]


def test_what_was_loaded_before_the_fork_is_refused_in_words(openmp: None) -> None:
    code = f"""
module = Host().compile(unit_of({UNIT!r}, openmp=True))
threads_of(module)

def refused():
    try:
        threads_of(module)
    except DeviceError as error:
        return str(error)

in_child(refused)
print(threads_of(module))
"""
    reason, maybe, parent = lines(code)
    assert reason.startswith("child This unit was loaded before the process was forked.")
    assert 'get_context("forkserver")' in maybe
    assert parent == "2"


def test_a_unit_of_one_thread_survives_a_fork(openmp: None) -> None:
    code = f"module = Host().compile(unit_of({UNIT!r}))\nthreads()\nin_child(lambda: threads_of(module))"
    assert lines(code) == ["child 1"]


def test_openmp_of_another_package_counts(openmp: None) -> None:
    code = f"""
other = library.load({UNIT!r}, ("-fopenmp",))
other.threads(np.zeros(1, np.int64).ctypes, 0)
in_child(threads)
"""
    assert lines(code) == ["child 1"]


def test_a_process_forked_before_openmp_has_its_threads(openmp: None) -> None:
    assert lines("in_child(threads)\nprint(forked_after_openmp())\nprint(threads())") == ["child 2", "False", "2"]


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_that_begin_anew_have_threads(openmp: None, method: str) -> None:
    code = (
        f"threads()\nwith multiprocessing.get_context({method!r}).Pool(1) as pool:\n    print(pool.apply(has_openmp))"
    )
    assert lines(code) == ["True"]


@two_cores
def test_a_run_in_a_forked_process_finds_the_same(openmp: None) -> None:
    code = """
from metaheur import HillClimbing, TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP

def found():
    results = [
        run(search, QAP.random(30, 3), stop=stop.iterations(40), seed=1,
            parallel=IterationLevel("host", resident=False, threads=2))
        for search in (TabuSearch(Swap()), HillClimbing(Swap()))
    ]
    return [(result.cost, result.iterations, result.solution.tolist()) for result in results]

print("child", found(), flush=True)
in_child(found)
"""
    parent, child = lines(code)
    assert child == parent
