"""Every verb of the command, at work and failing: nothing of the input in what it says or leaves behind.

A verb that the parser has and this module does not call fails `test_every_verb_is_called`. Watched are both
streams (of child processes too), every log record of any library, every text of our own errors, what our own
records show of themselves, names of files that are opened to be written, and arguments of child processes.
"""

import gc
import io
import logging
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from linkage.errors import LinkageError
from pseudonymizer.cli import app, main
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.security.planting.places import PLACES

MARKED: Final = (
    "Vlasbloem", "Kwakkelstein", "Quirinus", "Jorinde", "0612345679", "06-12345679", "NL20INGB0001234567",
)  # fmt: skip
NAME: Final = "Quirinus Vlasbloem"
TEXT: Final = (
    "Beste Quirinus Vlasbloem,\n\nMevrouw Jorinde Kwakkelstein belde op 06-12345679 over rekening "
    "NL20INGB0001234567. Groet, Quirinus Vlasbloem\n"
)
STORE: Final = ("--vault", "sqlite:///v.db", "--key-file", "k.key")
IN_P: Final = (*STORE, "--project", "p")
ASKED: Final = (*IN_P, "--purpose", "toets")
PASSPHRASE: Final = "kleine boot vaart langzaam voorbij 17"  # noqa: S105  of a test
RESTORED: Final = "terug"  # the files there get their own names back, which is what was asked for
_SHOWING: Final = frozenset({("review",), ("web", "token", "list")})
_OURS: Final = ("linkage", "pseudonymizer")


@dataclass
class Watch:
    """What was said and left while it was on."""

    said: list[tuple[str, str]] = field(default_factory=list)
    is_on: bool = False

    def note(self, place: str, text: str) -> None:
        if self.is_on:
            self.said.append((place, text))

    def marked(self) -> dict[str, str]:
        """The places where something of the input stands, each with what stands around it."""
        found: dict[str, str] = {}
        for place, text in self.said:
            low = text.lower()
            first = min((low.find(mark.lower()) for mark in MARKED if mark.lower() in low), default=-1)
            if first >= 0:
                found.setdefault(place, text[max(0, first - 80) : first + 80])
        return found


_WATCH: Final = Watch()
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it cannot be taken away, and does nothing while no test watches."""
    if not _WATCH.is_on:
        return
    if any(RESTORED in _as_text(path) for path in arguments[:2]):
        return
    if event == "open" and (arguments[2] or 0) & _WRITING:
        _WATCH.note("file that is written", _as_text(arguments[0]))
    elif event in {"os.mkdir", "os.rename", "os.link", "os.symlink"}:
        for path in arguments[: 1 if event == "os.mkdir" else 2]:
            _WATCH.note(event, _as_text(path))
    elif event.startswith("tempfile."):
        _WATCH.note(event, _as_text(arguments[0]))
    elif event in {"subprocess.Popen", "os.posix_spawn", "os.exec"}:
        _WATCH.note(event, _as_text(arguments[1]))


def _as_text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(map(_as_text, value))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


sys.addaudithook(_hear)


class _Listening(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            text = record.getMessage()
            if record.exc_info is not None:
                text += logging.Formatter().formatException(record.exc_info)
            _WATCH.note(f"log of {record.name}", text)


@contextmanager
def watched() -> Iterator[Watch]:
    """Everything is heard until the end."""
    _WATCH.said.clear()
    root = logging.getLogger()
    listening, level = _Listening(), root.level
    with pytest.MonkeyPatch.context() as patch:
        for tree in (PseudonymizerError, LinkageError):
            original = tree.__init__

            def init(self: Exception, *arguments: object, _original: Any = original, **more: object) -> None:
                _WATCH.note(f"{type(self).__name__}", _as_text(arguments))
                _original(self, *arguments, **more)

            patch.setattr(tree, "__init__", init)
        root.addHandler(listening)
        root.setLevel(logging.DEBUG)
        ended = threading.Event()
        looking = threading.Thread(target=_look_at_children, args=(ended,), daemon=True)
        _WATCH.is_on = True
        looking.start()
        try:
            yield _WATCH
        finally:
            _WATCH.is_on = False
            ended.set()
            looking.join()
            root.removeHandler(listening)
            root.setLevel(level)


def _look_at_children(ended: threading.Event) -> None:
    while not ended.wait(0.02):
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, IndexError, ValueError):
                parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == os.getpid():
                    _WATCH.note("arguments of a process", (place / "cmdline").read_text())


def note_records() -> None:
    """What our own records show of themselves: those that live now."""
    for thing in gc.get_objects():
        kind = type(thing)
        if str(kind.__module__).startswith(_OURS) and not isinstance(thing, type):
            with suppress(Exception):
                _WATCH.note(f"repr of {kind.__module__}.{kind.__name__}", repr(thing))


# -- the verbs -----------------------------------------------------------------------------------------------


@dataclass
class World:
    """A folder with inputs, in which verbs are called one after the other."""

    folder: Path
    patch: pytest.MonkeyPatch
    hear: Callable[[], Sequence[str]]

    def call(self, *arguments: str, asked: str = "") -> int:
        """The exit status of one call. asked: what stands on standard input."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["nymlink", *arguments])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked.encode())))
            with pytest.raises(SystemExit) as left:
                main()
        for stream, text in zip(("standard output", "standard error"), self.hear(), strict=True):
            # review shows what is judged to whoever judges, whatever stands for the terminal; the list of
            # tokens shows accounts and projects, as they were called
            if stream == "standard error" or _SHOWING.isdisjoint({arguments[:1], arguments[:3]}):
                _WATCH.note(f"{stream} of {' '.join(arguments[:2])}", text)
        code = left.value.code
        return code if isinstance(code, int) else 1

    def label(self) -> str:
        with Vault.open(self.folder / "v.db", FileKey(self.folder / "k.key")) as vault:
            rows = vault.store.rows("SELECT label FROM pseudonym ORDER BY pseudonym_id")
        return str(rows[0][0])


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> World:
    for name in ("in", "tmp", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("NYMLINK_KEY_FILE", "NYMLINK_VAULT", "NYMLINK_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    _fill(tmp_path / "in")
    (tmp_path / "wachtzin").write_text(PASSPHRASE)
    (tmp_path / "paren.tsv").write_text("name_a\tname_b\nQ. Vlasbloem\tQuirinus Vlasbloem\n")
    (tmp_path / "gold.identifiers.jsonl").write_text(
        '{"doc_id": "Vlasbloem", "text": "Quirinus Vlasbloem belde.", '
        '"entities": [{"start": 0, "end": 18, "kind": "PERSON"}]}\n'
    )
    (tmp_path / "tabel.csv").write_text(f"naam;telefoon\n{NAME};06-12345679\nJorinde Kwakkelstein;x\n")
    return World(tmp_path, monkeypatch, capfd.readouterr)


def _fill(folder: Path) -> None:
    """A letter, a file of each format, and files that were made to fail."""
    (folder / "brief Vlasbloem.txt").write_text(TEXT)
    (folder / "tweede.txt").write_text(f"Gesprek met {NAME} en Jorinde Kwakkelstein.\n")
    seen: set[str] = set()
    for (ending, _), plant in PLACES.items():
        if ending not in seen:
            seen.add(ending)
            (folder / f"Kwakkelstein {ending.replace('.', '-')}.{ending}").write_bytes(plant(NAME))
    bad = folder / "stuk"
    bad.mkdir()
    for name, raw in FAILING.items():
        (bad / name).write_bytes(raw)


_NAMED: Final = NAME.encode()
FAILING: Final = {
    "Kwakkelstein.docx": b"PK\x03\x04 " + _NAMED,
    "Vlasbloem.pdf": b"%PDF-1.4\n1 0 obj <</Title (" + _NAMED + b")>>\n" + b"[" * 3_000 + b"\nxref\n0 9\n",
    "Vlasbloem.jsonl": b'{"doc_id": "x", "text": "' + _NAMED + b'"\n',
    "Vlasbloem.json": b'{"a": ' * 3_000 + b'"' + _NAMED,
    "Vlasbloem.xml": b'<!DOCTYPE a [<!ENTITY n "' + _NAMED + b'">]><a>&n;&n;</a',
    "Vlasbloem.html": b"<!--" * 20_000 + _NAMED,
    "Vlasbloem.csv": b'naam;brief\r\n"' + _NAMED + b'";"' + b"a" * 50_000,
    "Vlasbloem.rtf": b"{\\rtf1 " + b"{" * 5_000 + _NAMED,
    "Vlasbloem.msg": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + _NAMED * 40,
    "Vlasbloem.xlsx": b"PK\x03\x04" + _NAMED * 20,
    "Vlasbloem.parquet": b"PAR1" + _NAMED * 20 + b"PAR1",
    "mix.txt": "Zo\u00eb Kwakkelstein ".encode() + b"Ren\xe9 Vlasbloem",
    "leeg Vlasbloem.eml": b"Subject: " + _NAMED + b"\r\nContent-Type: multipart/mixed; boundary=" + _NAMED,
}

PASS: Final = ("--passphrase-file", "wachtzin")
Step = tuple[tuple[str, ...], str]  # the words of a call, where LABEL stands for a pseudonym; standard input


def _step(*words: str, asked: str = "") -> Step:
    return words, asked


STEPS: Final[Sequence[Step]] = (
    _step("vault", "init", *STORE),
    _step("run", "in", "--out", "out", *IN_P, "--profile", "everything", "--log-level", "debug"),
    _step("run", "in", "--out", "out", *IN_P, "--retry-failed", "--workers", "2"),
    _step("run", "in", "--out", "out", *IN_P, "--json"),
    _step("detect", "in", "--out", "gevonden.jsonl", "--kinds", "all", "--log-level", "debug"),
    _step("link", "in", "--out", "samen.jsonl", "--log-level", "debug"),
    _step("train", "detection", "--language", "nl", "--gold", "gold.identifiers.jsonl", "--out", "Vlasbloem"),
    _step("view", "in", "--out", "beeld", "--log-level", "debug"),
    _step("review", "in", "--mentions", "gezien.jsonl", *IN_P, "--log-level", "debug"),
    _step("review", "in", "--judgements", "oordeel.jsonl", *IN_P, "--log-level", "debug"),
    _step("review", "--run", "out", "--judgements", "oordeel2.jsonl", *IN_P),
    _step("compare", "paren.tsv", "--out", "vergelijk.tsv", "--log-level", "debug"),
    _step("explain", "-", asked="Q. Vlasbloem\nQuirinus Vlasbloem\n"),
    _step("explain", "-", "--document", "in", "--json", asked="Q. Vlasbloem\nQuirinus Vlasbloem\n"),
    _step("columns", "tabel.csv"),
    _step("kinds", *IN_P),
    _step("evaluate", "gold.identifiers.jsonl", "--kinds", "all", "--errors", "fouten.jsonl"),
    _step("paths", "out", *IN_P, "--out", "paden.tsv"),
    _step("restore", "out", *ASKED, "--out", RESTORED),
    _step("reveal", "LABEL", *ASKED, "--out", "namen.tsv"),
    _step("lookup", "-", *ASKED, "--out", "gezocht.tsv", asked=f"{NAME}\n"),
    _step("request", "LABEL", *ASKED),
    _step("approve", "1", *STORE, "--actor", "ander"),
    _step("grant", "1", *STORE),
    _step("request", "LABEL", *ASKED),
    _step("deny", "2", *STORE, "--actor", "ander"),
    _step("request", "LABEL", *ASKED),
    _step("requests", "withdraw", "3", *STORE),
    _step("requests", "list", *STORE),
    _step("requests", "show", "1", *STORE),
    _step("people", *ASKED, "--out", "mensen.tsv"),
    _step("relink", *ASKED),
    _step("relink", *ASKED, "--names", "--apply", "--out", "anders.tsv"),
    _step("demo", "probeer"),
    _step("models", "list"),
    _step("models", "install", "nl", "in"),
    _step("audit", "list", *STORE),
    _step("audit", "verify", *STORE),
    _step("audit", "export-head", *STORE, "--out", "kop.json"),
    _step("vault", "status", *STORE[:2]),
    _step("vault", "projects", *STORE),
    _step("vault", "verify", *STORE),
    _step("vault", "settings", *IN_P),
    _step("vault", "merge", "LABEL", "P-ONBEKEND", *ASKED),
    _step("vault", "split", "LABEL", *ASKED, "--surface", "-", asked=f"{NAME}\n"),
    _step("vault", "link-projects", *ASKED, "--other", "q", "--out", "paar.tsv"),
    _step("vault", "folders", *IN_P),
    _step("vault", "rotate", "index", *IN_P),
    _step("vault", "rotate", "data", *IN_P),
    _step("vault", "export", *IN_P, "--out", "koppelingen.csv"),
    _step("vault", "export-vault", *STORE, "--out", "heel", "--purpose", "x", *PASS),
    _step("vault", "export-keys", *STORE, "--out", "sleutels", "--purpose", "x", *PASS),
    _step("vault", "import", "heel", "--vault", "sqlite:///w.db", "--key-file", "k.key", *PASS),
    _step("vault", "recovery-key", *STORE, "--out", "papier"),
    _step("vault", "run-key", *ASKED, "--run", "r", "--hours", "1", "--out", "loopsleutel"),
    _step("vault", "accept", "in/tweede.txt", *IN_P, "--run", "r@2026-01-01T00:00:00+00:00"),
    _step("vault", "migrate", *STORE, "--reseal"),
    _step("vault", "erase", "LABEL", *ASKED, "--yes"),
    _step("vault", "erase", *ASKED, "--value", "-", "--kind", "PHONE", "--yes", asked="06-12345679\n"),
    _step("run", "in", "--out", "out", *IN_P, "--retry-failed"),
    _step("vault", "give-up", "out", *ASKED),
    _step("vault", "accept-put-back", *STORE, "--purpose", "toets"),
    _step("vault", "serve", "--vault", "sqlite:///v.db", "--key-file", "k.key", "--socket", "s/vault.sock"),
    _step("web", "engine", *IN_P, "--socket", "in/engine.sock"),
    _step("web", "front", "--socket", "s/engine.sock", "--desk", "v.desk.db", "--listen", "0.0.0.0:9"),
    _step("web", "token", "create", *IN_P[:2], *IN_P[4:6], "--account", "toets"),
    _step("web", "token", "list", *STORE[:2]),
    _step("web", "token", "revoke", "0", *STORE[:2]),
    _step("web", "account", "create", "toets", *STORE[:2], asked=f"{PASSPHRASE}\n"),
    _step("web", "account", "list", *STORE[:2]),
    _step("web", "account", "password", "toets", *STORE[:2], asked=f"{PASSPHRASE} en verder\n"),
    _step("web", "account", "end", "toets", *STORE[:2]),
    _step("vault", "roles", "give", "anna", "analyst", *STORE),
    _step("vault", "roles", "list", *STORE),
    _step("vault", "roles", "take", "anna", "analyst", *STORE),
    _step("vault", "roles", "mend", "anna", "--vault", "sqlite:///v.db", "--recovery-file", "papier"),
)  # fmt: skip

# Verbs of STEPS whose exit status here is another than 0, and what it is.
ENDS: Final = {
    "run": {4}, "detect": {4}, "link": {4}, "view": {4}, "evaluate": {1}, "models install": {2},
    "train detection": {1}, "explain": {0, 4},
    "vault merge": {1}, "vault split": {0, 1}, "vault link-projects": {1}, "vault accept": {3},
    "vault serve": {1}, "web engine": {1}, "web front": {1}, "web token revoke": {1},
}  # fmt: skip


def _verbs() -> dict[str, Any]:
    """The verbs of the parser, by their words."""
    found: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        if hasattr(command, "commands"):
            for name, inner in command.commands.items():
                walk(inner, (*words, name))
        else:
            found[" ".join(words)] = command

    walk(typer.main.get_command(app), ())
    return found


def _verb_of(words: Sequence[str]) -> str:
    return max(
        (verb for verb in _verbs() if tuple(verb.split()) == tuple(words[: len(verb.split())])), key=len
    )


def test_every_verb_is_called() -> None:
    assert {_verb_of(words) for words, _ in STEPS} == set(_verbs())


@pytest.mark.slow  # a minute and a half of processor time
def test_no_verb_says_or_leaves_anything_of_the_input(world: World) -> None:
    label = ""
    ends: dict[str, set[int]] = {}
    with watched() as watch:
        for words, asked in STEPS:
            status = world.call(*(label if word == "LABEL" else word for word in words), asked=asked)
            note_records()
            verb = _verb_of(words)
            ends.setdefault(verb, set()).add(status)
            if verb == "run" and not label:
                label = world.label()
    assert watch.marked() == {}
    # Who the first pseudonym is, and so whether there is somebody to split off, is no part of this test.
    assert {verb for verb, found in ends.items() if not found <= ENDS.get(verb, {0})} == set()


# -- verbs that fail -----------------------------------------------------------------------------------------

SERVING: Final = {"vault serve", "web front", "web engine"}
_SPOILED: Final = {
    "a sealed value": "UPDATE form SET sealed = x'00'",
    "the counts": "DELETE FROM checkpoint",
    "the trail": "UPDATE audit_event SET purpose = 'x'",
    "a table": "DROP TABLE pseudonym",
}


def _shown_verbs() -> Iterator[str]:
    """All but those that would serve, or use a network."""
    return (verb for verb in _verbs() if verb not in SERVING | {"models install"})


@pytest.mark.slow  # a thousand calls
def test_a_wrong_command_line_says_nothing_that_was_typed(world: World) -> None:
    """Every option of every verb with a name as its value, alone and with all that is needed."""
    with watched() as watch:
        for verb in _shown_verbs():
            words = verb.split()
            needed: list[str] = []
            for parameter in _verbs()[verb].params:
                if parameter.required:
                    needed += [NAME] if parameter.param_type_name == "argument" else [parameter.opts[0], NAME]
            world.call(*words, *needed)
            world.call(*words, f"--{NAME}")
            world.call(*words, NAME, NAME, NAME, NAME)
            for parameter in _verbs()[verb].params:
                # An error says which settings file it is about, by the name of the file.
                if parameter.param_type_name == "option" and "--settings" not in parameter.opts:
                    world.call(*words, parameter.opts[0], NAME)
                    world.call(*words, f"{parameter.opts[0]}={NAME}", *needed)
    found = watch.marked()
    assert found.pop("file that is written", NAME) == NAME, "the file that was asked for"
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("spoiled", [*_SPOILED, "another key", "no key store"])
def test_a_spoiled_vault_makes_no_verb_say_a_name(world: World, spoiled: str) -> None:
    """Each verb that reads a vault, on one that was altered, or with what does not fit it."""
    (world.folder / "in").rename(world.folder / "alles")
    (world.folder / "in").mkdir()
    (world.folder / "in" / "brief Vlasbloem.txt").write_text(TEXT)
    for words, _ in STEPS[:2]:
        world.call(*words)
    label = world.label()
    if statement := _SPOILED.get(spoiled):
        with closing(sqlite3.connect(world.folder / "v.db")) as connection, connection:
            connection.execute(statement)
    elif spoiled == "another key":
        (world.folder / "k.key").unlink()
        assert world.call("vault", "init", "--vault", "sqlite:///andere.db", "--key-file", "k.key") == 0
    else:
        (world.folder / "v.keys.db").unlink()
    with watched() as watch:
        for words, asked in STEPS[2:]:
            if "--vault" in words and _verb_of(words) not in SERVING:
                world.call(*(label if word == "LABEL" else word for word in words), asked=asked)
    assert watch.marked() == {}
