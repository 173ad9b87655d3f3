"""Resident memory of a fan who waits, the index by customer in, beside a sorted set with UUIDs."""

import shutil

from harness import fixtures, rounds, usher
from harness.peers.redis import Redis
from harness.results import row

PLAN = (
    ("memory-fan", "resident memory of a waiting fan at 2 M, index by customer in", None, 48),
    ("memory-redis", "memory of a waiting fan ÷ of one in a Redis sorted set of UUIDs", None, 0.35),
)


def _empty(context):
    directory = context.work / "memory" / "empty"
    shutil.rmtree(directory, ignore_errors=True)
    fixtures.make_empty(context, directory)
    server = usher.Usher(context, directory)
    try:
        return server.process.rss_bytes()
    finally:
        server.stop()


def usher_bytes(context, count):
    """RSS of one fan of `count`, less that of a server with an empty room: after a restart from the
    snapshot, and at the end of their joins."""
    fixture = fixtures.waiting(context, count)
    empty = _empty(context)
    server = usher.Usher(context, fixture.copy(context.work / "memory" / str(count)))
    try:
        restarted = (server.process.rss_bytes() - empty) / count
    finally:
        server.stop()
    return {"restarted": restarted, "joined": fixture.joined_bytes}


def redis_bytes(context, count):
    directory = context.work / "memory" / "redis"
    shutil.rmtree(directory, ignore_errors=True)
    redis = Redis(directory, "memory")
    try:
        empty = redis.rss_bytes()
        redis.fill(count)
        return {"bytes": (redis.rss_bytes() - empty) / count}
    finally:
        redis.stop()


def measure(context):
    count = context.many()
    found = rounds.in_turns(min(context.rounds, 3), {"usher": lambda: usher_bytes(context, count),
                                                     "redis": lambda: redis_bytes(context, count)}, context.say)
    ours, theirs = rounds.of(found["usher"], "joined", "bytes"), rounds.of(found["redis"], "bytes", "bytes")
    details = {"after a restart from the snapshot": rounds.of(found["usher"], "restarted", "bytes").as_json(),
               "fans": count}
    return [row(PLAN[0][0], PLAN[0][1], ours, None, at_most=48, value=ours.median, unit="bytes", details=details),
            row(PLAN[1][0], PLAN[1][1], ours, theirs, at_most=0.35)]
