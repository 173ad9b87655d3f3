"""Where a server's CPU time goes, by perf; shown in the page where a target is missed."""

import re
import shutil
import subprocess
import threading

LINES = 14


def during(process, load, seconds=3):
    """Runs `load` while perf looks at the process; the functions that took most, or why there are none."""
    if shutil.which("perf") is None:
        load()
        return "perf is not installed"
    data = f"{process.log}.perf"
    pids = ",".join(str(pid) for pid in process.tree())
    looker = subprocess.Popen(["perf", "record", "-q", "-F", "499", "-o", data, "-p", pids, "--", "sleep",
                               str(seconds)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    loader = threading.Thread(target=load)
    loader.start()
    _, said = looker.communicate()
    loader.join()
    if looker.returncode != 0:
        return f"perf could not look: {said.strip()[:200]}"
    shown = subprocess.run(["perf", "report", "-i", data, "--stdio", "--no-children", "-q", "-F",
                            "overhead,dso,symbol"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           check=False).stdout
    lines = [re.sub(r"\s+", " ", line).strip() for line in shown.splitlines() if line.strip()]
    return "\n".join(line[:110] for line in lines[:LINES]) or "perf saw nothing"
