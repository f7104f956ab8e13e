"""Which members the C++ half of a problem lacks: a compiled probe knows, not a search in its text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from metaheur import Permutation, Problem, Solution, Source, compiled
from metaheur.device.device import CompiledUnit
from metaheur.device.generator.compose import compose
from metaheur.device.generator.halves import completed, half_of_move
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.halves import probe, unanswered
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.parts import Rebuild
from metaheur.problems import QAP, TSP, FlowShop, Scalarised
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.device.cuda.test_nvrtc import compiled as compiled_by_nvrtc

COST = "    MH_FN Total cost(Team, const Item*) const { return 0; }\n"
INSERTIONS = "void insertions(Team, const Item*, int, Item, State, Cost*) const {}\n"


class Nothing(Problem):
    @property
    def representation(self) -> Permutation:
        return Permutation(5)

    def cost(self, x: Solution) -> int:
        return 0


@frozen(eq=False)
class Mentions(Nothing):
    """The C++ half mentions insertions in a comment, in a type and in a text."""

    source: ClassVar[Source] = Source(
        "struct Mentions : MentionsData {  // no insertions\n" + COST + "    enum { my_insertions };\n"
        '    struct Inner { static const char* insertions() { return "insertions"; } };\n};'
    )


@frozen(eq=False)
class Inserts(Nothing):
    source: ClassVar[Source] = Source(f"struct Inserts : InsertsData {{\n{COST}    MH_FN {INSERTIONS}}};")


@frozen(eq=False)
class Overloads(Nothing):
    source: ClassVar[Source] = Source(
        f"struct Overloads : OverloadsData {{\n{COST}    MH_FN {INSERTIONS}"
        "    template <class T> MH_FN void insertions(T) const {}\n};"
    )


@frozen(eq=False)
class Inherits(Nothing):
    source: ClassVar[Source] = Source(
        "template <class T> struct Some {\n"
        f"    MH_FN {INSERTIONS.replace('State', 'typename T::State')}}};\n"
        f"struct Inherits : InheritsData, Some<InheritsData> {{\n{COST}}};"
    )


@frozen(eq=False)
class Python(Nothing):
    @compiled
    def cost(self, x: Any) -> Any:
        return x[0]


@frozen(eq=False)
class Broken(Nothing):
    source: ClassVar[Source] = Source("struct Broken : BrokenData { no C++ at all };")


@frozen(eq=False)
class Without(Nothing):
    """Python alone."""


SHOP = FlowShop.taillard(1, objectives=("makespan", "tardy jobs"))

KNOWN: dict[str, tuple[Callable[[], Problem], bool]] = {
    "a text that mentions it": (Mentions, False),
    "a member": (Inserts, True),
    "several of one name": (Overloads, True),
    "a base": (Inherits, True),
    "compiled Python": (Python, False),
    "FlowShop": (lambda: FlowShop.taillard(1), True),
    "a problem made of it": (
        lambda: Scalarised(SHOP, [1, 1]),
        False,
    ),
    "QAP": (lambda: QAP.random(5, 1), False),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_compiled_probe_knows_the_members_of_a_problem(name: str) -> None:
    make, expected = KNOWN[name]
    problem = make()
    assert unanswered(Rebuild(2), problem) == ([] if expected else [f"{type(problem).__name__}.insertions"])


@frozen
class Asks:
    """A part that needs several members."""

    asks: ClassVar[tuple[str, ...]] = ("insertions", "cost", "delta")


def test_one_probe_knows_all_members(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[TranslationUnit] = []
    compile_unit = Host.compile

    def compiled_once(host: Host, unit: TranslationUnit) -> CompiledUnit:
        built.append(unit)
        return compile_unit(host, unit)

    monkeypatch.setattr(Host, "compile", compiled_once)
    monkeypatch.setattr("metaheur.device.halves.parts_of", lambda *_: [Asks()])
    assert unanswered(None, Inserts()) == ["Inserts.delta"]
    assert len(built) == 1


@pytest.mark.parametrize("problem", [Broken(), Without()], ids=["does not compile", "is not there"])
def test_of_a_half_that_cannot_be_asked_others_speak(problem: Problem) -> None:
    assert unanswered(Rebuild(2), problem) == []


@pytest.mark.parametrize("part", [TSP.random(5, 1), None])
def test_who_asks_nothing_is_answered(part: Any) -> None:
    assert unanswered(part, Python()) == []


def test_without_a_compiler_and_a_gpu_nothing_is_found(only: Callable[..., Path], gpu_is_there: bool) -> None:
    only()
    if gpu_is_there:
        pytest.skip("a GPU brings a compiler")
    assert unanswered(Rebuild(2), QAP.random(5, 1)) == []


@pytest.mark.parametrize("name", ["a member", "several of one name", "QAP"])
def test_the_probe_compiles_for_a_gpu(name: str) -> None:
    pytest.importorskip("cuda.core", reason="cuda-core is not installed")
    device: Any = NoGPU(ARCHITECTURES[0])
    assert compiled_by_nvrtc(compose(KNOWN[name][0](), probe("insertions", "cost"), device).text, ARCHITECTURES[0])


def test_a_move_must_not_be_called_like_a_name_of_the_framework() -> None:
    kind: Any = type("Shared", (Move,), {"source": Source("struct Shared {};")})
    with pytest.raises(InputError, match="cannot define `struct Shared`"):
        half_of_move(kind)


def test_members_that_follow_from_others_come_behind_all_that_a_half_defines() -> None:
    half = Source(
        "struct Near : NearData {\n    MH_FN int f() const { if (n) { return 1; } return 2; }\n};\nint after;",
        "near.cuh",
    )
    struct, _, rest = completed(half, "Near").text.partition("};")
    assert struct.index("groups()") > struct.index("return 2; }")
    assert rest == "\nint after;"
