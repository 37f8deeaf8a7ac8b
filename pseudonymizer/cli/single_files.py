"""--out FILE for one input file: that file is written, and no folder."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_result
from pseudonymizer.cli.outcome import unread_in_text
from pseudonymizer.cli.run_report import TEXT_ONLY, megabytes
from pseudonymizer.cli.saying import say

if TYPE_CHECKING:
    from linkage.review import Judgement
    from pseudonymizer.answers import PseudonymizedDocument
    from pseudonymizer.engine.records import GivenMention
    from pseudonymizer.project import Project

_TAKEN: Final = (
    "a file lies there that no run of this project wrote; choose another --out, or move that file away"
)


def single_place(inputs: Sequence[str], out: str) -> Path | None:
    """The file that --out names, where one file is given and not a folder; None: --out is a folder.

    Raises:
        BadParameter: --out names a file of another format than the input.
    """
    from pseudonymizer.formats.every_format import BY_SUFFIX

    if len(inputs) != 1 or out in ("", options.STANDARD_STREAM) or not Path(inputs[0]).is_file():
        return None
    place = Path(out)
    given, wanted = (path.suffix.lower().lstrip(".") for path in (Path(inputs[0]), place))
    if place.is_dir() or out.endswith("/") or wanted not in BY_SUFFIX:
        return None
    if given in BY_SUFFIX and BY_SUFFIX[given] is not BY_SUFFIX[wanted]:
        raise typer.BadParameter(
            f"a file is written in its own format: give --out NAME.{given}, or a folder", param_hint="--out"
        )
    if place.exists() and place.samefile(inputs[0]):
        raise typer.BadParameter(
            "--out is the input itself, and no source is written over", param_hint="--out"
        )
    options.check_places(place)
    return place


def pseudonymize_one(
    project: "Project",
    source: Path,
    place: Path,
    *,
    mentions: "Mapping[str, tuple[GivenMention, ...]] | None",
    judgements: "Sequence[Judgement]",
    as_json: bool,
) -> None:
    """Write one file in place of another, with its way back in the vault, and say what was done.

    Raises:
        ForeignFileError: a file lies there that no run of the project wrote.
        BatchError: the file is so large that it is treated in units, which takes a folder.
        Exit: the file failed.
    """
    from pseudonymizer.engine.remedies import why_and_what_next
    from pseudonymizer.engine.sources import find_sources
    from pseudonymizer.errors import BatchError
    from pseudonymizer.runs.units import in_units

    refuse_foreign(project, place)
    if len(list(in_units(find_sources([source])))) > 1:
        raise BatchError(
            "a file of this size is treated a part at a time, which takes an output folder: give --out DIR"
        )
    (document,) = project.pseudonymize(source, mentions=mentions, judgements=judgements)
    failed = document.failure
    if failed is None:
        options.write_result(str(place), document.content, private=False)
    if as_json:
        _say_json(project, document)
    elif failed is None:
        say(f"1 of 1 files done\n{len(document.mentions):,} places written anew")
        if document.unread_places:
            say(unread_in_text(document.unread_places))
        if document.text_only:
            say(TEXT_ONLY.format(1))
        if document.kept_original:
            say(f"original kept sealed in the vault: {megabytes(document.kept_original)}")
        left = ", ".join(f"{count:,} {kind}" for kind, count in document.left_in.items() if count)
        if left:
            say(f"seen and left in: {left}")
        say("The result is pseudonymized, not anonymous: it is still personal data.")
    else:
        say("0 of 1 files done, 1 failed")
        say(f"input 1: {why_and_what_next(failed.error, failed.reason)}")
    if failed is not None:
        raise typer.Exit(options.SOME_FAILED)


def _say_json(project: "Project", document: "PseudonymizedDocument") -> None:
    from pseudonymizer.engine.remedies import remedy_of

    failed = document.failure
    failures = (
        []
        if failed is None
        else [
            {
                "input": 1, "error": failed.error, "reason": failed.reason,
                "remedy": remedy_of(failed.error, failed.reason),
            }
        ]
    )  # fmt: skip
    counts = {"all": 1, "ok": int(failed is None), "failed": len(failures), "skipped": 0, "waiting": 0}
    told = {
        "project": project.name, "documents": counts, "mentions": len(document.mentions),
        "identifiers_left_in": dict(document.left_in), "unread": dict(document.unread), "failures": failures,
        "text_only": int(document.text_only), "kept_originals": int(document.kept_original > 0),
        "kept_bytes": document.kept_original,
    }  # fmt: skip
    say_result("run", told, status=options.SOME_FAILED if failures else 0)


def refuse_foreign(project: "Project", place: Path) -> None:
    """Nothing, where no file lies at a place, or one that is an output of the project.

    Raises:
        ForeignFileError: another file lies there.
    """
    from pseudonymizer.crypto import digest_sha256
    from pseudonymizer.errors import ForeignFileError

    if not place.exists():
        return
    digest = digest_sha256((place.read_bytes(),))
    with project.vault.lock:
        try:
            known = project.name in project.vault.projects()
            is_own = known and bool(project.vault.outputs_among(project.name, {digest}))
        finally:
            project.vault.rollback()
    if not is_own:
        raise ForeignFileError(_TAKEN)


@contextmanager
def restored_into(place: Path) -> Iterator[Path]:
    """A folder of the user's alone, beside a place, into which one file is restored; then the file goes to
    the place, where nothing lies.

    Raises:
        ForeignFileError: a file lies there.
    """
    from pseudonymizer.errors import ForeignFileError

    if place.exists():
        raise ForeignFileError("a file lies there; restore writes over none: choose another --out")
    with tempfile.TemporaryDirectory(prefix=".nymlink-", dir=place.parent) as folder:
        yield Path(folder)
        found = [path for path in Path(folder).rglob("*") if path.is_file()]
        if len(found) == 1:
            found[0].replace(place)
