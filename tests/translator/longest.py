"""Random costs that are folds of sums and maxima alone, as makespans are."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from tests.translator.folds import HEAD, SPACES, N
from tests.translator.writer import ProgramWriter

START: dict[str, Any] = {"a": 0, "b": 7, "c": 3, "l": [0, 2, 5]}
"""The numbers of a program."""


def arrays(seed: int, cost: str) -> tuple[Any, ...]:
    """The data of all programs of a class: w, v, u, few; no number is negative."""
    random = np.random.default_rng(seed)
    reach = int(random.choice([3, 50, 2**16 if cost == "int32" else 2**40]))
    w, v = random.integers(0, reach, (N + 1, N + 1)), random.integers(0, reach, N + 1)
    return w, v, random.integers(0, N, N + 1), v[:3]


@final
class Longest(ProgramWriter):
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
        self.space, self.cost, self.program = space, cost, 0

    def known(self, names: list[str]) -> str:
        """A number that is known of data, at least 0."""
        at = self.random.choice(["item", "item", "item - 1", "2", "-1", *names])
        also = self.random.choice(["item", "0", *names])
        found = [f"self.v[{at}]", f"self.w[{at}, {also}]", f"self.w[{at}][{also}]", f"self.u[{at}]", "3", "item"]
        found += [f"(self.v[{at}] if item > 2 else 1)", f"abs(item - {also})", f"self.gain(item, {also})"]
        return self.random.choice(found)

    def place(self, names: list[str]) -> str:
        """A number of the state, or an entry of its list."""
        k = self.program
        at = self.random.choice(["0", "1", "-1", "item % 3", *(f"{name} % 3" for name in names)])
        return self.random.choice([f"s.a{k}", f"s.b{k}", f"s.c{k}", f"s.l{k}[{at}]", f"s.l{k}[{at}]"])

    def sum(self, names: list[str], linear: list[str], depth: int = 2) -> str:
        """A number of the state, or a largest one, and what is added."""
        one = self.random.random()
        if depth == 0 or one < 0.3:
            return self.random.choice([self.place(names), *linear, self.place(names), *linear])
        inner = self.sum(names, linear, depth - 1)
        if one < 0.5:
            return f"({inner} + {self.known(names)})"
        if one < 0.6:
            return f"({self.known(names)} + {inner})"
        if one < 0.65:
            return f"max(s.l{self.program})"
        others = [self.sum(names, linear, depth - 1) for _ in range(self.random.randint(1, 2))]
        others += [self.known(names)] if self.random.random() < 0.3 else []
        return f"max({', '.join([inner, *others])})"

    def lines(self, depth: int, names: list[str], linear: list[str]) -> list[str]:
        """Some statements."""
        out: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            one, k, each = self.random.random(), self.fresh("k"), self.fresh("each")
            if one < 0.4 or not depth:
                out += [f"{self.place(names)} = {self.sum(names, linear)}"]
            elif one < 0.5:
                out += [f"{self.place(names)} += {self.known(names)}"]
            elif one < 0.6:
                out += [f"{self.random.choice(linear)} = {self.sum(names, linear)}"]
            elif one < 0.7:
                known = self.fresh("known")
                out += [f"{known} = {self.known(names)}", f"{self.place(names)} = {self.sum(names, linear)} + {known}"]
            elif one < 0.85:
                head, more, inner = self.random.choice(
                    [
                        (f"for {k} in range(3):", [k], []),
                        (f"for {k}, {each} in enumerate(s.l{self.program}):", [k], [each]),
                        (f"for {k} in range(1, len(s.l{self.program})):", [k], []),
                    ]
                )
                body = self.lines(depth - 1, [*names, *more], [*linear, *inner])
                out += [head, *("    " + line for line in body)]
            else:
                test = self.random.choice(["item % 2 == 0", "self.u[item] > 4", "item < 3 and self.few[item] > 1"])
                out += [f"if {test}:", *("    " + line for line in self.lines(depth - 1, names, linear))]
                if self.random.random() < 0.5:
                    out += ["else:", *("    " + line for line in self.lines(depth - 1, names, linear))]
        return out

    def module(self, number: int, count: int) -> str:
        """A module with one class of so many programs."""
        steps, ends = [], []
        for self.program in range(count):
            local = self.fresh("done")
            body = [f"{local} = {self.random.choice(['0', 'item', self.place([])])}", *self.lines(2, [], [local])]
            body += [f"{local} = max({local}, {self.place([])})", f"{self.place([])} = {local} + {self.known([])}"]
            steps += [f"{'el' if self.program else ''}if self.which == {self.program}:"]
            steps += ["    " + line for line in body]
            ends += [f"if self.which == {self.program}:", f"    return {self.end()}"]
        data = "int64" if self.cost == "int64" else "int32"
        made = {f"{name}{k}": value for k in range(count) for name, value in START.items()}
        text = HEAD.format(number=number, data=data, cost=self.cost, space=SPACES[self.space], start=made)
        text += "\n    @compiled\n    def gain(self, p, q):\n        return self.u[p] + (q > 2)\n"
        text += "\n    @compiled\n    def step(self, s, item):\n" + "".join(f"        {line}\n" for line in steps)
        text += "\n    @compiled\n    def finish(self, s):\n" + "".join(f"        {line}\n" for line in ends)
        return f"{text}        return max(s.l0)\n"

    def end(self) -> str:
        """The cost of the last state."""
        k = self.program
        one = [f"s.a{k}", f"s.b{k} + 4", f"max(s.l{k})", f"s.l{k}[-1] + self.v[0]", f"s.c{k}", "9"]
        return f"max({', '.join(self.random.sample(one, 3))})" if self.random.random() < 0.8 else one[2]
