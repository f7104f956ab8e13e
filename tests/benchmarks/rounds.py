"""The rounds of benchmarks in a file, and a later run compared with them.

`make bench` writes build/bench/<time>.json; `make bench AGAINST=build/bench/<time>.json LOSS=0.1` compares. In each
round a core also sorts, whatever else is measured: rates of a CPU are divided by the rate of that, so that a machine
which is slower for a while, or another machine, is not taken for a loss. Rates of GPUs are compared as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.report.provenance import machine, revision
from metaheur.report.table import Table
from metaheur.validate import real

__all__ = ["BASELINE", "Comparison", "Rounds", "baseline", "earlier"]

BASELINE = "baseline: a core sorts"
"""The name of the work that is the same in all runs."""

SAMPLES = 2000
"""Bootstrap samples of an interval."""

NUMBERS = np.random.default_rng(1).integers(0, 2**31, 100_000)


def baseline() -> float:
    """The rate of the same work on one core, in numbers sorted per second."""
    began = perf_counter()
    np.sort(NUMBERS)
    return len(NUMBERS) / (perf_counter() - began)


@final
@frozen(eq=False)
class Comparison:
    """Rates of two runs side by side.

    Parameters
    ----------
    table : Table
        For each work: the median before and now, the ratio of both, and its 95 % bootstrap interval.
    losses : tuple of str
        Works whose ratio is, with its whole interval, below the allowed one.
    """

    table: Table
    losses: tuple[str, ...]

    @property
    def failed(self) -> bool:
        """Whether a rate is lost, or there is none that both runs have."""
        return bool(self.losses) or not self.table.names


@final
@frozen(eq=False)
class Rounds:
    """The rates of works, round by round.

    Parameters
    ----------
    rates : dict
        For each title and each name of a work, the rates of all rounds; of the baseline, too.
    """

    rates: dict[str, dict[str, list[float]]] = field(factory=dict)

    def save(self, folder: Path) -> Path:
        """Write the rounds to a file, named by the time, and return its path."""
        now = datetime.now(UTC)
        content = {"ended": now.isoformat(timespec="seconds"), "machine": machine(), "revision": revision()}
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{now:%Y-%m-%d-%H%M%S}.json"
        path.write_text(json.dumps({**content, "rates": self.rates}, indent=1), "utf-8")
        return path

    @classmethod
    def read(cls, path: Path) -> Rounds:
        """The rounds in a file of `save`.

        Raises
        ------
        InputError
            If it is not such a file.
        """
        try:
            return cls(dict(json.loads(path.read_text("utf-8"))["rates"]))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise InputError(f"{path} is not a file of rounds: {error!r}.", "name one in build/bench.") from error

    def compared(self, before: Rounds, loss: float) -> Comparison:
        """These rounds beside earlier ones, for works that both have.

        Parameters
        ----------
        before : Rounds
            The earlier ones.
        loss : float
            The share of a rate that may be lost, 0 ... 1.
        """
        names, cells, losses = [], [], []
        for title, works in self.rates.items():
            for name, now in works.items():
                old = before.rates.get(title, {})
                if name == BASELINE or name not in old:
                    continue
                ratio, low, high = _ratio(_scaled(old, name), _scaled(works, name))
                names.append((title, name))
                lost = high < 1 - loss
                cells.append(
                    (*map(_median, (old[name], now)), ratio, (round(low, 3), round(high, 3)), "LOSS" if lost else "")
                )
                if lost:
                    losses.append(f"{title}: {name}")
        header = ("what", "work", "before /s", "now /s", "ratio", "95 % interval", "")
        return Comparison(Table(header, tuple(names), tuple(cells)), tuple(losses))


def earlier(environment: Mapping[str, str]) -> tuple[Rounds, float] | None:
    """The rounds in $METAHEUR_AGAINST, and the share in $METAHEUR_LOSS that may be lost; None if nothing is compared.

    Raises
    ------
    InputError
        If the file is not one of rounds, or the share is not a number in 0 ... 1.
    """
    against, text = environment.get("METAHEUR_AGAINST"), environment.get("METAHEUR_LOSS") or "0.1"
    try:
        loss = real(float(text), "LOSS", 0, 1)
    except ValueError:
        raise InputError(f"LOSS must be a number in 0 ... 1, but is {text!r}.", "use LOSS=0.1.") from None
    return (Rounds.read(Path(against)), loss) if against else None


def _median(rates: Sequence[float]) -> float:
    return round(float(np.median(rates)))


def _scaled(works: Mapping[str, Sequence[float]], name: str) -> np.ndarray[Any, Any]:
    """The rates of a work; of a CPU, divided by those of the baseline in the same rounds."""
    rates = np.array(works[name])
    return rates if "cuda" in name or "GPU" in name else rates / np.array(works[BASELINE])


def _ratio(before: np.ndarray[Any, Any], now: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """The ratio of the medians, and its bootstrap interval."""
    generator = np.random.default_rng(0)
    medians = [np.median(generator.choice(each, (SAMPLES, len(each))), axis=1) for each in (before, now)]
    low, high = np.quantile(medians[1] / medians[0], (0.025, 0.975))
    return float(np.median(now) / np.median(before)), float(low), float(high)
