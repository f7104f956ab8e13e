"""Spaces as other tuners read them: irace, ConfigSpace, Optuna."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from metaheur.errors import InputError
from metaheur.tuning.parameter import DIGITS, Parameter
from metaheur.tuning.space import Configuration, Space

__all__ = ["suggested", "to_configspace", "to_irace", "to_optuna"]

MOST_DIGITS = 15
"""The most decimal places that irace knows."""


def to_irace(
    space: Space, folder: str | PathLike[str], *, instances: Sequence[str], runner: str, runs: int
) -> tuple[Path, ...]:
    """Write a scenario of irace 4: ``irace --scenario FOLDER/scenario.txt`` tunes the search.

    Parameters
    ----------
    space : Space
        What is tuned.
    folder : path-like
        The folder of the files; it is made if it does not exist.
    instances : sequence of str
        The names of the instances, which the runner understands.
    runner : str
        A command of shell that reads the arguments of irace's target runner, a line for each run, and prints a cost
        for each line, as ``metaheur tune ... --runner`` does.
    runs : int
        The budget of irace: `maxExperiments`.

    Returns
    -------
    tuple of pathlib.Path
        `parameters.txt`, `configurations.txt` with the default configuration, `instances.txt`, `scenario.txt` and
        `target-runner`.

    Notes
    -----
    M. López-Ibáñez and others, "The irace package: User guide", 2016, sections 5 and 10. irace has no rule for values
    that fit together only sometimes; there the runner answers `Inf`, and irace draws another configuration.
    """
    names = [each.name for each in space.parameters]
    values = (_quoted(space.default[name]) if name in space.default else "NA" for name in names)
    written = {
        "parameters.txt": _parameters(space),
        "configurations.txt": f"{' '.join(names)}\n{' '.join(values)}\n",
        "instances.txt": "".join(f"{each}\n" for each in instances),
        "scenario.txt": 'parameterFile = "./parameters.txt"\nconfigurationsFile = "./configurations.txt"\n'
        'trainInstancesDir = ""\ntrainInstancesFile = "./instances.txt"\n'
        f'targetRunner = "./target-runner"\nmaxExperiments = {runs}\n',
        "target-runner": f"#!/bin/sh\nprintf '%s\\n' \"$*\" | {runner}\n",
    }
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, text in written.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        (Path(folder) / "target-runner").chmod(0o755)
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be written: {error}.", "name another folder.") from None
    return tuple(Path(folder) / name for name in written)


def _parameters(space: Space) -> str:
    """The parameters in irace's format: name, switch, type, domain and condition."""
    rows = []
    for each in space.parameters:
        if each.range is None:
            kind, domain = "c", ", ".join(map(_quoted, each.choices))
        else:
            kind = ("i" if each.range.whole else "r") + (",log" if each.range.log else "")
            domain = f"{each.range.low}, {each.range.high}"
        condition = f' | {each.parent} == "{each.needs}"' if each.parent else ""
        rows.append(f'{each.name} "--{each.name} " {kind} ({domain}){condition}\n')
    return f"{''.join(rows)}\n[global]\ndigits = {max(map(_decimals, space.parameters))}\n"


def _decimals(parameter: Parameter) -> int:
    """The decimal places that show the smallest number with all its significant digits."""
    if parameter.range is None or parameter.range.whole:
        return DIGITS
    smallest = min(abs(each) for each in (parameter.range.low, parameter.range.high) if each)
    return min(MOST_DIGITS, max(DIGITS, DIGITS - math.floor(math.log10(smallest))))


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def to_configspace(space: Space, name: str = "search") -> str:
    """The JSON of ConfigSpace, format 0.4: ``ConfigurationSpace.from_json(file)`` reads it.

    Parameters
    ----------
    space : Space
        What is tuned.
    name : str, default "search"
        The name of the space.
    """
    parameters: list[dict[str, Any]] = []
    for each in space.parameters:
        common = {"name": each.name, "default_value": each.default, "meta": None}
        if each.range is None:
            parameters.append({"type": "categorical", "choices": list(each.choices), "weights": None, **common})
        else:
            kind = "uniform_int" if each.range.whole else "uniform_float"
            low, high = (each.range.low, each.range.high) if each.range.whole else map(float, _ends(each))
            parameters.append({"type": kind, "lower": low, "upper": high, "log": each.range.log, **common})
    conditions = [
        {"type": "EQ", "child": each.name, "parent": each.parent, "value": each.needs}
        for each in space.parameters
        if each.parent
    ]
    told = {"name": name, "hyperparameters": parameters, "conditions": conditions, "forbiddens": []}
    return json.dumps({**told, "python_module_version": "1.2.0", "format_version": 0.4}, indent=2)


def to_optuna(space: Space) -> str:
    """A JSON object of Optuna's distributions: `optuna.distributions.json_to_distribution` reads each value's JSON.

    Distributions know no conditions; `suggested` keeps them.
    """
    found: dict[str, Any] = {}
    for each in space.parameters:
        if each.range is None:
            found[each.name] = {"name": "CategoricalDistribution", "attributes": {"choices": list(each.choices)}}
        else:
            whole = each.range.whole
            low, high = (each.range.low, each.range.high) if whole else map(float, _ends(each))
            attributes = {"log": each.range.log, "step": 1 if whole else None, "low": low, "high": high}
            found[each.name] = {"name": f"{'Int' if whole else 'Float'}Distribution", "attributes": attributes}
    return json.dumps(found, indent=2)


def _ends(parameter: Parameter) -> tuple[float, float]:
    assert parameter.range is not None
    return parameter.range.low, parameter.range.high


def suggested(space: Space, trial: Any) -> Configuration:
    """The configuration that a trial of Optuna suggests.

    Parameters
    ----------
    space : Space
        What is tuned.
    trial : optuna.Trial
        It is asked for the parameters that exist, by `suggest_int`, `suggest_float` and `suggest_categorical`.
    """
    found: Configuration = {}
    for each in space.parameters:
        if not each.exists(found):
            continue
        if each.range is None:
            found[each.name] = trial.suggest_categorical(each.name, list(each.choices))
        else:
            suggest = trial.suggest_int if each.range.whole else trial.suggest_float
            found[each.name] = suggest(each.name, each.range.low, each.range.high, log=each.range.log)
    return found
