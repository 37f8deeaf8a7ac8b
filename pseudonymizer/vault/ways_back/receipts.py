"""Receipts: sealed for one actor, with what he sent in one request; nothing of them is stored.

What was sent in place of a label is sealed under the data key of its person or value inside the receipt, so
that erasing destroys it there too, whoever keeps the receipt. The receipt as a whole is sealed under a key of
the project and the actor that is never rotated.
"""

import base64
import binascii
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NoReturn

from linkage.codec import Codec, Row
from linkage.errors import InvalidRecordError
from linkage.records import PERSON, KindId
from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import ReceiptInvalidError, UnsealError
from pseudonymizer.policy import Verb
from pseudonymizer.receipts import (
    RECEIPT_HOURS,
    GivenBack,
    GivenName,
    GivenPlace,
    GivenText,
    SentPlace,
    SentText,
)
from pseudonymizer.records import EntityKind
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.identifiers import entity_number
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.ways_back.gate import Gate, gate

MARK: Final = "nyr_"
_EMAIL: Final = KindId("EMAIL")
_FORM: Final = 1  # of the record that is sealed
_NUMBER_BYTES: Final = 16
_OUTPUT_BYTES: Final = 16  # of a digest: enough to tell the texts of one actor apart


class _Forms(Row, array_like=True, frozen=True):
    """What was sent in place of one person or value: (kind, text) each, in the order of the texts."""

    forms: tuple[tuple[str, str], ...]


class _Owner(Row, array_like=True, frozen=True):
    """A person or a value. sealed: its _Forms under its data key."""

    entity_id: int
    sealed: bytes


class _Text(Row, array_like=True, frozen=True):
    """places: start, end, number of the owner, number of the form; four for each place."""

    output: bytes
    lost: int
    places: tuple[int, ...]


class _Receipt(Row, array_like=True, frozen=True):
    """number: random; the forms inside are bound to it. expires_at: seconds since 1970, UTC."""

    form: int
    number: bytes
    expires_at: int
    owners: tuple[_Owner, ...]
    texts: tuple[_Text, ...]


_RECEIPT: Final = Codec(_Receipt)
_FORMS: Final = Codec(_Forms)


def receipt(vault: OpenVault, *, project: str, sent: Sequence[SentText]) -> str:
    """The receipt of one request. People and values that were erased meanwhile are left out.

    Raises:
        AccessRefusedError: the actor may not pseudonymize; on record.
    """
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        keys = vault.keys_of(project)
        forms: dict[int, list[tuple[str, str]]] = {}
        for text in sent:
            for place in text.places:
                told = forms.setdefault(entity_number(place.entity_id), [])
                if _form_of(place) not in told:
                    told.append(_form_of(place))
        number = vault.entropy(_NUMBER_BYTES)
        sealers = _sealers(vault, keys, forms)
        owners = tuple(
            _Owner(
                entity_id,
                sealer.seal(
                    _FORMS.encode(_Forms(tuple(forms[entity_id]))),
                    context=keys.contexts.receipt_forms(entity_id, number),
                ),
            )
            for entity_id, sealer in sealers.items()
        )
        numbers = {owner.entity_id: number for number, owner in enumerate(owners)}
        texts = tuple(_text(text, forms, numbers) for text in sent if text.output)
        expires = vault.clock() + timedelta(hours=RECEIPT_HOURS)
        record = _Receipt(_FORM, number, int(expires.timestamp()), owners, texts)
        sealed = keys.receipt_sealer_of(vault.actor).seal(
            _RECEIPT.encode(record), context=keys.contexts.receipt(vault.actor)
        )
        return MARK + base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()


def _form_of(place: SentPlace) -> tuple[str, str]:
    return str(place.kind), place.form


def _text(
    text: SentText, forms: Mapping[int, Sequence[tuple[str, str]]], numbers: Mapping[int, int]
) -> _Text:
    places: list[int] = []
    lost = text.lost
    for place in text.places:
        entity_id = entity_number(place.entity_id)
        if entity_id in numbers:
            form = forms[entity_id].index(_form_of(place))
            places += (place.start, place.end, numbers[entity_id], form)
        else:
            lost += 1
    return _Text(text.output[:_OUTPUT_BYTES], lost, tuple(places))


def give_back(
    vault: OpenVault,
    *,
    project: str,
    receipt: str,
    labels: Sequence[str],
    outputs: Sequence[bytes] = (),
    purpose: str = "",
    ticket: str = "",
) -> GivenBack:
    """What the receipt gives for these labels and outputs. No limit counts it: the caller knew the names.

    Raises:
        AccessRefusedError, ReceiptInvalidError: on record.
    """
    with gate(
        vault, Verb.GIVE_BACK, project=project, purpose=purpose, ticket=ticket, needs_purpose=False
    ) as opened:
        found = _opened(opened, receipt)
        wanted = {output[:_OUTPUT_BYTES]: output for output in outputs}
        undone = [text for text in found.texts if text.output in wanted]
        rows = entities.pseudonym_rows(vault, opened.keys, "label", sorted(set(labels)))
        owner_of = {row.label: row.entity_id for row in rows}
        # Of a long receipt, little is asked for at a time: the rest stays sealed.
        needed = {found.owners[number].entity_id for text in undone for number in text.places[2::4]}
        forms = _forms_of(vault, opened.keys, found, needed | set(owner_of.values()))
        owners = [owner.entity_id for owner in found.owners]
        texts = {wanted[text.output]: _given_text(text, owners, forms) for text in undone}
        owner_of = {label: owner for label, owner in owner_of.items() if owner in forms}
        kinds = entities.entity_kinds(vault, opened.keys, owner_of.values())
        names = {
            label: _given_name(forms[owner], is_person=kinds[owner][0] is EntityKind.PERSON)
            for label, owner in owner_of.items()
        }
        names = {label: given for label, given in names.items() if given.forms or given.addresses}
        counts = {"names": len({owner_of[label] for label in names}), "texts": len(texts)}
        opened.commit(str(Verb.GIVE_BACK), sorted(names), counts=counts, outcome="allowed")
        opened.is_open = True
        return GivenBack(names, texts)


def _opened(opened: Gate, receipt: str) -> _Receipt:
    """The receipt, if it is of this actor and project and its time is not over. Whatever is wrong with it,
    the answer is the same.
    """
    vault, keys = opened.vault, opened.keys
    if not receipt.startswith(MARK) or not receipt.isascii():
        _refuse(opened)
    text = receipt.removeprefix(MARK)
    try:
        sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        plain = keys.receipt_sealer_of(vault.actor).unseal(sealed, context=keys.contexts.receipt(vault.actor))
        found = _RECEIPT.decode(plain)
    except (binascii.Error, UnsealError, InvalidRecordError):
        _refuse(opened)
    if found.form != _FORM or vault.clock().timestamp() > found.expires_at:
        _refuse(opened)
    return found


def _refuse(opened: Gate) -> NoReturn:
    opened.refuse("receipt")
    raise ReceiptInvalidError(
        f"this is no receipt of this actor in this project, or its {RECEIPT_HOURS} hours are over; send the "
        "texts again, or ask for the names with a purpose"
    )


def _forms_of(
    vault: OpenVault, keys: ProjectKeys, found: _Receipt, needed: Collection[int]
) -> dict[int, tuple[tuple[str, str], ...]]:
    """What was sent, by person or value, of those that are needed; those who were erased are missing."""
    asked = [owner for owner in found.owners if owner.entity_id in needed]
    sealers = _sealers(vault, keys, [owner.entity_id for owner in asked])
    forms = {}
    for owner in asked:
        if (sealer := sealers.get(owner.entity_id)) is None:
            continue
        context = keys.contexts.receipt_forms(owner.entity_id, found.number)
        try:
            forms[owner.entity_id] = _FORMS.decode(sealer.unseal(owner.sealed, context=context)).forms
        except UnsealError:  # the receipt is whole, so it is the data key that is another one
            continue
    return forms


def _sealers(vault: OpenVault, keys: ProjectKeys, wanted: Iterable[int]) -> dict[int, Sealer]:
    """The data keys of those of these persons and values that there still are."""
    ids = sorted(set(wanted))
    versions = {number: version for number, (_, version) in entities.entity_kinds(vault, keys, ids).items()}
    wrapped = vault.keystore.wrapped_entity_keys(ids)
    living = [number for number in ids if number in versions and number in wrapped]
    return entities.opened_sealers(keys, living, versions, wrapped)


def _given_name(forms: Sequence[tuple[str, str]], *, is_person: bool) -> GivenName:
    """is_person: then identifiers of other kinds are written around the label, and are no forms of it."""
    if not is_person:
        return GivenName(forms[0][0], tuple(text for _, text in forms))
    names = tuple(text for kind, text in forms if kind == PERSON)
    return GivenName(PERSON, names, tuple(text for kind, text in forms if kind == _EMAIL))


@dataclass(frozen=True, slots=True)
class _Placed:
    start: int
    end: int
    owner: int
    form: int


def _given_text(
    text: _Text, owners: Sequence[int], forms: Mapping[int, Sequence[tuple[str, str]]]
) -> GivenText:
    flat = iter(text.places)
    placed = [_Placed(*four) for four in zip(flat, flat, flat, flat, strict=True)]
    living = [one for one in placed if owners[one.owner] in forms]
    places = tuple(GivenPlace(one.start, one.end, forms[owners[one.owner]][one.form][1]) for one in living)
    return GivenText(places, text.lost + len(placed) - len(living))
