"""HTML of texts: what a parser reads of it is the text, whatever stands in it."""

from html.parser import HTMLParser

from hypothesis import given

from linkage.records import Span
from pseudonymizer.desk.drawing import drawn, first_line_feed, written
from pseudonymizer.desk.reading import parts_of
from tests.pseudonymizer.desk.test_reading import texts_with_stretches


class _Read(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.depth = "", 0
        self.feed(page)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag, attrs
        self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        del tag
        self.depth -= 1


@given(texts_with_stretches())
def test_the_text_of_the_html_is_the_text(given_text: tuple[str, tuple[Span, ...]]) -> None:
    text, stretches = given_text
    page = "".join(
        drawn(
            parts_of(text, stretches),
            lambda number, _: f"<b id={number}>",
            lambda number: f"</b>{number * ''}",
        )
    )
    assert "\r" not in page
    assert "\0" not in page
    read = _Read(page)
    assert read.text == text.replace("\0", "\ufffd")
    assert read.depth == 0


def test_tags_are_nested_and_say_whether_they_are_inside() -> None:
    parts = parts_of("j.douma@x.nl & co", [Span(2, 7), Span(0, 12)])
    page = "".join(drawn(parts, lambda number, inner: f"<{number}{inner:d}>", lambda number: f"</{number}>"))
    assert page == "<10>j.<01>douma</0>@x.nl</1> &amp; co"


def test_nothing_of_a_text_is_markup_and_no_line_feed_is_lost() -> None:
    assert written('<script>"&\r') == "&lt;script&gt;&quot;&amp;&#13;"
    assert (first_line_feed("\nfirst"), first_line_feed("first")) == ("\n", "")
