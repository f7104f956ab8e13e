"""README.md for a package index, where relative links lead nowhere: they become addresses of the repository.

``python .ci/readme.py`` prints it; ``python .ci/readme.py --write`` writes it over README.md, as the workflow that
publishes a release does.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)]+)\)")


def absolute(text: str, source: str) -> str:
    """The text with addresses of the repository at `source`: of pages, and of the bytes of pictures."""

    def address(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({source}/{kind}/main/{path})"

    return LINK.sub(address, text)


def main(arguments: list[str]) -> int:
    """Print or write the text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = ROOT / project["readme"]
    text = absolute(page.read_text("utf-8"), project["urls"]["Source"])
    if arguments == ["--write"]:
        page.write_text(text, "utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
