"""Rooms that were filled once and are copied for each row that needs one."""

import hashlib
import json
import shutil

from harness import usher

TICKETS = 50_000
SHOW = "big"


class Fixture:
    """A data directory with a room of `waiting` customers, and ticket ids of some of them."""

    def __init__(self, directory, meta):
        self.data, self.waiting, self.tickets = directory / "data", meta["waiting"], meta["tickets"]
        self.show = SHOW
        # Resident memory of one fan at the end of their joins, less that of the empty room.
        self.joined_bytes = (meta["rss_full"] - meta["rss_empty"]) / meta["waiting"]
        self.paths = directory / "paths.txt"

    def copy(self, to):
        if to.exists():
            shutil.rmtree(to)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.data, to)
        return to


def _program_digest(context):
    with open(context.program, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12] if hasattr(hashlib, "file_digest") \
            else hashlib.sha256(file.read()).hexdigest()[:12]


def waiting(context, count):
    """A room of `count` customers, with a snapshot; made by this very program, once."""
    digest = _program_digest(context)
    directory = context.work / "fixtures" / f"{count}-{digest}"
    meta = directory / "meta.json"
    if not meta.exists():
        for old in (context.work / "fixtures").glob("*"):
            if old == directory or not old.name.endswith(digest):
                shutil.rmtree(old)
        directory.mkdir(parents=True)
        made = _fill(context, directory, count)
        meta.write_text(json.dumps(made), encoding="utf-8")
    return Fixture(directory, json.loads(meta.read_text(encoding="utf-8")))


def make_empty(context, data):
    """The show of the big queue with nobody in it. Its server has ended: reading a plan leaves memory behind
    that is no fan's."""
    server = usher.Usher(context, data)
    try:
        server.make_show(SHOW, usher.show(usher.room()))
    finally:
        server.stop()


def _fill(context, directory, count):
    context.say(f"filling a room with {count:,} fans")
    make_empty(context, directory / "data")
    server = usher.Usher(context, directory / "data", settings={"USHER_SNAPSHOT_EVERY_EVENTS": "0"})
    try:
        rss_empty = server.process.rss_bytes()
        server.fill(SHOW, count, say=context.say)
        rss_full = server.process.rss_bytes()
        tickets = server.tickets_of(SHOW, TICKETS, count, say=context.say)
    finally:
        server.stop()
    (directory / "paths.txt").write_text("\n".join(usher.ticket_path(SHOW, each) for each in tickets) + "\n",
                                         encoding="utf-8")
    _snapshot(context, directory / "data")
    return {"waiting": count, "tickets": tickets, "rss_empty": rss_empty, "rss_full": rss_full}


def _snapshot(context, data):
    """Lets the server make a snapshot of all there is. A log of less than 1,000 events gets none."""
    server = usher.Usher(context, data, settings={"USHER_SNAPSHOT_EVERY_EVENTS": "1",
                                                  "USHER_SNAPSHOT_EVERY": "1s"})
    try:
        server.process.wait_until(lambda: server.metric("usher_snapshot_position") > 0, 120, "done with a snapshot")
    finally:
        server.stop()
