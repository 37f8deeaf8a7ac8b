"""Static files: hashes of what others made, scripts without what the content policy forbids."""

import base64
import hashlib
import re

import pytest

from pseudonymizer.web.static_files import STATIC
from tests.pseudonymizer.web.messages import WEB

_ROW = re.compile(r"^\| (\S+) \|.*\| ([0-9a-f]{64}) \|$", re.MULTILINE)
OWN = sorted(name for name in STATIC.by_name if name.endswith(".js") and not name.startswith("htmx"))


def test_files_of_others_are_as_they_came() -> None:
    rows = dict(_ROW.findall((WEB / "static" / "SOURCE.md").read_text(encoding="utf-8")))
    assert set(rows) == {name for name in STATIC.by_name if name not in OWN and name.endswith(".js")}
    for name, digest in rows.items():
        assert hashlib.sha256(STATIC.by_name[name].content).hexdigest() == digest


def test_what_a_browser_checks_a_file_by_is_its_hash() -> None:
    for one in STATIC.by_name.values():
        kind, _, digest = one.integrity.partition("-")
        assert hashlib.new(kind, one.content).digest() == base64.b64decode(digest)


def test_the_address_changes_with_any_file() -> None:
    assert re.fullmatch(r"/static/[0-9a-f]{16}/frame\.js", STATIC.url("frame.js"))


@pytest.mark.parametrize("name", [*OWN, "pages.css"])
def test_own_files_name_no_other_origin_and_make_no_code_of_text(name: str) -> None:
    content = STATIC.by_name[name].content.decode()
    assert not re.search(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", content)
    assert not re.search(r"https?:|//[a-z]+\.", content)


def test_nothing_but_the_theme_is_kept_in_the_browser() -> None:
    kept = {
        found
        for name in OWN
        for found in re.findall(r"(?:local|session)Storage\S*", STATIC.by_name[name].content.decode())
    }
    assert kept == {'localStorage.getItem("theme");', 'localStorage.setItem("theme",'}
