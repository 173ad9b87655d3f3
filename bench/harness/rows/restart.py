"""A restart with many waiting, from a snapshot, beside Redis loading the same queue from its AOF."""

import shutil

from harness import fixtures, rounds, usher
from harness.peers.redis import Redis
from harness.process import Unavailable
from harness.results import row

PLAN = (("restart-redis", "restart with 2 M waiting, from a snapshot ÷ Redis loading the queue from its AOF", None, 0.5),)


def measure(context):
    count = context.many()
    fixture = fixtures.waiting(context, count)
    data = fixture.copy(context.work / "restart" / "usher")
    logs = {name: _redis_log(context, name, count) for name in ("as it was written", "rewritten")}

    def restart():
        server = usher.Usher(context, data)
        try:
            if server.joined(fixture.show) != count:
                raise Unavailable(f"after the restart there are {server.joined(fixture.show)} fans, not {count}")
            return {"seconds": server.started_in}
        finally:
            server.stop()

    found = rounds.in_turns(context.rounds, {"usher": restart} | {
        f"redis, AOF {name}": lambda directory=directory: _load(directory, count) for name, directory in logs.items()},
        context.say)
    peer = min((name for name in found if name != "usher"), key=lambda name: rounds.of(found[name], "seconds").median)
    details = {name: rounds.of(runs, "seconds", "s").as_json() for name, runs in found.items()}
    name, what, _, most = PLAN[0]
    return [row(name, what, rounds.of(found["usher"], "seconds", "s"), rounds.of(found[peer], "seconds", "s"),
                at_most=most, details=details | {"its best way": peer})]


def _redis_log(context, name, count):
    directory = context.work / "restart" / f"redis-{name.split()[0]}"
    shutil.rmtree(directory, ignore_errors=True)
    redis = Redis(directory, "everysec", more=["--auto-aof-rewrite-percentage", "0"])
    try:
        redis.fill(count)
        if name == "rewritten":
            redis.rewrite_aof()
    finally:
        redis.stop()
    return directory


def _load(directory, count):
    redis = Redis(directory, "everysec", more=["--auto-aof-rewrite-percentage", "0"])
    try:
        if redis.ask("ZCARD", "queue") != str(count):
            raise Unavailable(f"Redis has {redis.ask('ZCARD', 'queue')} fans, not {count}")
        return {"seconds": redis.started_in}
    finally:
        redis.stop()
