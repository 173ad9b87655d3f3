"""SVG by gnuplot."""

import subprocess

from harness.process import Unavailable

HEAD = """set terminal svg size 760,{height} font 'sans-serif,13' background '#ffffff'
set output '{out}'
set border 3 lc rgb '#555555'
set tics nomirror
set grid ytics lc rgb '#dddddd' lt 1
set key {key} tc rgb '#222222'
set title {title}
"""
HEIGHT = 420
COLORS = ("#1b6ca8", "#c8553d", "#4f772d", "#7b4fa3", "#b8860b", "#2a9d8f", "#888888")


def _quoted(text):
    return "'" + str(text).replace("'", "''").replace("\n", " ") + "'"


def _draw(script):
    try:
        done = subprocess.run(["gnuplot"], input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    except FileNotFoundError as missing:
        raise Unavailable("gnuplot is not installed") from missing
    if done.returncode != 0:
        raise Unavailable(f"gnuplot: {done.stdout.strip()[:400]}")


def lines(out, curve):
    """A curve with its series, their spread, and the expected shape through the first point of each."""
    script = HEAD.format(out=out, title=_quoted(curve["title"]), key="outside bottom center horizontal", height=HEIGHT)
    script += f"set xlabel {_quoted(curve['x'])}\nset ylabel {_quoted(curve['y'])}\nset format x '%.0s%c'\n"
    script += "set logscale x\n" + ("set logscale y\n" if curve.get("log_y") else "set yrange [0:*]\n")
    drawn = []
    for number, series in enumerate(curve["series"]):
        color = COLORS[number % len(COLORS)]
        rows = "\n".join(f"{x} {y} {low} {high}" for x, y, low, high in series["points"])
        script += f"$d{number} << END\n{rows}\nEND\n"
        drawn.append(f"$d{number} using 1:2:3:4 with yerrorlines lw 2 pt 7 ps 0.6 lc rgb '{color}' "
                     f"title {_quoted(series['name'])}")
        shape = expected_points(series)
        if shape:
            script += f"$e{number} << END\n" + "\n".join(f"{x} {y}" for x, y in shape) + "\nEND\n"
            drawn.append(f"$e{number} using 1:2 with lines dt 2 lc rgb '{color}' title 'expected'")
    _draw(script + "plot " + ", ".join(drawn) + "\n")


def expected_points(series):
    """The expected shape through the series' anchor: `flat`, `linear`, or `1/x` until it is flat."""
    shape, points = series.get("shape"), series["points"]
    if not shape or not points:
        return []
    anchor = points[-1] if shape == "linear" else points[len(points) // 2]
    x0, y0 = anchor[0], anchor[1]
    return [(x, {"flat": y0, "linear": y0 * x / x0}[shape]) for x, *_ in points]


def bars(out, title, x_label, groups):
    """groups: (name, value, low, high), from top to bottom."""
    script = HEAD.format(out=out, title=_quoted(title), key="off", height=130 + 28 * len(groups))
    script += f"set xlabel {_quoted(x_label)}\nset xrange [0:*]\nset format x '%.0s%c'\nset grid noytics xtics\n"
    script += f"set yrange [{len(groups) - 0.4}:-0.6]\nset style fill solid 0.85 noborder\n$d << END\n"
    for number, (name, value, low, high) in enumerate(groups):
        color = 0x1B6CA8 if name.startswith("usher") else 0xAAAAAA
        script += f'{number} "{name}" {value} {low} {high} {color}\n'
    script += "END\nplot $d using 3:1:(0):3:($1-0.3):($1+0.3):6:ytic(2) with boxxyerror lc rgb variable, "
    _draw(script + "$d using 3:1:4:5 with xerrorbars pt -1 lw 1.5 lc rgb '#222222'\n")


def percentiles(out, title, groups):
    """groups: (name, latency_us as wrk gives it)."""
    script = HEAD.format(out=out, title=_quoted(title), key="outside bottom center horizontal", height=HEIGHT)
    script += "set ylabel 'milliseconds'\nset format y '%g'\nset logscale y\nset xrange [-0.2:4.2]\n"
    script += "set xtics ('p50' 0, 'p90' 1, 'p99' 2, 'p99.9' 3, 'max' 4)\n"
    drawn = []
    for number, (name, latency) in enumerate(groups):
        values = [latency[key] / 1000 for key in ("p50", "p90", "p99", "p999", "max")]
        script += f"$d{number} << END\n" + "\n".join(f"{at} {value}" for at, value in enumerate(values)) + "\nEND\n"
        drawn.append(f"$d{number} using 1:2 with linespoints lw 2 pt 7 ps 0.6 lc rgb "
                     f"'{COLORS[number % len(COLORS)]}' title {_quoted(name)}")
    _draw(script + "plot " + ", ".join(drawn) + "\n")
