# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the table of ARCHITECTURE.md, read from layers.txt."""
import re

from tree import find_cycle, layer_of


def check_layers(tree):
    """An include that the layer table does not allow, or a folder that it does not name."""
    table = tree.layers()
    faults = [f"src/{folder.name}: is missing from tests/structure/layers.txt"
              for folder in sorted((tree.root / "src").iterdir())
              if folder.is_dir() and folder.name not in table]
    for path, line, included in tree.include_edges():
        layer = layer_of(path)
        own = (tree.root / path).parent / included
        if layer in ("tools", "python") and (own.exists() or (tree.root / "tools" / included).exists()):
            continue
        target = included.split("/")[0]
        if included.startswith("embedded/"):
            continue
        if "/" not in included or not (tree.root / "src" / included).exists():
            faults.append(f'{path}:{line}: "{included}" is not a file under src/')
        elif target != layer and target not in table.get(layer, set()):
            faults.append(f'{path}:{line}: {layer} may not include "{included}"')
        elif target == "api" and layer != "api":
            faults.append(f'{path}:{line}: "{included}" is the library\'s own; the public ones are <forewarp/..>')
    for path, line, included in tree.public_edges():
        layer = layer_of(path)
        if layer != "api" and "api" not in table.get(layer, set()):
            faults.append(f"{path}:{line}: {layer} may not include <{included}>")
    return faults


def check_public_headers(tree):
    """A public header that includes another one than those of the library and the standard library."""
    faults = []
    for path in tree.files("include"):
        for number, text in enumerate(tree.text(path).splitlines(), 1):
            found = re.match(r"\s*#\s*include\s+(\S+)", text)
            if found and not re.fullmatch(r"<(?:forewarp/\w+\.h|[a-z_]+)>", found.group(1)):
                faults.append(f"{path}:{number}: {found.group(1)} is neither <forewarp/..> nor of the standard library")
    return faults


def check_models_apart(tree):
    """A folder of src/model/ that includes another model's folder."""
    faults = []
    for path, line, included in tree.include_edges():
        parts, target = path.split("/"), included.split("/")
        if parts[:2] != ["src", "model"] or len(parts) < 4:
            continue
        if target[0] == "model" and len(target) > 2 and target[1] != parts[2]:
            faults.append(f'{path}:{line}: one model includes another: "{included}"')
    return faults


def check_cycles(tree):
    """A cycle between layers, between folders (a parent against its own, too), or between units."""
    layers = {}
    for path, _, included in tree.include_edges():
        if path.startswith("src/") and layer_of(path) != layer_of("src/" + included):
            layers.setdefault(layer_of(path), set()).add(layer_of("src/" + included))
    faults = []
    for what, graph in (("include cycle", layers), ("include cycle", folder_graph(tree)),
                        ("circle of units", unit_graph(tree))):
        cycle = find_cycle(graph)
        if cycle:
            faults.append(f"{what}: " + " -> ".join(cycle))
    return faults


def folder_graph(tree):
    """Which folder includes which inside one layer. A builtin.cpp lists the parts of its folder and
    nothing includes it: it stands above the folder, not in it."""
    graph = {}
    for path, _, included in tree.include_edges():
        if path.startswith("src/") and layer_of(path) == layer_of("src/" + included):
            folder, name = path.removeprefix("src/").rsplit("/", 1)
            here = f"{folder}/{name}" if name == "builtin.cpp" else folder
            there = included.rsplit("/", 1)[0]
            if here != there:
                graph.setdefault(here, set()).add(there)
    return graph


def unit_graph(tree):
    """Who includes whom under src/ when a header and its source are one."""
    graph = {}
    for path, _, included in tree.include_edges():
        unit, target = path.removeprefix("src/").rsplit(".", 1)[0], included.rsplit(".", 1)[0]
        if path.startswith("src/") and unit != target:
            graph.setdefault(unit, set()).add(target)
    return graph


def check_architecture(tree):
    """ARCHITECTURE.md must quote the layer table as it is."""
    quoted = tree.text("ARCHITECTURE.md")
    return [f"ARCHITECTURE.md: lacks the layer table's line '{line}'"
            for line in tree.text("tests/structure/layers.txt").splitlines()
            if line.strip() and line not in quoted]


def check_builtins(tree):
    """A model, reader, view or trace format that its folder's explicit list does not make."""
    kinds = (("src/model", "Model|MixModel"), ("src/input", "Reader"), ("src/report", "View"),
             ("src/trace", "TraceFormat"))
    faults = []
    for folder, base in kinds:
        derived = re.compile(rf"\b(?:class|struct)\s+(\w+)(?:\s+final)?\s*:\s*public\s+(?:{base})\b")
        list_file = tree.root / folder / "builtin.cpp"
        listed = list_file.read_text(encoding="utf-8") if list_file.exists() else ""
        for path in tree.files(folder):
            faults += [f"{path}: {name} is missing from {folder}/builtin.cpp"
                       for name in derived.findall(tree.text(path))
                       if name not in base.split("|") and not re.search(rf"\b{name}\b", listed)]
    return faults
