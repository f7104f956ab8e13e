from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.representations.composite import Composite
from metaheur.representations.domains import Domains
from metaheur.representations.multiset import Multiset
from metaheur.representations.repeated import Repeated
from metaheur.representations.subset import Subset

__all__ = [
    "BitString",
    "Composite",
    "DiscreteVector",
    "Domains",
    "Multiset",
    "Permutation",
    "Repeated",
    "Representation",
    "Subset",
]
