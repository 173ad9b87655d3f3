"""How the cost grows. Each module has TITLE and measure(context), which gives curves: x, y, series of
points (x, y, least, most), the expected shape of each, and a sentence on why."""

import importlib
import traceback

from harness.process import Unavailable

NAMES = ("queue", "seats", "shows", "connections", "log")


def guarded(name, context):
    """The curves of one module, or why there are none."""
    module = importlib.import_module(f"harness.curves.{name}")
    try:
        return {"title": module.TITLE, "curves": module.measure(context)}
    except Unavailable as why:
        reason = str(why)
    except Exception as fault:  # a fault of the harness is told in the page, and in full here
        context.say(traceback.format_exc())
        reason = f"{type(fault).__name__}: {fault}"
    context.say(f"not measured: {reason}")
    return {"title": module.TITLE, "reason": reason, "curves": []}


def curve(name, title, x, y, why, series, log_y=False):
    return {"name": name, "title": title, "x": x, "y": y, "why": why, "series": series, "log_y": log_y}


def point(x, spread):
    return [x, spread.median, min(spread.values), max(spread.values)]
