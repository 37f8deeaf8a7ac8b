"""What runs leave for review, as rows: kept, replaced, given over, settled, forgotten, altered."""

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy

from linkage.records import DocumentId, LinkageResult
from pseudonymizer.assignment import assign
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.keyring import EnvironmentKey
from pseudonymizer.open_links import KeptLinks, LinkedSource, RunOutput
from pseudonymizer.records import Rewrite, RewriteEdit, Rotated
from pseudonymizer.runs.open_links import open_links_of
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.rows import run_results
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.stores import store_addresses
from tests.fakes import FakeClock, linkage_result
from tests.pseudonymizer.conftest import VaultPlace

GOLDEN = Path(__file__).parents[3] / "vectors" / "golden"
KEY = EnvironmentKey(environment={"NYMLINK_KEY": "11" * 32})
TEXTS = {"a": "Jan Tolsma, Jan Kok en Els Kok", "b": "J. Tolsma en Elske Kok"}
PEOPLE = [
    [("a", "Jan Tolsma")],
    [("a", "Jan Kok")],
    [("a", "Els Kok")],
    [("b", "J. Tolsma")],
    [("b", "Elske Kok")],
]
OPEN = [(0, 3, 0.75), (2, 4, 0.5), (1, 3, 0.25)]
RESULT = linkage_result(TEXTS, PEOPLE, open_links=OPEN)
Found = set[tuple[frozenset[str], float]]


def source(name: str) -> DocumentId:
    return DocumentId(f"bron-{name}")


def keep(vault: Vault, result: LinkageResult, names: Sequence[str] = ("a", "b")) -> Mapping[str, str]:
    """Assign and keep a result, with an output of each document; the labels by surface."""
    pseudonyms = assign(result, vault, project="p")
    sources = {DocumentId(name): LinkedSource(source(name)) for name in names}
    vault.keep_open_links("p", open_links_of(result, sources, ()))
    owner = {m.mention.surface: pseudonyms[m.mention_id] for m in result.mentions}
    for name in names:
        mine = [m for m in result.mentions if m.mention.doc_id == name]
        edits = tuple(
            RewriteEdit(n, "", m.mention.span.start, m.mention.span.end, m.mention.surface.encode(),
                        pseudonyms[m.mention_id].entity_id)
            for n, m in enumerate(mine)
        )  # fmt: skip
        rewrite = Rewrite(DocumentId(f"uit-{name}"), "txt", edits, f"map/{name}.txt", source=source(name))
        vault.store_rewrite("p", rewrite, output=name.encode())
    vault.commit()
    return {surface: pseudonym.label for surface, pseudonym in owner.items()}


def outputs(vault: Vault, names: Sequence[str] = ("a", "b")) -> list[RunOutput]:
    del vault
    return [
        RunOutput(digest_sha256((name.encode(),)), DocumentId(f"uit-{name}"), source(f"niet-{name}"), name)
        for name in names
    ]


def kept(vault: Vault, names: Sequence[str] = ("a", "b")) -> KeptLinks:
    return vault.kept_links("p", outputs(vault, names))


def links_of(found: KeptLinks) -> Found:
    result = found.result
    return {
        (
            frozenset(result.mention(end).mention.surface for end in (link.pair.left, link.pair.right)),
            link.match_probability,
        )
        for link in result.open_links()
    }


ALL: Found = {
    (frozenset({"Jan Tolsma", "J. Tolsma"}), 0.75),
    (frozenset({"Els Kok", "Elske Kok"}), 0.5),
    (frozenset({"Jan Kok", "J. Tolsma"}), 0.25),
}


def test_the_links_come_back_as_they_were_scored(vault: Vault) -> None:
    keep(vault, RESULT)
    found = kept(vault)
    assert links_of(found) == ALL
    assert {replace(link, pair=link.pair) for link in found.result.open_links()} == set(RESULT.open_links())
    assert {m.mention for m in found.result.mentions} == {
        replace(m.mention, detector=found.result.mentions[0].mention.detector) for m in RESULT.mentions
    }
    assert {d.doc_id: d.path for d in found.documents} == {"a": "map/a.txt", "b": "map/b.txt"}
    assert (found.known, found.not_kept, found.pathless) == (2, 0, 0)
    # One identity on both links of J. Tolsma, so that an answer about one settles what it settles in the run.
    assert len(found.result.identities) == len(RESULT.identities)
    assert vault.verify().findings == ()


def test_a_later_result_takes_the_place_of_what_was_kept_of_its_sources(vault: Vault) -> None:
    keep(vault, RESULT)
    rows = vault.store.scalar("SELECT count(*) FROM run_result")
    keep(vault, linkage_result(TEXTS, PEOPLE, open_links=OPEN[:1]))
    assert links_of(kept(vault)) == {(frozenset({"Jan Tolsma", "J. Tolsma"}), 0.75)}
    assert vault.store.scalar("SELECT count(*) FROM run_result") == rows
    # Only one of the two sources again: its links with the other are of a result that is no more.
    keep(vault, linkage_result(TEXTS, PEOPLE[3:]), ["b"])
    assert links_of(kept(vault)) == set()
    assert vault.verify().findings == ()


def test_nothing_kept_and_no_open_link_are_two_things(vault: Vault) -> None:
    keep(vault, linkage_result(TEXTS, PEOPLE))
    assert (kept(vault).known, kept(vault).not_kept) == (2, 0)
    assert vault.forget_open_links("p", outputs(vault)) == 2
    assert (kept(vault).known, kept(vault).not_kept) == (2, 2)
    assert vault.forget_open_links("p", outputs(vault)) == 0
    assert vault.verify().findings == ()


def test_forgetting_changes_no_other_row(sqlite_place: VaultPlace) -> None:
    def stored(vault: Vault) -> dict[str, list[tuple[object, ...]]]:
        tables = sqlalchemy.inspect(vault.store.connection).get_table_names()
        left_out = {"run_result", "checkpoint", "audit_event", "audit_head"}
        return {t: vault.store.rows(f"SELECT * FROM {t}") for t in tables if t not in left_out}  # noqa: S608

    with sqlite_place.create() as vault:
        keep(vault, RESULT)
        before, known = stored(vault), vault.known_identities("p")
        vault.rollback()
        vault.forget_open_links("p", outputs(vault, ["a"]))
        assert stored(vault) == before
        assert vault.known_identities("p") == known
        vault.rollback()
        assert links_of(kept(vault)) == set()


def test_who_is_merged_is_asked_about_no_more(vault: Vault) -> None:
    labels = keep(vault, RESULT)
    both = [labels["Jan Tolsma"], labels["J. Tolsma"]]
    vault.merge(project="p", pseudonyms=both, purpose="toets")
    assert links_of(kept(vault)) == {one for one in ALL if one[1] != 0.75}
    vault.unmerge(project="p", pseudonyms=both, purpose="toets")
    assert links_of(kept(vault)) == {one for one in ALL if one[1] != 0.75}
    assert vault.verify().findings == ()


def test_the_links_of_a_person_split_off_go_along(vault: Vault) -> None:
    together = linkage_result(
        TEXTS,
        [
            [("a", "Jan Tolsma"), ("a", "Els Kok")],
            [("a", "Jan Kok")],
            [("b", "J. Tolsma")],
            [("b", "Elske Kok")],
        ],
        open_links=[(0, 2, 0.75)],
    )
    labels = keep(vault, together)
    made = split(
        vault,
        project="p",
        pseudonym=labels["Jan Tolsma"],
        part=Part(surfaces=["Jan Tolsma"]),
        purpose="toets",
    )
    found = kept(vault)
    assert links_of(found) == {(frozenset({"Jan Tolsma", "J. Tolsma"}), 0.75)}
    assert f"vault:{made.entity_id}" in {identity.entity_id for identity in found.result.identities}
    vault.rollback()
    vault.erase(project="p", pseudonyms=[made.label], purpose="toets")
    assert links_of(kept(vault)) == set()
    assert vault.verify().findings == ()


@pytest.mark.parametrize("what", list(Rotated))
def test_new_keys_leave_them_readable(vault: Vault, what: Rotated) -> None:
    keep(vault, RESULT)
    vault.rotate(what, project_name="p")
    assert links_of(kept(vault)) == ALL
    assert vault.verify().findings == ()


def test_an_export_takes_them_along(sqlite_place: VaultPlace, tmp_path: Path) -> None:
    bundle, url = tmp_path / "kluis.bundle", f"sqlite:///{tmp_path}/elders.db"
    with sqlite_place.create() as vault:
        keep(vault, RESULT)
        told = export_bundle(vault, bundle, "lang genoeg ervoor", purpose="toets", memory_kib=64)
        assert told.rows["run_result"] == 2
    import_bundle(bundle, "lang genoeg ervoor", url, provider=sqlite_place.key)
    with Vault.open(url, sqlite_place.key, clock=sqlite_place.clock) as vault:
        assert links_of(kept(vault)) == ALL
        assert vault.verify().findings == ()


def test_a_row_put_in_the_place_of_another_is_found(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create() as vault:
        keep(vault, RESULT)
        vault.store.begin_write()
        (row,) = vault.store.rows("SELECT entries FROM run_result WHERE length(entries) > 0 LIMIT 1")
        vault.store.run_many("UPDATE run_result SET entries = ?", [row])
        vault.store.commit()
        assert any("run_result" in finding for finding in vault.verify().findings)
        with pytest.raises(Exception, match="run_result was altered"):
            kept(vault)


def old_vault(folder: Path) -> str:
    """A golden vault of the revision before there were such rows."""
    for name in ("vault.db", "vault.keys.db"):
        (folder / name).write_bytes(gzip.decompress((GOLDEN / f"0002.{name}.gz").read_bytes()))
    return f"sqlite:///{folder}/vault.db"


def test_a_vault_of_before_is_used_as_it_is_until_a_run_leaves_something(tmp_path: Path) -> None:
    url = old_vault(tmp_path)
    address = store_addresses(url, None)[0]
    with Vault.open(url, KEY, clock=FakeClock(), actor="tester") as vault:
        assert vault.verify().findings == ()
        assert (kept(vault, ["uit"]).known, kept(vault, ["uit"]).not_kept) == (1, 1)
        label = vault.store.scalar("SELECT label FROM pseudonym ORDER BY pseudonym_id LIMIT 1")
        vault.store_rewrite("p", Rewrite(DocumentId("z"), "txt", (), "z", source=source("z")), output=b"z")
        vault.commit()
        export_bundle(vault, tmp_path / "oud.bundle", "lang genoeg ervoor", purpose="toets", memory_kib=64)
        vault.erase(project="p", pseudonyms=[label], purpose="toets")
        assert migration.current_revision(address) == "vault_0002"
        assert vault.verify().findings == ()

        pseudonyms = assign(RESULT, vault, project="p")
        sources = {DocumentId(name): LinkedSource(source(name)) for name in TEXTS}
        vault.keep_open_links("p", open_links_of(RESULT, sources, ()))
        vault.rollback()  # the run was killed
        assert not run_results.has_results(vault)
        assert vault.verify().findings == ()
        keep(vault, RESULT)
        assert migration.current_revision(address) == migration.head_revision(address)
        assert links_of(kept(vault)) == ALL
        assert vault.verify().findings == ()
        assert pseudonyms
    import_bundle(
        tmp_path / "oud.bundle", "lang genoeg ervoor", f"sqlite:///{tmp_path}/elders.db", provider=KEY
    )
    with Vault.open(f"sqlite:///{tmp_path}/elders.db", KEY, clock=FakeClock()) as vault:
        assert vault.verify().findings == ()
        keep(vault, RESULT)
        assert vault.verify().findings == ()


def test_a_vault_grows_inside_the_unit_of_work_on_either_database(place: VaultPlace) -> None:
    with place.create() as vault:
        vault.store.begin_write()
        vault.store.run_many("DROP TABLE run_result", [()])
        vault.store.run_many("UPDATE alembic_version SET version_num = 'vault_0002'", [()])
        vault.store.commit()
    with place.open() as vault:
        assert vault.verify().findings == ()
        pseudonyms = assign(RESULT, vault, project="p")
        sources = {DocumentId(name): LinkedSource(source(name)) for name in TEXTS}
        vault.keep_open_links("p", open_links_of(RESULT, sources, ()))
        assert pseudonyms
        vault.rollback()
        assert not run_results.has_results(vault)
    with place.open() as vault:
        keep(vault, RESULT)
        assert links_of(kept(vault)) == ALL
        assert vault.verify().findings == ()


def test_the_golden_vault_of_this_revision_gives_its_links(tmp_path: Path) -> None:
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"0003.{name}.gz").read_bytes()))
    with Vault.open(f"sqlite:///{tmp_path}/vault.db", KEY, clock=FakeClock()) as vault:
        (output,) = outputs(vault, ["uit"])
        found = vault.kept_links("p", [replace(output, doc_id=DocumentId("d"))])
        assert links_of(found) == {(frozenset({"Jan Tolsma", "Bert"}), 0.5)}
