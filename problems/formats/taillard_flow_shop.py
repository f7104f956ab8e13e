"""Taillard's flow shops: their files, the 120 instances from their published seeds, and bounds of their makespans.

Source: É. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.flow_shop_instance import LONGEST, FlowShopInstance, take_sizes
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.taillard_generator import uniform
from metaheur.problems.formats.tokens import Tokens
from metaheur.validate import whole

__all__ = ["BOUNDS", "HEADING", "parse_taillard", "read_taillard", "taillard"]

HEADING: Final = re.compile(r"^[^\S\n]*[A-Za-z].*$", re.MULTILINE)
"""A heading: a line that begins with a letter."""

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
"""The known lower and upper bound of the makespan of each of Taillard's instances, by its number 1 ... 120.

The lower bounds are those of the published files; the upper bounds are makespans reported since. Where sources differ,
for 81, 85, 86, 88 and 89, this is the higher one.
"""


def taillard(index: int) -> npt.NDArray[np.int64]:
    """Generate the times of one of Taillard's 120 instances, equal to those of the published file.

    The times are uniform in 1 ... 99, drawn machine by machine, job by job, by the generator of taillard_generator.py.

    `index`: 1 ... 120: ta001 ... ta120 of the literature, of 20 to 500 jobs on 5 to 20 machines. Returns int64, shape
    (n, m): the time of each job (a row) on each machine (a column). Raises InputError if `index` is not a whole number
    in 1 ... 120.

    Examples
    --------
    >>> taillard(1).shape, taillard(1)[0]
    ((20, 5), array([54, 79, 16, 66, 58]))
    """
    n, m, seed, _, _ = _INSTANCES[whole(index, "index", 1, 120) - 1]
    return np.array(list(islice(uniform(seed, 1, 99), n * m)), np.int64).reshape(m, n).T.copy()


def read_taillard(path: str | os.PathLike[str]) -> tuple[FlowShopInstance, ...]:
    """Read a file with any number of instances, with times, seed and bounds; each of Taillard's holds ten.

    An instance is a heading, five numbers (jobs, machines, time seed, upper and lower bound), a second heading, and the
    times, machine by machine, in 0 ... 2**53. A heading is a line that begins with a letter.
    """
    return parse_taillard(path, read_text(path))


def parse_taillard(path: str | os.PathLike[str], text: str) -> tuple[FlowShopInstance, ...]:
    """Return the instances in the text of a file, as `read_taillard` does."""
    blocks = (block for span in _between_headings(text) if (block := Tokens.within(path, text, span)).left)
    nothing = Tokens.within(path, text, (len(text), len(text)))
    instances = tuple(_instance(sizes, next(blocks, nothing)) for sizes in blocks)
    if not instances:
        raise InputError(f"{path} does not hold any numbers.", "the file has another format.")
    return instances


def _between_headings(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for heading in HEADING.finditer(text):
        yield begin, heading.start()
        begin = heading.end()
    yield begin, len(text)


def _instance(sizes: Tokens, times: Tokens) -> FlowShopInstance:
    if sizes.left != 5:
        raise sizes.error(
            0,
            f"five numbers are expected (jobs, machines, seed, upper and lower bound), but {sizes.left} are found",
            "the heading between them and the times is missing.",
        )
    n, m = take_sizes(sizes)
    seed, upper, lower = integral(sizes, sizes.rest(), "a seed or bound").tolist()
    places = times.take(n * m, f"times of {n} jobs on {m} machines")
    times.finish(f"the times of {n} jobs on {m} machines")
    matrix = integral(times, places, "a time", 0, LONGEST).reshape(m, n).T
    return FlowShopInstance(matrix, seed=seed, lower_bound=lower, upper_bound=upper)
