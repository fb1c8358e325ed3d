"""Which computer, boot and container this is, and whether a folder is on a disk of its own."""

import os

from ridgeline_desktop.core.digests import hex_digest
from ridgeline_desktop.core.values import dataclass

# Other computers may write here too, and the kernel's file locks may not reach them.
NETWORK_FILE_SYSTEMS = frozenset(
    (
        "9p", "acfs", "afs", "autofs", "beegfs", "ceph", "cifs", "coda", "davfs", "gfs", "gfs2", "gpfs",
        "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "prl_fs", "pvfs2", "smb3", "smbfs",
        "vboxsf", "virtiofs", "vmhgfs",
    )
)  # fmt: skip
LOCAL_FUSE = frozenset({"fuse.fuse-overlayfs", "fuse.gocryptfs", "fuse.encfs"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where a process lives. `host` and `user` are for display, the others are compared for equality.

    `machine_id` is "" where the computer has none (some containers). Machine and boot ids are the same
    inside a container and outside; only the namespaces differ.
    """

    machine_id: str
    boot_id: str
    pid_namespace: str
    time_namespace: str
    host: str
    user: str


def this_machine() -> Machine:
    """The computer this process runs on, as this process sees it."""
    return Machine(
        machine_id=_hashed(_first_line("/etc/machine-id") or _first_line("/var/lib/dbus/machine-id")),
        boot_id=_first_line("/proc/sys/kernel/random/boot_id"),
        pid_namespace=_link("/proc/self/ns/pid"),
        time_namespace=_link("/proc/self/ns/time"),
        host=os.uname().nodename,
        user=_user(),
    )


def on_local_disk(path: str) -> bool:
    """Whether only this computer writes below `path`; False where it cannot be told.

    A folder that does not exist yet is where its nearest parent is. Inside a changed root the kernel may not
    list the file system; then one that lies on a block device is local, and any other cannot be told.
    """
    real = os.path.realpath(path)
    try:
        while not os.path.exists(real):  # asking makes an automounter put its file system there
            real = os.path.dirname(real)
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            kind = file_system_of(real, file.read())
        has_device = os.major(os.stat(real).st_dev) != 0
    except OSError:
        return False
    return is_local_file_system(kind) if kind else has_device


def is_local_file_system(kind: str) -> bool:
    """Whether a file system of this type (the kernel's word for it) is this computer's alone."""
    if kind.startswith("fuse."):
        return kind in LOCAL_FUSE
    return kind != "" and kind not in NETWORK_FILE_SYSTEMS


def file_system_of(path: str, mounts: str) -> str:
    """The type of the file system that holds the absolute `path`, by mountinfo's text; "" if none does."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 10 or "-" not in fields[6:]:
            continue
        point = _unescaped(fields[4])
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, fields[fields.index("-", 6) + 1]
    return kind


def _unescaped(field: str) -> str:
    """The kernel writes space, tab, newline and backslash in octal."""
    for octal, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(octal, char)
    return field


def _hashed(machine_id: str) -> str:
    """The id of the computer is not to be shown to others, says its manual page, so only a hash is kept."""
    if machine_id in ("", "uninitialized"):
        return ""
    return hex_digest(f"ridgeline {machine_id}")[:32]


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _user() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
