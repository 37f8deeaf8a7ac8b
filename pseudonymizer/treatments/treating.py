"""Treats values: one function for all treatments that write a text of their own."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from linkage.detection.validators.dates import LAST_SHORT_YEAR, LAST_SHORT_YEAR_OF_BIRTH
from linkage.kept_words import remembered
from linkage.kinds import KindId, Kinds
from linkage.language import Language
from pseudonymizer.treatments import masks
from pseudonymizer.treatments.ages import Bands
from pseudonymizer.treatments.amounts import Rounding
from pseudonymizer.treatments.checks import Checks
from pseudonymizer.treatments.dates.coarse import is_longer_than_a_month, is_years, month_of, year_of
from pseudonymizer.treatments.dates.reading import DateReader
from pseudonymizer.treatments.dates.shifting import shift_days, shifted
from pseudonymizer.treatments.dates.words import words_of_dates
from pseudonymizer.treatments.dates.writing import DateWriter
from pseudonymizer.treatments.post_codes import first_figures
from pseudonymizer.treatments.random_texts import RandomTexts
from pseudonymizer.treatments.treatment import (
    Outcome,
    TreatedValue,
    Treatment,
    TreatmentKeys,
    TreatmentOptions,
)

_MOST_KEPT: Final = 65_536  # outcomes in memory: a year of days in many spellings, some 20 megabytes
_MOST_PEOPLE: Final = 65_536  # numbers of days in memory: some 10 megabytes
# The time of day behind a date, from the sign between them on.
_CLOCK: Final = re.compile(r"(?<=\d)(?:[Tt]\d\d|,?\s{1,2}\d{1,2}[.:]\d\d).*", re.DOTALL)
_BIRTH_DATE: Final = KindId("BIRTH_DATE")


class Treating:
    """Treats the values of texts. languages: those of the texts, the one in which words are written first."""

    def __init__(
        self,
        options: TreatmentOptions,
        keys: TreatmentKeys,
        languages: Sequence[str] = ("nl",),
        kinds: Kinds | None = None,
    ) -> None:
        """Raises KindsError: there are no tables for a language."""
        self._options = options
        self._kinds = Kinds.load() if kinds is None else kinds
        self._code = languages[0]
        language = Language.load(self._code)
        words = words_of_dates(languages)
        self._words = words[0]
        self._reader = DateReader(language, words)
        self._writer = DateWriter(language, LAST_SHORT_YEAR)
        self._writer_of_births = DateWriter(language, LAST_SHORT_YEAR_OF_BIRTH)
        self._days = lru_cache(maxsize=_MOST_PEOPLE)(
            partial(shift_days, keys.shift, whole_weeks=options.whole_weeks)
        )
        self._random = RandomTexts(
            keys.drawing, Checks(self._kinds, language), is_valid=options.random_check == "valid"
        )
        self._bands = Bands(
            language, options.age_band, options.ages_together_over, only_over=options.bands == "over"
        )
        self._rounding = Rounding(language, options.round_figures)
        self._treatments: Mapping[Treatment, Callable[[TreatedValue], Outcome]] = {
            Treatment.MASK: self._masked,
            Treatment.CATEGORY: self._category,
            Treatment.RANDOM: self._randomized,
            Treatment.SHIFT: self._shifted,
            Treatment.MONTH: self._month,
            Treatment.YEAR: self._year,
            Treatment.BANDS: self._band,
            Treatment.FIRST_FIGURES: self._first_figures,
            Treatment.ROUND: self._rounded,
        }
        self._kept = remembered(_MOST_KEPT)(self._made)

    def treated(self, treatment: Treatment, value: TreatedValue) -> Outcome:
        """What becomes of a value: a text, or another treatment where this one cannot be done.

        A way back that cannot be kept by this treatment is kept by a code; what should have none is masked.
        """
        if treatment not in self._treatments:
            return Outcome(treatment)
        stamp = _CLOCK.search(value.text) if treatment is Treatment.SHIFT and "T" in value.normal else None
        if stamp is None:
            return self._kept(treatment, value)
        day = replace(value, text=value.text[: stamp.start()], normal=value.normal.partition("T")[0])
        outcome = self._kept(treatment, day)  # the days of stamps come again, stamps do not
        return outcome if outcome.text is None else replace(outcome, text=outcome.text + stamp[0])

    def _made(self, treatment: Treatment, value: TreatedValue) -> Outcome:
        return self._treatments[treatment](value)

    def _word(self, kind: KindId) -> str:
        return self._kinds[kind].word(self._code) if kind in self._kinds else kind

    def _masked(self, value: TreatedValue) -> Outcome:
        text = (
            masks.same_length(value.text)
            if self._options.mask == "same"
            else masks.in_brackets(self._word(value.kind))
        )
        return Outcome(Treatment.MASK, text)

    def _category(self, value: TreatedValue) -> Outcome:
        return Outcome(Treatment.CATEGORY, masks.in_brackets(self._word(value.kind)))

    def _randomized(self, value: TreatedValue) -> Outcome:
        text = self._random.text(value)
        return Outcome(Treatment.CODE) if text is None else Outcome(Treatment.RANDOM, text)

    def _shifted(self, value: TreatedValue) -> Outcome:
        writer = self._writer_of_births if value.kind == _BIRTH_DATE else self._writer
        days = self._days(subject=value.subject)
        return shifted(value.text, value.normal, days, self._reader, writer)

    def _month(self, value: TreatedValue) -> Outcome:
        if is_longer_than_a_month(value.normal, self._words):
            return Outcome(Treatment.KEEP)
        return self._coarser(Treatment.MONTH, value, month_of(value.normal, self._words))

    def _year(self, value: TreatedValue) -> Outcome:
        if is_years(value.normal):
            return Outcome(Treatment.KEEP)
        return self._coarser(Treatment.YEAR, value, year_of(value.normal, self._words))

    def _band(self, value: TreatedValue) -> Outcome:
        if self._bands.stays(value.text, value.normal):
            return Outcome(Treatment.KEEP)
        return self._coarser(Treatment.BANDS, value, self._bands.text(value.text, value.normal))

    def _first_figures(self, value: TreatedValue) -> Outcome:
        text = first_figures(value.text, value.country, self._options.post_figures)
        return self._coarser(Treatment.FIRST_FIGURES, value, text)

    def _rounded(self, value: TreatedValue) -> Outcome:
        return self._coarser(Treatment.ROUND, value, self._rounding.text(value.text))

    def _coarser(self, treatment: Treatment, value: TreatedValue, text: str | None) -> Outcome:
        """What says less than the value; a mask, which has no way back either, where nothing can be said."""
        return self._masked(value) if text is None else Outcome(treatment, text)


class TreatingByLanguage:
    """Treats the values of texts in several languages, each in the language of its text."""

    def __init__(
        self, options: TreatmentOptions, keys: TreatmentKeys, usual: str, kinds: Kinds | None = None
    ) -> None:
        """usual: ISO 639-1 code of the texts that have no language of their own."""
        self._options, self._keys, self._usual, self._kinds = options, keys, usual, kinds
        self._treating: dict[str, Treating] = {}

    def treated(self, treatment: Treatment, value: TreatedValue) -> Outcome:
        """The outcome of a treatment for a value, in the language of its text.

        Raises:
            KindsError: there are no tables for the language of the value.
        """
        code = value.language or self._usual
        if code not in self._treating:
            self._treating[code] = Treating(self._options, self._keys, (code,), self._kinds)
        return self._treating[code].treated(treatment, value)
