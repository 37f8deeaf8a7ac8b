"""Headers, salutations and signatures of letters. All names are invented."""

from linkage.context.letters import correspondents, letter_pairs
from linkage.language import Language
from linkage.records import PersonName
from tests.linkage.context.marked import mentions_of

_DUTCH = Language.load("nl")


def _found(text: str, *surfaces: str) -> set[tuple[str, str]]:
    mentions = mentions_of(text, *surfaces)
    names = [PersonName(given=surface) for surface in surfaces]
    pairs = correspondents(text, mentions, names, _DUTCH)
    return {(surfaces[left], surfaces[right]) for left, right in pairs}


def test_sender_and_receivers_of_one_header() -> None:
    text = "Van: Marit Oosting\nAan: Marit Oostink\nCc: M. Oosterling\n\nHoi Marit,"
    found = _found(text, "Marit Oosting", "Marit Oostink", "M. Oosterling", "Marit")
    assert found == {
        ("Marit Oosting", "Marit Oostink"),
        ("Marit Oosting", "M. Oosterling"),
        ("Marit Oostink", "M. Oosterling"),
    }


def test_the_header_of_an_answered_letter_is_one_of_its_own() -> None:
    text = "Van: Marit Oosting\nAan: Fenna\n\nJa.\n\nVan: Fenna Oostink\nAan: Marit\n"
    found = _found(text, "Marit Oosting", "Fenna", "Fenna Oostink", "Marit")
    assert found == {("Marit Oosting", "Fenna"), ("Fenna Oostink", "Marit")}


def test_headers_without_end_are_a_list() -> None:
    names = [f"Naam{number}" for number in range(2_000)]
    pairs = _found("".join(f"aan: {name}\n" for name in names), *names)
    assert len(pairs) < 310 * 2_000 / 2  # and not their square


def test_every_label_of_a_sender_opens_a_header() -> None:
    assert _found("Verzonden door: Fenna\nAan: Marit\n", "Fenna", "Marit") == {("Fenna", "Marit")}


def test_sender_signs_and_receiver_is_greeted() -> None:
    header = "Van: Fenna Oostink\nAan: Marit Bos\n\n"
    text = header + "Beste Marit,\n\nTot morgen.\n\nMet vriendelijke groet,\nFenna\n"
    surfaces = ("Fenna Oostink", "Marit Bos", "Marit", "Fenna")
    names = [
        PersonName(given="Fenna", family="Oostink"),
        PersonName(given="Marit", family="Bos"),
        PersonName(given="Marit"),
        PersonName(given="Fenna"),
    ]
    assert letter_pairs(text, mentions_of(text, *surfaces), names, _DUTCH) == {(1, 2), (0, 3)}


def test_a_signature_of_another_surname_is_not_the_sender() -> None:
    text = "Van: Fenna Oostink\n\nJa.\n\nGroet,\nMarit Zandwijk\n"
    names = [PersonName(given="Fenna", family="Oostink"), PersonName(given="Marit", family="Zandwijk")]
    assert letter_pairs(text, mentions_of(text, "Fenna Oostink", "Marit Zandwijk"), names, _DUTCH) == set()
