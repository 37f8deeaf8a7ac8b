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
        "ics", "Calendar (iCalendar)", ("ics", "ical", "ifb", "vcs"), ("text/calendar",),
        looks_like=Way("text.calendar:looks_like_calendar"), among=frozenset({"txt"}),
        parse=Way("text.calendar:parse"),
    ),
    Format(
        "vcf", "Business cards (vCard)", ("vcf", "vcard"), ("text/vcard", "text/x-vcard", "text/directory"),
        looks_like=Way("text.business_cards:looks_like_cards"), among=frozenset({"txt"}),
        parse=Way("text.business_cards:parse"),
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
    Format(
        "ipynb", "Notebook (Jupyter)", ("ipynb",), ("application/x-ipynb+json",), among=frozenset({"json"}),
        looks_like_among=Way("text.notebook:looks_like_notebook"), parse=Way("text.notebook:parse"),
    ),
    Format(
        "tex", "Typeset text (TeX)", ("tex", "ltx", "sty"), ("application/x-tex", "text/x-tex"),
        parse=Way("text.typeset:parse"),
    ),
    Format(
        "bib", "Literature (BibTeX)", ("bib",), ("application/x-bibtex",),
        parse=Way("text.typeset:parse_literature"),
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
        "md", "Markdown", ("md", "markdown", "mdx", "qmd", "rmd"), ("text/markdown",),
        parse=Way("text.markdown:parse"),
    ),
    Format(
        "yaml", "Settings (YAML, TOML, INI)",
        ("yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "env"),
        ("application/yaml", "text/yaml", "application/toml"), parse=Way("text.settings_text:parse"),
    ),
    Format(
        "log", "Log of a program", ("log",), parse=Way("text.log_lines:parse"), cut=Cut.PARAGRAPHS,
    ),
    Format(
        "txt", "Plain text", ("txt", "text"), parse=Way("text.plain:parse"), cut=Cut.PARAGRAPHS,
        shows_bytes=True,
    ),
)  # fmt: skip
