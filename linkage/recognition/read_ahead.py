"""Texts that the network reads together before they are asked for one by one: together they cost less."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from linkage.records import Document, RecognizedText


class Recognizer(Protocol):
    """The network: linkage.recognition.stanza_ner.StanzaRecognizer, or a fake in tests."""

    def recognize(self, documents: Sequence[Document]) -> tuple[RecognizedText, ...]: ...


class ReadAhead:
    """A recognizer that may have read some texts already. What it says of a text hangs on that text alone,
    so that a text read ahead in company is as one read by itself.
    """

    def __init__(self, recognizer: Recognizer) -> None:
        self._recognizer = recognizer
        self._read: dict[str, RecognizedText] = {}

    def __repr__(self) -> str:
        return f"ReadAhead({len(self._read)} texts)"

    def read(self, documents: Sequence[Document]) -> None:
        """Read these in one go, and forget those that were read ahead before; none: forget only."""
        self._read = {}
        if documents:
            found = self._recognizer.recognize(documents)
            self._read = {document.text: one for document, one in zip(documents, found, strict=True)}

    def recognize(self, documents: Sequence[Document]) -> tuple[RecognizedText, ...]:
        """The sentences and names of each document, in input order."""
        if not self._read:
            return self._recognizer.recognize(documents)
        new = [document for document in documents if document.text not in self._read]
        found = iter(self._recognizer.recognize(new) if new else ())
        return tuple(
            replace(self._read[document.text], doc_id=document.doc_id)
            if document.text in self._read
            else next(found)
            for document in documents
        )
