"""Which format a file of an instance has, by what it says; its name decides only where that leaves a choice.

Files that name themselves (TSPLIB, DIMACS, qbsolv, Knowles and Corne's, Pisinger's, flow shops with headings) are known
by their words (`known`). A file of numbers alone is known by how many there are (`shapes`). A guess never changes the
problem: where several problems have files of one form, the format must be named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from metaheur.errors import InputError
from metaheur.problems.formats.files import file_of, read_text
from metaheur.problems.formats.known import FORMATS, WORDS, Format
from metaheur.problems.formats.named_blocks import named_blocks
from metaheur.problems.formats.shapes import Numbers, formats_of
from metaheur.problems.formats.taillard_flow_shop import HEADING

__all__ = ["by_layout", "explained", "recognise"]

T = TypeVar("T")


def recognise(path: str | os.PathLike[str], problems: Sequence[str] = ()) -> Format:
    """The format of a file; of one whose content fits none, the usual one of its name: its reader says what is wrong.

    A table of weighted pairs i, j without any i = j is a graph, one with some is a quadratic 0-1 problem. Whether that
    is minimised (Biq Mac) or maximised (OR-Library) is said by a first line with the number of instances, by a comment,
    or by a name such as `be.sparse` or `bqp50.txt`. A file that leaves a choice is refused; the message names the
    choices.

    `problems`: the classes of problems that may be wanted, where options of the reader say so.
    """
    found = _formats_of(path)
    usual = _usual(path)
    choices = [form for form in found if form in usual] or found or usual
    choices = [form for form in choices if form.problem in problems] or choices
    if not choices:
        raise InputError(
            f"{path} has none of the formats that are known: {', '.join(FORMATS)}.",
            "it is truncated or of another problem; name its format by layout=..., and the reader says what is wrong.",
        )
    if len(choices) == 1 and (not choices[0].vague or choices[0] in usual or choices[0].problem in problems):
        return choices[0]
    raise _choice(path, choices)


def by_layout(path: str | os.PathLike[str], layout: str | None, readers: Mapping[str, Callable[[Any], T]]) -> T:
    """Read a file in one of several layouts of a problem; refused where the file leaves a choice.

    `layout`: its name; None for the one that the file has, or if it has none of them, for the one that its name says.
    `readers`: the function that reads each layout.
    """
    if layout is not None and layout not in readers:
        names = [repr(each) for each in readers]
        raise InputError(f"`layout` must be {', '.join(names[:-1])} or {names[-1]}, but is {layout!r}.")
    if layout is not None or not file_of(path).is_file():
        used = next(iter(readers)) if layout is None else layout
        with explained(path, used):
            return readers[used](path)
    used = _layout_of(path, readers)
    try:
        return readers[used](path)
    except InputError as error:
        others = " or ".join(f'layout="{each}"' for each in readers if each != used)
        way = error.maybe.rstrip(".")
        raise InputError(
            f"{error.reason} It was read in the layout {used!r}, as no other was named.",
            f"{f'{way}; or ' if way else ''}it has another layout: {others}.",
        ) from None


def _layout_of(path: str | os.PathLike[str], names: Iterable[str]) -> str:
    """The layout that a file has, of some; where it has none that is known, the usual one of its name, or the first."""
    forms, found, usual = [FORMATS[name] for name in names], _formats_of(path), _usual(path)
    fitting = [form for form in forms if form in found]
    choices = [form for form in fitting or forms if form in usual] or fitting
    if len(choices) > 1:
        raise _choice(path, choices)
    if not choices and found:
        kinds = " or ".join(form.says for form in found)
        ways = " or ".join(f'layout="{form.name}"' for form in forms)
        raise InputError(f"{path} has the form of: {kinds}.", f"say which of its layouts it has all the same: {ways}.")
    return (choices or forms)[0].name


def _usual(path: str | os.PathLike[str]) -> list[Format]:
    """The formats that files of this name usually have."""
    called = file_of(path).name.lower().removesuffix(".gz")
    return [form for form in FORMATS.values() if form.calls(called)]


def _choice(path: str | os.PathLike[str], choices: Sequence[Format]) -> InputError:
    """The error that asks which of some formats a file has."""
    listed = "; ".join(f"{form.name!r}, {form.says}" for form in choices)
    ways = " or ".join(f'layout="{form.name}"' for form in choices if form.problem)
    many = f"can be read in {len(choices)} formats" if len(choices) > 1 else "does not say of which problem it is"
    return InputError(f"{path} {many}: {listed}.", f"say which: {ways}." if ways else "")


def _formats_of(path: str | os.PathLike[str]) -> list[Format]:
    """All formats that the content of a file fits."""
    text = read_text(path)
    comments = "#" in text
    plain = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#")) if comments else text
    if (numbers := Numbers.of(plain)) is not None:
        return [FORMATS[name] for name in formats_of(numbers, comments=comments)]
    word = next((name for name, sign in WORDS if sign.search(text)), None)
    if word is not None:
        return [form for form in FORMATS.values() if form.name in (word, f"{word} to color")]
    headings = [heading.strip().lower() for heading in HEADING.findall(plain)]
    return [FORMATS[name] for name in _of_headings(plain, headings)] if headings else []


def _of_headings(text: str, headings: Sequence[str]) -> list[str]:
    """The formats of files of numbers between headings: lines that begin with a letter."""
    if any(heading.startswith("instance ") for heading in headings):
        blocks = (numbers for block in named_blocks(text).values() if (numbers := Numbers.of(block)))
        return next((found for each in blocks if (found := formats_of(each, comments=False))), [])
    if Numbers.of(HEADING.sub("", text)) is None:
        return []
    if any(heading.rstrip(":").rstrip() == "machines" for heading in headings):
        return ["job shop"]
    return ["flow shop"]


@contextmanager
def explained(path: str | os.PathLike[str], *names: str) -> Iterator[None]:
    """Where a reader refuses a file that has another format than those named, the way out names this format."""
    try:
        yield
    except InputError as error:
        try:
            found = _formats_of(path)
        except InputError:
            found = []
        if not found or any(form.name in names for form in found):
            raise
        kinds = " or ".join(form.says for form in found)
        raise InputError(f"{error.reason} The file has the form of: {kinds}.", error.maybe) from None
