"""The seam of models in models: a model that holds another one."""

from __future__ import annotations

from typing import Any, Self

from attrs import evolve

from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.running.runner import ParallelModel

__all__ = ["ModelWrapper"]


class ModelWrapper(ParallelModel):
    """A model that holds another one, places its walks, and agrees with it in everything else.

    A subclass is an attrs class with a field `model`. A model whose walks meet says so in `meets`, and turns itself
    outside in `outside`.

    `model`: the model that has the walks.
    """

    model: ParallelModel

    @property
    def meets(self) -> str:
        """When the walks of the model meet."""
        return self.model.meets

    @property
    def walks(self) -> int:
        """The number of walks of the model."""
        return self.model.walks

    @property
    def device(self) -> str:
        """The device of the model."""
        return self.model.device

    def keys(self, seed: int) -> tuple[Key, ...]:
        """The keys of the model's walks."""
        return self.model.keys(seed)

    def around(self, model: ParallelModel) -> Self:
        """The same model, which holds another one. `model`: the model that it holds instead."""
        this: Any = self
        changed: Self = evolve(this, model=model)
        return changed

    def on(self, device: str) -> ParallelModel:
        return self.around(self.model.on(device))

    def outside(self, placing: Any) -> ParallelModel | None:
        meeting = self.model.outside(self)
        return None if meeting is None else meeting.outside(placing)

    def require(self, problem: Problem) -> None:
        """Refuse a run that the model refuses."""
        self.model.require(problem)
