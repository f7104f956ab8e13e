"""The compiled entries of a tree, and the record by which they are asked."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.memory import allocate

__all__ = ["Entries"]


@final
@define(eq=False)
class Entries:
    """Compiles a unit whose `Arguments` have a `Batch* batch`, and launches its entries.

    Parameters
    ----------
    unit : TranslationUnit
        With the entries.
    device : Device
        Where.
    record : Record
        `Batch`: what a launch is asked for and what it says, numbers and addresses of 64 bits each.
    """

    unit: TranslationUnit
    device: Device
    record: Record
    _places: dict[str, int] = field(init=False)
    _compiled: CompiledUnit = field(init=False)
    _tables: dict[str, Buffer] = field(init=False)
    _numbers: np.ndarray = field(init=False)
    _batch: Buffer = field(init=False)
    _arguments: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile, and pack the arguments."""
        device = self.device
        self._places = {name: i for i, name in enumerate(self.record.members)}
        self._compiled = device.compile(self.unit)
        self._tables = allocate(self.unit, device)
        self._numbers = np.zeros(len(self._places), np.int64)
        self._batch = device.zeros(len(self._places), np.int64)
        packed = self.unit.arguments(device, self._tables, {"batch": device.pointer(self._batch)})
        self._arguments = device.upload(packed)

    def ask(self, **values: Any) -> None:
        """What the next launches are asked for: numbers, and buffers, which their owner keeps; all others stay."""
        for name, value in values.items():
            number = value if isinstance(value, int | np.integer) else self.device.pointer(value)
            self._numbers[self._places[name]] = number
        self.device.write(self._batch, self._numbers)

    def launch(self, entry: str, value: int = 0, *, blocks: int = 1) -> None:
        """Run an entry."""
        self._compiled.launch(entry, self._arguments, value, blocks=blocks)

    def said(self, first: str, last: str) -> list[int]:
        """The numbers from one member to another, as the last launch left them."""
        part = slice(self._places[first], self._places[last] + 1)
        found: list[int] = self.device.download(self._batch, part.start, part.stop - part.start).tolist()
        return found
