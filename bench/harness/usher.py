"""Usher under measurement: starting it, making shows, filling rooms."""

import json
import random
import re
import time

from harness import web, wrk
from harness.process import Process, Unavailable, free_port

KEY = "usher-admin-of-the-benchmark"
AUTHORIZED = {"Authorization": f"Bearer {KEY}"}

# What the defaults would refuse at these loads. Everything else is as it is delivered.
LIFTED = {"USHER_CONNECTIONS_MAX": "60000", "USHER_IN_FLIGHT_MAX": "60000", "USHER_STREAMS_MAX": "60000"}


def room(**settings):
    """A waiting room that takes everybody and admits nobody, unless the settings say otherwise."""
    return {"admitPerSecond": 0, "maxActive": None, "maxQueue": 5000000, "absentAfter": "12h",
            "admissionTtl": "1h", **settings}


def plan(seats, block_seats=1000):
    """A plan of so many seats, in blocks of up to block_seats, in rows of up to 50."""
    blocks, left = [], seats
    while left:
        here = min(block_seats, left)
        name = f"b{len(blocks)}"
        rows = [{"id": f"{name}r{row}", "count": min(50, here - row * 50)} for row in range((here + 49) // 50)]
        blocks.append({"id": name, "category": "all", "rows": rows})
        left -= here
    return {"categories": [{"id": "all", "price": 5000}], "blocks": blocks}


def seat_ids(of_plan):
    return [f"{row['id']}-{n + 1}" for block in of_plan["blocks"] for row in block["rows"]
            for n in range(row["count"])]


def show(waiting_room, seats=60000, **more):
    return {"title": "Benchmark", "currency": "EUR", "waitingRoom": waiting_room, "plan": plan(seats), **more}


class Usher:
    """One running server. `data`: its directory, made if it is not there. `more`: further words of its command."""

    def __init__(self, context, data, io_threads=0, cpus=None, settings=None, more=()):
        self.context, self.data, self.port = context, data, free_port()
        data.parent.mkdir(parents=True, exist_ok=True)
        self.settings = {**LIFTED, "USHER_IO_THREADS": str(io_threads), **(settings or {})}
        self.process = Process([context.program, "serve", "--data", data, "--listen", f"127.0.0.1:{self.port}", *more],
                               f"{data}.log", env={**self.settings, "USHER_OPERATOR_KEY": KEY}, cpus=cpus)
        self.started_in = self.process.wait_until(lambda: web.answers(self.port, "GET", "/readyz"), 600)

    def command(self):
        """How it was started, to be shown."""
        words = [f"{name}={value}" for name, value in self.settings.items()]
        return " ".join(words + [str(word) for word in self.process.argv])

    def stop(self):
        self.process.stop()

    def operate(self, method, path, body=None, good=(200, 201, 204)):
        got = web.ask(self.port, method, path, body, AUTHORIZED)
        if got.status not in good:
            raise Unavailable(f"{method} {path} was answered {got.status}: {got.body[:300]!r}")
        return got

    def make_show(self, name, what, state="open"):
        self.operate("PUT", f"/v1/shows/{name}", what)
        if state:
            self.operate("POST", f"/v1/shows/{name}/waiting-room/{state}", b"")

    def metric(self, series):
        page = web.ask(self.port, "GET", "/metrics").body.decode()
        found = re.search("^" + re.escape(series) + r" (\S+)$", page, re.M)
        return float(found.group(1)) if found else 0.0

    def joined(self, name):
        return int(self.metric(f'usher_fans_joined_total{{show="{name}"}}'))

    def fill(self, name, count, first=0, say=lambda text: None, connections=1000):
        """Joins customers c-FIRST … until there are `count` more places; over HTTP, as fans do."""
        target = self.joined(name) + count
        begin = time.monotonic()
        load = wrk.start(self.context.work, self.port, "fill.lua", min(connections, count), 3600,
                         [join_path(name), count, first, KEY])
        while self.joined(name) < target:
            if time.monotonic() - begin > 30 + count / 5000:
                raise Unavailable(f"filling {name}: only {self.joined(name)} of {target} fans after "
                                  f"{time.monotonic() - begin:.0f} s")
            if load.child.poll() is not None or self.process.child.poll() is not None:
                raise Unavailable(f"filling {name} stopped: {load.last_words()} {self.process.last_words()}")
            time.sleep(0.25)
        wrk.interrupt(load)
        seconds = time.monotonic() - begin
        say(f"{count:,} joins into {name} in {seconds:.1f} s")

    def tickets_of(self, name, count, among, say=lambda text: None):
        """Ticket ids of `count` random customers out of the first `among`: joining again gives the same place."""
        chosen = random.Random(7).sample(range(among), min(count, among))
        path, headers = join_path(name), {**AUTHORIZED}
        raw = [web.request_bytes("POST", path, {"customerId": f"c-{each:08d}"}, headers) for each in chosen]
        tickets = []
        for got in web.burst(self.port, raw):
            if got.status != 200:
                raise Unavailable(f"joining again was answered {got.status}: {got.body[:200]!r}")
            tickets.append(got.json()["ticketId"])
        say(f"{len(tickets):,} tickets of {name}")
        return tickets

    def new_tickets(self, name, count):
        """Tickets of so many new fans without a name."""
        raw = [web.request_bytes("POST", join_path(name), b"")] * count
        found = []
        for got in web.burst(self.port, raw, 512):
            if got.status != 202:
                raise Unavailable(f"a join was answered {got.status}: {got.body[:200]!r}")
            found.append(json.loads(got.body)["ticketId"])
        return found


def join_path(name):
    return f"/v1/shows/{name}/waiting-room/join"


def ticket_path(name, ticket):
    return f"/v1/shows/{name}/waiting-room/tickets/{ticket}"
