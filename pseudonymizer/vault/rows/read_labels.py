"""Labels as texts have them, read against what a project has issued."""

from collections.abc import Collection, Sequence

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.records import LabelState, ReadLabel, Style
from pseudonymizer.styles.code import code_of, has_form, typed_code
from pseudonymizer.styles.labels import TAG_LIKE, TOKEN_LIKE, TokenReader
from pseudonymizer.vault.rows.entities import DAMAGED_ROW, marks, pseudonym_fields, pseudonym_rows
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks


def read_labels(vault: VaultCore, keys: ProjectKeys, texts: Sequence[str]) -> tuple[ReadLabel, ...]:
    """What the project knows of each text. A code may have another word than its own, or none.

    A tag that another project of the vault has issued as well is SHARED: a text does not tell whose it is.
    """
    wanted = sorted(set(texts))
    issued = {label for _, label, *_ in pseudonym_rows(vault, keys, "label", wanted)}
    tokens = TokenReader(keys.tokens)
    codes = {text: code for text in wanted if text not in issued and (code := code_in(text)) is not None}
    valid = {code for code in codes.values() if keys.codes.is_valid(code)}
    label_of = _labels_of_codes(vault, keys, valid)
    tags = [text for text in issued if TAG_LIKE.fullmatch(text)]
    shared = _of_other_projects(vault, keys, tags) if tags else frozenset()

    def read(text: str) -> ReadLabel:
        if text in issued:
            return ReadLabel(LabelState.SHARED if text in shared else LabelState.ISSUED, text)
        if (code := codes.get(text)) is not None:
            if code in label_of:
                return ReadLabel(LabelState.ISSUED, label_of[code])
            return ReadLabel(LabelState.UNKNOWN if code in valid else LabelState.MALFORMED)
        if TAG_LIKE.fullmatch(text) or tokens.is_valid(text):
            return ReadLabel(LabelState.UNKNOWN)
        return ReadLabel(LabelState.MALFORMED)

    found = {text: read(text) for text in wanted}
    return tuple(found[text] for text in texts)


def code_in(text: str) -> str | None:
    """The code in a text that is a code, with or without a word; None for a text of another form."""
    if TOKEN_LIKE.fullmatch(text) or TAG_LIKE.fullmatch(text) or " " in text:
        return None
    code = typed_code(text.rpartition("-")[2])
    return code if has_form(code) else None


def _labels_of_codes(vault: VaultCore, keys: ProjectKeys, codes: Collection[str]) -> dict[str, str]:
    """The stored label of each of these codes, whatever its word.

    All codes of the project are looked through, since labels are found by their beginning alone.
    """
    by_length: dict[int, list[str]] = {}
    for code in sorted(codes):
        by_length.setdefault(len(code), []).append(code)
    found: dict[str, str] = {}
    tag = keys.binder("pseudonym").tag
    for length, some in by_length.items():
        for chunk in in_chunks(some):
            for row in vault.store.rows(
                "SELECT pseudonym_id, project_id, label, entity_id, scope, scope_tag, style, created_on, "  # noqa: S608
                "binding FROM pseudonym WHERE project_id = ? AND style = ? "
                f"AND substr(label, length(label) - {length - 1:d}) IN ({marks(chunk)})",
                (keys.project_id, str(Style.CODE), *chunk),
            ):
                if tag(pseudonym_fields(row)) != bytes(row[8]):
                    raise VaultDamagedError(DAMAGED_ROW.format(table="pseudonym"))
                label = str(row[2])
                if (own := code_of(label)) is not None and len(own) == length:
                    found[own] = label
    return found


def _of_other_projects(vault: VaultCore, keys: ProjectKeys, labels: Collection[str]) -> frozenset[str]:
    """Those of these labels that another project has issued, to a living or an erased person."""
    found: set[str] = set()
    others = [row[0] for row in vault.store.rows("SELECT project_id FROM project", ())]
    for project_id in others:
        if project_id == keys.project_id:
            continue
        for table in ("pseudonym", "tombstone"):
            for chunk in in_chunks(sorted(labels)):
                found.update(
                    row[0]
                    for row in vault.store.rows(
                        f"SELECT label FROM {table} WHERE project_id = ? "  # noqa: S608  our own tables
                        f"AND label IN ({marks(chunk)})",
                        (project_id, *chunk),
                    )
                )
    return frozenset(found)
