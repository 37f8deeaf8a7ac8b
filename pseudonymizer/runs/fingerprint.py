"""The run fingerprint: a digest of everything that makes the outputs of a run other ones.

Work files store it with each source. A source with another fingerprint is treated again, so the digest must
stay what commit 8952b15 made of the same settings (tests/kept/hashes.json).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from linkage.records import Span
from linkage.review import Judgement
from linkage.settings import LinkageSettings
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.formats import FormatOptions
from pseudonymizer.records import Scope
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.plan import Plan

# The settings that commit 8952b15 had, in its order, with its defaults. They enter every fingerprint; one
# that the program no longer has enters with the value here. A later setting enters where it differs from its
# default. Nothing is ever added here.
_FIRST_SETTINGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "recognition": {
        "language": "nl", "ner_model": None, "names_files": False, "persons_file": None, "allow_file": None,
        "deny_file": None, "find_typing_errors": True, "corpus_consistency": False,
    },
    "linking": {
        "classifier": None, "link_threshold": None, "review_threshold": None, "max_block_size": 2_000,
    },
    "formats": {"columns": 0, "keep_unread": False},
}  # fmt: skip
_FIRST_STYLES: Final[Mapping[str, Any]] = {
    "style": "token", "kinds": {}, "keep_initials": False, "keep_family": False, "keep_professionals": False,
    "keep_domain": False, "mark": True, "tag_word": "PERSOON",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunTerms:
    """The terms of a run that decide its outputs.

    settings: described_settings, with a table "formats" unless formats are read by default. given: by
    document name, the spans that take the place of detection. judgements: verdicts of reviewers about links.
    plan: the treatments of kinds; one of the profile "names" enters by its style alone, as ever.
    """

    project: str
    scope: Scope
    deterministic: bool
    settings: Mapping[str, Any]
    styles: StyleSettings
    given: Mapping[str, Sequence[Span]] = field(default_factory=dict, repr=False)
    judgements: Sequence[Judgement] = field(default=(), repr=False)
    plan: Plan | None = None

    def fingerprint(self) -> bytes:
        """The SHA-256 over all terms; 32 bytes."""
        defaults = _defaults()
        settings = {
            name: _hashed(table, _FIRST_SETTINGS.get(name, {}), defaults.get(name))
            for name, table in self.settings.items()
            if name in _FIRST_SETTINGS or table != defaults.get(name)
        }
        styles = _hashed(self.styles.to_mapping(), _FIRST_STYLES, type(self.styles)().to_mapping())
        given = sorted((name, [[s.start, s.end] for s in spans]) for name, spans in self.given.items())
        judged = [_judged(judgement) for judgement in self.judgements]
        return digest_sha256(
            [
                _json([self.project, self.scope, self.deterministic, settings]),
                _json(styles),
                _json(given),
                *([_json(judged)] if judged else []),
                *([_json(_planned(self.plan))] if self.plan is not None and _is_new(self.plan) else []),
            ]
        )


def _is_new(plan: Plan) -> bool:
    """Whether a plan does what commit 8952b15 could not."""
    return not plan.is_names or plan.person_style is None


def _planned(plan: Plan) -> dict[str, Any]:
    treatments = {kind: str(treatment) for kind, treatment in sorted(plan.treatments.items())}
    return {"treatments": treatments, "options": asdict(plan.options)}


def _json(value: object) -> bytes:
    """Compact JSON in ASCII, to the byte what was hashed ever since."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def described_settings(linkage: LinkageSettings) -> dict[str, dict[str, Any]]:
    """The values of all settings by table; True stands for files and lists, which may hold names.

    The table "own" is there where the user has kinds or lists of his own: their names, and a digest of them.
    """
    tables = {"recognition": _values(linkage.recognition), "linking": _values(linkage.linking)}
    if linkage.own.is_empty:
        return tables
    names = ", ".join(sorted(kind.name for kind in linkage.kinds))
    return tables | {"own": {"kinds": names, "digest": linkage.own.digest}}


def _defaults() -> dict[str, dict[str, Any]]:
    return described_settings(LinkageSettings()) | {"formats": _values(FormatOptions())}


def _values(settings: Any) -> dict[str, Any]:
    values = {f.name: getattr(settings, f.name) for f in fields(settings)}
    return {
        name: value if isinstance(value, (str, int, float, bool, type(None))) else bool(value)
        for name, value in values.items()
    }


def _hashed(table: Any, first: Mapping[str, Any], defaults: Mapping[str, Any] | None) -> Any:
    """The part of one table that enters the fingerprint. defaults: of the present program; None: unknown."""
    if not isinstance(table, Mapping) or defaults is None:
        return table
    before = {
        name: table.get(name, value) for name, value in first.items() if name in table or name not in defaults
    }
    later = {
        name: value
        for name, value in table.items()
        if name not in first and (name not in defaults or value != defaults[name])
    }
    return before | later


def _judged(judgement: Judgement) -> list[Any]:
    places = [
        None if at is None else [at.document, at.start, at.end]
        for at in (judgement.left_at, judgement.right_at)
    ]
    return [judgement.left_form, judgement.right_form, judgement.verdict, *places]
