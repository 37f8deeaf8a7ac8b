"""Messages and resources of health care."""

from typing import Final

from pseudonymizer.formats.format import Format, Way

FORMATS: Final = (
    Format(
        "hl7", "HL7 version 2", ("hl7",), heads=(b"MSH|", b"FHS|", b"BHS|"),
        head_after=b"\x0b\r\n\xef\xbb\xbf", parse=Way("health.hl7:parse"),
    ),
    Format(
        "fhir", "FHIR resource", among=frozenset({"json"}),
        looks_like_among=Way("health.heads:names_a_resource"),
        parse=Way("health.fhir:parse"),
        stamps=Way("health.fhir_marks:stamps"), is_marked=Way("health.fhir_marks:is_marked"),
    ),
)  # fmt: skip
