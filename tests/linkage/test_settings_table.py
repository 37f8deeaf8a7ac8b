"""A table of settings: types, ranges, unknown keys, and the words for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta

from linkage.errors import SettingsError
from linkage.settings_table import settings_of, typed_table, unknown_key


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Example:
    share: Annotated[Annotated[float, Meta(ge=0, le=1)] | None, Meta(description="a share")] = None
    count: Annotated[int, Meta(ge=1, description="a count")] = 2_000
    flag: Annotated[bool, Meta(description="a flag")] = True
    word: Annotated[str, Meta(description="a word")] = "nl"
    place: Annotated[Path | None, Meta(description="a file")] = None
    places: Annotated[tuple[Path, ...], Meta(description="files")] = ()
    colour: Annotated[Colour, Meta(description="a colour")] = Colour.RED
    colours: Annotated[Mapping[str, Colour], Meta(description="colours", extra={"keys": ("sky", "sea")})] = (
        field(default_factory=dict)
    )
    letters: Annotated[
        str, Meta(pattern="^[A-Z]{2}\\Z", title="2 capital letters", description="letters")
    ] = "AB"

    def __post_init__(self) -> None:
        if self.share == 1 and self.count == 1:
            raise SettingsError("share and count do not go together")


def _place(*keys: str) -> str:
    return "/".join(("s.toml", *keys))


def _read(values: object) -> Example:
    return typed_table(Example, values, name="[example]", place=_place, folder=Path("folder"))


def test_values_are_read_with_their_types() -> None:
    told = {
        "share": 1, "count": 3, "flag": False, "word": "de", "place": "a/b", "places": ["c", "/d"],
        "colour": "blue", "colours": {"sky": "blue"}, "letters": "XY",
    }  # fmt: skip
    assert _read(told) == Example(
        1.0, 3, False, "de", Path("folder/a/b"), (Path("folder/c"), Path("/d")), Colour.BLUE,
        {"sky": Colour.BLUE}, "XY",
    )  # fmt: skip
    assert _read({}) == Example()


def test_what_is_not_said_is_as_before() -> None:
    before = Example(count=7, word="fr")
    assert typed_table(Example, {"word": "de"}, name="x", base=before) == Example(count=7, word="de")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"share": "0.9"}, "s.toml/share: share must be a number from 0 to 1 (a setting of [example])"),
        ({"share": 1.5}, "s.toml/share: share must be a number from 0 to 1 (a setting of [example])"),
        ({"share": float("nan")}, "s.toml/share: share must be a number from 0 to 1"),
        ({"share": True}, "s.toml/share: share must be a number from 0 to 1"),
        ({"count": 0}, "s.toml/count: count must be a whole number, 1 or more"),
        ({"count": 2.0}, "s.toml/count: count must be a whole number, 1 or more"),
        ({"count": True}, "s.toml/count: count must be a whole number, 1 or more"),
        ({"flag": "true"}, "s.toml/flag: flag must be true or false"),
        ({"flag": 1}, "s.toml/flag: flag must be true or false"),
        ({"word": 3}, "s.toml/word: word must be a text"),
        ({"place": ["a"]}, "s.toml/place: place must be a path"),
        ({"places": "a"}, "s.toml/places: places must be a list of paths"),
        ({"places": [1]}, "s.toml/places: places must be a list of paths"),
        ({"colour": "green"}, "s.toml/colour: colour must be one of red, blue"),
        ({"colours": "red"}, "s.toml/colours: colours must be a table from sky, sea to one of red, blue"),
        ({"colours": {"sky": "green"}}, "s.toml/colours: colours.sky must be one of red, blue"),
        ({"colours": {"ski": "red"}}, "unknown key 'ski' of colours; did you mean 'sky'? known: sky, sea"),
        ({"letters": "ABC"}, "s.toml/letters: letters must be 2 capital letters"),
        ({"letters": "AB\n"}, "s.toml/letters: letters must be 2 capital letters"),
        ({"share": 1.0, "count": 1}, "s.toml: [example]: share and count do not go together"),
        (3, "s.toml: [example] must be a table of keys with values"),
        ([{}], "s.toml: [example] must be a table of keys with values"),
    ],
)
def test_a_wrong_value_is_said_with_place_and_range_and_never_shown(values: Any, message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        _read(values)
    assert message in str(raised.value)
    assert "green" not in str(raised.value)


def test_an_unknown_key_is_said_with_the_nearest_and_all_that_are_known() -> None:
    with pytest.raises(SettingsError) as raised:
        _read({"word": "x", "cuont": 1})
    assert str(raised.value).startswith(
        "s.toml/cuont: unknown setting 'cuont' of [example]; did you mean 'count'? known: share, count, "
    )
    far = unknown_key("zzz", {"share": 1}, kind="setting", of="[t]")
    assert far == "unknown setting 'zzz' of [t]; known: share"
    assert "did you mean 'share'" in unknown_key("Share", {"share": 1}, kind="setting", of="[t]")
    assert "did you mean 'two_words'" in unknown_key("two-words", {"two_words": 1}, kind="setting", of="[t]")


def test_a_key_that_may_be_a_name_is_not_shown() -> None:
    for key in ("Jan de Vries", "Jansen", "a" * 50):
        assert key not in unknown_key(key, {"share": 1}, kind="setting", of="[t]")


def test_every_key_is_described() -> None:
    assert [(s.key, s.kind, s.default, s.meaning) for s in settings_of(Example)] == [
        ("share", "a number from 0 to 1", "", "a share"),
        ("count", "a whole number, 1 or more", "2000", "a count"),
        ("flag", "true or false", "true", "a flag"),
        ("word", "a text", '"nl"', "a word"),
        ("place", "a path", "", "a file"),
        ("places", "a list of paths", "[]", "files"),
        ("colour", "one of red, blue", '"red"', "a colour"),
        ("colours", "a table from sky, sea to one of red, blue", "{}", "colours"),
        ("letters", "2 capital letters", '"AB"', "letters"),
    ]
