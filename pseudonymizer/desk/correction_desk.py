"""What a caller may do with what was found in his workspaces. Each change is stored at once."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from linkage.errors import LinkageError
from linkage.judgement_file import judgements_in
from pseudonymizer.desk import workspaces as states
from pseudonymizer.desk.commands import Add, Command, Narrow, Step, Widen
from pseudonymizer.desk.corrected import in_order
from pseudonymizer.desk.correction_answered import (
    CorrectionFile,
    Corrections,
    MentionsShown,
    Passage,
    PassagesShown,
    PeopleShown,
    QuestionsShown,
    TextShown,
)
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
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.held_state import (
    HeldState,
    folded,
    judgement_file_of,
    mention_lines_of,
)
from pseudonymizer.desk.history import History
from pseudonymizer.desk.opened import Opened
from pseudonymizer.desk.passages import around, narrower, wider
from pseudonymizer.desk.people import mentions_of, open_links, people, shown, unsure
from pseudonymizer.desk.workspace_desk import WorkspaceDesk
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.errors import CorrectionRefusedError, UnknownWorkspaceError, WrongCorrectionsError
from pseudonymizer.mention_lines import given_mentions


@dataclass(frozen=True, slots=True)
class CorrectionDesk:
    """Mentions, people and corrections of workspaces."""

    workspaces: WorkspaceDesk

    # -- reading ---------------------------------------------------------------------------------------------

    def mentions(self, caller: Caller, asked: ListMentions) -> MentionsShown:
        """Mentions of a file.

        Raises:
            UnknownWorkspaceError: see WorkspaceDesk.opened.
            WorkspaceStateError: nothing was analysed yet.
        """
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        found = mentions_of(state.now, self._documents(state, asked.workspace, asked.file))
        some = found[asked.after : asked.after + asked.limit]
        end = asked.after + len(some)
        return MentionsShown(
            state.revision, tuple(shown(state.now, one) for one in some), end if end < len(found) else None
        )

    def text(self, caller: Caller, asked: ReadText) -> TextShown:
        """A stretch of a text with its mentions. Raises as mentions does."""
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        documents = self._documents(state, asked.workspace, asked.file)
        document = asked.document if asked.document is not None else next(iter(documents), "")
        if document not in documents:
            raise UnknownWorkspaceError("the file has no text of this name")
        text = state.correcting.texts.get(document, "")
        end = asked.start + asked.letters
        inside = [
            one
            for one in state.now.in_document(document)
            if one.span.start < end and one.span.end > asked.start
        ]
        inside.sort(key=in_order)
        return TextShown(
            state.revision, documents, document, asked.start, len(text), text[asked.start : end],
            tuple(shown(state.now, one) for one in inside),
        )  # fmt: skip

    def people(self, caller: Caller, asked: ListPeople) -> PeopleShown:
        """People of all files. Raises as mentions does."""
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        total = len(set(state.now.persons.values()))
        stretch = slice(asked.after, asked.after + asked.limit)
        some = tuple(people(state.now, state.found.links, state.documents, stretch))
        end = asked.after + len(some)
        return PeopleShown(state.revision, some, total, end if end < total else None)

    def questions(self, caller: Caller, asked: OpenQuestions) -> QuestionsShown:
        """Open questions. Raises as mentions does."""
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        mentions = unsure(state.now, sure_from=asked.sure_from)
        links = list(open_links(state.now, state.found.links))
        some = tuple(shown(state.now, one) for one in mentions[: asked.limit])
        return QuestionsShown(
            state.revision, some, tuple(links[: asked.limit - len(some)]), len(mentions) + len(links)
        )

    def passages(self, caller: Caller, asked: GetPassages) -> PassagesShown:
        """Mentions with the words around them; those that are gone are left out. Raises as mentions does."""
        opened = self.workspaces.opened(caller, asked.workspace)
        state = self._state(opened)
        if asked.person:
            found = state.now.of_person(asked.person)
        else:
            found = [state.now.mentions[key] for key in asked.mentions if key in state.now.mentions]
        some = found[asked.after : asked.after + asked.limit]
        end = asked.after + len(some)
        place_of = {
            document: (file, number)
            for file, documents in state.documents.items()
            for number, document in enumerate(documents)
        }
        names = {
            file: opened.name_of(self.workspaces.store.file(asked.workspace, file))
            for file in {place_of[one.document][0] for one in some}
        }
        passages = []
        for one in some:
            file, number = place_of[one.document]
            text = state.correcting.texts.get(one.document, "")
            before, after = around(text, one.span, asked.letters)
            passages.append(Passage(shown(state.now, one), file, names[file], number, before, after))
        return PassagesShown(state.revision, tuple(passages), end if end < len(found) else None)

    def corrections(self, caller: Caller, asked: GetCorrections) -> CorrectionFile:
        """A file of corrections. Raises as mentions does."""
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        if asked.what == "mentions":
            return CorrectionFile(mention_lines_of(state))
        return CorrectionFile(judgement_file_of(state.judgements()))

    # -- changing --------------------------------------------------------------------------------------------

    def give(self, caller: Caller, asked: GiveCommands) -> Corrections:
        """All commands are given by now.

        Raises:
            UnknownWorkspaceError: see WorkspaceDesk.opened.
            WorkspaceStateError: nothing was analysed yet, or a job works on the workspace.
            StaleRevisionError: the workspace was changed since the revision.
            OutdatedCorrectionError, CorrectionRefusedError: a command cannot be given; none was.
        """
        moment = self._now()
        counts: list[int] = []

        def work(state: HeldState) -> History:
            history = state.history
            for command in asked.commands:
                history, count = history.with_step(
                    state.correcting, Step(command, moment.isoformat(timespec="microseconds"), caller.actor)
                )
                counts.append(count)
            return history

        return self._changed(caller, asked, work, counts)

    def add_words(self, caller: Caller, asked: AddWords) -> Corrections:
        """The words are a mention by now.

        Raises:
            CorrectionRefusedError: they stand nowhere as whole words, or other mentions are in the way.
            UnknownWorkspaceError, WorkspaceStateError, StaleRevisionError, OutdatedCorrectionError: see give.
        """
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        documents = self._documents(state, asked.workspace, asked.file)
        document = asked.document if asked.document is not None else next(iter(documents), "")
        if document not in documents:
            raise UnknownWorkspaceError("the file has no text of this name")
        start = asked.start
        if start is None:
            order = dict.fromkeys((document, *documents, *state.all_documents))
            found = state.correcting.first_free(state.now, order, asked.words, asked.kind)
            if found is None:
                raise CorrectionRefusedError("the words stand nowhere as whole words that are free")
            document, start = found
        end = start + len(asked.words)
        command = Add(document, start, end, asked.words, asked.kind, asked.everywhere)
        return self._one(caller, asked, command)

    def move_bound(self, caller: Caller, asked: MoveBound) -> Corrections:
        """The mention is wider or narrower by a word by now.

        Raises:
            CorrectionRefusedError: there is no further word, or other mentions are in the way.
            UnknownWorkspaceError, WorkspaceStateError, StaleRevisionError, OutdatedCorrectionError: see give.
        """
        state = self._state(self.workspaces.opened(caller, asked.workspace))
        mention = state.now.mention(asked.mention)
        text = state.correcting.texts.get(mention.document, "")
        move, kind = (wider, Widen) if asked.by == "wider" else (narrower, Narrow)
        span = move(text, mention.span, asked.side)
        if span is None:
            raise CorrectionRefusedError("there is no word by which the mention could be wider, or narrower")
        return self._one(caller, asked, kind(asked.mention, span.start, span.end, span.cut(text)))

    def _one(self, caller: Caller, asked: AddWords | MoveBound, command: Command) -> Corrections:
        return self.give(
            caller,
            GiveCommands(workspace=asked.workspace, revision=asked.revision, commands=(command,)),
        )

    def turn_back(self, caller: Caller, asked: TurnBack) -> Corrections:
        """One command less, or one more again. Raises as give does."""

        def work(state: HeldState) -> History:
            history = state.history
            return history.undo(state.correcting) if asked.by == "undo" else history.redo(state.correcting)

        return self._changed(caller, asked, work, [])

    def take(self, caller: Caller, asked: TakeCorrections) -> Corrections:
        """Corrections of files of the command line are taken by now; nothing of them can be taken back.

        Raises:
            WrongCorrectionsError: a file cannot be read, or says what its text does not.
            UnknownWorkspaceError, WorkspaceStateError, StaleRevisionError: see give.
        """
        opened = self.workspaces.opened(caller, asked.workspace)
        self.workspaces.store.refuse_unless_idle(opened.held.workspace_id)
        state = self._state(opened)
        found = folded(state, without="")
        try:
            lines = [json.loads(line) for line in asked.mentions.splitlines() if line.strip()]
            given = {str(line["doc_id"]): line for line in lines if "error" not in line}
            _check_places(state, given_mentions(lines))
            judged = judgements_in(asked.judgements)
        except (ValueError, KeyError, TypeError, AttributeError, LinkageError):
            raise WrongCorrectionsError(
                "a file of corrections is none, or names what does not stand in the texts"
            ) from None
        merged = tuple(given.get(str(line["doc_id"]), line) for line in found.lines)
        all_judged = judgement_file_of([*state.judgements(), *judged]).decode()
        new = msgspec.structs.replace(found, lines=merged, judgements=all_judged)
        _ = new.state()  # refuses what cannot be read before anything is stored
        after = self.workspaces.held_states.begin_anew(opened.held, opened.locker, new, asked.revision)
        self.workspaces.store.set_state(opened.held.workspace_id, states.ANALYSED)
        return Corrections(after, (), can_undo=False, can_redo=False)

    def _changed(
        self,
        caller: Caller,
        asked: GiveCommands | TurnBack,
        work: Callable[[HeldState], History],
        counts: list[int],
    ) -> Corrections:
        opened = self.workspaces.opened(caller, asked.workspace)
        store = self.workspaces.store
        store.refuse_unless_idle(opened.held.workspace_id)
        after = self.workspaces.held_states.change(opened.held, opened.locker, asked.revision, work)
        if opened.held.state == states.WRITTEN:
            store.set_state(opened.held.workspace_id, states.ANALYSED)
        return Corrections(
            after.revision, tuple(counts), can_undo=bool(after.history.done),
            can_redo=bool(after.history.undone),
        )  # fmt: skip

    # -- state -----------------------------------------------------------------------------------------------

    def _now(self) -> datetime:
        return self.workspaces.store.clock()

    def _state(self, opened: Opened) -> HeldState:
        return self.workspaces.held_states.of(opened.held, opened.locker)

    def _documents(self, state: HeldState, workspace_id: str, file_id: str) -> tuple[str, ...]:
        self.workspaces.store.file(workspace_id, file_id)
        return state.documents.get(file_id, ())


def _check_places(state: HeldState, given: Mapping[str, Sequence[GivenMention]]) -> None:
    """Raises ValueError where a given mention is of an unknown kind, or other words stand at its place."""
    texts, kinds = state.correcting.texts, state.correcting.kinds
    for document, mentions in given.items():
        text = texts.get(document)
        for one in mentions if text is not None else ():
            if one.kind not in kinds or one.span.cut(text or "") != one.text:
                raise ValueError("other words stand there")
