"""Who is who in two German documents: pet names, ways to write an umlaut, titles, maiden names, sounds."""

from collections.abc import Sequence
from functools import cache

import pytest

from linkage.comparison.sounds import cologne_code
from linkage.names import parse_name
from linkage.pipeline import LinkagePipeline
from linkage.records import Detector, Document, DocumentId, Mention
from linkage.settings import LinkageSettings, RecognitionSettings
from tests.fakes import span_of

NOTE = (
    "Heute war Dr. Hans Müller im Haus. Dr. Müller sprach mit Josef Huber und mit Sabine Körner, "
    "geb. Wiesinger. Der Sepp kam später, mit Johannes Brandstetter und Karl-Heinz Öttl."
)
LETTER = (
    "Herr Hans Mueller hat angerufen. Sepp Huber lässt grüßen, ebenso Hannes Brandstetter und "
    "Kalle Bruckner. Karl-Heinz Oettl kommt nicht."
)
NOTED = (
    "Hans Müller", "Müller", "Josef Huber", "Sabine Körner", "Wiesinger", "Sepp", "Johannes Brandstetter",
    "Karl-Heinz Öttl",
)  # fmt: skip
WRITTEN = ("Hans Mueller", "Sepp Huber", "Hannes Brandstetter", "Kalle Bruckner", "Karl-Heinz Oettl")


@cache
def pipeline() -> LinkagePipeline:
    return LinkagePipeline.load(LinkageSettings(recognition=RecognitionSettings(language="de")))


def document(name: str, text: str, names: Sequence[str]) -> tuple[Document, list[Mention]]:
    """The names stand in the order of the text."""
    made = Document(DocumentId(name), text, "de")
    mentions, at = [], 0
    for one in names:
        span = span_of(text[at:], one)
        mentions.append(
            Mention.at(
                made, type(span)(at + span.start, at + span.end), detector=Detector.NER, confidence=0.99
            )
        )
        at += span.end
    return made, mentions


@cache
def people() -> tuple[frozenset[tuple[str, str]], ...]:
    """By person, the documents and forms of the mentions."""
    read = [document("note", NOTE, NOTED), document("letter", LETTER, WRITTEN)]
    result = pipeline().link([one for one, _ in read], [mentions for _, mentions in read])
    where = {
        one.mention.mention_id: (str(one.mention.doc_id), one.mention.surface) for one in result.mentions
    }
    return tuple(frozenset(where[one] for one in identity.mention_ids) for identity in result.identities)


@pytest.mark.parametrize(
    "forms",
    [
        {("note", "Hans Müller"), ("note", "Müller"), ("letter", "Hans Mueller")},
        {("note", "Josef Huber"), ("note", "Sepp"), ("letter", "Sepp Huber")},
        {("note", "Johannes Brandstetter"), ("letter", "Hannes Brandstetter")},
        {("note", "Sabine Körner"), ("note", "Wiesinger")},
        {("note", "Karl-Heinz Öttl"), ("letter", "Karl-Heinz Oettl")},
        {("letter", "Kalle Bruckner")},
    ],
)
def test_the_mentions_of_each_person_are_together(forms: set[tuple[str, str]]) -> None:
    assert frozenset(forms) in people()


@pytest.mark.parametrize(
    ("left", "right"), [("meier", "maier"), ("schmidt", "schmitt"), ("philipp", "filip"), ("jahn", "yan")]
)
def test_cologne_phonetics_makes_what_sounds_alike_one(left: str, right: str) -> None:
    assert cologne_code(left) == cologne_code(right)


def test_what_sounds_unlike_stays_apart() -> None:
    assert len({cologne_code(name) for name in ("meier", "bauer", "schulz", "wagner")}) == 4


@pytest.mark.parametrize(
    ("name", "given", "particle", "family"),
    [
        ("Ursula von der Leyen", "Ursula", "von der", "Leyen"),
        ("Frau von der Leyen", None, "von der", "Leyen"),
        ("Baron zu Guttenberg", None, "zu", "Guttenberg"),
        ("Herr von und zu Aufseß", None, "von und zu", "Aufseß"),
        ("Prof. Dr. med. Anna Weiß", "Anna", None, "Weiß"),
    ],
)
def test_particles_of_several_words_and_titles(
    name: str, given: str | None, particle: str | None, family: str
) -> None:
    parsed = parse_name(name, pipeline().gazetteer)
    assert (parsed.given, parsed.particle, parsed.family) == (given, particle, family)


def test_a_maiden_name_is_the_family_name() -> None:
    parsed = parse_name("Sabine Körner, geb. Wiesinger", pipeline().gazetteer)
    assert (parsed.given, parsed.family, parsed.partner_family) == ("Sabine", "Wiesinger", "Körner")
