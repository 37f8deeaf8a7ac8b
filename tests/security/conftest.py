"""A PostgreSQL server for the attacks on stores that lie in one."""

from tests.pseudonymizer.conftest import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
