"""Two pseudonyms, one person: said by a curator, and taken back. Both pseudonyms stay in either case."""

from collections.abc import Iterable, Sequence

from linkage.told import Verdict
from pseudonymizer.errors import SettingsError
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, LinkKind
from pseudonymizer.vault.care.judged_pairs import judged_anew
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, run_results
from pseudonymizer.vault.rows.fact_rows import replace_facts, stored_facts
from pseudonymizer.vault.rows.table_rows import LINK_COLUMNS, LinkRow
from pseudonymizer.vault.ways_back.gate import Gate, gate

_UNSCORED = -1.0


def merge(
    vault: OpenVault, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = ""
) -> int:
    """Say that these pseudonyms are one person; commits. Returns how many links that made.

    Raises:
        AccessRefusedError, PurposeRequiredError, UnknownPseudonymError: on record; nothing is changed.
        SettingsError: fewer than two people are behind them.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=purpose, ticket=ticket) as opened:
        first, *others = _people(opened, pseudonyms)
        rows = [(first, other, LinkKind.ALSO_KNOWN_AS, "", "", _UNSCORED, _UNSCORED) for other in others]
        linked = _linked(opened, [first, *others], LinkKind.ALSO_KNOWN_AS)
        made = entities.add_links(vault, opened.keys, [r for r in rows if frozenset(r[:2]) not in linked])
        _judge_anew(opened, [(first, other) for other in others], Verdict.ACCEPT)
        run_results.settle(vault, opened.keys, [first, *others])
        opened.commit("merge", sorted(set(pseudonyms)), counts={"links": made})
        return made


def unmerge(
    vault: OpenVault, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = ""
) -> int:
    """Take back that these pseudonyms are one person; commits. Returns how many links went.

    In place of each a link of the kind "split" says that they were judged to be two.

    Raises:
        AccessRefusedError, PurposeRequiredError, UnknownPseudonymError: on record; nothing is changed.
        SettingsError: nothing links them.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=purpose, ticket=ticket) as opened:
        people = _people(opened, pseudonyms)
        rows = _linked(opened, people, LinkKind.ALSO_KNOWN_AS)
        if not rows:
            raise SettingsError("no link says that these pseudonyms are one person")
        keys = opened.keys
        bind = keys.binder("link").bind
        gone = [row for found in rows.values() for row in found]
        vault.store.run_many(
            "DELETE FROM link WHERE project_id = ? AND left_entity = ? AND right_entity = ? AND kind = ?",
            [(row.project_id, row.left_entity, row.right_entity, row.kind) for row in gone],
        )
        vault.checkpoints.removed(
            keys.project_id, "link", [bind(entities.link_fields(row))[16:] for row in gone]
        )
        unscored = (LinkKind.SPLIT, "", "", _UNSCORED, _UNSCORED)
        made = [(row.left_entity, row.right_entity, *unscored) for row in gone]
        entities.add_links(vault, keys, made)
        _judge_anew(opened, [(row.left_entity, row.right_entity) for row in gone], Verdict.REJECT)
        run_results.settle(vault, keys, people)
        opened.commit("split", sorted(set(pseudonyms)), counts={"links": len(gone)})
        return len(gone)


def _people(opened: Gate, pseudonyms: Sequence[str]) -> list[int]:
    found = sorted(set(opened.owners(pseudonyms).values()))
    kinds = entities.entity_kinds(opened.vault, opened.keys, found)
    if len(found) < 2 or any(kind is EntityKind.VALUE for kind, _ in kinds.values()):
        raise SettingsError("give the pseudonyms of two people or more, and of nothing else")
    return found


def _judge_anew(opened: Gate, pairs: Iterable[tuple[int, int]], verdict: Verdict) -> None:
    """Write the verdict on what was judged otherwise of mentions of two people."""
    vault, keys = opened.vault, opened.keys
    for pair in dict.fromkeys(pairs):
        sealers = entities.sealers_of(vault, keys, pair)
        stored = stored_facts(vault, keys, sealers)
        both = judged_anew(stored[pair[0]], stored[pair[1]], verdict, vault.clock())
        for number, facts in zip(pair, both, strict=True):
            if facts != list(stored[number]):
                replace_facts(vault, keys, number, sealers[number], facts)


def _linked(opened: Gate, people: Sequence[int], kind: LinkKind) -> dict[frozenset[int], list[LinkRow]]:
    """Checked link rows of this kind between these people."""
    marks = entities.marks(people)
    found: dict[frozenset[int], list[LinkRow]] = {}
    rows = opened.vault.store.rows(
        f"SELECT {LINK_COLUMNS} FROM link WHERE project_id = ? AND kind = ? "  # noqa: S608  our own columns
        f"AND left_entity IN ({marks}) AND right_entity IN ({marks})",
        (opened.keys.project_id, str(kind), *people, *people),
    )
    for row in entities.checked_links(opened.keys, rows):
        found.setdefault(frozenset((row.left_entity, row.right_entity)), []).append(row)
    return found
