"""The page of open questions: one answer after the other, passed by, taken back."""

import re
from typing import Final

import httpx

from tests.pseudonymizer.web.served import Service
from tests.pseudonymizer.web.test_api_jobs import analysed
from tests.pseudonymizer.web.test_pages_workspaces import HTMX

FILES: Final = {"een.txt": b"Jan Tolsma belde Els Mol.", "twee.txt": b"Jan Tolsma kwam."}


def opened(client: httpx.Client) -> str:
    """The address of the questions about files that are analysed."""
    api, _ = analysed(client, FILES)
    return f"{api.removeprefix('/api/v1')}/check"


def left(page: str) -> int:
    return int(re.findall(r"(\d+) questions? left", page)[0])


def fields_of(page: str) -> dict[str, str]:
    """The hidden fields of the form that answers."""
    return {
        str(name): str(value)
        for name, value in re.findall(r'"hidden" name="(\w+)" value="([^"]*)"', page.partition("</form>")[0])
    }


def test_questions_are_answered_one_after_the_other(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        page = client.get(place, params={"sure": 100}).text
        total = left(page)
        assert total >= 3
        assert 'lang="nl" translate="no"' in page
        first = fields_of(page)
        told = {**first, "answer": "yes", "everywhere": "yes"}
        after = client.post(f"{place}/answered", data=told)
        assert after.status_code == 200, after.text
        assert left(after.text) < total
        assert fields_of(after.text)["mention"] != first["mention"]
        undone = client.post(f"{place}/answered", data={**fields_of(after.text), "answer": "undo"}).text
        assert left(undone) == total
        assert fields_of(undone)["mention"] == first["mention"]
        rejected = client.post(f"{place}/answered", data={**fields_of(undone), "answer": "no"}).text
        assert left(rejected) == total - 1


def test_a_question_is_passed_by(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        pages = [client.get(place, params={"sure": 100, "later": later}).text for later in range(2)]
        assert fields_of(pages[0])["mention"] != fields_of(pages[1])["mention"]
        assert left(pages[0]) == left(pages[1])
        beyond = client.get(place, params={"sure": 100, "later": 400}).text
        assert "You have passed by all questions that are left." in beyond
        none = client.get(place, params={"sure": 0}).text
        assert "Nothing is open any more." in none


def test_wrong_and_late_answers_change_nothing(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = opened(client)
        page = client.get(place, params={"sure": 100}).text
        fields = fields_of(page)
        for wrong, status in (
            ({"answer": "perhaps"}, 422),
            ({"answer": "yes", "revision": "0"}, 412),
            ({"answer": "yes", "mention": "m_none"}, 409),
        ):
            answer = client.post(f"{place}/answered", data={**fields, **wrong})
            assert answer.status_code == status, answer.text
        assert left(client.get(place, params={"sure": 100}).text) == left(page)
    with fake.client(fake.token(account="another"), **HTMX) as client:
        assert client.get(place).status_code == 404
        assert client.post(f"{place}/answered", data={**fields, "answer": "yes"}).status_code == 404
