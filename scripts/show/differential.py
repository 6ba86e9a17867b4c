#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Prints how far the executor is from the same computation in C++, kernel by architecture.

    scripts/show/differential.py         runs unit_execution of FOREWARP_BUILD (build/release)

The table goes to build/show/execution/differential.txt too; exit 1 when a kernel is wrong.
"""
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from showing import BUILD, ROOT


def measure(program=BUILD / "tests" / "unit_execution"):
    """{kernel: {"sm_80": "exact" | "1 ulp" | "2^-21" | "WRONG"}}, wrong tests' names"""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        subprocess.run([program, "--gtest_brief=1", f"--gtest_output=xml:{report}"], capture_output=True)
        suites = tree.parse(report).getroot()
    table, wrong = {}, []
    for case in suites.iter("testcase"):
        failed = case.find("failure") is not None
        architecture = case.get("name").rpartition("/")[2]
        if failed:
            wrong.append(f"{case.get('classname')}.{case.get('name')}")
        for entry in case.iter("property"):
            verdict = "WRONG" if failed else entry.get("value")
            table.setdefault(entry.get("name"), {})[architecture] = verdict
    return table, wrong


def text_of(table):
    architectures = sorted({a for row in table.values() for a in row}, key=lambda a: int(a[3:]))
    lines = ["largest deviation from C++: representable numbers (ulp), or 2^-k of the larger of value, term and one",
             f"{'kernel':24}" + "".join(f"{a:>8}" for a in architectures)]
    for kernel in sorted(table):
        lines.append(f"{kernel:24}" + "".join(f"{table[kernel].get(a, '-'):>8}" for a in architectures))
    entries = [entry for row in table.values() for entry in row.values()]
    lines.append(f"{len(table)} kernels, {len(architectures)} architectures, {len(entries)} entries: "
                 f"{entries.count('exact')} exact, {sum(e.endswith('ulp') for e in entries)} within ulps, "
                 f"{sum(e.startswith('2^') for e in entries)} within 2^-20, {entries.count('WRONG')} wrong")
    return "\n".join(lines) + "\n"


def main():
    table, wrong = measure()
    text = text_of(table) + "".join(f"failed: {name}\n" for name in wrong)
    out = ROOT / "build" / "show" / "execution"
    out.mkdir(parents=True, exist_ok=True)
    (out / "differential.txt").write_text(text)
    print(text, end="")
    return 1 if wrong or not table else 0


if __name__ == "__main__":
    sys.exit(main())
