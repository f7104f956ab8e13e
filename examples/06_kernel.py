"""Take a neighborhood's kernel, launch it on arrays of your own, and read what every move would change."""

import numpy as np

from metaheur import Key, Random
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.neighborhoods import TwoOpt
from metaheur.problems import TSP
from metaheur.testing import devices_here

tsp, neighborhood = TSP.random(1000, seed=1), TwoOpt()
size = neighborhood.size(tsp.representation)
tour = tsp.representation.random(Random(Key(1), 1000, 0))

device = device_of("cuda" if "cuda" in devices_here() else "host")
unit = neighborhood.kernel(tsp, device)  # composed and compiled, or found in the cache
session = Session(unit, device)
session.keep(workers=528 * 8)  # the problem's arrays, and scratch memory for each warp of 528 blocks
session.own("x", len(tour))  # memory on the device, in the types that the kernel declares
session.own("out", size)
session.set(teams=1)  # threads of a CPU

session.write("x", tour)
session.launch("prepare")
if device.kind == "cuda":  # every entry is a CuPy kernel, too; session.set(x=array) takes a CuPy array where it is
    unit.function("deltas")((528,), (256,), (session.arguments(), np.int64(0)))
else:
    session.launch("deltas")
changes = session.read("out")

best = int(np.argmin(changes))
move = neighborhood.move(tsp.representation, best)
print(f"{device.name}: {size} changes of cost, the best is {changes[best]} by {move}")
assert tsp.cost(move.apply(tour)) - tsp.cost(tour) == changes[best]
