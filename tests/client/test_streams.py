"""A text that is restored while it is written, over a real connection: cut in whatever way it comes back as
in one piece, little is held back, and what was given is on record though the connection breaks off.
"""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nymlink_client import (
    AccessRefusedError,
    AsyncProject,
    Project,
    RestoringStream,
    ServiceFailedError,
    UnreachableError,
    WrongRequestError,
)

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service

SENT: Final = "Sanne Wiersma belde Piet Douma. Daarna belde Piet Douma ook Kees Tolsma."
NOISE: Final = (" ", "\n", "PERSOON-", "<br/>", "Dat was zo. ", "J. ", "x" * 70, "é", "'s ", "\U0001f600")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("streams")
    with fake_service(folder) as made:
        yield made


@pytest.fixture(scope="module")
def project(service: Service) -> Iterator[Project]:
    token = service.token(Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.GIVE_BACK)
    with Project.open(service.url, token=token, name=PROJECT) as made:
        yield made


@pytest.fixture(scope="module")
def sent(project: Project) -> tuple[list[str], str]:
    """(labels, receipt)."""
    answer = project.pseudonymize(SENT, kinds=["PERSON"])
    return list(dict.fromkeys(one.label for one in answer[0].mentions)), project.receipt(answer)


def events(service: Service, action: str) -> list[Any]:
    with service.open_vault() as vault:
        return [event for event in vault.audit_events() if event.action == action]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_however_a_text_is_cut_it_comes_back_as_in_one_piece(
    project: Project, sent: tuple[list[str], str], data: st.DataObject
) -> None:
    labels, receipt = sent
    words = data.draw(st.lists(st.sampled_from([*labels, *labels, *NOISE]), min_size=1, max_size=10))
    text = "Antwoord: " + "".join(words)
    places = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=12)))
    pieces = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    whole = project.restore_text(text, receipt=receipt)
    with project.restore_stream(receipt=receipt) as stream:
        assert "".join(stream.restored(pieces)) == whole.text
        assert stream.labels == whole.labels


def test_no_more_than_the_longest_label_is_held_back(project: Project, sent: tuple[list[str], str]) -> None:
    labels, receipt = sent
    text = f"Bel {labels[0]} en {labels[1]} vandaag nog. " + "Dat is een lange zin zonder namen. " * 20
    with project.restore_stream(receipt=receipt) as stream:
        most = 0
        for letter in text:
            stream.feed(letter)
            most = max(most, stream.held)
        stream.end()
    assert 0 < most < 200  # the longest label as a text may have it, with what stands around it


def test_a_piece_is_answered_before_the_next_one_is_sent(
    project: Project, sent: tuple[list[str], str]
) -> None:
    labels, receipt = sent
    filler = "Dat is een lange zin zonder namen. " * 10
    with project.restore_stream(receipt=receipt) as stream:
        assert "Sanne Wiersma" in stream.feed(f"Bel {labels[0]} vandaag. {filler}")


def test_the_reveal_is_on_record_before_the_name_leaves_and_stays_when_the_connection_breaks(
    service: Service, project: Project, sent: tuple[list[str], str]
) -> None:
    before = len(events(service, "give-back"))
    stream = project.restore_stream(receipt=sent[1])
    assert "Sanne Wiersma" in stream.feed(f"Bel {sent[0][0]}. " + "Niets meer. " * 40)
    found = events(service, "give-back")
    assert len(found) == before + 1
    stream.close()  # in the middle of the text
    assert project.pseudonymize("Kees Tolsma kwam.")[0].text  # the service goes on
    assert events(service, "give-back") == found


def test_without_a_receipt_it_takes_a_purpose_and_stands_on_record(
    service: Service, project: Project, sent: tuple[list[str], str]
) -> None:
    with project.restore_stream(purpose="ticket 88") as stream:
        assert "".join(stream.restored([f"Bel {sent[0][0]}", "."])) == "Bel Sanne Wiersma."
    last = events(service, "reveal")[-1]
    assert (last.sequence, last.purpose) == (stream.audit_sequence, "ticket 88")
    stream = project.restore_stream()
    with pytest.raises(AccessRefusedError, match="purpose"):
        list(stream.restored([f"Bel {sent[0][0]}."]))


def test_what_a_token_may_not_do_is_refused_before_the_text(
    service: Service, sent: tuple[list[str], str]
) -> None:
    token = service.token(Verb.PSEUDONYMIZE, Verb.GIVE_BACK)
    with Project.open(service.url, token=token, name=PROJECT) as other:
        with pytest.raises(AccessRefusedError):
            other.restore_stream(purpose="test").feed("Bel.")
        with pytest.raises(WrongRequestError, match="receipt works alone"):
            other.restore_stream(receipt="nyr_x", made_from=["x"])
        with pytest.raises(AccessRefusedError, match="receipt"):
            list(other.restore_stream(receipt="nyr_x").restored([f"Bel {sent[0][0]}."]))


def test_names_are_written_as_the_text_needs(project: Project) -> None:
    answer = project.pseudonymize("Sanne Wiersma belde.", kinds=["PERSON"])
    label, receipt = answer[0].mentions[0].label, project.receipt(answer)
    for notation, written in (("json", '{"wie": "Sanne Wiersma"}'), ("html", "<b>Sanne Wiersma</b>")):
        with project.restore_stream(receipt=receipt, notation=notation) as stream:
            assert "".join(stream.restored([written.replace("Sanne Wiersma", label)])) == written
    with pytest.raises(WrongRequestError):
        project.restore_stream(receipt=receipt, notation="pdf").feed("x")


def test_async_code_has_it_too(service: Service, sent: tuple[list[str], str]) -> None:
    async def pieces() -> AsyncIterator[str]:
        for one in ("Bel ", sent[0][0][:5], sent[0][0][5:], "."):
            yield one

    async def run() -> str:
        token = service.token(Verb.GIVE_BACK)
        async with AsyncProject.open(service.url, token=token, name=PROJECT) as project:
            stream = project.restore_stream(receipt=sent[1])
            return "".join([one async for one in stream.restored_async(pieces())])

    assert asyncio.run(run()) == "Bel Sanne Wiersma."


def test_a_long_piece_goes_in_parts_and_a_text_ends_once(
    project: Project, sent: tuple[list[str], str]
) -> None:
    text = ("Een zin zonder namen. " * 20_000) + sent[0][0]
    with project.restore_stream(receipt=sent[1]) as stream:
        with pytest.raises(WrongRequestError, match="not ended"):
            _ = stream.labels
        assert stream.feed(text) + stream.end() == text.replace(sent[0][0], "Sanne Wiersma")
        assert stream.labels.restored == 1
        with pytest.raises(WrongRequestError, match="ended"):
            stream.feed("x")
    assert repr(stream) == "RestoringStream(0 letters held)"


def test_half_a_character_is_refused_before_it_is_sent(project: Project, sent: tuple[list[str], str]) -> None:
    with project.restore_stream(receipt=sent[1]) as stream, pytest.raises(WrongRequestError, match="half"):
        stream.feed("\ud800")


def test_a_service_that_is_not_there_is_told() -> None:
    stream = Project.open("http://127.0.0.1:9", token="nym_x").restore_stream(receipt="nyr_x")  # noqa: S106
    with pytest.raises(UnreachableError):
        stream.feed("x")


def test_an_answer_that_breaks_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def readline(self, _: int) -> bytes:
            return b""

        def close(self) -> None: ...

    stream = RestoringStream("http://127.0.0.1:9", {}, 1, {})
    monkeypatch.setattr(stream, "_response", Broken())
    monkeypatch.setattr(stream, "_connection", http.client.HTTPConnection("127.0.0.1"))
    monkeypatch.setattr(http.client.HTTPConnection, "send", lambda *_: None)
    with pytest.raises(ServiceFailedError, match="broke off"):
        stream.feed("x")


def test_what_it_sends_has_no_field_that_the_service_does_not_know(project: Project) -> None:
    stream = project.restore_stream(purpose="p", ticket="t", made_from=["x"], is_confirmed=True)
    assert json.loads(json.dumps(stream._told)) == {
        "purpose": "p", "ticket": "t", "made_from": ["x"], "confirm_project": True, "notation": "text",
        "project": PROJECT,
    }  # fmt: skip
