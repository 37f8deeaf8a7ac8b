"""Labels of names that come without a text: durable, one a person, and tokens for what is no name."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any, NoReturn

import pytest

from linkage.gazetteer import Gazetteer
from linkage.records import PersonName
from pseudonymizer.engine.single_names import NameLabels, label_names
from pseudonymizer.engine.styling import Styling
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, FakeLinker, make_vault, name_of

OpenVault = Callable[[], AbstractContextManager[Vault]]


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path)


@pytest.fixture
def vault(open_vault: OpenVault) -> Iterator[Vault]:
    with open_vault() as opened:
        yield opened


def label(vault: Vault, *names: str, others: tuple[str, ...] = (), style: Style = Style.TOKEN) -> NameLabels:
    styling = Styling(StyleSettings(style), lists=Gazetteer.load)
    return label_names(vault, PROJECT, {name: name_of(name) for name in names}, others, styling)


def test_full_names_are_one_person_and_other_texts_one_each(vault: Vault) -> None:
    names = {"Jan Tolsma": name_of("Jan Tolsma"), "TOLSMA, Jan": name_of("Jan Tolsma")} | {
        text: PersonName(family="Tolsma") for text in ("Tolsma", "heer Tolsma")
    }
    styling = Styling(StyleSettings(), lists=Gazetteer.load)
    found = label_names(vault, PROJECT, names, (), styling).names
    assert found["Jan Tolsma"] == found["TOLSMA, Jan"]
    assert len(set(found.values())) == 3


def test_a_full_name_that_is_written_otherwise_is_a_person_whom_the_vault_has(vault: Vault) -> None:
    first = label(vault, "Jan Tolsma").names["Jan Tolsma"]
    styling = Styling(StyleSettings(), lists=Gazetteer.load)
    again = label_names(vault, PROJECT, {"TOLSMA, Jan": name_of("Jan Tolsma")}, (), styling)
    assert again.names["TOLSMA, Jan"] == first
    assert len(vault.known_identities(PROJECT)) == 1


def test_labels_are_durable_when_they_are_given_and_the_same_again(open_vault: OpenVault) -> None:
    with open_vault() as vault:
        first = label(vault, "Jan Tolsma", "Tolsma", others=("06-123",))
        assert not vault.has_open_work()
    with open_vault() as vault:
        assert label(vault, "Jan Tolsma", "Tolsma", others=("06-123",)) == first
        assert len(vault.known_identities(PROJECT)) == 2


def test_what_is_no_name_gets_a_token_of_its_own_also_where_a_name_is_written_so(vault: Vault) -> None:
    found = label(vault, "Jan Tolsma", others=("Jan Tolsma", "06-123", "06-123"))
    assert found.names.keys() == {"Jan Tolsma"}
    assert found.others.keys() == {"Jan Tolsma", "06-123"}
    tokens = [*found.names.values(), *found.others.values()]
    assert len(set(tokens)) == 3
    assert all(vault.is_token(PROJECT, one) for one in tokens)


def test_with_a_linker_a_person_whom_the_project_knows_is_found(vault: Vault) -> None:
    first = label(vault, "Jan Tolsma")
    styling = Styling(StyleSettings(), lists=Gazetteer.load)
    asked = []

    def linker() -> FakeLinker:
        asked.append(True)
        return FakeLinker()

    again = label_names(vault, PROJECT, {"J. Tolsma": name_of("Jan Tolsma")}, (), styling, linker=linker)
    assert again.names["J. Tolsma"] == first.names["Jan Tolsma"]
    assert asked == [True]


def test_labels_come_in_the_style_that_is_asked_for(vault: Vault) -> None:
    found = label(vault, "Jan Tolsma", "Els Wiersma", style=Style.TAG).names
    assert set(found.values()) == {"<PERSOON-1>", "<PERSOON-2>"}


@pytest.mark.parametrize("step", ["document_id", "assign_styled", "literal_label", "commit"])
def test_what_fails_leaves_nothing_that_a_later_commit_would_store(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    label(vault)  # the project is there

    def fail(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(vault, step, fail)
        with pytest.raises(KeyboardInterrupt):
            label(vault, "Jan Tolsma", others=("06-123",))
    assert not vault.has_open_work()
    vault.commit()
    assert vault.known_identities(PROJECT) == ()


def test_threads_that_share_a_vault_lose_no_label(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    label(vault)
    in_other, assigned, other_is_done = Event(), Event(), Event()
    assign_styled, rollback = vault.assign_styled, vault.rollback

    def pausing(*args: Any, **kwargs: Any) -> Any:
        """Between storing labels and committing them the other thread gets its turn."""
        found = assign_styled(*args, **kwargs)
        assigned.set()
        other_is_done.wait(0.3)
        return found

    def late() -> None:
        """The other thread gives up its unit of work, in which it has only looked, as late as it can."""
        if current_thread() is thread:
            in_other.set()
            assigned.wait(0.3)
        rollback()

    def other() -> None:
        label(vault)
        other_is_done.set()

    monkeypatch.setattr(vault, "assign_styled", pausing)
    monkeypatch.setattr(vault, "rollback", late)
    thread = Thread(target=other)
    thread.start()
    assert in_other.wait(20)
    found = label(vault, "Jan Tolsma").names["Jan Tolsma"]
    thread.join(20)
    assert vault.known_identities(PROJECT) != ()
    (revealed,) = vault.reveal(project=PROJECT, pseudonyms=[found], purpose="test").values()
    assert revealed.name == "Jan Tolsma"


def test_nothing_asked_for_stores_nobody(vault: Vault) -> None:
    assert label(vault) == NameLabels()
    assert vault.known_identities(PROJECT) == ()


def test_names_stay_out_of_the_repr(vault: Vault) -> None:
    assert "Tolsma" not in repr(label(vault, "Jan Tolsma", others=("Tolsma",)))
