from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.representations.domains import Domains
from metaheur.representations.multiset import Multiset
from metaheur.representations.repeated import Repeated
from metaheur.representations.subset import Subset

__all__ = ["BitString", "DiscreteVector", "Domains", "Multiset", "Permutation", "Repeated", "Representation", "Subset"]
