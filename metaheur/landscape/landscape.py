"""A landscape: a problem seen through a neighborhood."""

from __future__ import annotations

from math import inf
from os import PathLike
from typing import Any, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.landscape import correlation, descents, neutral, ruggedness, sampling
from metaheur.landscape.basins import Basins, exact_basins
from metaheur.landscape.descents import AdaptiveWalks, EscapeRates
from metaheur.landscape.edges import escape_network, perturbation_network, sampled_network, transition_network
from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.ground import Ground
from metaheur.landscape.network import Network
from metaheur.landscape.neutral import Neutrality
from metaheur.landscape.optima import Optima, exact_optima
from metaheur.landscape.report import LandscapeReport
from metaheur.landscape.ruggedness import Ruggedness
from metaheur.landscape.sampling import DensityOfStates, FitnessCloud
from metaheur.landscape.streams import number_of_optima
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.searches.pivoting import Pivoting
from metaheur.validate import device_field, instance_field, whole, whole_field

__all__ = ["Landscape"]


@final
@frozen(eq=False)
class Landscape:
    """The solutions of a problem, their costs, and which solutions are neighbors.

    Samplers make walks from random starts; walk w draws its numbers from the key (seed, w), so that a longer or larger
    sample contains the smaller one, and all devices return equal results. Intervals are those of 95 % confidence; see
    `Estimate`.

    Parameters
    ----------
    problem : Problem
        The problem, with one objective and no levels.
    neighborhood : Neighborhood
        The moves between neighbors.
    device : str, default "auto"
        "numpy", "host", "cuda", "cuda:1", ..., or "auto": the host if there is a compiler and both components have C++
        halves, else numpy.
    seed : int, default 0
        The seed of all walks, 0 ... 2**32 - 1.

    Raises
    ------
    InputError
        If the problem has several objectives or levels, or the neighborhood does not fit or has no moves.

    Examples
    --------
    >>> from metaheur.neighborhoods import Hamming
    >>> from metaheur.problems import OneMax
    >>> flips = Landscape(OneMax(20), Hamming(1), device="numpy")
    >>> print(flips.adaptive_walks(10).length)
    10 (8.53 ... 11.47)
    """

    problem: Problem = instance_field(Problem)
    neighborhood: Neighborhood = instance_field(Neighborhood, "use Swap().")
    device: str = device_field(kw_only=True)
    seed: int = whole_field(0, 2**32 - 1, default=0, kw_only=True)
    _ground: Ground = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Refuse what has no landscape."""
        object.__setattr__(self, "_ground", Ground(self.problem, self.neighborhood, self.device, self.seed))

    def autocorrelation(self, walks: int = 100, *, steps: int = 1000, lags: int = 20) -> Curve:
        """The autocorrelation of the costs along random walks, at lags 0 ... `lags`.

        Parameters
        ----------
        walks : int, default 100
            Number of walks.
        steps : int, default 1000
            Steps of each walk.
        lags : int, default 20
            The largest lag, at most `steps`.

        Returns
        -------
        Curve
            Over the lag; mean and variance are those of all walks together.

        Notes
        -----
        E. Weinberger, "Correlated and uncorrelated fitness landscapes and how to tell the difference", Biological
        Cybernetics 63, 1990.
        """
        return correlation.autocorrelation(self._ground, walks, steps, lags)

    def correlation_length(self, walks: int = 100, *, steps: int = 1000) -> Estimate:
        """The number of steps over which costs along random walks are correlated: -1 / ln r(1).

        Parameters
        ----------
        walks, steps : int
            As for `autocorrelation`.

        Notes
        -----
        P. F. Stadler, "Landscapes and their correlation functions", Journal of Mathematical Chemistry 20, 1996.
        """
        return correlation.correlation_length(self.autocorrelation(walks, steps=steps, lags=1).at(1))

    def distance_correlation(self, walks: int = 1000, *, reference: Any = None, of: str = "random") -> Estimate:
        """The correlation of the cost with the distance to the nearest reference: fitness-distance correlation.

        Parameters
        ----------
        walks : int, default 1000
            Number of solutions.
        reference : array_like, shape (n,) or (m, n), optional
            The global optima; by default the best local optima that `walks` descents find.
        of : {"random", "optima"}, default "random"
            Whether the solutions are random ones, or the ends of descents from them.

        Returns
        -------
        Estimate
            With the interval of Fisher's transformation. The distance is `Representation.distance`.

        Notes
        -----
        T. Jones and S. Forrest, "Fitness distance correlation as a measure of problem difficulty for genetic
        algorithms", ICGA 1995. Costs are as the user reads them: where a problem minimises, 1 is ideal.
        """
        return correlation.distance_correlation(self._ground, walks, reference, of)[0]

    def density_of_states(self, walks: int = 10_000) -> DensityOfStates:
        """The costs of random solutions.

        Parameters
        ----------
        walks : int, default 10000
            Number of solutions.

        Notes
        -----
        H. Rosé, W. Ebeling and T. Asselmeyer, "The density of states: a measure of the difficulty of optimisation
        problems", PPSN 1996.
        """
        return sampling.density_of_states(self._ground, walks)

    def fitness_cloud(
        self, walks: int = 1000, *, neighbor: str = "random", temperature: float | None = None, steps: int = 100
    ) -> FitnessCloud:
        """Costs of solutions, each beside the cost of one of its neighbors.

        Parameters
        ----------
        walks : int, default 1000
            Number of solutions.
        neighbor : {"random", "best"}, default "random"
            Which neighbor: a random one, or the best one.
        temperature : float, optional
            By default solutions are random. With a temperature, above 0 and in units of cost, they are the ends of
            walks by Metropolis' rule, which prefers better ones.
        steps : int, default 100
            Trials of these walks.

        Notes
        -----
        P. Collard, S. Verel and M. Clergue, "Local search heuristics: fitness cloud versus fitness landscape", ECAI
        2004; L. Vanneschi, M. Clergue, P. Collard, M. Tomassini and S. Verel, "Fitness clouds and problem hardness in
        genetic programming", GECCO 2004.
        """
        return sampling.fitness_cloud(self._ground, walks, neighbor, temperature, steps)

    def neutrality(self, walks: int = 100, *, steps: int = 100) -> Neutrality:
        """Neighbors of equal cost, and walks that never change the cost.

        Parameters
        ----------
        walks : int, default 100
            Number of solutions, from each of which a neutral walk begins.
        steps : int, default 100
            Trials of each neutral walk; at ten of its solutions all neighbors are examined.
        """
        return neutral.neutrality(self._ground, walks, steps)

    def adaptive_walks(self, walks: int = 1000, *, pivoting: Pivoting | None = None) -> AdaptiveWalks:
        """Descents from random solutions: their lengths and ends.

        Parameters
        ----------
        walks : int, default 1000
            Number of descents.
        pivoting : Pivoting, optional
            Which improving move is made; the best by default.
        """
        return descents.adaptive_walks(self._ground, walks, pivoting)

    def number_of_optima(self, walks: int = 100_000) -> Estimate:
        """How many local optima there are, estimated from how often steepest descents end in the same one.

        Parameters
        ----------
        walks : int, default 100000
            Number of descents, from random solutions; millions take little memory but eight bytes each.

        Returns
        -------
        Estimate
            Chao's estimate of 1984, which is too low on average where basins differ much in size, with its logarithmic
            interval.
        """
        return number_of_optima(self._ground, whole(walks, "walks"))

    def escape_rates(self, walks: int = 1000, *, farthest: int = 5) -> EscapeRates:
        """How often descents leave a local optimum after 1 ... `farthest` random moves from it.

        Parameters
        ----------
        walks : int, default 1000
            Number of local optima, the ends of descents from random solutions.
        farthest : int, default 5
            The most random moves.
        """
        return descents.escape_rates(self._ground, walks, farthest)

    def ruggedness(self, walks: int = 100, *, steps: int = 1000, levels: int = 20) -> Ruggedness:
        """The information content of random walks.

        Parameters
        ----------
        walks, steps : int
            As for `autocorrelation`; at least two steps.
        levels : int, default 20
            Sensitivities, from 0 up to the largest change of cost.
        """
        return ruggedness.ruggedness(self._ground, walks, steps, levels)

    def neighborhood_statistics(self, walks: int = 1000) -> dict[str, Estimate]:
        """Statistics of the changes of cost of all moves, each its mean over random solutions.

        Parameters
        ----------
        walks : int, default 1000
            Number of solutions.

        Returns
        -------
        dict of str to Estimate
            "lowest", "lower quartile", "median", "upper quartile", "highest", "mean", "deviation": of the changes of
            cost as they are minimised; "improving", "neutral", "worsening": shares of moves.
        """
        return sampling.neighborhood_statistics(self._ground, walks)

    def optima(self, *, strict: bool = False, path: str | PathLike[str] | None = None, seconds: float = inf) -> Optima:
        """All local optima of the space, exactly.

        Those of a `QAP` under `Swap` with 3 ... 24 facilities come from branch and bound on prefixes of solutions, on
        host or cuda. Other landscapes are enumerated: permutations of 4 ... 12 items under `Swap` with whole costs by
        compiled code, others by Python, if they have at most five million solutions.

        Parameters
        ----------
        strict : bool, default False
            Whether to return only optima whose neighbors are all worse.
        path : path-like, optional
            The file of the search: it is saved there every half a minute and at the end, and goes on from there, on any
            device.
        seconds : float, optional
            When to stop, more or less; then `Optima.complete` is False.

        Returns
        -------
        Optima
            In lexicographic order. Facilities whose exchange changes no cost multiply optima: if all are more than 20
            million, one of those that differ by exchanges is listed, and `Optima.copies` is their number.

        Raises
        ------
        InputError
            If the space is too large or cannot be enumerated; if the file is of another search; if `path` or `seconds`
            is given where the space is enumerated.
        """
        return exact_optima(self._ground, strict, path, seconds)

    def basins(self) -> Basins:
        """All local optima, and how many solutions steepest descent leads to each; of equal moves it makes the first.

        Permutations of 4 ... 12 items under `Swap` with whole costs are enumerated by compiled code, which takes ten
        bytes a solution; other spaces by Python, if they have at most five million solutions.

        Raises
        ------
        InputError
            If the space is too large or cannot be enumerated.
        """
        return exact_basins(self._ground)

    def network(
        self,
        edges: str = "transition",
        *,
        optima: Optima | None = None,
        distance: int = 1,
        strength: int = 2,
        kicks: int = 100,
    ) -> Network:
        """The local optima network, of all local optima.

        Parameters
        ----------
        edges : {"transition", "escape", "perturbation"}, default "transition"
            What an edge counts. Transition: pairs of neighbors, one in the basin of each optimum; exact, see `basins`
            for the sizes of spaces. Escape: solutions at most `distance` moves away from an optimum from which descent
            leads to another one. Perturbation: the ends of descents after kicks.
        optima : Optima, optional
            For escape and perturbation edges: all local optima, if they are known; else `optima` finds them.
        distance : {1, 2}, default 1
            Of escape edges.
        strength, kicks : int, default 2 and 100
            Of perturbation edges: random moves of a kick, and kicks of each optimum.

        Raises
        ------
        InputError
            If the space is too large or cannot be enumerated, or a descent ends outside `optima`.

        Notes
        -----
        Ochoa et al. 2008 (transition), Verel et al. 2011 (escape); G. Ochoa and N. Veerapen, "Mapping the global
        structure of TSP fitness landscapes", Journal of Heuristics 24, 2018 (perturbation).
        """
        if edges == "transition":
            return transition_network(self._ground)
        if edges not in ("escape", "perturbation"):
            raise InputError(f'`edges` must be "transition", "escape" or "perturbation", but is {edges!r}.')
        known = self.optima() if optima is None else optima
        if edges == "escape":
            return escape_network(self._ground, known, distance)
        return perturbation_network(self._ground, known, strength, kicks)

    def sampled_network(
        self, walks: int = 100, *, iterations: int = 100, strength: int = 2, refused: bool = False
    ) -> Network:
        """The network that runs of iterated descents see, for spaces of any size.

        Parameters
        ----------
        walks : int, default 100
            Number of runs, each from a random start.
        iterations : int, default 100
            Kicks of each run, each followed by a descent; a run goes on from the new optimum unless it is worse.
        strength : int, default 2
            Random moves of a kick.
        refused : bool, default False
            Whether steps to worse optima, from which a run does not go on, are edges, too; the literature leaves them
            out.

        Returns
        -------
        Network
            With perturbation edges, and with the trace of their steps. A run without an edge has a loop at its start.
        """
        return sampled_network(self._ground, walks, iterations, strength, refused=refused)

    def report(self, walks: int = 100) -> LandscapeReport:
        """All samplers, as a table and as a page of pictures.

        Parameters
        ----------
        walks : int, default 100
            Number of walks, or solutions, of each sampler.
        """
        return LandscapeReport.of(self, walks)
