"""The verb `help`: pages of the documentation, which the package holds."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["PAGES", "add"]

PAGES = Path(__file__).with_name("pages")
"""The folder of the pages: links to those of the documentation, which a wheel holds as files."""


def add(verbs: Any, parser: Callable[[], argparse.ArgumentParser]) -> None:
    """Define the arguments of the verb."""
    says = "Show a page of the documentation, or the options of a verb; without a topic, list the pages."
    verb = verbs.add_parser("help", help="a page of the documentation", description=says)
    verb.add_argument("topic", nargs="?", help="such as choose-a-search")
    verb.set_defaults(run=lambda chosen: _help(chosen.topic, parser))


def _help(topic: str | None, parser: Callable[[], argparse.ArgumentParser]) -> int:
    topics = {page.stem: page for page in sorted(PAGES.glob("*.md"))}
    if topic is None:
        width = max(map(len, topics))
        for name, page in topics.items():
            print(f"{name:{width}}  {page.read_text(encoding='utf-8').partition(chr(10))[0].lstrip('# ')}")
        return 0
    if topic in topics:
        _show(topics[topic].read_text(encoding="utf-8"))
        return 0
    verbs = _verbs(parser())
    if topic in verbs:
        verbs[topic].print_help()
        return 0
    from metaheur.errors import InputError, nearest_word

    near = nearest_word(topic, [*topics, *verbs])
    raise InputError(f"{topic!r} is no topic.", f"write metaheur help {near}." if near else "see metaheur help.")


def _verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Every verb and its parser."""
    chosen = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return dict(next(chosen).choices)


def _show(page: str) -> None:
    """Print a page, laid out on a terminal; links to other pages are their words alone."""
    from rich.console import Console
    from rich.markdown import Markdown

    page = re.sub(r"<!--.*?-->\n?", "", page, flags=re.DOTALL)
    page = re.sub(r"!?\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", page)
    console = Console()
    if console.is_terminal:
        console.print(Markdown(page))
    else:
        print(page, end="")
