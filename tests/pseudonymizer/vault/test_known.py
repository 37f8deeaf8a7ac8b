"""A vault that stays open keeps the known people in memory, and sees at once what other processes changed."""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from linkage.kept_words import KeptWords
from linkage.records import DocumentId, KnownIdentity, PersonName
from pseudonymizer.assignment import assign
from pseudonymizer.errors import AccessRefusedError, KeyDestroyedError, VaultDamagedError, WrongKeyError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.records import Known, Rewrite, RewriteEdit, Rotated
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault, erasure
from pseudonymizer.vault.care.rotation import rotate, rotate_kek
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.known import KnownPeople
from pseudonymizer.vault.rows import people
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, J. Tolsma", "b": "Bram Dijk"},
    [[("a", "Jan Tolsma"), ("a", "J. Tolsma")], [("a", "Els Kok")], [("b", "Bram Dijk")]],
)


class Two:
    """Two open vaults at one place, as two processes have them, and the pseudonyms of three people."""

    def __init__(self, place: VaultPlace) -> None:
        self.place = place
        self.there = place.create()
        given = assign(RESULT, self.there, project="p")
        self.ids = {m.mention.surface: given[m.mention_id].entity_id for m in RESULT.mentions}
        self.labels = {m.mention.surface: given[m.mention_id].label for m in RESULT.mentions}
        self.there.commit()
        self.here = place.open()
        self.here.known("p")

    def met(self, vault: Vault, document: str, name: str) -> str:
        (given,) = assign(linkage_result({document: name}, [[(document, name)]]), vault, project="p").values()
        vault.commit()
        return given.label

    def fresh(self) -> Known:
        with self.place.open() as vault:
            return vault.known("p")


@pytest.fixture
def two(place: VaultPlace) -> Iterator[Two]:
    made = Two(place)
    yield made
    made.here.close()
    made.there.close()


def families(known: Known) -> set[str | None]:
    return {name.family for person in known.people for name in person.names}


def in_memory(family: str) -> int:
    gc.collect()
    return sum(
        any(name.family == family for name in one.names)
        for one in gc.get_objects()
        if issubclass(type(one), KnownIdentity)  # asking an object of torch for its class warns
    )


def new_person(two: Two) -> None:
    two.met(two.there, "c", "Wim Postma")


def new_form(two: Two) -> None:
    two.there.known_identities("p")
    result = linkage_result(
        {"c": "Johan Tolsma"}, [[("c", "Johan Tolsma")]], known={0: two.ids["Jan Tolsma"]}
    )
    assign(result, two.there, project="p")
    two.there.commit()


def erased(two: Two) -> None:
    two.there.erase(project="p", pseudonyms=[two.labels["Els Kok"]], purpose="verzoek")


def unseen_for_long(two: Two) -> None:
    two.place.clock.advance(days=40)
    two.there.erase_unseen_since(project="p", days=30, purpose="termijn", clock_is_right=True)


def taken_apart(two: Two) -> None:
    jan = two.labels["Jan Tolsma"]
    split(two.there, project="p", pseudonym=jan, part=Part(surfaces=["J. Tolsma"]), purpose="twee mensen")


def merged(two: Two) -> None:
    some = [two.labels["Jan Tolsma"], two.labels["Bram Dijk"]]
    two.there.merge(project="p", pseudonyms=some, purpose="een mens")


def unmerged(two: Two) -> None:
    merged(two)
    some = [two.labels["Jan Tolsma"], two.labels["Bram Dijk"]]
    two.there.unmerge(project="p", pseudonyms=some, purpose="toch niet")


def company(two: Two) -> None:
    edits = tuple(
        RewriteEdit(n, "", 9 * n, 9 * n + 4, name.encode(), two.ids[name])
        for n, name in enumerate(("Jan Tolsma", "Bram Dijk"))
    )
    two.there.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits), output=b"uit")
    two.there.commit()


def decoy(two: Two) -> None:
    name = PersonName(given="otto", family="lok")
    two.there.add_decoy(project="p", name=name, surface="Otto Lok")
    two.there.commit()


def rotated(what: Rotated) -> Callable[[Two], None]:
    def act(two: Two) -> None:
        two.there.rotate(what, project_name="p")

    return act


CHANGES: dict[str, Callable[[Two], None]] = {
    "new person": new_person, "new form": new_form, "erase": erased, "retention": unseen_for_long,
    "split": taken_apart, "merge": merged, "split again": unmerged, "company": company, "decoy": decoy,
    **{f"rotate {what}": rotated(what) for what in Rotated},
}  # fmt: skip
SAME_PEOPLE = {"merge", "decoy", *(f"rotate {what}" for what in Rotated)}


@pytest.mark.parametrize("change", CHANGES)
def test_what_another_process_did_is_seen_in_the_next_call(two: Two, change: str) -> None:
    before = two.here.known("p")
    assert two.here.known("p") is before
    CHANGES[change](two)
    after = two.here.known("p")
    assert after.revision != before.revision
    assert set(after.people) == set(two.fresh().people)
    assert (set(after.people) == set(before.people)) is (change in SAME_PEOPLE)
    assert two.here.known("p") is after
    label = two.met(two.here, "z", "Anna Bakker")  # what is written here now can be read there
    assert "bakker" in families(two.there.known("p"))
    assert two.there.reveal(project="p", pseudonyms=[label], purpose="toets")[label].name == "Anna Bakker"
    assert two.there.verify().findings == ()


@pytest.mark.parametrize("change", CHANGES)
def test_what_this_vault_did_itself_is_seen_too(two: Two, change: str) -> None:
    before = two.there.known("p")
    CHANGES[change](two)
    after = two.there.known("p")
    assert after.revision != before.revision
    assert set(after.people) == set(two.fresh().people)


def test_what_changes_nobody_is_not_read_again(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    before = two.here.known("p")
    two.there.ensure_project("q")
    assign(linkage_result({"c": "Wim Postma"}, [[("c", "Wim Postma")]]), two.there, project="q")
    two.there.commit()
    two.there.change_settings("p", ProjectSettings(grant_minutes=7))
    two.there.commit()
    two.there.reveal(project="p", pseudonyms=[two.labels["Els Kok"]], purpose="toets")
    monkeypatch.setattr(people, "known_identities", None)
    for _ in range(3):
        assert two.here.known("p") is before
        two.here.rollback()
        assert two.here.linked("p", [], linker=NoLinker).seen_through == before.seen_through


class NoLinker:
    def link(self, mentions: Any, *, known: Any = (), judgements: Any = ()) -> Any:
        del mentions, judgements
        return known


def test_settings_of_another_process_hold_in_the_next_call(two: Two) -> None:
    assert two.here.project_settings("p").single_approval
    two.there.change_settings("p", ProjectSettings(single_approval=False))
    two.there.commit()
    assert not two.here.project_settings("p").single_approval


def test_settings_that_somebody_else_wrote_are_refused_while_it_is_open(sqlite_place: VaultPlace) -> None:
    two = Two(sqlite_place)
    with two.here as here, two.there as there:
        assert here.project_settings("p").single_approval
        there.store.begin_write()
        there.store.run_many(
            "UPDATE project SET settings = ? WHERE name = ?", [('{"grant_minutes": 9}', "p")]
        )
        there.store.commit()
        with pytest.raises(VaultDamagedError):
            here.project_settings("p")


def test_a_role_that_is_taken_away_holds_although_people_are_in_memory(two: Two) -> None:
    two.there.give_role("ana", Role.ANALYST)
    two.there.commit()
    with two.place.open("ana") as ana:
        assert ana.known("p").people
        two.there.take_role("ana", Role.ANALYST)
        two.there.commit()
        with pytest.raises(AccessRefusedError):
            ana.known("p")


def test_a_new_kek_closes_vaults_that_were_open(two: Two) -> None:
    rotate_kek(two.there, FileKey(two.place.folder / "nieuw.key"))
    for ask in (
        lambda: two.here.known("p"),
        lambda: two.here.project_settings("p"),
        lambda: two.met(two.here, "c", "Wim Postma"),
        lambda: two.here.reveal(project="p", pseudonyms=[two.labels["Els Kok"]], purpose="toets"),
    ):
        with pytest.raises(WrongKeyError, match="open it again"):
            ask()
        two.here.rollback()
    assert "kok" in families(two.there.known("p"))


# -- memory --------------------------------------------------------------------------------------------------


def test_nothing_of_an_erased_person_stays_in_memory(two: Two) -> None:
    assert in_memory("kok") == 1
    erased(two)
    assert in_memory("kok") == 1  # nobody has asked here since
    assert "kok" not in families(two.here.known("p"))
    assert in_memory("kok") == 0
    assert in_memory("tolsma") == 1


def test_who_erases_forgets_at_once(two: Two) -> None:
    two.here.close()
    two.there.known("p")
    assert in_memory("kok") == 1
    erased(two)
    assert in_memory("kok") == 0


def test_nothing_outlives_the_closing(two: Two) -> None:
    two.there.known("p")
    assert in_memory("tolsma") == 2
    two.there.close()
    assert in_memory("tolsma") == 1
    two.here.close()
    assert in_memory("tolsma") == 0


def test_vaults_of_one_process_can_share_them(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = KnownPeople()
    two.here.close()
    with two.place.open("ana") as ana, two.place.open("boss") as boss:
        ana.share_known(shared)
        boss.share_known(shared)
        known = ana.known("p")
        with monkeypatch.context() as patched:
            patched.setattr(people, "known_identities", None)
            assert boss.known("p") is known
        ana.close()
        assert boss.known("p") is known
        boss.erase(project="p", pseudonyms=[two.labels["Els Kok"]], purpose="verzoek")
        del known
        assert in_memory("kok") == 0
        boss.known("p")
    assert in_memory("tolsma") == 0


# -- units of work -------------------------------------------------------------------------------------------


def test_what_is_not_committed_is_seen_here_and_kept_nowhere(two: Two) -> None:
    before = two.here.known("p")
    assign(linkage_result({"c": "Wim Postma"}, [[("c", "Wim Postma")]]), two.here, project="p")
    seen = two.here.known("p")
    assert "postma" in families(seen)
    assert len({before.revision, seen.revision, two.here.known("p").revision}) == 3
    two.here.rollback()
    assert two.here.known("p") is before


def test_an_unknown_project_has_nobody_until_it_is_made(two: Two) -> None:
    assert two.here.known("later") == Known()
    two.there.ensure_project("later")
    assign(linkage_result({"c": "Wim Postma"}, [[("c", "Wim Postma")]]), two.there, project="later")
    two.there.commit()
    assert families(two.here.known("later")) == {"postma"}


def test_an_older_state_that_is_put_back_is_refused_by_the_next_write(sqlite_place: VaultPlace) -> None:
    """Rows that go back together with their count are told from the trail."""
    two = Two(sqlite_place)
    with two.here as here, two.there as there:
        old = {
            table: there.store.rows(f"SELECT * FROM {table}")  # noqa: S608  our own tables
            for table in ("entity", "form", "checkpoint")
        }
        two.met(there, "c", "Wim Postma")
        assert "postma" in families(here.known("p"))
        there.store.begin_write()
        for table, rows in old.items():
            there.store.run_many(f"DELETE FROM {table} WHERE 1 = ?", [(1,)])  # noqa: S608
            marks = ", ".join("?" * len(rows[0]))
            there.store.run_many(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
        there.store.commit()
        with pytest.raises(VaultDamagedError, match="put back"):
            two.met(there, "d", "Anna Bakker")


# -- other processes at work ---------------------------------------------------------------------------------


def test_an_erasure_that_was_killed_before_its_keys_went_is_finished(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "_finish", killed)
        with pytest.raises(KeyboardInterrupt):
            erased(two)
    two.there.close()
    assert "kok" not in families(two.here.known("p"))
    assert two.here.store.scalar("SELECT count(*) FROM job") == 0
    assert two.here.verify().findings == ()


def test_an_erasure_that_was_killed_after_its_keys_went_is_finished(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, done = two.there.store.commit, list[int]()

    def killed() -> None:
        if two.there.key_records.scalar("SELECT count(*) FROM entity_key") == 2:
            raise KeyboardInterrupt
        done.append(1)
        commit()

    with monkeypatch.context() as patched:
        patched.setattr(two.there.store, "commit", killed)
        with pytest.raises(KeyboardInterrupt):
            erased(two)
    two.there.close()
    assert done
    assert "kok" not in families(two.here.known("p"))
    assert two.here.verify().findings == ()


def test_two_who_finish_one_erasure_do_it_once(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open vault looks between the two steps of another one: it cannot tell whether that one lives."""
    finish, looks = erasure._finish, list[int]()

    def looked_at(vault: Any, job_id: str, state: Any) -> Any:
        if vault is two.there and not looks:
            looks.append(1)
            assert "kok" not in families(two.here.known("p"))
        return finish(vault, job_id, state)

    monkeypatch.setattr(erasure, "_finish", looked_at)
    label = two.labels["Els Kok"]
    receipt = two.there.erase(project="p", pseudonyms=[label], purpose="verzoek")
    assert looks
    assert receipt.pseudonyms == (label,)
    assert receipt.rows["entity"] == 1
    assert any("backups" in line for line in receipt.remains)
    done = [e for e in two.there.audit_events() if (e.action, e.outcome) == ("erase", "done")]
    assert [e.sequence for e in done] == [receipt.audit_sequence]
    assert two.there.verify().findings == ()


def test_keys_that_go_while_people_are_read_are_no_damage(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    read, alone = people.known_identities, list[bool]()

    def racing(vault: Any, keys: Any) -> Any:
        alone.append(vault.store.in_transaction)
        if len(alone) == 1:
            raise KeyDestroyedError("the data key of entity 2 is gone")
        return read(vault, keys)

    new_person(two)
    monkeypatch.setattr(people, "known_identities", racing)
    assert "postma" in families(two.here.known("p"))
    assert alone == [False, True]
    assert not two.here.has_open_work()


def test_a_person_without_a_key_is_damage_all_the_same(two: Two) -> None:
    two.there.key_records.begin_write()
    two.there.key_records.run_many("DELETE FROM entity_key WHERE entity_id = ?", [(2,)])
    two.there.key_records.commit()
    new_person(two)
    for _ in range(2):
        with pytest.raises(KeyDestroyedError):
            two.here.known("p")
        assert not two.here.has_open_work()


WRITERS: dict[str, Callable[[Two], object]] = {
    "assign": lambda two: two.met(two.here, "c", "Wim Postma"),
    "literal": lambda two: two.here.literal_label("p", "P1-" + "0" * 20),
    "decoy": lambda two: two.here.add_decoy(
        project="p", name=PersonName(given="otto", family="lok"), surface="Otto Lok"
    ),
    "store": lambda two: two.here.store_rewrite(
        "p", Rewrite(DocumentId("d"), "txt", (RewriteEdit(0, "", 0, 4, b"7", None),)), output=b"uit"
    ),
    "erase": lambda two: two.here.erase(
        project="p", pseudonyms=[two.labels["Els Kok"]], purpose="verzoek"
    ),
    "reveal": lambda two: two.here.reveal(
        project="p", pseudonyms=[two.labels["Els Kok"]], purpose="toets"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", [Rotated.WRAP, Rotated.INDEX])
@pytest.mark.parametrize("writer", WRITERS)
def test_keys_that_are_rotated_while_a_writer_waits_are_not_used(
    two: Two, writer: str, what: Rotated, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = two.here.store.begin_write
    rotations = list[int]()

    def begin_after_rotation() -> None:
        if not rotations and not two.here.store.in_transaction:
            rotations.append(1)
            rotate(two.there, what, project_name="p")
        begin()

    two.here.keys_of("p")
    monkeypatch.setattr(two.here.store, "begin_write", begin_after_rotation)
    WRITERS[writer](two)
    two.here.commit()
    assert rotations
    assert two.there.verify().findings == ()
    assert two.fresh().people
    with two.place.open() as vault:
        again = linkage_result({"y": "Wim Postma"}, [[("y", "Wim Postma")]])
        (found,) = assign(again, vault, project="p", seen_through=0).values()
        vault.commit()
        named = vault.reveal(project="p", pseudonyms=[found.label], purpose="toets")[found.label]
        assert named.name == "Wim Postma"
        if writer == "store":
            (rewrite,) = vault.restore(project="p", outputs=[b"uit"], purpose="toets")
            assert rewrite is not None
            assert rewrite.edits[0].original == b"7"
        if writer == "assign":
            assert [name.family for p in vault.known("p").people for name in p.names].count("postma") == 1


def test_the_mark_between_two_people_goes_with_the_split(two: Two) -> None:
    taken_apart(two)
    apart = [p for p in two.here.known("p").people if p.apart]
    assert len(apart) == 2


def test_a_vault_that_joins_others_leaves_what_is_kept_of_words(two: Two) -> None:
    fresh = two.place.open()
    kept: KeptWords[int] = KeptWords()
    kept["word"] = 1
    fresh.share_known(KnownPeople())
    assert kept == {"word": 1}  # nobody was known to it alone
    two.here.share_known(KnownPeople())
    assert kept == {}
    fresh.close()
