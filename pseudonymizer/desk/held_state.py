"""What was found in a workspace and how it was corrected: sealed, and stored with each command.

What the analysis found is one sealed file; each command after it is a sealed row. Together they give the
state at a revision, which each process keeps at hand as long as the revision is the same.
"""

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from linkage.judgement import Judgement, MentionPlace
from linkage.judgement_file import judgement_lines, judgements_in
from linkage.kinds import Kinds
from pseudonymizer.desk.commands import Step
from pseudonymizer.desk.corrected import Corrected, corrected
from pseudonymizer.desk.correcting import Correcting
from pseudonymizer.desk.history import History
from pseudonymizer.desk.locker import Locker
from pseudonymizer.desk.store import step
from pseudonymizer.desk.workspaces import Workspace, WorkspaceStore
from pseudonymizer.errors import WorkspaceStateError

FOUND: Final = "found"  # the name of the sealed file of a whole workspace
_KEPT: Final = 2  # workspaces of which a process keeps the state at hand
_MOST_LETTERS: Final = 50_000_000  # of texts in them: larger ones are read anew for each request

Line = dict[str, Any]
Place = tuple[str, int, int]


class FileFound(msgspec.Struct, frozen=True, array_like=True):
    """What was found in one file: names of its documents, and their texts."""

    documents: tuple[str, ...]
    texts: dict[str, str]

    def __repr__(self) -> str:
        return f"FileFound({len(self.documents)} documents)"


class AllFound(msgspec.Struct, frozen=True, array_like=True):
    """What was found in all files, and linked.

    lines: of the documents, as `nymlink detect` writes them. persons: the person of each mention of one, by
    its place. links: pairs of places that may be one person, with the match probability, the likeliest
    first. judgements: lines of the file of judgements, of corrections before. base: tells it from others, so
    that commands which were given on another one are told apart.
    """

    lines: tuple[Line, ...]
    persons: tuple[tuple[str, int, int, str], ...] = ()
    links: tuple[tuple[Place, Place, float], ...] = ()
    judgements: str = ""
    base: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))

    def __repr__(self) -> str:
        return f"AllFound({len(self.lines)} documents)"

    def state(self) -> Corrected:
        """The mentions and verdicts before any command."""
        persons = {MentionPlace(document, start, end): one for document, start, end, one in self.persons}
        return corrected(self.lines, persons, judgements_in(self.judgements))


class _StoredStep(msgspec.Struct, frozen=True, array_like=True):
    """A command, and what it was given on."""

    base: str
    step: Step


@dataclass(frozen=True, slots=True)
class HeldState:
    """The state of a workspace at a revision. documents: by file. mark: of the sealed file of what was found,
    see Locker.mark_of.
    """

    revision: int
    history: History
    correcting: Correcting
    found: AllFound
    documents: Mapping[str, tuple[str, ...]] = field(repr=False)
    mark: tuple[int, int, int] | None = None

    @property
    def now(self) -> Corrected:
        return self.history.now

    @property
    def all_documents(self) -> list[str]:
        """The documents of the files that there are, in their order."""
        return [document for documents in self.documents.values() for document in documents]

    def lines(self) -> list[Line]:
        """The lines of all documents as they are corrected."""
        return list(self.now.lines(self.all_documents))

    def judgements(self) -> tuple[Judgement, ...]:
        """All verdicts."""
        return self.now.judgements()


class HeldStates:
    """The states of the workspaces of a desk."""

    def __init__(self, store: WorkspaceStore, kinds: Kinds) -> None:
        self._store = store
        self._kinds = kinds
        self._kept: OrderedDict[str, HeldState] = OrderedDict()

    def of(self, held: Workspace, locker: Locker) -> HeldState:
        """The state of a workspace now.

        Raises:
            WorkspaceStateError: nothing was analysed yet.
        """
        kept = self._kept.get(held.workspace_id)
        if kept is not None and kept.revision == held.revision:
            self._kept.move_to_end(held.workspace_id)
            return kept
        mark = locker.mark_of(FOUND)
        if mark is None:
            raise WorkspaceStateError("the files were not analysed yet; start that first")
        if kept is not None and kept.mark == mark:  # another process has given commands meanwhile
            return self._caught_up(held, locker, kept)
        found = msgspec.msgpack.decode(locker.get(FOUND), type=AllFound)
        texts: dict[str, str] = {}
        documents: dict[str, tuple[str, ...]] = {}
        for file in self._store.files(held.workspace_id):
            if locker.has(name := f"{file.file_id}.{FOUND}"):
                told = msgspec.msgpack.decode(locker.get(name), type=FileFound)
                documents[file.file_id] = told.documents
                texts |= told.texts
        correcting = Correcting(texts, self._kinds)
        done, undone = self._steps(held.workspace_id, locker, found.base)
        history = History.replayed(correcting, found.state(), done)
        made = HeldState(held.revision, history.with_undone(undone), correcting, found, documents, mark)
        self._keep(held.workspace_id, made)
        return made

    def _caught_up(self, held: Workspace, locker: Locker, kept: HeldState) -> HeldState:
        """An earlier state with the commands that were given, or taken back, since."""
        done, undone = self._steps(held.workspace_id, locker, kept.found.base)
        history = kept.history
        same = _same(history.done, done)
        while len(history.done) > same:
            history = history.undo(kept.correcting)
        for one in done[same:]:
            history, _ = history.with_step(kept.correcting, one)
        made = replace(kept, revision=held.revision, history=history.with_undone(undone))
        self._keep(held.workspace_id, made)
        return made

    def change(
        self, held: Workspace, locker: Locker, revision: int, work: Callable[[HeldState], History]
    ) -> HeldState:
        """The state after work, which is stored by now. revision: at which the caller saw it.

        Raises:
            StaleRevisionError: the workspace was changed since; nothing is stored.
            UnknownWorkspaceError: it is gone.
            CorrectionRefusedError: what work raises; nothing is stored.
        """
        with self._store.changing(held.workspace_id, revision) as connection:
            before = self.of(replace(held, revision=revision), locker)
            history = work(before)
            self._write(connection, held.workspace_id, locker, before, history)
        made = replace(before, revision=revision + 1, history=history)
        self._keep(held.workspace_id, made)
        return made

    def begin_anew(
        self, held: Workspace, locker: Locker, found: AllFound, revision: int | None = None
    ) -> int:
        """The revision at which this is stored. Commands before it are part of it; they cannot be taken back
        now. revision: see change; None: any.

        Raises:
            StaleRevisionError: see change.
            UnknownWorkspaceError: the workspace is gone.
        """
        with self._store.changing(held.workspace_id, revision) as connection:
            locker.put(FOUND, msgspec.msgpack.encode(found))
            connection.execute(step.delete().where(step.c.workspace_id == held.workspace_id))
        self._kept.pop(held.workspace_id, None)
        return self._store.get(held.workspace_id).revision

    def forget(self, workspace_id: str) -> None:
        """Drop what is kept of a workspace."""
        self._kept.pop(workspace_id, None)

    def _keep(self, workspace_id: str, state: HeldState) -> None:
        self._kept[workspace_id] = state
        self._kept.move_to_end(workspace_id)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        if sum(map(len, state.correcting.texts.values())) > _MOST_LETTERS:
            del self._kept[workspace_id]

    def _steps(
        self, workspace_id: str, locker: Locker, base: str
    ) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """(commands that hold, commands that were taken back, the latest last)."""
        chosen = sa.select(step).where(step.c.workspace_id == workspace_id).order_by(step.c.number)
        with self._store.store.transaction() as connection:
            rows = connection.execute(chosen).all()
        told = []
        for row in rows:
            raw = locker.unseal(bytes(row.sealed), what=f"step/{row.number}")
            stored = msgspec.msgpack.decode(raw, type=_StoredStep)
            if stored.base == base:
                told.append((stored.step, row.is_undone))
        done = tuple(one for one, is_undone in told if not is_undone)
        return done, tuple(one for one, is_undone in reversed(told) if is_undone)

    def _write(
        self, connection: sa.Connection, workspace_id: str, locker: Locker, before: HeldState, after: History
    ) -> None:
        own = step.c.workspace_id == workspace_id
        same = _same(before.history.done, after.done)
        connection.execute(step.delete().where(own, step.c.number >= same))
        rows = [(one, False) for one in after.done[same:]]
        rows += [(one, True) for one in reversed(after.undone)]
        for number, (one, is_undone) in enumerate(rows, start=same):
            raw = msgspec.msgpack.encode(_StoredStep(before.found.base, one))
            sealed = locker.seal(raw, what=f"step/{number}")
            connection.execute(
                step.insert().values(
                    workspace_id=workspace_id, number=number, sealed=sealed, is_undone=is_undone
                )
            )


def folded(state: HeldState, *, without: str) -> AllFound:
    """The state as if it had been found so, without what is of one file."""
    gone = frozenset(state.documents.get(without, ()))
    documents = [one for one in state.all_documents if one not in gone]
    now = state.now
    persons = tuple(
        (mention.document, mention.span.start, mention.span.end, person)
        for key, person in now.persons.items()
        if (mention := now.mentions[key]).document not in gone
    )
    links = tuple(one for one in state.found.links if one[0][0] not in gone and one[1][0] not in gone)
    judged = [
        one
        for one in now.judgements()
        if not any(place is not None and place.document in gone for place in (one.left_at, one.right_at))
    ]
    return AllFound(tuple(now.lines(documents)), persons, links, judgement_file_of(judged).decode())


def _same(before: Sequence[Step], after: Sequence[Step]) -> int:
    """How many steps at the head are the same."""
    for number, (left, right) in enumerate(zip(before, after, strict=False)):
        if left is not right and left != right:
            return number
    return min(len(before), len(after))


def mention_lines_of(state: HeldState) -> bytes:
    """The file that `run --mentions` reads."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in state.lines()).encode()


def judgement_file_of(judgements: Iterable[Judgement]) -> bytes:
    """The file that `run --judgements` reads."""
    return "".join(judgement_lines(judgements)).encode()
