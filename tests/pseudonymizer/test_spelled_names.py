from linkage.records import PersonName
from pseudonymizer.spelled_names import new_names

HOSTS = (
    "info@els-wiersma.example",
    "https://www.els-wiersma.example/",
    "www.els-douma.example",
    "ftp://els.douma@els-wiersma.example",
    "http://els-wiersma.example/team/els-wiersma",
)


class _Lists:
    """A gazetteer of a few names."""

    def is_given_name(self, text: str) -> bool:
        return text.lower() in {"els", "ko"}

    def is_surname(self, text: str) -> bool:
        return text.lower() in {"wiersma", "bakker", "douma"}

    def is_particle(self, text: str) -> bool:
        return text.lower() in {"de", "van"}

    def is_word(self, text: str) -> bool:
        return text.lower() == "bakker"

    def is_place(self, text: str) -> bool:
        return text.lower() == "breda"


def test_names_of_people_nobody_has_heard_of() -> None:
    text = "<els.wiersma.9@x.example> k.bakker@x.nl info@bakker.nl"
    (found,) = new_names(text, _Lists())
    assert found.span.cut(text) == "els.wiersma"
    assert found.name == PersonName(given="Els", family="Wiersma")
    found_in = [f.span.cut(t) for t in HOSTS for f in new_names(t, _Lists())]
    assert found_in == ["els.douma", "els-wiersma"]
    (one,) = new_names("lijst_Douma Bakker Breda", _Lists(), technical=True)
    assert one.name == PersonName(family="Douma")
