"""The stages in order: each document by its own language, in a corpus that mixes them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

import pytest

from linkage import language_contents
from linkage.errors import KindsError
from linkage.gazetteer import Gazetteer
from linkage.language import pack
from linkage.linker import Linker
from linkage.pipeline import LinkagePipeline
from linkage.recognition.detector import MentionDetector
from linkage.records import Detector, Document, DocumentId, Mention
from linkage.settings import LinkageSettings, RecognitionSettings
from linkage.shipped_data import data_directory
from tests.fakes import span_of
from tests.linkage.language.made_up import write_made_up

DUTCH, MADE_UP = "Daar kwam mevrouw Yara zu Kwop aan.", "Lu dona Yara zu Kwop ka."
NAMES = {DUTCH: "mevrouw Yara zu Kwop", MADE_UP: "dona Yara zu Kwop"}


class ListeningDetector:
    """Finds the names of the texts above, and notes its language and the texts that it is given."""

    def __init__(self, language: str, heard: list[tuple[str, list[str]]]) -> None:
        self._language, self._heard = language, heard

    def detect(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        self._heard.append((self._language, [document.doc_id for document in documents]))
        if searched is not None:
            for _ in documents:
                searched(1)
        return tuple((_mention(document),) for document in documents)

    def with_lists(self, settings: RecognitionSettings, gazetteer: Gazetteer) -> Self:
        assert gazetteer.language.code == settings.language == self._language
        return type(self)(f"{self._language} with lists", self._heard)


@pytest.fixture
def both_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The made-up language xx beside Dutch."""
    languages = tmp_path / "languages"
    languages.mkdir()
    for shipped in (data_directory() / "languages").iterdir():
        (languages / shipped.name).symlink_to(shipped)
    write_made_up(languages)
    monkeypatch.setattr(language_contents, "data_directory", lambda: tmp_path)
    for kept in (pack._loaded, language_contents.installed_languages, language_contents.is_installed):
        kept.cache_clear()
    yield
    for kept in (pack._loaded, language_contents.installed_languages, language_contents.is_installed):
        kept.cache_clear()


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    told: list[tuple[str, list[str]]] = []

    def load(settings: RecognitionSettings, gazetteer: Gazetteer) -> ListeningDetector:
        assert settings.language == gazetteer.language.code
        return ListeningDetector(settings.language, told)

    monkeypatch.setattr(MentionDetector, "load", load)
    return told


def _mention(document: Document) -> Mention:
    return Mention.at(
        document, span_of(document.text, NAMES[document.text]), detector=Detector.NER, confidence=1.0
    )


def _document(name: str, text: str, language: str) -> Document:
    return Document(DocumentId(name), text, language)


@pytest.mark.usefixtures("both_languages")
def test_each_document_is_searched_by_its_language(heard: list[tuple[str, list[str]]]) -> None:
    corpus = [_document("a", DUTCH, "nl"), _document("b", MADE_UP, "xx"), _document("c", DUTCH, "nl")]
    counted: list[int] = []
    pipeline = LinkagePipeline.load()
    found = pipeline.detect(corpus, searched=counted.append)
    assert heard == [("nl", ["a", "c"]), ("xx", ["b"])]
    assert [[mention.surface for mention in of_one] for of_one in found] == [[NAMES[d.text]] for d in corpus]
    assert counted == [1, 1, 1]
    heard.clear()
    pipeline.with_lists(RecognitionSettings()).detect(corpus)
    assert heard == [("nl with lists", ["a", "c"]), ("xx with lists", ["b"])]


@pytest.mark.usefixtures("both_languages")
def test_each_name_is_taken_apart_by_the_language_of_its_document() -> None:
    corpus = [_document("a", DUTCH, "nl"), _document("b", MADE_UP, "xx"), _document("c", MADE_UP, "nl")]
    mentions = [[_mention(document)] for document in corpus]
    alone = [LinkagePipeline.load().normalize([one], [own], [()])[0] for one, own in
             zip(corpus, mentions, strict=True)]  # fmt: skip
    together = LinkagePipeline.load().normalize(corpus, mentions, [(), (), ()])
    assert [one.name for one in together] == [one.name for one in alone]
    assert together[1].name.given == "Yara"  # "dona" is a title there
    assert together[0].name.given == "Yara"
    assert together[2].name.given != "Yara"  # in Dutch "dona" is none


@pytest.mark.usefixtures("both_languages")
@pytest.mark.parametrize("language", ["nl", "xx"])
def test_names_are_linked_by_the_lists_of_every_language_of_the_documents(language: str) -> None:
    pipeline = LinkagePipeline.load(LinkageSettings(RecognitionSettings(language=language)))
    linker = pipeline.linker_of(["xx", "nl"])
    assert linker is pipeline.linker_of(["nl", "xx", "nl"])
    assert "xil" in linker.variants("xilo")
    assert "jan" in linker.variants("johannes")
    assert pipeline.linker_of([language]) is pipeline.linker


def test_a_corpus_of_two_languages_is_linked_by_both(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    pipeline = LinkagePipeline.load()
    linker_of = pipeline.linker_of

    def noted(languages: Iterable[str]) -> Linker:
        asked.append(sorted(languages))
        return linker_of(asked[-1])

    monkeypatch.setattr(pipeline, "linker_of", noted)
    corpus = [_document("a", DUTCH, "nl"), _document("b", DUTCH, "de")]
    linked = pipeline.link(corpus, [[_mention(document)] for document in corpus])
    assert asked == [["de", "nl"]]
    assert len(linked.mentions) == 2


@pytest.mark.usefixtures("both_languages", "heard")
def test_the_language_of_the_settings_is_that_of_the_pipeline() -> None:
    pipeline = LinkagePipeline.load(LinkageSettings(RecognitionSettings(language="xx")))
    assert pipeline.gazetteer.language.code == "xx"
    assert pipeline.detector_of("xx") is pipeline.detector
    assert pipeline.detector_of("nl") is pipeline.detector_of("nl") is not pipeline.detector


def test_a_language_without_tables_is_refused() -> None:
    with pytest.raises(KindsError, match="'qq'"):
        LinkagePipeline.load().gazetteer_of("qq")
