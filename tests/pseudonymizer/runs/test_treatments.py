"""Runs that treat all kinds, over files of every format: what is treated is gone, and comes back."""

import random
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

from linkage.records import KindId
from pseudonymizer import formats
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.records import Style
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.restore import (
    BY_LABELS,
    EXACT,
    IN_PART,
    ONE_WAY,
    TEXT_ONLY,
    Restoration,
    RestoreReport,
)
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.test_whole_runs import assert_came_back

NAMES = ("Els Wiersma", "Jan Tolsma", "Jitske Douma")
ACCOUNTS = ("NL91 ABNA 0417 1643 00", "NL20 INGB 0001 2345 67")
REVERSIBLE = {  # by name, a plan whose every treatment comes back with whole files
    "code": Plan.made("direct", style=Style.CODE),
    "token": Plan.made(
        "direct", dict.fromkeys(map(KindId, ("PHONE", "BANK_ACCOUNT", "NATIONAL_ID")), Treatment.TOKEN)
    ),
    "tag": Plan.made("direct", {KindId("PHONE"): Treatment.TAG, KindId("BANK_ACCOUNT"): Treatment.TAG}),
    "random": Plan.made(
        "direct", dict.fromkeys(map(KindId, ("PHONE", "BANK_ACCOUNT", "NATIONAL_ID")), Treatment.RANDOM)
    ),
    "surrogate": Plan.made(
        "direct",
        dict.fromkeys(map(KindId, ("PHONE", "BANK_ACCOUNT", "NATIONAL_ID", "EMAIL")), Treatment.SURROGATE),
        Style.SURROGATE,
    ),
    "shift": Plan.made("names", dict.fromkeys(map(KindId, ("DATE", "BIRTH_DATE")), Treatment.SHIFT)),
}


def sentences(number: int) -> tuple[list[str], list[str]]:
    """(names, sentences with values), of one file."""
    chance = random.Random(number)  # noqa: S311  no secret
    people = chance.sample(NAMES, 2)
    account, day = chance.choice(ACCOUNTS), chance.randint(10, 28)
    return people, [
        f"toen had {people[0]} BSN 295755131, belt 06-1234567{number % 10} en mailt info@bakker-{number}.nl.",
        f"daar kreeg {people[1]} op {day} maart 2024 geld op {account}; geboren op {day}-11-1961.",
    ]


def day_of(name: str) -> str:
    """The date of birth in the sentences of the file f7.docx."""
    _, found = sentences(int(name.removeprefix("f").partition(".")[0]))
    return found[1].removesuffix(".").rpartition(" ")[2]


def run(
    folder: Path, files: Mapping[str, bytes], plan: Plan, *, source: str = "in", out: str = "out"
) -> BatchReport:
    (folder / source).mkdir(exist_ok=True)
    for name, raw in files.items():
        if not (folder / source / name).exists():
            (folder / source / name).write_bytes(raw)
    opened = make_vault(folder / "vault") if not (folder / "vault").exists() else reopened(folder)
    sources = find_sources([folder / source], output=folder / out)
    settings = BatchSettings(PROJECT, plan=plan)
    return new_batch(sources, folder / out, settings, load=load_fake, open_vault=opened).run()


def reopened(folder: Path):  # type: ignore[no-untyped-def]
    from functools import partial

    from pseudonymizer.keyring import FileKey
    from pseudonymizer.vault import Vault

    return partial(
        Vault.open, f"sqlite:///{folder / 'vault' / 'vault.db'}", FileKey(folder / "vault" / "kek.key")
    )


def restored(folder: Path) -> tuple[RestoreReport, dict[str, bytes]]:
    report = Restoration(reopened(folder), PROJECT, "test").files(
        find_sources([folder / "out"]), folder / "back"
    )
    return report, read(folder / "back")


def read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def texts(name: str, raw: bytes) -> str:
    return "\n".join(part.text for part in formats.read(raw, name=name).parts)


def check(folder: Path, suffix: str, plan: Plan, numbers: Sequence[int]) -> None:
    build = samples.EVERY_FORMAT[suffix]
    files = {f"f{number}.{suffix}": build(*sentences(number)) for number in numbers}
    report = run(folder, files, plan)
    assert report.errors == {}
    outputs = read(folder / "out")
    for name, raw in outputs.items():
        text = texts(name, raw)
        assert not [one for one in NAMES if one in text]
        if plan.of(KindId("BANK_ACCOUNT")) is not Treatment.KEEP:
            assert "295755131" not in text
            assert "info@bakker" not in text
            assert not [one for one in ACCOUNTS if one in text]
        if plan.of(KindId("DATE")) is Treatment.SHIFT:
            assert day_of(name) not in text
    found, back = restored(folder)
    assert found.counts[TEXT_ONLY if suffix == "pdf" else EXACT] == len(files), found
    assert found.one_way == 0
    for name, raw in files.items():
        assert_came_back(name, raw, back)


@pytest.mark.parametrize("suffix", samples.EVERY_FORMAT)
def test_codes_come_back_from_files_of_every_format(tmp_path: Path, suffix: str) -> None:
    check(tmp_path, suffix, REVERSIBLE["code"], range(2))


@pytest.mark.parametrize("name", REVERSIBLE)
def test_every_reversible_treatment_comes_back(tmp_path: Path, name: str) -> None:
    check(tmp_path, "docx", REVERSIBLE[name], range(2))


@pytest.mark.slow
@pytest.mark.parametrize("name", REVERSIBLE)
@pytest.mark.parametrize("suffix", samples.EVERY_FORMAT)
def test_many_files_of_every_format(tmp_path: Path, suffix: str, name: str) -> None:
    check(tmp_path, suffix, REVERSIBLE[name], range(20))


LOSSY = Plan.made("direct", {KindId("PASSWORD"): Treatment.MASK}, Style.CODE)
TEXT = b"Els Wiersma, wachtwoord: Geheim123! Rekening NL91 ABNA 0417 1643 00 of els.wiersma@post.nl."


def test_a_file_with_places_that_are_lost_gives_the_rest_back_and_counts_them(tmp_path: Path) -> None:
    report = run(tmp_path, {"a.txt": TEXT}, LOSSY)
    (one,) = [kind for kind in report.kinds if kind.kind == "PASSWORD"]
    assert (one.treatment, one.found, one.replaced, one.left_in) == ("mask", 1, 1, 0)
    assert report.one_way == 1
    found, back = restored(tmp_path)
    assert (found.counts[IN_PART], found.one_way) == (1, 1)
    assert b"Geheim123" not in back["a.txt"]
    assert back["a.txt"].replace(b"##########", b"Geheim123!") == TEXT


def test_of_a_large_file_the_rest_comes_back_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pseudonymizer.runs import restore, units

    for module, name in ((units, "LARGE_BYTES"), (restore, "LARGE_BYTES"), (units, "UNIT_BYTES")):
        monkeypatch.setattr(module, name, 2_000)
    lines = b"".join(b'{"text": "Nr %d: %s"}\n' % (n, TEXT.replace(b"Els", b"Els")) for n in range(40))
    run(tmp_path, {"a.jsonl": lines}, LOSSY)
    found, back = restored(tmp_path)
    assert (found.counts[IN_PART], found.one_way) == (1, 40)
    assert back["a.jsonl"].replace(b"##########", b"Geheim123!") == lines


def test_where_all_is_lost_nothing_is_stored_and_nobody_is_kept(tmp_path: Path) -> None:
    plan = Plan.made(
        "direct", {KindId("BANK_ACCOUNT"): Treatment.CATEGORY, KindId("PASSWORD"): Treatment.MASK}, Style.MASK
    )
    run(tmp_path, {"a.txt": TEXT}, plan)
    found, back = restored(tmp_path)
    assert found.counts[ONE_WAY] == 1
    assert back["a.txt"] == (tmp_path / "out" / "a.txt").read_bytes()
    with reopened(tmp_path)() as vault:
        assert not vault.known(PROJECT).people


@pytest.mark.parametrize("profile", ["direct", "clinical", "everything"])
def test_outputs_that_come_in_again_stay_as_they_are(tmp_path: Path, profile: str) -> None:
    plan = Plan.made(profile, style=Style.CODE)
    files = {f"f{number}.txt": samples.txt(*sentences(number)) for number in range(3)}
    run(tmp_path, files, plan)
    run(tmp_path, {}, plan, source="out", out="again")
    assert read(tmp_path / "again") == read(tmp_path / "out")


def test_a_value_in_the_name_of_a_file_is_replaced_and_the_path_comes_back(tmp_path: Path) -> None:
    name = "brief BSN 295755131 Els Wiersma.txt"
    run(tmp_path, {name: b"Els Wiersma schreef."}, Plan.made("direct", style=Style.CODE))
    (written,) = read(tmp_path / "out")
    assert "295755131" not in written
    assert "BURGERNUMMER-" in written
    assert restored(tmp_path)[1] == {name: b"Els Wiersma schreef."}


def test_names_may_stay_while_values_go(tmp_path: Path) -> None:
    plan = Plan.made("direct", {KindId("PERSON"): Treatment.KEEP})
    run(tmp_path, {"Els Wiersma.txt": TEXT}, plan)
    (raw,) = read(tmp_path / "out").values()
    assert raw.startswith(b"Els Wiersma, wachtwoord: ")
    assert b"els.wiersma@post.nl" not in raw
    assert (tmp_path / "out" / "Els Wiersma.txt").exists()
    with reopened(tmp_path)() as vault:
        assert not vault.known(PROJECT).people


def test_another_plan_treats_the_files_again_and_the_profile_names_does_not(tmp_path: Path) -> None:
    files = {"a.txt": TEXT}
    run(tmp_path, files, Plan.of_names(Style.TOKEN))
    before = (tmp_path / "out" / "a.txt").stat().st_mtime_ns
    run(tmp_path, files, Plan.made("names", style=Style.TOKEN))
    assert (tmp_path / "out" / "a.txt").stat().st_mtime_ns == before
    run(tmp_path, files, Plan.made("direct", style=Style.TOKEN))
    assert (tmp_path / "out" / "a.txt").stat().st_mtime_ns != before


def test_pasted_text_gives_the_labels_of_values_back(tmp_path: Path) -> None:
    run(tmp_path, {"a.txt": TEXT}, Plan.made("direct", style=Style.CODE))
    output = tmp_path / "out" / "a.txt"
    output.write_bytes(b"Samenvatting. " + output.read_bytes())
    found, back = restored(tmp_path)
    assert found.counts[BY_LABELS] == 1
    assert b"NL91 ABNA 0417 1643 00" in back["a.txt"]
    assert b"els.wiersma@post.nl" in back["a.txt"]


def days(text: str) -> list[date]:
    return [date.fromisoformat(found) for found in re.findall(r"\d{4}-\d\d-\d\d", text)]


def test_dates_of_each_person_have_a_shift_of_their_own_that_later_runs_keep(tmp_path: Path) -> None:
    shift = dict.fromkeys(map(KindId, ("DATE", "BIRTH_DATE")), Treatment.SHIFT)
    plan = Plan.made("direct", shift, Style.CODE, {"shift_by": "person"})
    els = b"Els Wiersma kwam op 2024-03-11. Op 2024-05-20 belde Els Wiersma weer."
    files = {
        "a.txt": els,
        "b.txt": b"Jan Tolsma kwam op 2024-03-11. Op 2024-05-20 belde Jan Tolsma weer.",
        "c.csv": b"naam,datum\nEls Wiersma,2024-03-11\nJan Tolsma,2024-03-11\nJitske Douma,2024-03-11\n",
    }
    assert run(tmp_path, files, plan).errors == {}
    outputs = {name: days(raw.decode()) for name, raw in read(tmp_path / "out").items()}
    first, last = outputs["a.txt"]
    assert first not in (date(2024, 3, 11), date(2024, 5, 20))
    assert (last - first).days == 70
    assert (outputs["b.txt"][1] - outputs["b.txt"][0]).days == 70
    assert outputs["c.csv"][:2] == [first, outputs["b.txt"][0]]
    assert len({first, outputs["b.txt"][0], outputs["c.csv"][2]}) > 1
    found, back = restored(tmp_path)
    assert found.counts[EXACT] == len(files)
    assert back == files
    run(tmp_path, {"later.txt": els}, plan, source="in2", out="out2")
    assert days((tmp_path / "out2" / "later.txt").read_text()) == [first, last]
