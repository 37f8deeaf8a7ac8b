"""Settings, read once from one TOML file and passed down; an unknown key is an error."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any, Self, TypeVar

from linkage.errors import ModelNotFoundError, SettingsError, ThresholdError
from linkage.texts import refuse_unknown_language

_Section = TypeVar("_Section", "RecognitionSettings", "LinkingSettings")


def data_directory() -> Path:
    """Where the shipped gazetteers and models lie: inside an installed package, or in the checkout.

    Raises:
        ModelNotFoundError: if neither place has them.
    """
    package = Path(str(resources.files("linkage")))
    for place in (package / "data", package.parent / "data"):
        if (place / "models").is_dir():
            return place
    raise ModelNotFoundError(
        "the shipped models are missing; install nymlink again, or run from a whole checkout"
    )


@dataclass(frozen=True, slots=True)
class RecognitionSettings:
    """How mentions are found. Paths left out mean the shipped files."""

    language: str = "nl"
    ner_model: Path | None = None
    names_files: tuple[Path, ...] = ()
    persons_file: Path | None = None
    allow_file: Path | None = None
    deny_file: Path | None = None
    find_typing_errors: bool = True
    corpus_consistency: bool = False

    def __post_init__(self) -> None:
        refuse_unknown_language(self.language)


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """How mentions are linked: probabilities from review_threshold up to link_threshold are open links."""

    classifier: Path | None = None
    link_threshold: float | None = None  # None: the thresholds saved with the model
    review_threshold: float | None = None
    max_block_size: int = 2_000

    def __post_init__(self) -> None:
        low, high = self.review_threshold, self.link_threshold
        if not 0 <= (low or 0.0) <= (1.0 if high is None else high) <= 1:
            raise ThresholdError(f"need 0 <= review_threshold <= link_threshold <= 1, got {low} and {high}")


@dataclass(frozen=True, slots=True)
class LinkageSettings:
    recognition: RecognitionSettings = field(default_factory=RecognitionSettings)
    linking: LinkingSettings = field(default_factory=LinkingSettings)

    @classmethod
    def from_toml(cls, path: Path | str) -> Self:
        """Read [recognition] and [linking]; relative paths count from the file's folder.

        Raises:
            SettingsError: for an unknown key, a value of the wrong type, or a file that is not TOML.
        """
        source = Path(path)
        try:
            table = tomllib.loads(source.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise SettingsError(f"settings file cannot be read as TOML: {type(error).__name__}") from None
        return cls.from_mapping(table, folder=source.parent)

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any], *, folder: Path) -> Self:
        # The file may hold tables of other packages, such as [pseudonymizer]: each reads its own.
        return cls(
            recognition=_section(RecognitionSettings, table.get("recognition", {}), folder),
            linking=_section(LinkingSettings, table.get("linking", {}), folder),
        )


def _section(kind: type[_Section], table: Mapping[str, Any], folder: Path) -> _Section:
    known = {f.name: f for f in fields(kind)}
    if unknown := sorted(set(table) - set(known)):
        raise SettingsError(
            f"unknown setting {unknown[0]!r} for {kind.__name__}; known: {', '.join(sorted(known))}"
        )
    values: dict[str, Any] = {}
    for name, value in table.items():
        expected = str(known[name].type)
        if "Path" in expected:
            values[name] = tuple(folder / v for v in value) if isinstance(value, list) else folder / value
        elif expected == "bool" and not isinstance(value, bool):
            raise SettingsError(f"setting {name!r} must be true or false")
        else:
            values[name] = value
    return kind(**values)
