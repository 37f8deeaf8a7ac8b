"""The second round of public cases: their files, their runs by the command, and outputs as one reads them."""

import email
import email.message
import email.policy
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import unquote_plus

from typer.testing import CliRunner

from pseudonymizer.cli import app

FOLDER: Final = Path(__file__).parents[1] / "cases"
PROJECT: Final = "cases2"
PURPOSE: Final = ("--purpose", "toets")


@dataclass(frozen=True)
class Case:
    """A case. row: its line of cases2.jsonl."""

    row: Mapping[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def lacks(self) -> Sequence[str]:
        return cast("Sequence[str]", self.row["output_lacks"])

    @property
    def keeps(self) -> Sequence[str]:
        return cast("Sequence[str]", self.row["output_keeps"])

    def files(self) -> dict[str, bytes]:
        """The input files by name. A name that begins with "+" is of a file that comes later."""
        given = self.row["input"]
        if "files" in given:
            return {name: text.encode("utf-8") for name, text in given["files"].items()}
        names: dict[str, Any] = {}
        exec(compile(given["generator"], self.id, "exec"), names)  # noqa: S102  a file of this repository
        made = names[given["function"]]()
        return dict(made)


def cases() -> dict[str, Case]:
    """The cases by id, in the order of their file."""
    lines = (FOLDER / "cases2.jsonl").read_text(encoding="utf-8").splitlines()
    read = [Case(json.loads(line)) for line in lines if line.strip()]
    return {case.id: case for case in read}


class Place:
    """A folder with a fresh vault, and the command on it. Projects have the profile `names`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs, self.outputs = folder / "in", folder / "out"
        self.inputs.mkdir(parents=True)
        self.vault = ("--vault", f"sqlite:///{folder / 'vault.db'}", "--key-file", str(folder / "kek.key"))
        self.command("vault", "init", project=None)

    def write(self, files: Mapping[str, bytes]) -> None:
        for name, content in files.items():
            (self.inputs / name).write_bytes(content)

    def command(
        self,
        *words: str,
        project: str | None = PROJECT,
        stdin: bytes | None = None,
        allowed: Sequence[int] = (0,),
    ) -> "Done":
        """What a verb prints, in a project of the vault; its status must be one of those allowed."""
        of_project = () if project is None else ("--project", project)
        done = CliRunner().invoke(app, [*words, *self.vault, *of_project], input=stdin)
        assert done.exit_code in allowed, f"status {done.exit_code} of {words[0]}: {type(done.exception)}"
        return Done(done.exit_code, done.stdout_bytes, done.stderr)

    def run(
        self, *words: str, out: Path | None = None, style: str = "tag", allowed: Sequence[int] = (0,)
    ) -> dict[str, Any]:
        """The report of a run over the inputs."""
        done = self.command(
            "run", str(self.inputs), "--out", str(out or self.outputs), "--profile", "names",
            "--style", style, "--no-mark", "--json", *words, allowed=allowed,
        )  # fmt: skip
        return cast("dict[str, Any]", json.loads(done.out))

    def written(self, out: Path | None = None) -> dict[str, bytes]:
        """The outputs by their paths, without the work file."""
        root = out or self.outputs
        files = (path for path in sorted(root.rglob("*")) if path.is_file() and ".nymlink" not in path.parts)
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}

    def restored(self, source: Path | None = None, *, name: str = "back") -> dict[str, bytes]:
        """The originals of an output folder."""
        back = self.folder / name
        self.command("restore", str(source or self.outputs), "--out", str(back), *PURPOSE)
        return self.written(back)

    def restored_text(self, text: str, *words: str) -> tuple[str, "Done"]:
        """A text that was pasted, as it comes back."""
        done = self.command(
            "restore", "-", "--out", "-", *PURPOSE, *words, stdin=text.encode(), allowed=(0, 4)
        )
        return done.out.decode(), done


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    out: bytes = field(repr=False)
    errors: str = field(repr=False)


# -- outputs as one reads them -------------------------------------------------------------------------------


def decoded(name: str, raw: bytes) -> list[str]:
    """The texts of a file: as it stands, and what its format unpacks, unfolds and unescapes."""
    suffix = Path(name).suffix.lower()
    if suffix in (".xlsx", ".docx"):
        return [text for part in _parts(raw) for text in (part, unescape(re.sub(r"<[^>]+>", "", part)))]
    text = raw.decode("utf-8", "replace")
    if suffix == ".eml":
        message = email.message_from_bytes(raw, policy=email.policy.default)
        return [text, *_of_mail(message)]
    if suffix == ".ics":
        return [text, re.sub(r"\r?\n[ \t]", "", text)]
    if suffix in (".json", ".ipynb"):
        try:
            return [text, *_of_json(json.loads(text))]
        except (json.JSONDecodeError, RecursionError):
            return [text]
    if suffix == ".log":
        escaped = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
        return [text, unquote_plus(text), escaped]
    return [text, unescape(text)]


def _parts(raw: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        for one in packed.namelist():
            yield packed.read(one).decode("utf-8", "replace")


def _of_json(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _of_json(one)
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            yield "".join(value)  # the lines of a cell of a notebook
        for one in value:
            yield from _of_json(one)
    else:
        yield str(value)


def _of_mail(message: email.message.Message) -> Iterator[str]:
    for part in message.walk():
        for name, value in part.items():
            yield f"{name}: {value}"
        if (file_name := part.get_filename()) is not None:
            yield file_name
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield from decoded(
                f"part.{'ics' if part.get_content_subtype() == 'calendar' else 'txt'}", payload
            )


def whole(written: Mapping[str, bytes]) -> str:
    """All texts of all outputs, one after the other."""
    return "\n".join(text for name, raw in written.items() for text in decoded(name, raw))
