"""What an erasure cannot reach, in words for its receipt; never a name."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from pseudonymizer.errors import VaultError
from pseudonymizer.records import EntityKind
from pseudonymizer.vault.rows.entities import marks
from pseudonymizer.vault.store.copies import copies_beside
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.keyrows import KeyRows
from pseudonymizer.vault.store.stores import StoreAddress, in_chunks


def always_remains(labels: Collection[str]) -> Iterator[str]:
    yield f"texts that were rewritten carry {len(labels)} pseudonyms that nothing stands behind any more"
    yield "backups and copies of the stores made before are the operator's to destroy, the key store's first"
    yield (
        "output folders of versions before 0.2 hold the paths of inputs, which may name people, sealed under "
        "a key of the project, until the next run into them or until their .nymlink is deleted"
    )


def unowned_edits(vault: VaultCore, numbers: Sequence[int]) -> dict[int, int]:
    """Edits that no person owns, by document, in documents that have edits of these people."""
    found: dict[int, int] = {}
    for chunk in in_chunks(numbers):
        found.update(
            vault.store.rows(
                "SELECT document_id, count(*) FROM edit WHERE entity_id = 0 AND document_id IN "  # noqa: S608
                f"(SELECT document_id FROM edit WHERE entity_id IN ({marks(chunk)})) "
                "GROUP BY document_id",
                tuple(chunk),
            )
        )
    return dict(sorted(found.items()))


def told(unowned: Mapping[int, int]) -> Iterator[str]:
    """What was sealed for the document and not for a person, such as a number, may still tell of him."""
    for document_id, count in unowned.items():
        yield (
            f"document {document_id}: {count} edits that no person owns are sealed under the document's own "
            "key and stay; store the document anew without them if they tell of the erased"
        )


def edits_of_values(vault: VaultCore, numbers: Sequence[int]) -> dict[int, int]:
    """Edits of other values than these, by document, in documents that have edits of these entities."""
    found: Counter[int] = Counter()
    erased = frozenset(numbers)
    documents_of: set[int] = set()
    for chunk in in_chunks(numbers):
        documents_of.update(
            number
            for (number,) in vault.store.rows(
                f"SELECT DISTINCT document_id FROM edit WHERE entity_id IN ({marks(chunk)})",  # noqa: S608
                tuple(chunk),
            )
        )
    for chunk in in_chunks(sorted(documents_of)):
        rows = vault.store.rows(
            "SELECT d.document_id, d.entity_id, count(*) FROM edit d JOIN entity e "  # noqa: S608
            f"ON e.entity_id = d.entity_id WHERE e.kind = ? AND d.document_id IN ({marks(chunk)}) "
            "GROUP BY d.document_id, d.entity_id",
            (int(EntityKind.VALUE), *chunk),
        )
        for document_id, owner, count in rows:
            if owner not in erased:
                found[document_id] += count
    return dict(sorted(found.items()))


def told_of_values(of_values: Mapping[int, int]) -> Iterator[str]:
    for document_id, count in of_values.items():
        yield (
            f"document {document_id}: {count} edits of values such as numbers and addresses are sealed under "
            "keys of these values and stay; erase those that tell of the erased by value"
        )


def copies(address: StoreAddress) -> Iterator[str]:
    """Copies of the vault that hold rows of the erased. Nothing is raised: the erasure is done by then."""
    try:
        found = copies_beside(address)
    except VaultError:
        yield (
            "the folder of the vault cannot be read: copies that `nymlink vault migrate` made there "
            "may hold sealed rows of the erased; look for them and delete them"
        )
        return
    for copy in found:
        yield (
            f"{copy.name} beside the vault is a copy of it that `nymlink vault migrate` made, with sealed "
            "rows of the erased: a backup of the key store made before opens them; delete the copy"
        )


def altered_keys(rows: KeyRows) -> list[str]:
    """That a key may be left, where rows of the key store are not those that were written: a key that stands
    under another number was not found, and not destroyed.
    """
    _, found = rows.findings()
    return ["rows of the key store were altered, and a key may be left there: `nymlink vault verify`"] * bool(
        found
    )
