"""Compare many random programs by hand: python -m tests.translator.fuzz [programs] [first seed] [device] [kind].

The kinds are "lines", of which half have floats, half are extreme or have several objectives; "folds", "longest" and
"sums" (`test_state_fuzz.py`); and "all", which takes turns. Each module has 40 programs of lines, or 10 of another
kind, and is one compiled unit; the differences are printed.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from metaheur.device.names import device_of
from tests.translator.test_fuzz import differences
from tests.translator.test_state_fuzz import fold_differences, longest_differences, sum_differences


def lines(folder: Path, seed: int, count: int, device: Any) -> list[str]:
    """Differences of methods, whose kind the seed chooses."""
    kinds = {"floats": seed % 2 == 1, "extreme": seed // 2 % 3 == 1, "several": seed // 2 % 3 == 2}
    return differences(folder, seed, count, device, **kinds)


KINDS: dict[str, tuple[int, Callable[[Path, int, int, Any], list[str]]]] = {
    "lines": (40, lines),
    "folds": (10, fold_differences),
    "longest": (10, longest_differences),
    "sums": (10, sum_differences),
}
"""The programs of a module, and what compares them."""


def main(programs: int = 10_000, first: int = 1000, device: str = "host", kind: str = "all") -> None:
    """Run so many programs, and print the differences."""
    done, different, seed = 0, 0, first
    names = list(KINDS) if kind == "all" else [kind]
    with tempfile.TemporaryDirectory() as folder:
        while done < programs:
            name = names[seed % len(names)]
            each, compare = KINDS[name]
            found = compare(Path(folder), seed // len(names), each, device_of(device))
            done, different = done + each, different + len(found)
            for one in found:
                print(f"{name}, seed {seed // len(names)}: {one}", flush=True)
            if seed % 10 == 9:
                print(f"{done} programs, {different} differences", flush=True)
            seed += 1
    print(f"{done} programs, {different} differences on {device}")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(each) if each.isdigit() else each for each in given))  # type: ignore[arg-type]
