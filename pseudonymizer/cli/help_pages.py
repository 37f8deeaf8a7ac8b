"""How the help of a verb looks: options in groups, and types in plain words."""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from typer.core import TyperCommand

_OWN: Final = "Options"
# Options that several verbs have, or that belong together, by the head under which help shows them. All
# others of a verb stand first, under "Options".
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "What is found": (
        "--mentions", "--judgements", "--always", "--never", "--language", "--column", "--set", "--settings",
    ),
    "What is written": (
        "--profile", "--treat", "--style", "--keep", "--scope", "--deterministic", "--mark", "--keep-unread",
        "--keep-original", "--restyle", "--prune", "--dry-run",
    ),
    "Which files": ("--include", "--exclude", "--follow-links", "--group-by", "--retry-failed", "--limit"),
    "How it runs": (
        "--workers", "--engine", "--time-limit", "--file-memory", "--file-seconds", "--file-depth",
    ),
    "Vault and project": ("--vault", "--project", "--key-file", "--keys", "--actor"),
    "For the record": ("--purpose", "--ticket", "--grant", "--legal-basis"),
    "Messages": ("--json", "--log-level", "--help"),
}  # fmt: skip
_HEADS: Final = {option: head for head, options in GROUPS.items() for option in options}
_LIST: Final = re.compile(r"<list\[(?P<of>.*)\]>")
_TYPE: Final = re.compile(r" <(?:str|int|float|Path|path)>")
_CHOICE: Final = re.compile(r" ?<(?P<of>[\w-]+(?:\|[\w-]+)+)>")
_RANGES: Final = (
    (re.compile(r"\[(-?[\d.]+)<=x<=(-?[\d.]+)\b"), r"[\1 to \2"),
    (re.compile(r"\[x>=(-?[\d.]+)"), r"[\1 or more"),
    (re.compile(r"\[x<=(-?[\d.]+)"), r"[at most \1"),
    (re.compile(r"; (-?[\d.]+)<=x<=(-?[\d.]+)\b"), r"; \1 to \2"),
    (re.compile(r"; x>=(-?[\d.]+)"), r"; \1 or more"),
)  # fmt: skip


class GroupedHelp(TyperCommand):
    """A verb whose help shows its options in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then the groups, each with its head."""
        arguments = []
        groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            shown = plain_words(*record)
            if parameter.param_type_name == "argument":
                arguments.append(shown)
            else:
                heads = [_HEADS[option] for option in parameter.opts if option in _HEADS]
                groups[heads[0] if heads else _OWN].append(shown)
        for head, lines in [("Arguments", arguments), *((one, groups[one]) for one in (_OWN, *GROUPS))]:
            if lines:
                with formatter.section(head):
                    formatter.write_dl(lines)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments of the line "Usage", without braces."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


def plain_words(name: str, text: str) -> tuple[str, str]:
    """The name and the text of an option, as help shows them: no type of a programming language."""
    name = _LIST.sub(lambda found: f"<{found['of']}>" if "|" in found["of"] else "", name)
    name = _TYPE.sub("", f"{name} ").rstrip()
    if choices := _CHOICE.search(name):
        stem = name[: choices.start()]
        name = f"{stem} {stem.lstrip('-').upper()}" if stem.startswith("-") else stem
        text = f"One of {choices['of'].replace('|', ', ')}. {text}"
    for pattern, words in _RANGES:
        text = pattern.sub(words, text)
    return " ".join(name.split()), text
