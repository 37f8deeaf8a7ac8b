"""Small files in one go: the same format out, its name without names, and the original back."""

import io
from urllib.parse import quote, unquote

import docx
import pytest

from tests.pseudonymizer.web.served import PROJECT, Service, json_of

PLACE = f"/api/v1/projects/{PROJECT}/documents"


def _disposition(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def _word(*paragraphs: str) -> bytes:
    made, raw = docx.Document(), io.BytesIO()
    for text in paragraphs:
        made.add_paragraph(text)
    made.save(raw)
    return raw.getvalue()


def _text_of(raw: bytes) -> str:
    return "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(raw)).paragraphs)


def test_a_file_comes_back_in_its_format_and_then_as_it_was(fake: Service) -> None:
    raw = _word("Jan Tolsma belde Els Mol.", "Op 06-12345678.")
    with fake.client(fake.token()) as client:
        answer = client.post(PLACE, content=raw, headers=_disposition("brief aan Jan Tolsma.docx"))
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert "sandbox" in answer.headers["content-security-policy"]
        name = unquote(answer.headers["content-disposition"].partition("''")[2])
        assert name.endswith(".docx")
        assert "Tolsma" not in name
        assert "Tolsma" not in _text_of(answer.content)
        assert "PERSOON-" in _text_of(answer.content)
        headers = _disposition(name) | {"Nymlink-Purpose": quote("klacht 7 é")}
        back = client.post(f"{PLACE}/restored", content=answer.content, headers=headers)
        assert back.status_code == 200, back.text
        assert _text_of(back.content) == _text_of(raw)
        assert client.post(f"{PLACE}/restored", content=answer.content).status_code == 403  # no purpose
    with fake.open_vault() as vault:
        assert "klacht 7 é" in {event.purpose for event in vault.audit_events()}


def test_options_and_what_stays_are_told(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        text = b"Jan Tolsma, 06-12345678"
        client.post(PLACE, content=text)
        answer = client.post(PLACE, content=text, params={"kinds": "PERSON"}, headers=_disposition("x.txt"))
        assert answer.content.endswith(b", 06-12345678")
        assert answer.headers["nymlink-left-in"] == '{"PHONE":1}'
        other = client.post(PLACE, content=text, params={"style": "token"})
        assert json_of(other)["type"] == "urn:nymlink:problem:restyle-needed"
        assert (
            client.post(PLACE, content=text, params={"style": "token", "restyle": "true"}).status_code == 200
        )
        assert client.post(PLACE, content=text, params={"style": "Jan"}).status_code == 422


@pytest.mark.parametrize(
    ("name", "raw", "status"),
    [
        ("x.docx", b"no word document", 415),
        ("x.docx", b"PK\x03\x04 Jan Tolsma", 422),
        ("x.txt", b"\x89PNG\0\0\0", 415),
        ("a/b.txt", b"Jan Tolsma", 422),
        ("..", b"Jan Tolsma", 422),
        ("a\\b.txt", b"Jan Tolsma", 422),
        ("a\n.txt", b"Jan Tolsma", 422),
        ("x" * 256, b"Jan Tolsma", 422),
    ],
)
def test_what_cannot_be_read_is_told_without_its_name(
    fake: Service, name: str, raw: bytes, status: int
) -> None:
    with fake.client(fake.token()) as client:
        answer = client.post(PLACE, content=raw, headers=_disposition(name))
    assert answer.status_code == status, answer.text
    assert "Tolsma" not in answer.text


def test_the_documents_of_another_project_are_not_there(fake: Service) -> None:
    with fake.client(fake.token(project="another")) as client:
        for place in (PLACE, f"{PLACE}/restored", "/api/v1/projects/another/documents"):
            answer = client.post(place, content=b"Jan Tolsma", headers={"Nymlink-Purpose": "x"})
            assert answer.status_code == 404, answer.text
