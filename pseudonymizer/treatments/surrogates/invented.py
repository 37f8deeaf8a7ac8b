"""Candidates for surrogates of values, as the vault asks for them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final

from linkage.detection.patterns import folded
from linkage.detection.values import whole_value
from linkage.kinds import Fold, KindId, Kinds
from linkage.language import Language
from pseudonymizer.treatments.checks import Checks
from pseudonymizer.treatments.drawing import Draws
from pseudonymizer.treatments.surrogates import addresses
from pseudonymizer.treatments.surrogates.numbers import InventedNumbers
from pseudonymizer.treatments.surrogates.streets import InventedStreets
from pseudonymizer.treatments.surrogates.telephones import InventedTelephones
from pseudonymizer.treatments.treatment import TreatedValue
from pseudonymizer.values import Candidate, Value

_PURPOSE: Final = "surrogate"
_OFFERED: Final = 2  # candidates for one value at a time; the first one is nearly always free
_DRAWN: Final = 16  # draws for them: of some kinds only one in ten is read as its kind
_NUMBERS: Final = (
    "NATIONAL_ID", "BANK_ACCOUNT", "PAYMENT_CARD", "POSTCODE", "VEHICLE", "COMPANY_NUMBER", "CASE_NUMBER",
    "PATIENT_NUMBER", "PROFESSIONAL_LICENCE", "IDENTITY_DOCUMENT",
)  # fmt: skip
# Invents a text in place of a value from numbers that are drawn; None where it cannot.
Inventing = Callable[[TreatedValue, Iterator[int]], str | None]


class InventedValues:
    """Invents values: called with a value and the number of times that it was asked about before.

    spellings: each value as it was first met; a value that is not among them is written as its normal form.
    Equal values get equal candidates in a run, since they are drawn from its key. language: of the values
    whose text has none of its own.
    """

    def __init__(
        self,
        key: bytes,
        spellings: Mapping[Value, TreatedValue],
        language: str = "nl",
        kinds: Kinds | None = None,
    ) -> None:
        """Raises KindsError: there are no tables for the language."""
        self._key = key
        self._spellings = spellings
        self._language = language
        self._by_language = cache(partial(_inventing, kinds=Kinds.load() if kinds is None else kinds))
        self._inventing = self._by_language(language)

    def __call__(self, value: Value, attempt: int) -> Sequence[Candidate]:
        """Candidates for the surrogate of a value, none of them its own; none for kinds without surrogates.

        Those that are read as their kind where a cue stands, if there are any.
        """
        if value.kind not in self._inventing:
            return ()
        kind = KindId(value.kind)
        spelled = self._spellings.get(value, TreatedValue(kind, value.normal, value.normal))
        language = spelled.language or self._language
        inventing = self._by_language(language)[value.kind]
        draws = Draws(self._key, (_PURPOSE, value.kind, value.normal))
        told: dict[str, Candidate] = {}
        untold: dict[str, Candidate] = {}
        for number in range(attempt * _DRAWN, (attempt + 1) * _DRAWN):
            text = inventing(spelled, draws.numbers(number))
            if text is None or text == spelled.text:
                continue
            read = whole_value(kind, text, language)
            normal = folded(text.strip(), Fold.WORDS) if read is None else read.normal
            if normal != value.normal:
                (untold if read is None else told).setdefault(text, Candidate(text, normal))
            if len(told) == _OFFERED:
                break
        return tuple(told.values() or untold.values())

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that have surrogates."""
        return frozenset(self._inventing)


def _inventing(language: str, kinds: Kinds) -> Mapping[str, Inventing]:
    """The functions that invent values in a language, by kind."""
    words = Language.load(language)
    numbers = InventedNumbers(Checks(kinds, words)).text
    telephones = InventedTelephones().text
    return {
        **dict.fromkeys(_NUMBERS, numbers),
        "EMAIL": partial(addresses.email, language),
        "URL": addresses.url,
        "USERNAME": addresses.user_name,
        "IP_ADDRESS": addresses.ip_address,
        "DEVICE": partial(_device, numbers),
        "PHONE": telephones,
        "FAX": telephones,
        "STREET": InventedStreets(words).text,
    }


def _device(numbers: Inventing, value: TreatedValue, drawn: Iterator[int]) -> str | None:
    """An address of a network card, or another number or name of a device."""
    return addresses.mac(value, drawn) if addresses.is_mac(value.text) else numbers(value, drawn)
