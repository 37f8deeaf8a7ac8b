"""What README and docs name exists: verbs, options, scripts, modules; figures agree; prose is plain."""

import importlib.util
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from linkage.evaluation.gold import PERSON_LABELS, read_gold, read_marked_gold
from linkage.evaluation.schemes import ALL_KINDS, scheme_of
from linkage.kinds import Kinds
from pseudonymizer.cli import app
from tests.prose import sentences, words

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_CODE = re.compile(r"```.*?\n(.*?)```|`([^`\n]+)`", re.DOTALL)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_OTHERS = frozenset({  # options of tools that are not ours: git, pip, spark-submit
    "--index-url", "--master", "--num-executors", "--executor-memory", "--conf", "--archives",
})  # fmt: skip


def _verbs(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Every verb with its options."""
    options = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
    yield path, options
    for name, child in getattr(command, "commands", {}).items():
        yield from _verbs(child, (*path, name))


VERBS: Mapping[tuple[str, ...], set[str]] = dict(_verbs(get_command(app)))


def _code(page: Path) -> list[str]:
    """Inline code and the single commands of code blocks, continued lines joined."""
    pieces: list[str] = []
    for block, inline in _CODE.findall(page.read_text(encoding="utf-8")):
        pieces += [inline] if inline else block.replace("\\\n", " ").split("\n")
    return [piece.strip().removeprefix("$ ").partition("  #")[0].strip() for piece in pieces if piece.strip()]


def _verb_of(words: list[str]) -> tuple[str, ...]:
    path: tuple[str, ...] = ()
    for word in words:
        if (*path, word) not in VERBS:
            break
        path = (*path, word)
    return path


def _script_options() -> set[str]:
    found: set[str] = set()
    for script in (ROOT / "scripts").iterdir():
        if script.is_file():
            found.update(_OPTION.findall(script.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_verbs_and_options_exist(page: Path) -> None:
    known = set().union(*VERBS.values()) | _script_options() | _OTHERS
    wrong = []
    for code in _code(page):
        if code.startswith(("nymlink ", "./nymlink ")):
            words = code.split()[1:]
            verb = _verb_of(words)
            if not verb and words and words[0].isalpha() and words[0].islower():
                wrong.append(code)
            wrong += [code for option in _OPTION.findall(code) if verb and option not in VERBS[verb]]
        elif not code.startswith(
            (
                "python -m linkage.language ",
                "pip ",
                "podman ",
                "curl ",
                "spark-submit ",
                "git ",
                "pytest ",
                "sudo ",
            )
        ):
            wrong += [code for option in _OPTION.findall(code) if option not in known]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_scripts_files_modules_and_extras_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = set(re.findall(r"(?<![\w/.])(?:\./)?((?:scripts|docs|tests|data|alembic)/[\w./-]*\w)", text))
    missing = {path for path in paths if not (ROOT / path).exists()}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    missing |= set(re.findall(r"nymlink\[(\w+)\]", text)) - set(extras["optional-dependencies"])
    for code in _code(page):
        if re.fullmatch(r"(?:linkage|pseudonymizer)(?:\.\w+)+", code) and not _is_there(code):
            missing.add(code)
    for name in re.findall(r"\]\(([\w./-]+)(?:#[\w-]*)?\)", text):
        if not (page.parent / name).exists():
            missing.add(name)
    assert missing == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_fences_are_those_that_the_site_reads(page: Path) -> None:
    """Words behind the language of a block would make the rest of the page a part of it."""
    fences = re.findall(r"^```[^`\n]*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert [one for one in fences if not re.fullmatch(r'```(?:\w+(?: title="[^"]+")?)?', one)] == []
    assert len(fences) % 2 == 0


def _is_there(dotted: str) -> bool:
    """A module, or a name in one."""
    parent, _, last = dotted.rpartition(".")
    try:
        if importlib.util.find_spec(dotted) is not None:
            return True
    except ModuleNotFoundError:
        pass
    try:
        return importlib.util.find_spec(parent) is not None and hasattr(importlib.import_module(parent), last)
    except ModuleNotFoundError:
        return False


def _pages_of(navigation: list[Any]) -> Iterator[str]:
    for entry in navigation:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict):
            for below in entry.values():
                yield from [below] if isinstance(below, str) else _pages_of(below)


def test_the_site_has_every_page_once() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    pages = sorted(str(page.relative_to(ROOT / "docs")) for page in PAGES[1:])
    assert sorted(_pages_of(site["nav"])) == pages


def test_the_readme_leads_to_every_part_of_the_site() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    parts = {page.parent for page in PAGES[1:]}
    assert [str(part) for part in parts if f"{part.relative_to(ROOT)}/" not in readme] == []


MEASURED = sorted((ROOT / "docs" / "measurements").glob("*.md"))
_COMMAND = re.compile(r"(?:scripts/\w+|nymlink evaluate|pytest tests)")
_ISSUE = re.compile(r"\bissues?\s+#?\d+|(?<![\w&])#\d+\b", re.IGNORECASE)
_DIARY = re.compile(
    r"\b(?:today|yesterday|tonight|sessions?|this round|last round|next round|round before|so far today)\b",
    re.IGNORECASE,
)
LONGEST_SENTENCE = 40  # words; a colon or a semicolon ends one, too
MEAN_SENTENCE = 15  # words, over a page


@pytest.mark.parametrize("page", MEASURED, ids=lambda page: str(page.stem))
def test_measurements_begin_with_present_figures_and_their_commands(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "Present figures"
    assert headings[-1] == "Log"
    present = _section(text, "Present figures")
    for part in re.split(r"^### ", present, flags=re.MULTILINE):
        if "\n| --- |" in part:
            assert _COMMAND.search(part), part.partition("\n")[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_table_has_an_empty_line_above(page: Path) -> None:
    """The site shows it as running text otherwise."""
    lines = re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    ).split("\n")
    starts = [
        line
        for above, line in pairwise(lines)
        if line.startswith("|") and above and not above.startswith("|")
    ]
    assert starts == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_names_an_issue(page: Path) -> None:
    assert _ISSUE.findall(page.read_text(encoding="utf-8")) == []


def test_no_script_names_an_issue() -> None:
    scripts = (path for path in (ROOT / "scripts").iterdir() if path.is_file())
    assert [path.name for path in scripts if _ISSUE.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("page", MEASURED, ids=lambda page: str(page.stem))
def test_measurements_are_no_diary(page: Path) -> None:
    assert _DIARY.findall(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_sentences_are_short(page: Path) -> None:
    counted = {sentence: words(sentence) for sentence in sentences(page.read_text(encoding="utf-8"))}
    assert {sentence: count for sentence, count in counted.items() if count > LONGEST_SENTENCE} == {}
    assert sum(counted.values()) <= MEAN_SENTENCE * len(counted)


def test_the_sample_is_as_large_as_the_readme_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    claimed = re.search(r"the (\d+) sample documents", readme)
    gold = (ROOT / "data" / "sample" / "gold.persons.jsonl").read_text(encoding="utf-8")
    assert claimed is not None
    assert int(claimed[1]) == sum(bool(line.strip()) for line in gold.split("\n"))


def test_the_sample_has_marks_of_all_kinds_as_its_source_page_says() -> None:
    sample = ROOT / "data" / "sample"
    people = read_gold(sample / "gold.persons.jsonl")
    labels = scheme_of(Kinds.load(), ALL_KINDS).file_labels()
    all_kinds = read_marked_gold(sample / "gold.identifiers.jsonl", labels)
    assert [(one.document, one.mentions) for one in all_kinds.documents] == [
        (one.document, one.mentions) for one in people
    ]
    marks = [mark for one in all_kinds.documents for mark in one.identifiers or ()]
    claimed = re.search(r"scheme .*?: ([\d,]+) of\n(\d+) kinds", (sample / "SOURCE.md").read_text("utf-8"))
    assert claimed is not None
    assert int(claimed[1].replace(",", "")) == len(marks)
    assert int(claimed[2]) == len({mark.kind for mark in marks})
    assert all_kinds.left_out == 0


def test_labels_of_people_are_those_that_evaluate_reads() -> None:
    page = (ROOT / "docs" / "reference" / "evaluation.md").read_text(encoding="utf-8")
    told = re.search(r"People are the labels ([\w, ]+);", page)
    assert told is not None
    assert set(re.split(r", | and ", told[1])) == PERSON_LABELS


def test_what_leaks_is_the_same_on_both_pages() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    results = (ROOT / "docs" / "measurements" / "detection.md").read_text(encoding="utf-8")
    claimed = re.search(r"sample about (\d+) % of the letters", readme)
    measured = re.search(r"^\| sample corpus .*?\| ([\d.]+) % \|", results, re.MULTILINE)
    assert claimed is not None
    assert measured is not None
    assert int(claimed[1]) == round(float(measured[1]))


def test_scores_beside_other_tools_are_those_of_the_measurements() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^\| names of the sample, F1 \| \.(\d\d) \| \.(\d\d) \|", readme, re.MULTILINE)
    ours = re.search(r"^\| sample corpus .*? / \.(\d{3}) \|", _measured("detection"), re.MULTILINE)
    deduce = re.search(r"^\| \| deduce .*? / \.(\d{3}) \|", _measured("speed"), re.MULTILINE)
    assert shown is not None
    assert ours is not None
    assert deduce is not None
    assert [int(one) for one in shown.groups()] == [round(int(one[1]) / 10) for one in (ours, deduce)]


def _measured(page: str) -> str:
    return (ROOT / "docs" / "measurements" / f"{page}.md").read_text(encoding="utf-8")


def _section(page: str, heading: str) -> str:
    """The text below one heading of the architecture page, up to the next one."""
    return page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def test_the_architecture_tells_every_module_of_the_engine() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(\w+)` \|", _section(page, "The package `engine`"), re.MULTILINE)
    modules = {path.stem for path in (ROOT / "pseudonymizer" / "engine").glob("*.py")} - {"__init__"}
    assert sorted(told) == sorted(modules)


def test_the_architecture_tells_every_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = set(
        re.findall(r"`(\w+)/?`", _section(page, "The package `linkage`") + _section(page, "Around it"))
    )
    packages = {
        path.parent.name
        for root in ("linkage", "pseudonymizer")
        for path in (ROOT / root).glob("*/__init__.py")
    }
    assert packages - told - {"engine"} == set()


def test_the_drawing_names_modules_that_are_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = re.search(r"```text\n(.*?)```", _section(page, "One engine, many doors"), re.DOTALL)
    assert drawing is not None
    names = re.findall(r"\b[a-z_]+(?:\.[a-z_]+)*\.[A-Za-z_]+\b", drawing[1])
    assert {"project.Project", "runs.run.Batch", "vault.remote.client"} <= set(names)
    assert [name for name in names if not _is_there(f"pseudonymizer.{name}")] == []


def test_the_version_is_that_of_the_newest_changes() -> None:
    """A refusal between two versions says which one to install."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    newest = re.search(r"^## ([\d.]+) \((unreleased|\d{4}-\d{2}-\d{2})\)$", _changes(), re.MULTILINE)
    assert newest is not None
    is_open = newest[2] == "unreleased"
    assert re.fullmatch(re.escape(newest[1]) + (r"(\.dev|a|b|rc)\d+" if is_open else ""), version)
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if not is_open:
        assert f"version: {newest[1]}\ndate-released: {newest[2]}\n" in cited


def test_the_client_has_the_version_of_the_product() -> None:
    versions = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        for folder in (".", "client")
    ]
    assert versions[0] == versions[1]


def _changes() -> str:
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_architecture_tells_the_layers_as_they_are_checked() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = re.search(r"```text\n(.*?)```", _section(page, "Who imports whom"), re.DOTALL)
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    (layers,) = (
        contract["layers"]
        for contract in tools["importlinter"]["contracts"]
        if contract["type"] == "layers" and contract["name"].startswith("pseudonymizer:")
    )
    assert told is not None
    assert told[1].split("\n")[:-1] == [layer.replace("pseudonymizer.", "") for layer in layers]
