"""Contexts of sealed values: what commit 8952b15 sealed opens under them, so they stay as they are."""

from pseudonymizer.work_files import contexts


def test_contexts_are_those_of_ever() -> None:
    assert [
        contexts.path_context("d"), contexts.output_context("d"), contexts.intended_context("d"),
        contexts.analysis_context("d"), contexts.labels_context("d"), contexts.person_context("vault:1"),
        contexts.forms_context("d"), contexts.linked_context("identity", 2), contexts.meta_context("totals"),
    ] == [
        b"work/path/d", b"work/output/d", b"work/intended/d", b"work/mentions/d", b"work/labels/d",
        b"work/person/vault:1", b"work/form/d", b"work/linked/identity/2", b"work/meta/totals",
    ]  # fmt: skip
