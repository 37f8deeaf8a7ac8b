"""Work files of commit 8952b15, its records written out: brought up to date once. All names are invented."""

import json
import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from linkage.codec import MentionReader
from linkage.records import (
    CandidatePair,
    Correction,
    Detector,
    DocumentId,
    EntityId,
    Gender,
    Identity,
    IdentityId,
    LinkDecision,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    ScoredLink,
    Span,
)
from pseudonymizer.crypto import Sealer
from pseudonymizer.engine.records import Label, LabelledPerson
from pseudonymizer.errors import WorkFileError
from pseudonymizer.runs.codec import LookRow
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import PlannedSource, SourceState
from tests.pseudonymizer.runs.rows import NO_LABELS, ONE_MENTION

SEALER = Sealer(bytes(range(32)), key_id=0)
DETECTED, LABELLED, OUTPUT = (DocumentId(f"doc-{n}") for n in (1, 2, 3))
DIGEST = bytes(range(32))
FIRST, SECOND = MentionId("doc-1@000000004-000000017"), MentionId("own id")
TOLSMA, JAN = PersonName(initials="J.", particle="van", family="Tolsma"), PersonName(given="Jan \ud800")

# What the codec of commit 8952b15 made of the records below.
ANALYSIS = (
    b'{"digest":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","parts":[["0",[["doc-1",4,'
    b'17,"J. van Tolsma","PERSON","ner",1.0,null,null,"doc-1@000000004-000000017",[null,"J.","van","Tolsma",'
    b'null,null,null,null],[],null,0,[],[],[]],["doc-1",20,25,"Jna \\ud800","PERSON","typo",0.123457,"Jan",'
    b'"7","own id",["Jan \\ud800",null,null,null,null,null,null,null],[["given","Jna","Jan",1]],"m",2,'
    b'["doc-1@000000004-000000017"],[["birth_date","1951-03-12"],["role","oom"]],["x"]]],'
    b'[[30,38,"P1-ABC\\ud800"]]],["1",[],[]]],"professionals":["doc-1@000000004-000000017"],'
    b'"keys":{"0":"de brief"}}'
)
IDENTITIES = (
    b'[["p1",["doc-1@000000004-000000017","own id"],[["doc-1@000000004-000000017","own id",0.9,"LINK",'
    b'"diminutive",0.8]],[["doc-1@000000004-000000017","own id",0.5,"POSSIBLE_LINK",null,null]],["p2"],'
    b'"vault:3",["vault:4"],["vault:5"]]]'
)
FORMS = (
    b'[["J. van Tolsma","Jan \\ud800",0.7,"POSSIBLE_LINK",null,null],'
    b'["a","b",0.2,"NON_LINK","initials",0.25]]'
)
PERSON = (
    b'["P1-X",[[null,"J.","van","Tolsma",null,null,null,null],["Jan \\ud800",null,null,null,null,null,null,'
    b'null]],{"email":"E1"}]'
)
LABELS = (
    b'["000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",[["0",4,17,"P1-X","vault:3"],'
    b'["0",20,25,null,"vault:4"],["0",30,38,"Els","vault:5","Els Postma"]]]'
)
STAYS = b'["000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",null]'


def sealed(value: bytes, context: str) -> bytes:
    return SEALER.seal(value, context=context.encode())


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A work file of version 1."""
    place = tmp_path / "work.db"
    with closing(WorkFile.open(place, SEALER)) as work:
        work.plan(
            [PlannedSource(doc_id, "a.txt", 1, 1) for doc_id in (DETECTED, LABELLED, OUTPUT)],
            b"f",
            only_failed=False,
        )
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("update meta set value = ? where name = 'version'", (sealed(b"1", "work/meta/version"),))
        raw.execute(
            "update source set state = 'detected', counts = ?, mentions = ? where doc_id = ?",
            (b'{"mentions":2}', sealed(ANALYSIS, f"work/mentions/{DETECTED}"), DETECTED),
        )
        for doc_id, labels in ((LABELLED, LABELS), (OUTPUT, STAYS)):
            raw.execute(
                "update source set state = 'labelled', labels = ? where doc_id = ?",
                (sealed(labels, f"work/labels/{doc_id}"), doc_id),
            )
        raw.execute("insert into person values ('vault:3', ?)", (sealed(PERSON, "work/person/vault:3"),))
        for kind, rows in (
            ("source", b'["doc-1"]'),
            ("identity", IDENTITIES),
            ("form", FORMS),
            ("seen", b"[7]"),
        ):
            raw.execute("insert into linked values (?, 0, ?)", (kind, sealed(rows, f"work/linked/{kind}/0")))
        raw.commit()
    return place


@pytest.fixture
def work(place: Path) -> Iterator[WorkFile]:
    with closing(WorkFile.open(place, SEALER)) as work:
        yield work


def test_what_was_found_is_read(work: WorkFile) -> None:
    analysis = work.analysis(DETECTED)
    first, second = analysis.parts
    assert MentionReader().read(first.mentions) == [
        NormalizedMention(Mention(FIRST, DETECTED, Span(4, 17), "J. van Tolsma"), TOLSMA),
        NormalizedMention(
            Mention(
                SECOND, DETECTED, Span(20, 25), "Jna \ud800", detector=Detector.TYPO, confidence=0.123457,
                typo_of="Jan", person_id="7",
            ),
            JAN,
            (Correction("given", "Jna", "Jan", 1),),
            Gender.MALE,
            MentionContext(
                2, frozenset({FIRST}), frozenset({("role", "oom"), ("birth_date", "1951-03-12")}),
                frozenset({MentionId("x")}),
            ),
        ),
    ]  # fmt: skip
    assert (first.part_id, first.key, first.looks) == ("0", "de brief", (LookRow(30, 38, "P1-ABC\ud800"),))
    assert (second.part_id, second.key, second.mentions, second.looks) == ("1", None, (), ())
    assert (analysis.digest, analysis.professionals) == (DIGEST, (FIRST,))
    assert work.counts_of(DETECTED).mentions == 2


def test_the_result_of_linking_is_read(work: WorkFile) -> None:
    linked = work.linked()
    assert linked is not None
    assert (linked.sources, linked.seen_through) == ([DETECTED], 7)
    pair = CandidatePair(FIRST, SECOND)
    (identity,) = linked.identities
    (open_link,) = identity.open_links
    assert identity == Identity(
        IdentityId("p1"), frozenset({FIRST, SECOND}),
        (ScoredLink(pair, 0.9, LinkDecision.LINK, "diminutive", 0.8),), (open_link,), (IdentityId("p2"),),
        EntityId("vault:3"), (EntityId("vault:4"),), (EntityId("vault:5"),),
    )  # fmt: skip
    assert (open_link.pair, open_link.match_probability, open_link.variant) == (pair, 0.5, None)
    assert math.isnan(open_link.partial_ratio)
    assert [(f.left, f.right, f.match_probability, f.decision) for f in linked.form_links] == [
        ("J. van Tolsma", "Jan \ud800", 0.7, LinkDecision.POSSIBLE_LINK),
        ("a", "b", 0.2, LinkDecision.NON_LINK),
    ]
    assert [math.isnan(f.partial_ratio) for f in linked.form_links] == [True, False]


def test_labels_and_people_are_read(work: WorkFile) -> None:
    labels = work.labels(LABELLED)
    assert labels.digest == DIGEST
    assert labels.as_labels() == (
        Label("0", Span(4, 17), "P1-X", EntityId("vault:3")),
        Label("0", Span(20, 25), None, EntityId("vault:4")),
        Label("0", Span(30, 38), "Els", EntityId("vault:5"), "Els Postma"),
    )
    assert work.labels(OUTPUT).labels is None
    assert list(work.people()) == [
        LabelledPerson(EntityId("vault:3"), "P1-X", (TOLSMA, JAN), {"email": "E1"})
    ]


def test_it_is_rewritten_once_and_then_refused_by_programs_before(place: Path, work: WorkFile) -> None:
    labels = work.labels(LABELLED)
    assert work.version == 2
    assert work.ids(SourceState.LABELLED) == [LABELLED, OUTPUT]
    work.close()
    with closing(WorkFile.open(place, SEALER)) as again:
        assert again.labels(LABELLED) == labels
    with closing(sqlite3.connect(place)) as raw:
        ((value,),) = raw.execute("select value from meta where name = 'version'")
    # Commit 8952b15 reads this as JSON, and says "the work file has version 2, expected 1".
    assert json.loads(SEALER.unseal(value, context=b"work/meta/version")) == 2


def test_what_is_new_is_written_beside_what_was_rewritten(work: WorkFile) -> None:
    work.save_labels([(DETECTED, NO_LABELS, ONE_MENTION)], [])
    assert work.version == 2
    assert work.labels(DETECTED) == NO_LABELS
    assert work.labels(OUTPUT).labels is None
    assert work.linked() is None


def test_looking_into_it_leaves_it_as_it_is(place: Path) -> None:
    with closing(WorkFile.open(place, SEALER)) as work:
        assert [path for _, path, _ in work.paths()] == ["a.txt"] * 3
        assert len(list(work.rows())) == 3
        assert work.form_count() is None
        work.save_detected([])
        assert work.version == 1


def test_a_file_that_was_altered_stays_as_it_was(place: Path) -> None:
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("update person set person = (select rows from linked where kind = 'form')")
        raw.commit()
    with closing(WorkFile.open(place, SEALER)) as work:
        for _ in range(2):
            with pytest.raises(WorkFileError, match="altered"):
                work.analysis(DETECTED)
        assert work.version == 1


def test_a_later_version_is_refused(place: Path) -> None:
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("update meta set value = ?", (sealed(b"3", "work/meta/version"),))
        raw.commit()
    with pytest.raises(WorkFileError, match="of another version"):
        WorkFile.open(place, SEALER)
