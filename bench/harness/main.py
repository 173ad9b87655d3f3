"""The command line: which rows and curves, how long, and the page at the end."""

import argparse
import json
import os
import pathlib
import time

from harness import curves, machine, report, results, rows
from harness.context import ROOT, Context


def _arguments():
    read = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    read.add_argument("--rows", default="all", help=f"by commas, of {', '.join(rows.NAMES)}; or all, or none")
    read.add_argument("--curves", default="all", help=f"by commas, of {', '.join(curves.NAMES)}; or all, or none")
    read.add_argument("--rounds", type=int, default=3, help="how often each is measured, in turns (3)")
    read.add_argument("--seconds", type=int, default=5, help="how long each run lasts (5)")
    read.add_argument("--quick", action="store_true", help="small sizes, for trying the harness: no page is made of it")
    read.add_argument("--work", default=ROOT / "build" / "bench", help="a directory on the disk to be measured")
    read.add_argument("--program", default=ROOT / "build" / "release" / "usher")
    read.add_argument("--micro", default=ROOT / "build" / "release" / "bench" / "usher_bench")
    read.add_argument("--page", default=ROOT / "docs" / "benchmarks.md", help="where the page goes, plots beside it")
    read.add_argument("--report-only", metavar="FILE", help="only make the page, of earlier results")
    read.add_argument("--keep-going", action="store_true",
                      help="put what is measured now into the results there are, instead of starting anew")
    return read.parse_args()


def _chosen(text, names):
    chosen = {"all": list(names), "none": []}.get(text, text.split(","))
    unknown = [each for each in chosen if each not in names]
    if unknown:
        raise SystemExit(f"bench/run: there is no {', '.join(unknown)}; there are {', '.join(names)}")
    return chosen


def _save(found, path):
    text = json.dumps(found, indent=1, default=str)
    path.with_suffix(".new").write_text(text + "\n", encoding="utf-8")
    os.replace(path.with_suffix(".new"), path)


def main():
    given = _arguments()
    if given.report_only:
        found = json.loads(pathlib.Path(given.report_only).read_text(encoding="utf-8"))
        report.write(found, pathlib.Path(given.page))
        return 0
    wanted_rows, wanted_curves = _chosen(given.rows, rows.NAMES), _chosen(given.curves, curves.NAMES)
    if not pathlib.Path(given.program).exists():
        raise SystemExit(f"bench/run: {given.program} is not there; build it with `make build`")
    context = Context(given.work, given.program, given.micro, given.rounds, given.seconds, given.quick)
    path = context.work / ("quick.json" if given.quick else "results.json")
    found = {"rows": {}, "curves": {}}
    if given.keep_going and path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
    context.notes.update(found.get("notes", {}))
    context.rows = found["rows"]
    found |= {"machine": machine.describe(context.work, context.program), "quick": given.quick, "notes": context.notes,
              "rounds": given.rounds, "seconds": given.seconds, "at": time.strftime("%Y-%m-%d")}
    for name in wanted_rows:
        context.say(f"--- {name}")
        module = rows.load(name)
        for row in results.guarded(module.PLAN, lambda: module.measure(context), context.say):
            found["rows"][row["name"]] = row
            context.say(report.one_line(row))
        _save(found, path)
    for name in wanted_curves:
        context.say(f"--- curve {name}")
        found["curves"][name] = curves.guarded(name, context)
        _save(found, path)
    if not given.quick:
        report.write(found, pathlib.Path(given.page))
    context.say(f"results in {path}" + ("" if given.quick else f", page in {given.page}"))
    return 0
