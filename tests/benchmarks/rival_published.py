"""Published instances of scheduling and sequential ordering, beside CP-SAT with one worker.

The variable METAHEUR_DATA names the folder of the instances; the best known costs are those of its files `bks.csv`.
"""

import csv
import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from metaheur import Problem, solve
from metaheur.problems import RCPSP, FlexibleJobShop, JobShopByMachines, SequentialOrdering
from tests.benchmarks.comparison import EqualTime

__all__ = ["Drawn", "answer", "flags", "new_model", "published", "scheduled_by_cp_sat", "solved"]

SECONDS = 2
"""The limit of CP-SAT by the clock."""

Drawn = tuple[Any, int]
"""A problem, and the seed of `solve`."""


def solved(data: Drawn, seconds: float) -> Any:
    """The cost that `solve` finds."""
    problem, seed = data
    return solve(problem, seconds=seconds, seed=seed, parallel="host", report=False).cost


def answer(model: Any, seconds: float, otherwise: float) -> float:
    """The cost that CP-SAT finds with one worker; another one where it finds no solution."""
    cp_model = import_module("ortools.sat.python.cp_model")
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    return float(solver.objective_value) if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else otherwise


def new_model() -> Any:
    """An empty model."""
    return import_module("ortools.sat.python.cp_model").CpModel()


def flags(model: Any, count: int) -> list[Any]:
    """New variables that are true or false."""
    return [model.new_bool_var("") for _ in range(count)]


def scheduled_by_cp_sat(problem: JobShopByMachines, seconds: float) -> float:
    """The makespan; without a solution that of all operations one by one."""
    model, longest = new_model(), int(problem.times.sum())
    end, on = model.new_int_var(0, longest, ""), dict[int, list[Any]]()
    for machines, times in zip(problem.order.tolist(), problem.times.tolist(), strict=True):
        before: Any = 0
        for machine, takes in zip(machines, times, strict=True):
            begins = model.new_int_var(0, longest, "")
            on.setdefault(machine, []).append(model.new_fixed_size_interval_var(begins, takes, ""))
            model.add(begins >= before)
            before = begins + takes
        model.add(end >= before)
    for intervals in on.values():
        model.add_no_overlap(intervals)
    model.minimize(end)
    return answer(model, seconds, longest)


def flexible_by_cp_sat(problem: FlexibleJobShop, seconds: float) -> float:
    """The makespan, where each operation has an optional interval of its own times on each machine that can do it."""
    model, longest = new_model(), int(problem.times.max(axis=1).sum())
    end, on = model.new_int_var(0, longest, ""), dict[int, list[Any]]()

    def times() -> tuple[Any, Any]:
        return model.new_int_var(0, longest, ""), model.new_int_var(0, longest, "")

    rows = iter(problem.times.tolist())
    for count in problem.jobs.tolist():
        before: Any = 0
        for _ in range(count):
            able = {machine: takes for machine, takes in enumerate(next(rows)) if takes >= 0}
            (begins, ends), chosen = times(), flags(model, len(able))
            lasts = model.new_int_var(min(able.values()), max(able.values()), "")
            model.new_interval_var(begins, lasts, ends, "")
            for (machine, takes), here in zip(able.items(), chosen, strict=True):
                first, last = times()
                on.setdefault(machine, []).append(model.new_optional_interval_var(first, takes, last, here, ""))
                for one, other in ((begins, first), (ends, last), (lasts, takes)):
                    model.add(one == other).only_enforce_if(here)
            model.add_exactly_one(chosen)
            model.add(begins >= before)
            before = ends
        model.add(end >= before)
    for intervals in on.values():
        model.add_no_overlap(intervals)
    model.minimize(end)
    return answer(model, seconds, longest)


def project_by_cp_sat(problem: RCPSP, seconds: float) -> float:
    """The makespan of a project."""
    model, longest = new_model(), int(problem.durations.sum())
    end = model.new_int_var(0, longest, "")
    durations = problem.durations.tolist()
    begins = [model.new_int_var(0, longest, "") for _ in durations]
    intervals = [model.new_fixed_size_interval_var(*pair, "") for pair in zip(begins, durations, strict=True)]
    for a, b in problem.precedences.tolist():
        model.add(begins[b] >= begins[a] + durations[a])
    for needs, capacity in zip(problem.demands.T.tolist(), problem.capacities.tolist(), strict=True):
        model.add_cumulative(intervals, needs, capacity)
    for begin, takes in zip(begins, durations, strict=True):
        model.add(end >= begin + takes)
    model.minimize(end)
    return answer(model, seconds, longest)


def ordered_by_cp_sat(problem: SequentialOrdering, seconds: float) -> float:
    """The length of the path: a circuit through a node of its own, and the place of each item."""
    n, model = len(problem.distances), new_model()
    places, arcs, length = [model.new_int_var(0, n - 1, "") for _ in range(n)], [], []
    for a in range(n):
        arcs += [(n, a, model.new_bool_var("")), (a, n, model.new_bool_var(""))]
        for b in range(n):
            if a != b:
                taken = model.new_bool_var("")
                arcs.append((a, b, taken))
                length.append(int(problem.distances[a, b]) * taken)
                model.add(places[b] == places[a] + 1).only_enforce_if(taken)
    model.add_circuit(arcs)
    for a, b in problem.precedences.tolist():
        model.add(places[a] < places[b])
    model.minimize(sum(length))
    return answer(model, seconds, float(problem.distances.max()) * n)


Kind = tuple[Callable[[Path], Problem], Callable[[Any, float], float], tuple[str, ...]]
KINDS: dict[str, Kind] = {
    "jobshop": (JobShopByMachines.from_file, scheduled_by_cp_sat, ("la29.txt", "ta01.txt")),
    "flexible_jobshop": (FlexibleJobShop.from_file, flexible_by_cp_sat, ("mk10.txt",)),
    "rcpsp": (RCPSP.from_file, project_by_cp_sat, ("RG300_1.rcp",)),
    "sop": (SequentialOrdering.from_file, ordered_by_cp_sat, ("ft70.1.sop", "kro124p.1.sop")),
}


def best_known(folder: Path, name: str) -> str:
    """The best known cost of an instance, as a text behind its name; empty if the folder does not say it."""
    if not (folder / "bks.csv").exists():
        return ""
    with (folder / "bks.csv").open(encoding="utf-8") as file:
        found = {row["instance"]: row.get("upper") or row["best"] for row in csv.DictReader(file)}
    return f", best known {int(found[name]):,}" if name in found else ""


def published() -> Iterator[EqualTime]:
    """Published instances after equal time, five seeds of `solve` on each."""
    if "METAHEUR_DATA" not in os.environ:
        raise SystemExit("Published instances are left out.\nMaybe set METAHEUR_DATA to the folder with their files.")
    data = Path(os.environ["METAHEUR_DATA"])
    for kind, (read, rival, names) in KINDS.items():
        for name in names:
            path = data / kind / name
            problem = read(path)
            yield EqualTime(
                "published instances of scheduling and ordering", f"{path.stem}{best_known(data / kind, path.stem)}",
                "ortools", partial(lambda problem, seed: (problem, seed), problem), solved,
                partial(lambda rival, data, seconds: rival(data[0], seconds), rival), "cost", "least", SECONDS,
            )  # fmt: skip
