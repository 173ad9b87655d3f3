"""Joins that are on the disk before they are answered, beside the usual design and bare Redis."""

import contextlib
import shutil

from harness import profile, rounds, usher, web, wrk
from harness.peers import nginx, node, redis_bench
from harness.peers.redis import Redis
from harness.process import Unavailable
from harness.results import each_row, row

CONNECTIONS = (64, 1000)
ONE = 1  # an event of its own for each join, which the row about the codec needs

PLAN = (
    ("joins-node-64", "durable joins, 64 connections ÷ Node + Redis with appendfsync always", 4, None),
    ("joins-node-1000", "durable joins, 1,000 connections ÷ Node + Redis with appendfsync always", 4.5, None),
    ("joins-node-memory-64", "durable joins, 64 connections ÷ Node + Redis without fsync", 3, None),
    ("joins-node-memory-1000", "durable joins, 1,000 connections ÷ Node + Redis without fsync", 3, None),
    ("joins-redis-64", "durable joins over HTTP, 64 connections ÷ bare Redis ZADD with appendfsync always", 1, None),
    ("joins-redis-1000", "durable joins over HTTP, 1,000 connections ÷ bare Redis ZADD with appendfsync always",
     1.5, None),
)


class Joined:
    """One way to join at one server: every call is a run."""

    def __init__(self, context, process, path, connections, also=()):
        self.context, self.process, self.path, self.connections = context, process, path, connections
        self.servers = [process, *also]

    def __call__(self, seconds):
        return wrk.load(self.process.port, "posts.lua", self.connections, seconds, [self.path],
                        servers=self.servers)

    def check(self):
        got = web.ask(self.process.port, "POST", self.path, b"")
        if got.status != 202 or b"ticketId" not in got.body:
            raise Unavailable(f"a join was answered {got.status}: {got.body[:200]!r}")

    def command(self):
        return wrk.command(self.process.port, "posts.lua", self.connections, self.context.seconds, [self.path])


def _by_script(work, redis_socket, workers):
    return node.queue(work, redis_socket, workers, join="script")


def _usual(directory, stack, durable, missing):
    """The usual designs over one Redis: (name, server, its Redis)."""
    redis = Redis(directory / f"redis-{durable}", durable)
    stack.callback(redis.stop)
    for name, start, workers in (("node", node.queue, 1), ("node", node.queue, 2), ("script", _by_script, 1),
                                 ("script", _by_script, 2), ("lua", nginx.queue, 2)):
        try:
            server = start(directory / durable, redis.socket, workers)
        except Unavailable as why:
            missing[f"{name} {durable} {workers}"] = str(why)
            continue
        stack.callback(server.stop)
        yield f"{name} {durable} {workers}", server, redis


def _ways(context, stack, missing):
    directory = context.work / "joins"
    shutil.rmtree(directory, ignore_errors=True)
    server = usher.Usher(context, directory / "usher")
    stack.callback(server.stop)
    server.make_show("joins", usher.show(usher.room()))
    server.process.port = server.port
    context.note("usher, joins", server.command())
    ways = {}
    for connections in (ONE, *CONNECTIONS):
        ways[f"usher, {connections}"] = Joined(context, server.process, usher.join_path("joins"), connections)
    for durable in ("always", "memory"):
        for name, process, redis in _usual(directory, stack, durable, missing):
            for connections in CONNECTIONS:
                ways[f"{name}, {connections}"] = Joined(context, process, "/queue/join", connections, [redis])
    return ways | _bare(directory, stack)


def _bare(directory, stack):
    """Redis alone: the commands of a waiting room, with and without a log that is synced."""
    ways = {}
    for durable in ("always", "memory"):
        redis = Redis(directory / f"redis-bare-{durable}", durable)
        stack.callback(redis.stop)
        for command in redis_bench.COMMANDS:
            for connections in CONNECTIONS:
                ways[f"{command} {durable}, {connections}"] = redis_bench.Bench(redis, command, connections)
    return ways


def measure(context):
    missing = {}
    with contextlib.ExitStack() as stack:
        ways = _ways(context, stack, missing)
        for way in ways.values():
            if isinstance(way, Joined):
                way.check()
            way(1)  # warm
        context.note("joins", ways["usher, 1000"].command())
        context.note("Redis alone", "redis-benchmark -c 1000 -n … --csv -r 100000000 ZADD bare __rand_int__ element:__rand_int__")
        found = rounds.in_turns(context.rounds, {name: lambda way=way: way(context.seconds)
                                                 for name, way in ways.items()}, context.say, missing)
        looked = profile.during(ways["usher, 1000"].process, lambda: ways["usher, 1000"](4))
    return _rows(found, missing, looked)


def _script(here, start, ours):
    """What the quotient is if Node joins by one Lua script instead of three commands."""
    if not start.startswith("node"):
        return {}
    peer = rounds.best(here, start.replace("node", "script"))
    return {"if a join is one script of Redis": ours.median / rounds.of(here[peer], "rate").median}


def _rows(found, missing, looked):
    def rate(name):
        return rounds.of(found[name], "rate", "joins/s")

    def made(name, what, least, most):
        connections = int(name.rpartition("-")[2])
        start = "node memory" if "memory" in name else "node always" if "node" in name else "zadd always"
        here = {way: runs for way, runs in found.items() if way.endswith(f", {connections}")}
        peer = rounds.best(here, start)
        ours = rounds.best(here, "usher")
        return row(name, what, rate(ours), rate(peer), at_least=least, at_most=most, profile=looked,
                   details={"its best way": peer} | _script(here, start, rate(ours)))

    rows = each_row(PLAN, made, missing)
    told = {name: rounds.described(runs) for name, runs in found.items()}
    bare = {name: told.pop(name) for name in list(told) if name.startswith(redis_bench.COMMANDS)}
    rows[0].setdefault("details", {}).update({"ways": told, "plots": _plots(found), "beside": bare,
                                              "beside is": "Redis alone"})
    return rows


def _plots(found):
    """For each number of connections Usher and the best of each kind."""
    plots = []
    for connections in CONNECTIONS:
        here = {way: runs for way, runs in found.items() if way.endswith(f", {connections}")}
        kinds = ["usher"] + [f"{name} {durable}" for durable in ("always", "memory") for name in ("node", "script", "lua")]
        plots.append({"title": f"durable joins, {connections:,} connections",
                      "ways": [rounds.best(here, kind) for kind in kinds if any(way.startswith(kind) for way in here)]})
    return plots
