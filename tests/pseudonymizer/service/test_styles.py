"""Runs through the vault service in every style: invented names are drawn where the real ones are known."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest

from pseudonymizer.engine.pasted import LabelFinder
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import AccessRefusedError, ServiceError
from pseudonymizer.policy import Role
from pseudonymizer.records import Style
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.restore import ERASED, EXACT, Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.service import VaultService
from pseudonymizer.service.server import Callers, HeldKey
from pseudonymizer.service.verbs import Session, run_verb
from pseudonymizer.settings import StyleSettings, StylesWanted
from pseudonymizer.vault import Vault, wire
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.remote.client import VaultClient
from tests.pseudonymizer.batch_fakes import PROJECT, FakeLinker, load_fake, new_batch
from tests.pseudonymizer.conftest import VaultPlace

TEXTS = {
    "a.txt": b"Sanne de Boer belde Piet Mulder (piet.mulder@voorbeeld.test).\r\n",
    "Brief Piet Mulder.txt": b"hallo Piet Mulder,\nGroet, Sanne de Boer\n",
}
NAMES = (b"sanne", b"boer", b"piet", b"mulder")


class Place:
    """A vault whose analyst ana works through a service, and whose owner opens it himself."""

    def __init__(self, place: VaultPlace, socket: Path, folder: Path) -> None:
        self.place, self.socket, self.folder = place, socket, folder

    def connect(self, actor: str = "ana") -> VaultClient:
        self.caller = actor
        return Vault.connect(f"unix://{self.socket}")

    def run(self, source: str, target: str, styles: StyleSettings) -> BatchReport:
        return new_batch(
            find_sources([self.folder / source], output=self.folder / target), self.folder / target,
            BatchSettings(PROJECT, styles=styles), load=load_fake,
            open_vault=self.connect,
        ).run()  # fmt: skip

    def outputs(self, target: str) -> dict[str, bytes]:
        return {p.name: p.read_bytes() for p in (self.folder / target).iterdir() if p.is_file()}


@pytest.fixture
def place(sqlite_place: VaultPlace) -> Iterator[Place]:
    with sqlite_place.create("boss") as vault:
        vault.ensure_project(PROJECT)
        for role in Role:
            give_role(vault, "boss", role)
        give_role(vault, "ana", Role.ANALYST)
        give_role(vault, "aud", Role.AUDITOR)
        vault.commit()
    (sqlite_place.folder / "in").mkdir()
    for name, raw in TEXTS.items():
        (sqlite_place.folder / "in" / name).write_bytes(raw)
    with tempfile.TemporaryDirectory(prefix="nym") as folder:
        made = Place(sqlite_place, Path(folder) / "s" / "vault.sock", sqlite_place.folder)
        key = HeldKey(sqlite_place.key)
        service = VaultService(
            made.socket,
            lambda actor: Vault.open(sqlite_place.url, key, actor=actor, clock=sqlite_place.clock),
            linker=FakeLinker(),
            callers=Callers(actor_of=lambda _: made.caller),
        )
        ready = threading.Event()
        thread = threading.Thread(target=service.serve, kwargs={"ready": ready.set})
        thread.start()
        ready.wait(20)
        try:
            yield made
        finally:
            service.stop()
            thread.join(20)


@pytest.mark.parametrize(
    "styles",
    [
        *(StyleSettings(style) for style in Style),
        StyleSettings(Style.SURROGATE, keep_family=True, kinds={"email": Style.TOKEN}),
        StyleSettings(Style.SURROGATE, keep_initials=True, keep_professionals=True, keep_domain=True),
    ],
    ids=[*Style, "mixed", "keeping"],
)
def test_every_style_hides_restores_and_repeats(place: Place, styles: StyleSettings) -> None:
    report = place.run("in", "out", styles)
    assert report.errors == {}
    found = place.outputs("out")
    assert len(found) == 2
    for name, raw in found.items():
        assert not [n for n in NAMES if n in (name.encode() + raw).lower()]
    again = place.run("out", "again", styles)
    assert again.errors == {}
    assert place.outputs("again") == found
    if styles.is_one_way:
        return
    back = Restoration(lambda: place.place.open("boss"), PROJECT, "test").files(
        find_sources([place.folder / "out"]), place.folder / "back"
    )
    assert back.counts[EXACT] == 2
    assert place.outputs("back") == TEXTS
    pasted = next(raw for raw in found.values() if b"Groet" in raw).decode()
    with place.connect() as client, place.place.open("boss") as vault:
        remote = LabelFinder(client, PROJECT).find(pasted)
        assert remote == LabelFinder(vault, PROJECT).find(pasted)
        assert len(remote.labels) + len(remote.left) == 2


def test_people_keep_their_surrogates_over_runs_of_both_kinds(place: Place) -> None:
    styles = StyleSettings(Style.SURROGATE)
    place.run("in", "out", styles)
    new_batch(
        find_sources([place.folder / "in"]), place.folder / "local", BatchSettings(PROJECT, styles=styles),
        load=load_fake, open_vault=lambda: place.place.open("boss"),
    ).run()  # fmt: skip
    assert place.outputs("local") == place.outputs("out")


def test_a_file_that_lacks_an_erased_person_says_so_through_the_service(place: Place) -> None:
    place.run("in", "out", StyleSettings())
    with place.place.open("boss") as vault:
        (label,) = vault.lookup(project=PROJECT, name="Piet Mulder", purpose="verzoek").pseudonyms
        vault.erase(project=PROJECT, pseudonyms=[label], purpose="verzoek")
    sources = find_sources([place.folder / "out"])
    openers: tuple[Callable[[], AbstractContextManager[VaultApi]], ...] = (
        lambda: place.place.open("boss"),
        lambda: place.connect("boss"),
    )
    for number, opener in enumerate(openers):
        back = Restoration(opener, PROJECT, "test").files(sources, place.folder / f"back{number}")
        assert (back.counts[ERASED], back.counts[EXACT]) == (2, 0)


def test_other_roles_get_no_pseudonyms(place: Place) -> None:
    with place.connect("aud") as client, pytest.raises(AccessRefusedError):
        client.stored_labels(PROJECT, Style.SURROGATE)
    with place.connect("aud") as client, pytest.raises(AccessRefusedError):
        client.outputs_among(PROJECT, [bytes(32)])


def test_without_lists_there_are_no_surrogates(place: Place) -> None:
    arguments = {
        "result": {"mentions": [], "identities": []}, "project": PROJECT,
        "wanted": StylesWanted(StyleSettings(Style.SURROGATE)), "seen_through": 0,
    }  # fmt: skip
    with place.place.open("boss") as vault, pytest.raises(ServiceError, match="no surrogates"):
        run_verb(Session(vault), wire.Call("assign_styled", msgspec.Raw(wire.encode(arguments))))
