"""Draw the small pictures of the programs in the gallery, each an SVG that can be read on white and on black.

``python docs/pictures/program_cards.py`` from the root of the repository; a test draws them again and compares.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from docs.pictures.concepts import BLUE, GREEN, INK, PINK, RED, box, line, svg, text

HERE = Path(__file__).parent / "programs"
WIDTH, HEIGHT = 200, 90
COLORS = (BLUE, RED, GREEN, PINK)
Point = tuple[float, float]


def dot(place: Point, color: str = INK, radius: float = 3) -> str:
    """A filled circle."""
    return f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:g}" fill="{color}"/>'


def path(points: Iterable[Point], color: str, *, closed: bool = False, dashed: bool = False, width: float = 1.5) -> str:
    """A line through points."""
    through = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    end = "Z" if closed else ""
    return f'<path d="M{through}{end}" fill="none" stroke="{color}" stroke-width="{width:g}"{dashes}/>'


def spread(seed: int, count: int) -> list[Point]:
    """Points, none too near to another one."""
    draw, found = random.Random(seed), list[Point]()
    while len(found) < count:
        new = (draw.uniform(10, WIDTH - 10), draw.uniform(10, HEIGHT - 10))
        if all(math.dist(new, old) > 14 for old in found):
            found.append(new)
    return found


def ordered(points: list[Point]) -> list[Point]:
    """The points in the order of a tour that no exchange of two edges makes shorter."""
    tour, better = points[:], True
    while better:
        better = False
        for i in range(1, len(tour) - 1):
            for j in range(i + 1, len(tour)):
                a, b, c, d = tour[i - 1], tour[i], tour[j], tour[(j + 1) % len(tour)]
                if math.dist(a, c) + math.dist(b, d) < math.dist(a, b) + math.dist(c, d) - 1e-9:
                    tour[i : j + 1], better = tour[i : j + 1][::-1], True
    return tour


def falling(seed: int, *, levels: int = 9, first: float = 12, last: float = 78) -> list[Point]:
    """The best cost over time: it falls in steps, which become rarer."""
    draw, x, y = random.Random(seed), 14.0, first
    found = [(x, y)]
    for level in range(levels):
        x += draw.uniform(4, 12) * (1 + level / 3)
        if x > WIDTH - 14:
            break
        found.append((x, y))
        y += (last - y) * draw.uniform(0.2, 0.5)
        found.append((x, y))
    return [*found, (WIDTH - 8.0, y)]


def axes() -> Iterator[str]:
    """Two axes."""
    yield path([(12, 6), (12, 82), (194, 82)], INK, width=1)


def curves(*seeds: int, wavy: bool = False, cut: float = 0) -> Iterator[str]:
    """Costs over time, one for each seed: those accepted, too, or interrupted at a place."""
    yield from axes()
    for color, seed in zip(COLORS, seeds, strict=False):
        best = falling(seed)
        if wavy:
            draw = random.Random(seed)
            yield path([(x, min(80, y - draw.uniform(0, 16))) for x, y in falling(seed, levels=30)], INK, width=1)
        yield path(best, color, width=2)
    if cut:
        yield path([(cut, 6), (cut, 82)], RED, dashed=True)


def tour(seed: int, count: int = 22, *, near: bool = False, tabu: bool = False) -> Iterator[str]:
    """A tour; candidate edges behind it, or edges that are tabu."""
    points = ordered(spread(seed, count))
    if near:
        for a in points:
            for b in sorted(points, key=partial(math.dist, a))[1:4]:
                yield path([a, b], INK, width=0.7)
    yield path(points, BLUE, closed=True)
    if tabu:
        for k in range(2, count, 7):
            yield path([points[k], points[(k + 1) % count]], RED, width=3)
    yield from map(dot, points)


def routes(seed: int) -> Iterator[str]:
    """Routes from a depot."""
    depot, points = (WIDTH / 2, HEIGHT / 2), spread(seed, 20)
    points.sort(key=lambda each: math.atan2(each[1] - depot[1], each[0] - depot[0]))
    for k, color in enumerate(COLORS):
        route = ordered([depot, *points[5 * k : 5 * k + 5]])
        yield path(route, color, closed=True)
        yield from (dot(each, color) for each in route)
    yield box(depot[0] - 4, depot[1] - 4, 8, 8, INK, filled=1)


def cells(rows: int, columns: int, filled: Callable[[int, int], str]) -> Iterator[str]:
    """A grid whose cells have a color, or none."""
    side = min((WIDTH - 20) / columns, (HEIGHT - 14) / rows)
    left, top = (WIDTH - side * columns) / 2, (HEIGHT - side * rows) / 2
    for i in range(rows):
        for j in range(columns):
            color = filled(i, j)
            yield box(left + j * side, top + i * side, side - 2, side - 2, color or INK, filled=0.75 if color else 0.06)


def tree() -> Iterator[str]:
    """A tree with branches that are cut off."""
    draw, floor = random.Random(4), [(WIDTH / 2, 10.0)]
    for depth in range(1, 5):
        below = list[Point]()
        for k, above in enumerate(floor):
            for side in (-1, 1):
                child = (above[0] + side * 86 / 2**depth, 10 + 18.0 * depth)
                pruned = depth > 1 and draw.random() < 0.45 and (k, side) != (0, -1)
                yield path([above, child], RED if pruned else BLUE, width=1)
                yield dot(child, RED if pruned else BLUE, 2.5)
                below += [] if pruned else [child]
        floor = below
    yield dot((WIDTH / 2, 10), BLUE, 4)


def front(*, walked: bool = False) -> Iterator[str]:
    """Solutions that no other one dominates, before others."""
    yield from axes()
    draw = random.Random(3)
    best = [(24 + 18 * k, 12 + 64 * (1 - 1 / (1 + 0.4 * k) ** 1.5) / 0.9) for k in range(9)]
    others = [(x + draw.uniform(6, 60), y - draw.uniform(4, 40)) for x, y in best for _ in range(2)]
    yield from (dot(each, INK, 2) for each in others if 14 < each[0] < 194 and each[1] > 6)
    if walked:
        yield path(sorted(each for each in others if each[1] > 6)[::3], RED, width=1)
    yield path(best, BLUE)
    yield from (dot(each, BLUE) for each in best)


def islands(count: int = 4, *, lost: int = -1) -> Iterator[str]:
    """Populations on a ring that send solutions to each other."""
    draw = random.Random(count)
    for k in range(count):
        x = 28 + (WIDTH - 56) * k / (count - 1)
        color = INK if k == lost else COLORS[k % 4]
        yield f'<circle cx="{x:g}" cy="45" r="20" fill="none" stroke="{color}"/>'
        yield from (dot((x + draw.uniform(-11, 11), 45 + draw.uniform(-11, 11)), color, 2) for _ in range(6))
        if k == lost:
            yield path([(x - 14, 31), (x + 14, 59)], RED, width=2)
        if k:
            yield line(f"M{x - (WIDTH - 56) / (count - 1) + 21:g} 45H{x - 22:g}", head=True)


def bars(*rows: tuple[float, ...], depart: float = 0) -> Iterator[str]:
    """Rows of bars one behind the other, such as operations on machines."""
    height = (HEIGHT - 14) / len(rows)
    for i, row in enumerate(rows):
        x = 12 + depart * i
        for k, length in enumerate(row):
            yield box(x, 8 + i * height, length - 2, height - 4, COLORS[k % 4], filled=0.5)
            x += length


def intervals(*rows: tuple[float, float, float]) -> Iterator[str]:
    """A table of results: a mean, and an interval around it."""
    for k, (low, mean, high) in enumerate(rows):
        y = 18 + 18 * k
        yield box(10, y - 5, 34, 9, INK)
        yield path([(low, y), (high, y)], COLORS[k % 4])
        yield dot((mean, y), COLORS[k % 4], 4)


def landscape(*, jump: bool = False) -> Iterator[str]:
    """Costs along a line: many valleys."""
    points = [(x, 50 + 14 * math.sin(x / 9) + 12 * math.sin(x / 23 + 1) + 6 * math.sin(x / 4)) for x in range(8, 193)]
    yield path(points, BLUE)
    low = max(points[60:130], key=lambda each: each[1])
    deep = max(points[130:], key=lambda each: each[1])
    yield dot(low, RED, 4)
    if jump:
        yield line(
            f"M{low[0]:.1f} {low[1] - 6:.1f}Q{(low[0] + deep[0]) / 2:.1f} 0 {deep[0]:.1f} {deep[1] - 7:.1f}", head=True
        )
        yield dot(deep, GREEN, 4)


def reversal() -> Iterator[str]:
    """A segment of an order, reversed."""
    for k, number in enumerate((1, 2, 3, 4, 5, 6, 7, 8)):
        inside = 2 <= k <= 5
        for y, shown in ((14, number), (58, 9 - number if inside else number)):
            yield box(14 + 22 * k, y, 19, 19, RED if inside else BLUE)
            yield text(23.5 + 22 * k, y + 14, str(shown), anchor="middle")
        yield line(f"M{23.5 + 22 * k:g} 35L{23.5 + 22 * (7 - k if inside else k):g} 55", RED if inside else INK)


def nested(words: tuple[str, ...]) -> Iterator[str]:
    """Searches around searches."""
    for k, word in enumerate(words):
        yield box(10 + 10 * k, 6 + 17 * k, WIDTH - 20 - 20 * k, HEIGHT - 12 - 18 * k, COLORS[k], filled=0.1)
        yield text(18 + 10 * k, 18 + 17 * k, word, color=COLORS[k], bold=True)


def ruler(*marks: int) -> Iterator[str]:
    """A ruler."""
    step = (WIDTH - 30) / marks[-1]
    yield path([(15, 50), (WIDTH - 15, 50)], INK, width=3)
    for a in range(len(marks) - 1):
        x, end = 15 + step * marks[a], 15 + step * marks[a + 1]
        yield line(f"M{x:.1f} 44Q{(x + end) / 2:.1f} 14 {end:.1f} 44", BLUE)
        yield text((x + end) / 2, 24, str(marks[a + 1] - marks[a]), anchor="middle", color=BLUE)
    for each in marks:
        yield path([(15 + step * each, 44), (15 + step * each, 58)], RED, width=2)
        yield text(15 + step * each, 74, str(each), anchor="middle")


def network(seed: int, *, joined: bool) -> Iterator[str]:
    """A graph, with a tree that joins some vertices, or with arcs in an order."""
    points = spread(seed, 16)
    for a in points:
        for b in sorted(points, key=partial(math.dist, a))[1:4]:
            yield path([a, b], INK, width=0.6)
    if joined:
        inside, left = [points[0]], points[3::3]
        while left:
            a, b = min(((a, b) for a in inside for b in left), key=lambda pair: math.dist(*pair))
            yield path([a, b], BLUE, width=2.5)
            inside.append(b)
            left.remove(b)
    yield from (dot(each, BLUE if joined and k % 3 == 0 else INK) for k, each in enumerate(points))


def chosen(seed: int, share: float) -> Callable[[int, int], str]:
    """Cells that are filled at random."""
    draw = random.Random(seed)
    found = [[draw.random() < share for _ in range(64)] for _ in range(64)]
    return lambda i, j: BLUE if found[i][j] else ""


QUEENS = (0, 4, 7, 5, 2, 6, 1, 3)
CARDS: dict[str, Callable[[], Iterator[str]]] = {
    "01_quickstart": partial(curves, 7, 12),
    "02_custom_problem": partial(cells, 8, 8, lambda i, j: BLUE if j > i else ""),
    "03_custom_search": partial(curves, 5, wavy=True),
    "04_candidate_lists": partial(tour, 8, near=True),
    "05_custom_neighborhood": reversal,
    "06_kernel": partial(cells, 7, 18, lambda i, j: COLORS[j // 6]),
    "07_first_day": partial(curves, 9, cut=110),
    "08_parallel": partial(curves, 3, 4, 6, 8),
    "09_many_seeds": partial(intervals, (70, 98, 120), (92, 116, 140), (120, 142, 160), (130, 160, 188)),
    "10_tsp": partial(tour, 21, 30),
    "11_tabu_for_a_tour": partial(tour, 5, tabu=True),
    "12_compose": partial(nested, ("variable neighborhoods", "iterated", "tabu search")),
    "13_perturb": partial(landscape, jump=True),
    "14_pareto_front": front,
    "15_queens": partial(cells, 8, 8, lambda i, j: RED if QUEENS[i] == j else BLUE if (i + j) % 2 else ""),
    "16_golomb": partial(ruler, 0, 1, 4, 9, 11),
    "17_proof": tree,
    "18_compiled_state": partial(bars, (50, 40, 60), (70, 30), (34, 34, 60, 40), (90, 44)),
    "19_compiled_part": partial(curves, 14, wavy=True),
    "20_one_walk": partial(cells, 4, 16, lambda i, j: COLORS[j // 4]),
    "21_aggregated_tabu": partial(front, walked=True),
    "22_walks_that_cooperate": islands,
    "23_islands_on_dask": partial(islands, 4, lost=2),
    "24_islands_on_mpi": partial(islands, 3),
    "25_decoders": partial(bars, (40, 30, 50, 20), (30, 60, 30), (50, 20, 40), depart=14),
    "26_max_sat": partial(cells, 6, 16, chosen(6, 0.4)),
    "27_small_problems": partial(network, 17, joined=False),
    "28_folds": partial(routes, 12),
    "29_social_golfer": partial(cells, 4, 12, lambda i, j: COLORS[(j // 3 + i * (j % 3)) % 4]),
    "30_steiner_tree": partial(network, 23, joined=True),
    "31_nk_landscape": landscape,
    "32_weighted_tardiness": partial(bars, (26, 18, 34, 22, 40, 30)),
    "33_vehicle_routing": partial(routes, 31),
    "34_own_representation": partial(cells, 6, 14, lambda i, j: GREEN if (i + 2 * j) % 6 < 3 else ""),
    "35_course_timetable": partial(cells, 5, 12, lambda i, j: COLORS[(i + 2 * j) % 4] if (2 * i + j) % 5 else ""),
    "36_laboratory": partial(bars, (40, 26, 60), (22, 50, 34), (64, 30), (36, 44, 28), depart=10),
    "37_other_packages": partial(nested, ("pymoo", "Optuna", "metaheur")),
    "38_benchmarks_of_others": partial(curves, 4, 11),
    "39_real_numbers": partial(curves, 3, 5),
}
"""What draws the picture of each program."""

PICTURES: dict[str, Callable[[], str]] = {
    name: lambda draw=draw: svg(WIDTH, HEIGHT, draw())  # type: ignore[misc]
    for name, draw in CARDS.items()
}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / f"{name}.svg").write_text(draw(), encoding="utf-8")
