"""A notebook: each picture is shown, the user's own stay as they were, and tables are tables."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs import test_look

pytest.importorskip("matplotlib")
nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
nbconvert = pytest.importorskip("nbconvert")
pytest.importorskip("ipykernel")

CELLS = (
    "from metaheur import HillClimbing, TabuSearch, run, stop\nfrom metaheur.neighborhoods import Swap",
    "from metaheur.problems import QAP, TSP\nfrom metaheur.report import run_many\nimport matplotlib.pyplot as plt",
    "qap = QAP.taillard(12)",
    "result = run(TabuSearch(Swap()), qap, stop=stop.iterations(60), seed=1, parallel='numpy')",
    "result",
    "result.plot(); None",
    "plt.plot([1, 2, 3]); None",
    "plt.rcParams['axes.grid'], plt.isinteractive()",
    "tour = run(HillClimbing(Swap()), TSP.random(9, 1), stop=stop.iterations(9), seed=1, parallel='numpy')",
    "tour.plot(); None",
    "searches = {'tabu': TabuSearch(Swap()), 'descent': HillClimbing(Swap())}",
    "many = run_many(searches, qap, seeds=range(4), stop=stop.iterations(30), parallel='numpy', progress=False)",
    "many",
    "many.table()",
    "plt.plot([3, 1, 2]); None",
)
look = test_look.look
FINDS = test_look.PAGE.format(test_look.SEARCH)
PICTURES = (5, 6, 9, 14)
"""The cells that show one."""


@pytest.fixture(scope="module")
def run_notebook(tmp_path_factory: pytest.TempPathFactory) -> object:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    folder = tmp_path_factory.mktemp("notebook")
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return notebook


def kinds(notebook: object, cell: int) -> list[str]:
    outputs = notebook.cells[cell].outputs  # type: ignore[attr-defined]
    return [kind for each in outputs for kind in each.get("data", {})]


@pytest.mark.thorough
def test_every_picture_is_shown_and_the_style_of_the_user_stays(run_notebook: object) -> None:
    assert [k for k in range(len(CELLS)) if "image/png" in kinds(run_notebook, k)] == list(PICTURES)
    assert run_notebook.cells[7].outputs[0]["data"]["text/plain"] == "(False, True)"  # type: ignore[attr-defined]


@pytest.mark.thorough
def test_tables_are_tables_and_text_has_a_fixed_font(run_notebook: object, tmp_path: Path) -> None:
    html, _ = nbconvert.HTMLExporter().from_notebook_node(run_notebook)
    (tmp_path / "notebook.html").write_text(html, encoding="utf-8")
    assert len(re.findall(r"<table", html)) == 2
    assert len(re.findall(r"<td[^>]*>descent</td>", html)) >= 1
    (result,) = re.findall(r'<pre style="([^"]*)">', html[html.index("result</span>") :])[:1]
    assert "monospace" in result
    assert len(re.findall(r'<img[^>]*src="data:image/png', html)) == len(PICTURES)


@pytest.mark.thorough
def test_its_html_fits_a_desk_and_can_be_read_in_a_browser(run_notebook: object, look: Any, tmp_path: Path) -> None:
    html, _ = nbconvert.HTMLExporter().from_notebook_node(run_notebook)
    html = re.sub(r"<script[^>]*>.*?</script>", "", html, flags=re.DOTALL)  # nothing is fetched
    page = html.replace("<main>", "<article>").replace("</main>", "</article>")  # which the look is about
    (tmp_path / "notebook.html").write_text(page, encoding="utf-8")
    (tmp_path / "search.html").write_text(FINDS, encoding="utf-8")
    assert look.looked(tmp_path, "desk", "light")["found"] == []
