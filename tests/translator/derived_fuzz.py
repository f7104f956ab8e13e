"""Random costs whose derived changes are checked by compiled code, many costs in one unit.

``python -m tests.translator.derived_fuzz 20000 --jobs 64`` makes so many derivations in 64 processes, which compile and
check side by side; ``--device cuda --gpus 4`` runs them on GPUs, among which the processes are divided. Each unit that
was checked is a line of ``--answers FILE``, and a later call with the same file goes on; it knows the tree, and counts
no unit of another one. ``--minutes 9`` ends in time. ``--first SEED`` draws other costs, and ``--save`` writes the
record. Wrong ones are printed as soon as they are found, and the program fails at its end. Units compile at -O0 where
$METAHEUR_CXXFLAGS says nothing else, since they run briefly.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from hashlib import sha256
from itertools import count
from multiprocessing import active_children, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from attrs import field, frozen

from metaheur import Move, Neighborhood, Problem, Source
from metaheur.lists import CrossExchange, Relocate, TwoOptStar
from metaheur.neighborhoods import (
    Hamming,
    Insertion,
    Interchange,
    On,
    OrOpt,
    Product,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
)
from metaheur.representation import Representation
from metaheur.testing import check_problem
from metaheur.translator.decorator import compiled
from metaheur.translator.deriving.derived import derivation_of
from metaheur.translator.deriving.folding import fold_of
from tests.benchmarks.records import report
from tests.translator.test_fuzz import loaded

__all__ = ["Together", "checked", "drawn", "random_cost"]

N = 7
EACH = 24
"""Costs of a kind of solutions that are drawn together."""


@final
@frozen
class Turn(Move):
    """Three positions hand their values on; a move of a user's own."""

    i: Any
    j: Any
    k: Any
    unsigned = ("i", "j", "k")

    @compiled
    def apply(self, x: Any) -> Any:
        x[self.i], x[self.j], x[self.k] = x[self.j], x[self.k], x[self.i]

    def inverse(self) -> Any:
        return Turn(self.k, self.j, self.i)


@final
@frozen
class Turns(Neighborhood):
    """Turns of a position, the one `by` places before the end and the one in the middle."""

    move_types = (Turn,)

    def supports(self, representation: Representation) -> bool:
        return representation.length > 1

    def moves(self, representation: Representation) -> Iterator[Move]:
        n = representation.length
        return (Turn(k % n, k // n, (k % n + k // n) // 2) for k in range(n * n))

    @compiled
    def size(self, representation: Any) -> Any:
        return representation.length * representation.length

    @compiled
    def move(self, representation: Any, k: Any) -> Any:
        i, j = k % representation.length, k // representation.length
        return Turn(i, j, (i + j) // 2)

    @compiled
    def index(self, representation: Any, m: Any) -> Any:
        return m.j * representation.length + m.i


SPACES: dict[str, tuple[str, list[Any]]] = {
    "order": (f"Permutation({N})", [Swap(), Insertion(), TwoOpt(), OrOpt(), ThreeOpt()]),
    "values": (f"DiscreteVector({N}, 4)", [Substitution(), Turns()]),
    "bits": (f"BitString({N})", [Hamming(1), Hamming(2), Interchange()]),
    "parts": (
        f"Composite(order=Permutation({N}), mode=DiscreteVector({N}, 4))",
        [
            On("order", Swap()),
            On("order", Insertion()),
            On("order", OrOpt()),
            On("order", ThreeOpt()),
            On("mode", Substitution()),
            Product(On("order", Swap()), On("mode", Substitution())),
            Product(On("mode", Substitution()), On("order", Insertion())),
        ],
    ),
    "lists": (f"Lists({N}, 3)", [Relocate(2), CrossExchange(2, reverse=True), TwoOptStar()]),
}

HEAD = """
import numpy as np
from attrs import frozen
from metaheur import BitString, Composite, DiscreteVector, Permutation, Problem, compiled, data
from metaheur.lists import Lists
"""
CLASS = """

@frozen(eq=False)
class Random{k}(Problem):
    a: np.ndarray = data("int32", ndim=2)
    b: np.ndarray = data("int32", ndim=2)
    e: np.ndarray = data("int32", ndim=2)
    w: np.ndarray = data("int32", ndim=1)
    representation = {space}

    @compiled
    def twice(self, one, other):
        return 2 * abs(one - other) + self.w[0]

    @compiled
    def cost(self, x):
        {body}
"""


_SUM = """
struct NAME : NAMEData {
    MH_FN Total cost(Team team, const Item* x) const {
        Total total = 0;
        parts(State{}, [&](int k, const auto& part, auto) { total += (2 * k + 1) * part.cost(team, x); });
        return total;
    }
    MH_FN void init(Team team, const Item* x, State s) const {
        parts(s, [&](int, const auto& part, auto own) { part_init(part, team, x, own); });
    }
    template <class M> MH_FN void commit(Team team, const Item* x, State s, M move) const {
        parts(s, [&](int, const auto& part, auto own) { part_commit(part, team, x, own, move); });
    }
    template <class M> MH_FN Cost delta(Team team, const Item* x, State s, M move) const {
        Cost total = 0;
        parts(s, [&](int k, const auto& part, auto own) {
            total += (2 * k + 1) * part_delta(part, team, x, own, move);
        });
        return total;
    }
UPDATE};
"""
_UPDATE = """
    template <class M> MH_FN Cost update(State s, M other, Cost delta, M made) const {
        parts(s, [&](int k, const auto& part, auto own) { delta += (2 * k + 1) * part.update(own, other, 0, made); });
        return delta;
    }
"""


@final
@frozen(eq=False)
class Together(Problem):
    """The sum of several problems, each with a weight of its own."""

    parts: tuple[Problem, ...] = field()

    source: ClassVar[Source] = Source(_SUM.replace("NAME", "Together").replace("UPDATE", ""))

    @property
    def representation(self) -> Representation:
        return self.parts[0].representation

    def cost(self, x: Any) -> int:
        return sum((2 * k + 1) * part.cost(x) for k, part in enumerate(self.parts))


@final
@frozen(eq=False)
class Updated(Problem):
    """The same of problems that all have an `update`."""

    parts: tuple[Problem, ...] = field()

    source: ClassVar[Source] = Source(_SUM.replace("NAME", "Updated").replace("UPDATE", _UPDATE))
    representation = Together.representation
    cost = Together.cost


@final
class _Draw:
    """Draws the lines of a cost."""

    def __init__(self, seed: int, kind: str) -> None:
        self.draw, self.kind = random.Random(f"{seed} {kind}"), kind

    def number(self, sites: list[str], places: list[str]) -> str:
        draw = self.draw
        reads = [
            f"self.a[{draw.choice(sites)}, {draw.choice(sites)}]",
            f"self.b[{draw.choice(places)}, {draw.choice(sites)}]",
            f"self.twice({draw.choice(sites)}, {draw.choice([*sites, *places])})",
        ]
        return draw.choice([*reads, draw.choice(sites), f"abs({draw.choice(sites)} - {draw.choice(sites)})", "3"])

    def test(self, sites: list[str], places: list[str]) -> str:
        sign = self.draw.choice(["==", "!=", "<", "<="])
        return f"{self.draw.choice([*sites, *places])} {sign} {self.draw.choice([*sites, *places])}"

    def value(self, sites: list[str], places: list[str]) -> str:
        return " * ".join(self.number(sites, places) for _ in range(self.draw.randint(1, 3)))

    def nested(self) -> list[str]:
        """Loops over positions."""
        draw, lines = self.draw, list[str]()
        lines.append(f"for i in range({draw.choice(['', '', '1, '])}self.n):")
        sites = ["x[i]", draw.choice(["x[i - 1]", "x[(i + 1) % self.n]", "x[(i + 2) % self.n]", "x[i]"])]
        places, indent = ["i"], "    "
        if draw.random() < 0.6:
            lines.append(f"    for k in range({draw.choice(['self.n', 'i', 'i + 1', 'i + 1, self.n', 'i, self.n'])}):")
            sites, places, indent = [sites[0], "x[k]"], ["i", "k"], " " * 8
        return [*lines, *self.added(sites, places, indent)]

    def weighed(self) -> list[str]:
        """Pairs of positions, with a factor that depends on how far apart they are."""
        draw = self.draw
        factors = [draw.choice(["i - k", "2 * k - i", "i + k + 1"]), "self.a[x[i], x[k]]"]
        return [
            f"for i in range({draw.choice(['self.n', '1, self.n'])}):",
            f"    for k in range({draw.choice(['self.n', 'i', 'i + 1', 'i + 1, self.n'])}):",
            f"        total {draw.choice(['+=', '-='])} ({factors[0]}) * {factors[1]}",
        ]

    def added(self, sites: list[str], places: list[str], indent: str) -> list[str]:
        lines = []
        if self.draw.random() < 0.5:
            lines.append(f"{indent}if {self.test(sites, places)}:")
            indent += "    "
        return [*lines, f"{indent}total {self.draw.choice(['+=', '-='])} {self.value(sites, places)}"]

    def rows(self) -> list[str]:
        """A loop over rows of data."""
        sites = ["x[self.e[q, 0]]", self.draw.choice(["x[self.e[q, 1]]", "x[self.e[q, 0]]"])]
        return [
            "for q in range(len(self.e)):",
            *self.added(sites, ["self.e[q, 1]", "self.w[self.e[q, 0]] % 5"], "    "),
        ]

    def counts(self) -> list[str]:
        """A list that is filled, and a function of its entries."""
        draw = self.draw
        bin_ = draw.choice(["x[i]", "x[i]", "x[i] + i", "x[i] - i", "self.w[i] % 5 + x[i]"])
        added = draw.choice(["1", "self.w[i]", "x[i]", "self.b[i, x[i]]"])
        lines = [f"list_ = [0] * {2 * N}", "for i in range(self.n):"]
        indent = "    "
        if draw.random() < 0.3:
            lines.append(f"    if {self.test(['x[i]'], ['i', 'self.w[i] % 4'])}:")
            indent += "    "
        lines.append(f"{indent}list_[{bin_}] += {added}")
        function = draw.choice(["c * c", "max(0, c - 2)", "abs(c - 3)", "c * (c - 1) // 2"])
        end = draw.choice([f"total += sum({function} for c in list_)", f"total -= sum({function} for c in list_)"])
        return [*lines, draw.choice([end, end, "total += max(list_)", "total += 2 * max(list_) - min(list_)"])]

    def inner(self) -> list[str]:
        """A function of inner sums."""
        draw = self.draw
        inner = draw.choice(
            [
                "sum(self.b[d, i] * x[i] for i in range(self.n))",
                "sum(x[i] * x[i + d] for i in range(self.n - d))",
                "sum(self.w[i] for i in range(self.n) if x[i] == d)",
                "sum(x[i] == d for i in range(self.n))",
                "sum(self.a[x[i], d] for i in range(d, self.n))",
            ]
        )
        function = draw.choice(["{} ** 2", "max(0, {} - 5)", "abs({})", "min({}, 9)"]).format(inner)
        return [f"total += sum({function} for d in range({draw.choice(['4', '1, self.n', 'self.n'])}))"]

    def between(self) -> list[str]:
        """A function of what neighbors add to a list, or to a sum."""
        draw = self.draw
        end, other = draw.choice(
            [("self.n - 1", "x[i + 1]"), ("self.n", "x[i - 1]"), ("self.n", "x[(i + 1) % self.n]")]
        )
        if draw.random() < 0.4:
            value = draw.choice(
                [f"self.a[{other}, x[i]]", f"self.b[d, x[i]] * self.b[d, {other}]", "self.b[d, x[i]] * i"]
            )
            function = draw.choice(["{} ** 2", "max(0, {} - 5)", "abs({})"]).format(
                f"sum({value} for i in range({end}))"
            )
            return [f"total += sum({function} for d in range({draw.choice(['4', '1', 'self.n'])}))"]
        place = draw.choice(["abs(X - x[i])", "(X + 2 * x[i]) % 5", "self.w[X] % 4 + x[i] % 3", "x[i]"]).replace(
            "X", other
        )
        added, test = (
            draw.choice(["1", "1", "self.w[x[i]]", f"self.a[{other}, x[i]]"]),
            self.test(["x[i]", other], ["3"]),
        )
        lines = [f"near = [0] * {2 * N}", f"for i in range({end}):"]
        lines += (
            [f"    if {test}:", f"        near[{place}] += {added}"]
            if draw.random() < 0.3
            else [f"    near[{place}] += {added}"]
        )
        most = ["max(near)", "2 * max(near) - min(near)"]
        return [
            *lines,
            f"total += {draw.choice([*most, 'sum(c * c for c in near)', 'sum(max(0, c - 1) for c in near)'])}",
        ]

    def least(self) -> list[str]:
        """The smallest or the largest of terms for each value of a loop."""
        draw = self.draw
        value = draw.choice(["self.a[d, x[i]]", "self.b[i, d] + x[i]", "abs(x[i] - d)", "self.w[i] * x[i]"])
        best, test = draw.choice(["min", "max"]), draw.choice(["x[i] == x[i]", "x[i] != d", "x[i] > 1"])
        if draw.random() < 0.5:
            return [
                "for d in range(5):",
                f"    best = {draw.choice(['7', 'self.w[d]', '-d'])}",
                f"    for i in range({draw.choice(['self.n', '1, self.n', 'd + 1'])}):",
                f"        if {test}:",
                f"            best = {best}(best, {value})",
                f"    total += {draw.choice(['best', 'best * d', 'best ** 2'])}",
            ]
        bottleneck = f"total += {best}(self.a[i, x[i]] for i in range(self.n))"
        return [draw.choice([f"total += sum({best}({value} for i in range(self.n)) for d in range(4))", bottleneck])]

    def covers(self) -> list[str]:
        """A list that rows of data fill, and a function of its entries."""
        draw = self.draw
        added = draw.choice(["x[self.e[q, 1]]", "self.w[self.e[q, 1]] * x[self.e[q, 1]]", "x[self.e[q, 1]] == 1"])
        function = draw.choice(["c == 0", "max(0, c - 1)", "c * c"])
        return [
            f"cover = [0] * {N}",
            "for q in range(len(self.e)):",
            f"    cover[self.e[q, 0]] += {added}",
            f"total += 3 * sum({function} for c in cover)",
        ]

    def clauses(self) -> list[str]:
        """How many of several conditions on single bits hold."""
        draw = self.draw
        places = ["self.e[q, 0]", "self.e[q, 1]", "(q + 2) % self.n", "self.w[self.e[q, 0]] % 7"]
        tests = [
            f"x[{each}] {draw.choice(['==', '!='])} {draw.choice(['0', '1', 'self.w[self.e[q, 1]] % 2'])}"
            for each in draw.sample(places, draw.choice([3, 3, 4]))
        ]
        joined = draw.choice([" or ", " and "]).join(tests)
        value = draw.choice(["", f"{draw.choice(['3', 'self.w[self.e[q, 0]]'])} * "])
        test = draw.choice([f"({joined})", f"(not ({joined}))"])
        return [f"total {draw.choice(['+=', '-='])} sum({value}{test} for q in range(len(self.e)))"]

    def table(self) -> list[str]:
        """A list of lists that is filled, and a function of its entries."""
        draw = self.draw
        return [
            f"held = [[0] * 4 for _ in range({N})]",
            "for i in range(self.n):",
            f"    held[x[i]][{draw.choice(['self.w[i] % 4', 'i % 4', '(i + 1) % 3'])}] += {draw.choice(['1', 'i'])}",
            f"total += sum({draw.choice(['max(0, held[v][g] - 1)', 'held[v][g] ** 2'])}",
            f"             for v in range({N}) for g in range(4))",
        ]

    def places(self) -> list[str]:
        """Positions of items, and terms that read them."""
        draw = self.draw
        one, other = draw.choice([("at[i]", "at[i + 1]"), ("at[self.e[i, 0]]", "at[self.e[i, 1]]")])
        value = draw.choice(
            [f"abs({one} - {other})", f"{one} * {other}", f"self.a[{one}, {other}]", f"{one} < {other}"]
        )
        return [
            "at = [0] * self.n",
            "for position, item in enumerate(x):",
            "    at[item] = position",
            f"total += sum({draw.choice(['', '', 'self.w[i] * '])}({value}) for i in range({N - 1}))",
        ]

    def carried(self) -> list[str]:
        """A loop that carries numbers: a fold."""
        draw = self.draw
        late = draw.choice(["max(0, t - 2 * b)", "t", "t * self.w[b]", "abs(t - 20)"])
        step = draw.choice(["t += self.w[b]", "t = max(t + self.w[b], 3 * b)", "t = max(t, b) + 1", "t = t // 2 + b"])
        lines = ["t, late = 0, 0", "for b in x:", f"    {step}"]
        if draw.random() < 0.4:
            lines.append(f"    if {draw.choice(['t > 9', 'b < 3', 't != b'])}:")
            lines.append(f"        late += {late}")
        else:
            lines.append(f"    late += {late}")
        return [*lines, "total = late"]

    def lists(self) -> list[str]:
        """Loops through lists, and perhaps one over what follows items or places."""
        draw = self.draw
        begin, test = draw.choice(["0", "k", "self.w[k]"]), draw.choice(["t > 9", "i < 4", "self.b[at, i] > 0"])
        steps = ["t += self.w[i]", "t += self.a[at, i] - 3", "t = max(t + self.w[i], 4 * i)", "t += k * self.w[i]"]
        step, more = draw.choice(steps), draw.choice(["self.a[at, i]", "self.b[x.previous(i), i]", "abs(t - 20)", "1"])
        lines = ["for k in range(3):", f"    t, at = {begin}, {N}", "    for i in x.list(k):"]
        lines += [f"        {step}", *([f"        if {test}:"] if draw.random() < 0.4 else ["        if True:"])]
        lines += [f"            total {draw.choice(['+=', '-='])} {more}", "        at = i"]
        lines += [f"    total += {draw.choice(['max(0, t - 30)', 't * t', 'self.a[at, 7] + abs(t)', 't'])}"]
        pairs = draw.choice(["self.a[i, x.next(i)]", "self.b[x.next(i), i] * i", "x.next(i) < 4", "2 * x[i]"])
        over = draw.choice(["self.n", str(N)])
        return [*lines, f"for i in range({over}):", f"    total += {pairs}"] if draw.random() < 0.5 else lines

    def lines(self) -> list[str]:
        """All lines of a cost."""
        draw = self.draw
        if self.kind == "lists":
            return [
                "total = 0",
                *self.lists(),
                f"return {draw.choice(['total', '3 - 2 * total', 'self.w[0] + total'])}",
            ]
        if draw.random() < 0.12:
            return [*self.carried(), "return total"]
        ways = [self.nested, self.nested, self.rows, self.counts, self.inner, self.covers, self.table, self.least]
        ways += [self.places, self.places, self.weighed, self.between, self.between] if self.kind == "order" else []
        ways += [self.clauses, self.clauses] if self.kind == "bits" else []
        chosen = draw.sample(ways, draw.choice([1, 1, 2]))
        lines = [line for each in chosen for line in each()]
        if lines[0].startswith("total += "):  # the total begins with the first sum
            return [lines[0].replace("+=", "=", 1), *lines[1:], "return total"]
        return ["total = 0", *lines, "return total"]


def random_cost(seed: int, kind: str) -> str:
    """A cost of random loops, conditions, shifts, lookups, helpers, lists and functions of sums; or a fold."""
    draw = _Draw(seed, kind)
    text = "\n        ".join(draw.lines())
    if kind != "parts":
        return text
    parts = re.split(r"\bx(?=\[|:|\)$)", text.replace("self.n", "len(self.w)"))
    return parts[0] + "".join(f"x.{draw.draw.choice(['order', 'mode'])}{each}" for each in parts[1:])


def fields(seed: int) -> dict[str, np.ndarray]:
    """What costs read; every second matrix is symmetric."""
    generator, size = np.random.default_rng(seed), 3 * N
    a, b = generator.integers(-50, 50, (2, size, size))
    e = generator.integers(0, N, (9, 2))
    return {"a": a + a.T if seed % 2 else a, "b": b, "e": e, "w": generator.integers(0, 30, N)}


def found_in(problem: Problem, neighborhood: Neighborhood) -> list[str]:
    """What is derived for the moves of a neighborhood, in words; nothing where no change of cost is."""
    kinds, several = neighborhood.move_types, getattr(neighborhood, "radius", 1) > 1
    derivation = derivation_of(problem, kinds)
    if isinstance(neighborhood, Product):
        sides = {(each.part, each.neighborhood.move_types[0]) for each in (neighborhood.left, neighborhood.right)}
        found = any({(each.part, each.move), each.beside} == sides for each in derivation.methods)
        return ["delta", *(["kept arrays"] if derivation.kept else [])] if found else []
    part = neighborhood.part if isinstance(neighborhood, On) else ""
    inner = neighborhood.neighborhood.move_types if isinstance(neighborhood, On) else kinds
    of_moves = [each for each in derivation.methods if each.part == part and each.move in inner and each.beside is None]
    methods = {each.name for each in of_moves if each.several == several}
    if "delta" not in methods:
        return ["fold"] if fold_of(problem, kinds) is not None else []
    words = [*(["kept arrays"] if derivation.kept else []), *(["tables of rows"] if derivation.tables else [])]
    return ["delta", *words, *(["update"] if "update" in methods else [])]


def drawn(seeds: range, kind: str, folder: Path) -> list[Problem]:
    """The problems of random costs, one a seed."""
    text = HEAD + "".join(CLASS.format(k=seed, space=SPACES[kind][0], body=random_cost(seed, kind)) for seed in seeds)
    module = loaded(folder, text, f"derived_{kind}_{seeds.start}")
    return [getattr(module, f"Random{seed}")(**fields(seed)) for seed in seeds]


def checked(seeds: range, kind: str, folder: Path, device: str = "host", only: int | None = None) -> Counter[str]:
    """How many derivations there are for the costs of some seeds, all of them right, by neighborhood and by method.

    Parameters
    ----------
    seeds : range
        A cost each.
    kind : str
        One of `SPACES`.
    folder : Path
        Where their text is written.
    device : str
        Where they are checked.
    only : int, optional
        The place of the only neighborhood that is looked at.

    Raises
    ------
    CheckFailed
        If one is wrong.
    """
    neighborhoods, problems = SPACES[kind][1], drawn(seeds, kind, folder)
    counts = Counter[str]()
    for neighborhood in neighborhoods if only is None else [neighborhoods[only]]:
        found = [(each, words) for each in problems if (words := found_in(each, neighborhood))]
        for together, wanted in ((Updated, True), (Together, False)):
            parts = tuple(each for each, words in found if ("update" in words) == wanted)
            if parts:
                check_problem(together(parts), neighborhood, devices=[device])
        counts[repr(neighborhood)] += len(found)
        counts.update(word for _, words in found for word in words)
    return counts


class Work(NamedTuple):
    """A unit: `EACH` costs from a seed on, their kind, and the place of a neighborhood in `SPACES`."""

    first: int
    kind: str
    only: int

    def __str__(self) -> str:
        seeds = range(self.first, self.first + EACH)
        return f"{self.kind}, {SPACES[self.kind][1][self.only]!r}, seeds {seeds}"


def works(first: int) -> Iterator[Work]:
    """All units from a seed on; those of `Turns`, which compile long, for a fourth of the costs."""
    for block in count():
        for kind, (_, neighborhoods) in SPACES.items():
            for only, neighborhood in enumerate(neighborhoods):
                if block % 4 == 0 or not isinstance(neighborhood, Turns):
                    yield Work(first + block * EACH, kind, only)


def tree() -> str:
    """A digest of the translator, of all neighborhoods and of this program."""
    digest, root = sha256(), Path(__file__).parents[2]
    folders = [root / "metaheur/translator", root / "neighborhoods"]
    for path in sorted([*(each for folder in folders for each in folder.rglob("*.[pc]*")), Path(__file__)]):
        if path.suffix in {".py", ".cuh"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@final
class Answers:
    """What was found in units, by device, as it comes; kept in a file of lines, if one is given.

    Parameters
    ----------
    device : str
        Where units are checked.
    kept : Path, optional
        The file; what it says of this tree and device is known from the start.
    """

    def __init__(self, device: str, kept: Path | None = None) -> None:
        self.place, self.kept, self.known = [tree(), device], kept, set[Work]()
        self.counts, self.wrong = Counter[str](), list[str]()
        for line in kept.read_text("utf-8").splitlines() if kept and kept.exists() else []:
            *place, work, counts, error = json.loads(line)
            if place == self.place:
                self._note(Work(*work), Counter(counts), error)

    def _note(self, work: Work, counts: Counter[str], error: str) -> None:
        self.known.add(work)
        self.counts += counts
        if error:
            self.wrong.append(error)
            print(f"WRONG: {work}: {error}", flush=True)

    def heard(self, work: Work, counts: Counter[str], error: str) -> None:
        """Keep what was found in a unit."""
        self._note(work, counts, error)
        if self.kept:
            with self.kept.open("a", encoding="utf-8") as file:
                print(json.dumps([*self.place, work, counts, error]), file=file)

    @property
    def derivations(self) -> int:
        """How many derivations were found right."""
        return self.counts["delta"] + self.counts["fold"]

    @property
    def rows(self) -> Iterator[str]:
        """The rows of the record."""
        words = {"delta": "changes of cost", "fold": "folds"}
        named = {"all": self.derivations, **dict(self.counts.most_common())}
        return (f"| {words.get(name, name)} | {number:,} |" for name, number in named.items())


def begin(numbers: Any) -> None:
    """Give a process one of the GPUs, whose numbers wait in a queue; its C++ compiler is asked for haste."""
    os.environ["CUDA_VISIBLE_DEVICES"] = str(numbers.get())
    os.environ.setdefault("METAHEUR_CXXFLAGS", "-O0")


def judged(work: Work, device: str) -> tuple[Counter[str], str]:
    """What `checked` counts, and the error where one is wrong; in a process of its own."""
    with TemporaryDirectory() as folder:
        try:
            return checked(range(work.first, work.first + EACH), work.kind, Path(folder), device, work.only), ""
        except Exception as error:  # reported by the caller, which goes on
            return Counter(), f"{type(error).__name__}: {error}"


def ask(given: argparse.Namespace, answers: Answers, pool: ProcessPoolExecutor) -> None:
    """Check units until there are so many derivations or the time is over."""
    waiting, ends = dict[Future[tuple[Counter[str], str]], Work](), monotonic() + 60 * given.minutes
    more = (each for each in works(given.first) if each not in answers.known)
    while answers.derivations < given.count and monotonic() < ends:
        while len(waiting) < 2 * given.jobs:
            work = next(more)
            waiting[pool.submit(judged, work, given.device)] = work
        for each in wait(waiting, min(60.0, max(0.0, ends - monotonic())), FIRST_COMPLETED).done:
            answers.heard(waiting.pop(each), *each.result())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--device", default="host")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    context, begun, answers = get_context("spawn"), monotonic(), Answers(given.device, given.answers)
    numbers = context.Queue()
    for k in range(given.jobs):
        numbers.put(k % given.gpus)
    pool = ProcessPoolExecutor(given.jobs, context, initializer=begin, initargs=(numbers,))
    ask(given, answers, pool)
    pool.shutdown(wait=False, cancel_futures=True)
    for process in active_children():  # what they would find is not wanted
        process.terminate()
    made = f"{answers.derivations:,} derivations on {given.device}, {len(answers.wrong)} units of them wrong"
    print(f"{made}; {monotonic() - begun:.0f} s, {given.jobs} processes, tree {answers.place[0]}", flush=True)
    if answers.wrong or answers.derivations < given.count:
        sys.exit(1)
    record = "derivations" if given.device == "host" else f"derivations_{given.device}"
    report(record, f"drawn derivations on {given.device}, all of them right", ("", "derivations"), answers.rows)


if __name__ == "__main__":
    main()
