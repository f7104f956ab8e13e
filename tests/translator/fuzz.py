"""Compare many random programs by hand: python -m tests.translator.fuzz [programs] [first seed] [device].

Half of the modules have floats, and half are extreme. Each module has 40 programs and is one compiled unit; the
differences are printed.
"""

import sys
import tempfile
from pathlib import Path

from metaheur.device.names import device_of
from tests.translator.test_fuzz import differences

EACH = 40


def main(programs: int = 10_000, first: int = 1000, device: str = "host") -> None:
    """Run so many programs, and print the differences."""
    done, different = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + -(-programs // EACH)):
            kinds = {"floats": seed % 2 == 1, "extreme": seed // 2 % 2 == 1}
            found = differences(Path(folder), seed, EACH, device_of(device), **kinds)
            done, different = done + EACH, different + len(found)
            for each in found:
                print(f"seed {seed}: {each}", flush=True)
            if seed % 10 == 9:
                print(f"{done} programs, {different} differences", flush=True)
    print(f"{done} programs, {different} differences on {device}")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(each) if each.isdigit() else each for each in given))  # type: ignore[arg-type]
