"""Judgements of `nymlink review` in later runs: accepted pairs get one pseudonym, rejected ones two."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from linkage.errors import InvalidRecordError
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
)
from linkage.review import Judgement, MentionPlace, Verdict, read_judgements, write_judgements
from linkage.settings import LinkingSettings
from pseudonymizer.engine.judging import DocumentNames, JudgedPlaces, SourceNames
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.engine.spelled import PATH_PART
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import LinkKind
from pseudonymizer.runs.page import report_page
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.links import pseudonym_links
from tests.linkage.linker.linker_fakes import FakeScorer
from tests.pseudonymizer import batch_fakes
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, make_vault, new_batch

OpenVault = Callable[[], AbstractContextManager[Vault]]
_NAME = re.compile(r"\b(?:(Fenna|Inge) )?(Woudstra)\b")
_LABEL = re.compile(r"\bP1-\w+")
LETTER = "Fenna Woudstra en Inge Woudstra kwamen. Later belde Woudstra."


class ReadingPipeline(FakePipeline):
    """Full names and lone surnames, with the real linker over a fake scorer."""

    def __init__(self) -> None:
        super().__init__()
        self.linker = Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())  # type: ignore[assignment]

    def detect_kinds(
        self,
        documents: Sequence[Document],
        *,
        searched: Callable[[int], None] | None = None,  # noqa: ARG002  the interface
    ) -> tuple[tuple[Mention, ...], ...]:
        return tuple(
            tuple(
                Mention.at(document, Span(*found.span()), detector=Detector.NER, confidence=0.9)
                for found in _NAME.finditer(document.text)
            )
            for document in documents
        )


def load() -> ReadingPipeline:
    return ReadingPipeline()


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def place(document: str, text: str, name: str, number: int = 0) -> MentionPlace:
    start = [found.start() for found in _NAME.finditer(text) if found[0] == name][number]
    return MentionPlace(document, start, start + len(name))


def judged(left: MentionPlace, right: MentionPlace, forms: tuple[str, str], verdict: Verdict) -> Judgement:
    return Judgement(*forms, verdict, left_at=left, right_at=right)


def accepted(document: str = "brief.txt", text: str = LETTER) -> Judgement:
    return judged(
        place(document, text, "Inge Woudstra"),
        place(document, text, "Woudstra"),
        ("Inge Woudstra", "Woudstra"),
        Verdict.ACCEPT,
    )


def run(
    open_vault: OpenVault, folder: Path, files: dict[str, str], judgements: Sequence[Judgement] = ()
) -> tuple[dict[str, list[str]], BatchReport]:
    """The pseudonyms in each output, in order."""
    source, out = folder / "in", folder / "out"
    source.mkdir(exist_ok=True)
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    report = new_batch(
        find_sources([source], output=out), out, BatchSettings(PROJECT), load=load, open_vault=open_vault,
        judgements=judgements,
    ).run()  # fmt: skip
    return {name: _LABEL.findall((out / name).read_text(encoding="utf-8")) for name in files}, report


def test_an_accepted_link_is_one_pseudonym(tmp_path: Path, open_vault: OpenVault) -> None:
    labels, report = run(open_vault, tmp_path, {"brief.txt": LETTER}, [accepted()])
    fenna, inge, lone = labels["brief.txt"]
    assert lone == inge != fenna
    assert report.judgements == 1


def test_a_rejected_link_is_two(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.txt": "Fenna Woudstra belde.", "b.txt": "Ook Fenna Woudstra belde."}
    rejected = judged(
        place("a.txt", files["a.txt"], "Fenna Woudstra"),
        place("b.txt", files["b.txt"], "Fenna Woudstra"),
        ("Fenna Woudstra", "Fenna Woudstra"),
        Verdict.REJECT,
    )
    labels, _ = run(open_vault, tmp_path, files, [rejected])
    assert labels["a.txt"] != labels["b.txt"]
    (other := tmp_path / "other").mkdir()
    labels, _ = run(make_vault(other / "vault"), other, files)
    assert labels["a.txt"] == labels["b.txt"]


def test_what_would_join_two_whom_a_rejection_holds_apart_is_counted(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    names = "Fenna Woudstra", "Inge Woudstra", "Woudstra"
    fenna_at, inge_at, lone_at = (place("brief.txt", LETTER, name) for name in names)
    verdicts = [
        accepted(),
        judged(fenna_at, lone_at, (names[0], names[2]), Verdict.REJECT),
        replace(judged(fenna_at, inge_at, names[:2], Verdict.ACCEPT), judged_at="2026-01-02T03:04:00+00:00"),
    ]
    labels, report = run(open_vault, tmp_path, {"brief.txt": LETTER}, verdicts)
    fenna, inge, lone = labels["brief.txt"]
    assert lone == inge != fenna
    assert (report.judgements, report.judgements_unkept) == (2, 1)
    assert report.as_dict()["judgements_unkept"] == 1
    assert "judgements not kept" in report_page(report)


def test_two_mentions_of_one_document_are_two_where_rejected(tmp_path: Path, open_vault: OpenVault) -> None:
    text = "Inge Woudstra belde. Toen kwam Inge Woudstra."
    places = [place("brief.txt", text, "Inge Woudstra", n) for n in (0, 1)]
    rejected = judged(places[0], places[1], ("Inge Woudstra", "Inge Woudstra"), Verdict.REJECT)
    labels, report = run(open_vault, tmp_path, {"brief.txt": text}, [rejected])
    assert len(set(labels["brief.txt"])) == 2
    assert (report.judgements, report.judgements_unkept) == (1, 0)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_judgement_about_mentions_of_two_runs_is_kept(
    tmp_path: Path, open_vault: OpenVault, verdict: Verdict
) -> None:
    other = "Fenna" if verdict is Verdict.REJECT else "Inge"
    files = {"a.txt": "Fenna Woudstra belde.", "b.txt": f"Ook {other} Woudstra belde."}
    told = judged(
        place("a.txt", files["a.txt"], "Fenna Woudstra"),
        place("b.txt", files["b.txt"], f"{other} Woudstra"),
        ("Fenna Woudstra", f"{other} Woudstra"),
        verdict,
    )
    labels: dict[str, list[str]] = {}
    for name, text in files.items():
        (folder := tmp_path / name[0]).mkdir()
        found, _ = run(open_vault, folder, {name: text}, [told])
        labels |= found
    assert (labels["a.txt"] == labels["b.txt"]) is (verdict is Verdict.ACCEPT)


def test_a_rejection_holds_in_runs_that_are_not_told_of_it(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.txt": "Fenna Woudstra belde.", "b.txt": "Ook Fenna Woudstra belde."}
    rejected = judged(
        place("a.txt", files["a.txt"], "Fenna Woudstra"),
        place("b.txt", files["b.txt"], "Fenna Woudstra"),
        ("Fenna Woudstra", "Fenna Woudstra"),
        Verdict.REJECT,
    )
    run(open_vault, tmp_path, files, [rejected])
    (later := tmp_path / "later").mkdir()
    run(open_vault, later, {"c.txt": "Weer belde Fenna Woudstra."})
    with open_vault() as vault:
        assert LinkKind.ALSO_KNOWN_AS not in {link.kind for link in pseudonym_links(vault, PROJECT)}


def test_pseudonyms_given_before_stay_and_the_vault_notes_who_is_one(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    before, _ = run(open_vault, tmp_path, {"brief.txt": LETTER})
    assert len(set(before["brief.txt"])) == 3
    after, report = run(open_vault, tmp_path, {"brief.txt": LETTER}, [accepted()])
    assert report.judgements == 1
    assert after == before  # it may be in use: `nymlink vault merge` joins people who have pseudonyms
    with open_vault() as vault:
        kinds = {link.kind for link in pseudonym_links(vault, PROJECT)}
    assert LinkKind.SAME_MENTION in kinds


def test_lines_of_a_file_are_found_by_id_and_by_number(tmp_path: Path, open_vault: OpenVault) -> None:
    lines = {
        "eigen.jsonl": json.dumps({"doc_id": "x", "text": LETTER}) + "\n",
        "regels.jsonl": json.dumps({"text": "niets"}) + "\n" + json.dumps({"text": LETTER}) + "\n",
    }
    judgements = [accepted("x"), accepted("regels.jsonl#1")]
    labels, report = run(open_vault, tmp_path, lines, judgements)
    assert report.judgements == 2
    for name in lines:
        fenna, inge, lone = labels[name]
        assert lone == inge != fenna


def test_where_the_text_has_changed_a_judgement_does_not_hold(tmp_path: Path, open_vault: OpenVault) -> None:
    changed = LETTER.replace("Fenna", "Inge", 1)
    _, report = run(open_vault, tmp_path, {"brief.txt": changed}, [accepted()])
    assert report.judgements == 0


def test_a_single_text_keeps_them_too(open_vault: OpenVault) -> None:
    with open_vault() as vault:
        project = Project.open(vault, PROJECT, ProjectOptions(load=load))
        written = project.pseudonymize(LETTER, judgements=[accepted("-")])[0].text
    fenna, inge, lone = _LABEL.findall(written or "")
    assert lone == inge != fenna


def test_ids_of_another_run_are_refused(tmp_path: Path, open_vault: OpenVault) -> None:
    old = Judgement("Inge Woudstra", "Woudstra", Verdict.ACCEPT, MentionId("d0@1-2"), MentionId("d0@3-4"))
    with pytest.raises(InvalidRecordError, match="judgement 1 does not say where"):
        run(open_vault, tmp_path, {"brief.txt": LETTER}, [old])


def test_places_survive_the_file(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    write_judgements(path, [accepted()])
    assert read_judgements(path) == (accepted(),)
    row = json.loads(path.read_text(encoding="utf-8"))
    assert row["left_at"] == {"document": "brief.txt", "start": 18, "end": 31}
    assert "Woudstra" not in repr(accepted())
    assert "brief" not in repr(accepted())


@pytest.mark.parametrize(
    "line",
    [
        '{"left": "a", "right": "b", "verdict": "accept", "left_at": {"document": "d", "start": 1}}',
        '{"left": "a", "right": "b", "verdict": "accept", '
        '"left_at": {"document": 1, "start": 1, "end": 2}, "right_at": null}',
        '{"left": "a", "right": "b", "verdict": "accept", '
        '"left_at": {"document": "d", "start": 1, "end": 2}}',
        '{"left": "", "right": "b", "verdict": "accept"}',
    ],
)
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text("\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InvalidRecordError, match="line 2 "):
        read_judgements(path)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match="cannot be read: No such file"):
        read_judgements(tmp_path / "none.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidRecordError, match="no text in UTF-8"):
        read_judgements(tmp_path / "bytes.jsonl")


def test_names_are_taken_apart_as_the_fakes_do() -> None:
    assert batch_fakes.name_of("Woudstra") == PersonName(family="Woudstra")


def test_an_id_that_two_files_give_tells_no_place_of_a_judgement() -> None:
    at = MentionPlace("1", 0, 14), MentionPlace("2", 0, 8)
    judgement = Judgement("Fenna Woudstra", "Woudstra", Verdict.ACCEPT, left_at=at[0], right_at=at[1])
    first, second, other = (
        NormalizedMention(Mention(MentionId(name), DocumentId(name), Span(0, len(text)), text), PersonName())
        for name, text in (("a", "Fenna Woudstra"), ("b", "Fenna Woudstra"), ("c", "Woudstra"))
    )
    places = JudgedPlaces([judgement])
    list(places.passing(SourceNames("1", ("",)), [("", [first])]))
    list(places.passing(SourceNames("2", ("",)), [("", [other])]))
    assert [one.left_mention for one in places.judgements()] == ["a"]
    list(places.passing(SourceNames("1", ("",)), [("", [first])]))  # the same again
    assert len(places.judgements()) == 1
    list(places.passing(SourceNames("1", ("",)), [("", [second])]))
    assert places.judgements() == ()


def test_documents_have_the_names_that_detection_writes() -> None:
    ids = ("1", "2", "2/technical", PATH_PART)
    two = SourceNames("a.jsonl", ids, {"2": "row 7"}).by_part()
    assert two == {
        "1": ("a.jsonl#1",), "2": ("a.jsonl#2", "row 7"), "2/technical": ("a.jsonl#2/technical",),
        PATH_PART: (f"a.jsonl#{PATH_PART}",),
    }  # fmt: skip
    assert SourceNames("a.txt", ("",)).by_part() == {"": ("a.txt",)}
    assert SourceNames("a.jsonl", ("1",)).by_part() == {"1": ("a.jsonl",)}
    assert SourceNames("a.jsonl", ("1",), is_unit=True).by_part() == {"1": ("a.jsonl#1",)}
    assert "jsonl" not in repr(SourceNames("a.jsonl", ids, {"2": "row 7"}))


def test_a_name_that_is_taken_is_not_given_twice() -> None:
    names = DocumentNames()
    keys = [("x", "1", "a.jsonl"), ("x", "1", "b.jsonl"), (None, "2", "a.jsonl"), ("x", PATH_PART, "a.jsonl")]
    assert [names.of(*key, 2) for key in keys] == ["x", "b.jsonl#1", "a.jsonl#2", f"a.jsonl#{PATH_PART}"]


def test_judgements_that_hold_nowhere_change_no_mention() -> None:
    places = JudgedPlaces([accepted("elders.txt")])
    assert (bool(places), bool(JudgedPlaces([]))) == (True, False)
    one = NormalizedMention(Mention(MentionId("a"), DocumentId("d"), Span(0, 4), "Inge"), PersonName())
    places.note("brief.txt", [one])
    assert places.with_judgements([one]) == (one,)
    assert places.judgements() == ()


def test_a_judgement_about_two_forms_alone_needs_no_place() -> None:
    of_forms = Judgement("Inge Woudstra", "I. Woudstra", Verdict.ACCEPT)
    places = JudgedPlaces([of_forms])
    assert places.judgements() == (of_forms,)
    one = NormalizedMention(Mention(MentionId("a"), DocumentId("d"), Span(0, 4), "Inge"), PersonName())
    assert places.with_judgements([one]) == (one,)


@pytest.mark.parametrize(("surface", "is_judged"), [("Inge Woudstra", True), ("Inge Woudstri", False)])
def test_a_mention_is_judged_where_the_text_that_was_judged_stands(surface: str, is_judged: bool) -> None:
    at = MentionPlace("brief.txt", 0, 13), MentionPlace("elders.txt", 0, 8)
    verdict = Judgement("Inge Woudstra", "Woudstra", Verdict.ACCEPT, left_at=at[0], right_at=at[1])
    found = Mention(MentionId("a"), DocumentId("d"), Span(0, 13), surface)
    places = JudgedPlaces([verdict])
    places.note("brief.txt", [NormalizedMention(found, PersonName())])
    (marked,) = places.with_judgements([NormalizedMention(found, PersonName())])
    assert bool(marked.context.judged) is is_judged
    assert marked.mention == found
