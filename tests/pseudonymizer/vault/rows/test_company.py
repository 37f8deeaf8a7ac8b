"""Who shares a document with whom, against the obvious way to tell."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, EntityId
from pseudonymizer.assignment import assign
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows.company import Company, read_company
from tests.fakes import linkage_result

documents = st.lists(st.lists(st.integers(1, 120), max_size=70), max_size=12)


@given(documents)
def test_company_is_all_of_ones_documents_but_large_ones(given_documents: list[list[int]]) -> None:
    expected: dict[int, set[int]] = defaultdict(set)
    for document in given_documents:
        if len(set(document)) <= 50:
            for person in document:
                expected[person] |= set(document) - {person}
    company = Company(given_documents)
    assert {person: company.of(person) for person in range(122)} == {p: expected[p] for p in range(122)}


def test_it_is_read_from_edits_of_one_project(vault: Vault) -> None:
    names = ["Jan Tolsma", "Els Kok", "Bram Dijk"]
    ids: dict[str, list[EntityId]] = {}
    for project in ("p", "q"):
        result = linkage_result({"a": ", ".join(names)}, [[("a", name)] for name in names])
        given_labels = assign(result, vault, project=project)
        ids[project] = [given_labels[m.mention_id].entity_id for m in result.mentions]
        people = ids[project][:2] if project == "p" else ids[project]
        edits = tuple(RewriteEdit(n, "", n, n + 1, b"x", who) for n, who in enumerate([*people, None]))
        vault.store_rewrite(project, Rewrite(DocumentId("d"), "txt", edits), output=project.encode())
        vault.commit()
    numbers = [int(entity_id.removeprefix("vault:")) for entity_id in ids["p"]]
    company = read_company(vault, vault.keys_of("p"))
    assert [company.of(number) for number in numbers] == [{numbers[1]}, {numbers[0]}, set()]
    assert [len(one.seen_with) for one in vault.known_identities("q")] == [2, 2, 2]
