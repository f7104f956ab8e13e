"""Every reader given mutated files and gzip bombs: it reads or raises an InputError, and takes bounded memory.

Files are short, so that no work that grows with their length can take long; test_long_files.py has the long ones.
"""

import gzip
import random
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

from metaheur.errors import InputError
from metaheur.machine import memory
from metaheur.problems import (
    QAP,
    QUBO,
    RCPSP,
    TSP,
    BinPacking,
    CarSequencing,
    CourseTimetabling,
    FleetRouting,
    FlexibleJobShop,
    FlowShop,
    GraphColoring,
    GraphPartition,
    JobShop,
    Knapsack,
    MaxCut,
    MaximumDiversity,
    MultiTripRouting,
    PickupAndDelivery,
    PMedian,
    SequentialOrdering,
)
from metaheur.problems import VRPTW as VRPTW_PROBLEM
from metaheur.problems.formats import files
from metaheur.problems.formats.cvrplib import read_cvrp, read_routes
from metaheur.problems.formats.knowles_corne import read_mqap
from metaheur.problems.formats.liefooghe_flow_shop import read_liefooghe
from metaheur.problems.formats.minella_flow_shop import read_minella
from metaheur.problems.formats.or_library import read_gap
from metaheur.problems.formats.orienteering import read_chao, read_tsiligirides
from metaheur.problems.formats.qaplib import read_sln
from metaheur.problems.formats.taillard_flow_shop import read_taillard
from metaheur.problems.formats.tsplib import read_tour, read_tsp

TAILLARD = b"sizes :\n 3 2 873654221 20 10\ntimes :\n 1 2 3\n 4 5 6\nsizes :\n 1 1 7 9 8\ntimes :\n 9\n"
LIEFOOGHE = b"2\n3\n873654221\n0\n40\n1 2 3 \n1\n50\n4 5 6 \n"
MINELLA = b"2 3\n  0  1  1  2  2  3\n  0  4  1  5  2  6\nReldue\n-1\t40\t-1\t7\n-1\t50\t-1\t8\n"
TSP_HEADER = b"NAME : three\nCOMMENT : a triangle\nTYPE : TSP\nDIMENSION : 3\n"

PSPLIB = (
    b"****\nprojects : 1\njobs (incl. supersource/sink ):  3\nRESOURCES\n  - renewable : 1 R\n  - nonrenewable : 0 N\n"
    b"  - doubly constrained : 0 D\n****\nPRECEDENCE RELATIONS:\njobnr. #modes #successors successors\n1 1 2 2 3\n"
    b"2 1 1 3\n3 1 0\n****\nREQUESTS/DURATIONS:\njobnr. mode duration R 1\n-----\n1 1 2 1\n2 1 5 4\n3 1 0 0\n****\n"
    b"RESOURCEAVAILABILITIES:\n R 1\n 4\n****\n"
)

CTT = (
    b"Name: Toy\nCourses: 2\nRooms: 2\nDays: 2\nPeriods_per_day: 2\nCurricula: 1\nConstraints: 1\n\nCOURSES:\n"
    b"a t0 2 2 30\nb t1 1 1 20\n\nROOMS:\nrA 32\nrB 25\n\nCURRICULA:\nq0 2 a b\n\n"
    b"UNAVAILABILITY_CONSTRAINTS:\nb 1 0\n\nEND.\n"
)

CVRP = (
    b"NAME : four\nTYPE : CVRP\nDIMENSION : 4\nCAPACITY : 10\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
    b"1 0 0\n2 3 0\n3 3 4\n4 0 4\nDEMAND_SECTION\n1 7\n2 0\n3 3\n4 10\nDEPOT_SECTION\n2\n-1\nEOF\n"
)

SOLOMON = (
    b"C1\n\nVEHICLE\nNUMBER     CAPACITY\n  3         20\n\nCUSTOMER\nCUST NO.   XCOORD.    YCOORD.    DEMAND   READY "
    b"TIME   DUE DATE   SERVICE TIME\n\n 0 40 50 0 0 240 0\n 1 25 85 20 145 175 10\n 2 22 75 3 50 80 10\n"
)
VRPTW = (
    b"NAME : two\nTYPE : VRPTW\nDIMENSION : 2\nCAPACITY : 10\nSERVICE_TIME : 10\nEDGE_WEIGHT_TYPE : EUC_2D\n"
    b"NODE_COORD_SECTION\n1 0 0\n2 1 1\nDEMAND_SECTION\n1 0\n2 7\nTIME_WINDOW_SECTION\n1 0 90\n2 20 30\n"
    b"DEPOT_SECTION\n1\n-1\nEOF\n"
)
FLEET = (
    b"NAME : two\nTYPE : MDVRPTW\nDIMENSION : 3\nVEHICLES : 2\nSERVICE_TIME : 10\nVEHICLES_MAX_DURATION : 80\n"
    b"EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 1 1\n2 2 0\n3 0 0\nDEMAND_SECTION\n1 0\n2 0\n3 7\n"
    b"CAPACITY_SECTION\n1 10\n2 12\nVEHICLES_FIXED_COST_SECTION\n1 7\n2 7\n"
    b"VEHICLES_UNIT_DISTANCE_COST_SECTION\n1 1\n2 3\nVEHICLES_DEPOT_SECTION\n1 1\n2 2\n"
    b"TIME_WINDOW_SECTION\n1 0 90\n2 0 90\n3 20 30\nDEPOT_SECTION\n1\n2\n-1\nEOF\n"
)
TRIPS = (
    b"NAME : trips\nTYPE : MTVRPTWR\nDIMENSION : 3\nVEHICLES : 2\nCAPACITY : 10\nSERVICE_TIME : 1\n"
    b"VEHICLES_MAX_DURATION : 90\nVEHICLES_MAX_RELOADS : 2\nEDGE_WEIGHT_TYPE : EUC_2D\n"
    b"NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nDEMAND_SECTION\n1 0\n2 6\n3 7\n"
    b"TIME_WINDOW_SECTION\n1 0 90\n2 0 90\n3 0 90\nRELEASE_TIME_SECTION\n1 0\n2 0\n3 5\n"
    b"VEHICLES_RELOAD_DEPOT_SECTION\n1 1\n2 1\nDEPOT_SECTION\n1\n-1\nEOF\n"
)
CHAO = b"n 5\nm 2\ntmax 7.5\n0 0 0\n1.5 2 10\n3 0 20\n9 9 30\n4 0 0\n"
TSILIGIRIDES = b"10 1\n0 0 0\n4 0 0\n1.5 2 10\n3 0 20\n9 9 30\n"
LI_LIM = b"2 10 1\n0 0 0 0 0 200 0 0 0\n1 3 4 7 20 30 5 0 2\n2 5 5 -7 0 90 4 1 0\n"

FORMATS: dict[str, tuple[Callable[[Path], object], bytes]] = {
    "biq_mac": (partial(QUBO.from_file, layout="biqmac"), b"# nowhere\n3 4\n1 1 5\n1 2 -7\n3 2 4\n3 3 -1\n"),
    "cvrplib": (read_cvrp, CVRP),
    "solomon": (VRPTW_PROBLEM.from_file, SOLOMON),
    "bpplib": (BinPacking.from_file, b"4\n10\n7\n5\n3\n2\n"),
    "li_lim": (PickupAndDelivery.from_file, LI_LIM),
    "fleet": (FleetRouting.from_file, FLEET),
    "multi trip": (MultiTripRouting.from_file, TRIPS),
    "orienteering": (read_chao, CHAO),
    "tsiligirides": (read_tsiligirides, TSILIGIRIDES),
    "vrptw": (VRPTW_PROBLEM.from_file, VRPTW),
    "dimacs": (partial(GraphColoring.from_file, k=3), b"c a path\np edge 4 3\nn 1 5\ne 2 1\nc\ne 3 2\ne 3 4\n"),
    "flow shop matrix": (FlowShop.from_file, b"3 2\n1 2 3\n4 5 6\n"),
    "gset": (MaxCut.from_file, b"3 3\n1 2 1\n3 1 -1.5\n2 3 2\n"),
    "kplib": (partial(Knapsack.from_file, layout="kp"), b"\n3\n10\n\n6 5\n5.5 4\n4 6\n"),
    "knowles_corne": (read_mqap, b"facilities: 2 objectives: 1 seed 3\n 0 1\n 1 0\n\n 0 7\n 7 0\n"),
    "liefooghe": (read_liefooghe, LIEFOOGHE),
    "liefooghe, any": (FlowShop.from_file, LIEFOOGHE),
    "minella": (read_minella, MINELLA),
    "minella, any": (FlowShop.from_file, MINELLA),
    "or_library bqp": (QUBO.from_file, b"2\n3 4\n1 1 5\n1 2 -7\n2 3 4\n3 3 -1\n2 1\n2 1 3\n"),
    "or_library gap": (read_gap, b" 2\n 2 3 \n 1 2 3\n 4 5 6 \n 1 1 1\n 2 2 2\n 2 4 \n1 1\n-7\n1\n1\n"),
    "or_library mkp": (Knapsack.from_file, b" 2\n\n 3 2 16\n 10 6 5\n 1 2 3\n 4 0 4\n 4 8\n\n2 1 0\n7.5 1\n2 3\n3.2\n"),
    "pisinger": (partial(Knapsack.from_file, layout="pisinger"), b"a\nn 2\nc 5\nz 7\ntime 0.0\n1,7,5,1\n2,3,4,0\n--\n"),
    "qaplib": (QAP.from_file, b"2\n\n 0 1\n 1 0\n\n 0 7\n 7 0\n"),
    "qaplib solution": (read_sln, b"3 42\n2 3 1\n"),
    "qbsolv": (partial(QUBO.from_file, layout="qubo"), b"c\np qubo 0 3 2 2\n0 0 3.4\n2 2 -2.4\n0 1 2.2\n1 2 4.5\n"),
    "taillard": (read_taillard, TAILLARD),
    "taillard, any": (FlowShop.from_file, TAILLARD),
    "tsplib": (read_tsp, TSP_HEADER + b"EDGE_WEIGHT_TYPE : GEO\nNODE_COORD_SECTION\n1 0 0\n2 3.5 0\n3 3 4e0\nEOF\n"),
    "tsplib matrix": (
        TSP.from_file,
        TSP_HEADER + b"EDGE_WEIGHT_TYPE:EXPLICIT\nEDGE_WEIGHT_FORMAT:UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n3\n"
        b"DISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n3 2 2\n",
    ),
    "tsplib fixed edges": (
        read_tsp,
        TSP_HEADER
        + b"EDGE_WEIGHT_TYPE:EXPLICIT\nEDGE_WEIGHT_FORMAT:LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 1 0\n2 3 0\n"
        b"FIXED_EDGES_SECTION\n1 2\n-1\n",
    ),
    "edges": (partial(MaxCut.from_file, layout="edges"), b"4 3\n1 2\n3 2\n4 3\n"),
    "matrix market": (
        partial(MaxCut.from_file, layout="matrix market"),
        b"%%MatrixMarket matrix coordinate real symmetric\n% x\n3 3 3\n1 1 4\n2 1 -1.5\n3 2 2\n",
    ),
    "distances": (partial(TSP.from_file, layout="distances"), b"3\n0 1 2\n1 0 3\n2 3 0\n"),
    "coordinates": (partial(TSP.from_file, layout="coordinates"), b"1 10.5 20\n2 30 40\n3 5 60\n"),
    "or_library flow shops": (
        FlowShop.from_file,
        b"two\n instance a\n ++\n 2 2\n 0 3 1 1\n 0 2 1 5\n instance b\n2 2\n0 7 1 6\n0 5 1 4\n",
    ),
    "job shop": (JobShop.from_file, b"# a\n3 3\n0 4 1 4 2 4\n1 4 2 4 0 4\n2 4 0 4 1 4\n"),
    "job shop of Taillard": (JobShop.from_file, b"Nb\n2 2 7 8 9 10\nTimes\n3 4\n5 6\nMachines\n1 2\n2 1\n"),
    "p-median": (PMedian.from_file, b"4 4 2\n1 2 7\n2 3 5\n3 4 2\n1 4 9\n"),
    "patterson": (RCPSP.from_file, b"3 1\n4\n2 1 2 2 3\n5 4 1 3\n0 0 0\n"),
    "psplib": (RCPSP.from_file, PSPLIB),
    "flexible job shop": (
        FlexibleJobShop.from_file,
        b"3 2\n2 1 0 43 2 0 87 1 95\n2 2 0 63 1 53 1 1 73\n1 2 0 125 1 135\n",
    ),
    "sop": (
        SequentialOrdering.from_file,
        b"NAME: a\nTYPE: SOP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
        b"EDGE_WEIGHT_SECTION\n3\n0 5 9\n-1 0 2\n-1 4 0\nEOF\n",
    ),
    "course timetabling": (CourseTimetabling.from_file, CTT),
    "car sequencing": (CarSequencing.from_file, b"4 2 3\n1 1\n2 3\n0 2 1 0\n1 1 0 1\n2 1 1 1\n"),
    "metis": (partial(GraphPartition.from_file, k=2), b"4 4 1\n2 7 3 1\n1 7 3 2\n1 1 2 2 4 5\n3 5\n"),
    "mdplib": (MaximumDiversity.from_file, b"3 2\n0 1 1.5\n0 2 2\n1 2 0.25\n"),
    "routes": (read_routes, b"Route #1: 2 1\nRoute #2: 3\nCost 17.5\n"),
    "tsplib tour": (read_tour, b"NAME : t\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n2\n3\n1\n-1\nEOF\n"),
}
CASES = 4 * settings().max_examples
MACHINE = 2**22
"""The memory of the machine, as far as the readers know."""

PER_BYTE = 150
TOKENS = [
    *(b"0 1 2 3 -1 -0 +7 1.5 .5 1e3 1e-3 1e999999999 nan inf - . e x 1_0 0x1 \xff \0 EOF -- c p e #".split(b" ")),
    *(
        str(n).encode()
        for n in (500, 10**5, 2**31 - 1, 2**31, 2**53 + 1, 2**61 + 1, 2**63 - 1, 2**63, -(2**63), 10**18)
    ),
    *(b"9" * n for n in (9, 20, 400, 5000)),
    "٣".encode(),
    b"1," * 9,
    b"A : B\nC_SECTION\n",
]


def mutated(content: bytes, chance: random.Random) -> bytes:
    """A file that one to four accidents made of another."""
    for _ in range(chance.randint(1, 4)):
        content = chance.choice([bytes_changed, tokens_changed, lines_changed, layout_changed])(content, chance)
    return content


def bytes_changed(content: bytes, chance: random.Random) -> bytes:
    i, j = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    match chance.randrange(5):
        case 0:
            return content[:i]
        case 1:
            return content[:i] + chance.randbytes(chance.randint(1, 9)) + content[i + chance.randrange(2) :]
        case 2:
            return content[:i] + content[j:]
        case 3:
            return content[:j] + content[i:]
        case _:
            return gzip.compress(content, mtime=0)


def tokens_changed(content: bytes, chance: random.Random) -> bytes:
    tokens = content.split(b" ")
    i, j = (chance.randrange(len(tokens)) for _ in range(2))
    match chance.randrange(4):
        case 0:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        case 1:
            del tokens[i]
        case 2:
            words = content.split()  # line ends are kept: each word is found again where it stands
            old = chance.choice(words) if words else b""
            return content.replace(old, chance.choice(TOKENS), 1 if chance.random() < 0.7 else -1) if old else content
        case _:
            tokens.insert(i, chance.choice(TOKENS))
    return b" ".join(tokens)


def lines_changed(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    i, j = (chance.randrange(len(lines)) for _ in range(2))
    match chance.randrange(6):
        case 0:
            lines[i], lines[j] = lines[j], lines[i]
        case 1:
            del lines[i]
        case 2:
            lines.insert(i, lines[j])
        case 3:
            chance.shuffle(lines)
        case 4:
            lines[i:i] = chance.choice([b"", b" ", b"\t", b"c", b"COMMENT", b"a"]).split() * chance.choice([1, 3000])
        case _:
            lines[i:i] = [b""] * chance.choice([1, 5000])
    return b"\n".join(lines)


def layout_changed(content: bytes, chance: random.Random) -> bytes:
    match chance.randrange(6):
        case 0:
            return content.replace(b"\n", b"\r\n")
        case 1:
            return content.replace(b"\n", b"\r")
        case 2:
            return b"\xef\xbb\xbf" + content
        case 3:
            return content.replace(b"\n", b" ")
        case 4:
            return content.replace(b" ", chance.choice([b"\n", b",", b"\t", b" " * 2000, b"\x0b", "\u2003".encode()]))
        case _:
            return content * chance.randint(0, 3)


@pytest.fixture(autouse=True)
def _measured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (files, memory):
        monkeypatch.setattr(module, "usable", lambda: MACHINE)
    tracemalloc.start()
    yield
    tracemalloc.stop()


def read_safely(read: Callable[[Path], object], path: Path, content: bytes, what: str) -> bool:
    """Whether a file is read; a test fails if it is neither read nor refused in words, or takes too much memory."""
    path.write_bytes(content)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        read(path)
        reason, done = "", True
    except InputError as error:
        reason, done = error.reason, False
    except BaseException as error:
        raise AssertionError(f"{what}: {error!r} on {content[:2000]!r}") from error
    taken = tracemalloc.get_traced_memory()[1] - before
    size = min(len(content) if content[:2] != b"\x1f\x8b" else MACHINE, MACHINE // 48)
    assert done or reason.strip(), what
    assert taken <= MACHINE + PER_BYTE * size, f"{what}: {taken:,} bytes on {content[:2000]!r}"
    return done


@pytest.mark.filterwarnings("ignore:Distances are rounded")
@pytest.mark.parametrize("name", FORMATS)
def test_a_mutated_file_is_read_or_refused_in_words(path: Path, name: str) -> None:
    read, content = FORMATS[name]
    assert read_safely(read, path, content, "the file as it is")
    outcomes = [
        read_safely(read, path, mutated(content, random.Random(f"{name} {case}")), f"{name}, case {case}")
        for case in range(CASES)
    ]
    assert 0 < sum(outcomes) < CASES


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "blank lines": lambda content: gzip.compress(content + 4 * MACHINE * b"\n", 1, mtime=0),
    "cut off": lambda content: gzip.compress(content + 4 * MACHINE * b" ", 1, mtime=0)[:-9],
    "digits": lambda content: gzip.compress(content + 4 * MACHINE * b"1", 1, mtime=0),
    "numbers": lambda content: gzip.compress(content + 2 * MACHINE * b"1 ", 1, mtime=0),
    "parts": lambda content: gzip.compress(content, mtime=0) + 64 * gzip.compress(MACHINE // 16 * b"\n", mtime=0),
    "within": lambda content: gzip.compress(gzip.compress(content + 4 * MACHINE * b"\n", 1, mtime=0), mtime=0),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused(path: Path, bomb: str) -> None:
    tail = BOMBS[bomb](b"")
    for name, (read, content) in FORMATS.items():
        whole = gzip.compress(content, mtime=0) + tail if bomb != "within" else tail
        assert not read_safely(read, path, whole, f"{name}, {bomb}")
