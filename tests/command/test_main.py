"""Every verb, through a process of its own, as a user calls it."""

import argparse
import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from metaheur import FirstImprovement, run_many, stop
from metaheur.command.main import main
from metaheur.command.output import print_rows
from metaheur.command.solving import _model, _stop
from metaheur.command.studying import _effort
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import Auto
from metaheur.problems import TSP, OneMax
from metaheur.running.race import Race, Tried
from metaheur.searches import HillClimbing, Recommendation
from tests.running.test_result import RESULT

ROOT = Path(__file__).parents[2]
QAP = "4\n0 3 5 2\n3 0 4 1\n5 4 0 6\n2 1 6 0\n0 7 2 9\n7 0 3 5\n2 3 0 8\n9 5 8 0\n"
MODULE = """
from metaheur import Permutation, Problem
from attrs import frozen

@frozen(eq=False)
class Own(Problem):
    @property
    def representation(self):
        return Permutation(5)
    def cost(self, x):
        return sum(abs(int(e) - i) for i, e in enumerate(x))

class Wrong(Own):
    def delta(self, x, move):
        return 0 * (move.i + move.j)

own, wrong, number = Own(), Wrong(), 5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.dat").write_text(QAP)
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "solution.txt").write_text("0 1 2 3\n")
    return tmp_path


@pytest.fixture
def inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is the current one, and one of modules."""
    monkeypatch.delitem(sys.modules, "mine", raising=False)  # other tests have a module of this name, too
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))


def metaheur(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "metaheur", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_file_is_solved_and_the_line_repeats_it(folder: Path) -> None:
    first = metaheur(folder, "solve", "small.dat", "--seconds", "0.2", "--parallel", "numpy", "--format", "json")
    assert first.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    again = re.search(r"^again: metaheur (solve .*)$", first.stderr, re.MULTILINE)
    assert again
    second = metaheur(folder, *shlex.split(again[1]), "--format", "csv", "--quiet", "--out", "best.sln")
    assert second.stderr == ""
    (row,) = csv.DictReader(second.stdout.splitlines())
    assert int(row["cost"]) == found["cost"]
    assert row["solution"] == " ".join(map(str, found["solution"]))
    shown = metaheur(folder, "show", "best.sln", "small.dat", "--format", "json")
    assert json.loads(shown.stdout) == {"cost": found["cost"], "stated": found["cost"], "n": 4}


@pytest.mark.parametrize("search", ["TabuSearch(Swap(), (0.1, 0.3))", "problem.recommended()"])
def test_a_search_is_saved_and_resumed_where_it_ended(folder: Path, search: str) -> None:
    common = ("--search", search, "--parallel", "numpy", "--format", "json")
    saved = metaheur(folder, "solve", "small.dat", *common, "--iterations", "20", "--save", "run.npz")
    assert "checkpoint: run.npz" in saved.stderr
    resumed = metaheur(folder, "resume", "run.npz", "--iterations", "50", "--format", "json")
    alone = metaheur(folder, "solve", "small.dat", *common, "--iterations", "50")
    here, there = (json.loads(each.stdout) for each in (resumed, alone))
    assert [here[name] for name in ("cost", "solution", "evaluated")] == [
        there[name] for name in ("cost", "solution", "evaluated")
    ]


@pytest.mark.thorough
def test_a_recommended_search_brings_its_start_and_its_walks(tmp_path: Path) -> None:
    cities = "\n".join(f"{k + 1} {k * 7919 % 997} {k * 104729 % 991}" for k in range(300))
    head = "NAME: a\nTYPE: TSP\nDIMENSION: 300\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    (tmp_path / "a.tsp").write_text(f"{head}{cities}\nEOF\n")
    search = ("--search", "problem.recommended(work=10_000_000)", "--iterations", "20", "--format", "json")
    found = json.loads(metaheur(tmp_path, "solve", "a.tsp", *search).stdout)
    (recommended,) = TSP.from_file(tmp_path / "a.tsp").recommended(work=10_000_000)
    assert recommended.parallel
    assert found["walks"] == recommended.parallel.walks > 1


def test_arguments_are_written_and_read_as_toml(folder: Path) -> None:
    dumped = metaheur(folder, "solve", "small.dat", "--work", "1e3", "--seed", "4", "--dump", "run.toml")
    assert (dumped.returncode, dumped.stdout) == (0, "")
    assert (folder / "run.toml").read_text() == 'instance = "small.dat"\nwork = 1000\nseed = 4\n'
    done = metaheur(folder, "solve", "--config", "run.toml", "--parallel", "numpy", "--seed", "5", "--format", "json")
    assert json.loads(done.stdout)["seed"] == 5
    assert "--work" in done.stderr


@pytest.mark.parametrize(
    "line", ['instance = "mine:own"', 'instance = "small.dat"\nout = "x"', 'instance = "small.dat"\nsave = "x"']
)
@pytest.mark.usefixtures("inside")
def test_a_config_from_elsewhere_names_objects_and_files_to_write_only_if_it_is_trusted(
    line: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path_factory.mktemp("elsewhere") / "run.toml"
    config.write_text(f"{line}\nparallel = 'numpy'\nsearch = 'HillClimbing(Swap())'\niterations = 1\nquiet = true\n")
    with pytest.raises(SystemExit) as ended:
        main(["solve", "--config", str(config)])
    assert ended.value.code == 1
    assert "does not lie in the current folder.\nMaybe read it; then add `--trust`" in capsys.readouterr().err
    assert main(["solve", "--config", str(config), "--trust"]) == 0


def test_an_object_of_a_module_is_checked_and_solved(folder: Path) -> None:
    right = metaheur(folder, "check", "mine:own")
    assert (right.returncode, right.stdout.splitlines()[1]) == (0, "Swap(): Python only")
    solved = metaheur(folder, "solve", "mine:own", "--work", "500", "--format", "json")
    assert json.loads(solved.stdout)["cost"] == 0
    wrong = metaheur(folder, "check", "mine:wrong", "--neighborhood", "Swap()")
    assert wrong.returncode == 3
    assert "two full evaluations say -4" in wrong.stderr


def test_an_interrupted_search_names_its_checkpoint(folder: Path) -> None:
    command = [sys.executable, "-m", "metaheur", "solve", "small.dat", "--parallel", "numpy", "--seconds", "60"]
    command += ["--search", "TabuSearch(Swap())", "--save", "run.npz"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True) as running:
        assert running.stderr is not None
        running.stderr.readline()  # a line of progress: it is under way
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "interrupt" in out
    assert "checkpoint: run.npz" in err
    assert (folder / "run.npz").exists()


def test_what_ships_and_what_computes_is_listed(folder: Path) -> None:
    problems = json.loads(metaheur(folder, "problems", "--format", "json").stdout)
    assert "qaplib" in [each["layout"] for each in problems]
    devices = metaheur(folder, "devices", "--format", "csv").stdout
    assert devices.startswith("device,what,cores\nnumpy,")
    assert "qaplib/tai30a" in metaheur(folder, "fetch").stdout.split()


def test_a_script_for_each_shell_knows_all_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        script = capsys.readouterr().out
        assert all(verb in script for verb in ("solve", "resume", "devices", "cite"))
        assert "seconds" in script
    bash = subprocess.run(["bash", "-n"], input=_script(capsys), text=True, check=False, capture_output=True)
    assert bash.returncode == 0, bash.stderr


def _script(capsys: pytest.CaptureFixture[str]) -> str:
    main(["completion", "bash"])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "nowhere.dat"], "nowhere.dat does not exist"),
        (["solve"], "There is no instance"),
        (["solve", "small.dat", "--seconds", "1", "--work", "5"], "two limits of one race"),
        (["solve", "small.dat", "--iterations", "5"], "`--iterations` needs `--search`"),
        (["solve", "small.dat", "--search", "TabuSearch(Swop())"], "'Swop' is not a class of metaheur"),
        (["solve", "small.dat", "--search", "Swap()"], "`--search` must be a search"),
        (["solve", "small.dat", "--search", "print(1)"], "'print' is not a class of metaheur"),
        (["solve", "small.dat", "--parallel", "gpu"], "'gpu' is not the name of a device"),
        (["solve", "small.dat", "--k", "5"], "`--k` is not an option of a quadratic assignment"),
        (["solve", "mine:number"], "mine:number must be a problem"),
        (["solve", "mine:nothing"], "mine has no 'nothing'"),
        (["solve", "nomodule:x"], "nomodule cannot be imported"),
        (["resume", "nofile"], "nofile does not exist"),
        (["resume", "small.dat"], "small.dat.toml"),
        (["solve", "smal.dat"], "smal.dat does not exist.\nMaybe you mean small.dat."),
        (["solve", "."], ". cannot be read: it is a folder, not a regular file.\nMaybe name a file in it."),
        (["solve", "small.dat", "--out", "no/x"], "`--out` no/x cannot be written: No such file or directory."),
        (["solve", "small.dat", "--out", "."], "`--out` . cannot be written: it is a folder, not a regular file."),
        (["show", "small.dat", "solution.txt"], "wrong order.\nMaybe write metaheur show solution.txt small.dat"),
        (["show", "small.dat", "small.dat"], "small.dat is not a file of a solution"),
        (["reproduce", "luong2009", "run.json"], "luong2009 is a paper, which is made again alone"),
        (["fetch", "tai31a"], "you mean"),
        (["cite", "TabooSearch"], "'TabooSearch' is not a class of metaheur"),
        (["bench", "nowhere.dat"], "nowhere.dat does not exist"),
    ],
)
@pytest.mark.usefixtures("inside")
def test_bad_input_ends_with_a_sentence_that_names_it(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
    assert "Traceback" not in shown.err


@pytest.mark.parametrize("arguments", [["solve", "x", "--seconds", "soon"], ["fly"], ["solve", "x", "--work", "1.5"]])
def test_what_is_not_understood_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "\nMaybe " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sovle", "x"], "metaheur: 'sovle' is not a verb.\nMaybe write solve.\n"),
        (["solve", "x", "--sed", "1"], "metaheur solve: --sed is not an option.\nMaybe write --seed.\n"),
        (["solve", "x", "y"], "metaheur solve: y is one argument too many.\nMaybe see metaheur solve --help.\n"),
        (["solve", "x", "--format", "jsn"], "metaheur solve: 'jsn' is not a value of --format.\nMaybe write json.\n"),
    ],
)
def test_a_misspelled_word_is_told_with_the_one_that_may_be_meant(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert (ended.value.code, capsys.readouterr().err) == (2, message)


@pytest.mark.usefixtures("inside")
def test_a_solution_that_cannot_be_written_after_all_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    limits = ["--work", "100", "--parallel", "numpy", "--format", "json", "--quiet"]
    assert main(["solve", "small.dat", *limits, "--out", "x"]) == 1
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert shown.err.startswith(f"{found['cost']}\n{' '.join(map(str, found['solution']))}\n")
    assert "x cannot be written: [Errno 28] No space left on device" in shown.err


def test_help_loads_neither_numpy_nor_rich() -> None:
    code = "import sys; from metaheur.command.main import main; main([]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "solve an instance" in done.stdout
    assert not {"numpy", "rich", "attrs", "metaheur.errors"} & set(done.stderr.split())


@pytest.mark.usefixtures("inside")
def test_the_table_names_the_file_that_was_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "small.dat", "--work", "100", "--parallel", "numpy", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("metaheur solve small.dat") == 1
    assert len(shown.splitlines()) <= 14
    assert "FILE" not in shown


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize("instance", ["small.dat", "mine:own"])
def test_a_result_in_full_composes_the_winner_in_shell_and_python(
    instance: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    limits = ["--work", "3000", "--parallel", "numpy", "--quiet"]
    assert main(["solve", instance, *limits, "--format", "full"]) == 0
    text = capsys.readouterr().out
    assert f"metaheur solve {instance} --search" in text
    assert "versions" in text
    assert main(["solve", instance, *limits, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["cost"] for each in found["tried"] if each["search"] == found["search"]] == [found["cost"]]
    assert main([*shlex.split(found["by_hand"])[1:], "--format", "json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] == found["cost"]
    exec(found["python"], {})
    assert f"{found['cost']:,}" in capsys.readouterr().out


def test_the_table_of_a_race_has_what_is_known_of_the_cost() -> None:
    race = Race((Tried("a", "A()", 110, 5, 9, 0.1, "host"),) * 6, 4, 9, "", "metaheur solve x", "", 100, 90, 1.5)
    text = str(evolve(RESULT, cost=110, race=race))
    assert "110; best known 100, gap 10.00 %" in text
    assert text.count("a: 110, 0.10 s, 5 iterations") == 3
    assert "and 3 others" in text
    assert "1.50 s more to compile" in text
    assert len(text.splitlines()) <= 14
    assert "bound 90, gap 22.22 %" in str(evolve(RESULT, cost=110, race=evolve(race, best_known=None)))
    assert race.gap(110, maximise=True) == -0.1


def test_the_literature_is_that_of_what_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["cite", "BreakoutLocalSearch(Swap())", "MaxCut"])
    shown = capsys.readouterr().out
    assert shown.startswith("@software{metaheur,")
    assert re.findall(r"@article\{(\w+),", shown) == ["BenlicHao2013", "BenlicHao2013a"]


@pytest.mark.usefixtures("inside")
def test_what_is_compiled_ahead_is_not_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("METAHEUR_CACHE", str(folder / "cache"))
    assert main(["warm", "small.dat", "--parallel", "host"]) == 0
    assert re.fullmatch(r"(small\.dat: [\w ]+, \d+\.\d s\n)+", capsys.readouterr().out)
    built = sorted((folder / "cache").rglob("*.so"))
    assert built
    assert main(["solve", "small.dat", "--parallel", "host", "--work", "3e6", "--quiet"]) == 0
    assert sorted((folder / "cache").rglob("*.so")) == built


def test_the_problems_that_are_compiled_ahead_by_default_have_searches() -> None:
    from metaheur.command.warming import usual_problems
    from metaheur.searches.suited import recommendations

    assert all(recommendations(make(), 0) for make in usual_problems().values())


def test_help_lists_pages_and_shows_one_without_what_a_terminal_cannot_follow(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help"]) == 0
    assert "warm-start" in capsys.readouterr().out
    assert main(["help", "choose-a-search"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# Choose a search for a problem\n")
    assert "](" not in shown
    assert "<!--" not in shown


def test_recorded_runs_are_compared_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    searches = {"best": HillClimbing(Hamming(1)), "first": HillClimbing(Hamming(1), FirstImprovement())}
    problems = {f"random {n}": OneMax(n) for n in (5, 6)}
    run_many(
        searches, problems, seeds=range(3), stop=stop.iterations(3), parallel="numpy", folder=tmp_path, progress=False
    )
    assert main(["tables", str(tmp_path), "--compare"]) == 0
    assert "first" in capsys.readouterr().out


def test_help_shows_the_options_of_a_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "warm"]) == 0
    assert "--parallel" in capsys.readouterr().out


def test_help_names_the_topic_that_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "warmstart"]) == 1
    assert capsys.readouterr().err == "metaheur help: 'warmstart' is no topic.\nMaybe write metaheur help warm-start.\n"


@pytest.mark.parametrize(
    ("text", "effort"), [("GPU=50", (50, None)), ("core=1:0.3", (1, 0.3)), ("core=:0.25", (None, 0.25))]
)
def test_an_effort_is_a_number_of_runs_and_seconds(text: str, effort: tuple[int | None, float | None]) -> None:
    plan, found = _effort(text)
    assert (plan, found.runs, found.seconds) == (text.partition("=")[0], *effort)


def test_a_table_of_one_row_is_as_wide_as_its_entries(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([{"name": "a long one", "cost": 5}], "table")
    assert capsys.readouterr().out == "name        cost\na long one  5\n"


@pytest.mark.parametrize(("walks", "model"), [(1, "auto"), (3, Auto(3))])
def test_a_recommended_number_of_walks_is_taken_where_none_is_given(walks: int, model: Any) -> None:
    chosen = argparse.Namespace(parallel="auto", walks=None)
    searched = Recommendation("climbing", HillClimbing(Swap()), walks=walks)
    assert _model(chosen, OneMax(5), searched) == model


def test_a_search_ends_at_the_first_of_all_limits_that_are_given() -> None:
    chosen = argparse.Namespace(iterations=5, work=70, seconds=3.0, target=8)
    assert _stop(chosen) == stop.iterations(5) | stop.evaluations(70) | stop.seconds(3.0) | stop.target(8)
    assert _stop(argparse.Namespace(iterations=None, work=None, seconds=None, target=None)) == stop.seconds(10)


def test_runs_of_a_paper_are_recorded_in_a_folder_called_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "luong2009", "--table", "2", "--rows", "73x73", "--quick"]) == 0
    assert "73x73" in capsys.readouterr().out
    assert any((tmp_path / "runs").rglob("*.json"))
