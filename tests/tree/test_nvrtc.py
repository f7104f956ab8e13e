"""NVRTC compiles, without a GPU, every kernel of every tree of metaheur."""

from typing import Any

import pytest

from metaheur.device.generator.launch import Launch
from metaheur.problem import Problem
from metaheur.tree.compiled_walker import compose_explorers
from metaheur.tree.cuda_expander import compose_expander
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.unit import compose_tree
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.tree.trees import TREES

core = pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")


@pytest.mark.parametrize("name", TREES)
def test_every_tree_compiles_as_a_level_and_as_explorers(name: str) -> None:
    from tests.device.cuda.test_nvrtc import compiled

    parts, problem = TREES[name]
    for number, text in enumerate(units(parts, problem)):
        assert compiled(text, ARCHITECTURES[number % 2])


@pytest.mark.parametrize(
    ("name", "placement"), [("KnapsackTree", "constant"), ("MultiKnapsackTree", "texture"), ("QAPTree", "texture")]
)
def test_trees_compile_with_their_data_in_other_memories(name: str, placement: str) -> None:
    from tests.device.cuda.test_nvrtc import compiled

    parts, problem = TREES[name]
    gpu: Any = NoGPU("sm_90", placement)
    memory = {"constant": "Constant>", "texture": "Texture>"}[placement]
    for unit in (compose_expander(parts, problem, gpu), compose_explorers(parts, problem, gpu)):
        assert memory in unit.text
        assert compiled(unit.text, "sm_90", binary=False)


def units(parts: TreeParts, problem: Problem) -> list[str]:
    gpu: Any = NoGPU()
    members = {
        **dict.fromkeys(("nodes", "children"), "Node*"),
        **dict.fromkeys(("exist", "lowers", "uppers", "keys", "beats", "sizes"), "i64*"),
    }
    pieces = ("tree/ahead.cuh", "tree/everywhere.cuh", "testing/tree.cuh")
    check = compose_tree(parts, problem, gpu, pieces=pieces, records=(), members=members, launch=Launch())
    found = [compose_expander(parts, problem, gpu).text, check.text]
    return found if parts.dominance else [*found, compose_explorers(parts, problem, gpu).text]
