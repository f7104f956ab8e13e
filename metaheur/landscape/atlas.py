"""The atlas: the complete landscapes of quadratic assignment problems under swaps, instance by instance, resumable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import chain
from math import factorial, inf
from pathlib import Path
from typing import Any

import numpy as np

from metaheur.errors import CheckFailed, InputError
from metaheur.landscape.elementary import ElementaryComponents
from metaheur.landscape.landscape import Landscape
from metaheur.landscape.network import Network
from metaheur.landscape.optima import Optima
from metaheur.landscape.symmetries import automorphisms, copies_of, in_order, interchangeable
from metaheur.machine.files import replace_file
from metaheur.machine.pace import now
from metaheur.neighborhoods.swap import Swap
from metaheur.problems.qap import QAP
from metaheur.report.table import Table

__all__ = ["HEADER", "atlas", "cells", "instances_in", "table"]

HEADER = (
    "instance",
    "n",
    "local optima",
    "strict",
    "global",
    "nodes, millions",
    "symmetries",
    "r(1)",
    "edge density",
    "loops",
    "largest basin",
    "global basins",
    "funnels",
    "global funnel",
)
"""The columns of the table."""


def instances_in(folder: str | Path, most: int) -> dict[str, QAP]:
    """The QAPLIB instances in a folder with 4 ... `most` facilities, by name; the file begins with their number."""
    found = {}
    for path in sorted(Path(folder).glob("*.dat")):
        words = path.read_text(encoding="utf-8", errors="replace").split(maxsplit=1)
        if words and words[0].isdecimal() and 4 <= int(words[0]) <= most:
            found[path.stem] = QAP.from_file(path)
    if not found:
        raise InputError(f"{folder} has no QAPLIB instance with 4 ... {most} facilities.", "name another folder.")
    return found


def atlas(  # noqa: PLR0913 - keyword-only
    problems: Mapping[str, QAP],
    folder: str | Path,
    *,
    device: str = "auto",
    networks: int = 12,
    seconds: float = inf,
    strict: bool = False,
) -> Iterator[dict[str, Any]]:
    """The entries of some instances, one after the other, each saved in the folder as it is complete.

    The folder gets, of each instance, ``NAME.json``, the entry; ``NAME.optima.npz``, the local optima;
    ``NAME.network.npz``, the network, of instances with at most `networks` facilities, 12 or fewer; and
    ``NAME.search.npz``, an unfinished search. Entries that are there are not computed again. An instance whose
    search needs more than `seconds` has no entry yet, and goes on next time. `strict`: only strict optima, without
    networks; for instances with large plateaus. Small instances come first. Raises CheckFailed if basins do not sum
    up to all permutations, the two ways to find local optima disagree, or a symmetry of the instance does not map
    local optima to local optima with basins of equal size.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, problem in sorted(problems.items(), key=lambda each: len(each[1].a)):
        text = f"{problem.a.tolist()} {problem.b.tolist()}{' strict' * strict}"
        path, of = place / f"{name}.json", sha256(text.encode()).hexdigest()
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        wants_network = len(problem.a) <= networks and not strict
        if known.get("of") == of and (not wants_network or "density" in known):
            yield known
            continue
        landscape = Landscape(problem, Swap(), device=device)
        began = now()
        try:
            optima = landscape.optima(strict=strict, path=place / f"{name}.search.npz", seconds=seconds)
        except InputError as error:
            raise InputError(f"{name}: {error.reason}", error.maybe) from error
        if not optima.complete:
            continue
        entry = {"name": name, "of": of} | _of_optima(problem, optima) | {"optima_seconds": now() - began}
        optima.to_npz(place / f"{name}.optima.npz")
        if wants_network:
            began = now()
            network = landscape.network()
            entry |= _of_network(problem, optima, network) | {"network_seconds": now() - began}
            network.to_npz(place / f"{name}.network.npz")
        replace_file(path, json.dumps(entry, indent=1).encode())
        (place / f"{name}.search.npz").unlink(missing_ok=True)
        yield entry


def _of_optima(problem: QAP, optima: Optima) -> dict[str, Any]:
    """The values of an entry that follow from local optima; symmetries must map these to each other."""
    groups = interchangeable(problem.a)
    locations, facilities = automorphisms(problem.b), automorphisms(problem.a, groups)
    solutions = optima.solutions
    for image in chain((solutions[:, p] for p in facilities), (p[solutions] for p in locations)):
        at = optima.index(image if optima.copies == 1 else in_order(image, groups))
        if (at < 0).any() or (optima.costs[at] != optima.costs).any():
            raise CheckFailed("A symmetry of the instance maps a local optimum to a solution that is none.")
    return {
        "n": len(problem.a),
        "optima": len(optima) * optima.copies,
        "strict": int(optima.strict.sum()) * optima.copies,
        "global": len(optima.best) * optima.copies,
        "best": int(optima.costs.min()),
        "nodes": optima.nodes,
        "locations": len(locations),
        "facilities": len(facilities) * copies_of(groups),
        "autocorrelation": ElementaryComponents.of(problem).autocorrelation(1),
    }


def _of_network(problem: QAP, optima: Optima, network: Network) -> dict[str, Any]:
    """The values of an entry that follow from the network.

    Basins must sum up to all permutations; basins that a symmetry maps to each other must have equal sizes.

    Symmetries of locations do so: the order of moves, which decides between equal ones, is that of facilities.
    """
    if network.optima.solutions.tolist() != optima.solutions.tolist():
        raise CheckFailed("Branch and bound and enumeration find different local optima.")
    if int(network.sizes.sum()) != factorial(len(problem.a)):
        raise CheckFailed(f"The basins have {int(network.sizes.sum()):,} solutions, but there are n! of them.")
    for image in automorphisms(problem.b):
        at = optima.index(image[optima.solutions])
        if (network.sizes[at] != network.sizes).any():
            raise CheckFailed("A symmetry of the locations maps a basin to one of another size.")
    shares, funnels = network.sizes / network.sizes.sum(), network.compressed().funnels()
    metrics, structure = network.compressed().metrics(), network.structure()
    return {
        "edges": len(network.sources),
        "density": structure["density"],
        "loops": structure["loops"],
        "fitness_correlation": structure["fitness_correlation"],
        "best_pagerank": structure["best_pagerank"],
        "largest_basin": float(shares.max()),
        "global_basins": float(shares[optima.best].sum()),
        "size_cost_correlation": float(np.corrcoef(np.log(network.sizes), optima.costs)[0, 1]),
        "funnels": len(funnels.sinks),
        "global_funnel": metrics["global_funnel_proportion"],
    }


def cells(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The row of an entry, in the columns of `HEADER`; empty where there is no network."""

    def of(name: str, text: str) -> str:
        return format(entry[name], text) if name in entry else ""

    return (
        entry["name"],
        str(entry["n"]),
        *(f"{entry[name]:,}" for name in ("optima", "strict", "global")),
        f"{entry['nodes'] / 1e6:,.2f}",
        str(entry["locations"] * entry["facilities"]),
        of("autocorrelation", ".3f"),
        *(of(name, ".3f") for name in ("density", "loops")),
        of("largest_basin", ".2%"),
        of("global_basins", ".2%"),
        of("funnels", ","),
        of("global_funnel", ".1%"),
    )


def table(entries: list[dict[str, Any]]) -> Table:
    """The table of some entries."""
    rows = [cells(each) for each in entries]
    return Table(HEADER, tuple(row[:1] for row in rows), tuple(row[1:] for row in rows))
