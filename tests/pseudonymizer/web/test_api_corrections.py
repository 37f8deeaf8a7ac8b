"""Corrections over HTTP: found, corrected, taken back, told to the command line, and written so."""

import io
import json
import zipfile
from typing import Any, Final

import httpx

from linkage.judgement_file import judgements_in
from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service, json_of
from tests.pseudonymizer.web.test_api_jobs import analysed, ended, word

FILES: Final = {
    "map/a.docx": word("Jan Tolsma belde Els Mol.", "Later kwam Jan Tolsma. Op 06-12345678."),
    "b.txt": "Els Mol zag de molenaar \U0001f44d en Jan Tolsma.".encode(),
}


def _mentions(client: httpx.Client, place: str, file: str) -> list[dict[str, Any]]:
    answer = client.get(f"{place}/files/{file}/mentions")
    assert answer.status_code == 200, answer.text
    assert answer.headers["etag"] == f'"{json_of(answer)["revision"]}"'
    found: list[dict[str, Any]] = json_of(answer)["mentions"]
    return found


def _etag(client: httpx.Client, place: str) -> dict[str, str]:
    return {"If-Match": str(client.get(place).headers["etag"])}


def _give(client: httpx.Client, place: str, *commands: dict[str, Any]) -> httpx.Response:
    headers = _etag(client, place)
    return client.patch(f"{place}/mentions", json={"commands": list(commands)}, headers=headers)


def test_mentions_are_shown_corrected_and_written_so(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        text = json_of(client.post(f"{place}/files/{ids['b.txt']}/text", json={}))
        assert text["text"] == FILES["b.txt"].decode()
        assert text["document"] == "b.txt"
        found = {one["text"]: one for one in text["mentions"]}
        assert set(found) == {"Els Mol", "Jan Tolsma"}
        start = text["text"].index("molenaar")
        add = {
            "do": "add", "document": "b.txt", "start": start, "end": start + 8, "text": "molenaar",
            "kind": "PERSON",
        }  # fmt: skip
        reject = {"do": "reject", "mention": found["Els Mol"]["mention"]}
        answer = _give(client, place, add, reject)
        assert answer.status_code == 200, answer.text
        told = json_of(answer)
        assert (told["changed"], told["can_undo"], told["can_redo"]) == ([1, 1], True, False)
        assert [one["text"] for one in _mentions(client, place, ids["b.txt"])] == ["molenaar", "Jan Tolsma"]
        job = ended(client, client.post(f"{place}/runs", json={}))
        assert (job["state"], job["failed"]) == ("done", 0)
        written = client.get(f"{place}/files/{ids['b.txt']}/result").content.decode()
        assert written.startswith("Els Mol zag de PERSOON-")
        assert "molenaar" not in written
        assert "Tolsma" not in written
        assert json_of(client.get(place))["state"] == "written"
        assert _give(client, place, {"do": "confirm", "mention": _mentions(client, place, ids["b.txt"])[0][
            "mention"]}).status_code == 200  # fmt: skip
        assert json_of(client.get(place))["state"] == "analysed"


def test_the_second_of_two_is_told_that_he_is_late(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        first, second = _mentions(client, place, ids["b.txt"])
        seen = _etag(client, place)
        commands = [{"commands": [{"do": "reject", "mention": one["mention"]}]} for one in (first, second)]
        assert client.patch(f"{place}/mentions", json=commands[0], headers=seen).status_code == 200
        late = client.patch(f"{place}/mentions", json=commands[1], headers=seen)
        assert late.status_code == 412
        assert len(_mentions(client, place, ids["b.txt"])) == 1
        for wrong in ({}, {"If-Match": "*"}, {"If-Match": 'W/"1"'}):
            assert client.patch(f"{place}/mentions", json=commands[1], headers=wrong).status_code == 428
        gone = _give(client, place, {"do": "reject", "mention": first["mention"]})
        assert (gone.status_code, json_of(gone)["type"]) == (409, "urn:nymlink:problem:outdated")
        wrong_words = {"do": "add", "document": "b.txt", "start": 0, "end": 3, "text": "Jan"}
        assert _give(client, place, wrong_words).status_code == 409
        overlap = {"do": "add", "document": "b.txt", "start": 32, "end": 39, "text": "n Tolsm"}
        both = _give(client, place, {"do": "confirm", "mention": second["mention"]}, overlap)
        assert both.status_code == 409  # none of the two was given
        assert not _mentions(client, place, ids["b.txt"])[0]["judged"]


def test_commands_are_taken_back_also_after_the_process_forgot_them(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        before = _mentions(client, place, ids["b.txt"])
        for one in before:
            assert _give(client, place, {"do": "reject", "mention": one["mention"]}).status_code == 200
        others = [analysed(client, {"x.txt": b"Jan Tolsma"}) for _ in range(3)]
        for other, files in others:  # so that the first one is not at hand any more
            _mentions(client, other, files["x.txt"])
        assert _mentions(client, place, ids["b.txt"]) == []
        undone = client.post(f"{place}/corrections/undo", headers=_etag(client, place))
        assert undone.status_code == 200, undone.text
        assert json_of(undone)["can_redo"]
        assert len(_mentions(client, place, ids["b.txt"])) == 1
        client.post(f"{place}/corrections/undo", headers=_etag(client, place))
        assert _mentions(client, place, ids["b.txt"]) == before
        again = json_of(client.post(f"{place}/corrections/redo", headers=_etag(client, place)))
        assert again["can_redo"]
        assert len(_mentions(client, place, ids["b.txt"])) == 1
        assert client.post(f"{place}/corrections/none", headers=_etag(client, place)).status_code == 422


def test_people_are_merged_split_and_judged(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        people = json_of(client.get(f"{place}/people"))
        assert people["total"] == 2
        jan, els = people["people"]
        assert jan["forms"] == [{"text": "Jan Tolsma", "count": 3}]
        assert set(jan["files"]) == set(ids.values())
        answer = client.post(
            f"{place}/people/{jan['person']}/split", json={"mentions": jan["mentions"][:1]},
            headers=_etag(client, place),
        )  # fmt: skip
        assert answer.status_code == 200, answer.text
        assert json_of(client.get(f"{place}/people"))["total"] == 3
        merged = client.post(
            f"{place}/people/{jan['person']}/merge", json={"person": els["person"]},
            headers=_etag(client, place),
        )  # fmt: skip
        assert merged.status_code == 200, merged.text
        assert json_of(client.get(f"{place}/people"))["total"] == 2
        people = json_of(client.get(f"{place}/people"))["people"]
        left, right = (one["mentions"][0] for one in people)
        verdict = {"left": left, "right": right, "verdict": "reject"}
        answer = client.post(f"{place}/verdicts", json=verdict, headers=_etag(client, place))
        assert answer.status_code == 200, answer.text
        judged = client.get(f"{place}/corrections/judgements")
        assert "attachment" in judged.headers["content-disposition"]
        verdicts = judgements_in(judged.text)
        assert {str(one.verdict) for one in verdicts} == {"accept", "reject"}
        assert {one.judge for one in verdicts} == {"web:program"}


def test_questions_are_answered(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, _ = analysed(client, FILES)
        asked = json_of(client.get(f"{place}/questions", params={"sure_from": 1.0}))
        assert asked["left"] == len(asked["mentions"]) + len(asked["links"]) > 0
        confidences = [one["confidence"] for one in asked["mentions"]]
        assert confidences == sorted(confidences)
        for one in asked["mentions"]:
            assert _give(client, place, {"do": "confirm", "mention": one["mention"]}).status_code == 200
        left = json_of(client.get(f"{place}/questions", params={"sure_from": 1.0}))
        assert left["mentions"] == []
        assert left["left"] == len(left["links"])


def test_command_line_and_service_go_on_with_each_other(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        raw = client.get(f"{place}/corrections/mentions").text
        lines = [json.loads(line) for line in raw.splitlines()]
        assert {line["doc_id"] for line in lines} == {"map/a.docx", "b.txt"}
        changed = [
            {**line, "mentions": [] if line["doc_id"] == "b.txt" else line["mentions"]} for line in lines
        ]
        text = "".join(json.dumps(line) + "\n" for line in changed)
        answer = client.post(f"{place}/corrections", json={"mentions": text}, headers=_etag(client, place))
        assert answer.status_code == 200, answer.text
        assert _mentions(client, place, ids["b.txt"]) == []
        assert ended(client, client.post(f"{place}/analyses"))["state"] == "done"
        assert _mentions(client, place, ids["b.txt"]) == []
        assert len(_mentions(client, place, ids["map/a.docx"])) == 4
        ended(client, client.post(f"{place}/runs", json={}))
        with zipfile.ZipFile(io.BytesIO(client.get(f"{place}/result").content)) as archive:
            assert "Els Mol" in archive.read("b.txt").decode()
        for wrong in (
            {"mentions": "no json"},
            {"judgements": "{}"},
            {"mentions": raw.replace("Jan", "Piet")},
        ):
            answer = client.post(f"{place}/corrections", json=wrong, headers=_etag(client, place))
            assert (answer.status_code, "Piet" in answer.text) == (422, False), answer.text


def test_a_file_that_is_deleted_takes_what_was_found_in_it_along(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        (one, *_) = _mentions(client, place, ids["b.txt"])
        _give(client, place, {"do": "reject", "mention": one["mention"]})
        assert client.delete(f"{place}/files/{ids['map/a.docx']}").status_code == 204
        assert [one["text"] for one in _mentions(client, place, ids["b.txt"])] == ["Jan Tolsma"]
        assert json_of(client.get(f"{place}/people"))["total"] == 1
        assert "a.docx" not in client.get(f"{place}/corrections/mentions").text
        job = ended(client, client.post(f"{place}/runs", json={}))
        assert (job["state"], job["failed"]) == ("done", 0)


def test_corrections_of_others_and_before_an_analysis(fake: Service) -> None:
    with fake.client(fake.token(account="owner")) as client:
        place, ids = analysed(client, {"a.txt": b"Jan Tolsma belde."})
        empty = str(client.post("/api/v1/workspaces", json={}).headers["location"])
        assert client.get(f"{empty}/people").status_code == 409
    calls: tuple[tuple[str, str, Any], ...] = (
        ("GET", f"{place}/files/{ids['a.txt']}/mentions", None),
        ("POST", f"{place}/files/{ids['a.txt']}/text", {}),
        ("GET", f"{place}/people", None),
        ("GET", f"{place}/questions", None),
        ("PATCH", f"{place}/mentions", {"commands": [{"do": "make", "mention": "m1"}]}),
        ("POST", f"{place}/verdicts", {"left": "m1", "right": "m2", "verdict": "accept"}),
        ("POST", f"{place}/people/p1/merge", {"person": "p2"}),
        ("POST", f"{place}/people/p1/split", {"mentions": ["m1"]}),
        ("POST", f"{place}/corrections/undo", None),
        ("POST", f"{place}/corrections", {}),
        ("GET", f"{place}/corrections/mentions", None),
    )
    for token in (fake.token(*Verb, account="other"), fake.token(*Verb, account="owner", project="study-99")):
        with fake.client(token, **{"If-Match": '"1"'}) as client:
            for method, path, body in calls:
                answer = client.request(method, path, json=body)
                assert answer.status_code == 404, (method, path, answer.text)
