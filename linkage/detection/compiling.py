"""Patterns of kinds, made ready to search: slots filled, expressions compiled, validators looked up."""

import re
from typing import Final

from linkage.detection.candidate import Validator
from linkage.detection.own_patterns import OwnPattern
from linkage.detection.validators import VALIDATORS
from linkage.errors import KindsError, SettingsError
from linkage.kinds import Pattern
from linkage.language import Language

_SLOT: Final = re.compile(r"\{([A-Z][A-Z_]+)\}")


def compiled_pattern(
    pattern: Pattern, language: Language, opening: str | None
) -> re.Pattern[str] | OwnPattern:
    """The pattern with its slots filled in a language, ready to search.

    opening: how an error about the user's kind opens that has the pattern; None: a shipped kind has it.

    Raises:
        KindsError, or SettingsError for a kind of the user's: it does not compile, or a slot is unknown.
    """

    def slot(found: re.Match[str]) -> str:
        try:
            return language.slots[found[1]]
        except KeyError:
            if opening is not None:
                known = ", ".join(sorted(language.slots))
                raise SettingsError(
                    f"{opening}: a pattern has the unknown slot {{{found[1]}}}; known: {known}"
                ) from None
            raise KindsError(f"pattern {pattern.id}: the language has no slot {found[1]}") from None

    filled = _SLOT.sub(slot, pattern.regex)
    if opening is not None:
        own = OwnPattern(filled, opening)
        own.refuse_wrong()
        return own
    try:
        return re.compile(filled)
    except re.error as error:
        raise KindsError(f"pattern {pattern.id} is no regular expression: {error}") from None


def validator_of(pattern: Pattern, opening: str | None) -> Validator | None:
    """The validator of a pattern; None where it names none. opening: as compiled_pattern takes it.

    Raises:
        KindsError, or SettingsError for a kind of the user's: there is no such validator.
    """
    if pattern.validator is None:
        return None
    try:
        return VALIDATORS[pattern.validator]
    except KeyError:
        if opening is not None:
            raise SettingsError(
                f"{opening}: the validator is unknown; known: {', '.join(sorted(VALIDATORS))}"
            ) from None
        raise KindsError(f"pattern {pattern.id} names the unknown validator {pattern.validator}") from None
