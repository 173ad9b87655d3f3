"""The rows of the table: what was measured, against what, and whether the target is reached."""

import traceback

from harness.process import Unavailable
from harness.rounds import Spread


def _plain(value):
    return value.as_json() if isinstance(value, Spread) else value


def row(name, what, ours, theirs=None, *, at_least=None, at_most=None, details=None, profile=None, value=None,
        unit=""):
    """A measured row. Its value is ours ÷ theirs, or `value` with a `unit` where it is no ratio."""
    if value is None:
        value = ours.median / theirs.median
    reached = value >= at_least if at_least is not None else value <= at_most
    return {"name": name, "what": what, "ours": _plain(ours), "theirs": _plain(theirs), "value": value,
            "unit": unit, "at_least": at_least, "at_most": at_most,
            "verdict": "reached" if reached else "missed", "details": details or {}, "profile": profile}


def not_measured(name, what, reason, *, at_least=None, at_most=None):
    return {"name": name, "what": what, "verdict": "not measured", "reason": reason, "at_least": at_least,
            "at_most": at_most}


def each_row(plan, make, missing=None):
    """A row for each line of `plan` by make(name, what, at_least, at_most); one that lacks something says
    what. `missing`: why ways could not be measured."""
    rows = []
    for name, what, least, most in plan:
        try:
            rows.append(make(name, what, least, most))
        except Unavailable as why:
            reasons = "; ".join(f"{way}: {text}" for way, text in (missing or {}).items())
            rows.append(not_measured(name, what, f"{why} ({reasons})" if reasons else str(why), at_least=least,
                                     at_most=most))
    return rows


def guarded(plan, measure, say):
    """Runs `measure` (gives rows); if it fails, each row of `plan` says why instead of a number.
    plan: (name, what, at_least, at_most)."""
    try:
        return measure()
    except Unavailable as why:
        reason = str(why)
    except Exception as fault:  # a fault of the harness is told in the page, and in full here
        say(traceback.format_exc())
        reason = f"{type(fault).__name__}: {fault}"
    say(f"not measured: {reason}")
    return [not_measured(name, what, reason, at_least=least, at_most=most)
            for name, what, least, most in plan]
