"""The reading view: one tab stop, looks that differ without colour, nothing of the text as markup."""

import re
from itertools import pairwise
from typing import Final

import pytest

from linkage.kinds import Kinds
from linkage.records import Span
from pseudonymizer.desk.reading import WINDOW
from pseudonymizer.errors import OverlappingReplacementsError
from pseudonymizer.web.reading import Look, Shown, reading_view
from pseudonymizer.web.static_files import STATIC

LOOK: Final = Look("P", 0, 0)


def shown(start: int, end: int, key: str = "p1") -> Shown:
    return Shown(Span(start, end), key, "PERSON", LOOK, "P1", 'told of "it" & <more>')


def test_mentions_are_buttons_with_one_tab_stop_wherever_the_first_of_the_list_stands() -> None:
    view = reading_view("Jan belde Els.\nJan kwam.", [shown(15, 18), shown(0, 3), shown(10, 13, "p2")])
    assert view.count("role=button") == 3
    assert re.findall(r"tabindex=(-?\d)", view) == ["0", "-1", "-1"]
    assert view.startswith('<div><div class=line data-start="0" data-ending="lf"><span')
    assert 'aria-label="told of &quot;it&quot; &amp; &lt;more&gt;"' in view


def test_a_mention_inside_another_and_one_that_goes_on_are_no_button_again() -> None:
    view = reading_view("j.douma@x.nl\r\nJan\r\nde Vries", [shown(0, 12), shown(2, 7), shown(14, 27)])
    assert view.count("role=button") == 2
    assert view.count('class="m h0 u0"') == 4
    assert view.count("data-tag=") == 2
    assert "\r" not in view
    assert "\n" not in view


def test_an_empty_line_is_as_high_as_any() -> None:
    assert reading_view("a\n\nb", []).count("<br>") == 1
    assert reading_view("", []) == '<div><div class=line data-start="0"><br></div></div>'


def test_a_long_text_is_laid_out_in_windows() -> None:
    assert reading_view("x" * WINDOW + "\ny", []).count("<div class=window>") == 2
    assert "window" not in reading_view("x\ny", [])


def test_what_crosses_is_refused() -> None:
    with pytest.raises(OverlappingReplacementsError):
        reading_view("abcdef", [shown(0, 3), shown(2, 5)])


def test_every_shipped_kind_has_a_look_of_its_own() -> None:
    looks = [Look.of(place, kind.letter) for place, kind in enumerate(Kinds.load().values())]
    assert len({(look.hue, look.pattern) for look in looks}) == len(looks)
    assert looks[0].letter == "P"
    for one, following in pairwise(looks):
        assert one.pattern != following.pattern
        assert one.hue != following.hue


def test_every_look_has_its_style() -> None:
    style = STATIC.by_name["pages.css"].content.decode()
    for place in range(60):
        for name in Look.of(place, "P").classes.split():
            assert f".{name} {{" in style, name
    assert all(f"style: {name}" in style for name in ("solid", "dashed", "dotted", "double", "wavy"))
