"""The pipeline of this process, loaded once whoever asks for it first."""

from functools import lru_cache

from linkage.pipeline import LinkagePipeline
from linkage.settings import LinkageSettings


@lru_cache(maxsize=1)
def load_pipeline(settings: LinkageSettings) -> LinkagePipeline:
    """The pipeline with the shipped or the given models, held to one thread of the network.

    The number of threads changes the order of sums, and so the last bits of a probability: with one thread
    any number of workers gives the same result.
    """
    import torch

    torch.set_num_threads(1)
    return LinkagePipeline.load(settings)
