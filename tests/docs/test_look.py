"""What is wrong with the look of a page is found: with a browser, where there is one."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).resolve().parents[2] / ".ci" / "look.py"
PAGE = "<!doctype html><body style='margin:0'><article>{}</article></body>"
SEARCH = """<ul id="search-results"></ul><script>
if (location.search == "?q=tabu") document.querySelector("ul").innerHTML = "<li>found</li>";
</script>"""

CUT = "<div class='table-wrapper' style='width:300px;overflow:auto'><table style='width:900px'><tr>{}</table></div>"


@pytest.fixture(scope="module")
def look() -> Any:
    spec = importlib.util.spec_from_file_location("look", PATH)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if module.browser() is None:
        pytest.skip(f"no browser is there, of {', '.join(module.BROWSERS)}")
    return module


@pytest.mark.thorough
def test_what_is_too_wide_or_cut_or_too_pale_is_named(look: Any, tmp_path: Path) -> None:
    pages = {
        "good": "<p>text</p>",
        "wide": "<pre style='width:900px'>text</pre>",
        "pale": "<p style='color:#ccc'>text</p>",
        "cut": CUT.format("<td>" * 5),
        "few": CUT.format("<td>" * 4),
        "in the dark": "<style>[data-theme=dark] p {background: #222; color: #444}</style><p>text</p>",
    }
    for name, inside in pages.items():
        (tmp_path / f"{name}.html").write_text(PAGE.format(inside), encoding="utf-8")
    (tmp_path / "search.html").write_text(PAGE.format(SEARCH), encoding="utf-8")
    assert sorted(look.wrong(tmp_path)) == [
        "desk, dark: cut.html cuts columns off: a table is 900 pixels wide, its place 300",
        "desk, dark: few.html cuts columns off: a table is 900 pixels wide, its place 300",
        'desk, dark: in%20the%20dark.html has <p> "text" with a contrast of 1.6',
        'desk, dark: pale.html has <p> "text" with a contrast of 1.6',
        "desk, light: cut.html cuts columns off: a table is 900 pixels wide, its place 300",
        "desk, light: few.html cuts columns off: a table is 900 pixels wide, its place 300",
        'desk, light: pale.html has <p> "text" with a contrast of 1.6',
        "phone, dark: few.html cuts columns off: a table is 900 pixels wide, its place 300",
        'phone, dark: in%20the%20dark.html has <p> "text" with a contrast of 1.6',
        'phone, dark: pale.html has <p> "text" with a contrast of 1.6',
        "phone, dark: wide.html is 900 pixels wide",
        "phone, light: few.html cuts columns off: a table is 900 pixels wide, its place 300",
        'phone, light: pale.html has <p> "text" with a contrast of 1.6',
        "phone, light: wide.html is 900 pixels wide",
    ]
    (tmp_path / "search.html").write_text(PAGE.format(""), encoding="utf-8")
    assert look.looked(tmp_path, "phone", "light")["found"][-1] == ["search.html", "finds nothing for tabu"]
