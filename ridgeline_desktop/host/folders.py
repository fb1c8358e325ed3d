"""Where Ridgeline keeps things on this computer, and whether those places can be trusted."""

import os
import stat

from ridgeline_desktop import private_files
from ridgeline_desktop.core.errors import NotTrusted, UnsafeFolder
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.host.machine import on_local_disk

APP = "ridgeline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """Absolute folders. `home` is the one folder that holds all others, "" where the defaults apply."""

    home: str
    config: str
    data: str
    state: str

    @property
    def command(self) -> str:
        """How to call Ridgeline for these folders, to be typed into a shell."""
        return f"ridgeline --home {_typed(self.home)}" if self.home else "ridgeline"

    @property
    def settings_file(self) -> str:
        """settings.toml."""
        return os.path.join(self.config, "settings.toml")

    @property
    def default_shop(self) -> str:
        """The shop folder where settings name none."""
        return os.path.join(self.data, "shop")

    def in_state(self, *parts: str) -> str:
        """A path below the state folder."""
        return os.path.join(self.state, *parts)


def find_folders(home: str | None) -> Folders:
    """The folders below `home`, else below RIDGELINE_HOME, else the user's own default places."""
    chosen = os.environ.get("RIDGELINE_HOME", "") if home is None else home
    if home is not None and not home.strip():
        raise UnsafeFolder("--home needs a folder; leave it out for the default folders")
    if any(char in chosen for char in "\n\r\0") or not _is_utf8(chosen):
        raise UnsafeFolder(f"{chosen!a} cannot be a home: its name has line breaks or is not UTF-8")
    if chosen:
        root = os.path.abspath(os.path.expanduser(chosen))
        return Folders(
            home=root,
            config=os.path.join(root, "config"),
            data=os.path.join(root, "data"),
            state=os.path.join(root, "state"),
        )
    from platformdirs import user_config_dir, user_data_dir, user_state_dir

    return Folders(home="", config=user_config_dir(APP), data=user_data_dir(APP), state=user_state_dir(APP))


def folders_of_schedulers() -> Folders:
    """The default folders as a scheduled run finds them: by the user database, without XDG variables."""
    home = _account_home()
    return Folders(
        home="",
        config=os.path.join(home, ".config", APP),
        data=os.path.join(home, ".local", "share", APP),
        state=os.path.join(home, ".local", "state", APP),
    )


def _account_home() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _typed(path: str) -> str:
    plain = all(char.isalnum() or char in "/._-+@:" for char in path)
    return path if plain else "'" + path.replace("'", "'\\''") + "'"


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def open_folders(home: str | None) -> Folders:
    """The folders, known to be safe to use; UnsafeFolder or NotTrusted says why they are not."""
    folders = find_folders(home)
    for folder in (folders.home, folders.config, folders.state):
        if folder and os.path.exists(folder):
            check_trust(folder, shared_allowed=False)
    if not on_local_disk(folders.state):
        raise UnsafeFolder(
            f"{folders.state} is not known to be on this computer's own disk, and on a network drive "
            "locks and records cannot be kept safely; "
            "choose a folder on this computer's own disk with --home or RIDGELINE_HOME"
        )
    return folders


def make_private(folder: str) -> None:
    """Have `folder`, and parents where they are missing, readable by their owner alone."""
    try:
        private_files.make_folder(folder)
        found = os.stat(folder)
        if found.st_mode & 0o077 and found.st_uid == os.getuid():
            os.chmod(folder, 0o700)
    except OSError as error:
        raise UnsafeFolder(f"the folder {folder} cannot be made: {error.strerror}") from error


def check_trust(path: str, *, shared_allowed: bool) -> None:
    """Raise NotTrusted where somebody else could have written `path`, for that is running their code.

    Trusted are files of this user or root, writable by nobody else except the user's private group.
    """
    found = os.stat(path)
    if found.st_uid not in (os.getuid(), 0):
        raise NotTrusted(
            f"{path} belongs to another user, who could make it run anything as you; "
            f"make it yours: chown {os.getuid()} '{path}'"
        )
    if shared_allowed:
        return
    if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
        raise NotTrusted(f"{path} can be written by everybody; take that right away: chmod o-w '{path}'")
    if found.st_mode & stat.S_IWGRP and not _is_private_group(found.st_gid):
        raise NotTrusted(
            f"{path} can be written by a group of users; take that right away (chmod g-w '{path}'), or set "
            "trust_shared_folder = true in settings.toml if all of them may run programs as you"
        )


def _is_private_group(gid: int) -> bool:
    import grp
    import pwd

    try:
        me, group = pwd.getpwuid(os.getuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return gid in (me.pw_gid, 0) and group.gr_name == me.pw_name and not set(group.gr_mem) - {me.pw_name}
