"""Which computer this is, and which folders are on a disk of its own."""

import os
import pathlib

import pytest

from ridgeline_desktop.host.machine import file_system_of, is_local_file_system, on_local_disk, this_machine

MOUNTS = r"""22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 27 0:50 / /srv rw,relatime shared:5 master:2 - nfs4 server:/export rw
31 30 0:51 / /srv/own\040disk rw,relatime - xfs /dev/vdb rw
32 27 0:52 / /media/usb rw - fuseblk /dev/sdb1 rw
33 32 0:53 / /media/usb rw - fuse.sshfs till:/ rw
torn line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/theo", "ext4"),
        ("/", "ext4"),
        ("/srv", "nfs4"),
        ("/srv/ridgeline/locks", "nfs4"),
        ("/srvice", "ext4"),
        ("/srv/own disk/locks", "xfs"),
        ("/media/usb/x", "fuse.sshfs"),
    ],
)
def test_a_path_lies_on_the_deepest_and_newest_mount_above_it(path, kind):
    assert file_system_of(path, MOUNTS) == kind


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuseblk"])
def test_a_disk_of_this_computer_is_local(kind):
    assert is_local_file_system(kind)


@pytest.mark.parametrize(
    "kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs", "fuse.rclone", ""]
)
def test_a_network_drive_or_an_unknown_place_is_not_local(kind):
    assert not is_local_file_system(kind)


def test_a_folder_is_on_a_local_disk_before_it_is_made_as_after(tmp_path):
    assert on_local_disk(str(tmp_path))
    assert on_local_disk(str(tmp_path / "not" / "yet"))


def test_the_machine_id_is_told_only_as_a_hash():
    raw = pathlib.Path("/etc/machine-id")
    secret = raw.read_text().strip() if raw.exists() else ""
    machine = this_machine()
    assert secret == "" or secret not in machine.machine_id
    assert (machine.machine_id == "") == (secret in ("", "uninitialized"))


def test_the_machine_is_the_same_each_time_it_is_asked():
    assert this_machine() == this_machine()
    assert this_machine().boot_id
    assert this_machine().host == os.uname().nodename
