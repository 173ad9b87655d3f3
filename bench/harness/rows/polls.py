"""Polls: Usher with many waiting, one HTTP thread, beside nginx's `return 200` and the usual designs."""

import contextlib

from harness import fixtures, profile, rounds, usher, web, wrk
from harness.peers import nginx, node
from harness.peers.redis import Redis
from harness.process import Unavailable
from harness.results import each_row, row

CONNECTIONS = 64
FEW = 10_000

PLAN = (
    ("polls-rate", "polls, 2 M waiting, one HTTP thread ÷ nginx with one worker and the same body: rate", 0.95, None),
    ("polls-cpu", "polls, 2 M waiting ÷ nginx: CPU time of one, plain", None, 1.1),
    ("polls-cpu-browser", "polls, 2 M waiting ÷ nginx: CPU time of one, with a browser's twelve headers", None, 1.1),
    ("polls-node", "polls, 2 M waiting ÷ Node + Redis: rate", 4, None),
    ("polls-lua", "polls, 2 M waiting ÷ nginx-Lua + Redis: rate", 1.5, None),
    ("polls-growth", "CPU time of a poll with 2 M waiting ÷ with 10,000", None, 1.1),
)


class Polled:
    """One way to poll one server: every call is a run, and gives what was found."""

    def __init__(self, context, port, paths, processes, headers="plain", pinned=True):
        self.context, self.port, self.paths, self.processes = context, port, paths, processes
        self.headers, self.cpu = headers, context.LOAD_CPU if pinned else None

    def __call__(self, seconds):
        return wrk.load(self.port, "gets.lua", CONNECTIONS, seconds, [self.paths, self.headers], cpus=self.cpu,
                        servers=self.processes)

    def command(self):
        return wrk.command(self.port, "gets.lua", CONNECTIONS, self.context.seconds, [self.paths, self.headers],
                           cpus=self.cpu)


def _waiting_body(server, fixture):
    """A poll's answer; has to be one of a fan who waits."""
    got = web.ask(server.port, "GET", usher.ticket_path(fixture.show, fixture.tickets[0]))
    if got.status != 200 or got.json()["status"] != "WAITING":
        raise Unavailable(f"a poll was answered {got.status}: {got.body[:200]!r}")
    return got.body


def _ushers(context, stack, ways):
    bodies = []
    for name, count, pinned in (("usher", context.many(), True), ("usher both cores", context.many(), False),
                                ("usher few", FEW, True)):
        fixture = fixtures.waiting(context, count)
        server = usher.Usher(context, fixture.copy(context.work / "polls" / name.replace(" ", "-")),
                             io_threads=1 if pinned else 0, cpus=context.SERVER_CPU if pinned else None)
        stack.callback(server.stop)
        bodies.append(_waiting_body(server, fixture))
        ways[name] = Polled(context, server.port, fixture.paths, [server.process], pinned=pinned)
        if name == "usher":
            ways["usher browser"] = Polled(context, server.port, fixture.paths, [server.process], "browser")
            context.note("usher, one HTTP thread", server.command())
    return bodies[0], fixture.paths


def _usual(context, stack, ways, missing):
    """The usual designs over a Redis of as many fans: all on the one core as Usher is, and on both."""
    work = context.work / "polls"
    for cpu, suffix, workers in ((context.SERVER_CPU, "", (1,)), (None, " both cores", (1, 2))):
        redis = Redis(work / f"redis{suffix.replace(' ', '-')}", "memory", cpus=cpu)
        stack.callback(redis.stop)
        sample = redis.fill(context.many())
        paths = work / f"queue-paths{suffix.replace(' ', '-')}.txt"
        paths.write_text("".join(f"/queue/tickets/{each}\n" for each in sample), encoding="utf-8")
        for name, start in (("node", node.queue), ("lua", nginx.queue)):
            for count in workers:
                try:
                    server = start(work / f"{name}{suffix.replace(' ', '-')}", redis.socket, count, cpus=cpu)
                except Unavailable as why:
                    missing[f"{name} {count}{suffix}"] = str(why)
                    continue
                stack.callback(server.stop)
                ways[f"{name} {count}{suffix}"] = Polled(context, server.port, paths, [server, redis],
                                                         pinned=cpu is not None)


def _check_waiting(way):
    path = open(way.paths, encoding="utf-8").readline().strip()
    got = web.ask(way.port, "GET", path)
    if got.status != 200 or b"WAITING" not in got.body:
        raise Unavailable(f"a poll of {path} was answered {got.status}: {got.body[:200]!r}")


def measure(context):
    ways, missing = {}, {}
    with contextlib.ExitStack() as stack:
        body, paths = _ushers(context, stack, ways)
        limit = nginx.limit(context.work / "polls", body, cpus=context.SERVER_CPU)
        stack.callback(limit.stop)
        ways["nginx"] = Polled(context, limit.port, paths, [limit])
        ways["nginx browser"] = Polled(context, limit.port, paths, [limit], "browser")
        _usual(context, stack, ways, missing)
        for way in ways.values():
            _check_waiting(way)
            way(1)  # warm
        context.note("polls", ways["usher"].command())
        found = rounds.in_turns(context.rounds, {name: lambda way=way: way(context.seconds)
                                                 for name, way in ways.items()}, context.say, missing)
        looked = profile.during(ways["usher"].processes[0], lambda: ways["usher"](4))
    return _rows(context, found, missing, looked)


# A server that is busy for less of its core was not the limit: the load generator was.
SATURATED = 0.93

# Whose number is divided by whose: row: (which number, ours, theirs). Of several the best counts.
USHER = ("usher", "usher both cores")
PAIRS = {
    "polls-rate": ("rate", ("usher",), ("nginx",)),
    "polls-cpu": ("cpu_us", ("usher",), ("nginx",)),
    "polls-cpu-browser": ("cpu_us", ("usher browser",), ("nginx browser",)),
    "polls-node": ("rate", USHER, ("node 1", "node 1 both cores", "node 2 both cores")),
    "polls-lua": ("rate", USHER, ("lua 1", "lua 1 both cores", "lua 2 both cores")),
    "polls-growth": ("cpu_us", ("usher",), ("usher few",)),
}


def _best(found, ways, number):
    """Of the ways that could be measured."""
    there = [way for way in ways if way in found]
    if not there:
        raise Unavailable(f"'{ways[0]}' could not be measured")
    return max(there, key=lambda way: rounds.of(found[way], number).median)


def _number(found, number, ours, theirs):
    """What to compare, and of which ways: a rate says something of the server only if the server was the limit.
    Otherwise it is the polls of a core that is busy with nothing else: the reciprocal of their CPU time."""
    if number != "rate":
        return number, "us", ours[0], theirs[0], {}
    pair = [_best(found, ways, "rate") for ways in (ours, theirs)]
    if all(rounds.of(found[way], "busy").median >= SATURATED for way in pair):
        return "rate", "polls/s", *pair, {}
    return ("per_core", "polls/s a core", *(_best(found, ways, "per_core") for ways in (ours, theirs)),
            {"compared": "polls of a busy core (1 ÷ CPU time), as the load generator was the limit of a rate"})


def _rows(context, found, missing, looked):
    def made(name, what, least, most):
        number, unit, ours, theirs, details = _number(found, *PAIRS[name])
        for way in (ours, theirs):
            if way not in found:
                raise Unavailable(f"'{way}' could not be measured")
        if name in ("polls-node", "polls-lua"):
            details |= {"Usher's best way": ours, "its best way": theirs}
        return row(name, what, rounds.of(found[ours], number, unit), rounds.of(found[theirs], number, unit),
                   at_least=least, at_most=most, profile=looked, details=details)

    rows = each_row(PLAN, made, missing)
    rows[0].setdefault("details", {}).update(
        ways={name: rounds.described(runs) for name, runs in found.items()}, waiting=context.many())
    return rows
