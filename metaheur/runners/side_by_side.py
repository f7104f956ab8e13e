"""Walks of unlike searches, side by side. One runner advances all walks of equal searches together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import reduce
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import Device
from metaheur.machine.pace import Alarm
from metaheur.machine.performance import Spent
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.runners.joined import Joined
from metaheur.running.runner import Arrive, Chunk, Facts, Runner
from metaheur.running.view import Until
from metaheur.walk import EvaluatedSolution, Walk, Walks

__all__ = ["Ledger", "PortfolioState", "SideBySide"]


@final
@frozen(eq=False)
class Ledger:
    """The contributions of a portfolio's searches to a walk, up to the last choice of the search that makes the walk.

    `gains`, `work`, `turns`, numpy.ndarray of float64, shape (m,): of each search: by how much it has lowered the best
    cost, how many moves it has evaluated, and for how many periods it has made the walk. An allocation may have
    discounted these numbers. `cost`: the best cost at the last decision. `evaluated`, `decisions`: the moves that were
    evaluated by the last decision, and how many decisions there were.
    """

    gains: np.ndarray
    work: np.ndarray
    turns: np.ndarray
    cost: Any
    evaluated: int = 0
    decisions: int = 0

    @classmethod
    def first(cls, members: int, cost: Any) -> Ledger:
        """The ledger before the first step."""
        gains, work, turns = np.zeros((3, members))
        return cls(gains, work, turns, cost)


@final
@frozen(eq=False)
class PortfolioState:
    """A walk of a portfolio: the number of the search that makes it, this search's state, and the ledger."""

    member: int
    inner: Any
    ledger: Ledger

    @property
    def walk(self) -> Walk:
        """The walk of the search."""
        walk: Walk = self.inner.walk
        return walk


@final
@define(eq=False)
class SideBySide(Runner):
    """Walks of the searches of a portfolio.

    `problem`: the problem that they solve. `groups`: the group of each member; equal searches have the same one.
    `make`: makes the runner of a group from its number; called once for each group that has walks. `facts`: where the
    walks run, and why. `abreast`: how many groups advance at one time. `device`: where the threads work, each in its
    own order of launches.
    """

    search: Any
    problem: Problem
    groups: tuple[int, ...]
    make: Callable[[int], Runner]
    facts: Facts
    abreast: int
    device: Device
    alarm: Alarm = field(factory=Alarm)
    _made: dict[int, Runner] = field(init=False, factory=dict)
    _walks: Joined | None = field(init=False, default=None)
    _members: np.ndarray = field(init=False, factory=lambda: np.zeros(0, np.int64))
    _standing: tuple[int, ...] = field(init=False, default=())  # the groups of the parts of the walks
    _ledgers: dict[int, Ledger] = field(init=False, factory=dict)  # of walks that were loaded
    _begun: np.ndarray = field(init=False, factory=lambda: np.zeros(0))  # the costs at which the others began
    _pool: ThreadPoolExecutor | None = field(init=False, default=None)

    def runner(self, group: int) -> Runner:
        """The runner of a group; it is made when it is first asked for."""
        if group not in self._made:
            self._made[group] = self.make(group)
        return self._made[group]

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for runner in self._made.values() for device in runner.native_devices)

    def count_anew(self) -> None:
        for runner in self._made.values():
            runner.count_anew()

    def spent(self) -> Spent:
        """The time that all groups spent, which work side by side."""
        return reduce(Spent.beside, (runner.spent() for runner in self._made.values()), Spent())

    def draw(self, keys: Sequence[Key]) -> np.ndarray:
        """The solutions as the first search draws them."""
        return self.runner(0).draw(keys)

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """Each group begins its walks."""
        members = np.array([self.search.member_of(key) for key in keys])

        def begun(runner: Runner, places: np.ndarray) -> Walks:
            return runner.begin([keys[w] for w in places.tolist()], solutions[places])

        walks = self._grouped(members, begun)
        self._ledgers, self._begun = {}, walks.best_costs.copy()
        return walks

    def load(self, states: Sequence[PortfolioState]) -> Walks:
        members = np.array([state.member for state in states])
        self._ledgers = {w: state.ledger for w, state in enumerate(states)}
        return self._grouped(members, lambda runner, places: runner.load([states[w].inner for w in places.tolist()]))

    def replace(self, walks: Walks, states: Mapping[int, PortfolioState]) -> Walks:
        """Each group replaces its own states; where other searches take walks over, all states are loaded anew."""
        if walks is not self._walks or any(walks.members[w] != state.member for w, state in states.items()):
            return super().replace(walks, states)
        self._ledgers |= {w: state.ledger for w, state in states.items()}
        inner = {w: state.inner for w, state in states.items()}
        return self._changed(walks, inner, lambda runner, part, own: runner.replace(part, own))

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """Each group settles its own walks."""
        if walks is not self._walks:
            return super().settle(walks, solutions, arrive)

        def settled(runner: Runner, part: Walks, own: Mapping[int, EvaluatedSolution]) -> Walks:
            first = int(places[parts.index(part)][0])  # all walks of a part are made by equal searches
            return runner.settle(part, own, lambda state, x: arrive(self._state(first, state), x).inner)

        assert isinstance(walks, Joined)
        parts, places = walks.parts, walks.places
        return self._changed(walks, solutions, settled)

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if walks is not self._walks:
            stopped = walks.stopped
            walks = self.load([walks.state(w) for w in range(len(walks))])
            walks.stopped |= stopped
        assert isinstance(walks, Joined)
        parts, members, places = walks.share(), walks.members, walks.places

        def advanced(i: int) -> Chunk:
            runner = self.runner(self._standing[i])
            runner.alarm.deadline, runner.alarm.interrupted = self.alarm.deadline, self.alarm.interrupted
            runner.alarm.look = self.alarm.look
            return runner.advance(parts[i], until)

        chunks = self._together(advanced, len(parts))
        improvements = tuple(
            (int(places[i][w]), *rest) for i, chunk in enumerate(chunks) for w, *rest in chunk.improvements
        )
        after = self._stand([chunk.walks for chunk in chunks], places, members)
        return Chunk(after, improvements, within=any(chunk.within for chunk in chunks))

    def _grouped(self, members: np.ndarray, begun: Callable[[Runner, np.ndarray], Walks]) -> Walks:
        """The walks with these members, as each group has begun its own."""
        groups = np.array(self.groups)[members]
        self._standing = tuple(sorted(set(groups.tolist())))
        places = [np.flatnonzero(groups == group) for group in self._standing]
        runners = [self.runner(group) for group in self._standing]
        parts = self._together(lambda i: begun(runners[i], places[i]), len(places))
        return self._stand(parts, places, members)

    def _changed(self, walks: Walks, things: Mapping[int, Any], change: Callable[[Runner, Walks, Any], Walks]) -> Walks:
        """The walks after each group has changed its own walks."""
        assert isinstance(walks, Joined)
        runners = [self.runner(group) for group in self._standing]
        parts = [
            change(runner, part, own) if own else part
            for runner, part, own in zip(runners, walks.share(), walks.split(things), strict=True)
        ]
        return self._stand(parts, walks.places, walks.members)

    def _stand(self, parts: Sequence[Walks], places: Sequence[np.ndarray], members: np.ndarray) -> Joined:
        self._members = members
        self._walks = Joined(parts, places, members, self._state)
        return self._walks

    def _state(self, w: int, inner: Any) -> PortfolioState:
        """The state of walk w, whose search is in the state `inner`."""
        ledger = self._ledgers.get(w)
        if ledger is None:
            ledger = Ledger.first(len(self.groups), self._begun[w].tolist())
        return PortfolioState(int(self._members[w]), inner, ledger)

    def _together(self, work: Callable[[int], Any], count: int) -> list[Any]:
        """The results of all parts, which work side by side. If a part fails, the others end their work first."""
        if count == 1:
            return [work(0)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.abreast, initializer=self.device.alongside)
        futures = [self._pool.submit(self._ended, work, i) for i in range(count)]
        wait(futures)
        return [future.result() for future in futures]

    def _ended(self, work: Callable[[int], Any], part: int) -> Any:
        """The result of a part when the device has ended the work of this thread: another thread may go on with it."""
        try:
            return work(part)
        finally:
            self.device.wait()
