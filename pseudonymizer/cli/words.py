"""Other words for verbs, and an example at the end of every help."""

from collections.abc import Mapping
from typing import Any, Final

import typer
from typer.core import TyperGroup

from pseudonymizer.cli.help_pages import GroupedHelp

# Words of others for our verbs. They are not shown in help.
OTHER_WORDS: Final[Mapping[str, str]] = {
    "pseudonymize": "run", "pseudonymise": "run", "depseudonymize": "restore", "depseudonymise": "restore",
}  # fmt: skip
_WHOLE: Final = 1_000  # letters; no first sentence of a verb has as many
_HERE: Final = "--vault vault.db --key-file kek.key"
_IN: Final = f"{_HERE} --project study-12"
_WHY: Final = f'{_IN} --purpose "complaint 7"'
EXAMPLES: Final[Mapping[str, str]] = {
    "run": f"letters/ mail.jsonl --out out/ {_IN}",
    "restore": f"out/ --out back/ {_WHY}",
    "demo": "try-nymlink",
    "train detection": "--language da --gold marked.bio --out danish/",
    "view": "letters/ --out view.html",
    "detect": "letters/ --out found.jsonl --kinds all",
    "link": "letters/ --out linked.jsonl",
    "columns": "clients.xlsx",
    "kinds": "--profile direct",
    "compare": "pairs.tsv --out scored.tsv",
    "explain": '"Jan Tolsma" "J. Tolsma"',
    "models list": "",
    "models install": "de --directory models/",
    "evaluate": "gold/ --json",
    "review": f"--run out/ --judgements verdicts.jsonl {_IN}",
    "relink": f"{_WHY}",
    "paths": f"out/ --failed --out - {_IN}",
    "reveal": f"PERSOON-7KQM3 {_WHY}",
    "lookup": f"{_WHY}",
    "people": f"--most 20 {_WHY}",
    "request": f"PERSOON-7KQM3 {_WHY}",
    "approve": f"7 {_HERE}",
    "deny": f"7 {_HERE}",
    "grant": f"7 {_HERE}",
    "requests list": f"--waiting {_HERE}",
    "requests show": f"7 {_HERE}",
    "requests withdraw": f"7 {_HERE}",
    "audit list": f"--last 20 {_HERE}",
    "audit verify": f"--head head.json {_HERE}",
    "audit export-head": f"--out head.json {_HERE}",
    "vault init": _HERE,
    "vault status": "--vault vault.db",
    "vault verify": _HERE,
    "vault projects": _HERE,
    "vault migrate": "--vault vault.db",
    "vault rotate": f"kek --new-key-file new.key {_HERE}",
    "vault erase": f'PERSOON-7KQM3 --dry-run {_IN} --purpose "request 3"',
    "vault export": f"--out links.csv {_IN}",
    "vault export-vault": f'--out vault.bundle {_HERE} --purpose "move"',
    "vault export-keys": f'--out keys.bundle {_HERE} --purpose "backup"',
    "vault import": f"vault.bundle {_HERE}",
    "vault recovery-key": _HERE,
    "vault run-key": f'--run night --hours 12 --out run.key {_IN} --purpose "night run"',
    "vault accept": f"parcels/1.parcel --run night-1 {_IN}",
    "vault serve": f"--socket /run/nymlink/vault.sock {_HERE}",
    "vault roles give": f"anna analyst {_HERE}",
    "vault roles take": f"anna analyst {_HERE}",
    "vault roles list": _HERE,
    "vault roles mend": "anna --recovery-file paper.txt --vault vault.db",
    "vault folders": _IN,
    "vault give-up": f'0123456789abcdef {_IN} --purpose "moved away"',
    "vault accept-put-back": f'{_HERE} --purpose "the disk failed"',
    "vault settings": f"single_approval=false {_IN}",
    "vault merge": f"PERSOON-7KQM3 PERSOON-M4D2K {_WHY}",
    "vault split": f'PERSOON-7KQM3 --surface "J. Tolsma" {_WHY}',
    "web engine": f"--socket /run/nymlink/engine.sock {_IN}",
    "web front": "--socket /run/nymlink/engine.sock --desk /var/lib/nymlink/desk.db --listen 127.0.0.1:8650",
    "web account create": "anna --vault vault.db",
    "web account list": "--vault vault.db",
    "web account password": "anna --vault vault.db",
    "web account end": "anna --vault vault.db",
    "web token create": "--account chat --verbs pseudonymize,restore --project study-12 --vault vault.db",
    "web token list": "--vault vault.db",
    "web token revoke": "32c380e9d4f2d2d8 --vault vault.db",
    "vault link-projects": f"--other study-13 --out same.csv {_WHY}",
}


# At the end of the help of the command itself. The mark in front keeps the lines as they are.
BEGIN: Final = f"""\b
Begin with:
  nymlink vault init {_HERE}
  nymlink run letters/ --out out/ {_IN}
  nymlink restore out/ --out back/ {_WHY}
`nymlink VERB --help` shows the options of a verb and an example."""
_HELP: Final = "help"


class Words(TyperGroup):
    """The verbs, also by other words; "help" before a verb is what "--help" is behind it."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, OTHER_WORDS.get(cmd_name, cmd_name))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What is left of a command line, for the verb."""
        if args[:1] == [_HELP]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each verb with its first sentence, however long that is."""
        verbs = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        lines = [(name, verb.get_short_help_str(limit=_WHOLE)) for name, verb in verbs if not verb.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(lines)


def add_examples(app: typer.Typer, before: tuple[str, ...] = ()) -> None:
    """Put the example of each verb at the end of its help, and its options in groups."""
    for command in app.registered_commands:
        command.cls = GroupedHelp
        callback = command.callback
        name = command.name or (callback.__name__.replace("_", "-") if callback is not None else "")
        words = " ".join((*before, name))
        if words in EXAMPLES:
            command.epilog = f"Example: nymlink {words} {EXAMPLES[words]}".rstrip()
    for group in app.registered_groups:
        if group.typer_instance is not None and group.name:
            group.cls = Words
            add_examples(group.typer_instance, (*before, group.name))
