"""Mentions by document instead of one row each; the blind index by its tags alone, since only erasing asked
for it by person."""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "vault_0002"
down_revision = "vault_0001"
branch_labels = None
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "mention_list",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("doc_tag", sa.LargeBinary(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "doc_tag", "part"),
        sqlite_with_rowid=False,
    )
    op.drop_index("name_index_by_entity", table_name="name_index")
