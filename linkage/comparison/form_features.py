"""Features of two whole forms: initials, particles, suffixes, and which parts they have; float32.

NaN where a part is missing. All are symmetric: the order of the two names never matters.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz

from linkage.comparison.forms import FormTable
from linkage.comparison.words import NAN, Floats, Integers, chosen, similarity

_SAME_OPENING = np.float32(0.6)


@dataclass(frozen=True, slots=True)
class FormPairs:
    """Pairs of forms as row numbers, with how well their words were matched.

    given_matched, surnames_matched: share of the words of the form with fewer that meet an alike word.
    """

    forms: FormTable
    left: Integers
    right: Integers
    given_matched: Floats
    surnames_matched: Floats


FormFeature = Callable[[FormPairs], Floats]


def given_matched(pairs: FormPairs) -> Floats:
    return pairs.given_matched


def surnames_matched(pairs: FormPairs) -> Floats:
    return pairs.surnames_matched


def surname_counts(pairs: FormPairs) -> Floats:
    """How many surnames both forms have together: 2, 3 or 4; NaN if one has none."""
    forms = pairs.forms
    counts = forms.has_surname.astype(np.float32) + forms.has_partner
    both = forms.has_surname[pairs.left] & forms.has_surname[pairs.right]
    return chosen(both, counts[pairs.left] + counts[pairs.right], NAN)


def initials_first(pairs: FormPairs) -> Floats:
    """Whether the first initials, written or of the given names, are the same; NaN if one has none."""
    left, right = pairs.forms.initials[pairs.left, 0], pairs.forms.initials[pairs.right, 0]
    return chosen((left > 0) & (right > 0), (left == right).astype(np.float32), NAN)


def initials_agree(pairs: FormPairs) -> Floats:
    """Share of the places both rows of initials fill that hold one letter; NaN if one has none."""
    left, right = pairs.forms.initials[pairs.left], pairs.forms.initials[pairs.right]
    both = (left > 0) & (right > 0)
    filled = both.sum(axis=1).astype(np.float32)
    same = ((left == right) & both).sum(axis=1).astype(np.float32)
    return chosen(filled > 0, same / np.maximum(filled, np.float32(1)), NAN)


def initials_any(pairs: FormPairs) -> Floats:
    """Whether any initial of one is an initial of the other: a call name may be the second given name."""
    left, right = pairs.forms.initials[pairs.left], pairs.forms.initials[pairs.right]
    found = ((left[:, :, None] == right[:, None, :]) & (left[:, :, None] > 0)).any(axis=(1, 2))
    return chosen((left[:, 0] > 0) & (right[:, 0] > 0), found.astype(np.float32), NAN)


def initials_filled(pairs: FormPairs) -> Floats:
    """How many places both rows of initials fill; NaN if one has none."""
    filled = ((pairs.forms.initials[pairs.left] > 0) & (pairs.forms.initials[pairs.right] > 0)).sum(axis=1)
    return chosen(filled > 0, filled.astype(np.float32), NAN)


def initials_only(pairs: FormPairs) -> Floats:
    """How many of the two have initials and no given name: 0, 1 or 2; NaN if one has neither."""
    forms = pairs.forms
    only = (~forms.has_given & forms.has_initials).astype(np.float32)
    has = forms.has_given | forms.has_initials
    return chosen(has[pairs.left] & has[pairs.right], only[pairs.left] + only[pairs.right], NAN)


def abbreviation(pairs: FormPairs) -> Floats:
    """Whether "Th." or "Joh." opens the other's given name; NaN if neither is shortened so."""
    forms = pairs.forms
    value = np.full(len(pairs.left), NAN, dtype=np.float32)
    for short, full in ((pairs.left, pairs.right), (pairs.right, pairs.left)):
        codes, letters = forms.abbreviation[short], forms.first_given_letters[full]
        asked = (codes[:, 0] > 0) & (letters[:, 0] > 0)
        if asked.any():
            fits = ((codes == letters) | (codes == 0)).all(axis=1).astype(np.float32)
            value = chosen(asked, np.fmax(value, fits), value)
    return value


def particle(pairs: FormPairs) -> Floats:
    """1 same particle, 0.6 same first word ("van de", "van der"), 0 other, 0.3 one has none, NaN both."""
    forms = pairs.forms
    left, right = forms.particle[pairs.left], forms.particle[pairs.right]
    opening = forms.particle_opening[pairs.left] == forms.particle_opening[pairs.right]
    value = chosen(left == right, np.float32(1), chosen(opening, _SAME_OPENING, np.float32(0)))
    value = chosen((left == 0) ^ (right == 0), np.float32(0.3), value)
    both_have_surname = forms.has_surname[pairs.left] & forms.has_surname[pairs.right]
    return chosen(both_have_surname & ((left > 0) | (right > 0)), value, NAN)


def generation(pairs: FormPairs) -> Floats:
    """1 same suffix ("jr."), 0 other, 0.5 one has none; NaN if both none."""
    left, right = pairs.forms.suffix[pairs.left], pairs.forms.suffix[pairs.right]
    value = chosen(
        left == right, np.float32(1), np.where((left > 0) & (right > 0), np.float32(0), np.float32(0.5))
    )
    return chosen((left > 0) | (right > 0), value, NAN)


def shared_parts(pairs: FormPairs) -> Floats:
    """Which parts both have: 1 forename or initials, 2 surname, 3 both, 0 none."""
    forms = pairs.forms
    forename = forms.has_given | forms.has_initials
    both_forename = (forename[pairs.left] & forename[pairs.right]).astype(np.float32)
    both_surname = (forms.has_surname[pairs.left] & forms.has_surname[pairs.right]).astype(np.float32)
    return np.asarray(both_forename + 2 * both_surname, dtype=np.float32)


def words_sorted(pairs: FormPairs) -> Floats:
    """Similarity of all words in alphabetical order: names turned round, given name read as surname."""
    keys = pairs.forms.sorted_words
    return similarity(keys, pairs.left, pairs.right, fuzz.ratio) / np.float32(100)


FORM_FEATURES: Mapping[str, FormFeature] = {
    "given_matched": given_matched, "surnames_matched": surnames_matched, "surname_counts": surname_counts,
    "initials_first": initials_first, "initials_agree": initials_agree, "initials_any": initials_any,
    "initials_filled": initials_filled, "initials_only": initials_only, "abbreviation": abbreviation,
    "particle": particle, "generation": generation, "shared_parts": shared_parts,
    "words_sorted": words_sorted,
}  # fmt: skip
