"""The page to look at: complete, escaped, of itself alone."""

import re
from html.parser import HTMLParser

from linkage.records import Document, DocumentId
from pseudonymizer.runs.view import ViewedText, view_page
from tests.pseudonymizer.batch_fakes import FakePipeline

TEXT = 'Sanne de Boer <script>alert(1)</script> en Piet Mulder.\nPiet Mulder & "Sanne de Boer" bleven.'


def page(*texts: str, title: str = "brief.txt") -> str:
    pipeline = FakePipeline()
    documents = [Document(DocumentId(f"d{number}"), text) for number, text in enumerate(texts)]
    result = pipeline.linker.link(pipeline.normalize(documents, pipeline.detect(documents)))
    return "".join(
        view_page(
            [ViewedText(title, document.text, result.mentions_in(document)) for document in documents], result
        )
    )


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs


def test_nothing_of_the_text_becomes_markup() -> None:
    tags = Tags(page(TEXT, title="<img src=x onerror=alert(1)>"))
    assert not {"script", "img", "link", "iframe"} & set(tags.names)
    assert not [name for name, _ in tags.attributes if name.startswith("on") or name in ("src", "href")]


def test_mentions_of_one_person_have_one_colour_and_can_be_reached_by_key() -> None:
    shown = page(TEXT)
    marks = re.findall(r"<mark tabindex=0 style=\"background:(hsl[^\"]+)\">([^<]+)<span>", shown)
    colours = {name: {c for c, n in marks if n == name} for _, name in marks}
    assert [name for _, name in marks] == ["Sanne de Boer", "Piet Mulder", "Piet Mulder", "Sanne de Boer"]
    assert all(len(found) == 1 for found in colours.values())
    assert colours["Sanne de Boer"] != colours["Piet Mulder"]


def test_the_page_says_what_it_holds() -> None:
    shown = page(TEXT, TEXT)
    assert "personal data" in shown
    assert "2 texts, 8 mentions, 2 identities, 0 open links" in shown
    assert "default-src 'none'" in shown.replace("&#x27;", "'")
