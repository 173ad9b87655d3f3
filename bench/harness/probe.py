"""One caller who asks again and again, and the longest that any answer took: how long a server stood still."""

import gc
import os
import threading
import time

from harness import web


class Probe:
    """Asks in a thread of its own until it is stopped. Keeps (when, how long), in seconds."""

    def __init__(self, port, raw, pause_seconds=0.0):
        self.connection, self.raw, self.pause = web.Connection(port), raw, pause_seconds
        self.samples, self.ending, self.fault = [], False, None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # not to measure its own waiting
        except (PermissionError, OSError):
            pass
        gc.disable()
        try:
            while not self.ending:
                begin = time.perf_counter()
                self.connection.send(self.raw)
                answer = self.connection.receive()
                took = time.perf_counter() - begin
                if answer.status >= 400:
                    self.fault = f"answered {answer.status}: {answer.body[:200]!r}"
                    return
                self.samples.append((begin, took))
                if self.pause:
                    time.sleep(self.pause)
        except (OSError, ConnectionError) as why:
            self.fault = str(why)
        finally:
            gc.enable()

    def stop(self):
        self.ending = True
        self.thread.join()
        self.connection.close()
        return self.samples

    def mark(self):
        return time.perf_counter()


def longest_ms(samples, begin, end):
    """The longest of those that were under way between two marks."""
    found = [took for at, took in samples if at + took >= begin and at <= end]
    return max(found, default=0.0) * 1000
