"""Messages of Python in the words of the shell."""

from pathlib import Path

import pytest

from metaheur.command.spelling import in_shell
from tests.command.test_verbs import metaheur

OPTIONS = ("k", "layout", "seconds", "work", "seed", "parallel", "walks", "objectives", "construct", "columns", "range")
SPELLED = {
    "`k` is missing.\nMaybe say k=20, and take fewer.": "`--k` is missing.\nMaybe say --k 20, and take fewer.",
    'say which: layout="bqp" or layout="flow shop".': 'say which: --layout bqp or --layout "flow shop".',
    "name it by layout=..., and see": "name it by --layout ..., and see",
    "seed = -1 is not in 0 ... 9.": "--seed -1 is not in 0 ... 9.",
    "`Auto.walks` must be 1 or more.": "`--walks` must be 1 or more.",
    "`stop.seconds` is -1.\nMaybe write stop.seconds(0.5).": "`--seconds` is -1.\nMaybe write --seconds 0.5.",
    "write stop.evaluations(1000).": "write --work 1000.",
    "leave `start` out, or `device`, and `ranges`.": "leave `--construct` out, or `--parallel`, and `--range`.",
    'use device="numpy".': "use --parallel numpy.",
    "write columns=('walks', 'n').": "write --columns walks,n.",
    'use Multistart(64, device="host", walks=3).': 'use Multistart(64, device="host", walks=3).',
    "`tenure` is 3, `Limit.walks` is 0.": "`tenure` is 3, `Limit.walks` is 0.",
    "`--k` is missing: --layout=kp, x.k=3, n=4.": "`--k` is missing: --layout=kp, x.k=3, n=4.",
}
PAIRS = "2 3\n1 1 2\n1 2 3\n2 2 1\n"
GRAPH = "p edge 3 2\ne 1 2\ne 2 3\n"
OWN_FIELDS = "HybridEvolutionaryAlgorithm(iterations=0)"
REFUSED = {
    "solve graph": ("`--k`, the number of colors, is missing", "Maybe say --k 20"),
    "show x.sol graph": ("`--k`, the number of colors, is missing", "Maybe say --k 20"),
    "check graph --k 1": ("`--k` must be", "but is 1"),
    "solve graph --k 2 --number 3": ("`--number` is not an option of a graph coloring", "which takes `--k`"),
    "solve pairs": ("pairs can be read in 2 formats", "--layout bqp or --layout biqmac"),
    "solve pairs --layout bqp --seconds 1 --work 5": ("`--seconds` and `--work` are two limits", "leave one"),
    "solve pairs --layout bqp --walks 0": ("`--walks` must be", "but is 0"),
    "solve pairs --layout bqp --seed -1": ("--seed -1 is not in", "2**32 - 1"),
    "solve graph --k 2 --search RandomWalk(Substitution()) --iterations 0": (
        "`--iterations` must",
        "--iterations 1000",
    ),
    f"solve graph --k 2 --search {OWN_FIELDS}": (f"{OWN_FIELDS} cannot be made: ", "`HybridEvolutionaryAlgorithm."),
    "tune graph --k 2 --work 5": ("`--each` must be", "Maybe increase `--work`"),
    "tune graph --k 2": ("`--work` is missing", "add --work 1e6"),
    "bench --seconds -1": ("`--seconds` must be", "--seconds 10"),
    "reproduce luong2009 --quick --runs 0": ("`--runs` must be", "but is 0"),
    "reproduce luong2009 --effort core": ("`--effort` must be PLAN=RUNS[:SECONDS]", "but is 'core'", "core=1:0.3"),
    "reproduce luong2009 --effort core=0:0": ("`--effort` must be PLAN=RUNS[:SECONDS]", "but is 'core=0:0'"),
    "reproduce luong2009 --effort tpu=1": ("`--effort` names 'tpu'", "the plans are: core; GPU;"),
}


@pytest.mark.parametrize("message", SPELLED)
def test_arguments_of_python_become_options(message: str) -> None:
    assert in_shell(message, OPTIONS) == SPELLED[message]


@pytest.mark.thorough
@pytest.mark.parametrize("line", REFUSED)
def test_refusals_name_options(tmp_path: Path, line: str) -> None:
    (tmp_path / "pairs").write_text(PAIRS)
    (tmp_path / "graph").write_text(GRAPH)
    done = metaheur(tmp_path, *line.split())
    assert (done.returncode, done.stdout) == (1, "")
    for words in REFUSED[line]:
        assert words in done.stderr
