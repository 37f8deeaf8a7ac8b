"""The tables of the two stores. Ciphertext, tags and numbers here; wrapped keys there. alembic's metadata.

Every table but the key store's and the audit's has a `binding`: a keyed hash over its clear columns, checked
when the row is read. Sealed columns carry their address as associated data.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import sqlite

BigId = BigInteger().with_variant(sqlite.INTEGER(), "sqlite")  # SQLite's rowid wants the very word INTEGER

VAULT_FORMAT: Final = 1  # in every context: a blob of another layout is refused, not misread

vault_metadata = MetaData()
keys_metadata = MetaData()

vault_meta = Table(
    "vault_meta", vault_metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)  # fmt: skip

project = Table(
    "project", vault_metadata,
    Column("project_id", BigId, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("settings", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("binding", LargeBinary, nullable=False),
)  # fmt: skip

entity = Table(
    "entity", vault_metadata,
    Column("entity_id", BigId, primary_key=True, autoincrement=False),
    Column("project_id", BigId, nullable=False),
    Column("kind", SmallInteger, nullable=False),
    Column("data_key_version", Integer, nullable=False),
    Column("created_on", Integer, nullable=False),  # days since 1970-01-01
    Column("last_seen_on", Integer, nullable=False),
    Column("binding", LargeBinary, nullable=False),
    Index("entity_by_project", "project_id", "entity_id"),
)  # fmt: skip

form = Table(
    "form", vault_metadata,
    Column("form_id", BigId, primary_key=True, autoincrement=False),
    Column("entity_id", BigId, nullable=False),
    Column("project_id", BigId, nullable=False),
    Column("form_tag", LargeBinary, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    UniqueConstraint("entity_id", "form_tag", name="form_once_an_entity"),
)  # fmt: skip

name_index = Table(
    "name_index", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("index_version", Integer, primary_key=True),
    Column("tag", LargeBinary, primary_key=True),
    Column("entity_id", BigId, primary_key=True),
    Column("binding", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

pseudonym = Table(
    "pseudonym", vault_metadata,
    Column("pseudonym_id", BigId, primary_key=True, autoincrement=False),
    Column("project_id", BigId, nullable=False),
    Column("label", Text, nullable=False),
    Column("entity_id", BigId, nullable=False),
    Column("scope", Text, nullable=False),
    Column("scope_tag", LargeBinary, nullable=False),  # empty, or the document's or mention's tag
    Column("style", Text, nullable=False),
    Column("created_on", Integer, nullable=False),
    Column("binding", LargeBinary, nullable=False),
    UniqueConstraint("project_id", "label", name="label_once_a_project"),
    UniqueConstraint("entity_id", "scope", "scope_tag", "style", name="pseudonym_once_a_scope"),
)  # fmt: skip

mention_list = Table(
    "mention_list", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("doc_tag", LargeBinary, primary_key=True),
    Column("part", Integer, primary_key=True),  # mentions met later than the others get a further part
    Column("entries", LargeBinary, nullable=False),  # mention tag and entity id, 24 bytes each
    Column("binding", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

mention = Table(  # one row each, as revision 1 wrote them; still read
    "mention", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("mention_tag", LargeBinary, primary_key=True),
    Column("entity_id", BigId, nullable=False),
    Column("binding", LargeBinary, nullable=False),
    Index("mention_by_entity", "entity_id"),
    sqlite_with_rowid=False,
)  # fmt: skip

link = Table(
    "link", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("left_entity", BigId, primary_key=True),
    Column("right_entity", BigId, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("decision", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("match_probability", Float, nullable=False),
    Column("partial_ratio", Float, nullable=False),  # -1: none
    Column("binding", LargeBinary, nullable=False),
    Index("link_by_right", "right_entity"),
    sqlite_with_rowid=False,
)  # fmt: skip

run_result = Table(  # what runs leave for review: one row for each file, or unit of one, that was linked
    "run_result", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("source_tag", LargeBinary, primary_key=True),  # of the file's path and content
    Column("unit", Integer, primary_key=True),
    Column("linking", BigId, nullable=False),  # counts: what was linked together has one number
    Column("entries", LargeBinary, nullable=False),  # open links from mentions of the source
    Column("binding", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

document = Table(
    "document", vault_metadata,
    Column("document_id", BigId, primary_key=True, autoincrement=False),
    Column("project_id", BigId, nullable=False),
    Column("doc_tag", LargeBinary, nullable=False),
    Column("output_tag", LargeBinary, nullable=False),
    Column("format_name", Text, nullable=False),
    Column("edit_count", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("stored_on", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("binding", LargeBinary, nullable=False),
    UniqueConstraint("project_id", "doc_tag", name="document_once_a_project"),
    Index("document_by_output", "project_id", "output_tag"),
)  # fmt: skip

edit = Table(
    "edit", vault_metadata,
    Column("document_id", BigId, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("project_id", BigId, nullable=False),
    Column("entity_id", BigId, nullable=False),  # 0: sealed under the document's key
    Column("start_offset", BigId, nullable=False),
    Column("end_offset", BigId, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Index("edit_by_entity", "entity_id"),
    sqlite_with_rowid=False,
)  # fmt: skip

tombstone = Table(
    "tombstone", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("label", Text, primary_key=True),
    Column("erased_on", Integer, nullable=False),
    Column("binding", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

checkpoint = Table(
    "checkpoint", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("table_name", Text, primary_key=True),
    Column("row_count", BigId, nullable=False),
    Column("revision", BigId, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

audit_event = Table(
    "audit_event", vault_metadata,
    Column("sequence", BigId, primary_key=True, autoincrement=False),
    Column("occurred_at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("project", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subjects", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("ticket", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("counts", Text, nullable=False),
    Column("epoch", BigId, nullable=False),
    Column("previous_digest", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("mac", LargeBinary, nullable=False),
)  # fmt: skip

audit_epoch = Table(
    "audit_epoch", vault_metadata,
    Column("epoch", BigId, primary_key=True, autoincrement=False),
    Column("first_sequence", BigId, nullable=False),
    Column("first_digest", LargeBinary, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),  # by the epoch before, over all of the above
)  # fmt: skip

audit_head = Table(
    "audit_head", vault_metadata,
    Column("head", SmallInteger, primary_key=True, autoincrement=False),  # always 1
    Column("sequence", BigId, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("epoch", BigId, nullable=False),
    Column("mac", LargeBinary, nullable=False),
)  # fmt: skip

actor_role = Table(
    "actor_role", vault_metadata,
    Column("actor", Text, primary_key=True),
    Column("role", Text, primary_key=True),
    Column("granted_by", Text, nullable=False),
    Column("granted_at", Text, nullable=False),
    Column("binding", LargeBinary, nullable=False),
)  # fmt: skip

access_request = Table(
    "access_request", vault_metadata,
    Column("request_id", BigId, primary_key=True, autoincrement=False),
    Column("project_id", BigId, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("labels", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("legal_basis", Text, nullable=False),
    Column("ticket", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("approvals_needed", Integer, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("binding", LargeBinary, nullable=False),
)  # fmt: skip

approval = Table(
    "approval", vault_metadata,
    Column("request_id", BigId, primary_key=True),
    Column("approver", Text, primary_key=True),
    Column("approved_at", Text, nullable=False),
    Column("binding", LargeBinary, nullable=False),
)  # fmt: skip

rate_bucket = Table(
    "rate_bucket", vault_metadata,
    Column("project_id", BigId, primary_key=True),
    Column("actor", Text, primary_key=True),
    Column("tokens", Float, nullable=False),
    Column("updated_at", Float, nullable=False),  # seconds since 1970, UTC
    Column("binding", LargeBinary, nullable=False),
)  # fmt: skip

job = Table(
    "job", vault_metadata,
    Column("job_id", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("binding", LargeBinary, nullable=False),
)  # fmt: skip

key_meta = Table(
    "key_meta", keys_metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)  # fmt: skip

kek = Table(
    "kek", keys_metadata,
    Column("kek_id", BigId, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("parameters", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("check_value", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),  # unkeyed: tells damage from a wrong key
)  # fmt: skip

project_key = Table(
    "project_key", keys_metadata,
    Column("project_id", BigId, primary_key=True),  # 0: the vault's own keys
    Column("purpose", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kek_id", BigId, primary_key=True),
    Column("state", Text, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
    Column("created_at", Text, nullable=False),
)  # fmt: skip

entity_key = Table(
    "entity_key", keys_metadata,
    Column("entity_id", BigId, primary_key=True, autoincrement=False),
    Column("project_id", BigId, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
    Index("entity_key_by_project", "project_id", "entity_id"),
)  # fmt: skip

counter = Table(  # the highest number that was ever given, which the vault's rows alone may have forgotten
    "counter", keys_metadata,
    Column("tag", LargeBinary, primary_key=True),  # of the project's name and the kind of number
    Column("highest", BigId, nullable=False),
    Column("binding", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

given_word = Table(  # words of surrogates that were ever given, as keyed hashes
    "given_word", keys_metadata,
    Column("tag", LargeBinary, primary_key=True),
    sqlite_with_rowid=False,
)  # fmt: skip

work_key = Table(  # of the work file of an output folder
    "work_key", keys_metadata,
    Column("folder_id", LargeBinary, primary_key=True),
    Column("version", Integer, primary_key=True),  # two while the file is sealed anew
    Column("project_id", BigId, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),  # the key, where the folder is, and who may have it
    sqlite_with_rowid=False,
)  # fmt: skip

key_checkpoint = Table(  # what `checkpoint` is to the vault: count and sum of the rows of each table here
    "key_checkpoint", keys_metadata,
    Column("project_id", BigId, primary_key=True),  # always 0
    Column("table_name", Text, primary_key=True),
    Column("row_count", BigId, nullable=False),
    Column("revision", BigId, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip

document_key = Table(
    "document_key", keys_metadata,
    Column("document_id", BigId, primary_key=True, autoincrement=False),
    Column("project_id", BigId, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
)  # fmt: skip
