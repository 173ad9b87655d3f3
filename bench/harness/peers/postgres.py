"""PostgreSQL with seats as rows, held by a conditional UPDATE; load from its own pgbench."""

import os
import pathlib
import pwd
import re
import shutil
import tempfile

from harness.peers import FILES
from harness.process import Process, Unavailable, free_port, run

ACCOUNT = "postgres"
SOCKETS = tempfile.gettempdir()  # where the account may write, too


def _bin(name):
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if not found:
        raise Unavailable(f"{name} of PostgreSQL is not installed")
    return found[-1]


def _as_account(argv):
    """PostgreSQL does not run as root."""
    return (["setpriv", f"--reuid={ACCOUNT}", f"--regid={ACCOUNT}", "--init-groups"]
            if os.geteuid() == 0 else []) + [str(each) for each in argv]


class Postgres:
    def __init__(self, work, seats, clients, commit_delay_us=0):
        self.seats, self.clients, self.port = seats, clients, free_port()
        self.directory = work / "postgres"
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        if os.geteuid() == 0:
            account = pwd.getpwnam(ACCOUNT)
            os.chown(self.directory, account.pw_uid, account.pw_gid)
        data = self.directory / "data"
        run(_as_account([_bin("initdb"), "-D", data, "--auth", "trust", "-U", ACCOUNT, "--encoding", "UTF8",
                         "--no-locale"]), cwd="/")
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        settings = (FILES / "postgres" / "postgresql.conf").read_text(encoding="utf-8")
        settings += (f"port = {self.port}\nunix_socket_directories = '{SOCKETS}'\n"
                     f"shared_buffers = {memory // 4 // 2**20}MB\ncommit_delay = {commit_delay_us}\n")
        (data / "postgresql.conf").write_text(settings, encoding="utf-8")
        self.process = Process(_as_account([_bin("postgres"), "-D", data]), work / "postgres.log", cwd="/")
        self.process.wait_until(lambda: self._ask("SELECT 1") == "1", 60)
        run(["psql", "-h", SOCKETS, "-p", self.port, "-U", ACCOUNT, "-q", "-v", "ON_ERROR_STOP=1",
             "-v", f"seats={seats}", "-f", FILES / "postgres" / "schema.sql"], cwd="/")

    def _ask(self, sql):
        try:
            return run(["psql", "-h", SOCKETS, "-p", self.port, "-U", ACCOUNT, "-tA", "-c", sql], cwd="/").strip()
        except Unavailable:
            return None

    def free_all(self):
        self._ask("UPDATE seats SET state = 'AVAILABLE', held_by = NULL, held_until = NULL WHERE state <> 'AVAILABLE'")
        self._ask("VACUUM (ANALYZE) seats")
        self._ask("CHECKPOINT")

    def hold(self, seconds):
        """Holds one seat after the other for so long; holds a second. Each has to have got its seat."""
        before = int(self._ask("SELECT count(*) FROM seats WHERE state = 'HELD'"))
        used = self.process.cpu_seconds()
        output = run(["pgbench", "-h", SOCKETS, "-p", self.port, "-U", ACCOUNT, "-n", "-M", "prepared",
                      "-c", self.clients, "-j", 2, "-T", seconds, "-D", "n=-1",
                      "-D", f"seats_per_client={self.seats // self.clients}",
                      "-f", FILES / "postgres" / "hold.sql", "postgres"], cwd="/", seconds=seconds + 120)
        rate = float(re.search(r"tps = ([\d.]+)", output).group(1))
        used = self.process.cpu_seconds() - used
        done = int(re.search(r"actually processed: (\d+)", output).group(1))
        held = int(self._ask("SELECT count(*) FROM seats WHERE state = 'HELD'")) - before
        if held < done:
            raise Unavailable(f"only {held} of {done} updates found their seat free")
        latency = float(re.search(r"latency average = ([\d.]+)", output).group(1))
        return {"rate": rate, "held": held, "mean_us": latency * 1000, "cpu_us": used * 1e6 / done,
                "busy": used / seconds}

    def stop(self):
        run(_as_account([_bin("pg_ctl"), "-D", self.directory / "data", "-m", "fast", "-w", "stop"]), cwd="/")
        self.process.stop()
