"""Graphs of networkx, and sparse matrices of scipy, as problems."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.problems import QAP, QUBO, TSP, GraphColoring, GraphPartition, MaxCut

__all__ = ["from_networkx", "from_scipy", "package"]


def package(name: str, extra: str = "bridges") -> Any:
    """An optional package, or an error that says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        distribution = name.partition(".")[0]
        raise InputError(
            f"This needs {distribution}, which is not installed.", f"pip install 'metaheur[{extra}]'."
        ) from error


def from_networkx(kind: type[Problem], *graphs: Any, weight: str = "weight", **more: Any) -> Any:
    """A graph of networkx as a problem; entry k of a solution belongs to ``list(graph)[k]``.

    Parameters
    ----------
    kind : type
        `MaxCut`, `GraphColoring` (with ``k=``), `GraphPartition` (with ``sizes=``), `TSP`, `QUBO`, or `QAP`, which
        takes two graphs, of flows and of distances, with as many nodes.
    *graphs : networkx.Graph
        Undirected graphs, or directed ones for `QAP`, `TSP` and `QUBO`; no multigraphs.
    weight : str, default "weight"
        The attribute of edges with their weights, which are 1 without it. A `TSP` needs an edge for each pair of nodes.
    **more
        What else the problem's class takes.

    Raises
    ------
    InputError
        If networkx is not installed, or the graph does not fit the problem.
    """
    networkx = package("networkx")
    for graph in graphs:
        if not isinstance(graph, networkx.Graph) or graph.is_multigraph():
            raise InputError(
                f"`from_networkx` needs graphs without parallel edges, but got a {type(graph).__name__}.",
                "make one by networkx.Graph(graph).",
            )
    return _problem(kind, [_of_networkx(graph, weight) for graph in graphs], more)


def from_scipy(kind: type[Problem], *matrices: Any, **more: Any) -> Any:
    """A sparse matrix of scipy as a problem: its entries are weights of edges.

    Parameters
    ----------
    kind, **more
        As for `from_networkx`.
    *matrices : scipy.sparse.sparray or spmatrix, shape (n, n)
        Symmetric where the problem's edges have no direction. What is stored counts as an edge, zeros included, except
        on the diagonal, which only `QAP` and `QUBO` read.

    Raises
    ------
    InputError
        If scipy is not installed, or the matrix does not fit the problem.
    """
    sparse = package("scipy.sparse", "stats")
    for matrix in matrices:
        if not sparse.issparse(matrix) or matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"`from_scipy` needs square sparse matrices, but got {type(matrix).__name__}.")
    return _problem(kind, [_of_scipy(matrix) for matrix in matrices], more)


Edges = tuple[int, np.ndarray, np.ndarray, np.ndarray, bool]
"""The number of vertices; for each edge its ends and its weight; whether edges have a direction."""


def _of_networkx(graph: Any, weight: str) -> Edges:
    place = {node: k for k, node in enumerate(graph)}
    found = [(place[a], place[b], value) for a, b, value in graph.edges(data=weight, default=1)]
    i, j = np.array([each[:2] for each in found], np.int64).reshape(-1, 2).T
    return len(place), i, j, _numbers([each[2] for each in found]), bool(graph.is_directed())


def _of_scipy(matrix: Any) -> Edges:
    entries = matrix.tocoo()
    i, j = entries.row.astype(np.int64), entries.col.astype(np.int64)
    return matrix.shape[0], i, j, _numbers(entries.data), True


def _numbers(values: Any) -> np.ndarray:
    """Weights, as whole numbers where all are."""
    array = np.asarray(values)
    if array.dtype.kind not in "iufb":
        raise InputError(f"The weights of edges must be numbers, but are of the type {array.dtype}.")
    whole = array.astype(np.int64)
    return whole if (whole == array).all() else array.astype(np.float64)


def _problem(kind: type[Problem], graphs: list[Edges], more: dict[str, Any]) -> Any:
    makers: dict[type[Problem], tuple[int, Callable[..., Any]]] = {
        MaxCut: (1, lambda graph: MaxCut.from_edges(graph[0], *_undirected(graph))),
        GraphColoring: (1, lambda graph: GraphColoring(graph[0], _undirected(graph)[0], more.pop("k", None))),
        GraphPartition: (1, lambda graph: GraphPartition(more.pop("sizes", None), *_undirected(graph))),
        TSP: (1, lambda graph: TSP.from_matrix(_complete(graph))),
        QUBO: (1, lambda graph: QUBO(_matrix(graph))),
        QAP: (2, lambda flows, distances: QAP(_matrix(flows), _matrix(distances))),
    }
    if kind not in makers:
        names = ", ".join(each.__name__ for each in makers)
        raise InputError(f"A graph can become {names}, but not {getattr(kind, '__name__', kind)}.")
    count, make = makers[kind]
    if len(graphs) != count:
        raise InputError(f"{kind.__name__} is made of {count} graphs, but {len(graphs)} are given.")
    made = make(*graphs)
    if more:
        raise InputError(f"{kind.__name__} takes no {', '.join(more)}.")
    return made


def _undirected(graph: Edges) -> tuple[np.ndarray, np.ndarray]:
    """Each edge once, with its weight; refused if the two directions of an edge differ."""
    _, i, j, weights, directed = graph
    off = i != j
    if directed:
        matrix = {(int(a), int(b)): w for a, b, w in zip(i[off], j[off], weights[off], strict=True)}
        for (a, b), w in matrix.items():
            if matrix.get((b, a)) != w:
                other = f"weighs {matrix[b, a]}" if (b, a) in matrix else "is not there"
                raise InputError(
                    f"The edge from {a} to {b} weighs {w}, but that from {b} to {a} {other}.",
                    "make the graph undirected, or the matrix symmetric.",
                )
        off &= i < j
    low, high = np.minimum(i, j)[off], np.maximum(i, j)[off]
    return np.stack([low, high], axis=1), weights[off]


def _matrix(graph: Edges) -> np.ndarray:
    """The matrix of weights, 0 where there is no edge."""
    n, i, j, weights, directed = graph
    found = np.zeros((n, n), weights.dtype)
    found[i, j] = weights
    if not directed:
        found[j, i] = weights
    return found


def _complete(graph: Edges) -> np.ndarray:
    """The matrix of weights; refused if an edge is missing."""
    n, i, j, _, directed = graph
    there = np.eye(n, dtype=bool)
    there[i, j] = True
    if not directed:
        there[j, i] = True
    if not there.all():
        a, b = np.argwhere(~there)[0]
        raise InputError(
            f"A TSP needs the distance of each pair of nodes, but there is no edge from {a} to {b}.",
            "complete the graph, such as by the lengths of shortest paths.",
        )
    return _matrix(graph)
