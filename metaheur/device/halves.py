"""Which components have a C++ half, and which lack one and so cannot run on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metaheur.component import parts_of, reads, undrawn
from metaheur.errors import CompileError, DeviceError
from metaheur.marker import compiled_members
from metaheur.problem import Problem, judges

if TYPE_CHECKING:
    from metaheur.device.generator.shell import Shell

__all__ = ["lacking", "parts_of", "reads", "unanswered", "undrawn"]


def lacking(*things: Any) -> list[str]:
    """The names of the given components, and of their parts, that have no C++ half.

    A representation is missing only where a part draws solutions.
    """
    parts = [each for thing in things for each in parts_of(thing)]
    found = [type(each).__name__ for each in parts if not reads(each)]
    found += [f"{type(each).__name__}.feasible" for each in parts if isinstance(each, Problem) and _judges_alone(each)]
    spaces = [each.representation for each in parts if isinstance(each, Problem)]
    draws = any(getattr(each, "draws_solutions", False) for each in parts)
    return [*found, *(each for space in spaces for each in undrawn(space) if draws)]


def _judges_alone(problem: Problem) -> bool:
    """Whether Python alone judges moves, although other methods of the problem are compiled."""
    members = compiled_members(type(problem))
    return judges(problem) and bool(members) and "feasible" not in members


def unanswered(loop: Any, problem: Problem) -> list[str]:
    """The members that parts of a loop need of a problem's C++ half, and that it does not have.

    A compiled probe answers, since only a compiler knows the members of a struct.

    `loop`: the loop; a part of it may have `asks`, names of members. Returns names such as "FlowShop.insertions"; empty
    if the problem has no C++ half at all, which `lacking` reports.
    """
    names = dict.fromkeys(name for part in parts_of(loop) for name in getattr(part, "asks", ()))
    if not reads(problem):
        return []
    return [f"{type(problem).__name__}.{name}" for name in names if not _answers(problem, name)]


def probe(name: str) -> Shell:
    """Whether the C++ half of a problem has a member of a name: the entry `asked` writes it to `answer`."""
    from metaheur.device.generator.shell import Shell

    return Shell(("device/halves.cuh",), {}, {"answer": "i64*"}, defines={"MH_ASKED": name})


def _answers(problem: Problem, name: str) -> bool:
    """Whether the C++ half of a problem has a member; also true without a compiler, as a later error tells."""
    from metaheur.device.generator.compose import compose
    from metaheur.device.names import device_of
    from metaheur.device.session import Session

    for kind in ("host", "cuda"):
        try:
            device = device_of(kind)
            unit = device.compile(compose(problem, probe(name), device))
        except CompileError:
            return True
        except DeviceError:
            continue
        session = Session(unit, device)
        session.keep()
        session.own("answer")
        session.launch("asked")
        return bool(session.read("answer")[0])
    return True
