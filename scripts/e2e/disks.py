"""Small disks for the private Postgres, so that they can be full: its tables on one, its write-ahead log on another.

They are tmpfs, which takes the right to mount. scripts/chaos.sh gives the whole run a mount namespace of its own, so nobody else
sees them, and says by CHAOS_MOUNTS=1 that it could.
"""

import errno
import os
import shutil
import subprocess
from pathlib import Path

FILLER = "filler"


class SmallDisk:
    def __init__(self, folder, megabytes):
        self.folder = Path(folder)
        self._megabytes = megabytes

    def put_under(self):
        """Moves what the folder holds to a disk of its own. Nobody may be using it."""
        owner = self.folder.stat()
        aside = self.folder.with_name(self.folder.name + ".aside")
        self.folder.rename(aside)
        self.folder.mkdir()
        options = f"size={self._megabytes}m,mode=700,uid={owner.st_uid},gid={owner.st_gid}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "chaos", self.folder], check=True, timeout=20)
        subprocess.run(["cp", "-a", f"{aside}/.", self.folder], check=True, timeout=60)
        shutil.rmtree(aside)

    def fill(self):
        """To the last byte."""
        with open(self.folder / FILLER, "ab") as filler:
            size = filler.tell()
            while True:
                free = os.statvfs(self.folder)
                more = max(free.f_bavail * free.f_frsize, 4096)
                try:
                    os.posix_fallocate(filler.fileno(), size, more)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    if free.f_bavail == 0:
                        return
                    continue
                size += more

    def make_space(self):
        (self.folder / FILLER).unlink(missing_ok=True)


class PostgresDisks:
    """The sizes leave room for an hour of chaos."""

    def __init__(self, servers, database):
        home = servers.data / "postgres/data"
        self.tables = SmallDisk(home / "base", 512)
        self.log = SmallDisk(home / "pg_wal", 192)
        # Or the log would grow to a gigabyte before it is looked through.
        for setting in ("max_wal_size = '64MB'", "min_wal_size = '32MB'"):
            database.text(f"alter system set {setting}")
        servers.run("stop-postgres")
        for disk in (self.tables, self.log):
            disk.put_under()
        servers.run("start-postgres")
