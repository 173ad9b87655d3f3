"""Servers as child processes: started on chosen cores, watched, stopped; what they cost in CPU and memory."""

import atexit
import os
import resource
import signal
import socket
import subprocess
import time

FILES_MAX = 65536
_TICKS = os.sysconf("SC_CLK_TCK")
_running = []


class Unavailable(Exception):
    """Something that a row needs is not there or does not work; the text says what."""


def files_max():
    """How many descriptors a child may have: as many as this process can allow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, max(hard, FILES_MAX)))
    except (ValueError, OSError):
        pass
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def _prepare():
    """In the child."""
    most = files_max()
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def free_port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


class Process:
    """A child that runs until it is stopped. `cpus`: "0" or "0,1", or None for any."""

    def __init__(self, argv, log, env=None, cwd=None, cpus=None):
        self.argv = (["taskset", "-c", cpus] if cpus else []) + [str(each) for each in argv]
        self.log = str(log)
        with open(self.log, "ab") as out:
            try:
                self.child = subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, stdout=out,
                                              stderr=out, env={**os.environ, **(env or {})}, cwd=cwd,
                                              preexec_fn=_prepare, start_new_session=True)
            except FileNotFoundError as missing:
                raise Unavailable(f"{missing.filename} is not installed") from missing
        self.pid = self.child.pid
        _running.append(self)

    def wait_until(self, ready, seconds=60.0, what="ready"):
        """Waits until ready() is true; seconds that passed."""
        begin = time.monotonic()
        while not ready():
            if self.child.poll() is not None:
                raise Unavailable(f"{self.argv[0]} ended with {self.child.returncode}: {self.last_words()}")
            if time.monotonic() - begin > seconds:
                raise Unavailable(f"{self.argv[0]} was not {what} within {seconds:.0f} s")
            time.sleep(0.002)
        return time.monotonic() - begin

    def last_words(self):
        with open(self.log, "rb") as text:
            return text.read()[-600:].decode(errors="replace").strip()

    def tree(self):
        return tree_of(self.pid)

    def cpu_seconds(self):
        return sum(cpu_seconds(pid) for pid in self.tree())

    def rss_bytes(self):
        return sum(rss_bytes(pid) for pid in self.tree())

    def rss_bytes_max(self):
        """The most that it had at any time so far."""
        return rss_bytes_max(self.pid)

    def stop(self, seconds=60.0):
        """Asks it to end, and waits; kills what does not."""
        if self in _running:
            _running.remove(self)
        if self.child.poll() is not None:
            return self.child.returncode
        self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return self.kill()

    def kill(self):
        if self in _running:
            _running.remove(self)
        for pid in reversed(self.tree()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return self.child.wait()


@atexit.register
def stop_all():
    for each in list(_running):
        each.stop(10)


signal.signal(signal.SIGTERM, lambda *_: exit(1))  # so that stop_all runs


def tree_of(root):
    """A process and all that descend from it."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = _stat(int(name))
            if fields:
                parents.setdefault(int(fields[1]), []).append(int(name))
    found = [root]
    for pid in found:
        found += parents.get(pid, [])
    return found


def _stat(pid):
    """The fields of /proc/PID/stat from the state on, or None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as text:
            return text.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def cpu_seconds(pid):
    """User and system time, also of its children that have ended. To the nanosecond where the kernel counts
    so, as ticks of 10 ms say nothing of short runs."""
    fields = _stat(pid)
    if not fields:
        return 0.0
    ended_children = sum(int(each) for each in fields[13:15]) / _TICKS
    return (_exact_seconds(pid) or sum(int(each) for each in fields[11:13]) / _TICKS) + ended_children


def _exact_seconds(pid):
    """By the scheduler's own count, over all threads; 0 if there is none."""
    total = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as text:
                total += int(text.read().split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return total / 1e9


def rss_bytes(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("Rss:"):
                    return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        pass
    return 0


def rss_bytes_max(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def run(argv, env=None, cwd=None, seconds=600, good=(0,)):
    """Runs a command to its end; its output. Raises Unavailable with its words if it fails, which is any exit
    code that is not good."""
    argv = [str(each) for each in argv]
    try:
        done = subprocess.run(argv, env={**os.environ, **(env or {})}, cwd=cwd, timeout=seconds,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              preexec_fn=_prepare, check=False)
    except FileNotFoundError as missing:
        raise Unavailable(f"{argv[0]} is not installed") from missing
    except subprocess.TimeoutExpired as late:
        raise Unavailable(f"{argv[0]} did not end within {seconds} s") from late
    if done.returncode not in good:
        raise Unavailable(f"{' '.join(argv[:6])} ended with {done.returncode}: {done.stdout[-600:].strip()}")
    return done.stdout
