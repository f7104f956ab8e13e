"""Constructive heuristic for flow shops: the insertions of Nawaz, Enscore and Ham."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np

from metaheur.device.device import CompiledUnit
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.machine.processors import cores
from metaheur.problems.tsp_candidates import has_compiler
from metaheur.random import Random

__all__ = ["sequences"]

COMPILED_FROM: Final = 1 << 19
"""Operations from which compiled code makes sequences, if there is a compiler; it changes the time, not the result."""

ARGUMENTS: Final = Record(
    "Arguments",
    {
        **dict.fromkeys(("times", "releases", "scratch"), "i64*"),
        **dict.fromkeys(("order", "firsts", "sequences"), "i32*"),
        **dict.fromkeys(("n", "machines", "threads"), "i64"),
    },
)
"""The arguments of the entry `sequences`."""


@lru_cache(maxsize=1)
def _compiled() -> CompiledUnit:
    launch = Launch(threads=1, openmp=True)
    return device_of("host").compile(plain_unit("problems/flow_shop_starts.cuh", ARGUMENTS, "int64", launch))


class Shop(Protocol):
    """What a flow shop says of itself."""

    @property
    def times(self) -> np.ndarray:
        """The time of each job on each machine."""

    @property
    def released(self) -> np.ndarray:
        """When each job may begin."""

    def insertions(self, partial: np.ndarray, item: int) -> Any:
        """The makespans of a partial sequence with one more job at each place."""


def sequences(problem: Shop, randoms: Sequence[Random]) -> np.ndarray:
    """A sequence for each of some random numbers, shape (w, n).

    Jobs are inserted in decreasing order of their total times, the lowest number first among equals. Each job goes to
    the best place of the sequence so far; among equals to the first one from a random place on, round the end.
    """
    n, m = problem.times.shape
    order = np.argsort(-problem.times.sum(axis=1), kind="stable").astype(np.int32)
    firsts = np.array([[random.index(k, k + 1) for k in range(n)] for random in randoms], np.int32)
    if len(randoms) * n * n * m >= COMPILED_FROM and has_compiler():
        return _by_compiled_code(problem, order, firsts)
    made = np.empty((len(randoms), n), np.int32)
    for row, begins in zip(made, firsts.tolist(), strict=True):
        x = np.zeros(0, np.int32)
        for job, first in zip(order.tolist(), begins, strict=True):
            costs = problem.insertions(x, job)
            x = np.insert(x, (int(np.argmin(np.roll(costs, -first))) + first) % len(costs), job)
        row[:] = x
    return made


def _by_compiled_code(problem: Shop, order: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    n, m = problem.times.shape
    threads, made = min(cores(), len(firsts)), np.empty(firsts.shape, np.int32)
    session = Session(_compiled(), device_of("host"))
    session.set(
        times=np.ascontiguousarray(problem.times, np.int64),
        releases=problem.released,
        scratch=np.empty(threads * (n + 1) * (2 * m + 1), np.int64),
        order=order,
        firsts=firsts,
        sequences=made,
        n=n,
        machines=m,
        threads=threads,
    )
    session.launch("sequences", len(firsts))
    return made
