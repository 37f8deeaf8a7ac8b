"""Labels of a project through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from pseudonymizer.records import Pseudonym, ReadLabel, Style
from pseudonymizer.vault.remote import messages as m
from pseudonymizer.vault.remote.connection import VaultConnection
from pseudonymizer.vault.remote.remote_tokens import RemoteTokens

_LABELS_A_MESSAGE: Final = 4_096  # a label of 20 letters and its answer stay far below a message's limit


class LabelClient(VaultConnection):
    """A vault service as a LabelApi."""

    def literal_label(self, project: str, text: str) -> Pseudonym:
        return self.ask(m.LITERAL_LABEL, m.OfText(project=project, text=text))

    def tokens(self, project: str) -> RemoteTokens:
        return RemoteTokens(partial(self._are_tokens, project))

    def _are_tokens(self, project: str, texts: Sequence[str]) -> tuple[bool, ...]:
        return self.ask(m.ARE_TOKENS, m.OfTexts(project=project, texts=tuple(texts)))

    def is_token(self, project: str, text: str) -> bool:
        return self.tokens(project).is_valid(text)

    def stored_labels(self, project: str, style: Style) -> tuple[str, ...]:
        return self.ask(m.STORED_LABELS, m.OfStyle(project=project, style=style))

    def styles_of_people(self, project: str) -> tuple[Style, ...]:
        return self.ask(m.STYLES_OF_PEOPLE, m.OfProject(project=project))

    def read_labels(self, project: str, texts: Sequence[str]) -> tuple[ReadLabel, ...]:
        found: list[ReadLabel] = []
        for first in range(0, len(texts), _LABELS_A_MESSAGE):
            asked = tuple(texts[first : first + _LABELS_A_MESSAGE])
            found += self.ask(m.READ_LABELS, m.OfTexts(project=project, texts=asked))
        return tuple(found)
