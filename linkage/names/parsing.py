"""Taking a written name apart: given names, initials, particle, surname, partner's surname, suffix.

Dutch conventions: "Jansen-de Boer" is someone born De Boer who took the name of a partner called Jansen;
particles are small after a given name and capital when they open the name; a listing puts the particle last
("Berg, J. van den").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from linkage.gazetteer import Gazetteer
from linkage.language import ParticleUse
from linkage.names.phrases import inner_phrases
from linkage.names.rendering import initials_of
from linkage.names.spelling import in_normal_case, readable
from linkage.names.titles import title_of, without_inner_titles, without_titles
from linkage.names.words import (
    Token,
    WordReader,
    dotted_row,
    is_elided,
    is_small,
    name_words,
)
from linkage.records import Gender, PersonName, fold

_QUOTED = re.compile(r"\"(?P<double>[^\"]+)\"|(?<!\w)'(?P<single>[^\W\d_][^'\"]*)'(?!\w)")
_LONGEST_SIGNATURE = 3
_BOTH_GENDERS = 0.02  # how often two names of other genders are one person's, beside two of one gender
_BORNE = 50  # bearers from which two or three capitals are read as a name, not as letters
_PARENTHESIZED = re.compile(r"\((?P<inside>[^()]*)\)")


@dataclass(frozen=True, slots=True)
class _Surname:
    particle: str | None = field(repr=False)
    family: str | None = field(repr=False)


def parse_name(surface: str, gazetteer: Gazetteer, *, titled: bool = False) -> PersonName:
    """Take one written name apart; titles and degrees are left out.

    The result has at least one part: what can be told apart in no way becomes the surname. titled says that a
    courtesy title stood before the name, so that a lone word is a surname ("mevrouw Thomas").
    """
    particles = gazetteer.language.particles(ParticleUse.LINE_END)
    text = readable(surface, keep_hyphen_before=particles.keys())
    text, title_found = without_titles(_without_possessive(text), gazetteer)
    text = without_inner_titles(text, gazetteer)
    if (signature := _signature(text, gazetteer)) is not None:
        return PersonName(initials=signature)
    name = _Parser(gazetteer, titled=titled or title_found).parse(text)
    if all(part is None for part in name.parts()):
        return PersonName(family=in_normal_case(text) or readable(surface) or "?")
    return name


def _signature(text: str, gazetteer: Gazetteer) -> str | None:
    """The letters of a signature such as "RvdS", "MOvL" or "EW" with dots; None for anything else."""
    shaped = inner_phrases(gazetteer.language).signature.fullmatch(text) is not None
    if not shaped and not (text.isalpha() and text.isupper() and 2 <= len(text) <= _LONGEST_SIGNATURE):
        return None
    is_borne = gazetteer.given_name_frequency(text) >= _BORNE or gazetteer.surname_frequency(text) >= _BORNE
    if len(text) == _LONGEST_SIGNATURE:  # three capitals are a name where any list has it: "BOS"
        is_borne = is_borne or gazetteer.is_given_name(text) or gazetteer.is_surname(text)
    if not shaped and (text == "IJ" or is_borne):
        return None
    return "".join(f"{letter}." for letter in text.upper())


def _without_possessive(text: str) -> str:
    return re.sub(r"(?<=\w)'[sS]?$", "", text) if not text.startswith("'") else text


class _Parser:
    def __init__(self, gazetteer: Gazetteer, *, titled: bool) -> None:
        self._gazetteer = gazetteer
        self._reader = WordReader(gazetteer)
        self._grammar = gazetteer.language.grammar
        self._phrases = inner_phrases(gazetteer.language)
        self._adjectives = name_words(gazetteer.language).adjectives
        self._titled = titled

    def parse(self, text: str) -> PersonName:
        text, suffix = self._suffix(text)
        nickname: str | None = None
        if (called := self._phrases.called.search(text)) and text[: called.start()].strip(" ,("):
            nickname, text = self._words(called["rest"]), text[: called.start()].strip(" ,(")
        for pattern, is_birth_name in ((self._phrases.born, True), (self._phrases.spouse_of, False)):
            found = pattern.search(text)
            if found and text[: found.start()].strip(" ,("):
                before = self.parse(text[: found.start()].strip(" ,(-"))
                other = self._surname(found["rest"])
                joined = _with_birth_name(before, other) if is_birth_name else _with_partner(before, other)
                return replace(joined, suffix=suffix or before.suffix, nickname=nickname or before.nickname)
        if (quoted := _QUOTED.search(text)) and len(text) > len(quoted[0]):
            inside = quoted["double"] or quoted["single"]
            nickname, text = self._words(inside), _cut(text, quoted)
        text, inner_nickname, other_surname = self._parentheses(text)
        nickname = nickname or inner_nickname
        pieces = [piece.strip() for piece in re.split(r"[,;|\t]", text)]
        pieces = [pieces[0], *(self._without_titles(piece) for piece in pieces[1:])]
        has_comma = len(pieces) > 1 and any(pieces)
        name = self._listing(pieces) if has_comma else self._running(self._reader.tokens(text))
        if other_surname is not None:
            swap = _with_partner if has_comma else _with_birth_name
            name = swap(name, other_surname)
        return replace(name, suffix=suffix, nickname=nickname)

    def _suffix(self, text: str) -> tuple[str, str | None]:
        words = text.split()
        if len(words) > 1 and (suffix := self._grammar.suffix_of.get(fold(words[-1]))):
            before = " ".join(words[:-1])
            head = before.rstrip(" ,")
            commas = before[len(head) :].count(",")
            # "Vosman, jr." and "Vosman,, jr.", a listing without forenames
            is_listed = commas > 1 or (commas == 1 and text.count(",") == 1 and len(words) == 2)
            return f"{head}," if is_listed else head, suffix
        for index, word in enumerate(words[:-1]):  # "Vosman jr., J."
            if index and word.endswith(",") and (suffix := self._grammar.suffix_of.get(fold(word))):
                return " ".join([*words[: index - 1], words[index - 1] + ",", *words[index + 1 :]]), suffix
        return text, None

    def _parentheses(self, text: str) -> tuple[str, str | None, "_Surname | None"]:
        """Cut out "(...)": a call name inside the name, or another surname after the surname."""
        found = _PARENTHESIZED.search(text)
        if found is None or not _cut(text, found).strip(" ,"):
            return text.replace("(", " ").replace(")", " "), None, None
        inside, rest = found["inside"].strip(), text[found.end() :].strip()
        cut = _cut(text, found)
        if not inside:
            return cut, None, None
        is_given = self._reader.given_share(inside.split()[0]) >= 0.5
        if not rest.startswith(",") and (rest or is_given):
            return cut, self._words(inside), None
        return cut, None, self._surname(inside)

    def _without_titles(self, piece: str) -> str:
        """What follows the comma: "mw. dr. H." without the titles, "mw." alone without anything."""
        piece, _ = without_titles(piece, self._gazetteer)
        title = title_of(piece, self._gazetteer) if piece.endswith(".") else None
        return "" if title is not None and title.position == "pre" else piece

    def _words(self, text: str) -> str | None:
        words = [word for word in text.split() if fold(word)]  # "roepnaam -" is none
        return " ".join(map(in_normal_case, words)) or None

    # --- tokens
    def _running(self, tokens: list[Token]) -> PersonName:
        """A name without a comma."""
        if not tokens:
            return PersonName()
        kinds = "".join(token.kind for token in tokens)
        if "H" in kinds:
            return self._double(tokens, kinds.index("H"))
        if end := self._capitals_before(tokens):
            return self._with_surname(tokens[end:], tokens[:end])
        if re.fullmatch(r"I+", kinds):
            return PersonName(initials=dotted_row(tokens))
        if turned := re.fullmatch(r"(W+)(I+)(P*)", kinds):  # "Jansen J.P.", "Berg J. van den", "Jan P."
            words, initials = tokens[: turned.end(1)], tokens[turned.end(1) : turned.end(2)]
            if not turned[3] and self._reader.given_share(words[0].text) >= 0.5 and len(initials) == 1:
                given = self._given(words)
                return PersonName(given=given, initials=initials_of(given or "") + dotted_row(initials))
            return self._with_surname(initials, [*tokens[turned.end(2) :], *words])
        if re.fullmatch(r"W+P+I", kinds) and self._reader.given_share(tokens[0].text) >= 0.5:  # "Mo el I."
            given = self._given(tokens[: kinds.index("P")])
            return PersonName(given=given, initials=initials_of(given or "") + dotted_row(tokens[-1:]))
        start = self._surname_start(tokens, kinds)
        if start == 0:
            return self._surname_first(tokens, kinds)
        return self._with_surname(tokens[:start], tokens[start:])

    def _capitals_before(self, tokens: list[Token]) -> int:
        """How many words in capitals are the surname before forenames that are not: "DE SIO Lia" has two."""
        end = next((n for n, token in enumerate(tokens) if not token.text.isupper()), len(tokens))
        words, forenames = tokens[:end], tokens[end:]
        is_split = bool(words and forenames) and words[-1].kind == "W" and "I" not in [w.kind for w in words]
        if not is_split or any(token.kind != "W" or token.text[0].islower() for token in forenames):
            return 0
        share, given_share = (self._reader.given_share(side[0].text) for side in (words[-1:], forenames))
        return end if given_share >= share or 2 * share < 1 else 0

    def _surname_start(self, tokens: list[Token], kinds: str) -> int:
        """Index of the first token of the surname; 0 if the surname comes first, len if there is none."""
        for index, kind in enumerate(kinds):
            opens = kind == "P" and "W" in kinds[index:] and not self._is_elided_given(tokens, index)
            if opens and (index > 0 or not self._reader.is_given_after_all(tokens)):
                return self._with_surnames_before(tokens, index)
        if "I" in kinds and kinds.startswith("I"):
            words = [index for index, kind in enumerate(kinds) if kind != "I"]
            first = tokens[words[0]]
            is_surname = self._reader.given_share(first.text) < 0.5 or self._reader.is_seldom_given(first)
            if len(words) == 1 or is_surname:
                return words[0]
            return self._family_start(tokens, words[0])
        if len(tokens) > 1 and fold(tokens[0].text) in self._adjectives:
            return 0
        if len(tokens) == 1:
            return 0 if self._titled or self._reader.given_share(tokens[0].text) < 0.5 else 1
        if self._titled and self._reader.is_rather_surname(tokens[0]) and "I" not in kinds:
            return 0
        shares = [self._reader.given_share(token.text) for token in tokens]
        normal = 0.9 * shares[0] * (1 - shares[-1])
        turned = 0.06 * (1 - shares[0]) * shares[-1]
        only_given = 0.015 * _product(shares)
        if self._differ_in_gender(tokens):  # "Jan Roos": hardly anybody is called both
            only_given *= _BOTH_GENDERS
        if turned > normal and turned > only_given:
            return 0
        if only_given > normal and not self._titled:
            return len(tokens)
        return self._family_start(tokens, 0)

    def _is_elided_given(self, tokens: list[Token], index: int) -> bool:
        """ "D'Angelo Tolsma": a given name that only looks as if a particle opened it."""
        return (
            index == 0 and len(tokens) > 2 and not self._titled and is_elided(tokens[0])
            and tokens[0].text[0].isupper() and self._reader.given_share(tokens[1].text) >= 0.5
        )  # fmt: skip

    def _with_surnames_before(self, tokens: list[Token], particle: int) -> int:
        """ "J. Zaalberg van Zelst": a surname that nobody is called by, between forenames and particle."""
        start = particle
        while start > 1 and self._reader.is_surname_alone(tokens[start - 1]):
            start -= 1
        return start

    def _differ_in_gender(self, tokens: list[Token]) -> bool:
        """Whether one is a woman's name and one a man's; "Maria" is a second name of both."""
        of_both = self._gazetteer.language.words("either_gender")
        words = [token.text for token in tokens if fold(token.text) not in of_both]
        genders = {self._gazetteer.gender(word) for word in words}
        return {Gender.FEMALE, Gender.MALE} <= genders

    def _family_start(self, tokens: list[Token], first: int) -> int:
        last = len(tokens) - 1
        before = tokens[last - 1]
        if last - 1 > first and before.kind == "W":
            is_adjective = fold(before.text) in self._adjectives
            if is_adjective or self._reader.is_seldom_given(before):
                return last - 1
        return last

    def _surname_first(self, tokens: list[Token], kinds: str) -> PersonName:
        """ "De Vries", "De Vries Jan", "van den Berg J.", "Tolsma Jan", or a surname alone."""
        end = len(tokens)
        while end > 1 and kinds[end - 1] == "I":
            end -= 1
        particles = len(kinds) - len(kinds.lstrip("P"))
        if end == len(tokens):
            while end - 1 > particles and not self._titled:
                share = self._reader.given_share(tokens[end - 1].text)
                if share < 0.5 or (share < 0.8 and (particles or end < len(tokens))):
                    break
                end -= 1
            if kinds[end - 1] == "P":  # "Ten Ali d'Angelo": what follows a particle is no given name
                end = len(tokens)
        return self._with_surname(tokens[end:], tokens[:end])

    def _double(self, tokens: list[Token], hyphen: int) -> PersonName:
        """Two surnames joined by a hyphen: the partner's first, the name by birth after it."""
        start = self._partner_start(tokens, hyphen)
        partner = self._surname_of(tokens[start:hyphen])
        own = self._surname_of([token for token in tokens[hyphen + 1 :] if token.kind != "H"])
        name = self._with_surname(tokens[:start], [])
        return replace(
            name, particle=own.particle, family=own.family,
            partner_particle=partner.particle, partner_family=partner.family,
        )  # fmt: skip

    def _partner_start(self, tokens: list[Token], hyphen: int) -> int:
        """Where the surname before the hyphen begins: at its particle, else at the word before the hyphen."""
        for index, token in enumerate(tokens[:hyphen]):
            if token.kind == "P" and (index > 0 or not self._reader.is_given_after_all(tokens)):
                return self._with_surnames_before(tokens, index)
        before = tokens[hyphen - 2] if hyphen > 1 else None
        if before is None or before.kind != "W":
            return hyphen - 1
        is_part = hyphen > 2 and self._reader.is_seldom_given(before)
        return hyphen - 2 if is_part or fold(before.text) in self._adjectives else hyphen - 1

    def _listing(self, pieces: list[str]) -> PersonName:
        """A surname, a comma, given names or initials, perhaps the particle after them or between commas."""
        token_rows = [self._reader.tokens(piece) for piece in pieces]
        kinds = ["".join(token.kind for token in row) for row in token_rows]
        is_floating = [is_small(row) for row in token_rows]
        particle_rows = [
            i for i, kind in enumerate(kinds) if i > 0 and kinds[0] and set(kind) == {"P"} and is_floating[i]
        ]
        rows = [row for i, row in enumerate(token_rows) if i not in particle_rows]
        floating = [token for i in particle_rows for token in token_rows[i]]
        if len(rows) > 1 and kinds[0] and set(kinds[0]) == {"I"} and "W" in kinds[-1]:
            rows = [rows[-1], *rows[1:-1], rows[0]]
        surname, forenames = rows[0], [token for row in rows[1:] for token in row]
        while forenames and surname and forenames[-1].kind == "P" and is_small(forenames[-1:]):
            floating = [forenames.pop(), *floating]
        while (
            len(forenames) > 1 and forenames[0].kind == "P" and is_small(forenames[:1]) and not floating
            and not is_elided(forenames[0])
        ):  # fmt: skip
            floating = [forenames.pop(0)]  # "ZWART, de Joris"
        if not surname:
            return self._with_surname(forenames, [])
        parts = self._surnames([*floating, *surname] if surname[0].kind != "P" else surname)
        name = self._with_surname(forenames, [])
        return replace(
            name, particle=parts[0].particle, family=parts[0].family,
            partner_particle=parts[1].particle, partner_family=parts[1].family,
        )  # fmt: skip

    def _with_surname(self, forenames: Sequence[Token], surname: Sequence[Token]) -> PersonName:
        words = [token for token in forenames if token.kind in "WP"]
        initials = dotted_row([token for token in forenames if token.kind == "I"])
        given = self._given(words)
        if given and initials:
            own = initials_of(given)
            initials = initials + own if forenames[0].kind == "I" else own + initials
        own_surname, partner = self._surnames(surname)
        return PersonName(
            given=given, initials=initials or None, particle=own_surname.particle, family=own_surname.family,
            partner_particle=partner.particle, partner_family=partner.family,
        )  # fmt: skip

    def _given(self, words: Sequence[Token]) -> str | None:
        # "D'Angelo" was taken apart as a surname is
        given = self._words(re.sub(r"(?<=\w)' (?=\w)", "'", " ".join(word.text for word in words)))
        return given and given[0].upper() + given[1:]

    def _surname(self, text: str) -> _Surname:
        return self._surname_of([token for token in self._reader.tokens(text) if token.kind != "H"])

    def _surnames(self, tokens: Sequence[Token]) -> tuple[_Surname, _Surname]:
        """The name by birth and the partner's name, which stands before the hyphen if there is one."""
        hyphens = [index for index, token in enumerate(tokens) if token.kind == "H"]
        if hyphens:
            after = [token for token in tokens[hyphens[0] + 1 :] if token.kind != "H"]
            return self._surname_of(after), self._surname_of(tokens[: hyphens[0]])
        if tokens and "-" in tokens[-1].text.strip("-"):
            partner, own = tokens[-1].text.strip("-").rsplit("-", 1)
            head, _, adjective = partner.rpartition("-")
            if head and fold(adjective) in self._adjectives:  # "Kovács-Oude-Wesselink"
                partner, own = head, f"{adjective}-{own}"
            if len(fold(partner)) > 2 and len(own) > 1 and not self._is_one_surname(partner, own):
                before = [*tokens[:-1], Token(partner, "W")]
                return _Surname(None, in_normal_case(own)), self._surname_of(before)
        return self._surname_of(tokens), _Surname(None, None)

    def _is_one_surname(self, head: str, tail: str) -> bool:
        """ "Saint-Just", "Abd-el-Kader": listed whole, or opened by a word that is no surname of its own."""
        return fold(head) in self._adjectives | self._grammar.surname_openings or (
            self._gazetteer.is_surname(f"{head}-{tail}") and not self._gazetteer.is_surname(head)
        )

    def _surname_of(self, tokens: Sequence[Token]) -> _Surname:
        count = 0
        while count < len(tokens) and tokens[count].kind == "P":
            count += 1
        if count == len(
            tokens
        ):  # a particle alone is a surname such as "Klein", or the end of a cut-off name
            count = 0
        words = [token.text for token in tokens[:count]]
        family = " ".join(in_normal_case(token.text.rstrip(".")) for token in tokens[count:])
        return _Surname(self._reader.canonical_particle(words), family or None)


def _with_birth_name(name: PersonName, own: _Surname) -> PersonName:
    """Name so far holds the partner's surname; own is what "geb." says."""
    if (
        name.partner_family is not None
        and name.family is not None
        and fold(name.family) == fold(own.family or "")
    ):
        return name
    return replace(
        name, particle=own.particle, family=own.family,
        partner_particle=name.particle, partner_family=name.family,
    )  # fmt: skip


def _with_partner(name: PersonName, partner: _Surname) -> PersonName:
    return replace(name, partner_particle=partner.particle, partner_family=partner.family)


def _cut(text: str, found: re.Match[str]) -> str:
    return " ".join(f"{text[: found.start()]} {text[found.end() :]}".split()).replace(" ,", ",")


def _product(shares: Sequence[float]) -> float:
    product = 1.0
    for share in shares:
        product *= share
    return product
