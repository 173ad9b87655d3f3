"""The fan simulator, `usher load`: running a scenario, and what its report says."""

import json
import os
import subprocess
import threading

from harness import rounds, usher
from harness.process import Unavailable

SAY_EVERY = 10  # of its lines of progress, one a second

# Of the latencies in its report, in milliseconds, those that the page shows, in microseconds.
_PERCENTILES = (("mean", "meanMs"), ("p50", "p50Ms"), ("p90", "p90Ms"), ("p99", "p99Ms"), ("p999", "p999Ms"),
                ("max", "maxMs"))


def play(context, server, scenario, options, seconds, cpus=None):
    """Plays a scenario against a server, which takes no longer than so many seconds."""
    argv = ["taskset", "-c", cpus] if cpus else []
    argv += [context.program, "load", scenario, "--server", f"http://127.0.0.1:{server.port}", "--json", *options]
    argv = [str(each) for each in argv]
    context.note(f"fans, {scenario}: server", server.command())
    context.note(f"fans, {scenario}", " ".join(argv))
    child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env={**os.environ, "USHER_OPERATOR_KEY": usher.KEY})
    lines = []
    teller = threading.Thread(target=_tell, args=(context, child.stderr, lines))
    alarm = threading.Timer(seconds, child.kill)
    teller.start()
    alarm.start()
    try:
        told = child.stdout.read()
        child.wait()
    finally:
        alarm.cancel()
        child.kill()
        teller.join()
    if child.returncode not in (0, 1):
        raise Unavailable(f"usher load {scenario} ended with {child.returncode}: {' '.join(lines[-3:])}")
    return Report(json.loads(told))


def _tell(context, progress, lines):
    for number, line in enumerate(progress):
        lines.append(line.strip())
        if number % SAY_EVERY == 0:
            context.say(line.strip())


class Report:
    """What one run said."""

    def __init__(self, told):
        self.told = told

    def phase(self, name):
        return next(each for each in self.told["phases"] if each["name"] == name)

    def requests(self, phase, kind):
        """The numbers of one kind of request; all 0 if nobody asked."""
        return self.phase(phase)["requests"].get(kind, {"answers": 0, "fine": 0, "shed": 0, "errors": 0})

    def figure(self, name):
        return self.told["figures"][name]["value"]

    def faults(self):
        """The checks that did not hold, each as a sentence."""
        return [f"{check['name']}: {check['detail']}" for check in self.told["checks"] if not check["held"]]

    def checks(self):
        return "; ".join(f"{check['name']}: {check['detail']}" for check in self.told["checks"])

    def ways(self, phase):
        """Rates and latencies of each kind of request, as the page shows those of a load generator."""
        return {name: {"rate": rounds.Spread([its["perSecond"]]).as_json(), "latency_us": latency_us(its["latency"])}
                for name, its in self.phase(phase)["requests"].items()}


def latency_us(latency):
    return {key: latency[name] * 1000 for key, name in _PERCENTILES}


def quantiles_ms(latency):
    return ", ".join(f"{name} {latency[key]:g} ms" for name, key in
                     (("p50", "p50Ms"), ("p95", "p95Ms"), ("p99", "p99Ms"), ("p99.9", "p999Ms"), ("max", "maxMs")))
