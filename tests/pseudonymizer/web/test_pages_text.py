"""The page /text by its requests: what is shown, chosen, left and refused."""

import re

import pytest

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service

TEXT = "Jan Tolsma belde met Els Douma.\r\nElse \U0001f44d de <b>Els Douma</b> belde 06-12345678."
HTMX = {"HX-Request": "true", "Accept-Language": "en"}


def written(fake: Service, **fields: str | list[str]) -> str:
    with fake.client(fake.token(), **HTMX) as client:
        answer = client.post("/text/pseudonymized", data={"text": TEXT, **fields})
    assert answer.status_code == 200, answer.text
    return answer.text


def view_of(page: str, name: str) -> str:
    return page.split(f'data-view="{name}"')[1].partition("</div></div></div>")[0]


def test_persons_are_numbered_and_kinds_are_lettered(fake: Service) -> None:
    page = written(fake)
    before = view_of(page, "before")
    assert re.findall(r'data-tag="(\w+)"[^>]*>([^<]+)<', before) == [
        ("P1", "Jan Tolsma"), ("P2", "Els Douma"), ("P2", "Els Douma"), ("F", "06-12345678"),
    ]  # fmt: skip
    after = re.findall(r'data-tag="(\w+)"[^>]*>([^<]+)<', view_of(page, "after"))
    assert [tag for tag, _ in after] == ["P1", "P2", "P2", "F"]
    assert after[1][1] == after[2][1] != after[0][1]
    told = re.findall(r'aria-label="([^"]+)"', before)[0]
    assert re.fullmatch(r"Jan Tolsma, person 1, found by the network \(\d+%\), becomes PERSOON-\w+", told)
    assert 'data-start="33"' in before
    assert "<b>" not in page


def test_kinds_that_are_not_ticked_stay(fake: Service) -> None:
    page = written(fake, offered="yes", kinds=["PERSON"])
    assert "06-12345678" in view_of(page, "after")
    assert "Seen and left in:" in page
    assert "telephone number (1)" in page


def test_no_kind_ticked_leaves_the_text_as_it_is(fake: Service) -> None:
    page = written(fake, offered="yes")
    after = view_of(page, "after")
    assert "Jan Tolsma" in after
    assert 'class="m ' not in after


def test_another_style_is_asked_for_in_two_steps(fake: Service) -> None:
    written(fake)
    with fake.client(fake.token(), **HTMX) as client:
        refused = client.post("/text/pseudonymized", data={"text": TEXT, "style": "mask"})
    assert refused.status_code == 422
    assert "The project writes in another way" in refused.text
    assert "<html" not in refused.text
    masked = written(fake, style="mask", restyle="yes")
    assert re.findall(r'data-tag="(P\d)"', view_of(masked, "after")) == ["P1", "P2", "P2"]


@pytest.mark.parametrize(
    ("field", "value"), [("style", "no-such"), ("profile", "no-such"), ("kinds", "NO_SUCH")]
)
def test_a_wrong_choice_is_said_in_words(fake: Service, field: str, value: str) -> None:
    fields = {"text": TEXT, field: value, "restyle": "yes"}
    with fake.client(fake.token(), **HTMX) as client:
        answer = client.post("/text/pseudonymized", data=fields)
    if field == "kinds":  # a box that was never offered is not looked at
        assert answer.status_code == 200
    else:
        assert answer.status_code == 422
        assert "Something in the form is not right" in answer.text
        assert value not in answer.text


def test_an_empty_text_asks_for_one(fake: Service) -> None:
    assert "Paste a text first." in written(fake, text=" \r\n")


def test_names_come_back_and_what_was_left_is_shown(fake: Service) -> None:
    label = re.findall(r"PERSOON-\w+", view_of(written(fake), "after"))[0]
    fields = {"answer": f"Bel {label} & <i>PERSOON-7KQN3</i>.", "purpose": "zaak 12", "ticket": "88"}
    with fake.client(fake.token(Verb.RESTORE), **HTMX) as client:
        answer = client.post("/text/restored", data=fields)
    assert answer.status_code == 200, answer.text
    assert "1 pseudonym became a name." in answer.text
    view = view_of(answer.text, "restored")
    assert "Bel Jan Tolsma &amp; &lt;i&gt;<span" in view
    assert "PERSOON-7KQN3, not written as it was given" in view
    assert '<bdi lang="nl">PERSOON-7KQN3</bdi>' in answer.text


@pytest.mark.parametrize(
    ("verb", "shown", "hidden"),
    [
        (Verb.PSEUDONYMIZE, "/text/pseudonymized", "/text/restored"),
        (Verb.RESTORE, "/text/restored", "/text/pseudonymized"),
    ],
)
def test_each_reader_sees_the_box_that_he_may_use(fake: Service, verb: Verb, shown: str, hidden: str) -> None:
    written(fake)
    with fake.client(fake.token(verb), **HTMX) as client:
        page = client.get("/text").text
    assert f'hx-post="{shown}"' in page
    assert hidden not in page


def test_the_page_offers_kinds_styles_and_profiles_by_their_names(fake: Service) -> None:
    with fake.client(fake.token(), **{"Accept-Language": "nl"}) as client:
        page = client.get("/text").text
    assert "telefoonnummer" in page
    assert "bestandsnaam" not in page
    assert "lijkt" not in page
    assert "verzonnen namen" in page
    assert "hypotheekdossiers" in page
    for name in ("text", "answer", "made_from"):
        box = re.search(rf'<textarea id="{name}"[^>]*>', page)
        assert box is not None
        assert 'spellcheck="false" translate="no" autocomplete="off"' in box.group()
