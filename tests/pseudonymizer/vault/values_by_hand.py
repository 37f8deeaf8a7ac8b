"""Values for tests of the vault: where they were met, and how their kinds are labelled."""

from collections.abc import Iterable, Mapping, Sequence

from linkage.records import DocumentId, MentionId
from pseudonymizer.records import Scope, Style
from pseudonymizer.values import AssignedValues, Candidate, MetValue, Value, ValueLabels
from pseudonymizer.vault.values_api import ValuesApi

IBAN = "NL91ABNA0417164300"
BSN = "123456782"
BANK, NATIONAL, MAIL, PHONE, FAX = "BANK_ACCOUNT", "NATIONAL_ID", "EMAIL", "PHONE", "FAX"
WORDS = {BANK: "REKENING", NATIONAL: "BURGERNUMMER", MAIL: "EMAIL", PHONE: "TELEFOON", FAX: "FAX"}
LETTERS = {BANK: "K", NATIONAL: "B", MAIL: "E", PHONE: "F", FAX: "F"}


def met(kind: str, normal: str, surface: str = "", *, doc: str = "d", at: int = 0) -> MetValue:
    """A value that stands at this place of a document."""
    mention_id = MentionId(f"{doc}@{at:09d}-{at + 5:09d}:{kind}")
    return MetValue(mention_id, DocumentId(doc), kind, normal, surface or normal)


def labels(style: Style | None = Style.TOKEN, scope: Scope = Scope.PROJECT) -> dict[str, ValueLabels]:
    """All kinds of these tests in one style."""
    return {
        kind: ValueLabels(style, WORDS[kind], LETTERS[kind], scope, (FAX,) if kind == PHONE else ())
        for kind in WORDS
    }


def assigned(
    vault: ValuesApi, values: Sequence[MetValue], style: Style | None = Style.TOKEN,
    scope: Scope = Scope.PROJECT, **more: object,
) -> AssignedValues:  # fmt: skip
    """The values assigned in project "p"."""
    return vault.assign_values("p", values, labels(style, scope), **more)  # type: ignore[arg-type]


def texts(found: AssignedValues, values: Iterable[MetValue]) -> list[str]:
    """The label of each value."""
    return [found.pseudonyms[one.mention_id].label for one in values]


def offering(by_value: Mapping[Value, Sequence[Sequence[str]]]):  # type: ignore[no-untyped-def]
    """Candidates from a table: by value, the texts of each attempt, which are their own normal forms."""

    def candidates(value: Value, attempt: int) -> list[Candidate]:
        rows = by_value.get(value, ())
        return [Candidate(text, text) for text in rows[attempt]] if attempt < len(rows) else []

    return candidates
