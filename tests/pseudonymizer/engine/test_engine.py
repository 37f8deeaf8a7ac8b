"""The engine over a vault: all or nothing, sources one by one, outputs left alone, order and threads."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from itertools import permutations
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, NoReturn

import pytest

from linkage.errors import ModelNotFoundError
from linkage.gazetteer import Gazetteer
from linkage.records import PERSON, DocumentId, EntityId
from linkage.review import Judgement, MentionPlace, Verdict
from pseudonymizer.engine.engine import (
    Engine,
    LabelledSource,
    Source,
    Treated,
    TreatedSources,
    passing_mentions,
    rewritten,
)
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.judging import JudgedPlaces
from pseudonymizer.engine.records import AnalyzeTask, Label, Replacement, SourceFailure, SourceFound
from pseudonymizer.engine.styling import Styling
from pseudonymizer.engine.way_back import ONE_WAY_FORMAT
from pseudonymizer.errors import VaultBusyError
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault
from tests.pseudonymizer.engine.records_by_hand import FOREIGN_MAKER, mention, part_found, source_found, token

OpenVault = Callable[[], AbstractContextManager[Vault]]
FOREIGN = token(1, FOREIGN_MAKER)


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path)


@pytest.fixture
def vault(open_vault: OpenVault) -> Iterator[Vault]:
    with open_vault() as opened:
        opened.ensure_project(PROJECT)
        opened.commit()
        yield opened


def source(name: str, text: str, place: str | None = "-", relative: str = "") -> Source:
    task = AnalyzeTask(DocumentId(f"doc {name}"), Path("x.txt"), b"", None, relative, text.encode())
    return Source(task, name, place)


def styling(style: Style = Style.TOKEN) -> Styling:
    return Styling(StyleSettings(style), lists=Gazetteer.load)


def treat(
    vault: Vault, *sources: Source, style: Style = Style.TOKEN, judgements: tuple[Judgement, ...] = ()
) -> TreatedSources:
    return Engine(load_fake).pseudonymize(vault, PROJECT, sources, styling(style), judgements)


def written(treated: TreatedSources) -> list[str | None]:
    """The new texts; None for what failed."""
    return [one.rendered.raw.decode() if isinstance(one, Treated) else None for one in treated.outcomes]


def labels(treated: TreatedSources) -> list[list[str]]:
    return [[r.text for r in one.replacements] for one in treated.outcomes if isinstance(one, Treated)]


# -- all or nothing ------------------------------------------------------------------------------------------

EVERYTHING = (
    source("a", f"Jan Tolsma en {FOREIGN}"),
    source("b", "Els Wiersma, els.wiersma@post.nl", None, "brief Els Wiersma.txt"),
)
STEPS_OF_THE_VAULT = [
    "outputs_among", "linked", "known", "stored_labels", "tokens", "assign_styled",
    "literal_label", "document_id", "store_rewrites", "commit",
]  # fmt: skip
STEPS_OF_FILES = ["analyze", "follow", "rewrite"]
STYLES = {"outputs_among": Style.SURROGATE, "stored_labels": Style.TAG}  # where the step is no step of tokens


class Stop(BaseException):
    """What no handler of exceptions expects, like an interrupt from the keyboard."""


def rows(folder: Path) -> Mapping[str, int]:
    """How many rows each table of both stores has."""
    counts: dict[str, int] = {}
    for name in ("vault.db", "vault.keys.db"):
        with closing(sqlite3.connect(folder / name)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            counts |= {
                f"{name} {table}": connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
                for (table,) in tables
            }
    return counts


def failing(error: BaseException) -> Callable[..., NoReturn]:
    def step(*_: Any, **__: Any) -> NoReturn:
        raise error

    return step


@pytest.mark.parametrize(
    ("step", "error"),
    [
        *((step, Stop()) for step in [*STEPS_OF_THE_VAULT, *STEPS_OF_FILES]),
        ("linked", VaultBusyError("later")),
        ("rewrite", ModelNotFoundError("gone")),
    ],
)
def test_whatever_fails_at_any_step_leaves_no_row_and_the_vault_goes_on(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    style = STYLES.get(step, Style.TOKEN)
    looking = (source("c", "<PERSOON-9>"), *EVERYTHING)
    before = rows(tmp_path)
    with monkeypatch.context() as patched:
        target = FileWork if step in STEPS_OF_FILES else vault
        patched.setattr(target, step, failing(error))
        with pytest.raises(type(error)):
            treat(vault, *looking, style=style)
    assert not vault.has_open_work()
    assert rows(tmp_path) == before
    assert all(isinstance(one, Treated) for one in treat(vault, *looking, style=style).outcomes)
    assert vault.verify().findings == ()


def test_a_store_that_fails_at_the_commit_leaves_no_row(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(vault.key_records, "commit", failing(VaultBusyError("later")))
        with pytest.raises(VaultBusyError):
            treat(vault, *EVERYTHING)
    assert rows(tmp_path) == before
    assert None not in written(treat(vault, *EVERYTHING))


def test_everything_is_durable_when_texts_are_given(vault: Vault, open_vault: OpenVault) -> None:
    treated = treat(vault, *EVERYTHING)
    assert not vault.has_open_work()
    with open_vault() as other:
        revealed = other.reveal(project=PROJECT, pseudonyms=[labels(treated)[0][0]], purpose="test")
        assert [name.name for name in revealed.values()] == ["Jan Tolsma"]
        outputs = [one.rendered.raw for one in treated.outcomes if isinstance(one, Treated)]
        ways_back = other.restore(project=PROJECT, outputs=outputs, purpose="test")
    assert [back.path if back else "none" for back in ways_back] == [None, "brief Els Wiersma.txt"]


# -- sources -------------------------------------------------------------------------------------------------


def test_a_source_that_fails_is_a_failure_in_its_place(vault: Vault) -> None:
    treated = treat(vault, source("a", "Jan Tolsma"), source("b", "ONTPLOFT"), source("c", "Jan Tolsma."))
    first, second, third = treated.outcomes
    assert isinstance(second, SourceFailure)
    assert isinstance(first, Treated)
    assert isinstance(third, Treated)
    assert [one.text for one in first.replacements] == [one.text for one in third.replacements]


def test_a_source_that_cannot_be_written_fails_alone_too(vault: Vault) -> None:
    treated = treat(vault, source("a", "Jan Tolsma", None, "../a.txt"), source("b", "Els Wiersma"))
    first, second = treated.outcomes
    assert isinstance(first, SourceFailure)
    assert first.error == "OutsideFolderError"
    assert isinstance(second, Treated)
    assert second.found.doc_id == "doc b"


def test_nothing_is_asked_of_the_vault_where_nobody_is_named(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in ("linked", "assign_styled", "literal_label", "store_rewrites"):
        monkeypatch.setattr(vault, step, failing(Stop()))
    assert written(treat(vault, source("a", "niets"), source("b", ""))) == ["niets", ""]


@pytest.mark.parametrize("style", [Style.SURROGATE, Style.INITIALS, Style.TOKEN, Style.TAG])
def test_an_output_that_comes_in_again_stays_and_keeps_its_way_back(vault: Vault, style: Style) -> None:
    first = treat(vault, source("a", "Jan Tolsma en Els Wiersma"), style=style)
    (text,) = written(first)
    assert text is not None
    again = treat(vault, source("b", text), style=style)
    assert written(again) == [text]
    if style in (Style.SURROGATE, Style.INITIALS):
        (outcome,) = again.outcomes
        assert isinstance(outcome, Treated)
        assert outcome.is_output
    (back,) = vault.restore(project=PROJECT, outputs=[text.encode()], purpose="test")
    assert back is not None
    assert (back.format_name, len(back.edits)) == (
        (ONE_WAY_FORMAT, 0) if style is Style.INITIALS else ("txt", 2)
    )


def test_a_file_whose_name_alone_changes_has_a_way_back(vault: Vault) -> None:
    (one,) = treat(vault, source("a", "niets", None, "brief Els Wiersma.txt")).outcomes
    assert isinstance(one, Treated)
    assert one.rendered.relative.startswith("brief P1-")
    (back,) = vault.restore(project=PROJECT, outputs=[b"niets"], purpose="test")
    assert back is not None
    assert back.path == "brief Els Wiersma.txt"
    treat(vault, source("b", "ook niets", None, "brief.txt"))
    assert vault.restore(project=PROJECT, outputs=[b"ook niets"], purpose="test") == (None,)


def test_a_judged_pair_is_met_by_the_names_of_the_sources(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [MentionPlace(name, 0, 10) for name in ("a", "b")]
    verdict = Judgement("Jan Tolsma", "Jan Tolsma", Verdict.REJECT, left_at=places[0], right_at=places[1])
    seen = []
    linked = vault.linked

    def watching(*args: Any, **kwargs: Any) -> Any:
        seen.append(kwargs["judgements"])
        return linked(*args, **kwargs)

    monkeypatch.setattr(vault, "linked", watching)
    treat(vault, source("a", "Jan Tolsma"), source("b", "Jan Tolsma"), judgements=(verdict,))
    ((met,),) = seen
    assert (met.left_mention, met.right_mention) == tuple(f"doc {n}@000000000-000000010" for n in "ab")


# -- order and threads ---------------------------------------------------------------------------------------


def test_mentions_pass_in_an_order_that_is_not_that_of_the_sources() -> None:
    text = "Jan Tolsma en Els Wiersma"
    found = [
        source_found(
            doc, [part_found(text, [mention(doc, text, name) for name in ("Jan Tolsma", "Els Wiersma")])]
        )
        for doc in ("c", "a", "b")
    ]
    names = {one.doc_id: str(one.doc_id) for one in found}
    orders = {tuple(passing_mentions(order, names, JudgedPlaces([]))) for order in permutations(found)}
    assert len(orders) == 1
    assert [one.mention.doc_id for one in next(iter(orders))] == ["a", "a", "b", "b", "c", "c"]


def test_judgements_are_met_by_the_ids_that_a_file_gives_its_texts_as_well() -> None:
    text = "Jan Tolsma"
    parts = [
        part_found(text, [mention(f"d#{n}", text, text)], part_id=str(n), key=key)
        for n, key in enumerate([None, "row 7"])
    ]
    places = [MentionPlace(name, 0, 10) for name in ("a.jsonl#0", "row 7")]
    judged = JudgedPlaces([Judgement(text, text, Verdict.ACCEPT, left_at=places[0], right_at=places[1])])
    found = source_found("d", parts)
    assert len(list(passing_mentions([found], {found.doc_id: "a.jsonl"}, judged))) == 2
    (met,) = judged.judgements()
    assert (met.left_mention, met.right_mention) == tuple(f"d#{n}@000000000-000000010" for n in (0, 1))


TEXTS = [f"Jan Tolsma sprak met {name}." for name in ("Els Wiersma", "Jitske Douma", "Jan Tolsma", "Els Bos")]


def people_of(project: Project, texts: list[str], found: dict[str, tuple[str, ...]]) -> None:
    for text in texts:
        (document,) = project.pseudonymize(text)
        found[text] = tuple(one.label for one in document.mentions)


def test_two_threads_on_one_project_give_what_one_gives(open_vault: OpenVault, tmp_path: Path) -> None:
    alone: dict[str, tuple[str, ...]] = {}
    together: list[dict[str, tuple[str, ...]]] = [{}, {}]
    with make_vault(tmp_path / "other")() as other:
        people_of(Project.open(other, PROJECT, ProjectOptions(load=load_fake)), TEXTS, alone)
    with open_vault() as vault:
        project = Project.open(vault, PROJECT, ProjectOptions(load=load_fake))
        start = Barrier(2)

        def work(number: int) -> None:
            start.wait(20)
            people_of(project, TEXTS[:: 1 - 2 * number], together[number])

        threads = [Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert together[0] == together[1]
        assert together[0].keys() == alone.keys()
        same = {(a, b) for text in TEXTS for a, b in zip(alone[text], together[0][text], strict=True)}
        assert len(same) == len({a for a, _ in same}) == len({b for _, b in same}) == 4  # up to renaming
        assert len(vault.known_identities(PROJECT)) == 4
        assert vault.verify().findings == ()


# -- one source ----------------------------------------------------------------------------------------------


def found_in(work: FileWork, content: bytes) -> tuple[Source, SourceFound]:
    row = Source(AnalyzeTask(DocumentId("d1"), Path("row.txt"), content=content), "row")
    (found,) = work.analyze([row.task])
    assert isinstance(found, SourceFound)
    return row, found


def test_labels_stand_where_the_mentions_were() -> None:
    work = FileWork(load_fake)
    row, found = found_in(work, b"Jan Tolsma belde Els Mulder.")
    jan, els = found.mentions
    given = (
        Label("", jan.mention.span, "P1-JAN", EntityId("vault:1")),
        Label("", els.mention.span, "P1-ELS", None),
    )
    treated = rewritten(work, LabelledSource(row, found, given), StyleSettings())
    assert isinstance(treated, Treated)
    assert treated.rendered.raw == b"P1-JAN belde P1-ELS."
    assert treated.replacements == (
        Replacement("", jan.mention.span, "P1-JAN", EntityId("vault:1"), PERSON),
        Replacement("", els.mention.span, "P1-ELS", None, PERSON),
    )


def test_an_output_stays_as_it_is() -> None:
    work = FileWork(load_fake)
    row, found = found_in(work, b"Jan Tolsma belde Els Mulder.")
    treated = rewritten(work, LabelledSource(row, found, (), is_output=True), StyleSettings())
    assert isinstance(treated, Treated)
    assert treated.rendered.raw == b"Jan Tolsma belde Els Mulder."
    assert treated.is_output


def test_a_source_that_was_changed_since_fails_by_itself() -> None:
    work = FileWork(load_fake)
    _, found = found_in(work, b"Jan Tolsma belde Els Mulder.")
    changed, _ = found_in(work, b"Els Mulder belde.")
    treated = rewritten(work, LabelledSource(changed, found, ()), StyleSettings())
    assert isinstance(treated, SourceFailure)
    assert treated.error == "SourceChangedError"
