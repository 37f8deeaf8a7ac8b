"""Keys of output folders, each for one work file.

The table begins empty, so that an older key store is opened as it is and gets it with its next write.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "keys_0003"
down_revision = "keys_0002"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "work_key",
        sa.Column("folder_id", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("folder_id", "version"),
        sqlite_with_rowid=False,
    )
