"""How holds and the seat map grow with the number of seats."""

import shutil
import time

from harness import rounds, usher, web
from harness.curves import curve, point
from harness.rows.holds import Holding, hold_all

TITLE = "With the number of seats"
SIZES = (100, 1_000, 10_000, 60_000, 200_000)
QUICK = (100, 1_000, 10_000)
HOLDS_MIN, HOLDS_MAX = 2_000, 20_000


class _Some(Holding):
    """Holds at most HOLDS_MAX of the seats, spread over all blocks; of small shows several, HOLDS_MIN in all."""

    def prepare(self):
        lines = []
        while len(lines) < HOLDS_MIN:
            path = super().prepare()
            lines += path.read_text(encoding="utf-8").splitlines()
        path.write_text("".join(f"{line}\n" for line in lines[::max(1, len(lines) // HOLDS_MAX)]), encoding="utf-8")
        return path


def _map(server, show):
    """How long a whole seat map takes when it has to be made anew, in milliseconds, and its size."""
    time.sleep(1.1)
    connection = web.Connection(server.port)
    connection.ask("GET", "/healthz")
    begin = time.perf_counter()
    got = connection.ask("GET", f"/v1/shows/{show}/seats")
    took = (time.perf_counter() - begin) * 1000
    connection.close()
    return took, len(got.body)


def measure(context):
    holds, maps = [], []
    directory = context.work / "curves" / "seats"
    shutil.rmtree(directory, ignore_errors=True)
    server = usher.Usher(context, directory)
    try:
        for seats in QUICK if context.quick else SIZES:
            holding, found, took = _Some(context, server, seats), [], []
            for _ in range(context.rounds):
                path = holding.prepare()
                found.append(hold_all(context, server, path))
                took.append(_map(server, holding.show)[0])
            context.say(f"{seats:,} seats: {rounds.brief(found[0])}, map {took[0]:.1f} ms")
            holds.append(point(seats, rounds.of(found, "cpu_us")))
            maps.append(point(seats, rounds.Spread(took)))
    finally:
        server.stop()
    return [
        curve("seats-holds", "CPU time of a durable hold of one seat", "seats of the show", "microseconds",
              "flat: a seat is found by its name, and a block's actor knows nothing of the other blocks.",
              [{"name": "Usher", "points": holds, "shape": "flat"}]),
        curve("seats-map", "A seat map made anew, and received", "seats of the show", "milliseconds",
              "linear: every seat is looked at once and written once; at most once a second, however many ask.",
              [{"name": "Usher", "points": maps, "shape": "linear"}], log_y=True),
    ]
