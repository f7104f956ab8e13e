"""What tests share: the devices to run on, and the published instances."""

import json
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from metaheur.device.cuda.cuda import cupy
from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import DeviceError
from tests import precompiled

# Nothing is timed: a machine may be slow, or compile for other tests at the same time.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("untimed"), max_examples=40)
settings.load_profile("untimed")

# Compiling takes most of the time, and a third of it where units are not optimised. What is computed must not depend on
# it: pairs of problems and neighborhoods and the documentation's programs take the flags that users get.
if "METAHEUR_CXXFLAGS" not in os.environ:
    os.environ["METAHEUR_CXXFLAGS"] = precompiled.flags("-O0")

# Processes that tests start read Python's bytecode, instead of compiling every module once more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Workers of Dask are forked from a server that has imported what they need: each would take seconds to import it anew,
# and sixteen of them, on a busy machine, minutes.
os.environ.setdefault("DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD", "forkserver")

# A job that a shell started in the background ignores Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def _flags(request: pytest.FixtureRequest) -> Iterator[None]:
    """Flags that users get, for modules that say so."""
    with pytest.MonkeyPatch.context() as patch:
        if getattr(request.module, "OPTIMIZED", False):
            patch.setenv("METAHEUR_CXXFLAGS", "")
        yield


THOROUGH = (
    "tests/docs/test_pages.py::test_the_programs_of_a_page_run",
    "tests/docs/test_pages.py::test_the_programs_of_the_experiments_page_run",
    "tests/report/test_run_many.py",
    "tests/neighborhoods/test_limits.py::test_the_corners_are_exact",
    "tests/parts/memory/test_edge_memory.py",
    "tests/problems/trees/test_flow_shop_tree.py::test_one_machine_keeps_the_published_number_of_nodes[Explorers",
    "tests/searches/test_pareto_local_search.py",
    "tests/searches/test_tabu_search.py",
    "tests/test_pairs.py::test_searches_walk_the_same_way_in_both_languages",
    "tests/translator/test_fuzz.py",
    "tests/translator/test_twins.py",
    "tests/tree/test_cuda_expander.py",
    "tests/tree/test_every_tree.py",
    "tests/parallel/test_exploration.py",
    "tests/stop/test_tree.py::test_a_round_that_was_broken_off_is_finished_elsewhere",
    "tests/tree/test_nvrtc.py",
    "tests/tree/test_resume.py",
)
"""What takes long, beside the tests that say so themselves."""


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples where what takes long is left out."""
    if config.option.markexpr == "not thorough":
        settings.load_profile("few")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long."""
    for item in items:
        if item.nodeid.startswith(THOROUGH):
            item.add_marker(pytest.mark.thorough)


SECONDS: defaultdict[str, float] = defaultdict(float)
"""The seconds of each file of tests: its tests, and what they need."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what tests take."""
    SECONDS[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the seconds for `.ci/size.py`, which shows them by rooms."""
    if SECONDS and not hasattr(session.config, "workerinput"):
        kept = Path(__file__).parents[1] / "build" / "seconds.json"
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps({**known, **SECONDS}, indent=0, sort_keys=True), encoding="utf-8")


CUDA = pytest.param("cuda", marks=pytest.mark.cuda)


def _there(name: str) -> str:
    if name == "cuda":
        try:
            cupy()
        except DeviceError as error:
            pytest.skip(error.reason)
    return name


@pytest.fixture(params=["numpy", "host", CUDA])
def device(request: pytest.FixtureRequest) -> str:
    """The name of a device; the test runs on each of them."""
    return _there(request.param)


@pytest.fixture(params=["host", CUDA])
def compiling(request: pytest.FixtureRequest) -> Device:
    """A device that runs C++; the test runs on each of them."""
    return device_of(_there(request.param))


@pytest.fixture
def gpu() -> Device:
    """A GPU, for tests that only one can run; they carry the marker `cuda`."""
    return device_of(_there("cuda"))


@pytest.fixture
def gpu_is_there() -> bool:
    """Whether CuPy sees a GPU."""
    try:
        cupy()
    except DeviceError:
        return False
    return True


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of the published instances, which $METAHEUR_DATA names."""
    named = os.environ.get("METAHEUR_DATA")
    if not named:
        pytest.skip("METAHEUR_DATA is not set to the folder of the benchmark instances")
    folder = Path(named)
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA names {folder}, which is not a folder")
    return folder
