"""No pseudonym is given twice: what is asked before one is drawn, and what is kept once it is.

The vault knows its living pseudonyms and the erased ones. An older copy of the vault does not know those
given since, so the key store keeps the highest number of tags and of codes, and keyed hashes of the words of
surrogates and of the values that were invented as surrogates. Tokens need none: 80 random bits do not come
again.
"""

from collections.abc import Collection, Iterator, Sequence

from pseudonymizer.records import Style
from pseudonymizer.schema import given_word
from pseudonymizer.styles.code import code_of
from pseudonymizer.styles.labels import TAG_LIKE, TOKEN_LIKE, tag_number
from pseudonymizer.styles.surrogate import label_words
from pseudonymizer.values import Value
from pseudonymizer.vault.rows.entities import erased_labels, marks, pseudonym_rows
from pseudonymizer.vault.rows.published_codes import codes_among, note_codes
from pseudonymizer.vault.rows.styled import labels_of_style
from pseudonymizer.vault.rows.tombstones import erased_of
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.counters import Counted
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks


def erased_of_style(vault: VaultCore, keys: ProjectKeys, style: Style) -> Iterator[str]:
    """The labels of erased people that look as this style makes them: a tombstone does not name its style."""
    return (label for label in erased_of(vault, keys) if _style_of(label) is style)


def labels_ever(vault: VaultCore, keys: ProjectKeys, style: Style) -> Iterator[str]:
    """The pseudonyms of a style that the vault knows: those of living people, then those of erased ones."""
    yield from (label for label, _ in labels_of_style(vault, keys, style))
    yield from erased_of_style(vault, keys, style)


def highest_tag(vault: VaultCore, keys: ProjectKeys) -> int:
    """The highest number of a tag that the key store knows of. Needs begin_keys, as all below."""
    return vault.counters.value(keys.name, Counted.TAG)


def given_words(vault: VaultCore, keys: ProjectKeys, words: Collection[str]) -> set[str]:
    """The folded words that were in a surrogate of the project, as far as the key store knows."""
    tags = {_word_tag(vault, keys, word): word for word in words}
    return {tags[tag] for tag in _stored(vault, tags)}


def given_among(vault: VaultCore, keys: ProjectKeys, labels: Collection[str]) -> set[str]:
    """The labels that stand, or stood, for a person of the project already."""
    wanted = sorted(labels)
    found = {one.label for one in pseudonym_rows(vault, keys, "label", wanted)}
    found |= erased_labels(vault, keys, wanted)
    tags = [label for label in wanted if TAG_LIKE.fullmatch(label)]
    highest = highest_tag(vault, keys) if tags else 0
    codes = {label: code for label in wanted if (code := code_of(label)) is not None}
    found |= codes_among(vault, keys, codes) if codes else set()
    return found | {label for label in tags if tag_number(label) <= highest}


def invented_among(vault: VaultCore, keys: ProjectKeys, invented: Collection[Value]) -> set[Value]:
    """The values that were invented as a surrogate of the project, as far as the key store knows."""
    tags = {_word_tag(vault, keys, _written(value)): value for value in invented}
    return {tags[tag] for tag in _stored(vault, tags)}


def note_invented(vault: VaultCore, keys: ProjectKeys, invented: Collection[Value]) -> None:
    """Keep in the key store which values were invented, whatever they are called in the vault."""
    tags = {_word_tag(vault, keys, _written(value)) for value in invented}
    vault.keystore.rows.insert(given_word, [(tag,) for tag in sorted(tags - _stored(vault, tags))])


def _written(value: Value) -> str:
    """Of a form that no word of a name has."""
    return f"\0{value.kind}\0{value.normal}"


def note(vault: VaultCore, keys: ProjectKeys, style: Style, labels: Sequence[str]) -> None:
    """Keep in the key store what was drawn, before the vault has the rows. Durable with the unit of work."""
    if not labels:
        return
    if style is Style.TAG:
        vault.counters.raise_to(keys.name, Counted.TAG, max(map(tag_number, labels)))
    elif style is Style.SURROGATE:
        _note_surrogates(vault, keys, labels)
    elif style is Style.CODE:
        note_codes(vault, keys, labels)


def count_unknown_words(vault: VaultCore, keys: ProjectKeys) -> int:
    """Words of stored surrogates that the key store says it has, and has not: somebody altered it."""
    if vault.counters.value(keys.name, Counted.SURROGATE) != _count_surrogates(vault, keys):
        return 0  # an older program drew them, or a store is older: the next drawing brings them in
    words = {word for label in labels_ever(vault, keys, Style.SURROGATE) for word in label_words(label)}
    return len(words) - len(given_words(vault, keys, words))


def _note_surrogates(vault: VaultCore, keys: ProjectKeys, labels: Sequence[str]) -> None:
    known = list(labels)
    count = _count_surrogates(vault, keys)
    if vault.counters.value(keys.name, Counted.SURROGATE) != count:
        known += labels_ever(vault, keys, Style.SURROGATE)
    words = {word for label in known for word in label_words(label)}
    tags = {_word_tag(vault, keys, word) for word in words}
    vault.keystore.rows.insert(given_word, [(tag,) for tag in sorted(tags - _stored(vault, tags))])
    vault.counters.store(keys.name, Counted.SURROGATE, count + len(labels))


def _count_surrogates(vault: VaultCore, keys: ProjectKeys) -> int:
    living = vault.store.scalar(
        "SELECT count(*) FROM pseudonym WHERE project_id = ? AND style = ?",
        (keys.project_id, str(Style.SURROGATE)),
    )
    return int(living) + sum(1 for _ in erased_of_style(vault, keys, Style.SURROGATE))


def _stored(vault: VaultCore, tags: Collection[bytes]) -> set[bytes]:
    found: set[bytes] = set()
    for chunk in in_chunks(sorted(tags)):
        found.update(
            bytes(tag)
            for (tag,) in vault.key_records.rows(
                f"SELECT tag FROM given_word WHERE tag IN ({marks(chunk)})",  # noqa: S608  marks only
                tuple(chunk),
            )
        )
    return found


def _word_tag(vault: VaultCore, keys: ProjectKeys, word: str) -> bytes:
    return vault.own.tag("given_word", joined(keys.name, word))


def _style_of(label: str) -> Style:
    if TOKEN_LIKE.fullmatch(label):
        return Style.TOKEN
    if code_of(label) is not None:
        return Style.CODE
    return Style.TAG if TAG_LIKE.fullmatch(label) else Style.SURROGATE
