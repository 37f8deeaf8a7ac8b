"""Links between pseudonyms, for network analysis without names: written as CSV, Parquet or GraphML."""

import csv
import math
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from pseudonymizer.errors import SettingsError
from pseudonymizer.policy import Verb
from pseudonymizer.records import LinkKind, PseudonymLink, Scope
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.rows.entities import checked_links, pseudonym_rows
from pseudonymizer.vault.rows.table_rows import LINK_COLUMNS
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_COLUMNS: Final = tuple(f.name for f in fields(PseudonymLink))
_GRAPHML: Final = "http://graphml.graphdrawing.org/xmlns"


def pseudonym_links(vault: VaultCore, project: str) -> Iterator[PseudonymLink]:
    """Every stored link between two people with a pseudonym of project scope, by the order of the people.

    People that have labels by document or occurrence only are left out: links of those would undo the scope.
    match_probability and partial_ratio are NaN where nothing was scored.

    Raises:
        AccessRefusedError: at once, and on record, if the actor may not export links.
    """
    keys = vault.keys_of(project)
    authorize(vault, Verb.EXPORT_LINKS, project_name=project)
    return _links(vault, keys)


def _links(vault: VaultCore, keys: ProjectKeys) -> Iterator[PseudonymLink]:
    stored = vault.store.rows(
        f"SELECT {LINK_COLUMNS} FROM link WHERE project_id = ? ORDER BY left_entity, right_entity, kind",  # noqa: S608
        (keys.project_id,),
    )
    rows = list(checked_links(keys, stored))
    people = sorted({number for row in rows for number in (row.left_entity, row.right_entity)})
    label_of = {
        entity_id: label
        for _, label, entity_id, scope, scope_tag, _ in pseudonym_rows(vault, keys, "entity_id", people)
        if scope is Scope.PROJECT and not scope_tag  # not the label of one run
    }
    for _, left, right, kind, decision, variant, probability, ratio, _ in rows:
        if left in label_of and right in label_of:
            yield PseudonymLink(
                label_of[left], label_of[right], LinkKind(kind), decision, variant,
                _scored(probability), _scored(ratio),
            )  # fmt: skip


def _scored(value: float) -> float:
    return math.nan if value < 0 else value


def write_links(links: Iterable[PseudonymLink], path: Path) -> int:
    """Write links to .csv, .parquet or .graphml, by the file's suffix; returns how many.

    Raises:
        SettingsError: for another suffix.
    """
    rows = list(links)
    suffix = path.suffix.casefold()
    if suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(_COLUMNS)
            writer.writerows(
                tuple("" if isinstance(v, float) and math.isnan(v) else v for v in astuple(row))
                for row in rows
            )
    elif suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = [pa.string()] * 5 + [pa.float64()] * 2
        columns = list(zip(*[tuple(map(_plain, astuple(row))) for row in rows], strict=True)) or [()] * len(
            types
        )
        table = pa.table(
            {
                name: pa.array(list(column), type=kind)
                for name, column, kind in zip(_COLUMNS, columns, types, strict=True)
            }
        )
        pq.write_table(table, path)
    elif suffix == ".graphml":
        path.write_text("".join(_graphml(rows)), encoding="utf-8")
    else:
        raise SettingsError("links are written as .csv, .parquet or .graphml")
    return len(rows)


def _plain(value: object) -> object:
    return str(value) if isinstance(value, str) else value


def _graphml(links: Iterable[PseudonymLink]) -> Iterator[str]:
    rows = list(links)
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_GRAPHML}">\n'
    for name in _COLUMNS[2:]:
        kind = "double" if name in {"match_probability", "partial_ratio"} else "string"
        yield f'<key id="{name}" for="edge" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<graph id="pseudonyms" edgedefault="undirected">\n'
    for label in sorted({label for row in rows for label in (row.left, row.right)}):
        yield f"<node id={quoteattr(label)}/>\n"
    for row in rows:
        yield f"<edge source={quoteattr(row.left)} target={quoteattr(row.right)}>"
        for name in _COLUMNS[2:]:
            value = getattr(row, name)
            if not (isinstance(value, float) and math.isnan(value)):
                yield f'<data key="{name}">{escape(str(value))}</data>'
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"
