"""How pseudonyms look and stay unique. Here the token style; other styles are modules beside it.

A token is a letter, which is P for a person, `<version>-` and 20 letters of Crockford's base32: 80 random
bits and a 20-bit MAC under the project's token key of that version. Fixed length: no token is part of another
one.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from linkage.records import Gender, PersonName, Span
from pseudonymizer.crypto import Binder, Entropy, derive_key, mac_sha256
from pseudonymizer.errors import InvalidTokenError, SurrogatesExhaustedError
from pseudonymizer.records import FoundToken, Style

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LETTERS: Final = 20
_RANDOM_BYTES: Final = 10
TOKEN_LIKE: Final = re.compile(
    rf"(?<![0-9A-Za-z])([A-Z])([1-9][0-9]{{0,3}})-([{ALPHABET}]{{{_LETTERS}}})(?![0-9A-Za-z])"
)
TAG_LIKE: Final = re.compile(r"<([A-Z]{2,20})-([1-9][0-9]{0,8})>")
LABEL_LIKE: Final = re.compile(f"{TOKEN_LIKE.pattern}|{TAG_LIKE.pattern}")
_PERSON: Final = "P"
_PAIRS: Final = [a + b for a in ALPHABET for b in ALPHABET]  # ten bits at a time
_TYPED: Final = str.maketrans({"O": "0", "I": "1", "L": "1"})


def tag_text(word: str, number: int) -> str:
    """A tag: the brackets keep <PERSOON-3> from being a part of <PERSOON-31>."""
    return f"<{word}-{number}>"


def tag_number(label: str) -> int:
    """The number of a tag; 0 for a label that is none."""
    found = TAG_LIKE.fullmatch(label)
    return int(found[2]) if found is not None else 0


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """What a style may know about the person, or the value of another kind, that a pseudonym is drawn for.

    material is set in deterministic mode: the same material gives the same label. letter: begins a token.
    word: stands in a label that has one; "" for the word that the style has for persons.
    """

    names: tuple[PersonName, ...] = field(default=(), repr=False)
    surfaces: tuple[str, ...] = field(default=(), repr=False)
    gender: Gender | None = None
    material: bytes | None = field(default=None, repr=False)
    letter: str = _PERSON
    word: str = ""


class LabelSource(Protocol):
    """A style of pseudonyms. labels come in the order of the requests, each new to the project.

    taken answers which of these labels the project has already. A source that can form no unique label raises
    SurrogatesExhaustedError; it never falls back to the real name.
    """

    @property
    def style(self) -> Style: ...

    def draw(
        self, requests: Sequence[LabelRequest], *, taken: Callable[[Collection[str]], Collection[str]]
    ) -> list[str]: ...


class TokenMaker:
    """Makes and checks the tokens of one version of a project's token key."""

    __slots__ = ("_binder", "_key", "_run_binder", "_run_check", "_runs", "version")

    def __init__(self, key: bytes, *, version: int) -> None:
        self._key = key
        self._binder = Binder(key, b"nymlink/token")
        self._run_check = derive_key(key, b"nymlink/token/run-check")
        self._run_binder = Binder(self._run_check, b"nymlink/run")
        self._runs: dict[str, RunTokens] = {}
        self.version = version

    def draw(self, entropy: Entropy = os.urandom, *, letter: str = _PERSON) -> str:
        """A new random token."""
        return _token(self.version, self._binder, entropy(_RANDOM_BYTES), letter)

    def derive(self, run: str, material: bytes) -> str:
        """The token that this run always gives to this material (deterministic mode)."""
        if run not in self._runs:
            self._runs[run] = RunTokens(*self.run_keys(run), version=self.version)
        return self._runs[run].derive(material)

    def run_keys(self, run: str) -> tuple[bytes, bytes]:
        """The keys that make the tokens of one run: they make and check no others."""
        return mac_sha256(self._key, b"nymlink/run/" + run.encode()), self._run_check

    def is_valid(self, label: str) -> bool:
        found = TOKEN_LIKE.fullmatch(label)
        if found is None or int(found[2]) != self.version:
            return False
        bits = 0
        for letter in found[3]:
            bits = bits << 5 | ALPHABET.index(letter)
        random = (bits >> 20).to_bytes(_RANDOM_BYTES, "big")
        if found[1] != _PERSON:
            return _token(self.version, self._binder, random, found[1]) == label
        return any(_token(self.version, b, random) == label for b in (self._binder, self._run_binder))


class RunTokens:
    """Makes the tokens of one run of a version, from what may leave the vault for it."""

    __slots__ = ("_binder", "_key", "_version")

    def __init__(self, run_key: bytes, check_key: bytes, *, version: int) -> None:
        self._key = run_key
        self._binder = Binder(check_key, b"nymlink/run")
        self._version = version

    def derive(self, material: bytes) -> str:
        """The token that the run always gives to this material."""
        return _token(self._version, self._binder, mac_sha256(self._key, material)[:_RANDOM_BYTES])


def _token(version: int, binder: Binder, random: bytes, letter: str = _PERSON) -> str:
    # The letter of persons is not in the MAC: tokens of version 0.1 have none other.
    bound = random if letter == _PERSON else letter.encode() + random
    check = int.from_bytes(binder.tag(bound)[:3], "big") >> 4
    bits = (int.from_bytes(random, "big") << 20) | check
    return f"{letter}{version}-" + "".join([_PAIRS[(bits >> shift) & 1023] for shift in range(90, -10, -10)])


class TokenLabels:
    """The default style. 80 random bits do not repeat; a broken source of randomness does, and is refused."""

    def __init__(self, maker: TokenMaker, *, run: str = "", entropy: Entropy = os.urandom) -> None:
        self._maker = maker
        self._run = run
        self._entropy = entropy

    @property
    def style(self) -> Style:
        return Style.TOKEN

    def draw(
        self, requests: Sequence[LabelRequest], *, taken: Callable[[Collection[str]], Collection[str]]
    ) -> list[str]:
        labels = [
            self._maker.draw(self._entropy, letter=r.letter)
            if r.material is None
            else self._maker.derive(self._run, r.material)
            for r in requests
        ]
        drawn = [label for label, request in zip(labels, requests, strict=True) if request.material is None]
        if len(set(drawn)) < len(drawn) or (drawn and taken(drawn)):
            raise SurrogatesExhaustedError(
                "the source of randomness repeats itself; no unique pseudonym can be drawn"
            )
        return labels


class TokenReader:
    """Tells a project's own tokens from text that only looks like one; old key versions still verify."""

    def __init__(self, makers: Mapping[int, TokenMaker]) -> None:
        self._makers = makers

    def is_valid(self, label: str) -> bool:
        found = TOKEN_LIKE.fullmatch(label)
        maker = self._makers.get(int(found[2])) if found else None
        return maker is not None and maker.is_valid(label)

    def find(self, text: str) -> tuple[FoundToken, ...]:
        """All text in the form of a token, in order."""
        return tuple(self._found(text))

    def _found(self, text: str) -> Iterator[FoundToken]:
        for match in TOKEN_LIKE.finditer(text):
            yield FoundToken(Span(*match.span()), match[0], self.is_valid(match[0]))

    def parse(self, typed: str) -> str:
        """The token that a person typed: case, blanks and the letters O, I, L are forgiven, errors are not.

        Raises:
            InvalidTokenError: the check letters do not fit: mistyped, forged, or of another project.
        """
        cleaned = "".join(typed.split()).upper()
        head, _, tail = cleaned.partition("-")
        label = f"{head}-{tail.replace('-', '').translate(_TYPED)}"
        if not self.is_valid(label):
            raise InvalidTokenError(
                "not a pseudonym of this project: mistyped, forged, or of another project"
            )
        return label
