"""What the lists say of folded words: how current a word is as a name, and whether two are one name."""

from collections.abc import Collection, Sequence

from linkage.clustering.misspelling import Currency
from linkage.comparison.sounds import dutch_spelling_key
from linkage.gazetteer import Gazetteer
from linkage.kept_words import KeptWords
from linkage.names.spelling import pet_stems
from linkage.names.words import WordReader
from linkage.records import Gender, fold

# A name is common from here up: bearers in the shipped counts, or log10 of occurrences per billion words.
# Chosen on pairs of full names of office-train: see docs/measurements/linkage.md.
_COMMON_BEARERS = 100
_COMMON_WRITTEN = 2.5
_MOSTLY_GIVEN = 0.9
_CALLED_KINDS = frozenset({"nickname", "diminutive"})
_COUNTED_PEOPLE = 1.1e7  # bearers of all given names in the shipped counts


class NameFacts:
    """Facts of a gazetteer; how current a word is, is looked up once."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self.gazetteer = gazetteer
        self._currencies: KeptWords[Currency] = KeptWords()

    def given_shares(self, parts: Sequence[str]) -> dict[str, float]:
        return {part: self.gazetteer.given_name_frequency(part) / _COUNTED_PEOPLE for part in parts}

    def currency(self, word: str) -> Currency:
        known = self._currencies.get(word)
        if known is None:
            listed = self.gazetteer.is_given_name(word) or self.gazetteer.is_surname(word)
            common = (
                self.gazetteer.given_name_frequency(word) >= _COMMON_BEARERS
                or self.gazetteer.zipf(word) >= _COMMON_WRITTEN
            )
            known = Currency.COMMON if listed and common else Currency(int(listed))
            self._currencies[word] = known
        return known

    def is_listed(self, word: str) -> bool:
        return self.currency(word) is not Currency.UNKNOWN

    def is_mostly_given(self, word: str) -> bool:
        """Whether hardly anybody has a word as a surname."""
        return WordReader(self.gazetteer).given_share(word) >= _MOSTLY_GIVEN

    def is_nickname(self, left: str, right: str) -> bool:
        """Whether the lists have two words as nickname, diminutive or short forms of one name."""
        kind = self.gazetteer.variant_kind(left, right)
        if kind is not None:
            return kind in _CALLED_KINDS
        return self.gazetteer.shared_full_forms(left, right) > 0

    def are_called(self, left: str, right: str) -> bool:
        """Whether the lists have one of two words as what bearers of the other are called."""
        return self.gazetteer.variant_kind(left, right) in _CALLED_KINDS

    def are_two_names(self, left: str, right: str) -> bool:
        """Whether two current given names are joined by no list, nor one made of the other: Wim and Willy."""
        return (
            self.currency(left) is Currency.COMMON
            and self.currency(right) is Currency.COMMON
            and self.gazetteer.variant_kind(left, right) is None
            and not _is_lengthened(left, right, self.gazetteer.language.grammar.name_endings)
        )

    def are_two_surnames(self, left: str, right: str) -> bool:
        """Whether both are current, and not two spellings of what sounds alike: Heijden and Heyden."""
        return self.currency(left) is self.currency(right) is Currency.COMMON and dutch_spelling_key(
            left
        ) != dutch_spelling_key(right)

    def is_womans_own(self, pet: str, name: str) -> bool:
        """Whether a diminutive of a man's name is a woman's: a common one, or no list has it as what he is
        called.
        """
        if len(pet) <= len(name) or name not in pet_stems(pet, self.gazetteer.language):
            return False
        if self.gazetteer.gender(pet) is not Gender.FEMALE or self.gazetteer.gender(name) is not Gender.MALE:
            return False
        bearers = self.gazetteer.given_name_frequency(pet)
        return bearers >= _COMMON_BEARERS or (bearers > 0 and self.gazetteer.variant_kind(pet, name) is None)

    def share_full_form_only(self, left: str, right: str) -> bool:
        """Whether two are two names by are_two_names, and both may be short for one: so they look alike."""
        return self.are_two_names(left, right) and self.gazetteer.shared_full_forms(left, right) > 0

    def variants(self, part: str) -> set[str]:
        """Folded variants that the lexicon knows of a folded given name, full forms among them."""
        return {fold(v.name) for v in self.gazetteer.variants(part)} | self.full_forms(part)

    def full_forms(self, part: str) -> set[str]:
        """Folded names that a folded given name may be short for."""
        return {fold(form) for form in self.gazetteer.full_forms(part)}


def _is_lengthened(left: str, right: str, endings: Collection[str]) -> bool:
    """Whether one name is the other with an ending: "Roos" and "Roosje", "Bert" and "Bertus"."""
    shorter, longer = sorted((left, right), key=len)
    return longer.startswith(shorter) and longer[len(shorter) :] in endings
