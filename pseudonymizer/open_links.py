"""Records of what a run leaves for review: from the run to the vault, and from there to who reviews."""

from dataclasses import dataclass, field

from linkage.records import DocumentId, LinkageResult, Mention, ScoredLink


@dataclass(frozen=True, slots=True)
class LinkedSource:
    """A file that was linked, or a unit of one.

    source: an id of its path and its content, which says nothing about either.
    """

    source: DocumentId
    unit: int = 0


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A mention with an open link.

    identity: number of its identity in the result. is_part: the name of its document tells the part, too,
    since its file has several documents.
    """

    mention: Mention
    source: LinkedSource
    identity: int
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class OpenLinks:
    """What a linkage result leaves for review: its sources, and the open links among their mentions."""

    sources: tuple[LinkedSource, ...]
    ends: tuple[OpenEnd, ...] = ()
    links: tuple[ScoredLink, ...] = ()


@dataclass(frozen=True, slots=True)
class RunOutput:
    """A file in the output folder of a run.

    digest: crypto.digest_sha256 of its bytes. doc_id: the id under which its way back is stored, if it is.
    source: what its LinkedSource is, if it was left as it is. relative: its path in the folder.
    """

    digest: bytes = field(repr=False)
    doc_id: DocumentId
    source: DocumentId
    relative: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """A document with mentions that have open links: the path of its original below the input, and the number
    of its output among those that were asked about. is_part: as in OpenEnd.
    """

    doc_id: DocumentId
    path: str = field(repr=False)
    output: int
    is_part: bool


@dataclass(frozen=True, slots=True)
class KeptLinks:
    """The open links that runs left for review, of the outputs that were asked about. It holds names.

    result: mentions that have open links, their identities and the links. known: how many outputs are of the
    project. not_kept: for how many of them no result is kept. pathless: how many links are left out because
    the path of a document is gone, which named a person who was erased.
    """

    result: LinkageResult = field(repr=False)
    documents: tuple[KeptDocument, ...]
    known: int = 0
    not_kept: int = 0
    pathless: int = 0
