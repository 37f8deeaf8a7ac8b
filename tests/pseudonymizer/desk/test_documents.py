"""Single files of programs: written in their own format, and given back byte for byte."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pseudonymizer.desk.answered import DocumentGiven
from pseudonymizer.desk.asked import PseudonymizeDocument, RestoreDocument, TreatOptions
from pseudonymizer.desk.documents import WRITTEN, DocumentFailedError, pseudonymize, restore
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    PurposeRequiredError,
    UntreatedDocumentError,
)
from pseudonymizer.policy import Role
from pseudonymizer.project import Project
from tests.pseudonymizer.desk.filled_desk import ANNA, BO, PROJECT, FilledDesk

TEXT = "Jan Tolsma belde Els Mol op 06-12345678.\r\n"
PARTS = ["Jan Tolsma", "Els Mol", "\r\n", "\n", "\U0001f44d", ",", "x"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FilledDesk]:
    made = FilledDesk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def project(desk: FilledDesk) -> Project:
    return project_of(desk, ANNA.actor)


def project_of(desk: FilledDesk, actor: str) -> Project:
    return desk.texts.project_of(desk.vault(actor), PROJECT, TreatOptions())


def written(project: Project, content: bytes, name: str = "a.txt", sure_from: float = 0.0) -> DocumentGiven:
    options = TreatOptions(min_confidence=sure_from)
    return pseudonymize(project, PseudonymizeDocument(name=name, content=content, options=options))


def restored(project: Project, content: bytes, purpose: str = "complaint 7", **how: str) -> DocumentGiven:
    return restore(project, RestoreDocument(name="b.txt", content=content, purpose=purpose, **how))


def test_a_file_is_written_and_comes_back_as_it_was(project: Project) -> None:
    given_back = written(project, TEXT.encode(), "Jan Tolsma.txt")
    assert given_back.how == WRITTEN
    for word in (b"Tolsma", b"Els Mol", b"12345678"):
        assert word not in given_back.content
    assert given_back.content.endswith(b"\r\n")
    assert given_back.name.endswith(".txt")
    assert "Tolsma" not in given_back.name
    assert given_back.audit_sequence == project.vault.last_event > 0
    back = restored(project, given_back.content)
    assert (back.content, back.how, back.name) == (TEXT.encode(), "exact", "b.txt")
    assert back.audit_sequence > given_back.audit_sequence


def test_an_edited_file_has_its_names_back_by_their_labels(project: Project) -> None:
    label = written(project, b"Jan Tolsma").content
    back = restored(project, label + b" werkt hier.")
    assert (back.content, back.how) == (b"Jan Tolsma werkt hier.", "by labels")


def test_what_is_less_sure_than_was_asked_stays(project: Project) -> None:
    assert b"Tolsma" in written(project, TEXT.encode(), sure_from=0.95).content  # the detector says 0.9


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", b"ONTPLOFT Jan Tolsma"), ("a.docx", b"Jan Tolsma"), ("a.pdf", b"Jan Tolsma")],
)
def test_a_file_that_fails_says_by_which_error_and_no_name(
    project: Project, name: str, content: bytes
) -> None:
    with pytest.raises(DocumentFailedError) as caught:
        written(project, content, name)
    assert isinstance(caught.value, UntreatedDocumentError)
    assert caught.value.cause.isidentifier()
    assert "Tolsma" not in f"{caught.value!r} {caught.value} {caught.value.cause}"
    assert b"Tolsma" not in written(project, b"Jan Tolsma").content  # the project goes on


def test_names_come_back_for_a_purpose_and_with_a_grant_that_holds(project: Project) -> None:
    content = written(project, TEXT.encode()).content
    with pytest.raises(PurposeRequiredError):
        restored(project, content, purpose=" ")
    with pytest.raises(GrantInvalidError):
        restored(project, content, grant="x")


def test_roles_hold_for_files_and_refusals_are_on_record(desk: FilledDesk, project: Project) -> None:
    content = written(project, TEXT.encode()).content
    for actor, role in ((ANNA.actor, Role.ANALYST), (BO.actor, Role.REQUESTER), ("web:dpo", Role.DPO)):
        project.vault.give_role(actor, role)
    project.vault.commit()
    with pytest.raises(AccessRefusedError):
        restored(project, content)
    asker = project_of(desk, BO.actor)
    with pytest.raises(AccessRefusedError):
        written(asker, TEXT.encode())
    events = desk.vault("web:dpo").audit_events(project=PROJECT)
    assert {one.actor for one in events if one.outcome.startswith("refused")} == {ANNA.actor, BO.actor}


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PARTS), min_size=1))
def test_any_file_comes_back_byte_for_byte(project: Project, parts: list[str]) -> None:
    content = " ".join(parts).encode()
    given_back = written(project, content)
    assert b"Tolsma" not in given_back.content
    assert restored(project, given_back.content).content == content
