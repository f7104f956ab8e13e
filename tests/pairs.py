"""Small instances of every shipped problem, with data as wide as its types hold, and the neighborhoods that fit."""

from collections.abc import Callable
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import (
    AcrossCopies,
    AdjacentSwap,
    Confined,
    FlipMove,
    Hamming,
    Insertion,
    Interchange,
    On,
    OnEach,
    OrOpt,
    Product,
    Restricted,
    Sampled,
    Shift,
    Substitution,
    SubstitutionMove,
    Swap,
    SwapMove,
    ThreeOpt,
    TwoOpt,
    TwoOptMove,
    Union,
)
from metaheur.neighborhoods.interchange import members
from metaheur.problem import Problem, change_type
from metaheur.problems import (
    CVRP,
    PPP,
    QAP,
    QUBO,
    RCPSP,
    TSP,
    FlexibleJobShop,
    FlowShop,
    GeneralizedAssignment,
    GraphColoring,
    JobShop,
    JobShopByMachines,
    Knapsack,
    KnapsackSharing,
    MaxCut,
    MaximumDiversity,
    MultiObjective,
    MultipleKnapsack,
    OneMax,
    PMedian,
    Scalarised,
    SequentialOrdering,
    VehicleRouting,
)
from metaheur.representation import BitString, Representation

MOST = 2**62


def _scaled(array: np.ndarray, factor: int) -> np.ndarray:
    """The product, which must not overflow."""
    product = array.astype(object) * factor
    if np.abs(product).max(initial=0) >= MOST:
        raise InputError("too large")
    return product.astype(np.int64)


def widest(make: Callable[[int], Any], fits: Callable[[Any], bool] = lambda problem: True) -> Problem:
    """`make(factor)` with the largest factor for which it is accepted and fits."""

    def good(factor: int) -> bool:
        try:
            return fits(make(factor))
        except InputError:
            return False

    low = 1
    assert good(low)
    while good(2 * low):
        low *= 2
    high = 2 * low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if good(middle) else (low, middle)
    return make(low)  # type: ignore[no-any-return]


def narrow(move: type[Move]) -> Callable[[Problem], bool]:
    """Whether changes of cost under such moves are of 32 bits."""
    return lambda problem: change_type(problem, (move,)) == "int32"


def _numbers(*shape: int) -> np.ndarray:
    """Whole numbers in 1 ... 29, every other one at an end of the range."""
    generator = np.random.default_rng(7)
    inside, ends = generator.integers(1, 30, shape), generator.choice([1, 29], shape)
    return np.where(generator.random(shape) < 0.5, inside, ends)


_SQUARE, _OTHER = _numbers(2, 8, 8) - 9
_DISTANCES = _numbers(8, 8)
_SOME = np.array([(0, 3), (3, 5), (0, 5), (2, 7), (1, 4)])
_PLACES = _numbers(8, 2)
_TIMES = _numbers(8, 3)
_EDGES = np.argwhere(np.triu(_numbers(10, 10) < 15, 1))
_WEIGHTS = _numbers(len(_EDGES)) - 9
_MATRIX = _numbers(10, 10) - 15
_PROFITS, *_LOADS = _numbers(4, 10)
_NEAR = TSP.from_coordinates(_PLACES).nearest(3)


def _qap(a: np.ndarray, b: np.ndarray) -> Callable[[int], QAP]:
    return lambda factor: QAP(_scaled(a, factor), _scaled(b, factor))


def _cut(factor: int) -> MaxCut:
    return MaxCut.from_edges(10, _EDGES, _scaled(_WEIGHTS, factor))


def _single(factor: int) -> Knapsack:
    return Knapsack.single(_scaled(_PROFITS, factor), _scaled(_LOADS[0], factor), 70 * factor)


def _several(factor: int) -> Knapsack:
    loads, capacities = _scaled(np.array(_LOADS), factor), _scaled(np.array([70, 60, 80]), factor)
    return Knapsack(_scaled(_PROFITS, factor), loads, capacities)


def _multiple(factor: int) -> MultipleKnapsack:
    return MultipleKnapsack(
        _scaled(_PROFITS, factor), _scaled(_LOADS[0], factor), _scaled(np.array([40, 20, 30]), factor)
    )


def _assigned(factor: int) -> GeneralizedAssignment:
    loads = _scaled(np.array(_LOADS)[:, :8], factor)
    return GeneralizedAssignment(_scaled(_TIMES.T, factor), loads, np.full(3, 40 * factor))


def _diverse(factor: int) -> MaximumDiversity:
    return MaximumDiversity(_scaled(_SQUARE + _SQUARE.T - 2 * np.diag(np.diag(_SQUARE)), factor), 3)


def _median(factor: int) -> PMedian:
    return PMedian(_scaled(np.abs(_SQUARE), factor), 3)


def _jobs(factor: int) -> JobShop:
    return JobShop(np.argsort(_TIMES[:4], axis=1, kind="stable"), _scaled(_TIMES[:4], factor))


def _sharing(factor: int) -> KnapsackSharing:
    return KnapsackSharing(_scaled(_PROFITS, factor), _scaled(_LOADS[0], factor), np.arange(10) % 3, 70 * factor)


def _shop(factor: int) -> FlowShop:
    return FlowShop(_scaled(_TIMES, factor))


def _routes(factor: int) -> CVRP:
    distances = _scaled((_DISTANCES + _DISTANCES.T)[:7, :7], factor)
    return CVRP(_scaled(np.arange(6) % 3 + 1, factor), distances, 5 * factor, 3)


def _apart(matrix: np.ndarray) -> Callable[[int], TSP]:
    return lambda factor: TSP.from_matrix(_scaled(matrix, factor))


def _places(shift: float) -> Callable[[int], TSP]:
    return lambda factor: TSP.from_coordinates(_scaled(_PLACES, factor) + shift, matrix_up_to=0)


def _whole(tsp: TSP) -> bool:
    return bool(tsp.tables(tsp.representation)["points"].dtype == np.int32)


INSTANCES: dict[str, Problem] = {
    "OneMax": OneMax(10),
    "QUBO": widest(lambda factor: QUBO(_scaled(_MATRIX, factor)), narrow(FlipMove)),
    "QUBO, int64": widest(lambda factor: QUBO(_scaled(_MATRIX, factor))),
    "MaxCut": widest(_cut, narrow(FlipMove)),
    "MaxCut, int64": widest(_cut),
    "PPP": PPP.random(9, 10, 1),
    "Knapsack, one constraint": widest(_single, narrow(FlipMove)),
    "Knapsack, three constraints": widest(_several, narrow(FlipMove)),
    "Knapsack, int64": widest(_single),
    "KnapsackSharing": widest(_sharing, narrow(FlipMove)),
    "MultipleKnapsack": widest(_multiple, narrow(SubstitutionMove)),
    "GeneralizedAssignment": widest(_assigned, narrow(SubstitutionMove)),
    "MaximumDiversity": widest(_diverse, narrow(SwapMove)),
    "PMedian": widest(_median, narrow(SwapMove)),
    "JobShop": widest(_jobs, narrow(SwapMove)),
    "GraphColoring": GraphColoring(10, _EDGES, 4),
    "QAP, symmetric": widest(_qap(_SQUARE + _SQUARE.T, _OTHER + _OTHER.T), narrow(SwapMove)),
    "QAP, asymmetric": widest(_qap(_SQUARE, _OTHER), narrow(SwapMove)),
    "QAP, int64": widest(_qap(_SQUARE, _OTHER)),
    "FlowShop, int16 kept": widest(_shop, lambda shop: shop.longest < 2**15),
    "FlowShop, release times": FlowShop(_TIMES, release_times=20 * np.arange(8)[::-1]),
    "FlowShop, int32 kept": widest(_shop, narrow(SwapMove)),
    "FlowShop, int64": widest(_shop),
    "CVRP": widest(_routes, narrow(SwapMove)),
    "CVRP, int64": widest(_routes),
    "TSP, whole coordinates": widest(_places(0), _whole),
    "TSP, coordinates": widest(_places(0.25), narrow(TwoOptMove)),
    "TSP, matrix": widest(_apart(_DISTANCES + _DISTANCES.T), narrow(TwoOptMove)),
    "TSP, asymmetric": widest(_apart(_DISTANCES), narrow(TwoOptMove)),
    "TSP, asymmetric, int64": widest(_apart(_DISTANCES)),
}
"""Every shipped problem, once for each way in which its C++ half is compiled; the name begins with the class's."""

NEIGHBORHOODS: tuple[Neighborhood, ...] = (
    Hamming(1),
    Hamming(2),
    Hamming(3),
    Union(Hamming(1), Hamming(2), Hamming(3)),
    Sampled(Hamming(2), 20),
    Confined(Hamming(2), np.array([0, 2, 3, 5, 8])),
    Substitution(),
    Sampled(Substitution(), 20),
    Interchange(),
    Shift(),
    Swap(),
    AdjacentSwap(),
    Insertion(),
    TwoOpt(),
    OrOpt(),
    ThreeOpt(),
    Restricted(TwoOpt(), _NEAR),
    Union(Swap(), Insertion()),
    Sampled(Union(Restricted(OrOpt(), _NEAR), Swap()), 20),
)
"""Every shipped neighborhood, for each representation that it acts on."""

SAME = {QAP: (AdjacentSwap, OrOpt, ThreeOpt, Restricted), FlowShop: (AdjacentSwap, OrOpt, ThreeOpt, Restricted)}
"""Neighborhoods whose moves a problem evaluates as those of another one: by one formula, or in full."""

MADE_OF_OTHERS: set[type] = {
    RCPSP,
    FlexibleJobShop,
    JobShopByMachines,
    MultiObjective,
    Scalarised,
    SequentialOrdering,
    VehicleRouting,
    AcrossCopies,
    On,
    OnEach,
    Product,
}
"""Problems and neighborhoods that do what their parts do, or need such neighborhoods; they have tests of their own."""

JUDGED: dict[str, tuple[Problem, tuple[Neighborhood, ...]]] = {
    "FlexibleJobShop": (FlexibleJobShop(np.array([3, 3, 2]), _TIMES), (Insertion(),)),
    "JobShopByMachines": (
        JobShopByMachines(np.argsort(_TIMES[:4], axis=1, kind="stable"), _TIMES[:4]),
        (OnEach(Insertion()), OnEach(AdjacentSwap())),
    ),
    "RCPSP": (RCPSP(_TIMES[:, 0], _TIMES[:, 1:], _TIMES.max(axis=0)[1:], _SOME), (Insertion(),)),
    "SequentialOrdering": (SequentialOrdering(_DISTANCES, _SOME), (Insertion(), OrOpt(4))),
}
"""Problems with hard constraints, and the neighborhoods whose moves they judge."""

FIRST: dict[type, str] = {}
"""For each class of problem, the name of its first instance."""
for _name, _problem in INSTANCES.items():
    FIRST.setdefault(type(_problem), _name)


def acting_on(space: Representation) -> list[Neighborhood]:
    """The neighborhoods that act on such solutions, without those that make the moves of others: flips, swaps."""
    if members(space):
        return [Interchange()]  # all others waste moves inside a subset
    others: set[type[Move]] = {SwapMove, SubstitutionMove} if isinstance(space, BitString) else set()
    found = [each for each in NEIGHBORHOODS if each.supports(space) and not others & {*each.move_types}]
    return [each for each in found if each != Interchange()] if space.arranges else found


def fitting(name: str, *, every: bool = False) -> list[Neighborhood]:
    """The neighborhoods of an instance; only a problem's first has all, unless `every`.

    The others have no unions and samples, which are made of the same pieces, and nothing twice.
    """
    problem = INSTANCES[name]
    found = acting_on(problem.representation)
    if isinstance(problem, PPP):  # which has no cost in C++
        found = [each for each in found if not isinstance(each, Shift)]
    if every or FIRST[type(problem)] == name:
        return found
    return [each for each in found if not isinstance(each, (Union, Sampled, *SAME.get(type(problem), ())))]


def shipped(package: Any, kind: type) -> set[type]:
    """The classes of a kind that a package exports and that have a C++ half."""
    found = (getattr(package, name) for name in package.__all__)
    classes = (each for each in found if isinstance(each, type) and issubclass(each, kind))
    return {each for each in classes if getattr(each, "source", None) is not None}
