"""kill -9 of the front, of the engine and of the vault's process during a job: the page says so, and the work
is there afterwards. What was on the page is not in the browser's folder, nor in that of temporary files.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.policy import Role
from pseudonymizer.service.callers import user_name
from tests.browser.conftest import chromium
from tests.pseudonymizer.web.served import (
    PROJECT,
    Service,
    children_of,
    is_front,
    make_vault,
    nymlink,
    real_service,
    served_again,
)

NAME: Final = "Quirijna Zwartsluis"
FILES: Final = 24
JOB_SECONDS: Final = 180_000  # milliseconds that a job of these tests may take
_ROOT: Final = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.fixture
def options(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "memory").mkdir()
    work = "--work-folder", str(tmp_path / "memory"), "--unsealed-work"
    return *work, "--listen", f"127.0.0.1:{free_port()}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "map"
    made.mkdir()
    for number in range(FILES):
        text = f"{NAME} belde. Piet Anker {number} ook.\n" * 60
        (made / f"{NAME} {number}.txt").write_text(text, encoding="utf-8")
    return made


def _writing(page: Page, service: Service, folder: Path) -> str:
    """The address of a workspace whose files are being written."""
    page.goto(f"{service.url}/#{service.code}")
    page.get_by_role("navigation").get_by_role("link", name="Files").click()
    page.click("button:text-is('New workspace')")
    page.set_input_files("#pick-folder", folder)
    expect(page.locator("#files tr")).to_have_count(FILES, timeout=JOB_SECONDS)
    page.click("button:text-is('Write files')")
    expect(page.locator("#job-head")).to_be_visible()
    return page.url


def _check(page: Page) -> None:
    """Every file was written once, and no name is in any."""
    expect(page.get_by_text("Fetch all as a zip")).to_be_visible(timeout=JOB_SECONDS)
    with page.expect_download() as fetched:
        page.get_by_text("Fetch all as a zip").click()
    with zipfile.ZipFile(BytesIO(fetched.value.path().read_bytes())) as archive:
        assert len(archive.namelist()) == len(set(archive.namelist())) == FILES
        for name in archive.namelist():
            assert not any(word.encode() in archive.read(name) for word in NAME.split())


def test_the_engine_is_killed_and_the_page_goes_on(
    browser: Browser, tmp_path: Path, options: tuple[str, ...], folder: Path
) -> None:
    with (
        real_service(tmp_path, *options, with_fakes=True) as service,
        browser.new_context(locale="en-GB") as one,
    ):
        page = one.new_page()
        _writing(page, service, folder)
        assert service.process is not None
        for child in children_of(service.process.pid):
            if not is_front(child):
                os.kill(child, signal.SIGKILL)
        expect(page.locator("#announced")).to_contain_text("The files are written.", timeout=JOB_SECONDS)
        _check(page)


def test_the_front_is_killed_and_the_page_says_so(
    browser: Browser, tmp_path: Path, options: tuple[str, ...], folder: Path
) -> None:
    with browser.new_context(locale="en-GB") as one:
        page = one.new_page()
        with real_service(tmp_path, *options, with_fakes=True) as service:
            place = _writing(page, service, folder)
            assert service.process is not None
            (front,) = [child for child in children_of(service.process.pid) if is_front(child)]
            os.kill(front, signal.SIGKILL)
            expect(page.locator("#unreached")).to_contain_text("The service does not answer", timeout=10_000)
            service.process.wait(30)  # the engine ends with it
        with served_again(tmp_path, *options, with_fakes=True) as again:
            expect(page.locator("#problem")).to_contain_text("You are not logged in", timeout=10_000)
            page.goto(f"{again.url}/#{again.code}")
            expect(page.get_by_role("navigation")).to_be_visible()
            page.goto(place)
            _check(page)


@contextmanager
def _vault_process(folder: Path, place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`nymlink vault serve` over the vault of a folder, for accounts of this user."""
    command = nymlink(
        "vault", "serve", "--vault", str(folder / "vault.db"), "--key-file", str(folder / "kek.key"),
        "--socket", str(place), "--front-user", str(os.getuid()), with_fakes=True,
    )  # fmt: skip
    with (folder / "vault.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603  our own command
            command, stdout=log, stderr=log, cwd=folder, env={**os.environ, "PYTHONPATH": str(_ROOT)}
        )
    try:
        ends_at = time.monotonic() + 180
        while not place.exists():
            assert process.poll() is None, (folder / "vault.log").read_text()
            assert time.monotonic() < ends_at
            time.sleep(0.05)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)


@contextmanager
def _web_over(folder: Path, vault: Path, *options: str) -> Iterator[Service]:
    """`nymlink web` over a vault service."""
    places = ("--desk", str(folder / "vault.desk.db"), "--workspaces", str(folder / "workspaces"))
    command = nymlink(
        "web", "--vault", f"unix:{vault}", "--project", PROJECT, *places, *options, with_fakes=True
    )
    environment = {**os.environ, "XDG_RUNTIME_DIR": "", "PYTHONPATH": str(_ROOT)}
    made = Service("", folder, Tokens(DeskStore.open(folder / "vault.desk.db")))
    with made.log.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603  our own command
            command, stdout=subprocess.PIPE, stderr=log, env=environment, cwd=folder
        )
    assert process.stdout is not None
    try:
        made.url, _, made.code = process.stdout.readline().decode().strip().partition("/#")
        ends_at = time.monotonic() + 180
        with made.client() as client:
            while client.get("/ready").status_code != 200:
                assert process.poll() is None, made.log.read_text()
                assert time.monotonic() < ends_at
                time.sleep(0.1)
        yield made
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def test_the_vault_is_killed_and_the_page_says_so(
    browser: Browser, tmp_path: Path, options: tuple[str, ...], folder: Path
) -> None:
    make_vault(tmp_path)
    Service("", tmp_path, Tokens(DeskStore.open(tmp_path / "vault.desk.db"))).give_roles(
        [(user_name(os.getuid()), Role.ANALYST)]
    )
    place = tmp_path / "socket" / "vault.sock"
    with (
        browser.new_context(locale="en-GB") as one,
        _vault_process(tmp_path, place) as vault,
        _web_over(tmp_path, place, *options) as service,
    ):
        page = one.new_page()
        _writing(page, service, folder)
        vault.send_signal(signal.SIGKILL)
        vault.wait(30)
        expect(page.get_by_role("main")).to_contain_text(
            re.compile("The vault cannot be used|The job failed"), timeout=JOB_SECONDS
        )
        place.unlink(missing_ok=True)
        with _vault_process(tmp_path, place):
            ends_at = time.monotonic() + 30
            page.reload()
            while page.locator("#files tr").count() != FILES:
                assert time.monotonic() < ends_at
                time.sleep(0.5)
                page.reload()
            write = page.locator("button:text-is('Write files')")
            fetch = page.get_by_text("Fetch all as a zip")
            expect(write.or_(fetch).first).to_be_visible(timeout=JOB_SECONDS)
            if not fetch.is_visible():
                write.click()
            _check(page)


def test_names_are_in_no_file_of_the_browser_or_of_temporary_files(
    browser: Browser, tmp_path: Path, options: tuple[str, ...], folder: Path
) -> None:
    profile = tmp_path / "profile"
    temporary = Path(tempfile.mkdtemp(prefix="n-"))  # a short path: Chromium makes a socket there
    with real_service(tmp_path, *options, with_fakes=True) as service:
        one = browser.browser_type.launch_persistent_context(
            profile, executable_path=chromium(), args=["--no-sandbox"], locale="en-GB",
            env={**os.environ, "TMPDIR": str(temporary)}, downloads_path=tmp_path / "fetched",
        )  # fmt: skip
        page = one.new_page()
        _writing(page, service, folder)
        expect(page.get_by_text("Fetch all as a zip")).to_be_visible(timeout=JOB_SECONDS)
        expect(page.locator("#files a:text-is('Look at it')")).to_have_count(0)  # nothing was analysed yet
        page.click("button:text-is('Analyse')")
        expect(page.locator("#announced")).to_contain_text("The files are analysed.", timeout=JOB_SECONDS)
        page.click("#files a:text-is('Look at it') >> nth=0")
        expect(page.locator("[data-view=before] [data-mention] >> nth=0")).to_contain_text(NAME)
        page.fill("#missed", NAME)
        page.goto(f"{service.url}/text")
        page.fill("#text", f"{NAME} belde.")
        page.click("button.main >> nth=0")
        page.wait_for_selector("[data-view=after]")
        page.goto(f"{service.url}/lookup")
        page.get_by_label("Name", exact=True).fill(NAME)
        page.get_by_label("Purpose", exact=True).fill("access request")
        page.get_by_role("main").get_by_role("button", name="Look up").click()
        expect(page.locator("#found")).to_contain_text("PERSOON-")
        page.go_back()
        time.sleep(1)  # what Chromium writes by and by
        one.close()
    looked_at = 0
    for place in (profile, temporary, tmp_path / "tmp", Path(service.folder / "vault.workspaces")):
        for file in place.rglob("*"):
            if not file.is_file():
                continue
            looked_at += 1
            raw = file.read_bytes().lower() + str(file.relative_to(place)).lower().encode()
            for word in NAME.lower().split():
                for written in (word.encode(), word.encode("utf-16-le")):
                    assert written not in raw, file
    assert looked_at > 20
    shutil.rmtree(temporary)
