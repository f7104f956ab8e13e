"""The compositions that are compiled for a GPU, and run on one, leave out nothing that is shipped."""

import inspect

import metaheur.archives
import metaheur.lists
import metaheur.loops
import metaheur.parts
from metaheur.loops import Loop
from metaheur.parts import Always, Better, NoAspiration, Part
from tests.compositions import FRONTS, LOOPS, loops_of, parts_of
from tests.pairs import shipped

ELSEWHERE: set[type] = {Always, Better, NoAspiration}
"""`Always` is in all of them, but not as a part of theirs; the others every composition may have."""


def test_every_shipped_loop_is_among_the_compositions() -> None:
    members = (getattr(metaheur.loops, name) for name in metaheur.loops.__all__)
    loops = {each for each in members if inspect.isclass(each) and issubclass(each, Loop)} - {Loop}
    assert loops - set().union(*(loops_of(loop) for _, loop in LOOPS.values())) == set()


def test_every_shipped_part_is_among_the_compositions() -> None:
    parts = set().union(*(parts_of(loop) for _, loop in LOOPS.values()))
    assert shipped(metaheur.parts, Part) - parts - ELSEWHERE == set()


def test_every_part_of_lists_is_among_the_compositions() -> None:
    parts = set().union(*(parts_of(loop) for _, loop in LOOPS.values()))
    assert shipped(metaheur.lists, Part) - parts == set()


def test_every_part_of_searches_for_fronts_is_among_the_compositions() -> None:
    parts = {type(part) for _, search in FRONTS.values() for part in search.program.components}
    assert parts == shipped(metaheur.archives, Part)
