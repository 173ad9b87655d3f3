"""How the server bears many shows, all with an open room."""

import shutil

from harness import rounds, usher, web, wrk
from harness.curves import curve, point
from harness.process import Unavailable

TITLE = "With the number of shows"
SIZES = (1, 10, 100, 1_000, 10_000)
QUICK = (1, 10, 100)
SEATS = 100


def _add(server, begin, end):
    """Makes the shows show-BEGIN … with open rooms and one fan each; the fans' paths."""
    what = usher.show(usher.room(), SEATS)
    names = [f"show-{number}" for number in range(begin, end)]
    for raw, good in ((lambda name: web.request_bytes("PUT", f"/v1/shows/{name}", what, usher.AUTHORIZED), 201),
                      (lambda name: web.request_bytes("POST", f"/v1/shows/{name}/waiting-room/open", b"",
                                                      usher.AUTHORIZED), 204)):
        for got in web.burst(server.port, [raw(name) for name in names]):
            if got.status != good:
                raise Unavailable(f"making a show was answered {got.status}: {got.body[:200]!r}")
    paths = []
    joins = [web.request_bytes("POST", usher.join_path(name), b"") for name in names]
    for name, got in zip(names, web.burst(server.port, joins)):
        paths.append(usher.ticket_path(name, got.json()["ticketId"]))
    return paths


def measure(context):
    directory = context.work / "curves" / "shows"
    shutil.rmtree(directory, ignore_errors=True)
    polls, memory, idle, starts, paths = [], [], [], [], []
    file = context.work / "curves" / "shows.txt"
    for count in QUICK if context.quick else SIZES:
        server = usher.Usher(context, directory, io_threads=1, cpus=None)
        try:
            paths += _add(server, len(paths), count)
            file.write_text("\n".join(paths) + "\n", encoding="utf-8")
        finally:
            server.stop()
        server = usher.Usher(context, directory, io_threads=1, cpus=context.SERVER_CPU)
        try:
            starts.append(point(count, rounds.Spread([server.started_in])))
            memory.append(point(count, rounds.Spread([server.process.rss_bytes() / 1e6])))
            found = [wrk.load(server.port, "gets.lua", 64, context.seconds, [file, "plain"], cpus=context.LOAD_CPU,
                              servers=[server.process]) for _ in range(context.rounds)]
            polls.append(point(count, rounds.of(found, "cpu_us")))
            idle.append(point(count, rounds.Spread([_idle_percent(server)])))
            context.say(f"{count:,} shows: {rounds.brief(found[0])}, start {server.started_in:.2f} s")
        finally:
            server.stop()
    return _curves(polls, memory, idle, starts)


def _idle_percent(server, seconds=5):
    import time
    before = server.process.cpu_seconds()
    time.sleep(seconds)
    return (server.process.cpu_seconds() - before) / seconds * 100


def _curves(polls, memory, idle, starts):
    x = f"shows, each with an open room and {SEATS} seats"
    one = lambda points, shape: [{"name": "Usher", "points": points, "shape": shape}]
    return [
        curve("shows-polls", "CPU time of a poll over all shows", x, "microseconds",
              "flat: a show is found by a hash; with very many, each is cold in the caches.", one(polls, "flat")),
        curve("shows-memory", "Resident memory", x, "MB",
              "a constant and so much a show: its actors, boards and plan.", one(memory, "linear"), True),
        curve("shows-idle", "CPU time while nobody asks", x, "percent of one core",
              "linear: each open room has one timer, which rings once a tick.", one(idle, "linear")),
        curve("shows-start", "Start", x, "seconds until ready",
              "a constant and so much a show: its events are replayed, its actors started.", one(starts, "linear"), True),
    ]
