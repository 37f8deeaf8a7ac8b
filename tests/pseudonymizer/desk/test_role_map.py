"""The map of roles: what no line gives, nobody has; a file that says something else is refused."""

from pathlib import Path

import pytest

from pseudonymizer.desk.role_map import is_safe_address, read_role_map
from pseudonymizer.errors import SettingsError
from pseudonymizer.policy import MATRIX, Role

WHOLE = """
[oidc]
issuer = "https://login.example"
client_id = "nymlink"

[[allow]]
account = "anna"
roles = ["analyst"]
projects = ["a", "b"]

[[allow]]
group = "stewards"
roles = ["dpo"]
projects = ["*"]

[[allow]]
group = "curators"
roles = ["curator"]
projects = ["b"]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made = tmp_path / "accounts.toml"
    made.write_text(WHOLE, encoding="utf-8")
    return made


def test_rights_are_those_of_the_lines(place: Path) -> None:
    found = read_role_map(place)
    assert found.rights("nobody") == ()
    assert found.rights("nobody", ["others"]) == ()
    assert found.rights("stewards") == ()  # a group is no account
    assert found.rights("dirk", ["anna"]) == ()  # and no account a group
    assert [(one.project, one.verbs) for one in found.rights("anna")] == [
        ("a", MATRIX[Role.ANALYST]), ("b", MATRIX[Role.ANALYST]),
    ]  # fmt: skip
    (one,) = found.rights("dirk", ["stewards"])
    assert (one.project, one.verbs) == (None, MATRIX[Role.DPO])
    rights = {one.project: one.verbs for one in found.rights("anna", ["stewards", "curators"])}
    assert rights[None] == MATRIX[Role.DPO]
    assert rights["a"] == MATRIX[Role.DPO] | MATRIX[Role.ANALYST]
    assert rights["b"] == MATRIX[Role.DPO] | MATRIX[Role.ANALYST] | MATRIX[Role.CURATOR]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('["analyst"]', '["boss"]', r"allow\[0\]\.roles\[0\]"),
        ('roles = ["curator"]', "", r"allow\[2\]"),
        ('account = "anna"', 'account = "anna"\ngroup = "x"', "line 1"),
        ('account = "anna"', "", "line 1"),
        ('projects = ["*"]', "projects = []", "projects"),
        ('[oidc]\nissuer = "https://login.example"\nclient_id = "nymlink"', "", "line 2"),
        ("https://login", "http://login", "https://"),
        ("client_id", "client", "oidc"),
        ("[oidc]", "[oidc", "no TOML"),
    ],
)
def test_a_file_that_says_something_else_is_refused(place: Path, before: str, after: str, told: str) -> None:
    place.write_text(WHOLE.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(SettingsError, match=told) as caught:
        read_role_map(place)
    assert "anna" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--accounts"):
        read_role_map(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("url", "is_safe"),
    [
        ("https://login.example/x", True), ("http://127.0.0.1:80", True), ("http://localhost/", True),
        ("http://[::1]/", True), ("http://login.example", False), ("http://127.evil.example", False),
        ("https://", False), ("ftp://a.example", False), ("", False), ("https://[", False),
    ],
)  # fmt: skip
def test_what_is_sent_in_the_clear_stays_on_this_machine(url: str, *, is_safe: bool) -> None:
    assert is_safe_address(url) is is_safe
