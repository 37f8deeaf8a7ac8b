"""The ways back of a project: from texts, files and pseudonyms to names, on record."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from linkage.records import PersonName
from pseudonymizer.answering import sent_texts
from pseudonymizer.answers import PseudonymizedTexts
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.errors import SettingsError, VaultClosedError
from pseudonymizer.inputs import TextInputs
from pseudonymizer.project_options import ProjectOptions
from pseudonymizer.records import HowToRestore, ListedPerson, LookupResult, RevealedName

if TYPE_CHECKING:
    from pseudonymizer.runs.restore import Restoration, RestoredText, RestoreReport
    from pseudonymizer.runs.restoring_stream import RestoringStream, StreamNotation
    from pseudonymizer.vault.api import VaultApi


class WaysBack:
    """What a Project gives back of its texts and names; a part of pseudonymizer.project."""

    def __init__(self, vault: "VaultApi | None", name: str, options: ProjectOptions) -> None:
        self._vault = vault
        self.name = name
        self.options = options

    @property
    def vault(self) -> "VaultApi":
        """The vault of the project.

        Raises:
            VaultClosedError: the project has none.
        """
        if self._vault is None:
            raise VaultClosedError("this project has no vault; open it with one: Project.open(vault, name)")
        return self._vault

    @contextmanager
    def _borrowed_vault(self) -> "Iterator[VaultApi]":
        """The vault for one piece of work. Work that is not committed at the end is rolled back."""
        try:
            yield self.vault
        finally:
            self.vault.rollback()

    def receipt(self, inputs: TextInputs, answer: PseudonymizedTexts) -> str:
        """Text with which the same actor, for 24 hours, gets back by `restore_text` what he sent here.

        inputs, answer: those of `pseudonymize`. The vault keeps nothing of it; see docs/reference/vault.md.

        Raises:
            AccessRefusedError: the actor may not pseudonymize; on record.
            SettingsError: the answer is to other inputs.
        """
        with self._borrowed_vault() as vault:
            return vault.receipt(self.name, sent_texts(inputs, answer))

    def restore(
        self, text: str | bytes, *, purpose: str, ticket: str = "", grant: str | None = None
    ) -> bytes:
        """The original of a pseudonymized text. The request is on record.

        A text that was not edited comes back byte for byte; in an edited one each label gives way to a name.
        `restore_text` also tells which labels were left.

        Raises:
            AccessRefusedError, PurposeRequiredError: the actor may not restore; on record.
        """
        return self.restore_text(text, purpose=purpose, ticket=ticket, grant=grant).content

    def restore_text(
        self,
        text: str | bytes,
        *,
        purpose: str = "",
        ticket: str = "",
        grant: str | None = None,
        made_from: Sequence[bytes] = (),
        is_confirmed: bool = False,
        receipt: str | None = None,
    ) -> "RestoredText":
        """The original of a pseudonymized text, and which labels of it were restored and left; see restore.

        made_from: outputs of the project, as they were written, from which an edited text was made: invented
        names come back for the people of these alone. is_confirmed: the text is of this project, so its tags
        come back though another project of the vault has issued the same ones. receipt: of `receipt`; then
        what the same actor sent himself comes back, without a right to restore, and nothing else; a purpose
        is not needed.

        Raises:
            AccessRefusedError, PurposeRequiredError: the actor may not restore; on record.
            ReceiptInvalidError: the receipt is expired, of somebody else, or none; on record.
            BatchError: an output of made_from is none of this project.
            SettingsError: a receipt and a grant, or outputs, were given.
        """
        if receipt is not None and (grant is not None or made_from):
            raise SettingsError("a receipt works alone: leave out the grant and the outputs")
        raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        restoration = self._restoration(purpose, ticket, grant)
        asked = replace(restoration, made_from=made_from, is_confirmed=is_confirmed, receipt=receipt)
        return asked.restored_text(raw)

    def restore_stream(
        self,
        *,
        purpose: str = "",
        ticket: str = "",
        made_from: Sequence[bytes] = (),
        is_confirmed: bool = False,
        receipt: str | None = None,
        notation: "StreamNotation | str" = "text",
    ) -> "RestoringStream":
        """What restores a text that comes in pieces, by its labels: see runs.restoring_stream.

        notation: what the text is, so that names are written as it needs: text, json or html. The other
        arguments are those of restore_text; a grant is for whole texts.

        Raises:
            SettingsError: a receipt and outputs were given, or there is no such notation.
        """
        from pseudonymizer.runs.label_names import ByPurpose, ByReceipt
        from pseudonymizer.runs.restoring_stream import RestoringStream, stream_notation

        if receipt is not None and made_from:
            raise SettingsError("a receipt works alone: leave out the outputs")
        source = (
            ByPurpose(self.name, purpose, ticket, made_from, is_confirmed=is_confirmed)
            if receipt is None
            else ByReceipt(self.name, receipt, purpose, ticket)
        )
        return RestoringStream(self._borrowed_vault, source, stream_notation(notation))

    def restore_files(
        self,
        files: Sequence[SourceFile],
        output: Path,
        *,
        purpose: str,
        ticket: str = "",
        grant: str | None = None,
        progress: Progress | None = None,
        how: HowToRestore | None = None,
    ) -> "RestoreReport":
        """The report of restoring files, whose originals are written below output; on record, see
        restore_text.
        """
        asked = how or HowToRestore()
        restoration = replace(
            self._restoration(purpose, ticket, grant),
            made_from=asked.made_from, is_confirmed=asked.is_confirmed, mode=asked.mode,
        )  # fmt: skip
        return restoration.files(files, output, progress=progress)

    def give_back(self, text: str, receipt: str, *, purpose: str = "", ticket: str = "") -> "RestoredText":
        """The text with the names that this actor sent himself, as he sent them; on record.

        Labels of other requests stay, and are listed.

        Raises:
            ReceiptInvalidError: the receipt is none of this actor in this project, or its time is over.
        """
        return self.restore_text(text, receipt=receipt, purpose=purpose, ticket=ticket)

    def reveal(
        self, pseudonyms: Sequence[str], *, purpose: str, ticket: str = "", grant: str | None = None
    ) -> Mapping[str, RevealedName]:
        """The names behind pseudonyms, all or none. The request is on record."""
        from pseudonymizer.reidentification import reveal

        return reveal(
            self.vault, project=self.name, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket, grant=grant
        )

    def lookup(
        self, name: PersonName | str, *, purpose: str, ticket: str = "", kind: str | None = None
    ) -> LookupResult:
        """The pseudonyms and documents of a name, and of people with other names who may be meant. The
        request is on record, without the name.

        kind: of a value of another kind than persons, such as BANK_ACCOUNT; name then is its text.
        """
        from pseudonymizer.reidentification import lookup
        from pseudonymizer.typed_values import lookup_typed

        if kind is not None:
            return lookup_typed(self.vault, self.name, (kind, name), purpose=purpose, ticket=ticket)
        return lookup(
            self.vault, project=self.name, name=name, purpose=purpose, ticket=ticket, judge=self._judged
        )

    def people(self, *, purpose: str, ticket: str = "", most: int | None = None) -> tuple[ListedPerson, ...]:
        """The people of the project with their pseudonyms and counts, those with most labels in outputs
        first; at most so many. The request is on record.

        Raises:
            AccessRefusedError, PurposeRequiredError: the actor may not see names; on record.
        """
        return self.vault.listed_people(self.name, purpose=purpose, ticket=ticket, most=most)

    def _judged(self, name: str, others: Sequence[str]) -> Sequence[float]:
        """The probability of each of the others that it is the same person's name, by the linker of the
        pipeline that was given, else by the shipped one, which needs no network.
        """
        from pseudonymizer.engine.loading import judge_of, load_linker
        from pseudonymizer.engine.records import ComparingLinker

        load = self.options.load
        linker = load_linker(self.options.settings) if load is None else load().linker
        return judge_of(linker)(name, others) if isinstance(linker, ComparingLinker) else [0.0] * len(others)

    def _restoration(self, purpose: str, ticket: str, grant: str | None) -> "Restoration":
        from pseudonymizer.runs.restore import Restoration

        return Restoration(self._borrowed_vault, self.name, purpose, ticket, self.options.formats, grant)
