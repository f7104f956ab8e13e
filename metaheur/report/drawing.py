"""Pictures of the runs of an experiment with one objective."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from metaheur.errors import InputError
from metaheur.report.measures import OF_TARGETS, measured
from metaheur.report.tabulate import Grouped
from metaheur.running.result import Result

__all__ = ["Drawn", "costs_over_time", "performance_profiles", "targets_reached", "times_to_targets"]


class Drawn(Grouped, Protocol):
    """The parts of an experiment that pictures show; a `metaheur.Experiment` has them."""

    def methods(self) -> dict[str, tuple[str, str]]:
        """What makes the runs of a problem, a search and a parallel model, by name."""


def costs_over_time(runs: Drawn, x: str) -> Any:
    """The figure of `Experiment.plot`."""
    from metaheur.pictures.costs import plot_costs

    _require_cost(runs)
    return _by_problem(runs, lambda groups, _, ax: plot_costs(groups, x, ax=ax))


def times_to_targets(runs: Drawn, target: Any, x: str) -> Any:
    """The figure of `Experiment.plot_time_to_target`."""
    from metaheur.pictures.costs import plot_time_to_target

    _require_cost(runs)
    if target is None:
        aims = _aims(runs, "pass one: experiment.plot_time_to_target(1000).")
    else:
        aims = dict.fromkeys(runs.problems, target)

    def draw(groups: Mapping[str, list[Result]], problem: str, ax: Any) -> None:
        if problem not in aims:
            ax.text(0.5, 0.5, "no target", ha="center", transform=ax.transAxes)
            return
        plot_time_to_target(groups, aims[problem], x, ax=ax)

    return _by_problem(runs, draw)


def targets_reached(runs: Drawn, gaps: Sequence[float], x: str) -> Any:
    """The picture of `Experiment.plot_targets`."""
    from metaheur.pictures.distributions import plot_targets

    _require_cost(runs)
    targets = _aims(runs)

    def aims(result: Result, problem: str) -> list[Any]:
        target = targets[problem]
        *above, last = target if isinstance(target, tuple) else (target,)
        worse = [last if last is None else last + (-1 if result.maximise else 1) * gap * abs(last) for gap in gaps]
        return [(*above, each) for each in worse] if isinstance(target, tuple) else worse

    groups = {
        name: [(each, aims(each, problem)) for problem in targets for each in runs.results(problem, *pair)]
        for name, pair in runs.methods().items()
    }
    return _with_lacking(runs, plot_targets(groups, x), targets)


def performance_profiles(runs: Drawn, value: str) -> Any:
    """The picture of `Experiment.plot_profiles`."""
    from metaheur.pictures.distributions import plot_profiles

    known = ("ert", "ert_seconds", "seconds", "evaluated")
    if value not in known:
        raise InputError(f"`value` must be one of {', '.join(known)}, but is {value!r}.")
    aims: dict[str, Any] = {}
    if value in OF_TARGETS:
        _require_cost(runs)
        aims = _aims(runs)
    times: dict[str, dict[str, float]] = {}
    for problem in aims or runs.problems:
        times[problem] = {}
        for name, pair in runs.methods().items():
            results = runs.results(problem, *pair)
            if not results:
                raise InputError(f"{name} has no run on {problem} that is done.", "see `failures`.")
            least = 1e-9 if "seconds" in value else 1  # where the start is good enough
            times[problem][name] = max(least, measured(value, results, aims.get(problem)))
    return _with_lacking(runs, plot_profiles(times), times)


def _aims(runs: Drawn, maybe: str = "pass target= to run_many or read_experiment.") -> dict[str, Any]:
    """The target of each problem that has one."""
    found = {name: aim for name in runs.problems if (aim := runs.targets.get(name)) is not None}
    if not found:
        raise InputError(f"There is no target for {', '.join(runs.problems)}.", maybe)
    return found


def _with_lacking(runs: Drawn, ax: Any, problems: Mapping[str, Any]) -> Any:
    """A picture of some problems, with a title that says which ones are left out."""
    lacking = [name for name in runs.problems if name not in problems]
    if lacking:
        ax.set_title(f"without {', '.join(lacking)}: no target")
    return ax


def _require_cost(runs: Drawn) -> None:
    """Refuse fronts."""
    several = next((name for name in runs.problems if any(each.front for each in runs.results(name))), None)
    if several is not None:
        raise InputError(
            f"Runs of {several} have several objectives, not a cost.",
            "draw fronts, result.front.plot(), or use experiment.table(value='hypervolume').",
        )


def _by_problem(runs: Drawn, draw: Callable[[Mapping[str, list[Result]], str, Any], object]) -> Any:
    """A figure with a picture for each problem."""
    from metaheur.pictures.costs import figure

    groups = {
        problem: {name: found for name, pair in runs.methods().items() if (found := runs.results(problem, *pair))}
        for problem in runs.problems
    }
    done = {problem: group for problem, group in groups.items() if group}
    if not done:
        raise InputError("There is nothing to draw: no run is done.", "print the experiment, which says why.")
    drawn, axes = figure(len(done))
    for ax, (problem, group) in zip(axes, done.items(), strict=True):
        draw(group, problem, ax)
        ax.set_title(problem)
    return drawn
