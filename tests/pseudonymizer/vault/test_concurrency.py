"""Threads and processes at once, and processes killed in the middle: nothing lost, nothing doubled."""

import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rotation import Rotated, rotate
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

ROOT = Path(__file__).parent.parent.parent.parent
NAMES = [f"Naam{letter} Achter{letter}" for letter in "abcdefgh"]
KILLS = int(os.environ.get("NYMLINK_KILLS", "4"))


def _everybody(doc_id: str) -> Any:
    return linkage_result({doc_id: ", ".join(NAMES)}, [[(doc_id, name)] for name in NAMES])


def _labels(vault: Vault, doc_id: str) -> tuple[str, ...]:
    result = _everybody(doc_id)
    pseudonyms = assign(result, vault, project="p")
    vault.commit()
    return tuple(pseudonyms[min(identity.mention_ids)].label for identity in result.identities)


def _race(url: str, key: Any, doc_id: str, barrier: Any, results: Any) -> None:
    with Vault.open(url, key) as vault:
        vault.known_identities("p")
        # Only now: who looks after another has committed sees its people, and the linker's judgement stands.
        barrier.wait(120)
        results.put(_labels(vault, doc_id))


@pytest.mark.parametrize("count", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_processes_that_race_agree(place: VaultPlace, count: int) -> None:
    place.create().close()
    context = get_context("spawn")
    barrier, results = context.Barrier(count), context.Queue()
    workers = [
        context.Process(target=_race, args=(place.url, place.key, f"d{n}", barrier, results))
        for n in range(count)
    ]
    for worker in workers:
        worker.start()
    found = [results.get(timeout=240) for _ in workers]
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * count
    assert len(set(found)) == 1
    assert len(set(found[0])) == len(NAMES)
    with place.open() as vault:
        assert len(vault.known_identities("p")) == len(NAMES)
        assert vault.verify().findings == ()


def test_threads_with_a_vault_each_agree(place: VaultPlace) -> None:
    place.create().close()
    barrier, found = Barrier(4), []

    def work(number: int) -> None:
        with place.open() as vault:
            vault.known_identities("p")
            barrier.wait(60)
            found.append(_labels(vault, f"d{number}"))

    threads = [Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(found) == 4
    assert len(set(found)) == 1


def test_threads_may_share_one_vault(vault: Vault) -> None:
    found = []

    def work() -> None:
        with vault.lock:
            found.append(_labels(vault, "d"))

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(found) == 4
    assert len(set(found)) == 1


WORK = {
    "assign": (
        "n = 0\nwhile True:\n"
        "    texts = {f'r{n}': ', '.join(NAMES)}\n"
        "    assign(linkage_result(texts, [[(f'r{n}', name)] for name in NAMES]), vault, project='p')\n"
        "    vault.commit(); n += 1\n"
    ),
    "rotate": (
        "while True:\n    for what in Rotated:\n        rotate(vault, what, project_name='p', batch=2)\n"
    ),
    "erase": (
        "n = 0\nwhile True:\n"
        "    name = f'Weg{n} Gewist{n}'\n"
        "    made = assign(linkage_result({f'w{n}': name}, [[(f'w{n}', name)]]), vault, project='p')\n"
        "    vault.commit()\n"
        "    erase(vault, project='p', pseudonyms=[p.label for p in made.values()], purpose='x'); n += 1\n"
    ),
}
PROGRAM = (
    "from pseudonymizer.assignment import assign\nfrom pseudonymizer.keyring import FileKey\n"
    "from pseudonymizer.vault import Vault\nfrom pseudonymizer.vault.erasure import erase\n"
    "from pseudonymizer.vault.rotation import Rotated, rotate\nfrom tests.fakes import linkage_result\n"
    f"NAMES = {NAMES!r}\n"
    "vault = Vault.open({url!r}, FileKey({key!r}))\nvault.known_identities('p')\n"
    "print('ready', flush=True)\n{work}"
)


@pytest.mark.parametrize("work", sorted(WORK))
def test_killed_at_any_moment_nothing_is_lost_or_doubled(sqlite_place: VaultPlace, work: str) -> None:
    with sqlite_place.create() as vault:
        labels = _labels(vault, "d")
        vault.commit()
    chance = random.Random(work)  # noqa: S311  moments, not secrets
    for _ in range(KILLS):
        program = PROGRAM.format(url=sqlite_place.url, key=str(sqlite_place.key.path), work=WORK[work])
        process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(chance.uniform(0.0, 0.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with sqlite_place.open() as vault:
            assert vault.verify().findings == ()
            vault.known_identities("p")
            assert _labels(vault, "d") == labels
            counted = vault.store.rows(
                "SELECT label, count(*) FROM pseudonym GROUP BY label HAVING count(*) > 1"
            )
            assert counted == []
    with sqlite_place.open() as vault:
        for what in Rotated:
            rotate(vault, what, project_name="p")
        assert _labels(vault, "d") == labels
        assert vault.verify().findings == ()
