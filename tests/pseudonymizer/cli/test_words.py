"""Every verb has an example that can be typed, and verbs have other words."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pseudonymizer.cli import app
from pseudonymizer.cli.words import EXAMPLES
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures


def verbs(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, one in getattr(command, "commands", {}).items():
        yield from verbs(one, (*words, name))
    if not getattr(command, "commands", {}):
        yield " ".join(words), command


VERBS = dict(verbs(typer.main.get_command(app)))


def test_every_verb_has_an_example() -> None:
    assert set(EXAMPLES) == set(VERBS)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_an_example_can_be_typed(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NYMLINK_VAULT", raising=False)
    command = VERBS[verb]
    command.make_context(verb, shlex.split(EXAMPLES[verb]))  # raises for what the verb does not know
    assert command.epilog == f"Example: nymlink {verb} {EXAMPLES[verb]}".rstrip()


def test_help_shows_the_example(nymlink: Nymlink) -> None:
    assert "Example: nymlink vault erase PERSOON-7KQM3 --dry-run" in " ".join(
        nymlink("vault", "erase", "--help").out.split()
    )


def test_another_word_does_the_same(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("pseudonymize", "in", "--out", "out", *STORE)
    assert (done.status, "2 of 2 files done" in done.out) == (0, True)
    assert "pseudonymize " not in nymlink("--help").out
    assert corpus.exists()


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        (("help",), ("--help",)),
        (("help", "restore"), ("restore", "--help")),
        (("help", "vault", "erase"), ("vault", "erase", "--help")),
        (("vault", "help"), ("vault", "--help")),
        (("requests", "help", "show"), ("requests", "show", "--help")),
    ],
)
def test_help_before_a_verb_shows_its_help(
    nymlink: Nymlink, typed: tuple[str, ...], same: tuple[str, ...]
) -> None:
    assert nymlink(*typed).out == nymlink(*same).out != ""


def test_the_command_s_own_help_begins_somewhere_and_cuts_no_sentence(nymlink: Nymlink) -> None:
    told = nymlink("--help").out
    assert "  nymlink vault init --vault vault.db --key-file kek.key\n" in told
    assert (
        "  nymlink run letters/ --out out/ --vault vault.db --key-file kek.key --project study-12\n" in told
    )
    for shown in (told, nymlink("vault", "--help").out):
        assert "..." not in shown.replace("COMMAND [ARGS]...", "")


def test_whoever_has_no_vault_yet_hears_how_to_make_one(
    nymlink: Nymlink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NYMLINK_VAULT", raising=False)
    done = nymlink("run", "in", "--out", "out", "--project", "p")
    assert done.status == 2
    assert "`nymlink vault init` makes one" in done.err
