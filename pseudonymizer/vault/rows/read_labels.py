"""Labels as texts have them, read against what a project has issued."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from pseudonymizer.errors import InvalidTokenError
from pseudonymizer.records import LabelState, ReadLabel, Style
from pseudonymizer.styles.code import code_of, has_form, typed_code
from pseudonymizer.styles.labels import TAG_LIKE, TOKEN_LIKE, TokenReader, tag_text
from pseudonymizer.styles.name_forms import parse_label
from pseudonymizer.vault.rows.entities import (
    StoredPseudonym,
    checked_pseudonyms,
    find_index,
    marks,
    pseudonym_rows,
)
from pseudonymizer.vault.rows.forms import normal_form
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.indexing import NAME_LABEL, tags_of
from pseudonymizer.vault.rows.table_rows import PSEUDONYM_COLUMNS
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_TYPED_TAG: Final = re.compile(r"[<\[]?([A-Z]{2,20})-([1-9][0-9]{0,8})[>\]]?")
_TYPED_CODE: Final = re.compile(r"(?:[A-Z]{2,20}-)?[0-9A-Z]{5,9}")


def read_labels(vault: VaultCore, keys: ProjectKeys, texts: Sequence[str]) -> tuple[ReadLabel, ...]:
    """What the project knows of each text. A code may have another word than its own, or none.

    SHARED is a tag that another project of the vault has issued as well, and a surrogate that is the full
    name of a real person of the project: a text does not tell who is meant.
    """
    wanted = sorted(set(texts))
    issued = {one.label: one for one in pseudonym_rows(vault, keys, "label", wanted)}
    tokens = TokenReader(keys.tokens)
    codes = {text: code for text in wanted if text not in issued and (code := code_in(text)) is not None}
    valid = {code for code in codes.values() if keys.codes.is_valid(code)}
    by_code = _by_code(vault, keys, valid)
    shared = _of_other_projects(vault, keys, [text for text in issued if TAG_LIKE.fullmatch(text)])
    shared |= _real_names(vault, keys, [one.label for one in issued.values() if one.style is Style.SURROGATE])

    def read(text: str) -> ReadLabel:
        code = codes.get(text, "")
        if (found := issued.get(text) or by_code.get(code)) is not None:
            state = LabelState.SHARED if text in shared else LabelState.ISSUED
            return ReadLabel(state, found.label, entity_text(found.entity_id))
        is_right = code in valid or TAG_LIKE.fullmatch(text) is not None or tokens.is_valid(text)
        return ReadLabel(LabelState.UNKNOWN if is_right else LabelState.MALFORMED)

    found = {text: read(text) for text in wanted}
    return tuple(found[text] for text in texts)


def typed_labels(vault: VaultCore, keys: ProjectKeys, typed: Sequence[str]) -> list[str]:
    """The stored label that a person typed for each: case, blanks and a missing word of a code are forgiven.

    A text of another form is given back as it is: the caller finds out whether somebody has it.

    Raises:
        InvalidTokenError: check letters of a token or a code do not fit.
    """
    tokens = TokenReader(keys.tokens)
    labels = []
    for text in typed:
        cleaned = "".join(text.split()).upper()
        if TOKEN_LIKE.fullmatch(cleaned):
            labels.append(tokens.parse(text))
        elif (tag := _TYPED_TAG.fullmatch(cleaned)) is not None:
            labels.append(tag_text(tag[1], int(tag[2])))
        elif _TYPED_CODE.fullmatch(cleaned) and has_form(typed_code(cleaned.rpartition("-")[2])):
            labels.append(_typed_code(vault, keys, text, cleaned))
        else:
            labels.append(text)
    return labels


def _typed_code(vault: VaultCore, keys: ProjectKeys, text: str, cleaned: str) -> str:
    (found,) = read_labels(vault, keys, [cleaned])
    if found.state is LabelState.MALFORMED and "-" in cleaned:
        raise InvalidTokenError("not a pseudonym of this project: mistyped, forged, or of another project")
    return found.label or text


def code_in(text: str) -> str | None:
    """The code in a text that is a code, with or without a word; None for a text of another form."""
    if TOKEN_LIKE.fullmatch(text) or TAG_LIKE.fullmatch(text) or " " in text:
        return None
    code = typed_code(text.rpartition("-")[2])
    return code if has_form(code) else None


def _by_code(vault: VaultCore, keys: ProjectKeys, codes: Collection[str]) -> dict[str, StoredPseudonym]:
    """The stored label of each of these codes, whatever its word.

    All codes of the project are looked through, since labels are found by their beginning alone.
    """
    by_length: dict[int, list[str]] = {}
    for code in sorted(codes):
        by_length.setdefault(len(code), []).append(code)
    found: dict[str, StoredPseudonym] = {}
    for length, some in by_length.items():
        for chunk in in_chunks(some):
            rows = vault.store.rows(
                f"SELECT {PSEUDONYM_COLUMNS} FROM pseudonym WHERE project_id = ? AND style = ? "  # noqa: S608
                f"AND substr(label, length(label) - {length - 1:d}) IN ({marks(chunk)})",
                (keys.project_id, str(Style.CODE), *chunk),
            )
            for one in checked_pseudonyms(keys, rows):
                if (own := code_of(one.label)) is not None and len(own) == length:
                    found[own] = one
    return found


def _of_other_projects(vault: VaultCore, keys: ProjectKeys, labels: Collection[str]) -> frozenset[str]:
    """Those of these labels that another project has issued, to a living or an erased person."""
    found: set[str] = set()
    if not labels:
        return frozenset()
    others = [number for (number,) in vault.store.rows("SELECT project_id FROM project", ())]
    for project_id in others:
        if project_id == keys.project_id:
            continue
        for table in ("pseudonym", "tombstone"):
            for chunk in in_chunks(sorted(labels)):
                found.update(
                    label
                    for (label,) in vault.store.rows(
                        f"SELECT label FROM {table} WHERE project_id = ? "  # noqa: S608  our own tables
                        f"AND label IN ({marks(chunk)})",
                        (project_id, *chunk),
                    )
                )
    return frozenset(found)


def _real_names(vault: VaultCore, keys: ProjectKeys, labels: Collection[str]) -> frozenset[str]:
    """The surrogates that are the full name of a real person of the project."""
    owner: dict[bytes, str] = {}
    for label in labels:
        if (form := normal_form(parse_label(label))) is not None:
            owner.update(dict.fromkeys(tags_of(keys, NAME_LABEL, form).values(), label))
    return frozenset(owner[tag] for tag in find_index(vault, keys, owner)) if owner else frozenset()
