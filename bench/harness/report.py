"""docs/benchmarks.md from the results: nothing in it that was not measured."""

import pathlib

from harness import pictures, rows
from harness.context import ROOT
from harness.numbers import amount, spread, target_of, value_of

REMARKS = ROOT / "bench" / "remarks"


def one_line(row):
    if row["verdict"] == "not measured":
        return f"{row['name']}: not measured: {row['reason']}"
    return (f"{row['name']}: {value_of(row)} (target {target_of(row)}): {row['verdict']}; ours "
            f"{spread(row['ours'])}, theirs {spread(row['theirs'])}")


def _machine(found):
    about = found["machine"]
    lines = ["## The machine", "", "| | |", "|---|---|"]
    for name, key in (("processor", "cpu"), ("memory", "memory"), ("disk", "disk"), ("", "fdatasync"),
                      ("system", "system"), ("kernel", "kernel")):
        lines.append(f"| {name} | {about[key]} |")
    lines += [f"| {name} | {text} |" for name, text in about["versions"].items()]
    lines += ["", f"Measured on {found['at']}; {found['rounds']} rounds of {found['seconds']} s each, in turns."]
    return lines


def _table(found):
    lines = ["## Against the targets", "", "| what | target | measured | | Usher | peer |",
             "|---|---|---|---|---|---|"]
    for name in _order():
        if row := found["rows"].get(name):
            if row["verdict"] == "not measured":
                lines.append(f"| {row['what']} | {target_of(row)} | – | not measured: {row['reason']} | | |")
            else:
                lines.append(f"| {row['what']} | {target_of(row)} | **{value_of(row)}** | {row['verdict']} | "
                             f"{spread(row['ours'])} | {spread(row['theirs'])} |")
    return lines + ["", "Medians, and in brackets the least and the most of the rounds. A ratio is the quotient of two medians.", ""]


def _order():
    return [name for module in rows.NAMES for name, *_ in rows.load(module).PLAN]


def _missed(found):
    lines, shown = [], {}
    for row in found["rows"].values():
        remark = REMARKS / f"{row['name']}.md"
        if row["verdict"] != "missed":
            continue
        lines += [f"### {row['what']}", "", f"{value_of(row)} instead of {target_of(row)}{_off(row)}.", ""]
        if remark.exists():
            lines += [remark.read_text(encoding="utf-8").strip(), ""]
        if row.get("profile") in shown:
            lines += [f"The profile is that of: {shown[row['profile']]}.", ""]
        elif row.get("profile"):
            shown[row["profile"]] = row["what"]
            lines += ["Where the server's CPU time goes meanwhile (`perf record`, share, library, function):", "",
                      "```", row["profile"], "```", ""]
    return ["## Targets that are not reached", "", *lines] if lines else []


def _off(row):
    target = row["at_least"] if row["at_least"] is not None else row["at_most"]
    return f": off by {abs(row['value'] / target - 1) * 100:.0f} % of the target" if target else ""


def _ways_table(ways):
    lines = ["| | a second | CPU of one | cores busy | load generator busy | p50 | p99 |", "|---|---|---|---|---|---|---|"]
    for name, way in ways.items():
        latency = way.get("latency_us") or {}
        lines.append(f"| {name} | {spread(way['rate'])} | {spread(way.get('cpu_us'))} | {amount(way.get('busy'))} | "
                     f"{amount(way.get('load_busy'))} | {amount(latency.get('p50'), 'us')} | "
                     f"{amount(latency.get('p99'), 'us')} |")
    return [*lines, ""]


def _ways(found):
    """Everything that was measured beside the ratios."""
    lines = ["## All that was measured", ""]
    for row in found["rows"].values():
        details = dict(row.get("details") or {})
        details.pop("plots", None)
        ways, beside, beside_is, times = (details.pop(key, None) for key in ("ways", "beside", "beside is", "times"))
        if ways:
            lines += [f"### {row['what'].split(' ÷ ')[0]}", "", *_ways_table(ways)]
        if beside:
            lines += [f"### {beside_is}", "", *_ways_table(beside)]
        if times:
            lines += ["### Micro-benchmarks", "", "| | time |", "|---|---|",
                      *(f"| `{name}` | {spread(time)} |" for name, time in times.items()), ""]
        if details:
            lines += [f"{row['what']}: " + "; ".join(f"{name} {_shown(value)}" for name, value in details.items()) + ".", ""]
    return lines


def _shown(value):
    if isinstance(value, dict) and "median" in value:
        return spread(value)
    return amount(value) if isinstance(value, (int, float)) else str(value)


def _growth(found, drawn):
    lines = ["## How the cost grows", ""]
    for name, part in found["curves"].items():
        lines += [f"### {part['title']}", ""]
        if part.get("reason"):
            lines += [f"Not measured: {part['reason']}.", ""]
        for curve in part["curves"]:
            lines += [f"![{curve['title']}]({drawn[curve['name']]})", "", f"Expected: {curve['why']}", "",
                      "| " + curve["x"] + " | " + " | ".join(each["name"] for each in curve["series"]) + " |",
                      "|---" * (1 + len(curve["series"])) + "|"]
            places = sorted({point[0] for each in curve["series"] for point in each["points"]})
            for x in places:
                values = [next((amount(p[1]) for p in each["points"] if p[0] == x), "") for each in curve["series"]]
                lines.append(f"| {amount(x)} | " + " | ".join(values) + " |")
            lines += ["", f"In {curve['y']}.", ""]
    return lines


def _commands(found):
    lines = ["## Commands", ""]
    for name, text in found["notes"].items():
        words = [str(each) for each in text] if isinstance(text, list) else [text]
        lines += [f"{name}:", "", "```", " ".join(words).replace(f"{ROOT}/", ""), "```", ""]
    return lines


def write(found, page):
    drawn = pictures.draw(found, page.parent / "benchmarks")
    how = (pathlib.Path(__file__).parent / "how.md").read_text(encoding="utf-8").strip()
    lines = ["# Benchmarks", "", "`make bench` measures all of this in one run and writes this page; "
             "[bench/README.md](../bench/README.md) says how to measure a part of it.", "",
             *_machine(found), "", how, "", *_table(found), *[f"![{title}]({file})\n" for title, file in drawn["overview"]],
             *_missed(found), *_ways(found), *_growth(found, drawn), *_commands(found)]
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
