"""Python's parser, by one thread at a time."""

import ast
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from metaheur.machine import parsing
from metaheur.machine.parsing import parsed, source_lines, source_text


def test_no_two_threads_parse_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = [0], [0]
    parse = ast.parse

    def slow(*given: Any, **more: Any) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.001)
        inside[0] -= 1
        return parse(*given, **more)

    monkeypatch.setattr("metaheur.machine.parsing.ast.parse", slow)
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(lambda k: parsed(f"x + {k}", mode="eval"), range(20)))
    assert [ast.unparse(each) for each in trees] == [f"x + {k}" for k in range(20)]
    assert most == [1]


def test_texts_are_those_of_inspect() -> None:
    assert source_text(parsing.parsed).startswith("def parsed(")
    lines, first = source_lines(source_text)
    assert (lines[0], first) == ("def source_text(thing: Any) -> str:\n", source_text.__code__.co_firstlineno)


def test_a_process_that_is_forked_can_parse() -> None:
    child = os.fork()
    if child == 0:
        os._exit(len(parsed("x = 1\ny = 2").body))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
