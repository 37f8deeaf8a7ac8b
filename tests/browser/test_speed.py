"""How fast pages are: 1 MB of text with 5,000 mentions, and 800 files. The figures are printed (-s)."""

import itertools
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.pseudonymizer.web.served import Service, json_of, real_service
from tests.pseudonymizer.web.test_api_jobs import PLACE, ended, filled

pytestmark = pytest.mark.slow

MENTIONS: Final = 5_000
LETTERS: Final = 1_000_000
FILES: Final = 800
NAMED: Final = 400  # files in one request
PAINT_SECONDS: Final = 1.0  # from the click to the first paint of the text
STEP_SECONDS: Final = 0.05  # of a correction, on the server
TIMES: Final = 7
_STEP: Final = "/workspaces/{workspace}/files/{file}/corrected"
_ENDS: Final = ("aar", "bos", "dam", "een", "hof", "ink", "kamp", "laar", "man", "oord")
_BEGINNINGS: Final = ("Bak", "Dek", "Groen", "Hoek", "Kuip", "Lind", "Meer", "Nieuw", "Oster", "Vel")
_GIVEN: Final = ("Anna", "Bert", "Cora", "Dirk", "Elsa", "Frits", "Greet", "Henk", "Ilse", "Joop")


def long_text() -> bytes:
    """A text of 1 MB in which 1,000 people have five mentions each."""
    people = [f"{one} {two}{three}" for one, two, three in itertools.product(_GIVEN, _BEGINNINGS, _ENDS)]
    lines = []
    for number in range(MENTIONS):
        said = f"{people[number % len(people)]} belde over de zaak"
        lines.append(f"{said} en zei dat het {'lang ' * 100}"[: LETTERS // MENTIONS - 1])
    return "\n".join(lines).encode("ascii")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The processes of a service, without the models, which no page waits for."""
    folder = tmp_path_factory.mktemp("speed")
    (folder / "memory").mkdir()
    options = ("--work-folder", str(folder / "memory"), "--unsealed-work")
    with real_service(folder, *options, with_fakes=True) as made:
        yield made


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[httpx.Client]:
    """A session by the one-time code, as the browser of this test has it, too."""
    with service.client(Origin=service.url) as made:
        answer = made.post("/api/v1/session", json={"code": service.code})
        assert answer.status_code == 201
        made.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        made.cookies.clear()
        yield made


def served_in(service: Service, path: str) -> list[float]:
    """Seconds that the front took for requests of this template of a path, by its log."""
    lines = service.log.read_text(encoding="utf-8").splitlines()
    return [
        int(found[1]) / 1000
        for line in lines
        if (found := re.search(rf" {re.escape(path)} \d+ .*? (\d+) ms", line))
    ]


def told_on_screen(line: str) -> None:
    sys.stdout.write(f"\n{line}\n")


def median(act: Callable[[], Any]) -> float:
    """Seconds, the median of some times after one that is not counted."""
    act()
    found = []
    for _ in range(TIMES):
        began = time.perf_counter()
        act()
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def test_a_long_text_is_shown_and_corrected_fast(
    browser: Browser, service: Service, client: httpx.Client
) -> None:
    raw = long_text()
    assert len(raw) == pytest.approx(LETTERS, rel=0.01)
    place, ids = filled(client, {"lang.txt": raw})
    assert ended(client, client.post(f"{place}/analyses"), seconds=300)["state"] == "done"
    (file,) = json_of(client.get(f"{place}/files"))["files"]
    assert sum(file["mentions"].values()) == MENTIONS
    page = f"{place.removeprefix('/api/v1')}/files/{ids['lang.txt']}"
    shown = median(lambda: client.get(page))
    context = browser.new_context()
    name, _, value = client.headers["Cookie"].partition("=")
    host = service.url.partition("://")[2].partition(":")[0]
    context.add_cookies(
        [{"name": name, "value": value, "domain": host, "path": "/", "secure": True, "httpOnly": True}]
    )
    with context:
        seen = context.new_page()
        seen.goto(f"{service.url}{page}")
        expect(seen.locator("[data-view=before] [data-mention]").first).to_be_visible()
        paints = []
        for _ in range(3):
            seen.reload()
            expect(seen.locator("[data-view=before] [data-mention]").first).to_be_visible()
            paints.append(
                seen.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000
            )
        painted = statistics.median(paints)
    told = json_of(client.get(f"{place}/files/{ids['lang.txt']}/mentions", params={"limit": 500}))
    mentions = iter([one["mention"] for one in told["mentions"]])
    revision = itertools.count(told["revision"])

    def step() -> None:
        fields = {"do": "confirm", "mention": next(mentions), "revision": str(next(revision)), "document": ""}
        answer = client.post(f"{page}/corrected", data=fields, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.text

    for _ in range(4 * TIMES):
        step()
    stepped = statistics.median(served_in(service, _STEP))
    told_on_screen(
        f"page {shown * 1000:.0f} ms, first paint {painted * 1000:.0f} ms, step {stepped * 1000:.0f} ms"
    )
    assert painted <= PAINT_SECONDS
    assert stepped <= STEP_SECONDS


def test_many_files_are_shown_in_pages(client: httpx.Client) -> None:
    place = str(client.post(PLACE, json={}).headers["location"])
    for first in range(0, FILES, NAMED):
        told = [{"name": f"map/{first + number}.txt", "bytes": 17} for number in range(NAMED)]
        assert client.post(f"{place}/files", json={"files": told}).status_code == 201
    page = place.removeprefix("/api/v1")
    shown = median(lambda: client.get(page))
    text = client.get(page).text
    told_on_screen(f"page of {FILES} files {shown * 1000:.0f} ms, {text.count('</tr>') - 1} rows")
    assert f"{FILES} files" in text
    assert text.count("</tr>") <= FILES / 2
    assert shown <= PAINT_SECONDS
