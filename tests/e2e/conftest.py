"""A PostgreSQL server for the pages that need one."""

from tests.pseudonymizer.conftest import postgres_server

__all__ = ["postgres_server"]
