"""Tokens of HTML and XML: the same as one expression finds that may search the rest of the text each time."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.formats.text.markup_tokens import _SHORT, Token, TokenKind, inner_range, tokens

# The expression that read pages before; only what opens a comment or CDATA is nothing else any more.
_SLOW = re.compile(
    r"(?P<text>[^<]+)"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<cdata><!\[CDATA\[.*?\]\]>)"
    r"|(?P<doctype><!(?!--|\[CDATA\[)(?:[^\[\]<>\"']++|\"[^\"]*\"|'[^']*'|\[.*?\]\s*(?=>))*+>)"
    r"|(?P<instruction><\?.*?>)"
    r"|</(?P<end>[^\s/>]+)[^>]*>"
    r"|<(?P<start>[A-Za-z_\u00c0-\U0010ffff][^\s/>]*)(?:\"[^\"]*\"|'[^']*'|[^'\">]++)*+>"
    r"|(?P<stray><)",
    re.DOTALL,
)
_KINDS = {
    "text": TokenKind.TEXT, "stray": TokenKind.TEXT, "comment": TokenKind.COMMENT, "cdata": TokenKind.CDATA,
    "start": TokenKind.START, "end": TokenKind.END,
}  # fmt: skip
_PIECES = [
    "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE", "<!", "[", "]", "<?xml", "<", ">", "</", "/>", "<a", "b ",
    "'", '"', " ", "x" * (_SHORT + 1), "naam", "=",
]  # fmt: skip


def _slowly(text: str) -> Iterator[Token]:
    for found in _SLOW.finditer(text):
        group = found.lastgroup or ""
        name = found[group] if group in {"start", "end"} else ""
        yield Token(
            _KINDS.get(group, TokenKind.OTHER),
            *found.span(),
            name,
            group == "start" and found[0].endswith("/>"),
        )


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_the_tokens_are_those_of_one_expression(text: str) -> None:
    def shortened(found: Token) -> Token:  # names of tags with quotes in them are cut elsewhere
        name = re.split("[\"']", found.name)[0][:200]
        return found._replace(name=name)

    assert [shortened(one) for one in tokens(text)] == [shortened(one) for one in _slowly(text)]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_tokens_are_the_whole_text(text: str) -> None:
    found = list(tokens(text))
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(before.end == after.start for before, after in pairwise(found))


@pytest.mark.parametrize("length", [10, 10 * _SHORT])
def test_long_tokens_are_tokens(length: int) -> None:
    long = "x" * length
    assert [one.kind for one in tokens(f'<a b="{long}>"/><!--{long}--><![CDATA[{long}]]></a {long}>')] == [
        TokenKind.START, TokenKind.COMMENT, TokenKind.CDATA, TokenKind.END,
    ]  # fmt: skip
    (token,) = tokens(f'<a b="{long}>"/>')
    assert token.is_empty
    comment = f"<!--{long}-->"
    (token,) = tokens(comment)
    assert comment[slice(*inner_range(token))] == long


def test_a_stretch_of_a_text_has_tokens_of_its_own() -> None:
    text = "<a><!-- <b> --></a>"
    assert [text[one.start : one.end] for one in tokens(text, 7, 12)] == [" ", "<b>", " "]
    assert [text[one.start : one.end] for one in tokens(text, 3, 10)] == ["<", "!-- ", "<", "b"]
