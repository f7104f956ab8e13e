"""Random programs of the subset: kept arrays, their update after a move, and the change of a move.

A program is written so that no number in it leaves 64 bits and no index leaves its array: every expression carries a
bound of its absolute value.
"""

from __future__ import annotations

from typing import final

from tests.translator.writer import ProgramWriter

LARGEST = 2**60
N = 6
"""Length of solutions."""

HEAD = """
import math
import numpy as np
from attrs import frozen
from metaheur import Array, Permutation, Problem, compiled, data
from metaheur.neighborhoods import SwapMove

MARGIN = 3
"""

CLASS = """
@frozen(eq=False)
class Programs{number}(Problem):
    w: np.ndarray = data("{dtype}", ndim=2)
    v: np.ndarray = data("{narrow}", ndim=1)
    u: np.ndarray = data("int32", ndim=1)
    which: int = data("int32")
    {cost_type}
    {objectives}

    @property
    def representation(self):
        return Permutation(len(self.w))

    def state(self, representation):
        n = len(self.w)
        return {{"f": Array((n,), "{first}"), "g": Array((n, n), "{kept}"), "c": Array((n,), "int32")}}

    @compiled
    def cost(self, x):
        return {zero}
"""

Sized = tuple[str, int]
"""An expression, and a bound of its absolute value."""


@final
class Writer(ProgramWriter):
    """Writes the programs of a class.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    floats : bool
        Whether data, and what is kept, are floats.
    several : bool
        Whether there are two objectives.
    """

    def __init__(self, seed: int, *, floats: bool = False, several: bool = False) -> None:
        super().__init__(seed)
        self.floats, self.several = floats, several

    # ---- numbers

    def index(self, names: list[str]) -> str:
        """An index in -N ... N - 1."""
        plain = ["m.i", "m.j", "m.i - m.j", "x[m.i]", "x[m.j]", "x[0]", "-1", "2", "self.u[1]", "m.j - 1"]
        for name in names:
            plain += [
                name,
                f"x[{name}]",
                f"{name} - 1",
                f"-1 - {name}",
                f"({name} + m.i) % self.n",
                f"({name} * 7 - 3) % self.n",
            ]
        return self.random.choice(plain)

    def leaf(self, names: list[str], values: dict[str, int], kept: bool) -> Sized:
        at, also = self.index(names), self.index(names)
        small = str(self.random.randint(-9, 9))
        choices = [
            (small, 9),
            (f"self.v[{at}]", 2**31),
            (f"self.u[{at}]", N),
            (f"x[{at}]", N),
            (self.random.choice([*names, "m.i", "m.j", "self.n", "len(x)", "MARGIN"]), N),
            *values.items(),
        ]
        if not self.floats:
            choices += [(f"self.w[{at}, {also}]", 2**40), (f"self.w[{at}][{also}]", 2**40)]
        if kept:
            choices += [(f"s.c[{at}]", 2**31)]
        if kept and not self.floats:
            choices += [(f"s.f[{at}]", 2**40), (f"s.g[{at}, {also}]", 2**40)]
        return self.random.choice(choices)

    def number(self, depth: int, names: list[str], values: dict[str, int], kept: bool = True) -> Sized:  # noqa: PLR0912 - a way each
        """A whole number."""
        if depth <= 0:
            return self.leaf(names, values, kept)
        (a, p), (b, q) = (self.number(depth - 1, names, values, kept) for _ in range(2))
        one, divisor = self.random.random(), self.random.choice([-7, -3, 2, 5, 16])
        found: Sized
        if one < 0.36:
            found = f"({a} {self.random.choice('+-')} {b})", p + q
        elif one < 0.46:
            found = f"({a} * {b})", p * q
        elif one < 0.54:
            found = f"(({a}) // {divisor})", p + 1
        elif one < 0.62:
            found = f"(({a}) % {divisor})", 16
        elif one < 0.66:
            found = f"(({a}) // (self.u[{self.index(names)}] + 1))", p + 1
        elif one < 0.70:
            found = f"(({a}) % (({b}) % 5 - 7))", 8
        elif one < 0.78:
            found = f"{self.random.choice(['min', 'max'])}({a}, {b})", max(p, q)
        elif one < 0.82:
            found = f"abs({a})", p
        elif one < 0.9:
            found = f"({a} if {self.test(names, values, kept)} else {b})", max(p, q)
        elif one < 0.92:
            found = f"(({a}) {self.random.choice('&|^')} {b})", 2 * max(p, q) + 2
        elif one < 0.94:
            found = f"(({a}) >> {self.random.choice([1, 3, 'm.i'])})", p + 1
        elif one < 0.95:
            found = f"math.isqrt(abs({a}))", 2**31
        elif one < 0.97:
            found = f"({self.test(names, values, kept)})", 1
        else:
            found = f"(-({a}))", p
        return found if found[1] < LARGEST else (f"(({a}) % 1009)", 1009)

    def test(self, names: list[str], values: dict[str, int], kept: bool = True) -> str:
        """A truth."""
        a, b, c = (self.leaf(names, values, kept)[0] for _ in range(3))
        sign, also = (self.random.choice(["<", "<=", "==", "!=", ">", ">="]) for _ in range(2))
        one = self.random.random()
        if one < 0.5:
            return f"{a} {sign} {b}"
        if one < 0.65:
            return f"{a} {sign} {b} {also} {c}"
        if one < 0.85:
            return f"({a} {sign} {b} {self.random.choice(['and', 'or'])} not {b} {also} {c})"
        return f"{self.random.choice(['any', 'all'])}(x[o] {sign} {a} for o in range(self.n) if o != m.i)"

    def real(self, depth: int, names: list[str], reals: list[str], kept: bool = True) -> str:
        """A float."""
        if depth <= 0:
            at, also = self.index(names), self.index(names)
            choices = [f"self.w[{at}, {also}]", "0.5", "-1.25", *reals]
            return self.random.choice(choices + ([f"s.f[{at}]", f"s.g[{at}, {also}]"] if kept else []))
        a, b = (self.real(depth - 1, names, reals, kept) for _ in range(2))
        whole = self.leaf(names, {}, kept)[0]
        return self.random.choice(
            [
                f"({a} + {b})",
                f"({a} - {b})",
                f"({a} * 0.5)",
                f"({a} - {whole})",
                f"(({a}) // 1.5)",
                f"(({a}) % -2.5)",
                f"min({a}, {b})",
                f"({a} if {a} < {whole} else {b})",
                f"math.sqrt(abs({a}))",
                f"(({a}) / 3)",
                f"abs({a})",
            ]
        )

    # ---- statements

    def ends(self) -> tuple[str, bool]:
        """What a loop goes over, and whether it is never empty."""
        return self.random.choice(
            [
                ("self.n", True),
                ("m.i, m.j", True),
                ("m.i + 1, m.j", False),
                ("2, len(x)", True),
                ("self.n - 1, -1, -1", True),
                ("0, self.n, 2", True),
                ("m.j, m.i, -1", True),
                ("self.u[0], self.n", False),
            ]
        )

    def slice(self) -> str:
        """Some ends of a slice, within the array or not."""
        return self.random.choice(
            ["m.i + 1 : m.j", "m.j : m.i", ":", "2:", "-3:", ": m.j", ": -1", "-9 : 4", "m.i - m.j : 99", "1 : len(x)"]
        )

    def lines(self, depth: int, names: list[str], values: dict[str, int], looped: bool = False) -> list[str]:
        """Some statements that change numbers."""
        out: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            one, name = self.random.random(), self.random.choice(list(values))
            if one < 0.3:
                text, bound = self.number(2, names, {})
                text = text if bound < 2**50 else f"({text}) % 100003"
                out.append(f"{name} {self.random.choice(['+=', '-='])} {text}")
            elif one < 0.4:
                out.append(f"{name} = ({self.number(2, names, values if not looped else {})[0]}) % 100003")
            elif one < 0.5:
                out += self.branch(depth, names, values, looped)
            elif one < 0.6:
                out += self.folded(name, names)
            elif one < 0.66:
                q, r, (text, _) = self.fresh("q"), self.fresh("r"), self.number(1, names, {})
                out += [f"{q}, {r} = divmod({text}, {self.random.choice([-3, 7])})", f"{name} += {q} % 1000 - {r}"]
            elif one < 0.7:
                row = self.fresh("row")
                if not self.floats and not looped:
                    out += [f"{row} = self.w[{self.index(names)}]", f"{name} += {row}[{self.index(names)}] % 1009"]
            elif one < 0.74 and depth:
                left = self.fresh("left")
                out += [f"{left} = {self.random.randint(1, 4)}", f"while {left} > 0:", f"    {left} -= 1"]
                out += ["    " + line for line in self.lines(depth - 1, names, values, True)]
            elif one < 0.79:
                out += self.listed(name, names)
            elif one < 0.83:
                out += self.tabled(name, names, looped=looped)
            elif depth:
                out += self.loop(depth, names, values)
        return out or ["pass"]

    def listed(self, name: str, names: list[str]) -> list[str]:
        """Statements that make a list, write it in a loop, and add what it holds to a number."""
        made, also, k = self.fresh("l"), self.fresh("l"), self.fresh()
        out = [f"{made} = {self.new(names, k)}", f"{also} = {self.new(names, k)}"]
        body = [f"{made}[{self.index([*names, k])}] {self.random.choice(['=', '+='])} {self.small([*names, k])}"]
        if self.random.random() < 0.5:
            body += [f"{made}[{k}], {also}[{k} - 1] = {also}[{k}], {made}[{self.index(names)}]"]
        if self.random.random() < 0.3:
            body = [f"if {self.test([*names, k], {})}:", *("    " + line for line in body)]
        out += [f"for {k} in range({self.random.choice(['self.n', 'm.i, m.j', 'self.n - 1, -1, -1'])}):"]
        out += ["    " + line for line in body]
        if self.random.random() < 0.4:
            table, row = self.fresh("t"), self.fresh("row")
            out += [f"{table} = [[{self.small(names)}] * 3 for _ in range(self.n)]"]
            out += [f"for {k}, {row} in enumerate({made}):", f"    {table}[{k}][{row} % 3] += {row} + {k}"]
            out += [f"{name} += {table}[{self.index(names)}][{self.random.randint(-3, 2)}] % 1009"]
        if self.random.random() < 0.3:
            out += [f"{also}.sort()"]
        at = self.index(names)
        ends = [f"sum({made}) % 1009", f"max({also}) - {made}[{at}]", f"{also}[{at}] % 77", f"len({made})"]
        ends += [f"self.spread({made}, {at}) % 1009"]
        return [*out, f"{name} += {self.random.choice(ends)}"]

    def tabled(self, name: str, names: list[str], *, looped: bool) -> list[str]:
        """Statements that make lists of lists, write them row by row, and add what they hold to a number."""
        one, other, i, k, row = (self.fresh(prefix) for prefix in ("t", "t", "k", "k", "row"))
        rows, columns = self.random.choice([("self.n", "3"), ("4", "self.n"), ("len(x)", "len(self.u)"), ("1", "2")])
        out = [f"{each} = [[{self.small(names)}] * {columns} for _ in range({rows})]" for each in (one, other)]
        high, wide = {"self.n": N, "len(x)": N}.get(rows, rows), {"self.n": N, "len(self.u)": N}.get(columns, columns)
        inner = [*names, i, k]
        entry, below = f"{one}[{i}][{k}]", f"{one}[{i} - 1][{k}]"
        body = self.random.choice(
            [
                [f"{entry} {self.random.choice(['=', '+=', '-='])} {self.small(inner)}"],
                [f"{entry} = max({below}, {one}[{i}][{k} - 1]) % 1009 + {self.small(inner)}"],
                [f"{entry}, {other}[{i}][-1] = {other}[{i}][{k}], {one}[{i}][({self.index(inner)}) % {wide}]"],
                [
                    f"{row} = {other}[({self.index(inner)}) % {high}]",
                    f"{row}[{k}] += {row}[{k} - 1] % 77 + {entry} % 77",
                ],
            ]
        )
        if self.random.random() < 0.3:
            body = [f"if {self.test(inner, {})}:", *("    " + line for line in body)]
        out += [
            f"for {i} in range({rows}):",
            f"    for {k} in range({columns}):",
            *("        " + line for line in body),
        ]
        if not looped and self.random.random() < 0.5:
            out += [f"{one}, {other} = {other}, {one}"]
        at, also = f"({self.index(names)}) % {high}", f"({self.index(names)}) % {wide}"
        ends = [
            f"sum({one}[{at}]) % 1009",
            f"max({other}[{at}]) - {one}[{at}][{also}] % 7",
            f"sum({one}[{i}][{k}] * {k} for {i} in range({rows}) for {k} in range({columns})) % 1009",
            f"len({one}) - len({other}[0])",
            f"self.spread({other}[{at}], {also}) % 1009",
            f"({one}[-1][0] + {other}[{at}][-1]) % 1009",
        ]
        return [*out, f"{name} += {self.random.choice(ends)}", f"{name} -= {self.random.choice(ends)}"]

    def new(self, names: list[str], k: str) -> str:
        """A list as long as a solution."""
        choices = [
            f"[{self.small(names)}] * self.n",
            f"[{self.small([*names, k])} for {k} in range(self.n)]",
            "list(x)",
            "sorted(self.u)",
            "[m.i, 7, -1, m.j, 2, 0]",
        ]
        return self.random.choice(choices)

    def small(self, names: list[str]) -> str:
        """A whole number below 1,009."""
        return f"({self.number(1, names, {})[0]}) % 1009"

    def branch(self, depth: int, names: list[str], values: dict[str, int], looped: bool) -> list[str]:
        out = [
            f"if {self.test(names, values)}:",
            *("    " + line for line in self.lines(depth - 1, names, values, looped)),
        ]
        if self.random.random() < 0.4:
            out += ["else:", *("    " + line for line in self.lines(depth - 1, names, values, looped))]
        return out

    def folded(self, name: str, names: list[str]) -> list[str]:
        k, (ends, filled) = self.fresh(), self.ends()
        goes = f"range({ends})"
        if self.random.random() < 0.2:
            goes, filled = f"{self.random.choice(['x', 'self.u'])}[{self.slice()}]", False
        text, bound = self.number(1, [*names, k], {})
        text = text if bound < 2**50 else f"({text}) % 1009"
        kept = self.random.choice(["", "", f" if {k} != m.i", f" if {k} != m.i and {k} != m.j", f" if x[{k}] > 2"])
        if self.random.random() < 0.3 and filled:
            kind = self.random.choice(["min", "max"])
            return [f"{name} += {kind}({text} for {k} in {goes}) % 1000003"]
        if self.random.random() < 0.2 and not self.floats:
            row = self.random.choice([f"self.w[{self.index(names)}, {self.slice()}]", f"s.c[{self.slice()}]"])
            return [f"{name} -= sum({k} % 1009 for {k} in {row})"]
        if self.random.random() < 0.2 and not self.floats:
            rows = f"(self.w[m.i, {k}] % 8 - self.w[m.j, {k}] % 8)"
            return [f"{name} += sum({rows} * {rows} for {k} in range(self.n){kept})"]
        return [f"{name} {self.random.choice(['+=', '-='])} sum({text} for {k} in {goes}{kept}) % 1000003"]

    def loop(self, depth: int, names: list[str], values: dict[str, int]) -> list[str]:
        k, (ends, _) = self.fresh(), self.ends()
        goes = f"range({ends})"
        one = self.random.random()
        if one < 0.1:
            goes = f"x[{self.slice()}]"
        elif one < 0.15:
            goes = f"range({self.random.choice(list(values))} % 4)"  # which the loop may change
        if one < 0.4:  # a sum
            name, (text, bound) = self.random.choice(list(values)), self.number(2, [*names, k], {})
            text = text if bound < 2**50 else f"({text}) % 1009"
            body = [f"{name} {self.random.choice(['+=', '-='])} {text}"]
        else:
            body = self.lines(depth - 1, [*names, k], values, True)
        two = self.random.random()
        if two < 0.25:
            body = [f"if {k} != m.i and {k} != m.j:", *("    " + line for line in body)]
        elif two < 0.35:
            body = [f"if {k} == m.j or {k} == m.i:", "    continue", *body]
        elif two < 0.45:
            body = [*body, f"if {self.test([*names, k], {})}:", "    break"]
        return [f"for {k} in {goes}:", *("    " + line for line in body)]

    def written(self, names: list[str]) -> list[str]:
        """A statement that writes what is kept."""
        at, also = self.index(names), self.index(names)
        loops = [name for name in names if name.startswith("k")]
        if loops and self.random.random() < 0.7:
            at = self.random.choice([loops[-1], loops[-1], f"x[{loops[-1]}]"])
        if self.floats and self.random.random() < 0.7:
            text = self.real(2, names, [])
            return [self.random.choice([f"s.f[{at}] = {text}", f"s.g[{at}, {also}] = ({text}) * 0.25"])]
        text, _ = self.number(2, names, {})
        if self.random.random() < 0.1:
            k = self.fresh("part")
            return [f"s.f[{at}] = sum({k} % 1000 for {k} in s.c[{self.slice()}])"]
        return self.random.choice(
            [
                [f"s.c[{at}] = ({text}) % 1000"],
                [f"s.c[{at}] += ({text}) % 5 - 2"],
                [f"s.c[{at}], s.c[{also}] = s.c[{also}], s.c[{at}]"],
                [f"s.f[{at}] = ({text}) % 100003"],
                [f"s.g[{at}, {also}] = ({text}) % 100003 - m.i"],
                [f"s.g[{also}, {at}] = ({text}) % 100003"],
            ]
        )

    def keeping(self, depth: int, names: list[str]) -> list[str]:
        """Statements that write what is kept."""
        out = []
        for _ in range(self.random.randint(1, 3)):
            if depth and self.random.random() < 0.7:
                k = self.fresh()
                part = f"{self.random.choice(['x', 'x', 'self.u'])}[{self.slice()}]"
                ends = self.random.choice(["range(self.n)", "range(m.i, m.j)", "range(self.n - 1, -1, -1)", "x", part])
                body = self.keeping(depth - 1, [*names, k])
                if self.random.random() < 0.3:
                    made, at = self.fresh("l"), self.fresh()
                    out += [f"{made} = {self.new(names, at)}"]
                    body += [f"{made}[{self.index([*names, k])}] += {self.small([*names, k])}"]
                    body += [f"s.f[{self.index([*names, k])}] = {made}[{self.index([*names, k])}] % 100003"]
                if self.random.random() < 0.2:
                    body = [f"if {self.test([*names, k], {})}:", *("    " + line for line in body)]
                out += [f"for {k} in {ends}:", *("    " + line for line in body)]
            else:
                out += self.written(names)
        return out

    # ---- methods

    def method(self, number: int) -> str:
        """What a program keeps of a move, and what the move changes."""
        keeps = self.keeping(2, [])
        body = self.lines(2, [], {"a": 2**40, "b": 2**40})
        helper = self.number(2, ["p", "q"], {}, kept=False)[0]
        end = f"a % 1000003 - b % 1009 + self.helper{number}(x, m, m.i, x[m.j]) % 1009 + s.c[m.i]"
        if self.floats:
            reals = self.reals()
            body, end = [*body, *reals], f"t + u * 0.5 + {end}"
        early = "0.25" if self.floats else "a % 77"
        if self.several:
            end, early = f"{end}, {'u - t' if self.floats else 'b % 1009 - s.f[m.j] % 7'}", f"{early}, b % 77"
        ending = [f"return {end}"]
        if self.random.random() < 0.2:
            ending = [
                f"if {self.test([], {'a': 2**40})}:",
                f"    return {early}",
                *ending,
            ]
        return "\n".join(
            [
                "",
                "    @compiled",
                f"    def helper{number}(self, x, m, p, q):",
                f"        return {helper}",
                "",
                "    @compiled",
                f"    def keep{number}(self, x, s, m):",
                *("        " + line for line in keeps),
                "",
                "    @compiled",
                f"    def change{number}(self, x, s, m):",
                "        a = 1",
                "        b = -2",
                *("        " + line for line in (["t = 0.0", "u = 1.5"] if self.floats else [])),
                *("        " + line for line in [*body, *ending]),
                "",
            ]
        )

    def reals(self) -> list[str]:
        """Statements that add floats."""
        k = self.fresh()
        return [
            f"t += {self.real(2, [], ['t', 'u'])}",
            f"for {k} in range(self.n):",
            f"    t += {self.real(2, [k], ['u'])}",
            f"u += sum({self.real(1, [k], ['t'])} for {k} in range(m.i, self.n))",
        ]

    def module(self, number: int, count: int) -> str:
        """A module with one class of so many programs."""
        methods = [self.method(k) for k in range(count)]
        return with_methods(methods, number, floats=self.floats, several=self.several)


def with_methods(methods: list[str], number: int, *, floats: bool, several: bool = False) -> str:
    """A module with one class, whose k-th program is the methods keep<k> and change<k>."""
    zero = "0.0" if floats else "0"
    text = HEAD + CLASS.format(
        number=number,
        dtype="float64" if floats else "int64",
        narrow="int32",
        first=("float64" if floats else "int64") if several else "cost",
        kept=("float64" if several else "cost") if floats else "int64",
        cost_type='cost_type = "float64"' if floats else "",
        objectives='objectives = "first", "second"' if several else "",
        zero=", ".join([zero] * (1 + several)),
    )
    return f"""{text}{"".join(methods)}
    @compiled
    def init(self, x, s):
        for k in range(self.n):
            s.f[k] = {zero}
            s.c[k] = k
            for l in range(self.n):
                s.g[k, l] = {"0.5" if floats else "k - l"}

    @compiled
    def spread(self, values, k):
        return max(values) - values[k]

    @compiled
    def commit(self, x, s, m: SwapMove):
{_chosen("keep", len(methods), "")}

    @compiled
    def delta(self, x, s, m: SwapMove):
{_chosen("change", len(methods), "return ")}
        return {", ".join([zero] * (1 + several))}
"""


def _chosen(name: str, count: int, before: str) -> str:
    lines = []
    for k in range(count):
        lines += [f"        {'el' if k else ''}if self.which == {k}:", f"            {before}self.{name}{k}(x, s, m)"]
    return "\n".join(lines)
