"""Error texts, read from the source: each says something in words, tells what to do, and holds no input."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import linkage.errors
import pseudonymizer.errors
from pseudonymizer.cli.remedies import remedy_of

ROOT = Path(__file__).resolve().parents[1]
LEAST_WORDS = 4
# Its text is the name of a field: the answer of the web service has the words.
BY_FIELD = "WrongOptionError"
# What stands last in a text that hands on the text of another error, or words that a function makes.
HANDED_ON = frozenset({"_unknown_kind", "error", "fault", "kind", "reason", "unknown_key"})
FAULTS_OF_OURS = {"VaultClosedError", "OverlappingReplacementsError"}  # nobody outside can mend them
BARE = (linkage.errors.LinkageError, pseudonymizer.errors.PseudonymizerError)
# Words for what a document, a mention or a file of the user holds. A text may count it, and never show it.
CONTENT = frozenset(
    """
    body cell cells content contents document filename given_name line lines literal name_a name_b original
    path paths person raw relative sentence span_text subject surface text texts title token tokens value
    values word words
    """.split()  # noqa: SIM905  a list of so many words is read like this
)
# What has such a name and is none of it.
HARMLESS = {
    ("linkage/settings_file.py", "line"),  # its number
    ("linkage/own_kinds.py", "min(mine & words)"),  # a word for labels, of the settings
    ("linkage/own_kinds.py", "texts.place_of(kind)"),  # in the settings
    ("linkage/own_kinds.py", "self.needs.value"),  # one of the words of an enumeration
    ("pseudonymizer/web/app.py", "path"),  # of a route of the program
    ("linkage/language/tables.py", "_place(path)"),  # of a shipped list
}


@dataclass(frozen=True)
class Raised:
    """An error as the source raises it. words: of its text, with one for each expression in it."""

    file: str
    line: int
    error: str
    text: str
    expressions: tuple[ast.expr, ...]

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line} {self.error}"


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """The source of the packages and the client, by file."""
    files = (
        file
        for folder in ("linkage", "pseudonymizer", "client/nymlink_client")
        for file in sorted((ROOT / folder).rglob("*.py"))
    )
    return tuple(
        (file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8"))) for file in files
    )


def classes() -> dict[str, str]:
    """The classes of errors in the two packages and the client, each with the name of the class above it."""
    above: dict[str, str] = {}
    for _, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.bases and node.name.endswith("Error"):
                above[node.name] = ast.unparse(node.bases[0]).rpartition(".")[2]
    return above


def raised() -> Iterator[Raised]:
    """Every error of ours that is raised with a text, and every wrong usage of the command."""
    ours = {name for name in classes() if name not in vars(builtins)} | {"BadParameter"}
    for name, tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                continue
            error = ast.unparse(node.exc.func).rpartition(".")[2]
            told = [*(word.value for word in node.exc.keywords if word.arg == "detail"), *node.exc.args]
            if error in ours - {BY_FIELD} and told and isinstance(told[0], ast.Constant | ast.JoinedStr):
                pieces = told[0].values if isinstance(told[0], ast.JoinedStr) else [told[0]]
                text = "".join(
                    str(piece.value) if isinstance(piece, ast.Constant) else "something" for piece in pieces
                )
                shown = [piece.value for piece in pieces if isinstance(piece, ast.FormattedValue)]
                yield Raised(name, node.lineno, error, text, tuple(shown))


RAISED = tuple(raised())


def test_the_walk_finds_them() -> None:
    assert len(RAISED) > 500
    assert {one.file.partition("/")[0] for one in RAISED} == {"linkage", "pseudonymizer", "client"}


@pytest.mark.parametrize(
    "error",
    [
        value
        for module in (linkage.errors, pseudonymizer.errors)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, BARE) and value not in BARE
    ],
    ids=lambda error: f"{error.__module__}.{error.__name__}",
)
def test_every_error_has_a_remedy_of_its_own(error: type[Exception]) -> None:
    made = error.__new__(error)
    made.args = ("something is wrong",)
    remedy = remedy_of(made)
    assert remedy
    assert remedy != remedy_of(pseudonymizer.errors.PseudonymizerError("something is wrong")) or any(
        one is error
        for one in (pseudonymizer.errors.VaultClosedError, pseudonymizer.errors.OverlappingReplacementsError)
    )


def test_every_class_outside_the_two_trees_comes_from_one_of_them() -> None:
    above = classes()
    known = {name for module in (linkage.errors, pseudonymizer.errors) for name in vars(module)}
    for name in above:
        one = name
        while one in above and one not in known:
            one = above[one]
        assert one in known or one in vars(builtins) or one in {"InvalidParamError", "Exception"}, name


def test_a_text_says_something_in_words() -> None:
    short = [
        f"{one.place}: {one.text}"
        for one in RAISED
        if len(one.text.split()) < LEAST_WORDS and not (one.expressions and last_name(one) in HANDED_ON)
    ]
    assert short == []


def test_a_text_is_a_part_of_a_sentence() -> None:
    """Others put words before it and what to do behind it."""
    assert [one.place for one in RAISED if one.text.rstrip().endswith((".", "!"))] == []


def test_no_text_shows_what_a_document_holds() -> None:
    shown = [
        f"{one.place}: {ast.unparse(expression)}"
        for one in RAISED
        for expression in one.expressions
        if (one.file, ast.unparse(expression)) not in HARMLESS and CONTENT & set(shown_names(expression))
    ]
    assert shown == []


def last_name(one: Raised) -> str:
    """The name of the variable or function that stands last in a text."""
    last = one.expressions[-1]
    if isinstance(last, ast.Call):
        return ast.unparse(last.func)
    return next(iter(shown_names(last)), "")


def shown_names(expression: ast.expr) -> Iterator[str]:
    """The names whose values an expression shows: what is counted, or whose class is told, is not shown."""
    if isinstance(expression, ast.Call):
        called = ast.unparse(expression.func)
        if called in {"int", "len", "type"}:
            return
        for argument in expression.args:
            yield from shown_names(argument)
        if isinstance(expression.func, ast.Attribute):
            yield from shown_names(expression.func.value)
    elif isinstance(expression, ast.Attribute):
        yield expression.attr
    elif isinstance(expression, ast.Name):
        yield expression.id
    else:
        for child in ast.iter_child_nodes(expression):
            if isinstance(child, ast.expr):
                yield from shown_names(child)
