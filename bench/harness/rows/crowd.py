"""Polls during a flash crowd of joins, beside nginx under the same polls: the 99th percentile."""

import contextlib
import shutil

from harness import fixtures, rounds, usher, web, wrk
from harness.peers import nginx
from harness.results import row

PLAN = (("crowd-p99", "p99 of polls during joins at half their maximum rate ÷ nginx's p99 under the same polls",
         None, 2),)

POLLERS, POLL_PAUSE_MS = 200, 40
JOINERS = 500


def _polls(context, port, paths, servers=()):
    return wrk.load(port, "gets.lua", POLLERS, context.seconds, [paths, "plain", POLL_PAUSE_MS], servers=servers)


def _join_pause_ms(context, server):
    """How long each of JOINERS has to wait for half of the joins that the server can take at most, and the most."""
    def rate(pause):
        return wrk.load(server.port, "posts.lua", JOINERS, context.seconds, [usher.join_path("crowd"), pause])["rate"]

    most = rate(0)
    every_ms = JOINERS / (most / 2) * 1000
    answer_ms = max(0, JOINERS / rate(round(every_ms)) * 1000 - every_ms)  # which is no pause
    context.say(f"at most {most:,.0f} joins a second")
    return max(1, round(every_ms - answer_ms)), most


def measure(context):
    fixture = fixtures.waiting(context, context.many())
    directory = context.work / "crowd"
    shutil.rmtree(directory, ignore_errors=True)
    with contextlib.ExitStack() as stack:
        server = usher.Usher(context, fixture.copy(directory / "usher"))
        stack.callback(server.stop)
        server.make_show("crowd", usher.show(usher.room()))
        body = web.ask(server.port, "GET", usher.ticket_path(fixture.show, fixture.tickets[0])).body
        limit = nginx.limit(directory, body)
        stack.callback(limit.stop)
        pause, most = _join_pause_ms(context, server)
        joined = []

        def crowded(port, process):
            crowd = wrk.start(context.work, server.port, "posts.lua", JOINERS, context.seconds + 1,
                              [usher.join_path("crowd"), pause])
            found = _polls(context, port, fixture.paths, [process])
            joined.append(wrk.finish(crowd, 60)["rate"])
            return found

        found = rounds.in_turns(context.rounds, {
            "usher, crowd": lambda: crowded(server.port, server.process),
            "usher, quiet": lambda: _polls(context, server.port, fixture.paths, [server.process]),
            "nginx": lambda: _polls(context, limit.port, fixture.paths, [limit]),
            "nginx, while the same crowd joins at usher": lambda: crowded(limit.port, limit)}, context.say)
    return [_row(found, joined, most)]


def _row(found, joined, most):
    def p99(name):
        return rounds.of([run["latency_us"] for run in found[name]], "p99", "us")

    name, what, _, limit = PLAN[0]
    return row(name, what, p99("usher, crowd"), p99("nginx"), at_most=limit, details={
        "ways": {way: rounds.described(runs) for way, runs in found.items()},
        "joins a second at most": most,
        "joins a second meanwhile": rounds.Spread(joined, "joins/s").as_json()})
