"""Derived changes of cost beside those by hand, and beside the cost alone: tabu search, n = 100.

``python -m tests.benchmarks.derived`` measures processor time on one core; ``--device cuda`` a GPU by the clock, with
``--walks 528`` so many walks side by side. ``--only PATTERN`` chooses costs; ``--save`` writes the record. Variants run
in turn, and ratios are medians of those of a round. ``--newcomers`` measures six problems beside all that an expert
writes for them, with whole neighborhoods (tabu search) and with single moves (annealing), on the core.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import perf_counter, process_time
from typing import Any, final

from attrs import define, field

from metaheur import Problem, SimulatedAnnealing, TabuSearch, run, stop
from metaheur.machine.processors import cores
from metaheur.neighborhood import Neighborhood
from metaheur.parallel import IterationLevel, Multistart, ParallelModel
from metaheur.translator.deriving.derived import derivation_of
from metaheur.translator.deriving.folding import fold_of
from metaheur.translator.facts import facts_of
from metaheur.translator.half import made_half
from metaheur.translator.segments import walks
from tests.benchmarks.classics import CLASSICS, Classic, N, made
from tests.benchmarks.newcomers import NEWCOMERS
from tests.benchmarks.records import report, row_text

ROUNDS = 5
AIM = 0.05
"""Seconds that a run takes at least."""


def problems(each: Classic) -> dict[str, Problem]:
    """The variants of a problem: with the cost alone, with derived changes of cost, and with those by hand."""
    found = {
        "alone": made(each, "Alone", cost=each.cost, derives=False),
        "derived": made(each, "Derived", cost=each.cost, derives=True),
    }
    return found | ({"hand": made(each, "ByHand", **{"cost": each.cost, **each.by_hand})} if each.by_hand else {})


@final
@define
class Variant:
    """A problem that a search runs on, again and again.

    Parameters
    ----------
    problem : Problem
        The problem.
    moves : Neighborhood
        The moves of the tabu search.
    model : ParallelModel
        Where it runs.
    clock : function
        What is measured.
    search : function
        Makes the search of the moves.
    """

    problem: Problem
    moves: Any
    model: ParallelModel
    clock: Callable[[], float]
    search: Callable[[Any], Any] = TabuSearch
    iterations: int = 1
    cost: Any = field(default=None, init=False)

    def prepare(self) -> None:
        """Compile, and find how many iterations a round needs."""
        _, self.cost = self.taken(4)
        while min(self.taken(1 + self.iterations)[0] - self.taken(1)[0] for _ in range(3)) < AIM:
            self.iterations *= 4

    def taken(self, iterations: int) -> tuple[float, Any]:
        """The seconds of a run, and its cost."""
        begin = self.clock()
        search = self.search(self.moves)
        result = run(search, self.problem, stop=stop.iterations(iterations), seed=1, parallel=self.model)
        return self.clock() - begin, result.cost

    def seconds(self) -> float:
        """The seconds of an iteration: of a run less its start."""
        start, _ = self.taken(1)
        return max(1e-12, (self.taken(1 + self.iterations)[0] - start) / self.iterations)


def variants(each: Classic, device: str, walks: int) -> dict[str, Variant]:
    """The variants of a problem on a device."""
    if device == "host":
        model: ParallelModel = IterationLevel("host", threads=1)
    else:
        model = IterationLevel(device) if walks == 1 else Multistart(walks, device=device)
    clock = process_time if device == "host" else perf_counter
    return {name: Variant(problem, each.moves, model, clock) for name, problem in problems(each).items()}


def compiled_ahead(name: str, variant: str, device: str, walks: int) -> None:
    """Compile the units of a variant into the cache."""
    (each,) = (one for one in CLASSICS if one.name == name)
    variants(each, device, walks)[variant].taken(4)


def rows(device: str, walks: int, only: str) -> Iterator[str]:
    """A row a problem; the variants reach the same cost."""
    chosen = [each for each in CLASSICS if re.search(only, each.name)]
    if device != "host":
        with ProcessPoolExecutor(cores(), get_context("spawn")) as pool:
            ahead = [pool.submit(compiled_ahead, e.name, v, device, walks) for e in chosen for v in problems(e)]
            for unit in ahead:
                unit.result()
    for each in chosen:
        yield row(each, variants(each, device, walks), walks)


def row(each: Classic, made_of: dict[str, Variant], walks: int) -> str:
    for variant in made_of.values():
        variant.prepare()
    assert len({variant.cost for variant in made_of.values()}) == 1, each.name
    found = [{name: variant.seconds() for name, variant in made_of.items()} for _ in range(ROUNDS)]
    work = work_of(made_of["derived"].problem, each.moves)
    alone, mine = (median(times[name] for times in found) / walks * 1e6 for name in ("alone", "derived"))
    gain = median(times["alone"] / times["derived"] for times in found)
    by_hand, ratio = "", ""
    if "hand" in made_of:
        by_hand = f"{median(times['hand'] for times in found) / walks * 1e6:,.2f}"
        ratio = f"{median(times['hand'] / times['derived'] for times in found):.2f}"
    return f"| {each.name} | {each.kind} | {work} | {alone:,.2f} | {mine:,.2f} | {by_hand} | {gain:,.0f} | {ratio} |"


def work_of(problem: Problem, moves: Neighborhood) -> str:
    """How long a derived change of cost takes."""
    found = [one.work for one in derivation_of(problem, moves.move_types, demanded=False).methods if one.work]
    if found:
        return " or ".join(dict.fromkeys(one for one in found))
    fold = fold_of(problem, moves.move_types)
    return "O(length of a list)" if fold is not None and walks(type(fold)) else "O(1)"


def beside_experts(only: str) -> Iterator[str]:
    """A row a problem of a newcomer: by tabu search, then by annealing."""
    model = IterationLevel("host", threads=1)
    for each in NEWCOMERS:
        if re.search(only, each.name):
            given = {
                "derived": made(each, "Derived", cost=each.cost),
                "hand": made(each, "ByHand", cost=each.cost, **each.by_hand),
            }
            found = [text for search in (TabuSearch, annealing) for text in compared(each, given, search, model)]
            yield f"| {each.name} | {each.kind} | {' | '.join(found)} |"


def compared(each: Classic, given: dict[str, Problem], search: Callable[[Any], Any], model: ParallelModel) -> list[str]:
    """The microseconds of an iteration of two problems of one cost, and the median of their ratios."""
    made_of = {name: Variant(problem, each.moves, model, process_time, search) for name, problem in given.items()}
    for variant in made_of.values():
        variant.prepare()
    assert len({variant.cost for variant in made_of.values()}) == 1, each.name
    times = [{name: variant.seconds() for name, variant in made_of.items()} for _ in range(ROUNDS)]
    ratio = median(one["hand"] / one["derived"] for one in times)
    return [*(f"{median(one[name] for one in times) * 1e6:,.3f}" for name in given), f"{ratio:.2f}"]


def annealing(moves: Any) -> SimulatedAnnealing:
    """Single moves, of which some are made."""
    return SimulatedAnnealing(moves, 20.0)


def translations(only: str) -> Iterator[str]:
    """A row a problem: the milliseconds of its translation with the cost alone, and with derived changes of cost."""
    for each in CLASSICS:
        if re.search(only, each.name):
            found, kinds = problems(each), each.moves.move_types
            took = [milliseconds(found[name], kinds) for name in ("alone", "derived")]
            yield row_text(each.name, [*took, took[1] - took[0]])


def milliseconds(problem: Problem, kinds: Sequence[Any]) -> float:
    """The processor time of a first translation, with its tables."""
    begin = process_time()
    half = (fold_of(problem, kinds) or problem) if type(problem).derives is not False else problem
    made_half(facts_of(half, problem.representation, cost_type=problem.cost_type, moves=kinds))
    return (process_time() - begin) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host")
    parser.add_argument("--walks", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--translation", action="store_true")
    parser.add_argument("--newcomers", action="store_true")
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    if given.newcomers:
        times = ("derived, µs", "by hand, µs", "by hand / derived")
        heads = (
            "",
            "the cost is a",
            *(f"{search}: {each}" for search in ("tabu search", "annealing") for each in times),
        )
        title = f"processor time of an iteration, n = {N}, a core: costs alone beside all that an expert writes"
        report("newcomers", title, heads, beside_experts(given.only))
        return
    if given.translation:
        heads = ("", "cost alone, ms", "with derived changes, ms", "more, ms")
        report("deriving", f"processor time of a translation, n = {N}", heads, translations(given.only))
        return
    columns = (
        "",
        "the cost is a",
        "a move",
        "cost alone, µs",
        "derived, µs",
        "by hand, µs",
        "alone / derived",
        "by hand / derived",
    )
    together = f", {given.walks} walks" if given.walks > 1 else ""
    where = "processor time" if given.device == "host" else f"time on a GPU{together}"
    suffix = "" if given.device == "host" else f"_{given.device}{f'_{given.walks}' if given.walks > 1 else ''}"
    title = f"{where} of an iteration of tabu search, n = {N}{', a core' if given.device == 'host' else ''}"
    report(f"derived{suffix}", title, columns, rows(given.device, given.walks, given.only))


if __name__ == "__main__":
    main()
