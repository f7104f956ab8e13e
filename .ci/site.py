"""The built site: links lead somewhere, nothing is loaded from elsewhere, each page has its twin, and none is too long.

``python .ci/site.py build/site`` prints what is wrong and exits with 1 if something is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
"""Attributes whose address a browser loads by itself."""

DESCRIBING = {"canonical", "next", "prev", "search", "index", "license"}
"""Kinds of `link` that load nothing."""


MOST_WORDS = 3_000
"""Words of a page's text, besides its tables and code."""

BESIDE = {"table", "pre", "script", "style", "nav", "aside", "header", "footer"}
"""What is no text of a page."""


class Page(HTMLParser):
    """What a page links to, what it loads, the anchors that it has, and the words of its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = {""}
        self.words = 0
        self.beside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        for name, value in values.items():
            if (tag, name) in LOADED and values.get("rel") not in DESCRIBING:
                self.loads.append(value)
            elif name == "href":
                self.links.append(value)
        if tag in BESIDE:
            self.beside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.beside and self.beside[-1] == tag:
            self.beside.pop()

    def handle_data(self, data: str) -> None:
        if not self.beside:
            self.words += len(re.findall(r"[A-Za-z]{2,}", data))


def wrong(folder: Path) -> Iterator[str]:
    """What is wrong with a built site, in words."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.resolve().rglob("*.html"))}
    if not pages:
        yield f"{folder} has no page: maybe run make docs."
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        if page.words > MOST_WORDS:
            yield f"{name} has {page.words:,} words besides tables and code: {MOST_WORDS:,} are enough for a page"
        for address in page.loads:
            if urlsplit(address).netloc:
                yield f"{name} loads {address} from elsewhere"
        for address in page.links + page.loads:
            url = urlsplit(address)
            if url.scheme or url.netloc:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not target.exists():
                yield f"{name} links to {address}, which does not exist"
            elif target in pages and unquote(url.fragment) not in pages[target].anchors:
                yield f"{name} links to {address}, but there is no such place on the page"
        if path.parts[-2:-1] == ("docs",) and not path.with_suffix(".md").exists():
            yield f"{name} has no twin in Markdown"


if __name__ == "__main__":
    found = list(wrong(Path(sys.argv[1])))
    print("\n".join(found) or "every link of the site leads somewhere, and no page is too long")
    sys.exit(bool(found))
