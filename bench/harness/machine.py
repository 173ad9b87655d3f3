"""The machine and the versions, for the top of the page."""

import os
import platform
import re
import subprocess


def _first_line(*argv):
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20,
                              check=False)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return "not installed"
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), "no answer")


def _cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        names = re.findall(r"^model name\s*:\s*(.*)$", text.read(), re.M)
    return f"{len(os.sched_getaffinity(0))} cores, {names[0] if names else platform.machine()}"


def _memory_gib():
    with open("/proc/meminfo", encoding="utf-8") as text:
        return round(int(re.search(r"MemTotal:\s*(\d+)", text.read()).group(1)) / 2**20, 1)


def _disk(path):
    """The file system that holds a path, and its device."""
    best = ("?", "?", "")
    with open("/proc/self/mounts", encoding="utf-8") as lines:
        for line in lines:
            device, where, kind = line.split()[:3]
            if os.path.realpath(path).startswith(where) and len(where) > len(best[2]):
                best = (device, kind, where)
    return f"{best[1]} on {best[0]}"


def sync_us(directory, rounds=200):
    """How long it takes to append 4 KiB to a file and sync it, in microseconds: median and 99th percentile."""
    import time
    path = os.path.join(directory, "sync-probe")
    times = []
    with open(path, "wb", buffering=0) as file:
        for _ in range(rounds):
            file.write(b"\0" * 4096)
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1e6)
    os.unlink(path)
    times.sort()
    return round(times[len(times) // 2]), round(times[int(len(times) * 0.99)])


def describe(work, program):
    middle, high = sync_us(work)
    return {
        "cpu": _cpu(),
        "memory": f"{_memory_gib()} GiB",
        "kernel": platform.release(),
        "system": _system(),
        "disk": _disk(work),
        "fdatasync": f"4 KiB appended and synced: median {middle} us, p99 {high} us",
        "versions": {
            "usher": _first_line(program, "--version"),
            "wrk": _first_line("wrk", "-v").split(" Copyright")[0],
            "nginx": _first_line("nginx", "-v"),
            "redis": _first_line("redis-server", "--version"),
            "node": _first_line("node", "--version"),
            "postgresql": _first_line("psql", "--version"),
        },
    }


def _system():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()
