"""Every failure of a file says what to do next."""

import pytest

from linkage import errors as linkage_errors
from linkage.errors import DocumentError
from pseudonymizer.engine.remedies import remedy_of, why_and_what_next

OF_DOCUMENTS = [
    name
    for name, value in vars(linkage_errors).items()
    if isinstance(value, type) and issubclass(value, DocumentError)
]


@pytest.mark.parametrize("error", OF_DOCUMENTS)
def test_every_error_of_a_document_has_a_remedy_of_its_own(error: str) -> None:
    assert remedy_of(error, "it cannot be read") != remedy_of("SomeOtherError", "it cannot be read")


def test_a_reason_that_says_what_to_do_stands_alone() -> None:
    reason = "the file is named as pdf and is empty; get it again, or leave it out"
    assert why_and_what_next("UnsupportedInputError", reason) == reason


def test_a_reason_without_a_remedy_gets_one() -> None:
    told = why_and_what_next("EncryptedDocumentError", "the file needs a password")
    assert told == "the file needs a password; take the password off, and run again"
    assert "--retry-failed" in why_and_what_next("ZeroDivisionError", "unexpected error")
