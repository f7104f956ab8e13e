"""The verb `completion`: scripts for bash, zsh and fish, generated from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["add", "options_of"]


def add(verbs: Any, parser: Callable[[], argparse.ArgumentParser]) -> None:
    """Define the arguments of the verb."""
    says = 'Print a script that completes verbs and options: eval "$(metaheur completion bash)".'
    verb = verbs.add_parser("completion", help="completion for a shell", description=says)
    verb.add_argument("shell", choices=["bash", "zsh", "fish"])
    verb.set_defaults(run=lambda chosen: _complete(chosen.shell, parser()))


def _complete(shell: str, parser: argparse.ArgumentParser) -> int:
    made = dict(options_of(parser))
    print(_fish(made) if shell == "fish" else _bash(made, zsh=shell == "zsh"))
    return 0


def options_of(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[str]]]:
    """Every verb and its options."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, verb in action.choices.items():
                yield name, sorted(text for each in verb._actions for text in each.option_strings if text[:2] == "--")


def _bash(options: dict[str, list[str]], *, zsh: bool) -> str:
    cases = "\n".join(f'    {verb}) words="{" ".join(options[verb])}" ;;' for verb in options)
    head = "autoload -U +X bashcompinit && bashcompinit\n" if zsh else ""
    return f"""{head}_metaheur() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words
  if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(options)}"; else
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _metaheur metaheur"""


def _fish(options: dict[str, list[str]]) -> str:
    lines = [f"complete -c metaheur -n __fish_use_subcommand -a '{' '.join(options)}'"]
    for verb, texts in options.items():
        lines += [f"complete -c metaheur -n '__fish_seen_subcommand_from {verb}' -l {text[2:]}" for text in texts]
    return "\n".join(lines)
