"""Tables of TOML with texts, numbers and truths."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["read_toml", "write_toml"]


def write_toml(path: str, table: dict[str, Any]) -> None:
    """Write a table, which `read_toml` reads back."""
    from metaheur.problems.formats.files import write_lines

    write_lines(path, [f"{name} = {json.dumps(value)}" for name, value in table.items()])


def read_toml(path: str) -> dict[str, Any]:
    """Read a table."""
    import tomllib

    from metaheur.errors import InputError
    from metaheur.problems.formats.files import read_text

    try:
        table = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}.", "write it by metaheur solve ... --dump FILE.") from None
    for name, value in table.items():
        if not isinstance(value, str | int | float):
            raise InputError(f"{path}: `{name}` must be a text, a number or a truth, but is {value!r}.")
    return table
