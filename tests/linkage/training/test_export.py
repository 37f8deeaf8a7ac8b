"""Vectors as they are shipped."""

import torch

from linkage.training.export import VECTOR_STEP, rounded


def test_rounded_vectors_are_whole_steps_that_fit_into_a_byte() -> None:
    steps = rounded(torch.tensor([0.03, -9.0, 2.0])) / VECTOR_STEP
    assert torch.equal(steps.round(), torch.tensor([1.0, -127.0, 51.0]))
    assert torch.allclose(steps, steps.round(), atol=1e-4)
