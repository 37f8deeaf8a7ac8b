"""By what pages and XML are told, where no suffix tells."""

_BLANK = b"\xef\xbb\xbf \t\r\n"
_HEAD = 512  # bytes in which the first element stands


def _begin(raw: bytes) -> bytes:
    return raw[:4096].lstrip(_BLANK)[:_HEAD].lower()


def looks_like_html(raw: bytes) -> bool:
    """Whether a text begins as a page does, also one with the declaration of XML before it."""
    begin = _begin(raw)
    return begin.startswith((b"<!doctype html", b"<html")) or (
        begin.startswith(b"<?xml") and b"<html" in begin
    )


def looks_like_xml(raw: bytes) -> bool:
    """Whether a text begins with the declaration of XML."""
    return _begin(raw).startswith(b"<?xml")
