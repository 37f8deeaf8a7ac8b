"""Processes that assign the same values at once agree; killed at any moment, nothing is lost or doubled."""

import os
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, cycle
from multiprocessing import get_context
from typing import Any

import pytest

from pseudonymizer.records import Rotated, Style
from pseudonymizer.values import Candidate, Value
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import rotate
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.values_by_hand import BANK, NATIONAL, PHONE, assigned, met, texts

FORMS = [f"NL{n:02d}ABNA0417164300" for n in range(8)]
_ASKED = int(os.environ.get("NYMLINK_KILLS", "10"))
KILLS = {"assign": -(-_ASKED // 3), "rotate": -(-_ASKED // 3), "erase": -(-_ASKED // 3)}


def _context() -> Any:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.pseudonymizer.vault.test_value_concurrency"])
    return context


def _invented(value: Value, attempt: int) -> list[Candidate]:
    text = f"02000{attempt:02d}{value.normal[-3:]}"
    return [Candidate(text, text)]


def _labels(vault: Vault, doc: str) -> tuple[str, ...]:
    """A token and a surrogate of each of the same values."""
    found = [met(BANK, form, doc=doc, at=40 * n) for n, form in enumerate(FORMS)]
    phones = [met(PHONE, f"0201234{n:03d}", doc=doc, at=1_000 + 40 * n) for n in range(8)]
    tokens = texts(assigned(vault, found), found)
    invented = texts(assigned(vault, phones, Style.SURROGATE, candidates=_invented), phones)
    vault.commit()
    return (*tokens, *invented)


def _race(url: str, key: Any, doc: str, barrier: Any, results: Any) -> None:
    with Vault.open(url, key) as vault:
        barrier.wait(120)
        results.put(_labels(vault, doc))


def test_processes_that_race_agree(place: VaultPlace) -> None:
    place.create().close()
    context = _context()
    barrier, results = context.Barrier(3), context.Queue()
    workers = [
        context.Process(target=_race, args=(place.url, place.key, f"d{n}", barrier, results))
        for n in range(3)
    ]
    for worker in workers:
        worker.start()
    found = [results.get(timeout=240) for _ in workers]
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(set(found)) == 1
    assert len(set(found[0])) == 2 * len(FORMS)
    with place.open() as vault:
        assert vault.store.scalar("SELECT count(*) FROM entity") == 2 * len(FORMS)
        assert vault.verify().findings == ()


def _assign_on(vault: Vault, first: int) -> Iterator[str]:
    for n in count(first):
        one = [met(NATIONAL, f"{n:09d}", doc=f"r{n}")]
        (label,) = texts(assigned(vault, one), one)
        vault.commit()
        yield f"{n} {label}"


def _rotate_on(vault: Vault, _first: int) -> Iterator[str]:
    for what in cycle(Rotated):
        yield f"{what} {rotate(vault, what, project_name='p', batch=2)}"


def _erase_on(vault: Vault, first: int) -> Iterator[str]:
    """New values, erased again at once."""
    for n in count(first):
        one = met(NATIONAL, f"{n:09d}", doc=f"w{n}")
        (label,) = texts(assigned(vault, [one]), [one])
        vault.commit()
        vault.erase_values(project="p", values=[one.value], purpose="x")
        yield f"{n} {label}"


WORK = {"assign": _assign_on, "rotate": _rotate_on, "erase": _erase_on}


def _work(url: str, key: Any, work: str, first: int, to: Any) -> None:
    with Vault.open(url, key) as vault:
        for done in WORK[work](vault, first):
            to.send(done)


def _killed(place: VaultPlace, work: str, first: int, seconds: float) -> list[str]:
    """What a process said it had done before it was killed, seconds after its first word."""
    context = _context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(place.url, place.key, work, first, theirs))
    process.start()
    theirs.close()
    said = [ours.recv()]
    time.sleep(seconds)
    process.kill()
    process.join()
    with suppress(EOFError):
        while True:
            said.append(ours.recv())
    ours.close()
    return said


@pytest.mark.parametrize("work", sorted(WORK))
def test_killed_at_any_moment_no_value_is_lost_or_doubled(sqlite_place: VaultPlace, work: str) -> None:
    with sqlite_place.create() as vault:
        labels = _labels(vault, "d")
    chance = random.Random(work)  # noqa: S311  moments, not secrets
    done: dict[int, str] = {}
    next_number = 0
    for _ in range(KILLS[work]):
        said = _killed(sqlite_place, work, next_number, chance.uniform(0.0, 0.1))
        if work != "rotate":
            done.update((int(line.split()[0]), line.split()[1]) for line in said)
            next_number = max(done) + 2  # the one after the last may be there or not
        with sqlite_place.open() as vault:
            assert vault.verify().findings == ()
            assert _labels(vault, "d") == labels
            stored = {row[0] for row in vault.store.rows("SELECT label FROM pseudonym")}
            assert stored.isdisjoint(done.values()) if work == "erase" else stored.issuperset(done.values())
    with sqlite_place.open() as vault:
        for what in Rotated:
            rotate(vault, what, project_name="p")
        assert _labels(vault, "d") == labels
        if work == "assign":
            again = [met(NATIONAL, f"{n:09d}", doc="z", at=40 * n) for n in done]
            assert texts(assigned(vault, again), again) == list(done.values())
            vault.commit()
        assert vault.verify().findings == ()
