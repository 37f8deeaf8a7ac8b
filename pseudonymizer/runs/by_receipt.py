"""The way back of a text by a receipt: what the caller sent himself, on record."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkage.records import Span
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.formats import ParsedFile
from pseudonymizer.receipts import GivenText
from pseudonymizer.runs.edited import LabelCounts, written
from pseudonymizer.runs.label_names import ByReceipt, sent_names

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class BackByReceipt:
    """A text as it came back. content: None where nothing changes. lost: of an output that came back as it
    was written, how many replacements in it stay; None for an edited text.
    """

    content: bytes | None = field(repr=False)
    labels: LabelCounts
    lost: int | None = None


def restored_by_receipt(
    open_vault: "Callable[[], AbstractContextManager[VaultApi]]",
    source: ByReceipt,
    raw: bytes,
    parsed: ParsedFile,
) -> BackByReceipt:
    """What a receipt gives for a text: place by place where it is an output as it was written, else by its
    labels. parsed: the same text.

    Raises:
        ReceiptInvalidError, AccessRefusedError: on record.
    """
    texts = [part.text for part in parsed.parts]
    digest = digest_sha256((raw,))
    with open_vault() as vault:
        finder = source.finder(vault)
        found = finder.find_all(texts)
        given = source.given(vault, found, [digest])
        if (whole := given.texts.get(digest)) is not None:
            return _undone(parsed, whole)
        origin = source.origin(finder, given)
        found = finder.of_origin(origin).find_all(texts)
        vault.rollback()
    return BackByReceipt(*written(parsed, found, sent_names(given)))


def _undone(parsed: ParsedFile, whole: GivenText) -> BackByReceipt:
    (part,) = parsed.parts  # the receipt tells places of plain text alone
    places = {Span(one.start, one.end): one.original for one in whole.places}
    content = parsed.render({part.part_id: places}).raw
    return BackByReceipt(content, LabelCounts(len(places)), whole.lost)
