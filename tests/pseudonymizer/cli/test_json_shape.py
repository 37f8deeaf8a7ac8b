"""Every verb with --json prints one object of one shape, and docs/reference/json.md lists its fields."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from program_contract import NOT_SHOWN, shown

from tests.kept.material import Command, command_in, unpack
from tests.test_contract import expected

ROOT = Path(__file__).parents[3]
STORE = ("--vault", "sqlite:///vault/vault.db", "--key-file", "vault/kek.key", "--actor", "keeper")
SHAPE = {"verb", "status", "items"}
ALWAYS = {"lookup"}  # prints such an object without --json


def verbs_with_json() -> set[str]:
    told = [key.removeprefix("option ") for key in expected() if key.startswith("option ")]
    return {option.removesuffix(" --json") for option in told if option.endswith(" --json")}


def documented() -> dict[str, set[str]]:
    """By verb the fields that docs/reference/json.md lists."""
    page = (
        (ROOT / "docs" / "reference" / "json.md")
        .read_text(encoding="utf-8")
        .partition("| verb | fields |")[2]
    )
    rows = re.findall(r"^\| `([a-z -]+)` \| (.*) \|$", page, re.MULTILINE)
    return {verb: set(re.findall(r"`(\w+)`", fields)) for verb, fields in rows}


def check(printed: str, arguments: tuple[str, ...], status: int, *, is_open: bool = False) -> dict[str, Any]:
    """The object that a verb printed, which has the shape and no field that the page lacks."""
    (line,) = printed.splitlines()
    found: dict[str, Any] = json.loads(line)
    assert list(found)[:2] == ["verb", "status"]
    assert found["status"] == status
    words = tuple(found["verb"].split())
    assert arguments[: len(words)] == words
    if "error" in found:
        assert set(found) == {"verb", "status", "error"}
        assert found["error"]
        return found
    fields = documented()[found["verb"]]
    told = set(found) - SHAPE
    if "items" in found:
        assert isinstance(found["items"], list)
        told |= {name for item in found["items"] for name in item}
    assert is_open or told <= fields, told - fields
    return found


def test_every_verb_prints_one_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = command_in(unpack("projects", tmp_path), monkeypatch)
    seen: set[str] = set()

    def run(*arguments: str) -> tuple[int, str]:
        done = command(*arguments)
        if "--json" in arguments and done.out:
            seen.add(check(done.out, arguments, done.status)["verb"])
        return done.status, done.out

    shown(tmp_path, run)
    answer = (tmp_path / "name.json").read_text(encoding="utf-8")
    listed = (tmp_path / "people.json").read_text(encoding="utf-8")
    seen.add(check(listed, ("people",), 0)["verb"])
    revealed = check(answer, ("reveal",), 0, is_open=True)  # old fields are named by pseudonyms
    assert revealed["items"][0].keys() == documented()["reveal"] - {"items"}
    for change in (
        ("vault", "roles", "give", "third", "auditor"), ("vault", "roles", "take", "third", "auditor"),
        ("vault", "settings", "retention_days=9", "--project", "new"),
        ("vault", "accept-put-back", "--purpose", "x"),
    ):  # fmt: skip
        run(*change, *STORE, "--json")
    labels = list(json.loads((tmp_path / "labels.json").read_text(encoding="utf-8")).values())
    run("vault", "merge", *labels[:2], *STORE, "--project", "life", "--purpose", "x", "--json")
    left = verbs_with_json() - seen - {"reveal"}
    # The first needs a recovery key and altered roles; the others read a password, or need an account.
    by_password = {f"web account {verb}" for verb in ("create", "list", "password", "end")}
    assert left == {"vault roles mend", *by_password}
    assert seen | {"reveal", *left} == set(documented()) - ALWAYS
    assert left <= set(NOT_SHOWN)


def test_fields_of_the_page_are_printed() -> None:
    """But for those that are there at times, which the page tells below its table."""
    entries = expected()
    at_times = {"kinds", "linkage", "links", "rows", "people", "kind", "probability"}
    for verb, fields in documented().items():
        if verb in NOT_SHOWN:
            continue
        printed = {
            name
            for key in entries
            if key.startswith(f"json {verb} ")
            for name in re.findall(r"\w+", key.removeprefix(f"json {verb} "))
        }
        assert fields - printed <= at_times, verb


@pytest.mark.parametrize("verb", sorted(verbs_with_json() - {"models list", "kinds"}))
def test_a_wrong_command_line_is_told_in_the_same_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    command: Command = command_in(tmp_path, monkeypatch)
    done = command(*verb.split(), "--json", "--no-such-option")
    assert done.status == 2
    found = check(done.out, tuple(verb.split()), 2)
    assert found["verb"] == verb
    assert "no such option" in found["error"]


def test_an_error_is_told_in_the_same_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = command_in(tmp_path, monkeypatch)
    done = command("vault", "status", "--vault", "none.db", "--json")
    found = check(done.out, ("vault", "status"), 1)
    assert found["error"] in done.err


def test_lists_of_version_0_1_work_one_version_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_in(unpack("projects", tmp_path), monkeypatch)
    monkeypatch.setenv("NYMLINK_JSON", "0.1")
    assert {"language", "shipped"} <= json.loads(command("models", "list", "--json").out)[0].keys()
    events = [json.loads(line) for line in command("audit", "list", *STORE, "--json").out.splitlines()]
    assert len(events) > 1
    assert "subjects" in events[0]
    assert json.loads(command("vault", "roles", "list", *STORE, "--json").out) == []
    assert json.loads(command("kinds", "--json").out)["items"]  # younger than 0.1
