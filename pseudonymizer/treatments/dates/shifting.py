"""The secret number of days, and dates that are shifted by it."""

import hashlib
import hmac
from typing import Final

from pseudonymizer.treatments.dates.moments import stays_when_shifted
from pseudonymizer.treatments.dates.reading import DateReader
from pseudonymizer.treatments.dates.writing import DateWriter
from pseudonymizer.treatments.treatment import Outcome, Treatment

# The longest shift, in weeks: a year. A longer one hides no more from somebody who knows one date, and moves
# years in which laws, prices and treatments changed; a shorter one lets seasons be guessed.
LONGEST_SHIFT: Final = 52
_DAYS_OF_WEEK: Final = 7
_PURPOSE: Final = b"nymlink shift of dates, days"


def shift_days(key: bytes, *, whole_weeks: bool, subject: str = "") -> int:
    """The number of days from a project's key: never 0, at most LONGEST_SHIFT weeks back or forward.

    Each number is equally likely. whole_weeks: only multiples of seven, so that days of the week stay.
    subject: the id of the person whose number it is; "": that of the project.
    """
    purpose = b"\0".join((_PURPOSE, subject.encode())) if subject else _PURPOSE
    drawn = int.from_bytes(hmac.digest(key, purpose, hashlib.sha256), "big")
    step = _DAYS_OF_WEEK if whole_weeks else 1
    most = LONGEST_SHIFT * _DAYS_OF_WEEK // step
    number = drawn % (2 * most) - most  # from -most to most - 1; 256 bits leave no bias that can be seen
    return step * (number if number < 0 else number + 1)


def shifted(text: str, normal: str, days: int, reader: DateReader, writer: DateWriter) -> Outcome:
    """A date so many days later in its own spelling.

    It stays where it names a year, ten years or a day of the week alone. It becomes a code where its spelling
    cannot be read, where no calendar has it, and where it is a feast or a day without its month: beside
    shifted dates these would give the number of days away.
    """
    if stays_when_shifted(normal):
        return Outcome(Treatment.KEEP)
    spelling = reader.read(text, normal)
    if spelling is None:
        return Outcome(Treatment.CODE)
    try:
        moments = [moment.later(days) for moment in spelling.moments]
    except OverflowError:
        return Outcome(Treatment.CODE)
    written = writer.write(spelling, moments)
    return Outcome(Treatment.CODE) if written is None else Outcome(Treatment.SHIFT, written)
