"""Subtitles: who speaks is a name, sentences go on over cues; times, numbers and ids stay."""

from pseudonymizer import formats
from pseudonymizer.formats.text.subtitles import looks_like_subtitles
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Bouke Hoekema"
VTT = (
    b"WEBVTT\n\nNOTE gemaakt\n\n7d1f/12-0\n00:00:01.000 --> 00:00:04.000 align:start\n"
    b"<v Bouke Hoekema>Goedemorgen, <i>welkom</i>.</v>\n\n"
    b"7d1f/13-0\n00:00:04.000 --> 00:00:05.000\n<v Bouke Hoekema>Hier is Bouke</v>\n\n"
    b"00:05.000 --> 00:07.000\nHoekema &amp; co.\n"
)
SRT = (
    b"1\r\n00:00:01,000 --> 00:00:04,000\r\n{\\an8}BOUKE: Ik zag Bouke\r\nHoekema\r\n\r\n"
    b"2\r\n00:00:04,000 --> 00:00:06,000\r\n12\r\n"
)


def test_a_sentence_goes_on_in_the_next_subtitle() -> None:
    part = formats.read(VTT, name="x.vtt").parts[0]
    assert part.text.startswith("Bouke Hoekema: Goedemorgen, welkom.\nHier is Bouke Hoekema & co.")
    assert [span.cut(part.text) for span in part.names] == [NAME, NAME]
    assert "Ik zag Bouke\r\nHoekema" in formats.read(SRT, name="x.srt").parts[0].text


def test_names_go_and_times_stay() -> None:
    parsed, rendered = rewrite(VTT, "x.vtt", [NAME])
    text = rendered.raw.decode()
    assert "Hoekema" not in text
    assert f"<v {LABEL}>Goedemorgen" in text
    assert "7d1f/13-0\n00:00:04.000 --> 00:00:05.000\n" in text
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == VTT


def test_numbers_and_ids_are_no_speech() -> None:
    text = formats.read(VTT, name="x.vtt").parts[0].text
    assert "WEBVTT" not in text
    assert "7d1f" not in text
    assert "12" in formats.read(SRT, name="x.srt").parts[0].text  # somebody says it


def test_the_head_tells_subtitles() -> None:
    assert looks_like_subtitles(SRT)
    assert formats.format_of(SRT, "txt") == "srt"
    assert not looks_like_subtitles(b"1\nHallo")


def test_what_stands_in_brackets_and_is_no_mark_is_read() -> None:
    raw = (
        b"1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<Jan Tolsma komt binnen> {\\ Els Mol zwaait}\n"
        b"<i>Bas</i> <font color=red>Terpstra</font> <00:00:01.500><c.geel>knikt</c>\n"
    )
    (part,) = formats.read(raw, name="x.srt").parts[:1]
    assert "Jan Tolsma komt binnen" in part.text
    assert "Els Mol zwaait" in part.text
    assert "Bas Terpstra knikt" in part.text
    assert "an8" not in part.text


def test_only_marks_of_looks_are_left_out() -> None:
    cue = b'<b>Sanne</b> <font color="#ff0000">Vos</font> <b belde Jan Tolsma> <c.geel>x</c>'
    text = formats.read(b"1\n00:00:01,000 --> 00:00:02,000\n" + cue + b"\n", name="x.srt").parts[0].text
    assert "Sanne Vos" in text
    assert "belde Jan Tolsma" in text
    assert "color" not in text
    assert "geel" not in text
