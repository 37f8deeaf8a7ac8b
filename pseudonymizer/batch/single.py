"""One text through the pipeline without files: what `-` means on the command line."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from linkage.gazetteer import Gazetteer
from linkage.records import Document, EntityId, KnownIdentity, Mention, MentionId, PersonName, Span
from linkage.review import Judgement
from pseudonymizer import formats
from pseudonymizer.batch.run import BatchSettings
from pseudonymizer.batch.writing import ONE_WAY_FORMAT, output_id
from pseudonymizer.engine.judging import JudgedPlaces
from pseudonymizer.engine.mentions import as_mentions, outside_tokens, part_document_id
from pseudonymizer.engine.records import GivenMention, Pipeline
from pseudonymizer.engine.spelled import spelled_mentions, with_spelled_names
from pseudonymizer.engine.styling import Styling
from pseudonymizer.formats import PartRole
from pseudonymizer.name_pool import ShippedLists
from pseudonymizer.professionals import professionals
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.rewriting import labels_in
from pseudonymizer.surrogates import LABEL_LIKE

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault


def pseudonymize_text(
    raw: bytes,
    settings: BatchSettings,
    *,
    load: Callable[[], Pipeline],
    open_vault: Callable[[], "AbstractContextManager[Vault]"],
    registered: Sequence[KnownIdentity] = (),
    given: Sequence[GivenMention] | None = None,
    judgements: Sequence[Judgement] = (),
    lists: Callable[[], ShippedLists] = Gazetteer.load,
) -> bytes:
    """The text with pseudonyms; its way back is in the vault before it is returned.

    Raises:
        DocumentError: the bytes are no text, or in an encoding that cannot be told.
    """
    from pseudonymizer.assignment import literal_label

    parsed = formats.read(raw, name="text.txt")
    project = settings.project
    pipeline = load()
    with open_vault() as vault:
        vault.ensure_project(project)
        vault.commit()
        styles = settings.styles or vault.project_settings(project).styles
        styling = Styling(styles, scope=settings.scope, deterministic=settings.deterministic, lists=lists)
        # Its bytes name it: the same text again is the same document.
        doc_id = vault.document_id(project, f"\0text {hashlib.sha256(raw).hexdigest()}")
        prose = [part for part in parsed.parts if part.role is PartRole.PROSE]
        documents = [Document(part_document_id(doc_id, part.part_id), part.text) for part in prose]
        looks = [labels_in(document.text, LABEL_LIKE) for document in documents]
        if given is None:
            found: Sequence[Sequence[Mention]] = pipeline.detect(documents)
        else:
            found = [as_mentions(document, given) for document in documents]
        cleaned = [outside_tokens(*three) for three in zip(documents, found, looks, strict=True)]
        spelled: dict[MentionId, PersonName] = {}
        if given is None:
            for number, (document, look) in enumerate(zip(documents, looks, strict=True)):
                taken = [*look, *(mention.span for mention in cleaned[number])]
                more, names = spelled_mentions(document, pipeline.gazetteer, taken=taken)
                cleaned[number] = sorted([*cleaned[number], *more], key=lambda m: m.span)
                spelled |= names
        mentions = with_spelled_names(pipeline.normalize(documents, cleaned), spelled)
        judged = JudgedPlaces(judgements)
        judged.note("-", mentions)
        mentions = list(judged.with_judgements(mentions))
        result = vault.linked(
            project, mentions, linker=lambda: pipeline.linker, registered=registered,
            judgements=judged.judgements(),
        )  # fmt: skip
        texts = dict.fromkeys(
            span.cut(document.text) for document, look in zip(documents, looks, strict=True) for span in look
        )
        foreign = styling.foreign_looks(vault, project, texts)
        styled = styling.styled(vault, project, result, avoid_tags=foreign, registered=registered)
        labels: dict[str, dict[Span, str]] = {}
        owners: dict[tuple[str, Span], EntityId] = {}
        for part, document, look in zip(prose, documents, looks, strict=True):
            mine = labels[part.part_id] = {}
            found_here = result.mentions_in(document)
            acting = professionals(document.text, [m.span for m in found_here])
            readable = styled.readable(m.mention_id for m in found_here if m.span in acting)
            for mention in found_here:
                one = styled.written(mention.mention_id, readable)
                if one.text is not None:
                    mine[mention.span] = one.text
                    owners[part.part_id, mention.span] = one.entity_id
            for span in look:
                if (text := span.cut(part.text)) in foreign:
                    literal = literal_label(vault, project, text)
                    mine[span] = literal.label
                    owners[part.part_id, span] = literal.entity_id
        rendered = parsed.render(labels)
        edits = tuple(
            RewriteEdit(
                ordinal, edit.location, edit.start, edit.end, edit.original,
                owners.get(edit.owner) if edit.owner else None,
            )
            for ordinal, edit in enumerate(rendered.edits)
        )  # fmt: skip
        if edits:  # else it stays as it is: perhaps it is an output, whose way back must stay
            stored_as = output_id(vault, project, "-", rendered.raw)
            rewrite = Rewrite(stored_as, parsed.format_name, edits)
            if styles.is_one_way:
                rewrite = Rewrite(stored_as, ONE_WAY_FORMAT, ())
            vault.store_rewrite(project, rewrite, output=rendered.raw)
        vault.commit()
    return rendered.raw
