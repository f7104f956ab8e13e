"""What Python knows of an object arrives in C++: each member at its offset, each value as it is."""

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import field, frozen

from metaheur.device.device import Device
from metaheur.device.host import Host
from metaheur.device.kernel import Kernel, compose
from metaheur.device.layout import Struct, struct_of, structs_of_problem
from metaheur.device.source import Source, Unit
from metaheur.errors import CompileError, InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Part, PlacementMemory, Tenure
from metaheur.problem import Kept, Problem, data
from metaheur.problems import QAP
from metaheur.representation import Permutation, Representation, Solution

SPACE = Permutation(5)
MATRIX = np.array([[1, -2, 3], [2**40, 5, -(2**40)]])
DEFINES = {"MH_THREADS": 128, "MH_BLOCKS": 1, "MH_TILE": 8}


@final
@frozen(eq=False)
class Everything(Problem):
    """Data of every kind, in an order that leaves gaps."""

    small: int = data("int32")
    real: float = data("float64")
    other: int = data("int32")
    large: int = data("int64")
    vector: np.ndarray = data("int32", ndim=1)
    reals: np.ndarray = data("float64", ndim=2)
    matrix: np.ndarray = data("int64", ndim=2)
    label: str = field(default="not for the device")

    source: ClassVar[Source] = Source(
        "struct Everything : EverythingData { MH_FN Total cost(Team, const Item*) const { return 0; } };"
    )

    @property
    def representation(self) -> Permutation:
        return SPACE

    def cost(self, x: Solution) -> int:
        return 0

    @property
    def constants(self) -> Mapping[str, int | bool]:
        return {"flag": True, "count": -7}

    @property
    def tables(self) -> Mapping[str, np.ndarray]:
        return {"doubled": 2 * self.vector}

    @property
    def state(self) -> Mapping[str, Kept]:
        return {
            "costs": Kept((5,)),
            "like_matrix": Kept((2, 3), "matrix"),
            "words": Kept((3,), "int32"),
        }


EVERYTHING = Everything(-3, 0.1, 2**31 - 1, -(2**63), np.array([300, -4]), np.array([[0.5, -1e300]]), MATRIX)


@final
@frozen
class Mixed(Part):
    """Fields of every kind, another part, and an array that is kept."""

    yes: bool = True
    whole: int = 2**62
    no: bool = False
    real: float = -0.1
    share: Fraction = Fraction(-22, 7)
    nothing: int | None = None
    tenure: Tenure = field(factory=lambda: Tenure(Fraction(1, 3), 2.5))

    source: ClassVar[Source] = Source("struct Mixed : MixedData {};")

    def state(self, representation: Representation) -> Mapping[str, Kept]:
        return {"seen": Kept((representation.length,), "float64")}


def unit(device: Device, shell: str, pointers: tuple[str, ...], part: Part = Mixed()) -> Kernel:
    """Everything and a part, composed, with a shell of our own behind them."""
    kernel = compose(EVERYTHING, Swap(), {"mixed": part}, device, defines=DEFINES, shells=[], pointers=pointers)
    text = kernel.text + Unit.join([Source(shell, "shell.cuh")]).text
    return Kernel(text, kernel.structs, pointers)


ARGUMENTS = """
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Mixed mixed;
    Problem::State state;
    Total* out;
    Total* real;
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");
"""


def offsets(struct: Struct, device: Device) -> str:
    """Assertions that every member lies where Python puts it; NVRTC knows no offsetof, but every size."""
    dtype = struct.dtype()
    assert dtype.fields is not None
    lines = [f'static_assert(sizeof({struct.name}) == {dtype.itemsize}, "{struct.name}");']
    for name, (kind, offset, *_) in dtype.fields.items():
        if device.kind == "host":
            at = f"__builtin_offsetof({struct.name}, {name})"
            lines.append(f'static_assert({at} == {offset}, "{struct.name}.{name}");')
        lines.append(f'static_assert(sizeof({struct.name}::{name}) == {kind.itemsize}, "{struct.name}.{name}");')
    return "\n".join(lines)


def test_every_member_lies_where_python_puts_it(compiling: Device) -> None:
    structs = unit(compiling, "", ()).structs.values()
    nested = [member for struct in structs for member in struct.members.values() if isinstance(member, Struct)]
    assert "TenureData" in {struct.name for struct in nested}
    shell = "\n".join(offsets(struct, compiling) for struct in [*structs, *nested])
    compiling.compile(unit(compiling, shell, ()).text)


def test_a_member_that_lies_elsewhere_would_be_seen() -> None:
    moved = Struct("MixedData", {"whole": 1, "yes": True})
    with pytest.raises(CompileError, match="MixedData"):
        Host().compile(unit(Host(), offsets(moved, Host()), ()).text)


def shown(device: Device, expressions: list[str], kind: str, part: Part = Mixed()) -> list[Any]:
    """The values of C++ expressions over `a`, the arguments; kind is "out" for whole numbers, "real" for others."""
    lines = [f"    arguments->{kind}[{k}] = {text};" for k, text in enumerate(expressions)]
    types = ARGUMENTS.replace("Total* real", "double* real")
    body = "\n".join(["    if (one_team().rank) return;", "    const Arguments& a = *arguments;", *lines])
    kernel = unit(device, f"{types}\nMH_ENTRY(show) {{\n{body}\n}}\n", ("out", "real"), part)
    buffers: dict[str, Any] = {
        "out": device.upload(np.zeros(len(expressions), np.int64)),
        "real": device.upload(np.zeros(len(expressions))),
    }
    pointers = {name: device.pointer(buffers[name]) for name in ("out", "real")}
    packed = {name: struct.pack(device, buffers) for name, struct in kernel.structs.items()}
    device.compile(kernel.text).launch("show", device.upload(kernel.arguments(packed, pointers)))
    return list(device.download(buffers[kind]).tolist())


def test_scalars_and_constants_arrive(compiling: Device) -> None:
    members = ["small", "other", "large", "n", "flag", "count"]
    found = shown(compiling, [f"a.problem.{member}" for member in members], "out")
    assert found == [-3, 2**31 - 1, -(2**63), 5, 1, -7]
    assert shown(compiling, ["a.problem.real"], "real") == [0.1]


def test_vectors_and_matrices_arrive(compiling: Device) -> None:
    entries = [f"a.problem.matrix({i}, {k})" for i in range(2) for k in range(3)]
    rows = [f"a.problem.matrix.row({i})[{k}]" for i in range(2) for k in range(3)]
    assert shown(compiling, entries, "out") == shown(compiling, rows, "out") == MATRIX.ravel().tolist()
    assert shown(compiling, ["a.problem.vector(0)", "a.problem.vector(1)"], "out") == [300, -4]
    assert shown(compiling, ["a.problem.doubled(0)", "a.problem.doubled(1)"], "out") == [600, -8]
    assert shown(compiling, ["a.problem.reals(0, 0)", "a.problem.reals(0, 1)"], "real") == [0.5, -1e300]
    lengths = ["matrix.rows", "matrix.columns", "vector.size", "reals.rows", "reals.columns"]
    assert shown(compiling, [f"a.problem.{length}" for length in lengths], "out") == [2, 3, 2, 1, 2]


def test_rows_are_padded_with_zeros(compiling: Device) -> None:
    padded = compiling.padded(3, compiling.stored(MATRIX))
    assert padded >= 3
    behind = [f"a.problem.matrix.row({i})[{k}]" for i in range(2) for k in range(3, padded)]
    assert shown(compiling, ["a.problem.matrix.stride", *behind], "out") == [padded] + [0] * len(behind)


def test_what_is_kept_starts_with_zeros_and_can_be_written(compiling: Device) -> None:
    kept = ["a.state.costs(4)", "a.state.like_matrix(1, 2)", "a.state.words(0)"]
    assert shown(compiling, kept, "out") == [0, 0, 0]
    written = ["(a.state.costs(4) = -9)", "(a.state.like_matrix(1, 2) = 7)", "a.state.costs(4)", "a.state.costs(3)"]
    assert shown(compiling, written, "out") == [-9, 7, -9, 0]


def test_a_kept_array_is_stored_like_the_data_that_it_names() -> None:
    state, problem = structs_of_problem(EVERYTHING, Host())
    assert state.members["like_matrix"].stored == problem.members["matrix"].stored == np.int64
    assert state.members["costs"].stored == np.dtype(EVERYTHING.cost_type)


def test_fields_of_parts_arrive(compiling: Device) -> None:
    members = ["yes", "whole", "no", "nothing", "share.numerator", "share.denominator", "n"]
    assert shown(compiling, [f"a.mixed.{member}" for member in members], "out") == [1, 2**62, 0, -1, -22, 7, 5]
    assert shown(compiling, ["a.mixed.real"], "real") == [-0.1]
    nested = [f"a.mixed.tenure.{end}.{part}" for end in ("low", "high") for part in ("numerator", "denominator")]
    assert shown(compiling, nested, "out") == [1, 3, 5, 2]
    assert shown(compiling, ["a.mixed.seen(0)", "a.mixed.seen(4)"], "real") == [0, 0]


class Level(IntEnum):
    HIGH = 3


def test_numbers_of_other_types_arrive_as_what_they_are(compiling: Device) -> None:
    part: Any = Mixed
    mixed = part(yes=np.True_, whole=Level.HIGH, real=np.float64(2.5), nothing=np.int32(4))
    assert shown(compiling, ["a.mixed.yes", "a.mixed.whole", "a.mixed.nothing"], "out", mixed) == [1, 3, 4]
    assert shown(compiling, ["a.mixed.real"], "real", mixed) == [2.5]


def test_a_field_without_a_cpp_type_is_refused() -> None:
    part: Any = Mixed
    with pytest.raises(InputError, match=r"Mixed\.real is 'x', which has no C\+\+ type"):
        struct_of(part(real="x"), SPACE, Host())


def test_a_kept_array_of_an_unknown_type_is_refused() -> None:
    @final
    @frozen(eq=False)
    class Odd(Problem):
        weights: np.ndarray = data("int32", ndim=1)

        @property
        def representation(self) -> Permutation:
            return SPACE

        def cost(self, x: Solution) -> int:
            return 0

        @property
        def state(self) -> Mapping[str, Kept]:
            return {"order": Kept((5,), "complex")}

    with pytest.raises(InputError, match=r"Odd\.state: order has the type 'complex'") as caught:
        structs_of_problem(Odd(np.arange(5)), Host())
    assert "cost, weights" in caught.value.maybe


def test_the_arrays_of_a_struct_are_named_by_struct_and_member() -> None:
    state, problem = structs_of_problem(QAP.random(4, 1), Host())
    assert {"QAPData.a", "QAPData.b", "QAPData.a_transposed"} == set(dict(problem.arrays()))
    assert "QAPState.permuted" in dict(state.arrays())
    memory = struct_of(PlacementMemory(), SPACE, Host())
    assert set(dict(memory.arrays())) == {"PlacementMemoryData.expiries"}
    assert dict(memory.arrays())["PlacementMemoryData.expiries"].nbytes(Host()) == 5 * 32 * 8


def test_replicas_of_what_is_kept_lie_one_after_the_other() -> None:
    state, _ = structs_of_problem(EVERYTHING, Host())
    buffers: dict[str, Any] = {}
    state.pack(Host(), buffers, replicas=3)
    assert buffers["EverythingState.like_matrix"].shape == (3 * 2, 32)
