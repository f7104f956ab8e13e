"""Any file of an instance as a problem."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.known import FORMATS, Format
from metaheur.problems.formats.recognition import recognise

__all__ = ["problem_from_file"]

_Reader: TypeAlias = Callable[[Any, str, Mapping[str, Any]], Problem]
"""Makes a problem of a path, the name of a format and options."""


def problem_from_file(path: str | os.PathLike[str], *, layout: str | None = None, **options: Any) -> Problem:
    """Read a file in any of the formats that metaheur knows.

    Parameters
    ----------
    path : path-like
        The file, perhaps compressed with gzip. JSON is an object with the name of a problem, or of one of its
        constructors, and their parameters: ``{"problem": "TSP.from_coordinates", "coordinates": [[0, 0], [3, 4]]}``.
    layout : str, optional
        Its format, one of `metaheur.problems.formats.known.FORMATS`; by default the one that it is recognised by.
    **options
        What the `from_file` of the problem takes: `number` of a file of several instances, `objectives` of a flow shop,
        `k` colors or groups of a graph. For routes within windows of time, levels=("vehicles", "distance") counts
        vehicles first.

    Raises
    ------
    InputError
        If the format is not known, leaves a choice or is of a problem that metaheur does not ship; if the reader
        refuses the file, or there is no such option.
    """
    if layout is None and read_text(path).lstrip()[:1] == "{":
        return _from_json(path)
    wanted = next((problems for option, problems in _TELLING.items() if option in options), ())
    form = recognise(path, wanted) if layout is None else _named(layout)
    if form.solves:
        raise InputError(
            f"{path} holds {form.says}, not an instance.",
            "name its instance: metaheur show SOLUTION INSTANCE takes both.",
        )
    if not form.problem:
        raise InputError(
            f"{path} is of a problem that metaheur does not ship: {form.says}.",
            "write one of your own: see `metaheur help compiled`.",
        )
    return _READERS[form.problem](path, form.name, options)


_TELLING: Final = MappingProxyType(
    {
        "k": ("GraphColoring", "GraphPartition"),
        "objectives": ("FlowShop",),
        "bins": ("BinPacking",),
        "vehicles": ("VehicleRouting",),
        "decimals": ("VRPTW",),
        "levels": ("VRPTW",),
    }
)
"""Options that the readers of few problems take: where a file leaves a choice, they say which problems it may be."""


def _named(layout: Any) -> Format:
    if layout not in FORMATS:
        raise InputError(f"`layout` must be one of {', '.join(map(repr, FORMATS))}, but is {layout!r}.")
    return FORMATS[layout]


def _given(what: str, options: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The options that a reader takes; others are refused."""
    for name in options:
        if name not in names:
            takes = f"takes {' and '.join(f'`{each}`' for each in names)}" if names else "takes none"
            raise InputError(f"`{name}` is not an option of {what}, which {takes}.", "leave it out.")
    return options


def _qap(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.qap import QAP

    _given("a quadratic assignment", options)
    return QAP.from_file(path)


def _several_qap(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.formats.knowles_corne import read_mqap
    from metaheur.problems.multi_objective import MultiObjective
    from metaheur.problems.qap import QAP

    _given("a quadratic assignment", options)
    distances, flows = read_mqap(path)
    return MultiObjective([QAP(distances, flow) for flow in flows])  # type: ignore[arg-type, unused-ignore]


def _tsp(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.tsp import TSP

    return TSP.from_file(path, layout=layout, **_given("a tour", options, "matrix_up_to"))


def _max_cut(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.max_cut import MaxCut

    _given("a maximum cut", options)
    return MaxCut.from_file(path, layout=layout)


def _qubo(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.qubo import QUBO

    return QUBO.from_file(path, layout=layout, **_given("a quadratic 0-1 problem", options, "number"))


def _knapsack(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.knapsack import Knapsack

    return Knapsack.from_file(path, layout=layout, **_given("a knapsack", options, "number"))


def _flow_shop(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.flow_shop import FlowShop

    return FlowShop.from_file(path, layout=layout, **_given("a flow shop", options, "number", "objectives"))


def _job_shop(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.job_shop import JobShop
    from metaheur.problems.job_shop_by_machines import MOST, JobShopByMachines

    shop = JobShop.from_file(path, **_given("a job shop", options, "number"))
    return JobShopByMachines(shop.order, shop.times) if shop.times.size <= MOST else shop


def _project(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.formats.psplib import read_project
    from metaheur.problems.multi_mode_rcpsp import MultiModeRCPSP
    from metaheur.problems.rcpsp import RCPSP

    _given("a project", options)
    found = read_project(path)
    return RCPSP.of(found) if found.plain else MultiModeRCPSP.of(found)


def _without_options(name: str, says: str) -> _Reader:
    """The reader of files that hold one instance of the problem of this name, and leave no choice."""

    def read(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
        import metaheur.problems as shipped

        _given(says, options)
        found: Problem = getattr(shipped, name).from_file(path)
        return found

    return read


def _generalized_assignment(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.generalized_assignment import GeneralizedAssignment

    options = _given("a generalised assignment", options, "number")
    return GeneralizedAssignment.from_file(path, layout=layout, **options)


def _vehicle_routing(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.vehicle_routing import VehicleRouting

    return VehicleRouting.from_file(path, **_given("vehicle routing", options, "vehicles"))


def _vrptw(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.vrptw import VRPTW, HierarchicalVRPTW

    given = _given("vehicle routing with time windows", options, "vehicles", "decimals", "levels")
    return _by_levels(path, given, VRPTW.from_file, HierarchicalVRPTW.from_file)


def _by_levels(
    path: Any, options: Mapping[str, Any], plain: Callable[..., Problem], first: Callable[..., Problem]
) -> Problem:
    """Routes by their length, or with few vehicles `first`, if the option `levels` says so."""
    given = dict(options)
    levels = given.pop("levels", ("distance",))
    kinds = {("distance",): plain, ("vehicles", "distance"): first}
    if tuple(levels) not in kinds:
        raise InputError(f'`levels` must be ("vehicles", "distance") or ("distance",), but is {levels!r}.')
    return kinds[tuple(levels)](path, **given)


def _fleet(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.fleet_routing import FleetRouting
    from metaheur.problems.formats.orienteering import read_chao, read_tsiligirides

    if layout in ("orienteering", "tsiligirides"):
        given = _given("orienteering", options, "decimals")
        return FleetRouting.orienteering((read_chao if layout == "orienteering" else read_tsiligirides)(path), **given)
    names = ("decimals", "cut", "open_routes")
    return FleetRouting.from_file(path, **_given("vehicle routing with unlike vehicles", options, *names))


def _trips(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.multi_trip_routing import MultiTripRouting

    return MultiTripRouting.from_file(path, **_given("several trips", options, "decimals", "cut", "reloads"))


def _pickups(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.pickup_and_delivery import HierarchicalPickupAndDelivery, PickupAndDelivery

    names = ("vehicles", "decimals", "levels") if "levels" in options else ("vehicles", "decimals", "fixed")
    given = _given("pickup and delivery", options, *names)
    return _by_levels(path, given, PickupAndDelivery.from_file, HierarchicalPickupAndDelivery.from_file)


def _bins(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.bin_packing import BinPacking

    return BinPacking.from_file(path, **_given("bin packing", options, "bins"))


def _graph_coloring(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.graph_coloring import GraphColoring

    if "k" not in _given("a graph coloring", options, "k"):
        raise InputError(
            f"{path} is a graph to be colored, and `k`, the number of colors, is missing.",
            "say k=20, and take fewer as long as a coloring of cost 0 is found.",
        )
    return GraphColoring.from_file(path, options["k"], layout=layout)


def _graph_partition(path: Any, layout: str, options: Mapping[str, Any]) -> Problem:
    from metaheur.problems.graph_partition import GraphPartition

    if "k" not in _given("a graph partition", options, "k"):
        raise InputError(f"{path} is a graph to be divided, and `k`, the number of groups, is missing.", "say k=4.")
    return GraphPartition.from_file(path, options["k"])


_READERS: Final[Mapping[str, _Reader]] = MappingProxyType(
    {
        "QAP": _qap,
        "MultiObjective": _several_qap,
        "TSP": _tsp,
        "MaxCut": _max_cut,
        "QUBO": _qubo,
        "Knapsack": _knapsack,
        "FlowShop": _flow_shop,
        "GeneralizedAssignment": _generalized_assignment,
        "JobShopByMachines": _job_shop,
        "FlexibleJobShop": _without_options("FlexibleJobShop", "a flexible job shop"),
        "PMedian": _without_options("PMedian", "a p-median"),
        "RCPSP": _project,
        "CourseTimetabling": _without_options("CourseTimetabling", "course timetabling"),
        "SequentialOrdering": _without_options("SequentialOrdering", "a sequential ordering"),
        "MaximumDiversity": _without_options("MaximumDiversity", "a maximum diversity"),
        "VehicleRouting": _vehicle_routing,
        "VRPTW": _vrptw,
        "BinPacking": _bins,
        "FleetRouting": _fleet,
        "MultiTripRouting": _trips,
        "PickupAndDelivery": _pickups,
        "GraphColoring": _graph_coloring,
        "GraphPartition": _graph_partition,
        "CarSequencing": _without_options("CarSequencing", "car sequencing"),
    }
)


def _from_json(path: str | os.PathLike[str]) -> Problem:
    """The problem that a file of JSON names, by its class or a constructor, with its fields."""
    import metaheur.problems as shipped

    try:
        fields = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} begins with a brace, but is not JSON: {error}.") from None
    name = str(fields.pop("problem", ""))
    kind = getattr(shipped, name.partition(".")[0], None) if name.partition(".")[0] in shipped.__all__ else None
    if not (isinstance(kind, type) and issubclass(kind, Problem)):
        raise InputError(
            f'{path} must name a problem, as "problem": "QAP", but names {name!r}.',
            'use one of those that "metaheur problems" lists.',
        )
    maker = name.partition(".")[2]
    make: Any = kind if not maker else None if maker.startswith("_") else getattr(kind, maker, None)
    if make is None or (maker and getattr(make, "__self__", None) is not kind):
        raise InputError(f"{path}: {kind.__name__} has no constructor {maker!r}.", f'write "{kind.__name__}".')
    try:
        made: Problem = make(**fields)
    except TypeError as error:
        raise InputError(f"{path}: {name} cannot be made: {error}.", "use the names of its parameters.") from None
    return made
