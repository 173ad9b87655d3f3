"""Holds of one seat, on the disk before they are answered, beside PostgreSQL's conditional UPDATE."""

import contextlib
import json
import shutil
import time

from harness import profile, rounds, usher, wrk
from harness.peers.postgres import Postgres
from harness.process import Unavailable
from harness.results import row

CONNECTIONS = 64
MANY_CONNECTIONS = 1000  # shown beside; PostgreSQL would need a pool in front for so many
COMMIT_DELAYS_US = (0, 200)
PLAN = (("holds-postgres", "durable holds of one seat ÷ PostgreSQL's conditional UPDATE", 8, None),)


def _lines(server, show, seats, path):
    """A file of holds: a fan of its own, who is admitted, for each seat."""
    tickets = server.new_tickets(show, len(seats))
    with open(path, "w", encoding="utf-8") as file:
        for ticket, seat in zip(tickets, seats):
            body = json.dumps({"seats": [seat]})
            file.write(f"POST\t/v1/shows/{show}/holds\t{ticket}\t{body}\n")


def hold_all(context, server, path, connections=CONNECTIONS):
    """Sends the holds of a file; how many a second were granted. Each has to be."""
    before = server.process.cpu_seconds()
    process = wrk.start(context.work, server.port, "lines.lua", connections, 600, [path])
    said = ""
    for _ in range(6000):
        time.sleep(0.05)
        said = open(process.log, encoding="utf-8").read()
        if "DONE " in said or process.child.poll() is not None:
            break
    used = server.process.cpu_seconds() - before
    wrk.interrupt(process)
    if "DONE " not in said:
        raise Unavailable(f"the holds did not end: {said[-300:]}")
    got = json.loads(said.split("DONE ")[1].splitlines()[0])
    if got["bad"]:
        raise Unavailable(f"{got['bad']} of {got['total']} holds were refused, the last with {got['last_bad_status']}")
    return {"rate": got["total"] / got["seconds"], "cpu_us": used * 1e6 / got["total"],
            "busy": used / got["seconds"]}


class Holding:
    """Each call makes a show of its own and holds all of its seats, one hold each."""

    made = 0  # shows so far, of all

    def __init__(self, context, server, seats, connections=CONNECTIONS):
        self.context, self.server, self.seats, self.connections = context, server, seats, connections

    def prepare(self):
        """Puts a new show with admitted fans in front of a run."""
        Holding.made += 1
        self.show = f"holds-{Holding.made}"
        what = usher.show(usher.room(admitPerSecond=1000000), holds={"ttl": "1h", "maxLife": "2h"})
        what["plan"] = usher.plan(self.seats)
        self.server.make_show(self.show, what, "standby")
        path = self.context.work / "holds.txt"
        _lines(self.server, self.show, usher.seat_ids(what["plan"]), path)
        return path

    def __call__(self):
        return hold_all(self.context, self.server, self.prepare(), self.connections)


def measure(context):
    directory = context.work / "holds"
    shutil.rmtree(directory, ignore_errors=True)
    with contextlib.ExitStack() as stack:
        server = usher.Usher(context, directory / "usher")
        stack.callback(server.stop)
        seats = 10_000 if context.quick else 60_000
        holding = Holding(context, server, seats)
        ways = {"usher": holding, f"usher, {MANY_CONNECTIONS} connections": Holding(context, server, seats,
                                                                                   MANY_CONNECTIONS)}
        for delay in COMMIT_DELAYS_US:
            ways[f"postgres, commit_delay {delay} us"] = _postgres(context, stack, delay)
        context.note("holds", wrk.command(server.port, "lines.lua", CONNECTIONS, 600, [context.work / "holds.txt"]))
        found = rounds.in_turns(context.rounds, ways, context.say)
        looked = profile.during(server.process, holding)
    peer = rounds.best(found, "postgres")
    name, what, least, _ = PLAN[0]
    return [row(name, what, rounds.of(found["usher"], "rate", "holds/s"), rounds.of(found[peer], "rate", "holds/s"),
                at_least=least, profile=looked,
                details={"its best way": peer, "ways": {way: rounds.described(runs) for way, runs in found.items()}})]


def _postgres(context, stack, delay):
    database = Postgres(context.work / "holds" / f"delay-{delay}", 64 * 10_000, CONNECTIONS, delay)
    stack.callback(database.stop)
    context.note("holds, PostgreSQL", f"pgbench -n -M prepared -c {CONNECTIONS} -j 2 -T {context.seconds} "
                                      "-f bench/peers/postgres/hold.sql")

    def hold():
        database.free_all()
        return database.hold(context.seconds)

    return hold
