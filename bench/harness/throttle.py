"""Confines a server to a share of the time, so that a load of twice what it can do is possible on the same machine."""

import contextlib
import os
import signal
import threading
import time

SLICE = 0.01  # seconds: it runs for its share of each


@contextlib.contextmanager
def throttled(process, share):
    """While this lasts, the process runs for a share of the time and stands still otherwise, as in a container with
    a limit."""
    ending = threading.Event()
    worker = threading.Thread(target=_throttle, args=(process.pid, share, ending))
    worker.start()
    try:
        yield
    finally:
        ending.set()
        worker.join()


def _throttle(pid, share, ending):
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # on time also when all cores are busy
    except OSError:
        pass
    try:
        while not ending.is_set():
            os.kill(pid, signal.SIGSTOP)
            time.sleep(SLICE * (1 - share))
            os.kill(pid, signal.SIGCONT)
            time.sleep(SLICE * share)
    except ProcessLookupError:
        pass
