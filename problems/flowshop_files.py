"""Flow shop instances: Taillard's from their published seeds, and the files of his and of two sets with due dates.

Times are matrices of shape (n, m): a row for each job, a column for each machine, whatever the order in the file.

Sources: É. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993;
A. Liefooghe, M. Basseur, L. Jourdan and E.-G. Talbi, "Combinatorial optimization of stochastic multi-objective
problems: an application to the flow-shop scheduling problem", EMO 2007 (bi-objective files); G. Minella, R. Ruiz and
M. Ciavotta, "A review and evaluation of multiobjective algorithms for the flowshop scheduling problem", INFORMS Journal
on Computing 20, 2008 (due dates and weights for Taillard's instances).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problems.files import Span, integers, line_of, read_text

__all__ = ["BOUNDS", "Instance", "read_due_dates", "read_taillard", "taillard"]

Integers = npt.NDArray[np.int64]

_LARGEST_SIZE: Final = 100_000
_HEADING: Final = re.compile(r"^[^\S\n]*[A-Za-z].*$", re.MULTILINE)
_RELATED: Final = re.compile(r"^[^\S\n]*Reldue[^\S\n]*$", re.MULTILINE | re.IGNORECASE)

# Jobs and machines, then for each of ten instances: the time seed, the lower bound and the upper bound of the makespan.
_TABLE: Final = """
20 5
    873654221 1232 1278, 379008056 1290 1359, 1866992158 1073 1081, 216771124 1268 1293, 495070989 1198 1235,
    402959317 1180 1195, 1369363414 1226 1234, 2021925980 1170 1206, 573109518 1206 1230, 88325120 1082 1108
20 10
    587595453 1448 1582, 1401007982 1479 1659, 873136276 1407 1496, 268827376 1308 1377, 1634173168 1325 1419,
    691823909 1290 1397, 73807235 1388 1484, 1273398721 1363 1538, 2065119309 1472 1593, 1672900551 1356 1591
20 20
    479340445 1911 2297, 268827376 1711 2099, 1958948863 1844 2326, 918272953 1810 2223, 555010963 1899 2291,
    2010851491 1875 2226, 1519833303 1875 2273, 1748670931 1880 2200, 1923497586 1840 2237, 1829909967 1900 2178
50 5
    1328042058 2712 2724, 200382020 2808 2834, 496319842 2596 2621, 1203030903 2740 2751, 1730708564 2837 2863,
    450926852 2793 2829, 1303135678 2689 2725, 1273398721 2667 2683, 587288402 2527 2552, 248421594 2776 2782
50 10
    1958948863 2907 2991, 575633267 2821 2867, 655816003 2801 2839, 1977864101 2968 3063, 93805469 2908 2976,
    1803345551 2941 3006, 49612559 3062 3093, 1899802599 2959 3037, 2013025619 2795 2897, 578962478 3046 3065
50 20
    1539989115 3480 3846, 691823909 3424 3699, 655816003 3351 3640, 1315102446 3336 3719, 1949668355 3313 3610,
    1923497586 3460 3679, 1805594913 3427 3704, 1861070898 3383 3691, 715643788 3457 3741, 464843328 3438 3755
100 5
    896678084 5437 5493, 1179439976 5208 5268, 1122278347 5130 5175, 416756875 4963 5014, 267829958 5195 5250,
    1835213917 5063 5135, 1328833962 5198 5246, 1418570761 5038 5094, 161033112 5385 5448, 304212574 5272 5322
100 10
    1539989115 5759 5770, 655816003 5345 5349, 960914243 5623 5676, 1915696806 5732 5781, 2013025619 5431 5467,
    1168140026 5246 5303, 1923497586 5523 5595, 167698528 5556 5617, 1528387973 5779 5871, 993794175 5830 5845
100 20
    450926852 5851 6173, 1462772409 6099 6183, 1021685265 6099 6252, 83696007 6072 6254, 508154254 6009 6285,
    1861070898 6144 6331, 26482542 5991 6223, 444956424 6084 6372, 2115448041 5979 6247, 118254244 6298 6404
200 10
    471503978 10816 10862, 1215892992 10422 10480, 135346136 10886 10922, 1602504050 10794 10889,
    160037322 10437 10524, 551454346 10255 10329, 519485142 10761 10854, 383947510 10663 10730,
    1968171878 10348 10438, 540872513 10616 10675
200 20
    2013025619 10979 11158, 475051709 10947 11160, 914834335 11150 11281, 810642687 11127 11275,
    1019331795 11132 11259, 2056065863 11085 11176, 1342855162 11194 11337, 1325809384 11126 11301,
    1988803007 10965 11146, 765656702 11122 11284
500 20
    1368624604 25922 26040, 450181436 26353 26500, 1927888393 26320 26371, 1759567256 26424 26456,
    606425239 26181 26334, 19268348 26401 26469, 1298201670 26300 26389, 2041736264 26429 26560,
    379756761 25891 26005, 28837162 26315 26457
"""


def _table() -> list[tuple[int, int, int, int, int]]:
    rows = []
    n = m = 0
    for line in _TABLE.strip().splitlines():
        if line.startswith(" "):
            for entry in line.strip(" ,").split(", "):
                seed, lower, upper = map(int, entry.split())
                rows.append((n, m, seed, lower, upper))
        else:
            n, m = map(int, line.split())
    return rows


_INSTANCES: Final = tuple(_table())

BOUNDS: Final[Mapping[int, tuple[int, int]]] = MappingProxyType(
    {index: (lower, upper) for index, (_, _, _, lower, upper) in enumerate(_INSTANCES, 1)}
)
"""The lower and the upper bound known for the makespan of Taillard's instances, by their number 1 ... 120.

The lower bounds are those of the published files; the upper bounds are makespans reported since. Sources differ on
those of 81, 85, 86, 88 and 89: the higher one stands here.
"""


def taillard(index: int) -> Integers:
    """Generate the processing times of one of Taillard's 120 instances, equal to the published file entry by entry.

    The times are uniform in 1 ... 99, drawn machine by machine, job by job, by the generator x ← 16807 x mod 2**31 - 1.

    Parameters
    ----------
    index : int
        1 ... 120: ta001 ... ta120 of the literature, of 20 to 500 jobs on 5 to 20 machines.

    Returns
    -------
    ndarray of int64, shape (n, m)
        The time of each job (a row) on each machine (a column).

    Raises
    ------
    InputError
        If there is no such instance.

    Examples
    --------
    >>> taillard(1).shape, taillard(1)[0]
    ((20, 5), array([54, 79, 16, 66, 58]))
    """
    if isinstance(index, bool) or index not in BOUNDS:
        raise InputError(f"Taillard's flow shop instance {index!r} is not known.", "use a number in 1 ... 120.")
    n, m, seed, _, _ = _INSTANCES[index - 1]
    return np.array(list(islice(_times(seed), n * m)), np.int64).reshape(m, n).T.copy()


def _times(seed: int) -> Iterator[int]:
    modulus = 2**31 - 1
    while True:
        seed = 16807 * seed % modulus
        yield 1 + 99 * seed // modulus


def _convert(value: Any, attribute: Attribute[Any]) -> Any:
    """A read-only copy of an array of integers that are 0 or more."""
    if value is None:
        return None
    array = np.asarray(value)
    ndim = 2 if attribute.name == "times" else 1
    if array.dtype.kind not in "iu" or array.ndim != ndim or not array.size:
        raise InputError(
            f"{attribute.name} is an array of {array.dtype} of shape {array.shape}, but it must hold integers in "
            f"{('one dimension', 'two dimensions')[ndim - 1]}."
        )
    if array.min() < 0 or int(array.max()) > 2**53:
        offence = array.min() if array.min() < 0 else array.max()
        raise InputError(f"{attribute.name} holds {offence}, which is not in 0 ... 2**53.")
    array = np.array(array, np.int64, order="C")
    array.flags.writeable = False
    return array


def _array(**options: Any) -> Any:
    converter: Any = Converter(_convert, takes_field=True)
    return field(converter=converter, **options)


@final
@frozen(eq=False)
class Instance:
    """A permutation flow shop instance.

    Parameters
    ----------
    times : array_like of int64, shape (n, m)
        The time of each of n jobs (a row) on each of m machines (a column), 0 or more.
    due_dates : array_like of int64, shape (n,), keyword-only, optional
        When each job should be finished, 0 or more.
    weights : array_like of int64, shape (n,), keyword-only, optional
        How much a job's tardiness counts, 0 or more.
    seed : int, keyword-only, optional
        The time seed that the file states.
    lower_bound, upper_bound : int, keyword-only, optional
        Of the makespan, as the file states them.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    times: Integers = _array()
    due_dates: Integers | None = _array(default=None, kw_only=True)
    weights: Integers | None = _array(default=None, kw_only=True)
    seed: int | None = field(default=None, kw_only=True)
    lower_bound: int | None = field(default=None, kw_only=True)
    upper_bound: int | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse vectors of another number of jobs."""
        for name in ("due_dates", "weights"):
            vector = getattr(self, name)
            if vector is not None and len(vector) != len(self.times):
                raise InputError(f"{name} holds {len(vector)} values, but times {len(self.times)} jobs.")


def read_taillard(path: str | os.PathLike[str]) -> list[Instance]:
    """Read a file in the format of Taillard's: ten instances in each of his, but any number is accepted.

    Each instance is a heading, five numbers (jobs, machines, time seed, upper and lower bound), a second heading, and
    the times, machine by machine. A heading is a line that begins with a letter.

    Returns
    -------
    list of Instance
        With times, seed and bounds.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated, holds other counts of numbers, or words that are no integers.
    """
    text = read_text(path)
    headings = list(_HEADING.finditer(text))
    starts = [0, *(heading.end() for heading in headings)]
    stops = [*(heading.start() for heading in headings), len(text)]
    blocks = [block for block in zip(starts, stops, strict=True) if text[slice(*block)].strip()]
    instances = []
    for first, second in zip(blocks[::2], [*blocks[1::2], None], strict=False):
        numbers = integers(text, first, path)
        where = f"{path}, line {line_of(text, first[0] + len(text[slice(*first)]) - len(text[slice(*first)].lstrip()))}"
        if len(numbers) != 5:
            raise InputError(
                f"{where}: {len(numbers)} numbers stand here, but an instance begins with five: jobs, machines, seed, "
                "upper and lower bound.",
                "a heading between them and the times is missing.",
            )
        n, m, seed, upper, lower = numbers.tolist()
        _check_size(n, m, where)
        times = integers(text, second, path) if second else numbers[:0]
        _check_count(len(times), n * m, f"{where}: the instance of {n} jobs and {m} machines")
        matrix = times.reshape(m, n).T
        instances.append(_instance(where, matrix, seed=seed, lower_bound=lower, upper_bound=upper))
    if not instances:
        raise InputError(f"{path} holds no numbers.", "the file has another format.")
    return instances


def read_due_dates(path: str | os.PathLike[str]) -> Instance:
    """Read an instance with due dates, in one of two formats.

    Liefooghe's holds the numbers of jobs and machines and the time seed, then for each job its number from 0, its due
    date, and its times. Minella's holds the numbers of jobs and machines, a row of pairs "machine time" for each job,
    the word Reldue, and a row "-1 due-date -1 weight" for each job; machines are numbered from 0.

    Returns
    -------
    Instance
        With due dates, and the seed (Liefooghe) or weights (Minella).

    Raises
    ------
    InputError
        If the file cannot be read, is truncated, holds other counts of numbers, words that are no integers, jobs or
        machines that are missing or stand twice, or negative times, due dates or weights.
    """
    text = read_text(path)
    divided = _RELATED.search(text)
    if divided:
        return _minella(text, (divided.start(), divided.end()), path)
    numbers = integers(text, (0, len(text)), path)
    if len(numbers) < 3:
        raise InputError(f"{path} is truncated: it holds {len(numbers)} numbers.", "it was not downloaded to its end.")
    n, m, seed = numbers[:3].tolist()
    _check_size(n, m, str(path))
    _check_count(len(numbers), 3 + n * (m + 2), f"{path}: the instance of {n} jobs and {m} machines")
    rows = numbers[3:].reshape(n, m + 2)
    order = _order(rows[:, 0], f"{path}: the jobs' numbers")
    return _instance(str(path), rows[order, 2:], due_dates=rows[order, 1], seed=seed)


def _minella(text: str, divided: Span, path: str | os.PathLike[str]) -> Instance:
    numbers = integers(text, (0, divided[0]), path)
    related = integers(text, (divided[1], len(text)), path)
    n, m = numbers[:2].tolist() if len(numbers) > 1 else (0, 0)
    _check_size(n, m, str(path))
    _check_count(len(numbers), 2 + 2 * n * m, f"{path}: the instance of {n} jobs and {m} machines")
    _check_count(len(related), 4 * n, f"{path}: Reldue, of {n} jobs")
    pairs = numbers[2:].reshape(n, m, 2)
    times = np.empty((n, m), np.int64)
    for job in range(n):
        times[job] = pairs[job, _order(pairs[job, :, 0], f"{path}: the machines of job {job}"), 1]
    rows = related.reshape(n, 4)
    if (rows[:, ::2] != -1).any():
        offence = rows[:, ::2][rows[:, ::2] != -1][0]
        raise InputError(
            f"{path}: {offence} stands where a row of Reldue holds -1.", "a due date or weight is missing."
        )
    return _instance(str(path), times, due_dates=rows[:, 1], weights=rows[:, 3])


def _instance(where: str, times: Integers, **fields: Any) -> Instance:
    try:
        return Instance(times, **fields)
    except InputError as error:
        raise InputError(f"{where}: {error.reason}", error.maybe) from None


def _check_size(n: int, m: int, where: str) -> None:
    if not (0 < n <= _LARGEST_SIZE and 0 < m <= _LARGEST_SIZE):
        raise InputError(
            f"{where}: {n} jobs and {m} machines, but both are in 1 ... {_LARGEST_SIZE}.",
            "the line with the sizes is missing.",
        )


def _check_count(found: int, expected: int, what: str) -> None:
    if found < expected:
        raise InputError(
            f"{what} is truncated: it holds {found} numbers, but {expected} are expected.",
            "it was not downloaded or written to its end.",
        )
    if found > expected:
        raise InputError(f"{what} holds too many numbers: {found}, but {expected} are expected.", "a size is wrong.")


def _order(labels: Integers, what: str) -> npt.NDArray[np.intp]:
    """The order that sorts labels, which must be 0 ... n - 1, each once."""
    order = np.argsort(labels, kind="stable")
    wrong = np.flatnonzero(labels[order] != np.arange(len(labels)))
    if wrong.size:
        raise InputError(f"{what} are not 0 ... {len(labels) - 1}, each once: {wrong[0]} is missing or stands twice.")
    return order
