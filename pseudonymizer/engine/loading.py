"""The pipeline of this process, loaded once whoever asks for it first."""

import gc
from functools import cached_property, lru_cache

from linkage.gazetteer import Gazetteer
from linkage.pipeline import LinkagePipeline
from linkage.recognition.detector import MentionDetector
from linkage.records import KnownIdentity
from linkage.settings import LinkageSettings


class OneThreadPipeline(LinkagePipeline):
    """A pipeline whose network is held to one thread. The network is loaded only where names are looked for.

    The number of threads changes the order of sums, and so the last bits of a probability: with one thread
    any number of workers gives the same result.
    """

    @cached_property
    def detector(self) -> MentionDetector:
        import torch

        torch.set_num_threads(1)
        loaded = MentionDetector.load(self.settings.recognition, self.gazetteer)
        # Lists and models stay for the whole run: the collector need not walk through them at every turn.
        gc.freeze()
        return loaded


@lru_cache(maxsize=1)
def load_pipeline(settings: LinkageSettings) -> LinkagePipeline:
    """The pipeline with the shipped or the given models."""
    return OneThreadPipeline.load(settings)


def registered_people(settings: LinkageSettings) -> tuple[KnownIdentity, ...]:
    """The people of the user's registry, where the settings name one.

    Raises:
        LinkageError: the registry cannot be read.
    """
    if settings.recognition.persons_file is None:
        return ()
    from linkage.recognition.registry import Registry

    return tuple(Registry.read(settings.recognition.persons_file, Gazetteer.load()).known_identities())
