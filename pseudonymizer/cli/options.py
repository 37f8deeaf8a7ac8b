"""Options that several verbs share, and what they stand for."""

import errno
import logging
import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pseudonymizer.cli.opening import head_file as head_file
from pseudonymizer.cli.opening import key_provider as key_provider
from pseudonymizer.cli.opening import key_vault_opener as key_vault_opener
from pseudonymizer.cli.opening import refuse_service as refuse_service
from pseudonymizer.cli.opening import vault_opener as vault_opener

if TYPE_CHECKING:
    from linkage.kind_lists import TextsByKind
    from linkage.records import KnownIdentity
    from linkage.settings import LinkageSettings
    from pseudonymizer.engine.progress import Progress
    from pseudonymizer.engine.records import Pipeline
    from pseudonymizer.engine.sources import SourceFile
    from pseudonymizer.settings import Settings
    from pseudonymizer.vault.api import MentionLinker

log = logging.getLogger(__name__)

STANDARD_STREAM = "-"
SOME_FAILED = 4  # exit status: some documents failed, or labels were left; the rest is done


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


Inputs = Annotated[
    list[str], typer.Argument(metavar="INPUT", help="Files or folders; - for a text on standard input.")
]
OutFolder = Annotated[
    str,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder for the results, or a file for that of one file; - for standard output.",
    ),
]
OutFile = Annotated[
    str, typer.Option("--out", metavar="FILE", help="File for the result; - for standard output.")
]
VaultUrl = Annotated[
    str,
    typer.Option(
        "--vault",
        metavar="VAULT",
        envvar="NYMLINK_VAULT",
        help="A file such as vault.db, sqlite:///vault.db, postgresql+psycopg://host/db, or "
        "unix:/path/of/a/vault/service; `nymlink vault init` makes one.",
    ),
]
SomeVault = Annotated[
    str | None,
    typer.Option("--vault", metavar="VAULT", help="Link with the people of --project in this vault."),
]
KeysUrl = Annotated[
    str | None,
    typer.Option(
        "--keys", metavar="KEYS", help="The key store, file or URL, where it is not beside the vault."
    ),
]
Project = Annotated[
    str,
    typer.Option(
        "--project",
        metavar="NAME",
        envvar="NYMLINK_PROJECT",
        help="The study or purpose with its own pseudonyms.",
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The key; else $NYMLINK_KEY_FILE, else a passphrase is asked. In place of a file also env:NAME, "
        "secret:FILE (mounted), keyring:ACCOUNT, or transit:KEY with $VAULT_ADDR and $VAULT_TOKEN.",
    ),
]
Purpose = Annotated[str, typer.Option("--purpose", metavar="TEXT", help="What it is done for; audited.")]
Ticket = Annotated[str, typer.Option("--ticket", metavar="TEXT", help="Reference of the request; audited.")]
Actor = Annotated[
    str | None, typer.Option("--actor", metavar="NAME", help="Who does this; else the user of the system.")
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="TOML with [recognition], [linking], [pseudonyms]; else nymlink.toml in the working folder or "
        "the nearest one above it, up to the home folder.",
    ),
]
Language = Annotated[
    str | None, typer.Option("--language", metavar="CODE", help="Language of the texts, such as nl, or auto.")
]
AlwaysLists = Annotated[
    list[str] | None,
    typer.Option(
        "--always",
        metavar="KIND=FILE",
        help="The texts of FILE, one a line, are mentions of the kind wherever they stand, as "
        "PERSON=names.txt. May be given several times.",
    ),
]
NeverLists = Annotated[
    list[str] | None,
    typer.Option(
        "--never",
        metavar="KIND=FILE",
        help="The texts of FILE, one a line, are no mentions of the kind: they stay in clear. May be given "
        "several times.",
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", min=1, metavar="N", help="Processes; else as many as the work is worth."),
]
Level = Annotated[
    LogLevel, typer.Option("--log-level", case_sensitive=False, help="How much to log; never names.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]

SomeProject = Annotated[
    str | None, typer.Option("--project", metavar="NAME", help="The project of --vault; goes with it.")
]
AnyProject = Annotated[
    str | None, typer.Option("--project", metavar="NAME", help="One project; else all of them.")
]
Grant = Annotated[str | None, typer.Option("--grant", metavar="TEXT", help="From `nymlink grant`.")]


def start_logging(level: LogLevel) -> None:
    """Our own log lines on standard error. Other libraries stay at warnings: theirs may hold text."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    for package in ("linkage", "pseudonymizer"):
        logger = logging.getLogger(package)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(level.value.upper())


def read_settings(
    file: Path | None,
    language: str | None = None,
    *,
    always: Sequence[str] | None = None,
    never: Sequence[str] | None = None,
) -> "Settings":
    """The settings of the file, else of the nearest nymlink.toml, with what the command line says.

    always, never: lists by kind of the command line, KIND=FILE; they add to those of the file.

    Raises:
        typer.BadParameter: there are no rules for the language of the command line, or a list is not of the
            form KIND=FILE.
        SettingsError: a file of a list cannot be read or is empty, or its kind is unknown.
    """
    from dataclasses import replace

    from linkage.errors import SettingsError
    from pseudonymizer.cli.nearby import nearest_settings, shown_name
    from pseudonymizer.settings import Settings

    if file is not None:
        settings = Settings.from_toml(file)
    elif (near := nearest_settings()) is not None:
        log.info("settings are those of %s", shown_name(near))
        settings = Settings.from_toml(near, name=shown_name(near))
    else:
        settings = Settings()
    recognition = settings.linkage.recognition
    if language is not None:
        try:
            if language == "auto":
                recognition = replace(recognition, tell_language=True)
            else:
                recognition = replace(recognition, language=language, tell_language=False)
        except SettingsError as error:
            raise typer.BadParameter(str(error), param_hint="--language") from None
    if always or never:
        recognition = replace(
            recognition,
            always=recognition.always | _lists(always or (), "--always"),
            never=recognition.never | _lists(never or (), "--never"),
        )
    linkage = replace(settings.linkage, recognition=recognition)
    if always or never:
        _ = linkage.own.all_kinds  # refuses a list of an unknown kind
    return replace(settings, linkage=linkage)


def _lists(given: Sequence[str], option: str) -> "TextsByKind":
    """The texts by kind in the files of an option, KIND=FILE."""
    from linkage.own_kinds import listed_in
    from linkage.texts import KindId

    files = []
    for one in given:
        kind, sign, file = one.partition("=")
        if not sign or not kind.strip() or not file:
            raise typer.BadParameter(
                f"{option} needs a kind and a file, such as {option} PERSON=names.txt", param_hint=option
            )
        files.append((KindId(kind.strip().upper().replace("-", "_")), Path(file)))
    return listed_in(files, option=option)


def linkage_settings(
    file: Path | None,
    language: str | None,
    *,
    always: Sequence[str] | None = None,
    never: Sequence[str] | None = None,
) -> "LinkageSettings":
    """Those of read_settings that finding and linking go by."""
    return read_settings(file, language, always=always, never=never).linkage


def pipeline_loader(settings: "LinkageSettings") -> "Callable[[], Pipeline]":
    """What loads the pipeline, here or in a worker."""
    from pseudonymizer.engine.loading import load_pipeline

    return partial(load_pipeline, settings)


def load_linker(settings: "LinkageSettings") -> "MentionLinker":
    """What decides who is who, without what finds names: a service needs no network."""
    from pseudonymizer.engine.loading import load_linker as load

    return load(settings)


def registered_people(settings: "LinkageSettings") -> "Sequence[KnownIdentity]":
    """The people of the user's registry, when the settings name one."""
    from pseudonymizer.engine.loading import registered_people as registered

    return registered(settings)


def worker_count(wanted: int | None, sources: "Sequence[SourceFile]") -> int:
    """As many as wanted, else as many as there are cores and the work is worth."""
    from pseudonymizer.runs.workers import worker_count as worth

    return worth(wanted, sources)


def progress_display(*, as_json: bool) -> "Progress":
    """Bars with rates on a terminal, a line every ten seconds elsewhere; nothing beside JSON."""
    from pseudonymizer.cli.display import Bars, Lines
    from pseudonymizer.engine.progress import Silent

    shown = Bars if sys.stderr.isatty() else Lines
    return Silent() if as_json else shown()


def read_standard_input() -> bytes:
    return sys.stdin.buffer.read()


def check_places(*places: str | Path | None) -> None:
    """Say before the work, and not after it, that a result cannot be written there.

    Raises:
        OSError: a folder lies there, or the folder is missing that the file is to lie in.
    """
    for place in (Path(one) for one in places if one is not None and one != STANDARD_STREAM):
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(place))


def write_result(out: str, raw: bytes, *, private: bool) -> None:
    """A result to a file, whole or not at all, or to standard output. private: for its owner alone."""
    if out == STANDARD_STREAM:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
        return
    check_places(out)
    place = Path(out)
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with os.fdopen(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o666), "wb"
        ) as file:
            file.write(raw)
        part.replace(place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
