"""The ways in which C++ halves evaluate moves, and how to ask for them."""

from __future__ import annotations

from enum import IntFlag

from metaheur.device.device import Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.device.session import Session
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem

__all__ = ["BITS", "Offers", "offers_of"]


class Offers(IntFlag):
    """The ways in which a C++ half evaluates the moves of a neighborhood; bits with the same names in C++."""

    COST = 1
    DELTA = 2
    UPDATE = 4
    GROUPS = 8
    AROUND = 16
    RUNS = 32

    def names(self) -> tuple[str, ...]:
        """The names of the offered ways, in the order of the bits."""
        return tuple(str(bit.name).lower() for bit in Offers if bit in self)


BITS = {f"offers_{bit.name}".lower(): int(bit) for bit in Offers}
"""The names of the bits in C++."""


def offers_of(problem: Problem, neighborhood: Neighborhood, device: Device) -> Offers:
    """How the C++ half of a problem evaluates a neighborhood.

    It takes a unit of its own without a kernel that evaluates, which compiles in a small part of a kernel's time.
    """
    shell = Shell(
        pieces=("evaluators/offers.cuh",),
        components={"neighborhood": neighborhood},
        members={"answer": "i64*"},
        defines=BITS,
        launch=Launch(threads=32),
    )
    session = Session(compiled_kernels(problem, shell, device), device)
    answer = session.near("answer")
    session.launch("capabilities")
    device.wait()
    return Offers(int(answer[0]))
