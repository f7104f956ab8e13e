"""A small timetable with a hard and a soft level, in the forms in which a problem may be written."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import DiscreteVector, Problem, Source, compiled, data
from metaheur.neighborhoods import SubstitutionMove
from metaheur.representation import Representation


def bounds(clashes: np.ndarray, wishes: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Proved from the data: all clashes at once; the best and the worst room of each lesson."""
    return (0, int(clashes.sum())), (int(wishes.min(axis=1).sum()), int(wishes.max(axis=1).sum()))


@frozen(eq=False)
class Lessons(Problem):
    """Which lessons clash, and what each room is to each lesson."""

    levels = ("hard", "soft")
    clashes: np.ndarray = data("int32", ndim=2)
    wishes: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Representation:
        return DiscreteVector(*self.wishes.shape)

    def level_bounds(self) -> Any:
        return bounds(self.clashes, self.wishes)


@final
@frozen(eq=False)
class Timetable(Lessons):
    """The cost alone, compiled."""

    @compiled
    def cost(self, x: Any) -> Any:
        hard = sum(self.clashes[a, b] * (x[a] == x[b]) for a in range(self.n) for b in range(a + 1, self.n))
        soft = sum(self.wishes[a, x[a]] for a in range(self.n))
        return hard, soft


@final
@frozen(eq=False)
class WithDelta(Lessons):
    """Cost and change of cost, compiled."""

    @compiled
    def cost(self, x: Any) -> Any:
        hard = sum(self.clashes[a, b] * (x[a] == x[b]) for a in range(self.n) for b in range(a + 1, self.n))
        return hard, sum(self.wishes[a, x[a]] for a in range(self.n))

    @compiled
    def delta(self, x: Any, m: SubstitutionMove) -> Any:
        a, old, new = m.at, x[m.at], (x[m.at] + m.shift) % m.values
        hard = sum(
            (self.clashes[a, b] + self.clashes[b, a]) * ((x[b] == new) - (x[b] == old)) for b in range(self.n) if b != a
        )
        return hard, self.wishes[a, new] - self.wishes[a, old]


HALF = """
struct InCpp : InCppData {
    MH_FN Total cost(Team team, const Item* x) const {
        const i64 hard = team.sum(n, [&](int a) {
            i64 found = 0;
            for (int b = a + 1; b < n; ++b) found += x[a] == x[b] ? clashes(a, b) : 0;
            return found;
        });
        return levels(hard, team.sum(n, [&](int a) { return i64(wishes(a, x[a])); }));
    }

    MH_FN Cost delta(Team team, const Item* x, SubstitutionMove m) const {
        const int a = m.at, old = x[a], wanted = (old + m.shift) % m.values;
        const i64 hard = team.sum(n, [&](int b) {
            return b == a ? i64(0) : i64(clashes(a, b) + clashes(b, a)) * ((x[b] == wanted) - (x[b] == old));
        });
        return levels(hard, wishes(a, wanted) - wishes(a, old));
    }
};
"""


@final
@frozen(eq=False)
class InCpp(Lessons):
    """Python for many moves at once, and a half in C++; `scale` times the soft level that the bounds allow."""

    source = Source(HALF)

    def cost(self, x: Any) -> Any:
        same = x[:, None] == x
        return int((self.clashes * same).sum()), int(self.wishes[np.arange(len(x)), x].sum())

    def costs(self, xs: Any) -> Any:
        same = xs[:, :, None] == xs[:, None, :]
        return (self.clashes * same).sum(axis=(1, 2)), self.wishes[np.arange(xs.shape[1]), xs].sum(axis=1)

    def delta(self, x: Any, m: Any) -> Any:
        new = (x[m.at] + m.shift) % m.values
        both = (self.clashes + self.clashes.T)[m.at]
        hard = (both * (x == np.asarray(new)[..., None])).sum(axis=-1) - (
            both * (x == np.asarray(x[m.at])[..., None])
        ).sum(axis=-1)
        return hard, self.wishes[m.at, new] - self.wishes[m.at, x[m.at]]


def timetable(kind: Any = Timetable, n: int = 6, rooms: int = 3, seed: int = 1) -> Any:
    """An instance with costs and gains as soft costs."""
    rng = np.random.default_rng(seed)
    clashes = np.triu(rng.integers(0, 2, (n, n)), 1)
    return kind(clashes, rng.integers(-9, 10, (n, rooms)))
