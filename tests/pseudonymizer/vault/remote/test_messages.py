"""What goes over the socket: as typed as it was sent, and silent about people."""

import inspect

import msgspec
import pytest
from rich.pretty import pretty_repr

from linkage.records import DocumentId, PersonName
from pseudonymizer.errors import ServiceError
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.service import review_verbs, value_verbs
from pseudonymizer.service.verbs import VERBS
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote import (
    curation_messages,
    folder_messages,
    known_messages,
    messages,
    receipt_messages,
    request_messages,
    review_messages,
    value_messages,
)
from pseudonymizer.vault.remote.messages import Lookup, Message, SentRewrite, WireVerb, sent_digest

ALL = [
    one
    for module in (
        messages,
        curation_messages,
        folder_messages,
        known_messages,
        receipt_messages,
        request_messages,
        review_messages,
        value_messages,
    )
    for _, one in inspect.getmembers(module)
    if isinstance(one, WireVerb)
]


def test_every_verb_is_served_with_its_own_arguments() -> None:
    assert {verb.name: verb.asked for verb in ALL} == {name: served.asked for name, served in VERBS.items()}


def test_the_verbs_of_reviews_are_served_by_their_own_module() -> None:
    served = {name for name, one in VERBS.items() if one.run.__module__ == review_verbs.__name__}
    assert served == {"keep_open_links", "kept_links", "forget_open_links"}


def test_the_verbs_of_values_are_served_by_their_own_module() -> None:
    served = {name for name, one in VERBS.items() if one.run.__module__ == value_verbs.__name__}
    assert served == {
        "assign_values", "treatment_key", "lookup_value", "erase_values", "planned_erasure",
        "stored_value_labels",
    }  # fmt: skip


def test_unknown_fields_are_refused() -> None:
    for verb in ALL:
        assert verb.asked.__struct_config__.forbid_unknown_fields, verb.name
        assert verb.asked.__struct_config__.frozen, verb.name


def test_a_message_shows_no_name() -> None:
    asked = Lookup(project="p", purpose="toets", name=PersonName(given="jan", family="tolsma"))
    assert "tolsma" not in repr(asked)
    assert "tolsma" not in pretty_repr(asked)
    assert "Tolsma" not in f"{Lookup(project='p', purpose='toets', name='Jan Tolsma')}"


def test_every_message_is_silent() -> None:
    for verb in ALL:
        assert issubclass(verb.asked, Message), verb.name
    assert repr(SentRewrite.of(Rewrite(DocumentId("d"), "txt", (), "Jan.txt"), b"")) == "SentRewrite(...)"


def test_a_rewrite_arrives_as_it_was_sent() -> None:
    edit = RewriteEdit(0, "deel/\udcff", 3, 9, b"Jan Tolsma", None)
    rewrite = Rewrite(DocumentId("d"), "txt", (edit,), "map/b\udcff.txt", 2, DocumentId("d1"), 5)
    raw = wire.encode(SentRewrite.of(rewrite, bytes(32)))
    assert wire.decode(raw, SentRewrite).rewrite() == rewrite


def test_a_path_that_is_no_text_is_refused() -> None:
    raw = msgspec.structs.replace(SentRewrite.of(Rewrite(DocumentId("d"), "txt", ()), b""), path=b"\xff\xfe")
    with pytest.raises(ServiceError):
        raw.rewrite()
    with pytest.raises(ServiceError):
        sent_digest(b"short")
