"""kill -9 at any moment: started again, a run ends as an undisturbed one, and nothing is lost or doubled."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats.units import units_of
from pseudonymizer.keyring import FileKey
from pseudonymizer.runs import restore
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

NAMES = ["Jan Tolsma", "Els Mulder", "Piet Kok", "Ria Zijlstra", "Bas Terpstra", "Ko Hoekema", "Ada Postma"]
SCRIPT = """
import sys
from functools import partial
from pathlib import Path
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, new_batch

folder = Path(sys.argv[1])
url = f"sqlite:///{folder / 'vault' / 'vault.db'}"
opener = partial(Vault.open, url, FileKey(folder / "vault" / "kek.key"))
print("ready", flush=True)
new_batch(
    find_sources([folder / "in"]), folder / "out",
    BatchSettings(PROJECT, deterministic=sys.argv[2] == "yes", small_units=True),
    load=load_fake, open_vault=opener,
).run()
print("done", flush=True)
"""


# Before it: files from here up are treated in units, and the process dies before it writes so many files.
IN_UNITS = """
import os
import signal
from pseudonymizer.runs import units
from pseudonymizer.runs.output import OutputFolder

units.UNIT_BYTES = {unit_bytes}
left = [{writes}]
replace = OutputFolder._replace

def mortal(self, *args):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(self, *args)

OutputFolder._replace = mortal
"""
UNIT_BYTES = 2_000
LONGEST = 900  # seconds for a whole run: a busy machine is no failure
# Before it: the process dies when it calls a method for the n-th time.
AT_A_CALL = """
import os
import signal
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.vault import Vault

left = [{calls}]
whole = {where}.{method}

def mortal(self, *args, **settings):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(self, *args, **settings)

{where}.{method} = mortal
"""


def start(folder: Path, *, deterministic: bool, before: str = "") -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-c", before + SCRIPT, str(folder), "yes" if deterministic else "no"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)  # noqa: S603  our own interpreter


def make_corpus(folder: Path, files: int) -> dict[str, bytes]:
    """Files of invented people, some of them in several files."""
    chosen = random.Random(7)  # noqa: S311  a fixed corpus, no secret
    texts = {
        f"{number % 5}/{number:03}.txt": " en ".join(chosen.choices(NAMES, k=3)).encode()
        for number in range(files)
    }
    for name, raw in texts.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(raw)
    return texts


def outputs(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*.txt")
        if ".nymlink" not in p.parts
    }


def killed_run(folder: Path, texts: dict[str, bytes], *, seconds: float, deterministic: bool) -> None:
    """Kill a run after so many seconds of work, start it again, and compare all with an undisturbed end."""
    make_vault(folder / "vault")
    process = start(folder, deterministic=deterministic)
    assert process.stdout is not None
    with process:
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
    goes_on(folder, texts, deterministic=deterministic)


def goes_on(folder: Path, texts: dict[str, bytes], *, deterministic: bool) -> None:
    """What a killed run has left is whole; started again, it ends as an undisturbed one."""
    open_vault = partial(
        Vault.open, f"sqlite:///{folder / 'vault' / 'vault.db'}", FileKey(folder / "vault" / "kek.key")
    )
    for raw in outputs(folder / "out").values():  # whole, and their way back is there already
        assert raw.count(b"P1-") == 3
    before = outputs(folder / "out")
    if before:
        report = Restoration(open_vault, PROJECT, "test").files(
            find_sources([folder / "out"]), folder / "early"
        )
        assert report.counts["exact"] == len(before)
        assert {name: texts[name] for name in before} == outputs(folder / "early")
    with start(folder, deterministic=deterministic) as again:
        again.communicate(timeout=LONGEST)
    assert again.returncode == 0
    written = outputs(folder / "out")
    assert written.keys() == texts.keys()
    assert {name: written[name] for name in before} == before
    labels: dict[str, set[str]] = {}
    for name, raw in texts.items():
        for person, label in zip(
            raw.decode().split(" en "), written[name].decode().split(" en "), strict=True
        ):
            labels.setdefault(person, set()).add(label)
    assert all(len(some) == 1 for some in labels.values())
    assert len({label for some in labels.values() for label in some}) == len(NAMES)
    with open_vault() as vault:
        assert len(vault.known_identities(PROJECT)) == len(NAMES)
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([folder / "out"]), folder / "back")
    assert report.counts["exact"] == len(texts)
    assert outputs(folder / "back") == texts


@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.25, 0.5, 1.0])
def test_killed_early_and_late(tmp_path: Path, seconds: float) -> None:
    texts = make_corpus(tmp_path, 150)
    killed_run(tmp_path, texts, seconds=seconds, deterministic=False)


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(45))
def test_killed_at_random_moments(tmp_path: Path, moment: int) -> None:
    texts = make_corpus(tmp_path, 300)
    seconds = random.Random(moment).uniform(0.0, 2.0)  # noqa: S311  moments, no secret
    killed_run(tmp_path, texts, seconds=seconds, deterministic=moment % 2 == 1)


@pytest.mark.parametrize(
    ("where", "method", "calls", "there"),
    [
        ("WorkFile", "save_intended", 2, 512),  # the way back of the second 512 is durable, none in place
        ("OutputFolder", "take", 1, 0),
        ("OutputFolder", "take", 520, 519),
        ("WorkFile", "save_done", 1, 512),  # 512 in place, none noted as done
        ("WorkFile", "save_done", 2, 560),
    ],
)
def test_killed_between_the_steps_of_the_last_pass(
    tmp_path: Path, where: str, method: str, calls: int, there: int
) -> None:
    texts = make_corpus(tmp_path, 560)
    make_vault(tmp_path / "vault")
    dying = AT_A_CALL.format(where=where, method=method, calls=calls)
    with start(tmp_path, deterministic=False, before=dying) as run:
        run.communicate(timeout=LONGEST)
    assert run.returncode == -signal.SIGKILL
    assert len(outputs(tmp_path / "out")) == there
    goes_on(tmp_path, texts, deterministic=False)


@pytest.mark.parametrize(
    ("where", "method", "calls"),
    [("Vault", "linked", 1), ("OutputFolder", "take", 1), ("OutputFolder", "take", 20)],
)
def test_killed_in_a_second_run_over_a_grown_folder(
    tmp_path: Path, where: str, method: str, calls: int
) -> None:
    """Before its people are linked, before its first file is in place, and between two files."""
    make_corpus(tmp_path, 40)
    make_vault(tmp_path / "vault")
    with start(tmp_path, deterministic=False) as first:
        first.communicate(timeout=LONGEST)
    assert first.returncode == 0
    written = outputs(tmp_path / "out")
    assert len(written) == 40
    texts = make_corpus(tmp_path, 80)
    dying = AT_A_CALL.format(where=where, method=method, calls=calls)
    with start(tmp_path, deterministic=False, before=dying) as second:
        second.communicate(timeout=LONGEST)
    assert second.returncode == -signal.SIGKILL
    assert 40 <= len(outputs(tmp_path / "out")) < 80
    goes_on(tmp_path, texts, deterministic=False)
    now = outputs(tmp_path / "out")
    assert {name: now[name] for name in written} == written


class Totals:
    """A progress that remembers how much each stage has to do."""

    def __init__(self) -> None:
        self.told: dict[str, tuple[int, str]] = {}

    def begin(self, name: str, total: int, counted: str = "files") -> None:
        self.told[name] = total, counted

    def advance(self, count: int) -> None: ...
    def inside(self, count: int) -> None: ...
    def end(self) -> None: ...


@pytest.mark.parametrize("name", ["notities.jsonl", pytest.param("notities.csv", marks=pytest.mark.slow)])
def test_twenty_thousand_notes_in_one_file_go_on_where_they_were(tmp_path: Path, name: str) -> None:
    """Killed while they are searched: what was searched is not searched again."""
    open_vault = make_vault(tmp_path / "vault")
    chosen = random.Random(7)  # noqa: S311  a fixed corpus, no secret
    texts = [
        f"Notitie {number}: {'zij' if number % 20 else chosen.choice(NAMES)} belde over de afspraak van "
        "morgen, kwam langs met vragen, en vroeg om een kopie."
        for number in range(20_000)
    ]
    source = tmp_path / "in" / name
    source.parent.mkdir()
    if name.endswith("csv"):
        source.write_text("nummer;notitie\n" + "".join(f"{n};{text}\n" for n, text in enumerate(texts)))
    else:
        source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    dying = AT_A_CALL.format(where="WorkFile", method="save_detected", calls=9)
    with start(tmp_path, deterministic=False, before=dying) as run:
        run.communicate(timeout=LONGEST)
    assert run.returncode == -signal.SIGKILL
    shown = Totals()
    report = new_batch(
        find_sources([tmp_path / "in"]), tmp_path / "out", BatchSettings(PROJECT, small_units=True),
        load=load_fake, open_vault=open_vault, progress=shown,
    ).run()  # fmt: skip
    left, counted = shown.told["detect"]
    assert counted == "notes"
    assert 5_000 < left < 15_000  # of 20,000: the first eight units were done
    assert shown.told["rewrite"] == (20_000, "notes")
    assert report.notes == 20_000
    assert report.documents["ok"] == 1
    written = (tmp_path / "out" / name).read_text()
    assert not any(person in written for person in NAMES)
    back = Restoration(open_vault, PROJECT, "test").files(find_sources([tmp_path / "out"]), tmp_path / "back")
    assert back.counts["exact"] == 1
    assert (tmp_path / "back" / name).read_bytes() == source.read_bytes()


@pytest.mark.parametrize("writes", [0, 1, 5, 10, 11, 12])
def test_killed_in_a_file_of_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Among its units, before the file is put together from them, and after."""
    monkeypatch.setattr(restore, "LARGE_BYTES", UNIT_BYTES)
    open_vault = make_vault(tmp_path / "vault")
    chosen = random.Random(7)  # noqa: S311  a fixed corpus, no secret
    lines = [json.dumps({"text": " en ".join(chosen.choices(NAMES, k=3))}) + "\n" for _ in range(375)]
    source, out = tmp_path / "in" / "regels.jsonl", tmp_path / "out" / "regels.jsonl"
    source.parent.mkdir()
    source.write_text("".join(lines))
    assert len(units_of(source, unit_bytes=UNIT_BYTES)) == 10
    with start(
        tmp_path, deterministic=False, before=IN_UNITS.format(unit_bytes=UNIT_BYTES, writes=writes)
    ) as run:
        run.communicate(timeout=LONGEST)
    assert run.returncode == -signal.SIGKILL
    before = out.read_bytes() if out.exists() else None
    with start(
        tmp_path, deterministic=False, before=IN_UNITS.format(unit_bytes=UNIT_BYTES, writes=1_000)
    ) as again:
        again.communicate(timeout=LONGEST)
    assert again.returncode == 0
    written = out.read_bytes()
    assert before in (None, written)
    assert (before is not None) == (writes > 11)  # the first write says whose folder it is
    texts = [json.loads(line)["text"].split(" en ") for line in written.splitlines()]
    names = [json.loads(line)["text"].split(" en ") for line in lines]
    pairs = {pair for a, b in zip(names, texts, strict=True) for pair in zip(a, b, strict=True)}
    assert len(pairs) == len(NAMES) == len({label for _, label in pairs})
    assert not (tmp_path / "out" / ".nymlink" / "units").exists()
    report = Restoration(open_vault, PROJECT, "test").files(
        find_sources([tmp_path / "out"]), tmp_path / "back"
    )
    assert report.counts["exact"] == 1
    assert (tmp_path / "back" / "regels.jsonl").read_text() == "".join(lines)
