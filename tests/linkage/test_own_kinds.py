"""Kinds of the user's own: what a settings file may say of them, and what each error says."""

from dataclasses import replace
from pathlib import Path

import pytest

from linkage.errors import SettingsError
from linkage.kinds import Fold, Kinds, Link, Needs
from linkage.own_kinds import OwnKind, OwnValues, listed_in
from linkage.settings import LinkageSettings
from linkage.texts import PERSON, KindId

PROJECT = KindId("PROJECTCODE")
PLAIN = "[kinds.PROJECTCODE]\npattern = 'PRJ-[0-9]{4}'\n"


def _read(folder: Path, text: str) -> LinkageSettings:
    place = folder / "nymlink.toml"
    place.write_text(text, encoding="utf-8")
    return LinkageSettings.from_toml(place)


def test_a_table_makes_a_kind(tmp_path: Path) -> None:
    (tmp_path / "codes.txt").write_text("Fenix\n", encoding="utf-8")
    found = _read(
        tmp_path,
        "[kinds.PROJECTCODE]\npatterns = ['PRJ-[0-9]{4}', '{YEAR}/[A-Z]{2}']\nlist_file = 'codes.txt'\n"
        "cues = ['Project', 'nr.  van project']\nneeds = 'cue'\ncategory = 'NAME'\nletter = 'Q'\n"
        "words = { nl = 'PROJECT', en = 'CODENAME' }\nfold = 'lower'\ntreatment = 'mask'\ndirect = false\n",
    )
    kind = found.own.all_kinds[PROJECT]
    assert (kind.category, kind.letter, kind.link, kind.direct, kind.default) == (
        "NAME", "Q", Link.VALUE, False, "mask",
    )  # fmt: skip
    assert (kind.word("nl"), kind.word("en"), kind.word("de")) == ("PROJECT", "CODENAME", "CODENAME")
    assert kind.cues == ("project", "nr. van project")
    first, second = kind.patterns
    assert (first.needs, first.fold) == (Needs.CUE, Fold.LOWER)
    assert second.regex == r"(?:1[5-9]|2[01])\d\d/[A-Z]{2}"  # {YEAR} is a shape of kinds.toml
    assert dict(found.recognition.always) == {PROJECT: ("Fenix",)}


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    kind = _read(tmp_path, PLAIN).own.all_kinds[PROJECT]
    assert (kind.category, kind.letter, kind.default, kind.direct) == ("ID", "P", "code", True)
    assert kind.word("nl") == "PROJECTCODE"
    (pattern,) = kind.patterns
    assert (pattern.needs, pattern.fold) == (Needs.SHAPE, Fold.LETTERS)
    checked = _read(tmp_path, PLAIN + "validator = 'iban'\n").own.all_kinds[PROJECT]
    assert checked.patterns[0].needs is Needs.CHECK


def test_several_kinds_stand_behind_the_shipped_ones(tmp_path: Path) -> None:
    found = _read(tmp_path, PLAIN + "[kinds.DOG]\npattern = 'hond [0-9]+'\n").own.all_kinds
    assert tuple(found) == (*Kinds.load(), PROJECT, "DOG")
    assert found.schemes == Kinds.load().schemes
    assert found.chosen("projectcode,dog") == {PROJECT, "DOG"}
    assert "DOG" in found.chosen("id")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kinds = 3\n", "1: kinds are tables of their own"),
        ("[kinds]\nDOG = 'x'\n", "1: kinds are tables of their own"),
        ("\n[kinds.jansen]\npattern = 'x'\n", "2: the name of a kind has 2 to 40 capital"),
        ("[kinds.'A B']\npattern = 'x'\n", "1: the name of a kind has 2 to 40 capital"),
        ("[kinds.DOG_]\npattern = 'x'\n", "1: the name of a kind has 2 to 40 capital"),
        ("[kinds.EMAIL]\npattern = 'x'\n", "1: [kinds.EMAIL]: a shipped kind has this name"),
        ("[kinds.CONTACT]\npattern = 'x'\n", "1: [kinds.CONTACT]: a category of kinds has"),
        ("[kinds.ALL]\npattern = 'x'\n", "1: [kinds.ALL]: a category of kinds has"),
        ("[kinds.PERSOON]\npattern = 'x'\n", "1: [kinds.PERSOON]: another kind has the word"),
        ("[kinds.DOG]\n", "1: [kinds.DOG] needs a pattern, patterns or a list_file"),
        ("[kinds.DOG]\n\npatern = 'x'\n", "3: unknown setting 'patern' of [kinds.DOG]; did"),
        ("[kinds.DOG]\npattern = ''\n", "2: [kinds.DOG]: a pattern is empty"),
        ("[kinds.DOG]\npatterns = ['a', '']\n", "2: [kinds.DOG]: a pattern is empty"),
        ("[kinds.DOG]\npattern = 3\n", "2: pattern must be a text"),
        ("[kinds.DOG]\npattern = 'x'\npatterns = ['y']\n", "1: [kinds.DOG]: give pattern or"),
        ("[kinds.DOG]\npattern = 'x'\nneeds = 'luck'\n", "3: needs must be one of shape"),
        ("[kinds.DOG]\npattern = 'x'\nneeds = 'cue'\n", "3: [kinds.DOG]: needs = 'cue' needs"),
        ("[kinds.DOG]\npattern = 'x'\nneeds = 'check'\n", "3: [kinds.DOG]: needs = 'check'"),
        ("[kinds.DOG]\npattern = 'x'\ncues = ['#']\n", "3: [kinds.DOG]: cue 1 does not begin"),
        ("[kinds.DOG]\npattern = 'x'\nwords = { nl = 'hond' }\n", "3: [kinds.DOG]: words are"),
        ("[kinds.DOG]\npattern = 'x'\nletter = 'dog'\n", "3: letter must be a capital letter"),
        ("[kinds.DOG]\npattern = 'x'\ncategory = 'PET'\n", "1: [kinds.DOG]: the category is"),
        ("[kinds.DOG]\npattern = 'x'\nfold = 'up'\n", "3: fold must be one of letters, lower"),
        ("[kinds.DOG]\nlist_file = 'no.txt'\n", "2: the file of list_file of [kinds.DOG] cann"),
        ("[recognition]\nalways = 3\n", "2: always of [recognition] must be a table"),
        ("[recognition]\nalways = { PERSN = ['x'] }\n", "2: a list is of an unknown kind; did "
         "you mean PERSON? known: PERSON, "),
        ("[recognition.never]\n\nPERSON = 3\n", "3: never.PERSON of [recognition] must be"),
        ("[recognition.never]\nPERSON = 'no.txt'\n", "2: the file of never.PERSON of [recog"),
        ("[recognition.never]\njansen = []\n", "2: never.KIND of [recognition] is empty"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_line_and_what_to_do(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        _read(tmp_path, text)
    assert str(raised.value).startswith(f"nymlink.toml, line {message}")
    assert "jansen" not in str(raised.value)


def test_one_letter_may_be_that_of_two_kinds(tmp_path: Path) -> None:
    found = _read(tmp_path, "[kinds.DOG]\npattern = 'x'\nletter = 'P'\n").own.all_kinds
    assert found[KindId("DOG")].letter == found[PERSON].letter


def test_kinds_made_in_python_are_refused_alike() -> None:
    with pytest.raises(SettingsError, match=r"^\[kinds.EMAIL\]: a shipped kind has this name"):
        _ = OwnValues((OwnKind(KindId("EMAIL"), ("x",)),)).all_kinds
    with pytest.raises(SettingsError, match=r"^\[kinds.DOG\]: another table has this name"):
        _ = OwnValues((OwnKind(KindId("DOG")), OwnKind(KindId("DOG")))).all_kinds


def test_the_digest_is_that_of_what_is_found_and_written() -> None:
    kind = OwnKind(PROJECT, ("PRJ",), at="nymlink.toml, line 1")
    assert replace(kind, at="other.toml, line 9").digest == kind.digest
    assert replace(kind, at="other.toml, line 9") == kind
    changed = (
        replace(kind, patterns=("PRK",)), replace(kind, cues=("a",)), replace(kind, fold=Fold.LOWER),
        replace(kind, words=(("nl", "X"),)), replace(kind, treatment="mask"),
    )  # fmt: skip
    assert len({kind.digest, *(other.digest for other in changed)}) == len(changed) + 1
    one, other = OwnKind(KindId("DOG")), OwnKind(KindId("CAT"))
    assert OwnValues((one, other)).digest == OwnValues((other, one)).digest != OwnValues((one,)).digest


def test_lists_of_a_command_line(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"{name}\n")
    found = listed_in([(PERSON, tmp_path / "a"), (PERSON, tmp_path / "b")], option="--always")
    assert dict(found) == {PERSON: ("a", "b")}
    with pytest.raises(SettingsError, match=r"^the file of --always PERSON cannot"):
        listed_in([(PERSON, tmp_path / "c")], option="--always")
