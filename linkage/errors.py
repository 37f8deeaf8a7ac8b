"""One tree of errors: catch LinkageError for everything that linkage raises on purpose."""


class LinkageError(Exception):
    """Base of every error that linkage raises on purpose. Messages hold ids, counts, spans, never a name."""


class InvalidRecordError(LinkageError, ValueError):
    """A record breaks its own rule, such as a span that does not cover its surface."""


class SettingsError(LinkageError, ValueError):
    """A settings file has an unknown key or a value out of range."""


class ThresholdError(LinkageError, ValueError):
    """Thresholds out of order or outside [0, 1]."""


class ModelNotFoundError(LinkageError, FileNotFoundError):
    """A model file is not where the settings say."""


class ModelDamagedError(LinkageError, ValueError):
    """A model file is there but cannot be read as what it should be."""


class FeatureMismatchError(LinkageError, ValueError):
    """A classifier was given vectors with other features than it was trained on."""


class GazetteerError(LinkageError, ValueError):
    """A name list is missing, damaged or has the wrong columns."""


class KindsError(LinkageError, ValueError):
    """A table of kinds or of a language is missing or damaged, or a kind is not known."""


class GoldFormatError(LinkageError, ValueError):
    """A gold file does not follow one of the known formats."""


class DocumentError(LinkageError, ValueError):
    """One document cannot be read; the others can go on."""


class EncodingUndeterminedError(DocumentError):
    """The bytes of a document fit no encoding that can be told with certainty."""


class UnsupportedInputError(DocumentError):
    """The document is of a kind that is not processed."""


class DamagedDocumentError(DocumentError):
    """The document claims to be of a kind that its bytes do not follow."""


class EncryptedDocumentError(DocumentError):
    """The document needs a password, so that it was not read."""


class DocumentTooLargeError(DocumentError):
    """The document, or what is packed in it, is larger than the limits allow."""


class MissingPackageError(LinkageError, ImportError):
    """A package is not installed that nymlink does not install by itself."""


class TooManyMentionsError(LinkageError, ValueError):
    """There are more mentions than are linked in one go."""


def why_unread(error: Exception) -> str:
    """Why a file of text cannot be read, in words: those of the system, or that it is no text in UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return getattr(error, "strerror", None) or type(error).__name__
