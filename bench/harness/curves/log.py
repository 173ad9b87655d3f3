"""How a scan and a replay of the log grow with it."""

from harness import rounds
from harness.curves import curve, point
from harness.micro import benchmarks, nanoseconds
from harness.rows.micro import log_directory

TITLE = "With the length of the log"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
QUICK = (10_000, 100_000)


def measure(context):
    points = {"log_scan": [], "log_replay": []}
    for events in QUICK if context.quick else SIZES:
        repetitions = 1 if events > 1_000_000 else context.rounds
        found = benchmarks(context, "^log_(scan|replay)/", {"USHER_BENCH_EVENTS": events,
                                                            "USHER_BENCH_DIR": log_directory(context)}, repetitions)
        for name, runs in found.items():
            seconds = rounds.Spread([nanoseconds(run) / 1e9 for run in runs])
            points[name.split("/")[0]].append(point(events, seconds))
            context.say(f"{events:,} events: {name} {seconds.median:.3f} s")
    names = {"log_scan": "a bare RocksDB scan", "log_replay": "replay, with the chain and all checks"}
    return [curve("log-replay", "Reading the whole log", "events in the log", "seconds",
                  "linear: every event is read once, in order, and nothing is looked up.",
                  [{"name": names[name], "points": each, "shape": "linear"} for name, each in points.items()], True)]
