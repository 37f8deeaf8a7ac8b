"""Times of day as people write them: "14.30 uur", "half drie", "kwart voor 5", "2:30 p.m."."""

import re
from functools import cache
from typing import Final

from linkage.language.number_words import number_of_words
from linkage.language.pack import Language

_NUMBERS: Final = re.compile(
    r"(?P<hour>\d{1,2})(?:\s?[.:uh]\s?(?P<minute>\d\d)(?:[.:](?P<second>\d\d)(?:[.,]\d+)?)?)?(?P<rest>.*)",
    re.DOTALL,
)
_AFTERNOON: Final = re.compile(r"\s*p\.?\s?m")
_FORENOON: Final = re.compile(r"\s*a\.?\s?m")
_ZONE: Final = re.compile(r"(z|[+-]\d\d:?\d\d|utc(?:[+-]\d+)?|gmt(?:[+-]\d+)?|[a-z]{2,4})$")


def read_clock(text: str, language: Language) -> str | None:
    """The time as "14:30", with seconds and zone where text names them; None: it is no time."""
    lowered = _unit_in_front(language).sub("", " ".join(text.lower().split()))
    if (named := language.named_hours.get(lowered)) is not None:
        return named
    if (said := _said(lowered, language)) is not None:
        return said
    found = _NUMBERS.fullmatch(lowered)
    if found is None:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    rest = found["rest"]
    if _AFTERNOON.match(rest) and hour < 12:
        hour += 12
    elif _FORENOON.match(rest) and hour == 12:
        hour = 0
    if hour > 24 or minute > 59:
        return None
    normal = f"{hour:02d}:{minute:02d}{'' if found['second'] is None else ':' + found['second']}"
    bare = _clock_units(language).sub("", rest).strip()
    zone = _ZONE.fullmatch(bare) if not _AFTERNOON.match(rest) and not _FORENOON.match(rest) else None
    return normal + (zone[0].upper() if zone else "")


def _said(text: str, language: Language) -> str | None:
    """A time in words: an hour, and what goes before or comes after it."""
    parts = _parts(language).fullmatch(text)
    if parts is None:
        return None
    hour = _number(parts["hour"], language)
    if hour is None or hour > 24:
        return None
    minutes = 0
    if parts["shift"]:
        step = language.clock_steps.get(parts["shift"])
        if step is None:
            number = _number(parts["count"] or "", language)
            sign = language.clock_signs.get(parts["sign"] or "")
            if number is None or sign is None:
                return None
            step = sign * number
        minutes += step
    if parts["half"]:
        minutes -= 30
    if parts["minute"]:
        minutes += _number(parts["minute"], language) or 0
    whole = (hour * 60 + minutes) % (24 * 60)
    return f"{whole // 60:02d}:{whole % 60:02d}"


def _number(text: str, language: Language) -> int | None:
    if text.isdigit():
        return int(text)
    return number_of_words(text, language)


@cache
def _parts(language: Language) -> re.Pattern[str]:
    slots = language.slots
    steps = "|".join(sorted(map(re.escape, language.clock_steps), key=len, reverse=True)) or "(?!)"
    signs = "|".join(map(re.escape, language.clock_signs)) or "(?!)"
    numeral = slots["NUMERAL"]
    return re.compile(
        rf"(?:(?P<shift>{steps}|(?P<count>{numeral}|\d{{1,2}}) (?:{slots['CLOCK_MINUTES']} )?"
        rf"(?P<sign>{signs})) )?"
        rf"(?P<half>{slots['CLOCK_HALF']} )?(?P<hour>{numeral}|\d{{1,2}})"
        rf"(?: {slots['CLOCK_UNIT']}(?: (?P<minute>{numeral}))?)?"
    )


@cache
def _unit_in_front(language: Language) -> re.Pattern[str]:
    return re.compile(rf"^{language.slots['CLOCK_UNIT_FRONT']}\s?(?=\d)")


@cache
def _clock_units(language: Language) -> re.Pattern[str]:
    return re.compile(rf"^\s*{language.slots['CLOCK_UNIT']}(?![a-z])")
