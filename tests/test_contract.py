"""What other programs rely on is what commit 8952b15 had, but for changes that CHANGELOG.md tells.

contract.json was made from that commit by scripts/make_contract and stays as it is. contract_changes.json has
one entry for each line of CHANGELOG.md that changes it: the line, and by kind of change the entries. Of a
spelling that is gone the old one works one version longer, with a hint: then its entry stays.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from program_contract import NOT_SHOWN, Entries, shown, stated

from tests.kept.material import command_in, unpack

HERE = Path(__file__).parent
CHANGES: list[dict[str, Any]] = json.loads((HERE / "contract_changes.json").read_text(encoding="utf-8"))
SHOWN = ("json ", "lines ", "columns ", "file ", "report.json ")


def expected() -> Entries:
    """The contract of 8952b15 with all changes since."""
    entries: Entries = json.loads((HERE / "contract.json").read_text(encoding="utf-8"))
    for change in CHANGES:
        for key in change.get("gone", ()):
            del entries[key]
        for key, value in change.get("changed", {}).items():
            assert entries[key] != value, key
            entries[key] = value
        for key, value in change.get("added", {}).items():
            assert key not in entries, key
            entries[key] = value
    return entries


def compare(before: Entries, now: Entries) -> None:
    """Fails with what is to be listed in contract_changes.json, as it is written there."""
    found = {
        "added": {key: now[key] for key in sorted(now.keys() - before.keys())},
        "changed": {key: now[key] for key in sorted(now.keys() & before.keys()) if now[key] != before[key]},
        "gone": sorted(before.keys() - now.keys()),
    }
    if any(found.values()):
        pytest.fail(f"not told in CHANGELOG.md and contract_changes.json: {json.dumps(found, indent=1)}")


def test_the_program_says_what_the_contract_says() -> None:
    compare({key: value for key, value in expected().items() if not key.startswith(SHOWN)}, stated())


def test_the_verbs_print_and_write_what_the_contract_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_in(unpack("projects", tmp_path), monkeypatch)

    def run(*arguments: str) -> tuple[int, str]:
        done = command(*arguments)
        return done.status, done.out

    before = {key: value for key, value in expected().items() if key.startswith(SHOWN)}
    compare(before, shown(tmp_path, run))


def test_every_verb_with_json_is_looked_at() -> None:
    entries = expected()
    told = [key.removeprefix("option ") for key in entries if key.startswith("option ")]
    printing = {option.removesuffix(" --json") for option in told if option.endswith(" --json")}
    looked = {
        verb
        for verb in printing
        if any(key.startswith((f"json {verb} ", f"lines {verb} --json")) for key in entries)
    }
    assert printing - looked == set(NOT_SHOWN)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["changelog"][:60])
def test_every_change_is_told(change: dict[str, Any]) -> None:
    lines = (HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert change["changelog"] in lines
    assert change.keys() <= {"changelog", "added", "changed", "gone"}
    assert len(change) > 1
