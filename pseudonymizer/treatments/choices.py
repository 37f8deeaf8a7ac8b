"""What a user asks for, "id=mask" or a table of settings, as a treatment for each kind."""

from collections.abc import Iterable, Mapping
from typing import Final

from linkage.kinds import KindId, Kinds
from linkage.settings_table import unknown_key
from pseudonymizer.errors import SettingsError
from pseudonymizer.treatments.profiles import ALL, Profiles
from pseudonymizer.treatments.treatment import Treatment

_OF: Final = "treat"


def written_choices(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """(kind or category, treatment) of texts such as "date=shift,id=code", in their order.

    Raises:
        SettingsError: a part is not of the form KIND=TREATMENT.
    """
    found = []
    for text in texts:
        for part in filter(None, (one.strip() for one in text.split(","))):
            name, equals, treatment = (word.strip() for word in part.partition("="))
            if not equals or not name or not treatment:
                raise SettingsError(f"{_OF} takes KIND=TREATMENT, such as date=shift or id=code,phone=mask")
            found.append((name, treatment))
    return tuple(found)


def ordered_choices(choices: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Choices of a table, which has no order: that of all kinds, then those of categories, then of kinds.

    So the narrower choice is the later one, which holds.
    """

    def width(choice: tuple[str, str]) -> int:
        word = _plain(choice[0]).upper()
        return 0 if word == ALL else 1 if word not in Kinds.load() and Kinds.load().in_category(word) else 2

    return tuple(sorted(choices, key=width))


def treatment_named(word: str) -> Treatment:
    """The treatment of a word, in small or capital letters, with hyphens or underscores.

    Raises:
        SettingsError: there is none of this name, or it is one that is refused; the message says why.
    """
    name = _plain(word)
    if (reason := Profiles.load().refused.get(name)) is not None:
        raise SettingsError(f"there is no treatment {name}: {reason}")
    try:
        return Treatment(name)
    except ValueError:
        known = {str(treatment): treatment for treatment in Treatment}
        raise SettingsError(unknown_key(name, known, kind="treatment", of=_OF)) from None


def chosen_treatments(choices: Iterable[tuple[str, str]], kinds: Kinds) -> dict[KindId, Treatment]:
    """The treatment of each kind that is asked for. Of two choices of one kind the later holds.

    choices: kinds, categories or "all", each with a treatment. Names are read in small and capital letters;
    one that is both a kind and a category is the kind.

    Raises:
        SettingsError: a kind or treatment is unknown, or the kind cannot have the treatment.
    """
    found: dict[KindId, Treatment] = {}
    for name, word in choices:
        treatment = treatment_named(word)
        for kind in _kinds_of(name, kinds):
            Profiles.load().check(kind, treatment, of=_OF)
            found.pop(kind, None)
            found[kind] = treatment
    return found


def _kinds_of(name: str, kinds: Kinds) -> tuple[KindId, ...]:
    """The kinds that a name stands for; categories and "all" leave out the fixed ones."""
    word = _plain(name).upper()
    if word in kinds:
        return (KindId(word),)
    several = tuple(kinds) if word == ALL else kinds.in_category(word)
    if not several:
        known: Mapping[str, object] = dict.fromkeys(kind.lower() for kind in kinds)
        told = unknown_key(word.lower(), known, kind="kind", of=_OF)
        near = "" if "did you mean" in told else kinds.question(word)
        raise SettingsError(told.replace("; known:", f"; {near.lower()}known:"))
    return tuple(kind for kind in several if kind not in Profiles.load().fixed)


def _plain(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
