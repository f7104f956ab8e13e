"""Draw the picture in docs/results/tours.md of tours against time, from what was measured.

``python -m docs.pictures.draw_tours`` from the root of the repository, with the extra `plot`. The rows are in tours.csv
beside this file: who, seconds, and the median excess over the optimum of pcb3038 in %, 0.001 for the optimum itself.
Where a machine is quiet, tests/benchmarks/test_tour_quality.py measures such rows.
"""

import csv
from itertools import groupby
from pathlib import Path

import matplotlib.pyplot as plt

from docs.building.svg import save_svg
from metaheur.pictures.axes import STYLE

HERE = Path(__file__).parent
plt.style.use([STYLE, HERE / "site.mplstyle"])

with (HERE / "tours.csv").open(encoding="utf-8") as file:
    rows = sorted(csv.DictReader(file), key=lambda row: (row["who"], float(row["seconds"])))

figure, axes = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
for who, points in groupby(rows, key=lambda row: row["who"]):
    seconds, gaps = zip(*((float(row["seconds"]), float(row["gap"])) for row in points), strict=True)
    other = {"linestyle": "--", "color": "gray", "zorder": 1} if who.startswith("fast-tsp") else {"zorder": 2}
    axes.plot(seconds, gaps, marker="o", label=who if other["zorder"] == 1 else f"metaheur, {who}", **other)
axes.set(xscale="log", yscale="log", xlabel="seconds", ylabel="excess, %; 0.001: optimal", title="pcb3038")
axes.legend()
save_svg(figure, HERE / "tours.svg")
