"""Random costs whose derived changes are checked by compiled code, many costs in one unit.

``python -m tests.translator.derived_fuzz 20000`` makes so many derivations; ``--device cuda`` runs them on a GPU.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur import Problem, Source
from metaheur.neighborhoods import Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.representation import Representation
from metaheur.testing import check_problem
from metaheur.translator.deriving.derived import derivation_of
from tests.translator.test_fuzz import loaded

__all__ = ["Together", "checked", "random_cost"]

N = 7
EACH = 24
"""Costs in a unit."""

SPACES: dict[str, tuple[str, list[Any]]] = {
    "order": (f"Permutation({N})", [Swap(), Insertion(), TwoOpt()]),
    "values": (f"DiscreteVector({N}, 4)", [Substitution()]),
    "bits": (f"BitString({N})", [Hamming(1)]),
}

HEAD = """
import numpy as np
from attrs import frozen
from metaheur import BitString, DiscreteVector, Permutation, Problem, compiled, data
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
    def cost(self, x):
        {body}
"""


@final
@frozen(eq=False)
class Together(Problem):
    """The sum of several problems, each with a weight of its own."""

    parts: tuple[Problem, ...] = field()

    source: ClassVar[Source] = Source("""
struct Together : TogetherData {
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
};
""")

    @property
    def representation(self) -> Representation:
        return self.parts[0].representation

    def cost(self, x: Any) -> int:
        return sum((2 * k + 1) * part.cost(x) for k, part in enumerate(self.parts))


@final
class _Draw:
    """Draws the lines of a cost."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def number(self, sites: list[str], places: list[str]) -> str:
        draw = self.draw
        reads = [
            f"self.a[{draw.choice(sites)}, {draw.choice(sites)}]",
            f"self.b[{draw.choice(places)}, {draw.choice(sites)}]",
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


def random_cost(seed: int) -> str:
    """A cost of random loops, conditions, shifts, lookups, counts and functions of sums."""
    make = _Draw(seed)
    lines = ["total = 0"]
    kinds = make.draw.sample([make.nested, make.nested, make.rows, make.counts, make.inner], make.draw.randint(1, 2))
    return "\n        ".join([*lines, *(line for kind in kinds for line in kind()), "return total"])


def fields(seed: int) -> dict[str, np.ndarray]:
    """What costs read; every second matrix is symmetric."""
    generator, size = np.random.default_rng(seed), 3 * N
    a, b = generator.integers(-50, 50, (2, size, size))
    e = generator.integers(0, N, (9, 2))
    return {"a": a + a.T if seed % 2 else a, "b": b, "e": e, "w": generator.integers(0, 30, N)}


def checked(seeds: range, kind: str, folder: Path, device: str = "host") -> int:
    """How many changes of cost were derived of the costs of some seeds, all of which are right.

    Raises
    ------
    CheckFailed
        If one is wrong.
    """
    space, neighborhoods = SPACES[kind]
    text = HEAD + "".join(CLASS.format(k=seed, space=space, body=random_cost(seed)) for seed in seeds)
    module = loaded(folder, text, f"derived_{kind}_{seeds.start}")
    problems = [getattr(module, f"Random{seed}")(**fields(seed)) for seed in seeds]
    found = 0
    for neighborhood in neighborhoods:
        kinds = neighborhood.move_types
        parts = tuple(
            each for each in problems if any(one.name == "delta" for one in derivation_of(each, kinds).methods)
        )
        for first in range(0, len(parts), EACH):
            some = parts[first : first + EACH]
            check_problem(Together(some), neighborhood, devices=[device])
            found += len(some)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--device", default="host")
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    found, first = 0, given.first
    while found < given.count:
        with TemporaryDirectory() as folder:
            for kind in SPACES:
                found += checked(range(first, first + EACH), kind, Path(folder), given.device)
        first += EACH
        print(f"{found} derivations are right; the next seed is {first}", flush=True)


if __name__ == "__main__":
    main()
