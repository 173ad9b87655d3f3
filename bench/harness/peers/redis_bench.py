"""Redis alone, by its own redis-benchmark, unpipelined."""

import json

from harness.process import run

COMMANDS = ("zadd", "zrank", "zpopmin")
MEMBERS = 1_000_000  # of the set whose ranks are asked for


class Bench:
    """One command over so many connections; every call is a run of about so many seconds."""

    def __init__(self, redis, command, connections):
        self.redis, self.command, self.connections, self.rate = redis, command, connections, 5000

    def __call__(self, seconds):
        requests = int(max(1000, self.rate * seconds))
        words = self._prepare(requests)
        before = self.redis.cpu_seconds()
        found = _run(self.redis, words, self.connections, requests)
        used = self.redis.cpu_seconds() - before
        self.rate = found["rate"]
        return found | {"cpu_us": used * 1e6 / requests, "busy": used * found["rate"] / requests}

    def _prepare(self, requests):
        """What is asked, of a set in which it finds something."""
        if self.command == "zadd":
            return ["-r", 100_000_000, "ZADD", "bare", "__rand_int__", "element:__rand_int__"]
        if self.command == "zpopmin":
            self.redis.fill(requests)
            return ["ZPOPMIN", "queue"]
        if self.redis.ask("ZCARD", "ranks") != str(MEMBERS):
            self.redis.add_all("ranks", (f"element:{number:012d}" for number in range(MEMBERS)))
        return ["-r", MEMBERS, "ZRANK", "ranks", "element:__rand_int__"]


def _run(redis, words, connections, requests):
    output = run(["redis-benchmark", "-p", redis.port, "-c", connections, "-n", requests, "--csv", *words], seconds=300)
    lines = [line for line in output.splitlines() if line.startswith('"') and not line.startswith('"test"')]
    fields = json.loads("[" + lines[-1] + "]")
    return {"rate": float(fields[1]), "latency_us": {"p50": round(float(fields[4]) * 1000),
                                                     "p99": round(float(fields[6]) * 1000)}}
