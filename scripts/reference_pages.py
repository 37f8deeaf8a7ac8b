"""Pages of the reference that are made from code: command, Python API, records, errors; and the man page."""

import dataclasses
import enum
import importlib
import inspect
import re
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from typer.main import get_command

MADE: Final = "<!-- Made by scripts/make_reference from the code. Change the code, and run it again. -->"
# What a reader meets first. Everything else of a package is found by `help()`.
PUBLIC: Final = (
    "pseudonymizer.project", "pseudonymizer.answers", "pseudonymizer.columns", "pseudonymizer", "linkage",
)  # fmt: skip
RECORDS: Final = ("linkage.records", "pseudonymizer.records", "pseudonymizer.answers")
EXIT_STATUS: Final = (
    ("0", "all done"),
    ("1", "an error of ours, one line on standard error; or nothing that `restore` got is of the project"),
    ("2", "wrong usage"),
    ("3", "access refused"),
    ("4", "some documents failed, or `restore` left labels in edited text; the rest is done"),
)


def pages() -> Mapping[str, str]:
    """The text of each made file, by its path below the root of the checkout."""
    return {
        "docs/reference/command.md": command_page(),
        "docs/reference/python.md": python_page(),
        "docs/reference/records.md": records_page(),
        "docs/reference/errors.md": errors_page(),
        "deploy/man/nymlink.1": man_page(),
    }


def verbs(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every verb that can be called, with its words, in the order of the help."""
    from pseudonymizer.cli import app

    command = command or get_command(app)
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    for name, child in children.items():
        if not child.hidden:
            yield from verbs(child, (*path, name))


def first_paragraph(text: str | None) -> str:
    """A docstring up to its first blank line, on one line."""
    return " ".join((text or "").strip().partition("\n\n")[0].split())


def _rows(path: tuple[str, ...], command: Any) -> Iterator[tuple[str, str]]:
    """Each argument and option of a verb with its text, as help has them."""
    from pseudonymizer.cli.help_pages import plain_words

    context = command.context_class(command, info_name=" ".join(("nymlink", *path)))
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            name, text = plain_words(*record)
            yield name, " ".join(text.split())


def _usage(path: tuple[str, ...], command: Any) -> str:
    context = command.context_class(command, info_name=" ".join(("nymlink", *path)))
    return " ".join(("nymlink", *path, *command.collect_usage_pieces(context)))


def command_page() -> str:
    """The page of the command: every verb with its arguments and options."""
    from pseudonymizer.cli.words import EXAMPLES

    lines = ["# The command", "", MADE, ""]
    lines += [
        "`nymlink VERB --help` shows the same. Options in capitals take a value. `NYMLINK_VAULT`, "
        "`NYMLINK_PROJECT` and `NYMLINK_KEY_FILE` in the environment "
        "stand for `--vault`, `--project` and `--key-file`.",
        "",
        "`nymlink --install-completion` teaches your shell (bash, zsh, fish) to complete verbs and options; "
        "`nymlink --show-completion` prints the script. `man nymlink` works where the wheel was installed "
        "into a prefix that man searches; else `man ./deploy/man/nymlink.1`.",
        "",
    ]
    for path, command in verbs():
        name = " ".join(path)
        lines += [
            f"## {name}",
            "",
            *paragraphs(command.help),
            "",
            "```text",
            _usage(path, command),
            "```",
            "",
        ]
        example = EXAMPLES.get(name)
        if example is not None:
            lines += ["For example:", "", "```text", f"nymlink {name} {example}".strip(), "```", ""]
        lines += ["| argument or option | does |", "| --- | --- |"]
        lines += [f"| `{option}` | {_cell(does)} |" for option, does in _rows(path, command)]
        lines += [""]
    return "\n".join(lines)


def paragraphs(text: str | None) -> list[str]:
    """Paragraphs of a text, each on one line, with blank lines between."""
    told = [" ".join(one.split()) for one in inspect.cleandoc(text or "").split("\n\n")]
    return [line for one in told for line in (one, "")][:-1]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def python_page() -> str:
    """The page of the Python API: public names with the opening of their docstrings."""
    lines = ["# Python", "", MADE, ""]
    lines += ["The names that other programs may rely on. `help()` in Python shows each of them whole.", ""]
    seen: set[int] = set()
    for name in PUBLIC:
        module = importlib.import_module(name)
        lines += [f"## {name}", ""]
        for public in _public_names(module):
            thing = getattr(module, public)
            if id(thing) in seen or isinstance(thing, types.ModuleType):
                continue
            seen.add(id(thing))
            lines += [*_described(public, thing)]
    return "\n".join(lines)


def _public_names(module: types.ModuleType) -> list[str]:
    told = getattr(module, "__all__", None)
    if told is not None:
        return sorted(told)
    return sorted(
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
    )


def _described(name: str, thing: Any) -> Iterator[str]:
    if inspect.isclass(thing):
        yield from (f"### {name}", "", _cell(first_paragraph(inspect.getdoc(thing))), "")
        methods = [
            (key, function)
            for key, function in inspect.getmembers(thing, callable)
            if not key.startswith("_") and key in _own_names(thing) and inspect.getdoc(function)
        ]
        if methods and not issubclass(thing, (enum.Enum, BaseException)):
            yield from ("| method | gives |", "| --- | --- |")
            yield from (
                f"| `{key}({_parameters(function)})` | {_cell(first_paragraph(inspect.getdoc(function)))} |"
                for key, function in methods
            )
            yield ""
    elif callable(thing):
        yield from (
            f"### {name}({_parameters(thing)})",
            "",
            _cell(first_paragraph(inspect.getdoc(thing))),
            "",
        )


def _own_names(thing: type) -> set[str]:
    return {
        key
        for base in thing.__mro__
        if base.__module__.startswith(("linkage", "pseudo"))
        for key in vars(base)
    }


def _parameters(function: Callable[..., Any]) -> str:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return "..."
    names = []
    keyword = False
    for parameter in found:
        if parameter.name in {"self", "cls"}:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword:
            keyword = True
            names.append("*")
        if parameter.kind is parameter.VAR_POSITIONAL:
            names.append(f"*{parameter.name}")
        elif parameter.kind is parameter.VAR_KEYWORD:
            names.append(f"**{parameter.name}")
        else:
            names.append(parameter.name)
    return ", ".join(names)


def records_page() -> str:
    """The page of records: each frozen record with its fields and their types."""
    lines = ["# Records", "", MADE, ""]
    lines += [
        "Records are frozen: a stage takes records and gives new ones. Fields that may hold a name "
        "are left out of `repr`.",
        "",
    ]
    for name in RECORDS:
        module = importlib.import_module(name)
        lines += [f"## {name}", ""]
        for public, thing in sorted(vars(module).items()):
            fields = _fields(thing) if getattr(thing, "__module__", "") == name else ()
            if not public.startswith("_") and fields:
                lines += [f"### {public}", "", _cell(first_paragraph(inspect.getdoc(thing))), ""]
                lines += ["| field | type |", "| --- | --- |"]
                lines += [f"| `{field}` | `{kind}` |" for field, kind in fields]
                lines += [""]
    return "\n".join(lines)


def _fields(thing: Any) -> tuple[tuple[str, str], ...]:
    if not inspect.isclass(thing):
        return ()
    if dataclasses.is_dataclass(thing):
        names: Iterable[str] = (field.name for field in dataclasses.fields(thing))
    else:
        names = getattr(thing, "__struct_fields__", ())
    told = inspect.get_annotations(thing)
    return tuple((name, _type_of(told.get(name))) for name in names)


def _type_of(told: Any) -> str:
    text = told if isinstance(told, str) else inspect.formatannotation(told)
    return re.sub(r"\b(?:[a-z_]+\.)+(?=\w)", "", text).replace("|", "\\|")


def errors_page() -> str:
    """The page of errors: exit statuses, and every class of error with what it means and what to do."""
    from pseudonymizer.cli.remedies import what_to_do

    lines = ["# Errors and exit statuses", "", MADE, "", "| status | means |", "| --- | --- |"]
    lines += [f"| {status} | {meaning} |" for status, meaning in EXIT_STATUS]
    lines += [
        "",
        "A command that fails prints one line: what is wrong, where, and what to do. "
        "With `--json` the line is an object with `error`.",
        "",
    ]
    for package in ("linkage", "pseudonymizer"):
        lines += [f"## {package}", "", "| error | means | what to do |", "| --- | --- | --- |"]
        for error in errors_of(package):
            means = _cell(first_paragraph(inspect.getdoc(error)))
            lines += [f"| `{error.__name__}` | {means} | {_cell(what_to_do(error))} |"]
        lines += [""]
    return "\n".join(lines)


def errors_of(package: str) -> list[type[BaseException]]:
    """The classes of errors that a package raises on purpose, by name."""
    module = importlib.import_module(f"{package}.errors")
    return sorted(
        (
            one
            for one in vars(module).values()
            if inspect.isclass(one) and issubclass(one, Exception) and one.__module__ == module.__name__
        ),
        key=lambda one: one.__name__,
    )


def man_page() -> str:
    """The manual page of section 1, for man(1)."""
    from pseudonymizer.cli import app
    from pseudonymizer.cli.words import EXAMPLES

    command = get_command(app)
    lines = ['.TH NYMLINK 1 "" "nymlink" "User Commands"', ".SH NAME"]
    lines += [
        "nymlink \\- find people in Dutch text, link their names, replace them by pseudonyms",
        ".SH SYNOPSIS",
    ]
    lines += [
        ".B nymlink",
        "VERB [OPTIONS] [ARGUMENTS]",
        ".SH DESCRIPTION",
        _roff(first_paragraph(command.help)),
    ]
    lines += [".SH VERBS"]
    for path, verb in verbs():
        name = " ".join(path)
        lines += [f".SS {_roff(name)}", ".B " + _roff(_usage(path, verb)), ".PP"]
        lines += [_roff(one) if one else ".PP" for one in paragraphs(verb.help)]
        for option, does in _rows(path, verb):
            lines += [".TP", f".B {_roff(option)}", _roff(does) or "\\&"]
        if name in EXAMPLES:
            lines += [
                ".PP",
                "Example:",
                ".PP",
                ".nf",
                _roff(f"nymlink {name} {EXAMPLES[name]}".strip()),
                ".fi",
            ]
    lines += [".SH EXIT STATUS"]
    for status, meaning in EXIT_STATUS:
        lines += [".TP", f".B {status}", _roff(meaning.replace("`", ""))]
    lines += [".SH ENVIRONMENT", ".TP", ".B NYMLINK_VAULT, NYMLINK_PROJECT, NYMLINK_KEY_FILE"]
    lines += [_roff("stand for --vault, --project and --key-file.")]
    lines += [".TP", ".B NYMLINK_HEAD", "A file that keeps the head of the audit trail."]
    lines += [
        ".SH FILES",
        ".TP",
        ".B nymlink.toml",
        "Settings, in the working folder or the nearest one above it.",
    ]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
