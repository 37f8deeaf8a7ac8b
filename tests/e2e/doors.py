"""The doors of the engine: what each gives for one text, with a copy of one fresh vault."""

import json
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from typer.testing import CliRunner

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import Document, DocumentId
from linkage.settings import LinkingSettings
from pseudonymizer.cli import app
from pseudonymizer.columns import pseudonymize_column
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.project import Project, ProjectOptions, open_vault
from pseudonymizer.service import VaultService
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault

PROJECT: Final = "doors"


class Place:
    """A fresh vault with one project, of which each door gets a copy. settings: those of the project."""

    def __init__(
        self, folder: Path, *, deterministic: bool = False, settings: ProjectSettings | None = None
    ) -> None:
        self.folder = folder
        self.deterministic = deterministic
        self._copies = 0
        folder.mkdir()
        with Vault.create(folder / "vault.db", FileKey(folder / "kek.key")) as made:
            made.ensure_project(PROJECT, settings)
            made.commit()

    def copy(self) -> Path:
        self._copies += 1
        place = self.folder / str(self._copies)
        place.mkdir()
        for name in ("vault.db", "vault.keys.db", "kek.key"):
            shutil.copy2(self.folder / name, place / name)
        return place

    def run(self, place: Path, *words: str, stdin: bytes | None = None, service: str = "") -> bytes:
        """Standard output of `nymlink run`."""
        how = ["--deterministic"] if self.deterministic else []
        return command(place, "run", *words, *how, stdin=stdin, service=service)

    @contextmanager
    def project(self) -> Iterator[Project]:
        place = self.copy()
        with open_vault(place / "vault.db", place / "kek.key") as vault:
            yield Project.open(vault, PROJECT, ProjectOptions(deterministic=self.deterministic))


def command(place: Path, *words: str, stdin: bytes | None = None, service: str = "") -> bytes:
    """Standard output of a verb in the project, with the vault of the place or of the service."""
    vault = ["--vault", service or f"sqlite:///{place / 'vault.db'}"]
    key = [] if service else ["--key-file", str(place / "kek.key")]
    done = CliRunner().invoke(app, [*words, *vault, *key, "--project", PROJECT], input=stdin)
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def standard_input(at: Place, text: str) -> str:
    return at.run(at.copy(), "-", "--out", "-", stdin=text.encode()).decode()


def file(at: Place, text: str, *words: str) -> str:
    place = at.copy()
    (place / "in.txt").write_text(text, encoding="utf-8")
    at.run(place, str(place / "in.txt"), "--out", str(place / "out"), *words)
    return (place / "out" / "in.txt").read_text(encoding="utf-8")


def several_workers(at: Place, text: str) -> str:
    place = at.copy()
    (place / "in").mkdir()
    (place / "in" / "a.txt").write_text(text, encoding="utf-8")
    (place / "in" / "b.txt").write_text("Er staat hier niets.", encoding="utf-8")
    at.run(place, str(place / "in"), "--out", str(place / "out"), "--workers", "2")
    return (place / "out" / "a.txt").read_text(encoding="utf-8")


def json_line(at: Place, text: str) -> str:
    place = at.copy()
    (place / "in.jsonl").write_text(json.dumps({"doc_id": "1", "text": text}) + "\n", encoding="utf-8")
    at.run(place, str(place / "in.jsonl"), "--out", str(place / "out"))
    return str(json.loads((place / "out" / "in.jsonl").read_text(encoding="utf-8"))["text"])


def parquet(at: Place, text: str) -> str:
    place = at.copy()
    pq.write_table(pa.table({"text": [text]}), place / "in.parquet")
    at.run(place, str(place / "in.parquet"), "--out", str(place / "out"))
    return str(pq.read_table(place / "out" / "in.parquet").column("text")[0].as_py())


def data_frame(at: Place, text: str) -> str:
    with at.project() as project:
        return str(pseudonymize_column(project, pd.DataFrame({"note": [text]}), "note")["note"][0])


def python_text(at: Place, text: str) -> str:
    with at.project() as project:
        return str(project.pseudonymize(text)[0].text)


def python_document(at: Place, text: str) -> str:
    with at.project() as project:
        return str(project.pseudonymize(Document(DocumentId("row 7"), text))[0].text)


def python_folder(at: Place, text: str) -> str:
    with at.project() as project, tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in").mkdir()
        (Path(folder) / "in" / "a.txt").write_text(text, encoding="utf-8")
        project.pseudonymize_folder(Path(folder) / "in", Path(folder) / "out")
        return (Path(folder) / "out" / "a.txt").read_text(encoding="utf-8")


@contextmanager
def served(place: Path) -> Iterator[str]:
    """The address of a vault service over the vault of the place, for an actor who has all roles."""
    with Vault.open(place / "vault.db", FileKey(place / "kek.key")) as vault:
        for role in Role:  # a service serves nobody where nobody has a role
            vault.give_role(vault.actor, role)
        vault.commit()
    with tempfile.TemporaryDirectory(prefix="nym") as folder:  # short: the path of a socket is limited
        socket = Path(folder) / "s" / "vault.sock"
        service = VaultService(
            socket,
            lambda actor: Vault.open(place / "vault.db", FileKey(place / "kek.key"), actor=actor),
            linker=Linker.load(LinkingSettings(), Gazetteer.load()),
        )
        ready = threading.Event()
        thread = threading.Thread(target=service.serve, kwargs={"ready": ready.set})
        thread.start()
        assert ready.wait(20)
        try:
            yield f"unix:{socket}"
        finally:
            service.stop()
            thread.join(20)


def vault_service(at: Place, text: str) -> str:
    place = at.copy()
    with served(place) as service:
        return at.run(place, "-", "--out", "-", stdin=text.encode(), service=service).decode()


def spark(at: Place, text: str) -> str:
    return file(at, text, "--engine", "spark", "--workers", "1")


DOORS: Final[tuple[Callable[[Place, str], str], ...]] = (
    file, several_workers, json_line, parquet, data_frame, python_text, python_document, python_folder,
    vault_service,
)  # fmt: skip
