"""Save a run now and then, so that it can be resumed."""

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
    """Saves the run at regular times and at its end, so that it can be resumed.

    The file is replaced at once or not at all. If the path is a symbolic link, its target is replaced, and the link
    stays. If an exception breaks off a step, the file keeps the last complete state that was saved.

    Parameters
    ----------
    path : path-like
        The file.
    every : float, default 60
        Seconds between two saves.

    Raises
    ------
    InputError
        When the run begins: if the file's folder does not exist, or if its path leads to something other than a regular
        file.
    CheckpointError
        When the run begins: if a part of the run cannot be saved.
    """

    path: Path = field(converter=_path)
    every: float = real_field(0, default=60.0)
    _saved: float = field(default=0.0, init=False, repr=False)

    def begin(self, view: View) -> None:
        from metaheur.running.checkpoint import encode

        if view.walks.follows:
            raise InputError(
                "A run in which new walks follow others cannot be saved.", "use Multistart without follow=True."
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
