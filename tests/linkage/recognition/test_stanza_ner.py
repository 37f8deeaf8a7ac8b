"""The recognizer on tiny untrained networks (places must be exact whatever they say) and shipped models."""

import json
import logging
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkage.errors import ModelDamagedError, ModelNotFoundError
from linkage.recognition.ner_model import NerModel
from linkage.recognition.stanza_ner import StanzaRecognizer, trim_name
from linkage.records import Document, DocumentId, RecognizedText
from linkage.settings import RecognitionSettings, data_directory
from tests.linkage.recognition.tiny_models import write_models

SHIPPED = data_directory() / "languages" / "nl" / "models" / "model.json"
shipped_models = pytest.mark.skipif(
    not SHIPPED.exists(), reason="the shipped models are not in this checkout"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models") / "nl"
    write_models(place)
    return place


@pytest.fixture(scope="module")
def recognizer(folder: Path) -> StanzaRecognizer:
    return StanzaRecognizer.load(RecognitionSettings(ner_model=folder), weak_person_confidence=0.0)


@pytest.fixture(scope="module")
def shipped() -> StanzaRecognizer:
    return StanzaRecognizer.load(RecognitionSettings())


def document(text: str, number: int = 0) -> Document:
    return Document(DocumentId(f"d{number}"), text)


def check_places(text: str, found: RecognizedText) -> None:
    """Everything a reader of RecognizedText may rely on."""
    for spans in (found.tokens, found.sentences):
        assert list(spans) == sorted(spans)
        assert all(a.end <= b.start for a, b in pairwise(spans))
        assert not spans or spans[-1].end <= len(text)
    assert not any(character.isspace() for token in found.tokens for character in token.cut(text))
    within = {place for sentence in found.sentences for place in range(sentence.start, sentence.end)}
    assert all(token.start in within and token.end - 1 in within for token in found.tokens)
    for recognized in (*found.persons, *found.names):
        assert 0 <= recognized.confidence <= 1
        assert any(character.isalpha() for character in recognized.span.cut(text))
        assert recognized.span.end <= len(text)
    starts = [person.span.start for person in found.persons]
    assert starts == sorted(starts)
    assert all(not a.span.overlaps(b.span) for a, b in pairwise(found.persons))


TRICKY = [
    "",
    " \n\t \r\n",
    "Jan",
    "J\u00ada\u200bn de Vries",
    "> Jan\r\n> de Vries\r\n\r\n> Piet",
    "👩‍👩‍👧 Jan 👍🏽 de Vries",
    "a\u0301e\u0308 Jan\u2028Piet\x85Klaas\x0cEls",
    "\U0001d4a5\U0001d4b6\U0001d4c3 \ud800 Jan",
    "x" * 5_000,
    "((((((" * 50,
    "Vries,Jan;Piet|Els <jan@voorbeeld.example>, zie https://voorbeeld.example/a(b).",
]


@pytest.mark.parametrize("text", TRICKY)
def test_places_are_exact_in_tricky_texts(recognizer: StanzaRecognizer, text: str) -> None:
    (found,) = recognizer.recognize([document(text)])
    check_places(text, found)
    visible = sum(not c.isspace() and c not in "\u00ad\u200b\u200d\ufeff\x85" for c in text)
    assert sum(map(len, found.tokens)) >= visible


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(
        st.text(alphabet=st.sampled_from("Jan deVris,.'’-\n\r\t >\u00ad\u200b🙂ü\u0301"), max_size=120),
        max_size=4,
    )
)
def test_places_are_exact_in_any_text(recognizer: StanzaRecognizer, texts: list[str]) -> None:
    documents = [document(text, number) for number, text in enumerate(texts)]
    results = recognizer.recognize(documents)
    assert [result.doc_id for result in results] == [d.doc_id for d in documents]
    for text, found in zip(texts, results, strict=True):
        check_places(text, found)


def test_company_of_other_documents_changes_nothing(recognizer: StanzaRecognizer) -> None:
    documents = [document(text, number) for number, text in enumerate(TRICKY)]
    together = recognizer.recognize(documents)
    backwards = tuple(reversed(recognizer.recognize(list(reversed(documents)))))
    alone = tuple(recognizer.recognize([d])[0] for d in documents)
    for one, other, third in zip(together, backwards, alone, strict=True):
        assert one.tokens == other.tokens == third.tokens
        assert (
            [p.span for p in one.persons]
            == [p.span for p in other.persons]
            == [p.span for p in third.persons]
        )


def test_long_document_is_read_in_parts(
    recognizer: StanzaRecognizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Jan de Vries belt Piet.\n\nEls komt niet. " * 40
    (whole,) = recognizer.recognize([document(text)])
    monkeypatch.setattr("linkage.recognition.stanza_ner._PART_CHARACTERS", 90)
    (parts,) = recognizer.recognize([document(text)])
    check_places(text, parts)
    assert len(parts.tokens) == pytest.approx(len(whole.tokens), rel=0.1)


def test_recall_bias_finds_more(folder: Path) -> None:
    texts = [document("Jan van Dam en de Vries komen morgen bij Els langs. " * 5)]
    plain = RecognitionSettings(ner_model=folder)
    counts = [
        sum(
            len(person.span)
            for person in StanzaRecognizer.load(plain, recall_bias=bias).recognize(texts)[0].persons
        )
        for bias in (-20.0, 20.0)
    ]
    assert counts[0] == 0 < counts[1]


def test_weak_persons_are_left_out_below_the_bound(folder: Path) -> None:
    strict = StanzaRecognizer.load(RecognitionSettings(ner_model=folder), weak_person_confidence=0.9)
    (found,) = strict.recognize([document("Jan van Dam en de Vries. " * 20)])
    assert all(person.confidence >= 0.9 for person in found.persons)


def test_missing_model_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="ner_model"):
        StanzaRecognizer.load(RecognitionSettings(ner_model=tmp_path / "Jansen"))
    with pytest.raises(ModelNotFoundError, match="models install"):
        StanzaRecognizer.load(RecognitionSettings(ner_model=tmp_path))


@pytest.mark.parametrize("part", ["ner.pt", "vectors.pt", "tokenizer.pt"])
def test_missing_and_damaged_parts(folder: Path, tmp_path: Path, part: str) -> None:
    copy = tmp_path / "nl"
    shutil.copytree(folder, copy)
    (copy / part).write_bytes(b"no model " * 100)
    with pytest.raises(ModelDamagedError) as caught:
        StanzaRecognizer.load(RecognitionSettings(ner_model=copy))
    assert str(tmp_path) not in str(caught.value)
    (copy / part).unlink()
    with pytest.raises(ModelNotFoundError, match=part):
        StanzaRecognizer.load(RecognitionSettings(ner_model=copy))


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "{",
        lambda _: "[]",
        lambda c: json.dumps({**c, "unknown": 1}),
        lambda _: json.dumps({"network": 3}),
    ],
)
def test_damaged_card(folder: Path, tmp_path: Path, damage: Callable[[dict[str, object]], str]) -> None:
    copy = tmp_path / "nl"
    shutil.copytree(folder, copy)
    card = copy / "model.json"
    card.write_text(damage(json.loads(card.read_text(encoding="utf-8"))), encoding="utf-8")
    with pytest.raises(ModelDamagedError):
        NerModel.read(copy)


def test_nothing_is_printed_or_logged(
    folder: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        own = StanzaRecognizer.load(RecognitionSettings(ner_model=folder))
        own.recognize([document("Roosmarijn Quadvlieg-Zzyx")])
    assert capfd.readouterr() == ("", "")
    assert "Quadvlieg" not in caplog.text
    assert "Quadvlieg" not in repr(own.recognize([document("Roosmarijn Quadvlieg-Zzyx")]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jan's", "Jan"),
        ("Hans'", "Hans"),
        ("Els’s", "Els"),
        ("(Mien)", "Mien"),
        ("Wilhelmina (Mien)", "Wilhelmina (Mien)"),
        (" Jan ,", "Jan"),
        ("D'Hondt", "D'Hondt"),
        ("J.P.", "J.P."),
    ],
)
def test_trim_name(text: str, expected: str) -> None:
    span = trim_name(text, 0, len(text))
    assert span is not None
    assert span.cut(text) == expected


def test_trim_name_without_letters() -> None:
    assert trim_name("12 'n", 0, 2) is None
    assert trim_name("()", 0, 2) is None


@shipped_models
def test_shipped_model_finds_people_and_spares_places(shipped: StanzaRecognizer) -> None:
    text = (
        "Beste mevrouw Haverkamp,\n\nGisteren sprak ik met Sanne van der Lindenhof in Zwolle.\n"
        "Volgens de heer J.P. de Graaff is het af.\n\nMet vriendelijke groet,\nAchmed El Idrissi\n"
    )
    (found,) = shipped.recognize([document(text)])
    check_places(text, found)
    strong = {person.span.cut(text) for person in found.persons if person.confidence >= 0.5}
    assert {"Haverkamp", "Sanne van der Lindenhof", "J.P. de Graaff", "Achmed El Idrissi"} <= strong
    assert "Zwolle" not in strong


@shipped_models
def test_shipped_models_load_in_a_plain_stanza_pipeline(tmp_path: Path) -> None:
    import stanza

    (tmp_path / "resources.json").write_text("{}", encoding="utf-8")
    place = SHIPPED.parent
    pipeline = stanza.Pipeline(
        "nl",
        dir=str(tmp_path),
        processors="tokenize,ner",
        package=None,
        tokenize_model_path=str(place / "tokenizer.pt"),
        ner_model_path=str(place / "ner.pt"),
        ner_pretrain_path=str(place / "vectors.pt"),
        download_method=None,
        allow_unknown_language=True,
        use_gpu=False,
        logging_level="ERROR",
    )
    entities = pipeline("Gisteren belde Sanne van der Lindenhof met de gemeente Zwolle.").ents
    assert [(entity.text, entity.type) for entity in entities if entity.type == "PER"] == [
        ("Sanne van der Lindenhof", "PER")
    ]
