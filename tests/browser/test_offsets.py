"""Places in a page are those of Python, whatever stands in the text."""

import json
import random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from linkage.records import Span
from pseudonymizer.desk.reading import nested
from pseudonymizer.web.reading import Look, Shown, reading_view
from pseudonymizer.web.static_files import STATIC
from tests.browser.conftest import Visits
from tests.pseudonymizer.desk.test_view import page as view_of

LETTERS: Final = (
    "a", "b", " ", "\u00a0", "\t", "\r\n", "\r", "\n", "\u0301", "e\u0301", "\U0001f44d",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u05d0", "\u202e", "\x0c", "\x0b", "\u2028", "\u0085",
    "<b>", "&amp;", '"',
)  # fmt: skip
TEXTS: Final = {
    "emoji": "Jan \U0001f44d de Vries",
    "combining marks": "Andre\u0301 en Zoe\u0308",
    "CRLF": "Jan\r\nde Vries\r\n",
    "a first line feed": "\nfirst",
    "first line feeds": "\n\r\n\rfirst\n",
    "no-break space, tab, form feed": "a\u00a0b\tc\x0cd",
    "right to left": "\u05d0\u05d1 Jan \u202eabc",
    "NUL": "a\0b",
    "empty": "",
}
# For each place of the server's text: the place that the page finds for it, and the letter there.
_PROBE: Final = """async ([html, address]) => {
  const { placeOf, textOf, codePoints } = await import(address);
  const view = document.createElement("div");
  view.innerHTML = html;
  document.querySelector("main").replaceChildren(view);
  const found = [];
  for (const line of view.querySelectorAll(".line")) {
    const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const text = nodes.currentNode;
      let unit = 0;
      for (const letter of text.data) {
        found.push([placeOf(text, unit), letter]);
        unit += letter.length;
      }
    }
  }
  const mentions = [...view.querySelectorAll(".m[role=button]")].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [placeOf(range.startContainer, range.startOffset), one.textContent];
  });
  return { found, mentions, text: textOf(view), count: codePoints(textOf(view)) };
}"""


def _shown(text: str, seed: int) -> list[Shown]:
    drawn = random.Random(seed)  # noqa: S311  no secret
    pairs = [sorted(drawn.choices(range(len(text) + 1), k=2)) for _ in range(4)]
    spans = nested([Span(start, end) for start, end in pairs if start < end])
    return [Shown(span, f"k{n}", "PERSON", Look("P", 0, 0), "P1", "told") for n, span in enumerate(spans)]


def _compared(page: Page, text: str, seed: int) -> None:
    shown = _shown(text, seed)
    told: Any = page.evaluate(_PROBE, [reading_view(text, shown), STATIC.url("offsets.js")])
    safe = text.replace("\0", "\ufffd")
    assert told["text"] == safe, json.dumps(text)
    assert told["count"] == len(text)
    assert all(safe[place] == letter for place, letter in told["found"])
    assert [place for place, _ in told["found"]] == [n for n, sign in enumerate(safe) if sign not in "\r\n"]
    for place, words in told["mentions"]:
        assert safe[place : place + len(words)] == words


def test_places_of_what_shifts_them(visits: Visits) -> None:
    with visits.visitor() as one:
        page = one.open("/")
        for seed, text in enumerate(TEXTS.values()):
            _compared(page, text, seed)


def test_places_of_texts_by_chance(visits: Visits) -> None:
    drawn = random.Random(12)  # noqa: S311  no secret
    with visits.visitor() as one:
        page = one.open("/")
        for seed in range(60):
            _compared(page, "".join(drawn.choices(LETTERS, k=drawn.randint(1, 40))), seed)


@pytest.mark.parametrize(
    "text", ["Jan Tolsma belde.\r\nEls Douma \U0001f44d\u00a0belde.\r\n", "\nJan Tolsma\tbelde."]
)
def test_what_the_page_copies_is_what_was_written(visits: Visits, text: str) -> None:
    with visits.visitor(permissions=["clipboard-read", "clipboard-write"]) as one:
        page = one.open("/text")
        page.fill("#text", text)  # a box has line feeds alone
        page.click("button.main >> nth=0")
        page.wait_for_selector("[data-view=after]")
        told = page.evaluate(
            "async (address) => { const { textOf } = await import(address);"
            " const at = (name) => document.querySelector(`[data-view=${name}]`);"
            " return ['before', 'after'].map((name) => textOf(at(name))); }",
            STATIC.url("offsets.js"),
        )
        assert told[0] == text.replace("\r\n", "\n")
        page.click("[data-copy=after]")
        expect(page.locator("#written [data-copied]")).not_to_be_empty()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == told[1]
        assert "PERSOON-" in copied


def test_the_page_of_view_has_the_text_as_it_was_read(browser: Browser) -> None:
    text = "\n\nSanne de Boer \U0001f44d\r\nen Piet\u00a0Mulder\tbelden.\r"
    page = browser.new_page()
    page.set_content(view_of(text))
    shown = page.evaluate(
        "() => { const body = document.querySelector('section pre').cloneNode(true);"
        " for (const hint of body.querySelectorAll('mark > span, mark > i')) hint.remove();"
        " return body.textContent; }"
    )
    page.close()
    assert shown == text
