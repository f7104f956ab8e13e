"""Problems: data, one formula, and the readers of their instance files."""

from metaheur.problems.qap import QAP

__all__ = ["QAP"]
