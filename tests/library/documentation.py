#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Doxygen over include/forewarp: a warning, such as of a member without documentation, is a failure. documentation.py FOLDER"""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "command"))
import needs  # noqa: E402

SETTINGS = """
GENERATE_LATEX = NO
GENERATE_HTML = NO
GENERATE_XML = YES
QUIET = YES
WARN_IF_UNDOCUMENTED = YES
EXTRACT_ALL = NO
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = FOREWARP_EXPORT= FOREWARP_INLINE=
"""


def documented(folder, headers=ROOT / "include" / "forewarp"):
    """Number of documented types, and what Doxygen warns of."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = f"INPUT = {headers}\nOUTPUT_DIRECTORY = {folder}\nSTRIP_FROM_INC_PATH = {headers.parent}\n{SETTINGS}"
    done = subprocess.run(["doxygen", "-"], input=settings, capture_output=True, text=True, check=False)
    warnings = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    types = [path for kind in ("class", "struct") for path in (folder / "xml").glob(f"{kind}*.xml")]
    return len(types), warnings + ([f"doxygen ends with {done.returncode}"] if done.returncode else [])


def main():
    if needs.lacks("documentation", needs.program("doxygen")):
        return needs.SKIPPED
    folder = Path(sys.argv[1])
    trial = folder / "trial"
    trial.mkdir(parents=True, exist_ok=True)
    (trial / "lacking.h").write_text("/// @file\n#pragma once\n/// Documented.\nstruct Lacking {\n  int member = 0;\n};\n", encoding="utf-8")
    if not documented(folder / "trial-out", trial)[1]:
        print("a member without documentation passes: the check is none")
        return 1
    types, warnings = documented(folder / "out")
    print("\n".join(warnings) if warnings else f"{types} documented types, no warning")
    return 1 if warnings or not types else 0


if __name__ == "__main__":
    sys.exit(main())
