"""Random costs that are folds: what an item does to a state, and what the last state costs.

Every expression carries a bound of its absolute value, so that no number leaves the type of changes of cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np

from tests.translator.writer import ProgramWriter

Sized = tuple[str, int]
"""An expression, and a bound of its absolute value."""

Way = Callable[[int, list[str], list[str]], list[str]]
"""Writes statements: given how many blocks they may contain, and the names of indices and of other numbers."""

N = 11
"""Length of solutions; an array with an entry for each item has one more, for the item before the first one."""

SPACES = {
    "permutation": "Permutation(11)",
    "digits": "DiscreteVector(11, 4)",
    "bits": "BitString(11)",
}

HEAD = """
import math
import numpy as np
from attrs import frozen
from metaheur import BitString, DiscreteVector, Permutation, Problem, compiled, data

MARGIN = 3


@frozen(eq=False)
class Folds{number}(Problem):
    w: np.ndarray = data("{data}", ndim=2)
    v: np.ndarray = data("{data}", ndim=1)
    u: np.ndarray = data("int32", ndim=1)
    few: np.ndarray = data("{data}", ndim=1)
    which: int = data("int32")
    cost_type = "{cost}"
    representation = {space}

    @compiled
    def start(self):
        return {start}
"""

START: dict[str, Any] = {"t": 5, "d": -3, "c": 0, "e": 1, "m": -7, "l": [0, 3, -2]}
"""The numbers of a program; the steps only add to most of the first two."""


def extreme(cost: str) -> dict[str, Any]:
    """Numbers to start with at the ends of what the programs and a type of costs allow."""
    most = 2 ** {"int32": 29, "int64": 60, "float64": 20}[cost]
    return {"t": most, "d": -most // 4, "c": -2000, "e": 2000, "m": 2000, "l": [2000, -2000, 2000]}


def arrays(seed: int, cost: str) -> tuple[Any, ...]:
    """The data of all programs of a class: w, v, u, few."""
    random = np.random.default_rng(seed)
    if cost == "float64":
        matrix, vector = np.round(random.normal(0, 100, (N + 1, N + 1)), 3), np.round(random.normal(0, 100, N + 1), 3)
        return matrix, vector, random.integers(0, N, N + 1), vector[:3]
    reach = 900 if cost == "int32" else 2**33
    w, v = random.integers(-reach, reach, (N + 1, N + 1)), random.integers(-reach, reach, N + 1)
    if random.random() < 0.5:  # small numbers are equal more often
        w, v = w % 5, v % 5
    return w, v, random.integers(0, N, N + 1), v[:3]


@final
class Folds(ProgramWriter):
    """Writes the programs of a class.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    space : str
        A name among `SPACES`.
    cost : {"int32", "int64", "float64"}
        The type of changes of cost.
    together : bool
        Whether the lanes of a CPU can execute all steps together.
    extremes : bool
        Whether the fold starts with numbers at the ends of what is allowed.
    """

    def __init__(self, seed: int, *, space: str, cost: str, together: bool, extremes: bool = False) -> None:
        super().__init__(seed)
        self.space, self.cost, self.together = space, cost, together
        self.start = extreme(cost) if extremes else START
        self.large = 900 if cost == "int32" else 2**33
        self.limit = 2**24 if cost == "int32" else 2**48
        self.program = 0
        self.previous = self.random.random() < 0.7

    def s(self, name: str) -> str:
        """A number of the state of this program."""
        return f"s.{name}{self.program}"

    # ---- whole numbers

    def given(self) -> str:
        """A parameter: an item, or the one before."""
        return "prev" if self.previous and self.random.random() < 0.4 else "item"

    def index(self, names: list[str]) -> str:
        """An index of data that has an entry for each item and one more."""
        item = self.given()
        found = [item, item, item, "item - 1", "-1 - item", "-1", "2", f"({item} * 7 - 3) % self.n", "self.u[item]"]
        kept = [] if self.cost == "float64" else [f"{self.s('c')} % self.n"]
        return self.random.choice([*found, *kept, *names])

    def place(self, names: list[str]) -> str:
        """An index of the list of the state."""
        found = ["0", "1", "-1", "2", f"{self.given()} % 3", f"{self.s('c')} % 3", f"{self.s('e')} % -3"]
        return self.random.choice([*found, *(f"{name} % 3" for name in names)])

    def leaf(self, names: list[str], values: list[str]) -> Sized:
        """A number."""
        at, also, small = self.index(names), self.index(names), self.random.randint(-9, 9)
        found: list[Sized] = [
            (str(small), 9),
            (f"self.v[{at}]", self.large),
            (f"self.w[{at}, {also}]", self.large),
            (f"self.w[{at}][{also}]", self.large),
            (f"self.u[{at}]", N),
            (self.random.choice([*names, self.given(), "self.n", "MARGIN", "len(self.v)"]), N + 1),
            *[(self.s(name), 2000) for name in "cem"],
            (f"{self.s('l')}[{self.place(names)}]", 2000),
            *((each, 2000) for each in values),
        ]
        return self.random.choice(found)

    def number(self, depth: int, names: list[str], values: list[str]) -> Sized:
        """A number made of others."""
        if depth <= 0:
            return self.leaf(names, values)
        (a, p), (b, q) = (self.number(depth - 1, names, values) for _ in range(2))
        found: Sized = self.random.choice(
            [
                (f"({a} + {b})", p + q),
                (f"({a} - {b})", p + q),
                (f"({a} + {b})", p + q),
                (f"({a} * {b} % 89)", p * q),
                (f"({a} * self.v[{self.index(names)}])", p * self.large),
                (f"(({a}) // {self.random.choice([-7, 2, 5])})", p + 1),
                (f"(({a}) % {self.random.choice([-7, 3, 16])})", max(p, 16)),
                (f"{self.random.choice(['min', 'max'])}({a}, {b})", max(p, q)),
                (f"abs({a})", p),
                (f"({a} if {self.test(names, values)} else {b})", max(p, q)),
                (f"(-({a}))", p),
                (f"({self.test(names, values)})", 1),
                (f"(({a}) {self.random.choice('&|^')} {b})", 2 * max(p, q) + 2),
                (f"self.gain{self.program}({self.given()}, {a})", max(1009, p + self.large)),
                self.gathered(names, values),
            ]
        )
        return found if found[1] < self.limit else (f"(({a}) % 1009)", max(1009, p))

    def gathered(self, names: list[str], values: list[str]) -> Sized:
        """A sum, or the largest or smallest of several numbers."""
        k, kind = self.fresh("k"), self.random.choice(["sum", "min", "max"])
        (a, p), list_ = self.leaf([*names, k], values), self.s("l")
        goes, length = self.random.choice([("range(3)", 3), ("range(1, 4)", 3), ("self.few", 3), (list_, 3)])
        if "[" not in goes and not goes.startswith("range"):
            return self.random.choice([(f"{kind}({goes})", 3 * 2 * self.large), (f"len({goes})", 3)])
        return f"{kind}({a} for {k} in {goes})", length * p

    def test(self, names: list[str], values: list[str]) -> str:
        """A truth."""
        (a, _), (b, _), (c, _) = (self.leaf(names, values) for _ in range(3))
        sign, also = (self.random.choice(["<", "<=", "==", "!=", ">", ">="]) for _ in range(2))
        shown = [f"{a} {sign} {b}"] * 3 + [f"{a} {sign} {b} {also} {c}", f"{self.given()} % 3 {sign} 1"] * 2
        shown += [f"({a} {sign} {b} {self.random.choice(['and', 'or'])} not {b} {also} {c})"]
        return self.random.choice([*shown, f"{self.s('c')} {sign} {self.random.randint(0, 9)}"])

    def small(self, names: list[str], values: list[str]) -> str:
        """A number that an item adds, or that is kept."""
        text, bound = self.number(self.random.randint(0, 2), names, values)
        return text if bound <= 1009 else f"({text}) % {self.random.choice([5, 97, 1009])}"

    # ---- statements

    def lines(self, depth: int, names: list[str], values: list[str]) -> list[str]:
        """Some statements that change the state."""
        out: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            ways: list[Way] = [
                self.added,
                self.added,
                self.set,
                self.set,
                self.entry,
                self.several,
                self.reset,
                self.guarded,
            ]
            ways += [] if self.together else [self.left, self.made, self.rowed]
            if depth:
                ways += [self.branch, self.branch, self.loop]
            out += self.random.choice(ways)(depth, names, values)
        return out

    def added(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """A number is added to one that collects."""
        place, text = self.s(self.random.choice("td")), self.small(names, values)
        ways = [f"{place} += {text}", f"{place} -= {text}", f"{place} = {place} + {text}", f"{place} -= 2 * ({text})"]
        return [self.random.choice(ways)]

    def set(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """A number of the state is set."""
        place, text = self.s(self.random.choice("cem")), self.small(names, values)
        ways = [f"{place} = {text}", f"{place} = ({place} + {text}) % 7", f"{place} = max({place}, ({text}) % 97)"]
        return [self.random.choice([*ways, f"{place} = min({place}, {text})"])]

    def entry(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """An entry of a list of the state is written."""
        one, other = (f"{self.s('l')}[{self.place(names)}]" for _ in range(2))
        ways = [f"{one} = {self.small(names, values)}", f"{one}, {other} = {other}, {one}"]
        return [self.random.choice([*ways, f"{one} = ({other} + {self.small(names, values)}) % 7"])]

    def several(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """Several places are assigned at once."""
        a, b = self.random.sample("cem", 2)
        also = f"({self.s('t')} + {self.s(a)}) % 9" if self.random.random() < 0.1 else self.small(names, values)
        return [f"{self.s(a)}, {self.s(b)} = {self.s(b)}, {also}"]

    def reset(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """What decoders do: a number grows until it is too large."""
        c, text = self.s("c"), f"({self.small(names, values)}) % 7"
        return [
            f"if {c} + {text} > {self.random.randint(3, 9)}:",
            f"    {self.s('t')} += {self.small(names, values)}",
            f"    {c} = {self.random.choice(['0', text])}",
            *(["else:", f"    {c} += {text}"] if self.random.random() < 0.8 else []),
        ]

    def guarded(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """An array that has entries for some items only."""
        place, c = self.s("t"), self.s("c")
        item = self.given()
        ways = [
            [f"if 0 <= {item} < 3:", f"    {place} += self.few[{item}] % 77"],
            [f"if 0 <= {c} < len(self.few):", f"    {self.s('m')} = self.few[{c}] % 77"],
            [f"{place} += (self.few[{item}] % 77 if -1 <= {item} < 3 else {self.small(names, values)})"],
            [f"if {item} < 3 and self.few[{item}] > {c}:", f"    {place} -= 3"],
        ]
        return self.random.choice(ways)

    def branch(self, depth: int, names: list[str], values: list[str]) -> list[str]:
        """An if."""
        out = [f"if {self.test(names, values)}:", *self.inner(self.lines(depth - 1, names, values))]
        if self.random.random() < 0.5:
            out += ["else:", *self.inner(self.lines(depth - 1, names, values))]
        return out

    def inner(self, lines: list[str]) -> list[str]:
        """Lines within a block."""
        return ["    " + line for line in lines]

    def loop(self, depth: int, names: list[str], values: list[str]) -> list[str]:
        """A loop that all items execute alike."""
        k, each = self.fresh("k"), self.fresh("each")
        head, more, known = self.random.choice(
            [
                (f"for {k} in range(3):", [k], []),
                (f"for {k} in range(2, -1, -1):", [k], []),
                (f"for {k}, {each} in enumerate({self.s('l')}):", [k], [each]),
                (f"for {each} in {self.s('l')}:", [], [each]),
                (f"for {each} in self.u[1:3]:", [each], []),
            ]
        )
        body = self.lines(depth - 1, [*names, *more], [*values, *known])
        if not self.together and self.random.random() < 0.3:
            body += [f"if {self.test([*names, *more], values)}:", f"    {self.random.choice(['break', 'continue'])}"]
        return [head, *self.inner(body)]

    def left(self, depth: int, names: list[str], values: list[str]) -> list[str]:
        """A loop that ends at another time for each item."""
        left = self.fresh("left")
        body = [f"{left} -= 1", *self.lines(max(0, depth - 1), names, values)]
        return [f"{left} = {self.given()} % 4", f"while {left} > 0:", *self.inner(body)]

    def made(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """A list of the step."""
        made, k = self.fresh("made"), self.fresh("k")
        out = [f"{made} = [{self.small(names, values)} for {k} in range(4)]"]
        out += [f"{made}[item % 4] += 3", *([f"{made}.sort()"] if self.random.random() < 0.5 else [])]
        return [*out, f"{self.s('t')} += {made}[{self.given()} % 4] - max({made})"]

    def rowed(self, _: int, names: list[str], values: list[str]) -> list[str]:
        """A row of data."""
        row = self.fresh("row")
        return [f"{row} = self.w[{self.index(names)}]", f"{self.s('d')} += {row}[{self.index(names)}] % 1009"]

    # ---- floats

    def real(self, depth: int) -> str:
        """A float."""
        if depth <= 0:
            at, also = self.index([]), self.index([])
            shown = [f"self.w[{at}, {also}]", f"self.v[{at}]", "0.5", "-1.25", f"{self.s('l')}[{self.given()} % 3]"]
            return self.random.choice([*shown, *(self.s(name) for name in "tcem")])
        a, b, c = (self.real(depth - 1) for _ in range(3))
        shown = [f"({a} + {b})", f"({a} - {b})", f"({a} * 0.5)", f"({a} - item)", f"min({a}, {b})", f"max({a}, {b})"]
        shown += [f"({a} if {b} < {c} else {b})", f"math.sqrt(abs({a}))", f"(({a}) % 2.5)", f"abs({a})", f"{a} / 3"]
        return self.random.choice([*shown, f"sum({self.s('l')})", f"sum({a} for {self.fresh('k')} in range(3))"])

    def floats(self) -> list[str]:
        """Statements that change floats."""
        out: list[str] = []
        for _ in range(self.random.randint(2, 5)):
            place, text = self.s(self.random.choice("tdcem")), self.real(2)
            one = self.random.random()
            if one < 0.3:
                out += [f"{place} += {text}"]
            elif one < 0.5:
                out += [f"{place} = ({text}) * 0.25"]
            elif one < 0.6:
                out += [f"{self.s('l')}[{self.given()} % 3] = ({text}) * 0.25"]
            elif one < 0.8:
                out += [f"if {self.real(1)} < {self.real(1)}:", f"    {place} = 0.0"]
            else:
                out += [f"if {self.s('c')} + {self.real(0)} > 30.0:", f"    {self.s('c')} = 0.0", f"    {place} -= 1.5"]
        return out

    # ---- methods

    def module(self, number: int, count: int) -> str:
        """A module with one class of so many programs."""
        steps, ends, helpers = [], [], []
        floats = self.cost == "float64"
        for self.program in range(count):
            local, head = self.fresh("a"), []
            if not floats:
                head = [f"{local} = {self.small([], [])}", f"ok{local} = {self.test([], [local])}"]
            body = self.floats() if floats else self.lines(2, [], [local])
            if not floats and self.random.random() < 0.3:
                body += [f"{local} += {self.small([], [local])}", f"{self.s('d')} += {local} % 1009 - ok{local}"]
            steps += [f"{'el' if self.program else ''}if self.which == {self.program}:", *self.inner([*head, *body])]
            ends += [f"if self.which == {self.program}:", f"    return {self.end()}"]
            helper = self.random.choice(["p + q", "self.v[p] - p", "min(p, q) % 7", "self.u[p] * 3 if q > p else q"])
            helpers += ["", "    @compiled", f"    def gain{self.program}(self, p, q):", f"        return {helper}"]
        last = ", last" if self.last else ""
        made = {f"{name}{k}": value for k in range(count) for name, value in self.start.items()}
        if floats:
            made = {name: [*map(float, each)] if isinstance(each, list) else float(each) for name, each in made.items()}
        text = HEAD.format(
            number=number,
            data="float64" if floats else "int64" if self.cost == "int64" else "int32",
            cost=self.cost,
            space=SPACES[self.space],
            start=made,
        )
        text += "\n".join(helpers)
        text += f"\n\n    @compiled\n    def step(self, s, item{', prev' if self.previous else ''}):\n"
        text += "\n".join("        " + line for line in steps)
        text += f"\n\n    @compiled\n    def finish(self, s{last}):\n"
        text += "\n".join("        " + line for line in ends)
        return text + f"\n        return 0{'.0' if floats else ''}\n"

    @property
    def last(self) -> bool:
        """Whether `finish` is given the last item."""
        return self.previous

    def end(self) -> str:
        """The cost of the last state."""
        if self.cost == "float64":
            return f"{self.s('t')} + {self.s('d')} * 0.5 - {self.s('c')} + sum({self.s('l')}) + {self.s('m')}"
        text = f"{self.s('t')} - 3 * {self.s('d')} + {self.s('c')} % 5 + max({self.s('l')}) - {self.s('m')}"
        if self.last:
            text += self.random.choice(["", " + self.w[last, -1] % 1009", " + last"])
        return text
