"""The messages of templates and modules, as they stand there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.extract import extract_from_dir

WEB: Final = Path(__file__).parents[3] / "pseudonymizer" / "web"
_KEYWORDS: Final = {"_": None, "ngettext": (1, 2)}


def messages() -> Iterator[str | tuple[str, ...]]:
    """Each message once; of one with a plural both forms."""
    seen = set()
    for _, _, message, _, _ in extract_from_dir(
        WEB, method_map=[("**.py", "python"), ("**/templates/**.html", "jinja2")], keywords=_KEYWORDS,
        options_map={"**/templates/**.html": {"trimmed": "false", "silent": "false"}},
    ):  # fmt: skip
        found = message if isinstance(message, str) else tuple(message)
        if found not in seen:
            seen.add(found)
            yield found
