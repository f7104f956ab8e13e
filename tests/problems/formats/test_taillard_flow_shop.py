"""Taillard's instances read, and generated from their seeds, equal to the published files."""

import csv
import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.taillard_flow_shop import BOUNDS, read_taillard, taillard

# The first 64 bits of the SHA-256 of each matrix of times, n rows of m little-endian int64; each equals its file.
DIGESTS = """
02616a37dcc38929 867e71abfe452848 b95b62f7591e4dc5 686d25c0ba605672 1ee73f23a14199c5
535c8d200cae992f 659dcb06f0503142 bcf803827645d099 d4e7a25de5229eaa cdbfd68570f120f9
001423fc5d3e2013 6f03f52c29f0fde3 15cd3242e0464999 859755a5b9e3f1ed 590daa0d5a0fcb0c
a3ffab0ce0b33329 f1a846a29d2b1a62 b346b06010a486de 9d5c22b4d1fb2811 53dd5b48a5811b81
e401d3497b36c518 95fb7f27aca39a38 a78ceb2528ed27b0 d984bebe1b75a028 f158f1d0f65e6a9a
7b32addc3cf219b2 3646c01063db1452 0ec9ab4804f2f88c 4a4a493024c8382e d42600d88774f525
331abd383a49d04a 68ab4876bd0a4a2b 8c09882cdbba1e88 3a99f38a3d425948 de08554041103322
914e8bb056f7ac04 6e13a328815749dc 4e078dd11c1b5124 0b01e7a53120f754 a1d5a21c967aee64
126249c0e8ddf672 7d4b2bbc4a464a87 cff752c1009056a0 3426fc05dd75c074 f53ac6116385ed43
b4cbd08e57d43c23 1c589e47dae3399d 39fb2056b635349e 604bbfe52100ecbb 559596596ddacdd8
9fb911d71a82e1eb 4c7870299a6cd5f1 267f2c33c0c8469b abca545b3fb323de 5f1f57d7618363cf
2bf4ed72d291b151 502fb5d866d4d4b6 210f4d6dad496621 a689c76833887807 29cae11c1dcefa5f
0b5882bf2a50657f 359df5caa6f542a2 c1c7ceeddc2ef87f 8489e82c9426a1f1 5219ddf8e956278e
7ba89806cd091aac 2bea0a9efe1552b5 4d529b9c062e3852 582fed46f0d80195 44d4521da1168a55
76ac1869c50849b8 d0f2cb87857a14fd ab10cc9c0ae05154 e13fee7888ba5407 60b7d3da3fb55604
33a13ca3d6013de6 4cdf69ae4ebc1a11 324619655fa3c1a9 f4b54c5179faf921 eca2f4a431ff3be8
7f2ad95c0bdfa66e 626dfb27dbd8a288 bf17ef5c23fa388d 5db014126a56aba1 da11fc32bb3b4128
9ef8f4882755b289 915c50fdbc506b03 367fb709a48103c1 80d0e0d4965a2d0c 5a1b3b5c0e4d346b
32f53e39cdd32cdc 6743172219709691 5dec45cbfc407a15 d64e3b067bec822e caf2c5597c8f6621
2ba74566c8fa1ca7 00391a5567813819 e4d030aebd594c6f 7152fb10d1ac31cb b38c8f2ca41da915
a0782cc80bfda2cf a96d7178dd1efcde 247dc1ca876b36d2 21b3e3c58b562f89 2ec26dcceef660fb
e35869f74f0813e1 704d2a77d685d512 39a410d8d8b0a88d 9bf810bf87cf7caf 7e111cdc7d76819d
7ab1bb889553458f bc6d814e358ddec1 e97203484a15aed5 774583e44d0400be 203338684694af0d
34b0fa7a6be2c4a8 36d6f75a6ce00081 425ced58ee5ed369 6e93433a5227209c 4c075e9895cf8e2e
"""
SHA256 = DIGESTS.split()

SIZES = {20: (5, 10, 20), 50: (5, 10, 20), 100: (5, 10, 20), 200: (10, 20), 500: (20,)}
FILES = [f"tai{n}_{m}.txt" for n, machines in SIZES.items() for m in machines]
HEADING = "number of jobs, number of machines, initial seed, upper bound and lower bound :"
TAILLARD = f"""{HEADING}
    3 2 873654221 20 10
processing times :
 1 2 3
 4 5 6
{HEADING}
    1 1 7 9 8
processing times :
 9
"""


@pytest.mark.parametrize(
    "dress", [str.encode, lambda s: s.replace("\n", "\r\n").encode(), lambda s: gzip.compress(s.encode(), mtime=0)]
)
def test_times_are_read_with_jobs_as_rows(path: Path, dress: Callable[[str], bytes]) -> None:
    path.write_bytes(dress(TAILLARD))
    first, second = read_taillard(path)
    assert first.times.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert (first.seed, first.lower_bound, first.upper_bound) == (873654221, 10, 20)
    assert first.due_dates is None
    assert first.weights is None
    assert second.times.tolist() == [[9]]
    assert not first.times.flags.writeable


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("processing times :\n 9\n", "", "is truncated: at its end, expected 1 times of 1 jobs on 1 machines, found 0"),
        (" 4 5 6\n", " 4 5\n", "truncated: from line 4 on, expected 6 times of 3 jobs on 2 machines, found 5"),
        (" 4 5 6\n", " 4 5 6 7\n", "line 5: '7' follows the times of 3 jobs on 2 machines"),
        ("20 10", "20", "line 2: five numbers are expected .*, but 4 are found"),
        ("processing times :\n 1", " 1", "line 2: five numbers are expected .*, but 11 are found"),
        ("3 2 8", "0 2 8", r"line 2: a number of jobs or machines must be in 1 .*, but is 0"),
        ("3 2 8", "3 999999 8", r"line 2: a number of jobs or machines must be .*, but is 999999"),
        (" 4 5 6", " 4 -5 6", r"line 5: a time must be in 0 .*, but is -5"),
        (" 4 5 6", " 4 5.5 6", "line 5: '5.5' is not an integer"),
        (" 4 5 6", " 4 ?5 6", r"line 5: '\?5' is not a number"),
        (TAILLARD, "no numbers at all\n", "does not hold any numbers"),
        (TAILLARD, "", "is empty"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in TAILLARD
    path.write_text(TAILLARD.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_taillard(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize("index", range(1, 121))
def test_generated_times_have_the_checksums_of_the_files(index: int) -> None:
    digest = hashlib.sha256(taillard(index).astype("<i8").tobytes()).hexdigest()
    assert digest[:16] == SHA256[index - 1]


def test_generated_times_equal_the_files(flowshop: Path) -> None:
    index = 0
    for file in FILES:
        instances = read_taillard(flowshop / "taillard_original" / file)
        assert len(instances) == 10
        for index, instance in enumerate(instances, index + 1):  # noqa: B020
            assert np.array_equal(instance.times, taillard(index)), index
            assert instance.lower_bound == BOUNDS[index][0], index
            assert instance.upper_bound is not None
            assert instance.upper_bound >= BOUNDS[index][1], index
    assert index == 120


def test_bounds_are_those_of_the_table(flowshop: Path) -> None:
    with (flowshop / "seeds.csv").open(newline="") as table:
        rows = {int(row["name"].removeprefix("ta")): row for row in csv.DictReader(table)}
    assert {index: (int(row["lb"]), int(row["ub"])) for index, row in rows.items()} == BOUNDS


def test_instances_have_the_published_sizes() -> None:
    sizes = [(n, m) for n, machines in SIZES.items() for m in machines for _ in range(10)]
    assert [taillard(index).shape for index in BOUNDS] == sizes
    for index, (lower, upper) in BOUNDS.items():
        times = taillard(index)
        assert times.sum(axis=0).max() < lower <= upper < times.sum(), index


@pytest.mark.parametrize("index", [0, 121, -1, True, 1.5, "1"])
def test_other_numbers_are_refused(index: int) -> None:
    with pytest.raises(InputError, match=r"`index` must be a whole number in 1 \.\.\. 120, but is"):
        taillard(index)
