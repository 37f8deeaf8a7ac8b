"""Puts data/ and alembic/ into the packages of a wheel; an editable install reads them from the checkout.

A language that has a distribution of its own, in languages/, leaves the tables here that others quote.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

QUOTED = ("months.tsv", "weekdays.tsv", "digests.tsv")  # tables of a language that texts of others quote


class DataHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] = {"alembic": "pseudonymizer/migrations"} | shipped(Path(self.root))


def shipped(root: Path) -> dict[str, str]:
    """By file of data/, its place in the wheel."""
    apart = {place.name.removeprefix("nymlink-lang-") for place in (root / "languages").iterdir()}
    files = (file.relative_to(root) for file in sorted((root / "data").rglob("*")) if file.is_file())
    return {
        str(file): str(Path("linkage") / file)
        for file in files
        if not (file.parts[1] == "languages" and file.parts[2] in apart and file.name not in QUOTED)
    }
