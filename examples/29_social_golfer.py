"""Social golfers in Python alone: the meetings of each pair say whether groups have one size, too."""

from typing import Any

from attrs import frozen

from metaheur import DiscreteVector, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Substitution
from metaheur.testing import check_problem


@frozen(eq=False)
class SocialGolfer(Problem):
    """Each week golfers play in groups of one size, and no two should meet again; a digit is a golfer's group."""

    weeks: int = data("int32")
    groups: int = data("int32")
    golfers: int = data("int32")
    representation = property(lambda self: DiscreteVector(self.weeks * self.golfers, self.groups))

    @compiled
    def meetings(self, x: Any, one: int, other: int) -> Any:
        return sum(x[w * self.golfers + one] == x[w * self.golfers + other] for w in range(self.weeks))

    @compiled
    def cost(self, x: Any) -> Any:  # a meeting costs 2, as groups of one size have the fewest; and 1 if not the first
        pairs = sum(max(0, 3 * self.meetings(x, one, other) - 1) for one in range(self.golfers) for other in range(one))
        return pairs - self.n * (self.golfers // self.groups - 1)


print(check_problem(SocialGolfer(3, 2, 4), Substitution()))
problem = SocialGolfer(weeks=4, groups=3, golfers=9)  # each pair can meet exactly once
result = run(TabuSearch(Substitution()), problem, stop=stop.target(0) | stop.iterations(10_000), seed=1)
print(f"{result.cost} meetings too many:", *result.solution.reshape(4, 9), sep="\n")
