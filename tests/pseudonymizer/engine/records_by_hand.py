"""Records of the engine made by hand, and a vault that keeps nothing. All names are invented."""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from linkage.kinds import LITERAL
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    EntityId,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
    ValueMention,
)
from pseudonymizer.engine.records import PartFound, SourceFound
from pseudonymizer.records import LabelState, Pseudonym, ReadLabel, Scope, Style
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.styles.code import code_of
from pseudonymizer.styles.labels import TokenMaker, TokenReader
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.rows.read_labels import code_in
from tests.fakes import simple_name, span_of

MAKER = TokenMaker(b"k" * 32, version=1)
FOREIGN_MAKER = TokenMaker(b"f" * 32, version=1)


def token(number: int, maker: TokenMaker = MAKER) -> str:
    """A token of the project of StoringNothing, or of another maker."""
    return maker.derive("", str(number).encode())


def mention(
    doc_id: str, text: str, surface: str, number: int = 0, name: PersonName | None = None
) -> NormalizedMention:
    """The mention of surface in a text; number counts equal ones from 0."""
    document = Document(DocumentId(doc_id), text)
    span = span_of(text, surface, number)
    found = Mention.at(document, span, detector=Detector.NER, confidence=1.0)
    return NormalizedMention(found, name or simple_name(surface))


def part_found(
    text: str,
    mentions: Sequence[NormalizedMention] = (),
    *,
    part_id: str = "",
    key: str | None = None,
    looks: Sequence[Span] = (),
) -> PartFound:
    document = Document(DocumentId("looks"), text)
    values = tuple(
        ValueMention(
            Mention.at(document, span, detector=Detector.PATTERN, confidence=1.0, kind=LITERAL),
            span.cut(text),
        )
        for span in looks
    )
    return PartFound(part_id, key, len(text), tuple(mentions), values)


def source_found(doc_id: str, parts: Iterable[PartFound], digest: bytes = b"") -> SourceFound:
    raw = digest or doc_id.encode()
    return SourceFound(DocumentId(doc_id), raw, 1, "txt", tuple(parts), {}, {}, 0.0)


class StoringNothing:
    """A project's keys without any rows: ids of documents, tokens, labels that the test gives it."""

    def __init__(
        self,
        labels: Mapping[Style, Sequence[str]] | None = None,
        outputs: Collection[bytes] = (),
    ) -> None:
        self.labels = labels or {}
        self.outputs = set(outputs)
        self.asked: list[Collection[bytes]] = []
        self.literals: dict[str, Pseudonym] = {}
        self.rolled_back = 0
        self.shared: set[str] = set()

    def as_vault(self) -> VaultApi:
        return cast("VaultApi", self)

    def document_id(self, project: str, relative_path: str) -> DocumentId:
        text = f"{project}\0{relative_path}".encode("utf-8", "surrogatepass")
        return DocumentId("d" + hmac.digest(b"key", text, "sha256").hex())

    def tokens(self, project: str) -> TokenReader:
        del project
        return TokenReader({1: MAKER})

    def stored_value_labels(self, project: str, style: Style) -> tuple[str, ...]:  # noqa: ARG002  the interface
        return ()

    def stored_labels(self, project: str, style: Style) -> tuple[str, ...]:
        del project
        return tuple(self.labels.get(style, ()))

    def project_settings(self, project: str) -> ProjectSettings:
        del project
        return ProjectSettings()

    def read_labels(self, project: str, texts: Sequence[str]) -> tuple[ReadLabel, ...]:
        """Each stored label is issued to a person of its own, "vault:N"; those in shared to two."""
        stored = [label for labels in self.labels.values() for label in labels]
        tokens = self.tokens(project)
        by_code = {code: label for label in stored if (code := code_of(label)) is not None}

        def read(text: str) -> ReadLabel:
            label = text if text in stored else by_code.get(code_in(text) or "", "")
            if label:
                state = LabelState.SHARED if label in self.shared else LabelState.ISSUED
                return ReadLabel(state, label, EntityId(f"vault:{stored.index(label)}"))
            is_right = text.startswith("<") or tokens.is_valid(text)
            return ReadLabel(LabelState.UNKNOWN if is_right else LabelState.MALFORMED)

        return tuple(read(text) for text in texts)

    def outputs_among(self, project: str, digests: Collection[bytes]) -> set[bytes]:
        del project
        self.asked.append(digests)
        return self.outputs & set(digests)

    def literal_label(self, project: str, text: str) -> Pseudonym:
        entity = EntityId(f"e{1_000 + len(self.literals)}")
        made = Pseudonym(token(1_000 + len(self.literals)), entity, project, Scope.PROJECT)
        return self.literals.setdefault(text, made)

    def rollback(self) -> None:
        self.rolled_back += 1
