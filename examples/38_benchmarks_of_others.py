"""Problems of IOHexperimenter and COCO, and a search as an algorithm for their experiments."""

from importlib.util import find_spec

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Hamming, Substitution
from metaheur.open import FromCOCO, FromIOH, as_algorithm, from_coco, from_ioh

end = stop.iterations(50)

if find_spec("ioh"):
    import ioh

    leading: FromIOH = from_ioh(ioh.get_problem("LeadingOnes", 1, 20, ioh.ProblemClass.PBO))
    print("IOHexperimenter:", run(TabuSearch(Hamming(1)), leading, stop=end, seed=1).cost)
if find_spec("cocoex"):
    import cocoex

    mixed = cocoex.Suite("bbob-mixint", "", "dimensions:5 instance_indices:1")[0]
    grid: FromCOCO = from_coco(mixed, points=101)
    as_algorithm(TabuSearch(Substitution()), end)(mixed)  # for each problem of a suite, with an observer
    print("COCO:", mixed.name, [grid.representation.domain(k) for k in range(5)], mixed.evaluations > 50)
