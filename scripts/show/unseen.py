# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The demands of scripts/show/true."""
import csv
import json
import os
import re
import statistics
import time
import tomllib

from showing import ROOT, Skip, TOOL, predict, run

DESCRIPTIONS = ROOT / "validation" / "sets"
# What the sets stood at before resources were charged by what they are asked for: MAPE in percent, all rows or 200.
BEFORE = {"elementwise": 1.7, "roofline": 1.6, "stream": 2.7, "small": 4.6, "saxpy2_intensity": 1.1, "saxpy2_large": 3.7, "saxpy2_small": 2.9,
          "saxpy2_occupancy": 3.9, "saxpy3": 6.0, "convolution": 9.2, "convolution17": 6.9, "polygon": 5.4, "coulomb": 8.4}
POINT = 1.0  # of a percentage, that a set may lose


def percent(share):
    return "-" if share is None else f"{100 * share:.1f} %"


def folder(variable, what):
    path = os.environ.get(variable)
    if not path:
        raise Skip(f"{variable} does not say where {what} are")
    return path


def mape(points):
    errors = [abs(p["predicted_ms"] / p["measured_ms"] - 1) for p in points if not p["error"]]
    return statistics.fmean(errors) if errors else None


def ranks(values):
    order = sorted(values)
    return [statistics.fmean(i for i, other in enumerate(order) if other == value) for value in values]


def by_group(points):
    """Of every group of four points and more: rank correlation, and what the predicted best takes beyond the best."""
    groups = {}
    for p in points:
        if not p["error"] and not p["apart"]:
            groups.setdefault(p["group"], []).append((p["predicted_ms"], p["measured_ms"]))
    found = []
    for pairs in groups.values():
        if len(pairs) < 4:
            continue
        own, seen = ranks([p for p, _ in pairs]), ranks([t for _, t in pairs])
        rank = statistics.correlation(own, seen) if len(set(own)) > 1 and len(set(seen)) > 1 else 0
        found.append((rank, min(pairs)[1] / min(t for _, t in pairs) - 1))
    return found or [(0, 9)]


class Sets:
    """Answers of `forewarp validate`, asked once each."""

    def __init__(self, out):
        self.out = out
        self.answers = {}

    def asked(self, name, *more):
        key = (name, *more)
        if key in self.answers:
            return self.answers[key]
        description = DESCRIPTIONS / f"{name}.toml"
        if not description.exists():
            raise RuntimeError(f"no description of the set {name}")
        file = self.out / ("-".join((name, *(m.strip("-") for m in more))) + ".json")
        self.answers[key] = self.validated(description, file, *more, "--journal", file.with_suffix(".journal"))
        return self.answers[key]

    @staticmethod
    def validated(description, file, *more):
        """What `forewarp validate` says of one description, by way of a file."""
        arguments = [TOOL, "validate", description, "-q", "--seed", "1", *more]
        if "--rows" not in more:
            arguments += ["--rows", os.environ.get("ROWS", "200")]
        about = tomllib.loads(description.read_text())
        if "base" in about:
            about = tomllib.loads((DESCRIPTIONS / about["base"]).read_text()) | about
        if not (DESCRIPTIONS / about["csv"]).exists():
            arguments += ["--data", folder("MEASURED_SETS", "the measured sets")]
        if "compile" in about or any("compile" in part for part in about.get("by", {}).values()):
            arguments += ["--sources", folder("TUNING_SOURCES", "the public sources")]
        run(*arguments, "--format", "json", "-o", file)
        return json.loads(file.read_text())["sets"][0]

    def line(self, name, *more):
        return self.asked(name, *more)["lines"][0]

    def apart(self, name, *more):
        """(part, line) of what stands apart, all boards together."""
        return [(line["part"], line) for line in self.asked(name, *more)["lines"]
                if line["part"] != "judged" and not line["gpu"] and not line["kernel"] and line["points"]]

    def told(self, name, *more):
        line = self.line(name, *more)
        text = f"{percent(line['mape'])} of {line['points']}" + (f", {line['refused']} refused" if line["refused"] else "")
        return text + "".join(f", {part} {percent(one['mape'])} of {one['points']}" for part, one in self.apart(name, *more))

    def holds(self, name, goal, goal_apart, *more):
        line = self.line(name, *more)
        fine = line["points"] > 0 and line["mape"] <= goal and line["refused"] == 0
        return fine and all(goal_apart is None or one["mape"] <= goal_apart for _, one in self.apart(name, *more))

    def both(self, name, goal, goal_apart=None):
        def check():
            sim = ("--model", "sim")
            return (self.holds(name, goal, goal_apart) and self.holds(name, goal, goal_apart, *sim),
                    f"auto {self.told(name)}; sim {self.told(name, *sim)}")
        return check

    def ladder(self):
        """The board that the times are of, and beside it the one that the source names."""
        description = self.out / "ladder_as_named.toml"
        own = (DESCRIPTIONS / "ladder.toml").read_text()
        if 'gpu = "v100-sxm2-32"' not in own:
            raise RuntimeError("ladder.toml names another board")
        description.write_text(own.replace('gpu = "v100-sxm2-32"', 'gpu = "rtx3090"'))
        named = self.validated(description, self.out / "ladder_as_named.json")["lines"][0]
        return self.holds("ladder", 0.10, None), f"V100 {self.told('ladder')}; as named, RTX 3090, {percent(named['mape'])}"

    def with_apart(self, name, goal, goal_apart):
        return lambda: (self.holds(name, goal, goal_apart), self.told(name))

    def scaled(self, name, goal, goal_scaled, least_rank=-1, most_regret=9):
        def check():
            line = self.line(name)
            fine = ((goal is None or line["mape"] <= goal) and line["scaled_mape"] <= goal_scaled and line["refused"] == 0
                    and (line["spearman"] or 0) >= least_rank and line["regret_1"] <= most_regret)
            return fine, (f"{self.told(name)}, after one factor {percent(line['scaled_mape'])}, Spearman {line['spearman']:.3f}, "
                          f"top-1 regret {percent(line['regret_1'])}")
        return check

    def grouped(self, name, goal, goal_group, least_rank, most_regret):
        def check():
            line, groups = self.line(name), self.asked(name)["groups"]
            one = statistics.median(g["mape"] for g in groups)
            rank, regret = (statistics.median(values) for values in zip(*by_group(self.asked(name)["points"])))
            fine = line["mape"] <= goal and line["refused"] == 0 and one <= goal_group and rank >= least_rank and regret <= most_regret
            return fine, (f"{self.told(name)}; medians of {len(groups)} kernels and sizes: {percent(one)}, Spearman {rank:.3f}, "
                          f"top-1 regret {percent(regret)}")
        return check

    def tensor(self):
        points = self.asked("tensor", "--model", "sim")["points"]
        judged = [p for p in points if p["gpu"] != "rtx3090"]
        own, other = mape(judged), mape([p for p in points if p["gpu"] == "rtx3090"])
        return (own is not None and own <= 0.15 and len(judged) >= 13 and not any(p["error"] for p in judged),
                f"{percent(own)} of {len(judged)}; RTX 3090 {percent(other)} of {len(points) - len(judged)}")

    def grid(self):
        told, fine = [], True
        with open(ROOT / "validation" / "throughput" / "expected.csv", newline="") as file:
            two_sources = {row["id"] for row in csv.DictReader(file) if row["differs"]}
        for more in ((), ("--model", "sim")):
            points = self.asked("throughput", "--rows", "0", *more)["points"]
            judged = {p["id"].partition("/")[2]: abs(p["predicted_ms"] / p["measured_ms"] - 1) if not p["error"] else 9.0
                      for p in points if not p["apart"]}
            errors = judged.values()
            within = statistics.fmean(e <= 0.10 for e in errors)
            far = sum(e > 0.25 for name, e in judged.items() if name not in two_sources)
            repeats = sum(1 for p in points if p["apart"])
            fine = fine and within >= 0.95 and far == 0 and len(points) >= 400
            told.append(f"{'sim' if more else 'auto'} {percent(within)} of {len(errors)} rows within 10 %, {far} beyond 25 % with one source ({repeats} rows repeat a fact)")
        return fine, "; ".join(told)

    def grid_intervals(self):
        """Rows of the grid whose stated interval leaves out what is expected."""
        told, fine = [], True
        for more in ((), ("--model", "sim")):
            points = [p for p in self.asked("throughput", "--rows", "0", *more)["points"] if not p["error"]]
            outside = [p["id"].partition("/")[2] for p in points if not p["low_ms"] <= p["measured_ms"] <= p["high_ms"]]
            width = statistics.median(p["high_ms"] / p["low_ms"] for p in points)
            fine = fine and len(points) >= 400 and len(outside) <= 0.05 * len(points)
            told.append(f"{'sim' if more else 'auto'} {len(outside)} of {len(points)} exclude it ({', '.join(sorted({o.split('/')[0] for o in outside}))}), "
                        f"upper end over lower {width:.2f} at the median")
        return fine, "; ".join(told)

    def holes(self):
        """Resources without a row: each with the reason that scripts/throughput knows."""
        rows = [line.split(None, 1) for line in run(ROOT / "scripts" / "throughput", "--holes").stdout.splitlines() if line.strip()]
        return not rows, "; ".join(f"{name}: {reason[0] if reason else 'no reason'}" for name, *reason in rows) or "every resource is driven by a row"

    def earlier(self):
        worse, told = [], []
        for name, before in BEFORE.items():
            try:
                now = 100 * self.line(name)["mape"]
            except Skip:
                continue
            told.append(f"{name} {before:.1f} -> {now:.1f}")
            if now > before + POINT:
                worse.append(name)
        if not told:
            folder("MEASURED_SETS", "the measured sets")
        return not worse, ", ".join(told)

    def worst_ten(self):
        points = [(abs(p["predicted_ms"] / p["measured_ms"] - 1), p["id"]) for (name, *_), answer in self.answers.items() if len(_) == 0
                  for p in answer["points"] if not p["error"] and not p["apart"]]
        if not points:
            raise Skip("no set was asked")
        page = (ROOT / "docs" / "accuracy.md").read_text()
        worst = sorted(points, reverse=True)[:10]
        return "The worst points of all sets" in page, ", ".join(f"{name} {percent(error)}" for error, name in worst)

    def left_out(self):
        """scripts/intervals on every set that can be asked here: coverage with a set's family or board left out."""
        if not hasattr(self, "_left_out"):
            folder("MEASURED_SETS", "the measured sets")
            for description in sorted(DESCRIPTIONS.glob("*.toml")):
                if description.stem in NOT_KERNELS:
                    continue
                try:
                    self.asked(description.stem)
                except Skip:
                    continue
            files = [self.out / f"{name}.json" for (name, *more) in self.answers if not more and name not in NOT_KERNELS]
            numbers = self.out / "left_out.json"
            table = run(ROOT / "scripts" / "intervals", *files, "--dry", "--json", numbers).stdout
            (self.out / "left_out.txt").write_text(table)
            self._left_out = json.loads(numbers.read_text())
        return self._left_out

    def coverage(self):
        told = self.left_out()
        fine = all(0.85 <= told[key] <= 0.95 for key in ("family", "board"))
        return fine, f"family left out {percent(told['family'])}, board left out {percent(told['board'])} of {len(told['sets'])} sets"

    def worst_coverage(self, least=0.70):
        share, name = self.left_out()["worst"]
        return share >= least, f"{name} {percent(share)}"

    def width(self):
        told = self.left_out()
        return told["width"] <= 2, f"{told['width']:.2f}"

    def left_out_errors(self, most=None, of_set=None):
        """Nothing of the default model is fitted to times, so that leaving sets out leaves it as it is."""
        sets = self.left_out()["sets"]
        mean = statistics.fmean(s["mape"] for s in sets.values())
        fine = (most is None or mean <= most) and all(name in sets and sets[name]["mape"] <= limit for name, limit in (of_set or {}).items())
        return fine, f"mean {percent(mean)}: " + ", ".join(f"{name} {percent(s['mape'])} ({percent(s['family'])} / {percent(s['board'])} inside)" for name, s in sets.items())



# Sets that are not kernel times: copies, latencies in cycles, whole programs; and the grid, whose figures are rates of tables.
NOT_KERNELS = ("application", "copies", "latency", "latency_far", "measured", "measured_grid", "memcpy", "managed_triad", "pchase", "pchase_far", "spielerr",
               "spielerr_counted", "spielerr_unoptimised", "throughput")


LATENCY = {}


def latency(kind, median, most=None, worst=None):
    """scripts/latency over sampled cases of all sets: process by process, one core."""
    def check():
        folder("MEASURED_SETS", "the measured sets")
        if not LATENCY:
            sets = [path for path in sorted(DESCRIPTIONS.glob("*.toml")) if path.stem not in NOT_KERNELS]
            text = run(ROOT / "scripts" / "latency", "--rows", os.environ.get("LATENCY_ROWS", "6"), "--binary", TOOL, *sets, check=False).stdout
            (ROOT / "build" / "show" / "true" / "latency.txt").write_text(text)
            for line in text.splitlines():
                found = re.match(r"(cold|warm)\s+(\d+) answers\s+median\s+([\d.]+) ms\s+95 %\s+([\d.]+) ms\s+most\s+([\d.]+) ms", line)
                if found:
                    LATENCY[found[1]] = (int(found[2]), *map(float, found.groups()[2:]))
        cases, half, most_of, longest = LATENCY[kind]
        fine = half <= median and (most is None or most_of <= most) and (worst is None or longest <= worst)
        return fine, f"median {half:.0f} ms, 95 % {most_of:.0f} ms, longest {longest:.0f} ms of {cases} cases"
    return check


TRAFFIC = ("global_load_sectors", "global_store_sectors", "l2_read_sectors", "l2_write_sectors", "dram_read_bytes", "dram_write_bytes")


def against_whole(listing, kernel, *launch):
    """Traffic of the answer over that of all blocks executed and replayed whole, and the seconds of the answer."""
    command = [str(ROOT / "validation" / "kernels" / listing), "--kernel", kernel, *launch]
    began = time.perf_counter()
    answer = predict(*command, "--no-cache")["profile"]
    seconds = time.perf_counter() - began
    whole = predict(*command, "--no-cache", "--sample", "all", "--exact", "--fast", "--budget", "100")["profile"]
    ratios = {key: answer[key] / whole[key] for key in TRAFFIC if whole[key] > 0}
    worst = max(ratios, key=lambda key: abs(ratios[key] - 1))
    fine = abs(ratios[worst] - 1) <= 0.05 and seconds <= 1
    return fine, (f"{seconds:.2f} s; executed {answer['executed_blocks']:.0f} of {answer['of_blocks']:.0f} blocks; farthest: "
                  f"{worst} {ratios[worst]:.3f} of the whole execution")


def table_kernel():
    channels, used, rows = 1000, 12 * 256, 16
    length = used + 49 * rows
    return against_whole("uneven_blocks.sass", "shifted_bytes", "--gpu", "a100-sxm-40", "--grid", "24,24", "--block", "256", "--arg",
                         f"0=buffer:{channels * length}", "--arg", f"1=buffer:{4 * rows * used}", "--arg", f"2=buffer:{4 * channels}:random:1:0:50",
                         "--arg", f"3={channels}", "--arg", f"4={length}", "--arg", f"5={used}", "--arg", f"6={rows}")


def queue_kernel():
    return against_whole("persistent_queue.sass", "persistent_queue", "--gpu", "a40", "--grid", "84", "--block", "128", "--arg",
                         "0=buffer:16777216", "--arg", "1=buffer:16777216", "--arg", "2=buffer:4:zeros", "--arg", "3=1000", "--arg", "4=32")


def rare_blocks():
    """Times where few blocks have the work, over those of the whole grid, and the longest answer."""
    bytes_of, ratios, longest = 1024 * 8000, {}, 0
    for kernel, *values in (("one_block", 4711, 20000), ("one_thread", 1234567, 20000), ("remainder", 3000)):
        arguments = [f"0=buffer:{bytes_of}", f"1=buffer:{bytes_of}", *(f"{2 + i}={value}" for i, value in enumerate(values))]
        command = [str(ROOT / "validation" / "kernels" / "rare_blocks.sass"), "--kernel", kernel, "--gpu", "a100-sxm-40", "--grid", "8000",
                   "--block", "256", *(word for argument in arguments for word in ("--arg", argument)), "--no-cache"]
        began = time.perf_counter()
        answer = predict(*command, "--budget", "0.5")
        longest = max(longest, time.perf_counter() - began)
        ratios[kernel] = answer["time_ms"] / predict(*command, "--sample", "all", "--budget", "100")["time_ms"]
    fine = all(abs(ratio - 1) <= 0.1 for ratio in ratios.values()) and longest <= 1
    return fine, f"{longest:.2f} s; " + ", ".join(f"{name} {ratio:.3f}" for name, ratio in ratios.items()) + " of the whole execution"


def facts():
    done = run(ROOT / "scripts" / "facts", check=False)
    (ROOT / "build" / "show" / "true" / "facts.txt").write_text(done.stdout)
    last = [line for line in done.stdout.splitlines() if "facts asked" in line]
    holes = done.stdout.count("NO REASON")
    return bool(last) and holes == 0, "; ".join(line.split("; classes")[0] for line in last)
