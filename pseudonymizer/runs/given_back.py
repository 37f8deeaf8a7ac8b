"""The way back by a receipt: what the caller sent himself, in a text as it was written or an edited one."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from linkage.records import Span
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.engine.notation import Notation
from pseudonymizer.engine.pasted import LabelFinder
from pseudonymizer.receipts import GivenName, GivenText
from pseudonymizer.runs.edited import LabelCounts, name_places
from pseudonymizer.runs.restore import BY_LABELS, EXACT, IN_PART, UNTOUCHED, RestoredText

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_ENCODING: Final = "utf-8"


@dataclass(frozen=True, slots=True)
class GivingBack:
    """A receipt of a project, as it is used. purpose and ticket are on record where they are given."""

    vault: "VaultApi"
    project: str
    receipt: str = field(repr=False)
    purpose: str = ""
    ticket: str = ""

    def text(self, text: str) -> RestoredText:
        """The text with what the caller had sent. Labels of other requests stay, and are listed.

        Raises:
            ReceiptInvalidError, AccessRefusedError: on record.
        """
        raw = text.encode(_ENCODING, "surrogatepass")
        output = digest_sha256((raw,))
        with self.vault.lock:
            (found,) = LabelFinder(self.vault, self.project).find_all([text])
            self.vault.rollback()
            labels = {one.label for one in found.labels} | {one.label for one in found.addresses}
            given = self.vault.give_back(
                project=self.project, receipt=self.receipt, labels=sorted(labels), outputs=[output],
                purpose=self.purpose, ticket=self.ticket,
            )  # fmt: skip
        if (whole := given.texts.get(output)) is not None:
            how = IN_PART if whole.lost else EXACT
            return RestoredText(
                how, _undone(text, whole).encode(_ENCODING, "surrogatepass"), one_way=whole.lost
            )
        forms = {label: name for label, one in given.names.items() if (name := _fullest(one)) is not None}
        addresses = {label: one.addresses for label, one in given.names.items()}
        places, left = name_places(found, forms, addresses, Notation(text))
        counts = LabelCounts(len(places), Counter((one.label, one.state) for one in (*found.left, *left)))
        if not places:
            return RestoredText(UNTOUCHED, raw, labels=counts)
        return RestoredText(
            BY_LABELS, _replaced(text, places).encode(_ENCODING, "surrogatepass"), labels=counts
        )


def _fullest(given: GivenName) -> str | None:
    """The longest form that was sent, the first of several; None where only addresses were."""
    return max(given.forms, key=len, default=None)


def _undone(text: str, given: GivenText) -> str:
    return _replaced(text, {Span(one.start, one.end): one.original for one in given.places})


def _replaced(text: str, places: dict[Span, str]) -> str:
    pieces: list[str] = []
    read_to = 0
    for span in sorted(places):
        pieces += [text[read_to : span.start], places[span]]
        read_to = span.end
    return "".join([*pieces, text[read_to:]])
