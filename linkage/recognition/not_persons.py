"""Names that are no person's: organisations, streets, schools, places, diseases, laws, products, months."""

from collections.abc import Sequence

from linkage.gazetteer import Gazetteer, lookup_key
from linkage.language import ParticleUse
from linkage.pieces import Gap
from linkage.recognition.name_grammar import Unit, UnitKind
from linkage.recognition.name_tokens import Case, Token

_HYPHENS = frozenset("-‐‑")


class NotPersons:
    """Tells from the words of a name and its neighbours that it is no person's."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._before = gazetteer.marked("before_organisation") | gazetteer.marked("before_work")
        self._before_place = gazetteer.marked("before_place")
        self._place_starts = gazetteer.marked("starts_place")
        self._after = gazetteer.marked("after_organisation") | gazetteer.marked("after_work")
        self._diseases = gazetteer.marked("disease")
        self._places = gazetteer.marked("place")  # of several words
        self._brands = gazetteer.marked("eponym_brand")
        self._surnames = gazetteer.surnames
        words = gazetteer.grammar_words
        self._street_words = frozenset(map(lookup_key, gazetteer.language.endings_for("no_person")))
        self._street_endings = tuple(sorted(self._street_words))  # also of buildings and institutions
        self._organisation_endings = tuple(sorted(words("organisation_ending")))
        self._with_capital = words(
            "marker_with_capital"
        )  # in small letters they may be anything: "op school Jan"
        self._legal_forms = words("legal_form")
        self._houses = words("house")
        self._from = gazetteer.particle_words(ParticleUse.FROM)
        self._articles = gazetteer.particle_words(ParticleUse.ARTICLE)
        self._before_address = gazetteer.language.name_frames.get("before_address", frozenset())
        self._gazetteer = gazetteer

    def is_street(self, tokens: Sequence[Token], unit: Unit) -> bool:
        """Whether the unit ends in a word for a street or building ("Voskuillaan", "Jansen-school")."""
        facts = unit.words[-1]
        if facts.key in self._surnames and not _house_number(tokens, unit.last):
            return False
        return facts.key.endswith(self._street_endings) and facts.key not in self._street_words

    def organisation_before(self, tokens: Sequence[Token], first: int) -> bool:
        """Whether the word before makes it an organisation or a work: "Bouwbedrijf Jansen"."""
        if first == 0 or tokens[first].gap not in (Gap.SPACE, Gap.NONE):
            return False
        at = first - 1
        if tokens[at].text == "." and at > 0:
            at -= 1
        facts = tokens[at].facts
        if facts is None:
            return False
        if facts.key in self._from and at > 0:
            previous = tokens[at - 1].facts
            return previous is not None and f"{previous.key} {facts.key}" in self._before
        if facts.key in self._articles and at > 1 and tokens[at - 1].facts is not None:
            return False
        if facts.key in self._before or facts.key in self._before_place:
            return facts.is_capital or facts.key not in self._with_capital
        return facts.key.endswith(self._organisation_endings) and facts.key not in self._surnames

    def house_before(self, tokens: Sequence[Token], first: int) -> bool:
        """Whether a small word before a lone word makes it a house: "het ziekenhuis Saint-Boniface"."""
        previous = tokens[first - 1].facts if first else None
        return previous is not None and previous.key in self._houses and tokens[first].gap is Gap.SPACE

    def organisation_after(self, tokens: Sequence[Token], last: int) -> bool:
        """Whether the word after makes it an organisation or work: "Jansen B.V.", "Jansen & Zonen"."""
        if last >= len(tokens):
            return False
        token = tokens[last]
        if token.text == "&" and last + 1 < len(tokens):
            following = tokens[last + 1].facts
            return following is not None and (
                f"& {following.key}" in self._after or following.key in self._after
            )
        if token.gap not in (Gap.SPACE, Gap.NONE):
            return False
        if token.text in _HYPHENS and token.gap is Gap.NONE and last + 1 < len(tokens):
            following = tokens[last + 1].facts
            if following is None or tokens[last + 1].gap is not Gap.NONE:
                return False
            return following.case is Case.LOWER or following.key in self._after
        facts = token.facts
        if facts is None or token.gap is Gap.NONE:
            return False
        if facts.key in self._legal_forms:
            return True
        if facts.case is Case.INITIAL and last + 2 < len(tokens) and tokens[last + 1].text == ".":
            letter = tokens[last + 2].facts  # "B.V.", "N.V."
            pair = f"{facts.key}.{letter.key}" if letter is not None else ""
            return pair in self._after and tokens[last + 2].gap is Gap.NONE
        return facts.is_capital and facts.key in self._after and facts.given < 0.5

    def is_disease(self, units: Sequence[Unit], text_of: str) -> bool:
        """Whether these words together name a disease or a test, unless a title makes them a person's."""
        return text_of in self._diseases or (len(units) == 1 and units[0].kind is UnitKind.CORE and all(
            word.key in self._diseases for word in units[0].words
        ))  # fmt: skip

    def is_brand(self, text_of: str) -> bool:
        return text_of in self._brands or text_of in self._gazetteer.organisations

    def is_place(self, text_of: str) -> bool:
        return (
            text_of in self._places
            or text_of in self._gazetteer.places
            or text_of in self._gazetteer.organisations
        )

    def starts_place(self, unit: Unit) -> bool:
        """Whether the first word begins names of places: "San", "New", "Fort"."""
        return unit.kind is UnitKind.CORE and unit.head.key in self._place_starts

    def is_address(self, tokens: Sequence[Token], first: int, last: int) -> bool:
        """Whether a house number follows, and a word for a place stands before: "aan de Jan Steen 4"."""
        return _house_number(tokens, last) and first > 0 and tokens[first - 1].facts is not None and (
            tokens[first - 1].text.lower() in self._before_address
        )  # fmt: skip


def _house_number(tokens: Sequence[Token], last: int) -> bool:
    return (
        last < len(tokens) and tokens[last].text.isdigit() and tokens[last].gap is Gap.SPACE
        and len(tokens[last].text) <= 4
    )  # fmt: skip
