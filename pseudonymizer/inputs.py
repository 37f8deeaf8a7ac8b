"""What a Project takes: texts, named documents and files, as sources of the engine."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from linkage.records import Document
from pseudonymizer.engine.engine import Source
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.records import AnalyzeTask, GivenFor, GivenMention
from pseudonymizer.engine.sources import unused_path

TextInput = str | bytes | Document | Path
TextInputs = TextInput | Iterable[TextInput]
ONE_TEXT: Final = "-"  # what a single text is called
_TEXT: Final = Path("text.txt")  # its ending says that a text is read as plain text
Given = Mapping[str, Sequence[GivenMention]]  # mentions that take the place of detection, by document name


def sources_of(inputs: TextInputs, ids: DocumentIds, given: Given | None = None) -> list[Source]:
    """One source an input. Texts are called "-", or "text 1" and so on where there are several; documents go
    by their ids, files by their names.
    """
    if isinstance(inputs, str | bytes):
        return [_text(_bytes(inputs), ONE_TEXT, ids, 0, given)]
    if isinstance(inputs, Document | Path):
        inputs = (inputs,)
    equal: Counter[bytes] = Counter()
    taken: set[str] = set()
    sources = []
    for number, one in enumerate(inputs, start=1):
        if isinstance(one, Path):
            relative = unused_path(one.name, one.parent.name, taken)
            taken.add(relative.casefold())
            sources.append(_file(one, relative, ids, given))
        elif isinstance(one, Document):
            sources.append(_document(one, ids, given))
        else:
            raw = _bytes(one)
            sources.append(_text(raw, f"text {number}", ids, equal[raw], given))
            equal[raw] += 1
    return sources


def _file(path: Path, relative: str, ids: DocumentIds, given: Given | None) -> Source:
    """relative: its path below the input, under which no other input goes."""
    task = AnalyzeTask(ids.of_file(relative), path, ids.content_key, _given(given, relative), relative)
    return Source(task, relative, None)


def _document(document: Document, ids: DocumentIds, given: Given | None) -> Source:
    name = str(document.doc_id)
    raw = _bytes(document.text)
    task = AnalyzeTask(ids.of_named(name), _TEXT, ids.content_key, _given(given, name), "", raw)
    return Source(task, name, f"-/{name}")


def _text(raw: bytes, name: str, ids: DocumentIds, before: int, given: Given | None) -> Source:
    """before: how many equal texts stand before it."""
    return Source(AnalyzeTask(ids.of_text(raw, before), _TEXT, b"", _given(given, name), "", raw), name)


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _given(given: Given | None, name: str) -> GivenFor | None:
    """None where names are to be looked for in this document."""
    return None if given is None or name not in given else GivenFor({"": tuple(given[name])})
