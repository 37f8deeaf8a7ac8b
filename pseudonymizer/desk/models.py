"""The models of a process: loaded once, warmed up before the first text, lent to requests with own lists."""

import sys
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from linkage.detection.values import people_and_others
from linkage.errors import LinkageError
from linkage.kind_lists import TextsByKind
from linkage.pipeline import LinkagePipeline
from linkage.records import Document, DocumentId
from linkage.settings import RecognitionSettings
from pseudonymizer.engine.records import Pipeline
from pseudonymizer.errors import SettingsError

_LOOKED_FOR: Final = ("sklearn", "pandas")
_KEPT_LISTS: Final = 8  # of requests; a list takes some milliseconds to read
# The surname Qwortelaar is in no list: what looks for listed names near it is made, too.
WARM_TEXT: Final = (
    "Jan Jansen belde. Dhr. J. Jansen woont in Utrecht, tel. 030-1234567. Els Qwortelaar belde."
)
_LETTERS: Final = "abcdefghijklmnopqrst"  # a word of each length from 1
_WARM_LENGTHS: Final = range(16, 256, 16)  # letters of texts; networks read a chunk of at most 240


def import_trees_alone() -> None:
    """Import LightGBM without scikit-learn and pandas, which it only looks for, unless they are imported
    already: that takes 1.3 seconds of processor time less. Only for a process of our own: programs that use
    the classes of LightGBM for scikit-learn would miss them.
    """
    left_out = [name for name in _LOOKED_FOR if name not in sys.modules]
    for name in left_out:
        # An import says then that it is not there.
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        import linkage.boosting_library  # noqa: F401
    finally:
        for name in left_out:
            del sys.modules[name]


@dataclass(slots=True)
class Models:
    """load: gives the pipeline, which it makes once."""

    load: Callable[[], Pipeline]
    _with_lists: OrderedDict[tuple[TextsByKind, TextsByKind], Pipeline] = field(
        default_factory=OrderedDict, repr=False
    )

    def with_lists(self, settings: RecognitionSettings) -> Pipeline:
        """The pipeline with the lists of these settings, over the same models.

        Raises:
            SettingsError: a list cannot be read, or this pipeline takes none.
        """
        key = (settings.always, settings.never)
        kept = self._with_lists.pop(key, None)
        if kept is None:
            pipeline = self.load()
            if not isinstance(pipeline, LinkagePipeline):
                raise SettingsError("this pipeline takes no lists of a request")
            try:
                kept = pipeline.with_lists(settings)
            except LinkageError:
                raise SettingsError("a list of the request cannot be read") from None
        self._with_lists[key] = kept
        if len(self._with_lists) > _KEPT_LISTS:
            self._with_lists.popitem(last=False)
        return kept

    def warm_up(self) -> None:
        """Load everything that a text needs, and make what is kept for texts of usual lengths, before the
        first one comes: processes that are forked afterwards share it.
        """
        pipeline = self.load()
        words = " ".join(_LETTERS[:length] for length in range(1, len(_LETTERS) + 1))
        texts = [" ".join([WARM_TEXT] * 6 + [words]), *((WARM_TEXT * 3)[:length] for length in _WARM_LENGTHS)]
        documents = [Document(DocumentId(f"warm {number}"), text) for number, text in enumerate(texts)]
        found = pipeline.detect_kinds(documents)
        mentions = pipeline.normalize(documents, [people_and_others(one)[0] for one in found])
        pipeline.linker.link(mentions)
