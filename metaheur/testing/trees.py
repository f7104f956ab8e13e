"""The checks of exact search: trees hold every solution once, bounds are valid, and dominances lose nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.errors import CheckFailed
from metaheur.problem import Problem
from metaheur.testing.compiled_check import chosen_devices
from metaheur.testing.enumeration import solutions_of
from metaheur.testing.extremes import extremes
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.dominance import Dominance
from metaheur.tree.expander import shown
from metaheur.tree.numpy_expander import children_of
from metaheur.tree.part import NO_COST, Nodes, nodes_of
from metaheur.tree.saved import retraced
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.unit import compose_tree

__all__ = ["check_bound", "check_branching", "check_dominance"]

MOST_SOLUTIONS = 100_000
"""The most solutions that brute force enumerates."""

MOST_NODES = 1_000_000


def check_branching(branching: Branching[Any], problem: Problem, *, devices: Iterable[str] | None = None) -> None:
    """Check that each solution of the tree belongs to exactly one complete node, and that both halves agree.

    Parameters
    ----------
    branching : Branching
        The tree.
    problem : Problem
        A small instance: all its solutions are enumerated, at most 100,000.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine, if there is a C++ half.

    Raises
    ------
    CheckFailed
        If a solution or node is wrong; names the first one.
    """
    name = type(branching).__name__
    tree = _Tree.of(TreeParts(branching, branching.bound), problem)
    everyone = solutions_of(problem.representation, MOST_SOLUTIONS, "take a smaller problem.")
    expected = {x.tobytes(): x for x in everyone if branching.holds(problem, x)}
    found: dict[bytes, Any] = {}
    for node in tree.levels[-1]:
        x = problem.representation.validate(branching.solution(problem, node))
        if x.tobytes() in found:
            raise CheckFailed(f"{name} reaches the solution {x} twice: by {shown(found[x.tobytes()])}, {shown(node)}.")
        if x.tobytes() not in expected:
            raise CheckFailed(f"{name} reaches the solution {x}, which it says that it does not hold.")
        found[x.tobytes()] = node
    for bits, x in expected.items():
        if bits not in found:
            raise CheckFailed(f"{name} never reaches the solution {x}.")
    _check_children(branching, problem, tree)
    for depth, nodes in enumerate(tree.levels):
        same = retraced(branching, problem, nodes, np.full(len(nodes), depth))
        if same is not None and not same.all():
            raise CheckFailed(
                f"{name}.toward does not lead to the node {shown(nodes[same.argmin()])} at depth {depth}."
            )
    for device in _devices(branching, devices):
        _CompiledTree(tree.parts, problem, device_of(device)).compare_children(tree)


def check_bound(
    branching: Branching[Any], bound: Bound[Any], problem: Problem, *, devices: Iterable[str] | None = None
) -> None:
    """Check a bound at every node of a small tree.

    The bound of a node must not exceed the cost of any solution below the node, and must not be lower than the bound of
    its father. At a complete node it must be the cost. `upper` must be the cost of `completion`. No number of a node
    may be beyond the type of its field. Both halves must agree, node by node.

    The same is checked with extreme data: the whole numbers that the problem declares as `data`, in all fields and in
    each choice of them, times about the largest factor that the problem and the tree accept, as long as they add up to
    2**61 at most. So a tree whose numbers could overflow must refuse such problems (`Branching.reason_against`).

    Parameters
    ----------
    branching, bound : Branching, Bound
        The tree and its bound.
    problem : Problem
        A small instance: all nodes are enumerated, at most 1,000,000.
    devices : iterable of str, optional
        As for `check_branching`. Of the extreme data, they are asked for the first, in which most fields are large.

    Raises
    ------
    CheckFailed
        If a node is wrong; names the first one.
    """
    parts, chosen = TreeParts(branching, bound), _devices(bound, devices)
    _check_bound(parts, problem, chosen)
    for words, extreme in extremes(problem, lambda other: _is_like(branching, problem, other)):
        try:
            _check_bound(parts, extreme, chosen)
        except CheckFailed as error:
            raise CheckFailed(
                f"With extreme data, {words}: {error.reason}",
                "refuse such data in `reason_against`, or compute in a wider type.",
            ) from error
        chosen = []  # other extremes are for the Python halves


def _is_like(branching: Branching[Any], problem: Problem, other: Problem) -> bool:
    """Whether another problem has a tree of the same shape."""
    return (
        other.representation == problem.representation
        and not branching.reason_against(other)
        and branching.levels(other) == branching.levels(problem)
        and all(branching.arity(other, d) == branching.arity(problem, d) for d in range(branching.levels(problem)))
    )


def _check_bound(parts: TreeParts, problem: Problem, devices: Iterable[str]) -> None:
    """Check one tree."""
    tree, bound = _Tree.of(parts, problem), parts.bound
    costs = tree.best_costs()
    name, before = type(bound).__name__, np.full(1, -NO_COST)
    for depth, nodes in enumerate(tree.levels):
        lowers = np.asarray(bound.lowers(problem, nodes, depth), np.int64)
        one_by_one = [bound.lower(problem, node, depth) for node in nodes]
        whole = depth == len(tree.levels) - 1
        fathers = before[tree.families[depth]]
        for i, node in enumerate(nodes):
            where = f"of the node {shown(node)} at depth {depth}"
            if lowers[i] != one_by_one[i]:
                raise CheckFailed(f"{name}.lowers says {lowers[i]} {where}, but lower says {one_by_one[i]}.")
            if lowers[i] > costs[depth][i]:
                raise CheckFailed(f"{name}.lower {where} is {lowers[i]}, but a solution costs {costs[depth][i]}.")
            if whole and lowers[i] != costs[depth][i]:
                raise CheckFailed(f"{name}.lower {where}, complete, is {lowers[i]}, but costs {costs[depth][i]}.")
            if lowers[i] < fathers[i]:
                raise CheckFailed(f"{name}.lower falls to {lowers[i]} from its father's {fathers[i]} {where}.")
        if not whole:
            _check_uppers(bound, problem, nodes, depth)
        before = lowers
    for device in devices:
        _CompiledTree(parts, problem, device_of(device)).compare_bounds(tree)


def check_dominance(
    branching: Branching[Any], dominance: Dominance[Any], problem: Problem, *, devices: Iterable[str] | None = None
) -> None:
    """Check that dropped nodes are no loss, for any two neighbors in a level of a small tree, sorted by their keys.

    Parameters
    ----------
    branching, dominance : Branching, Dominance
        The tree and the dominance.
    problem : Problem
        A small instance: all nodes are enumerated, at most 1,000,000.
    devices : iterable of str, optional
        As for `check_branching`.

    Raises
    ------
    CheckFailed
        If a pair of nodes is wrong; names the first one.
    """
    tree = _Tree.of(TreeParts(branching, branching.bound, dominance), problem)
    costs, name, dropped = tree.best_costs(), type(dominance).__name__, 0
    for depth, nodes in enumerate(tree.levels[:-1]):
        keys = np.asarray(dominance.keys(problem, nodes, depth), np.int64)
        if [tuple(key) for key in keys.tolist()] != [tuple(dominance.key(problem, node, depth)) for node in nodes]:
            raise CheckFailed(f"{name}.keys differs from key at depth {depth}.")
        last = -1
        for i in np.lexsort((keys[:, 1], keys[:, 0])).tolist():
            if last < 0 or not dominance.beats(problem, nodes[last], nodes[i], depth):
                last = i
                continue
            dropped += 1
            if costs[depth][last] > costs[depth][i]:
                raise CheckFailed(
                    f"{name} drops {shown(nodes[i])} at depth {depth}, which leads to a cost of {costs[depth][i]}, for "
                    f"{shown(nodes[last])}, which leads to {costs[depth][last]}."
                )
    if not dropped:
        raise CheckFailed(f"{name} drops no node of this tree, so that nothing was checked.", "take a larger problem.")
    for device in _devices(dominance, devices):
        _CompiledTree(tree.parts, problem, device_of(device)).compare_keys(tree)


def _check_uppers(bound: Bound[Any], problem: Problem, nodes: Nodes, depth: int) -> None:
    name = type(bound).__name__
    uppers = np.asarray(bound.uppers(problem, nodes, depth), np.int64)
    for i, node in enumerate(nodes):
        upper = bound.upper(problem, node, depth)
        where = f"of the node {shown(node)} at depth {depth}"
        if upper != uppers[i]:
            raise CheckFailed(f"{name}.uppers says {uppers[i]} {where}, but upper says {upper}.")
        if upper == NO_COST:
            continue
        x = problem.representation.validate(bound.completion(problem, node, depth))
        if problem.cost(x) != upper:
            raise CheckFailed(f"{name}.upper {where} is {upper}, but completion, {x}, costs {problem.cost(x)}.")


def _check_children(branching: Branching[Any], problem: Problem, tree: _Tree) -> None:
    """Check that `children` of many nodes gives the same as `child` of each."""
    for depth, nodes in enumerate(tree.levels[:-1]):
        for k in range(branching.arity(problem, depth)):
            fields, exist = branching.children(problem, nodes, depth, k)
            slow, there = Branching.children(branching, problem, nodes, depth, k)
            if exist.tolist() != there.tolist():
                raise CheckFailed(f"{type(branching).__name__}.children differs from child in which there are.")
            for name in nodes.dtype.names or ():
                fast = np.zeros(len(nodes), nodes.dtype)[name]
                fast[...] = fields.get(name, 0)
                if not np.array_equal(fast[there], np.asarray(slow[name])[there]):
                    raise CheckFailed(f"{type(branching).__name__}.children differs from child in `{name}`.")


def _devices(part: Any, devices: Iterable[str] | None) -> list[str]:
    return chosen_devices(devices, type(part).__name__) if part.source is not None else []


@final
@frozen(eq=False)
class _Tree:
    """Every node of a small tree, level by level, with the index of its father in the level before."""

    parts: TreeParts
    problem: Problem
    levels: list[Nodes]
    families: list[np.ndarray]

    @classmethod
    def of(cls, parts: TreeParts, problem: Problem) -> _Tree:
        branching = parts.branching
        branching.require(problem)
        levels, families = [branching.root_nodes(problem)], [np.zeros(1, np.int64)]
        for depth in range(branching.levels(problem)):
            children, family = children_of(parts, problem, levels[-1], depth)
            if len(children) > MOST_NODES:
                raise CheckFailed(f"Level {depth + 1} has {len(children):,} nodes.", "take a smaller problem.")
            levels.append(children)
            families.append(family)
        return cls(parts, problem, levels, families)

    def best_costs(self) -> list[np.ndarray]:
        """The cost of the best solution below each node, `NO_COST` if there is none, level by level."""
        branching, problem = self.parts.branching, self.problem
        leaves = [problem.cost(branching.solution(problem, node)) for node in self.levels[-1]]
        costs = [np.array(leaves, np.int64)]
        for depth in range(len(self.levels) - 1, 0, -1):
            above = np.full(len(self.levels[depth - 1]), NO_COST)
            np.minimum.at(above, self.families[depth], costs[-1])
            costs.append(above)
        return costs[::-1]


@final
@define(eq=False)
class _CompiledTree:
    """The C++ halves of a tree, and the arrays of their calls."""

    parts: TreeParts
    problem: Problem
    device: Device
    session: Session = field(init=False)

    def __attrs_post_init__(self) -> None:
        members = {
            **dict.fromkeys(("nodes", "children"), "Node*"),
            **dict.fromkeys(("exist", "lowers", "uppers", "keys", "beats", "sizes"), "i64*"),
        }
        made = compose_tree(
            self.parts,
            self.problem,
            self.device,
            pieces=("tree/ahead.cuh", "tree/everywhere.cuh", "testing/tree.cuh"),
            records=(),
            members=members,
            launch=Launch(),
        )
        self.session = Session(self.device.compile(made), self.device)
        self.session.keep()

    def ask(self, entry: str, nodes: Nodes, depth: int, value: int = 0) -> dict[str, np.ndarray]:
        """The results of an entry for nodes of one depth."""
        m, session = len(nodes), self.session
        counts = {"nodes": m, "children": m, **dict.fromkeys(("exist", "lowers", "uppers", "beats"), m), "keys": 2 * m}
        for name, count in counts.items():
            session.own(name, count)
            session.write(name, np.zeros(count, session.unit.pointees[name]))
        session.own("sizes", 2)
        session.write("nodes", nodes)
        session.write("sizes", [m, depth])
        session.launch(entry, value, blocks=max(1, min(1024, m // 256)))
        return {name: np.array(session.read(name, 0, count)) for name, count in counts.items()}

    def compare_children(self, tree: _Tree) -> None:
        branching, name = self.parts.branching, type(self.parts.branching).__name__
        for depth, nodes in enumerate(tree.levels[:-1]):
            for k in range(branching.arity(self.problem, depth) if len(nodes) else 0):
                fields, there = branching.children(self.problem, nodes, depth, k)
                found = self.ask("branch", nodes, depth, k)
                children = found["children"]
                wrong = found["exist"].astype(bool) != there
                for field_name in nodes.dtype.names or ():
                    expected = np.zeros(len(nodes), nodes.dtype)[field_name]
                    expected[...] = fields.get(field_name, 0)
                    differs = (children[field_name] != expected).reshape(len(nodes), -1).any(axis=1)
                    wrong |= there & differs
                if wrong.any():
                    i = int(np.argmax(wrong))
                    child = shown(children[i]) if found["exist"][i] else "missing"
                    raise CheckFailed(
                        f"Child {k} of the node {shown(nodes[i])} at depth {depth} is {child} in the C++ half of "
                        f"{name} on {self.device.name}, but the Python half says otherwise."
                    )

    def compare_bounds(self, tree: _Tree) -> None:
        bound = self.parts.bound
        for depth, nodes in enumerate(tree.levels):
            for k in range(self.parts.branching.arity(self.problem, depth) if depth + 1 < len(tree.levels) else 0):
                self._compare_foreseen(nodes, depth, k, complete=depth + 2 == len(tree.levels))
            if len(nodes):
                completes = bound.completes and depth < len(tree.levels) - 1
                found = self.ask("bound", nodes, depth, int(completes))
                self._same(bound, "lower", found["lowers"], bound.lowers(self.problem, nodes, depth), (nodes, depth))
                if completes:
                    self._same(
                        bound, "upper", found["uppers"], bound.uppers(self.problem, nodes, depth), (nodes, depth)
                    )

    def _compare_foreseen(self, nodes: Nodes, depth: int, k: int, *, complete: bool) -> None:
        """Compare the bounds of children that are computed before the children are made."""
        bound, problem = self.parts.bound, self.problem
        ahead, inherited = (self.ask(entry, nodes, depth, k) for entry in ("foresee", "inherit"))
        if not (ahead["exist"].any() or inherited["exist"].any()):
            return
        fields, there = self.parts.branching.children(problem, nodes, depth, k)
        children = nodes_of(nodes.dtype, fields, len(nodes), there)
        lowers = np.where(there, bound.lowers(problem, children, depth + 1), NO_COST)
        if ahead["exist"].any():
            self._same(bound, f"ahead to child {k}", ahead["lowers"], lowers, (nodes, depth))
        heirs = np.flatnonzero(inherited["exist"].astype(bool) & there)
        fathers = nodes[heirs], depth
        self._same(bound, f"lower inherited by child {k}", bound.lowers(problem, *fathers), lowers[heirs], fathers)
        if bound.completes and not complete:
            of_father, own = bound.uppers(problem, *fathers), bound.uppers(problem, children[heirs], depth + 1)
            self._same(
                bound, f"upper inherited by child {k}", of_father, np.where(own < of_father, own, of_father), fathers
            )

    def compare_keys(self, tree: _Tree) -> None:
        dominance = self.parts.dominance
        assert dominance is not None
        for depth, nodes in enumerate(tree.levels[:-1]):
            if not len(nodes):
                continue
            found = self.ask("compare", nodes, depth)
            keys = np.asarray(dominance.keys(self.problem, nodes, depth), np.int64)
            for number in range(2):
                self._same(dominance, "key", found["keys"][number::2], keys[:, number], (nodes, depth))
            beats = [dominance.beats(self.problem, a, b, depth) for a, b in pairwise(nodes)]
            self._same(dominance, "beats", found["beats"][:-1], np.array(beats, np.int64), (nodes, depth))

    def _same(self, part: Any, member: str, found: np.ndarray, expected: Any, where: tuple[Nodes, int]) -> None:
        wrong = found != np.asarray(expected)
        if wrong.any():
            i, (nodes, depth) = int(np.argmax(wrong)), where
            raise CheckFailed(
                f"{type(part).__name__}.{member} of the node {shown(nodes[i])} at depth {depth} is {found[i]} in C++ "
                f"on {self.device.name}, but {np.asarray(expected)[i]} in Python."
            )
