"""What is written in place of single names and values: durable, one label each, and with a way back."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any, NoReturn

import pytest

from linkage.gazetteer import Gazetteer
from linkage.records import KindId, PersonName, Span
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.single_names import (
    SingleTexts,
    TypedText,
    WrittenText,
    WrittenTexts,
    keep_way_back,
    write_texts,
)
from pseudonymizer.engine.styling import Styling
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, FakeLinker, load_fake, make_vault, name_of

EMAIL, IBAN, USERNAME = KindId("EMAIL"), KindId("BANK_ACCOUNT"), KindId("USERNAME")
OpenVault = Callable[[], AbstractContextManager[Vault]]


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path)


@pytest.fixture
def vault(open_vault: OpenVault) -> Iterator[Vault]:
    with open_vault() as opened:
        yield opened


def label(
    vault: Vault,
    *names: str,
    values: tuple[TypedText, ...] = (),
    others: tuple[str, ...] = (),
    plan: Plan | None = None,
    style: Style = Style.TOKEN,
) -> WrittenTexts:
    styling = Styling(StyleSettings(style), plan=plan, lists=Gazetteer.load)
    texts = SingleTexts({name: name_of(name) for name in names}, values, others)
    return write_texts(vault, PROJECT, texts, styling)


def texts_of(found: Mapping[str, WrittenText]) -> dict[str, str]:
    return {text: one.text for text, one in found.items()}


def test_full_names_are_one_person_and_other_texts_one_each(vault: Vault) -> None:
    names = {"Jan Tolsma": name_of("Jan Tolsma"), "TOLSMA, Jan": name_of("Jan Tolsma")} | {
        text: PersonName(family="Tolsma") for text in ("Tolsma", "heer Tolsma")
    }
    styling = Styling(StyleSettings(), lists=Gazetteer.load)
    found = texts_of(write_texts(vault, PROJECT, SingleTexts(names), styling).names)
    assert found["Jan Tolsma"] == found["TOLSMA, Jan"]
    assert len(set(found.values())) == 3


def test_a_full_name_that_is_written_otherwise_is_a_person_whom_the_vault_has(vault: Vault) -> None:
    first = label(vault, "Jan Tolsma").names["Jan Tolsma"]
    styling = Styling(StyleSettings(), lists=Gazetteer.load)
    texts = SingleTexts({"TOLSMA, Jan": name_of("Jan Tolsma")})
    again = write_texts(vault, PROJECT, texts, styling)
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
    tokens = [*texts_of(found.names).values(), *texts_of(found.others).values()]
    assert len(set(tokens)) == 3
    assert all(vault.is_token(PROJECT, one) for one in tokens)


def test_with_a_linker_a_person_whom_the_project_knows_is_found(vault: Vault) -> None:
    first = label(vault, "Jan Tolsma")
    styling = Styling(StyleSettings(), lists=Gazetteer.load)
    asked = []

    def linker() -> FakeLinker:
        asked.append(True)
        return FakeLinker()

    texts = SingleTexts({"J. Tolsma": name_of("Jan Tolsma")})
    again = write_texts(vault, PROJECT, texts, styling, linker=linker)
    assert again.names["J. Tolsma"] == first.names["Jan Tolsma"]
    assert asked == [True]


def test_labels_come_in_the_style_that_is_asked_for(vault: Vault) -> None:
    found = label(vault, "Jan Tolsma", "Els Wiersma", style=Style.TAG).names
    assert {one.text for one in found.values()} == {"<PERSOON-1>", "<PERSOON-2>"}


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
    found = label(vault, "Jan Tolsma").names["Jan Tolsma"].text
    thread.join(20)
    assert vault.known_identities(PROJECT) != ()
    (revealed,) = vault.reveal(project=PROJECT, pseudonyms=[found], purpose="test").values()
    assert revealed.name == "Jan Tolsma"


def test_nothing_asked_for_stores_nobody(vault: Vault) -> None:
    assert label(vault) == WrittenTexts()
    assert vault.known_identities(PROJECT) == ()


def test_names_stay_out_of_the_repr(vault: Vault) -> None:
    assert "Tolsma" not in repr(label(vault, "Jan Tolsma", others=("Tolsma",)))


def test_one_value_in_two_spellings_has_one_label_that_the_vault_knows(vault: Vault) -> None:
    spelled = ("NL91 ABNA 0417 1643 00", "nl91abna0417164300")
    found = label(vault, values=tuple((IBAN, text) for text in spelled), plan=Plan.made("direct"))
    (written,) = {one.text for one in found.values.values()}
    assert written.startswith("REKENING-")
    (revealed,) = vault.reveal(project=PROJECT, pseudonyms=[written], purpose="test").values()
    assert revealed.name in spelled


def test_a_value_that_spells_a_name_follows_its_person_and_any_other_gets_a_label(vault: Vault) -> None:
    values = ((EMAIL, "j.tolsma@ziggo.nl"), (USERNAME, "jtolsma88"), (EMAIL, "info@bakker.nl"))
    found = label(vault, "Jan Tolsma", values=values, plan=Plan.made("direct", style=Style.CODE))
    person = found.names["Jan Tolsma"]
    written = [found.values[one] for one in values]
    assert written[0] == WrittenText(f"{person.text}@nymlink.example", person.owner)
    assert written[1] == WrittenText(person.text, person.owner)
    assert re.fullmatch(r"EMAIL-[0-9A-Z]{5}|MAIL-[0-9A-Z]{5}", written[2].text)


def test_what_the_plan_keeps_stays_and_nothing_is_stored_of_it(vault: Vault) -> None:
    found = label(vault, values=((KindId("CITY"), "Zwolle"),), plan=Plan.made("direct"))
    assert found.values == {(KindId("CITY"), "Zwolle"): WrittenText("Zwolle")}
    kept = Plan.made("direct", {EMAIL: Treatment.KEEP})
    found = label(vault, "Jan Tolsma", values=((EMAIL, "j.tolsma@ziggo.nl"),), plan=kept)
    assert found.values == {(EMAIL, "j.tolsma@ziggo.nl"): WrittenText("j.tolsma@ziggo.nl")}


def test_a_treatment_without_a_way_back_says_so(vault: Vault) -> None:
    masked = Plan.made("direct", {IBAN: Treatment.MASK})
    (found,) = label(vault, values=((IBAN, "NL91ABNA0417164300"),), plan=masked).values.values()
    assert found.is_one_way
    assert "0417" not in found.text


def test_a_text_that_is_kept_comes_back_but_for_what_has_no_way_back(vault: Vault) -> None:
    text = "Jan Tolsma, NL91ABNA0417164300."
    found = label(
        vault, "Jan Tolsma", values=((IBAN, "NL91ABNA0417164300"),),
        plan=Plan.made("direct", {IBAN: Treatment.MASK}),
    )  # fmt: skip
    name, iban = found.names["Jan Tolsma"], found.values[IBAN, "NL91ABNA0417164300"]
    work = FileWork(load_fake)
    keep_way_back(vault, PROJECT, work, text, [(Span(0, 10), name), (Span(12, 30), iban)])
    assert not vault.has_open_work()
    output = f"{name.text}, {iban.text}.".encode()
    (rewrite,) = vault.restore(project=PROJECT, outputs=[output], purpose="test")
    assert rewrite is not None
    assert [(edit.original, edit.entity_id) for edit in rewrite.edits] == [(b"Jan Tolsma", name.owner)]
    assert rewrite.one_way == 1
