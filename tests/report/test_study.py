"""A study in a file makes its runs, once, and its folder has its tables."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from metaheur.command.main import main
from metaheur.errors import InputError
from metaheur.report.study import read_experiment, run_study

DATA = "4\n0 3 5 2\n3 0 4 1\n5 4 0 6\n2 1 6 0\n0 7 2 9\n7 0 3 5\n2 3 0 8\n9 5 8 0\n"
STUDY = """
seeds = 2
stop = {iterations = 20, seconds = 100}
target = {twelve = 10_000_000}

[searches]
tabu = "TabuSearch(Swap())"
climbing = "HillClimbing(Swap())"

[problems]
small = "small.dat"
twelve = "QAP.taillard(12)"

[parallel]
python = "numpy"
core = 'IterationLevel("host", threads=1)'
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "small.dat").write_text(DATA)
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path / "study.toml"


def test_a_study_is_searches_on_problems_by_models(study: Path) -> None:
    made = run_study(study, progress=False)
    assert (made.searches, made.problems, made.models) == (
        ("tabu", "climbing"),
        ("small", "twelve"),
        ("python", "core"),
    )
    assert [each.status for each in made.runs] == ["done"] * 16
    assert {each.result.device for each in made.runs if each.result and each.model == "core"} == {"host"}
    assert made.targets == {"small": None, "twelve": 10_000_000}
    assert all(each.reused for each in run_study(study, progress=False).runs)


def test_the_verbs_make_it_and_its_tables_and_repeat_a_run(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = study.parent / "runs"
    study.write_text(STUDY.partition("[parallel]")[0] + '[parallel]\npython = "numpy"\n')
    assert main(["study", str(study), "--quiet"]) == 0
    assert "tabu" in capsys.readouterr().out
    assert main(["tables", str(folder), "--value", "runs", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "problem,climbing,tabu\nsmall,2,2\ntwelve,2,2\n"
    assert main(["tables", str(folder), "--rows", "search,problem", "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("| search | problem | median |")
    record = sorted(folder.glob("*.json"))[0]
    assert main(["reproduce", str(record)]) == 0
    assert "identical." in capsys.readouterr().out
    assert main(["reproduce", str(study)]) == 1


def test_a_run_that_differs_is_a_failed_check(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_study(study, progress=False)
    record = sorted((study.parent / "runs").glob("tabu_twelve*.json"))[0]
    content = json.loads(record.read_text())
    content["run"]["seed"] = 77
    record.write_text(json.dumps(content))
    assert main(["reproduce", str(record)]) == 3
    assert "The start cost" in capsys.readouterr().out


def test_an_experiment_is_read_from_its_folder(study: Path) -> None:
    made = run_study(study, progress=False)
    (study.parent / "runs" / "torn_1.json").write_text("{")
    read = read_experiment(study.parent / "runs")
    assert read.targets == made.targets
    assert (set(read.searches), read.problems, set(read.models)) == (
        set(made.searches),
        made.problems,
        set(made.models),
    )
    assert {(each.problem, each.search): each.median for each in read.summary()} == {
        (each.problem, each.search): each.median for each in made.summary()
    }
    assert read.table(value="success_rate", rows=("problem", "search", "model")).cells[-1] == (1.0,)
    assert read.notes[0].startswith("torn_1.json could not be used: it is torn")


def test_the_target_of_a_study_is_that_of_its_tables(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = study.parent / "runs"
    run_study(study, progress=False)

    def table(*options: str, status: int = 0) -> str:
        assert main(["tables", str(folder), "--value", "ert", "--format", "csv", *options]) == status
        printed = capsys.readouterr()
        return printed.err if status else printed.out + printed.err

    assert table().endswith("\nsmall,,,,\ntwelve,0.0,0.0,0.0,0.0\nCosts to reach: twelve 10,000,000.\n")
    assert "twelve,0.0," in table("--target", "small=1, twelve=20000000")
    assert "small 7, twelve 7." in table("--target", "7")
    assert "`--target` names 'other', but the problems are small, twelve." in table("--target", "other=7", status=1)
    assert "`--target` must be a cost, or NAME=COST" in table("--target", "few", status=1)
    study.write_text(STUDY.replace("target = {twelve = 10_000_000}", "target = {small = 5}"))
    run_study(study, progress=False)
    assert read_experiment(folder).targets == {"small": 5, "twelve": None}
    (folder / "data" / "targets.json").write_text("[]")
    assert "targets.json is broken: it is not an object of numbers" in table(status=1)
    study.write_text(
        STUDY.partition("target")[0] + '[searches]\ns = "HillClimbing(Swap())"\n[problems]\np = "small.dat"\n'
    )
    made = run_study(study, progress=False)
    assert "The targets are not recorded." in made.notes[0]
    with pytest.raises(InputError, match=r"`ert` needs a cost to reach, but there is none for p\.\nMaybe pass target="):
        made.table(value="ert")


def test_measures_that_need_a_cost_to_reach_are_left_out_of_a_table_without_one(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study.write_text(
        'stop = {iterations = 3}\nseeds = 1\nparallel = "numpy"\n[searches]\ns = "HillClimbing(Swap())"\n'
        '[problems]\np = "small.dat"\n'
    )
    run_study(study, progress=False)
    folder = str(study.parent / "runs")
    assert main(["tables", folder, "--value", "runs,ert", "--format", "csv"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1] == "p,1"
    assert "Left out are ert: there is no cost to reach.\nMaybe add --target COST" in shown.err
    assert main(["tables", folder, "--value", "ert"]) == 1
    assert "ert: there is no cost to reach.\nMaybe add --target COST" in capsys.readouterr().err


def test_records_of_two_studies_under_one_name_are_not_mixed(study: Path) -> None:
    run_study(study, progress=False)
    study.write_text(STUDY.replace("iterations = 20", "iterations = 21"))
    run_study(study, progress=False)
    with pytest.raises(InputError, match=r"are of climbing on small, seed 0(.|\n)*use a new folder"):
        read_experiment(study.parent / "runs")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("seeds = 2", "seed = 2", "`seed` is not known"),
        ("seeds = 2", "seeds = ", "is not TOML"),
        ("iterations = 20", "iteration = 20", "`stop` must be a table of iterations, evaluations"),
        ('"small.dat"', '"smal.dat"', r"`problems.small` is 'smal.dat', and .*smal.dat does not exist"),
        ("[searches]", "[searchers]", "`searchers` is not known"),
        ('"TabuSearch(Swap())"', "5", "`searches.tabu` must be a text, but is 5"),
        ('"TabuSearch(Swap())"', '"QAP.taillard(15)"', "`search` must be a Search"),
        ('"TabuSearch(Swap())"', '"nowhere:search"', "nowhere cannot be imported"),
        ("seeds = 2", "seeds = -1", "`seeds` must be a whole number from 1 on, or a list of them, but is -1"),
        ("seeds = 2", 'seeds = "x"', "`seeds` must be a whole number from 1 on, or a list of them, but is 'x'"),
        ("seeds = 2", "seeds = [1.5]", r"`seeds` must be a whole number from 1 on, .*, but is \[1.5\]"),
        ("seeds = 2", "folder = 3", "`folder` must be a text, but is 3"),
        (
            '"small.dat"',
            '{fil = "x"}',
            "`problems.small` must be a text or a table with the text `file`, but is {'fil'",
        ),
        ('"small.dat"', "{file = 3}", "`problems.small` must be a text or a table with the text `file`"),
        ('"numpy"', "3", r'`parallel` must be a text, but is 3(.|\n)*write "host"'),
        ('"numpy"', '"Multistar(3)"', "'Multistar' is not a class of metaheur"),
    ],
)
def test_a_wrong_entry_is_named(old: str, new: Any, reason: str, study: Path) -> None:
    study.write_text(STUDY.replace(old, new))
    with pytest.raises(InputError, match=reason):
        run_study(study, trust=True)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, f"a = {'9' * 5000}", "a"])
def test_a_file_that_is_not_toml_is_named(text: str, study: Path) -> None:
    study.write_text(text)
    with pytest.raises(InputError, match=r"study.toml is not TOML"):
        run_study(study)


def test_an_empty_folder_has_no_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no records"):
        read_experiment(tmp_path)


OWN = """
from metaheur import Permutation, Problem, TabuSearch, compiled
from metaheur.neighborhoods import Swap
from attrs import frozen

@frozen(eq=False)
class Mine(Problem):
    @property
    def representation(self):
        return Permutation(6)

    @compiled
    def cost(self, x):
        return sum(x[k] * k for k in range(6))

mine, search = Mine(), TabuSearch(Swap())
"""


def test_a_study_from_elsewhere_names_objects_and_other_folders_only_if_it_is_trusted(
    study: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    (elsewhere / "of_a_study.py").write_text("raise AssertionError")
    for entry, message in (
        ('"of_a_study:search"', "names the object of_a_study:search, but does not lie in the current folder"),
        ("\"write_sets('x', [[[1]]])\"", "write_sets is a public name, but an expression may not call it"),
        ("\"run_study('x')\"", "run_study is a public name, but an expression may not call it"),
    ):
        study.write_text(STUDY.replace('"TabuSearch(Swap())"', entry))
        with pytest.raises(InputError, match=re.escape(message)):
            run_study(study, progress=False)
    study.write_text(f"folder = '{elsewhere}'\n{STUDY}")
    with pytest.raises(InputError, match=r"names the folder .* but does not lie(.|\n)*trust=True"):
        run_study(study, progress=False)
    assert [each.name for each in elsewhere.iterdir()] == ["of_a_study.py"]
    assert run_study(study, progress=False, trust=True).runs
    assert list(elsewhere.glob("*.json"))
    monkeypatch.chdir(study.parent)
    study.write_text(STUDY.replace('"small.dat"', '"of_a_study:mine"'))
    monkeypatch.setattr("os.getuid", lambda: study.stat().st_uid + 1)
    with pytest.raises(InputError, match="names the object of_a_study:mine, but belongs to another user"):
        run_study(study, progress=False)


def test_objects_of_ones_own_are_named_by_their_modules(
    study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(study.parent)
    monkeypatch.syspath_prepend(str(study.parent))
    (study.parent / "of_a_study.py").write_text(OWN)
    study.write_text(
        'stop = {iterations = 9}\nseeds = [4]\nparallel = "numpy"\n[searches]\ns = "of_a_study:search"\n'
        '[problems]\np = "of_a_study:mine"\nnumbered = {file = "small.dat"}\n'
    )
    made = run_study(study, progress=False)
    assert [(each.problem, each.status) for each in made.runs] == [("p", "done"), ("numbered", "done")]
    records = [str(path) for path in sorted((study.parent / "runs").glob("*.json"))]
    assert main(["reproduce", *reversed(records)]) == 1
    printed = capsys.readouterr()
    assert "of_a_study.Mine, which is not a class of metaheur" in printed.err
    assert "--study FILE" in printed.err
    assert printed.out.endswith("\n1 identical, 0 different, 1 not made again.\n")
    assert main(["reproduce", *records, "--study", str(study)]) == 0
    assert capsys.readouterr().out.endswith("\n2 identical, 0 different, 0 not made again.\n")
    study.write_text(study.read_text().replace("numbered", "another"))
    assert main(["reproduce", records[0], "--study", str(study)]) == 1
    assert "study.toml has no 'numbered' in `problems`, but p, another." in capsys.readouterr().err
