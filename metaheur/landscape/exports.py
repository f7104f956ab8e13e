"""Files of networks for other programs."""

from __future__ import annotations

import csv
from importlib import import_module
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from metaheur.errors import InputError
from metaheur.machine.files import replace_file

__all__ = ["write_graphml", "write_parquet", "write_trace"]

HEADER = ("run", "fit1", "node1", "fit2", "node2")
"""The columns of a trace."""

KEYS = (
    ("cost", "node", "double"),
    ("size", "node", "long"),
    ("solution", "node", "string"),
    ("weight", "edge", "long"),
    ("probability", "edge", "double"),
)
"""The attributes of nodes and edges in GraphML."""


def write_graphml(network: Any, path: str | PathLike[str]) -> None:
    """Write a network as GraphML."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'<key id="{n}" for="{of}" attr.name="{n}" attr.type="{kind}"/>' for n, of, kind in KEYS]
    lines.append('<graph edgedefault="directed">')
    names, optima = network.names(), network.optima
    rows = zip(names, optima.costs.tolist(), network.sizes.tolist(), optima.solutions.tolist(), strict=True)
    for name, cost, size, x in rows:
        data = _data(cost=cost, size=size, solution=" ".join(map(str, x)))
        lines.append(f"<node id={quoteattr(name)}>{data}</node>")
    columns = (network.sources, network.targets, network.weights, network.probabilities)
    for source, target, weight, share in zip(*(each.tolist() for each in columns), strict=True):
        data = _data(weight=weight, probability=share)
        lines.append(f'<edge source="{names[source]}" target="{names[target]}">{data}</edge>')
    lines += ["</graph>", "</graphml>", ""]
    replace_file(Path(path), "\n".join(lines).encode())


def _data(**values: Any) -> str:
    return "".join(f'<data key="{name}">{value}</data>' for name, value in values.items())


def write_parquet(network: Any, folder: str | PathLike[str]) -> None:
    """Write the nodes and the edges of a network as Parquet files."""
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError(
            "Parquet files need pyarrow, which is not installed.", "pip install 'metaheur[parquet]', or use to_npz."
        ) from error
    optima = network.optima
    nodes = {
        "name": network.names(),
        "cost": optima.costs,
        "size": network.sizes,
        "strict": optima.strict,
        "solution": list(optima.solutions),
    }
    edges = {
        "source": network.sources,
        "target": network.targets,
        "weight": network.weights,
        "probability": network.probabilities,
    }
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, columns in (("nodes", nodes), ("edges", edges)):
        parquet.write_table(arrow.table(columns), Path(folder) / f"{name}.parquet")


def write_trace(network: Any, path: str | PathLike[str]) -> None:
    """Write the trace of a sampled network."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(network.rows())
    replace_file(Path(path), text.getvalue().encode())
