"""Structs that both languages know: C++ lays them out as Python does."""

from pathlib import Path

import numpy as np

from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record, Types
from metaheur.device.generator.unit import unit_of
from metaheur.device.host.host import Host
from metaheur.device.session import Session
from metaheur.source import Source, piece

TYPES = Types(np.dtype(np.int64), np.dtype(np.int64), np.dtype(np.uint8))
INNER = Record("Inner", {"small": "Item", "cost": "Cost"})
OUTER = Record("Outer", {"first": "u8", "inner": "Inner", "last": "i16"}, align=16)


def test_a_record_may_hold_another_one_and_be_aligned() -> None:
    inner = INNER.dtype(TYPES)
    outer = OUTER.dtype(TYPES, {"Inner": inner})
    assert (inner.itemsize, outer.itemsize) == (16, 32)
    assert {name: outer.fields[name][1] for name in outer.names or ()} == {"first": 0, "inner": 8, "last": 24}  # type: ignore[index]
    assert OUTER.source().text.startswith("struct alignas(16) Outer {")


def test_cpp_writes_where_python_reads(tmp_path: Path) -> None:
    inner = INNER.dtype(TYPES)
    known = {"Inner": inner, "Outer": OUTER.dtype(TYPES, {"Inner": inner})}
    entry = tmp_path / "entry.cuh"
    entry.write_text(
        "MH_ENTRY(fill) { for (int k = 0; k < 2; ++k) { Outer& to = arguments->to[k]; to.first = u8(k + 1);"
        " to.inner.small = Item(k + 2); to.inner.cost = k + 3; to.last = i16(k + 4); } }"
    )
    head = Source(
        "#define MH_THREADS 1\ntypedef long long Cost;\ntypedef Cost Number;\ntypedef Cost Total;\n"
        "typedef unsigned char Item;",
        "head.cuh",
    )
    sources = [head, piece("device/cuh/prelude.cuh"), INNER.source(), OUTER.source()]
    unit = unit_of(sources, members={"to": "Outer*"}, pieces=[str(entry)], types=TYPES, launch=Launch(), known=known)
    host = Host()
    session = Session(host.compile(unit), host)
    session.keep()
    session.own("to", 2)
    session.launch("fill")
    found = np.array(session.read("to"))
    assert found["first"].tolist() == [1, 2]
    assert found["inner"]["small"].tolist() == [2, 3]
    assert found["inner"]["cost"].tolist() == [3, 4]
    assert found["last"].tolist() == [4, 5]
