"""A mixed problem of one's own, real numbers and powers, by differential evolution and by NSGA-II, equal everywhere."""

from typing import Any

from metaheur import NSGA2, Composite, DiscreteVector, Problem, compiled, run, stop
from metaheur.reals import DifferentialEvolution, PolynomialMutation, Real, cos


@compiled
def energy(place: float, power: int, k: int) -> float:
    away = place - float(k) + 2.5
    return away * away - 4.0 * cos(5.0 * place) + 2.0 * float((power - k % 3) ** 2)


class Antennas(Problem):
    """Place six antennas on a line, and give each one of three powers, so that they disturb each other little."""

    cost_type = "float64"
    representation = Composite(place=Real(6, -5, 5), power=DiscreteVector(6, 3))

    @compiled
    def cost(self, x: Any) -> Any:
        return sum(energy(x.place.value(k), x.power[k], k) for k in range(6))


class FewWatts(Problem):
    """The same with little power as the second objective."""

    cost_type, representation = Antennas.cost_type, Antennas.representation
    objectives = ("interference", "power")

    @compiled
    def cost(self, x: Any) -> tuple[float, float]:
        return sum(energy(x.place.value(k), x.power[k], k) for k in range(6)), float(sum(x.power[k] for k in range(6)))


for device in ("numpy", "host"):
    best = run(DifferentialEvolution(20), Antennas(), stop=stop.iterations(3000), seed=1, parallel=device)
    front = run(
        NSGA2(mutation=PolynomialMutation(), size=20), FewWatts(), stop=stop.iterations(2000), seed=1, parallel=device
    ).front
    x: Any = best.solution
    print(device, best.cost, x.place.reals.round(3).tolist(), x.power.tolist())
    print(front.costs.round(3).tolist())
