# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""One namespace for each layer, seeing just the layers below, and no type twice in one of them."""
import re

from tree import layer_of, without_comments

TABLE = "src/base/layers.h"
# A layer that is built only where it is asked for has a table of its own; it adds to the others.
OWN_TABLES = {"api": "src/api/layers.h", "system": "src/system/layers.h", "serve": "src/serve/layers.h",
              "program_run": "src/program_run/layers.h"}
OPENED = re.compile(r"^namespace forewarp(?:::([\w:]+))? \{", re.MULTILINE)
SEEN = re.compile(r"^namespace (\w+) \{(?:\}|\n(.*?)^\})", re.MULTILINE | re.DOTALL)
UNNAMED = re.compile(r"^namespace \{$.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:template.*\n)?(?:class|struct|enum(?: class)?) (\w+)\b(?!::)[^;{]*\{", re.MULTILINE)


def check_table(tree):
    """src/base/layers.h and the tables beside it say the same as the layer table."""
    if not (tree.root / TABLE).exists():
        return []
    seen = {}
    for table in (TABLE, *OWN_TABLES.values()):
        text = tree.text(table) if (tree.root / table).exists() else ""
        for match in SEEN.finditer(text.partition("namespace forewarp {")[2]):
            seen.setdefault(match.group(1), set()).update(re.findall(r"using namespace (\w+);", match.group(2) or ""))
    faults = []
    for layer, below in tree.layers().items():
        name = "cli" if layer == "tools" else layer
        below = below - {"api"}  # its names are those of other layers: who uses it writes api::NAME
        if below != seen.get(name, set()):
            faults.append(f"{OWN_TABLES.get(layer, TABLE)}: namespace {name} must see {' '.join(sorted(below)) or 'nothing'}")
    return faults


def check_namespaces(tree):
    """A file outside of its layer's namespace, a type that one namespace has twice."""
    faults = check_table(tree)
    defined = {}
    for path in tree.files("src", "tools", "python"):
        text = without_comments(UNNAMED.sub("", tree.text(path)))
        layer = layer_of(path)
        wanted = "cli" if layer == "tools" else layer
        spaces = [match.group(1) or "" for match in OPENED.finditer(text)]
        own = [space for space in spaces if space.split("::")[0] == wanted]
        if own:
            for name in TYPE.findall(text):
                defined.setdefault((own[0], name), []).append(path)
        elif spaces and path not in (TABLE, *OWN_TABLES.values()) and not path.endswith(("main.cpp",)):
            faults.append(f"{path}: namespace forewarp{'::' if spaces[0] else ''}{spaces[0]}; "
                          f"found in the layer {layer}, so forewarp::{wanted}")
    faults += [f"{space}::{name} is defined twice: {', '.join(sorted(set(paths)))}"
               for (space, name), paths in sorted(defined.items()) if len(set(paths)) > 1]
    return faults
