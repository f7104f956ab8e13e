"""What Python knows of an object arrives in C++: each member at its offset, each value as it is."""

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import evolve, field, frozen

from metaheur import TabuSearch
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.generator.layout import Member, Struct
from metaheur.device.generator.record import types_of
from metaheur.device.generator.shell import Shell
from metaheur.device.generator.structs import struct_of, structs_of_problem
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.host.host import Host
from metaheur.device.session import Session
from metaheur.errors import CompileError, InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods import Swap
from metaheur.parts import Part, Tenure
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.representation import Permutation, Representation, Solution
from metaheur.source import Source, join

SPACE = Permutation(5)
MATRIX = np.array([[1, -2, 3], [2**40, 5, -(2**40)]])
TYPES = types_of(QAP.random(5, 1), (Swap(),))


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

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        return {"flag": True, "count": -7}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return {"doubled": 2 * self.vector}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {
            "costs": Array((5,)),
            "like_matrix": Array((2, 3), "matrix"),
            "words": Array((3,), "int32"),
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

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"seen": Array((representation.length,), "float64"), "turns": Array((), "int64")}


SHELL = Shell((), {"mixed": Mixed()}, {"out": "Total*", "real": "double*"})


def unit(device: Device, text: str, part: Part = Mixed()) -> TranslationUnit:
    """Everything and a part, composed, with a text of our own behind them."""
    unit = compose(EVERYTHING, evolve(SHELL, components={"mixed": part}), device)
    return evolve(unit, text=unit.text + join([Source(text, "shell.cuh")]))


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
    structs = unit(compiling, "").structs.values()
    nested = [member for struct in structs for member in struct.members.values() if isinstance(member, Struct)]
    assert "TenureData" in {struct.name for struct in nested}
    shell = "\n".join(offsets(struct, compiling) for struct in [*structs, *nested])
    compiling.compile(unit(compiling, shell))


def test_a_member_that_lies_elsewhere_would_be_seen() -> None:
    moved = Struct("MixedData", {"whole": 1, "yes": True})
    with pytest.raises(CompileError, match="MixedData"):
        Host().compile(unit(Host(), offsets(moved, Host())))


def shown(device: Device, expressions: list[str], kind: str, part: Part = Mixed()) -> list[Any]:
    """The values of C++ expressions over `a`, the arguments; kind is "out" for whole numbers, "real" for others."""
    lines = [f"    a.{kind}[{k}] = {text};" for k, text in enumerate(expressions)]
    body = "\n".join(["    if (one_team().rank) return;", "    Arguments a = *arguments;", *lines])
    composed = unit(device, f"MH_ENTRY(show) {{\n{body}\n}}\n", part)
    session = Session(device.compile(composed), device)
    session.keep()
    for name in ("out", "real"):
        session.own(name, len(expressions))
    session.launch("show")
    return list(session.read(kind).tolist())


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
    padded = min(8, compiling.padded(3, compiling.stored(MATRIX)))  # of few columns
    assert padded >= 3
    behind = [f"a.problem.matrix.row({i})[{k}]" for i in range(2) for k in range(3, padded)]
    assert shown(compiling, ["a.problem.matrix.stride", *behind], "out") == [padded] + [0] * len(behind)


@pytest.mark.parametrize(("shape", "row"), [((5,), 32), ((9, 8), 8), ((9, 9), 32), ((2, 33), 64), ((3, 1), 8)])
def test_a_matrix_of_few_columns_is_padded_little(shape: tuple[int, ...], row: int) -> None:
    assert Member(shape, "i32", np.dtype(np.int32), far=True).row(Host()) == row
    assert Member(shape, "i32", np.dtype(np.int32), np.zeros(shape, np.int32)).row(Host()) == row
    assert Member(shape, "i32", np.dtype(np.int32)).row(Host()) == max(row, 32)  # a walk's own cache lines


def test_what_is_kept_starts_with_zeros_and_can_be_written(compiling: Device) -> None:
    kept = ["a.state.costs(4)", "a.state.like_matrix(1, 2)", "a.state.words(0)"]
    assert shown(compiling, kept, "out") == [0, 0, 0]
    written = ["(a.state.costs(4) = -9)", "(a.state.like_matrix(1, 2) = 7)", "a.state.costs(4)", "a.state.costs(3)"]
    assert shown(compiling, written, "out") == [-9, 7, -9, 0]


def test_a_kept_array_is_stored_like_the_data_that_it_names() -> None:
    state, problem = structs_of_problem(EVERYTHING, Host(), types_of(EVERYTHING, ()))
    assert state.members["like_matrix"].stored == problem.members["matrix"].stored == np.int64
    assert state.members["costs"].stored == np.dtype(EVERYTHING.cost_type)


def test_fields_of_parts_arrive(compiling: Device) -> None:
    members = ["yes", "whole", "no", "nothing", "share.numerator", "share.denominator", "n"]
    assert shown(compiling, [f"a.mixed.{member}" for member in members], "out") == [1, 2**62, 0, -1, -22, 7, 5]
    assert shown(compiling, ["a.mixed.real"], "real") == [-0.1]
    nested = [f"a.mixed.tenure.{end}.{part}" for end in ("low", "high") for part in ("numerator", "denominator")]
    assert shown(compiling, nested, "out") == [1, 3, 5, 2]
    assert shown(compiling, ["a.mixed.seen(0)", "a.mixed.seen(4)"], "real") == [0, 0]
    assert shown(compiling, ["a.mixed.turns", "(a.mixed.turns = 7)"], "out") == [0, 7]


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
        struct_of(part(real="x"), SPACE, Host(), TYPES)


def odd(**members: Any) -> Problem:
    """A problem of one array, and something odd."""
    content = {
        "__annotations__": {"weights": np.ndarray},
        "weights": data("int32", ndim=1),
        "representation": property(lambda self: SPACE),
        "cost": lambda self, x: 0,
        **members,
    }
    made: Any = final(frozen(eq=False)(type("Odd", (Problem,), content)))
    return made(np.arange(5))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (lambda: Array((5,), "complex"), r"Odd\.state: order has the type 'complex'(.|\n)*cost, total, item, weights"),
        (lambda: Array((5, 5, 5)), "The shape of a kept array"),
        (lambda: Array((0,)), "The shape of a kept array"),
        (lambda: (5,), r"Odd\.state: order must be an Array, but is \(5,\)"),
    ],
)
def test_a_kept_array_that_cpp_cannot_have_is_refused(kept: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        structs_of_problem(odd(state=lambda self, representation: {"order": kept()}), Host(), TYPES)


def test_a_single_number_is_kept_by_parts_and_loops_only() -> None:
    """A problem and a neighborhood have what they keep by value, so that a number written there would be lost."""
    lost = r"state: k is a single number(.|\n)*would be lost\.\nMaybe write Array\(\(1,\)\), and k\(0\) in C\+\+\."

    def kept(self: Any, representation: Representation) -> Mapping[str, Array]:
        return {"k": Array(())}

    with pytest.raises(InputError, match=rf"Odd\.{lost}"):
        structs_of_problem(odd(state=kept), Host(), TYPES)
    counting: Any = type("Counting", (Swap,), {"state": kept})
    with pytest.raises(InputError, match=rf"Counting\.{lost}"):
        struct_of(counting(), SPACE, Host(), TYPES)


@pytest.mark.parametrize("method", ["state", "tables", "constants"])
def test_what_a_problem_declares_must_be_a_method_that_returns_a_mapping(method: str) -> None:
    with pytest.raises(InputError, match=rf"Odd\.{method} must be a method, but is a dict\.\nMaybe write def {method}"):
        structs_of_problem(odd(**{method: {}}), Host(), TYPES)
    with pytest.raises(InputError, match=rf"Odd\.{method} must return a mapping of names, but returned 3"):
        structs_of_problem(odd(**{method: lambda self, representation: 3}), Host(), TYPES)


def test_a_table_must_be_an_array_of_numbers() -> None:
    with pytest.raises(InputError, match="A table must be an array of numbers, but is list"):
        structs_of_problem(odd(tables=lambda self, representation: {"t": [1, 2]}), Host(), TYPES)


def test_a_change_of_cost_has_a_type_that_cpp_knows() -> None:
    with pytest.raises(InputError, match="Odd: the type of a change of cost must be int32, int64 or float64, but is"):
        types_of(odd(change_type=lambda self, moves: "int8"), (Swap(),))


def test_arrays_have_the_paths_of_their_members() -> None:
    state, problem = structs_of_problem(QAP.random(4, 1), Host(), TYPES)
    assert {"a", "b", "a_transposed"} == set(dict(problem.arrays()))
    assert "permuted" in dict(state.arrays())
    loop = struct_of(TabuSearch(Swap()).loop, SPACE, Host(), TYPES)
    arrays = dict(loop.arrays("loop."))
    assert {"loop.table", "loop.expiries", "loop.memory.expiries"} <= set(arrays)
    assert arrays["loop.memory.expiries"].nbytes(Host()) == 5 * 32 * 8
    assert {path for path, member in arrays.items() if member.saved} == {"loop.memory.expiries"}
