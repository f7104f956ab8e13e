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
    """The members that parts of a loop need and that the problem's C++ half lacks.

    A compiled probe answers, since only a compiler knows the members of a struct.

    `loop`: the loop; a part of it may have `asks`, names of members. Returns names such as "FlowShop.insertions"; empty
    if the problem has no C++ half at all, which `lacking` reports.
    """
    names = dict.fromkeys(name for part in parts_of(loop) for name in getattr(part, "asks", ()))
    if not reads(problem):
        return []
    answers = _answers(problem, *names) if names else ()
    return [f"{type(problem).__name__}.{name}" for name, there in zip(names, answers, strict=True) if not there]


def probe(*names: str) -> Shell:
    """Whether the C++ half of a problem has members of some names: the entry `asked` writes it to `answer`."""
    from metaheur.device.generator.shell import Shell

    asked = " ".join(f"ask({name}, {place})" for place, name in enumerate(names))
    return Shell(("device/halves.cuh",), {}, {"answer": "i64*"}, defines={"MH_ASKED(ask)": asked})


def _answers(problem: Problem, *names: str) -> tuple[bool, ...]:
    """Whether the C++ half of a problem has members; also true without a compiler, as a later error tells."""
    from metaheur.device.generator.compose import compose
    from metaheur.device.names import device_of
    from metaheur.device.session import Session

    for kind in ("host", "cuda"):
        try:
            device = device_of(kind)
            unit = device.compile(compose(problem, probe(*names), device))
        except CompileError:
            break
        except DeviceError:
            continue
        session = Session(unit, device)
        session.keep()
        session.own("answer", len(names))
        session.launch("asked")
        return tuple(bool(answer) for answer in session.read("answer"))
    return (True,) * len(names)
