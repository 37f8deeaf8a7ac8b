"""What a run left for review: the same links as a review of the inputs, without them, until forgotten."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from linkage.records import (
    CandidatePair,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    LinkDecision,
    MentionId,
    NormalizedMention,
    ScoredLink,
)
from linkage.review import Judgement, ReviewSession, Verdict, read_judgements, write_judgements
from pseudonymizer import confined
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import AccessRefusedError, BatchError
from pseudonymizer.formats import FormatOptions, ParsedFile
from pseudonymizer.kept_runs import KeptRun
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.project import Project, ProjectOptions, RunOptions
from pseudonymizer.records import Style
from pseudonymizer.runs import units
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, make_vault
from tests.pseudonymizer.formats.samples import EVERY_FORMAT

OpenVault = Callable[[], AbstractContextManager[Vault]]
NOW = datetime(2026, 3, 2, tzinfo=UTC)
PROBABILITY = 0.6


class FamilyLinker:
    """One name is one person; people of one family name are open links, unless it was judged."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        # Whatever the ids of documents are, which differ from look to look.
        everything = sorted(mentions, key=lambda m: (m.mention.surface, m.mention.span))
        judged = {frozenset((j.left_mention, j.right_mention)): j.verdict for j in judgements}
        groups: list[list[NormalizedMention]] = []
        for mention in everything:
            mine = [
                group
                for group in groups
                if any(
                    m.name == mention.name
                    or judged.get(frozenset((m.mention_id, mention.mention_id))) is Verdict.ACCEPT
                    for m in group
                )
            ]
            groups = [group for group in groups if group not in mine]
            groups.append([*(m for group in mine for m in group), mention])
        links: dict[int, list[ScoredLink]] = {n: [] for n in range(len(groups))}
        for left, group in enumerate(groups):
            for right in range(left + 1, len(groups)):
                for pair in self._kin(group, groups[right]):
                    if frozenset(pair) not in judged:
                        link = ScoredLink(
                            CandidatePair(min(pair), max(pair)),
                            PROBABILITY,
                            LinkDecision.POSSIBLE_LINK,
                            "surname",
                            0.5,
                        )
                        links[left].append(link)
                        links[right].append(link)
        entity_of = {name: person.entity_id for person in known for name in person.names}
        return LinkageResult(
            tuple(everything),
            tuple(
                Identity(
                    IdentityId(f"p{n}"), frozenset(m.mention_id for m in group), open_links=tuple(links[n]),
                    entity_id=next((entity_of[m.name] for m in group if m.name in entity_of), None),
                )
                for n, group in enumerate(groups)
            ),
        )  # fmt: skip

    @staticmethod
    def _kin(
        group: Sequence[NormalizedMention], other: Sequence[NormalizedMention]
    ) -> Iterator[tuple[MentionId, MentionId]]:
        for one in group[:1]:
            for two in other[:1]:
                if one.name.family == two.name.family:
                    yield one.mention_id, two.mention_id


class FamilyPipeline(FakePipeline):
    def __init__(self) -> None:
        super().__init__()
        self.linker = FamilyLinker()  # type: ignore[assignment]


OPTIONS = ProjectOptions(load=FamilyPipeline)
LETTERS = {
    "brief.txt": "Geachte heer, Jitske Wiersma kwam\nmet Els Douma, zei Jan Wiersma.\n",
    "map/notitie.md": "De zus Sanne Wiersma belde; ook Els Douma.\n",
    "chat.jsonl": '{"text": "Jan Douma kwam."}\n{"text": "en Piet Douma ook"}\n',
    "leeg.txt": "Niemand kwam.\n",
}


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


@pytest.fixture
def vault(open_vault: OpenVault) -> Iterator[Vault]:
    with open_vault() as opened:
        yield opened


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    for name, text in LETTERS.items():
        place = tmp_path / "in" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return tmp_path / "in"


@pytest.fixture
def project(vault: Vault) -> Project:
    return Project.open(vault, PROJECT, OPTIONS)


def run(project: Project, inputs: Path, judgements: Sequence[Judgement] = ()) -> Path:
    out = inputs.parent / "out"
    report = project.pseudonymize_folder(inputs, out, RunOptions(judgements=judgements))
    assert report.documents["failed"] == 0
    return out


Asked = tuple[frozenset[str], float, str | None, float, bool]


def asked(session: ReviewSession) -> set[Asked]:
    """What a session asks, as a person sees it; it is skipped through."""
    found = set()
    while (item := session.current()) is not None:
        link = item.link
        forms = frozenset((item.left_form, item.right_form))
        found.add((forms, link.match_probability, link.variant, link.partial_ratio, item.accepted_before))
        session.skip()
    return found


def places(judgements: Iterable[Judgement]) -> set[frozenset[object]]:
    return {frozenset((j.left_at, j.right_at)) for j in judgements}


def judged(session: ReviewSession, verdict: Verdict, count: int = 1_000) -> tuple[Judgement, ...]:
    for _ in range(count):
        if session.current() is None:
            break
        (session.accept if verdict is Verdict.ACCEPT else session.reject)(NOW)
    return session.judgements


def test_a_run_leaves_what_a_review_of_its_inputs_asks(project: Project, letters: Path) -> None:
    fresh = Project.without_vault(OPTIONS)
    linked = fresh.link([*fresh.find_in(find_sources([letters]))])
    out = run(project, letters)
    shutil.rmtree(letters)
    kept = project.kept(out)
    assert asked(project.review(kept)) == asked(fresh.review(linked)) != set()
    wanted = judged(fresh.review(linked), Verdict.REJECT)
    got = judged(project.review(kept), Verdict.REJECT)
    assert places(got) == places(wanted)
    assert {place.document for j in got for place in (j.left_at, j.right_at) if place} == {
        "brief.txt", "map/notitie.md", "chat.jsonl#0", "chat.jsonl#1",
    }  # fmt: skip


def test_the_words_around_are_read_from_the_outputs(project: Project, letters: Path) -> None:
    out = run(project, letters)
    shutil.rmtree(letters)
    kept = project.kept(out)
    for name in ("brief.txt", "map/notitie.md"):
        assert kept.texts[name] == LETTERS[name]
    assert kept.texts["chat.jsonl#1"] == "en Piet Douma ook"
    for document in kept.linked.documents:
        for m in document.mentions:
            assert m.mention.span.cut(kept.texts[document.name]) == m.mention.surface


def test_a_text_that_another_version_read_otherwise_gives_no_words(
    project: Project, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = project.kept(run(project, letters))
    whole = confined.read

    def otherwise(raw: bytes, *, name: str = "", options: FormatOptions | None = None) -> ParsedFile:
        parsed = whole(raw, name=name, options=options)
        parsed.parts = tuple(replace(part, text=f"Titel: {part.text}") for part in parsed.parts)
        return parsed

    monkeypatch.setattr(confined, "read", otherwise)
    assert kept.texts["brief.txt"] == ""


def test_they_are_read_from_outputs_of_every_format(project: Project, letters: Path) -> None:
    shutil.rmtree(letters)
    letters.mkdir()
    for number, (suffix, build) in enumerate(EVERY_FORMAT.items()):
        ending = chr(ord("a") + number // 26) + chr(ord("a") + number % 26)
        names = [f"{given} Wiers{ending}" for given in ("Jitske", "Jan", "Els")]
        sentences = [f"Ik sprak {name} over de brief." for name in names]
        (letters / f"f.{suffix}").write_bytes(build(names, sentences))
    out = run(project, letters)
    shutil.rmtree(letters)
    kept = project.kept(out)
    seen = {
        document.name.partition("#")[0]
        for document in kept.linked.documents
        for m in document.mentions
        if m.mention.span.cut(kept.texts[document.name]) == m.mention.surface
    }
    assert seen == {f"f.{suffix}" for suffix in EVERY_FORMAT}


@pytest.mark.parametrize("suffix", ["zip", "jsonl"])
def test_a_name_in_a_technical_field_is_told_in_the_text_of_that_field(
    project: Project, letters: Path, suffix: str
) -> None:
    shutil.rmtree(letters)
    letters.mkdir()
    names = [f"{given} Wiersma" for given in ("Jitske", "Jan", "Els")]
    (letters / f"f.{suffix}").write_bytes(EVERY_FORMAT[suffix](names, [f"Ik sprak {n}." for n in names]))
    fresh = Project.without_vault(OPTIONS).find_in(find_sources([letters]))
    fields = {document.name for document in fresh if not document.is_prose}
    kept = project.kept(run(project, letters))
    found = {
        (document.name, m.mention.span, m.mention.surface)
        for document in kept.linked.documents
        for m in document.mentions
    }
    assert {surface for _, _, surface in found} == set(names)
    assert {name for name, _, _ in found} & fields == {name for name in fields if "technical" in name}
    assert all(span.cut(kept.texts[name]) == surface for name, span, surface in found)


def test_edited_outputs_give_no_words_and_keep_their_links(project: Project, letters: Path) -> None:
    out = run(project, letters)
    before = asked(project.review(project.kept(out)))
    brief = out / "brief.txt"
    brief.write_text(f"Ingevoegd. {brief.read_text(encoding='utf-8')}", encoding="utf-8")
    kept = project.kept(out)
    # A changed output is not known by its bytes; what was linked with it is left out.
    assert asked(project.review(kept)) < before
    assert "brief.txt" not in kept.texts


@pytest.mark.parametrize("verdict", list(Verdict))
def test_verdicts_work_in_the_next_run(
    project: Project, letters: Path, tmp_path: Path, verdict: Verdict
) -> None:
    out = run(project, letters)
    count = len(project.review(project.kept(out)))
    given = judged(project.review(project.kept(out)), verdict, 1)
    file = tmp_path / "verdicts.jsonl"
    write_judgements(file, given)
    report = project.pseudonymize_folder(letters, out, RunOptions(judgements=read_judgements(file)))
    assert (report.judgements, report.judgements_unkept) == (1, 0)
    again = project.kept(out)
    assert len(project.review(again)) < count
    forms = {frozenset((j.left_form, j.right_form)) for j in given}
    assert not forms & {one[0] for one in asked(project.review(again))}


def test_a_review_is_gone_on_with(project: Project, letters: Path) -> None:
    kept = project.kept(run(project, letters))
    whole = project.review(kept)
    first = judged(whole, Verdict.REJECT, 1)
    left = asked(whole)
    again = project.kept(letters.parent / "out", judgements=first)
    assert asked(project.review(again)) == left
    # One about the forms alone holds for them, too.
    loose = [
        Judgement(first[0].left_form.upper(), first[0].right_form, Verdict.ACCEPT, judged_at=NOW.isoformat())
    ]
    forms = {frozenset((first[0].left_form, first[0].right_form))}
    asked_then = asked(project.review(project.kept(letters.parent / "out", judgements=loose)))
    assert not forms & {one[0] for one in asked_then}


def test_an_accepted_link_that_the_run_did_not_keep_is_asked_again(vault: Vault, letters: Path) -> None:
    class Deaf(FamilyLinker):
        def link(
            self,
            mentions: Iterable[NormalizedMention],
            *,
            known: Sequence[KnownIdentity] = (),
            judgements: Sequence[Judgement] = (),
        ) -> LinkageResult:
            del judgements
            return super().link(mentions, known=known)

    class DeafPipeline(FakePipeline):
        def __init__(self) -> None:
            super().__init__()
            self.linker = Deaf()  # type: ignore[assignment]

    project = Project.open(vault, PROJECT, ProjectOptions(load=DeafPipeline))
    given = judged(project.review(project.kept(run(project, letters))), Verdict.ACCEPT, 1)
    out = run(project, letters, given)
    for file in ((), given):
        found = asked(project.review(project.kept(out, judgements=file)))
        assert {one[0] for one in found if one[4]} == {frozenset((given[0].left_form, given[0].right_form))}


def test_a_run_again_adds_nothing_and_a_new_document_adds_its_own(
    project: Project, vault: Vault, letters: Path
) -> None:
    out = run(project, letters)
    rows = vault.store.rows("SELECT * FROM run_result")
    before = asked(project.review(project.kept(out)))
    vault.rollback()
    run(project, letters)
    assert vault.store.rows("SELECT * FROM run_result") == rows
    (letters / "later.txt").write_text("Roos Mulder en Bram Mulder.\n", encoding="utf-8")
    run(project, letters)
    found = asked(project.review(project.kept(out)))
    assert {one[0] for one in found} - {one[0] for one in before} == {
        frozenset({"Roos Mulder", "Bram Mulder"})
    }
    assert vault.verify().findings == ()


def test_two_corpora_with_one_path_are_two(project: Project, letters: Path, tmp_path: Path) -> None:
    first = asked(project.review(project.kept(run(project, letters))))
    other = tmp_path / "februari" / "in"
    other.mkdir(parents=True)
    (other / "brief.txt").write_text("Roos Mulder en Bram Mulder.\n", encoding="utf-8")
    second = run(project, other)
    assert {one[0] for one in asked(project.review(project.kept(second)))} == {
        frozenset({"Roos Mulder", "Bram Mulder"})
    }
    assert asked(project.review(project.kept(letters.parent / "out"))) == first


def test_who_may_not_see_names_is_refused_and_a_curator_is_not(
    vault: Vault, project: Project, letters: Path, tmp_path: Path
) -> None:
    out = run(project, letters)
    for actor, role in (("ana", Role.ANALYST), ("cas", Role.CURATOR), ("aud", Role.AUDITOR)):
        vault.give_role(actor, role)
    vault.commit()
    url, key = f"sqlite:///{tmp_path / 'vault' / 'vault.db'}", FileKey(tmp_path / "vault" / "kek.key")
    with Vault.open(url, key, actor="ana") as opened, pytest.raises(AccessRefusedError):
        Project.open(opened, PROJECT, OPTIONS).kept(out)
    with Vault.open(url, key, actor="cas") as opened:
        mine = Project.open(opened, PROJECT, OPTIONS)
        kept = mine.kept(out)
        assert len(mine.review(kept)) > 0
        assert "Wiersma" in kept.texts["brief.txt"]
    with Vault.open(url, key, actor="aud") as opened:
        told = [(e.actor, e.action, e.outcome) for e in opened.audit_events() if e.actor in {"ana", "cas"}]
    assert told == [
        ("ana", "see-names", "refused:role"), ("cas", "review", "done"), ("cas", "review", "done"),
    ]  # fmt: skip


def test_an_erased_person_is_in_no_link_and_the_others_stay(
    project: Project, vault: Vault, letters: Path
) -> None:
    out = run(project, letters)
    before = asked(project.review(project.kept(out)))
    (label,) = project.lookup("Jan Wiersma", purpose="toets").pseudonyms
    vault.erase(project=PROJECT, pseudonyms=[label], purpose="toets")
    kept = project.kept(out)
    left = asked(project.review(kept))
    assert left == {one for one in before if "Jan Wiersma" not in one[0]}
    assert left
    assert not any("Jan Wiersma" in text for text in kept.texts.values())
    assert vault.verify().findings == ()


def test_what_was_forgotten_is_not_shown_and_changes_no_later_run(
    project: Project, vault: Vault, letters: Path
) -> None:
    out = run(project, letters)
    known = vault.known_identities(PROJECT)
    vault.rollback()
    assert project.forget(out) == len(LETTERS)
    with pytest.raises(BatchError, match="keeps no open links of this run"):
        project.kept(out)
    assert vault.known_identities(PROJECT) == known
    vault.rollback()
    report = project.pseudonymize_folder(letters, out)
    assert report.documents["waiting"] == 0
    elsewhere = letters.parent / "again"
    project.pseudonymize_folder(letters, elsewhere)
    assert len(project.review(project.kept(elsewhere))) > 0
    assert (elsewhere / "brief.txt").read_bytes() == (out / "brief.txt").read_bytes()


def test_a_style_without_a_way_back_keeps_nothing(vault: Vault, letters: Path) -> None:
    project = Project.open(vault, PROJECT, OPTIONS, style=Style.INITIALS)
    out = run(project, letters)
    assert vault.store.scalar("SELECT count(*) FROM run_result") == 0
    with pytest.raises(BatchError, match="its style has no way back"):
        project.kept(out)


def test_a_dry_run_keeps_nothing(project: Project, vault: Vault, letters: Path) -> None:
    project.pseudonymize_folder(letters, None, RunOptions(dry_run=True))
    assert vault.projects() == ()


def test_another_folder_is_told_from_an_output(project: Project, letters: Path, tmp_path: Path) -> None:
    run(project, letters)
    with pytest.raises(BatchError, match="no such folder"):
        project.kept(tmp_path / "nergens")
    with pytest.raises(BatchError, match="no file in this folder is an output"):
        project.kept(tmp_path / "vault")


def test_large_files_are_reviewed_too(
    project: Project, vault: Vault, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT_BYTES", 60)
    monkeypatch.setattr("pseudonymizer.formats.units.UNIT_BYTES", 60)
    large = letters / "groot.jsonl"
    lines = [
        {"text": f"{name} kwam bij ons langs."}
        for name in ("Roos Mulder", "Bram Mulder", "Els Mol", "Jan Mol")
    ]
    large.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    fresh = Project.without_vault(OPTIONS)
    linked = fresh.link([*fresh.find_in(find_sources([letters]))])
    out = run(project, letters)
    kept = project.kept(out)
    assert vault.store.scalar("SELECT max(unit) FROM run_result") > 0
    assert any(document.name.startswith("groot.jsonl#") for document in kept.linked.documents)
    assert asked(project.review(kept)) == asked(fresh.review(linked))
    assert places(judged(project.review(kept), Verdict.REJECT)) == places(
        judged(fresh.review(linked), Verdict.REJECT)
    )
    shown = [
        m.mention.span.cut(kept.texts[document.name]) == m.mention.surface
        for document in kept.linked.documents
        for m in document.mentions
    ]
    assert all(shown)


def test_a_kept_run_shows_no_name_in_its_repr(project: Project, letters: Path) -> None:
    kept = project.kept(run(project, letters))
    assert isinstance(kept, KeptRun)
    assert "Wiersma" not in repr(kept)
