"""Texts: plain, marked up, and as data."""

from typing import Final

from pseudonymizer.formats.format import Cut, Format, Way

FORMATS: Final = (
    Format(
        "rtf", "Rich text", ("rtf",), ("application/rtf", "text/rtf"), heads=(b"{\\rtf",),
        parse=Way("text.rich_text:parse"),
        stamps=Way("text.rich_text_marks:stamps"), is_marked=Way("text.rich_text_marks:is_marked"),
    ),
    Format(
        "srt", "Subtitles", ("srt", "vtt"), ("text/vtt", "application/x-subrip"),
        looks_like=Way("text.subtitles:looks_like_subtitles"), among=frozenset({"txt"}),
        parse=Way("text.subtitles:parse"),
    ),
    Format(
        "html", "Web page", ("html", "htm", "xhtml"), looks_like=Way("text.heads:looks_like_html"),
        parse=Way("text.html:parse"),
        stamps=Way("text.page_marks:stamps"), is_marked=Way("text.page_marks:is_marked"),
    ),
    Format(
        "xml", "XML", ("xml",), ("text/xml", "application/xml"), looks_like=Way("text.heads:looks_like_xml"),
        parse=Way("text.xml:parse"),
    ),
    Format("json", "JSON", ("json",), ("application/json",), parse=Way("text.json_text:parse")),
    Format(
        "jsonl", "Lines of JSON", ("jsonl", "ndjson"), parse=Way("text.json_text:parse_lines"), cut=Cut.LINES
    ),
    Format(
        "whatsapp", "Exported chat (WhatsApp)", looks_like=Way("text.chat:looks_like_chat"),
        among=frozenset({"txt"}), parse=Way("text.chat:parse"),
    ),
    Format(
        "md", "Markdown", ("md", "markdown"), ("text/markdown",), parse=Way("text.plain:parse"),
        shows_bytes=True,
    ),
    Format(
        "txt", "Plain text", ("txt", "text"), parse=Way("text.plain:parse"), cut=Cut.PARAGRAPHS,
        shows_bytes=True,
    ),
)  # fmt: skip
