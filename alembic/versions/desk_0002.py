"""Workspaces: sealed keys, files, corrections and jobs. Nothing in the clear but ids, counts and times."""

import sqlalchemy as sa

from alembic import op

revision = "desk_0002"
down_revision = "desk_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "workspace",
        sa.Column("workspace_id", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("intent", sa.String(), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=False),
        sa.Column("keep_hours", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id"),
    )
    op.create_table(
        "held_file",
        sa.Column("file_id", sa.String(), nullable=False),
        sa.Column("workspace_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sealed_name", sa.LargeBinary(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("pieces", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("remedy", sa.String(), nullable=False),
        sa.Column("mentions", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("file_id"),
        sa.UniqueConstraint("workspace_id", "number"),
    )
    op.create_table(
        "step",
        sa.Column("workspace_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("is_undone", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "number"),
    )
    op.create_table(
        "job",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("workspace_id", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("work", sa.String(), nullable=False),
        sa.Column("sealed_options", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("is_cancelled", sa.Boolean(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("ended_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("job_id"),
    )
