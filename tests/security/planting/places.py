"""All files with a planted name, by format and place."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.security.planting import messages, office, open_documents, pages, texts

Plant = Callable[[str], bytes]

_BY_ENDING: Final[Mapping[str, Mapping[str, Plant]]] = {
    "docx": office.DOCX, "xlsx": office.XLSX, "pptx": office.PPTX,
    "odt": open_documents.ODT, "ods": open_documents.ODS, "odp": open_documents.ODP,
    "pdf": pages.PDF,
    "eml": messages.EML, "mbox": messages.MBOX, "msg": messages.MSG, "tnef": messages.TNEF,
    "html": {**texts.HTML, **texts.HTML_CODED}, "xml": texts.XML, "json": texts.JSON, "jsonl": texts.JSONL,
    "csv": texts.CSV, "rtf": texts.RTF, "hl7": texts.HL7, "fhir.json": texts.FHIR, "txt": texts.TXT,
    "md": texts.MD, "parquet": texts.PARQUET,
}  # fmt: skip

# (ending, place) -> what makes the file for a name.
PLACES: Final[Mapping[tuple[str, str], Plant]] = {
    **{(ending, place): plant for ending, plants in _BY_ENDING.items() for place, plant in plants.items()},
    **{(ending, place): plant for place, (ending, plant) in texts.OTHER.items()},
}
