"""The inputs of a Project (texts, named documents, files) as sources of the engine."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from linkage.records import Document
from pseudonymizer.engine.engine import Source
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.records import AnalyzeTask, GivenFor, GivenMention
from pseudonymizer.engine.sources import FileContent as FileContent
from pseudonymizer.engine.sources import unused_path

TextInput = str | bytes | Document | Path | FileContent
TextInputs = TextInput | Iterable[TextInput]
ONE_TEXT: Final = "-"  # the name of a text that is the only input
_TEXT: Final = Path("text.txt")  # the path of a text: its suffix says plain text
Given = Mapping[str, Sequence[GivenMention]]  # by document name, mentions that take the place of detection


def sources_of(inputs: TextInputs, ids: DocumentIds, given: Given | None = None) -> list[Source]:
    """One source for each input, in their order.

    The name of a document is its id, that of a file its file name, that of a text its number among the inputs
    ("text 1"); a text that is the whole input is "-".
    """
    if isinstance(inputs, str | bytes):
        return [_text(_bytes(inputs), ONE_TEXT, ids, 0, given)]
    if isinstance(inputs, Document | Path | FileContent):
        inputs = (inputs,)
    equal: Counter[bytes] = Counter()
    taken: set[str] = set()
    sources = []
    for number, given_input in enumerate(inputs, start=1):
        if isinstance(given_input, Path):
            relative = unused_path(given_input.name, given_input.parent.name, taken)
            taken.add(relative.casefold())
            sources.append(_file(given_input, relative, ids, given))
        elif isinstance(given_input, FileContent):
            relative = unused_path(given_input.name, "", taken)
            taken.add(relative.casefold())
            sources.append(_file(Path(relative), relative, ids, given, given_input.content))
        elif isinstance(given_input, Document):
            sources.append(_document(given_input, ids, given))
        else:
            raw = _bytes(given_input)
            sources.append(_text(raw, f"text {number}", ids, equal[raw], given))
            equal[raw] += 1
    return sources


def _file(
    path: Path, relative: str, ids: DocumentIds, given: Given | None, content: bytes | None = None
) -> Source:
    """The source of a file. relative: the path of its output, which no other input has. content: its bytes,
    where they are not read from path.
    """
    task = AnalyzeTask(
        ids.of_file(relative), path, ids.content_key, _given(given, relative), relative, content
    )
    return Source(task, relative, None)


def _document(document: Document, ids: DocumentIds, given: Given | None) -> Source:
    name = str(document.doc_id)
    raw = _bytes(document.text)
    task = AnalyzeTask(ids.of_named(name), _TEXT, ids.content_key, _given(given, name), "", raw)
    return Source(task, name, f"-/{name}")


def _text(raw: bytes, name: str, ids: DocumentIds, before: int, given: Given | None) -> Source:
    """The source of a text. before: how many equal texts stand before it in the call."""
    return Source(AnalyzeTask(ids.of_text(raw, before), _TEXT, b"", _given(given, name), "", raw), name)


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _given(given: Given | None, name: str) -> GivenFor | None:
    """The mentions that are given for a document; None: the document is searched."""
    return None if given is None or name not in given else GivenFor({"": tuple(given[name])})
