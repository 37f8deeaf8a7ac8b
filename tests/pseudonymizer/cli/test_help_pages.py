"""Help shows options in groups and types in plain words, in every verb."""

import re
from typing import Any

import pytest
import typer

from pseudonymizer.cli import app
from pseudonymizer.cli.help_pages import GROUPS, plain_words
from tests.pseudonymizer.cli.test_words import VERBS, verbs


def help_of(verb: str) -> str:
    command: Any = VERBS[verb]
    text = str(command.get_help(command.make_context("x", ["--help"], resilient_parsing=True)))
    start = re.search(r"^[A-Z][a-z ]+:$", text, re.MULTILINE)
    assert start is not None
    return text[start.start() :].partition("Example: ")[0]  # the lists of arguments and options


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_no_help_has_a_type_of_a_programming_language(verb: str) -> None:
    text = help_of(verb)
    assert not re.search(r"<[^>\n]*>|x>=|<=x|\b(?:FLOAT|INTEGER|BOOLEAN)\b|list\[|\{", text)
    arguments = [one for one in VERBS[verb].params if one.param_type_name == "argument"]
    for one in arguments:
        name = one.metavar or one.name
        assert name.partition(".")[0] == name.partition(".")[0].upper()
        assert one.help


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_option_stands_once_under_a_head(verb: str) -> None:
    text = help_of(verb)
    heads = re.findall(r"^([A-Z][a-z ]+):$", text, re.MULTILINE)
    assert heads == [head for head in ("Arguments", "Options", *GROUPS) if head in heads]
    assert "Messages" in heads
    for parameter in VERBS[verb].params:
        if parameter.param_type_name == "option":
            assert (
                len(re.findall(rf"^  (?:-\w, )?{re.escape(parameter.opts[0])}\b(?!-)", text, re.MULTILINE))
                == 1
            )


def test_options_of_a_vault_stand_together() -> None:
    text = help_of("run")
    vault = text.partition("Vault and project:")[2].partition("\n\n")[0]
    assert re.findall(r"^  (--[\w-]+)", vault, re.MULTILINE) == [
        "--vault", "--project", "--key-file", "--keys", "--actor",
    ]  # fmt: skip


def test_every_option_of_the_groups_is_one_of_a_verb() -> None:
    known = {
        option for _, verb in verbs(typer.main.get_command(app)) for p in verb.params for option in p.opts
    }
    grouped = [option for options in GROUPS.values() for option in options]
    assert set(grouped) - known == {"--help"}
    assert len(set(grouped)) == len(grouped)


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("INPUT <list[str]>", "Files.", ("INPUT", "Files.")),
        ("--scope <a|b>", "How far.", ("--scope SCOPE", "One of a, b. How far.")),
        ("--keep <list[a|b]>", "What.", ("--keep KEEP", "One of a, b. What.")),
        ("--workers N", "How many.  [x>=1]", ("--workers N", "How many.  [1 or more]")),
        ("--p P", "Sure.  [default: 0.9; 0<=x<=1.01]", ("--p P", "Sure.  [default: 0.9; 0 to 1.01]")),
        ("REQUEST <int>", "Its number.", ("REQUEST", "Its number.")),
    ],
)
def test_types_are_plain_words(name: str, text: str, shown: tuple[str, str]) -> None:
    assert plain_words(name, text) == shown
