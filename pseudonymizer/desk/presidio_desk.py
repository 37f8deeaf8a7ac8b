"""Presidio's two services over this engine: what it finds, and what its own operators or this vault write.

Needs the extra nymlink[presidio].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from linkage.kinds import LITERAL
from pseudonymizer.desk.presidio_asked import (
    OPERATORS,
    Analyze,
    Anonymize,
    Anonymized,
    EntitiesOfPresidio,
    EntityNames,
    ItemShown,
    ResultShown,
    ResultsShown,
)
from pseudonymizer.desk.text_options import WrongOptionError
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.errors import NoPresidioError
from pseudonymizer.presidio_entities import PresidioEntities
from pseudonymizer.vault.api import VaultApi

if TYPE_CHECKING:
    from presidio_anonymizer.entities import OperatorConfig

    from pseudonymizer.presidio import VaultNames

_DEFAULT: Final = "DEFAULT"
_OWN: Final = "nymlink"  # the type of an anonymizer that writes pseudonyms of the project
_AS_WRITTEN: Final = "replace"  # what its items are called: programs look for it to undo them


@dataclass(frozen=True, slots=True)
class PresidioDesk:
    """texts: of the service, with its settings and models."""

    texts: TextDesk

    def analyze(self, asked: Analyze) -> ResultsShown:
        """What is found in each text. Nothing is stored.

        Raises:
            WrongOptionError: recognizers are given, which would be run here.
            NoPresidioError: the extra is not installed.
        """
        if asked.ad_hoc_recognizers:
            raise WrongOptionError("ad_hoc_recognizers")
        recognize = _presidio().recognize
        project = self.texts.project_without_vault()
        wanted = None if asked.entities is None else frozenset(asked.entities)
        texts = (asked.text,) if isinstance(asked.text, str) else asked.text
        return ResultsShown(
            tuple(
                tuple(
                    ResultShown(one.start, one.end, round(one.score, 4), one.entity_type)
                    for one in recognize(project, text)
                    if one.score >= asked.score_threshold and (wanted is None or one.entity_type in wanted)
                )
                for text in texts
            )
        )

    def anonymize(self, vault: VaultApi, name: str, asked: Anonymize) -> Anonymized:
        """The text with other texts in place of what was found. Pseudonyms are in the vault by then.

        Raises:
            WrongOptionError: a result does not lie in the text, or an anonymizer is none of Presidio's.
            NoPresidioError: see analyze.
            AccessRefusedError, VaultError: see Project.pseudonymize.
        """
        presidio = _presidio()
        from presidio_anonymizer import AnonymizerEngine
        from presidio_anonymizer.entities import InvalidParamError, RecognizerResult

        if any(not one.start < one.end <= len(asked.text) for one in asked.analyzer_results):
            raise WrongOptionError("analyzer_results")
        self.texts.make(vault, name)
        names = presidio.VaultNames(
            vault, name, linker=lambda: self.texts.linker, style=vault.project_settings(name).style
        )
        vault.rollback()
        given = dict(asked.anonymizers or {})
        operators = {entity: _operator(names, told) for entity, told in given.items()}
        operators.setdefault(_DEFAULT, _operator(names, {"type": _OWN}))
        found = [
            RecognizerResult(one.entity_type, one.start, one.end, one.score) for one in asked.analyzer_results
        ]
        engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
        engine.add_anonymizer(presidio.VaultPseudonymize)
        own = [
            one
            for one in found
            if operators.get(one.entity_type, operators[_DEFAULT]).operator_name == presidio.PSEUDONYMIZE
        ]
        try:
            names.write_entities((one.entity_type, asked.text[one.start : one.end]) for one in own)
            result = engine.anonymize(asked.text, found, operators)
        except InvalidParamError:
            raise WrongOptionError("anonymizers") from None
        if not given:
            names.keep(asked.text, result)
        items = [
            ItemShown(
                one.start, one.end, one.entity_type, one.text,
                _AS_WRITTEN if one.operator == presidio.PSEUDONYMIZE else one.operator,
            )
            for one in result.items
        ]  # fmt: skip
        return Anonymized(result.text, tuple(items))

    def entities(self, asked: EntitiesOfPresidio) -> EntityNames:
        """The names of all entities that may be found."""
        del asked
        rows = PresidioEntities.load().rows
        named = {kind for row in rows.values() for kind in row.kinds}
        others = (str(kind) for kind in self.texts.kinds if kind not in named and kind != LITERAL)
        return EntityNames(tuple(sorted({*rows, *others})))


def _presidio() -> Any:
    """The module that needs Presidio.

    Raises:
        NoPresidioError: it is not installed.
    """
    try:
        from pseudonymizer import presidio
    except ImportError:
        raise NoPresidioError("Presidio is missing; pip install 'nymlink[web,presidio]'") from None
    return presidio


def _operator(names: "VaultNames", told: dict[str, Any]) -> "OperatorConfig":
    """An anonymizer of a request as an operator.

    Raises:
        WrongOptionError: there is none of this type.
    """
    from presidio_anonymizer.entities import OperatorConfig

    from pseudonymizer.presidio import PSEUDONYMIZE

    kind = told.get("type")
    if kind == _OWN:
        return OperatorConfig(PSEUDONYMIZE, {"names": names})
    if kind not in OPERATORS:
        raise WrongOptionError("anonymizers")
    return OperatorConfig(str(kind), {key: value for key, value in told.items() if key != "type"})
