"""The first schema of the web desk: API tokens."""

import sqlalchemy as sa

from alembic import op

revision = "desk_0001"
down_revision = None
branch_labels = ("desk",)
depends_on = None


def upgrade() -> None:
    op.create_table(
        "api_token",
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("verbs", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("revoked_at", sa.String(), nullable=True),
        sa.Column("last_used", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("token_id"),
    )
