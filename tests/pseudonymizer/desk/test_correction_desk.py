"""What was found in a workspace, shown and corrected: each change is stored, or refused as a whole."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pseudonymizer.desk.commands import Command, Confirm, Judge, Merge, Reject
from pseudonymizer.desk.correction_answered import Corrections, MentionShown
from pseudonymizer.desk.correction_asked import (
    AddWords,
    GetCorrections,
    GetPassages,
    GiveCommands,
    ListMentions,
    ListPeople,
    MoveBound,
    OpenQuestions,
    ReadText,
    TakeCorrections,
    TurnBack,
)
from pseudonymizer.desk.workspace_asked import OfWorkspace, StartAnalysis
from pseudonymizer.errors import (
    CorrectionRefusedError,
    OutdatedCorrectionError,
    StaleRevisionError,
    UnknownWorkspaceError,
    WorkspaceStateError,
    WrongCorrectionsError,
)
from tests.pseudonymizer.desk.filled_desk import ANNA, FILES, FilledDesk


class Case:
    """An analysed workspace and its two files."""

    def __init__(self, folder: Path) -> None:
        self.filled = FilledDesk(folder)
        self.desk = self.filled.corrections
        self.workspace, ids = self.filled.analysed()
        self.first, self.second = ids["a.txt"], ids["b.txt"]

    @property
    def revision(self) -> int:
        return self.filled.store.get(self.workspace).revision

    def mentions(self, file: str | None = None, **page: Any) -> tuple[MentionShown, ...]:
        asked = ListMentions(workspace=self.workspace, file=file or self.first, **page)
        return self.desk.mentions(ANNA, asked).mentions

    def words(self, file: str | None = None) -> list[str]:
        return [one.text for one in self.mentions(file)]

    def give(self, *commands: Command, revision: int | None = None) -> Corrections:
        at = self.revision if revision is None else revision
        return self.desk.give(ANNA, GiveCommands(workspace=self.workspace, revision=at, commands=commands))

    def add(self, words: str, **options: Any) -> Corrections:
        asked = AddWords(
            workspace=self.workspace, revision=self.revision, words=words, **{"file": self.first} | options
        )
        return self.desk.add_words(ANNA, asked)

    def move(self, mention: str, side: Any, by: Any) -> Corrections:
        asked = MoveBound(workspace=self.workspace, revision=self.revision, mention=mention, side=side, by=by)
        return self.desk.move_bound(ANNA, asked)

    def turn(self, by: Any = "undo") -> Corrections:
        return self.desk.turn_back(ANNA, TurnBack(workspace=self.workspace, revision=self.revision, by=by))

    def file(self, what: Any) -> str:
        return self.desk.corrections(
            ANNA, GetCorrections(workspace=self.workspace, what=what)
        ).content.decode()

    def take(self, mentions: str = "", judgements: str = "") -> Corrections:
        asked = TakeCorrections(
            workspace=self.workspace, revision=self.revision, mentions=mentions, judgements=judgements
        )
        return self.desk.take(ANNA, asked)


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    made = Case(tmp_path)
    yield made
    made.filled.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """For tests that change nothing."""
    made = Case(tmp_path_factory.mktemp("shared"))
    yield made
    made.filled.close()


# -- reading -------------------------------------------------------------------------------------------------


def test_mentions_come_page_by_page_in_the_order_of_the_text(shared: Case) -> None:
    assert shared.words() == ["Jan Tolsma", "Els Mol", "Jan Tolsma", "06-12345678"]
    pages, after = [], 0
    while after is not None:
        asked = ListMentions(workspace=shared.workspace, file=shared.first, after=after, limit=3)
        shown = shared.desk.mentions(ANNA, asked)
        pages.append(shown.mentions)
        after = shown.after  # type: ignore[assignment]
    assert [len(page) for page in pages] == [3, 1]
    assert (*pages[0], *pages[1]) == shared.mentions()


def test_a_stretch_of_a_text_has_the_mentions_that_share_characters_with_it(shared: Case) -> None:
    text = FILES["a.txt"]
    start = text.index("Mol")
    shown = shared.desk.text(
        ANNA, ReadText(workspace=shared.workspace, file=shared.first, start=start, letters=6)
    )
    assert (shown.text, shown.letters, shown.start) == ("Mol. L", len(text), start)
    assert [one.text for one in shown.mentions] == ["Els Mol"]
    gap = shared.desk.text(
        ANNA, ReadText(workspace=shared.workspace, file=shared.first, start=len("Jan Tolsma"), letters=7)
    )
    assert gap.mentions == ()
    with pytest.raises(UnknownWorkspaceError):
        shared.desk.text(
            ANNA, ReadText(workspace=shared.workspace, file=shared.first, document=shown.documents[0] + "x")
        )
    with pytest.raises(UnknownWorkspaceError):
        shared.desk.text(ANNA, ReadText(workspace=shared.workspace, file="f_none"))


def test_people_are_those_of_all_files(shared: Case) -> None:
    shown = shared.desk.people(ANNA, ListPeople(workspace=shared.workspace))
    assert {one.forms[0].text: (one.count, one.files) for one in shown.people} == {
        "Jan Tolsma": (2, (shared.first,)), "Els Mol": (2, (shared.first, shared.second)),
    }  # fmt: skip
    assert (shown.total, shown.after) == (2, None)
    page = shared.desk.people(ANNA, ListPeople(workspace=shared.workspace, limit=1))
    assert (page.people, page.after, page.total) == (shown.people[:1], 1, 2)


def test_questions_are_what_nobody_has_looked_at(case: Case) -> None:
    def asked(**options: Any) -> list[str]:
        shown = case.desk.questions(
            ANNA, OpenQuestions(workspace=case.workspace, **{"sure_from": 0.95} | options)
        )
        assert shown.left >= len(shown.mentions)
        return [one.text for one in shown.mentions]

    assert sorted(asked()) == ["Els Mol", "Els Mol", "Jan Tolsma", "Jan Tolsma"]
    assert asked(sure_from=0.5) == []
    assert len(asked(limit=1)) == 1
    case.give(Confirm(case.mentions()[0].mention, everywhere=True))
    assert asked() == ["Els Mol", "Els Mol"]


def test_an_open_link_is_a_question_until_it_is_judged(case: Case) -> None:
    opened = case.filled.workspaces.opened(ANNA, case.workspace)
    first, second = ((one.document, one.start, one.end) for one in (case.mentions()[0], case.mentions()[1]))
    found = msgspec.structs.replace(case.filled.state(case.workspace).found, links=((first, second, 0.6),))
    case.filled.workspaces.held_states.begin_anew(opened.held, opened.locker, found)
    asked = OpenQuestions(workspace=case.workspace, sure_from=0.5)
    (link,) = case.desk.questions(ANNA, asked).links
    assert (link.left.text, link.right.text, link.match_probability) == ("Jan Tolsma", "Els Mol", 0.6)
    case.give(Judge(link.left.mention, link.right.mention, "reject"))
    shown = case.desk.questions(ANNA, asked)
    assert (shown.links, shown.left) == ((), 0)


def test_passages_have_the_words_around_and_leave_out_what_is_gone(shared: Case) -> None:
    jan, els, *_ = shared.mentions()
    asked = GetPassages(workspace=shared.workspace, mentions=(els.mention, "m99"), letters=20)
    (one,) = shared.desk.passages(ANNA, asked).passages
    assert (one.mention.text, one.file, one.name, one.number) == ("Els Mol", shared.first, "a.txt", 0)
    assert one.before.endswith("belde ")
    assert one.after.startswith(". Later")
    assert jan.person is not None
    of_person = shared.desk.passages(
        ANNA, GetPassages(workspace=shared.workspace, person=jan.person, limit=1)
    )
    assert (len(of_person.passages), of_person.after) == (1, 1)
    with pytest.raises(OutdatedCorrectionError):
        shared.desk.passages(ANNA, GetPassages(workspace=shared.workspace, person="nobody"))


# -- changing ------------------------------------------------------------------------------------------------


def test_commands_are_counted_stored_and_on_their_givers_name(case: Case) -> None:
    jan, els, *_ = case.mentions()
    before = case.revision
    done = case.give(Reject(jan.mention, everywhere=True), Confirm(els.mention))
    assert (done.changed, done.can_undo, done.can_redo) == ((2, 1), True, False)
    assert done.revision == case.revision == before + 1
    assert case.words() == ["Els Mol", "06-12345678"]
    assert {one.judge for one in case.filled.state(case.workspace).history.done} == {ANNA.actor}


def test_all_commands_hold_or_none(case: Case) -> None:
    jan, els, *_ = case.mentions()
    before, words = case.revision, case.words()
    with pytest.raises(OutdatedCorrectionError):
        case.give(Reject(jan.mention), Confirm("m99"))
    assert els.person is not None
    with pytest.raises(CorrectionRefusedError):
        case.give(Reject(jan.mention), Merge(els.person, els.person))
    assert (case.revision, case.words()) == (before, words)


def test_a_change_of_another_revision_is_refused(case: Case) -> None:
    jan, *_ = case.mentions()
    old = case.revision
    case.give(Confirm(jan.mention))
    with pytest.raises(StaleRevisionError):
        case.give(Reject(jan.mention), revision=old)
    assert case.words()[0] == "Jan Tolsma"


def test_words_are_marked_where_they_stand_first(case: Case) -> None:
    case.add("wiersma")  # not in this file: in the next one
    added = next(one for one in case.mentions(case.second) if one.text == "wiersma")
    assert FILES["b.txt"][added.start : added.end] == "wiersma"
    assert (added.kind, added.judged) == ("PERSON", True)
    place = FILES["b.txt"].index("douma")
    case.add("douma", file=case.second, start=place, kind="CITY")
    assert [(one.kind, one.start) for one in case.mentions(case.second) if one.text == "douma"] == [
        ("CITY", place)
    ]


@pytest.mark.parametrize(
    ("words", "options", "error"),
    [
        ("wierum", {}, CorrectionRefusedError),  # nowhere
        ("wiers", {}, CorrectionRefusedError),  # part of a word
        ("Els Mol", {}, CorrectionRefusedError),  # marked already, wherever it stands
        ("belde", {"kind": "NO_KIND"}, CorrectionRefusedError),
        ("belde", {"start": 0}, OutdatedCorrectionError),  # other words stand there
        ("belde", {"document": "none.txt"}, UnknownWorkspaceError),
        ("belde", {"file": "f_none"}, UnknownWorkspaceError),
    ],
)
def test_words_that_cannot_be_marked_change_nothing(
    shared: Case, words: str, options: dict[str, Any], error: type[Exception]
) -> None:
    before = shared.revision
    with pytest.raises(error) as caught:
        shared.add(words, **options)
    assert words not in str(caught.value)
    assert shared.revision == before


def test_a_bound_moves_by_a_word_and_back(case: Case) -> None:
    jan = case.mentions()[0].mention
    case.move(jan, "end", "wider")
    assert case.words()[0] == "Jan Tolsma belde"
    case.move(jan, "start", "narrower")
    assert case.words()[0] == "Tolsma belde"
    case.move(jan, "end", "narrower")
    assert case.words()[0] == "Tolsma"
    before = case.revision
    for side, by in (("start", "narrower"), ("end", "narrower")):
        with pytest.raises(CorrectionRefusedError):
            case.move(jan, side, by)
    with pytest.raises(OutdatedCorrectionError):
        case.move("m99", "end", "wider")
    assert (case.revision, case.words()[0]) == (before, "Tolsma")


def test_a_mention_at_the_head_of_a_text_has_no_word_before_it(shared: Case) -> None:
    with pytest.raises(CorrectionRefusedError):
        shared.move(shared.mentions()[0].mention, "start", "wider")


def test_commands_are_taken_back_and_given_again(case: Case) -> None:
    words = case.words()
    case.give(Reject(case.mentions()[0].mention))
    less = case.words()
    back = case.turn()
    assert (back.can_undo, back.can_redo, case.words()) == (False, True, words)
    again = case.turn("redo")
    assert (again.can_undo, again.can_redo, case.words()) == (True, False, less)
    assert case.turn("redo").changed == ()  # there is nothing more to give again
    assert case.words() == less


# -- files of corrections ------------------------------------------------------------------------------------


def test_files_of_corrections_go_out_and_come_in(case: Case) -> None:
    jan, els, *_ = case.mentions()
    case.give(Judge(jan.mention, els.mention, "reject"), Confirm(jan.mention))
    mentions, judgements = case.file("mentions"), case.file("judgements")
    assert [json.loads(line)["doc_id"] for line in mentions.splitlines()] == list(
        case.filled.state(case.workspace).all_documents
    )
    assert len(judgements.splitlines()) == 1
    lines = [json.loads(line) for line in mentions.splitlines()]
    lines[0]["mentions"] = lines[0]["mentions"][1:]
    taken = case.take(json.dumps(lines[0]), judgements)
    assert (taken.can_undo, taken.can_redo, taken.changed) == (False, False, ())
    assert taken.revision == case.revision
    assert case.words() == ["Els Mol", "Jan Tolsma", "06-12345678"]
    assert case.words(case.second) == ["Els Mol"]  # the file said nothing of it


def changed_line(case: Case, change: Callable[[dict[str, Any]], object]) -> str:
    line = json.loads(case.file("mentions").splitlines()[0])
    change(line)
    return json.dumps(line)


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line["mentions"][0].update(text="Piet Tolsm"),
        lambda line: line["mentions"][0].update(kind="NO_KIND"),
        lambda line: line["mentions"][0].pop("start"),
        lambda line: line.pop("doc_id"),
        lambda line: line.update(mentions=7),
    ],
)
def test_a_file_that_says_what_the_texts_do_not_is_refused(
    shared: Case, change: Callable[[dict[str, Any]], object]
) -> None:
    before, words = shared.revision, shared.words()
    with pytest.raises(WrongCorrectionsError) as caught:
        shared.take(changed_line(shared, change))
    assert "Tolsm" not in str(caught.value)
    assert (shared.revision, shared.words()) == (before, words)


@pytest.mark.parametrize(("mentions", "judgements"), [("no json", ""), ("[1]", ""), ("", "no json")])
def test_what_is_no_file_of_corrections_is_refused(shared: Case, mentions: str, judgements: str) -> None:
    with pytest.raises(WrongCorrectionsError):
        shared.take(mentions, judgements)


# -- states --------------------------------------------------------------------------------------------------


def test_nothing_is_shown_before_an_analysis(shared: Case) -> None:
    workspace, ids = shared.filled.received()
    calls: list[Callable[[], object]] = [
        lambda: shared.desk.mentions(ANNA, ListMentions(workspace=workspace, file=ids["a.txt"])),
        lambda: shared.desk.people(ANNA, ListPeople(workspace=workspace)),
        lambda: shared.desk.questions(ANNA, OpenQuestions(workspace=workspace)),
        lambda: shared.desk.corrections(ANNA, GetCorrections(workspace=workspace, what="mentions")),
        lambda: shared.desk.take(ANNA, TakeCorrections(workspace=workspace, revision=0)),
    ]
    for call in calls:
        with pytest.raises(WorkspaceStateError):
            call()


def test_while_a_job_waits_nothing_is_changed(case: Case) -> None:
    jan = case.mentions()[0].mention
    case.filled.jobs.start_analysis(ANNA, StartAnalysis(workspace=case.workspace))
    before = case.revision
    calls: list[Callable[[], object]] = [
        lambda: case.give(Reject(jan)), lambda: case.add("belde"), lambda: case.turn(), lambda: case.take(),
        lambda: case.move(jan, "end", "wider"),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(WorkspaceStateError):
            call()
    assert case.revision == before
    assert case.words()[0] == "Jan Tolsma"  # reading goes on


def test_a_correction_after_a_writing_says_that_it_was_not_written(tmp_path: Path) -> None:
    filled = FilledDesk(tmp_path)
    workspace, _ = filled.written()
    shown = filled.workspaces.show(ANNA, OfWorkspace(workspace=workspace))
    assert shown.state == "written"
    filled.corrections.give(
        ANNA, GiveCommands(workspace=workspace, revision=shown.revision, commands=(Confirm("m1"),))
    )
    assert filled.workspaces.show(ANNA, OfWorkspace(workspace=workspace)).state == "analysed"
    filled.close()
