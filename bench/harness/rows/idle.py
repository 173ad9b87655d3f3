"""Resident memory of a connection that waits for nothing: kept alive, and with a stream."""

import shutil
import time

from harness import rounds, usher, web
from harness.process import Unavailable
from harness.results import row

PLAN = (("idle-keepalive", "resident memory of an idle kept connection", None, 8),
        ("idle-stream", "resident memory of an idle stream of events", None, 8))


def _raise_own_limit(count):
    import resource
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = count + 200
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(hard, wanted)))
    except (ValueError, PermissionError) as why:
        raise Unavailable(f"{count} connections need more descriptors than the {hard} that are allowed") from why


def _open(server, count, raw, expected):
    found = []
    for _ in range(count):
        connection = web.Connection(server.port)
        connection.send(raw)
        found.append(connection)
    for connection in found:
        head = connection.socket.recv(4096)
        if expected not in head:
            raise Unavailable(f"a connection was answered {head[:200]!r}")
    return found


def measure(context):
    count = 2000 if context.quick else 10_000
    _raise_own_limit(count)
    directory = context.work / "idle"
    rows = []
    for name, what, _, most in PLAN:
        found = rounds.in_turns(context.rounds, {name: lambda name=name: _one(context, directory, count, name)},
                                context.say)
        ours = rounds.of(found[name], "kib", "KiB")
        rows.append(row(name, what, ours, None, at_most=most, value=ours.median, unit="KiB",
                        details={"connections": count}))
    return rows


def _one(context, directory, count, name):
    """KiB of one of `count` connections, in a server of its own."""
    shutil.rmtree(directory, ignore_errors=True)
    server = usher.Usher(context, directory)
    try:
        server.make_show("idle", usher.show(usher.room()))
        ticket = server.new_tickets("idle", 1)[0]
        path = usher.ticket_path("idle", ticket)
        for each in _open(server, 20, web.request_bytes("GET", path), b" 200 "):  # what the first ones bring along
            each.close()
        time.sleep(0.5)
        empty = server.process.rss_bytes()
        stream = name == "idle-stream"
        raw = web.request_bytes("GET", f"{path}/stream" if stream else path)
        there = _open(server, count, raw, b"text/event-stream" if stream else b" 200 ")
        time.sleep(2)
        if server.metric("usher_connections") < count:
            raise Unavailable("the server has closed idle connections")
        kib = (server.process.rss_bytes() - empty) / count / 1024
        for each in there:
            each.close()
        return {"kib": kib}
    finally:
        server.stop()
