"""The pages of people: merged, split by names and by places, names that are none, taken back."""

import re
from typing import Final

import httpx

from tests.pseudonymizer.web.served import Service, json_of
from tests.pseudonymizer.web.test_api_jobs import analysed
from tests.pseudonymizer.web.test_pages_workspaces import HTMX

FILES: Final = {
    "een.txt": b"Jan Tolsma belde Els Mol.",
    "map/twee.txt": b"Jan Tolsma kwam. Toen zag Jan Tolsma <b>niemand</b>.",
}


def opened(client: httpx.Client) -> str:
    """The address of the page of people of files that are analysed."""
    api, _ = analysed(client, FILES)
    return f"{api.removeprefix('/api/v1')}/people"


def revision_of(page: str) -> str:
    return str(re.findall(r'name="revision" value="(\d+)"', page)[0])


def people_of(page: str) -> list[tuple[str, str]]:
    """(id, first name) of the people of a page."""
    found = re.findall(r'name="person" value="([^"]+)"> <span [^>]+>([^<]+)<', page)
    return [(str(person), str(name)) for person, name in found]


def given(client: httpx.Client, place: str, page: str, **told: object) -> str:
    answer = client.post(
        f"{place}/corrected", data={"revision": revision_of(page), "after": "0", **told}
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    return answer.text


def test_people_are_merged_and_forms_split_off_again(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        page = client.get(place).text
        (jan, jan_name), (els, els_name) = people_of(page)
        assert (jan_name, els_name) == ("Jan Tolsma", "Els Mol")
        assert "Jan Tolsma (3)" in page
        merged = given(client, place, page, do="merge", person=[jan, els])
        assert people_of(merged) == [(jan, "Jan Tolsma")]
        assert "Els Mol (1)" in merged
        split = given(client, place, merged, do=f"split-forms:{jan}", **{f"form:{jan}": "Els Mol"})
        assert [name for _, name in people_of(split)] == ["Jan Tolsma", "Els Mol"]
        back = given(client, place, split, by="undo")
        assert "Taken back." in back
        assert len(people_of(back)) == 1
        again = given(client, place, back, by="redo")
        assert len(people_of(again)) == 2


def test_names_that_are_none_are_taken_out_of_all_files(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        page = client.get(place).text
        (jan, _), (els, _) = people_of(page)
        after = given(client, place, page, do=f"reject-forms:{jan}", **{f"form:{jan}": "Jan Tolsma"})
        assert "Stored: 3 mentions." in after
        assert [person for person, _ in people_of(after)] == [els]


def test_two_people_of_one_name_are_told_apart_by_their_places(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        (jan, _), _ = people_of(client.get(place).text)
        page = client.get(f"{place}/{jan}").text
        mentions = re.findall(r'name="mention" value="([^"]+)"', page)
        assert len(mentions) == 3
        assert "&lt;b&gt;niemand" in page
        assert "map/twee.txt" in page
        answer = client.post(
            f"{place}/{jan}/corrected", data={"revision": revision_of(page), "mention": mentions[1:]}
        )
        assert answer.status_code == 200, answer.text
        assert len(re.findall(r'name="mention"', answer.text)) == 1
        assert len(people_of(client.get(place).text)) == 3
        told = client.get(f"/api/v1{place.removesuffix('/people')}/corrections/judgements").text
        assert "reject" in told  # what the command line reads says so too


def test_what_cannot_be_is_said(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        page = client.get(place).text
        (jan, _), _ = people_of(page)
        told = {"revision": revision_of(page), "after": "0"}
        for wrong, status in (
            ({"do": "merge", "person": jan}, 422),
            ({"do": "merge"}, 422),
            ({"do": f"split-forms:{jan}"}, 422),
            ({"do": f"split-forms:{jan}", f"form:{jan}": "Jan Tolsma"}, 409),  # nobody would be left
            ({"do": f"reject-forms:{jan}", f"form:{jan}": "Piet"}, 409),
            ({"do": "explode:p1", "form:p1": "x"}, 422),
            ({"do": "merge", "person": [jan, "p_none"]}, 409),
        ):
            answer = client.post(f"{place}/corrected", data={**told, **wrong})
            assert answer.status_code == status, (wrong, answer.text)
            assert answer.headers["hx-retarget"] == "#problem"
            assert "Piet" not in answer.text
        stale = {**told, "revision": "0", "do": f"reject-forms:{jan}", f"form:{jan}": "Jan Tolsma"}
        assert client.post(f"{place}/corrected", data=stale).status_code == 412
        assert len(people_of(client.get(place).text)) == 2


def test_people_of_others_are_not_there(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        api = f"/api/v1{place.removesuffix('/people')}"
        assert json_of(client.get(f"{api}/people"))["total"] == 2
    with fake.client(fake.token(account="another"), **HTMX) as client:
        assert client.get(place).status_code == 404
        assert client.get(f"{place}/p1").status_code == 404
        told = {"revision": "1", "do": "merge", "person": ["a", "b"]}
        assert client.post(f"{place}/corrected", data=told).status_code == 404
