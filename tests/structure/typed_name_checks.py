# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What has a field or an enumerator of its own is not spelled as a string: facts of a GPU."""
import re

from tree import without_comments

STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
SCHEMA = "src/hardware/schema.cpp"
SCHEMA_ROW = re.compile(r'^\s*\{"([\w.]+)", "', re.MULTILINE)
# Links have facts of their own, and options that begin like this group.
ALSO_PREFIXES = {"link."}


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def fact_paths(tree):
    """The paths of the schema that have a group, and what the paths of each group begin with."""
    if not (tree.root / SCHEMA).is_file():
        return set(), set()
    paths = {path for path in SCHEMA_ROW.findall(tree.text(SCHEMA)) if "." in path}
    return paths, {path.split(".")[0] + "." for path in paths} - ALSO_PREFIXES


def check_facts(tree):
    """The path of a GPU's fact above hardware: its field, fact_of() or path_of() say it."""
    paths, groups = fact_paths(tree)
    faults = []
    for path in tree.files("src", "tools", "python"):
        if path.startswith("src/hardware/"):
            continue
        text = without_comments(tree.text(path))
        faults += [f"{path}:{line_of(text, found.start())}: the path of a fact, '{found[1]}'; "
                   "take the field of Gpu, fact_of() or path_of()"
                   for found in STRING.finditer(text) if found[1] in paths or found[1] in groups]
    return faults
