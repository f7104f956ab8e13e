"""Checks that the Python half and the C++ half of a component agree: for our components and for users'.

Each check compares the C++ half with brute force or with the Python half, on every device of this machine, and fails
with the first counter-example in words.
"""

from metaheur.testing.compiled_check import devices_here
from metaheur.testing.corners import check_corners
from metaheur.testing.neighborhoods import check_neighborhood
from metaheur.testing.parts import check_part
from metaheur.testing.problems import ProblemReport, check_problem
from metaheur.testing.recombination import check_recombination
from metaheur.testing.representations import check_representation
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
    "check_recombination",
    "check_representation",
    "check_search",
    "devices_here",
]
