"""Session: memory in the types that a unit declares, arguments in the order of the launches, memory for many units."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import evolve, frozen

from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.generator.layout import Member
from metaheur.device.generator.record import Record
from metaheur.device.generator.shell import Shell
from metaheur.device.host.host import Host
from metaheur.device.session import Session, copies_of
from metaheur.device.slot import Slot
from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.parts import Part
from metaheur.problem import Problem
from metaheur.representation import Permutation, Representation, Solution
from metaheur.source import Source, join
from tests.tree.emulated import Emulated

PAIR = Record("Pair", {"key": "i32", "value": "double"})

TEXT = """
MH_ENTRY(capabilities) { if (one_team().rank == 0) arguments->out[0] = 7; }
MH_ENTRY(put) {
    const Arguments& a = *arguments;
    if (one_team().rank == 0) a.out[value] = a.number + a.problem.weights(0) + i64(a.part.factor);
}
MH_ENTRY(mark) {
    if (one_team().rank == 0) arguments->state.marks(0) += i32(value);
}
MH_ENTRY(swap) {
    const Arguments& a = *arguments;
    for (i64 k = 0; k < value && one_team().rank == 0; ++k)
        a.pairs[k] = Pair{int(a.pairs[k].value), double(a.pairs[k].key)};
}
"""


@final
@frozen(eq=False)
class Weighed(Problem):
    """A problem of two objectives with an array of data and one that is kept."""

    weights: np.ndarray = data("int32", ndim=1)

    source: ClassVar[Source] = Source("struct Weighed : WeighedData {};", "tests/weighed.cuh")

    @property
    def representation(self) -> Permutation:
        return Permutation(4)

    @property
    def objectives(self) -> tuple[str, ...]:
        return ("one", "two")

    def cost(self, x: Solution) -> tuple[int, int]:
        return 0, 0

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"marks": Array((3,), "int32")}


@final
@frozen
class Factor(Part):
    """A part with a number."""

    factor: int = 10

    source: ClassVar[Source] = Source("struct Factor : FactorData {};", "tests/factor.cuh")


SHELL = Shell(
    pieces=(),
    components={"part": Factor()},
    members={
        "out": "i64*",
        "totals": "Total*",
        "x": "Item*",
        "pairs": "Pair*",
        "words": "u32*",
        "number": "i64",
        "real": "double",
    },
    records=(PAIR,),
)


def made(device: Device, weights: tuple[int, ...] = (100, 200), *, kept: bool = True) -> Session:
    """A session of these entries; all members are given, and there are 8 results."""
    unit = compose(Weighed(np.array(weights, np.int32)), SHELL, device)
    unit = evolve(unit, text=unit.text + join([Source(TEXT, "tests/session.cuh")]))
    session = Session(device.compile(unit), device)
    if kept:
        session.keep()
        session.own("out", 8)
        session.set(number=1, real=0.5, **dict.fromkeys(("totals", "x", "pairs", "words")))
    return session


# ---- memory ----------------------------------------------------------------------------------------------------------


def test_memory_has_the_types_that_the_shell_declares(compiling: Device) -> None:
    session = made(compiling, kept=False)
    pair = PAIR.dtype(session.unit.types)
    for memory in (session.own, session.near, session.mirror):
        found = {}
        for name in ("out", "totals", "x", "pairs", "words"):
            memory(name, 3)
            array = session.read(name)
            assert not array.view(np.uint8).any()
            found[name] = array.dtype, array.shape
        assert found == {
            "out": (np.int64, (3,)),
            "totals": (np.int64, (3, 2)),
            "x": (session.unit.types.item, (3,)),
            "pairs": (pair, (3,)),
            "words": (np.uint32, (3,)),
        }


def test_what_is_written_is_read(compiling: Device) -> None:
    session = made(compiling)
    for memory in (session.own, session.near, session.mirror):
        memory("totals", 4)
        session.write("totals", [(1, 2), (3, 4)], 1)
        if memory == session.mirror:
            session.receive("totals")
        assert session.read("totals").tolist() == [[0, 0], [1, 2], [3, 4], [0, 0]]
        assert session.read("totals", 2, 1).tolist() == [[3, 4]]
        memory("words", 3)
        session.write("words", np.array([7, 2**31], np.int64), 1)
        if memory == session.mirror:
            session.receive("words")
        assert session.read("words").tolist() == [0, 7, 2**31]
        memory("pairs", 2)
        session.write("pairs", np.array([(5, 0.5)], PAIR.dtype(session.unit.types)), 1)
        assert session.read("pairs").tolist() == [(0, 0.0), (5, 0.5)]


def test_lists_become_the_numbers_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[np.ndarray] = []
    monkeypatch.setattr(Host, "write", lambda _self, _buffer, array, _first: written.append(array))
    for kind in ("float64", "int32", "uint64"):
        Slot(np.dtype(kind), np.zeros(3, kind)).write(Host(), "numbers", [1, 0], 1)
    assert [each.dtype.name for each in written] == ["float64", "int32", "uint64"]


def test_structs_are_written_by_entries_and_by_python(compiling: Device) -> None:
    session = made(compiling)
    for memory in (session.own, session.near):
        memory("pairs", 2)
        session.write("pairs", np.array([(1, 2.0), (3, 4.0)], PAIR.dtype(session.unit.types)))
        session.launch("swap", 2)
        assert session.read("pairs").tolist() == [(2, 1.0), (4, 3.0)]


def test_both_sides_of_a_mirror_are_copied_when_they_are_told(tmp_path: Path) -> None:
    host, gpu = made(Host()), Emulated(tmp_path)  # a GPU's memory, behind a unit that is not launched
    session = Session(host.compiled, gpu)
    near = session.mirror("pairs", 2)
    near["key"] = [3, 4]
    assert session.read("pairs")["key"].tolist() == [0, 0]
    session.send("pairs")
    assert session.read("pairs")["key"].tolist() == [3, 4]
    session.write("pairs", np.array([(7, 1.5)], near.dtype))
    assert near["key"].tolist() == [3, 4]
    assert session.receive("pairs") is near
    assert near.tolist() == [(7, 1.5), (4, 0.0)]


def test_own_memory_grows_and_is_otherwise_left_as_it_is(compiling: Device) -> None:
    session = made(compiling)
    session.write("out", range(8))
    session.own("out", 3)
    assert session.read("out").tolist() == list(range(8))
    session.own("out", 9)
    assert session.read("out").tolist() == [0] * 9
    session.launch("put", 8)
    assert session.read("out", 8).tolist() == [111]


def test_arrays_of_the_caller_are_used_where_they_are(compiling: Device) -> None:
    session = made(compiling)
    array = compiling.zeros(2, np.int64)
    session.set(out=array)
    session.launch("put", 1)
    assert compiling.download(array).tolist() == [0, 111]
    assert session.read("out").tolist() == [0, 111]


def test_walks_and_blocks_have_copies_of_what_is_kept(compiling: Device) -> None:
    session = made(compiling)
    entries, row = len(session.read("state.marks")), compiling.padded(3, np.dtype(np.int32))
    assert entries == row
    session.launch("mark", 5)
    assert session.read("state.marks")[0] == 5
    data = len(session.read("problem.weights"))
    session.keep(walks=3, league=2)
    assert len(session.read("state.marks")) == 3 * 2 * row
    assert not session.read("state.marks").any()
    assert len(session.read("problem.weights")) == data


# ---- launches --------------------------------------------------------------------------------------------------------


def test_each_launch_is_given_the_numbers_that_were_set_before_it(compiling: Device) -> None:
    session = made(compiling)
    for k in range(8):  # nobody waits between them
        session.set(number=k)
        session.launch("put", k)
    assert session.read("out").tolist() == [110 + k for k in range(8)]


def test_a_struct_is_replaced_between_launches(compiling: Device) -> None:
    session = made(compiling)
    session.launch("put", 0)
    struct = session.unit.structs["part"]
    session.place("part", evolve(struct, members={**struct.members, "factor": 20}))
    session.launch("put", 1)
    session.set(number=2)
    session.launch("put", 2)
    assert session.read("out", 0, 3).tolist() == [111, 121, 122]


def test_arguments_are_those_of_the_next_launch(compiling: Device) -> None:
    session = made(compiling)
    before = session.arguments()
    assert session.arguments() is before
    session.set(number=5)
    session.compiled.launch("put", session.arguments(), 3)
    assert session.read("out", 3, 1).tolist() == [115]


def test_a_probe_needs_nothing_but_its_answer(compiling: Device) -> None:
    session = made(compiling, kept=False)
    session.near("out")
    session.launch("capabilities")
    assert session.read("out").tolist() == [7]
    with pytest.raises(InputError, match="The arrays of problem, state, space, part have no memory yet"):
        session.launch("put")
    session.keep()
    with pytest.raises(InputError, match="`totals`, `x`, `pairs`, `words`, `number`, `real` of `Arguments` must be"):
        session.launch("put")


# ---- one memory for many ---------------------------------------------------------------------------------------------


def test_sessions_share_memory(compiling: Device) -> None:
    first = made(compiling)
    unit = evolve(first.unit, text=first.unit.text + "\n// another one")
    second = Session(compiling.compile(unit), compiling, first)
    first.launch("mark", 2)
    second.launch("mark", 3)
    assert second.read("state.marks")[0] == first.read("state.marks")[0] == 5
    first.own("out", 20)
    second.launch("put", 19)
    assert first.read("out", 19).tolist() == [111]
    second.set(number=7)
    first.launch("put", 18)
    assert second.read("out", 18, 1).tolist() == [117]
    first.keep(walks=2)
    second.launch("mark", 4)
    assert first.read("state.marks")[0] == 4


@pytest.mark.parametrize("weights", [(-100, 200), (300, 7, 8)], ids=["other values", "another length"])
def test_data_that_differs_is_not_shared(weights: tuple[int, ...], compiling: Device) -> None:
    first = made(compiling)
    other = made(compiling, weights, kept=False)
    second = Session(other.compiled, compiling, first)
    first.launch("put", 0)
    second.launch("put", 1)
    assert first.read("out", 0, 2).tolist() == [111, 11 + weights[0]]


def test_units_with_other_types_share_no_memory() -> None:
    first = made(Host())
    unit = evolve(first.unit, pointees={**first.unit.pointees, "out": np.dtype(np.int32)})
    other = Host().compile(unit)
    with pytest.raises(InputError, match="agree on types, but `out` is int32 and int64"):
        Session(other, Host(), first)


# ---- what does not fit -----------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Any, str]] = {
    "an unknown member": (lambda s: s.set(nothing=1), "`Arguments` has no member 'nothing' besides its structs"),
    "memory for a number": (
        lambda s: s.own("number"),
        "`number` of `Arguments` must be a pointer to a type",
    ),
    "a number for memory": (lambda s: s.set(out=3), "`out` is a pointer, and cannot be 3"),
    "a fraction for a whole number": (lambda s: s.set(number=0.5), "`number` must be a number of the type int64"),
    "a word for a number": (lambda s: s.set(real="much"), "`real` must be a number of the type float64, but is 'much'"),
    "another type": (lambda s: s.set(out=np.zeros(3)), "`out` must have the type int64, but has float64"),
    "gaps": (lambda s: s.set(out=np.zeros(6, np.int64)[::2]), "`out` must be contiguous"),
    "too many entries": (lambda s: s.write("out", range(9)), "`out` has 8 entries, but those from 0 to 8 are asked"),
    "fractions for whole numbers": (lambda s: s.write("out", [0.5]), "`out` holds entries of the type int64, but"),
    "entries behind the end": (lambda s: s.read("out", 7, 2), "`out` has 8 entries, but those from 7 to 8 are asked"),
    "no memory": (lambda s: s.read("pairs"), "`pairs` has no memory"),
    "numbers for structs": (lambda s: (s.own("pairs"), s.write("pairs", [1])), "`pairs` holds entries of the type"),
    "a path of nothing": (lambda s: s.place("state.nothing", 1), "`state.nothing` is neither a struct nor a kept"),
    "numbers for an array": (lambda s: s.place("state.marks", 1), "`state.marks` must be memory on the device"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused(name: str) -> None:
    act, reason = WRONG[name]
    with pytest.raises(InputError, match=reason):
        act(made(Host()))


def test_blocks_that_share_a_walk_have_replicas_of_what_is_not_divided() -> None:
    def copies(*, place: str = "", **options: Any) -> int:
        member = evolve(Member((4,), "int", np.dtype(np.int32)), place=place, **options)
        return copies_of(member, 5, 3, tabulates=False)

    assert [copies(), copies(divided=True), copies(divided=True, place="Own"), copies(shape=())] == [15, 5, 15, 5]
    assert copies(table=True) == 0
