"""The language of each text of a file: that which the file says, or its words tell, or the settings say."""

import logging
from dataclasses import dataclass

from linkage.errors import UnsupportedInputError
from linkage.gazetteer.telling import LanguageTeller
from linkage.language_contents import installed_languages, is_installed
from pseudonymizer.formats import TextPart

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PartLanguages:
    """A rule for the language of a text. usual: the code of the settings. is_told: whether words tell."""

    usual: str
    is_told: bool

    def of(self, part: TextPart) -> str:
        """The code of the language of a text, one of those installed.

        A language that the file names goes before all. Where words tell, a text in a language that is not
        installed is refused; else it is read by the rules of the usual one, and a warning says so.

        Raises:
            UnsupportedInputError: words tell, and the text is in none of the languages that are installed.
        """
        if part.language and is_installed(part.language):
            return part.language
        if not self.is_told:
            if part.language:
                log.warning(
                    "a text is said to be in a language that is not installed; it is read by the rules of %r",
                    self.usual,
                )
            return self.usual
        told = None if part.language else LanguageTeller.load().language_of(part.text, self.usual)
        if told is None:
            raise UnsupportedInputError(
                f"a text is in a language that is not installed; known: {', '.join(installed_languages())}. "
                f"Leave it out, or name its language: --language {self.usual} reads all texts by the rules "
                "of one"
            )
        return told
