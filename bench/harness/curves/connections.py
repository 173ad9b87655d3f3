"""How polls go with the number of connections."""

import contextlib

from harness import fixtures, rounds, usher, web, wrk
from harness.curves import curve, point
from harness.peers import nginx
from harness.process import files_max

TITLE = "With the number of connections"
SIZES = (10, 100, 1_000, 5_000, 10_000, 20_000)
CONNECTS_PER_SECOND = 2_000  # of wrk, and generously: what is asked before all are there counts little


def measure(context):
    fixture = fixtures.waiting(context, 10_000)
    most = files_max() - 500
    sizes = sorted({min(size, most) for size in SIZES})
    with contextlib.ExitStack() as stack:
        server = usher.Usher(context, fixture.copy(context.work / "curves" / "connections"), io_threads=1,
                             cpus=context.SERVER_CPU)
        stack.callback(server.stop)
        body = web.ask(server.port, "GET", usher.ticket_path(fixture.show, fixture.tickets[0])).body
        limit = nginx.limit(context.work / "curves", body, cpus=context.SERVER_CPU)
        stack.callback(limit.stop)
        series = {"Usher": (server.port, server.process), "nginx `return 200`": (limit.port, limit)}
        found = {}
        for count in sizes:
            measures = {name: lambda port=port, process=process, count=count: wrk.load(
                port, "gets.lua", count, context.seconds + count // CONNECTS_PER_SECOND, [fixture.paths, "plain"],
                cpus=context.LOAD_CPU, servers=[process]) for name, (port, process) in series.items()}
            found[count] = rounds.in_turns(max(1, context.rounds - 1), measures,
                                           lambda text, count=count: context.say(f"{count} connections: {text}"))
    return [_curve(name, title, y, why, found, pick, shape, log)
            for name, title, y, why, pick, shape, log in _LINES]


def _curve(name, title, y, why, found, pick, shape, log):
    names = next(iter(found.values()))
    series = [{"name": each, "shape": shape,
               "points": [point(count, rounds.Spread([pick(run) for run in runs[each]]))
                          for count, runs in found.items()]} for each in names]
    return curve(name, title, "connections", y, why, series, log)


_LINES = (
    ("connections-cpu", "CPU time of a poll, one HTTP thread", "microseconds",
     "flat, with more for each at very few connections (each turn of the loop serves only one or two) and somewhat more "
     "at very many (each is cold in the caches when its turn comes).", lambda run: run["cpu_us"], "flat", False),
    ("connections-p99", "99th percentile of a poll at full load", "microseconds",
     "linear: who asks as fast as answers come waits for all the others.",
     lambda run: run["latency_us"]["p99"], "linear", True),
)
