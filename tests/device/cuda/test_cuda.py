"""A GPU: what is said where there is none, and how arrays are stored on one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.cuda import cuda
from metaheur.device.cuda.cuda import Cuda, padded_on_cuda, stored_on_cuda
from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import CompileError, DeviceError, InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.searches import HillClimbing
from tests.device.compilers import printed, unit_of


@pytest.mark.parametrize("name", ["cuda", "cuda:0", "cuda:1"])
@pytest.mark.parametrize("resident", [None, False])
def test_without_a_gpu_the_way_out_is_named(gpu_is_there: bool, name: str, resident: bool | None) -> None:
    if gpu_is_there:
        pytest.skip("a GPU is there")
    with pytest.raises(DeviceError, match="CuPy") as caught:
        IterationLevel(name, resident=resident).bind(HillClimbing(Swap()), QAP.random(5, 1))
    assert 'parallel="host"' in caught.value.maybe


def test_without_cupy_its_installation_is_named() -> None:
    try:
        import cupy  # noqa: F401
    except ImportError:
        with pytest.raises(DeviceError, match="CuPy cannot be imported") as caught:
            Cuda()
        assert "metaheur[cuda13]" in caught.value.maybe
    else:
        pytest.skip("CuPy is installed")


def test_a_process_that_was_forked_after_a_gpu_was_used_is_told_to_spawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda._PROCESS, "forked", True)
    with pytest.raises(DeviceError, match="CUDA does not work after a fork") as caught:
        IterationLevel("cuda").bind(HillClimbing(Swap()), QAP.random(5, 1))
    assert "spawn" in caught.value.maybe


FORK = """
import os
from metaheur.device.cuda.cuda import Cuda, gpus
assert gpus()
reader, writer = os.pipe()
if os.fork() == 0:
    try:
        Cuda()
    except Exception as error:
        os.write(writer, str(error).encode())
    os._exit(0)
os.wait()
print(os.read(reader, 1000).decode())
"""


@pytest.mark.cuda
def test_a_fork_after_the_first_look_at_a_gpu_is_noticed(gpu: Device) -> None:
    assert "CUDA does not work after a fork" in printed(FORK)


@pytest.mark.parametrize("name", ["gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:1:2", "Cuda", " cuda", "hosts", ""])
def test_what_is_no_device_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="is not the name of a device"):
        device_of(name)


@pytest.mark.parametrize("name", ["numpy", "auto"])
def test_what_does_not_compile_is_no_compiled_device(name: str) -> None:
    with pytest.raises(InputError, match="is not a compiled device"):
        device_of(name)


@pytest.mark.parametrize(
    ("values", "dtype", "stored"),
    [
        ([0, 255], "int64", "uint8"),
        ([0, 256], "int64", "int16"),
        ([-1, 255], "int32", "int16"),
        ([-(2**15) + 1, 2**15 - 1], "int64", "int16"),
        ([2**15], "int64", "int32"),
        ([-(2**15)], "int64", "int32"),
        ([2**31 - 1], "int64", "int32"),
        ([2**31], "int64", "int64"),
        ([-(2**31)], "int32", "int32"),
        ([0.0, 1.0], "float64", "float64"),
        ([], "int64", "int64"),
    ],
)
def test_whole_numbers_are_stored_as_narrow_as_they_fit(values: list[int], dtype: str, stored: str) -> None:
    assert stored_on_cuda(np.array(values, dtype)) == np.dtype(stored)


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-300, 300), min_size=1, max_size=5))
def test_storing_loses_nothing(values: list[int]) -> None:
    array = np.array(values, np.int64)
    assert array.astype(stored_on_cuda(array)).tolist() == values


@given(st.integers(1, 10_000), st.sampled_from(["uint8", "int16", "int32"]))
def test_rows_are_an_odd_number_of_words(length: int, dtype: str) -> None:
    kind = np.dtype(dtype)
    padded = padded_on_cuda(length, kind)
    words, rest = divmod(padded * kind.itemsize, 4)
    assert rest == 0
    assert words % 2 == 1
    assert length <= padded < length + 2 * 4 // kind.itemsize


@given(st.integers(1, 10_000), st.sampled_from(["int64", "float64"]))
def test_rows_of_long_entries_are_not_padded(length: int, dtype: str) -> None:
    assert padded_on_cuda(length, np.dtype(dtype)) == length


@pytest.mark.cuda
def test_a_gpu_that_is_not_there_is_named(gpu: Device) -> None:
    with pytest.raises(DeviceError, match="The GPU cuda:9999 does not exist: this machine has"):
        device_of("cuda:9999")


@pytest.mark.cuda
def test_arrays_travel_to_a_gpu_and_back(gpu: Device) -> None:
    buffer = gpu.upload(np.arange(6, dtype=np.int32).reshape(2, 3))
    gpu.write(buffer, np.array([7, 8, 9, 10], np.int32))
    assert gpu.download(buffer).tolist() == [7, 8, 9, 10, 4, 5]
    assert gpu.download(buffer, 2, 3).tolist() == [9, 10, 4]
    assert gpu.pointer(buffer) > 0


@pytest.mark.cuda
def test_a_mistake_is_shown_with_its_file_and_line(gpu: Device) -> None:
    with pytest.raises(CompileError, match=r"some/where\.cuh\(2\): error"):
        gpu.compile(unit_of('#line 1 "some/where.cuh"\nint a;\nint b = c;\n'))
