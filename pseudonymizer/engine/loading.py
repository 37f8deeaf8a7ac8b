"""The linkage pipeline of this process, and the people of the user's registry."""

import gc
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.pipeline import LinkagePipeline
from linkage.recognition.detector import MentionDetector
from linkage.records import KnownIdentity
from linkage.settings import LinkageSettings, RecognitionSettings
from pseudonymizer.engine.records import ComparingLinker
from pseudonymizer.vault.api import NameJudge

# Programs that torch makes for shapes of input, and keeps: about 230 kB each. By itself it keeps 1,024, which
# are 240 MB. 64 documents of the sample need 262; with 128 every fifth is made anew, which takes 1.4 ms.
_KEPT_PROGRAMS: Final = 256


class OneThreadPipeline(LinkagePipeline):
    """A pipeline whose network computes in one thread. The network is loaded with the first text.

    More threads would add numbers in another order, which changes the last bits of a probability. With one
    thread in each, any number of processes gives the same result.
    """

    def load_detector(self, settings: RecognitionSettings, gazetteer: Gazetteer) -> MentionDetector:
        """A detector with the models and lists of these settings."""
        # Read when torch first makes such a program.
        os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", str(_KEPT_PROGRAMS))
        import torch

        torch.set_num_threads(1)
        loaded = super().load_detector(settings, gazetteer)
        # Lists and models stay until the process ends: no garbage collection needs to visit them.
        gc.freeze()
        return loaded


@lru_cache(maxsize=1)
def load_pipeline(settings: LinkageSettings) -> LinkagePipeline:
    """The pipeline with the models of the settings, or the shipped ones. One process makes it once."""
    return OneThreadPipeline.load(settings)


def load_linker(settings: LinkageSettings) -> Linker:
    """What decides who is who, without what finds names: it needs no network."""
    return LinkagePipeline.load(settings).linker


def judge_of(linker: ComparingLinker) -> NameJudge:
    """A linker as what judges a name and others."""

    def judge(name: str, others: Sequence[str]) -> list[float]:
        return [link.match_probability for link in linker.compare_many([(name, one) for one in others])]

    return judge


def registered_people(settings: LinkageSettings) -> tuple[KnownIdentity, ...]:
    """The people of the registry that the settings name; () where they name none.

    Raises:
        LinkageError: the registry cannot be read.
    """
    if settings.recognition.persons_file is None:
        return ()
    from linkage.recognition.registry import Registry

    gazetteer = Gazetteer.load(settings.recognition.language)
    return tuple(Registry.read(settings.recognition.persons_file, gazetteer).known_identities())
