"""What to do about an error that ended the command: behind its text, where the text does not say it."""

import errno

import pytest

from pseudonymizer.cli.remedies import remedy_of, remedy_of_system, says_what_next, with_remedy
from pseudonymizer.engine.failures import SourceChangedError
from pseudonymizer.errors import UnknownProjectError, VaultDamagedError


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("there is no vault at this address; `nymlink vault init` makes one", True),
        ("say why these people are erased: --purpose TEXT", True),
        ("this format needs lxml; install it with: pip install 'nymlink[docs]'", True),
        ("the model is missing, install nymlink again", True),
        ("the vault is damaged", False),
        ("there is a file at this address already; nothing was changed", False),
        ("a file lies there; restore writes over none: choose another --out", True),
        ("a text --", False),
    ],
)
def test_a_text_that_says_what_to_do_gets_nothing_behind_it(text: str, says: bool) -> None:
    assert says_what_next(text) is says
    assert bool(remedy_of(VaultDamagedError(text))) is not says


def test_what_to_do_stands_behind_the_text() -> None:
    told = with_remedy(UnknownProjectError("the vault has no such project"))
    assert told == "the vault has no such project; `nymlink vault projects` lists the projects"
    said = "the vault has no such project; `nymlink vault projects` lists them"
    assert with_remedy(UnknownProjectError(said)) == said


def test_a_class_without_a_row_has_that_of_the_class_it_comes_from_or_of_files() -> None:
    class OddError(VaultDamagedError):
        pass

    assert remedy_of(OddError("odd")) == remedy_of(VaultDamagedError("odd"))
    assert remedy_of(SourceChangedError("the file was changed")) == "run again once nothing writes it"
    assert remedy_of(ValueError("odd")) == ""


def test_errors_of_the_system_have_theirs() -> None:
    assert "make room" in remedy_of_system(errno.ENOSPC)
    assert remedy_of_system(None) == ""
