"""Errors the caller cannot decide about; each message says what happened and what to do."""


class RidgelineError(Exception):
    """Base of every error Ridgeline raises on purpose; `str()` of it is fit for a person's eyes."""

    exit_code = 1


class UnknownJob(RidgelineError):
    """No job file of that id is in the shop folder."""


class ShopUnreadable(RidgelineError):
    """The shop folder is missing, unmounted or closed to us; which jobs there are cannot be told."""


class SettingsBroken(RidgelineError):
    """settings.toml is not understood, so it is unknown where the shop folder is."""


class NotTrusted(RidgelineError):
    """A job file, shop folder or home that somebody else could have written is not obeyed."""


class UnsafeFolder(RidgelineError):
    """State cannot live here: a network drive, or a folder other people can write to."""


class StoreUnreadable(RidgelineError):
    """The run records cannot be read or written."""


class StoreTooNew(StoreUnreadable):
    """The records were written by a newer Ridgeline than this one."""


class LockMoved(RidgelineError):
    """The lock changed between looking and clearing; nothing was removed."""


class NotCleared(RidgelineError):
    """The lock's owner is not proven dead, so the lock stays."""


class BackendError(RidgelineError):
    """The computer's scheduler could not be read or written; nothing was changed unless said."""


class NotAllowed(BackendError):
    """The administrator keeps this user from the scheduler."""


class CannotExpress(RidgelineError):
    """This scheduler cannot say what the job's schedule needs."""


class JobFileMoved(RidgelineError):
    """A job file is no longer what it was when it was looked at, so it was not written.

    `theirs` is its text now (None = it is gone), `ours` what would have been written (None = a removal).
    """

    def __init__(self, message: str, *, theirs: str | None = None, ours: str | None = None) -> None:
        super().__init__(message)
        self.theirs, self.ours = theirs, ours


class NotWritten(RidgelineError):
    """A file could not be written; it stands as it was."""
