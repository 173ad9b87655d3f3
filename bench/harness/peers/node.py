"""The usual design: Fastify and ioredis over Redis."""

import filecmp
import shutil

from harness import web
from harness.peers import FILES
from harness.process import Process, free_port, run


def install(work):
    """npm ci as the lock says, once."""
    to, lock = work / "node", FILES / "node" / "package-lock.json"
    done = to / "node_modules" / ".installed-lock"
    to.mkdir(parents=True, exist_ok=True)
    shutil.copy(FILES / "node" / "server.js", to)
    if not (done.exists() and filecmp.cmp(lock, done, shallow=False)):
        shutil.copy(lock, to)
        shutil.copy(FILES / "node" / "package.json", to)
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=to)
        shutil.copy(lock, done)
    return to


def queue(work, redis_socket, workers=1, admit_per_second=0, cpus=None, join="commands"):
    directory, port = install(work), free_port()
    process = Process(["node", "server.js"], work / f"node-{workers}-{join}.log", cwd=directory, cpus=cpus,
                      env={"PORT": str(port), "REDIS_SOCKET": str(redis_socket), "WORKERS": str(workers),
                           "ADMIT_PER_SECOND": str(admit_per_second), "JOIN": join, "NODE_ENV": "production"})
    process.port = port
    process.wait_until(lambda: _answers(port), 30)
    return process


def _answers(port):
    try:
        return web.ask(port, "GET", "/queue/tickets/0", seconds=5).status == 404
    except (OSError, ConnectionError):
        return False
