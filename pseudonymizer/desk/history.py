"""Commands that were given, as a list: the last one can be taken back, and given again."""

from dataclasses import dataclass, field, replace
from typing import Final, Self

from pseudonymizer.desk.commands import Step
from pseudonymizer.desk.corrected import Corrected
from pseudonymizer.desk.correcting import Correcting

_KEPT: Final = 50  # states that are at hand for undo; an earlier one is made again from the first


@dataclass(frozen=True, slots=True)
class History:
    """first: before any command. now: after all of done. undone: what was taken back, the latest last."""

    first: Corrected
    now: Corrected
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()
    _befores: tuple[Corrected, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def of(cls, first: Corrected) -> Self:
        """A history without any command."""
        return cls(first, first)

    @classmethod
    def replayed(cls, correcting: Correcting, first: Corrected, steps: tuple[Step, ...]) -> Self:
        """The history of stored commands.

        Raises:
            CorrectionRefusedError: a command does not fit what stands before it.
        """
        made = cls.of(first)
        for step in steps:
            made, _ = made.with_step(correcting, step)
        return made

    def with_undone(self, undone: tuple[Step, ...]) -> Self:
        """The history with stored commands that were taken back, the latest last."""
        return replace(self, undone=undone)

    def with_step(self, correcting: Correcting, step: Step) -> tuple[Self, int]:
        """(the history with one command more, how many mentions it changed). What was undone is given up.

        Raises:
            CorrectionRefusedError: see Correcting.applied; nothing has changed.
        """
        state, count = correcting.applied(self.now, step)
        befores = (*self._befores, self.now)[-_KEPT:]
        return replace(self, now=state, done=(*self.done, step), undone=(), _befores=befores), count

    def undo(self, correcting: Correcting) -> Self:
        """The history without its last command; the same where there is none."""
        if not self.done:
            return self
        *before, last = self.done
        undone = (*self.undone, last)
        if self._befores:
            state, befores = self._befores[-1], self._befores[:-1]
            return replace(self, now=state, done=tuple(before), undone=undone, _befores=befores)
        again = type(self).replayed(correcting, self.first, tuple(before))
        return replace(again, undone=undone)

    def redo(self, correcting: Correcting) -> Self:
        """The history with the command that was undone last; the same where there is none."""
        if not self.undone:
            return self
        *left, last = self.undone
        made, _ = self.with_step(correcting, last)
        return replace(made, undone=tuple(left))
