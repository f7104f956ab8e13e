"""Social golfers in Python alone: how many play in each group is kept, and follows each move."""

from typing import Any

from attrs import frozen

from metaheur import Array, DiscreteVector, Problem, TabuSearch, compiled, contributions, data, run, stop
from metaheur.neighborhoods import Substitution, SubstitutionMove
from metaheur.testing import check_problem


@frozen(eq=False)
class SocialGolfer(Problem):
    """Each week golfers play in groups of one size, and no two should meet again; a digit is a golfer's group."""

    weeks: int = data("int32")
    groups: int = data("int32")
    golfers: int = data("int32")
    representation = property(lambda self: DiscreteVector(self.weeks * self.golfers, self.groups))

    def state(self, representation: Any) -> dict[str, Array]:
        return {"full": Array((self.weeks, self.groups), "int32")}

    @compiled
    def contribute(self, s: Any, k: int, value: int, by: int) -> None:
        s.full[k // self.golfers, value] += by

    init, commit = contributions

    @compiled
    def meetings(self, x: Any, one: int, other: int) -> Any:
        return sum(x[w * self.golfers + one] == x[w * self.golfers + other] for w in range(self.weeks))

    @compiled
    def cost(self, x: Any) -> Any:
        total = sum(max(0, self.meetings(x, one, other) - 1) for one in range(self.golfers) for other in range(one))
        full = [0] * (self.weeks * self.groups)
        for k, group in enumerate(x):
            full[k // self.golfers * self.groups + group] += 1
        return total + sum((count - self.golfers // self.groups) ** 2 for count in full)

    @compiled
    def delta(self, x: Any, s: Any, m: SubstitutionMove) -> Any:
        week, golfer = divmod(m.at, self.golfers)
        before, after = x[m.at], (x[m.at] + m.shift) % m.values
        total = 2 * (s.full[week, after] - s.full[week, before] + 1)
        for other in range(self.golfers):
            group, met = x[week * self.golfers + other], self.meetings(x, golfer, other)
            total += int(group == after and met > 0) - int(group == before and met > 1 and other != golfer)
        return total


print(check_problem(SocialGolfer(3, 2, 4), Substitution()))
problem = SocialGolfer(weeks=4, groups=3, golfers=9)  # each pair can meet exactly once
result = run(TabuSearch(Substitution()), problem, stop=stop.target(0) | stop.iterations(10_000), seed=1)
print(f"{result.cost} meetings too many:", *result.solution.reshape(4, 9), sep="\n")
