"""The compiled entries of a tree, and the record that passes numbers to them and back."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer, Device
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.session import Session

__all__ = ["Entries"]


@final
@define(eq=False)
class Entries:
    """Launches the entries of a unit whose `Arguments` have a `Batch* batch`.

    `unit`: the unit that has the entries. `device`: where they run. `record`: `Batch`: the orders for a launch and its
    findings, numbers and addresses of 64 bits each.
    """

    unit: TranslationUnit
    device: Device
    record: Record
    _places: dict[str, int] = field(init=False)
    _session: Session = field(init=False)
    _numbers: np.ndarray = field(init=False)
    _batch: Buffer = field(init=False)  # the same numbers on the device

    def __attrs_post_init__(self) -> None:
        """Compile."""
        self._places = {name: i for i, name in enumerate(self.record.members)}
        self._session = Session(self.device.compile(self.unit), self.device)
        self._session.keep()
        self._numbers = np.zeros(len(self._places), np.int64)
        with self.device.current:
            self._batch = self._session.own("batch").view(np.int64)

    def ask(self, **values: Any) -> None:
        """Set members of the batch: numbers, and addresses of memory, to which the caller must hold a reference."""
        for name, value in values.items():
            number = value if isinstance(value, int | np.integer) else self.device.pointer(value)
            self._numbers[self._places[name]] = number
        self.device.write(self._batch, self._numbers)

    def launch(self, entry: str, value: int = 0, *, blocks: int = 1) -> None:
        """Run an entry."""
        self._session.launch(entry, value, blocks=blocks)

    def read(self, first: str, last: str) -> list[int]:
        """The numbers from one member of the batch to another, as the last launch left them."""
        part = slice(self._places[first], self._places[last] + 1)
        found: list[int] = self.device.download(self._batch, part.start, part.stop - part.start).tolist()
        return found
