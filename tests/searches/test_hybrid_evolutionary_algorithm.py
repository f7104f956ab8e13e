"""Graph coloring by the hybrid evolutionary algorithm: known chromatic numbers, and the classes of colors."""

from itertools import combinations, product
from pathlib import Path

import pytest

from metaheur import run, stop
from metaheur.errors import InputError
from metaheur.parallel import Multistart
from metaheur.problems import QAP, GraphColoring
from metaheur.searches import HybridEvolutionaryAlgorithm

OPTIMIZED = True  # many iterations
CORE = Multistart(1, device="host", threads=1)


def queens(rows: int, colors: int) -> GraphColoring:
    """The squares of a board, joined where queens attack each other."""
    squares = list(product(range(rows), repeat=2))
    edges = [
        (u, v)
        for (u, (a, b)), (v, (c, d)) in combinations(enumerate(squares), 2)
        if a == c or b == d or abs(a - c) == abs(b - d)
    ]
    return GraphColoring(rows * rows, edges, colors)


@pytest.mark.parametrize(("rows", "chromatic"), [(5, 5), (6, 7), (7, 7)])
def test_queens_have_as_many_colors_as_is_known(rows: int, chromatic: int) -> None:
    for colors in (chromatic, chromatic - 1):
        graph, end = queens(rows, colors), stop.target(0) | stop.iterations(40_000)
        found = run(HybridEvolutionaryAlgorithm(500), graph, stop=end, seed=1, parallel=CORE)
        assert graph.cost(found.solution) == found.cost
        assert (found.cost == 0) is (colors == chromatic)


def test_a_random_graph_of_the_second_challenge_has_17_colors(data_folder: Path) -> None:
    graph = GraphColoring.from_file(data_folder / "gcp" / "DSJC125.5.col", 17)
    end = stop.target(0) | stop.iterations(500_000)
    assert run(HybridEvolutionaryAlgorithm(1000), graph, stop=end, seed=3, parallel=CORE).cost == 0


def test_wrong_use_is_refused() -> None:
    with pytest.raises(InputError, match=r"HybridEvolutionaryAlgorithm\.iterations"):
        HybridEvolutionaryAlgorithm(0)
    with pytest.raises(InputError, match=r"Breeding\.size"):
        HybridEvolutionaryAlgorithm(size=0)
    with pytest.raises(InputError, match="QAP"):
        run(HybridEvolutionaryAlgorithm(), QAP.random(6, 1), stop=stop.iterations(1), parallel="numpy")
