"""The literature of what was used, as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import attrs

__all__ = ["cite"]

_SOURCES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "AlignedCrossover": ("ChoiMoon2008",),
        "Annealed": ("MartinOttoFelten1991",),
        "BestChildren": ("BeyerSchwefel2002",),
        "BestParents": ("MuhlenbeinSchlierkampVoosen1993",),
        "BitFlips": ("Holland1975", "DrosteJansenWegener2002"),
        "BranchAndBound": (),
        "BreakoutLocalSearch": ("BenlicHao2013", "BenlicHao2013a"),
        "CVRP": ("DantzigRamser1959", "Uchoa2017"),
        "CandidateDescent": ("Bentley1992",),
        "CycleCrossover": ("OliverSmithHolland1987",),
        "DiversificationDrivenTabuSearch": ("GloverLuHao2010",),
        "DoubleBridge": ("MartinOttoFelten1991",),
        "EdgeAssembly": ("NagataKobayashi2013",),
        "EdgeRecombination": ("Whitley1989",),
        "FlexibleJobShop": ("Brandimarte1993", "MastrolilliGambardella2000"),
        "BinPacking": ("Falkenauer1996", "DelormeIoriMartello2018"),
        "FleetRouting": ("VidalEtAl2014",),
        "MultiTripRouting": ("CattaruzzaAbsiFeillet2016",),
        "RuinAndRecreateVisits": ("ChristiaensVandenBerghe2020", "CattaruzzaAbsiFeillet2016"),
        "ParallelMachines": ("Allahverdi2015",),
        "PairRelocate": ("LiLim2003",),
        "PickupAndDelivery": ("LiLim2003",),
        "RouteExchange": ("NagataKobayashi2010",),
        "RuinAndRegret": ("PotvinRousseau1993", "RopkePisinger2006"),
        "RuinAndRecreateKinds": ("ChristiaensVandenBerghe2020",),
        "RuinAndRecreatePairs": ("RopkePisinger2006", "ChristiaensVandenBerghe2020"),
        "FlowShop": ("Taillard1990", "NawazEnscoreHam1983"),
        "GRASP": ("FeoResende1995",),
        "GeneralizedAssignment": ("MartelloToth1990",),
        "GeneticAlgorithm": ("Holland1975", "Goldberg1989"),
        "GilmoreLawler": ("Lawler1963",),
        "GraphColoring": ("HertzWerra1987",),
        "GreatDeluge": ("Dueck1993",),
        "GreedyPartition": ("GalinierHao1999",),
        "GroupDescent": ("RuizStutzle2007",),
        "GuidedLocalSearch": ("VoudourisTsang1999",),
        "HeavyTailedMoves": ("Doerr2017",),
        "HillClimbing": ("Talbi2009",),
        "HierarchicalPickupAndDelivery": ("LiLim2003",),
        "HierarchicalVRPTW": ("Solomon1987", "NagataBraysyDullaert2010"),
        "HybridEvolutionaryAlgorithm": ("GalinierHao1999", "HertzWerra1987"),
        "IBEA": ("ZitzlerKunzli2004",),
        "JobShop": ("Bierwirth1995",),
        "JobShopByMachines": ("NowickiSmutnicki1996", "BalasVazacopoulos1998"),
        "Knapsack": ("KellererPferschyPisinger2004",),
        "KnapsackCore": ("Pisinger1997", "MartelloPisingerToth1999"),
        "KnapsackSharing": ("Brown1979", "YamadaFutakawaKataoka1998"),
        "LateAcceptance": ("BurkeBykov2017",),
        "LinKernighan": ("LinKernighan1973", "Helsgaun2009"),
        "MOEAD": ("ZhangLi2007",),
        "MaxCut": ("BenlicHao2013a",),
        "MaximumDiversity": ("GloverKuoDhir1998",),
        "MemeticAlgorithm": ("Moscato1989", "BenlicHao2015"),
        "Metropolis": ("Metropolis1953",),
        "MultipleKnapsack": ("MartelloToth1990",),
        "MultistartTabuSearch": ("Palubeckis2004",),
        "NSGA2": ("Deb2002",),
        "NSGA3": ("DebJain2014",),
        "OccasionalCrossover": ("DeJong1975",),
        "OldestMember": ("DeJongSarma1993", "Real2019"),
        "OnePlusLambda": ("DrosteJansenWegener2002",),
        "OnePoint": ("Holland1975",),
        "OrderCrossover": ("Davis1985",),
        "PMedian": ("Hakimi1964", "ResendeWerneck2007"),
        "ParetoLocalSearch": ("Liefooghe2012",),
        "PartiallyMapped": ("GoldbergLingle1985",),
        "PositionBased": ("Syswerda1991",),
        "CourseTimetabling": ("DiGasperoMcCollumSchaerf2007",),
        "MultiModeRCPSP": ("KolischDrexl1997", "SprecherDrexl1998"),
        "CarSequencing": ("ParrelloKabatWos1986",),
        "GraphPartition": ("KernighanLin1970",),
        "QAP": ("KoopmansBeckmann1957", "Taillard1991"),
        "QualityAndDistance": ("LuHao2010", "Vidal2012"),
        "RankRoulette": ("Baker1985", "LipowskiLipowska2012"),
        "ReactiveTenure": ("BattitiTecchiolli1994",),
        "Rebuild": ("RuizStutzle2007",),
        "RecordToRecord": ("Dueck1993",),
        "RuinAndRecreate": ("SchrimpfEtAl2000", "ChristiaensVandenBerghe2020"),
        "SPEA2": ("ZitzlerLaumannsThiele2001",),
        "RCPSP": ("PritskerWattersWolfe1969", "KolischHartmann1999"),
        "SequentialOrdering": ("Escudero1988", "GambardellaDorigo2000"),
        "SimulatedAnnealing": ("Kirkpatrick1983", "Metropolis1953"),
        "StringRemoval": ("ChristiaensVandenBerghe2020",),
        "TabuSearch": ("GloverLaguna1997", "Taillard1991"),
        "Threshold": ("DueckScheuer1990",),
        "Tournament": ("GoldbergDeb1991",),
        "TwoPoints": ("Cavicchio1970",),
        "Uniform": ("Syswerda1989",),
        "UniformLike": ("TateSmith1995",),
        "VariableNeighborhoodSearch": ("MladenovicHansen1997",),
        "VRPTW": ("Solomon1987", "NagataBraysyDullaert2010"),
        "VehicleRouting": ("DantzigRamser1959", "Uchoa2017"),
        "WorseParent": ("GalinierHao1999",),
    }
)
"""The sources of classes; others have none of their own."""

_SOFTWARE: Final = """@software{{metaheur,
  author = {{The metaheur developers}},
  title = {{metaheur: metaheuristics with one source for every device}},
  version = {{{version}}}
}}"""


def cite(*used: Any) -> str:
    """BibTeX of metaheur and of exactly the methods that were used.

    `*used`: objects that were used, which are cited with all their parts; or the name of a class, or an expression.
    Returns an entry for metaheur, and one for each source. Raises InputError if metaheur has nothing of this name.

    Examples
    --------
    >>> print(cite("ReactiveTenure").splitlines()[-3])
      volume = {6},
    """
    import metaheur

    keys = dict.fromkeys(key for each in used for name in _names(each) for key in _SOURCES.get(name, ()))
    return "\n\n".join([_SOFTWARE.format(version=metaheur.__version__), *(_entries()[key] for key in keys)])


def _names(used: Any) -> Iterator[str]:
    """The names of all classes that something is made of."""
    if isinstance(used, str):
        from metaheur.door.expression import home_of

        for name in dict.fromkeys(re.findall(r"\b(?!True|False|None|Fraction)[A-Z]\w+", used)):
            home_of(name)  # refuses a name that metaheur does not have
            yield name
        return
    if attrs.has(type(used)):
        yield type(used).__name__
        for field in attrs.fields(type(used)):
            yield from _names_of_part(getattr(used, field.name, None))
    race = getattr(used, "race", None)
    if race is not None:
        yield from _names(race.tried[race.won].search)


def _names_of_part(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for each in value:
            yield from _names_of_part(each)
    elif not isinstance(value, str):
        yield from _names(value)


def _entries() -> dict[str, str]:
    """All sources, by their keys."""
    text = files("metaheur.report").joinpath("sources.bib").read_text(encoding="utf-8")
    return {entry.split("{")[1].split(",")[0]: entry for entry in text.strip().split("\n\n")}
