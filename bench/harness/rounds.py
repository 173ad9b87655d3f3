"""Measuring in turns: A B A B …, so that what the machine does meanwhile meets all alike."""

import statistics

from harness.process import Unavailable


class Spread:
    """What several rounds found: the median, and from the least to the most."""

    def __init__(self, values, unit=""):
        self.values, self.unit = list(values), unit
        self.median = statistics.median(self.values)

    def as_json(self):
        return {"median": self.median, "min": min(self.values), "max": max(self.values),
                "rounds": len(self.values), "unit": self.unit, "values": self.values}


def in_turns(count, measures, say=lambda text: None, missing=None):
    """measures: name -> function that gives a dictionary of numbers. Gives name -> list of them. With
    `missing`, a way that fails is left out, and the reason is put there."""
    found = {name: [] for name in measures}
    for number in range(1, count + 1):
        for name, measure in measures.items():
            if name not in found:
                continue
            try:
                got = measure()
            except Unavailable as why:
                if missing is None:
                    raise
                say(f"round {number}/{count} {name}: {why}")
                missing[name] = str(why)
                del found[name]
                continue
            found[name].append(got)
            say(f"round {number}/{count} {name}: {brief(got)}")
    return found


def of(runs, member, unit=""):
    return Spread([run[member] for run in runs], unit)


def brief(got):
    parts = []
    if "rate" in got:
        parts.append(f"{got['rate']:,.0f}/s")
    if got.get("cpu_us"):
        parts.append(f"{got['cpu_us']:.2f} us CPU each, {got['busy']:.2f} cores busy (load {got.get('load_busy', 0):.2f})")
    if "latency_us" in got:
        parts.append(f"p50 {got['latency_us']['p50']} us, p99 {got['latency_us']['p99']} us")
    return ", ".join(parts) or ", ".join(f"{name} {value}" for name, value in got.items())


def described(runs):
    """All that several runs of one way found, for the page."""
    latencies = [run["latency_us"] for run in runs if "latency_us" in run]
    told = {"rate": of(runs, "rate").as_json(),
            "latency_us": {key: statistics.median(each[key] for each in latencies) for key in latencies[0]}
            if latencies else {}}
    if "cpu_us" in runs[0]:
        told |= {"cpu_us": of(runs, "cpu_us", "us").as_json(), "busy": of(runs, "busy").median}
    if "load_busy" in runs[0]:
        told["load_busy"] = of(runs, "load_busy").median
    return told


def best(found, start, member="rate"):
    """The fastest of the ways whose name starts so."""
    names = [name for name in found if name.startswith(start)]
    if not names:
        raise Unavailable(f"no way of '{start}' could be measured")
    return max(names, key=lambda name: of(found[name], member).median)
