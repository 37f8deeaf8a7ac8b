"""The vault cases of cases.jsonl by id, played by a small interpreter of their steps.

Detection is replaced by the case's own names: these cases ask what the vault does, not what recognition
finds.
"""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar

import pytest

from linkage.records import (
    Detector,
    Document,
    DocumentId,
    EntityId,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)
from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    AccessRefusedError,
    AuditTamperedError,
    KeyUnavailableError,
    PurposeRequiredError,
    VaultDamagedError,
    WrongKeyError,
)
from pseudonymizer.keyring import KeyProvider, PassphraseKey, RecoveryKey
from pseudonymizer.policy import Role
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import restore, reveal
from pseudonymizer.rewriting import rewrite
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.rotation import rotate_kek
from pseudonymizer.vault.erasure import erase

CASES = {
    case["id"]: case
    for line in (Path(__file__).parent.parent / "cases" / "cases.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
    if (case := json.loads(line))["area"] == "vault"
}
KNOWN_FAILURES: frozenset[str] = frozenset()  # must match exactly
ERRORS: dict[str, type[Exception]] = {
    "WrongKeyError": WrongKeyError,
    "VaultCorruptError": VaultDamagedError,
    "KeyUnavailableError": KeyUnavailableError,
    "NotAuthorisedError": AccessRefusedError,
    "ReasonRequiredError": PurposeRequiredError,
    "AuditTamperedError": AuditTamperedError,
}
ACTIONS = {
    "reidentify": ("reveal", "restore"),
    "reidentify_denied": ("reveal", "restore"),
    "key_rotated": ("rotate.kek",),
}
NAME = re.compile(r"[A-ZÀ-Þ][\w\u0300-\u036f]+(?: (?:van|der|de|den)| [A-ZÀ-Þ][\w\u0300-\u036f-]+)+")
ROLES = {"analyst": (Role.ANALYST,), "officer": (Role.REQUESTER, Role.APPROVER)}
FIRST_OWNER = "eigenaar"


def _name(surface: str) -> PersonName:
    words = unicodedata.normalize("NFC", surface).casefold().split()
    return PersonName(given=words[0], particle=" ".join(words[1:-1]) or None, family=words[-1])


def _linked(document: Document, known: tuple[KnownIdentity, ...]) -> LinkageResult:
    """Names of the same spelling are one person, as a linker sees it in so short a text."""
    mentions = [
        Mention.at(document, Span(*match.span()), detector=Detector.LIST, confidence=1.0)
        for match in NAME.finditer(document.text)
    ]
    by_name: dict[PersonName, list[Mention]] = {}
    for mention in mentions:
        by_name.setdefault(_name(mention.surface), []).append(mention)
    entity_of: dict[PersonName, EntityId] = {name: k.entity_id for k in known for name in k.names}
    return LinkageResult(
        tuple(NormalizedMention(m, _name(m.surface)) for m in mentions),
        tuple(
            Identity(
                IdentityId(f"i{n}"), frozenset(m.mention_id for m in found), entity_id=entity_of.get(name)
            )
            for n, (name, found) in enumerate(by_name.items())
        ),
    )


def pseudonymize(vault: Vault, text: str, doc_id: str) -> str:
    """One document through assignment, rewriting and storing."""
    known = vault.known_identities("p")
    document = Document(DocumentId(doc_id), text)
    result = _linked(document, known)
    labels = assign(result, vault, project="p")
    by_span = {m.mention.span: labels[m.mention_id] for m in result.mentions}
    written = rewrite(document, {span: p.label for span, p in by_span.items()})
    edits = tuple(
        RewriteEdit(
            number, "", found.span.start, found.span.end, span.cut(text).encode(), by_span[span].entity_id
        )
        for number, (found, span) in enumerate(zip(written.replacements, sorted(by_span), strict=True))
    )
    vault.store_rewrite("p", Rewrite(document.doc_id, "txt", edits), output=written.text.encode())
    vault.commit()
    return written.text


def undo(vault: Vault, output: str, *, purpose: str) -> str:
    (found,) = restore(vault, project="p", outputs=[output.encode()], purpose=purpose)
    assert found is not None
    text = output
    for edit in reversed(found.edits):
        text = text[: edit.start] + edit.original.decode() + text[edit.end :]
    return text


def _passphrase(text: str) -> PassphraseKey:
    # The cases' passphrases are shorter than we let anyone take.
    return PassphraseKey(f"{text} {text} {text} {text}", memory_kib=64, passes=1, lanes=1)


def _race(url: str, passphrase: str, text: str, number: int, barrier: Any, results: Any) -> None:
    barrier.wait()
    with Vault.open(url, _passphrase(passphrase)) as vault:
        results.put(pseudonymize(vault, text, f"doc{number}"))


@dataclass
class Player:
    """Plays one case; what it saw is in its fields."""

    folder: Path
    saved: dict[str, str] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    raised: dict[int, Exception] = field(default_factory=dict)
    changed: dict[int, bool] = field(default_factory=dict)
    streams: dict[str, str] = field(default_factory=dict)
    exit_codes: list[int] = field(default_factory=list)
    audit_copy: list[tuple[Any, ...]] = field(default_factory=list)
    last: str = ""
    current: KeyProvider | None = None

    handlers: ClassVar[dict[str, Callable[["Player", dict[str, Any]], str | None]]] = {}

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder}/vault.db"

    def open(self, actor: str = FIRST_OWNER) -> Vault:
        assert self.current is not None
        return Vault.open(self.url, self.current, actor=actor)

    def play(self, steps: list[dict[str, Any]]) -> None:
        for number, step in enumerate(steps):
            before = self.files()
            wanted = ERRORS[step["expect_error"]] if "expect_error" in step else None
            try:
                result = getattr(self, f"do_{step['op']}")(step)
            except Exception as error:
                if wanted is None:
                    raise
                self.raised[number] = error
                result = None
            self.changed[number] = self.files() != before
            if "save_as" in step and result is not None:
                self.saved[step["save_as"]] = result
            if result is not None:
                self.last = result

    def files(self) -> dict[str, bytes]:
        return {p.name: p.read_bytes() for p in sorted(self.folder.glob("vault*")) if p.is_file()}

    # -- steps -----------------------------------------------------------------------------------------------

    def do_init(self, step: dict[str, Any]) -> str | None:
        self.current = _passphrase(step["passphrase"])
        with Vault.create(self.url, self.current, actor=FIRST_OWNER) as vault:
            recovery = vault.add_recovery_key() if step.get("recovery_key") else None
            return recovery.text if recovery else None

    def do_pseudonymise(self, step: dict[str, Any]) -> str:
        with self.open() as vault:
            output = pseudonymize(vault, step["text"], f"doc{len(self.outputs)}")
        self.outputs.append(output)
        return output

    def do_open(self, step: dict[str, Any]) -> None:
        provider = _passphrase(step["passphrase"])
        Vault.open(self.url, provider).close()
        self.current = provider

    do_reopen = do_open

    def do_close(self, _step: dict[str, Any]) -> None:
        pass  # every step closes what it opened

    def do_rotate(self, step: dict[str, Any]) -> None:
        new = _passphrase(step["new_passphrase"])
        with self.open() as vault:
            rotate_kek(vault, new)

    def do_flip_byte_in_stored_record(self, _step: dict[str, Any]) -> None:
        with closing(sqlite3.connect(self.folder / "vault.db")) as connection, connection:
            (form_id, sealed) = connection.execute("SELECT form_id, sealed FROM form").fetchone()
            flipped = sealed[:30] + bytes([sealed[30] ^ 1]) + sealed[31:]
            connection.execute("UPDATE form SET sealed = ? WHERE form_id = ?", (flipped, form_id))

    def do_open_and_read_all(self, step: dict[str, Any]) -> None:
        with Vault.open(self.url, _passphrase(step["passphrase"])) as vault:
            vault.known_identities("p")

    def do_truncate(self, step: dict[str, Any]) -> None:
        file = self.folder / "vault.db"
        file.write_bytes(file.read_bytes()[: -step["bytes"]])

    def do_delete_key_source(self, _step: dict[str, Any]) -> None:
        self.current = None

    def do_pseudonymise_cli(self, step: dict[str, Any]) -> None:
        source = self.folder / "in"
        source.mkdir()
        (source / "a.txt").write_text(step["text"], encoding="utf-8")
        done = self.cli("run", str(source), "--out", str(self.folder / "out"))
        if done.returncode == 1 and "no key" in done.stderr:
            raise KeyUnavailableError(done.stderr)

    def do_open_with_recovery(self, step: dict[str, Any]) -> None:
        self.current = RecoveryKey(self.saved[step["key"]])
        self.open().close()

    def do_restore(self, step: dict[str, Any]) -> str:
        with self.open() as vault:
            return undo(vault, self.saved[step["output"]], purpose="toets")

    def do_parallel_processes(self, step: dict[str, Any]) -> None:
        context = get_context("spawn")
        barrier, results = context.Barrier(step["count"]), context.Queue()
        text = step["each"]["pseudonymise"]
        workers = [
            context.Process(target=_race, args=(self.url, "alfa", text, n, barrier, results))
            for n in range(step["count"])
        ]
        for worker in workers:
            worker.start()
        self.outputs += [results.get(timeout=120) for _ in workers]
        for worker in workers:
            worker.join(timeout=60)
        self.exit_codes = [worker.exitcode if worker.exitcode is not None else -1 for worker in workers]

    def do_reidentify(self, step: dict[str, Any]) -> str:
        with self.open() as vault:
            if "role" in step and not vault.store.scalar("SELECT count(*) FROM actor_role"):
                give_role(vault, FIRST_OWNER, Role.ANALYST)
                for actor, role in (("lezer", "analyst"), ("fg", "officer")):
                    for one in ROLES[role]:
                        give_role(vault, actor, one)
                vault.commit()
        with self.open(step["actor"]) as vault:
            if "output" in step:
                return undo(vault, self.saved[step["output"]], purpose=step.get("reason", "vraag"))
            label = self.outputs[0].rstrip(".")
            return reveal(vault, project="p", pseudonyms=[label], purpose=step.get("reason", "vraag"))[
                label
            ].name

    def do_forget(self, _step: dict[str, Any]) -> None:
        with self.open() as vault:
            label = self.outputs[0].rstrip(".")
            erase(vault, project="p", pseudonyms=[label], purpose="verzoek")

    def do_reidentify_n_times(self, step: dict[str, Any]) -> None:
        with self.open() as vault:
            output = pseudonymize(vault, "Jan Tolsma.", "doc")
            for _ in range(step["n"]):
                reveal(vault, project="p", pseudonyms=[output.rstrip(".")], purpose="toets")

    def do_delete_audit_row(self, step: dict[str, Any]) -> None:
        with closing(sqlite3.connect(self.folder / "vault.db")) as connection, connection:
            self.audit_copy = connection.execute("SELECT * FROM audit_event ORDER BY sequence").fetchall()
            row = self.audit_copy[step["index"]]
            connection.execute("DELETE FROM audit_event WHERE sequence = ?", (row[0],))

    def do_restore_audit(self, _step: dict[str, Any]) -> None:
        with closing(sqlite3.connect(self.folder / "vault.db")) as connection, connection:
            connection.execute("DELETE FROM audit_event")
            marks = ", ".join("?" * len(self.audit_copy[0]))
            connection.executemany(f"INSERT INTO audit_event VALUES ({marks})", self.audit_copy)  # noqa: S608
        with self.open() as vault:
            vault.verify_audit()

    def do_edit_audit_row(self, step: dict[str, Any]) -> None:
        with closing(sqlite3.connect(self.folder / "vault.db")) as connection, connection:
            sequence = self.audit_copy[step["index"]][0]
            connection.execute(
                f"UPDATE audit_event SET {step['field']} = ? WHERE sequence = ?",  # noqa: S608  the case's field
                (step["value"], sequence),
            )

    def do_verify_audit(self, _step: dict[str, Any]) -> None:
        with self.open() as vault:
            vault.verify_audit()

    def do_run_cli(self, step: dict[str, Any]) -> None:
        self._write_inputs(step["files"])
        self._init_by_cli()
        done = self.cli("run", str(self.folder / "in"), *self._run_options(step["files"]), *step["args"])
        self.exit_codes = [done.returncode]
        self.streams = {"stdout": done.stdout, "stderr": done.stderr}

    def do_start_batch(self, step: dict[str, Any]) -> None:
        self._write_inputs(step["files"])
        self._init_by_cli()
        (self.folder / "tmp").mkdir()
        self.process = subprocess.Popen(  # noqa: S603  our own program
            self.command("run", str(self.folder / "in"), *self._run_options(step["files"])),
            cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def do_kill_9_after_first_write(self, _step: dict[str, Any]) -> None:
        out, vault = self.folder / "out", self.folder / "vault.db"
        first = vault.stat().st_mtime_ns
        wal = self.folder / "vault.db-wal"
        while self.process.poll() is None:
            if (
                any(out.rglob("*"))
                or vault.stat().st_mtime_ns != first
                or (wal.exists() and wal.stat().st_size)
            ):
                break
            time.sleep(0.001)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def _write_inputs(self, files: dict[str, str]) -> None:
        source = self.folder / "in"
        source.mkdir()
        for name, text in files.items():
            (source / name).write_text(text, encoding="utf-8")

    def _run_options(self, files: dict[str, str]) -> list[str]:
        mentions = self.folder / "mentions.jsonl"
        lines = []
        for name, text in files.items():
            found = [
                {
                    "start": m.start(),
                    "end": m.end(),
                    "text": m[0],
                    "kind": "PERSON",
                    "detector": "ner",
                    "confidence": 1.0,
                }
                for m in NAME.finditer(text)
            ]
            lines.append(json.dumps({"doc_id": name, "mentions": found if name.endswith(".txt") else []}))
        mentions.write_text("\n".join(lines), encoding="utf-8")
        return [
            "--out",
            str(self.folder / "out"),
            "--key-file",
            str(self.folder / "kek.key"),
            "--mentions",
            str(mentions),
        ]

    def _init_by_cli(self) -> None:
        done = subprocess.run(  # noqa: S603  our own program
            self.command("vault", "init", "--key-file", str(self.folder / "kek.key")),
            cwd=self.folder, env=self.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def command(self, *words: str) -> list[str]:
        program = "from pseudonymizer.cli import main; main()"
        project = [] if words[0] == "vault" else ["--project", "p"]
        return [sys.executable, "-c", program, *words, "--vault", self.url, *project]

    def environment(self) -> dict[str, str]:
        root = str(Path(__file__).parent.parent.parent)
        kept = {k: v for k, v in os.environ.items() if k != "NYMLINK_KEY_FILE"}
        return {**kept, "PYTHONPATH": root, "TMPDIR": str(self.folder / "tmp"), "OMP_NUM_THREADS": "1"}

    def cli(self, *words: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "tmp").mkdir(exist_ok=True)
        return subprocess.run(  # noqa: S603  our own program
            self.command(*words), cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False,
        )  # fmt: skip


# -- checks
# ------------------------------------------------------------------------------------------------------


def _blobs(folder: Path) -> list[bytes]:
    found: list[bytes] = []
    for file, tables in (
        ("vault.db", ("form", "edit", "document")),
        ("vault.keys.db", ("entity_key", "project_key")),
    ):
        with closing(sqlite3.connect(folder / file)) as connection:
            for table in tables:
                column = "sealed" if file == "vault.db" else "wrapped"
                found += [row[0] for row in connection.execute(f"SELECT {column} FROM {table}")]  # noqa: S608
    return found


def _audit_text(player: Player) -> str:
    with player.open() as vault:
        return "\n".join(
            json.dumps([e.actor, e.role, e.project, e.action, e.subjects, e.purpose, e.ticket, e.outcome])
            for e in vault.audit_events()
        )


def check(player: Player, wanted: dict[str, Any], case: dict[str, Any]) -> None:
    kind = wanted["check"]
    if kind == "same_pseudonym_across_steps":
        assert len({token for output in player.outputs for token in re.findall(r"P1-\w{20}", output)}) == 1
    elif kind == "ciphertexts_unique":
        blobs = _blobs(player.folder)
        assert len(blobs) > 3
        assert len(set(blobs)) == len(blobs)
    elif kind == "equal":
        assert player.saved[wanted["left"]] == player.saved[wanted["right"]]
    elif kind == "equals":
        assert player.saved[wanted["left"]] == wanted["value"]
    elif kind == "restores":
        with player.open() as vault:
            assert undo(vault, player.saved[wanted["output"]], purpose="toets") == wanted["equals"]
    elif kind == "restores_last":
        assert player.last == wanted["equals"]
    elif kind == "raises":
        assert isinstance(player.raised[wanted["step"]], ERRORS[wanted["error"]])
    elif kind == "error_lacks":
        assert wanted["value"] not in str(player.raised[wanted["step"]])
    elif kind == "never_recreated":
        assert not any(player.changed[step] for step in player.raised)
    elif kind == "no_file_created_or_changed":
        assert not player.changed[wanted["step"]]
        assert not (player.folder / "out").exists() or not list((player.folder / "out").rglob("*.txt"))
    elif kind == "audit_has":
        with player.open() as vault:
            events = [e for e in vault.audit_events() if e.action in ACTIONS[wanted["event"]]]
        denied = wanted["event"].endswith("_denied")
        events = [e for e in events if e.outcome.startswith("refused") == denied]
        fields = wanted.get("fields", {})
        events = [e for e in events if fields.get("actor", e.actor) == e.actor]
        events = [e for e in events if fields.get("reason", e.purpose) == e.purpose]
        assert events
        if "pseudonym" in wanted.get("and_fields_present", ()):
            assert all(e.subjects and e.occurred_at for e in events)
    elif kind == "audit_lacks":
        assert wanted["value"] not in _audit_text(player)
    elif kind == "distinct_outputs":
        assert len(set(player.outputs)) == wanted["equals"]
    elif kind == "vault_person_count":
        with player.open() as vault:
            assert len(vault.known_identities("p")) == wanted["equals"]
    elif kind == "exit_codes_all":
        assert set(player.exit_codes) == {wanted["value"]}
    elif kind == "exit_code":
        assert player.exit_codes == [4]
    elif kind == "logs_lack":
        assert not any(wanted["value"] in text for text in player.streams.values())
        assert not any(
            wanted["value"].encode() in p.read_bytes() for p in player.folder.rglob("*.log") if p.is_file()
        )
    elif kind == "dir_tree_lacks":
        value = wanted["value"].encode()
        left = [
            p
            for p in player.folder.rglob("*")
            if p.is_file() and "in" not in p.relative_to(player.folder).parts
        ]
        assert len(left) >= 3
        tellers = [p.name for p in left if value in p.read_bytes() and p.name != "mentions.jsonl"]
        assert tellers == []
    elif kind == "stored_record_lengths_equal":
        with closing(sqlite3.connect(player.folder / "vault.db")) as connection:
            lengths = [row[0] for row in connection.execute("SELECT length(sealed) FROM form")]
        assert len(lengths) == 2
        assert len(set(lengths)) == 1
    elif kind == "same_person":
        assert len(set(re.findall(r"P1-\w{20}", player.outputs[0]))) == 1
    elif kind == "roundtrip_exact":
        with player.open() as vault:
            assert undo(vault, player.outputs[0], purpose="toets") == case["input"]["text"]
    else:
        raise AssertionError(f"the interpreter does not know the check {kind}")


@pytest.mark.parametrize("case_id", sorted(CASES))
def test_case(case_id: str, tmp_path: Path) -> None:
    case = CASES[case_id]
    player = Player(tmp_path)
    source = case["input"]
    steps = source.get("steps") or [
        {"op": "init", "passphrase": "alfa"},
        {"op": "pseudonymise", "text": source["text"]},
    ]
    if case_id in KNOWN_FAILURES:
        with pytest.raises(AssertionError):
            _play_and_check(player, steps, case)
        return
    _play_and_check(player, steps, case)


def _play_and_check(player: Player, steps: list[dict[str, Any]], case: dict[str, Any]) -> None:
    player.play(steps)
    expected = {n for n, step in enumerate(steps) if "expect_error" in step}
    assert set(player.raised) == expected
    for wanted in case["expected"]["checks"]:
        check(player, wanted, case)


def test_every_vault_case_is_played() -> None:
    assert len(CASES) == 12
    assert set(CASES) >= KNOWN_FAILURES
