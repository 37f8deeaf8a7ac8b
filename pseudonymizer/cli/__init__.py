"""The command `nymlink`: parse, call, print counts. Heavy imports wait inside the verbs."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from pseudonymizer.cli import (
    access,
    demo,
    evaluating,
    finding,
    options,
    paths,
    relinking,
    requesting,
    restoring,
    reviewing,
    running,
    store,
    tables,
    training,
    treating,
    viewing,
    web,
    words,
)
from pseudonymizer.cli.json_shape import say_error
from pseudonymizer.cli.saying import printable, say
from pseudonymizer.cli.wrong_usage import shown_usage_error

DONE: Final = 0
OUR_ERROR: Final = 1
WRONG_USAGE: Final = 2
REFUSED: Final = 3
_EXTRAS: Final = {  # by the module that is missing: what installs it
    "pandas": "pandas", "pyspark": "nymlink[spark]", "py4j": "nymlink[spark]", "psycopg": "nymlink[postgres]",
    "keyring": "nymlink[keyring]", "hvac": "nymlink[hvac]",
    "pikepdf": "nymlink[docs]", "pypdfium2": "nymlink[docs]", "pdfminer": "nymlink[docs]",
    "olefile": "nymlink[docs]", "rapidocr": "nymlink[ocr]", "onnxruntime": "nymlink[ocr]",
    "presidio_anonymizer": "nymlink[presidio]", "litestar": "nymlink[web]", "uvicorn": "nymlink[web]",
}  # fmt: skip
_INTERRUPTED: Final = 130  # what newer versions of typer make of an interrupt
_GO_ON: Final = "interrupted; what is done stays done, the same command goes on from here"

app = typer.Typer(
    name="nymlink",
    cls=words.Words,
    help="Find the names of people in Dutch text, link the variants that mean one person, and replace them "
    "by pseudonyms whose way back lies in an encrypted vault.",
    epilog=words.BEGIN,
    no_args_is_help=True,
    rich_markup_mode=None,  # rich takes longer to import than all of this
    pretty_exceptions_enable=False,  # they show local variables, and so names
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  typer calls it so
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            say(f"nymlink {version('nymlink')}")
        except PackageNotFoundError:
            say("nymlink, not installed as a package")
        raise typer.Exit


@app.callback()
def _of_all_verbs(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before any verb."""


running.add_to(app)
restoring.add_to(app)
viewing.add_to(app)
finding.add_to(app)
tables.add_to(app)
treating.add_to(app)
evaluating.add_to(app)
reviewing.add_to(app)
relinking.add_to(app)
paths.add_to(app)
access.add_to(app)
requesting.add_to(app)
store.add_to(app)
web.add_to(app)
training.add_to(app)
demo.add_to(app)

words.add_examples(app)


def main() -> None:
    """Entry of the command. Status: 0 done, 1 our error, 2 wrong usage, 3 refused, 4 some files failed."""
    try:
        status = app(prog_name="nymlink", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        _leave(OUR_ERROR, _GO_ON)
    except BrokenPipeError:
        sys.stderr.close()  # nobody reads; Python would complain at exit
        sys.exit(OUR_ERROR)
    except Exception as error:  # noqa: BLE001  whatever it is, its text may hold a name: only our own errors speak
        if hasattr(error, "show"):  # wrong usage, of whichever click typer has
            shown = shown_usage_error(error, sys.argv[1:], words.EXAMPLES)
            if _wants_json():
                say_error(_verb_of(sys.argv[1:]), _last_line(shown), status=WRONG_USAGE)
            sys.stderr.write(shown)
            sys.exit(WRONG_USAGE)
        _leave(*_explained(error))
    if status == _INTERRUPTED:
        _leave(OUR_ERROR, _GO_ON)
    sys.exit(status if isinstance(status, int) else DONE)


def _explained(error: Exception) -> tuple[int, str]:
    from linkage.errors import LinkageError
    from pseudonymizer.cli.remedies import remedy_of_system, with_remedy
    from pseudonymizer.errors import AccessRefusedError, PseudonymizerError

    if isinstance(error, AccessRefusedError):
        return REFUSED, with_remedy(error)
    if isinstance(error, (LinkageError, PseudonymizerError)):
        return OUR_ERROR, with_remedy(error)
    if (
        isinstance(error, ModuleNotFoundError)
        and (package := (error.name or "").partition(".")[0]) in _EXTRAS
    ):
        return OUR_ERROR, f"this needs {package}, which is not installed: pip install '{_EXTRAS[package]}'"
    if isinstance(error, OSError):  # its text holds a path
        what = _named(error) + (error.strerror or type(error).__name__)
        remedy = remedy_of_system(error.errno)
        return OUR_ERROR, f"{what}; {remedy}" if remedy else what
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace is not None else "?"
    return OUR_ERROR, f"unexpected {type(error).__name__} in {place}; please report this line"


def _named(error: OSError) -> str:
    """The option or argument with the file that an error is about: "--svg: ". Its path may hold a name."""
    if not isinstance(error.filename, (str, bytes)):
        return ""
    failed = Path(os.fsdecode(error.filename)).absolute()
    best, closest = "", 0
    for name, value in _given_values(sys.argv[1:]):
        place = Path(value).absolute()
        is_part = failed.parent == place.parent and failed.name.startswith(f".{place.name}.")
        if (is_part or place in (failed, *failed.parents)) and len(place.parts) > closest:
            best, closest = name, len(place.parts)
    return f"{best}: " if best else ""


def _given_values(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(option, or "argument" and its number; value) of what the command was called with."""
    command: Any = typer.main.get_command(app)
    number = 0
    waiting = iter(words)
    only_arguments = False
    for word in waiting:
        if not only_arguments and word in getattr(command, "commands", {}):
            command = command.commands[word]
        elif word == "--" and not only_arguments:
            only_arguments = True
        elif only_arguments or not word.startswith("-") or word == options.STANDARD_STREAM:
            number += 1
            yield f"argument {number}", word
        else:
            option, equals, value = word.partition("=")
            if not equals and option in _options_with_values(command):
                value = next(waiting, "")
            if value:
                yield option, value


def _options_with_values(command: Any) -> frozenset[str]:
    """The options of a command behind which a value stands; flags have none."""
    return frozenset(name for one in command.params if not getattr(one, "is_flag", True) for name in one.opts)


def _wants_json() -> bool:
    """Whether an error goes to standard output as JSON: not where a result in another form goes there."""
    return "--json" in sys.argv and options.STANDARD_STREAM not in sys.argv


def _verb_of(typed: Sequence[str]) -> str:
    """The verb of a command line, such as "vault roles list"."""
    command: Any = typer.main.get_command(app)
    named = []
    for word in typed:
        inner = getattr(command, "commands", {}).get(words.OTHER_WORDS.get(word, word))
        if inner is None:
            break
        command = inner
        named.append(words.OTHER_WORDS.get(word, word))
    return " ".join(named)


def _last_line(shown: str) -> str:
    """What a wrong usage was, of the text that shows it."""
    return shown.strip().rpartition("\n")[2].removeprefix("Error: ")


def _leave(status: int, message: str) -> None:
    line = printable(" ".join(message.split()))
    if _wants_json():
        say_error(_verb_of(sys.argv[1:]), line, status=status)
    sys.stderr.write(f"nymlink: {line}\n")
    sys.exit(status)
