"""The exact hypervolume of a front: the measure of the region that it dominates, up to a reference point.

Source: E. Zitzler and L. Thiele, "Multiobjective evolutionary algorithms: a comparative case study and the strength
Pareto approach", IEEE Transactions on Evolutionary Computation 3, 1999.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from importlib import import_module
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.archive import Archive, youngest_lowest
from metaheur.errors import InputError
from metaheur.source import Source, join, piece
from metaheur.validate import whole_field

__all__ = ["HypervolumeContribution", "hypervolume", "measured_alone", "moocore", "with_measures"]

MOST_OBJECTIVES = 4
"""The most objectives of a contribution: more would take too long."""


def with_measures(path: str) -> Source:
    """The C++ half in a file of the package, after the measures of what members dominate alone."""
    return Source(join((piece("archives/alone.cuh"), piece(path))), f"metaheur/{path}")


def hypervolume(costs: Any, reference: Any, *, device: str = "numpy") -> int | float:
    """The area or volume that costs dominate, up to a reference point.

    Parameters
    ----------
    costs : array_like, shape (N, K)
        K of 2 or more; dominated and repeated costs add nothing.
    reference : array_like, shape (K,)
        The corner of the measured region; costs that are not below it in every objective add nothing.
    device : str, keyword-only
        "numpy" by default. With three objectives, for many costs "host", "cuda", "cuda:1" and so on, which take O(N²)
        work by N threads. With four or more objectives the package moocore computes it on a CPU (extra `mo`).

    Returns
    -------
    int or float
        An exact integer if costs and reference are integers; with four or more objectives where the box from the lowest
        costs up to the reference has a measure below 2**53, else a float. Sums of other numbers are rounded differently
        by devices.

    Raises
    ------
    InputError
        If the shapes do not match, K is below 2, or a number is not finite; on a compiled device, if integers span
        2**31 or more in an objective; with four or more objectives, on a GPU or without moocore.
    DeviceError
        If the device is not available.

    Examples
    --------
    >>> hypervolume([[1, 3], [2, 1]], [4, 4])
    7
    """
    points, corner = np.asarray(costs), np.asarray(reference)
    if points.ndim != 2 or points.shape[1] < 2 or corner.shape != points.shape[1:]:
        raise InputError(
            f"The hypervolume takes costs of the shape (N, K) and one reference number for each of K >= 2 objectives, "
            f"but has costs of {points.shape} and a reference of {corner.shape}."
        )
    if not (np.isfinite(points).all() and np.isfinite(corner).all()):
        raise InputError("The hypervolume takes finite numbers only, but costs or reference hold others.")
    below = np.logical_and.reduce([points[:, k] < corner[k] for k in range(points.shape[1])])
    inside = points if below.all() else points[below]
    if not len(inside):
        return 0
    if points.shape[1] > 3:
        return _of_many_objectives(inside, corner, device)
    if device not in ("numpy", "host") or (device == "host" and points.shape[1] == 3):
        from metaheur.archives.volume import volume_on

        return volume_on(device, inside, corner)
    if points.shape[1] == 2:
        return _area(inside, corner)
    rows = inside[np.lexsort(inside.T)].tolist()  # by the last objective: Python's integers do not overflow
    found: int | float = _volume(rows, corner.tolist())
    return found


def moocore() -> Any:
    """The package moocore, which is optional. Raises InputError if it is not installed."""
    try:
        return import_module("moocore")
    except ImportError as error:
        raise InputError("This needs moocore, which is not installed.", "pip install 'metaheur[mo]'.") from error


def _box(points: np.ndarray, corner: np.ndarray) -> int | None:
    """The measure of the box that holds the region of integers; None of other numbers."""
    if "f" in (points.dtype.kind, corner.dtype.kind):
        return None
    sides = corner.astype(object) - points.min(axis=0).astype(object)
    return int(np.prod(sides))


def _of_many_objectives(points: np.ndarray, corner: np.ndarray, device: str) -> int | float:
    """By moocore, in float64: whole numbers below 2**53 are exact there."""
    if device not in ("numpy", "host"):
        raise InputError(
            f"A GPU measures hypervolumes of two or three objectives, but there are {points.shape[1]}.",
            'use device="numpy".',
        )
    box = _box(points, corner)
    exact = box is not None and box < 2**53
    low = points.min(axis=0) if exact else 0  # so that whole numbers are small
    found = float(moocore().hypervolume((points - low).astype(float), ref=(corner - low).astype(float)))
    return int(found) if exact else found


def _area(points: np.ndarray, corner: np.ndarray) -> int | float:
    """The area of points by ascending y: each adds a rectangle below that of the point before."""
    box = _box(points, corner)
    if box is not None and box >= 2**62:
        points, corner = points.astype(object), corner.astype(object)
    elif box is not None:
        points, corner = points.astype(np.int64), corner.astype(np.int64)
    x, y = np.ascontiguousarray(points.T)
    order = np.argsort(y)
    x, y = x[order], y[order]
    right = np.minimum.accumulate(np.concatenate([corner[:1], x]))
    total: Any = (right[:-1] - right[1:]) @ (corner[1] - y)
    return int(total) if box is not None else float(total)


def _volume(rows: list[list[Any]], corner: list[Any]) -> Any:
    """The volume of points with ascending z: slice by slice the area of the staircase of the points so far."""
    total: Any = 0
    area: Any = 0
    last: Any = None
    xs: list[Any] = []  # the staircase: x ascends, y descends
    ys: list[Any] = []
    for x, y, z in rows:
        if last is not None:
            total += area * (z - last)
        last = z
        left = bisect_right(xs, x)
        if left and ys[left - 1] <= y:
            continue
        first = bisect_left(xs, x)
        end = first
        top = ys[first - 1] if first else corner[1]
        at = x
        while end < len(xs) and ys[end] >= y:  # the steps that the new point covers
            area += (xs[end] - at) * (top - y)
            at, top = xs[end], ys[end]
            end += 1
        area += ((xs[end] if end < len(xs) else corner[0]) - at) * (top - y)
        xs[first:end], ys[first:end] = [x], [y]
    return total + area * (corner[2] - last) if last is not None else 0


@final
@frozen
class HypervolumeContribution(Archive):
    """Removes the member without which the hypervolume is largest.

    For each objective a member with the smallest value is never removed: the oldest, if several have it. The reference
    point is a tenth of the members' range beyond their largest values, so that the ends of the front count, too.

    Parameters
    ----------
    capacity : int
        The largest number of members, 4 or more; it must exceed the number of objectives.

    Notes
    -----
    For two to four objectives. N. Beume, B. Naujoks and M. Emmerich, "SMS-EMOA: multiobjective selection based on
    dominated hypervolume", European Journal of Operational Research 181, 2007. Contributions are computed anew after
    each removal, slice by slice; for 3 or more objectives the work is the K-th power of the capacity.
    """

    capacity: int = whole_field(4, maybe="use 4 or more.")

    source: ClassVar[Source] = with_measures("archives/hypervolume.cuh")

    @property
    def limit(self) -> int:
        return self.capacity

    def require(self, objectives: int) -> None:
        if objectives > MOST_OBJECTIVES:
            raise InputError(
                f"HypervolumeContribution knows two to four objectives, but there are {objectives}.",
                "use Crowding or Grid.",
            )

    def worst(self, costs: np.ndarray) -> int:
        return youngest_lowest(measured_alone(costs))


def measured_alone(costs: np.ndarray) -> np.ndarray:
    """What each of some non-dominated costs of two to four objectives dominates alone; float64, shape (N,).

    The region ends a tenth of the costs' range beyond their largest values. For each objective the first cost with the
    smallest value has an infinite measure. `Alone` in C++.

    `costs`: shape (N, K).
    """
    points = costs.astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    corner = high + 0.1 * (high - low)
    found = (_areas if costs.shape[1] == 2 else _volumes)(points, corner)
    found[np.argmin(costs, axis=0)] = np.inf
    return found


def _areas(points: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """The area that each of some non-dominated points dominates alone: a rectangle between its neighbors."""
    order = np.argsort(points[:, 0], kind="stable")
    x, y = points[order].T
    found = np.empty(len(points))
    found[order] = (np.append(x[1:], corner[0]) - x) * (np.append(corner[1], y[:-1]) - y)
    return found


def _volumes(points: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """The volume that each of some non-dominated points dominates alone, in slices between the other heights."""
    orders = [np.argsort(column, kind="stable") for column in points.T]
    last = points.shape[1] - 1
    others = ~np.eye(len(points), dtype=bool)
    return np.array([_alone(points, corner, p, last, orders, others[p]) for p in range(len(points))])


def _alone(  # noqa: PLR0913, PLR0917 - a point among others
    points: np.ndarray, corner: np.ndarray, p: int, k: int, orders: list[np.ndarray], there: np.ndarray
) -> float:
    """The measure, in the first k + 1 objectives, that the point p dominates and none of the given others."""
    if k == 1:
        by_x = orders[0]
        return _exclusive(points[by_x[there[by_x]]], points[p, 0], points[p, 1], corner)

    def slice_of(height: float) -> float:
        return _alone(points, corner, p, k - 1, orders, there & (points[:, k] <= height))

    total, height = 0.0, points[p, k]
    measure = slice_of(height)
    for following in points[orders[k], k]:
        if following > height:
            total += (following - height) * measure
            height = following
            measure = slice_of(height)
    return float(total + (corner[k] - height) * measure)


def _exclusive(others: np.ndarray, x: float, y: float, corner: np.ndarray) -> float:
    """The area above and right of (x, y) that no other point covers; the other points come by ascending x."""
    at = np.concatenate([[x], np.maximum(others[:, 0], x), [corner[0]]])
    top = np.minimum.accumulate(np.concatenate([[corner[1]], np.maximum(others[:, 1], y)]))
    return float(np.add.accumulate((at[1:] - at[:-1]) * (top - y))[-1])
