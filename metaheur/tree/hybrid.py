"""Small batches on a CPU and large ones on a GPU, or each batch on several devices: the tree is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, TypeVar, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.device import Device
from metaheur.errors import DeviceError, MetaheurError
from metaheur.machine.pace import now
from metaheur.problem import Problem
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.expander import Expanded, Expander, Rules
from metaheur.tree.tree_parts import TreeParts

__all__ = ["HybridExpander", "SeveralExpanders"]

T = TypeVar("T")

ENOUGH = 1000
"""The time of a batch shows how fast an expander is if the batch has at least so many nodes."""


@final
@define(eq=False)
class HybridExpander(Expander):
    """Batches of fewer nodes than a threshold go to the small expander, all others to the large one.

    Parameters
    ----------
    small, large : Expander
        The small one keeps its chunks in the memory of the host.
    below : int, optional
        The threshold. None measures it during the run: a batch is large if the small expander would take longer for it
        than the large one takes for any batch.

    Notes
    -----
    Boukedjar, Lalami and El Baz (PDP 2012) take 5,000 nodes.
    """

    small: Expander
    large: Expander
    below: int | None = None
    parts: TreeParts = field(init=False)
    problem: Problem = field(init=False)
    dtype: np.dtype[Any] = field(init=False)
    xp: Any = field(init=False)
    _each: float = field(default=0.0, init=False)  # seconds of the small expander for a node
    _least: float = field(default=np.inf, init=False)  # seconds of the large one for a batch

    def __attrs_post_init__(self) -> None:
        self.parts, self.problem, self.dtype = self.large.parts, self.large.problem, self.large.dtype
        self.xp = self.large.xp

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (*self.small.native_devices, *self.large.native_devices)

    @property
    def threshold(self) -> int:
        """The least number of nodes that go to the large expander, as an estimate."""
        if self.below is not None:
            return self.below
        return int(self._least / self._each) if self._each and np.isfinite(self._least) else 1024

    @property
    def current(self) -> AbstractContextManager[Any]:
        return self.large.current

    @property
    def budget(self) -> int:
        return self.large.budget

    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        began, least = now(), self.threshold
        if len(chunk) < least:
            found = self.small.expand(self._at_home(chunk), evolve(rules, batch=max(1, min(rules.batch, least - 1))))
            if found.counts.branched >= ENOUGH:
                self._each = (now() - began) / found.counts.branched
            return found
        found = self.large.expand(self._there(chunk), rules)
        self._least = min(self._least, now() - began)
        return found

    def swept(self, chunk: OpenNodes) -> OpenNodes:
        return self._owner(chunk).swept(chunk)

    def upload(self, nodes: np.ndarray, lowers: np.ndarray, depth: int) -> OpenNodes:
        return self.small.upload(nodes, lowers, depth)

    def download(self, chunk: OpenNodes) -> tuple[np.ndarray, np.ndarray]:
        return self._owner(chunk).download(chunk)

    def sorted(self, chunk: OpenNodes) -> Any:
        return self._owner(chunk).sorted(chunk)

    def joined(self, chunks: list[OpenNodes]) -> OpenNodes:
        if all(self._owner(chunk) is self.small for chunk in chunks):
            return self.small.joined(chunks)
        return self.large.joined([self._there(chunk) for chunk in chunks])

    def _owner(self, chunk: OpenNodes) -> Expander:
        return self.small if isinstance(chunk.lowers, np.ndarray) else self.large

    def _at_home(self, chunk: OpenNodes) -> OpenNodes:
        if self._owner(chunk) is self.small:
            return chunk
        return self.small.upload(*self.large.download(chunk), chunk.depth)

    def _there(self, chunk: OpenNodes) -> OpenNodes:
        if isinstance(chunk.lowers, self.xp.ndarray):
            return chunk
        return self.large.upload(*self.small.download(chunk), chunk.depth)


@final
@define(eq=False)
class SeveralExpanders(Expander):
    """A batch is divided among several expanders, a share of the fathers each; chunks are in the memory of the host.

    If a device is lost during the run, the other devices branch the batch again, and the rest of the tree.

    `expanders`: the expanders; a thread drives each expander.
    """

    expanders: list[Expander]
    lost: str = field(default="", init=False)
    parts: TreeParts = field(init=False)
    problem: Problem = field(init=False)
    dtype: np.dtype[Any] = field(init=False)
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        first = self.expanders[0]
        self.parts, self.problem, self.dtype = first.parts, first.problem, first.dtype
        self._pool = ThreadPoolExecutor(len(self.expanders))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for expander in self.expanders for device in expander.native_devices)

    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        count, shares = len(chunk), len(self.expanders)
        parts = [slice(count * i // shares, count * (i + 1) // shares) for i in range(shares)]

        def work(i: int) -> Expanded | Exception:
            return self._attempt(self.expanders[i], partial(_expanded, chunk, parts[i], rules.of_a_part))

        busy = [i for i, part in enumerate(parts) if part.start < part.stop]
        found = dict(zip(busy, self._pool.map(work, busy), strict=True))
        errors = {i: each for i, each in found.items() if isinstance(each, Exception)}
        if errors:
            self._leave_out({self.expanders[i]: error for i, error in errors.items()})
            return self.expand(chunk, rules)
        return self.level_of([each for each in found.values() if isinstance(each, Expanded)], rules)

    def swept(self, chunk: OpenNodes) -> OpenNodes:
        first = self.expanders[0]
        found = self._attempt(first, partial(_swept, chunk))
        if isinstance(found, OpenNodes):
            return found
        self._leave_out({first: found})
        return self.swept(chunk)

    def _attempt(self, expander: Expander, do: Callable[[Expander], T]) -> T | Exception:
        """The result of an expander, or the error of a device that is lost."""
        try:
            return do(expander)
        except (MetaheurError, MemoryError):
            raise
        except Exception as error:
            if not expander.native_devices:  # the Python halves run: the fault is in a part of the tree
                raise
            return error

    def _leave_out(self, lost: Mapping[Expander, Exception]) -> None:
        words = ", ".join(f"{expander.native_devices[0].name} ({error!r})" for expander, error in lost.items())
        self.expanders = [expander for expander in self.expanders if expander not in lost]
        if not self.expanders:
            raise DeviceError(f"The last device is lost: {words}.", "resume the last checkpoint.")
        self.lost = f"{f'{self.lost}, ' if self.lost else 'Lost on the way, others went on: '}{words}"


def _expanded(chunk: OpenNodes, part: slice, rules: Rules, expander: Expander) -> Expanded:
    """Expand a part of a chunk; the result is in the memory of the host."""
    mine = expander.upload(np.asarray(chunk.nodes[part]), np.asarray(chunk.lowers[part]), chunk.depth)
    found = expander.expand(mine, rules)
    return evolve(found, left=OpenNodes(chunk.depth + 1, *expander.download(found.left)))


def _swept(chunk: OpenNodes, expander: Expander) -> OpenNodes:
    """The nodes that the dominance keeps, in the memory of the host."""
    there = expander.swept(expander.upload(np.asarray(chunk.nodes), np.asarray(chunk.lowers), chunk.depth))
    return OpenNodes(chunk.depth, *expander.download(there))
