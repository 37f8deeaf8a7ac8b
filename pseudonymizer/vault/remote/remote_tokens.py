"""The tokens of a project whose keys are elsewhere."""

from collections.abc import Callable, Mapping, Sequence

from linkage.records import Span
from pseudonymizer.records import FoundToken
from pseudonymizer.styles.labels import TOKEN_LIKE


class RemoteTokens:
    """Tells a project's own tokens from look-alikes by asking the service, once for each text."""

    def __init__(self, are_tokens: Callable[[Sequence[str]], Sequence[bool]]) -> None:
        self._are_tokens = are_tokens
        self._known: dict[str, bool] = {}

    def is_valid(self, label: str) -> bool:
        return self._valid([label])[label]

    def find(self, text: str) -> tuple[FoundToken, ...]:
        matches = list(TOKEN_LIKE.finditer(text))
        valid = self._valid([match[0] for match in matches])
        return tuple(FoundToken(Span(*match.span()), match[0], valid[match[0]]) for match in matches)

    def _valid(self, labels: Sequence[str]) -> Mapping[str, bool]:
        unknown = [label for label in dict.fromkeys(labels) if label not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._are_tokens(unknown), strict=True))
        return self._known
