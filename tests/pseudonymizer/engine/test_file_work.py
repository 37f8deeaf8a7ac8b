"""The work on single files: what is found in them, and what is written; one that fails fails alone."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import ModelNotFoundError
from linkage.kind_lists import TextsByKind
from linkage.own_kinds import OwnValues
from linkage.records import PERSON, Detector, Document, DocumentId, EntityId, Mention, PersonName, Span
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.engine.failures import SourceChangedError
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.records import (
    AnalyzeTask,
    GivenFor,
    GivenMention,
    Label,
    LabelledPerson,
    RenderTask,
    SourceFailure,
    SourceFound,
    SourceRendered,
)
from pseudonymizer.engine.spelled import PATH_PART
from pseudonymizer.errors import OutsideFolderError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.settings import StyleSettings
from tests.pseudonymizer.batch_fakes import FakePipeline, load_fake
from tests.pseudonymizer.engine.records_by_hand import token

TXT = Path("x.txt")
JAN, ELS = EntityId("jan"), EntityId("els")


def task(number: int, text: str | bytes, relative: str | None = "", name: Path = TXT) -> AnalyzeTask:
    raw = text.encode() if isinstance(text, str) else text
    return AnalyzeTask(DocumentId(f"d{number}"), name, b"key", None, relative, raw)


def analyzed(*texts: str | bytes, relative: str | None = "", name: Path = TXT) -> list[SourceFound]:
    tasks = [task(number, text, relative, name) for number, text in enumerate(texts)]
    outcomes = FileWork(load_fake).analyze(tasks)
    assert not any(isinstance(one, SourceFailure) for one in outcomes)
    return [one for one in outcomes if isinstance(one, SourceFound)]


def surfaces(source: SourceFound) -> dict[str, list[str]]:
    return {part.part_id: [one.mention.surface for one in part.mentions] for part in source.parts}


# -- finding -------------------------------------------------------------------------------------------------


class _Grouped(FakePipeline):
    """Notes the groups and the languages of the documents in which it finds names."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[str] = []
        self.languages: list[str] = []

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        self.groups += [document.group for document in documents]
        self.languages += [document.language for document in documents]
        return super().detect_kinds(documents, searched=searched)


@pytest.mark.parametrize(
    ("name", "text", "groups"),
    [
        ("x.txt", "Jan Tolsma belde.", ["clients/7"]),
        ("x.jsonl", '{"text": "Jan Tolsma belde.", "group": "a"}\n{"text": "Niets."}', ["a", "clients/7"]),
    ],
)
def test_a_text_is_of_the_group_that_its_line_says_else_of_that_of_its_path(
    name: str, text: str, groups: list[str]
) -> None:
    pipeline = _Grouped()
    work = FileWork(lambda: pipeline, FormatOptions(group_by="folder"))
    work.analyze([task(1, text, f"clients/7/{name}", Path(name))])
    assert pipeline.groups == groups


GERMAN = "Heute habe ich mit Jan Tolsma über die Akte gesprochen, und er kommt morgen wieder zu uns."
FRENCH = "Aujourd'hui nous avons parlé du dossier avec Jan Tolsma, et il revient lundi pour signer."


@pytest.mark.parametrize(
    ("options", "languages"),
    [
        (FormatOptions(), ["nl", "de", "nl"]),
        (FormatOptions(language="de"), ["de", "de", "nl"]),
        (FormatOptions(tell_language=True), ["de", "de", "nl"]),
    ],
)
def test_a_text_is_in_the_language_of_its_line_else_of_its_words_or_of_the_options(
    options: FormatOptions, languages: list[str]
) -> None:
    pipeline = _Grouped()
    lines = [{"text": GERMAN}, {"text": GERMAN, "language": "de"}, {"text": GERMAN, "language": "nl"}]
    text = "\n".join(map(json.dumps, lines))
    FileWork(lambda: pipeline, options).analyze([task(0, text, "a.jsonl", Path("a.jsonl"))])
    assert pipeline.languages == languages


def test_a_text_in_a_language_that_is_not_installed_fails_alone() -> None:
    work = FileWork(load_fake, FormatOptions(tell_language=True))
    german, french = work.analyze([task(0, GERMAN, "a.txt"), task(1, FRENCH, "b.txt")])
    assert isinstance(german, SourceFound)
    assert isinstance(french, SourceFailure)
    assert "not installed" in french.reason


WRONG = {"ONTPLOFT Jan Tolsma": "ZeroDivisionError", b"\x89PNG\0\0": "UnsupportedInputError"}
sources = st.lists(st.sampled_from(["Jan Tolsma belde.", "niets", *WRONG]), max_size=5)


@given(sources)
def test_a_source_that_fails_fails_alone_and_outcomes_come_in_the_order_of_the_tasks(
    texts: list[str | bytes],
) -> None:
    outcomes = FileWork(load_fake).analyze([task(number, text) for number, text in enumerate(texts)])
    assert [one.doc_id for one in outcomes] == [f"d{number}" for number in range(len(texts))]
    for text, outcome in zip(texts, outcomes, strict=True):
        if text in WRONG:
            assert isinstance(outcome, SourceFailure)
            assert outcome.error == WRONG[text]
            assert "Tolsma" not in outcome.reason
        else:
            assert isinstance(outcome, SourceFound)
            assert surfaces(outcome) == {"": ["Jan Tolsma"] if text != "niets" else []}


def test_what_fails_makes_nobody_detect_the_others_in_vain() -> None:
    class Counting(FakePipeline):
        calls = 0

        def detect_kinds(
            self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
        ) -> tuple[tuple[Mention, ...], ...]:
            self.calls += 1
            return super().detect_kinds(documents, searched=searched)

    counting = Counting()
    FileWork(lambda: counting).analyze([task(0, "Jan Tolsma"), task(1, "Els Mol"), task(2, "niets")])
    assert counting.calls == 1  # together, so that the network sees full batches
    FileWork(lambda: counting).analyze([task(0, "Jan Tolsma"), task(1, "ONTPLOFT")])
    assert counting.calls == 1 + 1 + 2  # together, then one by one


def test_a_missing_model_is_no_fault_of_a_file() -> None:
    def load() -> FakePipeline:
        raise ModelNotFoundError("no model")

    with pytest.raises(ModelNotFoundError):
        FileWork(load).analyze([task(0, "Jan Tolsma")])


def test_a_file_that_is_not_there_is_told_without_its_path(tmp_path: Path) -> None:
    gone = AnalyzeTask(DocumentId("d0"), tmp_path / "Jan Tolsma.txt")
    (failure,) = FileWork(load_fake).analyze([gone])
    assert failure == SourceFailure(
        DocumentId("d0"), "UnsupportedInputError", "this is no file, or it cannot be reached"
    )


def test_names_in_addresses_fields_and_paths_are_found_where_a_source_has_a_place() -> None:
    letter = (
        "From: info@voorbeeld.example\r\nIn-Reply-To: <els.wiersma@x.example>\r\n\r\nmail jan.douma@x.example"
    )
    (found,) = analyzed(letter, relative="brief Jitske Tolsma.eml", name=Path("x.eml"))
    named = surfaces(found)
    assert named[PATH_PART] == ["Jitske Tolsma"]
    assert ["els.wiersma"] in named.values()
    (prose,) = [part for part in found.parts if part.spelled]
    assert prose.spelled == {one.mention_id for one in prose.mentions}
    assert [one.mention.surface for one in prose.mentions] == ["jan.douma"]
    (plain,) = analyzed(letter, relative=None, name=Path("x.eml"))
    assert all(mentions == [] for mentions in surfaces(plain).values())


def test_labels_that_stand_in_a_text_are_told_and_are_no_names() -> None:
    (found,) = analyzed(f"{token(1)} en Jan Tolsma")
    (part,) = found.parts
    assert [one.mention.surface for one in part.mentions] == ["Jan Tolsma"]
    assert [look.mention.surface for look in part.looks] == [token(1)]


def test_given_mentions_take_the_place_of_all_searching() -> None:
    text = "Zwoitek, Jan Tolsma, els.wiersma@x.example"
    given_one = GivenFor({"": (GivenMention(Span(0, 7), "Zwoitek"),)})
    (found,) = FileWork(load_fake).analyze([replace(task(0, text, "Jan Tolsma.txt"), given=given_one)])
    assert isinstance(found, SourceFound)
    assert surfaces(found) == {"": ["Zwoitek"]}
    assert found.parts[0].mentions[0].mention.detector is Detector.REGISTRY


def test_under_a_key_other_bytes_are_another_document() -> None:
    first, again, other = (analyzed(text)[0] for text in ("Jan Tolsma", "Jan Tolsma", "Jan Tolsma."))
    ids = [one.parts[0].mentions[0].mention_id for one in (first, again, other)]
    assert ids[0] == ids[1] != ids[2]
    bare = replace(task(0, "Jan Tolsma"), content_key=b"")
    (found,) = FileWork(load_fake).analyze([bare])
    assert isinstance(found, SourceFound)
    assert found.parts[0].mentions[0].mention.doc_id == "d0"


def test_a_source_is_told_with_its_size_and_what_else_is_in_it() -> None:
    (found,) = analyzed("Jan Tolsma, rechter: Els Mol, bsn 295755131")
    assert (found.size, found.format_name) == (43, "txt")
    assert found.digest == digest_sha256((b"Jan Tolsma, rechter: Els Mol, bsn 295755131",))
    assert sum(found.identifiers.values()) == 1
    assert found.professionals == (found.parts[0].mentions[1].mention_id,)


# -- writing -------------------------------------------------------------------------------------------------


def render_task(text: str, labels: Sequence[Label] = (), relative: str = "") -> RenderTask:
    raw = text.encode()
    digest = digest_sha256((raw,))
    return RenderTask(DocumentId("d0"), TXT, relative, digest, tuple(labels), raw, StyleSettings())


def following(*people: LabelledPerson) -> FileWork:
    work = FileWork(load_fake)
    work.follow(people)
    return work


PEOPLE = (
    LabelledPerson(JAN, "P1-JAN", (PersonName(given="Jan", family="Tolsma"),)),
    LabelledPerson(ELS, "P1-ELS", (PersonName(given="Els", family="Wiersma"),)),
)
names = st.sampled_from(["Jan Tolsma", "Els Wiersma", "Jan\nTolsma", "J"])


@given(st.lists(st.tuples(st.text("abc .,\n", max_size=5), names, st.text("XYZ-", min_size=1, max_size=4))))
def test_labels_stand_in_place_of_mentions_and_all_else_stays(pieces: list[tuple[str, str, str]]) -> None:
    text = written = ""
    labels = []
    for before, name, label in pieces:
        start = len(text) + len(before)
        labels.append(Label("", Span(start, start + len(name)), label, JAN))
        text, written = text + before + name, written + before + label
    rendered, replacements = FileWork(load_fake).rewrite(render_task(text, labels))
    assert rendered.raw.decode() == written
    assert len(rendered.edits) == len(replacements) == len(pieces)
    assert {one.kind for one in replacements} <= {PERSON}
    assert {owner for _, owner in rendered.edits} <= {JAN}


def test_identifiers_follow_people_and_are_replaced_whole() -> None:
    text = "Jan Tolsma, jan.tolsma@post.nl, gebruiker ewiersma"
    at = text.index("jan.tolsma")
    labels = [Label("", Span(0, 10), "P1-JAN", JAN), Label("", Span(at, at + 10), "P1-JAN", JAN)]
    rendered, replacements = following(*PEOPLE).rewrite(render_task(text, labels, "map/Els Wiersma.txt"))
    assert rendered.raw.decode() == "P1-JAN, P1-JAN@nymlink.example, gebruiker P1-ELS"
    assert sorted((one.kind, one.entity_id) for one in replacements) == [
        ("EMAIL", JAN), ("PERSON", JAN), ("USERNAME", ELS),
    ]  # fmt: skip
    assert (rendered.identifiers, rendered.relative) == (2, "map/P1-ELS.txt")
    assert rendered.replaced == {"EMAIL": 1, "USERNAME": 1}


def test_who_is_followed_can_change() -> None:
    work = following(PEOPLE[0])
    text = render_task("jan.tolsma@post.nl els.wiersma@post.nl")
    assert work.rewrite(text)[0].raw == b"P1-JAN@nymlink.example els.wiersma@post.nl"
    work.follow([PEOPLE[1]])
    assert work.rewrite(text)[0].raw == b"jan.tolsma@post.nl P1-ELS@nymlink.example"


def test_who_stays_readable_keeps_name_and_address() -> None:
    text = "Jan Tolsma, jan.tolsma@post.nl"
    rendered, replacements = following(*PEOPLE).rewrite(
        render_task(text, [Label("", Span(0, 10), None, JAN)])
    )
    assert (rendered.raw.decode(), replacements, rendered.edits) == (text, (), ())


def test_an_output_of_the_project_stays_as_it_is_at_its_place() -> None:
    kept = replace(render_task("Jan Tolsma", relative="Jan Tolsma.txt"), is_output=True)
    rendered, replacements = following(*PEOPLE).rewrite(kept)
    assert (rendered.raw, rendered.relative, rendered.edits, replacements) == (
        b"Jan Tolsma", "Jan Tolsma.txt", (), (),
    )  # fmt: skip


def test_a_file_that_was_changed_meanwhile_is_not_written() -> None:
    with pytest.raises(SourceChangedError, match="run again"):
        FileWork(load_fake).rewrite(replace(render_task("Jan Tolsma"), content=b"Jan Tolsma."))


@pytest.mark.parametrize("relative", ["../Jan Tolsma.txt", "/Jan Tolsma.txt", "a/../../Jan Tolsma.txt"])
def test_a_path_that_leads_out_of_the_folder_is_refused_unnamed(relative: str) -> None:
    with pytest.raises(OutsideFolderError, match="this file") as error:
        FileWork(load_fake).rewrite(render_task("niets", relative=relative))
    assert re.search("Jan|Tolsma", str(error.value)) is None


def test_what_cannot_be_written_fails_alone() -> None:
    tasks = [render_task("een"), replace(render_task("twee"), content=b"?"), render_task("drie")]
    outcomes = FileWork(load_fake).render(tasks)
    assert [type(one) for one in outcomes] == [SourceRendered, SourceFailure, SourceRendered]


def test_models_are_loaded_once_and_only_for_finding() -> None:
    loads = []

    def load() -> FakePipeline:
        loads.append(True)
        return FakePipeline()

    work = FileWork(load)
    work.render([render_task("niets")])
    assert loads == []
    work.warm_up()
    work.analyze([task(0, "Jan Tolsma")])
    work.analyze([task(1, "Els Mol")])
    assert loads == [True]


def test_what_is_less_sure_than_asked_is_left_out() -> None:
    (sure,) = FileWork(load_fake).analyze([task(1, "Jan Tolsma belde.")], min_confidence=0.9)
    (unsure,) = FileWork(load_fake).analyze([task(1, "Jan Tolsma belde.")], min_confidence=0.91)
    assert isinstance(sure, SourceFound)
    assert isinstance(unsure, SourceFound)
    assert (len(sure.mentions), len(unsure.mentions)) == (1, 0)


def test_no_known_name_is_looked_for_in_what_never_is_a_name() -> None:
    never = OwnValues(never=TextsByKind.of({PERSON: ["els mol"]}))
    for options, runs in ((FormatOptions(), 1), (FormatOptions(own=never), 0)):
        (found,) = FileWork(load_fake, options).analyze([task(1, "els, Els Mol, ja")], min_confidence=1)
        assert isinstance(found, SourceFound)
        assert sum(len(part.runs) for part in found.parts) == runs
