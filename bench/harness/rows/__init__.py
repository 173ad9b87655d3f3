"""The rows of the table, by module. Each has PLAN, the rows that it gives, and measure(context)."""

import importlib

NAMES = ("polls", "joins", "holds", "memory", "restart", "crowd", "stops", "idle", "micro", "fans")


def load(name):
    return importlib.import_module(f"harness.rows.{name}")
