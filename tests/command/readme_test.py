#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The report in README.md is what the program prints: readme_test.py PROGRAM [--write]"""
import difflib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^\$ forewarp (.*)\n((?:(?!```).*\n)*)", re.MULTILINE)


def main():
    program, readme = sys.argv[1], ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    written = BLOCK.search(text)
    if not written:
        sys.exit("README.md: holds no report that starts with '$ forewarp'")
    ran = subprocess.run([program, *written.group(1).split()], cwd=ROOT, capture_output=True,
                         text=True, check=True)
    if ran.stdout == written.group(2):
        return
    if "--write" in sys.argv:
        readme.write_text(text[:written.start(2)] + ran.stdout + text[written.end(2):],
                          encoding="utf-8")
        return
    print("\n".join(difflib.unified_diff(written.group(2).splitlines(), ran.stdout.splitlines(),
                                         "README.md", "forewarp", lineterm="")))
    sys.exit("README.md: the report is not what the program prints; run scripts/golden")


main()
