import json
import re
import subprocess
import warnings
from pathlib import Path
from random import Random
from typing import Any

import pytest

from metaheur import IteratedLocalSearch, TabuSearch
from metaheur.neighborhoods import Swap
from metaheur.parts import Always, Limit, Metropolis, RandomMoves
from metaheur.tuning import OneOf, Parameter, Range, Space, suggested, to_configspace, to_irace, to_optuna

SEARCH = IteratedLocalSearch(TabuSearch(Swap(), (0.1, 0.3)), RandomMoves(Swap(), 5), Always(), limit=Limit(1000))
SPACE = Space(SEARCH, {"acceptance": OneOf(Always(), Metropolis(9.0)), "search.tenure.low_plus": Range(0, 7)})
LINE = re.compile(r'(\S+) "--(\S+) " (\w+)(,log)? \(([^)]*)\)(?: \| (\S+) == "([^"]*)")?')


def number(text: str) -> float:
    return int(text) if text.isdigit() else float(text)


def test_the_parameters_of_irace_are_those_of_the_space(tmp_path: Path) -> None:
    to_irace(SPACE, tmp_path / "new", instances=["tai30a.dat"], runner="cat", runs=300)
    lines, _, rest = (tmp_path / "new/parameters.txt").read_text().partition("\n\n[global]\ndigits = ")
    default = [each.split() for each in (tmp_path / "new/configurations.txt").read_text().splitlines()]
    values = {name: json.loads(text) for name, text in zip(*default, strict=True) if text != "NA"}
    assert values == SPACE.default
    read = []
    for line in lines.splitlines():
        found = LINE.fullmatch(line)
        assert found
        name, switch, kind, log, domain, parent, needs = found.groups(default="")
        assert switch == name
        parts = [each.strip('"') for each in domain.split(", ")]
        numbers = None if kind == "c" else Range(number(parts[0]), number(parts[1]), log=bool(log))
        assert numbers is None or numbers.whole == (kind == "i")
        own = next(each.default for each in SPACE.parameters if each.name == name)
        choices = tuple(parts) if kind == "c" else ()
        read.append(Parameter(name, values.get(name, own), numbers, choices, parent, needs))
    assert tuple(read) == SPACE.parameters
    assert 4 <= int(rest) <= 15


def test_the_target_runner_of_irace_hands_its_arguments_on(tmp_path: Path) -> None:
    paths = to_irace(SPACE, tmp_path, instances=["a", "b"], runner="cat", runs=300)
    assert (tmp_path / "instances.txt").read_text() == "a\nb\n"
    scenario = (tmp_path / "scenario.txt").read_text()
    assert "maxExperiments = 300" in scenario
    assert {f"./{path.name}" for path in paths} - {"./scenario.txt"} == set(re.findall(r'"(\./[^"]+)"', scenario))
    told = ["1", "2", "42", "a", "--search.tenure.low", "0.5"]
    done = subprocess.run([tmp_path / "target-runner", *told], capture_output=True, text=True, check=True)
    assert done.stdout.split() == told


def test_the_json_of_configspace_is_the_space() -> None:
    told = json.loads(to_configspace(SPACE))
    conditions = {each["child"]: (each["parent"], each["value"]) for each in told["conditions"]}
    read = []
    for each in told["hyperparameters"]:
        numbers = None if each["type"] == "categorical" else Range(each["lower"], each["upper"], log=each["log"])
        choices = tuple(each.get("choices", ()))
        read.append(Parameter(each["name"], each["default_value"], numbers, choices, *conditions.get(each["name"], ())))
    assert tuple(read) == SPACE.parameters


def test_configspace_reads_it_and_draws_configurations_of_it(tmp_path: Path) -> None:
    package = pytest.importorskip("ConfigSpace", reason="ConfigSpace is not installed")
    (tmp_path / "space.json").write_text(to_configspace(SPACE))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of its reader
        space = package.ConfigurationSpace.from_json(tmp_path / "space.json")
    assert dict(space.get_default_configuration()) == SPACE.default
    space.seed(1)
    for each in space.sample_configuration(50):
        assert set(SPACE.read(dict(each))) == set(each)


class Drawing:
    """A trial of Optuna, as far as it is asked."""

    def __init__(self) -> None:
        self.random = Random(1)
        self.asked: dict[str, tuple[Any, ...]] = {}

    def suggest_int(self, name: str, low: int, high: int, *, log: bool) -> int:
        self.asked[name] = (low, high, log)
        return self.random.randint(low, high)

    def suggest_float(self, name: str, low: float, high: float, *, log: bool) -> float:
        self.asked[name] = (low, high, log)
        return self.random.uniform(low, high)

    def suggest_categorical(self, name: str, choices: list[str]) -> str:
        self.asked[name] = tuple(choices)
        return self.random.choice(choices)


def test_a_trial_is_asked_for_the_parameters_that_exist() -> None:
    counts = set[int]()
    for _ in range(20):
        trial = Drawing()
        trial.random.seed(len(counts) + _)
        found = suggested(SPACE, trial)
        assert set(trial.asked) == set(found) == set(SPACE.read(found))
        counts.add(len(found))
    assert len(counts) == 2  # with a temperature and without


def test_the_distributions_of_optuna_are_those_of_the_space() -> None:
    told = json.loads(to_optuna(SPACE))
    trial = Drawing()
    suggested(SPACE, trial)
    assert list(told) == [each.name for each in SPACE.parameters]
    for name, asked in trial.asked.items():
        attributes = told[name]["attributes"]
        assert asked == (tuple(attributes["choices"]) if "choices" in attributes else _ends(attributes))


def _ends(attributes: dict[str, Any]) -> tuple[Any, ...]:
    return attributes["low"], attributes["high"], attributes["log"]


def test_optuna_reads_them_and_suggests_the_same() -> None:
    optuna = pytest.importorskip("optuna", reason="optuna is not installed")
    read = {
        name: optuna.distributions.json_to_distribution(json.dumps(each))
        for name, each in json.loads(to_optuna(SPACE)).items()
    }
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    for _ in range(20):
        trial = study.ask()
        found = suggested(SPACE, trial)
        assert trial.params == found
        assert {name: read[name] for name in found} == trial.distributions
        study.tell(trial, 0.0)
