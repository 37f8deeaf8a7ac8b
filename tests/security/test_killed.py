"""SIGKILL at each commit of an erasure and of every rotation, then the rest: nothing of the erased stays.

The verb runs in a process of its own, which kills itself right before or right behind a commit of a store, or
of the work file of an output folder. No handler runs, nothing is rolled back, nothing is closed.
"""

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from linkage.records import DocumentId
from pseudonymizer.assignment import assign
from pseudonymizer.errors import UnknownPseudonymError, WrongKeyError
from pseudonymizer.keyring import FileKey
from pseudonymizer.records import Rewrite, RewriteEdit, Rotated
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import rotate, rotate_kek, unfinished
from pseudonymizer.vault.store.stores import Store
from pseudonymizer.work_files import store
from tests.fakes import linkage_result
from tests.pseudonymizer.batch_fakes import PROJECT
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.pseudonymizer.runs.test_run import fill, run
from tests.security.test_erased_folders import plain_text, work_db

_MOST_MOMENTS: Final = 120
_ENDED: Final = 77  # the exit status of a process that nobody killed
PEOPLE: Final = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Wim Faber"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Wim Faber")]]
)
FILES: Final = {"brief Jan Tolsma.txt": b"Jan Tolsma kwam bij Els Mol.", "b.txt": b"Els Mol ging."}


def _kill_at(moment: int) -> None:
    """Let this process end at a moment: an even number is before a commit, an odd one behind it."""
    passed = iter(range(_MOST_MOMENTS))
    commit, transaction = Store.commit, store._transaction_of

    def pass_one() -> None:
        if next(passed) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def committed(self: Store) -> None:
        if not self.in_transaction:
            return
        pass_one()
        commit(self)
        pass_one()

    @contextmanager
    def in_transaction(connection: sqlite3.Connection) -> Iterator[None]:
        with transaction(connection):
            yield
            pass_one()
        pass_one()

    Store.commit = committed  # type: ignore[method-assign]
    store._transaction_of = in_transaction


def _killed(act: Callable[[], object], moment: int) -> bool:
    """Whether a process of its own was killed at this moment of doing something; False: it had ended."""
    child = os.fork()
    if child == 0:
        try:
            _kill_at(moment)
            act()
            os._exit(_ENDED)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == _ENDED, "the verb failed by itself"
    return False


def killed_everywhere(folder: Path, act: Callable[[], object]) -> Iterator[int]:
    """Does something again and again in a folder that is as it was, each time killed at a later moment."""
    template = folder.with_name(f"{folder.name}-template")
    shutil.copytree(folder, template)
    for moment in range(_MOST_MOMENTS):
        if not _killed(act, moment):
            assert moment > 3
            return
        yield moment
        shutil.rmtree(folder)
        shutil.copytree(template, folder)
    raise AssertionError("it never ends")


@pytest.fixture
def place(tmp_path: Path) -> VaultPlace:
    (tmp_path / "vault").mkdir()
    return sqlite_place_in(tmp_path / "vault")


def _with_people(place: VaultPlace) -> list[str]:
    with place.create() as vault:
        given = assign(PEOPLE, vault, project="p")
        people = [given[mention.mention_id] for mention in PEOPLE.mentions]
        edits = tuple(
            RewriteEdit(n, "kop", 30 * n, 30 * n + 23, b"origineel van %d" % n, one.entity_id)
            for n, one in enumerate(people)
        )
        own = RewriteEdit(len(edits), "kop", 200, 223, b"van niemand", None)
        vault.store_rewrite(
            "p", Rewrite(DocumentId("d"), "txt", (*edits, own), "pad/Jan Tolsma"), output=b"uit"
        )
        vault.commit()
    return [one.label for one in people]


def _sealed_of(place: VaultPlace, label: str) -> list[bytes]:
    """The last bytes of the wrapped key and of every sealed value of a person."""
    with place.open() as vault:
        ((number,),) = vault.store.rows("SELECT entity_id FROM pseudonym WHERE label = ?", (label,))
        found = vault.key_records.rows("SELECT wrapped FROM entity_key WHERE entity_id = ?", (number,))
        for table in ("form", "edit"):
            found += vault.store.rows(f"SELECT sealed FROM {table} WHERE entity_id = ?", (number,))  # noqa: S608
    return [bytes(value)[-32:] for (value,) in found]


def _stored(place: VaultPlace) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(place.folder.glob("vault*")))


def test_an_erasure_killed_anywhere_is_finished_and_leaves_nothing(place: VaultPlace) -> None:
    labels = _with_people(place)
    needles = _sealed_of(place, labels[0])
    assert len(needles) == 3
    assert all(needle in _stored(place) for needle in needles)

    def act() -> None:
        with place.open() as vault:
            vault.erase(project="p", pseudonyms=labels[:1], purpose="verzoek")

    begun = set()
    for _ in killed_everywhere(place.folder, act):
        with place.open() as vault:  # the next opening finishes what was begun
            is_begun = any(event.action == "erase" for event in vault.audit_events())
            assert vault.verify().findings == ()
            assert len(reveal(vault, project="p", pseudonyms=labels[1:], purpose="toets")) == 2
            if is_begun:
                with pytest.raises(UnknownPseudonymError):
                    reveal(vault, project="p", pseudonyms=labels[:1], purpose="toets")
            else:
                assert reveal(vault, project="p", pseudonyms=labels[:1], purpose="toets")
        assert any(needle in _stored(place) for needle in needles) is not is_begun
        begun.add(is_begun)
    assert begun == {False, True}


def test_an_erasure_killed_anywhere_leaves_nothing_in_output_folders(
    tmp_path: Path, place: VaultPlace
) -> None:
    with place.create() as vault:
        vault.commit()
    world = tmp_path / "vault"
    source = fill(world / "in", FILES)
    run(place.open, [source], world / "out")
    with place.open() as vault:
        jan = vault.lookup(project=PROJECT, name="Jan Tolsma", purpose="t").pseudonyms[0]

    def act() -> None:
        with place.open() as vault:
            vault.erase(project=PROJECT, pseudonyms=[jan], purpose="verzoek")

    for _ in killed_everywhere(world, act):
        with place.open() as vault:
            text = plain_text(vault, work_db(world / "out")).lower()
            is_begun = any(event.action == "erase" for event in vault.audit_events())
            assert vault.verify().findings == ()
        assert (b"tolsma" in text) is not is_begun
        assert b"mol" in text
        assert run(place.open, [source], world / "out").documents["ok"] == len(FILES)


@pytest.mark.parametrize("what", Rotated)
def test_a_rotation_killed_anywhere_keeps_everybody_and_is_finished_by_the_next(
    place: VaultPlace, what: Rotated
) -> None:
    labels = _with_people(place)

    def act() -> None:
        with place.open() as vault:
            rotate(vault, what, project_name="p", batch=2)

    for _ in killed_everywhere(place.folder, act):
        with place.open() as vault:
            assert vault.verify().findings == ()
            assert len(reveal(vault, project="p", pseudonyms=labels, purpose="toets")) == 3
            rotate(vault, what, project_name="p", batch=2)
            assert unfinished(vault, "p") == ()
            assert vault.verify().findings == ()
            assert len(reveal(vault, project="p", pseudonyms=labels, purpose="toets")) == 3
            ((keys,),) = vault.key_records.rows("SELECT max(length(wrapped)) FROM entity_key")
            assert keys < 80, "nobody has two keys any more"
        with place.open() as vault:
            (rewrite,) = vault.restore(project="p", outputs=[b"uit"], purpose="toets")
            assert rewrite is not None
            assert len(rewrite.edits) == 4
            assert rewrite.edits[-1].original == b"van niemand"


def test_a_new_kek_killed_anywhere_leaves_one_key_that_opens(place: VaultPlace) -> None:
    labels = _with_people(place)
    new = FileKey(place.folder / "new.key")

    def act() -> None:
        with place.open() as vault:
            rotate_kek(vault, new)

    opened = set()
    for _ in killed_everywhere(place.folder, act):
        keys = [place.key, *([new] if (place.folder / "new.key").exists() else [])]
        fitting = []
        for key in keys:
            try:
                with Vault.open(place.url, key, clock=place.clock, actor="tester") as vault:
                    assert vault.verify().findings == ()
                    assert len(reveal(vault, project="p", pseudonyms=labels, purpose="toets")) == 3
            except WrongKeyError:
                continue
            fitting.append(key)
        assert len(fitting) == 1
        opened.add(fitting[0] is new)
    assert opened == {False, True}
