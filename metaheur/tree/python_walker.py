"""Explorers by the Python halves: the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import asdict, astuple, define, field

from metaheur.device.host.host import Host
from metaheur.problem import Problem
from metaheur.tree.engine import shares
from metaheur.tree.expander import as_bytes, as_nodes, require_valid
from metaheur.tree.local_walker import LocalWalker, Transfer
from metaheur.tree.part import NO_COST, Fields, Node, Nodes, nodes_of
from metaheur.tree.round_report import REPORT, RoundReport, joined_report
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.walker import MOST_STOLEN, InTurn, Slice, idle_rank, open_type, widest
from metaheur.tree.work_stealing import GROUPS, groups_of, plan_of

__all__ = ["PythonWalker"]


@final
@define(eq=False)
class PythonWalker(LocalWalker):
    """Explorers that search one after the other, child by child.

    `parts`: the parts of the search. `groups`: the most groups that the explorers form. The tree depends on this
    number.
    """

    parts: TreeParts
    problem: Problem
    groups: int = GROUPS
    count: int = field(default=0, init=False)
    _stacks: list[np.ndarray] = field(factory=list, init=False)
    _reports: list[RoundReport] = field(factory=list, init=False)
    _winners: Nodes = field(init=False)
    _shares: np.ndarray = field(init=False)
    _cuts: np.ndarray = field(init=False)
    _plan: tuple[np.ndarray, np.ndarray] = field(init=False)  # donors and receivers

    def __attrs_post_init__(self) -> None:
        self._shares = shares(self.parts, self.problem)

    def load(self, arrays: Mapping[str, np.ndarray], cuts: np.ndarray | None = None) -> None:
        self.count = len(arrays["heights"])
        self._cuts = groups_of(self.count, self.groups) if cuts is None else cuts
        self._stacks = np.split(_opened(arrays, self._node_type), np.cumsum(arrays["heights"])[:-1])
        self._winners, self._reports = np.zeros((self.count, 3), self._node_type), [RoundReport()] * self.count
        self.explore(NO_COST, 0, completes=False, eager=False)

    def arrays(self) -> dict[str, np.ndarray]:
        opened = np.concatenate(self._stacks)
        return {
            "heights": self.heights,
            "entries": np.stack([opened[name] for name in ("depth", "cursor", "limit")], axis=1).astype(np.int64),
            "nodes": as_bytes(opened["node"]),
            "lowers": np.array(opened["lower"], np.int64),
        }

    @property
    def in_turn(self) -> InTurn:
        return self

    @property
    def heights(self) -> np.ndarray:
        return np.array([len(stack) for stack in self._stacks], np.int64)

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        self.explore_part(range(self.count), threshold, steps, completes=completes, eager=eager)

    def explore_part(self, part: range, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        best = threshold
        for e in part:
            search = _Search(self.parts, self.problem, best, e, completes=completes and self.parts.bound.completes)
            self._stacks[e] = search.run(self._stacks[e], steps)
            self._winners[e, 0] = search.best
            self._reports[e] = RoundReport(**{**search.report, **_waiting(self._stacks[e])})
            best = min(best, self._reports[e].cost) if eager else threshold

    def bounded(self, part: range) -> int:
        return sum(self._reports[e].bounded for e in part)

    @property
    def reports(self) -> np.ndarray:
        return np.array([astuple(report) for report in self._reports], REPORT)

    @property
    def shares_left(self) -> np.ndarray:
        return np.array([self._share(stack) for stack in self._stacks])

    def _share(self, stack: np.ndarray) -> float:
        """The share of the tree on a stack, summed up from the bottom, as in C++."""
        waiting = (stack["limit"] - stack["cursor"]).tolist()
        return float(sum(w * float(self._shares[d + 1]) for w, d in zip(waiting, stack["depth"].tolist(), strict=True)))

    def _ranks(self) -> np.ndarray:
        return np.array([self._rank(*each) for each in zip(self._stacks, self._reports, strict=True)])

    def summary(self) -> tuple[np.ndarray, np.ndarray]:
        ranks, columns = self._ranks(), idle_rank(self.parts, self.problem) + 1
        groups = [np.bincount(each, minlength=columns)[:columns] for each in np.split(ranks, self._cuts[1:-1])]
        return np.array([astuple(joined_report(self.reports))], REPORT), np.stack(groups)

    def plan(self, rank: int, exchanges: np.ndarray) -> None:
        self._plan = plan_of(self._ranks(), self._cuts, exchanges, idle_rank(self.parts, self.problem))

    def _rank(self, stack: np.ndarray, report: RoundReport) -> int:
        if not report.donors:
            return idle_rank(self.parts, self.problem) + 1 - report.idle
        first, width = stack[0], widest(self.parts, self.problem)
        return int(first["depth"]) * width + max(0, width - int(first["limit"] - first["cursor"]))

    def _take(self, donors: np.ndarray) -> np.ndarray:
        """The nodes that donors give away, a row each; where there is no node, its limit is 0."""
        taken = np.zeros((len(donors), MOST_STOLEN), open_type(self._node_type))
        for out, donor in zip(taken, donors.tolist(), strict=True):
            stack, count, odd = self._stacks[donor], 0, 1
            for each in stack:
                waiting = int(each["limit"] - each["cursor"])
                given = (waiting + odd) // 2 if count < MOST_STOLEN else 0
                odd = (waiting + odd) % 2
                if given:
                    out[count] = each
                    each["limit"] -= given
                    out[count]["cursor"] = each["limit"]
                    count += 1
            self._stacks[donor] = stack[stack["cursor"] < stack["limit"]]
        return taken

    def _put(self, receivers: np.ndarray, taken: np.ndarray) -> None:
        for nodes, receiver in zip(taken, receivers.tolist(), strict=True):
            self._stacks[receiver] = nodes[nodes["limit"] > 0].copy()

    def exchange(self, pairs: int, donor: int = 0, receiver: int = 0) -> None:
        donors, receivers = self._plan
        self._put(receivers[receiver : receiver + pairs], self._take(donors[donor : donor + pairs]))

    def send(self, count: int, donor: int) -> Transfer:
        nodes = self._take(self._plan[0][donor : donor + count]).reshape(-1)
        places = np.flatnonzero(nodes["limit"])
        return places, as_bytes(nodes[places]).reshape(-1)

    def receive(self, receiver: int, transfer: Transfer) -> None:
        places, nodes = (Host().copied(each) for each in transfer)
        pairs, which = np.divmod(places, MOST_STOLEN)
        taken = np.zeros((pairs.max(initial=-1) + 1, MOST_STOLEN), open_type(self._node_type))
        taken[pairs, which] = as_nodes(nodes, taken.dtype)
        self._put(self._plan[1][receiver : receiver + len(taken)], taken)

    def found(self, e: int) -> Nodes:
        found: Nodes = self._winners[e]
        return found

    def fault(self, e: int) -> tuple[int, int, int, int]:
        raise AssertionError("A wrong bound ends the search at once.")

    def slice(self) -> Slice:
        faults = np.zeros((self.count, 4), np.int64)
        return Slice(self.arrays(), self.reports, self.shares_left, self._winners, faults)


def _opened(arrays: Mapping[str, np.ndarray], dtype: np.dtype[Any]) -> np.ndarray:
    """All stacks, one after the other."""
    opened = np.zeros(len(arrays["lowers"]), open_type(dtype))
    opened["node"], opened["lower"] = as_nodes(arrays["nodes"], dtype), arrays["lowers"]
    for name, values in zip(("depth", "cursor", "limit"), arrays["entries"].T, strict=True):
        opened[name] = values
    return opened


def _waiting(stack: np.ndarray) -> dict[str, int]:
    """The part of a report on the children that wait on a stack."""
    waiting = int((stack["limit"] - stack["cursor"]).sum())
    lowest = int(stack["lower"].min()) if len(stack) else NO_COST
    return {"waiting": waiting, "idle": int(waiting == 0), "donors": int(waiting > 1), "lowest": lowest}


@final
class _Search:
    """The search of one explorer in one round: line by line as in explorer.cuh."""

    def __init__(self, parts: TreeParts, problem: Problem, threshold: int, e: int, *, completes: bool) -> None:
        self.branching, self.bound, self.parts, self.problem = parts.branching, parts.bound, parts, problem
        self.dtype, self.levels = parts.branching.node_type(problem), parts.branching.levels(problem)
        self.threshold, self.completes, self.steps = threshold, completes, 0
        self.report = asdict(RoundReport(cost=threshold, winner=e))
        self.best: Any = np.zeros((), self.dtype)

    def run(self, stack: np.ndarray, steps: int) -> np.ndarray:
        """Try `steps` children; return the stack."""
        waiting = list(stack)
        here: Any = None
        while self.steps < steps:
            if here is None or here["cursor"] == here["limit"]:
                if not waiting:
                    break
                here = waiting.pop()
            if here["lower"] >= self.threshold:
                self.report["by_bound"] += int(here["cursor"] == 0)
                here["cursor"] = here["limit"]
                continue
            child = self._look(here)
            if child is None:
                continue
            if here["cursor"] < here["limit"]:
                waiting.append(here)
            here = self._descended(here, *child)
        if here is not None and here["cursor"] < here["limit"]:
            waiting.append(here)
        left = np.zeros(len(waiting), stack.dtype)
        for i, each in enumerate(waiting):
            left[i] = each
        return left

    def _look(self, here: Any) -> tuple[np.void, int] | None:
        """The next child that stays, and its bound; the cursor moves on to the child after it that stays."""
        depth, of_father, child = int(here["depth"]), int(here["lower"]), None
        self.report["branched"] += int(here["cursor"] == 0)
        leaves = depth + 1 == self.levels
        while here["cursor"] < here["limit"]:
            self.steps += 1
            node = self._made(here["node"], depth, int(here["cursor"]))
            if node is not None:
                lower = int(self.bound.lower(self.problem, node, depth + 1))
                require_valid(self.parts, here["node"], node, depth, (of_father, lower, NO_COST))
                if lower >= self.threshold:
                    self._count(depth, complete=leaves)
                    self.report["by_bound"] += 1
                elif leaves:
                    self._count(depth, complete=True)
                    self._keep(node, lower, depth)
                elif child is not None:
                    break
                else:
                    child = node, lower
            here["cursor"] += 1
        return child

    def _made(self, father: Node, depth: int, k: int) -> np.void | None:
        fields: Fields | None = self.branching.child(self.problem, father, depth, k)
        if fields is None:
            return None
        made: np.void = nodes_of(self.dtype, {name: np.asarray(value)[None] for name, value in fields.items()}, 1)[0]
        return made

    def _descended(self, here: Any, node: np.void, lower: int) -> Any:
        depth = int(here["depth"])
        self._count(depth, complete=False)
        self.report["kept"] += 1
        if self.completes:
            cost = int(self.bound.upper(self.problem, node, depth + 1))
            require_valid(self.parts, here["node"], node, depth, (int(here["lower"]), lower, cost))
            if cost < self.threshold:
                self._keep(node, cost, depth)
        below = np.zeros(1, here.dtype)[0]
        below["node"], below["lower"], below["depth"] = node, lower, depth + 1
        below["limit"] = self.branching.arity(self.problem, depth + 1)
        return below

    def _count(self, depth: int, *, complete: bool) -> None:
        self.report["bounded"] += 1
        self.report["complete"] += int(complete)
        self.report["deepest"] = max(self.report["deepest"], depth + 1)

    def _keep(self, node: np.void, cost: int, depth: int) -> None:
        self.threshold = self.report["cost"] = cost
        self.report["depth"] = depth + 1
        self.best = node.copy()
