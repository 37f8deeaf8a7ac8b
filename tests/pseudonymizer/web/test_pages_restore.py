"""The page /restore: a file comes back byte for byte where its format promises that, on record."""

from urllib.parse import quote, unquote

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, json_of

HTMX = {"HX-Request": "true", "Accept-Language": "en"}
MAIL = b"From: jan.tolsma@ziggo.nl\r\nSubject: Els Mol\r\n\r\nJan Tolsma belde Els Mol.\r\n"


def _headers(purpose: str) -> dict[str, str]:
    return {
        "Content-Disposition": "attachment; filename*=UTF-8''brief%20%C3%A9%C3%A9n.eml",
        "Content-Type": "application/octet-stream", "Nymlink-Project": PROJECT,
        "Nymlink-Purpose": quote(purpose),
    }  # fmt: skip


def test_a_file_comes_back(fake: Service) -> None:
    with fake.client(fake.token(*Verb), **HTMX) as client:
        written = client.post(
            f"/api/v1/projects/{PROJECT}/documents?style=code&restyle=true", content=MAIL,
            headers={"Content-Disposition": "attachment; filename=a.eml"},
        )  # fmt: skip
        assert written.status_code == 200, written.text
        assert b"Tolsma" not in written.content
        page = client.get("/restore").text
        assert "Get a file back" in page
        answer = client.post("/restore/file", content=written.content, headers=_headers("zaak \u00e9\u00e9n"))
        assert answer.status_code == 200, answer.text
        assert answer.content == MAIL
        assert unquote(answer.headers["nymlink-told"]) == "The text came back exactly as it was."
        assert "attachment" in answer.headers["content-disposition"]
        number = int(answer.headers["nymlink-audit-sequence"])
        events = json_of(client.get("/api/v1/audit", params={"after": number - 1, "limit": 1}))["events"]
        assert (events[0]["action"], events[0]["purpose"]) == ("restore", "zaak \u00e9\u00e9n")


def test_what_cannot_be_restored_is_said_in_words(fake: Service) -> None:
    with fake.client(fake.token(*Verb), **HTMX) as client:
        none = client.post("/restore/file", content=MAIL, headers=_headers(""))
        assert none.status_code == 422
        assert "Something in the form is not right" in none.text
        assert "Tolsma" not in none.text
        wrong = {**_headers("p"), "Content-Disposition": "attachment; filename=../a.eml"}
        assert client.post("/restore/file", content=MAIL, headers=wrong).status_code == 422
    with fake.client(fake.token(Verb.PSEUDONYMIZE), **HTMX) as client:
        assert client.get("/restore").status_code == 403
        assert client.post("/restore/file", content=MAIL, headers=_headers("p")).status_code == 403
