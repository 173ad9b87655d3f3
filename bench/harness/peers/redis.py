"""Redis: alone, and under the waiting rooms of the usual design."""

import itertools
import os
import random
import socket
import tempfile
import uuid

from harness.peers import FILES
from harness.process import Process, free_port, run

LEVELS = {"memory": ["--appendonly", "no"],
          "everysec": ["--appendonly", "yes", "--appendfsync", "everysec"],
          "always": ["--appendonly", "yes", "--appendfsync", "always"]}


class Redis(Process):
    """`durable`: memory, everysec or always."""

    def __init__(self, directory, durable, cpus=None, more=()):
        directory.mkdir(parents=True, exist_ok=True)
        self.port, self.directory = free_port(), directory
        # Not in the directory: the path of a Unix socket may have 107 bytes only.
        self.socket_directory = tempfile.TemporaryDirectory(prefix="usher-bench-")
        os.chmod(self.socket_directory.name, 0o755)
        self.socket = f"{self.socket_directory.name}/redis"
        super().__init__(["redis-server", FILES / "redis" / "redis.conf", "--port", self.port, "--unixsocket",
                          self.socket, "--unixsocketperm", "777", "--dir", directory, *LEVELS[durable], *more],
                         directory / "redis.log", cpus=cpus)
        self.started_in = self.wait_until(lambda: self.ask("PING") == "PONG", 600)

    def ask(self, *words):
        """The answer of one command, or None if there is no server yet. Simple answers only."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 60) as to:
                to.sendall(command(*words))
                got = to.makefile("rb").readline().decode().strip()
        except OSError:
            return None
        return got[1:] if got[:1] in "+:" else got

    def add_all(self, key, members):
        """Members of a sorted set, in their order, in large writes."""
        with socket.create_connection(("127.0.0.1", self.port), 60) as to:
            answers = to.makefile("rb")
            numbered = enumerate(members)
            while part := list(itertools.islice(numbered, 10_000)):
                to.sendall(b"".join(command("ZADD", key, number, member) for number, member in part))
                for _ in part:
                    answers.readline()

    def fill(self, count):
        """So many UUIDs in the sorted set `queue`, as the peers' joins leave it. Random ones of them."""
        dice = random.Random(11)
        queue = [str(uuid.UUID(int=dice.getrandbits(128), version=4)) for _ in range(count)]
        self.add_all("queue", queue)
        self.ask("SET", "queue:seq", count)
        return dice.sample(queue, min(count, max(1, count // 40)))

    def rewrite_aof(self):
        """Compacts the append-only file, as Redis does by itself now and then."""
        self.ask("BGREWRITEAOF")
        info = lambda: run(["redis-cli", "-p", self.port, "info", "persistence"])
        self.wait_until(lambda: "aof_rewrite_in_progress:0" in info() and "aof_rewrite_scheduled:0" in info(), 120,
                        "done with its rewrite")


def command(*words):
    raw = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(raw) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in raw)

