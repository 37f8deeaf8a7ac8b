"""What commit 8952b15 stored goes on: it opens, verifies, is not treated again, is resumed and restored."""

import io
import json
import sys
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest

from linkage.review import Verdict, read_judgements
from pseudonymizer.cli import requesting
from pseudonymizer.cli.lines import read_jsonl
from pseudonymizer.keyring import FileKey, RecoveryKey
from pseudonymizer.mention_lines import given_mentions
from pseudonymizer.runkeys import RunKey, RunWorker, accept
from pseudonymizer.settings import Settings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.store import surroundings
from tests.kept.material import (
    PURPOSE,
    STORE,
    Command,
    assert_a_work_key_alone_is_new,
    command_in,
    copied,
    files_below,
    read_json,
    readable,
    rows_of,
    stored_in,
    unpack,
)
from tests.kept.people import person

RUNS = {run["project"]: run for run in read_json("projects", "runs.json")}
URL = "sqlite:///vault/vault.db"
KEY = FileKey(Path("vault/kek.key"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack("projects", tmp_path_factory.mktemp("projects"))


@pytest.fixture
def world(unpacked: Path, tmp_path: Path) -> Path:
    """A vault with ten projects, their inputs and outputs."""
    return copied(unpacked, tmp_path)


@pytest.fixture
def nymlink(world: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    return command_in(world, monkeypatch)


def test_the_secrets_are_for_their_owner_alone(world: Path) -> None:
    secrets = [*world.glob("vault/*"), *world.glob("out/*/.nymlink/*"), world / "run.key"]
    assert len(secrets) > 50
    assert {place.stat().st_mode & 0o777 for place in secrets} == {0o600}


def test_the_vault_opens_and_verifies(nymlink: Command) -> None:
    done = nymlink("vault", "verify", *STORE, "--head", "head.json", "--json")
    assert (done.status, json.loads(done.out)["findings"]) == (0, [])
    assert nymlink("audit", "verify", *STORE).status == 0
    assert nymlink("vault", "status", "--vault", URL).status == 0


@pytest.mark.parametrize("project", RUNS)
def test_a_run_again_treats_nothing_and_adds_no_row(project: str, world: Path, nymlink: Command) -> None:
    run, out = RUNS[project], world / "out" / project
    before, outputs = stored_in(world, out), files_below(out)
    done = nymlink(*run["arguments"], "--json")
    assert done.status == run["status"], done.err
    after = stored_in(world, out)
    assert_a_work_key_alone_is_new(before, after)
    assert nymlink(*run["arguments"]).status == run["status"]
    assert stored_in(world, out) == after
    assert files_below(out) == outputs
    report = json.loads(done.out)
    assert report["documents"]["waiting"] == 0
    assert report["documents"]["failed"] == (project == "failing")


def test_sealed_anew_it_goes_on_as_before(world: Path, nymlink: Command) -> None:
    done = nymlink("vault", "migrate", *STORE, "--reseal", "--json")
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert told["rows"] > 50
    assert rows_of(world / "vault" / told["copy"])["form"] != rows_of(world / "vault" / "vault.db")["form"]
    assert json.loads(nymlink("vault", "verify", *STORE, "--json").out)["findings"] == []
    before = rows_of(world / "vault" / "vault.db")["form"]
    for project, run in RUNS.items():
        if project in ("life", "surrogate"):  # of an erased person, and of a link to a registry that is new
            continue
        if project == "document":  # its documents were the rows of a table, of which it is one now
            continue
        new = [f"{word}-anew" if word.startswith("out/") else word for word in run["arguments"]]
        assert nymlink(*new).status == run["status"], run
    assert rows_of(world / "vault" / "vault.db")["form"] == before
    back = nymlink("restore", "out/token", "--out", "back", "--project", "token", *STORE, *PURPOSE)
    assert back.status == 0, back.err
    assert files_below(world / "back") == readable(files_below(world / "in"))
    again = json.loads(nymlink("vault", "migrate", *STORE, "--reseal", "--json").out)
    assert (again["rows"], again["copy"]) == (0, None)


@pytest.mark.parametrize("project", RUNS)
def test_the_paths_in_clear_are_sealed_by_the_next_run(project: str, world: Path, nymlink: Command) -> None:
    run, record = RUNS[project], world / "out" / project / ".nymlink" / "paths.tsv"
    before = record.read_text().splitlines()
    assert len(before) > 1
    done = nymlink(*run["arguments"])
    assert done.status == run["status"], done.err
    assert not record.exists()
    assert f"the list of {len(before) - 1:,} original paths" in done.out
    shown = nymlink("paths", f"out/{project}", "--out", "paths.tsv", "--project", project, *STORE)
    assert shown.status == 0, shown.err
    assert (world / "paths.tsv").read_text().splitlines() == before
    assert "the list of" not in nymlink(*run["arguments"]).out


@pytest.mark.parametrize("project", [name for name, run in RUNS.items() if not run["is_one_way"]])
def test_every_output_comes_back(project: str, world: Path, nymlink: Command) -> None:
    done = nymlink("restore", f"out/{project}", "--out", "back", "--project", project, *STORE, *PURPOSE)
    assert done.status == 0, done.err
    came_back = files_below(world / "back")
    if project == "life":  # one of its people is erased
        assert came_back == files_below(world / "restored" / "life")
        return
    originals = readable(files_below(world / RUNS[project]["source"]), (".DS_Store", "kapot.txt"))
    assert came_back == originals


def test_outputs_of_a_style_without_a_way_back_are_known_as_such(world: Path, nymlink: Command) -> None:
    done = nymlink("restore", "out/initials", "--out", "back", "--project", "initials", *STORE, *PURPOSE,
                   "--json")  # fmt: skip
    told, before = json.loads(done.out), json.loads((world / "restored" / "initials.json").read_text())
    assert (told["files"].pop("in part"), told["files"].pop("text only")) == (
        0,
        0,
    )  # counted by later versions
    # Later versions also count text that only looks like a label, and list it.
    assert (told["files"], told["failures"]) == (before["files"], before["failures"])


def test_what_a_run_left_is_asked_for_and_a_run_into_a_new_folder_leaves_it(
    world: Path, nymlink: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = ("review", *STORE, "--project", "tag", "--judgements", "verdicts.jsonl", "--run")
    before = rows_of(world / "vault" / "vault.db")
    done = nymlink(*review, "out/tag")
    assert done.status == 1
    assert "version 0.1 made it" in done.err
    assert "Run the same inputs into a new folder" in done.err
    run = ["out/new" if word == "out/tag" else word for word in RUNS["tag"]["arguments"]]
    assert nymlink(*run).status == 0
    new, old = files_below(world / "out" / "new"), files_below(world / "out" / "tag")
    assert new == old
    after = rows_of(world / "vault" / "vault.db")
    for table in ("pseudonym", "form", "name_index", "mention_list", "link"):
        assert after[table] == before[table], table
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for folder in ("out/new", "out/tag"):  # of equal outputs at equal places the vault has one
        done = nymlink(*review, folder)
        assert (done.status, "1 of " in done.out) == (0, True), done.err
    assert json.loads(nymlink("vault", "verify", *STORE, "--json").out)["findings"] == []


def test_names_lead_to_their_pseudonyms_and_back(world: Path, nymlink: Command) -> None:
    labels = json.loads((world / "labels.json").read_text())
    here = (*STORE, "--project", "life", *PURPOSE)
    for name, label in labels.items():
        assert nymlink("lookup", name, *here, "--out", "found.json").status == 0
        found = json.loads((world / "found.json").read_text())["pseudonyms"]
        erased = name == "Daan Wiegersma"
        assert (label in found) is not erased
        revealed = nymlink("reveal", label, *here, "--json", "--out", "names.json")
        assert revealed.status == int(erased), revealed.err
        if not erased:
            assert name in json.loads((world / "names.json").read_text())[label]


def test_the_settings_of_a_project_are_read(nymlink: Command) -> None:
    found = json.loads(nymlink("vault", "settings", *STORE, "--project", "life").out)
    assert found.items() >= {
        "style": "tag", "pseudonyms": {"tag_word": "BEWONER", "keep_domain": True}, "single_approval": True,
        "approvals_needed": 1, "extra_approval_above": 50, "grant_minutes": 90, "limit_capacity": 5000,
        "limit_per_hour": 4000, "retention_days": 3650,
    }.items()  # fmt: skip


def test_links_are_exported_as_they_were(world: Path, nymlink: Command) -> None:
    assert nymlink("vault", "export", *STORE, "--project", "life", "--out", "again.csv").status == 0
    assert (world / "again.csv").read_text() == (world / "links.csv").read_text()


class _BeforeItExpired(datetime):
    """The stored request may be granted until 2026-11-29, 23:54."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 11, 29, 12, tzinfo=tz)


def test_roles_hold_and_a_request_goes_on(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "utc_now", partial(_BeforeItExpired.now, UTC))
    monkeypatch.setattr(requesting, "datetime", _BeforeItExpired)
    nymlink = command_in(world / "roles", monkeypatch)
    roles = json.loads(nymlink("vault", "roles", "list", *STORE, "--json").out)["items"]
    assert {(one["actor"], one["role"]) for one in roles} == {
        ("keeper", "dpo"), ("keeper", "curator"), ("keeper", "requester"), ("keeper", "auditor"),
        ("keeper", "keyadmin"), ("second", "approver"),
    }  # fmt: skip
    assert json.loads(nymlink("vault", "verify", *STORE, "--json").out)["findings"] == []
    label = (world / "roles/out/shared/een.txt").read_text().split()[1].rstrip(",")
    wish = ("reveal", label, *STORE, "--project", "shared", "--out", "name.txt", "--purpose")
    reveal = (*wish, "kept material")  # the purpose of the stored request
    assert nymlink(*reveal).status == 3
    second = (*STORE[:4], "--actor", "second")
    assert nymlink("approve", "1", *second).status == 0
    granted = nymlink("grant", "1", *STORE)
    assert granted.status == 0, granted.err
    grant = ("--grant", granted.out.split()[-1])
    assert nymlink(*wish, "another purpose", *grant).status == 3, "a grant serves its purpose alone"
    assert nymlink(*reveal, *grant).status == 0
    assert (world / "roles/name.txt").read_text() == f"{label}\tJasmijn Terlouwe\n"


def test_judgements_and_given_mentions_are_read(world: Path) -> None:
    judged = read_judgements(world / "judgements.jsonl")
    assert [one.verdict for one in judged][-1] is Verdict.REJECT
    assert (judged[-1].left_form, judged[-1].right_form) == ("Anneke Vlietkamp", "Hanna Vlietkamp")
    at_places = [one for one in judged if one.left_at is not None and one.right_at is not None]
    assert at_places
    texts = {name: raw.decode() for name, raw in files_below(world / "in").items() if name.endswith(".txt")}
    for one in at_places:
        for place, form in ((one.left_at, one.left_form), (one.right_at, one.right_form)):
            assert place is not None
            assert texts[place.document][place.start : place.end] == form
    given = given_mentions(read_jsonl(world / "mentions.jsonl", "the mentions"))
    assert sum(map(len, given.values())) == 38


def test_every_key_of_the_settings_is_read(world: Path) -> None:
    file = world / "settings" / "every_key.toml"
    read = Settings.from_toml(file)
    settings = read.linkage
    folder = file.parent
    expected: dict[str, Any] = {
        "language": "nl", "ner_model": folder / "eigen/ner.pt", "names_files": (folder / "namen.txt",),
        "persons_file": folder / "personen.csv", "allow_file": folder / "toegestaan.txt",
        "deny_file": folder / "geweigerd.txt", "find_typing_errors": False, "corpus_consistency": False,
    }  # fmt: skip
    assert {name: getattr(settings.recognition, name) for name in expected} == expected
    expected = {"classifier": folder / "eigen/classifier.json", "link_threshold": 0.93,
                "review_threshold": 0.4, "max_block_size": 1500}  # fmt: skip
    assert {name: getattr(settings.linking, name) for name in expected} == expected
    assert read.pseudonyms is not None
    assert read.pseudonyms.to_mapping().items() >= {
        "style": "surrogate", "keep_initials": True, "keep_family": False, "keep_professionals": True,
        "keep_domain": True, "mark": False, "tag_word": "MENS",
        "kinds": {"email": "token", "handle": "token", "path": "surrogate", "text": "surrogate",
                  "url": "token"},
    }.items()  # fmt: skip


def test_an_export_makes_the_vault_elsewhere(world: Path, nymlink: Command) -> None:
    elsewhere = ("--vault", "sqlite:///elsewhere.db", *STORE[2:])
    passphrase = ("--passphrase-file", "passphrase.txt")
    done = nymlink("vault", "import", "export-vault.bundle", *elsewhere, *passphrase)
    assert done.status == 0, done.err
    assert json.loads(nymlink("vault", "verify", *elsewhere, "--json").out)["findings"] == []
    before = rows_of(world / "elsewhere.db"), rows_of(world / "elsewhere.keys.db")
    again = [word.replace(URL, "sqlite:///elsewhere.db") for word in RUNS["tag"]["arguments"]]
    assert nymlink(*again).status == 0
    new = {name: before[1][name] for name in ("work_key", "key_checkpoint")}  # of the work file, and counted
    keys = {**rows_of(world / "elsewhere.keys.db"), **new}
    assert (rows_of(world / "elsewhere.db"), keys) == before
    back = nymlink("restore", "out/tag", "--out", "back", "--project", "tag", *elsewhere, *PURPOSE)
    assert back.status == 0, back.err
    assert files_below(world / "back") == readable(files_below(world / "in"))


def test_an_export_of_the_keys_opens_what_it_was_made_of(world: Path, nymlink: Command) -> None:
    here = ("--vault", URL, "--keys", "sqlite:///new.keys.db", *STORE[2:])
    done = nymlink("vault", "import", "export-keys.bundle", *here, "--passphrase-file", "passphrase.txt")
    assert done.status == 0, done.err
    back = nymlink("restore", "out/token", "--out", "back", "--project", "token", *here, *PURPOSE)
    assert back.status == 0, back.err
    assert files_below(world / "back") == readable(files_below(world / "in"))


def test_the_recovery_key_opens(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world)
    with Vault.open(URL, RecoveryKey((world / "recovery.txt").read_text().strip()), actor="keeper") as vault:
        assert set(RUNS) <= set(vault.projects())


def test_a_run_key_gives_its_labels_and_its_parcel_is_taken_in(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    kept = json.loads((world / "run_labels.json").read_text())
    key = RunKey.from_text((world / "run.key").read_text())
    in_time = key.expires_at - timedelta(hours=1)

    def clock() -> datetime:
        return in_time

    mentions = [person("Daan Wiegersma"), person("Sietske Brouwershaven"), person("Daan")]
    worker = RunWorker(key, clock=clock)
    assert list(worker.labels(mentions).values()) == kept["labels"]
    with Vault.open(URL, KEY, actor="keeper", clock=clock) as vault:
        parcels = [(world / "parcel.bin").read_bytes()]
        accepted = accept(vault, project="token", run=kept["run"], parcels=parcels)
        assert (accepted.mentions, accepted.people) == (3, 3)
        assert vault.verify().findings == ()
