"""What was ever given: the highest number of each counter, and keyed hashes of the words of surrogates.

Both tables begin empty, so that a key store of the first revision is opened as it is and gets them with its
next write.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "keys_0002"
down_revision = "keys_0001"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "counter",
        sa.Column("tag", sa.LargeBinary(), nullable=False),
        sa.Column("highest", BIG_ID, nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tag"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "given_word",
        sa.Column("tag", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tag"),
        sqlite_with_rowid=False,
    )
