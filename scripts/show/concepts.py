# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""How many types and headers somebody meets who reads the way of one prediction, from what is asked to its result.

    python3 -B scripts/show/concepts.py [ROOT ..]

Counted are the headers that the chain's own headers include, directly or not, up to the layers that know nothing of a prediction
(base, program, analysis, hardware), and the types in them: classes, structures and enumerations, nested ones too.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The headers of the stages, and of what asks for them and makes the result; as they were, and as they are.
CHAINS = (("src/launch/prepared.h", "src/launch/stages.h", "src/driver/preparation.h", "src/driver/stages/drafted.h", "src/driver/stages/executed.h",
           "src/driver/stages/bound.h", "src/explain/portfolio.h", "src/driver/predictor.h", "src/driver/result_builder.h"),
          ("src/prediction/query.h", "src/prediction/launch.h", "src/prediction/trace.h", "src/prediction/bound.h", "src/prediction/evaluation.h",
           "src/driver/predictor.h", "src/driver/result_builder.h"))
BELOW = ("base", "program", "analysis", "hardware")
TYPE = re.compile(r"^\s*(?:class|struct|enum(?: class)?) (\w+)\b(?!::)[^;{(]*\{", re.MULTILINE)
COMMENT = re.compile(r"//.*")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def reached(root, headers):
    """The headers of the repository that these include, and they themselves."""
    seen, left = set(), [header for header in headers if (root / header).exists()]
    while left:
        header = left.pop()
        if header in seen or header.split("/")[1] in BELOW:
            continue
        seen.add(header)
        left += [f"src/{name}" for name in INCLUDE.findall((root / header).read_text(encoding="utf-8"))
                 if (root / "src" / name).exists()]
    return sorted(seen)


def count(root):
    """(types, headers) of the chain that this tree has."""
    chain = next(chain for chain in CHAINS if all((root / header).exists() for header in chain[:2]))
    headers = reached(root, chain)
    types = [name for header in headers for name in TYPE.findall(COMMENT.sub("", (root / header).read_text(encoding="utf-8")))]
    return len(types), len(headers)


def lines(root):
    """Lines of source by room, of the rooms between what is asked and the result."""
    return {room: sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (root / "src" / room).rglob("*") if path.suffix in (".h", ".cpp"))
            for room in ("request", "launch", "prediction", "explain", "driver") if (root / "src" / room).is_dir()}


if __name__ == "__main__":
    for root in map(Path, sys.argv[1:] or [ROOT]):
        print("%s: %d types in %d headers; lines %s" % (root, *count(root), lines(root)))
