"""Whole on-sales, played by our own simulator of fans, which checks every answer; then the log is audited."""

import contextlib
import json
import shutil

from harness import fans, rounds, usher
from harness.process import Unavailable, run
from harness.results import not_measured, row
from harness.throttle import throttled

PLAN = (
    ("flash-crowd", "flash crowd: 2 M joins at once, 1 % poll, 500/s admitted, 60,000 seats sold to the last: faults of "
     "any kind", None, 0),
    ("overload-goodput", "twice the joins that it can take, 60 s: joins served ÷ the most it can serve", 0.8, None),
    ("overload-refusal", "twice the joins that it can take: p99 of being turned away, 503 with Retry-After", None, 1000),
    ("overload-faults", "twice the joins that it can take: faults of any kind (polls turned away first, slow "
     "recovery, memory without bound, anything lost)", None, 0),
    ("steady-page", "10,000 fans at 55/s: p95 of the event's page", None, 200),
    ("steady-order", "10,000 fans at 55/s: p95 of an order", None, 2000),
    ("entry-faults", "30,000 fans who enter in 145 s and buy: faults of any kind", None, 0),
)

# Fewer than the connections of the simulator, or nobody would be turned away.
OVERLOAD = {"USHER_CONNECTIONS_MAX": "20000", "USHER_IN_FLIGHT_MAX": "2000"}
# Of a core, for the server: the simulator has one core to ask for twice of what the server can do.
OVERLOAD_SHARE = 0.35
# What a server may need beyond the fans who have a place, whatever is asked of it.
OVERLOAD_MEMORY_MAX = 512 * 2**20
FAN_BYTES_MAX = 100


def _small(context, options, quick):
    """The options of a run, with some of them smaller if it is only a try."""
    chosen = options | quick if context.quick else options
    return [word for name, value in chosen.items() for word in (f"--{name}", value)]


@contextlib.contextmanager
def _serving(context, name, settings=None, cpus=None):
    """A server of its own. It is a demo for its gateway: payments are approved at once."""
    directory = context.work / "fans" / name
    shutil.rmtree(directory, ignore_errors=True)
    server = usher.Usher(context, directory, settings=settings, cpus=cpus, more=["--demo"])
    try:
        yield server
    finally:
        server.stop()


def _audit(context, directory):
    """What the audit finds wrong, as sentences, and what it says of the rest."""
    argv = [context.program, "audit", "verify", "--data", directory, "--json"]
    told = json.loads(run(argv, seconds=900, good=(0, 1)))
    faults = [] if told["clean"] else [f"the audit: {json.dumps(told)[:300]}"]
    return faults, f"clean, {told['records']:,} records" if not faults else "not clean"


def _faultless(plan, faults, details):
    name, what, _, most = plan
    found = rounds.Spread([len(faults)], "faults")
    return row(name, what, found, None, at_most=most, value=len(faults), unit="faults",
               details=details | ({"faults": "; ".join(faults)} if faults else {}))


def _limited(plan, latency, key, details=None):
    name, what, _, most = plan
    return row(name, what, rounds.Spread([latency[key]], "ms"), None, at_most=most, value=latency[key], unit="ms",
               details=details)


def _flash_crowd(context):
    options = _small(context, {"fans": 2_000_000, "seats": 60_000, "admit": 500, "watching": 0.01, "seconds": 1500},
                     {"fans": 50_000, "seats": 5_000})
    with _serving(context, "flash-crowd") as server:
        told = fans.play(context, server, "flash-crowd", options, 2400)
        memory = server.process.rss_bytes_max()
    audit_faults, audit = _audit(context, server.data)
    latencies = {f"{kind}s": fans.quantiles_ms(its["latency"])
                 for kind, its in told.phase("sale")["requests"].items()}
    return [_faultless(PLAN[0], told.faults() + audit_faults, {
        "ways": told.ways("sale"), **latencies,
        "from the first join to the last seat": f"{told.phase('sale')['seconds']:.0f} s",
        "resident memory of the server, at most": f"{memory / 2**20:.0f} MiB",
        "audit": audit, "checks": told.checks()})]


def _overload(context):
    options = _small(context, {"seconds": 60, "connections": 10_000}, {"seconds": 5, "connections": 4_000})
    with _serving(context, "overload", OVERLOAD, context.SERVER_CPU) as server:
        before = server.process.rss_bytes()
        with throttled(server.process, OVERLOAD_SHARE):
            told = fans.play(context, server, "overload", options, 400, context.LOAD_CPU)
        memory = server.process.rss_bytes_max()
        server.process.kill()
    joined = sum(told.requests(phase, "join")["fine"] for phase in ("maximum", "overload", "after"))
    extra = memory - before - joined * FAN_BYTES_MAX
    faults = told.faults() + _lost(context, server.data, told.told["show"], joined)
    if extra > OVERLOAD_MEMORY_MAX:
        faults.append(f"{extra / 2**20:.0f} MiB were needed beyond what the fans take")
    audit_faults, audit = _audit(context, server.data)
    return _overload_rows(told, faults + audit_faults, {
        "resident memory of the server": f"{before / 2**20:.0f} MiB before, {memory / 2**20:.0f} MiB at most, with "
                                         f"{joined:,} fans",
        "after it was killed and started again": f"all of the {joined:,} fans who were answered have their places",
        "audit": audit, "checks": told.checks()})


def _lost(context, data, show, joined):
    """Whether fans are missing who were told that they have a place."""
    server = usher.Usher(context, data)
    try:
        there = server.joined(show)
    finally:
        server.stop()
    return [] if there >= joined else [f"{joined:,} fans were told of a place, and {there:,} have one after a kill"]


def _overload_rows(told, faults, details):
    most, served = told.figure("joins a second, at most"), told.figure("joins a second, served of too many")
    joins = told.requests("overload", "join")
    name, what, least, _ = PLAN[1]
    rows = [row(name, what, rounds.Spread([served], "joins/s"), rounds.Spread([most], "joins/s"), at_least=least,
                details={"ways": told.ways("overload"), "turned away": joins["shed"], "joins": joins["answers"]})]
    if joins["shed"]:
        rows.append(_limited(PLAN[2], joins["shedLatency"], "p99Ms",
                             {"latency of being turned away": fans.quantiles_ms(joins["shedLatency"])}))
    else:
        rows.append(not_measured(*PLAN[2][:2], "nobody was turned away", at_most=PLAN[2][3]))
    return rows + [_faultless(PLAN[3], faults, details)]


def _steady(context):
    options = _small(context, {"fans": 10_000, "arrivals": 55}, {"fans": 500})
    with _serving(context, "steady") as server:
        told = fans.play(context, server, "steady", options, 900)
    if wrong := [fault for fault in told.faults() if " p95 at most " not in fault]:
        raise Unavailable("; ".join(wrong))
    details = {"ways": told.ways("sale"), "checks": told.checks()}
    return [_limited(PLAN[4], told.requests("sale", "event page")["latency"], "p95Ms", details),
            _limited(PLAN[5], told.requests("sale", "order")["latency"], "p95Ms")]


def _entry(context):
    options = _small(context, {"fans": 30_000, "seconds": 145}, {"fans": 2_000, "seconds": 10})
    with _serving(context, "entry") as server:
        told = fans.play(context, server, "entry", options, 600)
    audit_faults, audit = _audit(context, server.data)
    return [_faultless(PLAN[6], told.faults() + audit_faults,
                       {"ways": told.ways("sale"), "audit": audit, "checks": told.checks()})]


def measure(context):
    rows = []
    for play, plans in ((_flash_crowd, PLAN[:1]), (_overload, PLAN[1:4]), (_steady, PLAN[4:6]), (_entry, PLAN[6:])):
        try:
            rows += play(context)
        except Unavailable as why:
            rows += [not_measured(name, what, str(why), at_least=least, at_most=most)
                     for name, what, least, most in plans]
    return rows
