"""What people would use instead, started from bench/peers."""

import pathlib

FILES = pathlib.Path(__file__).parent.parent.parent / "peers"
