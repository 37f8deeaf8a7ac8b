"""Values as a person types them, to be looked up or erased: what each may be in the vault.

Typed is a kind and a text, in any spelling that the patterns of the kind read, or that a text had.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from linkage.detection import find_values
from linkage.detection.patterns import folded
from linkage.kinds import Fold, Kinds
from linkage.language import Language
from linkage.language_contents import installed_languages
from linkage.meant import question
from linkage.records import PersonName
from linkage.texts import PERSON, KindId
from pseudonymizer.errors import SettingsError, UnknownPseudonymError
from pseudonymizer.records import ErasureReceipt, LookupResult
from pseudonymizer.values import ToErase, Value

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_NEARLY = 0.85  # likeness from which a word is a shipped kind written wrongly, and no kind of the user's


def kind_named(name: str) -> KindId:
    """The kind of values of this name, in capitals or small letters; kinds of the user's, too.

    Raises:
        SettingsError: it is no name of a kind, or nearly that of a shipped one, or persons are meant.
    """
    kind = KindId(name.strip().upper().replace("-", "_"))
    if not kind.replace("_", "").isalnum() or kind == PERSON:
        raise SettingsError("give a kind of values, such as BANK_ACCOUNT; persons are looked up by name")
    known = Kinds.load()
    if kind not in known and (near := question(kind, known, least=_NEARLY)):
        raise SettingsError(f"there is no such kind of values; {near}`nymlink kinds` shows all")
    return kind


def readings(kind: KindId, text: str) -> tuple[Value, ...]:
    """What a text may be: the normal form that the patterns of the kind give the whole text, then the text
    itself. Of a kind that is not shipped: what each way of folding gives.
    """
    typed = text.strip()
    found: dict[Value, None] = {}
    if kind not in Kinds.load():
        found.update((Value(kind, folded(typed, fold)), None) for fold in Fold)
    else:
        for language in map(Language.load, installed_languages()):
            for one in find_values(typed, language, kinds={kind}, column=kind):
                if len(one.span) == len(typed):
                    found[Value(kind, one.normal)] = None
    found[Value(kind, typed)] = None
    return tuple(found)


def lookup_typed(
    vault: "VaultApi", project: str, typed: tuple[str, str | PersonName], *, purpose: str, ticket: str = ""
) -> LookupResult:
    """The pseudonyms and documents of the first reading that the vault has, or else of the last. Each that is
    tried is on record, without the value.

    Raises:
        SettingsError: it is no kind of values, or no text.
    """
    name, text = typed
    if not isinstance(text, str):
        raise SettingsError("a value is looked up by its text, not by the parts of a name")
    for value in readings(kind_named(name), text):
        found = vault.lookup_value(project=project, value=value, purpose=purpose, ticket=ticket)
        if found.pseudonyms or found.documents:
            break
    return found


def typed_to_erase(typed: tuple[str, str]) -> ToErase:
    """What a value that a person types may be, for the plan of an erasure."""
    return ToErase(values=readings(kind_named(typed[0]), typed[1]))


def erase_typed(
    vault: "VaultApi", project: str, typed: tuple[str, str], *, purpose: str, ticket: str = ""
) -> ErasureReceipt:
    """The receipt of erasing the first reading that the vault has. Each that is tried is on record, without
    the value.

    Raises:
        UnknownPseudonymError: it has none of them.
    """
    *likely, last = readings(kind_named(typed[0]), typed[1])
    for value in likely:
        with suppress(UnknownPseudonymError):
            return vault.erase_values(project=project, values=[value], purpose=purpose, ticket=ticket)
    return vault.erase_values(project=project, values=[last], purpose=purpose, ticket=ticket)
