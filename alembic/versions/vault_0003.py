"""The open links that a run leaves for review, by source.

The table begins empty, so that a vault of the second revision is opened as it is and gets it with the next
run that links something.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "vault_0003"
down_revision = "vault_0002"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "run_result",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("source_tag", sa.LargeBinary(), nullable=False),
        sa.Column("unit", sa.Integer(), nullable=False),
        sa.Column("linking", BIG_ID, nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "source_tag", "unit"),
        sqlite_with_rowid=False,
    )
