"""How polls, memory and a restart grow with the queue."""

import shutil

from harness import fixtures, rounds, usher, wrk
from harness.curves import curve, point
from harness.rows import memory

TITLE = "With the length of the queue"
SIZES = (1_000, 10_000, 100_000, 1_000_000, 2_000_000)
QUICK = (1_000, 10_000, 100_000)


def _of(context, count):
    """What a poll costs, what the fans take, how long a restart lasts."""
    fixture = fixtures.waiting(context, count)
    copy = fixture.copy(context.work / "curves" / "queue")
    server = usher.Usher(context, copy, io_threads=1, cpus=context.SERVER_CPU)
    try:
        poll = lambda seconds: wrk.load(server.port, "gets.lua", 64, seconds, [fixture.paths, "plain"],
                                        cpus=context.LOAD_CPU, servers=[server.process])
        poll(1)
        polls = [poll(max(2, context.seconds // 2)) for _ in range(context.rounds)]
    finally:
        server.stop()
    starts = []
    for _ in range(context.rounds):
        server = usher.Usher(context, copy)
        starts.append(server.started_in)
        server.stop()
    shutil.rmtree(copy)
    return polls, fixture.joined_bytes * count / 1e6, rounds.Spread(starts, "s")


def measure(context):
    cpu, memory_mb, restart = [], [], []
    for count in QUICK if context.quick else SIZES:
        polls, megabytes, starts = _of(context, count)
        context.say(f"{count:,}: {rounds.brief(polls[0])}, {megabytes:.1f} MB, restart {starts.median:.2f} s")
        cpu.append(point(count, rounds.of(polls, "cpu_us")))
        memory_mb.append(point(count, rounds.Spread([megabytes])))
        restart.append(point(count, starts))
    redis = [point(count, rounds.Spread([memory.redis_bytes(context, count)["bytes"] * count / 1e6]))
             for count in (QUICK if context.quick else SIZES)]
    x = "fans who wait"
    return [
        curve("queue-polls", "CPU time of a poll", x, "microseconds",
              "flat. A rank is a look at a tree of counts, three levels deep however many wait; beyond the processor's "
              "caches a poll costs some cache misses more.", [{"name": "Usher", "points": cpu, "shape": "flat"}]),
        curve("queue-memory", "Resident memory of the queue", x, "MB, less that of the empty room",
              "linear, so many bytes a fan; short queues vanish behind what the allocator and the log keep in hand.",
              [{"name": "Usher", "points": memory_mb, "shape": "linear"},
               {"name": "Redis sorted set of UUIDs", "points": redis, "shape": "linear"}], log_y=True),
        curve("queue-restart", "Restart", x, "seconds until ready",
              "a constant for opening the log, and linear for the snapshot.",
              [{"name": "Usher", "points": restart, "shape": "linear"}], log_y=True),
    ]
