"""Save a run now and then, so that it can be taken up."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import final

from attrs import define, field

from metaheur.errors import InputError
from metaheur.machine.files import replace_file
from metaheur.running.view import View
from metaheur.validate import real_field
from metaheur.watch.watcher import Watcher

__all__ = ["Checkpoint"]


def _path(path: str | PathLike[str]) -> Path:
    return Path(path)


@final
@define(eq=False)
class Checkpoint(Watcher):
    """Saves the run now and then, and at its end, so that `resume` can take it up.

    The file is replaced at once or not at all; where the path is a symbolic link, so is the file that it leads to, and
    the link stays. Where a step broke off by an exception, the file keeps the last whole
    state that was saved.

    Parameters
    ----------
    path : path-like
        The file.
    every : float, default 60
        Seconds between two saves.

    Raises
    ------
    InputError
        When the run begins: if the file's folder is not there, or if something else than a regular file has its name.
    CheckpointError
        When the run begins: if something cannot be saved.
    """

    path: Path = field(converter=_path)
    every: float = real_field(0, default=60.0)
    _saved: float = field(default=0.0, init=False, repr=False)

    def begin(self, view: View) -> None:
        from metaheur.running.checkpoint import encode

        if view.walks.follows:
            raise InputError(
                "Walks that are followed by others cannot be saved.", "use Multistart without follow=True."
            )
        if not self.path.parent.is_dir():
            raise InputError(
                f"{self.path} cannot be saved: {self.path.parent} is not a folder.", "create the folder first."
            )
        content = encode(view)  # what cannot be saved is refused now, not after a minute
        try:
            replace_file(self.path, content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"{self.path} cannot be saved: {reason}.", "choose another folder or name.") from error
        self._saved = view.seconds

    def look(self, view: View) -> None:
        if view.seconds - self._saved >= self.every:
            self._save(view)

    def end(self, view: View) -> None:
        if view.intact:
            self._save(view)

    def _save(self, view: View) -> None:
        from metaheur.running.checkpoint import save

        save(self.path, view)
        self._saved = view.seconds
