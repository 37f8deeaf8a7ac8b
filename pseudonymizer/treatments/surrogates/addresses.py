"""Invented addresses in networks: reserved domains, networks for documentation, local device addresses."""

import ipaddress
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from linkage.language import Language
from linkage.language.tables import read_table
from linkage.settings import data_directory
from pseudonymizer.treatments.drawing import chosen
from pseudonymizer.treatments.random_texts import drawn_signs, is_sign, laid
from pseudonymizer.treatments.surrogates.numbers import letters
from pseudonymizer.treatments.treatment import TreatedValue

_TABLE: Final = "treatments/addresses.tsv"
_RESERVED: Final = ".example"  # RFC 2606: a top level that nobody can register a name in
_URL: Final = re.compile(
    r"(?P<front>(?:[a-z]+://)?(?:[^/@\s]+@)?(?:www\d?\.)?)(?P<host>[^/:?#\s]+)(?P<port>:\d+)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_HOST_LETTERS: Final = 7  # of an invented name of a domain: 8 billion of them
_MAC: Final = re.compile(r"[0-9A-F]{12}", re.IGNORECASE)
_FIGURES_OF_MAC: Final = 12
_LOCAL: Final = "26AE"  # second figure of addresses that no maker gives out: locally administered (IEEE 802)
_HEXADECIMAL: Final = "0123456789ABCDEF"


@cache
def _signs(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The sign before a domain and a full stop of one, each also as the word that stands for it."""
    slots = Language.load(language).slots
    at, dot = slots["AT_WORD"], slots["DOT_WORD"]
    return (
        re.compile(rf"\s*[\[({{<]?\s*(?:(?<=[\s\[({{<]){at}(?=[\s\])}}>])|@)\s*[\])}}>]?\s*", re.IGNORECASE),
        re.compile(rf"\s*[\[({{<]\s*(?:{dot}|\.)\s*[\])}}>]\s*|\s+{dot}\s+", re.IGNORECASE),
    )


def email(language: str, value: TreatedValue, numbers: Iterator[int]) -> str | None:
    """An address in a reserved domain, with a name of the same form; None where the value is none.

    language: ISO 639-1 code of the words that stand for its signs.
    """
    sign, full_stop = _signs(language)
    parts = sign.split(value.text, maxsplit=1)
    found = sign.search(value.text)
    if found is None or len(parts) < 2:
        return None
    dots = full_stop.findall(parts[1])
    top = f"{dots[-1]}{_RESERVED.removeprefix('.')}" if dots else _RESERVED
    return f"{other(parts[0], numbers)}{found[0]}{letters(numbers, _HOST_LETTERS)}{top}"


def url(value: TreatedValue, numbers: Iterator[int]) -> str | None:
    """An address in a reserved domain, with a path of the same form."""
    found = _URL.fullmatch(value.text)
    if found is None:
        return None
    host = letters(numbers, _HOST_LETTERS) + _RESERVED
    scheme, slashes, user = found["front"].rpartition("//")
    if "@" in user:
        user = other(user, numbers)
    return f"{scheme}{slashes}{user}{host}{found['port'] or ''}{other(found['rest'], numbers)}"


def user_name(value: TreatedValue, numbers: Iterator[int]) -> str | None:
    """A name of the same form: letters for letters, figures for figures."""
    return other(value.text, numbers) or None


def ip_address(value: TreatedValue, numbers: Iterator[int]) -> str | None:
    """An address in a network for documentation; None where the value is none."""
    try:
        version = ipaddress.ip_address(value.text).version
    except ValueError:
        return None
    network = chosen(numbers, _networks()[f"ipv{version}"])
    offset = sum(next(numbers) << (32 * place) for place in range(4)) % network.num_addresses
    return str(network[offset])


def is_mac(text: str) -> bool:
    """Whether a text is the address of a network card."""
    bare = [sign for sign in text if sign.isalnum()]
    return len(bare) == _FIGURES_OF_MAC and _MAC.fullmatch("".join(bare)) is not None and len(text) > 12


def mac(value: TreatedValue, numbers: Iterator[int]) -> str:
    """An address of a network card that no maker gives out, in the spelling of the value."""
    drawn = [chosen(numbers, _HEXADECIMAL) for _ in range(_FIGURES_OF_MAC)]
    drawn[1] = chosen(numbers, _LOCAL)
    rest = iter(drawn)
    is_small = any(map(str.islower, value.text))
    text = "".join(next(rest) if sign.isalnum() else sign for sign in value.text)
    return text.lower() if is_small else text


def other(text: str, numbers: Iterator[int]) -> str:
    """A text of the same form with other letters and figures."""
    return laid(text, drawn_signs(numbers, [sign for sign in text if is_sign(sign)], frozenset()))


@cache
def _networks() -> Mapping[str, Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]]:
    """The networks of addresses that nobody has, by version."""
    found: dict[str, list[ipaddress.IPv4Network | ipaddress.IPv6Network]] = {}
    for row in read_table(data_directory() / _TABLE, ("what", "network")):
        found.setdefault(row["what"], []).append(ipaddress.ip_network(row["network"]))
    return found
