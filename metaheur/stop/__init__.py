"""When to stop: pure predicates that compose with `|`, `&` and `~`.

>>> from metaheur import stop
>>> stop.iterations(10_000) | stop.seconds(30) & stop.no_improvement(500)
iterations(10000) | seconds(30) & no_improvement(500)

A criterion holds no count of its own, so that one object serves any number of runs. It is evaluated for each walk: a
walk stops when the expression holds for it, and the run is over when all walks have stopped. `iterations`,
`evaluations`, `target`, `all_reach`, `no_improvement` and `diminished_returns` are exact in every composition: a walk
ends after the first iteration where the expression holds, which is the same one on every machine and device. `target`
ends a run of many walks as soon as one walk has reached it; `all_reach` waits for each walk. `seconds`
is evaluated between chunks of iterations, some twenty times a second. `when` and criteria of your own are asked after
the same iterations on every device: 1, 2, ... 8, 10, 12, 14, 16, 20, ..., or after every so many, as they say.
"""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
