"""nginx: as the limit of HTTP here, and with its Lua module as a waiting room over Redis."""

import re

from harness import web
from harness.peers import FILES
from harness.process import Process, files_max, free_port, run


def _start(directory, template, cpus, path, **values):
    port = free_port()
    directory.mkdir(parents=True, exist_ok=True)
    directory.chmod(0o755)
    text = (FILES / "nginx" / template).read_text(encoding="utf-8")
    files = files_max()
    # More than there can be: when few are left nginx closes those that wait.
    filled = {"DIR": directory, "PORT": port, "FILES": files, "CONNECTIONS": 2 * files, "PEERS": FILES, **values}
    for name, value in filled.items():
        text = text.replace(f"@{name}@", str(value))
    config = directory / "nginx.conf"
    config.write_text(text, encoding="utf-8")
    process = Process(["nginx", "-p", directory, "-c", config, "-e", directory / "error.log"],
                      directory / "nginx.log", cpus=cpus)
    process.port = port
    process.wait_until(lambda: web.ask(port, "GET", path, seconds=5).status in (200, 404) if _listens(port) else False,
                       20)
    return process


def _listens(port):
    try:
        web.Connection(port, 1).close()
        return True
    except OSError:
        return False


def limit(work, body, cpus=None):
    """Answers everything with this body."""
    quoted = body.decode().replace("\\", "\\\\").replace("'", "\\'").replace("$", "${dollar}")
    return _start(work / "nginx-limit", "limit.conf", cpus, "/", BODY=quoted)


def _modules():
    found = re.search(r"--modules-path=(\S+)", run(["nginx", "-V"]))
    return found.group(1) if found else "/usr/lib/nginx/modules"


def queue(work, redis_socket, workers=1, admit_per_second=0, cpus=None):
    return _start(work / f"nginx-queue-{workers}", "queue.conf", cpus, "/queue/tickets/0", WORKERS=workers,
                  REDIS=redis_socket, ADMIT=admit_per_second, MODULES=_modules())
