"""A vault and a key store that every verb has written to, and what both held at an earlier time."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import MetaData

from linkage.records import DocumentId, PersonName
from pseudonymizer import audit
from pseudonymizer.assignment import assign
from pseudonymizer.open_links import LinkedSource
from pseudonymizer.policy import Role
from pseudonymizer.records import Rewrite, RewriteEdit, Style
from pseudonymizer.reidentification import approve, grant, request, reveal
from pseudonymizer.runs.open_links import open_links_of
from pseudonymizer.schema import job, keys_metadata, mention, vault_metadata
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import Rotated, rotate
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.folders import AskedFolder, folder_keys
from pseudonymizer.vault.rows.mentions import mention_fields
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.pseudonymizer.vault.rows.test_published import give
from tests.pseudonymizer.vault.values_by_hand import BANK, BSN, IBAN, NATIONAL, PHONE, assigned, met, offering

Row = tuple[object, ...]
Tables = Mapping[str, list[Row]]

STORES: Final[Mapping[str, MetaData]] = {"vault": vault_metadata, "keys": keys_metadata}
FILES: Final = {"vault": "vault.db", "keys": "vault.keys.db"}

_EARLY: Final = linkage_result(
    {"a": "Jan Tolsma, Els Kok en Bert, Wim Faber"},
    [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Bert")], [("a", "Wim Faber")]],
    candidates={2: (0, 1)},
    open_links=[(0, 2, 0.5)],
)
_LATE: Final = linkage_result(
    {"b": "Ada Mulder, Jan Tolsma en Bert", "a": "Jan Tolsma, Els Kok"},
    [[("b", "Ada Mulder")], [("b", "Jan Tolsma"), ("a", "Jan Tolsma")], [("b", "Bert")], [("a", "Els Kok")]],
    candidates={2: (0, 1)},
    open_links=[(0, 2, 0.5)],
)
_VALUES: Final = (met(BANK, IBAN), met(BANK, IBAN, "NL91 ABNA", at=40), met(NATIONAL, BSN, at=80))
_TELEPHONE: Final = met(PHONE, "0201234567", at=120)
_EVENTS_AN_EPOCH: Final = 32  # in place of 256: the trail has several epochs, and is read in no time


@dataclass(frozen=True)
class UsedStores:
    """Folder with both stores as they are now; what their tables hold now, and held before."""

    folder: Path
    now: Mapping[str, Tables]
    before: Mapping[str, Tables]

    def copied_to(self, folder: Path) -> VaultPlace:
        """The same stores in another folder, in place of those that lie there."""
        for file in FILES.values():
            for tail in ("-wal", "-shm"):
                (folder / f"{file}{tail}").unlink(missing_ok=True)
        for source in self.folder.iterdir():
            shutil.copy2(source, folder)
        place = sqlite_place_in(folder)
        place.clock.advance(days=3)
        return place


def rows_in(file: Path, metadata: MetaData) -> dict[str, list[Row]]:
    """All rows of every table that the schema knows, columns in the schema's order."""
    with closing(sqlite3.connect(file)) as connection:
        return {
            table.name: connection.execute(
                f"SELECT {', '.join(column.name for column in table.columns)} FROM {table.name}"  # noqa: S608
            ).fetchall()
            for table in metadata.sorted_tables
        }


def as_actor(place: VaultPlace, actor: str) -> Vault:
    """The vault, opened by this actor."""
    return Vault.open(place.url, place.key, clock=place.clock, actor=actor)


def _contents(place: VaultPlace) -> dict[str, Tables]:
    return {store: rows_in(place.folder / FILES[store], metadata) for store, metadata in STORES.items()}


def use_stores(folder: Path) -> UsedStores:
    """Stores that were used twice: what they held after the first time is kept."""
    place = sqlite_place_in(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "EVENTS_AN_EPOCH", _EVENTS_AN_EPOCH)
        before = _use(place)
    for file in FILES.values():  # closed by all, the logs are empty
        with closing(sqlite3.connect(folder / file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return UsedStores(folder, _contents(place), before)


def _use(place: VaultPlace) -> dict[str, Tables]:
    with place.create() as vault:
        owner = vault.actor
        labels, permit = _first_time(place, vault)
    before = _contents(place)
    _second_time(place, owner, labels, permit)
    with as_actor(place, "audra") as vault:
        assert vault.verify().findings == ()
    return before


def _first_time(place: VaultPlace, vault: Vault) -> tuple[tuple[str, ...], str]:
    vault.add_recovery_key()
    vault.ensure_project("p", ProjectSettings(single_approval=False))
    folder_keys(vault, "p", AskedFolder(b"f" * 16, Path("/een"), is_new=True))
    given = assign(_EARLY, vault, project="p")
    people = [given[m.mention_id] for m in _EARLY.mentions]
    labels = tuple(p.label for p in people)
    edits = tuple(
        RewriteEdit(n, "kop", 30 * n, 30 * n + 23, b"origineel %d" % n, p.entity_id)
        for n, p in enumerate(people)
    )
    own = RewriteEdit(len(edits), "kop", 200, 223, b"van niemand", None)
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (*edits, own), "pad"), output=b"uit")
    vault.store_rewrite("p", Rewrite(DocumentId("e"), "txt", edits[:1], "pad 2"), output=b"uit e")
    vault.keep_open_links("p", open_links_of(_EARLY, {DocumentId("a"): LinkedSource(DocumentId("bron"))}, ()))
    assigned(vault, _VALUES)
    assigned(vault, [_TELEPHONE], Style.SURROGATE, candidates=offering({_TELEPHONE.value: [["0200000001"]]}))
    vault.add_decoy(project="p", name=PersonName(given="Niek", family="Nergens"), surface="Niek Nergens")
    _single_mentions(vault, [1])
    vault.own.insert(job, ("another program's", "{}"))
    for style, name in ((Style.TAG, "Ida Lok"), (Style.CODE, "Otto Vos"), (Style.SURROGATE, "Jip Been")):
        give(vault, style, name)
    for actor, role in (
        ("anna", Role.REQUESTER), ("bob", Role.APPROVER), ("carl", Role.ANALYST), ("audra", Role.AUDITOR),
    ):  # fmt: skip
        vault.give_role(actor, role)
    vault.commit()
    with as_actor(place, "anna") as vault:
        asked = [
            request(vault, project="p", pseudonyms=labels[n : n + 1], purpose=f"klacht {n}") for n in range(3)
        ]
    for open_request in asked[:2]:
        with as_actor(place, "bob") as vault:
            approve(vault, open_request.request_id)
    with as_actor(place, "anna") as vault:
        permits = [grant(vault, open_request.request_id) for open_request in asked[:2]]
        reveal(vault, project="p", pseudonyms=labels[:1], purpose="klacht 0", grant=permits[0])
    return labels, permits[1]


def _second_time(place: VaultPlace, owner: str, labels: tuple[str, ...], permit: str) -> None:
    with as_actor(place, "anna") as vault:
        reveal(vault, project="p", pseudonyms=labels[1:2], purpose="klacht 1", grant=permit)
    with as_actor(place, "bob") as vault:
        approve(vault, 3)
    place.clock.advance(days=3)
    with as_actor(place, owner) as vault:
        vault.change_settings("p", ProjectSettings(single_approval=False, limit_capacity=7))
        vault.take_role("anna", Role.REQUESTER)
        vault.give_role(owner, Role.KEYADMIN)
        vault.give_role(owner, Role.CURATOR)
        vault.commit()
        folder_keys(vault, "p", AskedFolder(b"f" * 16, Path("/een")))
        folder_keys(vault, "p", AskedFolder(b"g" * 16, Path("/twee"), is_new=True))
        assign(_LATE, vault, project="p")
        vault.ensure_project("q", ProjectSettings())
        assign(_LATE, vault, project="q")
        one = RewriteEdit(0, "kop", 0, 23, b"anders", None)
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (one,), "pad"), output=b"uit 2")
        vault.keep_open_links(
            "p", open_links_of(_LATE, {DocumentId("b"): LinkedSource(DocumentId("bron"))}, ())
        )
        later = (met(BANK, "NL02RABO0123456789", at=200), met(NATIONAL, "111222333", at=240))
        assigned(vault, later)
        vault.commit()
        give(vault, Style.TAG, "Siem Kas")
        give(vault, Style.CODE, "Teun Ploeg")
        give(vault, Style.SURROGATE, "Wies Haak")
        vault.merge(project="p", pseudonyms=labels[:2], purpose="toets")
        erase(vault, project="p", pseudonyms=labels[3:], purpose="verzoek")
        for rotated in (Rotated.DATA, Rotated.INDEX):
            rotate(vault, rotated, project_name="p")


def _single_mentions(vault: Vault, owners: list[int]) -> None:
    """Mentions with a row of their own, as the first revision wrote them."""
    keys = vault.begin_in("p")
    rows, halves = [], []
    for number, owner in enumerate(owners):
        tag = bytes([number + 1]) * 16
        both = keys.binder("mention").bind(mention_fields(keys.project_id, owner, tag))
        rows.append((keys.project_id, tag, owner, both[:16]))
        halves.append(both[16:])
    vault.store.insert(mention, rows)
    vault.checkpoints.added(keys.project_id, "mention", halves)
