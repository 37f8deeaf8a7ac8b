"""Names that would be seen anywhere: no verb writes one to a store, a log, a stream or another file."""

import logging
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from linkage.records import DocumentId, PersonName
from pseudonymizer.assignment import assign, literal_label
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.keyring import FileKey
from pseudonymizer.records import Pseudonym, Rewrite, RewriteEdit, Scope
from pseudonymizer.reidentification import approve, grant, lookup, request, restore, reveal, stored_forms
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.links import pseudonym_links, write_links
from pseudonymizer.vault.care.rotation import Rotated, rotate, rotate_kek
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.erasure import erase, erase_unseen_since
from pseudonymizer.vault.ways_back.decoys import add_decoy
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

# Words that occur nowhere else, one for each kind of thing that must not be seen.
CANARIES = ("Kanarievogel", "Zeekoet", "Wielewaal", "Roerdomp", "Appelvink")
TEXT = "Kanarievogel Zeekoet. Kanarievogel Wielewaal en K. Zeekoet"
RESULT = linkage_result(
    {"map/Roerdomp.txt": TEXT},
    [
        [("map/Roerdomp.txt", "Kanarievogel Zeekoet"), ("map/Roerdomp.txt", "K. Zeekoet")],
        [("map/Roerdomp.txt", "Kanarievogel Wielewaal")],
    ],
    known={1: "Appelvink-7"},
)
PASSPHRASE = "kleine boot vaart langzaam voorbij 17"  # noqa: S105  of a test


class Verbs:
    """Every verb once, in an order in which each finds something to do."""

    def __init__(self, place: VaultPlace, vault: Vault) -> None:
        self.place, self.vault = place, vault
        self.zeekoet = self.wielewaal = Pseudonym("", RESULT.identities[0].entity_id or "", "", Scope.PROJECT)  # type: ignore[arg-type]

    def assign(self) -> None:
        given = assign(RESULT, self.vault, project="p")
        by_name = {m.mention.surface: given[m.mention_id] for m in RESULT.mentions}
        self.zeekoet, self.wielewaal = by_name["K. Zeekoet"], by_name["Kanarievogel Wielewaal"]
        for scope in (Scope.DOCUMENT, Scope.OCCURRENCE):
            assign(RESULT, self.vault, project="p", scope=scope)
        assign(RESULT, self.vault, project="p2", deterministic=True, run="r")
        literal_label(self.vault, "p", "Appelvink")
        self.vault.commit()

    def store(self) -> None:
        edits = (
            RewriteEdit(0, "Roerdomp", 0, 23, b"Kanarievogel Zeekoet", self.zeekoet.entity_id),
            RewriteEdit(1, "Roerdomp", 25, 48, b"Kanarievogel Wielewaal", self.wielewaal.entity_id),
            RewriteEdit(2, "Roerdomp", 50, 73, b"Appelvink", None),
        )
        rewrite = Rewrite(DocumentId("map/Roerdomp.txt"), "txt", edits, "map/Roerdomp.txt")
        self.vault.store_rewrite("p", rewrite, output=b"uit")
        self.vault.commit()

    def reveal(self) -> None:
        labels = [self.zeekoet.label, self.wielewaal.label]
        assert reveal(self.vault, project="p", pseudonyms=labels, purpose="toets")
        assert stored_forms(self.vault, project="p", labels=labels, purpose="toets")

    def restore(self) -> None:
        assert restore(self.vault, project="p", outputs=[b"uit"], purpose="toets")[0]

    def lookup(self) -> None:
        for name in ("Kanarievogel Zeekoet", "Zeekoet", "Nergens Appelvink"):
            lookup(self.vault, project="p", name=name, purpose="toets")

    def ask_and_reveal(self) -> None:
        label = self.zeekoet.label
        asked = request(self.vault, project="p", pseudonyms=[label], purpose="toets", legal_basis="wet")
        approve(self.vault, asked.request_id)
        text = grant(self.vault, asked.request_id)
        assert reveal(self.vault, project="p", pseudonyms=[label], purpose="toets", grant=text)

    def mistype(self) -> None:
        with pytest.raises(PseudonymizerError) as caught:
            reveal(self.vault, project="p", pseudonyms=["Kanarievogel"], purpose="toets")
        assert not any(canary in str(caught.value) for canary in CANARIES)

    def known(self) -> None:
        assert "Kanarie" not in repr(self.vault.known_identities("p"))

    def decoy(self) -> None:
        name = PersonName(given="kanarievogel", family="roerdomp")
        add_decoy(self.vault, project="p", name=name, surface="Kanarievogel Roerdomp")
        self.vault.commit()

    def split(self) -> None:
        split(
            self.vault,
            project="p",
            pseudonym=self.zeekoet.label,
            part=Part(surfaces=["K. Zeekoet"]),
            purpose="toets",
        )

    def rotate(self) -> None:
        for what in Rotated:
            rotate(self.vault, what, project_name="p")
        rotate_kek(self.vault, FileKey(self.place.folder / "new.key"))

    def export(self) -> None:
        folder = self.place.folder
        export_bundle(self.vault, folder / "bundle.nym", PASSPHRASE, purpose="toets")
        import_bundle(folder / "bundle.nym", PASSPHRASE, f"sqlite:///{folder}/copy.db")
        write_links(pseudonym_links(self.vault, "p"), folder / "links.csv")

    def verify(self) -> None:
        assert self.vault.verify().findings == ()
        assert not any(canary in str(list(self.vault.audit_events())) for canary in CANARIES)

    def erase(self) -> None:
        erase(self.vault, project="p", pseudonyms=[self.wielewaal.label], purpose="verzoek")
        erase_unseen_since(self.vault, project="p2", days=-1, purpose="bewaartermijn")


ORDER: tuple[Callable[[Verbs], None], ...] = (
    Verbs.assign, Verbs.store, Verbs.reveal, Verbs.restore, Verbs.lookup, Verbs.ask_and_reveal,
    Verbs.mistype, Verbs.known, Verbs.decoy, Verbs.split, Verbs.rotate, Verbs.export, Verbs.verify,
    Verbs.erase,
)  # fmt: skip


def seen_in(raw: bytes) -> set[str]:
    folded = raw.lower()
    return {
        canary
        for canary in CANARIES
        for form in (canary.lower().encode(), canary.lower().encode("utf-16-le"))
        if form in folded
    }


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files would go, SQLite's too."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("TMPDIR", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


written: set[str] = set()
_listening = False


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if _listening and event == "open" and isinstance(arguments[0], str) and "w" in str(arguments[1]):
        written.add(arguments[0])


def test_no_verb_writes_a_name(
    sqlite_place: VaultPlace,
    temporary: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    global _listening
    sys.addaudithook(_listen)  # stays for the session, and does nothing after this test
    logging.getLogger("sqlalchemy").setLevel(logging.DEBUG)
    caplog.set_level(logging.DEBUG)
    _listening = True
    try:
        with sqlite_place.create() as vault:
            verbs = Verbs(sqlite_place, vault)
            for verb in ORDER:
                verb(verbs)
                files = [file for file in sqlite_place.folder.rglob("*") if file.is_file()]
                assert {"vault.db", "vault.db-wal", "vault.keys.db"} <= {file.name for file in files}
                assert {f.name: seen for f in files if (seen := seen_in(f.read_bytes()))} == {}, verb.__name__
    finally:
        _listening = False
        logging.getLogger("sqlalchemy").setLevel(logging.NOTSET)
    assert list(temporary.iterdir()) == [], "no temporary file was left, and none is made in a memory store"
    assert all(path.startswith(str(sqlite_place.folder)) for path in written), "nothing is written elsewhere"
    streams = capfd.readouterr()
    assert caplog.records, "the logs were looked at"
    assert seen_in(caplog.text.encode() + streams.out.encode() + streams.err.encode()) == set()


def test_the_search_finds_what_is_there() -> None:
    assert seen_in("de ZEEKOET".encode("utf-16-le")) == {"Zeekoet"}
    assert seen_in(b"x kanarieVogel") == {"Kanarievogel"}
