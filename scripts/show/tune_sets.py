# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""`forewarp tune` on the tuning spaces that others measured, and its own rate; called by scripts/show/everyday.

Each of regrets(), correction() and rate() gives (holds, text). MEASURED_SETS names the folder with the measurements, TUNING_SOURCES
that of the sources; ROWS how many configurations of each space are drawn (by seed 1; 0: all)."""
import csv
import io
import os
import resource
import sys
import tempfile
import tomllib
from pathlib import Path

from showing import ROOT, Skip, forewarp, run, TOOL

SPACES = ROOT / "validation" / "spaces"
MEASURED = "measured_ms_median"
TRIED = (1, 5, 10)
MOST_OF_ONE, MOST_OF_TEN = 0.15, 0.02  # regrets that hold
CORRECTED_BY = 20  # measured configurations that correct the ranking of the others
RATE, RATE_OF = 10, 500  # configurations a second, of so many


def needed():
    data, sources = os.environ.get("MEASURED_SETS"), os.environ.get("TUNING_SOURCES")
    if not data or not sources:
        raise Skip("MEASURED_SETS and TUNING_SOURCES name no folders")
    return data, sources


def rows():
    return int(os.environ.get("ROWS", "40"))


def spaces():
    data, _ = needed()
    found = []
    for path in sorted(SPACES.glob("*.toml")):
        table = Path(data) / tomllib.loads(path.read_text())["configurations"]
        if table.exists():
            found.append((path, table))
    return found


def ranked(path, *more):
    """The ranking of the drawn configurations, best first, as rows of the command's CSV."""
    data, sources = needed()
    drawn = ["--draw", rows(), "--seed", 1] if rows() else []
    text = forewarp("tune", path, "--data", data, "--sources", sources, *drawn, "--top", 0, "--format", "csv", "-q", *more, check=False).stdout
    return list(csv.DictReader(io.StringIO(text)))


def measured(table, parameters):
    """Time of each configuration, by its words."""
    with open(table, newline="") as file:
        return {tuple(row[name] for name in parameters): float(row[MEASURED]) for row in csv.DictReader(file)}


def parameters_of(row):
    names = list(row)
    return names[1:names.index("expected_ms")]


def regret(times, tried):
    return min(times[:tried]) / min(times) - 1


def times_of(ranking, table):
    names = parameters_of(ranking[0])
    known = measured(table, names)
    return [known[tuple(row[name] for name in names)] for row in ranking]


def regrets():
    """Regret of the first choice, of the best of five and of ten, on each space."""
    lines, holds = [], True
    for path, table in spaces():
        times = times_of(ranked(path), table)
        found = [regret(times, tried) for tried in TRIED]
        holds = holds and found[0] <= MOST_OF_ONE and found[-1] <= MOST_OF_TEN
        lines.append(f"{path.stem} ({len(times)}): " + " ".join(f"{100 * one:.1f} %" for one in found))
    if not lines:
        raise Skip("no table of a space is there")
    return holds, "regret of the first, of 5, of 10: " + "; ".join(lines)


def rank_correlation(times):
    """Spearman's, of a list that is sorted by what was expected."""
    order = sorted(range(len(times)), key=lambda i: times[i])
    count = len(times)
    return 1 - 6 * sum((place - rank) ** 2 for rank, place in enumerate(order)) / (count * (count * count - 1))


def correction():
    """Rank correlation of the configurations that were not measured, before and after the others correct them."""
    lines, holds = [], True
    for path, table in spaces():
        plain = ranked(path)
        names = parameters_of(plain[0])
        key = lambda row: tuple(row[name] for name in names)
        known = measured(table, names)
        # Every second of the predicted order, so that the correction sees all of it.
        taught = {key(row) for row in plain[::max(2, len(plain) // CORRECTED_BY)]}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "m.csv"
            file.write_text(",".join([*names, "time_ms"]) + "\n" + "".join(",".join([*words, str(known[words])]) + "\n" for words in taught))
            after = ranked(path, "--measured", file)
        rho = [rank_correlation([known[key(row)] for row in ranking if key(row) not in taught]) for ranking in (plain, after)]
        holds = holds and rho[1] >= rho[0] - 0.05
        lines.append(f"{path.stem} ({len(taught)} of {len(plain)}): {rho[0]:.3f} -> {rho[1]:.3f}")
    return holds, "rank correlation of the others: " + "; ".join(lines)


def rate():
    """Configurations a second and core with what was compiled in the cache, and nothing else."""
    space = ROOT / "examples" / "tuning" / "matmul.toml"
    command = [TOOL, "tune", space, "--gpu", "rtx3090", "--draw", RATE_OF, "--top", 1, "-q", "--format", "json"]
    done = run(*command, check=False)  # compiles what is not in the cache
    if not done.stdout:
        raise Skip(done.stderr.strip().splitlines()[-1])
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "forewarp"
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "forewarp"
        own.mkdir()
        for kept in ("listings", "sources"):
            if (cache / kept).exists():
                (own / kept).symlink_to(cache / kept)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(*command, "-j", 1, env=dict(os.environ, XDG_CACHE_HOME=folder))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return RATE_OF / seconds >= RATE, f"{RATE_OF} configurations in {seconds:.1f} s of one core: {RATE_OF / seconds:.1f}/s"


def main():
    failed = False
    for ask in (regrets, correction, rate):
        try:
            holds, text = ask()
            print("PASS" if holds else "MISS", text, flush=True)
            failed = failed or not holds
        except Skip as reason:
            print("SKIP", reason)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
