"""Work files of version 1, which commit 8952b15 and its followers before 0.2 made: read once, and rewritten.

This module goes one version after 0.2. From then on such a work file is refused like any other of another
version: a run that 0.1 began is ended with 0.2.

A value of version 1 is JSON, and its records are lists without names of fields. All else is as it is now.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from linkage.codec import FormLinkRow, IdentityRow, LinkRow, MentionRow, NameRow
from linkage.records import Detector, Gender, KindId, LinkDecision, Span, mention_id_at
from linkage.told import told_by
from pseudonymizer.runs.codec import (
    ANALYSIS,
    FORM_LINKS,
    IDENTITIES,
    LABELS,
    PERSON,
    SEEN_THROUGH,
    SOURCES,
    Analysis,
    LabelRow,
    LookRow,
    PartRow,
    PersonRow,
    SourceLabels,
)
from pseudonymizer.work_files.contexts import analysis_context, labels_context, linked_context, person_context
from pseudonymizer.work_files.folder import WorkFolder
from pseudonymizer.work_files.store import OLD_VERSION, VERSION

_NAN: Final = float("nan")
_Convert = Callable[[Any], bytes]


class OldWork(WorkFolder):
    """Brings a work file of version 1 up to date."""

    _is_of_this_version = False

    def _upgrade(self) -> None:
        """Rewrite what is sealed as version 1 had it, all or nothing; programs before 0.2 then refuse the
        file. Nothing happens to a file of this version.

        Called before a record is read or written, so that a folder in which nothing is left to do stays as
        version 1 left it.

        Raises:
            WorkFileError: it is damaged, or was altered.
        """
        if self._is_of_this_version:
            return
        if self.version == OLD_VERSION:
            self._rewrite()
        self._is_of_this_version = True

    def _rewrite(self) -> None:
        with self._transaction() as do:
            for (doc_id,) in do.execute("select doc_id from source where mentions is not null").fetchall():
                (old,) = do.execute("select mentions from source where doc_id = ?", (doc_id,)).fetchone()
                new = self._converted(old, analysis_context(doc_id), _analysis)
                do.execute("update source set mentions = ? where doc_id = ?", (new, doc_id))
            for (doc_id,) in do.execute("select doc_id from source where labels is not null").fetchall():
                (old,) = do.execute("select labels from source where doc_id = ?", (doc_id,)).fetchone()
                new = self._converted(old, labels_context(doc_id), _labels)
                do.execute("update source set labels = ? where doc_id = ?", (new, doc_id))
            for (entity_id,) in do.execute("select entity_id from person").fetchall():
                (old,) = do.execute("select person from person where entity_id = ?", (entity_id,)).fetchone()
                new = self._converted(old, person_context(entity_id), _person)
                do.execute("update person set person = ? where entity_id = ?", (new, entity_id))
            for place in do.execute("select kind, number from linked").fetchall():
                (old,) = do.execute("select rows from linked where kind = ? and number = ?", place).fetchone()
                new = self._converted(old, linked_context(*place), _LINKED[place[0]])
                do.execute("update linked set rows = ? where kind = ? and number = ?", (new, *place))
            self._put_version(VERSION)

    def _converted(self, sealed: bytes, context: bytes, convert: _Convert) -> bytes:
        return self._sealing.seal(convert(json.loads(self._unsealed(sealed, context))), context=context)


def _analysis(old: Any) -> bytes:
    keys = old.get("keys", {})
    parts = tuple(
        PartRow(part_id, keys.get(part_id), tuple(map(_mention, mentions)), tuple(LookRow(*x) for x in looks))
        for part_id, mentions, looks in old["parts"]
    )
    return ANALYSIS.encode(Analysis(bytes.fromhex(old["digest"]), parts, tuple(old.get("professionals", ()))))


def _mention(old: list[Any]) -> MentionRow:
    (doc_id, start, end, surface, kind, detector, confidence, typo_of, person_id, mention_id, name,
     corrections, gender, sentence, joined_with, attributes, same_as) = old  # fmt: skip
    told = told_by([(kind, value) for kind, value in attributes])
    return MentionRow(
        doc_id, start, end, surface, NameRow(*name), Detector(detector), confidence, KindId(kind),
        None if mention_id == mention_id_at(doc_id, Span(start, end)) else mention_id,
        typo_of, person_id, Gender(gender) if gender else None, sentence, tuple(joined_with),
        told.attributes, tuple(same_as),
        tuple((part, before, after, distance) for part, before, after, distance in corrections),
        None, told.roles, told.marks, told.judged,
    )  # fmt: skip


def _labels(old: Any) -> bytes:
    digest, rows = old
    labels = None if rows is None else tuple(LabelRow(*row) for row in rows)
    return LABELS.encode(SourceLabels(bytes.fromhex(digest), labels))


def _person(old: Any) -> bytes:
    label, names, kinds = old
    return PERSON.encode(PersonRow(label, tuple(NameRow(*parts) for parts in names), kinds))


def _identity(old: list[Any]) -> IdentityRow:
    identity_id, mention_ids, links, open_links, candidates, entity_id, also_known_as, *more = old
    return IdentityRow(
        identity_id, tuple(mention_ids), tuple(map(_link, links)), tuple(map(_link, open_links)),
        tuple(candidates), entity_id, tuple(also_known_as), tuple(more[0]) if more else (),
    )  # fmt: skip


def _link(old: list[Any]) -> LinkRow:
    left, right, probability, decision, variant, ratio = old
    return LinkRow(
        left, right, probability, LinkDecision(decision), variant, _NAN if ratio is None else ratio
    )


def _form_link(old: list[Any]) -> FormLinkRow:
    left, right, probability, decision, variant, ratio = old
    partial_ratio = _NAN if ratio is None else ratio
    return FormLinkRow(left, right, probability, LinkDecision(decision), variant, partial_ratio)


_LINKED: Final[dict[str, _Convert]] = {
    "source": SOURCES.encode,
    "identity": lambda rows: IDENTITIES.encode(list(map(_identity, rows))),
    "form": lambda rows: FORM_LINKS.encode(list(map(_form_link, rows))),
    "seen": SEEN_THROUGH.encode,
}
