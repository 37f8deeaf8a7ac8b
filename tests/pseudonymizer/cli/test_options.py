"""Options that several verbs share are declared once, and say the same everywhere."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

import pseudonymizer.cli
from pseudonymizer.cli import app

FOLDER = Path(pseudonymizer.cli.__file__).parent
MOST_LINES = 400


def verbs(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, one in getattr(command, "commands", {}).items():
        yield from verbs(one, (*words, name))
    if not getattr(command, "commands", {}):
        yield " ".join(words), command


def declared() -> Counter[str]:
    """How often each help text is written in the sources of the command, as the help of a declared option."""
    found: Counter[str] = Counter()
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "typer.Option":
                found.update(
                    word.value.value
                    for word in node.keywords
                    if word.arg == "help"
                    and isinstance(word.value, ast.Constant)
                    and isinstance(word.value.value, str)
                )
    return found


def test_an_option_of_several_verbs_is_declared_once() -> None:
    shared: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, verb in verbs(typer.main.get_command(app)):
        for option in verb.params:
            if option.param_type_name == "option" and option.help:
                shared[option.opts[0], option.help].append(name)
    times = declared()
    often = {
        f"{option} of {', '.join(names)}": times[told]
        for (option, told), names in shared.items()
        if len(names) > 1 and times[told] > 1
    }
    assert often == {}
    assert sum(len(names) > 1 for names in shared.values()) > 15


def test_the_project_of_a_verb_that_needs_no_vault_is_not_one_of_all() -> None:
    command = dict(verbs(typer.main.get_command(app)))
    for name in ("view", "link", "review", "kinds"):
        (project,) = (one for one in command[name].params if "--project" in one.opts)
        assert project.help == "The project of --vault; goes with it."
    (project,) = (one for one in command["audit list"].params if "--project" in one.opts)
    assert project.help == "One project; else all of them."


def test_modules_of_the_command_are_short() -> None:
    long = {
        file.name: lines
        for file in FOLDER.glob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) >= MOST_LINES
    }
    assert long == {}
