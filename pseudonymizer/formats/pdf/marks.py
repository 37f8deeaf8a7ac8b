"""The mark of a PDF: a property of the document, in its information and in its XMP metadata.

XMP keeps properties of the user's in the namespace pdfx, under the name that they have in the information.
"""

import io
import re
from typing import Any

import pikepdf

from pseudonymizer.formats.marking import PROPERTY, WORD

_KEY = f"/{PROPERTY}"
_PDFX = "http://ns.adobe.com/pdfx/1.3/"
_DESCRIPTION = (
    f'<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about=""'
    f' xmlns:pdfx="{_PDFX}"><pdfx:{PROPERTY}>{WORD}</pdfx:{PROPERTY}></rdf:Description>'
).encode("ascii")
_PACKET = (
    b'<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">%s</rdf:RDF></x:xmpmeta>\n'
    b'<?xpacket end="w"?>'
)
_CLOSING = re.compile(rb"</(?:[\w.-]+:)?RDF\s*>")


def mark(pdf: pikepdf.Pdf) -> None:
    """Marks an open file. XMP of a kind that cannot be added to is left alone."""
    pdf.docinfo[pikepdf.Name(_KEY)] = pikepdf.String(WORD)
    metadata: Any = pdf.Root.get("/Metadata")
    if not isinstance(metadata, pikepdf.Stream):
        fresh = pdf.make_stream(_PACKET % _DESCRIPTION)
        fresh.stream_dict["/Type"] = pikepdf.Name("/Metadata")
        fresh.stream_dict["/Subtype"] = pikepdf.Name("/XML")
        pdf.Root["/Metadata"] = fresh
        return
    content = metadata.read_bytes()
    closing = list(_CLOSING.finditer(content))
    if closing and f":{PROPERTY}>".encode() not in content:
        at = closing[-1].start()
        metadata.write(content[:at] + _DESCRIPTION + content[at:])


def is_marked(raw: bytes) -> bool:
    with pikepdf.open(io.BytesIO(raw)) as pdf:
        information: Any = pdf.trailer.get("/Info")
        return isinstance(information, pikepdf.Dictionary) and str(information.get(_KEY, "")) == WORD
