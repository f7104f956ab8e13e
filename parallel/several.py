"""Fields of models: the model inside, devices by name, and their weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from metaheur.errors import InputError
from metaheur.running.runner import ParallelModel
from metaheur.validate import real, require_device

__all__ = ["names_of", "nests", "weights_field"]


def nests(owner: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    """The validator of a field that holds a model, whose walks are distributed or exchange solutions."""
    name = f"{type(owner).__name__}.{attribute.name}"
    if not isinstance(value, ParallelModel):
        raise InputError(f"`{name}` must be a parallel model, but is {value!r}.", "use Multistart(64).")
    value.require_nested(name)


def weights_field(word: str | None = None) -> Any:
    """Declare an attrs field that holds None, a given word, or a number above 0 for each of the model's `devices`."""

    def convert(value: Any, owner: Any, _: attrs.Attribute[Any]) -> tuple[float, ...] | str:
        if word is not None and isinstance(value, str) and value == word:
            return word
        name, devices = type(owner).__name__, owner.devices
        if not devices:
            raise InputError(f"`{name}.weights` are the shares of several `devices`, but none is named.", "use None.")
        if not isinstance(value, Iterable) or len(weights := tuple(value)) != len(devices):
            raise InputError(
                f"`{name}.weights` must be a number above 0 for each of {len(devices)} devices, but is {value!r}.",
                "use None.",
            )
        return tuple(float(real(weight, f"{name}.weights", 0, above=True, maybe="use None.")) for weight in weights)

    converter = attrs.Converter(convert, takes_self=True, takes_field=True)  # type: ignore[misc, unused-ignore]
    return attrs.field(converter=attrs.converters.optional(converter), default=None, kw_only=True)


def names_of(value: Any) -> tuple[str, ...]:
    """The names of several compiled devices."""
    if isinstance(value, str) or not value:
        raise InputError(f"`devices` must name several devices, but is {value!r}.", 'use ("cuda:0", "cuda:1").')
    names = tuple(value)
    for name in names:
        require_device(name)
        if name in ("auto", "numpy"):
            raise InputError(f'`devices` must be "host" or GPUs, but holds {name!r}.', 'use ("cuda:0", "cuda:1").')
    return names
