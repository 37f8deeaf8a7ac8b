"""What stands behind the labels of a text: as the vault knows it, for a purpose, or as a receipt has it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from linkage.kinds import PERSON
from linkage.names.shipped import parse_by_shipped_lists
from linkage.records import EntityId
from pseudonymizer.engine.pasted import LabelFinder, ReadText, TextOrigin
from pseudonymizer.errors import BatchError
from pseudonymizer.receipts import GivenBack, GivenName
from pseudonymizer.records import LabelState
from pseudonymizer.vault.rows.forms import SurfaceForm, fullest

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class Names:
    """Names and values, and e-mail addresses of people, by label."""

    forms: Mapping[str, str] = field(default_factory=dict, repr=False)
    addresses: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)


class NameSource(Protocol):
    """Says where labels stand in texts, and what is behind them. What it gives is on record by then."""

    @property
    def project(self) -> str: ...

    def finder(self, vault: "VaultApi") -> LabelFinder:
        """What finds the labels of the project; nothing of the vault stays open."""
        ...

    def fresh(self, read: ReadText, asked: set[tuple[str, str]]) -> ReadText:
        """What of a text has to be asked for, beside what was asked already; asked then has it."""
        ...

    def behind(
        self, vault: "VaultApi", finder: LabelFinder, texts: Sequence[ReadText]
    ) -> tuple[Names, TextOrigin | None]:
        """What is behind the labels that were found; and where the texts come from, if that is known better
        now than the finder knows it.
        """
        ...


@dataclass(frozen=True, slots=True)
class ByPurpose:
    """What the vault knows, for who may restore. made_from: the bytes of outputs from which the texts were
    made. is_confirmed: the user says that the texts are of this project. with_grant: the request works with a
    grant, which covers no edited text.
    """

    project: str
    purpose: str
    ticket: str = ""
    made_from: Sequence[bytes] = ()
    is_confirmed: bool = False
    with_grant: bool = False

    def finder(self, vault: "VaultApi") -> LabelFinder:
        """Raises BatchError: a file of made_from is no output of the project as it was written."""
        made = LabelFinder(vault, self.project, self._origin(vault))
        vault.rollback()
        return made

    def fresh(self, read: ReadText, asked: set[tuple[str, str]]) -> ReadText:
        """Labels and addresses of which nothing was asked yet: each is a question of its own."""
        labels = tuple(one for one in read.labels if ("name", one.label) not in asked)
        addresses = tuple(one for one in read.addresses if ("address", one.label) not in asked)
        asked.update(("name", one.label) for one in labels)
        asked.update(("address", one.label) for one in addresses)
        return ReadText(labels, addresses)

    def behind(
        self, vault: "VaultApi", finder: LabelFinder, texts: Sequence[ReadText]
    ) -> tuple[Names, TextOrigin | None]:
        """The fullest name that the vault knows, and the addresses."""
        from pseudonymizer.reidentification import stored_addresses, stored_forms

        del finder
        labels = sorted({one.label for read in texts for one in read.labels})
        followed = sorted({one.label for read in texts for one in read.addresses})
        asked = {"project": self.project, "purpose": self.purpose, "ticket": self.ticket}
        if self.with_grant:
            return Names(), None
        vault.rollback()
        addresses = stored_addresses(vault, labels=followed, **asked) if followed else {}
        return Names(stored_forms(vault, labels=labels, **asked) if labels else {}, addresses), None

    def _origin(self, vault: "VaultApi") -> TextOrigin:
        from pseudonymizer.reidentification import restore

        if not self.made_from:
            return TextOrigin(self.is_confirmed)
        rewrites = restore(
            vault, project=self.project, outputs=list(self.made_from), purpose=self.purpose,
            ticket=self.ticket,
        )  # fmt: skip
        persons: set[EntityId] = set()
        for number, rewrite in enumerate(rewrites, start=1):
            if rewrite is None:
                raise BatchError(
                    f"the text cannot have been made from output {number}: the project has no output with "
                    "these bytes; give the output as the run wrote it"
                )
            persons.update(edit.entity_id for edit in rewrite.edits if edit.entity_id is not None)
        return TextOrigin(self.is_confirmed, frozenset(persons))


@dataclass(frozen=True, slots=True)
class ByReceipt:
    """What the caller sent himself. purpose, ticket: stand on record where they are given."""

    project: str
    receipt: str = field(repr=False)
    purpose: str = ""
    ticket: str = ""

    def finder(self, vault: "VaultApi") -> LabelFinder:
        """Tags count though other projects have issued the same ones: the receipt tells whose they are."""
        made = LabelFinder(vault, self.project, TextOrigin(is_confirmed=True))
        vault.rollback()
        return made

    def fresh(self, read: ReadText, asked: set[tuple[str, str]]) -> ReadText:
        """Whatever has a label that was not asked for yet."""
        known = {label for _, label in asked}
        found = ReadText(
            tuple(one for one in read.labels if one.label not in known),
            tuple(one for one in read.addresses if one.label not in known),
            tuple(one for one in read.left if one.label not in known),
        )
        asked.update(("", label) for label in issued_labels([found]))
        return found

    def behind(
        self, vault: "VaultApi", finder: LabelFinder, texts: Sequence[ReadText]
    ) -> tuple[Names, TextOrigin | None]:
        """The fullest form that was sent. Invented names count for the people of the receipt."""
        given = self.given(vault, texts)
        return sent_names(given), self.origin(finder, given)

    @staticmethod
    def origin(finder: LabelFinder, given: GivenBack) -> TextOrigin:
        """What is known of a text whose labels the finder found: it is about the people of the receipt."""
        return TextOrigin(is_confirmed=True, persons=finder.persons_of(given.names))

    def given(self, vault: "VaultApi", texts: Sequence[ReadText], outputs: Sequence[bytes] = ()) -> GivenBack:
        """What the receipt gives for the labels in these texts.

        Raises:
            ReceiptInvalidError, AccessRefusedError: on record.
        """
        vault.rollback()
        return vault.give_back(
            project=self.project, receipt=self.receipt, labels=issued_labels(texts), outputs=outputs,
            purpose=self.purpose, ticket=self.ticket,
        )  # fmt: skip


def issued_labels(texts: Iterable[ReadText]) -> list[str]:
    """The labels of the project that stand in texts, also those in a form that leaves doubt."""
    found = set[str]()
    for read in texts:
        found.update(one.label for one in read.labels)
        found.update(one.label for one in read.addresses)
        found.update(one.label for one in read.left if one.state in (LabelState.ISSUED, LabelState.SHARED))
    return sorted(found)


def sent_names(given: GivenBack) -> Names:
    """What a receipt gave, as one text a label: of a name the fullest form that was sent."""
    forms = {label: _fullest(one) for label, one in given.names.items() if one.forms}
    addresses = {label: one.addresses for label, one in given.names.items() if one.addresses}
    return Names(forms, addresses)


def _fullest(given: GivenName) -> str:
    if given.kind != PERSON or len(given.forms) == 1:
        return given.forms[0]
    best = fullest(SurfaceForm(form, parse_by_shipped_lists(form)) for form in given.forms)
    return given.forms[0] if best is None else best.surface
