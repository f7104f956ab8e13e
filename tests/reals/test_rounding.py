"""Instances and steps of real numbers depend neither on the libraries nor on the instructions of a machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import metaheur.reals
from metaheur.reals import BBOB, AssetPortfolio, KernelRegression, Steps
from metaheur.reals.bbob import product
from metaheur.reals.deviates import normals, typical

FILES = sorted(Path(metaheur.reals.__file__).parent.glob("*.py"))


def digest(*arrays: Any) -> str:
    """A digest of all bits of float64 arrays."""
    return blake2b(b"".join(np.asarray(each, "<f8").tobytes() for each in arrays), digest_size=4).hexdigest()


DIGESTS = [
    "b7dbbd4a",
    "8d2c6e5c",
    "5c2fa4a8",
    "5d395a3e",
    "e1587179",
    "d86a451d",
    "959e6923",
    "76a2c2fe",
    "d72f90f6",
    "c425d927",
    "519ec99f",
    "06221353",
    "13a7486b",
    "df71cdf9",
    "8fe91e69",
    "f22550f7",
    "66c84b8f",
    "06440011",
    "c1c19c5c",
    "327b5be3",
    "13891db6",
    "c6d45d04",
    "0d974ed6",
    "b05ac968",
]
HEX = [
    ["-0x1.f98613173e96ep-2", "0x1.5ef1c1541b470p-2", "0x1.782fe7c5d485ep+10"],
    ["0x1.58c410c93ee24p-6", "0x1.1445605dba1d4p-4", "0x1.1b3cb8f52a752p-3"],
    ["0x1.b702097647bbdp-6", "0x1.999999999999ap-4"],
]


@pytest.mark.parametrize("function", range(1, 25))
def test_functions_of_bbob_have_the_same_bits_everywhere(function: int) -> None:
    of = BBOB.of(function, 7, 2)
    assert digest(of.optimum, of.lowest, of.first, of.second, of.scales, of.peaks) == DIGESTS[function - 1]


def test_some_numbers_of_instances_are_written_in_full() -> None:
    problem: Any = BBOB.of(15, 5)
    x = problem.representation.encode([1, -2, 0.5, 3, -4])
    assert [problem.first[1, 2].hex(), problem.second[4, 3].hex(), problem.cost(x).hex()] == HEX[0]
    assert [each.hex() for each in Steps.normal(0.1, 3).shares] == HEX[1]
    assert [each.hex() for each in Steps.cauchy(0.1, 3).shares[:2]] == HEX[2]
    regression, assets = KernelRegression.random(5, 3, seed=1), AssetPortfolio.random(6, 2, seed=1)
    found = digest(regression.features, regression.targets), digest(assets.returns, assets.covariance)
    assert found == ("1325ebd1", "039f6434")


def test_matrices_are_multiplied_and_turned_as_by_numpy_up_to_rounding() -> None:
    drawn = np.random.default_rng(1)
    a, b = drawn.normal(size=(4, 6)), drawn.normal(size=(6, 5))
    assert product(a, b) == pytest.approx(a @ b)
    turn = BBOB.of(10, 9, 4).first
    assert turn @ turn.T == pytest.approx(np.eye(9))


def test_quantiles_are_those_of_a_normal_distribution() -> None:
    for share in (1e-9, 0.3, 0.5, 0.9, 1 - 1e-5):
        assert typical(share) == pytest.approx(NormalDist().inv_cdf(0.5 + 0.5 * share), rel=1e-9)
    drawn = np.sort(normals(3, 4000))
    assert drawn == pytest.approx([NormalDist().inv_cdf((k + 0.5) / 4000) for k in range(4000)], abs=0.3)
    assert np.mean(np.abs(drawn) < typical(0.5)) == pytest.approx(0.5, abs=0.03)


ROUNDED = {"dot", "inner", "matmul", "einsum", "linalg", "sin", "cos", "tan", "exp", "log", "log2", "log10", "power"}
ROUNDED |= {"tanh", "expm1", "log1p", "pow", "hypot", "normal", "standard_normal", "fsum", "mean", "std", "var"}


def rounded_otherwise(tree: ast.AST) -> Iterator[str]:
    """What in a program is rounded in a way that depends on the machine or on a library."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.MatMult()):
                yield f"line {node.lineno}: @"
            case ast.BinOp(op=ast.Pow(), left=ast.Constant(value=2)):
                pass
            case ast.BinOp(op=ast.Pow(), left=ast.UnaryOp(operand=ast.Constant(value=1))):
                pass
            case ast.BinOp(op=ast.Pow()):
                yield f"line {node.lineno}: **"
            case ast.Attribute(value=ast.Name(id="np" | "math" | "drawn"), attr=name) if name in ROUNDED:
                yield f"line {node.lineno}: {name}"
            case ast.ImportFrom(module="math" | "numpy", names=names):
                yield from (f"line {node.lineno}: {each.name}" for each in names if each.name in ROUNDED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_operation_depends_on_the_machine(path: Path) -> None:
    assert list(rounded_otherwise(ast.parse(path.read_text("utf-8")))) == []


def test_operations_that_depend_on_the_machine_are_found() -> None:
    program = "from math import log, sqrt\na @ b\n10.0**a\nnp.exp(a)\n2.0**3\nnp.sqrt(a)\ndrawn.normal(2)"
    found = [each.split(": ")[1] for each in rounded_otherwise(ast.parse(program))]
    assert sorted(found) == ["**", "@", "exp", "log", "normal"]
