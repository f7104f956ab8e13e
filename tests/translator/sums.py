"""Random kept arrays that are sums of what positions contribute, of which `init` and `commit` follow."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from tests.translator.folds import SPACES, N
from tests.translator.writer import ProgramWriter

HEAD = """
import numpy as np
from attrs import frozen
from metaheur import Array, BitString, DiscreteVector, Permutation, Problem, compiled, contributions, data
from metaheur.neighborhoods import FlipMove, SubstitutionMove, SwapMove


@frozen(eq=False)
class Sums{number}(Problem):
    w: np.ndarray = data("{data}", ndim=2)
    v: np.ndarray = data("{data}", ndim=1)
    u: np.ndarray = data("int32", ndim=1)
    which: int = data("int32")
    cost_type = "{cost}"
    representation = {space}

    def state(self, representation):
        return {{"f": Array((self.n,), "int64"), "g": Array((4, 3), "{kept}"), "c": Array((self.n,), "int32")}}

    @compiled
    def cost(self, x):
        return 0
"""

DELTA = """
    init, commit = contributions

    @compiled
    def delta(self, x, s, m: {move}):
        total = sum(s.f[k] % 1009 * (k + 3) for k in range(self.n)) - 7 * sum(s.c[k] % 97 for k in range(self.n))
        for k in range(4):
            total += s.g[k, 0] % 1009 + 5 * (s.g[k, 1] % 1009) - 3 * (s.g[k, -1] % 1009)
        return total + {own}
"""

MOVES = {
    "permutation": ("SwapMove", "(s.f[x[m.i]] - s.c[m.j]) % 1009"),
    "digits": ("SubstitutionMove", "(s.f[m.at] - s.g[x[m.at], 0]) % 1009"),
    "bits": ("FlipMove", "sum(s.f[k] % 1009 for k in m.at)"),
}
"""A class of moves, and what its moves read of the kept arrays."""


def arrays(seed: int) -> tuple[Any, ...]:
    """The data of all programs of a class: w, v, u."""
    random = np.random.default_rng(seed)
    w, v = random.integers(-900, 900, (N, N)), random.integers(-900, 900, N)
    return w, v, random.integers(0, N, N)


@final
class Sums(ProgramWriter):
    """Writes the programs of a class.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    space : str
        A name among `SPACES`.
    cost : {"int32", "int64"}
        The type of changes of cost.
    """

    def __init__(self, seed: int, *, space: str, cost: str) -> None:
        super().__init__(seed)
        self.space, self.cost = space, cost

    def index(self, names: list[str]) -> str:
        """An index in -N ... N - 1."""
        name = self.random.choice([*names, "k", "value"])
        return self.random.choice(
            [name, name, name, "-1", "2", f"{name} - 1", f"-1 - {name}", f"({name} + k) % self.n", f"self.u[{name}]"]
        )

    def number(self, depth: int, names: list[str]) -> str:
        """A whole number below a million."""
        at, also = self.index(names), self.index(names)
        if depth <= 0:
            leaves = [f"self.v[{at}]", f"self.w[{at}, {also}]", f"self.w[{at}][{also}]", "k", "value", "3", "-2"]
            return self.random.choice([*leaves, *names, f"self.u[{at}]", f"({at} < {also})"])
        a, b = self.number(depth - 1, names), self.number(depth - 1, names)
        return self.random.choice(
            [
                f"({a} + {b})",
                f"({a} - {b})",
                f"({a} % 31 * ({b} % 17))",
                f"(({a}) // {self.random.choice([-3, 2, 7])})",
                f"(({a}) % {self.random.choice([-5, 3, 64])})",
                f"{self.random.choice(['min', 'max'])}({a}, {b})",
                f"abs({a})",
                f"({a} if {self.test(names)} else {b})",
                f"sum({self.number(0, [*names, k])} for {k} in range(3))" if (k := self.fresh()) else "",
            ]
        )

    def test(self, names: list[str]) -> str:
        """A truth."""
        a, b, sign = self.number(0, names), self.number(0, names), self.random.choice(["<", "==", "!=", ">="])
        return self.random.choice(
            [f"{a} {sign} {b}", f"value {sign} {self.random.randint(0, 3)}", "k % 2 == 0", "value"]
        )

    def added(self, names: list[str]) -> list[str]:
        """A statement that adds to a kept number, `by` times."""
        text, sign = self.number(self.random.randint(0, 2), names), self.random.choice(["+=", "-="])
        rows, columns = [f"{name} % 4" for name in ("k", "value", *names)], [f"{name} % 3" for name in ("k", "value")]
        loop = [name for name in names if self.random.random() < 0.5]
        place = self.random.choice(
            [
                f"s.f[{self.index(names)}]",
                f"s.g[{self.random.choice([*rows, '2'])}, {self.random.choice([*columns, '-1', *loop])}]",
                f"s.c[{self.index(names)}]",
            ]
        )
        text = f"(({text}) % 100)" if place.startswith("s.c") else f"({text})"
        return [f"{place} {sign} {self.random.choice([f'by * {text}', f'{text} * by', f'by * 2 * {text}'])}"]

    def lines(self, depth: int, names: list[str]) -> list[str]:
        """Some statements."""
        out: list[str] = []
        for _ in range(self.random.randint(1, 2)):
            one, k = self.random.random(), self.fresh()
            if depth and one < 0.3:
                out += [f"if {self.test(names)}:", *("    " + each for each in self.lines(depth - 1, names))]
                if self.random.random() < 0.4:
                    out += ["else:", *("    " + each for each in self.lines(depth - 1, names))]
            elif depth and one < 0.6:
                goes = self.random.choice(["range(3)", "range(2, -1, -1)", "range(value % 3)", "range(k % 3)"])
                out += [f"for {k} in {goes}:", *("    " + each for each in self.lines(depth - 1, [*names, k]))]
            else:
                out += self.added(names)
        return out

    def module(self, number: int, count: int) -> str:
        """A module with one class of so many programs."""
        text = HEAD.format(
            number=number,
            data=self.random.choice(["int32", "int64"]) if self.cost == "int64" else "int32",
            cost=self.cost,
            kept=self.random.choice(["cost", "int64", "int32"]),
            space=SPACES[self.space],
        )
        chosen = []
        for which in range(count):
            text += f"\n    @compiled\n    def adds{which}(self, s, k, value, by):\n"
            text += "".join(f"        {line}\n" for line in self.lines(2, []))
            word = "elif" if which else "if"
            chosen += [f"{word} self.which == {which}:", f"    self.adds{which}(s, k, value, by)"]
        text += "\n    @compiled\n    def contribute(self, s, k, value, by):\n"
        text += "".join(f"        {line}\n" for line in chosen)
        move, own = MOVES[self.space]
        return text + DELTA.format(move=move, own=own)
