"""Random programs with numbers, names and kinds at their limits.

Ranges begin and end at the limits of 32 and 64 bits, variables have names that mean something else in C++, and numbers
are whole on one way through a method and floats on another. Every loop is left after a few iterations.
"""

from __future__ import annotations

import keyword
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import final

import metaheur
from metaheur import Problem
from tests.translator.programs import with_methods

INT, LONG = 2**31, 2**63
LARGE = [0, 1, -1, 2**30, INT - 1, INT, INT + 7, -INT, -INT - 1, 2**53 + 1, LONG - 1, LONG - 50, 64 - LONG, 99 - LONG]
"""The largest number of 64 bits, minus a few."""
NARROW = [0, 1, -1, 2**30, INT - 1, INT - 5, INT - 40, -INT, 1 - INT, 40 - INT]
USED = frozenset(
    """
    self math np range sum min max any all abs float MARGIN frozen Array Permutation Problem compiled data SwapMove
    property update delta o
    """.split()  # noqa: SIM905 - a list of words
)


@cache
def words() -> list[str]:
    """Names that mean something in C++, or in the text that the translator writes."""
    rooms = Path(metaheur.__file__).parent
    paths = (path for room in ("device", "translator") for path in sorted((rooms / room).glob("*.cuh")))
    text = "".join(path.read_text("utf-8") for path in paths)
    found = set(re.findall(r"\b[A-Za-z_]\w*", text)) | set(ONES_OWN.split())
    return sorted(name for name in found if not keyword.iskeyword(name) and name not in USED)


ONES_OWN = """
M_total MH_total mh_total py_total M_ py_ _ _T __x _a __a__ x s m n team walk k_1 k_2 term_1 value_1 total_1 end_1
k_at_1 count_1 Row_1 p_given p start_x start_cost own_M_total double template auto xor NULL EOF errno stdin INT_MAX
M_PI ä größe λ u3bb x_ team_ this new delete union operator register private linux unix major I i64 SwapMove_ Programs
"""


@final
class Extremes:
    """Writes programs; see `Writer`.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    floats : bool
        Whether they have numbers that are floats on some ways.
    """

    def __init__(self, seed: int, *, floats: bool = False) -> None:
        self.random, self.floats = Random(seed), floats
        self.taken: set[str] = set()
        self.helpers = {"w", "v", "u", "which", "init", "commit"}

    def name(self) -> str:
        """A name that this method does not use yet."""
        found = self.random.choice(words())
        while found in self.taken:
            found = self.random.choice(words())
        self.taken.add(found)
        return found

    # ---- ranges

    def anchor(self) -> str:
        """A number that may be as large as its type allows."""
        i, j = self.random.randrange(6), self.random.randrange(6)
        choices = [f"self.v[{i}]", f"self.v[{i}]", str(self.random.choice(NARROW)), str(self.random.choice(LARGE))]
        return self.random.choice(choices if self.floats else [*choices, f"self.w[{i}, {j}]", f"self.w[{i}, {j}]"])

    def few(self) -> str:
        """A range of a few numbers."""
        a, step, count = self.anchor(), self.random.choice([1, 1, 1, 2, 3, 40, INT - 1]), self.random.randint(0, 6)
        by, i = count * min(step, 7), self.random.randrange(6)
        return self.random.choice(
            [
                f"range({a} - {by}, {a}, {step})",
                f"range({a}, {a} - {by}, -{step})",
                f"range(self.v[{i}], min(self.v[{i}] + {count}, {INT - 1}))",
                f"range(self.v[{i}], min(self.v[{i}] + {by}, {INT}), {step})",
                f"range(self.v[{i}], max(self.v[{i}] - {by}, {-INT}), -{step})",
                f"range({INT - 8}, {INT})",
                f"range({INT - 60}, {INT - 1}, 40)",
                f"range({8 - INT}, {-INT - 1}, -3)",
                f"range({LONG - 7}, {LONG - 1}, 4)",
                "range(self.n)",
            ]
        )

    def many(self) -> str:
        """A range that is left before its end."""
        a, b, step = self.anchor(), self.anchor(), self.random.choice([1, 1, 2, 40, INT - 1])
        return self.random.choice([f"range({a}, {b}, {step})", f"range({a}, {b}, -{step})", f"range({b})"])

    def made_of(self, k: str) -> str:
        """A small number that is made of a large one."""
        return self.random.choice(
            [
                f"{k} % 1009",
                f"{k} // 9 % 1009",
                f"{k} % -1009",
                f"({k} % -1 - {k} % 7)",
                f"({k} >> 3) % 77",
                f"({k} & 1023)",
                f"min({k}, 5) % 9",
                f"abs({k}) % 11",
                f"-{k} % 13",
                f"x[{k} % self.n]",
                f"{k} // self.n % 1009",
                f"{k} % len(self.v) * (1 << 20)",
                f"({k} == {self.anchor()})",
                f"({k} - {k} // 3) % 101",
            ]
        )

    # ---- statements

    def lines(self, total: str, depth: int = 1) -> list[str]:
        """Statements that change a number."""
        k, left = self.name(), self.name()
        one, inner = self.random.random(), self.made_of(k)
        if one < 0.25:
            test = self.random.choice(["", "", f" if {k} != {self.anchor()}", f" if {k} != m.i and {k} != m.j"])
            return [f"{total} += sum({inner} for {k} in {self.few()}{test})"]
        if one < 0.35:
            kind = self.random.choice(["any", "all"])
            return [f"{total} += {kind}({inner} {'==' if kind == 'any' else '!='} {inner} for {k} in {self.many()})"]
        if one < 0.5:
            return [f"for {k} in {self.few()}:", f"    {total} {self.random.choice(['+=', '-='])} {inner}"]
        if one < 0.6:
            skipped = [f"    if {k} == {self.anchor()}:", "        continue"]
            return [f"for {k} in {self.few()}:", *skipped, f"    {total} += {inner}"]
        body = [f"{total} = ({total} * 31 + {inner}) % 1000003", *(self.lines(total, depth - 1) if depth else [])]
        loop = [f"for {k} in {self.many()}:", *("    " + line for line in body)]
        return [
            f"{left} = {self.random.randint(1, 4)}",
            *loop,
            f"    {left} -= 1",
            f"    if {left} == 0:",
            "        break",
        ]

    def kept(self) -> list[str]:
        """Statements that write kept arrays."""
        k, a, count = self.name(), self.anchor(), self.random.randint(0, 6)
        goes = self.random.choice([f"range({a} - {count}, {a})", self.few()])
        place = f"{k} - ({a} - {count})" if goes.startswith(f"range({a} - {count}, {a})") else f"{k} % self.n"
        return [f"for {k} in {goes}:", f"    s.c[{place}] = {self.made_of(k)}"]

    def of_either(self, t: str, k: str) -> str:
        """A number made of one that may be whole, and of an index."""
        v = f"self.v[{self.random.randrange(6)}]"
        values = [f"{t} {sign} {b}" for sign in ("+", "-", "*") for b in ("1", "3", "0.5", f"x[{k}]", "self.w[0, 1]")]
        values += [f"{t} - {v}", f"{t} % 1009 * {v}"]  # whole numbers stay within 64 bits
        values += [f"{t} + {v} * 8388607 + 1"] * 4  # and may leave the 53 of a float
        values += [
            f"{t} // 2",
            f"{t} % 7",
            f"-{t}",
            f"abs({t})",
            f"min({t}, 5)",
            f"max({t}, 0.25)",
            f"float({t})",
            v,
            "2",
        ]
        values += [
            f"({t} + 1) // 0.5",
            f"({t} if {k} > 2 else 0.5) * {v}",
            f"{t} % 64 / 4",
            f"sum(self.w[0, o] for o in range({k}))",
        ]
        return self.random.choice(values)

    def either(self) -> list[str]:
        """Statements that make a number a float on some ways."""
        t, k = self.name(), self.name()
        first, second, third = self.of_either(t, k), self.of_either(t, k), self.of_either(t, "2")
        return [
            f"{t} = {self.random.choice(['0', '1', '0.0', 'self.v[0]', '1.5', 'True'])}",
            f"for {k} in range(self.n):",
            f"    if x[{k}] {self.random.choice(['<', '>'])} {self.random.randint(-1, 6)}:",
            f"        {t} = {first}",
            *([] if self.random.random() < 0.5 else ["    else:", f"        {t} = {second}"]),
            *([] if self.random.random() < 0.5 else [f"{t} = {third}"]),
            f"f += {t} % 1000003",
        ]

    # ---- methods

    def method(self, number: int) -> str:
        """The methods of a program: one updates the kept arrays after a move, one returns the change of the move."""
        self.taken = {"x", "s", "m", "f"}
        keeps = self.kept()
        total = self.name()
        body = [line for _ in range(self.random.randint(1, 3)) for line in self.lines(total)]
        if self.floats:
            body = ["f = 0.0", *self.either(), *body]
        self.taken = {"x"}
        helper, p, q = self.name(), self.name(), self.name()
        while hasattr(Problem, helper) or helper.startswith("_") or helper in self.helpers:
            helper = self.name()
        self.helpers.add(helper)
        ending = (
            f"return {total} % 1000003 + self.{helper}(x, m.i, {total} % 5) + s.c[m.i]{' + f' if self.floats else ''}"
        )
        return "\n".join(
            [
                "",
                "    @compiled",
                f"    def {helper}(self, x, {p}, {q}):",
                f"        {p} = {p} + {q}",
                f"        return sum({self.made_of('o')} for o in {self.few()}) + {p} % 7",
                "",
                "    @compiled",
                f"    def keep{number}(self, x, s, m):",
                *("        " + line for line in keeps),
                "",
                "    @compiled",
                f"    def change{number}(self, x, s, m):",
                f"        {total} = 1",
                *("        " + line for line in [*body, ending]),
                "",
            ]
        )

    def module(self, number: int, count: int) -> str:
        """A module with one class of so many programs."""
        return with_methods([self.method(k) for k in range(count)], number, floats=self.floats)
