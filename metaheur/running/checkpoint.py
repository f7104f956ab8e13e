"""A run in a file: arrays and one JSON entry in an `.npz`, never a pickle.

The states of all walks are written field by field: the values of one field, of all walks, form an entry. In a
portfolio, the walks of one search form entries of their own. To read a state, the values replace those of a state that
`Search.init` makes, so that a file never names a class to construct. Search and problem are not saved: the file holds
their class names and a hash of every field, and `resume` needs equal
ones.
"""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, final

import attrs
import numpy as np
from attrs import frozen

from metaheur.errors import CheckpointError, InputError
from metaheur.evaluators.costs import python_cost
from metaheur.evaluators.saved import require_solution
from metaheur.machine.files import read_regular, replace_file
from metaheur.problem import Problem, level_names
from metaheur.random import START, Key, Random
from metaheur.representation import Representation
from metaheur.running.result import Improvement, versions
from metaheur.running.view import View
from metaheur.search import ChecksStates, HasMembers, Search, names_of
from metaheur.walk import EvaluatedSolution

__all__ = ["Saved", "encode", "load", "save"]

FORMAT = 4
"""Version of the file's layout; a change of the layout increases it."""

MOST_ITERATIONS, MOST_EVALUATED = 2**48, 2**61
"""Limits of a walk's counts in a file: far less than the numbers that runners use for never."""

_MEMORY = 6  # bytes of memory, at most, to read a byte of a file

_ENTRY = "metaheur"  # the JSON entry; arrays are called "0", "1", ...


@final
@frozen(eq=False)
class Saved:
    """The content of a checkpoint.

    `states`: the state of each walk. `seconds`: time since the call of `run`, without compiling. `improvements`: every
    new best solution so far. `start_cost`: the best cost when the run began. `past`, mapping of str to numpy.ndarray:
    the rows that stopping criteria remember, by the criteria's texts.
    """

    states: list[Any]
    seconds: float
    improvements: tuple[Improvement, ...]
    start_cost: Any
    past: Mapping[str, np.ndarray]


def save(path: str | PathLike[str], view: View) -> None:
    """Write a run to a file, which is replaced at once or not at all.

    `path`: the file; no suffix is added. `view`: the run, as watchers see it. Raises CheckpointError if the search, the
    problem or the state holds something that cannot be saved. Raises OSError if the file cannot be written.
    """
    replace_file(Path(path), encode(view))


def load(path: str | PathLike[str], search: Search[Any], problem: Problem) -> Saved:
    """Read a run that `save` wrote.

    `search`, `problem`: equal to the search and the problem of the run. Raises CheckpointError if the file is missing,
    broken or of another format, or belongs to another version of metaheur, another search or another problem; the
    message says which field of which class differs.
    """
    header, arrays = _read(path)
    try:
        _compare(header, search, problem)
        keys = [Key(*each) for each in header["keys"]]
        if not keys:
            raise CheckpointError("it has no walks.")
        states = _states(search, problem, keys, header, arrays)
        for key, state in zip(keys, states, strict=True):
            _require_state(search, problem, key, state)
        improvements = tuple(_improvement(each) for each in header["improvements"])
        seconds = header["seconds"]
        if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:
            raise CheckpointError(f"its seconds are {seconds!r}.")
        start_cost = header["start_cost"]
        several = isinstance(start_cost, list) and 0 < len(start_cost) == len(
            problem.objectives or level_names(problem)
        )
        start_cost = tuple(start_cost) if several else start_cost
        numbers = start_cost if several else (start_cost,)
        if any(type(number) not in (int, float) or not math.isfinite(number) for number in numbers):
            raise CheckpointError(f"its first cost is {start_cost!r}.")
        past = {str(text): _rows(arrays[name], keys) for text, name in header["past"].items()}
        return Saved(states, float(seconds), improvements, start_cost, past)
    except CheckpointError as error:
        raise CheckpointError(f"{path} cannot be resumed: {error.reason}", error.maybe) from None
    except InputError as error:
        raise CheckpointError(f"{path} cannot be resumed: {error.reason}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is broken: its entries do not make a run ({error!r}).") from error


def _require_state(search: Search[Any], problem: Problem, key: Key, state: Any) -> None:
    """Refuse a state whose numbers, solutions or arrays cannot be right."""
    walk = state.walk
    if walk.key != key:
        raise CheckpointError(f"its key is {key}, but its walk's is {walk.key}.")
    counts = [walk.iteration, walk.improved_at, walk.began]
    whole = all(type(count) is int and 0 <= count < MOST_ITERATIONS for count in counts)
    whole = whole and type(walk.evaluated) is int and 0 <= walk.evaluated < MOST_EVALUATED
    latest = walk.iteration + 1  # a best solution may come from a step that broke off
    if not whole or walk.improved_at > latest or walk.began > walk.iteration:
        raise CheckpointError(f"its walk counts {[*counts, walk.evaluated]}.")
    known: set[tuple[bytes, str]] = set()  # an inner search has solutions of the outer one, too
    for name, evaluated in _evaluated(state, ""):
        content = evaluated.solution.tobytes(), repr(evaluated.cost)
        if content not in known:
            require_solution(problem, evaluated.solution, evaluated.cost, name)
            known.add(content)
    if isinstance(search, ChecksStates):
        search.require_state(state, problem)


def _evaluated(value: Any, name: str) -> Iterator[tuple[str, EvaluatedSolution]]:
    """All solutions in a state, with the names of their fields."""
    if isinstance(value, EvaluatedSolution):
        yield name, value
    elif isinstance(value, Representation | Problem):
        return
    elif attrs.has(type(value)):
        for each in (each for each in attrs.fields(type(value)) if each.init):
            yield from _evaluated(getattr(value, each.name), each.name)
    elif isinstance(value, Mapping):
        for inner, each in value.items():
            yield from _evaluated(each, inner)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _evaluated(each, name)


def _rows(rows: np.ndarray, keys: list[Key]) -> np.ndarray:
    """The rows that a criterion remembers, one for each walk."""
    if rows.shape != (len(keys),):
        raise CheckpointError(f"a criterion remembers {rows.shape} of {len(keys)} walks.")
    return rows


def _improvement(row: Any) -> Improvement:
    iteration, cost, seconds, walk, evaluated = row
    whole = all(type(each) is int and 0 <= each < 2**63 for each in (iteration, walk, evaluated))
    numbers = cost if isinstance(cost, list) else [cost]
    real = all(type(each) in (int, float) and math.isfinite(each) for each in (*numbers, seconds))
    if not whole or not real:
        raise CheckpointError(f"it has the improvement {row!r}.")
    return Improvement(iteration, tuple(cost) if isinstance(cost, list) else cost, seconds, walk, evaluated)


def encode(view: View) -> bytes:
    """The content of the file that `save` writes. Raises CheckpointError as for `save`."""
    arrays: dict[str, np.ndarray] = {}
    walks = view.walks
    members = walks.members.tolist()
    header = {
        "format": FORMAT,
        "metaheur": versions()["metaheur"],
        "search": digest(view.search, type(view.search).__name__),
        "problem": digest(view.problem, type(view.problem).__name__),
        "keys": [[key.seed, key.walk] for key in walks.keys],
        "seconds": view.seconds,
        "improvements": [[e.iteration, e.cost, e.seconds, e.walk, e.evaluated] for e in view.improvements],
        "start_cost": view.cost if view.start_cost is None else view.start_cost,
        "past": {text: f"past{k}" for k, text in enumerate(view.past)},
        "members": members,
        "states": [_encode([walks.state(w) for w in own], arrays, "state") for own in _by_member(members).values()],
    }
    arrays.update((f"past{k}", rows) for k, rows in enumerate(view.past.values()))
    arrays[_ENTRY] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return file.getvalue()


def _read(path: str | PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The JSON entry and the arrays; zipfile compares the checksum of each before NumPy sees it."""
    try:
        content = read_regular(path, _MEMORY)
    except (OSError, ValueError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CheckpointError(f"{path} cannot be read: {reason}.", "check the path.") from error
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                raise ValueError("its entries are compressed, but checkpoints are not")
            entries = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
        arrays = {name: np.load(BytesIO(entry), allow_pickle=False) for name, entry in entries.items()}
        if any(array.dtype == bool and (array.view(np.uint8) > 1).any() for array in arrays.values()):
            raise ValueError("a truth value is neither 0 nor 1")
        header = json.loads(arrays.pop(_ENTRY).tobytes())
        if not isinstance(header, dict):
            raise ValueError("its JSON entry is not an object")
    except Exception as error:  # whatever zipfile, NumPy and json raise on garbage
        raise CheckpointError(
            f"{path} is not a checkpoint, or a damaged one: {error!r}.", "an older copy of it is whole."
        ) from error
    return header, arrays


def _compare(header: Mapping[str, Any], search: Search[Any], problem: Problem) -> None:
    """Refuse a file with another format, version, search or problem."""
    if header["format"] != FORMAT:
        raise CheckpointError(f"its format is {header['format']!r}, but this metaheur reads format {FORMAT}.")
    there, here = header["metaheur"], versions()["metaheur"]
    if there != here:
        raise CheckpointError(
            f"metaheur {there} wrote it, but this is {here}, which may take other steps from the same state.",
            f"install metaheur=={there} to resume it.",
        )
    for role, value in (("search", search), ("problem", problem)):
        name = type(value).__name__
        difference = _difference(header[role], digest(value, name), name)
        if difference:
            raise CheckpointError(f"it belongs to another {role}: {difference}", f"pass the {role} of that run.")


def _template(search: Search[Any], problem: Problem, key: Key, member: int) -> Any:
    """A state of the right shape: the first one of a random start."""
    representation = problem.representation
    x = representation.validate(representation.random(Random(key, START, 0)))
    start = EvaluatedSolution(representation, x, python_cost(problem, x))
    return search.begin(member, start, key) if isinstance(search, HasMembers) else search.init(start, key)


def _by_member(members: Sequence[int]) -> dict[int, list[int]]:
    """The walks of each search that makes some; the states of one search are alike."""
    found: dict[int, list[int]] = {}
    for w, member in enumerate(members):
        found.setdefault(member, []).append(w)
    return dict(sorted(found.items()))


def _states(
    search: Search[Any], problem: Problem, keys: list[Key], header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
) -> list[Any]:
    """The states of all walks, search by search."""
    members, count = header["members"], len(names_of(search))
    if len(members) != len(keys) or any(type(each) is not int or not 0 <= each < count for each in members):
        raise CheckpointError(f"its walks are made by the searches {members!r}, but there are {count}.")
    groups = _by_member(members)
    states: dict[int, Any] = {}
    for node, (member, walks) in zip(header["states"], groups.items(), strict=True):
        template = _template(search, problem, keys[walks[0]], member)
        states |= {w: _decode(node, template, arrays, "state", i) for i, w in enumerate(walks)}
        if isinstance(search, HasMembers) and any(search.member(states[w]) != member for w in walks):
            raise CheckpointError("a state is not of the search that it says.")
    return [states[w] for w in range(len(keys))]


# States <-> JSON and arrays


def _encode(values: list[Any], arrays: dict[str, np.ndarray], where: str) -> Any:
    """A JSON tree of the values of one field in the states of all walks, with the names of entries for arrays."""
    first = values[0]
    if all(map(_is_plain, values)):
        return {"values": values}
    if isinstance(first, np.ndarray | np.generic):
        stacked = np.stack([np.asarray(value) for value in values])
        if stacked.dtype.hasobject:
            raise CheckpointError(f"{where} is an array of Python objects, which cannot be saved.")
        name = str(len(arrays))
        arrays[name] = stacked
        return {"array": name}
    if isinstance(first, Representation | Problem):
        return {}
    if attrs.has(type(first)):
        found = {}
        for each in (each for each in attrs.fields(type(first)) if each.init):
            column = [getattr(value, each.name) for value in values]
            encode = _encode_rows if each.metadata.get("rows") else _encode
            found[each.name] = encode(column, arrays, f"{where}.{each.name}")
        return {"fields": found}
    if isinstance(first, Mapping) and all(isinstance(name, str) for name in first):
        return {"keys": {n: _encode([value[n] for value in values], arrays, f"{where}[{n!r}]") for n in first}}
    if type(first) in (tuple, list) and len({len(value) for value in values}) == 1:
        columns = zip(*values, strict=True)
        return {"items": [_encode(list(each), arrays, f"{where}[{i}]") for i, each in enumerate(columns)]}
    raise CheckpointError(
        f"{where} is a {type(first).__name__}, which cannot be saved.",
        "make it a number, an array, a tuple, a mapping or an attrs class.",
    )


def _encode_rows(values: list[np.ndarray], arrays: dict[str, np.ndarray], where: str) -> Any:
    """One array of all rows, where the numbers of rows differ from walk to walk."""
    name = str(len(arrays))
    arrays[name] = np.concatenate(values)
    return {"array": name, "rows": [len(value) for value in values]}


def _decode_rows(node: Any, template: np.ndarray, arrays: Mapping[str, np.ndarray], where: str, w: int) -> np.ndarray:
    """An array with as many rows as were saved."""
    whole, rows = arrays[_part(node, "array", where)], _part(node, "rows", where)
    counts = [count for count in rows if type(count) is int and count >= 0]
    if len(counts) < len(rows) or sum(counts) != len(whole):
        raise CheckpointError(f"{where} has {len(whole)} rows, but {rows!r} are listed.")
    if (whole.dtype, whole.shape[1:]) != (template.dtype, template.shape[1:]):
        raise CheckpointError(
            f"{where} has rows of {whole.dtype} {whole.shape[1:]}, but here they are {template.dtype} "
            f"{template.shape[1:]}."
        )
    return np.array(whole[sum(counts[:w]) : sum(counts[: w + 1])])


def _decode(  # noqa: PLR0913, PLR0917 - one walk of a tree of names
    node: Any, template: Any, arrays: Mapping[str, np.ndarray], where: str, w: int, varies: bool = False
) -> Any:
    """The value of walk w at a node, with the template's classes, shapes and types; lengths that vary may differ."""
    if isinstance(template, Representation | Problem):
        return template
    if _is_plain(template) or isinstance(template, np.generic):
        return _scalar(node, template, arrays, where, w)
    if isinstance(template, np.ndarray):
        array = np.array(arrays[_part(node, "array", where)][w])
        there, here = ((each.dtype, each.ndim if varies else each.shape) for each in (array, template))
        if there != here:
            raise CheckpointError(
                f"{where} is an array of {array.dtype} {array.shape}, but here it is {template.dtype} {template.shape}."
            )
        return array
    if attrs.has(type(template)):
        fields = [each for each in attrs.fields(type(template)) if each.init]
        nodes = _named(_part(node, "fields", where), [each.name for each in fields], where)
        return type(template)(
            **{
                each.alias: _decode_rows(
                    nodes[each.name], getattr(template, each.name), arrays, f"{where}.{each.name}", w
                )
                if each.metadata.get("rows")
                else _decode(
                    nodes[each.name],
                    getattr(template, each.name),
                    arrays,
                    f"{where}.{each.name}",
                    w,
                    each.metadata.get("varies", False),
                )
                for each in fields
            }
        )
    if isinstance(template, Mapping):
        nodes = _named(_part(node, "keys", where), list(template), where)
        return {
            name: _decode(nodes[name], each, arrays, f"{where}[{name!r}]", w, varies) for name, each in template.items()
        }
    nodes = _part(node, "items", where)
    if len(nodes) != len(template):
        raise CheckpointError(f"{where} has {len(nodes)} items, but here it has {len(template)}.")
    pairs = enumerate(zip(nodes, template, strict=True))
    return type(template)(_decode(each, like, arrays, f"{where}[{i}]", w) for i, (each, like) in pairs)


def _part(node: Any, kind: str, where: str) -> Any:
    if not isinstance(node, dict) or kind not in node:
        raise CheckpointError(f"{where} is saved as {sorted(node)}, but here it has {kind}.")
    return node[kind]


def _named(nodes: Mapping[str, Any], names: list[str], where: str) -> Mapping[str, Any]:
    if nodes.keys() != set(names):
        raise CheckpointError(f"{where} is made of {sorted(nodes)}, but here of {sorted(names)}.")
    return nodes


def _is_plain(value: Any) -> bool:
    """Whether JSON returns the same value with the same type."""
    return value is None or type(value) in (bool, int, float, str)


def _scalar(node: Any, template: Any, arrays: Mapping[str, np.ndarray], where: str, w: int) -> Any:
    """The value, if its type is the template's: plain or NumPy's; any type for None, which can become anything."""
    value = arrays[node["array"]][w] if "array" in node else _part(node, "values", where)[w]
    if value is not None and (template is not None or _kind(value) == "other") and _kind(value) != _kind(template):
        raise CheckpointError(f"{where} is {value!r}, but here it is {template!r}.")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "truth value"
    if isinstance(value, int | np.integer):
        return "whole number"
    if isinstance(value, float | np.floating):
        return "number"
    return type(value).__name__ if isinstance(value, str | np.ndarray) else "other"


# Which search, which problem


def digest(value: Any, where: str) -> Any:
    """A tree of class names and hashes, one for every field."""
    inner = parts_of(value)
    if inner is None:
        return _sha256(*_content(value, where))
    fields = {name: digest(each, f"{where}.{name}") for name, each in inner.items()}
    return {"class": type(value).__name__, "fields": fields}


def parts_of(value: Any) -> Mapping[str, Any] | None:
    """The parts of a value, by name; None for a value without parts."""
    if isinstance(value, type):
        return None
    if attrs.has(type(value)):
        fields = [each for each in attrs.fields(type(value)) if each.init and each.metadata.get("saved", True)]
        return {each.name: getattr(value, each.name) for each in fields}
    if isinstance(value, Mapping):
        return {str(name): each for name, each in value.items()}
    if isinstance(value, tuple | list):
        return {str(i): each for i, each in enumerate(value)}
    return None


def _content(value: Any, where: str) -> tuple[bytes, ...]:
    """The type and the content of a value without parts."""
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return f"{value.dtype} {value.shape}".encode(), np.ascontiguousarray(value).tobytes()
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | Fraction | Enum | Path):
        return type(value).__name__.encode(), repr(value).encode()
    if hasattr(value, "__qualname__"):  # a class or a function: its name stands for it
        return str(value.__module__).encode(), str(value.__qualname__).encode()
    raise CheckpointError(
        f"{where} is a {type(value).__name__}, whose content cannot be compared.", "make it an attrs class or an array."
    )


def _sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _difference(saved: Any, here: Any, where: str) -> str:
    """The first difference between two digests in words, or ""."""
    if saved == here:
        return ""
    if not isinstance(saved, dict) or not isinstance(here, dict) or saved.keys() != here.keys():
        return f"{where} differs."
    if saved["class"] != here["class"]:
        return f"{where} is a {here['class']}, but a {saved['class']} was saved."
    if saved["fields"].keys() != here["fields"].keys():
        return f"{where} has the fields {sorted(here['fields'])}, but {sorted(saved['fields'])} were saved."
    found = (_difference(saved["fields"][name], here["fields"][name], f"{where}.{name}") for name in here["fields"])
    return next(difference for difference in found if difference)
