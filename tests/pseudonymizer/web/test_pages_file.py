"""The page of a file: its mentions are confirmed, rejected here and everywhere, taken back; old pages."""

import re
from typing import Final

import httpx
import pytest

from tests.pseudonymizer.web.served import Service
from tests.pseudonymizer.web.test_api_jobs import analysed, word
from tests.pseudonymizer.web.test_pages_workspaces import HTMX

FILES: Final = {
    "brief.docx": word("Jan Tolsma belde <b>Els Mol</b>.", "Op 06-12345678."),
    "tweede.txt": b"Jan Tolsma kwam niet.\r\nJan Tolsma sliep.",
}


def opened(client: httpx.Client, name: str) -> str:
    """The address of the page of a file that is analysed."""
    api, ids = analysed(client, FILES)
    return f"{api.removeprefix('/api/v1')}/files/{ids[name]}"


def mentions_of(page: str) -> list[tuple[str, str]]:
    """(id, what is told) of the mentions of a page."""
    return re.findall(r'data-mention="([^"]+)" data-tag="[^"]*" aria-label="([^"]*)"', page)


def fields_of(page: str, **more: str) -> dict[str, str]:
    revision = re.findall(r'name="revision" value="(\d+)"', page)[0]
    return {"revision": revision, "text": "0", "start": "0", **more}


def test_a_text_is_shown_with_its_mentions(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        page = client.get(opened(client, "brief.docx")).text
    told = [one for _, one in mentions_of(page)]
    assert [one.split(", ")[:2] for one in told] == [
        ["Jan Tolsma", "person 1"], ["Els Mol", "person 2"], ["06-12345678", "telephone number"]
    ]  # fmt: skip
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert 'lang="nl" translate="no"' in page


def test_a_mention_is_rejected_everywhere_and_that_is_taken_back(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client, "tweede.txt")
        page = client.get(place).text
        first = mentions_of(page)[0][0]
        told = fields_of(page, do="reject", mention=first, everywhere="yes")
        after = client.post(f"{place}/corrected", data=told)
        assert after.status_code == 200, after.text
        assert "Stored: 3 mentions." in after.text  # one of them in the other file
        assert mentions_of(after.text) == []
        back = client.post(f"{place}/turned", data=fields_of(after.text, by="undo")).text
        assert "Taken back." in back
        assert len(mentions_of(back)) == 2
        again = client.post(f"{place}/turned", data=fields_of(back, by="redo")).text
        assert mentions_of(again) == []


def test_a_confirmed_mention_is_marked(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client, "tweede.txt")
        page = client.get(place).text
        assert "2 not looked at yet." in page
        told = fields_of(page, do="confirm", mention=mentions_of(page)[1][0])
        after = client.post(f"{place}/corrected", data=told).text
    assert "Stored: 1 mention." in after
    assert "1 not looked at yet." in after
    assert [one.endswith("a person has looked at it") for _, one in mentions_of(after)] == [False, True]


def corrected(client: httpx.Client, at: str, page: str, deed: str, **more: str) -> str:
    """The view after a correction. at: the address of the page."""
    answer = client.post(f"{at}/{deed}", data=fields_of(page, **more))
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_missed_name_is_added_here_and_everywhere(fake: Service) -> None:
    files = {"een.txt": b"Wim kwam. Jan Tolsma zag Wim.", "twee.txt": b"en Wim, niet Wimmie."}
    with fake.client(fake.token(), **HTMX) as client:
        api, ids = analysed(client, files)
        place = f"{api.removeprefix('/api/v1')}/files/{ids['een.txt']}"
        page = client.get(place).text
        document = re.findall(r'name="document" value="([^"]+)"', page)[0]
        typed = {"document": document, "kind": "PERSON", "words": " Wim "}
        here = corrected(client, place, page, "added", **typed)
        assert "Stored: 1 mention." in here
        assert [one.split(",")[0] for _, one in mentions_of(here)] == ["Wim", "Jan Tolsma"]
        back = corrected(client, place, here, "turned", by="undo")
        chosen = {**typed, "selected": "Wim", "place": "25", "everywhere": "yes"}
        everywhere = corrected(client, place, back, "added", **chosen)
        assert "Stored: 3 mentions." in everywhere
        assert "person 1" in mentions_of(everywhere)[2][1]
        again = client.post(f"{place}/added", data=fields_of(everywhere, **typed))
        assert again.status_code == 409  # all of them are marked
        gone = client.post(f"{place}/added", data=fields_of(everywhere, **{**chosen, "selected": "Piet"}))
        assert gone.status_code == 409
        assert "Piet" not in gone.text


def test_bounds_kind_and_person_are_changed(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client, "brief.docx")
        page = client.get(place).text
        (jan, _), (els, _), _ = mentions_of(page)

        def told(shown: str) -> dict[str, str]:
            return {key: ", ".join(one.split(", ")[:2]) for key, one in mentions_of(shown)}

        page = corrected(client, place, page, "corrected", do="wider-end", mention=jan)
        assert told(page)[jan] == "Jan Tolsma belde, person 1"
        page = corrected(client, place, page, "corrected", do="narrower-end", mention=jan)
        page = corrected(client, place, page, "corrected", do="narrower-start", mention=jan)
        assert told(page)[jan] == "Tolsma, person 1"
        page = corrected(client, place, page, "corrected", do="wider-start", mention=jan)
        assert told(page)[jan] == "Jan Tolsma, person 1"
        refused = client.post(f"{place}/corrected", data=fields_of(page, do="wider-start", mention=jan))
        assert refused.status_code == 409  # nothing stands before it
        page = corrected(client, place, page, "corrected", do="kind", mention=els, kind="CITY")
        assert told(page)[els] == "Els Mol, city"
        page = corrected(client, place, page, "corrected", do="kind", mention=els, kind="PERSON")
        person = re.findall(r'<option value="([^"]+)">1: Jan Tolsma \(\d\)', page)[0]
        page = corrected(client, place, page, "corrected", do="pick", mention=els, person=person)
        assert told(page)[els] == "Els Mol, person 1"
        page = corrected(client, place, page, "corrected", do="make", mention=els)
        assert told(page)[els] == "Els Mol, person 2"


def test_a_page_that_is_old_changes_nothing(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client, "tweede.txt")
        page = client.get(place).text
        told = fields_of(page, do="reject", mention=mentions_of(page)[0][0])
        assert client.post(f"{place}/corrected", data=told).status_code == 200
        stale = client.post(f"{place}/corrected", data={**told, "mention": mentions_of(page)[1][0]})
        assert stale.status_code == 412
        assert "Something was changed meanwhile" in stale.text
        assert stale.headers["hx-retarget"] == "#problem"
        assert len(mentions_of(client.get(place).text)) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"do": "erase"},
        {"do": "confirm", "revision": "x"},
        {"do": "kind"},
        {"do": "pick"},
        {},
        {"do": "wider-end", "revision": "x"},
    ],
)
def test_wrong_corrections_are_refused(fake: Service, wrong: dict[str, str]) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client, "tweede.txt")
        page = client.get(place).text
        told = {**fields_of(page, mention=mentions_of(page)[0][0]), **wrong}
        assert client.post(f"{place}/corrected", data=told).status_code == 422
        assert len(mentions_of(client.get(place).text)) == 2


def test_a_long_text_is_shown_in_parts(fake: Service) -> None:
    lines = "Jan Tolsma kwam.\n" * 2_000
    with fake.client(fake.token(), **HTMX) as client:
        api, ids = analysed(client, {"lang.txt": lines.encode()})
        place = f"{api.removeprefix('/api/v1')}/files/{ids['lang.txt']}"
        first = client.get(place).text
        assert f'href="{place}?text=0&amp;start=20000"' in first
        second = client.get(place, params={"text": 0, "start": 20_000}).text
    assert f'href="{place}?text=0&amp;start=0"' in second
    assert "Further part" not in second
    shown = len(mentions_of(first)) + len(mentions_of(second))
    assert shown in (2_000, 2_001)  # one may lie on the border and is shown in both


def test_another_account_sees_no_file(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client, "tweede.txt")
    with fake.client(fake.token(account="another"), **HTMX) as client:
        assert client.get(place).status_code == 404
        told = {"revision": "0", "do": "reject", "mention": "m_1"}
        assert client.post(f"{place}/corrected", data=told).status_code == 404
