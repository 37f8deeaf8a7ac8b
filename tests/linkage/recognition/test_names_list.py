"""Names that the lists find by themselves: how they are written, what stands around them, no persons."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.detection.text_view import TextView
from linkage.gazetteer import Gazetteer
from linkage.kind_lists import TextsByKind
from linkage.language import Language
from linkage.recognition.names_list import NamesList, UserLists
from linkage.records import Detector, Document, DocumentId, RecognizedSpan, RecognizedText, Span
from linkage.settings import RecognitionSettings
from linkage.texts import PERSON, KindId


@pytest.fixture(scope="module")
def names(gazetteer: Gazetteer) -> NamesList:
    return NamesList(gazetteer)


def document(text: str) -> Document:
    return Document(DocumentId("d"), text)


def sure(names: NamesList, text: str) -> list[str]:
    """The surfaces of sure names, which are found in the readable view of the text."""
    view = TextView.of(text, Language.load("nl"))
    found = [m.span for m in names.find(document(view.text)) if m.confidence >= 0.5]
    return [view.span(span.start, span.end).cut(text) for span in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # given names, particles, double names
        ("Gesproken met Marleen van den Hoek en Piet van de Hoek.",
         ["Marleen van den Hoek", "Piet van de Hoek"]),
        ("Annelies van \u2019t Zand zag meneer \u2019t Hart.", ["Annelies van \u2019t Zand", "\u2019t Hart"]),
        ("Mw. F. van den Akker-Groen en mw. H. Groen-van den Akker.",
         ["F. van den Akker-Groen", "H. Groen-van den Akker"]),
        ("Het is van Samira El Khattabi.", ["Samira El Khattabi"]),
        # what a title or a greeting says of a word
        ("Dhr. Raaijmakers meldt zich.", ["Raaijmakers"]),
        ("mr. O. Ba moet beoordelen of dit laag is.", ["O. Ba"]),
        ("mevr. Wil Boersma wil slapen", ["Wil Boersma"]),
        ("Beste Frits en Door,\n\nEindelijk.", ["Frits", "Door"]),
        ("Contact met POH Hazekamp: de brug stond open.", ["Hazekamp"]),
        ("consult door coll. Vonk. Brief volgt.", ["Vonk"]),
        ("medewerker: C. (Carla) Brouwers", ["C. (Carla) Brouwers"]),
        ("Lise-Lotte Brand-Nijland en Jan-Peter kwamen.", ["Lise-Lotte Brand-Nijland", "Jan-Peter"]),
        ("Volgens mevrouw d\u2019Arcy klopt het.", ["d\u2019Arcy"]),
        ("We zagen Jasper vanDijk lopen.", ["Jasper vanDijk"]),
        # initials
        ("Th.J. Bakker, Chr. de Jong en IJ. Kuipers.", ["Th.J. Bakker", "Chr. de Jong", "IJ. Kuipers"]),
        ("A B de Groot, JP Smit en K Y Visser.", ["A B de Groot", "JP Smit", "K Y Visser"]),
        ("Dat zei mw. A.-M. Bos tegen C.A.J. ten Have.", ["A.-M. Bos", "C.A.J. ten Have"]),
        ("Ondergetekende Walter T. Bosman tekende.", ["Walter T. Bosman"]),
        # family name first
        ("VISSER, ELISABETH\nMulder, Jan Willem\nBoer, A.K. de\nBerg-Kok, M. van den\n",
         ["VISSER, ELISABETH", "Mulder, Jan Willem", "Boer, A.K. de", "Berg-Kok, M. van den"]),
        ("Getuigen: Jansen, Willems en Klaassen.", ["Jansen", "Willems", "Klaassen"]),
        ("Tol (Van Dorp), Marijke\n", ["Tol (Van Dorp), Marijke"]),
        # nicknames inside
        ("Jan \u201cJack\u201d de Kort en Gerrit (Pietje) Pols.",
         ["Jan \u201cJack\u201d de Kort", "Gerrit (Pietje) Pols"]),
        # possessives
        ("Mieke's fiets, Hans' jas en Annekes tas.", ["Mieke", "Hans", "Anneke"]),
        # capitals, small letters
        ("AANWEZIG: SOFIE SANDERS, HENK DE WIT EN MEVR. K. VAN DER LAAN.",
         ["SOFIE SANDERS", "HENK DE WIT", "K. VAN DER LAAN"]),
        ("gister belde sanne de boer nog, vraag het kees mulder", ["sanne de boer", "kees mulder"]),
        ("hoi jeroen, kun je dhr. jansen bellen?", ["jeroen", "jansen"]),
        # line ends, invisible characters
        ("Ter zitting verscheen Joris\nSmeets, zoon van Anna van\r\nden Berg.",
         ["Joris\nSmeets", "Anna van\r\nden Berg"]),
        ("Contact:\nPeter Bos\nMarieke Vos\tKarel Prins\n", ["Peter Bos", "Marieke Vos", "Karel Prins"]),
        ("Groet, Ka\u00adrel Veld-\r\nhof", ["Ka\u00adrel Veld-\r\nhof"]),
        ("Aanwezig: Bos  Vos  Kok\n", ["Bos", "Vos", "Kok"]),
        # print and scans
        ("Getekend: J a n  K u i p e r en Wil helmina Vos.", ["J a n  K u i p e r", "Wil helmina Vos"]),
        ("Ook 0tto B0s tekende.", ["0tto B0s"]),
        ("Herr Steﬀen Ho\ufb00mann kam.", ["Steﬀen Ho\ufb00mann"]),
        ("De heer \u0130lker \u0130nce en mevrouw I\u015f\u0131l Kaya.",
         ["\u0130lker \u0130nce", "I\u015f\u0131l Kaya"]),
        ("\u0132sbrand \u0132zerman en IJSBRAND IJZERMAN.",
         ["\u0132sbrand \u0132zerman", "IJSBRAND IJZERMAN"]),
        # titles, cues and suffixes stay outside
        ("Prof. dr. mr. Kees Bakker jr. en burgemeester Anna Smit.", ["Kees Bakker", "Anna Smit"]),
        ("Marijke Tol (geb. Pronk) is hier.", ["Marijke Tol", "Pronk"]),
        ("Met vriendelijke groet,\nRoos", ["Roos"]),
        ("03-05-2024 10:00 - Yara: ja", ["Yara"]),
    ],
)  # fmt: skip
def test_names_in_all_their_shapes(names: NamesList, text: str, found: list[str]) -> None:
    assert sure(names, text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Beste. Graag even testen. Dank en Groet, Alvast bedankt.",
        "Hij heeft geen Parkinson, wel de ziekte van Ménière; geen Gilles de la Tourette.",
        "Zij woont aan de Jan Voskuillaan 4 in de Burgemeester Jansenstraat.",
        "Bouwbedrijf Jansen B.V. en de Stichting Pieter de Haan Fonds waren er.",
        "In mei en op 12 jan 2024 was het koud; de Mei was nat.",
        "KPN en de NS stuurden een brief naar Amsterdam en New York.",
        "Hij reed van Utrecht naar Den Haag.",
        "Mail naar sanne.de.boer@voorbeeld.example of kijk op www.jansen-bouw.nl.",
        "Er stond een Ottomotor in Bottrop.",
        "De roos in de tuin bloeit; een vos liep langs de beek.",
        "Zie bijlage C. De ander is D.",
        "Melder: onbekend. Naam: N.N.",
    ],
)
def test_names_of_other_things_and_plain_words_stay(names: NamesList, text: str) -> None:
    assert sure(names, text) == []


def test_a_word_that_is_a_name_too_needs_its_context(names: NamesList) -> None:
    assert sure(names, "De vergadering was bij Wil.") == []
    assert sure(names, "Hoi Wil,\nKom je?") == ["Wil"]
    assert sure(names, "Roos Jansen kreeg een roos.") == ["Roos Jansen"]
    assert sure(names, "Mevrouw Parkinson heeft Parkinson.") == ["Parkinson"]


def test_a_neighbour_in_a_list_lends_support(names: NamesList) -> None:
    lone = {m.surface: m.confidence for m in names.find(document("De commissie van Kok was er."))}
    listed = {m.surface: m.confidence for m in names.find(document("Piet Bakker, Kok en Anna Smit."))}
    assert listed["Kok"] > lone.get("Kok", 0)


def test_mentions_say_who_found_them(names: NamesList) -> None:
    (mention,) = names.find(document("Dat zei Sanne Bakker."))
    assert mention.detector is Detector.LIST
    assert mention.doc_id == "d"
    assert 0.5 <= mention.confidence <= 1


def recognized(persons: list[RecognizedSpan], others: list[RecognizedSpan]) -> RecognizedText:
    return RecognizedText(DocumentId("d"), (), (), tuple(persons), tuple(others))


def test_the_network_lifts_and_lowers(names: NamesList) -> None:
    text = "Kort daarna viel Beuken weg."
    span = Span(17, 23)
    (alone,) = names.find(document(text))
    (lifted,) = names.find(document(text), recognized([RecognizedSpan(span, 0.8)], []))
    lowered = names.find(document(text), recognized([], [RecognizedSpan(span, 0.95)]))
    assert lifted.confidence > alone.confidence
    assert all(mention.confidence < alone.confidence for mention in lowered)


def test_a_title_stands_against_the_network(names: NamesList) -> None:
    text = "Mevrouw Beuken kwam."
    (mention,) = names.find(document(text), recognized([], [RecognizedSpan(Span(8, 14), 0.95)]))
    assert mention.confidence > 0.9


def test_lists_of_the_user(gazetteer: Gazetteer) -> None:
    lists = UserLists(names=("Xqandu Vurbel",), allowed=("De Lange Jan",), denied=("Sanne Bakker",))
    names = NamesList(gazetteer, lists)
    text = "Xqandu Vurbel en Xqandu zagen de lange jan; Sanne Bakker niet, Sanne Bakkers wel."
    assert sure(names, text) == ["Xqandu Vurbel", "Xqandu", "de lange jan", "Sanne Bakkers"]
    (denied,) = names.denied(document(text))
    assert denied.cut(text) == "Sanne Bakker"
    assert "Vurbel" not in repr(lists)


def test_lists_by_kind(gazetteer: Gazetteer) -> None:
    settings = RecognitionSettings(
        always=TextsByKind.of(
            {
                PERSON: ["Xqandu Vurbel"], KindId("PROJECT"): ["Sanne Bakker"],
                KindId("ORGANIZATION"): ["Kees Mulder BV"],
            }
        ),
        never=TextsByKind.of({PERSON: ["De Jager"]}),
    )  # fmt: skip
    names = NamesList.load(gazetteer, settings)
    text = "Xqandu Vurbel, Sanne Bakker en De Jager van Kees Mulder BV."
    assert [span.cut(text) for span in names.always(document(text))] == ["Xqandu Vurbel"]
    # A project holds no names of people; a firm may hold one.
    assert [span.cut(text) for span in names.denied(document(text))] == ["Sanne Bakker", "De Jager"]
    assert "Vurbel" not in repr(settings)


def test_texts_without_words(names: NamesList) -> None:
    for text in ("", " ", "\n\n", "123 456", "\ufeff", "🎉🎉", "..., -"):
        assert names.find(document(text)) == ()
        assert names.denied(document(text)) == ()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["Jan", "de", "Boer", "van", "den", "J.", "A", "-", ",", "\n", "'", "mevr.", "(", ")",
             "0tto", "EN", "\u00ad",
             "x", "\u2019t", ";", "Bos", "Anna", "Kok", "  ", "\t", "M", "groet", ":", "sanne",
             "B.V.", "straat", "12"]
        ),
        max_size=25,
    ),
    st.booleans(),
)  # fmt: skip
def test_mentions_are_in_order_apart_and_cut_from_the_text(
    names: NamesList, words: list[str], glued: bool
) -> None:
    text = ("" if glued else " ").join(words)
    read_to = 0
    for mention in names.find(document(text)):
        assert mention.span.start >= read_to
        assert mention.surface == mention.span.cut(text)
        assert mention.surface == mention.surface.strip()
        read_to = mention.span.end


@pytest.mark.parametrize(
    "piece",
    [
        "de kat zat op de mat en ",
        "a",
        "Jan ",
        "a-",
        "A.",
        "J. ",
        "\u0130\u0131Ii\u015e\u015f ",
        "0o",
        "> ",
        "a@",
        "van ",
        "(",
        "Jan-\n",
        "Jan, ",
    ],
)
def test_time_grows_with_the_length_only(names: NamesList, piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * (length // len(piece) + 1))[:length] + " getekend door Jan Terpstra"
        start = time.process_time()
        found = names.find(document(text))
        assert found[-1].surface == "Jan Terpstra"
        return time.process_time() - start

    seconds(500)
    # the least of three: a garbage collection falls into some of them. In proportion 4, squared 16.
    least = {length: min(seconds(length) for _ in range(3)) for length in (5_000, 20_000)}
    assert least[20_000] < 10 * max(least[5_000], 0.05)
