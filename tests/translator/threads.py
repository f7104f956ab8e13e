"""A device whose teams are several CPU threads: it shows the faults of a GPU without a GPU."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from attrs import evolve

from metaheur.device.generator.launch import Launch
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.host.host import Host

TEAM = (Path(__file__).parent / "threads.cuh").read_text("utf-8")
THREADS = 3


class Threads:
    """The CPU, but with teams of several threads."""

    name = "host"

    def __init__(self) -> None:
        self.host = Host()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.host, name)

    def compile(self, unit: TranslationUnit) -> Any:
        """Compile with another team."""
        begin = unit.text.index('#line 1 "metaheur/device/cuh/team_host.cuh"')
        end = unit.text.index('#line 1 "metaheur/device/cuh/traits.cuh"')
        text = unit.text[:begin] + TEAM + unit.text[end:]
        head = f"#define MH_THREADS_HERE {THREADS}\n"
        assert re.search("omp barrier", text)
        return self.host.compile(evolve(unit, text=head + text, launch=Launch(openmp=True)))
