"""Puts data/ and alembic/ into the packages of a wheel; an editable install reads them from the checkout."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] = {"data": "linkage/data", "alembic": "pseudonymizer/migrations"}
