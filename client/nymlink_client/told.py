"""Arguments and answers of both clients alike."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nymlink_client.answers import PseudonymizedTexts, RestoredText
from nymlink_client.errors import ServiceFailedError, WrongRequestError


def name_of(content: bytes | Path, name: str | None) -> str:
    """The name of a file. Raises WrongRequestError for bytes without one."""
    if name is not None:
        return name
    if isinstance(content, Path):
        return content.name
    raise WrongRequestError(detail="bytes have no name: say of which file they are, such as intake.docx")


def receipt_of(answer: PseudonymizedTexts) -> str:
    """The receipt of an answer. Raises ServiceFailedError where it has none."""
    if answer.receipt is None:
        raise ServiceFailedError(detail="the answer has no receipt; does the service give any?")
    return answer.receipt


def told_of_restore(
    receipt: str | None,
    purpose: str,
    ticket: str,
    grant: str | None,
    made_from: Sequence[str],
    *,
    is_confirmed: bool,
) -> dict[str, Any]:
    """Fields of a request for names. Raises WrongRequestError for a receipt with a grant or outputs."""
    if receipt is not None and (grant is not None or made_from):
        raise WrongRequestError(detail="a receipt works alone: leave out the grant and the outputs")
    return {
        "receipt": receipt, "purpose": purpose, "ticket": ticket, "grant": grant,
        "made_from": list(made_from), "confirm_project": is_confirmed,
    }  # fmt: skip


def only(texts: Sequence[RestoredText]) -> RestoredText:
    """The one text of an answer. Raises ServiceFailedError where it has more, or none."""
    if len(texts) != 1:
        raise ServiceFailedError(200, detail="the service answered another number of texts")
    return texts[0]
