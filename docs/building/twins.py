"""The site for programs that read: a Markdown twin beside each page, and `llms.txt`, the list of all of them."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from building.reference import FOLDER, generated, half, names_on


def reference(docname: str) -> str:
    """The names of a page with their docstrings, as Markdown."""
    parts = []
    for name, thing in names_on(docname):
        call = str(inspect.signature(thing)).replace("= NOTHING", "= ...")
        parts.append(f"## {name}{call}\n\n{inspect.getdoc(thing) or ''}\n")
        parts += members(thing)
        if text := half(thing):
            parts.append(f"```c++\n{text}\n```\n")
    return "\n".join(parts)


def members(kind: Any) -> Iterator[str]:
    """The public methods and properties of a class that have docstrings of their own, as the site shows them."""
    for name, member in vars(kind).items() if isinstance(kind, type) else ():
        found = getattr(kind, name) if isinstance(member, classmethod | staticmethod) else member
        method = inspect.isfunction(found) or inspect.ismethod(found)
        if name[0] != "_" and found.__doc__ and (method or isinstance(found, property | cached_property)):
            call = str(inspect.signature(found)) if method else ""
            yield f"### {kind.__name__}.{name}{call}\n\n{inspect.cleandoc(found.__doc__)}\n"


def twin(docname: str, text: str) -> str:
    """A page as Markdown, with what the site generates."""
    if docname.startswith(FOLDER):
        return f"{text}\n{reference(docname)}"
    return f"{text}\n{generated(docname)}" if generated(docname) else text


def sections(index: str) -> Iterator[tuple[str, list[str]]]:
    """The sections of the index, with the patterns of their pages."""
    for block in re.findall(r"```\{toctree\}\n(.*?)```", index, re.DOTALL):
        caption = re.search(r":caption: (.*)", block)
        yield caption[1] if caption else "", [line for line in block.splitlines() if line and line[0] != ":"]


def line(source: Path, docname: str) -> str:
    """A line of the list: the title of a page, its twin, and its first paragraph's first sentence."""
    text = source.read_text("utf-8")
    heading, _, rest = text.partition("\n")
    first = next((each for each in rest.split("\n\n") if re.match(r"\s*[A-Z*`\[]", each)), "").strip()
    sentence = re.split(r"(?<=[^.]\.)\s", " ".join(first.split()), maxsplit=1)[0]
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", sentence)
    return f"- [{heading.lstrip('# ')}]({docname}.md): {plain}"


def write(app: Sphinx, failed: Exception | None) -> None:
    """Write the twins, the list and the page that leads to the index; remove pages that are no more."""
    if failed or app.builder.name != "html":
        return
    root, out = Path(app.srcdir), Path(app.outdir)
    for old in out.rglob("*.md"):
        if old.relative_to(out).with_suffix("").as_posix() not in app.env.found_docs:
            old.unlink()
            old.with_suffix(".html").unlink(missing_ok=True)
    for docname in app.env.found_docs:
        path = out / f"{docname}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(twin(docname, Path(app.env.doc2path(docname)).read_text("utf-8")), "utf-8")
    index = (root / f"{app.config.root_doc}.md").read_text("utf-8")
    about = " ".join(index.split("\n\n")[1].split())
    parts, listed = [f"# {app.config.project}\n\n> {about}\n"], set()
    for caption, patterns in sections(index):
        parts.append(f"## {caption}\n")
        for pattern in patterns:
            wanted = os.path.normpath(f"docs/{pattern}")
            for docname in sorted(app.env.found_docs - listed):
                if Path(docname).match(wanted) or Path(docname).parent.match(wanted):
                    listed.add(docname)
                    parts.append(line(Path(app.env.doc2path(docname)), docname))
        parts.append("")
    others = sorted(app.env.found_docs - listed - {app.config.root_doc})
    parts += ["## Others\n", *(line(Path(app.env.doc2path(docname)), docname) for docname in others), ""]
    (out / "llms.txt").write_text("\n".join(parts), "utf-8")
    target = f"{app.config.root_doc}.html"
    (out / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>{app.config.project}</title>'
        f'<meta http-equiv="refresh" content="0; url={target}"><a href="{target}">{app.config.project}</a>\n',
        "utf-8",
    )


def setup(app: Sphinx) -> dict[str, object]:
    """Enter the extension."""
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
