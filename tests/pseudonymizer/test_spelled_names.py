import time

import pytest

from linkage.language import Language
from linkage.records import Gender, PersonName
from pseudonymizer.spelled_names import new_names

SITES = {
    "info@els-wiersma.example": "els-wiersma",
    "info@elswiersma.example": "elswiersma",
    "https://www.elsvandouma.example/": "elsvandouma",
    "https://mail.els-wiersma.co.uk": "els-wiersma",
}
FIRMS = (
    "www.els-douma.example",  # on the list of organisations
    "info@wiersma.example",
    "www.elswiersmaenzoon.example",
    "www.e-wiersma.example",
    "elswiersma.jouwblog.example",
)


class _Listed:
    particles = ("van", "van de")


class _Lists:
    """A gazetteer of a few names."""

    def gender(self, text: str) -> Gender | None:
        return {"els": Gender.FEMALE, "sjoukje": Gender.FEMALE, "rinus": Gender.MALE}.get(text.lower())

    language = Language.load("nl")

    def is_given_name(self, text: str) -> bool:
        return text.lower() in {"els", "ko", "rinus", "sjoukje"}

    def is_surname(self, text: str) -> bool:
        return text.lower() in {"wiersma", "bakker", "douma", "sjoukje"}

    def surname(self, text: str) -> _Listed | None:
        return _Listed() if self.is_surname(text) else None

    def is_particle(self, text: str) -> bool:
        return text.lower() in {"de", "van"}

    def is_word(self, text: str) -> bool:
        return text.lower() == "bakker"

    def is_place(self, text: str) -> bool:
        return text.lower() == "breda"

    def is_organisation(self, text: str) -> bool:
        return text.lower() == "els douma"


def test_names_of_people_nobody_has_heard_of() -> None:
    text = "<els.wiersma.9@x.example> k.bakker@x.nl info@bakker.nl"
    (found,) = new_names(text, _Lists())
    assert found.span.cut(text) == "els.wiersma"
    assert found.name == PersonName(given="Els", family="Wiersma")
    (one,) = new_names("lijst_Douma Bakker Breda", _Lists(), technical=True)
    assert one.name == PersonName(family="Douma")


def test_an_address_of_a_man_and_a_woman_names_two_people() -> None:
    text = "rinus.sjoukje.wiersma@x.nl"
    found = new_names(text, _Lists())
    assert [one.span.cut(text) for one in found] == ["rinus", "sjoukje.wiersma"]
    assert [one.name.given for one in found] == ["Rinus", "Sjoukje"]
    (one,) = new_names("els.sjoukje.wiersma@x.nl", _Lists())
    assert one.name == PersonName(given="Els", family="Sjoukje"), "two women's names may be one woman's"


@pytest.mark.parametrize("text", SITES)
def test_sites_named_after_people(text: str) -> None:
    (found,) = new_names(text, _Lists())
    assert found.span.cut(text) == SITES[text]
    assert found.name.family in {"Wiersma", "Douma"}


@pytest.mark.parametrize("text", FIRMS)
def test_other_sites(text: str) -> None:
    assert new_names(text, _Lists()) == ()


def test_user_and_page_beside_a_site() -> None:
    text = "ftp://els.douma@els-wiersma.example http://x.example/team/els-wiersma"
    assert [f.span.cut(text) for f in new_names(text, _Lists())] == [
        "els.douma",
        "els-wiersma",
        "els-wiersma",
    ]


@pytest.mark.parametrize(
    ("text", "spelled", "name"),
    [
        ("elswiersma@x.nl", "elswiersma", PersonName(given="Els", family="Wiersma")),
        ("ElsWiersma@x.nl", "ElsWiersma", PersonName(given="Els", family="Wiersma")),
        ("@ElsVanWiersma", "ElsVanWiersma", PersonName(given="Els", particle="van", family="Wiersma")),
        ("elsvandenwiersma99@x.nl", "elsvandenwiersma",
         PersonName(given="Els", particle="van den", family="Wiersma")),
        ("e.dewiersma1980@x.nl", "e.dewiersma", PersonName(initials="E.", particle="de", family="Wiersma")),
        ("tvanwiersma@x.nl", "tvanwiersma", PersonName(initials="T.", particle="van", family="Wiersma")),
        ("@tdwiersma", "tdwiersma", PersonName(initials="T.", particle="de", family="Wiersma")),
        ("twiersma@x.nl", "twiersma", PersonName(initials="T.", family="Wiersma")),
        ("https://www.x.nl/in/elswiersma/", "elswiersma", PersonName(given="Els", family="Wiersma")),
        ("https://www.x.nl/~elswiersma", "elswiersma", PersonName(given="Els", family="Wiersma")),
    ],
)  # fmt: skip
def test_names_in_one_word(text: str, spelled: str, name: PersonName) -> None:
    (found,) = new_names(text, _Lists())
    assert found.span.cut(text) == spelled
    assert found.name == name


@pytest.mark.parametrize(
    "text",
    ["tbakker@x.nl", "elsbakker@x.nl", "https://x.nl/nieuws/elswiersma", "wiersma@x.nl", "salarissen@x.nl"],
)
def test_one_word_that_may_be_no_name(text: str) -> None:
    assert new_names(text, _Lists()) == ()


@pytest.mark.parametrize(
    ("text", "spelled", "name"),
    [
        ("Wiersma, Els.docx.txt", "Wiersma, Els", PersonName(given="Els", family="Wiersma")),
        ("Wiersma,_E._de_dossier.docx", "Wiersma,_E._de",
         PersonName(initials="E.", particle="de", family="Wiersma")),
        ("Bakker, Els.pdf", "Bakker, Els", PersonName(given="Els", family="Bakker")),
    ],
)  # fmt: skip
def test_family_name_first_in_file_names(text: str, spelled: str, name: PersonName) -> None:
    (found,) = new_names(text, _Lists(), technical=True)
    assert found.span.cut(text) == spelled
    assert found.name == name
    assert new_names(text, _Lists()) == ()


@pytest.mark.parametrize(
    ("text", "spelled", "name"),
    [
        ("Brief_van_Els_de_Wiersma.txt", "Els_de_Wiersma",
         PersonName(given="Els", particle="de", family="Wiersma")),
        ("E._van_Bakker_-_dossier.pdf", "E._van_Bakker",
         PersonName(initials="E.", particle="van", family="Bakker")),
        ("Ziekmelding_E._Douma.eml", "E._Douma", PersonName(initials="E.", family="Douma")),
        ("dossier_van_de_Bakker.txt", "van_de_Bakker", PersonName(particle="van de", family="Bakker")),
        ("mevr._Bakker.docx", "Bakker", PersonName(family="Bakker")),
        ("De_heer_van_Bakker.docx", "van_Bakker", PersonName(particle="van", family="Bakker")),
        ("mail_van_Els.txt", "Els", PersonName(given="Els")),
        ("mail_aan_els.txt", "els", PersonName(given="Els")),
    ],
)  # fmt: skip
def test_names_that_the_word_before_tells(text: str, spelled: str, name: PersonName) -> None:
    (found,) = new_names(text, _Lists(), technical=True)
    assert found.span.cut(text) == spelled
    assert found.name == name


@pytest.mark.parametrize("text", ["lijst_van_de_Breda.txt", "de_bakker.txt", "Notulen_Els.txt"])
def test_words_that_tell_no_name(text: str) -> None:
    assert new_names(text, _Lists(), technical=True) == ()


def test_a_list_of_addresses_takes_no_square_of_time() -> None:
    text = "".join(f"els.wiersma{number}@post.nl\n" for number in range(20_000))
    started = time.process_time()
    assert len(new_names(text, _Lists(), technical=True)) == 20_000
    assert time.process_time() - started < 10  # seconds; the square takes minutes
