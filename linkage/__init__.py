"""Find the mentions of people in text and tell who is who.

The public names load when they are first used, so that importing linkage stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkage.errors import LinkageError as LinkageError
    from linkage.pipeline import LinkagePipeline as LinkagePipeline
    from linkage.pipeline import Linker as Linker
    from linkage.reading import read_document as read_document
    from linkage.records import Document as Document
    from linkage.records import Identity as Identity
    from linkage.records import KnownIdentity as KnownIdentity
    from linkage.records import LinkageResult as LinkageResult
    from linkage.records import LinkDecision as LinkDecision
    from linkage.records import Mention as Mention
    from linkage.records import NormalizedMention as NormalizedMention
    from linkage.records import PersonName as PersonName
    from linkage.records import Span as Span
    from linkage.settings import LinkageSettings as LinkageSettings

_HOMES = {
    "LinkageError": "linkage.errors",
    "LinkagePipeline": "linkage.pipeline",
    "Linker": "linkage.pipeline",
    "read_document": "linkage.reading",
    "Document": "linkage.records",
    "Identity": "linkage.records",
    "KnownIdentity": "linkage.records",
    "LinkageResult": "linkage.records",
    "LinkDecision": "linkage.records",
    "Mention": "linkage.records",
    "NormalizedMention": "linkage.records",
    "PersonName": "linkage.records",
    "Span": "linkage.records",
    "LinkageSettings": "linkage.settings",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'linkage' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
