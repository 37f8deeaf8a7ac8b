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
