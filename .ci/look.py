"""How the built site looks in a browser: nothing is wider than a phone, no column is cut, all text can be read.

``python .ci/look.py build/site`` opens every page in a headless Chromium, as wide as a phone and as a desk, light and
dark, prints what is wrong, and exits with 1 if something is. ``python .ci/look.py build/site pictures`` writes
screenshots of some pages into that folder as well.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"phone": (390, 844), "desk": (1280, 900)}
THEMES = ("light", "dark")
SHOWN = (
    "docs/index.html",
    "docs/examples.html",
    "docs/how-to/choose-a-search.html",
    "docs/solve.html",
    "docs/papers.html",
    "docs/rivals.html",
    "docs/reference/searches.html",
    "docs/tutorials/first-search.html",
)
"""Pages of which pictures are taken."""

FEW = 4
"""Tables of so many columns fit a phone, too; wider ones scroll there in a box of their own."""

LEAST_CONTRAST = 3.0
"""Of text and what is behind it: the least that WCAG 2.2 allows for large text and for signs."""

HARNESS = """<!doctype html><meta charset="utf-8"><title>looking</title>
<iframe id="page" style="border:0;width:%(width)dpx;height:%(height)dpx"></iframe>
<script>
const pages = %(pages)s, theme = %(theme)s, found = [];
const frame = document.getElementById("page");
const open = address => new Promise(done => { frame.onload = () => setTimeout(done, 30); frame.src = address; });
const numbers = color => (color.match(/[\\d.]+/g) || []).map(Number);
const light = color => {
    const [r, g, b] = numbers(color).map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = each => {
    for (; each; each = each.parentElement) {
        const color = getComputedStyle(each).backgroundColor, [, , , alpha] = numbers(color);
        if (alpha === undefined || alpha > 0.99) return color;
    }
    return "rgb(255, 255, 255)";
};
const contrast = each => {
    const [a, b] = [light(getComputedStyle(each).color), light(behind(each))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
(async () => {
    for (const page of pages) {
        await open(page);
        const inside = frame.contentDocument, root = inside.scrollingElement;
        inside.body.dataset.theme = theme;
        if (root.scrollWidth > root.clientWidth) found.push([page, `is ${root.scrollWidth} pixels wide`]);
        for (const table of inside.querySelectorAll("article table")) {
            const room = table.closest(".table-wrapper") || table.parentElement;
            const few = [...table.rows].every(row => row.cells.length <= %(few)s);
            if ((few || frame.clientWidth > 1000) && table.scrollWidth > room.clientWidth + 1)
                found.push([page, `cuts columns off: a table is ${table.scrollWidth} pixels wide, its place ` +
                    `${room.clientWidth}`]);
        }
        const seen = new Set();
        for (const each of inside.querySelectorAll("article *")) {
            const own = [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
            if (!own || !each.offsetWidth || seen.has(each.className + each.tagName)) continue;
            seen.add(each.className + each.tagName);
            if (contrast(each) < %(contrast)s)
                found.push([page, `has <${each.tagName.toLowerCase()}> "${each.textContent.slice(0, 40)}" with a ` +
                    `contrast of ${contrast(each).toFixed(1)}`]);
        }
    }
    await open(%(search)s);
    const results = () => frame.contentDocument.querySelector("#search-results li");
    for (let k = 0; k < 100 && !results(); ++k) await new Promise(done => setTimeout(done, 50));
    if (!results()) found.push(["search.html", "finds nothing for tabu"]);
    document.body.innerHTML = "<pre id=found></pre>";
    document.getElementById("found").textContent = JSON.stringify({pages: pages.length, found});
})();
</script>
"""


def browser() -> str | None:
    """The command of a browser; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def looked(site: Path, size: str, theme: str) -> Any:
    """How many pages were looked at, and what is wrong with them."""
    width, height = SIZES[size]
    values = {
        "width": width,
        "height": height,
        "pages": json.dumps([page.resolve().as_uri() for page in sorted(site.rglob("*.html"))]),
        "theme": json.dumps(theme),
        "contrast": LEAST_CONTRAST,
        "few": FEW,
        "search": json.dumps(f"{(site / 'search.html').resolve().as_uri()}?q=tabu"),
    }
    with tempfile.TemporaryDirectory() as folder:
        harness = Path(folder) / "harness.html"
        harness.write_text(HARNESS % values, encoding="utf-8")
        printed = _browse("--dump-dom", "--virtual-time-budget=600000", harness.as_uri(), folder=folder)
    answer = re.search(r'<pre id="found">(.*?)</pre>', printed, re.DOTALL)
    if not answer:
        sys.exit(f"The browser {browser()} did not end its look at {site}: {printed[-500:]}")
    return json.loads(html.unescape(answer[1]))


def _browse(*arguments: str, folder: str) -> str:
    command = [
        str(browser()),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--allow-file-access-from-files",
        f"--user-data-dir={folder}/profile",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout


def wrong(site: Path) -> Iterator[str]:
    """What is wrong with the look of a site, in words."""
    for size, theme in product(SIZES, THEMES):
        for page, what in looked(site, size, theme)["found"]:
            yield f"{size}, {theme}: {page.rpartition(site.name + '/')[2]} {what}"


def take(site: Path, folder: Path) -> None:
    """Write pictures of some pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for page, (size, (width, height)) in product(SHOWN, SIZES.items()):
        picture = folder.resolve() / f"{Path(page).stem}-{size}.png"
        with tempfile.TemporaryDirectory() as profile:
            shot = (f"--screenshot={picture}", f"--window-size={width},{height}")
            _browse(*shot, (site / page).resolve().as_uri(), folder=profile)


def main(arguments: list[str]) -> int:
    """Look, and say what is wrong."""
    if browser() is None:
        print(f"No browser was found: {', '.join(BROWSERS)}. Maybe install one: apt install chromium.", file=sys.stderr)
        return 1
    found = list(wrong(Path(arguments[0])))
    print("\n".join(found) or "every page fits a phone and a desk, and can be read, light and dark")
    if len(arguments) > 1:
        take(Path(arguments[0]), Path(arguments[1]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
