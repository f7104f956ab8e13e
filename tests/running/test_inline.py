import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from metaheur import run_many, solve, stop
from metaheur.archives import Front
from metaheur.neighborhoods import Hamming
from metaheur.pictures import axes
from metaheur.problems import FlowShop, Knapsack, OneMax
from metaheur.running import inline
from metaheur.running.inline import points, steps
from metaheur.running.result import Result
from metaheur.searches import TabuSearch


def svg_of(html: str) -> ET.Element:
    found = re.search(r"<svg.*?</svg>", html, re.DOTALL)
    assert found
    return ET.fromstring(found[0])


@pytest.fixture(scope="module")
def result() -> Result:
    return solve(OneMax(30), work=3_000, parallel="numpy", report=False)


def test_a_curve_has_a_step_for_each_point() -> None:
    (path,) = (each for each in svg_of(steps([("a < b", [(0, 9), (1, 5), (3, 4)])])) if each.tag.endswith("path"))
    assert re.findall(r"[MHV]", path.attrib["d"]) == ["M", "H", "V", "H", "V"]
    assert path[0].text == "a < b"
    heights = [float(each) for each in re.findall(r"V([\d.]+)", path.attrib["d"])]
    assert heights == sorted(heights)  # a lower cost is drawn further down


@pytest.mark.parametrize("places", [[(1.0, 1.0)], [(0.0, 5.0), (3.0, 5.0)]])
def test_points_on_a_line_are_drawn(places: list[tuple[float, float]]) -> None:
    assert len([each for each in svg_of(points(places, "x", "y")) if each.tag.endswith("circle")]) == len(places)


def test_without_points_there_is_no_picture() -> None:
    assert steps([("none", [])]) == points([], "x", "y") == ""


def test_a_result_shows_its_table_and_its_cost_over_time(result: Result) -> None:
    html = result._repr_html_()
    assert "OneMax" in html
    assert svg_of(html)[0].text == "best cost over seconds"
    assert result.curve()[-1] == (result.seconds, result.cost)


def test_an_experiment_shows_a_curve_for_each_search() -> None:
    searches = {"short": TabuSearch(Hamming(1), (0.1, 0.2)), "long": TabuSearch(Hamming(1), (0.3, 0.4))}
    experiment = run_many(searches, OneMax(12), seeds=[1, 2], stop=stop.iterations(5), parallel="numpy")
    drawn = svg_of(experiment._repr_html_())
    assert [each[0].text for each in drawn if each.tag.endswith("path")] == ["short", "long"]


def test_a_front_shows_its_points() -> None:
    shop = FlowShop(np.random.default_rng(1).integers(1, 20, (6, 3)), objectives=("makespan", "total flow time"))
    front = Front.from_solutions(shop, [np.random.default_rng(seed).permutation(6) for seed in range(9)])
    html = front._repr_html_()
    assert "makespan" in html
    assert len([each for each in svg_of(html) if each.tag.endswith("circle")]) == len(front)


def test_a_proof_shows_its_bound() -> None:
    proof = solve(Knapsack.single([6, 5, 4], [3, 2, 2], 4), parallel="numpy", report=False).proof
    assert proof is not None
    assert "optimal" in proof._repr_html_()


def test_improvements_are_a_data_frame(result: Result) -> None:
    pytest.importorskip("pandas")
    frame = result.to_dataframe()
    assert list(frame["cost"]) == [each.cost for each in result.improvements]


def test_all_pictures_have_the_colors_of_the_style_sheet() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    sheet = Path(axes.__file__).with_name("metaheur.mplstyle")
    cycle = matplotlib.rc_params_from_file(sheet, use_default_template=False)["axes.prop_cycle"]
    assert tuple(color for color in cycle.by_key()["color"]) == inline.COLORS
    matplotlib.use("Agg")
    (line,) = axes.new_axes().plot([0, 1])
    assert line.get_color().lower().endswith("0072b2")
    pytest.importorskip("matplotlib.pyplot").close("all")
