"""The first schema of the vault: pseudonyms, sealed forms, blind index, links, documents, audit."""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from alembic import op

revision = "vault_0001"
down_revision = None
branch_labels = ("vault",)
depends_on = None

BIG_ID = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "access_request",
        sa.Column("request_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("legal_basis", sa.Text(), nullable=False),
        sa.Column("ticket", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("approvals_needed", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("request_id"),
    )
    op.create_table(
        "actor_role",
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("granted_by", sa.Text(), nullable=False),
        sa.Column("granted_at", sa.Text(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("actor", "role"),
    )
    op.create_table(
        "approval",
        sa.Column("request_id", BIG_ID, nullable=False),
        sa.Column("approver", sa.Text(), nullable=False),
        sa.Column("approved_at", sa.Text(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("request_id", "approver"),
    )
    op.create_table(
        "audit_epoch",
        sa.Column("epoch", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("first_sequence", BIG_ID, nullable=False),
        sa.Column("first_digest", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("epoch"),
    )
    op.create_table(
        "audit_event",
        sa.Column("sequence", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("occurred_at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("project", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subjects", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("ticket", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("epoch", BIG_ID, nullable=False),
        sa.Column("previous_digest", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("mac", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sequence"),
    )
    op.create_table(
        "audit_head",
        sa.Column("head", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("sequence", BIG_ID, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("epoch", BIG_ID, nullable=False),
        sa.Column("mac", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("head"),
    )
    op.create_table(
        "checkpoint",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("row_count", BIG_ID, nullable=False),
        sa.Column("revision", BIG_ID, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "table_name"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "document",
        sa.Column("document_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("doc_tag", sa.LargeBinary(), nullable=False),
        sa.Column("output_tag", sa.LargeBinary(), nullable=False),
        sa.Column("format_name", sa.Text(), nullable=False),
        sa.Column("edit_count", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("stored_on", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id"),
        sa.UniqueConstraint("project_id", "doc_tag", name="document_once_a_project"),
    )
    op.create_index("document_by_output", "document", ["project_id", "output_tag"], unique=False)
    op.create_table(
        "edit",
        sa.Column("document_id", BIG_ID, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("entity_id", BIG_ID, nullable=False),
        sa.Column("start_offset", BIG_ID, nullable=False),
        sa.Column("end_offset", BIG_ID, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
        sqlite_with_rowid=False,
    )
    op.create_index("edit_by_entity", "edit", ["entity_id"], unique=False)
    op.create_table(
        "entity",
        sa.Column("entity_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("data_key_version", sa.Integer(), nullable=False),
        sa.Column("created_on", sa.Integer(), nullable=False),
        sa.Column("last_seen_on", sa.Integer(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("entity_id"),
    )
    op.create_index("entity_by_project", "entity", ["project_id", "entity_id"], unique=False)
    op.create_table(
        "form",
        sa.Column("form_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("entity_id", BIG_ID, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("form_tag", sa.LargeBinary(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("form_id"),
        sa.UniqueConstraint("entity_id", "form_tag", name="form_once_an_entity"),
    )
    op.create_table(
        "job",
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("job_id"),
    )
    op.create_table(
        "link",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("left_entity", BIG_ID, nullable=False),
        sa.Column("right_entity", BIG_ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("match_probability", sa.Float(), nullable=False),
        sa.Column("partial_ratio", sa.Float(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "left_entity", "right_entity", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_index("link_by_right", "link", ["right_entity"], unique=False)
    op.create_table(
        "mention",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("mention_tag", sa.LargeBinary(), nullable=False),
        sa.Column("entity_id", BIG_ID, nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "mention_tag"),
        sqlite_with_rowid=False,
    )
    op.create_index("mention_by_entity", "mention", ["entity_id"], unique=False)
    op.create_table(
        "name_index",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("index_version", sa.Integer(), nullable=False),
        sa.Column("tag", sa.LargeBinary(), nullable=False),
        sa.Column("entity_id", BIG_ID, nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "index_version", "tag", "entity_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("name_index_by_entity", "name_index", ["entity_id"], unique=False)
    op.create_table(
        "project",
        sa.Column("project_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "pseudonym",
        sa.Column("pseudonym_id", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("entity_id", BIG_ID, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_tag", sa.LargeBinary(), nullable=False),
        sa.Column("style", sa.Text(), nullable=False),
        sa.Column("created_on", sa.Integer(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("pseudonym_id"),
        sa.UniqueConstraint("entity_id", "scope", "scope_tag", "style", name="pseudonym_once_a_scope"),
        sa.UniqueConstraint("project_id", "label", name="label_once_a_project"),
    )
    op.create_table(
        "rate_bucket",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Float(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "actor"),
    )
    op.create_table(
        "tombstone",
        sa.Column("project_id", BIG_ID, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("erased_on", sa.Integer(), nullable=False),
        sa.Column("binding", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "label"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vault_meta",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
