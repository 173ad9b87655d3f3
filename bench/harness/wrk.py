"""Load from wrk: starting it, reading what it found, and refusing runs whose answers were not all good."""

import json
import pathlib
import resource
import signal
import subprocess

from harness.process import Process, Unavailable, run

SCRIPTS = pathlib.Path(__file__).parent / "wrk"


def command(port, script, connections, seconds, args=(), threads=1, cpus=None):
    pinned = ["taskset", "-c", cpus] if cpus else []
    return [*pinned, "wrk", "-t", threads, "-c", connections, "-d", f"{seconds}s", "--timeout", "10s",
            "-s", SCRIPTS / script, f"http://127.0.0.1:{port}", "--", *args]


def parse(output):
    lines = [line for line in output.splitlines() if line.startswith("JSON ")]
    if not lines:
        raise Unavailable(f"wrk said nothing usable: {output[-400:]}")
    found = json.loads(lines[-1][5:])
    bad = {name: count for name, count in found["errors"].items() if count}
    if bad:
        raise Unavailable(f"not all answers were good: {bad} of {found['requests']} requests")
    if not found["requests"]:
        raise Unavailable("wrk got no answer at all")
    found["rate"] = found["requests"] / (found["duration_us"] / 1e6)
    return found


def _children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def load(port, script, connections, seconds, args=(), threads=1, cpus=None, servers=()):
    """One run. `servers`: the processes whose CPU time it costs; adds cpu_us (of one request), busy (cores
    that they were busy on), per_core (requests a second of a core that is busy with nothing else), and
    load_busy (cores that wrk itself was busy on)."""
    argv = command(port, script, connections, seconds, args, threads, cpus)
    before = sum(server.cpu_seconds() for server in servers)
    children = _children_seconds()
    found = parse(run(argv, seconds=seconds + 60))
    found["load_busy"] = (_children_seconds() - children) / (found["duration_us"] / 1e6)
    used = sum(server.cpu_seconds() for server in servers) - before
    found["cpu_us"] = used * 1e6 / found["requests"]
    found["busy"] = used / (found["duration_us"] / 1e6)
    found["per_core"] = 1e6 / found["cpu_us"] if used else 0.0
    return found


def start(work, port, script, connections, seconds, args=(), threads=1, cpus=None):
    """A run beside others; `finish` waits for it."""
    argv = command(port, script, connections, seconds, args, threads, cpus)
    log = work / f"wrk-{script}-{port}.log"
    log.write_bytes(b"")
    return Process(argv, log)


def finish(process, seconds):
    process.child.wait(seconds)
    process.stop()
    return parse(pathlib.Path(process.log).read_text(encoding="utf-8"))


def interrupt(process):
    """Ends a run early."""
    process.child.send_signal(signal.SIGINT)
    try:
        process.child.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
    process.stop()
