"""Compare many random programs by hand: python -m tests.translator.fuzz [programs] [first seed] [device] [kind] [jobs].

The kinds are "lines", of which half have floats, half are extreme or have several objectives; "folds", "extreme
folds", "longest" and "sums" (`test_state_fuzz.py`); and "all", which takes turns. Each module has 40 programs of lines
or extreme folds, or 10 of another kind, and is one compiled unit; so many processes share the modules, 1 by default;
the differences are printed.
"""

import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from metaheur.device.names import device_of
from tests.translator.test_fuzz import differences
from tests.translator.test_state_fuzz import fold_differences, longest_differences, sum_differences


def lines(folder: Path, seed: int, count: int, device: Any) -> list[str]:
    """Differences of methods, whose kind the seed chooses."""
    kinds = {"floats": seed % 2 == 1, "extreme": seed // 2 % 3 == 1, "several": seed // 2 % 3 == 2}
    kinds["small"] = seed // 6 % 2 == 1 and not kinds["extreme"]
    return differences(folder, seed, count, device, **kinds)


KINDS: dict[str, tuple[int, Callable[[Path, int, int, Any], list[str]]]] = {
    "lines": (40, lines),
    "folds": (10, fold_differences),
    "extreme folds": (40, partial(fold_differences, extremes=True)),
    "longest": (10, longest_differences),
    "sums": (10, sum_differences),
}
"""The programs of a module, and what compares them."""


def module_of(kind: str, seed: int) -> tuple[str, int]:
    """The kind of the module with a seed, and its seed among the modules of this kind."""
    names = list(KINDS) if kind == "all" else [kind]
    return names[seed % len(names)], seed // len(names)


def compare(kind: str, device: str, seed: int) -> list[str]:
    """The differences of a module."""
    name, own = module_of(kind, seed)
    each, differing = KINDS[name]
    with tempfile.TemporaryDirectory() as folder:
        return [f"{name}, seed {own}: {one}" for one in differing(Path(folder), own, each, device_of(device))]


def main(programs: int = 10_000, first: int = 1000, device: str = "host", kind: str = "all", jobs: int = 1) -> None:
    """Run so many programs, and print the differences."""
    sizes: list[int] = []
    for seed in count(first):
        if sum(sizes) >= programs:
            break
        sizes.append(KINDS[module_of(kind, seed)[0]][0])
    seeds, compared = range(first, first + len(sizes)), partial(compare, kind, device)
    done, different = 0, 0
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for size, found in zip(sizes, pool.map(compared, seeds) if jobs > 1 else map(compared, seeds), strict=True):
            before, done, different = done, done + size, different + len(found)
            for one in found:
                print(one, flush=True)
            if done // 200 > before // 200:
                print(f"{done} programs, {different} differences", flush=True)
    print(f"{done} programs, {different} differences on {device}")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(each) if each.isdigit() else each for each in given))  # type: ignore[arg-type]
