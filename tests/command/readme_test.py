#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The reports in README.md are what the program prints, and links of the documents lead somewhere: readme_test.py PROGRAM [--write]"""
import difflib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^\$ forewarp (.*?)( \| head)?\n((?:(?!```).*\n)*)", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
HEAD = 10  # lines


def printed(program, words, shortened):
    ran = subprocess.run([program, *words.split()], cwd=ROOT, capture_output=True, text=True, check=True)
    return "".join(ran.stdout.splitlines(keepends=True)[:HEAD if shortened else None])


def reports(program, write):
    """Faults of the reports; with `write` they are mended."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    if len(blocks) < 2:
        return ["README.md: holds no two reports that start with '$ forewarp'"]
    faults = []
    for block in reversed(blocks):
        now = printed(program, block[1], block[2])
        if now != block[3]:
            faults += difflib.unified_diff(block[3].splitlines(), now.splitlines(), "README.md", "forewarp", lineterm="")
            text = text[:block.start(3)] + now + text[block.end(3):]
    if faults and write:
        readme.write_text(text, encoding="utf-8")
        return []
    return [*faults, "README.md: a report is not what the program prints; run scripts/golden"] if faults else []


def links():
    """Every link of a document leads to a file, and docs/README.md to every page beside it."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "validation" / "sets" / "README.md"]
    found = {page: [(page.parent / link).resolve() for link in LINK.findall(page.read_text(encoding="utf-8"))] for page in pages}
    faults = [f"{page.relative_to(ROOT)}: links to {target}, which is not there" for page, targets in found.items() for target in targets if not target.exists()]
    index = ROOT / "docs" / "README.md"
    return faults + [f"docs/README.md: does not lead to {page.name}" for page in (ROOT / "docs").glob("*.md")
                     if page != index and page.resolve() not in found[index]]


def main():
    faults = reports(sys.argv[1], "--write" in sys.argv) + links()
    if faults:
        sys.exit("\n".join(faults))


main()
