"""Checks that both halves of a thing say the same: ours and our users'.

Each check compares with brute force or with the Python half, on every device that is there, and fails with the first
counter-example in words.
"""

from metaheur.testing.compiled_check import devices_here
from metaheur.testing.corners import check_corners
from metaheur.testing.neighborhoods import check_neighborhood
from metaheur.testing.parts import check_part
from metaheur.testing.problems import ProblemReport, check_problem
from metaheur.testing.searches import check_search
from metaheur.testing.trees import check_bound, check_branching, check_dominance

__all__ = [
    "ProblemReport",
    "check_bound",
    "check_branching",
    "check_corners",
    "check_dominance",
    "check_neighborhood",
    "check_part",
    "check_problem",
    "check_search",
    "devices_here",
]
