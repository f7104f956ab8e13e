"""The loops that searches share, once in each language."""

from metaheur.loops.scan import Scan, ScanState

__all__ = ["Scan", "ScanState"]
