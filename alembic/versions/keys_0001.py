"""The first schema of the key store: wrapped keys."""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "keys_0001"
down_revision = None
branch_labels = ("keys",)
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "document_key",
        sa.Column("document_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id"),
    )
    op.create_table(
        "entity_key",
        sa.Column("entity_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("entity_id"),
    )
    op.create_index("entity_key_by_project", "entity_key", ["project_id", "entity_id"], unique=False)
    op.create_table(
        "kek",
        sa.Column("kek_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("check_value", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("kek_id"),
    )
    op.create_table(
        "key_meta",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "project_key",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kek_id", BIG_ID, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "purpose", "version", "kek_id"),
    )
