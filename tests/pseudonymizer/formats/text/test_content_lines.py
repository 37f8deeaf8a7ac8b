"""Lines of names, parameters and values: folds, quotes and escapes."""

from pseudonymizer.formats.text.content_lines import add_value, content_lines, in_parameter
from pseudonymizer.formats.tree.textmap import TextBuilder


def test_a_line_goes_on_after_a_blank() -> None:
    text = 'A;X="a;b:c";Y=d:e\r\n f\nB:g\n\nno line\nC;T=1\n'
    lines = list(content_lines(text, 0, len(text)))
    assert [(line.name, [one.name for one in line.parameters]) for line in lines] == [
        ("A", ["X", "Y"]), ("B", []),
    ]  # fmt: skip
    assert lines[0].parameters[0].value == "a;b:c"
    builder = TextBuilder()
    add_value(builder, 0, text, lines[0])
    assert builder.text == "ef"


def test_escapes_are_what_they_mean() -> None:
    text = "A:a\\,b\\;c\\nd\\\\e"
    builder = TextBuilder()
    add_value(builder, 0, text, next(content_lines(text, 0, len(text))))
    assert builder.text == "a,b;c\nd\\e"


def test_quoted_printable_goes_on_after_a_sign_of_equality() -> None:
    text = "N;ENCODING=QUOTED-PRINTABLE:Zo=C3=\r\n=AB=\r\n x\r\nB:y\r\n"
    lines = list(content_lines(text, 0, len(text)))
    assert [line.name for line in lines] == ["N", "B"]
    assert lines[0].is_quoted_printable
    assert not lines[1].is_quoted_printable


def test_a_label_ends_no_parameter() -> None:
    assert in_parameter('a";b:c,\r\nd') == "a  b c   d"
