#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Compares executed profiles with a profiler's counters, configuration by configuration of a tuning space.

    scripts/show/counters.py MEASURED LISTINGS [SET ..] [--rows N] [--seed S] [-j N] [--show COUNTER]

MEASURED holds the CSV files that validation/tuning_sets.toml names, LISTINGS/SET/ROW.sass their configurations, compiled and
disassembled (`cuobjdump -sass -elf -res-usage`); rows without a listing are left out. Rows compiled to other registers than
were measured are other programs: they are printed apart. Every figure lies in build/show/counters/SET.tsv.
"""
import argparse
import csv
import json
import os
import random
import statistics
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from showing import ROOT, TOOL, Skip, run

OUT = ROOT / "build" / "show" / "counters"
COPIED = ("kernel", "gpu", "clock_mhz", "timing", "repeat", "args", "constants")


def read_toml(name):
    return tomllib.loads((ROOT / "validation" / name).read_text())


class TuningSet:
    """One CSV file with the listings of its rows."""

    def __init__(self, name, measured, listings):
        self.name = name
        self.about = read_toml("tuning_sets.toml")["set"][name]
        self.folder = Path(listings) / self.about["listings"]
        path = Path(measured) / self.about["csv"]
        if not path.exists():
            raise Skip(f"no {self.about['csv']} among the measured sets")
        with open(path, newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.compiled = [r for r in range(len(self.rows)) if (self.folder / f"{r}.sass").exists()]
        if not self.compiled:
            raise Skip(f"no listings in {self.about['listings']}")

    def choose(self, count, seed):
        if not count or count >= len(self.compiled):
            return self.compiled
        return sorted(random.Random(seed).sample(self.compiled, count))

    def case(self, number, beside):
        row = self.rows[number]
        three = lambda what: [int(row[f"{what}_{axis}"]) for axis in "xyz"]
        case = {"id": f"{self.name}/{number}", "input": os.path.relpath(self.folder / f"{number}.sass", beside)}
        case.update({key: self.about[key] for key in COPIED if key in self.about})
        case.update(grid=three("grid"), block=three("block"), dynamic_shared=int(row["dynamic_smem_bytes"]))
        return case

    def profiles(self, numbers, jobs):
        """Results by row; a refused row has `error`."""
        OUT.mkdir(parents=True, exist_ok=True)
        cases = OUT / f"{self.name}.jsonl"
        cases.write_text("".join(json.dumps(self.case(n, OUT)) + "\n" for n in numbers))
        done = run(TOOL, "profile", "--cases", cases, "--format", "jsonl", "-j", jobs, "-q", check=False)
        results = [json.loads(line) for line in done.stdout.splitlines()]
        if len(results) != len(numbers):
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no results")
        return dict(zip(numbers, results))


class Counter:
    """One counter of the profiler and where a profile has it."""

    def __init__(self, about):
        self.name, self.columns, self.goal = about["name"], about["columns"], about.get("goal")
        self.figures, self.opcodes = about.get("figures", []), about.get("opcodes", [])
        self.unit, self.local, self.sets = about.get("unit", 1), about.get("local", True), about.get("sets")

    def counted(self, row):
        return sum(float(row[column]) for column in self.columns)

    def own(self, profile):
        by_opcode = profile.get("threads_by_opcode", {})
        return (sum(profile[key] for key in self.figures) + sum(by_opcode.get(o, 0) for o in self.opcodes)) / self.unit

    def applies(self, name, row):
        return (self.sets is None or name in self.sets) and (self.local or not local_sectors(row))


def local_sectors(row):
    return sum(float(value) for column, value in row.items() if "mem_local" in column)


def ratio(own, counted):
    """1 where neither counts anything; infinite where only the profile does."""
    if own == counted:
        return 1.0
    return own / counted if counted else float("inf")


class Comparison:
    """Ratios own / counted of one set, rows with the measured registers apart from the others."""

    def __init__(self, tuning, numbers, jobs):
        self.tuning = tuning
        results = tuning.profiles(numbers, jobs)
        self.failed = {n: r["error"] for n, r in results.items() if r.get("error")}
        self.results = {n: r for n, r in results.items() if n not in self.failed}
        same = lambda n, r: r["kernel"]["registers"] == int(tuning.rows[n]["regs_recorded"])
        self.matched = [n for n, r in self.results.items() if same(n, r)]
        self.others = [n for n in self.results if n not in set(self.matched)]
        self.counters = [Counter(about) for about in read_toml("counters.toml")["counter"]]

    def ratios(self, counter, numbers):
        rows = self.tuning.rows
        return {n: ratio(counter.own(self.results[n]["profile"]), counter.counted(rows[n]))
                for n in numbers if counter.applies(self.tuning.name, rows[n])}

    def judged(self, counter):
        """(holds, median ratio) over the matched rows; None where the counter does not apply."""
        ratios = self.ratios(counter, self.matched).values()
        if counter.goal is None or not ratios:
            return None
        middle = statistics.median(ratios)
        return abs(middle - 1) <= counter.goal, middle

    def table(self):
        yield (f"{self.tuning.about['title']}: {len(self.results) + len(self.failed)} rows, {len(self.matched)} with the "
               f"measured registers, {len(self.others)} with others, {len(self.failed)} refused")
        yield f"{'':24}{'median':>9}{'mean':>9}{'p10':>9}{'p90':>9}{'worst':>9}{'rows':>6}   {'others: median':>14}{'rows':>6}"
        for counter in self.counters:
            ratios = sorted(self.ratios(counter, self.matched).values())
            if not ratios:
                continue
            held = self.judged(counter)
            rest = list(self.ratios(counter, self.others).values())
            mark = "" if held is None else "  ok" if held[0] else f"  off (goal {100 * counter.goal:g} %)"
            worst = max(ratios, key=lambda x: abs(x - 1))
            tenth = len(ratios) // 10
            cells = [statistics.median(ratios), statistics.fmean(ratios), ratios[tenth], ratios[-1 - tenth], worst]
            yield (f"{counter.name:24}" + "".join(f"{cell:9.4f}" for cell in cells) + f"{len(ratios):6}   " +
                   (f"{statistics.median(rest):14.4f}" if rest else f"{'-':>14}") + f"{len(rest):6}{mark}")
        for number, error in list(self.failed.items())[:5]:
            yield f"refused {number}: {error}"

    def save(self):
        lines = ["row\tmatched\tcounter\town\tcounted\tratio"]
        for number in sorted(self.results):
            row, profile = self.tuning.rows[number], self.results[number]["profile"]
            for counter in self.counters:
                own, counted = counter.own(profile), counter.counted(row)
                lines.append(f"{number}\t{int(number in self.matched)}\t{counter.name}\t{own:.0f}\t{counted:.0f}\t{ratio(own, counted):.5f}")
        (OUT / f"{self.tuning.name}.tsv").write_text("\n".join(lines) + "\n")


def compare(name, measured, listings, rows=0, seed=1, jobs=2):
    tuning = TuningSet(name, measured, listings)
    comparison = Comparison(tuning, tuning.choose(rows, seed), jobs)
    comparison.save()
    return comparison


def demand(name):
    """(holds, figure) of one set, for the demands of scripts/show: MEASURED_SETS and COUNTER_SETS say where the data lies."""
    folders = [os.environ.get(variable) for variable in ("MEASURED_SETS", "COUNTER_SETS")]
    if not all(folders):
        raise Skip("MEASURED_SETS and COUNTER_SETS do not say where the measured sets and their listings are")
    comparison = compare(name, *folders)
    (OUT / f"{name}.txt").write_text("\n".join(comparison.table()) + "\n")
    judged = {c.name: comparison.judged(c) for c in comparison.counters}
    told = [f"{counter} {held[1]:.4f}" for counter, held in judged.items() if held]
    return all(held[0] for held in judged.values() if held) and bool(told), \
        f"{len(comparison.matched)} rows with the measured registers, {len(comparison.others)} with others, " \
        f"{len(comparison.failed)} refused: " + ", ".join(told)


def show_rows(comparison, word):
    for counter in comparison.counters:
        if word not in counter.name:
            continue
        for number, value in sorted(comparison.ratios(counter, comparison.results).items(), key=lambda item: item[1]):
            yield f"{counter.name} {comparison.tuning.name}/{number} {value:.4f}{'' if number in comparison.matched else ' (other registers)'}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("measured")
    options.add_argument("listings")
    options.add_argument("sets", nargs="*", metavar="SET")
    options.add_argument("--rows", type=int, default=0, help="at most so many rows of each set, drawn at random")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("-j", dest="jobs", type=int, default=2)
    options.add_argument("--show", metavar="COUNTER", help="the ratio of every row, for counters with this word")
    asked = options.parse_args()
    for name in asked.sets or read_toml("tuning_sets.toml")["set"]:
        try:
            comparison = compare(name, asked.measured, asked.listings, asked.rows, asked.seed, asked.jobs)
        except Skip as reason:
            print(f"{name}: {reason}")
            continue
        print("\n".join(comparison.table()))
        if asked.show:
            print("\n".join(show_rows(comparison, asked.show)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
