# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What has a field or an enumerator of its own is not spelled as a string: facts of a GPU, roles of
resources."""
import re

from tree import without_comments

STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
SCHEMA = "src/hardware/schema.cpp"
SCHEMA_ROW = re.compile(r'^\s*\{"([\w.]+)", "', re.MULTILINE)
ROLES = "src/hardware/resource_role.h"
ROLE_ROW = re.compile(r'\{ResourceRole::\w+, "(\w+)", "')
# What is matched by comparing, or by looking for it: x == "dram", "dram" != x, x.starts_with("dram").
MATCHED = re.compile(r'[=!]=\s*(?:std::string(?:_view)?[({])?"(\w+)"|"(\w+)"[)}]?\s*[=!]='
                     r'|\b(?:starts_with|find|contains|compare|resource_bit|cycles_at|cycles)\([^()"]*"(\w+)"')
# The table, and the layers that show results; nothing is decided by a name there.
SHOWN = ("src/hardware/", "src/result/", "src/report/", "src/store/")
# Who asks for resources. Elsewhere "shared" is a memory space and "registers" a key of a file.
ASKING = ("src/binding/", "src/model/", "src/timing/", "src/prediction/", "src/explain/", "src/driver/")
# Facts are data where files of boards are made: what was measured is named as the file will name it.
MAKES_FILES = ("src/hardware/", "src/characterise/", "tools/forewarp/characterise_", "tools/forewarp-bench/")
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
        if path.startswith(MAKES_FILES):
            continue
        text = without_comments(tree.text(path))
        faults += [f"{path}:{line_of(text, found.start())}: the path of a fact, '{found[1]}'; "
                   "take the field of Gpu, fact_of() or path_of()"
                   for found in STRING.finditer(text) if found[1] in paths or found[1] in groups]
    return faults


def check_roles(tree):
    """A resource found by its name: ResourceInfo::role, or role_of_resource() of a result's name, says what it is."""
    if not (tree.root / ROLES).is_file():
        return []
    names = set(ROLE_ROW.findall(tree.text(ROLES)))
    own = {name for name in names if "_" in name or name in ("dram", "lsu")}  # nothing else is called so
    faults = []
    for path in tree.files("src", "tools"):
        if path.startswith(SHOWN):
            continue
        text = without_comments(tree.text(path))
        places = {found.start(): found[1] for found in STRING.finditer(text) if found[1] in own}
        for found in MATCHED.finditer(text):
            name = found[1] or found[2] or found[3]
            if name in names - own and path.startswith(ASKING):
                places[found.start()] = name
        faults += [f"{path}:{line_of(text, place)}: a resource by its name, '{name}'; take its ResourceRole"
                   for place, name in sorted(places.items())]
    return faults
