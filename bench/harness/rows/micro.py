"""What only micro-benchmarks can tell: the log, a rank, the codec. And the codec as a share of a join."""

from harness import rounds
from harness.micro import benchmarks, nanoseconds
from harness.process import Unavailable
from harness.results import each_row, row

PLAN = (
    ("replay-scan", "replay of the log ÷ a bare RocksDB scan of it: rate", 0.4, None),
    ("rank-quiet", "rank of a random place at 2 M, quiet", None, 25),
    ("rank-busy", "rank of a random place at 2 M, beside a busy writer", None, 100),
    ("codec-join", "codec and chain of an event of one fan ÷ the whole of a join that comes alone: CPU time", None, 0.05),
)


def _times(context, name, env=None):
    found = benchmarks(context, f"^{name}$", env, context.rounds)
    runs = next(iter(found.values()))
    return rounds.Spread([nanoseconds(run) for run in runs], "ns")


def _replay(context, name, what, least, most):
    events = 50_000 if context.quick else 10_000_000  # fewer would still be in the write buffer, and not on the disk
    found = benchmarks(context, "^log_(scan|replay)/", {"USHER_BENCH_EVENTS": events,
                                                        "USHER_BENCH_DIR": log_directory(context)}, context.rounds)
    rates = {kind: rounds.Spread([run["items_per_second"] for key, runs in found.items() if key.startswith(kind)
                                  for run in runs], "events/s") for kind in ("log_scan", "log_replay")}
    return row(name, what, rates["log_replay"], rates["log_scan"], at_least=least, details={"events of the log": events})


def log_directory(context):
    directory = context.work / "micro"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def _rank(context, name, what, least, most):
    ours = _times(context, {"rank-quiet": "rank_in_a_quiet_lane", "rank-busy": "rank_beside_a_busy_writer"}[name])
    return row(name, what, ours, None, at_most=most, value=ours.median, unit="ns")


def _codec(context, name, what, least, most):
    """Of a join that comes alone: then an event tells of one fan, and the whole join is there to pay for it."""
    ways = context.rows.get("joins-node-64", {}).get("details", {}).get("ways", {})
    if "usher, 1" not in ways:
        raise Unavailable("it needs the CPU time of a join, which the rows `joins` measure")
    join, busy = (rounds.Spread([value * 1000 for value in ways[way]["cpu_us"]["values"]], "ns")
                  for way in ("usher, 1", "usher, 64"))
    event, shared = (_times(context, f"encode_and_chain_joins/fans:{fans}") for fans in (1, 64))
    return row(name, what, event, join, at_most=most,
               details={"of joins over 64 connections, whose events tell of up to 64": shared.median / 64 / busy.median})


def _all(context):
    """Every other micro-benchmark, once: to be looked at, not compared."""
    found = benchmarks(context, "-^log_")
    return {name: rounds.Spread([nanoseconds(run) for run in runs], "ns").as_json() for name, runs in found.items()}


def measure(context):
    measures = {"replay-scan": _replay, "codec-join": _codec}
    rows = each_row(PLAN, lambda name, *rest: measures.get(name, _rank)(context, name, *rest))
    try:
        rows[-1].setdefault("details", {})["times"] = _all(context)
    except Unavailable as why:
        context.say(f"the micro-benchmarks could not be shown: {why}")
    return rows
