"""The page of `nymlink view` in a real browser, without network: what is shown, that nothing runs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pseudonymizer.desk.test_view import VALUES
from tests.pseudonymizer.desk.test_view import page as view_of

pytestmark = pytest.mark.browser

_TEXT = 'Sanne de Boer <script>document.title="ran"</script> en Piet Mulder.\nPiet Mulder & Els Tolsma.'
# Tells in the title of the page what a person sees: the hint of the last name, its place within the page.
_PROBE = """<script>
const mark=[...document.querySelectorAll('mark')].at(-1);mark.focus();
const hint=mark.querySelector("span"),box=hint.getBoundingClientRect(),at=mark.getBoundingClientRect();
const above=document.elementFromPoint(box.left+box.width/2,box.top+box.height/2);
document.title=JSON.stringify([getComputedStyle(hint).display,box.left>=0&&box.right<=innerWidth,
 box.top>=at.bottom-4,hint.contains(above)]);</script>"""


@pytest.fixture(scope="module")
def browser() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if (found := shutil.which(name)) is not None:
            return found
    pytest.skip("no chromium: apt-get install chromium")


def page() -> str:
    return view_of(_TEXT, _TEXT)


def in_browser(browser: str, folder: Path, content: str, *options: str) -> str:
    """The page as the browser has it after loading."""
    (folder / "page.html").write_text(content, encoding="utf-8")
    done = subprocess.run(  # noqa: S603  the browser found above
        [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--window-size=900,700", f"--user-data-dir={folder / 'profile'}", *options,
            (folder / "page.html").as_uri(),
        ],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout


def test_all_names_are_shown_and_nothing_of_the_text_runs(browser: str, tmp_path: Path) -> None:
    shown = in_browser(browser, tmp_path, page(), "--dump-dom")
    assert "<title>nymlink view</title>" in shown
    assert shown.count("<mark ") == 8
    assert "<script" not in shown
    assert "personal data" in shown


def test_a_picture_of_the_page_can_be_made(browser: str, tmp_path: Path) -> None:
    in_browser(browser, tmp_path, page(), f"--screenshot={tmp_path / 'page.png'}")
    picture = (tmp_path / "page.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 10_000  # an empty page of this size packs to about 4,000 bytes


def test_the_hint_of_the_last_name_is_whole_and_on_top(browser: str, tmp_path: Path) -> None:
    """The probe is a script, so the rule that forbids scripts is taken out for this test."""
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page())
    shown = in_browser(browser, tmp_path, free.replace("</body>", f"{_PROBE}</body>"), "--dump-dom")
    assert '<title>["block",true,true,true]</title>' in shown


def test_the_rule_of_the_page_forbids_scripts(browser: str, tmp_path: Path) -> None:
    shown = in_browser(browser, tmp_path, page().replace("</body>", f"{_PROBE}</body>"), "--dump-dom")
    assert "<title>nymlink view</title>" in shown


def test_what_a_run_would_write_is_shown_where_it_is_asked_for(browser: str, tmp_path: Path) -> None:
    """The box is ticked in the page itself, since nobody points at anything in a browser without a screen."""
    shown = view_of(VALUES)
    assert "<input type=checkbox id=written>" in shown
    pictures = []
    for number, content in enumerate((shown, shown.replace("id=written>", "id=written checked>"))):
        place = tmp_path / f"{number}.png"
        in_browser(browser, tmp_path, content, f"--screenshot={place}")
        pictures.append(place.read_bytes())
    assert pictures[0] != pictures[1]
