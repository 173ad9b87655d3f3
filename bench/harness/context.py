"""What every row is given: the program, where to work, how long and how often to measure."""

import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).parent.parent.parent


class Context:
    # Rows about one HTTP thread: the server has the first core for itself and the load the second, for
    # all alike. Other rows leave all to the kernel.
    SERVER_CPU, LOAD_CPU = "0", "1"

    def __init__(self, work, program, micro, rounds, seconds, quick, notes=None):
        self.work = pathlib.Path(work).resolve()
        self.program, self.micro = pathlib.Path(program).resolve(), pathlib.Path(micro).resolve()
        self.rounds, self.seconds, self.quick = rounds, seconds, quick
        self.notes = notes if notes is not None else {}
        self.rows = {}  # what was measured so far, by name
        self.begin = time.monotonic()
        self.work.mkdir(parents=True, exist_ok=True)

    def many(self):
        """Fans in the big queue."""
        return 200_000 if self.quick else 2_000_000

    def say(self, text):
        minutes, seconds = divmod(int(time.monotonic() - self.begin), 60)
        print(f"[{minutes:02d}:{seconds:02d}] {text}", file=sys.stderr, flush=True)

    def note(self, name, text):
        """Keeps a command, or another thing that the page shows."""
        self.notes[name] = text
