"""Texts of programs: found, written and restored, with the caller's offsets, by who may."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.records import Document, DocumentId, RecognizedText
from linkage.settings import LinkageSettings
from pseudonymizer.desk.asked import (
    DetectTexts,
    GivenText,
    PseudonymizeTexts,
    RestoreStream,
    RestoreTexts,
    TreatOptions,
)
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.text_options import ServiceSettings, WrongOptionError
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.engine.loading import load_pipeline
from pseudonymizer.errors import (
    AccessRefusedError,
    BatchError,
    GrantInvalidError,
    PurposeRequiredError,
    ReceiptInvalidError,
    RestyleNeededError,
    UnknownProjectError,
    UntreatedDocumentError,
)
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake

PROJECT: Final = "study"
TEXT: Final = "Jan Tolsma belde Els Mol op 06-12345678."
MARK: Final = "\ufeff"
SCOPES: Final = ("project", "document")


@pytest.fixture
def desk() -> TextDesk:
    return TextDesk(ServiceSettings(), Models(load_fake), [PROJECT])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Vault.create(f"sqlite:///{tmp_path}/vault.db", FileKey(tmp_path / "kek.key")) as made:
        made.commit()
    return tmp_path


def opened(folder: Path, actor: str) -> Vault:
    return Vault.open(f"sqlite:///{folder}/vault.db", FileKey(folder / "kek.key"), actor=actor)


@pytest.fixture
def vault(folder: Path) -> Iterator[Vault]:
    with opened(folder, "web:anna") as made:
        yield made


def texts(*given_texts: str) -> tuple[GivenText, ...]:
    return tuple(GivenText(text, f"t{number}") for number, text in enumerate(given_texts))


def written(desk: TextDesk, vault: Vault, *given_texts: str, **options: object) -> tuple[str, ...]:
    """The texts with labels in them."""
    asked = PseudonymizeTexts(texts=texts(*given_texts), **options)  # type: ignore[arg-type]
    return tuple(one.text or "" for one in desk.pseudonymize(vault, PROJECT, asked).texts)


def restored(desk: TextDesk, vault: Vault, *given_texts: str, **options: object) -> tuple[str, ...]:
    asked = RestoreTexts(texts=texts(*given_texts), **{"purpose": "complaint 7"} | options)  # type: ignore[arg-type]
    return tuple(one.text or "" for one in desk.restore(vault, PROJECT, asked).texts)


# -- detect --------------------------------------------------------------------------------------------------


def test_what_is_found_has_places_and_a_number_for_each_person(desk: TextDesk) -> None:
    found = desk.detect(DetectTexts(texts=texts(TEXT, "", "Els Mol kwam. Jan Tolsma niet.")))
    first, empty, third = found.texts
    assert [(TEXT[one.start : one.end], one.kind, one.person) for one in first.mentions] == [
        ("Jan Tolsma", "PERSON", 1), ("Els Mol", "PERSON", 2), ("06-12345678", "PHONE", None),
    ]  # fmt: skip
    assert [one.person for one in third.mentions] == [2, 1]
    assert (empty.id, empty.mentions) == ("t1", ())
    assert found.persons == 2


def test_kinds_and_confidence_narrow_what_is_shown(desk: TextDesk) -> None:
    found = desk.detect(DetectTexts(texts=texts(TEXT), kinds=("phone",)))
    assert [one.kind for one in found.texts[0].mentions] == ["PHONE"]
    assert found.persons == 0
    sure = desk.detect(DetectTexts(texts=texts(TEXT), min_confidence=0.95))
    assert "PERSON" not in {one.kind for one in sure.texts[0].mentions}  # the detector says 0.9


def test_a_text_that_fails_is_told_and_the_others_are_found(desk: TextDesk) -> None:
    found = desk.detect(DetectTexts(texts=texts("ONTPLOFT Jan Tolsma", "Els Mol kwam.")))
    first, second = found.texts
    assert first.failure is not None
    assert first.failure.error
    assert first.mentions == ()
    assert [one.person for one in second.mentions] == [1]
    assert "Tolsma" not in repr(found)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (DetectTexts(texts=texts(TEXT), kinds=("none",)), "kinds"),
        (DetectTexts(texts=texts(TEXT), always=("--",)), "always"),
        (DetectTexts(texts=texts(TEXT), never={"NO_KIND": ("Jan",)}), "never"),
    ],
)
def test_an_option_that_cannot_be_is_named(desk: TextDesk, asked: DetectTexts, field: str) -> None:
    with pytest.raises(WrongOptionError) as caught:
        desk.detect(asked)
    assert caught.value.field == field


LETTERS: Final = st.sampled_from([MARK, "\U0001f44d", "e\u0301", " ", "x", "\n", "Jan Tolsma", " Els Mol "])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LETTERS, max_size=12).map("".join))
@example(2 * MARK + "Jan Tolsma belde.")
def test_offsets_are_those_of_the_text_as_sent_in_either_unit(desk: TextDesk, text: str) -> None:
    (plain,) = desk.detect(DetectTexts(texts=texts(text))).texts
    (wide,) = desk.detect(DetectTexts(texts=texts(text), offset_unit="utf16")).texts
    raw = text.encode("utf-16-le")
    words = [text[one.start : one.end] for one in plain.mentions]
    assert words == [raw[one.start * 2 : one.end * 2].decode("utf-16-le") for one in wide.mentions]
    (there,) = load_fake().detect_kinds([Document(DocumentId("d"), text)])
    assert words == [one.surface for one in there]


# -- pseudonymize and restore --------------------------------------------------------------------------------


def test_labels_stand_where_the_answer_says_and_names_come_back(desk: TextDesk, vault: Vault) -> None:
    asked = PseudonymizeTexts(texts=texts(TEXT, "Jan Tolsma zweeg."))
    answer = desk.pseudonymize(vault, PROJECT, asked)
    first, second = answer.texts
    assert first.text is not None
    assert second.text is not None
    assert not any(word in first.text + second.text for word in ("Tolsma", "Els Mol", "12345678"))
    for one in first.mentions:
        assert one.new_start is not None
        assert first.text[one.new_start : one.new_end] == one.label
    assert [TEXT[one.start : one.end] for one in first.mentions] == ["Jan Tolsma", "Els Mol", "06-12345678"]
    assert [one.person for one in first.mentions] == [1, 2, None]
    assert (second.mentions[0].label, second.mentions[0].person) == (first.mentions[0].label, 1)
    assert answer.audit_sequence == vault.last_event > 0
    back = desk.restore(
        vault, PROJECT, RestoreTexts(texts=texts(first.text, f"{second.mentions[0].label}!"), purpose="c 7")
    )
    assert [one.text for one in back.texts] == [TEXT, "Jan Tolsma!"]
    assert [one.how for one in back.texts] == ["exact", "by labels"]
    assert (back.texts[1].restored, back.texts[1].unknown) == (1, ())
    assert back.audit_sequence == vault.last_event > answer.audit_sequence


@pytest.mark.parametrize("count", [1, 2, 3])
def test_byte_order_marks_go_along_and_move_the_places(desk: TextDesk, vault: Vault, count: int) -> None:
    text = f"{count * MARK}Jan Tolsma belde."
    (one,) = desk.pseudonymize(vault, PROJECT, PseudonymizeTexts(texts=texts(text))).texts
    assert one.text is not None
    assert one.text.startswith(count * MARK)
    (mention,) = one.mentions
    assert (mention.start, mention.end) == (count, count + 10)
    assert one.text[mention.new_start : mention.new_end] == mention.label
    assert restored(desk, vault, one.text) == (text,)


def test_a_label_that_nobody_knows_is_left_and_told(desk: TextDesk, vault: Vault) -> None:
    label = written(desk, vault, "Jan Tolsma")[0]
    other = label[:-1] + ("A" if label[-1] != "A" else "B")
    back = desk.restore(
        vault, PROJECT, RestoreTexts(texts=texts(f"{label} en {other} kwamen"), purpose="p")
    ).texts[0]
    assert back.text == f"Jan Tolsma en {other} kwamen"
    assert back.unknown + back.malformed == (other,)


def test_of_several_texts_one_may_fail_but_not_all(desk: TextDesk, vault: Vault) -> None:
    asked = PseudonymizeTexts(texts=texts("ONTPLOFT Jan Tolsma", "Els Mol kwam."))
    first, second = desk.pseudonymize(vault, PROJECT, asked).texts
    assert (first.text, first.mentions) == (None, ())
    assert first.failure is not None
    assert "Tolsma" not in repr(first.failure)
    assert second.text is not None
    assert "Mol" not in second.text
    with pytest.raises(UntreatedDocumentError) as caught:
        written(desk, vault, "ONTPLOFT Jan Tolsma")
    assert "Tolsma" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"kinds": ("none",)}, "kinds"),
        ({"profile": "none"}, "profile"),
        ({"treatments": {"PERSON": "none"}}, "treatments"),
        ({"treatments": {"MONEY": "birth-year"}}, "treatments"),
    ],
)
def test_options_that_cannot_be_are_named_and_nothing_stays_open(
    desk: TextDesk, vault: Vault, options: dict[str, object], field: str
) -> None:
    with pytest.raises(WrongOptionError) as caught:
        written(desk, vault, TEXT, **options)
    assert caught.value.field == field
    assert vault.projects() == ()


def test_other_treatments_than_those_of_the_project_must_be_meant(desk: TextDesk, vault: Vault) -> None:
    written(desk, vault, TEXT)
    with pytest.raises(RestyleNeededError):
        written(desk, vault, TEXT, style="mask")
    (masked,) = written(desk, vault, TEXT, style="mask", restyle=True)
    assert "Tolsma" not in masked
    (alone,) = written(desk, vault, TEXT, kinds=("PERSON",), restyle=True)
    assert "06-12345678" in alone
    assert "Tolsma" not in alone


def test_a_project_that_is_neither_there_nor_made_is_unknown(desk: TextDesk, vault: Vault) -> None:
    for call in (
        lambda: desk.pseudonymize(vault, "other", PseudonymizeTexts(texts=texts(TEXT))),
        lambda: desk.restore(vault, PROJECT, RestoreTexts(texts=texts(TEXT), purpose="p")),  # not made yet
        lambda: desk.restore_stream(vault, PROJECT, RestoreStream(purpose="p")),
        lambda: desk.stored_project(vault, PROJECT),
        lambda: desk.options_of(vault, "other"),
        lambda: desk.make(vault, "other"),
    ):
        with pytest.raises(UnknownProjectError) as caught:
            call()
        assert "other" not in str(caught.value)
    assert desk.options_of(vault, PROJECT).name == PROJECT
    assert vault.projects() == ()
    desk.make(vault, PROJECT)
    assert vault.projects() == (PROJECT,)
    assert desk.stored_project(vault, PROJECT).name == PROJECT


# -- who may -------------------------------------------------------------------------------------------------


def test_roles_hold_for_texts_and_refusals_are_on_record(desk: TextDesk, folder: Path, vault: Vault) -> None:
    desk.make(vault, PROJECT)
    for actor, role in (("web:anna", Role.ANALYST), ("web:rik", Role.REQUESTER), ("web:dpo", Role.DPO)):
        vault.give_role(actor, role)
    vault.commit()
    (text,) = written(desk, vault, TEXT)
    with pytest.raises(AccessRefusedError):
        restored(desk, vault, text)  # an analyst may not have names back
    with opened(folder, "web:rik") as asker:
        with pytest.raises(AccessRefusedError):
            written(desk, asker, TEXT)
        with pytest.raises(PurposeRequiredError):
            restored(desk, asker, text, purpose=" ")
        desk.forget(asker)
    with opened(folder, "web:dpo") as officer:
        refused = [
            one.actor for one in officer.audit_events(project=PROJECT) if one.outcome.startswith("refused")
        ]
    assert {"web:anna", "web:rik"} <= set(refused)


def test_a_grant_is_for_one_text(desk: TextDesk, vault: Vault) -> None:
    text, other = written(desk, vault, TEXT, "Els Mol kwam.")
    with pytest.raises(GrantInvalidError, match="one text"):
        restored(desk, vault, text, other, grant="x")
    with pytest.raises(GrantInvalidError):
        restored(desk, vault, text, grant="x")


def test_outputs_of_others_are_no_origin(desk: TextDesk, vault: Vault) -> None:
    (text,) = written(desk, vault, TEXT, style="surrogate", restyle=True)
    edited = f"Beste allen, {text}"
    assert restored(desk, vault, edited, made_from=(text,)) == (f"Beste allen, {TEXT}",)
    with pytest.raises(BatchError):
        restored(desk, vault, edited, made_from=("no output",))


# -- receipts and streams ------------------------------------------------------------------------------------


def receipt_of(desk: TextDesk, vault: Vault) -> tuple[str, str]:
    asked = PseudonymizeTexts(texts=texts(TEXT), receipt=True)
    answer = desk.pseudonymize(vault, PROJECT, asked)
    assert answer.receipt is not None
    return answer.texts[0].text or "", answer.receipt


def test_a_receipt_gives_its_own_account_back_what_it_sent(
    desk: TextDesk, folder: Path, vault: Vault
) -> None:
    text, receipt = receipt_of(desk, vault)
    assert "Tolsma" not in receipt
    assert restored(desk, vault, text, receipt=receipt, purpose="") == (TEXT,)
    with opened(folder, "web:bo") as other, pytest.raises(ReceiptInvalidError):
        restored(desk, other, text, receipt=receipt)


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_receipt_that_was_changed_gives_nothing(desk: TextDesk, vault: Vault, place: float) -> None:
    text, receipt = receipt_of(desk, vault)
    at = int(len(receipt) * place)
    changed = receipt[:at] + ("A" if receipt[at] != "A" else "B") + receipt[at + 1 :]
    with pytest.raises(ReceiptInvalidError) as caught:
        restored(desk, vault, text, receipt=changed)
    assert "Tolsma" not in str(caught.value)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.sets(st.integers(0, 60), max_size=8))
def test_a_stream_gives_what_the_whole_text_gives(desk: TextDesk, vault: Vault, cuts: set[int]) -> None:
    (text,) = written(desk, vault, TEXT)
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    stream = desk.restore_stream(vault, PROJECT, RestoreStream(purpose="complaint 7"))
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert "".join([*(stream.feed(piece) for piece in pieces), stream.end()]) == TEXT


def test_a_stream_has_a_receipt_or_outputs(desk: TextDesk, vault: Vault) -> None:
    text, receipt = receipt_of(desk, vault)
    with pytest.raises(WrongOptionError) as caught:
        desk.restore_stream(vault, PROJECT, RestoreStream(receipt=receipt, made_from=(text,)))
    assert caught.value.field == "made_from"


# -- what is kept --------------------------------------------------------------------------------------------


def test_equal_options_share_a_project_until_its_vault_is_forgotten(
    desk: TextDesk, folder: Path, vault: Vault
) -> None:
    first = desk.project_of(vault, PROJECT, TreatOptions())
    assert desk.project_of(vault, PROJECT, TreatOptions()) is first
    assert desk.project_of(vault, PROJECT, TreatOptions(scope="document")) is not first
    with opened(folder, "web:bo") as other:
        of_other = desk.project_of(other, PROJECT, TreatOptions())
        assert of_other is not first
        desk.forget(other)
        assert desk.project_of(other, PROJECT, TreatOptions()) is not of_other
        assert desk.project_of(vault, PROJECT, TreatOptions()) is first
        desk.forget(other)


def test_the_least_used_of_many_options_is_dropped(desk: TextDesk, vault: Vault) -> None:
    first = desk.project_of(vault, PROJECT, TreatOptions())
    kinds = ["PHONE", "EMAIL", "IBAN", "MONEY", "DATE", "CITY", "BIRTH_DATE", "CASE_NUMBER", "PERSON"]
    known = [kind for kind in kinds if kind in desk.kinds]
    options = [
        TreatOptions(kinds=(kind,), scope=scope) for kind in known for scope in ("project", "document")
    ]
    others = [desk.project_of(vault, PROJECT, one) for one in options]
    assert len(others) >= 16
    assert desk.project_of(vault, PROJECT, options[-1]) is others[-1]
    assert desk.project_of(vault, PROJECT, TreatOptions()) is not first


def test_a_text_after_the_warm_up_reads_no_more_lists() -> None:
    desk = TextDesk(ServiceSettings(), Models(lambda: load_pipeline(LinkageSettings())), [PROJECT])
    desk.warm_up()
    lists = Gazetteer.load()
    before = set(vars(lists))
    assert {"_given_rows", "_surname_rows", "_word_rows", "places", "_variants"} <= before
    desk.detect(DetectTexts(texts=texts(TEXT, "Mevr. Terpstra-Wqartel woont in de Kerkstraat 12 in Goes.")))
    assert set(vars(lists)) == before


def test_texts_that_are_read_together_are_found_as_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = TextDesk(ServiceSettings(), Models(lambda: load_pipeline(LinkageSettings())), [PROJECT])
    given_texts = [
        TEXT,
        f"{MARK}Els Mol woont in Goes.\r\nDaar woont zij.",
        "Beste heer Bakker, P. de Wit belde.",
    ]
    alone = [desk.detect(DetectTexts(texts=texts(one))) for one in given_texts]
    asked: list[int] = []
    recognize = StanzaRecognizer.recognize

    def counted(network: StanzaRecognizer, documents: Sequence[Document]) -> tuple[RecognizedText, ...]:
        asked.append(len(documents))
        return recognize(network, documents)

    monkeypatch.setattr(StanzaRecognizer, "recognize", counted)
    desk.read_ahead(given_texts)
    assert [desk.detect(DetectTexts(texts=texts(one))) for one in given_texts] == alone
    assert asked == [3]
    desk.read_ahead(())
    desk.detect(DetectTexts(texts=texts(TEXT)))
    assert asked == [3, 1]
