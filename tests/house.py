"""The rules of the house that a walk over the source shows, and the exceptions that are left.

`house_exceptions.json` lists the exceptions by rule and place. The list is exact, and it only shrinks:
after mending one, run `python -m tests.house`, which lowers counts and removes places, and never adds any.
"""

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]
EXCEPTIONS: Final = Path(__file__).with_name("house_exceptions.json")
PACKAGES: Final = ("linkage", "pseudonymizer")
LONGEST: Final = 400  # lines of a module
MOST_PARAMETERS: Final = (
    7  # of a function, without self and cls; verbs of the command have one for each option
)
# A docstring opens with what is returned or done. These words say nothing without the code below them.
RIDDLES: Final = ("The same", "What", "Whom", "Whoever")
_OPENING: Final = re.compile(rf"(?:{'|'.join(RIDDLES)})\b")
BOUNDS: Final = (0.0, 1.0)  # of a probability: no tuned numbers

Found: TypeAlias = Mapping[str, int]


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Each module under the folders: its path in the project, its source."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def tuned_floats(source: str) -> int:
    """How many float literals a module holds, but for the bounds of a probability."""
    return sum(
        isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in BOUNDS
        for node in ast.walk(ast.parse(source))
    )


def riddles(source: str) -> int:
    """How many docstrings of a module open with words that say nothing by themselves."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    texts = (
        ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, documented)
    )
    return sum(bool(_OPENING.match(text)) for text in texts)


def many_parameters(source: str) -> dict[str, int]:
    """By function with more than seven parameters, how many it has."""
    counts: dict[str, int] = {}
    for function in functions(ast.parse(source)):
        told = function.args
        names = [one.arg for one in (*told.posonlyargs, *told.args, *told.kwonlyargs)]
        if (count := len([name for name in names if name not in ("self", "cls")])) > MOST_PARAMETERS:
            counts[function.name] = max(count, counts.get(function.name, 0))
    return counts


def is_without_test(module: str) -> bool:
    """Whether a module has functions or classes, and no test module mirrors it."""
    folder, _, name = module.rpartition("/")
    if name == "__init__.py":
        folder, _, name = folder.rpartition("/")
        name += ".py"
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    if not any(isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) for node in tree.body):
        return False
    return not (ROOT / "tests" / folder / f"test_{name.lstrip('_')}").is_file()


def found() -> dict[str, Found]:
    """By rule, the places that break it, each with a count."""
    named = dict(modules(*PACKAGES))
    counted = {
        "floats outside data": Counter(
            {name: tuned_floats(source) for name, source in named.items() if name.startswith("linkage/")}
        ),
        "openings of docstrings": Counter({name: riddles(source) for name, source in named.items()}),
        "modules above 400 lines": Counter(
            {name: int(source.count("\n") > LONGEST) for name, source in named.items()}
        ),
        "functions above 7 parameters": Counter(
            {
                f"{name} {function}": count
                for name, source in named.items()
                if not name.startswith("pseudonymizer/cli/")
                for function, count in many_parameters(source).items()
            }
        ),
        "modules without a test module": Counter({name: int(is_without_test(name)) for name in named}),
    }
    return {
        rule: {place: count for place, count in counts.items() if count} for rule, counts in counted.items()
    }


def listed() -> dict[str, Found]:
    """By rule, the exceptions that are known."""
    exceptions: dict[str, Found] = json.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    return exceptions


def lowered(known: Mapping[str, Found], now: Mapping[str, Found]) -> dict[str, Found]:
    """The known exceptions without those that were mended; nothing is added."""
    return {
        rule: {place: min(count, now[rule][place]) for place, count in places.items() if place in now[rule]}
        for rule, places in known.items()
    }


def main() -> None:
    shrunk = lowered(listed(), found())
    EXCEPTIONS.write_text(json.dumps(shrunk, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for rule, places in shrunk.items():
        sys.stdout.write(f"{rule}: {len(places)} places, {sum(places.values())} in all\n")


if __name__ == "__main__":
    main()
