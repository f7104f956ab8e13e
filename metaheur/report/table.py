"""A table of numbers as text, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import Any, final

from attrs import frozen

from metaheur.running.frame import Framed, data_frame

__all__ = ["Table", "number_text"]


@final
@frozen(eq=False)
class Table(Framed):
    """A table; ``print(table)`` shows it as text.

    Parameters
    ----------
    header : tuple of str
        The names of all columns.
    names : tuple of tuple of str
        For each row, the texts of its first columns.
    cells : tuple of tuple
        For each row, the values of the other columns: numbers, texts, pairs of numbers, or None where there is none.
    """

    header: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    cells: tuple[tuple[Any, ...], ...]

    def _texts(self) -> list[list[str]]:
        return [[*names, *map(cell_text, cells)] for names, cells in zip(self.names, self.cells, strict=True)]

    @property
    def _leading(self) -> int:
        """How many columns hold names."""
        return len(self.names[0]) if self.names else 0

    def __str__(self) -> str:
        """The table as text, columns aligned."""
        rows = [list(self.header), *self._texts()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for row in rows:
            parts = zip(row, widths, range(len(row)), strict=True)
            lines.append("  ".join(t.ljust(w) if i < self._leading else t.rjust(w) for t, w, i in parts).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The table for notebooks."""
        from metaheur.report.html import table_html

        return table_html(self.header, self._texts(), self._leading)

    def markdown(self) -> str:
        """The table as Markdown."""
        rules = ["---" if i < self._leading else "---:" for i in range(len(self.header))]
        rows = [list(self.header), rules, *self._texts()]
        return "\n".join("| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in rows)

    def latex(self) -> str:
        """The table as a LaTeX tabular, with the rules of the package booktabs."""
        columns = "l" * self._leading + "r" * (len(self.header) - self._leading)
        head, *body = (" & ".join(map(_tex, row)) + r" \\" for row in [list(self.header), *self._texts()])
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        return "\n".join([*lines, r"\end{tabular}"])

    def to_dataframe(self) -> Any:
        """The table as a `pandas.DataFrame`; a pair is one value.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        rows = [(*names, *cells) for names, cells in zip(self.names, self.cells, strict=True)]
        return data_frame(self.header, rows)

    def csv(self) -> str:
        """The table as CSV, numbers with all their digits; a pair takes two columns."""
        wide = [any(_is_pair(row[i]) for row in self.cells) for i in range(len(self.header) - self._leading)]
        header = list(self.header[: self._leading])
        for name, pair in zip(self.header[self._leading :], wide, strict=True):
            header += [f"{name}, low", f"{name}, high"] if pair else [name]
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        for names, cells in zip(self.names, self.cells, strict=True):
            row: list[Any] = list(names)
            for value, pair in zip(cells, wide, strict=True):
                cell = cell_text(value) if isinstance(value, LevelledCost) else value
                row += list(value or ("", "")) if pair else ["" if cell is None else cell]
            writer.writerow(row)
        return text.getvalue()


@final
class LevelledCost(tuple[Any, ...]):
    """The levels of a cost, as one value of a table: a pair of numbers is a range otherwise."""

    __slots__ = ()


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and not isinstance(value, LevelledCost)


def cell_text(value: Any) -> str:
    """A value of a table as text."""
    if _is_pair(value):
        return " ... ".join(map(number_text, value))
    return value if isinstance(value, str) else number_text(value)


def number_text(value: Any) -> str:
    """A number as text; a whole number without decimals; levels one after the other."""
    if isinstance(value, tuple):
        return ", ".join("any" if each is None else number_text(each) for each in value)
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"


def _tex(text: str) -> str:
    """A text with LaTeX's own letters escaped."""
    escaped = re.sub(r"([&%$#_{}])", r"\\\1", text.replace("\\", "/"))
    return (
        escaped.replace(" ... ", r"\,--\,")
        .replace("±", r"$\pm$")
        .replace("~", r"\textasciitilde{}")
        .replace("^", r"\textasciicircum{}")
    )
