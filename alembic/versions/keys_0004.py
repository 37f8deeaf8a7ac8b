"""Counts and sums of the key store's own rows, so that one that was altered, taken out or put back shows.

The table begins empty, so that an older key store is opened as it is; its next write counts its rows.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "keys_0004"
down_revision = "keys_0003"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "key_checkpoint",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("row_count", BIG_ID, nullable=False),
        sa.Column("revision", BIG_ID, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "table_name"),
        sqlite_with_rowid=False,
    )
