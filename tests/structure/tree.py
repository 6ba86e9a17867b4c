# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What the structure checks read: the layer table, the sources, and who includes whom."""
import re
from pathlib import Path

PUBLIC_INCLUDE = re.compile(r'^\s*#\s*include\s+<(forewarp/[^>]+)>', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SOURCE_SUFFIXES = {".h", ".cpp", ".inc"}


class Tree:
    """One checkout. A path in a fault is relative to its root."""

    def __init__(self, root):
        self.root = Path(root)

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def files(self, *folders, suffixes=SOURCE_SUFFIXES):
        """Relative paths of all files with one of the suffixes below the folders, sorted."""
        found = []
        for folder in folders:
            for path in (self.root / folder).rglob("*"):
                if path.suffix in suffixes and path.is_file():
                    found.append(path.relative_to(self.root).as_posix())
        return sorted(found)

    def layers(self):
        """Folder -> the folders that it may include, as the layer table says."""
        table = {}
        for line in self.text("tests/structure/layers.txt").splitlines():
            if line.strip():
                left, right = line.split(":")
                table[left.split()[1]] = set(right.split())
        return table

    def public_edges(self):
        """(including file, line, included path) of every header of the library that a layer includes: <forewarp/..>."""
        for path in self.files("src", "tools", "python"):
            text = self.text(path)
            for match in PUBLIC_INCLUDE.finditer(text):
                yield path, text.count("\n", 0, match.start(1)) + 1, match.group(1)

    def include_edges(self):
        """(including file, line, included path) of every quoted include under src/, tools/ and python/."""
        for path in self.files("src", "tools", "python"):
            text = self.text(path)
            for match in INCLUDE.finditer(text):
                line = text.count("\n", 0, match.start(1)) + 1
                yield path, line, match.group(1)


def layer_of(path):
    """src/model/volkov/x.h -> model; tools/forewarp/main.cpp -> tools; python/module/sweeps.cpp -> python."""
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def find_cycle(edges):
    """One cycle of a graph {node: set of nodes} as a list, or None."""
    state = {}
    path = []

    def visit(node):
        state[node] = "open"
        path.append(node)
        for target in sorted(edges.get(node, ())):
            if state.get(target) == "open":
                return path[path.index(target):] + [target]
            if target not in state:
                cycle = visit(target)
                if cycle:
                    return cycle
        path.pop()
        state[node] = "done"
        return None

    for node in sorted(edges):
        if node not in state:
            cycle = visit(node)
            if cycle:
                return cycle
    return None


def without_comments(text):
    """The text with comments blanked, line numbers kept; strings stay."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

    def blank(match):
        found = match.group()
        return found if found.startswith('"') else "\n" * found.count("\n")

    return token.sub(blank, text)
