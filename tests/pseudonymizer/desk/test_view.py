"""The page to look at: complete, escaped, of itself alone; names by person, values by kind."""

import re
from html import unescape
from html.parser import HTMLParser

from linkage.detection import value_mentions
from linkage.detection.finder import shipped_finder
from linkage.records import Document, DocumentId, KindId
from pseudonymizer.desk.view import SeenValue, ViewedKinds, ViewedText, view_page
from pseudonymizer.preview import Preview
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import FakePipeline

TEXT = 'Sanne de Boer <script>alert(1)</script> en Piet Mulder.\nPiet Mulder & "Sanne de Boer" bleven.'


VALUES = (
    "Els Douma (geboren 12-03-1951) mailt els.douma@ziggo.nl & <b>belt 06-12345678</b> over € 1.250,00, "
    "op 5 augustus 2024. Haar dossier: HDN-24-00718."
)


def page(*texts: str, title: str = "brief.txt", plan: Plan | None = None) -> str:
    pipeline = FakePipeline()
    documents = [Document(DocumentId(f"d{number}"), text) for number, text in enumerate(texts)]
    found = pipeline.detect_kinds(documents)
    result = pipeline.linker.link(pipeline.normalize(documents, found))
    preview = Preview(StyleSettings(), plan or Plan.made("direct", style=Style.CODE), result, language="nl")
    values = [
        value_mentions(document, persons=[one.span for one in persons], finder=shipped_finder())
        for document, persons in zip(documents, found, strict=True)
    ]
    shown = [
        ViewedText(
            title, document.text,
            [one.mention for one in result.mentions if one.mention.doc_id == document.doc_id],
            [SeenValue(value, preview.value(value)) for value in own],
        )
        for document, own in zip(documents, values, strict=True)
    ]  # fmt: skip
    persons = [one for mentions in found for one in mentions]
    kinds = preview.by_kind(persons, [value for own in values for value in own])
    return "".join(view_page(shown, result, ViewedKinds(preview.person(), kinds)))


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
    assert "2 texts, 8 mentions, 2 identities, 0 open links, 2 values of other kinds" in shown
    assert "default-src 'none'" in shown.replace("&#x27;", "'")


def marked(shown: str) -> dict[str, list[str]]:
    """By marked text, the lines of its hint. A name inside a value counts as part of the value."""
    plain = re.sub(
        r"<mark tabindex=0 style=[^>]*>([^<]+)<span>[^<]*</span>(?:<i>[^<]*</i>)?</mark>", r"\1", shown
    )
    found = re.findall(r"<mark class=value tabindex=0 style=[^>]*>([^<]+)<span>([^<]*)</span>", plain)
    return {text: hint.split("\n") for text, hint in found}


def test_each_value_says_what_a_run_would_write_and_what_stays() -> None:
    told = marked(page(VALUES))
    assert {text: lines[-1] for text, lines in told.items()} == {
        "12-03-1951": "would be written as GEBOORTEDATUM-\u2026 (code)",
        "els.douma@ziggo.nl": "would be written as the label of identity 1 (follow)",
        "06-12345678": "would be written as TELEFOON-\u2026 (code)",
        "\u20ac 1.250,00": "stays as it is",
        "5 augustus 2024": "stays as it is",
        "HDN-24-00718": "would be written as NUMMER-\u2026 (code)",
    }
    assert told["06-12345678"][0].startswith("PHONE, found by pattern")


def test_treated_texts_are_shown_as_they_would_be_written() -> None:
    kinds = {
        "DATE": Treatment.MONTH, "BIRTH_DATE": Treatment.SHIFT, "PHONE": Treatment.RANDOM,
        "MONEY": Treatment.ROUND, "CASE_NUMBER": Treatment.MASK, "PERSON": Treatment.SURROGATE,
    }  # fmt: skip
    shown = page(VALUES, plan=Plan.made("direct", {KindId(kind): what for kind, what in kinds.items()}))
    told = {text: lines[-1] for text, lines in marked(shown).items()}
    assert told["5 augustus 2024"] == "would be written as augustus 2024 (month)"
    assert told["12-03-1951"] == "would be written as another date (shift)"
    assert told["06-12345678"] == "would be written as random letters and figures (random)"
    assert told["\u20ac 1.250,00"] == "would be written as \u20ac 1.000 (round)"
    assert told["HDN-24-00718"] == "would be written as ############ (mask)"
    assert "would be written as an invented one (surrogate)" in shown


def test_a_kind_has_one_colour_in_the_legend_and_in_the_text() -> None:
    shown = page(VALUES, VALUES)
    painted = re.findall(r'<mark class=value(?: tabindex=0)? style="([^"]*)">', shown)
    legend = re.findall(
        r'<tr><td><mark class=value style="([^"]*)">(\w+)</mark><td>(\w+)<td>(\d+)<td>(\d+)', shown
    )
    assert {kind: (treatment, found, left) for _, kind, treatment, found, left in legend} == {
        "BIRTH_DATE": ("code", "2", "0"), "DATE": ("keep", "2", "2"), "EMAIL": ("follow", "2", "0"),
        "PHONE": ("code", "2", "0"), "CASE_NUMBER": ("code", "2", "0"), "MONEY": ("keep", "2", "2"),
    }  # fmt: skip
    assert len({colour for colour, *_ in legend}) == len(legend) == 6
    assert all(painted.count(colour) == 3 for colour, *_ in legend)


def test_the_text_of_the_page_is_the_text_as_read() -> None:
    shown = page(VALUES)
    body = re.sub(r"<span>[^<]*</span>|<i>[^<]*</i>", "", shown.partition("<pre>")[2].partition("</pre>")[0])
    assert unescape(re.sub(r"</?mark[^>]*>", "", body)) == VALUES
    tags = Tags(shown)
    assert not {"script", "img", "link", "iframe", "b"} & set(tags.names)
    assert tags.names.count("mark") == body.count("</mark>") + 6  # the legend has the six kinds, too


def test_line_feeds_at_the_head_and_carriage_returns_keep_their_places() -> None:
    text = "\n\nSanne de Boer\r\nbelde.\r"
    body = page(text).partition("<pre>")[2].partition("</pre>")[0]
    assert "\r" not in body
    plain = re.sub(r"<span>[^<]*</span>|<i>[^<]*</i>|</?mark[^>]*>", "", body)
    assert plain.startswith("\n\n\n")  # a parser drops the first one
    assert plain.removeprefix("\n").replace("&#13;", "\r") == text
