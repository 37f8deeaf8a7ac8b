"""Exports that were altered, cut, put together anew, or are of another vault or an earlier day."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    BundleError,
    KeyStoreMissingError,
    PseudonymizerError,
    UnknownPseudonymError,
    VaultExistsError,
    VaultOutdatedError,
)
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import Rotated, rotate
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.erasure import erase
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

PASSPHRASE: Final = "paard batterij nietje"  # noqa: S105  a test's
FIRST = linkage_result({"a": "Jan Tolsma, Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
LATER = linkage_result({"b": "Ada Mulder"}, [[("b", "Ada Mulder")]])
_MAGIC: Final = len(b"nymlink-bundle-1\n")


@dataclass(frozen=True)
class Made:
    """A vault, its exports, and the pseudonyms in it."""

    place: VaultPlace
    whole: Path
    keys: Path
    labels: list[str]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return _made(tmp_path / "eigen")


def _made(folder: Path) -> Made:
    folder.mkdir()
    place = sqlite_place_in(folder)
    with place.create() as vault:
        given = assign(FIRST, vault, project="p")
        vault.commit()
        for name in ("heel", "sleutels"):
            export_bundle(
                vault, folder / name, PASSPHRASE, purpose="t", keys_only=name == "sleutels", memory_kib=64
            )
    labels = [given[mention.mention_id].label for mention in FIRST.mentions]
    return Made(place, folder / "heel", folder / "sleutels", labels)


def _pieces(raw: bytes) -> list[bytes]:
    """The beginning of an export with its header, then each piece with its length."""
    position = _MAGIC + 4 + struct.unpack(">I", raw[_MAGIC : _MAGIC + 4])[0]
    found = [raw[:position]]
    while position < len(raw):
        size = 4 + struct.unpack(">I", raw[position : position + 4])[0]
        found.append(raw[position : position + size])
        position += size
    return found


def _flipped(raw: bytes, position: int) -> bytes:
    return raw[:position] + bytes([raw[position] ^ 1]) + raw[position + 1 :]


def _altered(raw: bytes) -> Iterator[tuple[str, bytes]]:
    pieces = _pieces(raw)
    head, first, *others = pieces
    for position in range(len(head)):
        yield (
            f"byte {position} of the header",
            raw[:position] + bytes([raw[position] ^ 1]) + raw[position + 1 :],
        )
    for number, piece in enumerate(pieces[1:], start=1):
        for position in (0, 3, 4, len(piece) // 2, len(piece) - 1):
            other = piece[:position] + bytes([piece[position] ^ 1]) + piece[position + 1 :]
            yield (
                f"byte {position} of piece {number}",
                b"".join([*pieces[:number], other, *pieces[number + 1 :]]),
            )
        yield f"piece {number} gone", b"".join([*pieces[:number], *pieces[number + 1 :]])
        yield f"piece {number} twice", b"".join([*pieces[: number + 1], *pieces[number:]])
        yield f"cut off before piece {number}", b"".join(pieces[:number])
        yield f"cut off in piece {number}", b"".join([*pieces[:number], piece[: len(piece) // 2]])
    for (number, one), (_, two) in pairwise(enumerate(pieces[1:], start=1)):
        yield f"piece {number} behind the next", b"".join([*pieces[:number], two, one, *pieces[number + 2 :]])
    yield "a piece more", raw + first
    yield "the end alone", head + (others or [first])[-1]
    yield "nothing", b""


def _nothing_is_left(folder: Path) -> bool:
    return not [file for file in folder.iterdir() if file.name.startswith("nieuw")]


@pytest.mark.slow  # a hundred imports
@pytest.mark.parametrize("kind", ["whole", "keys"])
def test_an_altered_export_makes_nothing(tmp_path: Path, made: Made, kind: str) -> None:
    raw = (made.whole if kind == "whole" else made.keys).read_bytes()
    bad = tmp_path / "bad"
    count = 0
    for what, altered in _altered(raw):
        bad.write_bytes(altered)
        try:
            import_bundle(bad, PASSPHRASE, f"sqlite:///{tmp_path}/nieuw.db")
        except (BundleError, VaultOutdatedError):
            assert _nothing_is_left(tmp_path), what
            count += 1
        else:
            pytest.fail(what)
    assert count > 100


def test_a_header_asks_for_no_more_memory_than_any_export(tmp_path: Path, made: Made) -> None:
    """Nobody has proved the header when the key is made of the passphrase."""
    raw = made.whole.read_bytes()
    for memory in (7, 1 << 21, 4 << 20, 1 << 40):
        head = raw[_MAGIC + 4 : len(_pieces(raw)[0])].replace(
            b'"memory_kib": 64', b'"memory_kib": %d' % memory
        )
        (tmp_path / "bad").write_bytes(raw[:_MAGIC] + struct.pack(">I", len(head)) + head)
        with pytest.raises(BundleError, match="memory"):
            import_bundle(tmp_path / "bad", PASSPHRASE, f"sqlite:///{tmp_path}/nieuw.db")


def test_keys_of_another_vault_are_refused(tmp_path: Path, made: Made) -> None:
    other = _made(tmp_path / "ander")
    made.place.keys_file.rename(tmp_path / "weg")
    with pytest.raises(BundleError, match="another vault"):
        import_bundle(other.keys, PASSPHRASE, made.place.url)
    assert not made.place.keys_file.exists()
    with pytest.raises(KeyStoreMissingError):
        made.place.open()
    import_bundle(made.keys, PASSPHRASE, made.place.url)
    with made.place.open() as vault:
        assert vault.verify().findings == ()


def test_a_whole_vault_never_goes_over_another_one(made: Made, tmp_path: Path) -> None:
    other = _made(tmp_path / "ander")
    before = made.place.vault_file.read_bytes(), made.place.keys_file.read_bytes()
    for export in (other.whole, other.keys, made.whole, made.keys):
        with pytest.raises((VaultExistsError, BundleError)):
            import_bundle(export, PASSPHRASE, made.place.url)
    assert (made.place.vault_file.read_bytes(), made.place.keys_file.read_bytes()) == before


def _after_export(made: Made, act: Callable[[Vault], object]) -> None:
    with made.place.open() as vault:
        act(vault)
        vault.commit()


def _erase(made: Made) -> Callable[[Vault], object]:
    return lambda vault: erase(vault, project="p", pseudonyms=made.labels[:1], purpose="verzoek")


CHANGES: Final[dict[str, Callable[[Made], Callable[[Vault], object]]]] = {
    "somebody erased": _erase,
    "somebody new": lambda _: lambda vault: assign(LATER, vault, project="p"),
    "a new wrapping key": lambda _: lambda vault: rotate(vault, Rotated.WRAP, project_name="p"),
    "a new index key": lambda _: lambda vault: rotate(vault, Rotated.INDEX, project_name="p"),
    "new data keys": lambda _: lambda vault: rotate(vault, Rotated.DATA, project_name="p"),
    "a new token key": lambda _: lambda vault: rotate(vault, Rotated.TOKEN, project_name="p"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_keys_from_before_a_change_are_found(
    made: Made, change: Callable[[Made], Callable[[Vault], object]]
) -> None:
    _after_export(made, change(made))
    for file in made.place.folder.glob("vault.keys.db*"):
        file.unlink()
    try:
        import_bundle(made.keys, PASSPHRASE, made.place.url)
        with made.place.open() as vault:
            assert vault.verify().findings != ()
    except PseudonymizerError:
        return  # refused, which is as good
    try:
        with made.place.open() as vault:
            assign(LATER, vault, project="q")
            vault.commit()
    except PseudonymizerError:
        pass
    with made.place.open() as vault:
        assert vault.verify().findings != ()


def test_nobody_who_was_erased_comes_back_with_older_keys(made: Made) -> None:
    _after_export(made, _erase(made))
    for file in made.place.folder.glob("vault.keys.db*"):
        file.unlink()
    import_bundle(made.keys, PASSPHRASE, made.place.url)
    with made.place.open() as vault:
        with pytest.raises(UnknownPseudonymError):
            reveal(vault, project="p", pseudonyms=made.labels[:1], purpose="toets")
        assert any("erasures" in finding for finding in vault.verify().findings)


def test_an_export_from_before_an_erasure_is_told_by_a_head_outside(tmp_path: Path, made: Made) -> None:
    """Nothing inside it can tell; the head of the vault that went on can."""
    _after_export(made, _erase(made))
    with made.place.open() as vault:
        head = vault.trail.signed_head()
    import_bundle(made.whole, PASSPHRASE, f"sqlite:///{tmp_path}/nieuw.db")
    with Vault.open(tmp_path / "nieuw.db", made.place.key, clock=made.place.clock) as vault:
        assert vault.verify().findings == ()
        assert vault.verify([head]).findings != ()
