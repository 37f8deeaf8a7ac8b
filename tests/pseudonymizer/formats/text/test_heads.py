"""Pages and XML without a suffix are told by their head."""

from pseudonymizer.formats.text.heads import looks_like_html, looks_like_xml


def test_pages_and_xml() -> None:
    assert looks_like_html(b"\xef\xbb\xbf\n<!DOCTYPE html><p>")
    assert looks_like_html(b"<?xml version='1.0'?><html>")
    assert not looks_like_html(b"Tekst <html>")
    assert looks_like_xml(b" <?xml version='1.0'?><a/>")
    assert not looks_like_xml(b"<a/>")
