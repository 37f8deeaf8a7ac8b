"""Runs the migrations of one store on the connection that pseudonymizer.vault.store.migration hands over.

The caller begins and commits, so a revision is applied as a whole or not at all. No keys are needed.
"""

from alembic import context

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("run `nymlink vault migrate --vault URL`; these migrations need its connection")
context.configure(
    connection=connection,
    target_metadata=None,
    version_table_schema=context.config.attributes.get("version_table_schema"),
    transactional_ddl=False,
)
context.run_migrations()
