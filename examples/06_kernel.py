"""Take a neighborhood's kernel, launch it on arrays of one's own, and read what every move would change."""

import numpy as np

from metaheur import Key, Random
from metaheur.device.memory import bind
from metaheur.device.names import device_of
from metaheur.neighborhoods import TwoOpt
from metaheur.problems import TSP
from metaheur.testing import devices_here

tsp, neighborhood = TSP.random(1000, seed=1), TwoOpt()
size = neighborhood.size(tsp.representation)
tour = tsp.representation.random(Random(Key(1), 1000, 0))

device = device_of("cuda" if "cuda" in devices_here() else "host")
unit = neighborhood.kernel(tsp, device)  # joined, compiled, or found in the cache

if device.kind == "cuda":
    import cupy

    x, out = cupy.asarray(tour), cupy.empty(size, unit.unit.types.cost)
    arguments, buffers = bind(unit, device, {"x": x, "out": out}, blocks=528)
    prepare, kernel = unit.function("prepare"), unit.function("deltas")  # CuPy kernels
    prepare((1,), (256,), (arguments, np.int64(0)))
    kernel((528,), (256,), (arguments, np.int64(0)))
    changes = out.get()
else:
    x, out = device.upload(tour), device.zeros(size, unit.unit.types.cost)
    arguments, buffers = bind(unit, device, {"x": x, "out": out, "teams": 1})
    unit.launch("prepare", arguments)
    unit.launch("deltas", arguments)
    changes = device.download(out)

best = int(np.argmin(changes))
move = neighborhood.move(tsp.representation, best)
print(f"{device.name}: {size} changes of cost, the best is {changes[best]} by {move}")
assert tsp.cost(move.apply(tour)) - tsp.cost(tour) == changes[best]
