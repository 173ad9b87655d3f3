"""The micro-benchmarks, build/release/bench/usher_bench, as JSON."""

import json

from harness.process import Unavailable, run


def benchmarks(context, names, env=None, repetitions=1):
    """What the benchmarks whose names match found: name -> list of the JSON of each repetition."""
    if not context.micro.exists():
        raise Unavailable(f"{context.micro.name} is not built (`make bench` builds it)")
    argv = [context.micro, "--benchmark_format=json", f"--benchmark_filter={names}",
            f"--benchmark_repetitions={repetitions}"]
    context.note(f"micro-benchmarks, {names}", " ".join([*(f"{key}={value}" for key, value in (env or {}).items()),
                                                         *map(str, argv)]))
    output = run(argv, env={key: str(value) for key, value in (env or {}).items()}, seconds=1800)
    if "{" not in output:
        raise Unavailable(f"there is no micro-benchmark {names}")
    try:
        found = json.JSONDecoder().raw_decode(output[output.index("{\n"):])[0]["benchmarks"]
    except (ValueError, KeyError) as why:
        raise Unavailable(f"the micro-benchmarks said nothing usable: {output[-300:]}") from why
    by_name = {}
    for each in found:
        if each.get("error_occurred"):
            raise Unavailable(f"{each['name']}: {each.get('error_message')}")
        if each.get("run_type", "iteration") == "iteration":
            by_name.setdefault(each.get("run_name", each["name"]), []).append(each)
    if not by_name:
        raise Unavailable(f"there is no micro-benchmark {names}")
    return by_name


def nanoseconds(one):
    return one["real_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[one["time_unit"]]
