"""How long polls and joins stand still while 5,000 are admitted from 2 M in one tick, and while a million
are drawn."""

import datetime
import shutil
import time

from harness import fixtures, rounds, usher, web
from harness.probe import Probe, longest_ms
from harness.process import Unavailable
from harness.results import row

PLAN = (
    ("tick-polls", "a tick that admits 5,000 from 2 M: longest stop of polls", None, 2),
    ("tick-joins", "a tick that admits 5,000 from 2 M: longest stop of joins", None, 5),
    ("draw-polls", "the draw of a million: longest stop of polls", None, 2),
    ("draw-joins", "the draw of a million: longest stop of joins", None, 5),
)
TICKS = 5


def _probes(server, show, ticket):
    """A caller who polls and one who joins, each waiting for the answer before the next."""
    poll = web.request_bytes("GET", usher.ticket_path(show, ticket))
    join = web.request_bytes("POST", usher.join_path(show), b"")
    return Probe(server.port, poll), Probe(server.port, join, 0.0005)


def _longest(probes, begin, end):
    polls, joins = probes
    for probe in probes:
        probe.stop()
        if probe.fault:
            raise Unavailable(f"a probe was {probe.fault}")
    return longest_ms(polls.samples, begin, end), longest_ms(joins.samples, begin, end)


def _quiet(server, show, ticket, seconds):
    """The same while nothing happens: what the machine itself does."""
    probes = _probes(server, show, ticket)
    begin = probes[0].mark()
    time.sleep(seconds)
    return _longest(probes, begin, probes[0].mark())


def tick(context):
    fixture = fixtures.waiting(context, context.many())
    server = usher.Usher(context, fixture.copy(context.work / "stops" / "tick"))
    try:
        ticket = fixture.tickets[0]
        quiet = _quiet(server, fixture.show, ticket, TICKS)
        probes = _probes(server, fixture.show, ticket)
        begin = probes[0].mark()
        server.operate("PATCH", f"/v1/shows/{fixture.show}/waiting-room", {"admitPerSecond": 5000, "tick": "1s"})
        time.sleep(TICKS + 0.5)
        polls, joins = _longest(probes, begin, probes[0].mark())
        admitted = server.metric(f'usher_admissions_active{{show="{fixture.show}"}}')
        if admitted < 5000 * (TICKS - 1):
            raise Unavailable(f"only {admitted:.0f} were admitted in {TICKS} ticks")
        return {"polls": polls, "joins": joins, "quiet polls": quiet[0], "quiet joins": quiet[1]}
    finally:
        server.stop()


def _time_text(seconds_from_now):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds_from_now)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _drawn(context, count):
    """A directory whose room is full before its opening, for the draw."""
    directory = context.work / "stops" / f"draw-{count}"
    shutil.rmtree(directory, ignore_errors=True)
    server = usher.Usher(context, directory, settings={"USHER_SNAPSHOT_EVERY_EVENTS": "0"})
    try:
        waiting = usher.room(opensAt=_time_text(3 * 3600), prequeue="4h")
        server.make_show("draw", usher.show(waiting), None)
        server.process.wait_until(lambda: b'"PREQUEUE"' in web.ask(server.port, "GET", "/v1/shows/draw").body, 30,
                                  "in its prequeue")
        server.fill("draw", count, say=context.say)
        return directory, server.tickets_of("draw", 10, count)[0]
    finally:
        server.stop()


def draw(context, data, ticket):
    """Opens a copy of the room; the draw is in it."""
    copy = context.work / "stops" / "draw"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(data, copy)
    server = usher.Usher(context, copy, settings={"USHER_SNAPSHOT_EVERY_EVENTS": "0"})
    try:
        quiet = _quiet(server, "draw", ticket, 3)
        probes = _probes(server, "draw", ticket)
        time.sleep(0.2)
        begin = probes[0].mark()
        server.operate("POST", "/v1/shows/draw/waiting-room/open", b"")
        opened = probes[0].mark()
        time.sleep(1)
        polls, joins = _longest(probes, begin, probes[0].mark())
        return {"polls": polls, "joins": joins, "quiet polls": quiet[0], "quiet joins": quiet[1],
                "opening": (opened - begin) * 1000}
    finally:
        server.stop()


def measure(context):
    data, ticket = _drawn(context, context.many() // 2)
    found = rounds.in_turns(context.rounds, {"tick": lambda: tick(context),
                                             "draw": lambda: draw(context, data, ticket)}, context.say)
    rows = []
    for name, what, _, most in PLAN:
        kind, whom = name.split("-")
        ours = rounds.of(found[kind], whom, "ms")
        details = {"the longest while nothing happens": rounds.of(found[kind], f"quiet {whom}", "ms").as_json()}
        if kind == "draw":
            details["the opening itself"] = rounds.of(found[kind], "opening", "ms").as_json()
        rows.append(row(name, what, ours, None, at_most=most, value=ours.median, unit="ms", details=details))
    return rows
