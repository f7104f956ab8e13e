"""Kept arrays that hold garbage at first, between guards that no function may change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer
from metaheur.device.generator.layout import Member
from metaheur.errors import CheckFailed
from metaheur.testing.compiled_check import THREADS, CompiledCheck

__all__ = ["Guards"]

GUARD = 4096
"""Entries of the guards before and behind every kept array."""


@final
@define(eq=False)
class Guards:
    """Puts the kept arrays of a compiled check between guards, and fills them with garbage.

    `check`: the check whose arrays are replaced. `name`: the name of the half in messages.
    """

    check: CompiledCheck
    name: str
    _guarded: dict[str, tuple[Member, Buffer]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        """Replace the arrays; on a CPU, where one team works, the scratch memory of other teams is a guard, too."""
        device = self.check.device
        for path, member in self.check.session.arrays.items():
            if member.values is None:
                entries = member.entries(device) * (THREADS if member.scratch else 1)
                whole = device.upload(np.full(entries + 2 * GUARD, _garbage(member), member.stored))
                self.check.session.place(path, whole[GUARD : GUARD + entries])
                if not member.scratch or device.kind == "host":
                    self._guarded[path] = member, whole
        self.fill(garbage=True)

    def fill(self, *, garbage: bool) -> None:
        """Fill kept arrays with garbage or zeros, scratch memory with garbage, and the padding of rows with zeros."""
        for member, whole in self._guarded.values():
            filled = np.where(self._inside(member), _garbage(member) if garbage or member.scratch else 0, 0)
            self.check.device.write(whole, filled.astype(member.stored).reshape(-1), GUARD)

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Restore all arrays at the end of the context."""
        device = self.check.device
        before = [device.download(whole).copy() for _, whole in self._guarded.values()]
        yield
        for (_, whole), array in zip(self._guarded.values(), before, strict=True):
            device.write(whole, array)

    def require(self, state: str, neighborhood: str) -> None:
        """Fail if a guard or the padding of a row has changed.

        `state`, `neighborhood`: the functions that may have written into the arrays of the problem and of the
        neighborhood.
        """
        for path, (member, whole) in self._guarded.items():
            found, end = self.check.device.download(whole), GUARD + member.entries(self.check.device)
            inside = self._inside(member)
            padding = found[GUARD:end].reshape(inside.shape)[~inside]
            around = np.concatenate([found[:GUARD], found[end:]])
            if (around != _garbage(member)).any() or padding.any():
                owner, _, array = path.partition(".")
                function, keeper = (state, "problem") if owner == "state" else (neighborhood, "neighborhood")
                raise CheckFailed(
                    f"{self.name}: `{function}` writes outside the kept array {array!r} of the {keeper}, whose shape "
                    f"is {member.shape}.",
                    "declare it larger.",
                )

    def _inside(self, member: Member) -> np.ndarray:
        """Which entries belong to an array, and not to the padding of a row."""
        row = member.row(self.check.device)
        inside = np.zeros((member.entries(self.check.device) // row, row), bool)
        inside[:, : member.shape[-1]] = True
        return inside


def _garbage(member: Member) -> Any:
    """An unlikely number."""
    return member.stored.type({"f": 7.7e77, "b": 1}.get(member.stored.kind, 0x5A))
