"""By what resources of FHIR are told among files of JSON."""

import re

_RESOURCE = re.compile(r'"resourceType"\s*:\s*"[A-Z]')


def names_a_resource(raw: bytes) -> bool:
    """Whether the beginning of a file of JSON names the kind of a resource."""
    return _RESOURCE.search(raw[:4096].decode("latin-1")) is not None
