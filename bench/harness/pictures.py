"""Which plots there are, and of what."""

from harness import plots


def draw(found, directory):
    """Draws all into `directory`; the paths as the page links them."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("*.svg"):
        old.unlink()
    drawn = {"overview": []}
    for part in found["curves"].values():
        for curve in part["curves"]:
            plots.lines(directory / f"{curve['name']}.svg", curve)
            drawn[curve["name"]] = f"{directory.name}/{curve['name']}.svg"
    for row in found["rows"].values():
        details = row.get("details") or {}
        for name, title, ways in _comparisons(row["name"], row["what"], details):
            _throughput(directory, name, title, ways, drawn["overview"])
            _latency(directory, name, title, ways, drawn["overview"])
    return drawn


def _comparisons(name, what, details):
    """What to show in one picture: (file name, title, ways). `plots` in the details tells which ways; else all."""
    ways = details.get("ways") or {}
    if "plots" in details:
        return [(f"{name}-{number}", plot["title"], {way: ways[way] for way in plot["ways"]})
                for number, plot in enumerate(details["plots"], 1)]
    return [(name, what.split(" ÷ ")[0], ways)] if ways else []


def _throughput(directory, name, title, ways, overview):
    groups = [(way, its["rate"]["median"], its["rate"]["min"], its["rate"]["max"]) for way, its in ways.items()]
    plots.bars(directory / f"{name}-throughput.svg", f"{title}: throughput", "a second", groups)
    overview.append((f"{title}: throughput", f"{directory.name}/{name}-throughput.svg"))


def _latency(directory, name, title, ways, overview):
    groups = [(way, its["latency_us"]) for way, its in ways.items() if len(its.get("latency_us") or {}) > 2]
    if groups:
        plots.percentiles(directory / f"{name}-latency.svg", f"{title}: latency", groups)
        overview.append((f"{title}: latency", f"{directory.name}/{name}-latency.svg"))
