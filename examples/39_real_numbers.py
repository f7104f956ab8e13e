"""A mixed problem of one's own, real numbers and powers, by differential evolution and by NSGA-II, equal everywhere."""

from typing import Any

from metaheur import NSGA2, Composite, DiscreteVector, Problem, compiled, run, stop
from metaheur.problems import Scalarised
from metaheur.reals import DifferentialEvolution, PolynomialMutation, Real, cos


class Antennas(Problem):
    """Place six antennas on a line, and give each one of three powers: little interference, and little power."""

    cost_type = "float64"
    objectives = ("interference", "power")
    representation = Composite(place=Real(6, -5, 5), power=DiscreteVector(6, 3))

    @compiled
    def cost(self, x: Any) -> Any:
        total = 0.0
        for k in range(6):
            away, wrong = x.place.value(k) - float(k) + 2.5, float(x.power[k] - k % 3)
            total += away * away - 4.0 * cos(5.0 * x.place.value(k)) + 2.0 * wrong * wrong
        return total, float(sum(x.power[k] for k in range(6)))


problem, least = Antennas(), Scalarised(Antennas(), weights=(1, 0))
for device in ("numpy", "host"):
    best: Any = run(DifferentialEvolution(20), least, stop=stop.iterations(3000), seed=1, parallel=device)
    nsga = NSGA2(mutation=PolynomialMutation(), size=20)
    front = run(nsga, problem, stop=stop.iterations(2000), seed=1, parallel=device).front
    print(device, best.cost, best.solution.place.reals.round(3).tolist(), best.solution.power.tolist())
    print(front.costs.round(3).tolist())
